"""Validates callers' input with the generated models and returns it as plain canonical JSON."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from pydantic import ValidationError

from interlingua.argument_checks import check_mapping, instead, named
from interlingua.errors import DecodeError, EncodeError
from interlingua.model import ApiError, ChatRequest, ChatResponse
from interlingua.model_json import plain_json
from interlingua.pointers import pointer
from interlingua.suggestions import did_you_mean
from interlingua_types._checks import furthest

if TYPE_CHECKING:
    from collections.abc import Collection

_NAMES: Final = MappingProxyType(
    {ApiError: "an ApiError", ChatRequest: "a ChatRequest", ChatResponse: "a ChatResponse"}
)

__all__ = ["completed_request", "first_finding", "plain_error", "plain_request", "plain_response", "undecodable"]


def plain_request(value: ChatRequest | Mapping[str, Any], dialect: str) -> dict[str, Any]:
    """Return a request, given as a model or a mapping, as checked plain canonical JSON. Raises `EncodeError`."""
    return _plain(value, ChatRequest, dialect)


def completed_request(
    request: Mapping[str, Any], dialect: str, model: str | None, defaults: Mapping[str, Any]
) -> dict[str, Any]:
    """Return a plain request with absent members filled and the model replaced; what the caller gave is checked.

    Raises:
        EncodeError: a default has a name that no member of a request has, or a value that its member may not have.
        InvalidArgumentError: `defaults` is no mapping.
    """
    check_mapping(defaults, "defaults")
    known = ChatRequest.__pydantic_fields__
    for name in defaults:
        if name not in known:
            raise EncodeError(dialect, pointer(name), f"a request has no such member{did_you_mean(name, known)}")
    given = dict(defaults) if model is None else {**defaults, "model": model}
    checked = plain_request({"messages": [], **given}, dialect)
    filled = {name: checked[name] for name in given if name in checked and name not in request}
    return {**request, **filled, **({} if model is None else {"model": model})}


def plain_response(value: ChatResponse | Mapping[str, Any], dialect: str) -> dict[str, Any]:
    """Return a response, given as a model or a mapping, as checked plain canonical JSON. Raises `EncodeError`."""
    return _plain(value, ChatResponse, dialect)


def plain_error(value: ApiError | Mapping[str, Any], dialect: str) -> dict[str, Any]:
    """Return an error, given as a model or a mapping, as checked plain canonical JSON. Raises `EncodeError`."""
    return _plain(value, ApiError, dialect)


def _plain(value: Any, kind: type[ApiError | ChatRequest | ChatResponse], dialect: str) -> dict[str, Any]:
    if not isinstance(value, kind):
        if not isinstance(value, Mapping):
            if isinstance(value, (str, bytes)):
                raise EncodeError(dialect, "", f"expected {_NAMES[kind]}; {instead(value)}")
            holds = "; put messages into a ChatRequest" if kind is ChatRequest else ""
            raise EncodeError(dialect, "", f"expected {_NAMES[kind]}, not {named(value)}{holds}")
        try:
            value = kind.model_validate(value)
        except ValidationError as error:
            path, reason = first_finding(error, kind.model_fields, value)
            raise EncodeError(dialect, path, reason) from None
    return plain_json(value)


def undecodable(error: ValidationError, dialect: str) -> DecodeError:
    """Return the `DecodeError` for a decoded value that the models reject."""
    path, reason = first_finding(error)
    return DecodeError(dialect, path, f"not canonical: {reason}")


def first_finding(error: ValidationError, known: Collection[str] = (), value: Any = None) -> tuple[str, str]:
    """Return the path and message of a validation error, without its input; `known` are the top-level member names.

    This is the first error, or with `value` the deepest one: for a union, that of the variant that was meant.
    """
    findings = error.errors(include_url=False, include_input=False)
    where, at = furthest([one["loc"] for one in findings], value)
    finding = findings[at]
    said = finding.get("ctx", {})
    match finding["type"]:
        case "extra_forbidden":
            reason = f"there is no such member{did_you_mean(where[-1], known) if len(where) == 1 else ''}"
        case "union_tag_not_found":
            reason = f"expected the member {said['discriminator']}, which says what it is"
        case "union_tag_invalid":
            reason = f"the member {said['discriminator']} is none of {said['expected_tags']}"
        case _:
            reason = finding["msg"]
    return pointer(*where), reason
