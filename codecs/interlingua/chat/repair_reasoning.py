"""Repairs reasoning that its provider would refuse: unsigned, orphaned, or missing where it is required.

Source: docs/pain.md, REA-1, REA-4, REA-6, REA-8, REA-14. Signed reasoning is never touched, and nothing is signed here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.carried_signatures import NO_SIGNATURE, is_sealed
from interlingua.chat.repair_draft import object_of, spelling_of, string_of, with_bag

if TYPE_CHECKING:
    from interlingua.chat.repair_draft import Draft, Entry, Plain
    from interlingua.chat.repair_log import RepairCode

__all__ = ["disable_reasoning", "drop_foreign", "drop_orphan_reasoning", "drop_unsigned"]

_ENCRYPTED: Final = "encrypted_content"
_SIGNATURES: Final = "thought_signatures"
_FOREIGN: Final = "another provider signed it: Google's placeholder was put in its place"


def drop_unsigned(draft: Draft) -> None:
    """Drop unsigned thinking blocks with their texts, if the dialect checks signatures."""
    if draft.demands.signed:
        draft.entries = [_signed(draft, entry) if entry.role == "assistant" else entry for entry in draft.entries]


def drop_foreign(draft: Draft) -> None:
    """Drop reasoning items in which an exchange carried another provider's signatures, and such signatures of calls."""
    draft.entries = [_own(draft, entry) if entry.role == "assistant" else entry for entry in draft.entries]


def _own(draft: Draft, entry: Entry) -> Entry:
    bag = draft.bag(entry.message)
    if is_sealed(bag.get("reasoning", {}).get(_ENCRYPTED)):
        return _without_reasoning(draft, entry, "unsigned_reasoning", "another provider signed it")
    held = bag.get(_SIGNATURES, ())
    if not any(is_sealed(one["signature"]) for one in held):
        return entry
    draft.log.note("unsigned_reasoning", "changed", f"{entry.path}/extra/{draft.dialect}/{_SIGNATURES}", _FOREIGN)
    read = [{**one, "signature": NO_SIGNATURE} if is_sealed(one["signature"]) else one for one in held]
    return entry.with_message(with_bag(entry.message, draft.dialect, {**bag, _SIGNATURES: read}))


def drop_orphan_reasoning(draft: Draft) -> None:
    """Drop reasoning whose following item was removed or edited (docs/pain.md, REA-8)."""
    if not draft.demands.followed_reasoning:
        return
    made: list[Entry] = []
    is_followed = False  # whether the model made the next item
    for entry in reversed(draft.entries):
        repaired = entry
        if entry.role == "assistant":
            item_is_followed = _is_followed(draft, entry.message)
            is_followed = item_is_followed if item_is_followed is not None else is_followed
            if not is_followed and "id" in draft.bag(entry.message).get("reasoning", {}):
                repaired = _without_reasoning(
                    draft, entry, "orphan_reasoning", "the message or call that it led to is missing"
                )
        elif draft.is_visible(entry):
            is_followed = entry.role == "opaque" and _is_from_model(entry.message["data"])
        if repaired.message.keys() - {"role", "extra"} or repaired.message.get("extra") or repaired is entry:
            made.append(repaired)
    draft.entries = made[::-1]


def disable_reasoning(draft: Draft) -> None:
    """Turn reasoning off if the open turn has calls and no reasoning, since the provider would not continue it."""
    settings = draft.request.get("reasoning")
    if (
        not draft.demands.signed
        or settings is None
        or not _requests_reasoning(draft, settings)
        or draft.request.get("max_tokens") == 0
    ):
        return
    if not (_open_turn_lacks(draft) or _ends_in_text(draft)):
        return
    kept = {name: value for name, value in settings.items() if name not in {"mode", "budget_tokens", "display"}}
    draft.request = {**draft.request, "reasoning": {**kept, "mode": "disabled"}}
    draft.log.note("reasoning_setting", "changed", "/reasoning/mode", "the open turn began without reasoning")


