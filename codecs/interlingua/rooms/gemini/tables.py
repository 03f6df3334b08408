"""Gemini's vocabulary: one table per member for both directions.

Source: docs/wire/gemini.md; https://ai.google.dev/api/generate-content
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from interlingua.rooms._shared.gemini_finish_reasons import FAILED, FILTERED
from interlingua.rooms._shared.schema_adaptation import Subset
from interlingua.rooms._shared.thinking import NO_SIGNATURE

if TYPE_CHECKING:
    from collections.abc import Mapping

DIALECT: Final = "gemini"
_CACHE: Final = (403, {"error": {
    "code": 403,
    "message": "The cached content is not held here; send its content with the request.",
    "status": "PERMISSION_DENIED",
}})  # fmt: skip
# The error for cached content, the beginning of a conversation, that only Google's server holds.
HELD_BY_SERVER: Final[Mapping[str, tuple[int, Mapping[str, Any]]]] = MappingProxyType(
    {"cachedContent": _CACHE, "cached_content": _CACHE}
)

USER: Final = "user"
MODEL: Final = "model"
# Roles that clients give to tool results: models before Gemini 3.6 accept them. Any other role makes an opaque message.
FUNCTION: Final = "function"
TOOL: Final = "tool"
ROLES_READ: Final = frozenset({USER, MODEL, FUNCTION})
SYSTEM_ROLES: Final = frozenset({USER, MODEL, "system"})

# The Gemini API, or Vertex AI, which takes neither call ids nor `includeServerSideToolInvocations`.
VERTEX: Final = "vertex"
API_VERSIONS: Final = ("v1beta", VERTEX)

# The setting to report the calls and results of Google's own tools, and their parts.
INVOCATIONS: Final = "includeServerSideToolInvocations"
TOOL_PARTS: Final = frozenset({"toolCall", "toolResponse", "tool_call", "tool_response"})
# The data members of a part, which has exactly one.
DATA: Final = frozenset({
    "text", "inlineData", "fileData", "functionCall", "functionResponse", "executableCode", "codeExecutionResult",
    "toolCall", "toolResponse",
})  # fmt: skip

# Settings that both forms have: wire name in `generationConfig` -> (canonical name, accepted JSON types).
SETTINGS: Final[Mapping[str, tuple[str, tuple[type, ...]]]] = MappingProxyType({
    "maxOutputTokens": ("max_tokens", (int,)),
    "temperature": ("temperature", (int, float)),
    "topP": ("top_p", (int, float)),
    "topK": ("top_k", (int,)),
    "stopSequences": ("stop", (list,)),
    "seed": ("seed", (int,)),
    "candidateCount": ("n", (int,)),
    "frequencyPenalty": ("frequency_penalty", (int, float)),
    "presencePenalty": ("presence_penalty", (int, float)),
    "responseLogprobs": ("logprobs", (bool,)),
    "logprobs": ("top_logprobs", (int,)),
})  # fmt: skip
SETTING_NAMES: Final[Mapping[str, str]] = MappingProxyType({name: wire for wire, (name, _) in SETTINGS.items()})
# `serviceTier`: wire value -> canonical value.
SERVICE_TIERS: Final[Mapping[str, str]] = MappingProxyType({
    "unspecified": "auto", "standard": "default", "flex": "flex", "priority": "priority"
})  # fmt: skip
SERVICE_TIER_WORDS: Final[Mapping[str, str]] = MappingProxyType({name: word for word, name in SERVICE_TIERS.items()})
NEAREST_SERVICE_TIERS: Final[Mapping[str, str]] = MappingProxyType(
    {"on_demand": "default", **dict.fromkeys(("scale", "fast", "ultrafast", "performance"), "priority")}
)
# Response modalities.
MODALITIES: Final[Mapping[str, str]] = MappingProxyType({"TEXT": "text", "IMAGE": "image", "AUDIO": "audio"})
MODALITY_WORDS: Final[Mapping[str, str]] = MappingProxyType({name: word for word, name in MODALITIES.items()})
TEXT_ALONE: Final = "these models answer only with text"
MAX_TEMPERATURE: Final = 2
# The parts of JSON Schema accepted for functions and for responses; in response schemas the service ignores the rest.
FUNCTION_SCHEMAS: Final = Subset(root_object=True, rooted=True, ordering=True)
FORM_SCHEMAS: Final = Subset(
    ignored=frozenset({
        "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength", "pattern", "uniqueItems",
        "contains", "minContains", "maxContains", "minProperties", "maxProperties", "propertyNames",
        "patternProperties", "not", "if", "then", "else", "dependentRequired", "dependentSchemas", "default",
        "examples",
    }),
    constants=False,
    siblings=False,
    rooted=True,
    ordering=True,
)  # fmt: skip
MAX_STOPS: Final = 5
MAX_LOGPROBS: Final = 20

JSON_TYPE: Final = "application/json"
TEXT_TYPE: Final = "text/plain"
# An answer that is one of the texts of an enumeration, without quotes.
CHOICE_TYPE: Final = "text/x.enum"

FUNCTION_CALLING_MODES: Final[Mapping[str, str]] = MappingProxyType({"AUTO": "auto", "NONE": "none", "ANY": "required"})
FUNCTION_CALLING_WORDS: Final[Mapping[str, str]] = MappingProxyType(
    {mode: word for word, mode in FUNCTION_CALLING_MODES.items()}
)
# Like AUTO, but every call follows its schema: the choice `auto` among tools that are all strict.
VALIDATED: Final = "VALIDATED"

NO_BUDGET: Final = 0
ANY_BUDGET: Final = -1
DISPLAYS: Final[Mapping[str, bool]] = MappingProxyType({"summarized": True, "omitted": False})
NEAREST_DISPLAYS: Final[Mapping[str, bool]] = MappingProxyType({"concise": True, "detailed": True})

RESOLUTIONS: Final[Mapping[str, str]] = MappingProxyType(
    {f"MEDIA_RESOLUTION_{detail.upper()}": detail for detail in ("low", "medium", "high", "ultra_high")}
)
RESOLUTION_WORDS: Final[Mapping[str, str]] = MappingProxyType({detail: word for word, detail in RESOLUTIONS.items()})
NEAREST_DETAILS: Final[Mapping[str, str]] = MappingProxyType({"original": "ultra_high"})
# Default media types by part type, for data whose file name or URL tells none.
USUAL_TYPES: Final[Mapping[str, str]] = MappingProxyType({
    "image": "image/jpeg",
    "audio": "audio/wav",
    "file": "application/pdf",
})  # fmt: skip
# Prefixes of media types that are refused, as data and by URI ("Unsupported MIME type").
UNREAD_TYPES: Final = (
    "image/svg", "application/msword", "application/rtf", "application/vnd.ms-",
    "application/vnd.openxmlformats-officedocument", "application/vnd.oasis.opendocument",
)  # fmt: skip

# Where a candidate explains its finish reason, and where a chunk explains a blocked prompt.
END_WORDS: Final = (("finishMessage",),)
BLOCK_WORDS: Final = (("promptFeedback", "blockReasonMessage"),)
# Gemini also sends STOP after function calls: the canonical reason is then `tool_calls`.
STOP: Final = "STOP"
FINISH_REASONS: Final[Mapping[str, str]] = MappingProxyType({
    STOP: "stop",
    **dict.fromkeys(("MAX_TOKENS", "CONTINUATION"), "length"),
    **dict.fromkeys(FILTERED, "content_filter"),
    **dict.fromkeys(FAILED, "error"),
    **dict.fromkeys((
        "OTHER", "NO_IMAGE", "IMAGE_OTHER", "ESCALATION", "PUP_LIMITED_DISABLED", "FINISH_REASON_UNSPECIFIED",
    ), "other"),
})  # fmt: skip
# The enum numbers of the words, as older libraries print them.
FINISH_NUMBERS: Final[Mapping[int, str]] = MappingProxyType(dict(enumerate((
    STOP, "MAX_TOKENS", "SAFETY", "RECITATION", "OTHER", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII",
    "MALFORMED_FUNCTION_CALL",
), 1)))  # fmt: skip
# Canonical reason -> wire value, and whether that is read back as the same reason.
FINISH_WORDS: Final[Mapping[str, tuple[str, bool]]] = MappingProxyType({
    **{reason: (word, True) for word, reason in [*FINISH_REASONS.items()][::-1]},  # the first value of each
    "tool_calls": (STOP, True),
    "refusal": ("SAFETY", False),
    "pause": ("OTHER", False),
    "cancelled": ("OTHER", False),
})  # fmt: skip

# Usage: `candidatesTokenCount` excludes thoughts, and `promptTokenCount` what server tools read; the canonical counts
# include them.
USAGE: Final[Mapping[str, str]] = MappingProxyType({
    "promptTokenCount": "input_tokens",
    "candidatesTokenCount": "output_tokens",
    "totalTokenCount": "total_tokens",
    "cachedContentTokenCount": "cache_read_tokens",
    "thoughtsTokenCount": "reasoning_tokens",
})  # fmt: skip
TOOL_USE: Final = "toolUsePromptTokenCount"
# Counts by modality, in the order in which they are written.
USAGE_DETAILS: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType({
    "promptTokensDetails": MappingProxyType(
        {"TEXT": "input_text_tokens", "IMAGE": "input_image_tokens", "AUDIO": "input_audio_tokens"}
    ),
    "candidatesTokensDetails": MappingProxyType({"TEXT": "output_text_tokens", "AUDIO": "output_audio_tokens"}),
})  # fmt: skip

NAME_LIMIT: Final = 64
# Default behavior where a request does not set it. Source: docs/wire/gemini.md, section 1.
DEFAULTS: Final[Mapping[str, tuple[Any, ...]]] = MappingProxyType({
    "stream_usage": (True,), "stream_obfuscation": (False,), "verbosity": ("medium",)
})  # fmt: skip
# Values for members that Gemini requires and the source may lack.
FILLS: Final[Mapping[str, Any]] = MappingProxyType({"name": "unknown", "thought_signature": NO_SIGNATURE})
