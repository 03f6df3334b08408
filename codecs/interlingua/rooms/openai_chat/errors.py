"""Errors of Chat Completions.

Source: docs/wire/openai_chat.md, section 5; docs/provider_errors.md
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from interlingua.rooms._shared.api_errors import ErrorForm, Words, decode_api_error, encode_api_error
from interlingua.rooms._shared.openai_errors import FINAL, HEADERS, WORDS, envelope, output_overflow, without_numbers
from interlingua.rooms.openai_chat.tables import DIALECT

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from interlingua.loss import LossLog
    from interlingua.model_shapes import ApiError

__all__ = ["FORM", "decode_error", "encode_error"]


def _choose(error: ApiError, words: Words) -> Words:
    match error["category"]:
        case "context_overflow":
            return replace(words, param="messages")
        case "output_overflow" if "used_tokens" not in error:
            return replace(words, code=None, param="max_tokens")
        case _:
            return words


def _message(error: ApiError) -> str:
    message, limit, used = error["message"], error.get("limit_tokens"), error.get("used_tokens")
    match error["category"]:
        case "context_overflow" if limit is not None and used is not None:
            return (
                f"This model's maximum context length is {limit} tokens. However, your messages resulted in {used} "
                "tokens. Please reduce the length of the messages."
            )
        case "context_overflow":
            return without_numbers(message)
        case "output_overflow":
            return output_overflow(error) or message
        case _:
            return message


FORM: Final = ErrorForm(
    dialect=DIALECT,
    words=WORDS,
    choose=_choose,
    headers=HEADERS,
    request_id="x-request-id",
    exact_retry=True,
    envelope=envelope,
    message=_message,
    final=FINAL,
)


def decode_error(
    body: Any,
    status: int | None = None,
    headers: Mapping[str, Any] | None = None,
    now: datetime | float | None = None,
) -> ApiError:
    """Return the canonical error of a body. Raises `DecodeError`."""
    return decode_api_error(body, FORM, status, headers, now)


def encode_error(error: ApiError, log: LossLog) -> tuple[int, dict[str, str], Any]:
    """Return status, headers and body of a canonical error; what does not come along is noted in the log."""
    return encode_api_error(error, FORM, log)
