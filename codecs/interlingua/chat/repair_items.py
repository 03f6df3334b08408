"""Repairs opaque items of the target dialect: their ids, and calls and results among them.

Source: docs/pain.md, HIS-2, HIS-8, TOOL-2. A verbatim value is kept or dropped as a whole, never edited.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interlingua.chat.repair_draft import Draft, Entry, object_of, string_of, with_bag
from interlingua.rooms._shared.claude_results import SERVER_CALLS, is_server_result

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.chat.repair_draft import Plain

__all__ = ["drop_item_ids", "drop_unpaired_items", "drop_unpaired_server_results"]


def drop_item_ids(draft: Draft) -> None:
    """Drop item ids that the provider did not assign, and duplicates (docs/pain.md, TOOL-2).

    The provider accepts an item without an id.
    """
    if not draft.demands.item_ids:
        return
    seen: set[str] = set()
    made: list[Entry] = []
    for entry in draft.entries:
        if entry.role == "opaque":
            identifier = entry.message["data"].get("id") if draft.is_visible(entry) else None
            if isinstance(identifier, str) and identifier in seen:
                draft.log.note("duplicate_id", "dropped", entry.path, "an earlier item has the same id")
                continue
            if isinstance(identifier, str):
                seen.add(identifier)
            made.append(entry)
        else:
            made.append(_with_own_ids(draft, entry, seen))
    draft.entries = made


def _with_own_ids(draft: Draft, entry: Entry, seen: set[str]) -> Entry:
    message, begins = entry.message, draft.demands.item_ids
    if entry.role == "assistant" and "reasoning" in draft.bag(message):
        bag = draft.bag(message)
        path = f"{entry.path}/extra/{draft.dialect}/reasoning"
        thought = _without_id(draft, bag["reasoning"], begins["reasoning"], path, seen)
        if thought is not bag["reasoning"]:
            others = {name: value for name, value in bag.items() if name != "reasoning"}
            # Abroad an empty item would get an id from its position.
            kept = {**others, "reasoning": thought} if thought or draft.home else others
            message = with_bag(message, draft.dialect, kept)
    message = _of_owner(draft, message, "" if entry.role == "tool" else begins["message"], entry.path, seen)
    calls = [
        _of_owner(
            draft,
            call,
            begins["custom" if call.get("kind") == "custom" else "call"],
            f"{entry.path}/tool_calls/{at}",
            seen,
        )
        for at, call in enumerate(message.get("tool_calls", ()))
    ]
    if any(one is not other for one, other in zip(calls, message.get("tool_calls", ()), strict=True)):
        message = {**message, "tool_calls": calls}
    return entry if message is entry.message else entry.with_message(message)


def _of_owner(draft: Draft, value: Plain, prefix: str, path: str, seen: set[str]) -> Plain:
    """Return a message or call without an invalid item id."""
    bag = draft.bag(value)
    if "id" not in bag:
        return value
    left = _without_id(draft, bag, prefix, f"{path}/extra/{draft.dialect}", seen)
    return value if left is bag else with_bag(value, draft.dialect, left)


def _without_id(draft: Draft, bag: Mapping[str, Any], prefix: str, path: str, seen: set[str]) -> Mapping[str, Any]:
    identifier = bag.get("id")
    if identifier is None:
        return bag
    is_repeated = identifier in seen
    if identifier.startswith(prefix) and not is_repeated:
        seen.add(identifier)
        return bag
    detail = "an earlier item has the same id" if is_repeated else f"the provider's begin with {prefix}"
    draft.log.note("duplicate_id" if is_repeated else "id", "dropped", f"{path}/id", detail)
    # The status belongs to the item with the id.
    return {name: value for name, value in bag.items() if name not in {"id", "status"}}


def drop_unpaired_items(draft: Draft) -> None:
    """Drop opaque calls without a result, and opaque results without a call (docs/pain.md, HIS-2)."""
    answers = draft.demands.answered_items
    if not answers:
        return
    called: dict[str, int] = {}
    unpaired: dict[int, bool] = {}
    for number, entry in enumerate(draft.entries):
        if entry.role == "opaque" and draft.is_visible(entry):
            data = entry.message["data"]
            kind, identifier = string_of(data, "type"), data.get("call_id")
            if kind in answers and isinstance(identifier, str) and data.get("async") is not True:
                called[identifier] = number
                unpaired[number] = True
            elif kind in answers.values() and isinstance(identifier, str):
                unpaired.pop(called.get(identifier, -1), None)
                if identifier not in called and not draft.has_server_history:
                    unpaired[number] = False
        elif entry.role == "tool":
            unpaired.pop(called.get(str(entry.message.get("call_id")), -1), None)
    for number, is_call in unpaired.items():
        if is_call:
            draft.log.note("unanswered_call", "dropped", draft.entries[number].path, "a text cannot answer this call")
        else:
            draft.log.note("orphan_result", "dropped", draft.entries[number].path, "no earlier call has its id")
    draft.entries = [entry for number, entry in enumerate(draft.entries) if number not in unpaired]


def drop_unpaired_server_results(draft: Draft) -> None:
    """Drop results of the provider's own tools whose calls are not in the same turn (docs/pain.md, HIS-2)."""
    if not draft.demands.paired_server_results:
        return
    call_ids = set[str]()
    running = False
    for number, entry in enumerate(draft.entries):
        if not draft.is_visible(entry):
            continue
        if entry.role != "assistant":
            running = False
            continue
        if not running:
            call_ids, running = set[str](), True
        content = entry.message.get("content")
        if content and not isinstance(content, str):
            draft.entries[number] = _without_unpaired(draft, entry, content, call_ids)


def _without_unpaired(draft: Draft, entry: Entry, content: list[Plain], call_ids: set[str]) -> Entry:
    left: list[int] = []
    for at, part in enumerate(content):
        data = object_of(part["data"]) if part["type"] == "opaque" and part["dialect"] == draft.dialect else {}
        kind = string_of(data, "type")
        if kind in SERVER_CALLS:
            call_ids.add(string_of(data, "id"))
        elif is_server_result(kind) and (string_of(data, "tool_use_id") or None) not in call_ids:
            draft.log.note(
                "orphan_result", "dropped", entry.part_path("content", at), "its call is not in the same turn"
            )
            continue
        left.append(at)
    return entry if len(left) == len(content) else entry.without_parts(left)
