"""Whose models have which names: the dialects of the providers that serve them under these names.

A name that belongs to other dialects says nothing about the model behind a translated request. Data only, as in the
tables of families.
"""

from __future__ import annotations

from typing import Final

_OPEN_WEIGHTS: Final = (
    r"gpt-oss|qwen|qwq|llama|llava|bakllava|moondream|minicpm|(?:mini|mi|magi|dev|code)stral|mixtral|pixtral|voxtral"
    r"|deepseek|gemma|kimi|glm|minimax|phi-?[0-9]"
)
# How Bedrock names the models of others: their maker and a dot before, and perhaps a region before that.
_ON_BEDROCK: Final = (
    r"(?:^|[./])(?:ai21|amazon|cohere|deepseek|google|meta|minimax|mistral|moonshot(?:ai)?|nvidia|openai|qwen|writer|zai)"
    r"\.[a-z]"
)

# Pattern of a name, searched ignoring case -> the dialects whose tables know it.
OWNERS: Final[tuple[tuple[str, frozenset[str]], ...]] = (
    (r"(?<![a-z0-9])claude-", frozenset({"bedrock_converse", "claude"})),
    (r"(?:^|[/:.])(?:gemini|learnlm)-", frozenset({"gemini"})),
    (r"(?:^|[/:.])gemma-", frozenset({"gemini", "openai_chat", "openai_responses", "ollama", "vllm"})),
    (_ON_BEDROCK, frozenset({"bedrock_converse", "openai_chat", "openai_responses", "ollama", "vllm"})),
    # DeepSeek serves these by Messages, too.
    (r"^deepseek-v4", frozenset({"claude", "openai_chat", "openai_responses", "ollama", "vllm"})),
    (_OPEN_WEIGHTS, frozenset({"openai_chat", "openai_responses", "ollama", "vllm"})),
    (
        r"(?<![a-z0-9])(?:(?:chat)?gpt-|codex-|computer-use)|(?:^|[/:.])o[1-9](?=$|-)",
        frozenset({"openai_chat", "openai_responses"}),
    ),
)
