"""Write calls and results as text, for models without tools and for other dialects.

Models without tools refuse a conversation with calls; only Responses accepts a result that answers no call.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final, cast

from interlingua.rooms._shared.writing import ResultMatching, content_with_text
from interlingua.spi.extra import report_foreign
from interlingua.tool_arguments import arguments_text

if TYPE_CHECKING:
    from interlingua.loss import LossLog
    from interlingua.model_shapes import ChatRequest

_TOLD: Final = "these models do not support function calls: calls and results are sent as text"
_UNASKED: Final = "no call asked for this result: it is sent as a user message"


def calls_to_text(request: dict[str, Any], dialect: str, log: LossLog) -> None:
    """Replace calls by text in their assistant message, and results by user messages."""
    messages: list[Any] = request["messages"]
    if not any(message["role"] == "tool" or message.get("tool_calls") for message in messages):
        return
    answered = ResultMatching(messages)
    names = {call["id"]: call["name"] for one in messages for call in one.get("tool_calls", ()) if "id" in call}
    told = [*messages]
    for index, message in enumerate(messages):
        if message["role"] == "tool":
            _report(message, f"/messages/{index}", log)
            told[index] = _result(message, index, _name_of(message, index, answered, names), log)
        elif message.get("tool_calls"):
            for at, call in enumerate(message["tool_calls"]):
                path = f"/messages/{index}/tool_calls/{at}"
                _report(call, path, log)
                if "extra" in call:
                    report_foreign(call, dialect, path, log)
            told[index] = _calls(message)
    request["messages"] = told


def with_orphan_results_as_text(request: ChatRequest, log: LossLog) -> ChatRequest:
    """Return a request with results that answer no call as user messages; unchanged if there are none.

    Such a result has no call id, and there is no call left that it could answer. One without a name that follows
    another result is a part of it, if that one answers a call.
    """
    messages: list[Any] = request["messages"]
    came = "dialect" in request  # who makes a request by hand may have forgotten the id
    unlinked = [
        index
        for index, message in enumerate(messages)
        if message["role"] == "tool"
        and "call_id" not in message
        and "id" not in message
        and (came or "name" in message)
    ]
    if not unlinked:
        return request
    linked = (message.get("call_id", message.get("id")) for message in messages if message["role"] == "tool")
    answers = Counter(identifier for identifier in linked if identifier is not None)
    calls = Counter(call.get("id") for message in messages for call in message.get("tool_calls", ()))
    if not calls <= answers:  # the remaining calls may be answered without an id
        answered = ResultMatching(messages)
        unlinked = [index for index in unlinked if answered.by(index) is None]
    unlinked = _without_further_parts(messages, unlinked)
    if not unlinked:
        return request
    told = [*messages]
    for index in unlinked:
        log.changed("message", f"/messages/{index}", _UNASKED)
        if "cache" in messages[index]:
            log.lost("cache", f"/messages/{index}/cache", "cache marks are not allowed here")
        told[index] = _result(messages[index], index, messages[index].get("name", ""), log)
    return cast("ChatRequest", {**request, "messages": told})


def _without_further_parts(messages: list[Any], unlinked: list[int]) -> list[int]:
    """Return the indexes without those of nameless results that follow a result which is linked, or a part of one."""
    left: list[int] = []
    apart = {*unlinked}
    for index in unlinked:
        if "name" in messages[index] or index - 1 in apart or not index or messages[index - 1]["role"] != "tool":
            left.append(index)
        else:
            apart.discard(index)
    return left


def _report(value: Any, path: str, log: LossLog) -> None:
    log.changed("message", path, _TOLD)
    if "cache" in value:
        log.lost("cache", f"{path}/cache", "cache marks are not allowed here")


def _name_of(message: Any, index: int, answered: ResultMatching, names: dict[str, str]) -> str:
    """Return the name of a result's tool, empty if unknown."""
    if "name" in message:
        return str(message["name"])
    identifier = message.get("call_id", message.get("id"))
    if identifier is None:
        asked = answered.by(index)
        identifier = None if asked is None else asked.id
    return names.get(identifier or "", "")


def _result(message: Any, index: int, name: str, log: LossLog) -> dict[str, Any]:
    head = f"{'Error' if message.get('is_error') else 'Result'} of {name or 'the call'}:\n"
    content = message.get("content", "")
    said: Any = head + content if type(content) is str else [{"type": "text", "text": head}, *content]
    if type(content) is not str:
        log.put_first(f"/messages/{index}/content")
    return {"role": "user", "content": said, **({"extra": message["extra"]} if "extra" in message else {})}


def _calls(message: Any) -> dict[str, Any]:
    text = "\n".join(f"Called {call['name']}: {arguments_text(call['arguments'])}" for call in message["tool_calls"])
    others = {member: value for member, value in message.items() if member != "tool_calls"}
    return {**others, "content": content_with_text(message.get("content"), text)}
