"""Carry another provider's signed state through a client as one text, in the client's own signature member.

Clients send signatures back verbatim and never read them. So an answer may hold another provider's state in place of
the client's own signature, sealed as a text that names its maker; the next request brings it back, and it is moved to
where its maker's state belongs. Source: docs/exchange.md, "What the provider signed".
"""

from __future__ import annotations

import base64
import json
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple, TypeAlias, cast

from interlingua.spi.extra import NOTHING, own_extra, with_extras

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from interlingua.loss import LossLog

Event: TypeAlias = "dict[str, Any]"
Numbered: TypeAlias = "tuple[int, Event]"

MARK: Final = "interlingua.1."  # prefix of sealed texts; a later format gets another number
MARK_OF_BYTES: Final = "interlingua1"  # where a signature must be base64: this is, and so is the text that it begins
MARKS: Final = (MARK, MARK_OF_BYTES)
CLAUDE, BEDROCK, GEMINI, RESPONSES = "claude", "bedrock_converse", "gemini", "openai_responses"
CHAT: Final = "openai_chat"  # Gemini's models answer through it, too
_THOUGHTS: Final = "thoughts"  # in place of a maker: thoughts that nobody signed, for clients that send none back
# The members in which servers of Chat Completions read the reasoning of open models, as they write it.
_REASONING_MEMBERS: Final = frozenset({"reasoning", "reasoning_content", "reasoning_details", "reasoning_text"})
# The member of a message's `extra.<maker>` that holds the maker's state.
_MEMBERS: Final[Mapping[str, str]] = MappingProxyType({
    CLAUDE: "thinking_blocks", BEDROCK: "thinking_blocks", GEMINI: "thought_signatures", RESPONSES: "reasoning"
})  # fmt: skip
_OF_BLOCK: Final = frozenset({
    ("thinking", "signature", "type"), ("thinking", "signature", "thinking", "type"),
    ("redacted_thinking", "data", "type"),
})  # fmt: skip
_SIGNED: Final = frozenset({"signature", "data", "item"})  # members of an event's `extra.<maker>`
_OPENING: Final = frozenset({"content", "refusal", "reasoning", "tool_call_start", "part"})  # blocks, unless empty
_OF_SIGNATURE: Final = ("at", "signature")
_OF_ITEM: Final = frozenset({"id", "encrypted_content", "content"})


UNSIGNED: Final = f"{MARK}W10="  # for a thought that nobody signed: it shows that the client's own provider did not


class Sealed(NamedTuple):
    """The state that a maker signed for a message, in the form of its member of `extra`."""

    maker: str
    state: Any


def sealed(maker: str, state: Any, mark: str = MARK) -> str:
    """Return a maker's state as one text."""
    text = json.dumps([maker, state], separators=(",", ":"), sort_keys=True)
    made = base64.urlsafe_b64encode if mark == MARK else base64.b64encode
    return mark + made(text.encode()).decode("ascii")


def is_sealed(text: Any) -> bool:
    """Tell whether a text is sealed state of another provider."""
    return type(text) is str and text.startswith(MARKS)


def unsealed(text: Any) -> Sealed | None:
    """Return the state in a sealed text; None for any other text, and for one that a client has changed."""
    if not is_sealed(text):
        return None
    try:
        # Clients that keep bytes may write them in the other alphabet of base64.
        held = text[len(MARK if text.startswith(MARK) else MARK_OF_BYTES) :].replace("+", "-").replace("/", "_")
        found: Any = json.loads(base64.urlsafe_b64decode(held))
    except (ValueError, RecursionError):
        return None
    if type(found) is not list or len(found) != 2 or type(found[0]) is not str:
        return None
    maker, state = found
    check = _CHECKS.get(maker)
    return Sealed(maker, state) if check is not None and check(state) else None


def _are_blocks(state: Any) -> bool:
    return _are_objects(state) and all(
        _has_only_texts(block) and (block.get("type"), *sorted(block)) in _OF_BLOCK for block in state
    )


def _are_signatures(state: Any) -> bool:
    return _are_objects(state) and all(tuple(sorted(one)) == _OF_SIGNATURE and _has_only_texts(one) for one in state)


def _is_item(state: Any) -> bool:
    if type(state) is not dict or not state.keys() <= _OF_ITEM or type(state.get("encrypted_content")) is not str:
        return False
    return type(state.get("id", "")) is str and type(state.get("content", 0)) is int


