"""Canonical to Responses: calls and results."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.arguments import arguments_text
from interlingua.dialects._shared.extra import lay_own, own_bag
from interlingua.dialects._shared.names import acceptable_128, made_acceptable, safe_name
from interlingua.dialects.openai_responses.encode_part import encode_content
from interlingua.dialects.openai_responses.tables import (
    CALLS,
    CUSTOM_CALL,
    CUSTOM_RESULT,
    DIALECT,
    FUNCTION_CALL,
    FUNCTION_RESULT,
    ID_LIMIT,
    NAME_LIMIT,
    RESULTS,
)

if TYPE_CHECKING:
    from collections.abc import Mapping
    from collections.abc import Set as AbstractSet

    from interlingua.dialects._shared.pairing import Answered
    from interlingua.dialects._shared.target import Target
    from interlingua.model_shapes import ToolCall, ToolChatMessage


_NOTHING: Final[Mapping[str, Any]] = {}
_CALL_STATE: Final = ("id", "status", "namespace")
_PLAIN_RESULT: Final = frozenset({"role", "call_id", "content"})


def encode_calls(items: list[dict[str, Any]], calls: list[ToolCall], index: int, custom: set[str], to: Target) -> None:
    """Append the items of the calls of a message.

    Most are an id, a name and arguments, and no function is called for each of them.
    """
    home = to.home
    for at, call in enumerate(calls):
        if len(call) == 3 and "id" in call:
            identifier, name, arguments = call["id"], call["name"], call["arguments"]
            if home or (0 < len(identifier) <= ID_LIMIT and acceptable_128(name)):
                text = arguments if type(arguments) is str else arguments_text(arguments)
                items.append({"type": FUNCTION_CALL, "call_id": identifier, "name": name, "arguments": text})
                continue
        items.append(encode_call(call, index, at, custom, to))


def encode_call(call: ToolCall, index: int, at: int, custom: set[str], to: Target) -> dict[str, Any]:
    """Return the item of a call; one of a custom tool is noted in `custom`, by the id that was written."""
    arguments, name = call["arguments"], call["name"]
    path = to.call(index, at)
    bag = own_bag(call, DIALECT)
    free = call.get("kind") == "custom"
    out: dict[str, Any] = {"type": CUSTOM_CALL if free else FUNCTION_CALL}
    identifier = _call_identifier(call, index, at, to)
    if identifier is not None:
        out["call_id"] = identifier
        if free:
            custom.add(identifier)
    out["name"] = name if to.home else safe_name(name, NAME_LIMIT, f"{path}/name", to.log)
    form = bag.get("spelling", _NOTHING).get("arguments")
    said = CALLS[out["type"]]
    if form == "object" and type(arguments) is dict:
        out[said] = arguments
    elif form == "null" and arguments == "":
        out[said] = None
    elif form != "absent" or arguments != "":
        out[said] = arguments_text(arguments)
    for name in _CALL_STATE:
        if name in bag:
            out[name] = bag[name]
    if "call_id" in call:
        to.log.lost("member", f"{path}/call_id", "a call has one id")
    if "cache" in call:
        to.log.lost("cache", f"{path}/cache", "calls have no cache mark")
    lay_own(out, call, DIALECT, path, to.log)
    return out


def _call_identifier(call: ToolCall, index: int, at: int, to: Target) -> str | None:
    """Return the id of a call: its own, made acceptable abroad, or one from its position."""
    if to.home:
        return call.get("id")
    if "id" not in call:
        to.log.filled(f"{to.call(index, at)}/id", "every call has an id")
        return f"call_{index}_{at}"
    return _accepted(call["id"], f"{to.call(index, at)}/id", to)


def _accepted(identifier: str, path: str, to: Target) -> str:
    """Return an id, or one that is accepted and a `changed` loss. Only its length matters."""
    if 0 < len(identifier) <= ID_LIMIT:
        return identifier
    to.log.changed("name", path, f"an id has at most {ID_LIMIT} characters")
    return made_acceptable(identifier, ID_LIMIT)


def encode_result(
    message: ToolChatMessage, index: int, answered: Answered, custom: AbstractSet[str], to: Target
) -> dict[str, Any]:
    """Return the item of a result. Abroad, one that does not name its call is told by `answered`."""
    content = message.get("content")
    identifier: str | None = message.get("call_id", message.get("id"))
    path = to.message(index)
    bag = own_bag(message, DIALECT)
    spelling = bag.get("spelling", _NOTHING)
    if not to.home:
        if identifier is not None:
            identifier = _accepted(identifier, f"{path}/call_id" if "call_id" in message else f"{path}/id", to)
        elif not bag:
            asked = answered.by(index)
            identifier = f"call_{index}" if asked is None else _accepted(asked.id, f"{path}/call_id", to)
            to.log.filled(f"{path}/call_id", "a result names its call")
    kind = spelling.get("type")
    if kind not in RESULTS:
        kind = CUSTOM_RESULT if identifier in custom else FUNCTION_RESULT
    out: dict[str, Any] = {"type": kind}
    if identifier is not None:
        out["call_id"] = identifier
    if content is not None:
        out["output"] = encode_content(content, f"{path}/content", "tool", to)
    elif not to.home and not bag:
        out["output"] = ""
        to.log.filled(f"{path}/content", "a result must say something")
    if not message.keys() <= _PLAIN_RESULT:
        _finish_result(out, message, path, bag, to)
    return out


def _finish_result(
    out: dict[str, Any], message: ToolChatMessage, path: str, bag: Mapping[str, Any], to: Target
) -> None:
    if "name" in message:
        out["name"] = message["name"]
    if "is_error" in message:
        to.log.lost("member", f"{path}/is_error", "no place for whether a tool failed")
    if "cache" in message:
        to.log.lost("cache", f"{path}/cache", "results have no cache mark")
    if "id" in message and "call_id" in message:
        to.log.changed("local_id", f"{path}/id", "the wire has no place for the id of a message")
    for name in _CALL_STATE:
        if name in bag:
            out[name] = bag[name]
    lay_own(out, message, DIALECT, path, to.log)
