"""URLs and headers of requests in each dialect."""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote, unquote

from interlingua.endpoints import ENDPOINTS
from interlingua.errors import UnsupportedError
from interlingua.vectors.making import MODEL_IN_ADDRESS

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["HEADERS", "SERVED", "asked_value", "path_of", "streamed"]

SERVED: Final = tuple(ENDPOINTS)
"""The dialects that a proxy can be graded for. Not Bedrock Converse: its streams are binary, its requests signed."""
_KEY: Final = "interlingua-vectors"
_BEARER: Final[Mapping[str, str]] = MappingProxyType({"authorization": f"Bearer {_KEY}"})
HEADERS: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType({
    "openai_chat": _BEARER,
    "openai_responses": _BEARER,
    "claude": MappingProxyType({"x-api-key": _KEY, "anthropic-version": "2023-06-01"}),
    "gemini": MappingProxyType({"x-goog-api-key": _KEY}),
    "ollama": _BEARER,
    "vllm": _BEARER,
})  # fmt: skip
"""The headers of a client. The key is a dummy."""
_GEMINI: Final = re.compile(r"/models/(?P<model>[^/:]+):(?P<operation>\w+)")


def path_of(dialect: str, request: Mapping[str, Any]) -> str:
    """Return the path, and the query, of a request in the form of `Given.value`.

    Raises:
        UnsupportedError: the dialect is not spoken over plain HTTP.
    """
    if dialect not in ENDPOINTS:
        raise UnsupportedError(dialect, "an interface of plain HTTP")
    there = ENDPOINTS[dialect]
    path = f"{there.stream}?alt=sse" if there.stream and request.get("stream") else there.generate
    return path.format(model=quote(request.get("model", ""), safe=""))


def asked_value(dialect: str, path: str, body: Any) -> dict[str, Any]:
    """Return a received request in the form of `Given.value`."""
    if dialect not in MODEL_IN_ADDRESS:
        return {"body": body}
    found = _GEMINI.search(path)
    if found is None:
        return {"model": "", "body": body}
    stream = {"stream": True} if found["operation"].startswith("stream") else {}
    return {"model": unquote(found["model"]), **stream, "body": body}


def streamed(dialect: str, request: Mapping[str, Any]) -> dict[str, Any]:
    """Return a request that asks for a stream, and for usage if the dialect sends it only on request."""
    if dialect in MODEL_IN_ADDRESS:
        return {**request, "stream": True}
    usage = {"stream_options": {"include_usage": True}} if dialect in {"openai_chat", "vllm"} else {}
    return {"body": {**request["body"], "stream": True, **usage}}
