"""Remove the ids of results that follow calls without ids: they are matched by name and order instead.

Gemini before 3 gives its calls no ids, and some of its clients give results ids of their own. Source:
docs/wire/gemini.md, section 1.3. An empty id or name is none: servers that do not read it accept it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

if TYPE_CHECKING:
    from interlingua.loss import LossLog
    from interlingua.model_shapes import ChatRequest


def without_unknown_result_ids(request: ChatRequest, log: LossLog) -> ChatRequest:
    """Return a request without the ids of such results; unchanged if there are none."""
    messages = [_without_empty_links(message) for message in request["messages"]]
    known: set[str] = set()
    is_unnamed = False  # whether the last turn has a call without an id
    is_over = False
    for index, message in enumerate(messages):
        if message["role"] == "assistant":
            is_unnamed = is_unnamed and not is_over
            is_over = False
            for call in message.get("tool_calls", ()):
                if "id" in call:
                    known.add(call["id"])
                else:
                    is_unnamed = True
        elif message["role"] == "tool":
            is_over = True
            member = "call_id" if "call_id" in message else "id"
            if is_unnamed and member in message and message[member] not in known:
                detail = "no call has this id: the result was matched by its name and position"
                log.changed("name", f"/messages/{index}/{member}", detail)
                messages[index] = {name: value for name, value in message.items() if name != member}
    return request if messages == request["messages"] else cast("ChatRequest", {**request, "messages": messages})


_LINKS: Final = frozenset({"id", "call_id", "name"})


def _without_empty_links(message: Any) -> Any:
    """Return a message without the empty ids of its calls, or the empty id and name of its result."""
    if message["role"] == "tool":
        return {name: value for name, value in message.items() if name not in _LINKS or value != ""}
    if "" not in {call.get("id") for call in message.get("tool_calls", ())}:
        return message
    calls = [{name: value for name, value in call.items() if name != "id" or value} for call in message["tool_calls"]]
    return {**message, "tool_calls": calls}
