"""Edits of the context that clear thinking: Claude refuses them where thinking is off.

Source: docs/families.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.rooms._shared.rule_helpers import object_of, text_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.rooms._shared.rule_helpers import Object

_CLEARS_THINKING: Final = "clear_thinking_"


def refused_edits(body: Object, facts: Mapping[str, Any]) -> list[int]:
    """Return the places of the edits that clear thinking, if thinking is off."""
    edits = object_of(body, "context_management").get("edits")
    kind = text_of(object_of(body, "thinking"), "type")
    is_off = kind == "disabled" or (not kind and not facts.get("thinks_unasked", False))
    if type(edits) is not list or not is_off:
        return []
    return [
        at for at, edit in enumerate(edits) if type(edit) is dict and text_of(edit, "type").startswith(_CLEARS_THINKING)
    ]
