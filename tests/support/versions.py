"""Documents of vectors, which name the version that wrote them, as the version that is spoken now writes them."""

from __future__ import annotations

from typing import Any, Final

from interlingua_types import CURRENT
from interlingua_types.unions import SILENT, UNIONS

_NESTED: Final = frozenset({"messages"})


def as_current(document: Any) -> Any:
    """Return documents of a version that states its number, with the number of the current one.

    Versions since the third differ in nothing that the vectors hold. One that does differ is to be said here.
    """
    if isinstance(document, list):
        return [as_current(one) for one in document]
    if not isinstance(document, dict) or document.get("type", "text") not in UNIONS[CURRENT]["message"].variants:
        return document  # a message that nobody knows is kept as it is
    raised = {name: as_current(value) if name in _NESTED else value for name, value in document.items()}
    stated = raised.get("schema_version")
    if isinstance(stated, int) and max(SILENT) < stated < CURRENT:
        raised["schema_version"] = CURRENT
    return raised
