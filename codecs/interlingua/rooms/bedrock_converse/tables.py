"""Bedrock Converse's vocabulary: one table per member for both directions.

Source: docs/wire/bedrock_converse.md
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from interlingua.media_types import AUDIO, DOCUMENT, IMAGE, VIDEO
from interlingua.rooms._shared.claude_schemas import TOOL_SCHEMAS

if TYPE_CHECKING:
    from collections.abc import Mapping

DIALECT: Final = "bedrock_converse"

# Settings that both forms have: wire path -> (canonical name, accepted JSON types).
SETTINGS: Final[Mapping[str, tuple[str, tuple[type, ...]]]] = MappingProxyType({
    "modelId": ("model", (str,)),
    "inferenceConfig.maxTokens": ("max_tokens", (int,)),
    "inferenceConfig.temperature": ("temperature", (int, float)),
    "inferenceConfig.topP": ("top_p", (int, float)),
    "inferenceConfig.stopSequences": ("stop", (list,)),
    "requestMetadata": ("metadata", (dict,)),
})  # fmt: skip
LIMITS: Final[Mapping[str, tuple[float, float]]] = MappingProxyType({
    "maxTokens": (1, 2**31 - 1), "temperature": (0, 1), "topP": (0, 1)
})  # fmt: skip
MAX_METADATA: Final = 16
# `serviceTier.type`, with the same values in both forms, and the nearest ones to other providers' tiers.
TIER_PATH: Final = "serviceTier.type"
SERVICE_TIERS: Final[Mapping[str, str]] = MappingProxyType({word: word for word in ("default", "flex", "priority")})
NEAREST_SERVICE_TIERS: Final[Mapping[str, str]] = MappingProxyType(
    dict.fromkeys(("scale", "fast", "ultrafast", "performance"), "priority")
)
# The declaration of a tool that earlier calls name, and the request does not offer.
CALLED_TOOL: Final[Mapping[str, Any]] = MappingProxyType({
    "description": "A tool of earlier calls, which can no longer be called.",
    "inputSchema": {"json": {"type": "object", "properties": {}}},
})  # fmt: skip
# The members that some models accept at the top of a tool schema.
PLAIN_SCHEMA: Final = frozenset({"type", "properties", "required", "additionalProperties"})
# The tool schemas that models of OpenAI, xAI and Moonshot accept.
NO_LOOKAROUND: Final = TOOL_SCHEMAS._replace(looks_around=False, judged=frozenset({"pattern", "patternProperties"}))
# Members that constrain nothing there: names of the schema, and definitions that have been inlined.
SCHEMA_NOTES: Final = frozenset({"$schema", "$id", "$comment", "title", "$defs", "definitions"})
# System tools, which Nova's provider runs: wire name -> canonical type.
SYSTEM_TOOLS: Final[Mapping[str, str]] = MappingProxyType(
    {"nova_grounding": "web_search", "nova_code_interpreter": "code_execution"}
)
TOOL_CHOICE_WORDS: Final[Mapping[str, str]] = MappingProxyType({"auto": "auto", "required": "any"})

FINISH_REASONS: Final[Mapping[str, str]] = MappingProxyType({
    "end_turn": "stop", "stop_sequence": "stop", "max_tokens": "length", "model_context_window_exceeded": "length",
    "tool_use": "tool_calls", "content_filtered": "content_filter", "guardrail_intervened": "content_filter",
    "malformed_model_output": "error", "malformed_tool_use": "error",
})  # fmt: skip
# Canonical reason -> wire value, and whether that is read back as the same reason.
FINISH_WORDS: Final[Mapping[str, tuple[str, bool]]] = MappingProxyType({
    "stop": ("end_turn", True), "length": ("max_tokens", True), "tool_calls": ("tool_use", True),
    "content_filter": ("content_filtered", True), "error": ("malformed_model_output", True),
    "refusal": ("content_filtered", False), "pause": ("end_turn", False), "other": ("end_turn", False),
    "cancelled": ("end_turn", False),
})  # fmt: skip
USAGE: Final[Mapping[str, str]] = MappingProxyType({
    "inputTokens": "input_tokens", "outputTokens": "output_tokens", "totalTokens": "total_tokens",
    "cacheReadInputTokens": "cache_read_tokens", "cacheWriteInputTokens": "cache_write_tokens",
})  # fmt: skip

# The formats of each kind of media: wire value -> media type.
FORMATS: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType({
    "image": {word: IMAGE[word] for word in ("png", "jpeg", "gif", "webp")},
    "document": {
        word: DOCUMENT[word] for word in ("pdf", "csv", "html", "txt", "md", "doc", "xls", "docx", "xlsx")
    },
    "video": {**VIDEO, "three_gp": "video/3gpp"},
    "audio": {
        **{word: AUDIO[word] for word in ("mp3", "wav", "opus", "aac", "flac", "ogg", "webm")},
        **{word: f"audio/{word}" for word in ("mp4", "m4a", "pcm")},
    },
})  # fmt: skip
# Other names of these media types, which other providers accept.
OTHER_TYPES: Final[Mapping[str, str]] = MappingProxyType({
    "audio/mp3": "audio/mpeg", "audio/x-m4a": "audio/m4a", "video/x-mp4": "video/mp4", "video/mov": "video/quicktime",
    "video/x-mov": "video/quicktime", "video/3gp": "video/3gpp", "video/flv": "video/x-flv",
    "video/wmv": "video/x-ms-wmv",
})  # fmt: skip
FILLED_FORMATS: Final[Mapping[str, str]] = MappingProxyType({"image": "png", "document": "pdf", "audio": "wav"})
MAX_CACHE_POINTS: Final = 4
# Citation locations: canonical kind -> the location by habit, and its members.
CITATIONS: Final[Mapping[str, tuple[str, Mapping[str, str]]]] = MappingProxyType({
    "url": ("web", {"url": "url"}), "document": ("documentChar", {"start_index": "start", "end_index": "end"}),
})  # fmt: skip

NAME_LIMIT: Final = 64
ID_PATTERN: Final = "[A-Za-z0-9_.:-]+"
# The exceptions of a stream -> the error categories that each is written for.
STREAM_ERRORS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType({
    "internalServerException": ("server_error", "unknown", "cancelled"),
    "modelStreamErrorException": ("timeout",),
    "throttlingException": ("rate_limit", "quota"),
    "serviceUnavailableException": ("overloaded", "unavailable"),
    "validationException": (),
})  # fmt: skip
# Default behavior where a request does not set it. Source: docs/wire/bedrock_converse.md
DEFAULTS: Final[Mapping[str, tuple[Any, ...]]] = MappingProxyType({
    "n": (1,), "logprobs": (False,), "modalities": (["text"],), "store": (False,),
    "service_tier": ("auto", "default", "on_demand"), "parallel_tool_calls": (True,), "stream_usage": (True,),
    "stream_obfuscation": (False,), "top_logprobs": (0,), "verbosity": ("medium",),
})  # fmt: skip
# Members that Converse requires and the source may lack.
FILLS: Final[Mapping[str, Any]] = MappingProxyType({"metrics": {"latencyMs": 0}})
