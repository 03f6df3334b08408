"""Errors of Ollama: only a text and a status.

Source: docs/wire/ollama.md, section 5; docs/provider_errors.md
"""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from interlingua.rooms._shared.api_errors import ErrorForm, Words
from interlingua.rooms._shared.error_categories import overflow_of
from interlingua.rooms._shared.openai_errors import WORDS
from interlingua.rooms.ollama.tables import DIALECT

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.model_shapes import ApiError, ErrorCategory
    from interlingua.rooms._shared.api_errors import Written

__all__ = ["FORM", "decode_error", "encode_error"]

# Statuses without codes; all but one are those of OpenAI.
_WORDS: Final[Mapping[ErrorCategory, Words]] = MappingProxyType({
    **{category: Words(words.status) for category, words in WORDS.items()}, "quota": Words(402)
})  # fmt: skip
_HEADERS: Final = re.compile("retry-after")
_TOO_LONG: Final = "prompt too long; exceeded max context length"


def _message(error: ApiError) -> str:
    message, limit, used = error["message"], error.get("limit_tokens"), error.get("used_tokens")
    if error["category"] != "context_overflow":
        return message
    if limit is not None and used is not None:
        over: int | None = used - limit
    else:
        found = overflow_of(message)
        over = found.over if found else None
    return f"{_TOO_LONG} by {over} tokens" if over else f"{_TOO_LONG}: {message}".removesuffix(": ")


def _envelope(written: Written) -> dict[str, Any]:
    return {"error": written.message}


FORM: Final = ErrorForm(dialect=DIALECT, kind=str, words=_WORDS, headers=_HEADERS, envelope=_envelope, message=_message)

decode_error: Final = FORM.decode
encode_error: Final = FORM.encode
