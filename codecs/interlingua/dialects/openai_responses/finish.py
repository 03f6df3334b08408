"""What a completed answer says by its output: the dialect has no word for why it ended.

Source: reference/wire/openai_responses.md section 2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


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
