"""The chunks that nearly all of a stream are: one piece of a text or of a call, all else as in the chunk before."""

# A wire value is Any; narrowing it to dict or list leaves its members unknown, which is the truth about wire JSON.
# pyright: reportUnknownMemberType=none, reportUnknownArgumentType=none, reportUnknownVariableType=none
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.dialects._chat_completions.stream_delta import Group
    from interlingua.dialects._shared.stream import Event

# Equal texts and nulls are the same JSON; numbers are not (1, 1.0 and true are equal).
_CALM: Final = frozenset({str, type(None)})


def calm(members: Mapping[str, Any]) -> bool:
    """Tell whether all values are texts or null."""
    return all(type(value) in _CALM for value in members.values())


class PlainChunk:
    """A chunk as the one before it but for its piece, and the padding.

    Everything beside `created` and `index` is a text or null. `said` is the name of the piece in the event. `held` is
    where a fragment of a call holds its piece, empty for a text.
    """

    __slots__ = (
        "block",
        "choice",
        "delta",
        "envelope",
        "fragment",
        "held",
        "inner",
        "kind",
        "member",
        "padded",
        "said",
    )

    def __init__(self, event: Event, envelope: dict[str, Any], choice: dict[str, Any], member: str) -> None:
        self.envelope = envelope
        self.choice = choice
        self.delta: dict[str, Any] = choice["delta"]
        self.member = member
        self.kind: str = event["type"]
        self.block: int = event["block"]
        self.said = "text"
        self.held = ""
        self.fragment: dict[str, Any] = {}
        self.inner: dict[str, Any] = {}
        self.padded = False

    def made(self, piece: str) -> dict[str, Any]:
        """Return the chunk that says a piece."""
        if self.held:
            inner = {**self.inner, self.member: piece}
            delta = {**self.delta, "tool_calls": [{**self.fragment, self.held: inner}]}
        else:
            delta = {**self.delta, self.member: piece}
        return {**self.envelope, "choices": [{**self.choice, "delta": delta}]}

    def piece(self, delta: dict[str, Any]) -> str | None:
        """Return the piece that a delta says, or None where it is more than plain."""
        if not self.held:
            text = delta.get(self.member)
            return text if type(text) is str and {**self.delta, self.member: text} == delta else None
        fragments = delta.get("tool_calls")
        if type(fragments) is not list or len(fragments) != 1 or type(fragments[0]) is not dict:
            return None
        fragment = fragments[0]
        inner = fragment.get(self.held)
        if type(inner) is not dict or type(fragment.get("index")) is not int:
            return None
        text = inner.get(self.member)
        if type(text) is not str or {**self.inner, self.member: text} != inner:
            return None
        if {**self.fragment, self.held: inner} != fragment:
            return None
        return text if {**self.delta, "tool_calls": fragments} == delta else None


def plain_chunk(group: Group, envelope: dict[str, Any], choice: dict[str, Any], *, padded: bool) -> PlainChunk | None:
    """Return what the next chunk is like if it is plain, or None where this one is not."""
    alone = group.piece_alone()
    delta = choice.get("delta")
    if alone is None or choice.get("logprobs") is not None:
        return None
    if type(delta) is not dict or type(choice.get("index")) is not int:
        return None
    if not calm({name: value for name, value in choice.items() if name not in {"delta", "index"}}):
        return None
    member, held, event = alone
    plain = PlainChunk(event, envelope, choice, member)
    plain.padded = padded
    if not held:
        return plain if type(delta.get(member)) is str and calm(delta) else None
    fragments = delta.get("tool_calls")
    if type(fragments) is not list or len(fragments) != 1 or type(fragments[0]) is not dict:
        return None
    plain.said, plain.held, plain.fragment = "arguments", held, fragments[0]
    inner = plain.fragment.get(held)
    if type(inner) is not dict or type(inner.get(member)) is not str or type(plain.fragment.get("index")) is not int:
        return None
    if inner.get("name") and not plain.fragment.get("id"):  # a name may begin another call
        return None
    plain.inner = inner
    beside = {name: value for name, value in plain.fragment.items() if name not in {"index", held}}
    rest = {name: value for name, value in delta.items() if name != "tool_calls"}
    return plain if calm(inner) and calm(beside) and calm(rest) else None