def _is_reasoning(state: Any) -> bool:
    if type(state) is not dict or not state.keys() <= {"member", "model", "thoughts"}:
        return False
    member = state.get("member")
    is_known = type(member) is str and member in _REASONING_MEMBERS and type(state.get("model")) is str
    return is_known and _are_texts(state.get("thoughts", []))


def _are_texts(state: Any) -> bool:
    return type(state) is list and all(type(one) is str for one in state)


def _are_objects(state: Any) -> bool:
    return type(state) is list and len(state) > 0 and all(type(one) is dict for one in state)


def _has_only_texts(one: Mapping[str, Any]) -> bool:
    return all(type(held) is str for held in one.values())


_CHECKS: Final[Mapping[str, Callable[[Any], bool]]] = MappingProxyType({
    CLAUDE: _are_blocks, BEDROCK: _are_blocks, GEMINI: _are_signatures, RESPONSES: _is_item, CHAT: _is_reasoning,
    _THOUGHTS: _are_texts,
})  # fmt: skip


def take_state(
    message: Mapping[str, Any], client: str, model: str | None, mark: str = MARK, *, with_thoughts: bool = False
) -> tuple[dict[str, Any], str] | None:
    """Return a message without another provider's state, and that state as a sealed text.

    None if the client's own provider signed the message, or if there is nothing to sign. `model` is the one that the
    request named. `with_thoughts`: the text has the thoughts, too, for clients that do not send them back.
    """
    extra: Mapping[str, Mapping[str, Any]] = message.get("extra", NOTHING)
    if client in extra and _MEMBERS[client] in extra[client]:
        return None
    for maker, bag in extra.items():
        member = _MEMBERS.get(maker)
        held = None if member is None else bag.get(member)
        state = None if held is None else _sealed_part(maker, held, message, with_thoughts=with_thoughts)
        if state is not None and _CHECKS[maker](state):
            others = {name: one for name, one in bag.items() if name != member}
            return with_extras(message, {maker: others}), sealed(maker, state, mark)
    thoughts = [thought for thought in thoughts_of(message) if thought]
    if not thoughts:
        return None
    member = extra.get(CHAT, NOTHING).get("spelling", NOTHING).get("reasoning")
    return {**message, "extra": {**extra}}, unsigned(member, model, thoughts if with_thoughts else None, mark)


def unsigned(member: Any, model: str | None, thoughts: Sequence[str] | None = None, mark: str = MARK) -> str:
    """Return the sealed text for thoughts that nobody signed.

    From Chat Completions it has the `member` that they came in and the model, whose server reads them there. `thoughts`
    are only given for clients that send none back.
    """
    state = {"member": member, "model": model, **({} if thoughts is None else {"thoughts": thoughts})}
    if _is_reasoning(state):
        return sealed(CHAT, state, mark)
    return UNSIGNED if thoughts is None else sealed(_THOUGHTS, thoughts, mark)


def _sealed_part(maker: str, held: Any, message: Mapping[str, Any], *, with_thoughts: bool) -> Any:
    """Return the part of a message's state that is sealed; a block with an empty thought is marked as such."""
    if maker == RESPONSES:
        return {name: one for name, one in held.items() if name in _OF_ITEM}
    if maker == GEMINI:
        return held
    texts = iter(thoughts_of(message))
    out: list[Any] = []
    for block in held:
        thought = next(texts, None) if block["type"] == "thinking" else None
        is_written = thought == "" or (with_thoughts and thought is not None)
        out.append({**block, "thinking": thought} if is_written else block)
    return out


def thoughts_of(message: Mapping[str, Any]) -> list[str]:
    """Return the texts of a message's reasoning."""
    reasoning: Any = message.get("reasoning", ())
    return [reasoning] if type(reasoning) is str else [str(part.get("text", "")) for part in reasoning]


def with_state(
    message: Mapping[str, Any], states: Sequence[Sealed], path: str, model: str | None, log: LossLog
) -> dict[str, Any]:
    """Return a message with unsealed states put where their makers' state belongs; `path` is where they were found.

    State that belongs to text which the message no longer has is lost, since its maker would refuse it. `model` is the
    one that the request names: servers of Chat Completions refuse members of others.
    """
    out = dict(message)
    for maker in dict.fromkeys(one.maker for one in states):
        pieces = [one.state for one in states if one.maker == maker]
        if maker == CHAT:
            out = _with_member(out, pieces, model)
            continue
        if maker == _THOUGHTS:
            out["reasoning"] = [{"type": "text", "text": text} for piece in pieces for text in piece]
            continue
        state: Any = pieces[0] if maker == RESPONSES else [each for piece in pieces for each in piece]
        if maker in {CLAUDE, BEDROCK}:
            reasoning = _thoughts(out, state)
            if reasoning is None:
                log.lost("provider_state", path, "the thinking that it belongs to has changed")
                continue
            if reasoning:
                out["reasoning"] = reasoning
            state = [{name: held for name, held in block.items() if name != "thinking"} for block in state]
        out = with_extras(out, {maker: {**own_extra(out, maker), _MEMBERS[maker]: state}})
    return out


