"""Restore members that Converse sent and the canonical value cannot express, by laying them over what is written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.pointers import value_at
from interlingua.rooms._shared.patch import ABSENT, IN, patched
from interlingua.rooms.bedrock_converse.tables import DIALECT
from interlingua.rooms.bedrock_converse.thinking import without_removed_members
from interlingua.spi.extra import merge_own_extra, own_spelling

if TYPE_CHECKING:
    from interlingua.rooms._shared.writing import Target

# Where a difference notes that a call's input object was left out.
_LEFT_OUT: Final = (IN, "toolUse", ABSENT)


def restore_request(out: dict[str, Any], request: Any, to: Target) -> dict[str, Any]:
    """Return a request body with its own members restored; settings that were read elsewhere go back there."""
    if "extra" not in request:
        return out
    merge_own_extra(out, request, DIALECT, "", to.log)
    out = without_removed_members(out, request)
    shape = own_spelling(request, DIALECT).get("shape")
    return out if shape is None else patched(out, shape)


def restore(out: dict[str, Any], value: Any, path: str, to: Target) -> dict[str, Any]:
    """Return a wire object with its own members restored; report what its value holds for other dialects."""
    if "extra" not in value:
        return out
    merge_own_extra(out, value, DIALECT, path, to.log)
    shape = own_spelling(value, DIALECT).get("shape")
    return out if shape is None else patched(out, shape)


def has_input_text(call: Any) -> bool:
    """Return whether a call's arguments came as text, in place of the object that would be written."""
    if type(call["arguments"]) is not str or "extra" not in call:
        return False
    return "input" in (value_at(own_spelling(call, DIALECT).get("shape"), _LEFT_OUT) or ())


def with_input_text(out: dict[str, Any], call: Any) -> dict[str, Any]:
    """Return the block of a call, with its input as text if it came that way."""
    return {**out, "toolUse": {**out["toolUse"], "input": call["arguments"]}} if has_input_text(call) else out
