"""Rewrites provider-specific tools that the client runs as functions for another provider.

This covers the tools, their calls and their results. Calls of a tool with its own item type are restored by the
exchange; calls of other tools come back under the tool's name. Tools that an item introduces in mid-conversation are
offered from the start.
Source: docs/exchange.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from interlingua.carried_signatures import with_signed_call
from interlingua.registry import known_descriptor, room
from interlingua.restoration import SAYS_NOTHING, OwnTool
from interlingua.rooms._shared.names import unique_name

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.loss import LossLog
    from interlingua.model_shapes import ChatRequest, ChatResponse

__all__ = ["CallsInStream", "RequestWithFunctions", "with_calls_of_client_tools", "with_functions_for_client_tools"]

# Block numbers of calls that no decoder has numbered start here.
_FIRST_BLOCK: Final = 1 << 30
_CALL: Final = "a call of a tool that the client runs is sent as that of a function"
_BRINGS: Final = "the tools that it adds are offered from the beginning of the conversation"
_OFFERED: Final = "tools that items of the conversation add are offered, too"


class RequestWithFunctions(NamedTuple):
    """A request with functions in place of tools that the client runs, and what they stand for.

    `tools` maps function names to the tools with their own item type that they stand for; `places` are the places of
    rewritten tools and items. `brought` maps each tool that an item introduces to its path in that item; `bringing` are
    the paths of those items.
    """

    request: ChatRequest
    tools: dict[str, OwnTool]
    places: frozenset[tuple[str, str]]
    brought: Mapping[str, str]
    bringing: frozenset[str]

    def relocate(self, written: LossLog, log: LossLog) -> None:
        """Copy the losses of this request to the log of the canonical one; what was an item has no members here."""
        log.renamed |= written.renamed
        for note in written.notes():
            holder, at = (*note.path.split("/", 3), "", "")[1:3]
            if note.path in self.bringing:
                continue
            path, place = note.path, f"/{holder}/{at}"
            if holder == "tools" and at in self.brought:
                path, place = self.brought[at] + path.removeprefix(place).partition("/extra/")[0], self.brought[at]
            if (holder, at) not in self.places or note.severity == "filled":
                log.note(note.code, path, note.detail, note.severity)
            elif note.severity == "lost":
                log.lost("tool" if holder == "tools" else "message", place, note.detail)


def with_functions_for_client_tools(request: ChatRequest, dialect: str, log: LossLog) -> RequestWithFunctions | None:
    """Return a request that offers a function for each provider-specific tool that the client runs, or None.

    Calls and results in provider-specific items become those of the function, and tools that items introduce are
    offered with the others. Each rewrite is logged as changed. None means that there is no such tool.
    """
    return _Rewriting(request, dialect, log).made()


class _Rewriting:
    """The rewriting of one request."""

    def __init__(self, request: ChatRequest, dialect: str, log: LossLog) -> None:
        self._request = request
        self._dialect = dialect
        self._log = log
        self._tools: list[Any] = [*request.get("tools", ())]
        self._taken = {tool["name"] for tool in self._tools if "name" in tool}
        self._names: dict[str, str] = {}  # type of a tool with items of its own -> the name of its function
        self._own: dict[str, OwnTool] = {}
        self._left: set[str] = set()  # ids of calls that stay behind
        self._brought: dict[str, str] = {}  # index of a tool that an item introduces -> its path in the item

    def made(self) -> RequestWithFunctions | None:
        """Return the rewritten request, or None if there is nothing to rewrite."""
        messages: list[Any] = [*self._request["messages"]]
        bringing = [
            index
            for index, message in enumerate(messages)
            if message["role"] == "opaque" and self._is_foreign(message) and self._offer(message, f"/messages/{index}")
        ]
        originals = [*self._tools]
        tools = [
            index for index, tool in enumerate(originals) if self._is_foreign(tool) and self._rewrite_tool(index, tool)
        ]
        offered: frozenset[str] = frozenset(originals[at]["data"]["type"] for at in tools)
        rewritten = [
            index
            for index, message in enumerate(messages)
            if message["role"] == "opaque" and self._is_foreign(message) and self._rewrite(messages, index, offered)
        ]
        bringing = [index for index in bringing if index not in rewritten]
        for index in bringing:
            self._log.changed("message", f"/messages/{index}", _BRINGS)
        if not tools and not rewritten and not bringing:
            return None
        if self._brought and "tools" in self._request:
            self._log.changed("tool", "/tools", _OFFERED)
        elif self._brought:
            self._log.filled("/tools", _OFFERED)
        out: dict[str, Any] = {**self._request, "messages": messages}
        if self._tools:
            out["tools"] = self._tools
        choice = out.get("tool_choice", {})
        if choice.get("mode") == "named" and choice["name"] in self._names:
            out["tool_choice"] = {**choice, "name": self._names[choice["name"]]}
        places = [*(("tools", str(at)) for at in tools), *(("messages", str(at)) for at in rewritten)]
        told = frozenset(f"/messages/{at}" for at in bringing)
        return RequestWithFunctions(cast("ChatRequest", out), self._own, frozenset(places), self._brought, told)

    def _is_foreign(self, value: Mapping[str, Any]) -> bool:
        """Tell whether a tool or a message is opaque and of another dialect that has client tools."""
        if value.get("type", "opaque") != "opaque" or value["dialect"] == self._dialect:
            return False
        known = known_descriptor(value["dialect"])
        return known is not None and known.client_tools and type(value["data"]) is dict

    def _offer(self, item: Any, path: str) -> bool:
        """Offer those tools of an item that are not offered yet; tell whether the item introduces any."""
        if self._call_member(item) is None:
            return False
        speaker: Any = room(item["dialect"])
        brought: list[dict[str, Any]] = speaker.tools_of_item(item["data"])
        for at, tool in enumerate(brought):
            place = f"{path}/data/tools/{at}"
            missing = self._not_offered(tool)
            if missing is not None:
                self._brought[str(len(self._tools))] = place
                self._taken |= {missing["name"]} if "name" in missing else set()
                self._tools.append(missing)
            elif "name" not in tool and tool not in self._tools:
                self._log.lost("tool", place, "a tool of this kind is offered already")
        return bool(brought)

    def _not_offered(self, tool: dict[str, Any]) -> dict[str, Any] | None:
        """Return a tool if it is not offered yet, or a namespace with only its new tools; None if nothing is new."""
        name = tool.get("name")
        if name is None:
            if tool["type"] == "opaque":
                return None if tool in self._tools else tool
            return None if any(one["type"] == tool["type"] for one in self._tools) else tool
        offered = [one for one in self._tools if one.get("name") == name and one["type"] in {tool["type"], "namespace"}]
        if not offered:
            return tool
        known = {inner.get("name") for one in offered for inner in one.get("tools", ())}
        inner = [one for one in tool.get("tools", ()) if one.get("name") not in known]
        return {**tool, "tools": inner} if inner else None

    def _rewrite_tool(self, index: int, tool: Any) -> bool:
        """Replace a tool by a function; tell whether it could be replaced."""
        speaker: Any = room(tool["dialect"])
        found: tuple[dict[str, Any], list[str]] | None = speaker.function_of_client_tool(tool["data"])
        if found is None:
            return False
        function, unsaid = found
        if self._call_member(tool) is not None:
            function = {**function, "name": self._named(function["name"])}
        self._tools[index] = function
        told = "a tool that the client runs is sent as a function"
        if unsaid:
            told = f"a tool that the client runs is sent as a function, without {', '.join(unsaid)}"
        self._log.changed("tool", self._brought.get(str(index), f"/tools/{index}"), told)
        return True

    def _rewrite(self, messages: list[Any], index: int, offered: frozenset[str]) -> bool:
        """Replace an item by a tool call or a tool result; tell whether the item was one."""
        item = messages[index]
        if self._call_member(item) is None:
            return False
        speaker: Any = room(item["dialect"])
        found: tuple[dict[str, Any], list[str]] | None = speaker.message_of_client_item(item["data"], offered)
        if found is None:
            identifier = item["data"].get("call_id")
            if isinstance(identifier, str):
                self._left.add(identifier)
            return False
        message, unsaid = found
        if message["role"] == "user":
            messages[index] = message
            told = "what another agent wrote is sent as a user message"
            if unsaid:
                told = f"what another agent wrote is sent as a user message, without {', '.join(unsaid)}"
            self._log.changed("message", f"/messages/{index}", told)
            return True
        if message["role"] == "tool":
            if message["call_id"] in self._left:
                return False
        else:
            [call] = message["tool_calls"]
            message = {**message, "tool_calls": [{**call, "name": self._named(call["name"])}]}
            before = messages[index - 1] if index else item
            if before["role"] == "assistant" and "tool_calls" not in before and "extra" in before:
                messages[index - 1], message = with_signed_call(before, message)
        messages[index] = message
        what = "a result" if message["role"] == "tool" else "a call"
        told = f"{what} of a tool that the client runs is sent as that of a function"
        if unsaid:
            told = f"{what} of a tool that the client runs is sent as that of a function, without {', '.join(unsaid)}"
        self._log.changed("message", f"/messages/{index}", told)
        return True

    @staticmethod
    def _call_member(value: Mapping[str, Any]) -> str | None:
        """Return the member of a call that names such a tool, if the dialect has item types for client tools."""
        known = known_descriptor(value["dialect"])
        return None if known is None else known.call_tool

    def _named(self, word: str) -> str:
        """Return a unique name for the function that stands for a type of tool."""
        if word not in self._names:
            name = self._names[word] = unique_name(word, self._taken)
            self._own[name] = OwnTool(word, is_item=True)
        return self._names[word]


def with_calls_of_client_tools(response: ChatResponse, dialect: str, log: LossLog) -> ChatResponse:
    """Return a response for another dialect with function calls in place of calls of client tools.

    Each rewrite is logged as changed. Returns the same response where there are no such calls.
    """
    messages: list[Any] = [*response["messages"]]
    found = False
    for index, message in enumerate(messages):
        if message["role"] != "opaque" or message["dialect"] == dialect:
            continue
        call = _call_of_item(message["dialect"], message["data"])
        if call is not None:
            messages[index], found = {"role": "assistant", "tool_calls": [call]}, True
            log.changed("message", f"/messages/{index}", _CALL)
    if not found:
        return response
    out: dict[str, Any] = {**response, "messages": messages}
    if out.get("finish_reason") == "stop":
        out["finish_reason"] = "tool_calls"
    return cast("ChatResponse", out)


class CallsInStream:
    """Rewrites a stream's events for another dialect, with function calls in place of calls of client tools."""

    __slots__ = ("_begun", "_calls", "_dialect", "_log")

    def __init__(self, dialect: str, log: LossLog) -> None:
        self._dialect = dialect
        self._log = log
        self._calls = 0
        self._begun: list[int] = []  # numbers of the events of calls that are not complete yet

    def feed(self, event: dict[str, Any], number: int) -> list[dict[str, Any]]:
        """Return the events to write for an event; a frame that holds a complete call becomes that call."""
        kind = event["type"]
        if kind == "start":
            self._calls = 0
        elif kind == "end":
            for told in self._begun:
                self._log.lost("extra", f"/{told}/data", "the stream ended before the call was complete")
        elif kind == "opaque" and event["dialect"] != self._dialect:
            item = _whole_item(event["dialect"], event["data"])
            if item is None and _is_of_call(event["dialect"], event["data"]):
                self._begun.append(number)
                return [{**SAYS_NOTHING}]
            if item is not None:
                self._begun.clear()  # it repeats all that they began, also for a call that the provider ran
            call = None if item is None else _call_of_item(event["dialect"], item)
            if call is not None:
                self._log.changed("message", f"/{number}/data", _CALL)
                block = _FIRST_BLOCK + self._calls
                self._calls += 1
                return [{"type": "tool_call_start", "block": block, **call}, {"type": "block_end", "block": block}]
        elif kind == "finish" and self._calls and event["reason"] == "stop":
            return [{**event, "reason": "tool_calls"}]
        return [event]


def _room_of(dialect: str, data: Any) -> Any:
    """Return the room of a dialect that has item types for client tools, or None if the data cannot be such an item."""
    known = known_descriptor(dialect)
    return None if known is None or known.call_tool is None or type(data) is not dict else room(dialect)


def _whole_item(dialect: str, frame: Any) -> Any:
    """Return the complete item that a frame holds, if the dialect has item types for client tools."""
    speaker = _room_of(dialect, frame)
    return None if speaker is None else speaker.whole_item(frame)


def _is_of_call(dialect: str, frame: Any) -> bool:
    """Tell whether a frame begins a call of a client tool, or holds a delta of one."""
    tells = getattr(_room_of(dialect, frame), "is_of_client_call", None)
    return tells is not None and bool(tells(frame))


def _call_of_item(dialect: str, item: Any) -> dict[str, Any] | None:
    """Return the function call for an output item that calls a client tool; None for any other item."""
    speaker = _room_of(dialect, item)
    found: tuple[dict[str, Any], list[str]] | None = None
    if speaker is not None:
        found = speaker.message_of_client_item(item, frozenset())
    if found is None or "tool_calls" not in found[0]:
        return None
    [call] = found[0]["tool_calls"]
    return cast("dict[str, Any]", call)
