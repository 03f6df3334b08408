"""What callers give, checked by the generated models and made plain canonical JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from interlingua.errors import DecodeError, EncodeError
from interlingua.loss import pointer
from interlingua.model import ApiError, ChatRequest, ChatResponse
from interlingua.plain import plain_json

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["plain_error", "plain_request", "plain_response", "undecodable"]


def plain_request(value: ChatRequest | Mapping[str, Any], dialect: str) -> dict[str, Any]:
    """Return a request, a model or a mapping that is checked, as plain canonical JSON. Raises `EncodeError`."""
    return _plain(value, ChatRequest, dialect)


def plain_response(value: ChatResponse | Mapping[str, Any], dialect: str) -> dict[str, Any]:
    """Return a response, a model or a mapping that is checked, as plain canonical JSON. Raises `EncodeError`."""
    return _plain(value, ChatResponse, dialect)


def plain_error(value: ApiError | Mapping[str, Any], dialect: str) -> dict[str, Any]:
    """Return an error, a model or a mapping that is checked, as plain canonical JSON. Raises `EncodeError`."""
    return _plain(value, ApiError, dialect)


def _plain(value: Any, kind: type[ApiError | ChatRequest | ChatResponse], dialect: str) -> dict[str, Any]:
    if not isinstance(value, kind):
        try:
            value = kind.model_validate(value)
        except ValidationError as error:
            path, reason = _first(error)
            raise EncodeError(dialect, path, reason) from None
    return plain_json(value)


def undecodable(error: ValidationError, dialect: str) -> DecodeError:
    """Return the error of a decoded value that the models refuse."""
    path, reason = _first(error)
    return DecodeError(dialect, path, f"not canonical: {reason}")


def _first(error: ValidationError) -> tuple[str, str]:
    """Return path and message of the first finding, without input."""
    finding = error.errors(include_url=False, include_context=False, include_input=False)[0]
    return pointer(*finding["loc"]), finding["msg"]
