"""Remove tool calls that the provider has already run, with their results in the same answer.

Gemini reports calls to MCP servers in this way. A client that got such a call would run it again, and its provider
would wait for a result.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, cast

from interlingua.rooms._shared.writing import ResultMatching

if TYPE_CHECKING:
    from interlingua.loss import LossLog
    from interlingua.model_shapes import ChatResponse

_RUN = "the provider has already run this call: its result is in the same answer"
_CALLS = "/tool_calls/"


def without_completed_calls(response: ChatResponse, log: LossLog) -> ChatResponse:
    """Return an answer without the calls whose results it has, and report them as lost; unchanged if it has none."""
    messages: list[Any] = [*response["messages"]]
    ran = _answered(messages)
    for index, message in enumerate(messages):
        calls = message.get("tool_calls", ())
        gone: list[int] = []
        for at, call in enumerate(calls):
            identifier = call.get("id", f"call_{index}_{at}")
            if ran[identifier]:
                ran[identifier] -= 1
                gone.append(at)
        if gone:
            for at in gone:
                log.lost("part", f"/messages/{index}{_CALLS}{at}", _RUN)
            log.left_out(f"/messages/{index}/tool_calls", gone)
            messages[index] = _without(message, gone)
    return response if messages == response["messages"] else cast("ChatResponse", {**response, "messages": messages})


def _answered(messages: list[Any]) -> Counter[str]:
    """Return the number of results for each call id; calls without an id have one made from their position."""
    answered = ResultMatching(messages)
    ran: Counter[str] = Counter()
    for index, message in enumerate(messages):
        if message["role"] == "tool":
            asked = answered.by(index)
            identifier = message.get("call_id", message.get("id")) or (None if asked is None else asked.id)
            if identifier is not None:
                ran[identifier] += 1
    return ran


def _without(message: Any, gone: list[int]) -> Any:
    """Return a message without some of its calls, and without their signatures."""
    kept = [at for at in range(len(message["tool_calls"])) if at not in gone]
    out = {name: value for name, value in message.items() if name != "tool_calls"}
    if kept:
        out["tool_calls"] = [message["tool_calls"][at] for at in kept]
    places = {f"{_CALLS}{at}": f"{_CALLS}{new}" for new, at in enumerate(kept)}
    extra_of = {
        dialect: _signed(bag, places) if type(bag) is dict and "thought_signatures" in bag else bag
        for dialect, bag in message.get("extra", {}).items()
    }
    return {**out, "extra": extra_of} if extra_of else out


def _signed(bag: dict[str, Any], places: dict[str, str]) -> dict[str, Any]:
    """Return an `extra` bag with the signatures of the remaining calls, at their new positions."""
    signed = [
        {**one, "at": places.get(one["at"], one["at"])}
        for one in bag["thought_signatures"]
        if not one["at"].startswith(_CALLS) or one["at"] in places
    ]
    rest = {name: value for name, value in bag.items() if name != "thought_signatures"}
    return {**rest, "thought_signatures": signed} if signed else rest
