"""The tables of Chat Completions, one for both directions.

Source: docs/wire/openai_chat.md; https://platform.openai.com/docs/api-reference/chat
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

# The maximum number of stop sequences.
MAX_STOP_SEQUENCES: Final = 4
# Request members that mean the same under both names: wire name -> (canonical name, accepted JSON types).
SETTINGS: Final[Mapping[str, tuple[str, tuple[type, ...]]]] = MappingProxyType({
    "max_completion_tokens": ("max_tokens", (int,)),
    **{name: (name, (str,)) for name in ("model", "service_tier", "verbosity")},
    **{name: (name, (str,)) for name in ("prompt_cache_key", "prompt_cache_retention")},
    **{name: (name, (bool,)) for name in ("parallel_tool_calls", "logprobs", "stream", "store")},
    **{name: (name, (int,)) for name in ("seed", "n", "top_logprobs")},
    **{name: (name, (int, float)) for name in ("temperature", "top_p", "frequency_penalty", "presence_penalty")},
    **{name: (name, (dict,)) for name in ("logit_bias", "metadata", "moderation")},
})  # fmt: skip
# Settings that only OpenAI has: other servers ignore them, and their types are not checked.
OF_OPENAI: Final = frozenset({
    "store", "service_tier", "metadata", "verbosity", "prompt_cache_key", "prompt_cache_retention", "moderation"
})  # fmt: skip
SETTING_NAMES: Final[Mapping[str, str]] = MappingProxyType({name: wire for wire, (name, _) in SETTINGS.items()})

ROLES: Final = frozenset({"system", "developer", "user", "assistant", "tool", "function"})

# Spelling of tools that came as deprecated `functions` -> that of their calls, which is also the finish reason.
CALL_SPELLINGS: Final[Mapping[str, str]] = MappingProxyType({"functions": "function_call"})
FINISH_REASONS: Final[Mapping[str, str]] = MappingProxyType({
    "stop": "stop",
    "length": "length",
    "tool_calls": "tool_calls",
    "function_call": "tool_calls",
    "content_filter": "content_filter",
})  # fmt: skip
# Canonical reason -> the word to write, and whether that is read back as the same reason.
FINISH_WORDS: Final[Mapping[str, tuple[str, bool]]] = MappingProxyType({
    "stop": ("stop", True),
    "length": ("length", True),
    "tool_calls": ("tool_calls", True),
    "content_filter": ("content_filter", True),
    "refusal": ("content_filter", False),
    **dict.fromkeys(("pause", "error", "cancelled", "other"), ("stop", False)),
})  # fmt: skip

# usage: wire path -> canonical name.
USAGE: Final[Mapping[str, str]] = MappingProxyType({
    "prompt_tokens": "input_tokens",
    "completion_tokens": "output_tokens",
    "total_tokens": "total_tokens",
})  # fmt: skip
INPUT_DETAILS: Final[Mapping[str, str]] = MappingProxyType({
    "cached_tokens": "cache_read_tokens",
    "cache_write_tokens": "cache_write_tokens",
    "audio_tokens": "input_audio_tokens",
    "image_tokens": "input_image_tokens",
    "text_tokens": "input_text_tokens",
})  # fmt: skip
OUTPUT_DETAILS: Final[Mapping[str, str]] = MappingProxyType({
    "reasoning_tokens": "reasoning_tokens",
    "audio_tokens": "output_audio_tokens",
    "text_tokens": "output_text_tokens",
    "accepted_prediction_tokens": "accepted_prediction_tokens",
    "rejected_prediction_tokens": "rejected_prediction_tokens",
})  # fmt: skip
USAGE_DETAILS: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType(
    {"prompt_tokens_details": INPUT_DETAILS, "completion_tokens_details": OUTPUT_DETAILS}
)

RESPONSE_FORMATS: Final = frozenset({"text", "json_object", "json_schema"})
# Notes in `spelling.absent` for other servers' forms of a schema format: what they lack compared with OpenAI's.
NO_SCHEMA_OBJECT: Final = "json_schema"  # {"type": ..., "schema": {...}}
BARE_SCHEMA: Final = "json_schema.schema"  # {"type": ..., "json_schema": {"type": "object", ...}}
NO_SCHEMA_TYPE: Final = "response_format.json_schema"  # {"type": "json_object", ...}
# `stream_options`: wire member -> canonical setting.
STREAM_OPTIONS: Final[Mapping[str, tuple[str, tuple[type, ...]]]] = MappingProxyType({
    "include_usage": ("stream_usage", (bool,)),
    "include_obfuscation": ("stream_obfuscation", (bool,)),
})  # fmt: skip
STREAM_OPTION_NAMES: Final[Mapping[str, str]] = MappingProxyType(
    {name: wire for wire, (name, _) in STREAM_OPTIONS.items()}
)
# Service tiers; one of Responses has another name here.
SERVICE_TIERS: Final[Mapping[str, str]] = MappingProxyType(
    {word: word for word in ("auto", "default", "flex", "scale", "priority", "fast")}
)
NEAREST_SERVICE_TIERS: Final[Mapping[str, str]] = MappingProxyType({"ultrafast": "fast"})
VERBOSITIES: Final = frozenset({"low", "medium", "high"})
ORIGINAL: Final = "original"  # the image detail for full resolution
DETAILS: Final = frozenset({"auto", "low", "high", ORIGINAL})

NAME_LIMIT: Final = 64
# Grammar syntaxes of custom tools.
GRAMMAR_SYNTAXES: Final = frozenset({"lark", "regex"})
ID_LIMIT: Final = 40
# Values for required members that the source lacks.
FILLS: Final[Mapping[str, Any]] = MappingProxyType(
    {"model": "", "created": 0, "format_name": "response", "filename": "file"}
)

# The only media type of files given as data.
PDF: Final = "application/pdf"
# Mistral's document part: the type is also the member with the URL; the name is beside it.
DOCUMENT, DOCUMENT_NAME = "document_url", "document_name"

# The member in which models expect their reasoning before a call.
REASONING_MEMBER: Final = "reasoning_content"
# The note in `spelling.absent` of usage whose output count excludes reasoning (xAI).
REASONING_COUNTED: Final = "completion_tokens.reasoning_tokens"
# The type of a URL citation, and the member with its data.
CITED: Final = "url_citation"
# OpenRouter's member for the cited text.
QUOTED: Final = "content"
# The member of Claude's tools for their input schema.
INPUT_SCHEMA: Final = "input_schema"
# The word of Mistral, and of Claude's clients at gateways, for `required`.
ANY_TOOL: Final = "any"
# Notes in `spelling.absent` for other servers' forms of tool choice: what they lack compared with OpenAI's.
WORD_ANY: Final = "tool_choice.required"  # "any"
NO_WORD: Final = "tool_choice.word"  # {"type": "auto"}
BARE_FUNCTION: Final = "tool_choice.type"  # {"function": {"name": "f"}}
# Note -> type of a choice with its name beside it, as in Responses and Claude.
FLAT_CHOICES: Final[Mapping[str, str]] = MappingProxyType({
    "tool_choice.function": "function", "tool_choice.function.name": "tool", "tool_choice.custom": "custom"
})  # fmt: skip
# The note in `spelling.absent` of a message that continues the wire message of the one before.
CONTINUED: Final = "message"
