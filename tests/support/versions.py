"""Documents of vectors, which state the version that wrote them, as the current version writes them."""

from __future__ import annotations

from typing import Any, Final

from interlingua_types import CURRENT
from interlingua_types.unions import SILENT, UNIONS

_NESTED: Final = frozenset({"messages"})


def as_current(document: Any) -> Any:
    """Return documents with a version number, with the number of the current version.

    Versions since the third do not differ in anything that the vectors contain. A version that does must be handled
    here.
    """
    if isinstance(document, list):
        return [as_current(one) for one in document]
    if not isinstance(document, dict) or document.get("type", "text") not in UNIONS[CURRENT]["message"].variants:
        return document  # an unknown message is kept unchanged
    raised = {name: as_current(value) if name in _NESTED else value for name, value in document.items()}
    stated = raised.get("schema_version")
    if isinstance(stated, int) and max(SILENT) < stated < CURRENT:
        raised["schema_version"] = CURRENT
    return raised
