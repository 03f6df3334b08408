"""Signed and encrypted reasoning of other providers in a message's `reasoning_details`.

The `format` of a detail names its maker. In the canonical message, signatures and encrypted reasoning are put where
their maker's own belong, so that they reach it in place; at home they go back into the details. Source:
docs/wire/openai_chat.md, section 9.

A message, or its calls, may also carry Gemini's signatures without details. They are put where Gemini's own belong.
Source: https://ai.google.dev/gemini-api/docs/thought-signatures, "OpenAI compatibility".
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias, cast

from interlingua.loss import LossLog
from interlingua.pointers import pointer
from interlingua.rooms._chat_completions.vendor_extensions import DETAIL_TEXTS, DETAILS
from interlingua.rooms._shared.writing import texts_of
from interlingua.spi.extra import NOTHING, merge_extra, own_extra, own_spelling, with_extras

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from interlingua.rooms._shared.writing import Target

Item: TypeAlias = dict[str, Any]

SIGNATURES, CARRIED = "signatures", "carried"  # name of the spelling; its value for an answer whose client keeps them
TEXT, SUMMARY, ENCRYPTED = "reasoning.text", "reasoning.summary", "reasoning.encrypted"
CLAUDE, GEMINI, RESPONSES = "claude", "gemini", "openai_responses"
# Format name -> maker; of two names of one maker, the last is written.
_FORMATS: Final[Mapping[str, str]] = MappingProxyType({
    "anthropic-claude-v1": CLAUDE,
    "google-gemini-v1": GEMINI,
    "azure-openai-responses-v1": RESPONSES,
    "openai-responses-v1": RESPONSES,
})  # fmt: skip
_FORMAT_OF: Final[Mapping[str, str]] = MappingProxyType({maker: name for name, maker in _FORMATS.items()})
_RESPONSES_LEFT: Final = frozenset({"status", "fields"})  # members of a reasoning item that details do not have
_BLOCKS, _THOUGHTS, _REASONING = "thinking_blocks", "thought_signatures", "reasoning"
# Detail type with state -> the member that holds it, and the corresponding block type of Claude's.
_STATES: Final[Mapping[str, tuple[str, str]]] = MappingProxyType({
    TEXT: ("signature", "thinking"), ENCRYPTED: ("data", "redacted_thinking")
})  # fmt: skip
KEPT: Final = "details"  # the spelling for details of which only labels are left
_LABELS: Final = frozenset({"type", "format", "index", "id"})
_UNNAMED: Final = (None, "", "unknown")
_THOUGHT: Final = "/reasoning"
# Members of a reasoning item of Responses -> those of the detail that carries them.
_RESPONSES_MEMBERS: Final[Mapping[str, str]] = MappingProxyType({"id": "id", "encrypted_content": "data"})


class Taken(NamedTuple):
    """The state of a maker, taken out of a list of details, and the details without it."""

    state: dict[str, Any]
    items: list[Item]


def items_of(details: Any) -> list[tuple[Item, str | None]] | None:
    """Return each detail without its text, and the text; None for anything but a list of objects."""
    if type(details) is not list or any(type(detail) is not dict for detail in details):
        return None
    return [_item(detail) for detail in details]


def _item(detail: dict[str, Any]) -> tuple[Item, str | None]:
    """Return a detail without its text, and the text. An empty text counts if it is signed."""
    for name in DETAIL_TEXTS:
        if type(detail.get(name)) is str and (detail[name] or text_in(detail, "signature")):
            return {"said": name, "fields": {key: value for key, value in detail.items() if key != name}}, detail[name]
    return {"fields": detail}, None


def text_in(detail: Mapping[str, Any], name: str) -> str:
    """Return a member that is text, else an empty text."""
    value: Any = detail.get(name)
    return value if type(value) is str else ""


def state_in(detail: Mapping[str, Any]) -> tuple[str, str]:
    """Return the member of a detail that holds state, and Claude's block type for it; both empty if there is none."""
    member, block = _STATES.get(text_in(detail, "type"), ("", ""))
    return (member, block) if member and text_in(detail, member) else ("", "")


