"""Tools of one provider that the client runs, as functions for another one: the tools, their calls and their results.

A tool with items of its own is known to the exchange, which raises what comes back; any other's calls come back by its
name. Source: docs/exchange.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, cast

from interlingua.registry import known_descriptor, room
from interlingua.restoring import OwnTool

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.loss import LossLog
    from interlingua.model_shapes import ChatRequest

__all__ = ["WithFunctions", "with_functions_for_client_tools"]


class WithFunctions(NamedTuple):
    """A request with functions for the tools that the client runs, and what stands for them.

    `tools` says which names stand for tools with items of their own, `places` where a tool or such an item stood.
    """

    request: ChatRequest
    tools: dict[str, OwnTool]
    places: frozenset[tuple[str, str]]

    def relocate(self, written: LossLog, log: LossLog) -> None:
        """Note the losses of this request as those of the canonical one: what was an item has no members here."""
        log.renamed |= written.renamed
        for note in written.notes():
            holder, at = (*note.path.split("/", 3), "", "")[1:3]
            if (holder, at) not in self.places or note.severity == "filled":
                log.note(note.code, note.path, note.detail, note.severity)
            elif note.severity == "lost":
                log.lost("tool" if holder == "tools" else "message", f"/{holder}/{at}", note.detail)


def with_functions_for_client_tools(request: ChatRequest, dialect: str, log: LossLog) -> WithFunctions | None:
    """Return a request that offers a function for each tool that only its own provider knows and the client runs.

    Calls and results in items of the provider's own are those of the function. What becomes another thing is noted in
    the log as changed. None where there is none.
    """
    return _Rewriting(request, dialect, log).made()


class _Rewriting:
    """One request that is rewritten."""

    def __init__(self, request: ChatRequest, dialect: str, log: LossLog) -> None:
        self._request = request
        self._dialect = dialect
        self._log = log
        self._tools: list[Any] = [*request.get("tools", ())]
        self._taken = {tool["name"] for tool in self._tools if "name" in tool}
        self._names: dict[str, str] = {}  # type of a tool with items of its own -> the name of its function
        self._own: dict[str, OwnTool] = {}
        self._left: set[str] = set()  # ids of calls that stay behind

    def made(self) -> WithFunctions | None:
        """Return the request, or None where nothing is to be rewritten."""
        words = (tool["data"].get("type") for tool in self._tools if self._is_foreign(tool))
        offered = frozenset(word for word in words if type(word) is str)
        tools = [
            index
            for index, tool in enumerate(self._tools)
            if self._is_foreign(tool) and self._rewrite_tool(index, tool)
        ]
        messages: list[Any] = [*self._request["messages"]]
        rewritten = [
            index
            for index, message in enumerate(messages)
            if message["role"] == "opaque" and self._is_foreign(message) and self._rewrite(messages, index, offered)
        ]
        if not tools and not rewritten:
            return None
        out: dict[str, Any] = {**self._request, "messages": messages}
        if self._tools:
            out["tools"] = self._tools
        choice = out.get("tool_choice", {})
        if choice.get("mode") == "named" and choice["name"] in self._names:
            out["tool_choice"] = {**choice, "name": self._names[choice["name"]]}
        places = [*(("tools", str(at)) for at in tools), *(("messages", str(at)) for at in rewritten)]
        return WithFunctions(cast("ChatRequest", out), self._own, frozenset(places))

    def _is_foreign(self, value: Mapping[str, Any]) -> bool:
        """Tell whether a tool or a message is one that only another dialect understands, and that has such tools."""
        if value.get("type", "opaque") != "opaque" or value["dialect"] == self._dialect:
            return False
        known = known_descriptor(value["dialect"])
        return known is not None and known.client_tools and type(value["data"]) is dict

    def _rewrite_tool(self, index: int, tool: Any) -> bool:
        """Offer a function in the place of a tool; tell whether there is one."""
        speaker: Any = room(tool["dialect"])
        found: tuple[dict[str, Any], list[str]] | None = speaker.function_of_client_tool(tool["data"])
        if found is None:
            return False
        function, unsaid = found
        if self._call_member(tool) is not None:
            function = {**function, "name": self._named(function["name"])}
        self._tools[index] = function
        told = "a tool that the client runs becomes a function"
        if unsaid:
            told = f"a tool that the client runs becomes a function, without {', '.join(unsaid)}"
        self._log.changed("tool", f"/tools/{index}", told)
        return True

    def _rewrite(self, messages: list[Any], index: int, offered: frozenset[str]) -> bool:
        """Put a call or a result in the place of an item; tell whether the item is one."""
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
        if message["role"] == "tool":
            if message["call_id"] in self._left:
                return False
        else:
            [call] = message["tool_calls"]
            message = {**message, "tool_calls": [{**call, "name": self._named(call["name"])}]}
        messages[index] = message
        what = "a result" if message["role"] == "tool" else "a call"
        told = f"{what} of a tool that the client runs becomes that of a function"
        if unsaid:
            told = f"{what} of a tool that the client runs becomes that of a function, without {', '.join(unsaid)}"
        self._log.changed("message", f"/messages/{index}", told)
        return True

    @staticmethod
    def _call_member(value: Mapping[str, Any]) -> str | None:
        """Return the member of a call that names such a tool, where the dialect has items of their own for these."""
        known = known_descriptor(value["dialect"])
        return None if known is None else known.call_tool

    def _named(self, word: str) -> str:
        """Return the name of the function that stands for a type of tool: no other tool's."""
        if word not in self._names:
            name, count = word, 1
            while name in self._taken:
                count += 1
                name = f"{word}_{count}"
            self._taken.add(name)
            self._names[word] = name
            self._own[name] = OwnTool(word, is_item=True)
        return self._names[word]
