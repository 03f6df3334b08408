"""Translates HTTP headers between client and provider, including credentials.

Credentials are passed on and never stored, logged or shown.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final, TypeAlias
from urllib.parse import urlsplit

from interlingua.rate_limits import rate_limit_headers
from interlingua.registry import descriptor

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from starlette.datastructures import Headers, QueryParams

    from interlingua.serve.route import Route

__all__ = [
    "JSON",
    "LOSSES",
    "MODEL",
    "TOKENS",
    "RawHeaders",
    "client_headers",
    "forwarded",
    "provider_headers",
    "stream_type",
]

RawHeaders: TypeAlias = "list[tuple[bytes, bytes]]"

JSON: Final = "application/json"
LOSSES: Final = "interlingua-losses"
"""The response header with the number of losses by concern."""
MODEL: Final = "interlingua-model"
"""The response header that names the model that replaced the client's, where all else was passed through."""
TOKENS: Final = "interlingua-tokens"
"""The response header that marks a token count as an estimate."""

_STREAM_TYPES: Final = MappingProxyType(
    {"sse": "text/event-stream", "ndjson": "application/x-ndjson", "json_array": JSON}
)
# Hop-by-hop headers, and those that each side sets itself.
_OWN: Final = frozenset({
    b"connection", b"host", b"keep-alive", b"proxy-authenticate", b"proxy-authorization", b"proxy-connection", b"te",
    b"trailer", b"transfer-encoding", b"upgrade",
})  # fmt: skip
# The prefix of Google's access tokens, which Vertex AI accepts and which are not API keys.
_OF_GOOGLE_OAUTH: Final = "ya29."
# The headers with which OpenAI clients select an account, in both of its dialects.
_ACCOUNT: Final = ("openai-organization", "openai-project")
_OF_OPENAI: Final = frozenset({"openai_chat", "openai_responses"})
_ANTHROPIC: Final = "anthropic.com"
_KEY_HEADERS: Final = ("x-api-key", "x-goog-api-key", "api-key")


def forwarded(headers: Iterable[tuple[bytes, bytes]]) -> RawHeaders:
    """Return the headers that are relayed: all but hop-by-hop headers."""
    raw = list(headers)
    named = {name.strip().lower() for key, value in raw if key.lower() == b"connection" for name in value.split(b",")}
    return [(name, value) for name, value in raw if name.lower() not in _OWN and name.lower() not in named]


def provider_headers(route: Route, headers: Headers, query: QueryParams) -> dict[str, str]:
    """Return the headers of a request to the provider, with the client's key in the provider's form."""
    out = {"accept-encoding": "identity", "user-agent": headers.get("user-agent", "interlingua")}
    out |= {name: headers[name] for name in _ACCOUNT if route.backend in _OF_OPENAI and name in headers}
    if route.backend == "claude":
        out["anthropic-version"] = route.api_version or descriptor("claude").api_versions[0]
    return out | _credentials(route, _key(headers, query))


def version_asked(route: Route, headers: Headers) -> str | None:
    """Return the API version that a client of the provider's own dialect asks for."""
    version = headers.get("anthropic-version") if route.is_home and route.backend == "claude" else None
    return version if version in descriptor("claude").api_versions else None


def _key(headers: Headers, query: QueryParams) -> str | None:
    """Return the client's API key, in whatever form it is sent."""
    scheme, _, token = headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and token.strip():
        return token.strip()
    return next((found for name in _KEY_HEADERS if (found := headers.get(name))), None) or query.get("key")


def _credentials(route: Route, key: str | None) -> dict[str, str]:
    if key is None or not key.isascii() or not key.isprintable():
        return {}
    match route.backend:
        case "claude" if (urlsplit(route.url).hostname or "").endswith(_ANTHROPIC):
            return {"x-api-key": key}
        case "claude":  # servers may read only one of the two (vLLM: https://github.com/vllm-project/vllm/issues/51572)
            return {"x-api-key": key, "authorization": f"Bearer {key}"}
        case "gemini" if not key.startswith(_OF_GOOGLE_OAUTH):
            return {"x-goog-api-key": key}
        case _:
            return {"authorization": f"Bearer {key}"}


def client_headers(headers: Mapping[str, str], provider: str, client: str) -> dict[str, str]:
    """Return the provider's request id and rate limits, under the header names of the client's dialect."""
    there, here = descriptor(provider), descriptor(client)
    form, name = here.rate_limit_headers, here.request_id_header
    limits = rate_limit_headers(headers, form) if form else {}
    return limits | ({name: headers[there.request_id_header]} if name and there.request_id_header in headers else {})


def stream_type(form: str) -> str:
    """Return the media type of a stream format."""
    return _STREAM_TYPES[form]
