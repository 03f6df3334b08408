"""Detection of Claude: the shapes of its bodies.

Source: docs/wire/claude.md.
"""

from __future__ import annotations

from typing import Final

from interlingua.spi.signs import Shape, Signs

SIGNS: Final = Signs(
    request=Shape(
        demands=(("messages=list",),),
        certainty=0.4,
        own=(
            "system", "thinking/budget_tokens", "thinking/display", "thinking/type=adaptive", "stop_sequences",
            "anthropic_version", "anthropic_beta", "mcp_servers", "context_management", "output_config",
            "metadata/user_id", "tools/*/input_schema", "tools/*/cache_control", "tools/*/name", "tool_choice/type=any",
            "tool_choice/type=auto", "tool_choice/type=tool", "messages/*/content/*/type=tool_use",
            "messages/*/content/*/type=tool_result", "messages/*/content/*/thinking=text",
            "messages/*/content/*/type=document", "messages/*/content/*/type=server_tool_use",
            "messages/*/content/*/type=mcp_tool_use", "messages/*/content/*/type=redacted_thinking",
            "messages/*/content/*/tool_use_id", "messages/*/content/*/source", "messages/*/content/*/cache_control",
            "system/*/cache_control",
        ),
        foreign=(
            "messages/*/role=system", "messages/*/role=developer", "messages/*/role=tool", "messages/*/role=function",
            "messages/*/tool_calls", "messages/*/images", "messages/*/content/*/type=image_url",
            "messages/*/content/*/type=input_audio", "messages/*/content/*/text=object",
            "messages/*/content/*/thinking=list", "tools/*/function", "max_completion_tokens", "frequency_penalty",
            "presence_penalty", "response_format", "reasoning_effort", "stream_options", "logprobs", "stop", "seed",
            "n", "options", "keep_alive", "think", "format", "inferenceConfig",
        ),
        usual=("max_tokens",),
    ),
    response=Shape(
        demands=(
            ("type=message", "content=list"), ("type=message", "role=assistant", "stop_reason"),
            ("content/*/type=text", "role=assistant", "stop_reason"),
        ),
        certainty=0.8,
        own=("stop_reason", "usage/input_tokens"),
        foreign=("status", "choices", "message"),
    ),
    stream=Shape(
        demands=(
            ("type=message_start",),
            ("type=content_block_*",),
            ("type=message_delta",),
            ("type=message_stop",),
            ("type=ping",),
            ("type=error", "error/type=text"),
        ),
        certainty=0.8,
        own=("type=message_start", "type=content_block_*", "type=message_delta", "type=message_stop"),
        foreign=("sequence_number", "type=error"),
    ),
    error=Shape(
        demands=(("type=error", "error/message=text"), ("type=error", "error/type=text")),
        certainty=0.9,
        own=("request_id=text",),
        foreign=("sequence_number", "error/param", "error/code"),
    ),
)  # fmt: skip
