"""Ollama to canonical: responses.

Source: docs/wire/ollama.md, section 2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from interlingua.rooms._shared.timestamps import UTC, parse_timestamp
from interlingua.rooms.ollama.decode_message import decode_answer
from interlingua.rooms.ollama.tables import DIALECT, FINISH_REASONS, FINISH_WORDS, USAGE
from interlingua.spi.reading import Malformed, Unmapped, body_decoder, is_integer

if TYPE_CHECKING:
    from interlingua.model_shapes import ChatResponse

_NULLABLE: Final = frozenset({"model", "created_at", "done", "done_reason", *USAGE})


@body_decoder(DIALECT)
def decode_response(body: Any) -> ChatResponse:
    """Return the canonical response of a whole answer. Raises `DecodeError`."""
    response: dict[str, Any] = {"dialect": DIALECT}
    left = Unmapped()
    usage: dict[str, Any] = {}
    try:
        message = decode_answer(body.get("message"))
    except Malformed as malformed:
        raise malformed.under("message") from None
    for key, value in body.items():
        if key == "model" and type(value) is str:
            response["model"] = value
        elif key == "created_at" and type(value) is str:
            read_created(response, value, left)
        elif key == "message":
            response["messages"] = [message]
        elif key == "done_reason" and type(value) is str:
            read_done_reason(response, value, message)
        elif key in USAGE and is_integer(value):
            usage[USAGE[key]] = value
        elif value is None and key in _NULLABLE:
            left.null(key)
        elif key != "done" or value is not True:
            left.fields[key] = value
    if usage:
        response["usage"] = usage
    if "done" not in body:
        left.absent("done")
    left.attach(response, DIALECT)
    return cast("ChatResponse", response)


def read_created(response: dict[str, Any], text: str, left: Unmapped) -> None:
    """Read the timestamp as whole seconds; its fraction and offset stay in `extra`."""
    moment = parse_timestamp(text)
    if moment is None:
        left.fields["created_at"] = text
        return
    response["created"], beyond = moment
    if beyond != UTC:
        left.typed["created_at"] = beyond


def read_done_reason(response: dict[str, Any], word: str, message: dict[str, Any]) -> None:
    """Read the finish reason; it is also `stop` for an answer with tool calls."""
    reason = FINISH_REASONS.get(word, "other")
    if reason == "stop" and "tool_calls" in message:
        reason = "tool_calls"
    response["finish_reason"] = reason
    if FINISH_WORDS[reason][0] != word:
        response["finish_reason_raw"] = word
