"""Vendors' extensions of Chat Completions: where they have reasoning, finish reasons and usage counts.

`openai_chat` reads all of them; `vllm` reads its own. At home, reasoning goes back to the member it came from, and a
finish reason as the word it was. Source: docs/wire/openai_chat.md, section 9; the pages that the rows name.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from interlingua.rooms._shared.gemini_finish_reasons import FAILED, FILTERED

if TYPE_CHECKING:
    from collections.abc import Mapping

Shape = Literal["text", "details", "part", "parts"]


class ReasoningPlace(NamedTuple):
    """A place for reasoning in an assistant message.

    `name`: its name in `spelling.reasoning`. `shape`: a member of the message with text (`text`) or a list of details
    (`details`), or the first part of the content, with a text (`part`) or a list of texts (`parts`). `vendors`: who
    uses it, for documentation.
    """

    name: str
    shape: Shape
    vendors: tuple[str, ...]
    source: str


REASONING: Final[Mapping[str, ReasoningPlace]] = MappingProxyType({
    accent.name: accent
    for accent in (
        ReasoningPlace(
            "reasoning_content",
            "text",
            ("Alibaba", "Azure", "DeepSeek", "Hugging Face", "llama.cpp", "Moonshot", "xAI", "Z.ai"),
            "https://api-docs.deepseek.com/guides/reasoning_model",
        ),
        ReasoningPlace(
            "reasoning",
            "text",
            ("Cerebras", "Groq", "Ollama", "OpenRouter", "Together", "vLLM"),
            "https://console.groq.com/docs/reasoning",
        ),
        ReasoningPlace(
            "reasoning_text",
            "text",
            ("GitHub Copilot",),
            "https://github.com/BerriAI/litellm/issues/35021",
        ),
        ReasoningPlace(
            "reasoning_details",
            "details",
            ("MiniMax", "OpenRouter"),
            "https://openrouter.ai/docs/use-cases/reasoning-tokens",
        ),
        ReasoningPlace("part", "part", ("vLLM",), "docs/wire/vllm.md, section 1.2"),
        ReasoningPlace("parts", "parts", ("Mistral",), "https://docs.mistral.ai/capabilities/reasoning"),
    )
})  # fmt: skip
# Members of a message that hold reasoning as text, in order of precedence.
REASONING_MEMBERS: Final = tuple(accent.name for accent in REASONING.values() if accent.shape == "text")
# Those without a word in the notes on spelling: a null in `fields` marks them instead.
UNSPELLED: Final = frozenset({"reasoning_text"})
# Opaque state beside the reasoning (GitHub Copilot).
OPAQUE_STATE: Final = "reasoning_opaque"
DETAILS: Final = "reasoning_details"
# An entry of that member as MiniMax writes it, without its text.
MINIMAX_DETAIL: Final[Mapping[str, Any]] = MappingProxyType({
    "type": "reasoning.text", "id": "reasoning-text-1", "format": "MiniMax-response-v1", "index": 0
})  # fmt: skip
# Claude's own blocks, beside the reasoning with their texts (LiteLLM).
BLOCKS: Final = "thinking_blocks"
# The members that may hold the text of a detail.
DETAIL_TEXTS: Final = ("text", "summary")


def unspelled_place(bag: Mapping[str, Any]) -> str:
    """Return the member that held the reasoning of a message or an event, if it has no word in the spelling."""
    fields: Any = bag.get("fields")
    if type(fields) is not dict:
        return ""
    return next((name for name in UNSPELLED if fields.get(name, "") is None), "")


# Finish reasons of others: word in lower case -> canonical reason. Gateways pass on those of Gemini (`MAX_TOKENS`),
# Claude, Bedrock and Cohere unchanged.
FINISH_REASONS: Final[Mapping[str, str]] = MappingProxyType({
    "eos": "stop",  # Together
    "eos_token": "stop",  # Hugging Face
    "stop_sequence": "stop",  # Hugging Face
    "model_length": "length",  # Mistral
    "model_context_window_exceeded": "length",  # Z.ai
    "sensitive": "content_filter",  # Z.ai
    "error": "error",  # Mistral, OpenRouter
    "network_error": "error",  # Z.ai
    "abort": "cancelled",  # SGLang, LMDeploy
    "insufficient_system_resource": "error",  # DeepSeek
    "complete": "stop",  # Cohere
    "tool_call": "tool_calls",  # Cohere
    "end_turn": "stop",  # Claude, Bedrock
    "max_tokens": "length",  # Claude, Bedrock, Cohere, Gemini
    "tool_use": "tool_calls",  # Claude, Bedrock
    "pause_turn": "pause",  # Claude
    "refusal": "refusal",  # Claude
    "content_filtered": "content_filter",  # Bedrock
    "guardrail_intervened": "content_filter",  # Bedrock
    "malformed_model_output": "error",  # Bedrock
    "malformed_tool_use": "error",  # Bedrock
    **dict.fromkeys(map(str.lower, FILTERED), "content_filter"),  # Gemini
    **dict.fromkeys(map(str.lower, FAILED), "error"),  # Gemini
})  # fmt: skip

# Usage counts of others that OpenAI has in the details: member of `usage` -> canonical count.
USAGE: Final[Mapping[str, str]] = MappingProxyType({
    "cached_tokens": "cache_read_tokens",  # Moonshot, Together
    "num_cached_tokens": "cache_read_tokens",  # Mistral
    "prompt_cache_hit_tokens": "cache_read_tokens",  # DeepSeek
    "cache_read_input_tokens": "cache_read_tokens",  # LiteLLM, Venice
    "cache_creation_input_tokens": "cache_write_tokens",  # LiteLLM, Vercel
    "reasoning_tokens": "reasoning_tokens",  # Together
})  # fmt: skip
