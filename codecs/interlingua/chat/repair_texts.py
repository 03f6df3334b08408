"""Repairs texts: empty texts and messages, trailing white space, and lone surrogates.

Source: docs/pain.md, ENC-1, ENC-2, REA-14. Only what the provider refuses is dropped, and never signed reasoning.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any, Final

from interlingua.chat.repair_draft import Draft, Entry, object_of, signed_places, spelling_of
from interlingua.json_limits import DETAILS, is_writable, replace_all_lone_surrogates, unwritable
from interlingua.json_types import is_list
from interlingua.rooms._shared.writing import EMPTY_RESULT, INSTRUCTIONS

if TYPE_CHECKING:
    from interlingua.chat.repair_draft import Plain
    from interlingua.json_limits import Kind
    from interlingua.spi.demands import Texts

__all__ = [
    "drop_empty_lists",
    "drop_empty_messages",
    "drop_empty_texts",
    "fill_failed_results",
    "has_reasoning",
    "repair_lone_surrogates",
    "trim_end",
]

_SERVER_CALL: Final = "server_tool_use"
_HALVES: Final[frozenset[Kind]] = frozenset({"half_character", "half_name"})


def repair_lone_surrogates(draft: Draft) -> None:
    """Replace lone surrogates, which no request can hold (docs/pain.md, VAL-1); too deeply nested values are left."""
    if is_writable([entry.message for entry in draft.entries]):
        return
    for number, entry in enumerate(draft.entries):
        found = list(unwritable(entry.message))
        halves: list[tuple[str, Kind]] = [(path, kind) for path, kind in found if kind in _HALVES]
        if halves and all(kind != "depth" for _, kind in found):
            draft.entries[number] = entry.with_message(replace_all_lone_surrogates(entry.message))
            for path, kind in halves:
                draft.log.note("half_character", "changed", entry.path + path, DETAILS[kind])


def drop_empty_texts(draft: Draft) -> None:
    """Drop empty texts that the dialect refuses; a message that loses all of its texts is left empty."""
    if draft.demands.texts == "any":
        return
    last = draft.last_visible()
    is_leading = True
    has_blocks = draft.demands.blocks_on_top and _has_blocks_on_top(draft)
    made: list[Entry] = []
    for entry in draft.entries:
        is_leading = is_leading and _is_leading(draft, entry)
        entry = _without_empty_thought(draft, entry)  # noqa: PLW2901  # the same message, repaired
        if entry.role == "opaque" or (entry is last and _may_be_empty(draft, entry)):
            made.append(entry)
        elif not is_leading or has_blocks:
            made.append(_without_empty(draft, entry))
        else:
            made.append(entry)
    draft.entries = made


def drop_empty_lists(draft: Draft) -> None:
    """Drop empty part lists beside calls, and make an empty-list result an empty text; abroad the encoder does this."""
    if not draft.demands.lists or draft.demands.texts != "any" or not draft.home:
        return
    for number, entry in enumerate(draft.entries):
        message = entry.message
        if message.get("content") != [] or not (entry.role == "tool" or message.get("tool_calls")):
            continue
        without_content = {name: value for name, value in message.items() if name != "content"}
        draft.entries[number] = entry.with_message(
            {**without_content, "content": ""} if entry.role == "tool" else without_content
        )
        draft.log.note("empty_text", "changed", f"{entry.path}/content", "the list must not be empty")


def fill_failed_results(draft: Draft) -> None:
    """Add a text to the results of failed calls that have no content; abroad the encoder does this."""
    if not draft.demands.failed_results or not draft.home:
        return
    for number, entry in enumerate(draft.entries):
        message = entry.message
        if entry.role == "tool" and message.get("is_error") and not message.get("content"):
            draft.entries[number] = entry.with_message({**message, "content": EMPTY_RESULT})
            draft.log.note("empty_result", "inserted", entry.path, "a text was added that says that it is empty")


def drop_empty_messages(draft: Draft) -> None:
    """Drop empty messages that the dialect refuses; a result may be empty."""
    if draft.demands.texts == "any" and not draft.demands.lists:
        return
    last = draft.last_visible()
    is_leading = True
    kept: list[Entry] = []
    for entry in draft.entries:
        is_leading = is_leading and _is_leading(draft, entry)
        may_be_empty = entry.role in {"opaque", "tool"} or (entry is last and _may_be_empty(draft, entry))
        may_be_empty = may_be_empty or (is_leading and draft.demands.texts != "any")
        if may_be_empty or not _is_empty(draft, entry):
            kept.append(entry)
        else:
            draft.log.note("empty_message", "dropped", entry.path, "a message must not be empty")
    draft.entries = kept


def trim_end(draft: Draft) -> None:
    """Trim white space at the end of a final assistant message (docs/pain.md, ENC-2), and nowhere else."""
    entry = _last_answer(draft)
    if not draft.demands.trimmed_end or entry is None:
        return
    message = entry.message
    content = message.get("content")
    if isinstance(content, str):
        trimmed: Any = content.rstrip()
        path = f"{entry.path}/content"
    elif content and content[-1]["type"] == "text":
        trimmed = [*content[:-1], {**content[-1], "text": content[-1]["text"].rstrip()}]
        path = f"{entry.part_path('content', len(content) - 1)}/text"
    else:
        return
    if trimmed != content:
        repaired = entry.with_message({**message, "content": trimmed})
        draft.entries = [repaired if one is entry else one for one in draft.entries]
        draft.log.note("trailing_space", "trimmed", path, "the last assistant message may not end in white space")


def _last_answer(draft: Draft) -> Entry | None:
    """Return the final answer of a conversation, or None; an empty one continues the answer before it."""
    for entry in reversed(draft.entries):
        if not draft.is_visible(entry):
            continue
        if entry.role != "assistant" or entry.message.get("tool_calls"):
            return None
        if entry.message.get("content") or draft.bag(entry.message).get("thinking_blocks"):
            return entry
    return None


def _is_empty_text(text: str, demand: Texts) -> bool:
    return not text or (demand == "spoken" and text.isspace())


def _is_leading(draft: Draft, entry: Entry) -> bool:
    """Tell whether a message at the start of the conversation belongs to the body's system prompt."""
    return entry.role in INSTRUCTIONS and spelling_of(entry.message, draft.dialect).get("system") != "inline"


