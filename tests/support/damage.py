"""Conversations as they are after crashes, interrupts, trimming and careless edits: input for `repair_request`."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

Messages = list[dict[str, Any]]

INTERRUPTION: Final = "Wait a moment."
_LONGEST_CUT: Final = 6


def damaged(messages: Messages) -> Iterator[tuple[str, Messages]]:
    """Yield the messages as they are, and with each kind of damage that they can have."""
    yield "none", messages
    if any(message["role"] == "tool" for message in messages):
        yield from _without_results(messages)
        yield from _disordered(messages)
    if any(message.get("tool_calls") for message in messages):
        yield from _without_calls(messages)
        yield "ids", _with_refused_ids(messages)
        yield "one id for all", _with_one_id(messages)
    yield "an empty message behind each", _behind_each(messages, {"user": "", "assistant": ""})
    yield "two turns of the user in a row", _behind_each(messages, {"user": INTERRUPTION})
    yield "empty parts", [_with_empty_parts(message) for message in messages]
    for first in range(1, min(len(messages), _LONGEST_CUT)):
        yield f"the first {first} trimmed away", messages[first:]
    yield "white space at the end", [*messages, {"role": "assistant", "content": "So: \n"}]


def _without_results(messages: Messages) -> Iterator[tuple[str, Messages]]:
    first = next(number for number, message in enumerate(messages) if message["role"] == "tool")
    yield "a result removed", [message for number, message in enumerate(messages) if number != first]
    yield "all results removed", [message for message in messages if message["role"] != "tool"]
    yield "results doubled", [one for message in messages for one in [message] * (1 + (message["role"] == "tool"))]


def _disordered(messages: Messages) -> Iterator[tuple[str, Messages]]:
    results = [message for message in reversed(messages) if message["role"] == "tool"]
    others = [message for message in messages if message["role"] != "tool"]
    yield "results at the end, backwards", [*others, *results]
    yield "results at the beginning, backwards", [*results, *others]
    interrupted: Messages = []
    for message in messages:
        if message["role"] == "tool":
            interrupted.append({"role": "user", "content": INTERRUPTION})
        interrupted.append(message)
    yield "the user between calls and results", interrupted


def _without_calls(messages: Messages) -> Iterator[tuple[str, Messages]]:
    asked = [number for number, message in enumerate(messages) if message.get("tool_calls")]
    yield "a message with calls removed", [message for number, message in enumerate(messages) if number != asked[0]]
    yield "interrupted after the last calls", messages[: asked[-1] + 1]
    fewer = copy.deepcopy(messages)
    fewer[asked[0]]["tool_calls"] = fewer[asked[0]]["tool_calls"][1:]
    if not fewer[asked[0]]["tool_calls"]:
        del fewer[asked[0]]["tool_calls"]
        fewer[asked[0]].setdefault("content", INTERRUPTION)
    yield "a call removed", fewer


def _with_refused_ids(messages: Messages) -> Messages:
    changed = copy.deepcopy(messages)
    for message in changed:
        for call in message.get("tool_calls", ()):
            if "id" in call:
                call["id"] = f"functions.Bash:{call['id']}"
        if "call_id" in message:
            message["call_id"] = f"functions.Bash:{message['call_id']}"
    return changed


def _with_one_id(messages: Messages) -> Messages:
    changed = copy.deepcopy(messages)
    for message in changed:
        for call in message.get("tool_calls", ()):
            if "id" in call:
                call["id"] = "call_1"
        if "call_id" in message:
            message["call_id"] = "call_1"
    return changed


def _behind_each(messages: Messages, contents: dict[str, str]) -> Messages:
    made: Messages = []
    for message in messages:
        made.append(message)
        if message["role"] in contents:
            made.append({"role": message["role"], "content": contents[message["role"]]})
    return made


def _with_empty_parts(message: dict[str, Any]) -> dict[str, Any]:
    if message["role"] not in {"user", "assistant"} or "content" not in message:
        return message
    content = message["content"]
    parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
    return {**message, "content": [{"type": "text", "text": " \n"}, *parts, {"type": "text", "text": ""}]}
