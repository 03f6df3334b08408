"""The conversions that people call: wire to models, models to wire, wire to wire.

Rooms speak plain canonical JSON, people hold models: `decode_*` and `encode_*` cross that border once; `translate_*`
never does. One code path serves both (DESIGN section 2).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from pydantic import ValidationError

from interlingua.errors import DecodeError, EncodeError
from interlingua.loss import Encoded, LossLog, enforce, pointer
from interlingua.model import ChatRequest, ChatResponse
from interlingua.registry import room

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua import model_shapes

__all__ = [
    "decode_request",
    "decode_response",
    "encode_request",
    "encode_response",
    "translate_request",
    "translate_response",
]


def decode_request(body: dict[str, Any], dialect: str) -> ChatRequest:
    """Return the request that a wire body says.

    Raises `DecodeError` where the body is not what its dialect says, `UnknownDialectError` for an unknown dialect.
    """
    canonical = room(dialect).decode_request(body)
    try:
        return ChatRequest.model_validate(canonical)
    except ValidationError as error:
        raise _undecodable(error, dialect) from None


def decode_response(body: dict[str, Any], dialect: str) -> ChatResponse:
    """Return the response that a wire body says.

    Raises `DecodeError` where the body is not what its dialect says, `UnknownDialectError` for an unknown dialect.
    """
    canonical = room(dialect).decode_response(body)
    try:
        return ChatResponse.model_validate(canonical)
    except ValidationError as error:
        raise _undecodable(error, dialect) from None


def encode_request(
    request: ChatRequest | Mapping[str, Any],
    dialect: str,
    *,
    strict: bool = False,
    model: str | None = None,
    defaults: Mapping[str, Any] | None = None,
    api_version: str | None = None,
) -> Encoded:
    """Return the wire body of a request, and what did not come along.

    `model` replaces the request's model. `defaults` fills canonical members that are absent, such as
    `{"max_tokens": 1000}`. `api_version` None means verbatim at home and the newest abroad. Raises `LossError` where
    `strict` and something is lost, `EncodeError` for a request that is not canonical or an unknown version.
    """
    canonical = cast("model_shapes.ChatRequest", _plain(request, ChatRequest, dialect))
    return _encode_request(canonical, dialect, strict, model, defaults, api_version)


def encode_response(response: ChatResponse | Mapping[str, Any], dialect: str, *, strict: bool = False) -> Encoded:
    """Return the wire body of a response, and what did not come along.

    Raises `LossError` where `strict` and something is lost, `EncodeError` for a response that is not canonical.
    """
    canonical = cast("model_shapes.ChatResponse", _plain(response, ChatResponse, dialect))
    log = LossLog()
    body = room(dialect).encode_response(canonical, log)
    return Encoded(body, enforce(log.losses(), strict=strict))


def translate_request(
    body: dict[str, Any],
    source: str,
    target: str,
    *,
    strict: bool = False,
    model: str | None = None,
    defaults: Mapping[str, Any] | None = None,
    api_version: str | None = None,
) -> Encoded:
    """Return the body of a request in another dialect, and what did not come along. Builds no model.

    Options and errors are those of `decode_request` and `encode_request`.
    """
    canonical = room(source).decode_request(body)
    return _encode_request(canonical, target, strict, model, defaults, api_version)


def translate_response(body: dict[str, Any], source: str, target: str, *, strict: bool = False) -> Encoded:
    """Return the body of a response in another dialect, and what did not come along. Builds no model.

    Options and errors are those of `decode_response` and `encode_response`.
    """
    canonical = room(source).decode_response(body)
    log = LossLog()
    translated = room(target).encode_response(canonical, log)
    return Encoded(translated, enforce(log.losses(), strict=strict))


def _encode_request(
    canonical: model_shapes.ChatRequest,
    dialect: str,
    strict: bool,  # handed on from a keyword
    model: str | None,
    defaults: Mapping[str, Any] | None,
    api_version: str | None,
) -> Encoded:
    speaker = room(dialect)
    if api_version is not None and api_version not in speaker.API_VERSIONS:
        known = ", ".join(speaker.API_VERSIONS) or "none"
        raise EncodeError(dialect, "", f"unknown api_version; known are: {known}")
    if defaults or model is not None:
        canonical = _completed(canonical, dialect, model, defaults or {})
    log = LossLog()
    body = speaker.encode_request(canonical, log, api_version)
    return Encoded(body, enforce(log.losses(), strict=strict))


def _completed(
    canonical: model_shapes.ChatRequest, dialect: str, model: str | None, defaults: Mapping[str, Any]
) -> model_shapes.ChatRequest:
    """Return the request with absent members filled and the model replaced; what the caller gave is checked."""
    given = dict(defaults) if model is None else {**defaults, "model": model}
    checked = _plain({"messages": [], **given}, ChatRequest, dialect)
    filled = {name: checked[name] for name in given if name in checked}
    replaced = {} if model is None else {"model": model}
    return cast("model_shapes.ChatRequest", {**filled, **canonical, **replaced})


def _plain(value: Any, kind: type[ChatRequest | ChatResponse], dialect: str) -> dict[str, Any]:
    """Return a model, or a mapping that is checked, as plain canonical JSON."""
    if not isinstance(value, kind):
        try:
            value = kind.model_validate(value)
        except ValidationError as error:
            path, reason = _first(error)
            raise EncodeError(dialect, path, reason) from None
    plain: dict[str, Any] = value.model_dump(mode="json")
    return plain


def _undecodable(error: ValidationError, dialect: str) -> DecodeError:
    path, reason = _first(error)
    return DecodeError(dialect, path, f"not canonical: {reason}")


def _first(error: ValidationError) -> tuple[str, str]:
    """Return path and message of the first finding, without input."""
    finding = error.errors(include_url=False, include_context=False, include_input=False)[0]
    return pointer(*finding["loc"]), finding["msg"]
