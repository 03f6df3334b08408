"""Responses to canonical: requests.

Source: reference/wire/openai_responses.md section 1. Every function is pure and shares unchanged sub-objects.
"""

# A wire value is Any; narrowing it to dict or list leaves its members unknown, which is the truth about wire JSON.
# pyright: reportUnknownMemberType=none, reportUnknownArgumentType=none, reportUnknownVariableType=none
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from interlingua.dialects._shared.extra import Leftovers, read_setting, rest
from interlingua.dialects._shared.reading import OBJECT, TEXT, Malformed, expect, top_object
from interlingua.dialects.openai_responses.decode_message import decode_items
from interlingua.dialects.openai_responses.decode_tool import read_tool_choice, read_tools
from interlingua.dialects.openai_responses.tables import (
    DIALECT,
    DISPLAY_WORDS,
    DISPLAYS,
    INCLUDE_LOGPROBS,
    RESPONSE_FORMATS,
    SERVER_STATE,
    SETTINGS,
)

if TYPE_CHECKING:
    from interlingua.model_shapes import ChatRequest


_FORMAT_MEMBERS: Final = {"name": str, "description": str, "schema": dict, "strict": bool}


def decode_request(body: Any) -> ChatRequest:
    """Return the canonical request of a body of `POST /v1/responses`. Raises `DecodeError`."""
    try:
        return cast("ChatRequest", _decode_request(top_object(body)))
    except Malformed as malformed:
        raise malformed.error(DIALECT) from None


def _decode_request(body: dict[str, Any]) -> dict[str, Any]:
    messages: list[dict[str, Any]] = []
    request: dict[str, Any] = {"dialect": DIALECT, "messages": messages}
    left = Leftovers()
    _read_instructions(messages, body.get("instructions"))
    for key, value in body.items():
        if key in SETTINGS:
            read_setting(request, key, value, SETTINGS[key], left)
        elif value is None and (key in _READERS or key in SERVER_STATE or key == "instructions"):
            left.null(key)
        elif key in _READERS:
            try:
                _READERS[key](request, value, body, left)
            except Malformed as malformed:
                if key == "input":
                    raise
                left.keep(key, value, malformed)
        elif key in SERVER_STATE:
            left.typed.setdefault("server_state", {})[key] = value
        elif key != "instructions":
            left.fields[key] = value
    if "input" not in body:
        left.spelling["input"] = "absent"
    left.attach(request, DIALECT)
    return request


def _read_instructions(messages: list[dict[str, Any]], instructions: Any) -> None:
    if instructions is not None:
        message = {"role": "system", "content": expect(instructions, TEXT, "instructions")}
        messages.append({**message, "extra": {DIALECT: {"spelling": {"system": "instructions"}}}})


def _read_input(request: dict[str, Any], value: Any, _body: dict[str, Any], left: Leftovers) -> None:
    if type(value) is str:
        request["messages"].append({"role": "user", "content": value})
        left.spelling["input"] = "string"
        return
    if type(value) is not list:
        raise Malformed("/input", "expected text or a list")
    try:
        decode_items(value, request["messages"])
    except Malformed as malformed:
        raise malformed.under("input") from None


def _read_user(request: dict[str, Any], value: Any, body: dict[str, Any], left: Leftovers) -> None:
    """Read the older name of `safety_identifier`; beside it, it stays a leftover."""
    if body.get("safety_identifier") is not None:
        left.fields["user"] = value
    else:
        request["user"] = expect(value, TEXT, "user")
        left.spelling["user"] = "user"


def _read_safety_identifier(request: dict[str, Any], value: Any, _body: dict[str, Any], _left: Leftovers) -> None:
    request["user"] = expect(value, TEXT, "safety_identifier")


def _read_reasoning(request: dict[str, Any], value: Any, _body: dict[str, Any], left: Leftovers) -> None:
    expect(value, OBJECT, "reasoning")
    settings: dict[str, Any] = {}
    others: dict[str, Any] = {}
    # `generate_summary` is the older name of `summary`.
    older = value.get("summary") is None
    for key, content in value.items():
        if key == "effort" and type(content) is str:
            settings["effort"] = content
        elif key == "summary" and type(content) is str and content not in DISPLAY_WORDS.keys() - DISPLAYS.keys():
            settings["display"] = DISPLAYS.get(content, content)
        elif key == "generate_summary" and older and type(content) is str and content in DISPLAYS:
            settings["display"] = DISPLAYS[content]
            left.spelling["display"] = "generate_summary"
        else:
            others[key] = content
    if settings:
        request["reasoning"] = settings
    if others or not settings:
        left.fields["reasoning"] = others


def _read_text(request: dict[str, Any], value: Any, _body: dict[str, Any], left: Leftovers) -> None:
    expect(value, OBJECT, "text")
    known = set()
    others: dict[str, Any] = {}
    if type(value.get("verbosity")) is str:
        request["verbosity"] = value["verbosity"]
        known.add("verbosity")
    wanted = value.get("format")
    if type(wanted) is dict and type(wanted.get("type")) is str and wanted["type"] in RESPONSE_FORMATS:
        known.add("format")
        inner = _read_format(request, wanted)
        if inner:
            others["format"] = inner
    others |= rest(value, frozenset(known))
    if others or not known:
        left.fields["text"] = others


def _read_format(request: dict[str, Any], wanted: dict[str, Any]) -> dict[str, Any]:
    """Read the form of the answer; return what is left of it."""
    response_format = request["response_format"] = {"type": wanted["type"]}
    others: dict[str, Any] = {}
    for key, value in wanted.items():
        if key in _FORMAT_MEMBERS and type(value) is _FORMAT_MEMBERS[key] and wanted["type"] == "json_schema":
            response_format[key] = value
        elif key != "type":
            others[key] = value
    return others


def _read_include(request: dict[str, Any], value: Any, _body: dict[str, Any], left: Leftovers) -> None:
    """Read `include`: one of its words is the setting `logprobs`, the others are only this provider's."""
    expect(value, (list,), "include")
    others = value
    if value.count(INCLUDE_LOGPROBS) == 1:
        request["logprobs"] = True
        at = value.index(INCLUDE_LOGPROBS)
        others = [*value[:at], *value[at + 1 :]]
        if at < len(others):
            left.spelling["include"] = at
    if others or not value:
        left.fields["include"] = others


def _read_cache_options(request: dict[str, Any], value: Any, _body: dict[str, Any], left: Leftovers) -> None:
    if type(value) is not dict:
        left.fields["prompt_cache_options"] = value
        return
    request["cache"] = {name: value[name] for name in ("mode", "ttl") if type(value.get(name)) is str}
    left.nest("prompt_cache_options", rest(value, frozenset(request["cache"])))


_READERS: Final = {
    "input": _read_input,
    "user": _read_user,
    "safety_identifier": _read_safety_identifier,
    "tools": read_tools,
    "tool_choice": read_tool_choice,
    "reasoning": _read_reasoning,
    "text": _read_text,
    "include": _read_include,
    "prompt_cache_options": _read_cache_options,
}
