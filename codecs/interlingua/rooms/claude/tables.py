"""Claude's vocabulary: one table per member for both directions.

Source: docs/wire/claude.md; https://platform.claude.com/docs/en/api/messages
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from interlingua.rate_limits import ANTHROPIC
from interlingua.rooms._shared.claude_thinking import MAX_TOKENS

if TYPE_CHECKING:
    from collections.abc import Mapping

DIALECT: Final = "claude"
REQUEST_ID_HEADER: Final = "request-id"
RATE_LIMIT_HEADERS: Final = ANTHROPIC
# Claude Code puts a line with this prefix at the top of its system prompt; it may differ from request to request.
ASIDE: Final = "x-anthropic-billing-header:"
# Block type -> the member with its text: a summary of the conversation so far; the tool that a client's search found.
TOLD_PARTS: Final = MappingProxyType({"compaction": "content", "tool_reference": "tool_name"})
# Where a response and a `message_delta` explain a refusal.
END_WORDS: Final = (("stop_details", "explanation"),)
# The error for a conversation held by Anthropic's server. On this error its SDK's tool runner sends the whole
# conversation.
HELD_BY_SERVER: Final[Mapping[str, tuple[int, Mapping[str, Any]]]] = MappingProxyType({
    "thread": (400, {"type": "error", "error": {
        "type": "invalid_request_error",
        "message": "thread: no conversation is held here; send the whole conversation with each request.",
        "details": {"error_code": "thread_unsupported_request", "unsupported": ["thread"]},
    }}),
})  # fmt: skip
# The newest version has no sampling settings and accepts `role: system` in `messages`.
NEWEST: Final = "2026-10-21"
API_VERSIONS: Final = (NEWEST, "2023-06-01")

# Settings that both forms have: wire name -> (canonical name, accepted JSON types).
SETTINGS: Final[Mapping[str, tuple[str, tuple[type, ...]]]] = MappingProxyType({
    "model": ("model", (str,)),
    "max_tokens": ("max_tokens", (int,)),
    "temperature": ("temperature", (int, float)),
    "top_p": ("top_p", (int, float)),
    "top_k": ("top_k", (int,)),
    "stream": ("stream", (bool,)),
})  # fmt: skip
# The same for function tools and `thinking`.
TOOL_MEMBERS: Final[Mapping[str, tuple[str, tuple[type, ...]]]] = MappingProxyType({
    "description": ("description", (str,)),
    "input_schema": ("parameters", (dict,)),
    "strict": ("strict", (bool,)),
})  # fmt: skip
THINKING: Final[Mapping[str, tuple[str, tuple[type, ...]]]] = MappingProxyType({
    "type": ("mode", (str,)),
    "budget_tokens": ("budget_tokens", (int,)),
    "display": ("display", (str,)),
})  # fmt: skip
SETTING_NAMES: Final[Mapping[str, str]] = MappingProxyType({name: wire for wire, (name, _) in SETTINGS.items()})
# `service_tier`: wire value -> canonical value.
SERVICE_TIERS: Final[Mapping[str, str]] = MappingProxyType({"auto": "auto", "standard_only": "default"})
SERVICE_TIER_WORDS: Final[Mapping[str, str]] = MappingProxyType({name: word for word, name in SERVICE_TIERS.items()})
# Tiers that Claude does not have; `auto` uses priority capacity if it was bought.
NEAREST_SERVICE_TIERS: Final[Mapping[str, str]] = MappingProxyType(
    {"on_demand": "default", **dict.fromkeys(("priority", "scale", "fast", "ultrafast", "performance"), "auto")}
)
# Refused since 2026-10-21.
SAMPLING: Final = frozenset({"temperature", "top_p", "top_k"})

TOOL_CHOICES: Final[Mapping[str, str]] = MappingProxyType({"auto": "auto", "any": "required", "none": "none"})
TOOL_CHOICE_WORDS: Final[Mapping[str, str]] = MappingProxyType({mode: word for word, mode in TOOL_CHOICES.items()})

FINISH_REASONS: Final[Mapping[str, str]] = MappingProxyType({
    "end_turn": "stop",
    "stop_sequence": "stop",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "tool_use": "tool_calls",
    "pause_turn": "pause",
    "refusal": "refusal",
})  # fmt: skip
# Canonical reason -> wire value, and whether that is read back as the same reason.
FINISH_WORDS: Final[Mapping[str, tuple[str, bool]]] = MappingProxyType({
    **{reason: (word, True) for word, reason in [*FINISH_REASONS.items()][::-1]},  # the first value of each
    "content_filter": ("refusal", False),
    "error": ("end_turn", False),
    "cancelled": ("end_turn", False),
    "other": ("end_turn", False),
})  # fmt: skip
# Members that every response has by habit.
HABITS: Final[Mapping[str, Any]] = MappingProxyType({
    "type": "message", "role": "assistant", "stop_reason": None, "stop_sequence": None
})  # fmt: skip


IMAGE_TYPES: Final = frozenset({"image/jpeg", "image/png", "image/gif", "image/webp"})
PDF: Final = "application/pdf"
PLAIN: Final = "text/plain"
SEARCH_RESULT: Final = "search_result"
SEARCH_RESULT_PLACE: Final = "search_result_location"
MAX_TEMPERATURE: Final = 1

_OF_DOCUMENT: Final = {"document_title": "title", "cited_text": "cited_text", "file_id": "file_id"}
# Citations: wire type -> (canonical kind, wire member -> canonical member). The first type of a kind is the habit.
CITATIONS: Final[Mapping[str, tuple[str, Mapping[str, str]]]] = MappingProxyType({
    "web_search_result_location": ("url", {"url": "url", "title": "title", "cited_text": "cited_text"}),
    "char_location": ("document", {
        **_OF_DOCUMENT, "start_char_index": "start_index", "end_char_index": "end_index",
    }),
    "page_location": ("document", _OF_DOCUMENT),
    "content_block_location": ("document", _OF_DOCUMENT),
    SEARCH_RESULT_PLACE: ("document", {"source": "name", "title": "title", "cited_text": "cited_text"}),
})  # fmt: skip
CITATION_HABITS: Final[Mapping[str, str]] = MappingProxyType(
    {"url": "web_search_result_location", "document": "char_location"}
)

USAGE: Final[Mapping[str, str]] = MappingProxyType({
    "input_tokens": "input_tokens",
    "output_tokens": "output_tokens",
    "cache_read_input_tokens": "cache_read_tokens",
    "cache_creation_input_tokens": "cache_write_tokens",
})  # fmt: skip
# Counts included in the canonical `input_tokens`, and not in Claude's.
CACHE_COUNTS: Final[Mapping[str, str]] = MappingProxyType(
    {wire: name for wire, name in USAGE.items() if wire.startswith("cache_")}
)
OUTPUT_DETAILS: Final = "output_tokens_details"
THINKING_TOKENS: Final = "thinking_tokens"

NAME_LIMIT: Final = 64
ID_LIMIT: Final = 128
# Default behavior where a request does not set it. Source: docs/wire/claude.md, section 1.
DEFAULTS: Final[Mapping[str, tuple[Any, ...]]] = MappingProxyType({
    "n": (1,), "temperature": (1,), "top_p": (1,), "logprobs": (False,), "modalities": (["text"],), "store": (False,),
    "stream_usage": (True,), "stream_obfuscation": (False,), "top_logprobs": (0,), "verbosity": ("medium",),
})  # fmt: skip
# Values for members that Claude requires and the source may lack.
FILLS: Final[Mapping[str, Any]] = MappingProxyType({"model": "", "max_tokens": MAX_TOKENS})
