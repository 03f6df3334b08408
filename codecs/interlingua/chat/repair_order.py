"""Repairs the order of messages: who speaks first, who speaks before tool calls, and where instructions are.

Source: docs/pain.md, ENC-10, ENC-18. Assistant messages are not dropped: a user text that only marks the start of the
conversation (`OPENING`) is inserted before them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.chat.repair_draft import Draft, Entry, object_of, spelling_of, string_of, without_spelling
from interlingua.json_types import is_list
from interlingua.rooms._shared.claude_results import is_server_result
from interlingua.rooms._shared.user_messages import OPENING
from interlingua.rooms._shared.writing import INSTRUCTIONS

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["OPENING", "insert_user_turn", "join_answers", "place_instructions"]


def join_answers(draft: Draft) -> None:
    """Join an answer with calls to the answer before it, if calls must directly follow the user's turn."""
    if not draft.demands.user_before_calls:
        return
    made: list[Entry] = []
    follows = False
    for entry, calls in _with_calls(draft):
        message = entry.message
        if follows and calls and entry.role == "assistant":
            message = without_spelling(message, draft.dialect, "turn")
            if message is not entry.message:
                draft.log.note(
                    "split_turn", "merged", entry.path, "calls must directly follow a user turn or tool results"
                )
        made.append(entry if message is entry.message else entry.with_message(message))
        if draft.is_visible(entry):
            follows = entry.role == "assistant"
    draft.entries = made


def insert_user_turn(draft: Draft) -> None:
    """Insert a user text before an answer or tool calls that must not come first in the dialect."""
    demands = draft.demands
    if not (demands.user_first or demands.user_before_calls):
        return
    for number, (entry, calls) in enumerate(_with_calls(draft)):
        if not draft.is_visible(entry):
            continue
        if entry.role == "assistant" and (calls or demands.user_first):
            opening = Entry({"role": "user", "content": OPENING}, -1)
            draft.entries = [*draft.entries[:number], opening, *draft.entries[number:]]
            detail = (
                "the first message must be the user's"
                if demands.user_first
                else "calls must directly follow a user turn or tool results"
            )
            draft.log.note("first_message", "inserted", entry.path, detail)
        if entry.role not in INSTRUCTIONS:
            return


def place_instructions(draft: Draft) -> None:
    """Turn misplaced instructions into user text, if at home they must be between the user and an answer.

    Instructions that are more than text are moved after the last user turn before them.
    """
    if not (draft.home and draft.demands.placed_instructions):
        return
    made: list[Entry] = []
    is_open = draft.has_server_history  # whether instructions are allowed here
    place: int | None = None  # after the last user turn and the instructions there
    for entry, is_answered in zip(draft.entries, _before_answers(draft), strict=True):
        if not _is_inline(entry, draft.dialect):
            made.append(entry)
            if draft.is_visible(entry):
                is_open = _allows_instructions_after(entry)
        elif is_open and is_answered:
            made.append(entry)
        elif _is_text(entry.message.get("content")):
            message = {**without_spelling(entry.message, draft.dialect, "system", "turn"), "role": "user"}
            draft.log.note("misplaced_instruction", "changed", entry.path, _BETWEEN)
            made.append(entry.with_message(message))
            is_open = True
        elif place is None or is_open:
            made.append(entry)
        else:
            draft.log.note("misplaced_instruction", "moved", entry.path, _BETWEEN)
            made.insert(place, entry)
            place += 1
            continue
        if _allows_instructions_after(made[-1]) or (place == len(made) - 1 and made[-1].role in INSTRUCTIONS):
            place = len(made)
    draft.entries = made


_BETWEEN: Final = "an instruction is only accepted between a user message and an answer, or last"


def _before_answers(draft: Draft) -> list[bool]:
    """Tell for each message whether an answer or nothing follows it, apart from instructions."""
    detail: list[bool] = []
    is_answer = True
    for entry in reversed(draft.entries):
        detail.append(is_answer)
        if draft.is_visible(entry) and entry.role not in INSTRUCTIONS:
            is_answer = entry.role == "assistant"
    return detail[::-1]


def _is_inline(entry: Entry, dialect: str) -> bool:
    return entry.role in INSTRUCTIONS and spelling_of(entry.message, dialect).get("system") == "inline"


def _is_text(content: Any) -> bool:
    """Tell whether content is text only."""
    return type(content) is str or (is_list(content) and all(object_of(part).get("type") == "text" for part in content))


def _allows_instructions_after(entry: Entry) -> bool:
    """Tell whether instructions may follow a message: a user message, a result, or a server tool's message."""
    if entry.role != "assistant":
        return entry.role in {"user", "tool"}
    content: Any = entry.message.get("content")
    if entry.message.get("tool_calls") or type(content) is not list or not content:
        return False
    last = object_of(content[-1])
    return last.get("type") == "server_result" or is_server_result(string_of(last.get("data"), "type"))


def _with_calls(draft: Draft) -> Iterator[tuple[Entry, bool]]:
    """Yield each message, and whether it or an answer that directly continues it has calls."""
    has_calls: list[bool] = []
    calls = False
    for entry in reversed(draft.entries):
        if draft.is_visible(entry):
            calls = entry.role == "assistant" and (calls or bool(entry.message.get("tool_calls")))
        has_calls.append(calls)
    return zip(draft.entries, reversed(has_calls), strict=True)
