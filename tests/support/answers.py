"""Pairs results and calls as a provider does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def pairs(messages: Sequence[Mapping[str, Any]]) -> list[int | None]:
    """Return the call of each result: by id, else by name, else by order among the calls that are still open.

    Without an id, it is first looked for among the calls without an id.
    """
    calls: list[Mapping[str, Any]] = []
    open_calls: list[int] = []
    answers: list[int | None] = []
    for message in messages:
        for call in message.get("tool_calls", ()):
            open_calls.append(len(calls))
            calls.append(call)
        if message["role"] == "tool":
            answered = _answered_call(message, calls, open_calls)
            answers.append(answered)
            if answered in open_calls:
                open_calls.remove(answered)
    return answers


def _answered_call(
    message: Mapping[str, Any], calls: Sequence[Mapping[str, Any]], open_calls: Sequence[int]
) -> int | None:
    identifier = message.get("call_id", message.get("id"))
    if identifier is not None:
        return next((at for at in reversed(range(len(calls))) if calls[at].get("id") == identifier), None)
    named = [at for at in open_calls if message.get("name") and calls[at]["name"] == message["name"]]
    some = named or open_calls
    return next(iter([at for at in some if "id" not in calls[at]] or some), None)
