"""The vocabulary of Responses: one table per member for both directions.

Source: docs/wire/openai_responses.md; https://platform.openai.com/docs/api-reference/responses
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from interlingua.rate_limits import OPENAI

if TYPE_CHECKING:
    from collections.abc import Mapping

DIALECT: Final = "openai_responses"
REQUEST_ID_HEADER: Final = "x-request-id"
RATE_LIMIT_HEADERS: Final = OPENAI

# Settings that both forms have: wire name -> (canonical name, accepted JSON types).
SETTINGS: Final[Mapping[str, tuple[str, tuple[type, ...]]]] = MappingProxyType({
    "max_output_tokens": ("max_tokens", (int,)),
    "top_logprobs": ("top_logprobs", (int,)),
    **{name: (name, (str,)) for name in ("model", "service_tier", "prompt_cache_key", "prompt_cache_retention")},
    **{name: (name, (bool,)) for name in ("parallel_tool_calls", "stream", "store")},
    **{name: (name, (int, float)) for name in ("temperature", "top_p")},
    **{name: (name, (dict,)) for name in ("metadata", "moderation")},
})  # fmt: skip
SETTING_NAMES: Final[Mapping[str, str]] = MappingProxyType({name: wire for wire, (name, _) in SETTINGS.items()})
SERVICE_TIERS: Final[Mapping[str, str]] = MappingProxyType(
    {word: word for word in ("auto", "default", "flex", "scale", "priority", "fast", "ultrafast")}
)
NEAREST_SERVICE_TIERS: Final[Mapping[str, str]] = MappingProxyType({"on_demand": "default", "performance": "priority"})


def _not_held(status: int, param: str, code: str | None, message: str = "") -> tuple[int, dict[str, Any]]:
    message = message or f"What `{param}` names is not held here; send all of it with the request."
    return status, {"error": {"message": message, "type": "invalid_request_error", "param": param, "code": code}}


# References to a conversation that OpenAI's server holds, with the errors for them.
HELD_BY_SERVER: Final[Mapping[str, tuple[int, Mapping[str, Any]]]] = MappingProxyType({
    "previous_response_id": _not_held(400, "previous_response_id", "previous_response_not_found"),
    "conversation": _not_held(404, "conversation", None),
    "prompt": _not_held(404, "prompt", None),
})  # fmt: skip
_ITEM_NOT_HELD: Final = (
    "An item that `input` refers to is not held here; send the item itself: clients that store nothing (`store` false) "
    "do so."
)
# The same for items. References to reasoning are harmless: encrypted reasoning is not translated anyway.
HELD_ITEMS: Final[Mapping[str, tuple[str, int, Mapping[str, Any]]]] = MappingProxyType({
    "item_reference": ("rs_", *_not_held(404, "input", None, _ITEM_NOT_HELD)),
})  # fmt: skip
# The value of `include` that asks for log probabilities.
INCLUDE_LOGPROBS: Final = "message.output_text.logprobs"
# The value of `include` that asks for encrypted reasoning.
INCLUDE_REASONING: Final = "reasoning.encrypted_content"
# Web search members that only OpenAI has.
LIVE_SEARCH: Final = frozenset({"external_web_access", "search_content_types"})

ROLES: Final = frozenset({"system", "developer", "user", "assistant"})
# Members of items that only the provider understands.
STATE_MEMBERS: Final = ("id", "status", "phase")
# Calls and results of client tools: item types, and the member of a call that holds its arguments.
FUNCTION_CALL, CUSTOM_CALL = "function_call", "custom_tool_call"
FUNCTION_RESULT, CUSTOM_RESULT = "function_call_output", "custom_tool_call_output"
CALLS: Final[Mapping[str, str]] = MappingProxyType({FUNCTION_CALL: "arguments", CUSTOM_CALL: "input"})
RESULTS: Final = frozenset({FUNCTION_RESULT, CUSTOM_RESULT})
# Prefix of the ids of calls that xAI's server ran itself, to search X: they look like custom tool calls.
RUN_BY_SERVER: Final = "xs_call_"

# Call items of client tools.
CLIENT_CALLS: Final = frozenset(
    {"shell_call", "local_shell_call", "apply_patch_call", "computer_call", "tool_search_call"}
)
# Where an exchange notes that a response's call is one of a client tool: the type of the tool.
CLIENT_TOOL: Final = "client_tool"

# Types of text parts; the habit depends on the role.
INPUT_TEXT, OUTPUT_TEXT = "input_text", "output_text"
TEXT_TYPES: Final = frozenset({INPUT_TEXT, OUTPUT_TEXT, "text"})
# Types of the texts of a reasoning item, in its summary and its content.
SUMMARY_TEXT, REASONING_TEXT = "summary_text", "reasoning_text"
CODE_INTERPRETER_CALL: Final = "code_interpreter_call"
IMAGE_GENERATION_CALL: Final = "image_generation_call"
THOUGHT_TYPES: Final = frozenset({SUMMARY_TEXT, REASONING_TEXT, "text"})

# Citations: wire type -> (canonical kind, wire member -> canonical member).
CITATIONS: Final[Mapping[str, tuple[str, Mapping[str, str]]]] = MappingProxyType({
    "url_citation": ("url", {"url": "url", "title": "title", "start_index": "start_index", "end_index": "end_index"}),
    "file_citation": ("file", {"file_id": "file_id", "filename": "name"}),
    "container_file_citation": (
        "container_file",
        {"file_id": "file_id", "filename": "name", "start_index": "start_index", "end_index": "end_index"},
    ),
    "file_path": ("file_path", {"file_id": "file_id"}),
})  # fmt: skip
CITATION_TYPES: Final[Mapping[str, str]] = MappingProxyType({kind: word for word, (kind, _) in CITATIONS.items()})

# `reasoning.summary`: wire value -> canonical display.
DISPLAYS: Final[Mapping[str, str]] = MappingProxyType(
    {"auto": "summarized", "concise": "concise", "detailed": "detailed"}
)
DISPLAY_WORDS: Final[Mapping[str, str]] = MappingProxyType({name: word for word, name in DISPLAYS.items()})
RESPONSE_FORMATS: Final = frozenset({"text", "json_object", "json_schema"})
DETAILS: Final = frozenset({"auto", "low", "high", "original"})

# `incomplete_details.reason` of an incomplete response.
INCOMPLETE_REASONS: Final[Mapping[str, str]] = MappingProxyType({
    "max_output_tokens": "length",
    "content_filter": "content_filter",
})  # fmt: skip
# A limit that no request sets, and other servers' words; `incomplete` stands for a response without a reason.
VENDOR_REASONS: Final[Mapping[str, str]] = MappingProxyType(
    dict.fromkeys(("max_messages", "incomplete", "max_tokens", "length"), "length")
)
INCOMPLETE_WORDS: Final[Mapping[str, str]] = MappingProxyType({name: word for word, name in INCOMPLETE_REASONS.items()})
# Other final values of `status`; `completed` means what the output implies, `incomplete` what its details say.
STATUSES: Final[Mapping[str, str]] = MappingProxyType({"failed": "error", "cancelled": "cancelled"})
STATUS_WORDS: Final[Mapping[str, str]] = MappingProxyType({name: word for word, name in STATUSES.items()})

USAGE: Final[Mapping[str, str]] = MappingProxyType({
    "input_tokens": "input_tokens",
    "output_tokens": "output_tokens",
    "total_tokens": "total_tokens",
})  # fmt: skip
USAGE_DETAILS: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType({
    "input_tokens_details": {"cached_tokens": "cache_read_tokens", "cache_write_tokens": "cache_write_tokens"},
    "output_tokens_details": {"reasoning_tokens": "reasoning_tokens"},
})  # fmt: skip

# This dialect's own reasons without a canonical equivalent, which are kept as they are.
KNOWN_REASONS: Final = frozenset({"incomplete", "max_messages", "steered"})

# Response members that repeat the request.
ECHO: Final = frozenset({
    "access_programs", "background", "background_options", "context_management", "conversation", "frequency_penalty",
    "image", "include", "input", "instructions", "max_output_tokens", "max_tool_calls", "metadata", "moderation",
    "parallel_tool_calls", "presence_penalty", "previous_response_id", "prompt", "prompt_cache_key",
    "prompt_cache_options", "prompt_cache_retention", "reasoning", "safety_identifier", "service_tier", "store",
    "stream", "stream_options", "temperature", "text", "tool_choice", "tools", "top_logprobs", "top_p", "truncation",
    "user",
})  # fmt: skip

MIN_OUTPUT_TOKENS: Final = 16
NAME_LIMIT: Final = 128
FORMAT_NAME_LIMIT: Final = 64
GROUP_NAME_LIMIT: Final = 64
# Grammar languages of custom tools.
GRAMMAR_SYNTAXES: Final = frozenset({"lark", "regex"})
VERBOSITIES: Final = frozenset({"low", "medium", "high"})
ID_LIMIT: Final = 64
# Default behavior where a request does not set it. Source: docs/wire/openai_responses.md, section 1.
DEFAULTS: Final[Mapping[str, tuple[Any, ...]]] = MappingProxyType({
    "n": (1,), "modalities": (["text"],), "stream_usage": (True,)
})  # fmt: skip
# Values for members that Responses requires and the source may lack.
FILLS: Final[Mapping[str, Any]] = MappingProxyType({
    "model": "", "created_at": 0, "format_name": "response", "filename": "file", "detail": "auto",
    "status": "completed", "error_code": "server_error",
})  # fmt: skip

# A member of items by which Codex tells OpenAI in which turn they were made.
ITEM_METADATA: Final = "internal_chat_message_metadata_passthrough"

# Prefixes of media types that no file may have.
NO_FILES: Final = ("audio/", "video/")

# Prefixes of item ids.
ITEM_PREFIXES: Final[Mapping[str, str]] = MappingProxyType({
    "message": "msg", "reasoning": "rs", FUNCTION_CALL: "fc", CUSTOM_CALL: "ctc", "shell_call": "sh",
    "local_shell_call": "lsh", "apply_patch_call": "apc", "computer_call": "cu", "tool_search_call": "tsc",
    IMAGE_GENERATION_CALL: "ig",
})  # fmt: skip
# Item type -> the prefix without which OpenAI refuses the id of an item.
CHECKED_PREFIXES: Final[Mapping[str, str]] = MappingProxyType({
    name: ITEM_PREFIXES[name] for name in ("message", "reasoning", FUNCTION_CALL, CUSTOM_CALL)
})  # fmt: skip


def has_null_content(item: Any) -> bool:
    """Tell whether an item is reasoning with a `content` of null."""
    return item.get("type") == "reasoning" and "content" in item and item["content"] is None
