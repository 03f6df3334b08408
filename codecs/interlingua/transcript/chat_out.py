"""Converts transcript messages to the chat messages that a model sees."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Final

from interlingua.argument_checks import check_mapping, check_several
from interlingua.errors import UnresolvedMessageError
from interlingua.model import ModeChangeControl, SystemControlMessage, UnknownMessage
from interlingua.transcript.chat_notes import notes_of, without_notes
from interlingua.transcript.compaction import INSTRUCTIONS, compacted
from interlingua.transcript.drafts import Draft, finished
from interlingua.transcript.kinds import check_kind
from interlingua.transcript.model_views import Unresolved, model_view
from interlingua.transcript.result_placement import ResultPlacement
from interlingua.transcript.stale_resources import stale_resources

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from interlingua.model import AnyMessage, ChatMessage, Control, Message

_LOGGER: Final = logging.getLogger("interlingua.transcript")


def to_chat(
    messages: Iterable[AnyMessage], *, mode_prompts: Mapping[str, str] | None = None, takes_pictures: bool = True
) -> list[ChatMessage]:
    """Return the chat messages that a model sees of a transcript.

    A message with `joins: true` is folded into the one before. A tool result is placed directly after the turn that
    called the tool, whenever it arrived. Control messages are left out; with `mode_prompts`, the prompt of the current
    mode becomes a system message, after the other instructions at the beginning. A message of an unknown type is left
    out, and a warning is logged. Of several resources with one URI, only the newest is kept. Messages covered by a
    compaction are replaced by its summary.

    With `takes_pictures=False`, for a model that accepts none, an image is replaced by the text that was read from it.

    Args:
        messages: The messages of one branch, in order.
        mode_prompts: The prompt of each mode, by name.
        takes_pictures: Whether the model accepts images.

    Raises:
        UnresolvedMessageError: a file or image has not been resolved.
        EncodeError: the output of a tool is not JSON.
        TypeError: a value is not a message of the current schema version.

    Example:
        >>> il.to_chat([il.messages.user("Hi")])[0].role
        'user'
    """
    listed = tuple(check_several(messages, "messages"))
    if mode_prompts is not None:
        check_mapping(mode_prompts, "mode_prompts")
    for message in listed:
        check_kind(message)
    stale = stale_resources(listed)
    summarised = compacted(listed)
    drafts: list[Draft] = []
    unknown = 0
    for index in summarised.order(len(listed)):
        message = listed[index]
        if isinstance(message, UnknownMessage):
            unknown += 1
            continue
        if index in stale:
            continue
        draft = _draft(message, index, takes_pictures=takes_pictures)
        joins = message.joins and index - 1 not in summarised.hidden
        if draft is not None and not (joins and drafts and drafts[-1].fold(draft)):
            drafts.append(draft)
    if unknown:
        _LOGGER.warning("left out %d message(s) that this version does not understand", unknown)
    prompt = _mode_prompt(listed, mode_prompts or {})
    if prompt is not None:
        drafts.insert(_after_instructions(drafts), Draft("system", {"content": prompt}))
    return _placed(finished(drafts), [draft.is_kept for draft in drafts])


def _draft(message: Message, index: int, *, takes_pictures: bool) -> Draft | None:
    """Return the draft for one message, or None if a model does not see it."""
    notes = notes_of(message.extra)
    try:
        draft = model_view(message, notes, index, takes_pictures=takes_pictures)
    except Unresolved:
        raise UnresolvedMessageError(index, message.id, message.type) from None
    if draft is None:
        return None
    extra = without_notes(message.extra, notes)
    if extra is not None:
        draft.members["extra"] = extra
    identifier = notes.get("id")
    if isinstance(identifier, str):
        draft.members["id"] = identifier
    return draft


def _mode_prompt(messages: Sequence[AnyMessage], prompts: Mapping[str, str]) -> str | None:
    """Return the prompt of the current mode, if there is one."""
    if not prompts:
        return None
    for message in reversed(messages):
        mode = _mode(message.data.control) if isinstance(message, SystemControlMessage) else None
        if mode is not None:
            return prompts.get(mode)
    return None


def _mode(control: Control) -> str | None:
    """Return the mode that a control selects, None for another kind of control; a new kind must be decided here."""
    if isinstance(control, ModeChangeControl):
        return control.new_mode
    match control.kind:
        case "branch_switch" | "custom":
            return None


def _after_instructions(drafts: Sequence[Draft]) -> int:
    """Return the index after the instructions at the beginning."""
    return next((at for at, draft in enumerate(drafts) if draft.role not in INSTRUCTIONS), len(drafts))


def _placed(messages: list[ChatMessage], kept: Sequence[bool]) -> list[ChatMessage]:
    """Return the messages with each result after the turn that called it, unless it must keep its place."""
    late = {index: end for index, end in ResultPlacement(messages).late.items() if not kept[index]}
    if not late:
        return messages
    followers: dict[int, list[ChatMessage]] = {}
    for index, end in late.items():
        followers.setdefault(end, []).append(messages[index])
    placed: list[ChatMessage] = []
    for index, message in enumerate(messages):
        if index not in late:
            placed.append(message)
        placed += followers.get(index, ())
    return placed