def _signed(draft: Draft, entry: Entry) -> Entry:
    """Return an assistant message without its unsigned thinking blocks."""
    message = entry.message
    bag = draft.bag(message)
    blocks = bag.get("thinking_blocks", ())
    if all(_is_whole(block) for block in blocks):
        return entry
    reasoning: Any = message.get("reasoning", [])
    texts = [{"type": "text", "text": reasoning}] if isinstance(reasoning, str) else reasoning
    left: list[Plain] = []
    removed: set[int] = set()
    taken = 0
    for at, block in enumerate(blocks):
        if _is_whole(block):
            left.append(block)
        elif block["type"] == "thinking":
            removed.add(taken)
            path = f"{entry.path}/reasoning" + ("" if isinstance(reasoning, str) else f"/{taken}")
            draft.log.note("unsigned_reasoning", "dropped", path, "its provider accepts only reasoning that it signed")
        else:
            path = f"{entry.path}/extra/{draft.dialect}/thinking_blocks/{at}"
            why = "another provider signed it" if block.get("data") else "it is empty"
            draft.log.note("unsigned_reasoning", "dropped", path, why)
        taken += block["type"] == "thinking"
    kept = [part for at, part in enumerate(texts) if at not in removed]
    repaired = {name: value for name, value in message.items() if name != "reasoning"}
    if kept:
        repaired["reasoning"] = kept
    others = {name: value for name, value in bag.items() if name != "thinking_blocks"}
    return entry.with_message(
        with_bag(repaired, draft.dialect, {**others, "thinking_blocks": left} if left else others)
    )


def _is_whole(block: Plain) -> bool:
    if block["type"] == "thinking":
        return bool(block.get("signature")) and not is_sealed(block["signature"])
    return "data" in block and not is_sealed(block["data"])


def _is_followed(draft: Draft, message: Plain) -> bool | None:
    """Tell whether an assistant item follows the reasoning within a message; None if nothing does."""
    spelling = draft.bag(message).get("spelling", {})
    unsaid = "content" in spelling.get("absent", ()) or "content" in spelling.get("null", ())
    return True if "content" in message or "refusal" in message or unsaid or message.get("tool_calls") else None


def _is_from_model(item: Any) -> bool:
    """Tell whether an item comes from the model rather than from the user or a tool."""
    kind = string_of(item, "type", "message")
    return not kind.endswith("_output") and (kind != "message" or object_of(item).get("role") == "assistant")


def _without_reasoning(draft: Draft, entry: Entry, code: RepairCode, why: str) -> Entry:
    message = entry.message
    where = "reasoning" if "reasoning" in message else f"extra/{draft.dialect}/reasoning"
    draft.log.note(code, "dropped", f"{entry.path}/{where}", why)
    bag = {name: value for name, value in draft.bag(message).items() if name != "reasoning"}
    repaired = {name: value for name, value in message.items() if name != "reasoning"}
    return entry.with_message(with_bag(repaired, draft.dialect, bag))


def _requests_reasoning(draft: Draft, settings: Plain) -> bool:
    """Tell whether thinking is on with a budget, in which case the provider checks the open turn."""
    if draft.home:
        return settings.get("mode") == "enabled"
    return settings.get("budget_tokens") is not None and settings.get("mode") in {None, "enabled"}


def _open_turn_lacks(draft: Draft) -> bool:
    """Tell whether the open turn has calls and no reasoning of this provider.

    User text in the same wire message as results does not end the turn.
    """
    has_calls = has_reasoning = False
    answers = False
    for entry in draft.entries:
        if not draft.is_visible(entry):
            continue
        is_new = spelling_of(entry.message, draft.dialect).get("turn") == "new"
        answers = entry.role == "tool" or (answers and entry.role == "user" and not is_new)
        if entry.role == "assistant":
            has_calls = has_calls or bool(entry.message.get("tool_calls"))
            has_reasoning = has_reasoning or bool(draft.bag(entry.message).get("thinking_blocks"))
        elif not answers:
            has_calls = has_reasoning = False
    return has_calls and not has_reasoning


def _ends_in_text(draft: Draft) -> bool:
    """Tell whether the conversation ends with assistant text, which the answer would continue."""
    last = draft.last_visible()
    if last is None or last.role != "assistant" or last.message.get("tool_calls"):
        return False
    content = last.message.get("content")
    return content is not None and (isinstance(content, str) or (content != [] and content[-1]["type"] == "text"))
