"""Chat Completions to canonical: responses.

Source: docs/wire/openai_chat.md, section 2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.rooms._chat_completions.decode_message import decode_assistant, decode_message
from interlingua.rooms._chat_completions.decode_thinking import split_at_thoughts
from interlingua.rooms._chat_completions.search_sources import MEMBERS as SOURCES
from interlingua.rooms._chat_completions.search_sources import read_sources
from interlingua.rooms._chat_completions.tables import REASONING_COUNTED, USAGE
from interlingua.rooms._chat_completions.vendor_extensions import USAGE as VENDOR_USAGE
from interlingua.spi.reading import OBJECT, Malformed, Unmapped, answer_list, expect, read_usage

if TYPE_CHECKING:
    from interlingua.rooms._chat_completions.vendor import Vendor

_RESPONSE_TEXTS: Final = frozenset({"id", "model"})


def decode_response(body: dict[str, Any], vendor: Vendor) -> dict[str, Any]:
    """Return the canonical response of a `chat.completion`. Raises `Malformed`."""
    response: dict[str, Any] = {"dialect": vendor.dialect, "messages": []}
    left = Unmapped()
    for key, value in body.items():
        if key in _RESPONSE_TEXTS and type(value) is str and (value or key != "id"):  # "" of Hugging Face is none
            response[key] = value
        elif key == "created" and type(value) is int:
            response["created"] = value
        elif (key == "object" and value == "chat.completion") or key == "choices":
            pass
        elif key == "usage" and value is not None:
            try:
                response["usage"] = decode_usage(value, vendor)
            except Malformed as malformed:
                left.keep(key, value, malformed)
        elif value is None and key in {"usage", "created", *_RESPONSE_TEXTS}:
            left.null(key)
        else:
            left.fields[key] = value
    if "object" not in body:
        left.absent("object")
    choices = answer_list(body, "choices", ("object", "chat.completion"), left)
    _decode_choices(response, choices, vendor, left)
    if not SOURCES.isdisjoint(left.fields):
        read_sources(response, left, vendor.dialect)
    left.attach(response, vendor.dialect)
    return response


def _decode_choices(response: dict[str, Any], choices: list[Any], vendor: Vendor, left: Unmapped) -> None:
    """Decode the first choice into the response, all others into its alternatives."""
    index = 0
    try:
        for index, choice in enumerate(choices):
            if index == 0:
                _decode_choice(response, choice, 0, vendor, left)
            else:
                answer: dict[str, Any] = {"messages": []}
                inner = Unmapped()
                _decode_choice(answer, choice, index, vendor, inner)
                inner.attach(answer, vendor.dialect)
                response.setdefault("alternatives", []).append(answer)
    except Malformed as malformed:
        raise malformed.under("choices", index) from None


def _decode_choice(answer: dict[str, Any], wire: Any, position: int, vendor: Vendor, left: Unmapped) -> None:
    """Decode one choice into a response or an alternative."""
    if type(wire) is not dict:
        raise Malformed("", "expected an object")
    said = wire.get("message")
    if type(said) is dict:
        try:
            answer["messages"] = _decode_answer(said, vendor)
        except Malformed as malformed:
            raise malformed.under("message") from None
    others = {} if type(said) is dict else _without_message(wire, left)
    called = any("tool_calls" in message for message in answer["messages"])
    for key, value in wire.items():
        if key == "finish_reason" and decode_finish_reason(answer, value, vendor, called=called):
            continue
        if key == "logprobs" and value is None:
            left.null("choice.logprobs")
        elif key == "stop_reason" and vendor.stop_words:
            _decode_stop_word(answer, value, left, others)
        elif key != "message" and (key != "index" or type(value) is not int or value != position):
            others[key] = value
    for name in ("index", "finish_reason"):
        if name not in wire:
            left.absent(name)
    if others:
        left.typed["choice"] = others


def _without_message(wire: dict[str, Any], left: Unmapped) -> dict[str, Any]:
    """Note that a choice has no message, or null; return any other value in its place.

    A choice with a `delta` instead belongs to a stream; it must not be read as an answer without content.
    """
    if "message" not in wire:
        if type(wire.get("delta")) is dict:
            raise Malformed("/message", "expected an object; a `delta` is part of a stream")
        left.absent("message")
    elif wire["message"] is None:
        left.null("choice.message")
    else:
        return {"message": wire["message"]}
    return {}


def _decode_stop_word(answer: dict[str, Any], value: Any, left: Unmapped, others: dict[str, Any]) -> None:
    """Read the stop sequence that ended the answer; a token id stays a leftover."""
    if value is None:
        left.null("choice.stop_reason")
    elif type(value) is str:
        answer["stop_sequence"] = value
    else:
        others["stop_reason"] = value


def _decode_answer(wire: dict[str, Any], vendor: Vendor) -> list[dict[str, Any]]:
    """Decode the message of a choice: the assistant's, even if the role is missing, empty or no text."""
    role = wire.get("role")
    if role == "assistant":
        return split_at_thoughts(decode_assistant(wire, vendor, told_late=True), vendor.dialect)
    if type(role) is str and role:
        return [decode_message(wire, vendor)]
    message = decode_assistant(wire, vendor, told_late=True)
    bag = message.setdefault("extra", {}).setdefault(vendor.dialect, {})
    note = "null" if role is None and "role" in wire else "absent"
    bag.setdefault("spelling", {}).setdefault(note, []).append("role")
    if role is not None:
        bag.setdefault("fields", {})["role"] = role
    return split_at_thoughts(message, vendor.dialect)


def decode_finish_reason(answer: dict[str, Any], word: Any, vendor: Vendor, *, called: bool) -> bool:
    """Read a finish reason, and its raw word if the reason does not restore it; return whether it is valid."""
    if word is None:
        return True
    if (type(word) is not str and type(word) is not int) or word == "":  # Snowflake writes empty values
        return False
    reason = vendor.finish_reason(word, called=called)
    answer["finish_reason"] = reason
    if vendor.finish_words[reason][0] != word:
        answer["finish_reason_raw"] = word
    return True


def decode_usage(wire: Any, vendor: Vendor) -> dict[str, Any]:
    """Decode `usage`; output includes reasoning on both sides, except for servers that leave it out (xAI)."""
    left = Unmapped()
    usage = read_usage(expect(wire, OBJECT, "usage"), USAGE, vendor.usage_details, left, VENDOR_USAGE)
    _read_vendor_counts(usage, left)
    reasoning = usage.get("reasoning_tokens", 0)
    is_said = reasoning > 0 and "output_tokens" in usage
    if is_said and usage.get("total_tokens") == sum(usage.get(name, 0) for name in _APART):
        left.absent(REASONING_COUNTED)
        usage["output_tokens"] += reasoning
    left.attach(usage, vendor.dialect)
    return usage


def _read_vendor_counts(usage: dict[str, Any], left: Unmapped) -> None:
    """Read counts beside the details, if the details lack them; a null marks the place of each."""
    for key, value in left.fields.items():
        name = VENDOR_USAGE.get(key)
        if name is not None and name not in usage and type(value) is int:
            usage[name] = value
            left.fields[key] = None


_APART: Final = ("input_tokens", "output_tokens", "reasoning_tokens")