def _has_blocks_on_top(draft: Draft) -> bool:
    """Tell whether the system prompt consists of text blocks: one of its messages does, and the others follow it."""
    leading = itertools.takewhile(lambda entry: _is_leading(draft, entry), draft.entries)
    return any(is_list(entry.message.get("content")) for entry in leading)


def _may_be_empty(draft: Draft, entry: Entry) -> bool:
    """Tell whether a message is an empty answer, which may be the last message."""
    return draft.demands.unbegun_answer and entry.role == "assistant" and entry.message.get("content") in ("", [])


def _without_empty(draft: Draft, entry: Entry) -> Entry:
    """Return a message without the refused texts."""
    content = entry.message.get("content")
    demand = _demand(draft, entry)
    if isinstance(content, str):
        if entry.role == "tool" or not _is_empty_text(content, demand) or _is_signed(entry, "/content"):
            return entry
        return _without_content(draft, entry)
    if not content:
        return entry
    dropped = [
        at
        for at, part in enumerate(content)
        if part["type"] == "text"
        and _is_empty_text(part["text"], demand)
        and not _is_signed(entry, f"/content/{at}", *(("/content",) if len(content) == 1 else ()))
    ]
    if not dropped:
        return entry
    for at in dropped:
        draft.log.note("empty_text", "dropped", entry.part_path("content", at), "a text must not be empty")
    dropped_indexes = set(dropped)
    return entry.without_parts([at for at in range(len(content)) if at not in dropped_indexes])


def _without_empty_thought(draft: Draft, entry: Entry) -> Entry:
    """Return a message without empty unsigned reasoning, if the dialect treats reasoning as a text."""
    reasoning = entry.message.get("reasoning")
    if draft.demands.signed or reasoning is None or _has_signed_thought(entry):
        return entry
    parts = [{"type": "text", "text": reasoning}] if isinstance(reasoning, str) else reasoning
    left = [part for part in parts if part["type"] != "text" or part["text"]]
    if parts and len(left) == len(parts):
        return entry
    draft.log.note("empty_text", "dropped", f"{entry.path}/reasoning", "a text must not be empty")
    others = {name: value for name, value in entry.message.items() if name != "reasoning"}
    return entry.with_message({**others, "reasoning": left} if left else others)


def _has_signed_thought(entry: Entry) -> bool:
    return any(place.startswith("/reasoning") for place in signed_places(entry.message))


def _demand(draft: Draft, entry: Entry) -> Texts:
    """Return which texts of a message are accepted; white space is, in tool output and between server tool calls."""
    content = entry.message.get("content")
    parts = () if content is None or isinstance(content, str) else content
    if entry.role == "tool" or any(_is_server_call(part) for part in parts):
        return "any" if draft.demands.texts == "any" else "filled"
    return draft.demands.texts


def _is_server_call(part: Plain) -> bool:
    return part["type"] == "opaque" and object_of(part["data"]).get("type") == _SERVER_CALL


def _without_content(draft: Draft, entry: Entry) -> Entry:
    draft.log.note("empty_text", "dropped", f"{entry.path}/content", "a text must not be empty")
    return entry.with_message({name: value for name, value in entry.message.items() if name != "content"})


def _is_signed(entry: Entry, *places: str) -> bool:
    """Tell whether an empty text has a signature, with which its provider accepts it."""
    return any(place in places for place in signed_places(entry.message))


def _is_empty(draft: Draft, entry: Entry) -> bool:
    """Tell whether a message has nothing to encode for its dialect."""
    message = entry.message
    if message.get("content") or message.get("refusal") or message.get("tool_calls"):
        return False
    if draft.demands.texts == "any":
        # Only the empty list is refused; other members, such as audio, are content of their own.
        return message.get("content") in (None, []) and not draft.bag(message).keys() - {"spelling"}
    if entry.role == "assistant" and has_reasoning(draft, message):
        return False
    # A system message without content may set something else.
    return not (entry.role in INSTRUCTIONS and "content" not in message and draft.bag(message).get("fields"))


def has_reasoning(draft: Draft, message: Plain) -> bool:
    """Tell whether a message's reasoning is encoded: the provider's own, or any if the dialect has no signatures."""
    bag = draft.bag(message)
    if bag.get("thinking_blocks") or bag.get("reasoning") or bag.get("opaque_calls"):
        return True
    return bool(message.get("reasoning")) and not draft.demands.signed and (draft.home or bool(bag))
