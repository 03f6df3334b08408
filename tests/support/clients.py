"""The official clients of each dialect, used with a provider on this machine: each returns a response body."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Protocol

import anthropic
import google.genai
import ollama
import openai
from google.genai import types
from openai.types.responses import ResponseCompletedEvent, ResponseFailedEvent, ResponseIncompleteEvent

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    class Provider(Protocol):
        """The provider that clients use."""

        @property
        def url(self) -> str:
            """The address of the provider."""
            ...


_ASKED: Final[Any] = [{"role": "user", "content": "Well?"}]
_MODEL: Final = "model"
_LAST: Final = (ResponseCompletedEvent, ResponseIncompleteEvent, ResponseFailedEvent)


def _chat(provider: Provider, *, stream: bool) -> Any:
    with openai.OpenAI(base_url=f"{provider.url}/v1", api_key="none", max_retries=0) as client:
        if not stream:
            return client.chat.completions.create(model=_MODEL, messages=_ASKED).model_dump(
                mode="json", exclude_unset=True
            )
        with client.chat.completions.stream(model=_MODEL, messages=_ASKED) as answer:
            answer.until_done()  # the final completion is refused if it was cut off, the accumulated one is not
            return answer.current_completion_snapshot.model_dump(mode="json", exclude_none=True)


def _responses(provider: Provider, *, stream: bool) -> Any:
    with openai.OpenAI(base_url=f"{provider.url}/v1", api_key="none", max_retries=0) as client:
        if not stream:
            return client.responses.create(model=_MODEL, input=_ASKED).model_dump(mode="json", exclude_unset=True)
        with client.responses.stream(model=_MODEL, input=_ASKED) as answer:
            # There is a final response only for complete streams; one that was cut off is in the last event.
            *_, last = (event for event in answer if isinstance(event, _LAST))
            return last.response.model_dump(mode="json", exclude_none=True)


def _claude(provider: Provider, *, stream: bool) -> Any:
    with anthropic.Anthropic(base_url=provider.url, api_key="none", max_retries=0) as client:
        if not stream:
            whole = client.messages.create(model=_MODEL, max_tokens=9, messages=_ASKED)
            return whole.model_dump(mode="json", exclude_unset=True)
        with client.messages.stream(model=_MODEL, max_tokens=9, messages=_ASKED) as answer:
            return answer.get_final_message().model_dump(mode="json", exclude_none=True)


def _gemini(provider: Provider, *, stream: bool) -> Any:
    options = types.HttpOptions(base_url=provider.url)
    with google.genai.Client(api_key="none", http_options=options) as client:
        if not stream:
            whole = client.models.generate_content(model=_MODEL, contents="Well?")
            unsaid = {"sdk_http_response", "parsed"}
            return whole.model_dump(mode="json", by_alias=True, exclude_none=True, exclude=unsaid)
        chunks = list(client.models.generate_content_stream(model=_MODEL, contents="Well?"))
    parts = _joined([part for chunk in chunks for one in chunk.candidates or () for part in _parts(one)])
    last = [one for chunk in chunks for one in chunk.candidates or ()][-1:]
    candidate: dict[str, Any] = {"content": {"role": "model", "parts": parts}}
    if last and last[0].finish_reason is not None:
        candidate["finishReason"] = last[0].finish_reason.value
    return {"candidates": [candidate]}


def _parts(candidate: types.Candidate) -> list[Any]:
    parts = candidate.content.parts if candidate.content is not None else None
    return [part.model_dump(mode="json", by_alias=True, exclude_none=True) for part in parts or ()]


def _joined(parts: list[Any]) -> list[Any]:
    """Return parts with adjacent deltas of one text joined: this client leaves that to its users."""
    out: list[Any] = []
    for part in parts:
        if out and "text" in part and "text" in out[-1] and bool(part.get("thought")) is bool(out[-1].get("thought")):
            out[-1] = {**out[-1], **part, "text": out[-1]["text"] + part["text"]}
        else:
            out.append(part)
    return out


def _ollama(provider: Provider, *, stream: bool) -> Any:
    with ollama.Client(host=provider.url) as client:
        if not stream:
            return client.chat(model=_MODEL, messages=_ASKED).model_dump(mode="json", exclude_none=True)
        lines = [line.model_dump(mode="json", exclude_none=True) for line in client.chat(_MODEL, _ASKED, stream=True)]
    message: dict[str, Any] = {
        "role": "assistant",
        "content": "".join(line["message"].get("content", "") for line in lines),
    }
    if thinking := "".join(line["message"].get("thinking", "") for line in lines):
        message["thinking"] = thinking
    if calls := [call for line in lines for call in line["message"].get("tool_calls", ())]:
        message["tool_calls"] = calls
    return {**lines[-1], "message": message}


# For each dialect, how its official client returns the next response of a provider.
CLIENTS: Final[Mapping[str, Callable[..., Any]]] = MappingProxyType({
    "openai_chat": _chat,
    "openai_responses": _responses,
    "claude": _claude,
    "gemini": _gemini,
    "ollama": _ollama,
    "vllm": _chat,
})  # fmt: skip
