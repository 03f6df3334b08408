"""The model families behind Claude's Messages API: Claude's own, and other models served through it.

Data only; the first pattern found in a model name, ignoring case, applies. The members are explained in
docs/families.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.rooms._shared.claude_families import ALL_EFFORTS, CLAUDE
from interlingua.spi.families import Family

if TYPE_CHECKING:
    from collections.abc import Mapping

# These models accept their thinking blocks back without a signature.
_UNSIGNED: Final[Mapping[str, Any]] = {"unsigned_thinking": "accept"}
# These hosts refuse the `tool_reference` of a tool search that the client runs.
_UNREFERRED: Final[Mapping[str, Any]] = {"tool_references": "as_text"}
FAMILIES: Final[tuple[Family, ...]] = (
    *CLAUDE,
    Family("deepseek-v4, behind a Messages endpoint", r"^deepseek-(?:flash|v[4-9])", "deepseek-v4-pro",
        {**_UNSIGNED, "thinking": ("adaptive", "enabled", "disabled"), "thinks_unasked": True,
         "effort_unthinking": "refuse", "forced_tool_choice": "refuse_if_thinking", "reasoning_in_calls": "require",
         **_UNREFERRED}, "Imd Ime Imf Imh Ids41 Itr"),
    Family("kimi that thinks, of Moonshot, behind a Messages endpoint",
        r"^(?:kimi-(?:k2\.[5-9]|k[3-9]|k2-thinking|for-coding)|k2p[5-9]$)", "kimi-for-coding",
        {**_UNSIGNED, "reasoning_in_calls": "require_words", **_UNREFERRED}, "Imu Imk Itr"),
    Family("minimax, behind a Messages endpoint", r"minimax", "MiniMax-M2.7", {**_UNSIGNED, "structured_output": False},
        "Imu Imj"),
    Family("other models behind a Messages endpoint (Ollama, vLLM, DeepSeek, Kimi, GLM, ...)",
        r"(?:gpt-oss|qwen|deepseek|kimi|glm|llama|gemma|mimo|mistral|devstral|nemotron|granite|doubao|ark-code|longcat"
        r"|hunyuan|ernie|(?<![a-z0-9])(?:step-?[0-9]|hy[0-9]|seed-))", "kimi-k2",
        {**_UNSIGNED, "documents": "as_text", "pdf_input": "refuse_by_some_hosts", **_UNREFERRED},
        "recorded Wvl Imu Ioa Sar MD Itr"),
    Family("any other name", r"(?!)", "my-deployment",
        {**ALL_EFFORTS, "thinking": ("adaptive",), "assistant_prefill": "refuse"}, "VA PA", newest=True),
)  # fmt: skip
