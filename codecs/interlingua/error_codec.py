"""Errors of providers as models: wire to `ApiError`, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from pydantic import ValidationError

from interlingua.checking import plain_error, undecodable
from interlingua.error_translation import decode_canonical_error, encode_canonical_error, error_event
from interlingua.model import ApiError
from interlingua.streaming import EncodedStream, StreamSteps

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from interlingua import model_shapes
    from interlingua.loss import EncodedError
    from interlingua.registry import Dialect

__all__ = ["decode_error", "encode_error", "encode_error_stream"]


def decode_error(
    body: Any,
    dialect: Dialect,
    *,
    status: int | None = None,
    headers: Mapping[str, Any] | None = None,
    now: datetime | float | None = None,
) -> ApiError:
    """Return the error that a provider answered with.

    `body` is parsed JSON, or a text where it was none, as proxies answer. `status` and `headers` are those of the
    answer; names of headers are read without regard to case. `now` is needed where a header says a moment instead of
    seconds. With the status of an error any object or text is one. Raises `DecodeError` for a body that is no error,
    `UnknownDialectError` for an unknown dialect, `InvalidArgumentError` for a status that is no whole number.

    Args:
        body: What the provider answered: parsed JSON, or a text where it was none.
        dialect: Whose format it is, or shall be: one of `il.dialects()`.
        status: The HTTP status of the answer.
        headers: The HTTP headers of the answer, by name.
        now: The moment of the answer, for dates in its headers; without it they are not read.

    Example:
        >>> body = {"error": {"message": "Slow down.", "type": "rate_limit_error"}}
        >>> il.decode_error(body, "openai_chat", status=429).category
        'rate_limit'
    """
    canonical = decode_canonical_error(body, dialect, status, headers, now)
    try:
        return ApiError.model_validate(canonical)
    except ValidationError as error:
        raise undecodable(error, dialect) from None


def encode_error(error: ApiError | Mapping[str, Any], dialect: Dialect, *, copy: bool = False) -> EncodedError:
    """Return an error as the provider of a dialect sends it: status, headers, body, and what did not come along.

    Raises `EncodeError` for an error that is not canonical.

    Args:
        error: The canonical error.
        dialect: Whose format it is, or shall be: one of `il.dialects()`.
        copy: Whether the body may share nothing with what was given.

    Example:
        >>> error = il.ApiError(category="rate_limit", message="Slow down.")
        >>> il.encode_error(error, "claude").status
        429
    """
    encoded = encode_canonical_error(cast("model_shapes.ApiError", plain_error(error, dialect)), dialect)
    return encoded.copied() if copy else encoded


def encode_error_stream(error: ApiError | Mapping[str, Any], dialect: Dialect) -> EncodedStream:
    """Return a stream that says nothing but an error, as the provider of a dialect breaks one off.

    It is for clients that have been promised a stream: a status can no longer be said. Raises `EncodeError` for an
    error that is not canonical.

    Args:
        error: The canonical error.
        dialect: Whose format it is, or shall be: one of `il.dialects()`.

    Example:
        >>> error = il.ApiError(category="overloaded", message="Later.")
        >>> [frame["type"] for frame in il.encode_error_stream(error, "claude")]
        ['error']
    """
    return EncodedStream(StreamSteps(None, dialect), [error_event(error, dialect)])
