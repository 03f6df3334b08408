"""Detection of Bedrock Converse: the shapes of its bodies.

Source: docs/wire/bedrock_converse.md.
"""

from __future__ import annotations

from typing import Final

from interlingua.rooms.bedrock_converse.tables import STREAM_ERRORS
from interlingua.spi.signs import Shape, Signs

_FRAMES: Final = ("messageStart", "contentBlockStart", "contentBlockDelta", "contentBlockStop", "messageStop")

SIGNS: Final = Signs(
    request=Shape(
        demands=(("messages/*/content/*=object",),),
        certainty=0.2,
        own=(
            *("inferenceConfig=object", "toolConfig/tools/*/toolSpec", "additionalModelRequestFields", "modelId"),
            *("messages/*/content/*/toolUse", "messages/*/content/*/toolResult", "messages/*/content/*/cachePoint"),
            *("outputConfig/textFormat", "outputConfig/effort", "guardrailConfig"),
            *("messages/*/content/*/text=text", "system/*/text=text"),
        ),
        foreign=("model", "max_tokens", "contents", "messages/*/content/*/type", "messages/*/tool_calls", "stream"),
    ),
    response=Shape(
        demands=(("output/message/content=list",),), certainty=0.95, own=("stopReason", "metrics/latencyMs")
    ),
    stream=Shape(
        demands=(*((f"{name}=object",) for name in (*_FRAMES, *STREAM_ERRORS)), ("metadata/usage/inputTokens",)),
        certainty=0.9,
        foreign=("choices", "type", "candidates", "object"),
    ),
    error=Shape(
        demands=(("message=text",), ("__type=text", "message")), certainty=0.4, foreign=("code", "object", "type")
    ),
)
