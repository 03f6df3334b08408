"""Errors of Chat Completions.

Source: docs/wire/openai_chat.md, section 5; docs/provider_errors.md
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from interlingua.rooms._shared.openai_errors import UNKNOWN_URL, openai_form, output_overflow, without_numbers
from interlingua.rooms.openai_chat.tables import DIALECT

if TYPE_CHECKING:
    from interlingua.model_shapes import ApiError
    from interlingua.rooms._shared.api_errors import Words

__all__ = ["FORM", "decode_error", "encode_error"]


def _choose(error: ApiError, words: Words) -> Words:
    match error["category"]:
        case "context_overflow":
            return replace(words, param="messages")
        case "output_overflow" if "used_tokens" not in error:
            return replace(words, code=None, param="max_tokens")
        case "not_found" if error.get("code") == UNKNOWN_URL:
            return replace(words, code=UNKNOWN_URL)
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


FORM: Final = openai_form(DIALECT, _choose, _message)

decode_error: Final = FORM.decode
encode_error: Final = FORM.encode
