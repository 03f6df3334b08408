"""Detection of Gemini: the shapes of its bodies.

Source: docs/wire/gemini.md.
"""

from __future__ import annotations

from typing import Final

from interlingua.spi.signs import Shape, Signs

SIGNS: Final = Signs(
    request=Shape(
        demands=(
            ("contents=list",),
            ("contents=object",),
            ("contents=text",),
            ("systemInstruction",),
            ("generationConfig",),
        ),
        certainty=0.8,
        own=(
            "contents/*/parts", "contents/parts", "generationConfig", "generation_config", "systemInstruction",
            "system_instruction", "safetySettings", "tools/*/functionDeclarations", "tools/*/function_declarations",
            "toolConfig",
        ),
        foreign=("messages", "input"),
        usual=("contents",),
    ),
    response=Shape(
        demands=(("candidates=list",), ("usageMetadata",), ("usage_metadata",), ("promptFeedback",)),
        certainty=0.7,
        own=("candidates/*/content/parts", "modelVersion", "usageMetadata", "responseId", "candidates/*/finishReason"),
        foreign=("contents", "choices", "serverContent"),
    ),
    stream=Shape(
        demands=(
            ("candidates=list",),
            ("usageMetadata",),
            ("usage_metadata",),
            ("promptFeedback",),
            ("error/code=number", "error/status"),
        ),
        certainty=0.6,
        own=("candidates/*/content/parts", "modelVersion", "usageMetadata"),
        foreign=("contents", "choices", "serverContent"),
        usual=("candidates",),
    ),
    error=Shape(
        demands=(("error/code=number", "error/status=text"), ("error/code=number", "error/message", "error/details")),
        certainty=0.85,
        own=("error/details/*/@type",),
        foreign=("error/type", "error/param"),
    ),
)  # fmt: skip
