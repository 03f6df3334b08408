"""Canonical to Chat Completions: tool choice, in the form it came in.

Source: docs/wire/openai_chat.md, section 1.4.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, assert_never

from interlingua.rooms._chat_completions.encode_call import wire_name
from interlingua.rooms._chat_completions.tables import ANY_TOOL, BARE_FUNCTION, FLAT_CHOICES, NO_WORD, WORD_ANY
from interlingua.spi.extra import own_spelling

if TYPE_CHECKING:
    from collections.abc import Collection

    from interlingua.model_shapes import ToolChoice
    from interlingua.rooms._chat_completions.vendor import Object, Vendor
    from interlingua.rooms._shared.writing import Target


def write_tool_choice(out: Object, value: Any, request: Any, vendor: Vendor, to: Target) -> None:
    """Write the tool choice, in the form it came in."""
    choice: ToolChoice = value
    spelling = own_spelling(request, vendor.dialect)
    older = "tool_choice" in spelling
    absent = spelling.get("absent", ())
    if choice["mode"] == "auto" or choice["mode"] == "none" or choice["mode"] == "required":
        word = ANY_TOOL if choice["mode"] == "required" and WORD_ANY in absent else choice["mode"]
        wire: Any = {"type": word} if NO_WORD in absent else word
    elif choice["mode"] == "named":
        kind = choice.get("kind", "function")
        if kind != "function" and not (to.home or vendor.custom):
            to.log.lost("setting", "/tool_choice/kind", "the parameters of a tool must be an object")
            kind = "function"
        named = {"name": wire_name(choice["name"], "/tool_choice/name", vendor, to)}
        wire = named if older else _write_named(named, kind, absent)
    elif choice["mode"] == "subset":
        mode = "required" if choice.get("required") else "auto"
        wire = _write_allowed(choice["names"], mode, request, vendor, to) if to.home or vendor.custom else mode
    else:
        assert_never(choice)
    out["function_call" if older else "tool_choice"] = wire


def _write_named(named: Object, kind: str, absent: Collection[str]) -> Object:
    if kind == "function" and BARE_FUNCTION in absent:
        return {kind: named}
    flat = next((FLAT_CHOICES[one] for one in absent if one in FLAT_CHOICES), None)
    fits = flat is not None and (flat == "custom") is (kind == "custom")
    return {"type": flat, **named} if fits else {"type": kind, kind: named}


def _write_allowed(names: list[str], mode: str, request: Any, vendor: Vendor, to: Target) -> Object:
    free = {tool["name"] for tool in request.get("tools", ()) if tool["type"] == "custom"}
    tools: list[Object] = []
    for at, name in enumerate(names):
        kind = "custom" if name in free else "function"
        tools.append({"type": kind, kind: {"name": wire_name(name, f"/tool_choice/names/{at}", vendor, to)}})
    return {"type": "allowed_tools", "allowed_tools": {"mode": mode, "tools": tools}}