def maker_of(detail: Mapping[str, Any]) -> str | None:
    """Return the maker of a detail, None if unknown. Without a format, a signed text is Claude's."""
    said = detail.get("format")
    if said not in _UNNAMED:
        return _FORMATS.get(said) if type(said) is str else None
    return CLAUDE if detail.get("type") == TEXT and text_in(detail, "signature") else None


def read_state(message: dict[str, Any], dialect: str, *, told_late: bool) -> None:
    """Move the state in the details of a new message to where their maker's state belongs.

    Details of several makers, and those that cannot all be placed, stay as they are. So do, in answers (`told_late`),
    a text's signature and encrypted items, since a stream delivers them too late.
    """
    bag = own_extra(message, dialect)
    if SIGNATURES in bag.get("spelling", NOTHING):
        return
    items: list[Item] | None = bag.get(DETAILS)
    if items is None:
        found = items_of(bag.get("fields", NOTHING).get(DETAILS))
        if not found or any(text is not None for _, text in found):
            return  # it is unknown which of the texts is right
        items = [item for item, _ in found]
    makers = {maker_of(item["fields"]) for item in items}
    maker = makers.pop() if len(makers) == 1 else None
    taken = None if maker is None else _READERS[maker](message, items)
    if maker is None or taken is None or (told_late and _is_late(maker, taken.items)):
        return
    own = message["extra"][dialect]
    if DETAILS not in own:
        del own["fields"][DETAILS]
        if not own["fields"]:
            del own["fields"]
    notes = own.setdefault("spelling", {})
    notes[SIGNATURES] = DETAILS
    if all(item["fields"].keys() <= _LABELS for item in taken.items):
        own.pop(DETAILS, None)
        notes[KEPT] = taken.items
    else:
        own[DETAILS] = taken.items
    message["extra"][maker] = taken.state


def details_of(bag: Mapping[str, Any]) -> Sequence[Item]:
    """Return the details that a message came with."""
    items: Sequence[Item] = bag.get("spelling", NOTHING).get(KEPT) or bag.get(DETAILS, ())
    return items


def _is_late(maker: str, items: Sequence[Item]) -> bool:
    unnamed = (item for item in items if item["fields"].get("type") == ENCRYPTED and not text_in(item["fields"], "id"))
    return maker == RESPONSES or (maker == GEMINI and any(unnamed))


def _without(item: Item, *names: str) -> Item:
    return {**item, "fields": {key: value for key, value in item["fields"].items() if key not in names}}


def _read_claude(message: Mapping[str, Any], items: Sequence[Item]) -> Taken | None:
    """Take the signatures of thoughts, and the data of redacted ones."""
    blocks: list[dict[str, str]] = []
    left: list[Item] = []
    for item in items:
        member, block = state_in(item["fields"])
        if not block:
            return None
        blocks.append({"type": block, member: item["fields"][member]})
        left.append(_without(item, member))
    said: Any = message.get("reasoning", ())
    signed = sum(block["type"] == "thinking" for block in blocks)
    return Taken({_BLOCKS: blocks}, left) if signed == (1 if type(said) is str else len(said)) else None


def _read_gemini(message: Mapping[str, Any], items: Sequence[Item]) -> Taken | None:
    """Take the signatures of a thought and of calls: `id` names the call, by default the first one."""
    signed: dict[str, str] = {}
    left: list[Item] = []
    for item in items:
        fields = item["fields"]
        is_thought = fields.get("type") != ENCRYPTED
        name = "signature" if is_thought else "data"
        signature = text_in(fields, name)
        place = _THOUGHT if is_thought else _place(message, fields)
        if is_thought and not signature and not signed:
            left.append(item)
        elif not signature or not place or place in signed or (is_thought and left):
            return None
        else:
            signed[place] = signature
            left.append(_without(item, name))
    return Taken({_THOUGHTS: [{"at": at, "signature": one} for at, one in signed.items()]}, left) if signed else None