def _with_member(message: Mapping[str, Any], states: Sequence[Mapping[str, Any]], model: str | None) -> dict[str, Any]:
    """Return a message with its sealed thoughts, which the same model gets in the member that they came in."""
    thoughts = [{"type": "text", "text": one} for state in states for one in state.get("thoughts", ())]
    out = {**message, **({"reasoning": thoughts} if thoughts else {})}
    member = next((state["member"] for state in states if state["model"] == model), None)
    if member is not None:
        extra = message.get("extra", NOTHING)
        own = extra.get(CHAT, NOTHING)
        spelling = {**own.get("spelling", NOTHING), "reasoning": member}
        out["extra"] = {**extra, CHAT: {**own, "spelling": spelling}}
    return out


def _thoughts(message: Mapping[str, Any], blocks: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]] | None:
    """Return the thoughts of a message, one for each thinking block; None if their numbers differ.

    Blocks that have their thoughts replace those of the message.
    """
    if any(block.get("thinking") for block in blocks):
        return [{"type": "text", "text": block.get("thinking", "")} for block in blocks if block["type"] == "thinking"]
    said = iter([text for text in thoughts_of(message) if text])
    texts = ["" if "thinking" in block else next(said, None) for block in blocks if block["type"] == "thinking"]
    if None in texts or next(said, None) is not None:
        return None
    return [{"type": "text", "text": text} for text in cast("list[str]", texts)]


class Stage:
    """One step of a pipeline that rewrites the numbered events of a stream, and may hold some back."""

    def feed(self, number: int, event: Event) -> list[Numbered]:
        """Return the events that replace an event."""
        return [(number, one) for one in self.made(event)]

    def close(self, number: int) -> list[Numbered]:
        """Return the events that were held back; also called if the stream was cut."""
        return [(number, one) for one in self.waiting()]

    def made(self, event: Event) -> list[Event]:
        """Return the events that replace an event; all of them get its number."""
        return [event]

    def waiting(self) -> list[Event]:
        """Return the events that were held back; none by default."""
        return []


class Stages:
    """A pipeline of stages.

    `unread`: the kinds of events that may bypass it if the event before, of the same block, was returned unchanged.
    """

    unread: ClassVar[frozenset[str]] = frozenset({"content", "reasoning", "tool_call_delta"})

    def __init__(self, *stages: Stage) -> None:
        self._stages = stages

    def feed(self, number: int, event: Event) -> list[Numbered]:
        """Return what becomes of an event."""
        events = [(number, event)]
        for stage in self._stages:
            events = [made for one in events for made in stage.feed(*one)]
        return events

    def close(self, number: int) -> list[Numbered]:
        """Return the events that all stages held back."""
        events: list[Numbered] = []
        for stage in self._stages:
            events = [made for one in events for made in stage.feed(*one)] + stage.close(number)
        return events


class EndedThoughts(Stage):
    """Ends a thought where another block begins; Chat Completions only reports the ends of all blocks at the end."""

    def __init__(self) -> None:
        self._open: int | None = None
        self._ended: set[int] = set()

    def feed(self, number: int, event: Event) -> list[Numbered]:
        """Return what becomes of an event."""
        block = event.get("block")
        if block is None or "alternative" in event:
            return [(number, event)]
        kind = event["type"]
        if kind == "block_end":
            if block in self._ended:
                return []
            if block == self._open:
                self._open = None
        elif self._open is not None and block != self._open and kind in _OPENING:
            if event.get("text") == "":
                return []  # it is empty, and would end the thought
            ended, self._open = self._open, None
            self._ended.add(ended)
            return [(number, {"type": "block_end", "block": ended}), *self.feed(number, event)]
        elif kind == "reasoning" and event["text"] and block not in self._ended:
            self._open = block
        return [(number, event)]


class MemberOfThoughts:
    """The member of Chat Completions in which the thoughts of a stream come; None for other makers."""

    __slots__ = ("name",)

    def __init__(self, maker: str | None) -> None:
        self.name: str | None = "reasoning_content" if maker == CHAT else None

    def note(self, event: Event) -> None:
        """Note the member that a piece of a thought came in; pieces say so where it changes."""
        if self.name is not None and "extra" in event:
            spelling = event["extra"].get(CHAT, NOTHING).get("spelling", NOTHING)
            self.name = spelling.get("reasoning", self.name)


