"""The table that the laws run over, one row for each dialect. A new dialect needs a row here, and nothing else."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Literal

import anthropic.types
import google.genai.types
import ollama
import openai.types.chat
import openai.types.responses
import pytest
from anthropic.types import message_create_params
from openai.types.chat import completion_create_params
from openai.types.responses import response_create_params

from interlingua.loss import LossLog
from interlingua.registry import room
from interlingua.rooms._shared.paragraph_breaks import with_paragraph_breaks
from interlingua.rooms._shared.texts_joined import with_texts_joined
from interlingua.translation import encode_canonical_request
from support.bedrock_types import BedrockRequest, BedrockResponse
from support.saying import (
    bedrock_converse_says,
    claude_says,
    gemini_says,
    ollama_says,
    openai_chat_says,
    openai_responses_says,
    vllm_says,
)
from support.translation import Roles
from support.vllm_types import VllmRequest, VllmResponse
from support.wire_types import GeminiRequest, OllamaRequest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from interlingua.loss import Loss

Kind = Literal["request", "response"]
KINDS: Final[tuple[Kind, ...]] = ("request", "response")


@dataclass(frozen=True)
class Row:
    """What the laws must know of a dialect.

    `folder` is its folder of the corpus, `compatible` those of vendors that speak it too. `unreadable` lists the bodies
    that may be refused, by id, each with the reason, `unstreamable` the recorded
    streams that are corrupt. `says` yields the texts, calls, arguments, results and tool
    descriptions of a wire body. `roles` is what becomes of a role that the dialect does not have, where it leads the
    conversation or not; `older` says the same for the older versions of the API.
    `beside` lists members that clients read and the SDK's types do not know.
    """

    dialect: str
    folder: str
    compatible: tuple[str, ...]
    unreadable: Mapping[str, str]
    requests: tuple[Any, ...]
    response: Any
    says: Callable[[Kind, Any], Iterator[str]]
    roles: Roles = field(default_factory=dict[tuple[str, bool], str])
    strict: bool = True
    unstreamable: Mapping[str, str] = field(default_factory=dict[str, str])
    older: Mapping[str, Roles] = field(default_factory=dict[str, Roles])
    beside: frozenset[str] = frozenset()


_NOT_CHAT: Final = "the vendor's own form, {result: {response: ...}}, which is no chat completion"
_OWN_FORM: Final = (
    "57ab52ab278e0512 a02eeeb7734edf3c 4fd0554c112b6e60 5151aa587c907ebf 41965e109daaf608 bb52f096a9f4e320 "
    "fb97280476be047f 3d1d45fab8f75c0a e1a2625ec9c88c68 4f72e1bb75c240e3 15334ef3d14b8ff8 d1760ffecf64f084 "
    "080eb5f1e00771c0 d841fadfd181a978 9ab2abbc10dcb473 110795dd3451ee88 a5079470b12b98a1 8785054f82e6d07b "
    "29415054361b4a2e 26d4eeaa98e951c1 ca089b3f0fc9e22a a8163b314ea80ee3 792ebecff0bbc057 dca217d0d71c4b5c"
)

ROWS: Final[Mapping[str, Row]] = MappingProxyType({
    row.dialect: row
    for row in (
        Row(
            dialect="openai_chat",
            folder="openai_chat",
            compatible=(
                "alibaba", "azure_openai", "cerebras", "cloudflare", "deepseek", "gemini_openai", "groq", "huggingface",
                "llamacpp", "mistral", "moonshot", "ollama_openai", "openai_compat_other", "openrouter", "perplexity",
                "together", "vllm", "watsonx_openai", "xai", "zai",
            ),
            unreadable={
                "dfdc7905f0874948": "a message without a role, sent on purpose; answered with 400",
                **dict.fromkeys(_OWN_FORM.split(), _NOT_CHAT),
            },
            requests=(
                completion_create_params.CompletionCreateParamsNonStreaming,
                completion_create_params.CompletionCreateParamsStreaming,
            ),
            response=openai.types.chat.ChatCompletion,
            says=openai_chat_says,
            beside=frozenset({"/choices/*/message/reasoning_content", "/choices/*/message/images"}),
        ),
        Row(
            dialect="openai_responses",
            folder="openai_responses",
            compatible=("azure_openai_responses", "openai_responses_compat"),
            unreadable={},
            requests=(
                response_create_params.ResponseCreateParamsNonStreaming,
                response_create_params.ResponseCreateParamsStreaming,
            ),
            response=openai.types.responses.Response,
            says=openai_responses_says,
        ),
        Row(
            dialect="claude",
            folder="anthropic",
            compatible=("anthropic_bedrock", "anthropic_compat", "anthropic_vertex"),
            unreadable={"a5da1a8d726cbcbf": "a message that is a text, sent on purpose; answered with 400"},
            requests=(
                message_create_params.MessageCreateParamsNonStreaming,
                message_create_params.MessageCreateParamsStreaming,
            ),
            response=anthropic.types.Message,
            says=claude_says,
            roles={("developer", True): "system", ("developer", False): "system"},
            older={
                "2023-06-01": {
                    ("developer", True): "system",
                    ("developer", False): "user",
                    ("system", False): "user",
                }
            },
        ),
        Row(
            dialect="gemini",
            folder="gemini",
            compatible=(),
            unreadable={},
            requests=(GeminiRequest,),
            response=google.genai.types.GenerateContentResponse,
            strict=False,
            says=gemini_says,
            roles={("developer", True): "system", ("developer", False): "user", ("system", False): "user"},
        ),
        Row(
            dialect="ollama",
            folder="ollama",
            compatible=(),
            unreadable={},
            requests=(OllamaRequest,),
            response=ollama.ChatResponse,
            says=ollama_says,
            roles={("developer", True): "system", ("developer", False): "system"},
        ),
        Row(
            dialect="vllm",
            folder="vllm",
            compatible=(),
            unreadable={},
            requests=(VllmRequest,),
            response=VllmResponse,
            says=vllm_says,
        ),
        Row(
            dialect="bedrock_converse",
            folder="bedrock_converse",
            compatible=(),
            unreadable={},
            requests=(BedrockRequest,),
            response=BedrockResponse,
            says=bedrock_converse_says,
            roles={("developer", True): "system", ("developer", False): "user", ("system", False): "user"},
        ),
    )
})  # fmt: skip
# Dialects whose responses have a place for the log probabilities of tokens.
HAS_LOGPROBS: Final = frozenset({"gemini", "ollama", "openai_chat", "openai_responses", "vllm"})
PAIRS: Final[tuple[tuple[str, str], ...]] = tuple(itertools.permutations(ROWS, 2))


RECORDED: Final = [
    pytest.param(row, folder, kind, id=f"{folder}-{kind}")
    for row in ROWS.values()
    for folder in (row.folder, *row.compatible)
    for kind in KINDS
]
"""Each folder of recorded bodies of a kind, with the dialect that they are read as."""


def decode(dialect: str, kind: Kind, body: Any) -> Any:
    """Return the plain canonical value of a body. Raises `DecodeError`."""
    speaker = room(dialect)
    return speaker.decode_request(body) if kind == "request" else speaker.decode_response(body)


def as_given(canonical: Any, dialect: str, log: LossLog) -> Any:
    """Return a response as the library passes it to the code of a dialect."""
    if canonical.get("dialect") != dialect:
        canonical = {**canonical, "messages": with_texts_joined(canonical["messages"], log)}
    return {**canonical, "messages": with_paragraph_breaks(canonical["messages"], dialect)}


def encode(
    dialect: str, kind: Kind, canonical: Any, api_version: str | None = None
) -> tuple[dict[str, Any], Sequence[Loss]]:
    """Return the body of a plain canonical value, and the losses."""
    if kind == "response":
        log = LossLog(is_answer=True)
        return room(dialect).encode_response(as_given(canonical, dialect, log), log), log.losses()
    # The library lowers tools that the dialect does not have.
    encoded = encode_canonical_request(canonical, dialect, False, None, None, api_version, profile=None)
    return encoded.body, encoded.losses
