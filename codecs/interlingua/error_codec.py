"""Decodes providers' errors to `ApiError` models, and encodes them again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from pydantic import ValidationError

from interlingua.canonical_input import plain_error, undecodable
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
    """Return the error in a provider's response.

    `body` is parsed JSON, or the text if it was not JSON, as from a proxy. `status` and `headers` are those of the HTTP
    response; header names are case-insensitive. `now` is needed for headers that hold a date instead of seconds. With
    the status code of an error, any object or text is accepted. Raises `DecodeError` for a body that is not an error,
    `UnknownDialectError` for an unknown dialect, `InvalidArgumentError` for a status that is not an integer.

    Args:
        body: The response body: parsed JSON, or the text if it was not JSON.
        dialect: The wire format: one of `il.dialects()`.
        status: The HTTP status code.
        headers: The HTTP response headers, by name.
        now: The time of the response, needed for dates in its headers; without it they are ignored.

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
    """Return an error as a dialect's provider sends it: status, headers and body, together with its losses.

    Raises `EncodeError` for an error that is not canonical.

    Args:
        error: The canonical error.
        dialect: The wire format: one of `il.dialects()`.
        copy: Whether to return a body that shares no objects with the input.

    Example:
        >>> error = il.ApiError(category="rate_limit", message="Slow down.")
        >>> il.encode_error(error, "claude").status
        429
    """
    encoded = encode_canonical_error(cast("model_shapes.ApiError", plain_error(error, dialect)), dialect)
    return encoded.copied() if copy else encoded


def encode_error_stream(error: ApiError | Mapping[str, Any], dialect: Dialect) -> EncodedStream:
    """Return a stream that holds only an error, as a dialect's provider ends a failed stream.

    It is for clients to which the status of a stream has already been sent. Raises `EncodeError` for an error that is
    not canonical.

    Args:
        error: The canonical error.
        dialect: The wire format: one of `il.dialects()`.

    Example:
        >>> error = il.ApiError(category="overloaded", message="Later.")
        >>> [frame["type"] for frame in il.encode_error_stream(error, "claude")]
        ['error']
    """
    return EncodedStream(StreamSteps(None, dialect), [error_event(error, dialect)])