class UnsignedThoughts(Stage):
    """Marks thoughts that nobody signed as unsigned; `signed` returns the events that end and sign a thought.

    Those of Chat Completions (`maker`) are marked with the member that they came in and the `model`.
    """

    def __init__(self, signed: Callable[[Event, str], list[Event]], maker: str | None, model: str | None) -> None:
        self._signed = signed
        self._member = MemberOfThoughts(maker)
        self._model = model
        self._open: set[int] = set()

    def feed(self, number: int, event: Event) -> list[Numbered]:
        """Return what becomes of an event."""
        kind = event["type"]
        if kind == "reasoning" and event["text"]:
            self._member.note(event)
            self._open.add(event["block"])
        elif self._open and event.get("block") in self._open and kind in {"state", "block_end"}:
            is_signed = _is_signed(event)
            if is_signed or kind == "block_end":
                self._open.discard(event["block"])
            if kind == "block_end" and not is_signed:
                return [(number, one) for one in self._signed(event, unsigned(self._member.name, self._model))]
        return [(number, event)]


def _is_signed(event: Event) -> bool:
    return any(not _SIGNED.isdisjoint(bag) for bag in event.get("extra", NOTHING).values())


class SignedCalls(Stage):
    """Moves Gemini's signature of a call before the call; in the stream it comes behind it.

    It goes to the thought that ends where the call begins (`signed` returns those events), else into a new block
    (`block_of` returns its events). The numbers of later blocks are shifted then.
    """

    def __init__(
        self, block_of: Callable[[str, int], list[Event]], signed: Callable[[Event, str], list[Event]]
    ) -> None:
        self._block_of = block_of
        self._signed = signed
        self._thought: int | None = None  # block of a thought that is not signed yet
        self._end: list[Numbered] = []  # the end of that thought, held back until the next block begins
        self._held: list[Numbered] = []  # a call that waits for its signature, and its first arguments if they came
        self._shifted: list[int] = []  # source block numbers before which a block was inserted

    def feed(self, number: int, event: Event) -> list[Numbered]:
        """Return the events that replace an event; a call is held back until what follows its first arguments."""
        if "alternative" in event:
            return [*self.close(number), (number, event)]
        if self._held:
            return self._after_held_call(number, event)
        kind = event["type"]
        if kind == "tool_call_start":
            self._held = [(number, event)]
            return []
        if kind == "block_end" and event.get("block") == self._thought:
            self._thought = None
            if not _is_signed(event):
                self._end = [(number, event)]
                return []
        elif kind == "reasoning" and event["text"]:
            self._thought = event["block"]
        elif kind == "state" and event.get("block") == self._thought and _is_signed(event):
            self._thought = None
        return [*self._ended(), (number, self._shift(event))]

    def _after_held_call(self, number: int, event: Event) -> list[Numbered]:
        """Return the events that replace an event while a call is held back."""
        block: int = self._held[0][1]["block"]
        if event["type"] == "tool_call_delta" and event["block"] == block and len(self._held) == 1:
            self._held.append((number, event))
            return []
        signature = event.get("extra", NOTHING).get(GEMINI, NOTHING).get("signature")
        if event["type"] == "state" and event.get("block") == block and type(signature) is str:
            text = sealed(GEMINI, [{"at": "/tool_calls/0", "signature": signature}])
            if self._end:
                [(at, end)], self._end = self._end, []
                return [*((at, one) for one in self._signed(self._shift(end), text)), *self.close(number)]
            put_in = self._block_of(text, block + len(self._shifted))
            self._shifted.append(block)
            return [*((number, one) for one in put_in), *self.close(number)]
        return [*self.close(number), *self.feed(number, event)]

    def close(self, number: int) -> list[Numbered]:
        """Return what still waits, where the stream is cut, too."""
        del number  # the held events have their own
        held, self._held = self._held, []
        return [*self._ended(), *((number, self._shift(event)) for number, event in held)]

    def _ended(self) -> list[Numbered]:
        """Return the held end of a thought, unsigned."""
        waiting, self._end = self._end, []
        return [(number, self._shift(event)) for number, event in waiting]

    def _shift(self, event: Event) -> Event:
        if not self._shifted or "block" not in event:
            return event
        block = event["block"]
        return {**event, "block": block + sum(first <= block for first in self._shifted)}
