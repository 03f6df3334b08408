"""Errors of Responses: the words of Chat Completions, but for an unknown model and the place of the input.

Source: docs/wire/openai_responses.md, section 5; docs/provider_errors.md
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from interlingua.rooms._shared.api_errors import ErrorForm, Words
from interlingua.rooms._shared.error_words import overflow_of
from interlingua.rooms._shared.openai_errors import FINAL, HEADERS, WORDS, envelope, output_overflow
from interlingua.rooms.openai_responses.tables import DIALECT, RATE_LIMIT_HEADERS, REQUEST_ID_HEADER

if TYPE_CHECKING:
    from interlingua.model_shapes import ApiError

__all__ = ["FORM", "decode_error", "encode_error"]

_OVERFLOW: Final = (
    "Your input exceeds the context window of this model. Please adjust your input and try again."
)  # fmt: skip


def _choose(error: ApiError, words: Words) -> Words:
    match error["category"]:
        case "context_overflow":
            return replace(words, param="input")
        case "output_overflow" if "used_tokens" not in error:
            return replace(words, code=None, param="max_output_tokens")
        case "not_found" if error.get("code") == words.code:
            return replace(words, status=400)
        case _:
            return words


def _message(error: ApiError) -> str:
    message = error["message"]
    match error["category"]:
        case "context_overflow":
            return _OVERFLOW
        case "output_overflow":
            found = overflow_of(message)
            is_said = found is not None and found.category == "output_overflow"
            return message if is_said else output_overflow(error) or message
        case _:
            return message


FORM: Final = ErrorForm(
    dialect=DIALECT,
    words=WORDS,
    choose=_choose,
    headers=HEADERS,
    request_id=REQUEST_ID_HEADER,
    exact_retry=True,
    limits=RATE_LIMIT_HEADERS,
    envelope=envelope,
    message=_message,
    final=FINAL,
)

decode_error: Final = FORM.decode
encode_error: Final = FORM.encode
