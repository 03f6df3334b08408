"""Chat Completions to canonical: tool choice.

Source: docs/wire/openai_chat.md, section 1.4. The forms of other servers are read, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeGuard

from interlingua.rooms._chat_completions.tables import ANY_TOOL, BARE_FUNCTION, FLAT_CHOICES, NO_WORD, WORD_ANY

if TYPE_CHECKING:
    from interlingua.rooms._chat_completions.vendor import Object, Vendor
    from interlingua.spi.reading import Unmapped

_MODES: Final = frozenset({"auto", "none", "required"})


def read_tool_choice(request: Object, value: Any, body: Object, vendor: Vendor, left: Unmapped) -> None:
    """Read the tool choice; an unknown form stays a leftover."""
    choice = _decode(value, body, vendor) or _decode_other_form(value, left)
    if choice is None:
        left.fields["tool_choice"] = value
    else:
        request["tool_choice"] = choice


def _decode(value: Any, body: Object, vendor: Vendor) -> Object | None:
    """Decode a choice in one of OpenAI's forms, or return None."""
    match value:
        case "auto" | "none" | "required":
            return {"mode": value}
        case {
            "type": "allowed_tools",
            "allowed_tools": {"mode": "auto" | "required" as mode, "tools": list(tools), **inner},
            **outer,
        } if not inner and not outer:
            free = _free_text_names(body.get("tools")) if vendor.custom else frozenset[str]()
            named = [_named(tool) for tool in tools]
            # Each must have the type of the offered tool with that name.
            if any(one is None or (one[0] == "custom") is not (one[1] in free) for one in named):
                return None
            return {"mode": "subset", "names": [one[1] for one in named if one], "required": mode == "required"}
        case _:
            choice = _named(value)
            return None if choice is None else _choice(*choice)


def _named(value: Any) -> tuple[str, str] | None:
    """Return type and name of a choice that names one tool in OpenAI's form, without other members; else None."""
    match value:
        case {"type": "function" | "custom" as kind, **outer} if outer.keys() == {kind}:
            inner: Any = outer[kind]
            is_name = type(inner) is dict and inner.keys() == {"name"} and type(inner["name"]) is str
            return (kind, inner["name"]) if is_name else None
        case _:
            return None


def _choice(kind: str, name: str) -> Object:
    return {"mode": "named", "name": name} | ({"kind": kind} if kind == "custom" else {})


def _decode_other_form(value: Any, left: Unmapped) -> Object | None:
    """Decode a choice in the form of other servers, or of other dialects' clients at a gateway."""
    match value:
        case {"type": str(word), **others} if not others and (word in _MODES or word == ANY_TOOL):
            left.absent(NO_WORD)
            return _decode_other_form(word, left) or {"mode": word}
        case str(word) if word == ANY_TOOL:
            left.absent(WORD_ANY)
            return {"mode": "required"}
        case {"function": {"name": str(name), **inner}, **outer} if not inner and not outer:
            left.absent(BARE_FUNCTION)
            return _choice("function", name)
        case {"type": "function" | "tool" | "custom" as kind, "name": str(name), **others} if not others:
            left.absent(next(note for note, flat in FLAT_CHOICES.items() if flat == kind))
            return _choice(kind, name)
        case _:
            return None


def _free_text_names(tools: Any) -> frozenset[str]:
    """Return the names of the custom tools."""
    offered = tools if type(tools) is list else ()
    return frozenset(tool["custom"]["name"] for tool in offered if is_custom(tool))


def is_custom(tool: Any) -> TypeGuard[Object]:
    """Tell whether a tool is a custom tool with a name."""
    inner = tool.get("custom") if type(tool) is dict and tool.get("type") == "custom" else None
    return type(inner) is dict and type(inner.get("name")) is str