def _place(message: Mapping[str, Any], fields: Mapping[str, Any]) -> str:
    """Return the place that a signature belongs to, empty if there is none."""
    calls: Sequence[Any] = message.get("tool_calls", ())
    for at, call in enumerate(calls):
        if "id" in call and call["id"] == fields.get("id"):
            return f"/tool_calls/{at}"
    return "/tool_calls/0" if calls else "/content" if type(message.get("content")) is str else ""


def _read_responses(message: Mapping[str, Any], items: Sequence[Item]) -> Taken | None:
    """Take the encrypted reasoning of the one item that the details describe, and its id."""
    del message
    state: dict[str, Any] = {}
    left: list[Item] = []
    identifiers: set[str] = set()
    full = 0  # number of texts that are not summaries, which come last
    for item in items:
        fields = item["fields"]
        identifiers.add(text_in(fields, "id"))
        if fields.get("type") == ENCRYPTED:
            if state or not text_in(fields, "data"):
                return None
            state = {own: fields[wire] for own, wire in _RESPONSES_MEMBERS.items() if text_in(fields, wire)}
            left.append(_without(item, *(wire for own, wire in _RESPONSES_MEMBERS.items() if own in state)))
            continue
        left.append(item)
        if fields.get("type") == TEXT:
            full += 1
        elif full:
            return None
    if not state or len(identifiers - {""}) > 1:
        return None
    return Taken({_REASONING: {**state, "content": full} if full else state}, left)


_READERS: Final[Mapping[str, Callable[[Mapping[str, Any], Sequence[Item]], Taken | None]]] = MappingProxyType({
    CLAUDE: _read_claude, GEMINI: _read_gemini, RESPONSES: _read_responses
})  # fmt: skip


def write_state(out: dict[str, Any], message: Mapping[str, Any], path: str, to: Target) -> Mapping[str, Any]:
    """Put the state back into the details; return the message without it. State without a detail is lost."""
    details: list[dict[str, Any]] = out.get(DETAILS) or []
    if not details:
        return message
    maker = _FORMATS.get(text_in(details[0], "format"), CLAUDE)
    member, kept = _kept(maker, own_extra(message, maker))
    at = 0
    for number, detail in enumerate(details):
        if at < len(kept) and detail.get("type") == kept[at][0]:
            details[number] = {**detail, **kept[at][1]}
            at += 1
    for number in range(at, len(kept)):
        place = pointer(member) if maker == RESPONSES else pointer(member, number)
        to.log.lost("provider_state", f"{path}/extra/{maker}{place}", "what it belongs to is not sent")
    return _without_state(message, maker, member)


def _kept(maker: str, bag: Mapping[str, Any]) -> tuple[str, list[tuple[str, dict[str, Any]]]]:
    """Return the member with a maker's state, and for each piece its detail type and the members to put back."""
    if maker == CLAUDE:
        blocks: Sequence[Mapping[str, Any]] = bag.get(_BLOCKS, ())
        return _BLOCKS, [
            (ENCRYPTED, {"data": block["data"]}) if "data" in block else (TEXT, {"signature": block["signature"]})
            for block in blocks
            if "data" in block or "signature" in block
        ]
    if maker == GEMINI:
        return _THOUGHTS, [
            (TEXT, {"signature": one["signature"]})
            if one["at"] == _THOUGHT
            else (ENCRYPTED, {"data": one["signature"]})
            for one in bag.get(_THOUGHTS, ())
        ]
    held = bag.get(_REASONING, NOTHING)
    lacks = {wire: held[own] for own, wire in _RESPONSES_MEMBERS.items() if own in held}
    return _REASONING, [(ENCRYPTED, lacks)] if lacks else []


def _without_state(message: Mapping[str, Any], maker: str, member: str) -> dict[str, Any]:
    return with_extras(message, {maker: {**own_extra(message, maker), member: None}})


