"""Who begins, and who speaks before calls.

Source: docs/pain.md, ENC-10, ENC-18. What the assistant said is not dropped: a text of the user's is put before it,
which says only that the conversation begins there (`OPENING`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from interlingua.chat.repair_draft import Draft, Entry, without_spelling
from interlingua.rooms._shared.asking import OPENING

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["OPENING", "insert_user_turn", "join_answers"]

_INSTRUCTIONS: Final = frozenset({"system", "developer"})


def join_answers(draft: Draft) -> None:
    """Let an answer with calls run on from the answer before it, where calls must directly follow the user's turn."""
    if not draft.demands.user_before_calls:
        return
    made: list[Entry] = []
    follows = False
    for entry, calls in _with_calls(draft):
        message = entry.message
        if follows and calls and entry.role == "assistant":
            message = without_spelling(message, draft.dialect, "turn")
            if message is not entry.message:
                draft.log.note("split_turn", "merged", entry.path, "calls come right after a turn of the user")
        made.append(entry if message is entry.message else entry.with_message(message))
        if draft.is_visible(entry):
            follows = entry.role == "assistant"
    draft.entries = made


def insert_user_turn(draft: Draft) -> None:
    """Put a text of the user's before an answer, or before calls, that may not come first in the dialect."""
    demands = draft.demands
    if not (demands.user_first or demands.user_before_calls):
        return
    for number, (entry, calls) in enumerate(_with_calls(draft)):
        if not draft.is_visible(entry):
            continue
        if entry.role == "assistant" and (calls or demands.user_first):
            opening = Entry({"role": "user", "content": OPENING}, -1)
            draft.entries = [*draft.entries[:number], opening, *draft.entries[number:]]
            told = "the user must begin" if demands.user_first else "calls come right after a turn of the user"
            draft.log.note("first_message", "inserted", entry.path, told)
        if entry.role not in _INSTRUCTIONS:
            return


def _with_calls(draft: Draft) -> Iterator[tuple[Entry, bool]]:
    """Yield each message, and whether it or an answer that follows it without a break has calls."""
    has_calls: list[bool] = []
    calls = False
    for entry in reversed(draft.entries):
        if draft.is_visible(entry):
            calls = entry.role == "assistant" and (calls or bool(entry.message.get("tool_calls")))
        has_calls.append(calls)
    return zip(draft.entries, reversed(has_calls), strict=True)
