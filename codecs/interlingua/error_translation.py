"""Errors from one dialect to another, on plain JSON: an error becomes the one that the client's provider would send."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interlingua.errors import InterlinguaError
from interlingua.given import check_headers, check_moment, check_status
from interlingua.json_limits import undecodable, unencodable
from interlingua.loss import EncodedError, LossLog
from interlingua.registry import room

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from interlingua.model import ApiError as Model
    from interlingua.model_shapes import ApiError
    from interlingua.registry import Dialect

__all__ = ["decode_canonical_error", "encode_canonical_error", "error_event", "is_error_body", "translate_error"]


def translate_error(
    body: Any,
    source: Dialect,
    target: Dialect,
    *,
    status: int | None = None,
    headers: Mapping[str, Any] | None = None,
    now: datetime | float | None = None,
    copy: bool = False,
) -> EncodedError:
    """Return the error of one dialect as the provider of another one would send it. Builds no model.

    `body` is parsed JSON, or a text where it was none; `status` and `headers` are those of the answer, `now` is when it
    came: without it, nobody knows how long to wait until a moment that the headers say. Within one dialect the body
    goes out as it came, with the headers that belong to an error. Raises as `decode_error` does.

    Args:
        body: What the provider answered: parsed JSON, or a text where it was none.
        source: The dialect that it comes in.
        target: The dialect that it goes out in.
        status: The HTTP status of the answer.
        headers: The HTTP headers of the answer, by name.
        now: The moment of the answer, for dates in its headers; without it they are not read.
        copy: Whether the body may share nothing with what was given.

    Example:
        >>> body = {"error": {"message": "Slow down.", "type": "rate_limit_error"}}
        >>> il.translate_error(body, "openai_chat", "claude", status=429).body["error"]["type"]
        'rate_limit_error'
    """
    encoded = encode_canonical_error(decode_canonical_error(body, source, status, headers, now), target)
    if source == target:
        encoded = EncodedError(encoded.status, encoded.headers, body, encoded.log)
    return encoded.copied() if copy else encoded


def decode_canonical_error(
    body: Any,
    dialect: str,
    status: int | None = None,
    headers: Mapping[str, Any] | None = None,
    now: datetime | float | None = None,
) -> ApiError:
    """Return the canonical error of a body. Raises `DecodeError`, `InvalidArgumentError` for a status that is none."""
    if isinstance(body, (bytes, bytearray)):
        body = body.decode("utf-8", "replace")
    check_headers(headers)
    check_moment(now, "now")
    try:
        return room(dialect).decode_error(body, check_status(status), headers, now)
    except (RecursionError, TypeError, AttributeError) as error:
        raise undecodable(body, dialect, error) from None


def encode_canonical_error(canonical: ApiError, dialect: str) -> EncodedError:
    """Return status, headers and body of a canonical error that is known to be one."""
    log = LossLog()
    try:
        status, headers, body = room(dialect).encode_error(canonical, log)
    except (RecursionError, TypeError, AttributeError) as error:
        raise unencodable(canonical, dialect, error) from None
    return EncodedError(status, headers, body, log)


def error_event(error: Model | Mapping[str, Any], dialect: Dialect) -> dict[str, Any]:
    """Return the event of a stream that says an error. Raises `EncodeError` for an error that is not canonical."""
    from interlingua.checking import plain_error  # noqa: PLC0415  # most answers are no errors

    plain = plain_error(error, dialect)
    event = {name: value for name, value in plain.items() if name != "type"}
    if "type" in plain:
        event["error_type"] = plain["type"]
    return {**event, "type": "error"}


def is_error_body(body: Any, dialect: str) -> bool:
    """Tell whether a body, which is not what it was taken for, is that of an error."""
    if not isinstance(body, (dict, list)):
        return False
    try:
        decode_canonical_error(body, dialect)
    except InterlinguaError:  # the room of a third party may have no errors, or fail
        return False
    return True
