"""Translates errors between dialects, on plain JSON: into the error that the client's own provider would send."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.argument_checks import check_headers, check_moment, check_status, instead
from interlingua.errors import DecodeError, InterlinguaError
from interlingua.json_limits import undecodable, unencodable
from interlingua.loss import EncodedError, LossLog
from interlingua.registry import room

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from interlingua.model import ApiError as Model
    from interlingua.model_shapes import ApiError, ChatResponse
    from interlingua.registry import Dialect

__all__ = [
    "IS_ERROR",
    "decode_canonical_error",
    "encode_canonical_error",
    "error_event",
    "is_error_body",
    "refuse_failed",
    "translate_error",
]

IS_ERROR: Final = "it is an error response: read it with `decode_error`"
_JSON: Final = (dict, list, str, int, float)
_SAID: Final = ("content", "reasoning", "refusal", "tool_calls")


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
    """Return an error of one dialect as the provider of another would send it. Builds no model.

    `body` is parsed JSON, or the text if it was not JSON; `status` and `headers` are those of the HTTP response. `now`
    is the time of the response, needed to turn a retry date in the headers into a delay. Within one dialect the body is
    passed through, with the headers that belong to an error. Raises the errors of `decode_error`.

    Args:
        body: The response body: parsed JSON, or the text if it was not JSON.
        source: The dialect to translate from.
        target: The dialect to translate to.
        status: The HTTP status code.
        headers: The HTTP response headers, by name.
        now: The time of the response, needed for dates in its headers; without it they are ignored.
        copy: Whether to return a body that shares no objects with the input.

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
    """Return the canonical error in a body. Raises `DecodeError`, and `InvalidArgumentError` for an invalid status."""
    if isinstance(body, (bytes, bytearray)):
        body = body.decode("utf-8", "replace")
    check_headers(headers)
    check_moment(now, "now")
    codec = room(dialect)
    if body is not None and not isinstance(body, _JSON):  # such as an SDK's exception, whose body would be lost
        raise DecodeError(dialect, "", f"expected the body of an error; {instead(body)}")
    try:
        return codec.decode_error(body, check_status(status), headers, now)
    except (RecursionError, TypeError, AttributeError) as error:
        raise undecodable(body, dialect, error) from None


def encode_canonical_error(canonical: ApiError, dialect: str) -> EncodedError:
    """Return status, headers and body for a canonical error that is known to be valid."""
    log = LossLog()
    try:
        status, headers, body = room(dialect).encode_error(canonical, log)
    except (RecursionError, TypeError, AttributeError) as error:
        raise unencodable(canonical, dialect, error) from None
    return EncodedError(status, headers, body, log)


def error_event(error: Model | Mapping[str, Any], dialect: Dialect) -> dict[str, Any]:
    """Return the stream event for an error. Raises `EncodeError` for an error that is not canonical."""
    from interlingua.canonical_input import plain_error  # noqa: PLC0415  # most responses are not errors

    plain = plain_error(error, dialect)
    event = {name: value for name, value in plain.items() if name != "type"}
    if "type" in plain:
        event["error_type"] = plain["type"]
    return {**event, "type": "error"}


_UNFINISHED: Final = "the provider works on this response in the background: retrieve it by its id when it is complete"


def refuse_failed(body: Any, dialect: str, answer: ChatResponse) -> None:
    """Refuse a response that holds the error with which it failed, or on which the provider still works.

    Other dialects have no such response. One that failed has the finish reason `error`, or no content.

    Raises:
        DecodeError: it holds an error, or has not begun; `partial` is the response before it.
    """
    if "finish_reason" not in answer and not body.get("error"):
        if body.get("status") in room(dialect).DESCRIPTOR.unfinished and _says_nothing(answer):
            raise DecodeError(dialect, "/status", _UNFINISHED, answer)
        return
    if (answer.get("finish_reason") == "error" or _says_nothing(answer)) and is_error_body(body, dialect):
        reason = f"the answer failed; {IS_ERROR}"
        raise DecodeError(dialect, "", reason, answer, looks_like="error", looks_like_dialect=dialect)


def _says_nothing(answer: ChatResponse) -> bool:
    return "alternatives" not in answer and not any(
        message["role"] != "assistant" or any(map(message.get, _SAID)) for message in answer["messages"]
    )


def is_error_body(body: Any, dialect: str) -> bool:
    """Tell whether a body that could not be decoded as expected is an error body."""
    if not isinstance(body, (dict, list)):
        return False
    try:
        decode_canonical_error(body, dialect)
    except InterlinguaError:  # a third-party room may not support errors, or may fail
        return False
    return True
