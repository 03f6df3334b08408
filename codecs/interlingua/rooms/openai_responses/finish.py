"""What a completed answer says by its output, and whose calls it holds: the dialect has no word for why it ended.

Source: docs/wire/openai_responses.md, section 2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.rooms.openai_responses.tables import (
    ACCENT_REASONS,
    CALLS,
    CLIENT_CALLS,
    CUSTOM_CALL,
    CUSTOM_RESULT,
    INCOMPLETE_REASONS,
    RUN_BY_SERVER,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

# What calls a tool of the client where an answer is made of one of another dialect, whose calls these were.
CALLS_ABROAD: Final = frozenset({*CALLS, *CLIENT_CALLS})
_CUSTOM: Final = (CUSTOM_CALL, CUSTOM_RESULT)  # what is compared with them may be anything


def is_run_by_server(item: Mapping[str, Any]) -> bool:
    """Tell whether an item that looks like a call of a custom tool, or its result, is of a tool that the server ran.

    Nobody offered such a tool, and no client can answer its call.
    """
    identifier = item.get("call_id")
    return item.get("type") in _CUSTOM and type(identifier) is str and identifier.startswith(RUN_BY_SERVER)


def reason_of(word: str) -> str:
    """Return the canonical reason of an answer that is incomplete, by the word for why."""
    return INCOMPLETE_REASONS.get(word) or ACCENT_REASONS.get(word, "other")


def completed_reason(messages: Iterable[Mapping[str, Any]]) -> str:
    """Return the canonical reason of a completed answer: it calls tools, or declines, or has said all."""
    reason = "stop"
    for message in messages:
        if message["role"] == "assistant":
            if message.get("tool_calls"):
                return "tool_calls"
            if "refusal" in message:
                reason = "refusal"
    return reason


def finish_reason_of_items(output: Iterable[Any], calls: Collection[str] = CALLS) -> str:
    """Return the same, from the items of the output as they are written; `calls` are the types of those that call."""
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
    """Tell whether the last part of a message is a refusal."""
    last: Any = content[-1] if type(content) is list and content else None
    return type(last) is dict and last.get("type") == "refusal"


def output_text(messages: Iterable[Mapping[str, Any]]) -> str:
    """Return all texts of an answer joined, as the official SDK and some vendors add them."""
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
