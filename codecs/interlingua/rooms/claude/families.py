"""The model families behind Claude's Messages: Claude's own, and whatever else answers there.

Data only; the first pattern that is found in a name, ignoring case, holds. What the members say: docs/families.md.
"""

from __future__ import annotations

from typing import Final

from interlingua.rooms._shared.claude_families import ALL_EFFORTS, CLAUDE
from interlingua.spi.families import Family

FAMILIES: Final[tuple[Family, ...]] = (
    *CLAUDE,
    Family(
        "other models behind a Messages endpoint (Ollama, vLLM, DeepSeek, Kimi, GLM, ...)",
        r"(?:gpt-oss|qwen|deepseek|kimi|glm|llama|gemma|minimax|mistral)",
        "kimi-k2",
        {},
        "recorded Wvl",
    ),
    Family(
        "any other name",
        r"(?!)",
        "my-deployment",
        {**ALL_EFFORTS, "thinking": ("adaptive",), "assistant_prefill": "refuse"},
        "VA PA",
        newest=True,
    ),
)
