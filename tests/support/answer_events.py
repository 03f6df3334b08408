"""Converts a whole response to the events of a stream with the same content."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

Event = dict[str, Any]
_START: Final = ("dialect", "id", "model", "created", "extra")
_FINISH: Final = (("finish_reason", "reason"), ("finish_reason_raw", "raw"), ("stop_sequence", "stop_sequence"))


def events_of(answer: Mapping[str, Any]) -> list[Event]:
    """Return the events of a response, with one delta for each text."""
    blocks = itertools.count()
    events: list[Event] = [{"type": "start", **{name: answer[name] for name in _START if name in answer}}]
    answers = (answer, *answer.get("alternatives", ()))
    for which, one in enumerate(answers):
        where = {"alternative": which} if which else {}
        events.extend({**event, **where} for message in one["messages"] for event in _message(message, blocks))
    for which, one in enumerate(answers):
        finish = {event: one[member] for member, event in _FINISH if member in one}
        extra = {"extra": one["extra"]} if which and "extra" in one else {}
        if "reason" in finish:
            events.append({"type": "finish", **finish, **({"alternative": which} if which else {}), **extra})
        elif extra:
            events.append({"type": "state", "alternative": which, **extra})
    if "usage" in answer:
        events.append({"type": "usage", "usage": answer["usage"]})
    return [*events, {"type": "end", "complete": True}]


def _message(message: Mapping[str, Any], blocks: Iterator[int]) -> Iterator[Event]:
    """Yield the events of a message; its dialect members are in the first one."""
    if message["role"] == "opaque":
        yield {"type": "opaque", "dialect": message["dialect"], "data": message["data"]}
        return
    if message["role"] != "assistant":
        part = {"type": "opaque", "dialect": "elsewhere", "data": dict(message)}
        yield {"type": "part", "block": next(blocks), "part": part}
        return
    events = [*_texts("reasoning", message, blocks), *_texts("content", message, blocks)]
    if "refusal" in message:
        events.extend(_closed({"type": "refusal", "block": next(blocks), "text": message["refusal"]}))
    for call in message.get("tool_calls", ()):
        events.extend(_call(call, next(blocks)))
    if "extra" in message:
        yield {"type": "state", "extra": message["extra"]}
    if events and events[0]["type"] != "part":
        events[0]["new_message"] = True
    yield from events


def _texts(kind: str, message: Mapping[str, Any], blocks: Iterator[int]) -> Iterator[Event]:
    said = message.get(kind, [])
    for part in [{"type": "text", "text": said}] if isinstance(said, str) else said:
        block = next(blocks)
        if part["type"] != "text":
            yield from _closed({"type": "part", "block": block, "part": part})
            continue
        extra = {"extra": part["extra"]} if "extra" in part else {}
        cited = [{"type": "citation", "block": block, "citation": one} for one in part.get("citations", ())]
        yield from _closed({"type": kind, "block": block, "text": part["text"], **extra}, *cited)


def _call(call: Mapping[str, Any], block: int) -> Iterator[Event]:
    start = {"type": "tool_call_start", "block": block}
    start |= {name: call[name] for name in ("id", "name", "kind", "extra") if name in call}
    if isinstance(call["arguments"], str):
        yield from _closed(start, {"type": "tool_call_delta", "block": block, "arguments": call["arguments"]})
    else:
        yield from _closed({**start, "arguments": call["arguments"]})


def _closed(*events: Event) -> Iterator[Event]:
    yield from events
    yield {"type": "block_end", "block": events[0]["block"]}
