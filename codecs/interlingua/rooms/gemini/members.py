"""The known members of a request, each in both spellings. Source: docs/wire/gemini.md, section 1."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from interlingua.rooms.gemini.snake_case import snake_case
from interlingua.rooms.gemini.tables import SETTINGS
from interlingua.spi.members import Members


def _both(*names: str) -> frozenset[str]:
    return frozenset(names) | frozenset(map(snake_case, names))


_CONFIG: Final = _both(
    *SETTINGS, "imageConfig", "mediaResolution", "responseJsonSchema", "responseMimeType", "responseModalities",
    "responseSchema", "speechConfig", "thinkingConfig",
)  # fmt: skip
_THINKING: Final = _both("includeThoughts", "thinkingBudget", "thinkingLevel")
_CALLING: Final = _both("allowedFunctionNames", "mode")
_DECLARATION: Final = _both(
    "behavior", "description", "name", "parameters", "parametersJsonSchema", "response", "responseJsonSchema"
)
MEMBERS: Final = Members(
    MappingProxyType({
        "": _both(
            "cachedContent", "contents", "generationConfig", "labels", "safetySettings", "serviceTier", "store",
            "systemInstruction", "toolConfig", "tools",
        ),
        "contents/*": frozenset({"parts", "role"}),
        **dict.fromkeys(("generationConfig", "generation_config"), _CONFIG),
        **dict.fromkeys(("generationConfig/thinkingConfig", "generation_config/thinking_config"), _THINKING),
        **dict.fromkeys(
            ("toolConfig/functionCallingConfig", "tool_config/function_calling_config"), _CALLING
        ),
        **dict.fromkeys(("tools/*/functionDeclarations/*", "tools/*/function_declarations/*"), _DECLARATION),
    }),
    refuses_others=True,
)  # fmt: skip
