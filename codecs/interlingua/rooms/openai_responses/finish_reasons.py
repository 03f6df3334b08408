"""The finish reason that the output of a completed response implies, and which calls count for it.

Source: docs/wire/openai_responses.md, section 2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.rooms.openai_responses.tables import (
    CALLS,
    CLIENT_CALLS,
    CUSTOM_CALL,
    CUSTOM_RESULT,
    INCOMPLETE_REASONS,
    RUN_BY_SERVER,
    VENDOR_REASONS,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

# Call items that count in a response encoded from another dialect: client tools', too.
CALLS_ABROAD: Final = frozenset({*CALLS, *CLIENT_CALLS})
_CUSTOM: Final = (CUSTOM_CALL, CUSTOM_RESULT)  # compared with values of any type


def is_run_by_server(item: Mapping[str, Any]) -> bool:
    """Return whether an item that looks like a custom tool call, or its result, is of a tool that the server ran.

    Nobody offered such a tool, and no client can answer its call.
    """
    identifier = item.get("call_id")
    return item.get("type") in _CUSTOM and type(identifier) is str and identifier.startswith(RUN_BY_SERVER)


def reason_of(word: str) -> str:
    """Return the canonical finish reason for the reason of an incomplete response."""
    return INCOMPLETE_REASONS.get(word) or VENDOR_REASONS.get(word, "other")


def implied_reason(messages: Iterable[Mapping[str, Any]]) -> str:
    """Return the finish reason that the messages of a completed response imply."""
    reason = "stop"
    for message in messages:
        if message["role"] == "assistant":
            if message.get("tool_calls"):
                return "tool_calls"
            if "refusal" in message:
                reason = "refusal"
    return reason


def implied_reason_of_items(output: Iterable[Any], calls: Collection[str] = CALLS) -> str:
    """Return the finish reason that output items imply; `calls` are the item types that count as tool calls."""
    reason = "stop"
    for item in output:
        kind = item.get("type", "message")
        if kind is None or kind == "message":
            if item.get("role") == "assistant" and _is_refusal(item.get("content")):
                reason = "refusal"
        elif isinstance(kind, str) and kind in calls and not is_run_by_server(item):
            return "tool_calls"
    return reason


def _is_refusal(content: Any) -> bool:
    """Return whether the last part of a message is a refusal."""
    last: Any = content[-1] if type(content) is list and content else None
    return type(last) is dict and last.get("type") == "refusal"


def output_text(messages: Iterable[Mapping[str, Any]]) -> str:
    """Return all texts of a response joined, as the official SDK and some vendors provide them."""
    texts: list[str] = []
    for message in messages:
        content = message.get("content", ())
        if message["role"] != "assistant":
            continue
        if isinstance(content, str):
            texts.append(content)
        else:
            texts.extend(part["text"] for part in content if part["type"] == "text")
    return "".join(texts)
