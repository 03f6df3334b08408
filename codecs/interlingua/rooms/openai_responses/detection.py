"""Detection of OpenAI Responses: the shapes of its bodies.

Source: docs/wire/openai_responses.md.
"""

from __future__ import annotations

from typing import Final

from interlingua.spi.signs import Shape, Signs

SIGNS: Final = Signs(
    request=Shape(
        demands=(
            ("input=list",),
            ("input=text",),
            ("previous_response_id",),
            ("conversation",),
            ("prompt/id",),
            ("instructions", "model"),
        ),
        certainty=0.7,
        own=(
            "instructions", "max_output_tokens", "previous_response_id", "include", "reasoning", "store", "text",
            "truncation", "conversation", "input/*/role", "input/*/type", "tools/*/name", "tools/*/type=web_search*",
            "tools/*/type=code_interpreter", "tools/*/type=mcp",
        ),
        foreign=(
            "messages", "contents", "encoding_format", "dimensions", "voice", "response_format", "output", "object",
            "usage",
        ),
        usual=("model",),
    ),
    response=Shape(
        demands=(("object=response",), ("output=list", "status=text"), ("output/*/type=message",)),
        certainty=0.8,
        own=("object=response", "created_at", "output/*/type"),
        foreign=("choices", "message", "steps"),
    ),
    stream=Shape(
        demands=(("type=response.*",), ("type=error", "sequence_number"), ("type=keepalive",)),
        certainty=0.8,
        own=("sequence_number", "type=response.*"),
    ),
    error=Shape(
        demands=(("error/message=text",),),
        certainty=0.45,
        own=(
            "error/param=model", "error/param=input*", "error/param=text.*", "error/param=previous_response_id",
            "error/param=tools*",
        ),
        foreign=("type=error", "error/status", "error/metadata", "error/code=number", "sequence_number", "choices"),
        usual=("error/type=text",),
    ),
)  # fmt: skip
