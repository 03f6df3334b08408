"""Canonical to Bedrock Converse: what the dialect said beyond a canonical value is laid over what is written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.pointers import value_at
from interlingua.rooms._shared.patch import ABSENT, IN, patched
from interlingua.rooms.bedrock_converse.tables import DIALECT
from interlingua.rooms.bedrock_converse.thinking import without_unsaid
from interlingua.spi.extra import merge_own_extra, own_spelling

if TYPE_CHECKING:
    from interlingua.rooms._shared.writing import Target

# Where a difference says that the object of a call's arguments was left out.
_LEFT_OUT: Final = (IN, "toolUse", ABSENT)


def lay_request(out: dict[str, Any], request: Any, to: Target) -> dict[str, Any]:
    """Return a body with what it said beyond its canonical value; what was read elsewhere goes back there."""
    if "extra" not in request:
        return out
    merge_own_extra(out, request, DIALECT, "", to.log)
    out = without_unsaid(out, request)
    shape = own_spelling(request, DIALECT).get("shape")
    return out if shape is None else patched(out, shape)


def lay(out: dict[str, Any], value: Any, path: str, to: Target) -> dict[str, Any]:
    """Return a wire object with what the dialect said beyond its canonical value; report what others said there."""
    if "extra" not in value:
        return out
    merge_own_extra(out, value, DIALECT, path, to.log)
    shape = own_spelling(value, DIALECT).get("shape")
    return out if shape is None else patched(out, shape)


def is_text(call: Any) -> bool:
    """Tell whether the arguments of a call came as text, and the object that would be written was left out for it."""
    if type(call["arguments"]) is not str or "extra" not in call:
        return False
    return "input" in (value_at(own_spelling(call, DIALECT).get("shape"), _LEFT_OUT) or ())


def with_text(out: dict[str, Any], call: Any) -> dict[str, Any]:
    """Return the block of a call with its arguments as the text that they were, the same where they were an object."""
    return {**out, "toolUse": {**out["toolUse"], "input": call["arguments"]}} if is_text(call) else out