def carry_state(out: dict[str, Any], message: Mapping[str, Any], path: str) -> Mapping[str, Any]:
    """Write state of Claude and Responses as details, for a client that sends them back.

    Returns the message without it.
    """
    said = write_details(out, message, path, CLAUDE)
    if said is not message:
        return said
    held = own_extra(message, RESPONSES).get(_REASONING, NOTHING)
    details = responses_details(held, _texts(message, path))
    if not details:
        return message
    out[DETAILS] = formatted(details, RESPONSES)
    left = {name: kept for name, kept in held.items() if name in _RESPONSES_LEFT}
    return with_extras(message, {RESPONSES: {**own_extra(message, RESPONSES), _REASONING: left}})


def _texts(message: Mapping[str, Any], path: str) -> list[str]:
    return [text for _, text in texts_of(message.get("reasoning", ()), path, "reasoning", "", LossLog())]


def write_details(out: dict[str, Any], message: Mapping[str, Any], path: str, maker: str) -> Mapping[str, Any]:
    """Write a maker's state as details into a request for its models, as gateways accept it.

    Returns the message without it.
    """
    if maker == CLAUDE:
        details, member = claude_details(own_extra(message, CLAUDE).get(_BLOCKS, ()), _texts(message, path)), _BLOCKS
    else:
        details, member = _gemini_details(message), _THOUGHTS
    if not details:
        return message
    out[DETAILS] = formatted(details, maker)
    return _without_state(message, maker, member)


