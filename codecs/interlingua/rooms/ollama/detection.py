"""Detection of Ollama: the shapes of its bodies.

Source: docs/wire/ollama.md.
"""

from __future__ import annotations

from typing import Final

from interlingua.spi.signs import Shape, Signs

SIGNS: Final = Signs(
    request=Shape(
        demands=(("messages=list",),),
        certainty=0.3,
        own=(
            "options", "keep_alive", "think", "format", "messages/*/images", "messages/*/tool_name",
            "messages/*/thinking", "messages/*/tool_calls/*/function/arguments=object",
        ),
        foreign=(
            "system", "thinking", "max_tokens", "max_completion_tokens", "temperature", "top_p", "stop", "seed", "n",
            "tool_choice", "response_format", "stream_options", "stop_sequences", "frequency_penalty",
            "presence_penalty", "tools/*/input_schema", "messages/*/content/*/type",
            "messages/*/tool_calls/*/function/arguments=text", "messages/*/role=developer", "inferenceConfig",
        ),
    ),
    response=Shape(
        demands=(("message/role", "done"), ("message=object", "created_at"), ("done", "eval_count")),
        certainty=0.8,
        own=("done=true", "done_reason", "eval_count", "total_duration"),
        foreign=("choices", "object", "response", "id"),
    ),
    stream=Shape(
        demands=(("message/role", "done"), ("message=object", "created_at"), ("error=text",)),
        certainty=0.6,
        own=("done=false", "message/role"),
        foreign=("choices", "object", "response", "id", "code", "status", "details", "error_type"),
        usual=("message=object",),
    ),
    error=Shape(
        demands=(("error=text",),),
        certainty=0.7,
        own=("signin_url",),
        foreign=("code", "status", "details", "error_type", "message", "object"),
    ),
)  # fmt: skip
