"""Decode Claude responses to the canonical form.

Source: docs/wire/claude.md, section 2.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, cast

from interlingua.rooms._shared.clipped_calls import STOP_SEQUENCE, finish_reason_of
from interlingua.rooms.claude.decode_message import decode_answer
from interlingua.rooms.claude.tables import (
    CACHE_COUNTS,
    DIALECT,
    FINISH_REASONS,
    FINISH_WORDS,
    HABITS,
    OUTPUT_DETAILS,
    THINKING_TOKENS,
    USAGE,
)
from interlingua.spi.extra import NOTHING
from interlingua.spi.reading import (
    OBJECT,
    TEXT,
    Malformed,
    Unmapped,
    answer_list,
    body_decoder,
    expect,
    is_integer,
    take,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.model_shapes import ChatResponse
    from interlingua.spi.reading import Setting


# Members for which null means the same as absent.
_NULLABLE: Final = frozenset({"id", "model", "usage"})
_DETAILS: Final[Mapping[str, Setting]] = MappingProxyType({THINKING_TOKENS: ("reasoning_tokens", (int,))})


@body_decoder(DIALECT)
def decode_response(body: Any) -> ChatResponse:
    """Return the canonical response for a Claude message. Raises `DecodeError`."""
    response: dict[str, Any] = {"dialect": DIALECT}
    left = Unmapped()
    for key, value in body.items():
        if key in {"id", "model", "stop_sequence"} and type(value) is str:
            response[key] = value
        elif key == "content":
            blocks = answer_list(body, key, ("type", "message"), left)
            response["messages"] = decode_answer(blocks) if blocks else []
        elif key == "stop_reason" and (value is None or type(value) is str):
            in_call = value == STOP_SEQUENCE and _ends_in_call(body.get("content"))
            decode_stop_reason(response, value, body, in_call=in_call)
        elif key == "usage" and type(value) is dict:
            response["usage"] = decode_usage(value)
        elif value is None and key in _NULLABLE:
            left.null(key)
        elif key == "stop_reason" or HABITS.get(key, value) != value or key not in HABITS:
            left.fields[key] = value
    if "messages" not in response:
        raise Malformed("/content", "expected a list")
    left.absent_habits(HABITS, body)
    left.attach(response, DIALECT)
    return cast("ChatResponse", response)


def _ends_in_call(content: Any) -> bool:
    last: Any = content[-1] if type(content) is list and content else None
    return type(last) is dict and last.get("type") == "tool_use"


def decode_stop_reason(response: dict[str, Any], word: Any, body: dict[str, Any], *, in_call: bool) -> None:
    """Decode `stop_reason` together with `stop_sequence`; `in_call`: the last block is a call."""
    if word is None:
        return
    expect(word, TEXT, "stop_reason")
    reason = finish_reason_of(word, FINISH_REASONS, in_call=in_call)
    response["finish_reason"] = reason
    stopped = reason == "stop" and type(body.get("stop_sequence")) is str
    if word != (STOP_SEQUENCE if stopped else FINISH_WORDS[reason][0]):
        response["finish_reason_raw"] = word


def decode_usage(wire: Any, before: Mapping[str, Any] = NOTHING) -> dict[str, Any]:
    """Decode `usage`. Claude's `input_tokens` excludes cached tokens; the canonical count includes them.

    `before`: the stream's counts so far, used for counts that are missing here.
    """
    usage: dict[str, Any] = {}
    left = Unmapped()
    expect(wire, OBJECT, "usage")
    for key, value in wire.items():
        if key in USAGE and is_integer(value):
            usage[USAGE[key]] = value
        elif key == OUTPUT_DETAILS and type(value) is dict:
            taken, others = take(value, _DETAILS)
            usage |= taken
            if others or not taken:
                left.fields[key] = others
        elif value is None and (key in USAGE or key == OUTPUT_DETAILS):
            left.null(key)
        else:
            left.fields[key] = value
    if "input_tokens" in usage or (
        wire.get("input_tokens") is None and any(usage.get(name) for name in CACHE_COUNTS.values())
    ):
        if "input_tokens" not in wire:
            left.absent("input_tokens")
        usage.setdefault("input_tokens", before.get("input_tokens", 0))
        usage["input_tokens"] += sum(usage.get(name, before.get(said, 0)) for said, name in CACHE_COUNTS.items())
    left.attach(usage, DIALECT)
    return usage
