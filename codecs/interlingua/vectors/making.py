"""Translates inputs with this library, for the expected side of vectors."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from interlingua.error_translation import translate_error
from interlingua.streaming import translate_stream
from interlingua.translation import decode_canonical_request, translate_request, translate_response

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from interlingua.loss import Loss
    from interlingua.registry import Dialect
    from interlingua.vectors.files import Kind

__all__ = ["MODEL_IN_ADDRESS", "asks_for_a_stream", "expected", "whole_body"]

MODEL_IN_ADDRESS: Final[Mapping[str, str]] = MappingProxyType({"gemini": "model", "bedrock_converse": "modelId"})
"""The dialects whose URL names the model and says whether to stream, with the name of the model parameter."""


def expected(
    kind: Kind, given: Mapping[str, Any], source: Dialect, target: Dialect
) -> tuple[dict[str, Any], list[dict[str, str]]]:
    """Return a value of one dialect translated to another, and the losses.

    Args:
        kind: "request", "response", "stream" or "error".
        given: The value, in the form of `Given.value`.
        source: Its dialect.
        target: The dialect to translate to.

    Returns:
        The value in the same form, and each loss with `code`, `path`, `severity` and `concern`.

    Raises:
        DecodeError: it is not valid in the source dialect.

    Example:
        >>> from interlingua.vectors import expected
        >>> body = {"model": "m", "messages": [{"role": "user", "content": "Hi"}]}
        >>> made, losses = expected("request", {"body": body}, "openai_chat", "gemini")
        >>> made
        {'model': 'm', 'body': {'contents': [{'role': 'user', 'parts': [{'text': 'Hi'}]}]}}
        >>> losses[0]["code"], losses[0]["path"]
        ('in_url', '/model')
    """
    match kind:
        case "request":
            asked = whole_body(given, source)
            address = {"stream": True} if given.get("stream") else None
            encoded = translate_request(asked, source, target, defaults=address)
            return {**_address(asked, source, target, given), "body": _body(encoded.body, target)}, _plain(
                encoded.losses
            )
        case "response":
            answer = translate_response(given["body"], source, target)
            return {"body": answer.body}, _plain(answer.losses)
        case "stream":
            stream = translate_stream(given["frames"], source, target)
            return {"frames": list(stream)}, _plain(stream.losses)
        case "error":
            error = translate_error(given["body"], source, target, status=given["status"], headers=given["headers"])
            said = {"status": error.status, "headers": dict(error.headers), "body": error.body}
            return said, _plain(error.losses)


def whole_body(given: Mapping[str, Any], dialect: str) -> dict[str, Any]:
    """Return a request body with the model in it, as the codecs take it, even if the dialect has it in the URL."""
    if dialect not in MODEL_IN_ADDRESS:
        return dict(given["body"])
    return {MODEL_IN_ADDRESS[dialect]: given["model"], **given["body"]}


def asks_for_a_stream(request: Mapping[str, Any], dialect: str) -> bool:
    """Tell whether a request asks for a stream; Ollama streams unless it is told not to."""
    return bool(request.get("stream") or request["body"].get("stream", dialect == "ollama"))


def _address(asked: dict[str, Any], source: Dialect, target: Dialect, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the address of a request in the target says, where it says anything."""
    if target not in MODEL_IN_ADDRESS:
        return {}
    canonical = decode_canonical_request(asked, source)
    is_stream = given.get("stream") or canonical.get("stream")
    return {"model": canonical.get("model", ""), **({"stream": True} if is_stream else {})}


def _body(made: dict[str, Any], target: str) -> dict[str, Any]:
    """Return a body as it is sent: without what its address says."""
    name = MODEL_IN_ADDRESS.get(target)
    return {key: value for key, value in made.items() if key != name}


def _plain(losses: Iterable[Loss]) -> list[dict[str, str]]:
    return [
        {"code": loss.code, "path": loss.path, "severity": loss.severity, "concern": loss.concern} for loss in losses
    ]
