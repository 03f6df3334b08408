"""Detection of bodies of `/v1/chat/completions`: the signs that all its servers have in common."""

from __future__ import annotations

from typing import Final

# Signs of other formats with `messages`.
FOREIGN: Final = (
    "system", "thinking/budget_tokens", "thinking/type=adaptive", "stop_sequences", "options", "keep_alive", "think",
    "tools/*/input_schema", "tool_choice/type=any", "tool_choice/type=tool", "messages/*/content/*/type=tool_use",
    "messages/*/content/*/type=tool_result", "messages/*/content/*/type=image", "messages/*/content/*/type=document",
    "messages/*/content/*/thinking=text", "messages/*/content/*/text=object", "messages/*/images",
    "messages/*/tool_name", "messages/*/tool_calls/*/function/arguments=object",
    "messages/*/content/*/type=server_tool_use", "inferenceConfig", "success",
)  # fmt: skip
REQUEST: Final = (("messages=list",),)
OWN: Final = (
    "frequency_penalty", "presence_penalty", "max_completion_tokens", "response_format", "logprobs", "top_logprobs",
    "logit_bias", "n", "seed", "stop", "stream_options", "parallel_tool_calls", "tools/*/function", "tool_choice=text",
    "messages/*/tool_call_id", "messages/*/content/*/type=image_url", "messages/*/content/*/thinking=list",
    "messages/*/tool_calls/*/function/arguments=text",
)  # fmt: skip
RESPONSE: Final = (
    ("choices/*/message=object",),
    ("object=chat.completion", "choices=list"),
    ("object=chat.completion", "usage=object"),  # the choices may be null
)
STREAM: Final = (
    ("choices/*/delta=object",),
    ("object=chat.completion.chunk",),
    ("choices=list", "usage=object"),
    ("error=object",),
    ("[DONE]",),
)
