"""The HTTP endpoints of each dialect: paths, members that are part of the URL, and how streams are requested.

Source: docs/wire/; the official clients.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["ENDPOINTS", "Endpoints"]


class Endpoints(NamedTuple):
    """The endpoints of a dialect. A path segment in braces stands for the model.

    `generate`: the path of a request; `stream`: that of a streaming request, if it differs.
    `also`: paths that clients also write without the version prefix, in that form.
    `azure`: the paths that Azure clients use; Azure itself, as a provider of the dialect, has them too.
    `models`: the list of models; `model`: one of them.
    `all_models`: the query that returns the whole list, where otherwise only the first page comes.
    `counts`: the path that counts the tokens of a request, "" if there is none.
    `counted`: the members of a request that `counts` accepts; empty means all.
    `streams_unasked`: whether the response is a stream if the request does not say.
    `model_in_path`: whether the URL, not the body, names the model and says whether to stream.
    `version`: the path that returns the server's version.
    `versions`: the version prefixes that clients use, if there are several.
    `needs_model`: whether a request must name a model.
    `counts_first`: whether the first frame of a stream reports the prompt's token count.
    """

    generate: str
    models: str
    model: str
    stream: str = ""
    also: tuple[str, ...] = ()
    azure: tuple[str, ...] = ()
    all_models: str = ""
    counts: str = ""
    counted: frozenset[str] = frozenset()
    streams_unasked: bool = False
    model_in_path: bool = False
    needs_model: bool = True
    counts_first: bool = False
    version: str = ""
    versions: tuple[str, ...] = ()

    def spelt(self, path: str) -> list[str]:
        """Return the forms in which clients write a path, one for each version prefix."""
        rest = path.removeprefix(self.versions[0]) if self.versions else path
        return [
            *(version + rest for version in self.versions or ("",)),
            *(one for one in self.also if path == f"/v1{one}"),
        ]

    def in_full(self, path: str) -> str:
        """Return a path with the version prefix that a client may have left out."""
        return f"/v1{path}" if path in self.also else path

    def is_stream(self, body: Mapping[str, Any]) -> bool:
        """Tell whether a request body asks for a stream, for dialects whose URL does not say."""
        return body.get("stream", self.streams_unasked) is True


_CHAT: Final = Endpoints(
    "/v1/chat/completions",
    "/v1/models",
    "/v1/models/{model}",
    also=("/chat/completions", "/models", "/models/{model}"),
    azure=("/openai/v1/chat/completions", "/openai/deployments/{model}/chat/completions"),
)

ENDPOINTS: Final[Mapping[str, Endpoints]] = MappingProxyType({
    "openai_chat": _CHAT,
    "vllm": _CHAT._replace(needs_model=False),
    "openai_responses": Endpoints(
        "/v1/responses",
        "/v1/models",
        "/v1/models/{model}",
        also=("/responses", "/responses/input_tokens", "/models", "/models/{model}"),
        azure=("/openai/v1/responses", "/openai/responses"),
        counts="/v1/responses/input_tokens",
        counted=frozenset({
            "conversation", "input", "instructions", "model", "parallel_tool_calls", "previous_response_id",
            "reasoning", "text", "tool_choice", "tools", "truncation",
        }),
    ),
    "claude": Endpoints(
        "/v1/messages",
        "/v1/models",
        "/v1/models/{model}",
        all_models="?limit=1000",
        counts="/v1/messages/count_tokens",
        counted=frozenset({
            "messages", "model", "output_config", "output_format", "system", "thinking", "tool_choice", "tools",
        }),
        counts_first=True,
    ),
    "gemini": Endpoints(
        "/v1beta/models/{model}:generateContent",
        "/v1beta/models",
        "/v1beta/models/{model}",
        stream="/v1beta/models/{model}:streamGenerateContent",
        all_models="?pageSize=1000",
        counts="/v1beta/models/{model}:countTokens",
        model_in_path=True,
        needs_model=False,
        versions=("/v1beta", "/v1", "/v1alpha"),
    ),
    "ollama": Endpoints("/api/chat", "/api/tags", "/api/show", streams_unasked=True, version="/api/version"),
})  # fmt: skip
"""The endpoints of the dialects that the server supports."""