def _gemini_details(message: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return details with the signatures of calls and the calls' ids; none if a signature has no call."""
    calls: Sequence[Any] = message.get("tool_calls", ())
    identifiers = {f"/tool_calls/{at}": call.get("id") for at, call in enumerate(calls)}
    signed: Sequence[Mapping[str, str]] = own_extra(message, GEMINI).get(_THOUGHTS, ())
    if not all(identifiers.get(one["at"]) for one in signed):
        return []
    return [{"type": ENCRYPTED, "data": one["signature"], "id": identifiers[one["at"]]} for one in signed]


def formatted(details: Sequence[Mapping[str, Any]], maker: str, first: int = 0) -> list[dict[str, Any]]:
    """Return details with `format` and `index`."""
    return numbered([{**detail, "format": _FORMAT_OF[maker]} for detail in details], first)


def numbered(details: Sequence[Mapping[str, Any]], first: int = 0) -> list[dict[str, Any]]:
    """Return details with an `index`, by which clients join the pieces of a stream."""
    return [{**detail, "index": first + at} for at, detail in enumerate(details)]


def claude_details(blocks: Sequence[Mapping[str, Any]], texts: Sequence[str]) -> list[dict[str, Any]]:
    """Return the details of thinking blocks; none if a text is not signed, since Claude would refuse it."""
    thoughts = [block for block in blocks if block["type"] == "thinking"]
    if len(thoughts) != len(texts) or not all(block.get("signature") for block in thoughts):
        return []
    said = iter(texts)
    return [
        {"type": ENCRYPTED, "data": block["data"]}
        if "data" in block
        else {"type": TEXT, "text": next(said), "signature": block["signature"]}
        for block in blocks
        if block["type"] == "thinking" or "data" in block
    ]


def responses_details(held: Mapping[str, Any], texts: Sequence[str]) -> list[dict[str, Any]]:
    """Return the details of a reasoning item; none without encrypted content, since only the server can look it up.

    `held` are the members of the item without its texts.
    """
    if not held.get("encrypted_content"):
        return []
    count: Any = held.get("content", 0)
    summaries = len(texts) - count if type(count) is int else len(texts)
    said = [
        {"type": SUMMARY, "summary": text} if at < summaries else {"type": TEXT, "text": text}
        for at, text in enumerate(texts)
    ]
    return [*said, {"type": ENCRYPTED, **{wire: held[own] for own, wire in _RESPONSES_MEMBERS.items() if own in held}}]


CARRIER: Final = "extra_content"
_PROVIDER: Final = "google"
_SIGNATURE: Final = "thought_signature"
_CONTENT: Final = "/content"


def read_signatures(message: dict[str, Any], dialect: str) -> None:
    """Move the signatures of a new assistant message and its calls to where Gemini's belong.

    A signature beside a content that is no text has no place and stays where it is.
    """
    signed: list[dict[str, str]] = []
    older = False
    if "extra" in message:
        if "content" in message:
            _take(message, dialect, _CONTENT, signed)
        older = own_spelling(message, dialect).get("call") == "function_call"  # it carries none
    for at, call in enumerate(() if older else message.get("tool_calls", ())):
        if "extra" in call:
            _take(call, dialect, f"/tool_calls/{at}", signed)
    if signed:
        extra = message.setdefault("extra", {})
        extra.setdefault(dialect, {}).setdefault("spelling", {})[SIGNATURES] = CARRIER
        extra[GEMINI] = {_THOUGHTS: signed}


def _take(value: dict[str, Any], dialect: str, place: str, signed: list[dict[str, str]]) -> None:
    """Take the signature out of the `extra` of a value, with objects that become empty."""
    bag = value["extra"].get(dialect, NOTHING)
    fields = bag.get("fields", NOTHING)
    signature = carried(fields)
    if not signature:
        return
    signed.append({"at": place, "signature": signature})
    carrier = fields[CARRIER]
    provider = {name: held for name, held in carrier[_PROVIDER].items() if name != _SIGNATURE}
    carrier = {name: provider if name == _PROVIDER else held for name, held in carrier.items()}
    if not provider:
        del carrier[_PROVIDER]
    if carrier:
        fields[CARRIER] = carrier
        return
    del fields[CARRIER]
    if not fields:
        del bag["fields"]
    if not bag:
        del value["extra"][dialect]
    if not value["extra"]:
        del value["extra"]


def carried(wire: Mapping[str, Any]) -> str:
    """Return the signature of a wire object, empty if there is none."""
    held: Any = wire.get(CARRIER)
    for name in (_PROVIDER, _SIGNATURE):
        held = cast("dict[str, Any]", held).get(name) if type(held) is dict else None
    return held if type(held) is str else ""


def carrier(signature: str) -> dict[str, Any]:
    """Return the `extra_content` with a signature."""
    return {CARRIER: {_PROVIDER: {_SIGNATURE: signature}}}


def write_signatures(out: dict[str, Any], message: Mapping[str, Any], path: str, to: Target) -> Mapping[str, Any]:
    """Write Gemini's signatures to where they came from; return the message without them.

    Those without a place are lost.
    """
    holders = _holders(out)
    for number, one in enumerate(own_extra(message, GEMINI).get(_THOUGHTS, ())):
        holder = holders.get(one["at"])
        if holder is not None:
            merge_extra(holder, carrier(one["signature"]))
        if holder is None or carried(holder) != one["signature"]:
            to.log.lost(
                "provider_state", f"{path}/extra/{GEMINI}/{_THOUGHTS}/{number}", "what it belongs to is not sent"
            )
    return _without_state(message, GEMINI, _THOUGHTS)


def carry_signatures(out: dict[str, Any], message: Mapping[str, Any], path: str, to: Target) -> Mapping[str, Any]:
    """Write Gemini's signatures into an answer from abroad, for a client that sends them back.

    The answer is one text here, which gets the signature of its last part. Returns the message without them.
    """
    signed = own_extra(message, GEMINI).get(_THOUGHTS)
    if not signed:
        return message
    placed = [{**one, "at": _CONTENT} if one["at"].startswith(f"{_CONTENT}/") else one for one in signed]
    extra = {**message["extra"], GEMINI: {**message["extra"][GEMINI], _THOUGHTS: placed}}
    return write_signatures(out, {**message, "extra": extra}, path, to)


def _holders(out: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the wire objects that may have a signature, by their place: the message, and each of its calls."""
    calls: list[dict[str, Any]] = out.get("tool_calls", [])
    holders = {f"/tool_calls/{at}": call for at, call in enumerate(calls)}
    return {_CONTENT: out, **holders} if "content" in out else holders
