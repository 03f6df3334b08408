"""Which dialects a model name belongs to: those of the providers that serve it under that name.

A name of another dialect says nothing about the model that a translated request will reach. Data only, like the
family tables.
"""

from __future__ import annotations

from typing import Final

_OPEN_WEIGHTS: Final = (
    r"gpt-oss|qwen|qwq|llama|llava|bakllava|moondream|minicpm|(?:mini|mi|magi|dev|code)stral|mixtral|pixtral|voxtral"
    r"|deepseek|gemma|kimi|glm|minimax|phi-?[0-9]"
)
# Bedrock's names for other makers' models: the maker and a dot as prefix, perhaps after a region.
_ON_BEDROCK: Final = (
    r"(?:^|[./])(?:ai21|amazon|cohere|deepseek|google|meta|minimax|mistral|moonshot(?:ai)?|nvidia|openai|qwen|writer|zai)"
    r"\.[a-z]"
)

# Pattern for a name, ignoring case -> the dialects whose tables have it.
OWNERS: Final[tuple[tuple[str, frozenset[str]], ...]] = (
    (r"(?<![a-z0-9])claude-", frozenset({"bedrock_converse", "claude"})),
    (r"(?:^|[/:.])(?:gemini|learnlm)-", frozenset({"gemini"})),
    (r"(?:^|[/:.])gemma-", frozenset({"gemini", "openai_chat", "openai_responses", "ollama", "vllm"})),
    (_ON_BEDROCK, frozenset({"bedrock_converse", "openai_chat", "openai_responses", "ollama", "vllm"})),
    # DeepSeek also serves these through Claude's Messages.
    (r"^deepseek-(?:flash|v[4-9])", frozenset({"claude", "openai_chat", "openai_responses", "ollama", "vllm"})),
    (_OPEN_WEIGHTS, frozenset({"openai_chat", "openai_responses", "ollama", "vllm"})),
    (
        r"(?<![a-z0-9])(?:(?:chat)?gpt-|codex-|computer-use)|(?:^|[/:.])o[1-9](?=$|-)",
        frozenset({"openai_chat", "openai_responses"}),
    ),
)
