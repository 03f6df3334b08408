"""Chat Completions to canonical: requests.

Source: reference/wire/openai_chat.md section 1. Every function is pure and shares unchanged sub-objects.
"""

# A wire value is Any; narrowing it to dict or list leaves its members unknown, which is the truth about wire JSON.
# pyright: reportUnknownMemberType=none, reportUnknownArgumentType=none, reportUnknownVariableType=none
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.dialects._chat_completions.decode_message import decode_messages
from interlingua.dialects._chat_completions.decode_tool import (
    read_function_call,
    read_functions,
    read_tool_choice,
    read_tools,
)
from interlingua.dialects._chat_completions.tables import RESPONSE_FORMATS
from interlingua.dialects._shared.extra import Leftovers, read_setting, rest
from interlingua.dialects._shared.reading import (
    TEXT,
    Malformed,
    expect,
    expect_integer,
    texts,
    top_object,
)

if TYPE_CHECKING:
    from interlingua.dialects._chat_completions.vendor import Vendor


_CHOICE_WORDS: Final = frozenset({"auto", "none", "required"})


def decode_request(body: Any, vendor: Vendor) -> dict[str, Any]:
    """Return the canonical request of a body of `POST /v1/chat/completions`. Raises `DecodeError`."""
    try:
        return _decode_request(top_object(body), vendor)
    except Malformed as malformed:
        raise malformed.error(vendor.dialect) from None


def _decode_request(body: dict[str, Any], vendor: Vendor) -> dict[str, Any]:
    request: dict[str, Any] = {"dialect": vendor.dialect}
    left = Leftovers()
    settings = vendor.settings
    readers = {**_READERS, **vendor.readers} if vendor.readers else _READERS
    for key, value in body.items():
        if key in settings:
            read_setting(request, key, value, settings[key], left)
        elif key == "messages":
            if type(value) is not list:
                raise Malformed("/messages", "expected a list")
            request["messages"] = decode_messages(value, vendor)
        elif value is None and key in readers:
            left.null(key)
        elif key in readers:
            try:
                readers[key](request, value, body, vendor, left)
            except Malformed as malformed:
                left.keep(key, value, malformed)
        else:
            left.fields[key] = value
    if "messages" not in request:
        raise Malformed("/messages", "expected a list")
    left.attach(request, vendor.dialect)
    return request


def _read_max_tokens(
    request: dict[str, Any], value: Any, body: dict[str, Any], _vendor: Vendor, left: Leftovers
) -> None:
    if body.get("max_completion_tokens") is not None:
        left.fields["max_tokens"] = value
    else:
        request["max_tokens"] = expect_integer(value, "max_tokens")
        left.spelling["max_tokens"] = "max_tokens"


def _read_user(request: dict[str, Any], value: Any, body: dict[str, Any], vendor: Vendor, left: Leftovers) -> None:
    if body.get("safety_identifier") is not None:
        left.fields["user"] = value
    else:
        request["user"] = expect(value, TEXT, "user")
        if vendor.end_user != "user":
            left.spelling["user"] = "user"


def _read_safety_identifier(
    request: dict[str, Any], value: Any, _body: dict[str, Any], vendor: Vendor, left: Leftovers
) -> None:
    request["user"] = expect(value, TEXT, "safety_identifier")
    if vendor.end_user != "safety_identifier":
        left.spelling["user"] = "safety_identifier"


def _read_stop(request: dict[str, Any], value: Any, _body: dict[str, Any], _vendor: Vendor, left: Leftovers) -> None:
    if type(value) is str:
        request["stop"] = [value]
        left.spelling["stop"] = "string"
    else:
        request["stop"] = texts(value, "stop")


def _read_effort(request: dict[str, Any], value: Any, _body: dict[str, Any], _vendor: Vendor, _left: Leftovers) -> None:
    request.setdefault("reasoning", {})["effort"] = expect(value, TEXT, "reasoning_effort")


def _read_response_format(
    request: dict[str, Any], value: Any, _body: dict[str, Any], _vendor: Vendor, left: Leftovers
) -> None:
    if type(value) is not dict or type(value.get("type")) is not str or value["type"] not in RESPONSE_FORMATS:
        left.fields["response_format"] = value
        return
    wanted = {"type": value["type"]}
    nested = value.get("json_schema")
    known = {"type"}
    if value["type"] == "json_schema":
        if type(nested) is not dict or type(nested.get("schema", {})) is not dict:
            left.fields["response_format"] = value
            return
        inner = {}
        for key, content in nested.items():
            if (
                (key in {"name", "description"} and type(content) is str)
                or key == "schema"
                or (key == "strict" and type(content) is bool)
            ):
                wanted[key] = content
            else:
                inner[key] = content
        known.add("json_schema")
        if inner:
            left.nest("response_format", {"json_schema": inner})
    left.nest("response_format", rest(value, frozenset(known)))
    request["response_format"] = wanted


def _read_cache_options(
    request: dict[str, Any], value: Any, _body: dict[str, Any], _vendor: Vendor, left: Leftovers
) -> None:
    if type(value) is not dict:
        left.fields["prompt_cache_options"] = value
        return
    request["cache"] = {name: value[name] for name in ("mode", "ttl") if type(value.get(name)) is str}
    left.nest("prompt_cache_options", rest(value, frozenset(request["cache"])))


_READERS: Final = {
    "max_tokens": _read_max_tokens,
    "user": _read_user,
    "safety_identifier": _read_safety_identifier,
    "stop": _read_stop,
    "reasoning_effort": _read_effort,
    "tools": read_tools,
    "functions": read_functions,
    "tool_choice": read_tool_choice,
    "function_call": read_function_call,
    "response_format": _read_response_format,
    "prompt_cache_options": _read_cache_options,
}
