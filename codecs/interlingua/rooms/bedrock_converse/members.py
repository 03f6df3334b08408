"""The known members of a request. Source: docs/wire/bedrock_converse.md, section 1."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from interlingua.spi.members import Members

MEMBERS: Final = Members(
    MappingProxyType({
        "": frozenset({
            "additionalModelRequestFields", "additionalModelResponseFieldPaths", "guardrailConfig", "inferenceConfig",
            "messages", "modelId", "outputConfig", "performanceConfig", "projectIdentifier", "promptVariables",
            "requestMetadata", "serviceTier", "system", "toolConfig",
        }),
        "inferenceConfig": frozenset({"maxTokens", "stopSequences", "temperature", "topP"}),
        "messages/*": frozenset({"content", "role"}),
        "messages/*/content/*/toolResult": frozenset({"content", "status", "toolUseId"}),
        "messages/*/content/*/toolUse": frozenset({"input", "name", "toolUseId", "type"}),
        "toolConfig": frozenset({"toolChoice", "tools"}),
        "toolConfig/tools/*/toolSpec": frozenset({"description", "inputSchema", "name", "strict"}),
    })
)  # fmt: skip
