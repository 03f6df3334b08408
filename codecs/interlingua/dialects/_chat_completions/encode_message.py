"""Canonical to Chat Completions: messages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, assert_never, cast

from interlingua.dialects._chat_completions.encode_answer_part import encode_answer_parts
from interlingua.dialects._chat_completions.encode_call import encode_call, encode_function_call, plain_calls
from interlingua.dialects._chat_completions.encode_part import encode_cache_control, encode_part
from interlingua.dialects._chat_completions.encode_reasoning import encode_reasoning
from interlingua.dialects._chat_completions.names import wire_identifier
from interlingua.dialects._shared.extra import lay_own, own_bag, put_back
from interlingua.dialects._shared.names import acceptable_40
from interlingua.loss import beyond, lost_members

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.dialects._chat_completions.vendor import Vendor
    from interlingua.dialects._shared.target import Target
    from interlingua.model_shapes import (
        AssistantChatMessage,
        ChatMessage,
        DeveloperChatMessage,
        SystemChatMessage,
        ToolCall,
        ToolChatMessage,
        UserChatMessage,
    )


_PLAIN_TEXT: Final = frozenset({"type", "text"})

_NOTHING: Final[Mapping[str, Any]] = {}

_SPOKEN_MEMBERS: Final = frozenset({"role", "content", "name", "extra"})


def encode_message(message: ChatMessage, index: int, vendor: Vendor, to: Target) -> dict[str, Any] | None:
    """Return the wire message of a chat message, or None for one that has no place here."""
    if message["role"] == "assistant":
        return encode_assistant(message, index, vendor, to)
    if message["role"] == "tool":
        return _encode_result(message, index, vendor, to)
    if message["role"] == "user" or message["role"] == "system" or message["role"] == "developer":
        if len(message) == 2 and type(message.get("content")) is str:
            return message  # type: ignore[return-value]  # the wire form of a plain message is its canonical form
        return _encode_spoken(message, index, vendor, to)
    if message["role"] == "opaque":
        if message["dialect"] == vendor.dialect and type(message["data"]) is dict:
            if "id" in message or "extra" in message:
                _finish({}, message, to.message(index), vendor, to, _SPOKEN_MEMBERS | {"dialect", "data"})
            return cast("dict[str, Any]", message["data"])
        lost_members(to.log, message, to.message(index), "message", "only its own dialect understands it")
        return None
    assert_never(message)


def _encode_spoken(
    message: UserChatMessage | SystemChatMessage | DeveloperChatMessage, index: int, vendor: Vendor, to: Target
) -> dict[str, Any]:
    out: dict[str, Any] = {"role": message["role"]}
    spelling = own_bag(message, vendor.dialect).get("spelling", _NOTHING)
    content = message.get("content")
    if content is not None:
        out["content"] = _encode_content(content, index, message["role"], vendor, to, spelling)
    elif "content" in spelling:
        out["content"] = None
    elif not to.home:
        out["content"] = ""
        to.log.filled(f"{to.message(index)}/content", "a message must say something")
    if "name" in message:
        out["name"] = message["name"]
    _finish(out, message, to.message(index), vendor, to, _SPOKEN_MEMBERS)
    return out


def _encode_result(message: ToolChatMessage, index: int, vendor: Vendor, to: Target) -> dict[str, Any]:
    content = message.get("content")
    identifier = message.get("call_id", message.get("id"))
    if (
        len(message) == 3
        and type(content) is str
        and identifier is not None
        and (to.home or not vendor.limited or acceptable_40(identifier))
    ):
        return {"role": "tool", "tool_call_id": identifier, "content": content}
    bag = own_bag(message, vendor.dialect)
    spelling = bag.get("spelling", _NOTHING)
    older = spelling.get("role") == "function"
    out: dict[str, Any] = {"role": "function" if older else "tool"}
    if identifier is not None:
        if not to.home:
            member = "call_id" if "call_id" in message else "id"
            identifier = wire_identifier(identifier, f"{to.message(index)}/{member}", vendor, to)
        out["tool_call_id"] = identifier
    if content is not None:
        out["content"] = _encode_content(content, index, "tool", vendor, to, spelling)
    elif "content" in spelling:
        out["content"] = None
    elif not to.home:
        out["content"] = ""
        to.log.filled(f"{to.message(index)}/content", "a result must say something")
    if "name" in message:
        if to.home or older or vendor.tool_names or "name" in bag.get("fields", _NOTHING):
            out["name"] = message["name"]
        else:
            to.log.lost("member", f"{to.message(index)}/name", "results name their call only by its id")
    if message.get("is_error") is not None:
        to.log.lost("member", f"{to.message(index)}/is_error", "no place for whether a tool failed")
    if "cache" in message:
        encode_cache_control(out, message["cache"], spelling, f"{to.message(index)}/cache", to)
    known = (
        _SPOKEN_MEMBERS | {"call_id", "is_error", "cache"} | ({"id"} if "call_id" not in message else frozenset[str]())
    )
    _finish(out, message, to.message(index), vendor, to, known)
    return out


def encode_assistant(message: AssistantChatMessage, index: int, vendor: Vendor, to: Target) -> dict[str, Any]:
    """Return the wire message of one assistant message."""
    content = message.get("content")
    if len(message) == 2 and type(content) is str:
        return message  # type: ignore[return-value]  # the wire form of a plain message is its canonical form
    calls = message.get("tool_calls")
    if calls and ((len(message) == 3 and type(content) is str) or len(message) == 2):
        encoded = plain_calls(calls, vendor, to)
        if encoded is None:
            encoded = [encode_call(call, index, at, vendor, to) for at, call in enumerate(calls)]
        return {"role": "assistant", "content": content, "tool_calls": encoded}
    bag = own_bag(message, vendor.dialect)
    spelling = bag.get("spelling", _NOTHING)
    out: dict[str, Any] = {"role": "assistant"}
    refusal = message.get("refusal")
    if type(content) is str:
        out["content"] = content
    elif content is not None:
        encode_answer_parts(out, content, index, vendor, to, spelling)
    if refusal is not None and (refusal != [] or to.home):
        _encode_refusal(out, refusal, index, vendor, to, spelling)
    if "reasoning" in message:
        encode_reasoning(out, message, index, vendor, to)
    _encode_calls(out, message.get("tool_calls"), bag, index, vendor, to)
    if "name" in message:
        _encode_name(out, message["name"], index, to)
    if "extra" in message or "id" in message:
        _finish(out, message, to.message(index), vendor, to, _SPOKEN_MEMBERS | {"reasoning", "refusal", "tool_calls"})
    if "content" not in out and spelling.get("content") != "absent":
        out["content"] = None
    return out


def _encode_name(out: dict[str, Any], name: str, index: int, to: Target) -> None:
    if to.answer and not to.home:
        to.log.lost("member", f"{to.message(index)}/name", "an answer has no name")
    else:
        out["name"] = name


def _encode_calls(
    out: dict[str, Any], calls: list[ToolCall] | None, bag: Mapping[str, Any], index: int, vendor: Vendor, to: Target
) -> None:
    if calls is not None:
        if bag.get("spelling", _NOTHING).get("call") == "function_call" and len(calls) == 1:
            out["function_call"] = encode_function_call(calls[0], vendor)
        elif calls or to.home:
            out["tool_calls"] = [encode_call(call, index, at, vendor, to) for at, call in enumerate(calls)]
    if bag.get("opaque_calls"):
        out["tool_calls"] = put_back(out.get("tool_calls", ()), bag["opaque_calls"])


def _finish(out: dict[str, Any], message: Any, path: str, vendor: Vendor, to: Target, known: frozenset[str]) -> None:
    """Lay what the dialect said beyond the canonical value, and report what other dialects said."""
    if "extra" in message:
        lay_own(out, message, vendor.dialect, path, to.log)
        spelling = own_bag(message, vendor.dialect).get("spelling", _NOTHING)
        if "role" in spelling.get("absent", ()):
            fields = own_bag(message, vendor.dialect).get("fields", _NOTHING)
            if "role" in fields:  # no text
                out["role"] = fields["role"]
            else:
                del out["role"]
        elif "role" in spelling.get("null", ()):
            out["role"] = None
    if "id" in message and "id" not in known:
        to.log.changed("local_id", f"{path}/id", "the wire has no place for the id of a message")


def _encode_content(
    content: Any, index: int, role: str, vendor: Vendor, to: Target, spelling: Mapping[str, Any]
) -> Any:
    """Encode text or parts of any role but assistant."""
    if type(content) is str:
        return content
    if spelling.get("content") == "object" and len(content) == 1 and content[0]["type"] == "opaque":
        return content[0]["data"]
    if not content and not to.home:
        to.log.changed("content", f"{to.message(index)}/content", "a list must hold something")
        return ""
    parts: list[dict[str, Any]] = []
    for at, part in enumerate(content):
        encoded = encode_part(part, index, at, role, vendor, to)
        if encoded is not None:
            parts.extend(encoded)
    return parts if parts or not content else ""


def _encode_refusal(
    out: dict[str, Any], refusal: Any, index: int, vendor: Vendor, to: Target, spelling: Mapping[str, Any]
) -> None:
    if not (vendor.refusals or to.answer or to.home):
        to.log.lost("refusal", f"{to.message(index)}/refusal", "a request has no refusals")
        return
    if type(refusal) is not str:
        path = f"{to.message(index)}/refusal"
        for at, part in enumerate(refusal):
            more = beyond(part, _PLAIN_TEXT if part["type"] == "text" else ())
            lost_members(to.log, more, f"{path}/{at}", "refusal", "a refusal is plain text")
        texts = [part["text"] for part in refusal if part["type"] == "text"]
        if not texts and not to.home:
            return
        refusal = "".join(texts)
    if spelling.get("refusal") == "part" and type(out.get("content", [])) is list:
        out["content"] = [*out.get("content", ()), {"type": "refusal", "refusal": refusal}]
    else:
        out["refusal"] = refusal
