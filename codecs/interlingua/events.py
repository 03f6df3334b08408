"""Accumulates the events of a stream into a response, and tool call deltas into tool calls.

`accumulate` takes events of any source. For events of a known dialect, `interlingua.streaming.gather` uses that
dialect's own assembly instead and returns exactly what `decode_response` returns.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, Final, TypeAlias, cast

__all__ = ["RANKS", "Calls", "accumulate"]

Event: TypeAlias = "Mapping[str, Any]"

# A block of a lower rank than the one before starts the next message (docs/design.md, section 5).
RANKS: Final[Mapping[str, int]] = MappingProxyType(
    {"reasoning": 0, "content": 1, "part": 1, "refusal": 2, "tool_call_start": 3}
)
_TEXTS: Final[Mapping[str, str]] = MappingProxyType(
    {"reasoning": "reasoning", "content": "content", "refusal": "refusal"}
)
_START_MEMBERS: Final = ("dialect", "id", "model", "created")


class _Answer:
    """One answer under construction: its blocks in the order in which they began."""

    def __init__(self) -> None:
        self.blocks: dict[int, _Block] = {}
        self.finish: dict[str, Any] = {}

    def add(self, event: Event) -> None:
        """Add an event of a block, or a finish reason."""
        kind = event["type"]
        if kind == "finish":
            names = (("reason", "finish_reason"), ("raw", "finish_reason_raw"), ("stop_sequence", "stop_sequence"))
            self.finish = {member: event[name] for name, member in names if name in event}
        elif "block" in event:
            if event["block"] not in self.blocks:
                self.blocks[event["block"]] = _Block()
            self.blocks[event["block"]].add(event)

    def messages(self) -> list[dict[str, Any]]:
        """Return the assistant messages made of the blocks."""
        made: list[dict[str, Any]] = []
        rank = len(RANKS)
        for block in self.blocks.values():
            if block.kind == "":
                continue
            if RANKS[block.kind] < rank or block.opens_message or not made:
                made.append({"role": "assistant"})
            rank = RANKS[block.kind]
            block.join(made[-1])
        return [_plain(message) for message in made]


class _Block:
    """One block under construction; its text is joined once at the end, to take linear time."""

    def __init__(self) -> None:
        self.kind = ""
        self._first: Event = {}
        self._pieces: list[str] = []
        self._citations: list[Any] = []
        self._extra: dict[str, dict[str, Any]] = {}

    @property
    def opens_message(self) -> bool:
        """Whether the block starts a new message although its rank alone would not."""
        return bool(self._first.get("new_message"))

    def add(self, event: Event) -> None:
        """Add an event of the block."""
        kind = event["type"]
        if kind in RANKS and (not self.kind or kind == "part"):
            self.kind, self._first = kind, event
        if kind in _TEXTS:
            self._pieces.append(event["text"])
        elif kind == "tool_call_delta":
            self._pieces.append(event["arguments"])
        elif kind == "citation":
            self._citations.append(event["citation"])
        for dialect, bag in event.get("extra", {}).items():
            kept = {name: value for name, value in bag.items() if name not in {"frame", "spelling"}}
            if kept:
                self._extra.setdefault(dialect, {}).update(kept)

    def join(self, message: dict[str, Any]) -> None:
        """Add the block to its message."""
        if self.kind == "tool_call_start":
            message.setdefault("tool_calls", []).append(self._call())
        elif self.kind == "part":
            message.setdefault("content", []).append(self._first["part"])
        elif self.kind == "refusal":
            message["refusal"] = message.get("refusal", "") + "".join(self._pieces)
        else:
            part: dict[str, Any] = {"type": "text", "text": "".join(self._pieces)}
            if self._citations:
                part["citations"] = self._citations
            message.setdefault(_TEXTS[self.kind], []).append(part)
            signature = self._extra.get("claude", {}).get("signature")
            if self.kind == "reasoning" and signature is not None:
                bag = message.setdefault("extra", {}).setdefault("claude", {})
                bag.setdefault("thinking_blocks", []).append({"type": "thinking", "signature": signature})

    def _call(self) -> dict[str, Any]:
        call = {name: self._first[name] for name in ("id", "name", "kind") if name in self._first}
        given = self._first.get("arguments", "")
        call["arguments"] = given if not self._pieces else (given if type(given) is str else "") + "".join(self._pieces)
        return call


def _plain(message: dict[str, Any]) -> dict[str, Any]:
    """Return a message with a content list of one plain text part replaced by its string."""
    for name in ("content", "reasoning"):
        parts: list[dict[str, Any]] = message.get(name, [])
        if len(parts) == 1 and parts[0].keys() == {"type", "text"}:
            message[name] = parts[0]["text"]
    return message


def accumulate(events: Iterable[Event]) -> dict[str, Any]:
    """Return the response made of events, as canonical JSON; a second start event starts over.

    A stream that is cut off or fails gives the response so far, without a finish reason.
    """
    response: dict[str, Any] = {}
    answers: dict[int, _Answer] = {}
    usage: dict[str, Any] = {}
    for event in events:
        kind = event["type"]
        if kind == "start":
            response = {name: event[name] for name in _START_MEMBERS if name in event}
            answers, usage = {}, dict(event.get("usage", {}))
        elif kind == "usage":
            usage |= event["usage"]
        else:
            which = event.get("alternative", 0)
            if which not in answers:
                answers[which] = _Answer()
            answers[which].add(event)
    first = answers.pop(0, _Answer())
    response |= {"messages": first.messages(), **first.finish}
    if usage:
        response["usage"] = usage
    others = [{"messages": answer.messages(), **answer.finish} for _, answer in sorted(answers.items())]
    if others:
        response["alternatives"] = others
    return response


class Calls:
    """Accumulates `ToolCallDelta` values into tool calls, in linear time.

    A delta belongs to the call with its index; the first delta of an index names the call. Source: 004, FR-004a-91 to
    100.
    """

    def __init__(self) -> None:
        self._calls: dict[int, dict[str, Any]] = {}
        self._pieces: dict[int, list[str]] = {}

    def add(self, delta: Any) -> None:
        """Add a delta, a model or its plain JSON. A member that the call already has is not replaced."""
        value: Mapping[str, Any] = cast("Any", delta) if isinstance(delta, Mapping) else delta.model_dump()
        index = value["index"]
        call = self._calls.setdefault(index, {})
        for name in ("id", "name"):
            if value.get(name) is not None:
                call.setdefault(name, value[name])
        if value.get("arguments_delta"):
            self._pieces.setdefault(index, []).append(value["arguments_delta"])

    def made(self) -> list[dict[str, Any]]:
        """Return the calls so far, ordered by index, as plain JSON with text arguments."""
        return [{**call, "arguments": "".join(self._pieces.get(at, ()))} for at, call in sorted(self._calls.items())]
