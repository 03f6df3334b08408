"""Tools and calls as they must arrive if the target has no free-text tools or groups, implemented again for the laws.

A `changed` loss at a tool, or at a call, says that it was lowered. Here the canonical value becomes the value that must
arrive, and the paths of the losses below it are adapted.
"""

from __future__ import annotations

import base64
import re
from typing import TYPE_CHECKING, Any, Final

from interlingua.loss import Loss
from interlingua.registry import dialects, room
from interlingua.rooms._shared.user_messages import BEGUN, CONTINUE_TEXT, OPENING
from interlingua.rooms.bedrock_converse.cache_points import END_ADDED, ENDED
from interlingua.rooms.bedrock_converse.documents import DOCUMENT_HINT, SAID_BESIDE, SENT_AS_BYTES
from interlingua.rooms.bedrock_converse.encode_family import HELD_BY_RESULTS
from interlingua.rooms.bedrock_converse.tables import CALLED_TOOL
from support.given_names import Names, given
from support.told_parts import texts_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_CALLED: Final = "the tools that were called were added"  # the detail of the loss of a tool that earlier calls name
_TOOL: Final = re.compile(r"/tools/(\d+)")
_CALL: Final = re.compile(r"/messages/(\d+)/tool_calls/(\d+)")
_MESSAGE: Final = re.compile(r"/messages/(\d+)")
_FUNCTION: Final = (
    "the client runs is sent as that of a function"  # the detail of the loss of an item that is a call or a result
)
_BRINGS: Final = "the tools that it adds are offered"  # the detail of the loss of any other item
_GROUPED: Final = "tool of a namespace"  # the detail of the loss for this
_SHARED: Final = "a function and a custom tool had the same name"  # the detail of the loss for this


def as_lowered(
    before: Mapping[str, Any], after: Mapping[str, Any], losses: Sequence[Loss]
) -> tuple[Mapping[str, Any], list[Loss]]:
    """Return a canonical request as it must arrive, and the losses that still have to be applied to it."""
    before, losses = _with_brought_tools(before, losses)
    tools = {int(found[1]) for loss in losses if _is_tool(loss) and (found := _TOOL.fullmatch(loss.path))}
    items = {int(found[1]) for loss in losses if _is_item(loss) and (found := _MESSAGE.fullmatch(loss.path))}
    calls: set[tuple[int, int]] = set()
    named: dict[str, str] = {}
    for loss in losses:
        if loss.severity != "changed":
            continue
        if (found := _CALL.fullmatch(loss.path)) is not None:
            calls.add((int(found[1]), int(found[2])))
        elif loss.code == "name" and (_GROUPED in loss.detail or _SHARED in loss.detail):
            named[loss.path] = loss.detail
    if items:
        before = {**before, "messages": [_told(one, at, items, before) for at, one in enumerate(before["messages"])]}
        losses = [loss for loss in losses if not _is_item(loss)]
    if not tools and not calls and not named:
        return before, list(losses)
    return _Expected(before, after, tools, calls, named).of(losses)


def _with_brought_tools(before: Mapping[str, Any], losses: Sequence[Loss]) -> tuple[Mapping[str, Any], Sequence[Loss]]:
    """Return a request that declares the tools of its items, and the losses of these tools at their new paths."""
    messages, tools = [*before.get("messages", ())], [*before.get("tools", ())]
    places: dict[str, str] = {}
    told: set[str] = set()
    for loss in losses:
        found = _MESSAGE.fullmatch(loss.path) if loss.code == "message" and loss.severity == "changed" else None
        if found is None or messages[int(found[1])]["role"] != "opaque":
            continue
        message = messages[int(found[1])]
        speaker: Any = room(message["dialect"])
        for at, tool in enumerate(speaker.tools_of_item(message["data"])):
            new = _new_tool(tool, tools)
            if new is not None:
                places[f"{loss.path}/data/tools/{at}"] = f"/tools/{len(tools)}"
                tools.append(new)
        if _BRINGS in loss.detail:
            text = texts_of(messages).get((int(found[1]), -1))
            said = {"role": "developer"} if text is None else {"role": text.role, "content": text.text}
            messages[int(found[1])] = said  # some say nothing
            told |= {loss.path, *(one.path for one in losses if one.path.startswith(f"{loss.path}/data/tools/"))}
    if not places and not told:
        return before, losses
    left: list[Loss] = []
    for loss in losses:
        place = next((one for one in places if loss.path == one or loss.path.startswith(f"{one}/")), None)
        if place is not None:
            path = f"{places[place]}{loss.path.removeprefix(place)}"
            left.append(Loss(loss.code, path, loss.detail, loss.severity))
        elif loss.path not in told and not (loss.path == "/tools" and places):
            left.append(loss)
    offered = {"tools": tools} if tools else {}
    return {**before, **offered, "messages": messages}, left


def _new_tool(tool: Any, tools: Sequence[Any]) -> Any:
    """Return the new members of a tool, None if it is declared already or has no name."""
    known = [one for one in tools if one.get("name") == tool.get("name") and one["type"] in {tool["type"], "namespace"}]
    if "name" not in tool or (known and tool["type"] != "namespace"):
        return None
    names = {inner.get("name") for one in known for inner in one["tools"]}
    inner = [one for one in tool.get("tools", ()) if one.get("name") not in names]
    return tool if not known else {**tool, "tools": inner} if inner else None


def without_called_tools(after: Mapping[str, Any], losses: list[Loss]) -> tuple[Mapping[str, Any], list[Loss]]:
    """Return a request without the tools that the target filled in for earlier calls, if it has no others."""
    filled = [loss for loss in losses if loss.severity == "filled" and _CALLED in loss.detail]
    left = [loss for loss in losses if loss not in filled]
    names = dict.fromkeys(
        call["name"] for message in after.get("messages", ()) for call in message.get("tool_calls", ())
    )
    if not filled:
        return after, losses
    tools = after.get("tools", ())
    told = {"description": CALLED_TOOL["description"], "parameters": CALLED_TOOL["inputSchema"]["json"]}
    if tools != [{"type": "function", "name": name, **told} for name in names]:
        return {**after, "tools": [*tools, {"type": "function", "name": "no tool of a call"}]}, left
    return {name: value for name, value in after.items() if name != "tools"}, left


def without_question(
    before: Mapping[str, Any], after: Mapping[str, Any], losses: list[Loss]
) -> tuple[Mapping[str, Any], list[Loss]]:
    """Return a request without the messages that the target filled in: the first one, and a last one to continue."""
    after, losses = _without_opening(after, losses)
    path = f"/messages/{len(before['messages'])}"
    left = [loss for loss in losses if (loss.path, loss.severity) != (path, "filled")]
    if len(left) == len(losses):
        return after, losses
    *messages, last = after["messages"]
    said = {"role": last["role"], "content": last.get("content")}
    asks = said in (
        {"role": "user", "content": CONTINUE_TEXT},
        {"role": "user", "content": [{"type": "text", "text": CONTINUE_TEXT}]},
    )
    return {**after, "messages": messages if asks else after["messages"]}, left


def without_end_mark(
    before: Mapping[str, Any], after: Mapping[str, Any], losses: list[Loss]
) -> tuple[Mapping[str, Any], Mapping[str, Any], list[Loss]]:
    """Return both requests without the cache of the whole, and the mark at the end that stands for it."""
    found = [loss.detail for loss in losses if loss.detail in {ENDED, END_ADDED}]
    if not found:
        return before, after, losses
    if found == [END_ADDED]:
        at = max(at for at, one in enumerate(after["messages"]) if one["role"] in {"user", "tool"})
        last = after["messages"][at]
        if "cache" in last:
            last = _unmarked(last)
        else:
            *parts, end = last["content"]
            last = {**last, "content": [*parts, _unmarked(end)]}
        after = {**after, "messages": [*after["messages"][:at], last, *after["messages"][at + 1 :]]}
    left = [loss for loss in losses if not loss.path.startswith("/cache")]
    return {name: said for name, said in before.items() if name != "cache"}, after, left


def _unmarked(value: Mapping[str, Any]) -> dict[str, Any]:
    assert "cache" in value
    return {name: said for name, said in value.items() if name != "cache"}


def _without_opening(after: Mapping[str, Any], losses: list[Loss]) -> tuple[Mapping[str, Any], list[Loss]]:
    """Return a request without the message that was put in front of an answer, if a loss says so."""
    left = [loss for loss in losses if (loss.path, loss.severity, loss.detail) != ("/messages", "changed", BEGUN)]
    if len(left) == len(losses):
        return after, losses
    messages = [*after["messages"]]
    at = next(at for at, one in enumerate(messages) if one["role"] not in {"system", "developer"})
    said = (messages[at]["role"], messages[at].get("content"))
    if said in (("user", OPENING), ("user", [{"type": "text", "text": OPENING}])):
        del messages[at]
    return {**after, "messages": messages}, left


def with_bedrock_documents(
    before: Mapping[str, Any], after: Mapping[str, Any], losses: list[Loss]
) -> tuple[Mapping[str, Any], Mapping[str, Any], list[Loss]]:
    """Return requests with documents at the places that Bedrock allows, and without the text that is added for them."""
    told = {loss.detail for loss in losses if (loss.path, loss.severity) == ("/messages", "changed")}
    sent = {loss.path for loss in losses if loss.detail == SENT_AS_BYTES}
    if sent:
        before = {**before, "messages": [_as_bytes(one, at, sent) for at, one in enumerate(before["messages"])]}
    if HELD_BY_RESULTS in told:
        before = {**before, "messages": _with_documents_in_results(before["messages"])}
    if SAID_BESIDE in told:
        beside = {"type": "text", "text": DOCUMENT_HINT}
        after = {**after, "messages": [_without_part(message, beside) for message in after["messages"]]}
    settled = {HELD_BY_RESULTS, SAID_BESIDE, SENT_AS_BYTES}
    return before, after, [loss for loss in losses if loss.detail not in settled]


def _as_bytes(message: Any, at: int, sent: set[str]) -> Any:
    """Return a message whose text documents are files of bytes, if a loss says so."""
    content: Any = message.get("content")
    if type(content) is not list:
        return message
    parts: list[Any] = [
        _file(part) if f"/messages/{at}/content/{place}" in sent else part
        for place, part in enumerate(_listed(content))
    ]
    return {**message, "content": parts}


def _listed(content: Any) -> list[Any]:
    return content if type(content) is list else []


def _file(part: Mapping[str, Any]) -> dict[str, Any]:
    said = [part["text"]] if "text" in part else [one["text"] for one in part["content"]]
    kept = {name: value for name, value in part.items() if name not in {"text", "content"}}
    data = base64.b64encode("\n\n".join(said).encode()).decode()
    return {"format": "text/plain", **kept, "data": data}


def _without_part(message: Any, part: Mapping[str, Any]) -> Any:
    content: Any = message.get("content")
    if type(content) is not list:
        return message
    return {**message, "content": [one for one in _listed(content) if one != part]}


def _with_documents_in_results(messages: Sequence[Any]) -> list[Any]:
    """Return messages in which the last result of a turn holds the documents that the user sends next to it."""
    out: list[Any] = []
    last: int | None = None
    for message in messages:
        if message["role"] == "tool":
            last = len(out)
        elif message["role"] not in {"user", "system", "developer"}:
            last = None
        content = _listed(message.get("content"))
        files = [part for part in content if part["type"] == "file"]
        if files and last is not None and message["role"] == "user":
            said: Any = out[last].get("content") or []
            held = [{"type": "text", "text": said}] if type(said) is str else _listed(said)
            out[last] = {**out[last], "content": [*held, *files]}
            out.append({**message, "content": [part for part in content if part["type"] != "file"]})
        else:
            out.append(message)
    return out


def _is_item(loss: Loss) -> bool:
    return loss.code == "message" and loss.severity == "changed" and _FUNCTION in loss.detail


def _told(message: Any, at: int, items: set[int], request: Mapping[str, Any]) -> Any:
    """Return a message, or its replacement if it is an item of a tool that the client runs."""
    if at not in items:
        return message
    offered = {tool["data"].get("type") for tool in request.get("tools", ()) if tool["type"] == "opaque"}
    speaker: Any = room(message["dialect"])
    return speaker.message_of_client_item(message["data"], offered)[0]


def _is_tool(loss: Loss) -> bool:
    return loss.code == "tool" and loss.severity == "changed"


def _group(value: Mapping[str, Any]) -> Any:
    return value.get("extra", {}).get("openai_responses", {}).get("namespace")


class _Expected:
    def __init__(
        self,
        before: Mapping[str, Any],
        after: Mapping[str, Any],
        tools: set[int],
        calls: set[tuple[int, int]],
        named: Mapping[str, str],
    ) -> None:
        self._before = before
        self._offered: Sequence[Any] = after.get("tools", ())
        self._schemas = [tool["parameters"] for tool in self._offered if tool.get("parameters")]
        self._tools = tools
        self._calls = calls  # of free-text tools
        self._named = named  # the generated names, and their reason
        self._paths: dict[str, str] = {}  # of tools: the old path, the new path
        self._gone: set[str] = set()
        self._names = Names(before.get("tools", ()))
        self._called: dict[Any, str] = {}  # ids of calls, and the names of their tools

    def of(self, losses: Sequence[Loss]) -> tuple[Mapping[str, Any], list[Loss]]:
        value = {**self._before}
        if "tools" in value:
            value["tools"] = self._all_tools(value["tools"])
        value["messages"] = [self._message(message, at) for at, message in enumerate(value["messages"])]
        if "tool_choice" in value:
            value["tool_choice"] = self._choice(value["tool_choice"])
        left = [self._left(loss) for loss in losses if loss.path not in self._gone]
        return value, left

    def _left(self, loss: Loss) -> Loss:
        moved = Loss(loss.code, self._moved(loss.path), loss.detail, loss.severity)
        return given(moved) if loss.path in self._named else moved

    def _moved(self, path: str) -> str:
        place = max((one for one in self._paths if path == one or path.startswith(one + "/")), key=len, default="")
        return f"{self._paths[place]}{path[len(place) :]}" if place else path

    def _all_tools(self, tools: Sequence[Any]) -> list[Any]:
        made: list[Any] = []
        for index, tool in enumerate(tools):
            inner = tool["tools"] if index in self._tools and tool["type"] == "namespace" else None
            if index in self._tools:
                self._gone.add(f"/tools/{index}")
            for at, one in enumerate([tool] if inner is None else inner):
                self._paths[f"/tools/{index}" if inner is None else f"/tools/{index}/tools/{at}"] = (
                    f"/tools/{len(made)}"
                )
                grouped = one if inner is None or "name" not in one else self._grouped(tool, one)
                if index in self._tools and grouped["type"] == "custom":
                    grouped = self._function(grouped)
                    if f"/tools/{index}/name" in self._named:
                        grouped["name"] = self._names.apart(one["name"])
                elif index in self._tools and grouped["type"] == "opaque" and grouped["dialect"] in dialects():
                    # The schema of such a function comes from the dialect's table, which `test_client_tools` checks
                    # with calls.
                    speaker: Any = room(grouped["dialect"])
                    found = speaker.function_of_client_tool(grouped["data"])
                    grouped = grouped if found is None else found[0]
                made.append(grouped)
        return made

    def _function(self, tool: Any) -> Any:
        """Return the function for a free-text tool; the descriptions in its schema are the target's."""
        if any(one["type"] == "custom" for one in self._offered):
            return tool
        definition = tool.get("grammar", {"definition": ""})["definition"]
        schemas = [schema for schema in self._schemas if _asks_for_text(schema, definition)]
        self._schemas = [schema for schema in self._schemas if schema is not next(iter(schemas), None)]
        kept = {name: value for name, value in tool.items() if name not in {"grammar", "type"}}
        return {"type": "function", **kept, "parameters": schemas[0] if schemas else "another one"}

    def _message(self, message: Any, at: int) -> Any:
        if "tool_calls" in message:
            calls = [
                self._call(call, f"/messages/{at}/tool_calls/{nth}", is_free=(at, nth) in self._calls)
                for nth, call in enumerate(message["tool_calls"])
            ]
            return {**message, "tool_calls": calls}
        if f"/messages/{at}/name" in self._named:
            return {**message, "name": self._called[message.get("call_id", message.get("id"))]}
        return message

    def _call(self, call: Any, path: str, *, is_free: bool) -> Any:
        out = {**call}
        why = self._named.get(f"{path}/name", "")
        if why:
            name = call["name"]
            out["name"] = self._names.grouped(_group(call), name) if _GROUPED in why else self._names.apart(name)
        if "id" in call:
            self._called[call["id"]] = out["name"]
        if is_free:
            del out["kind"]
            out["arguments"] = {"input": call["arguments"]}
            self._gone.add(path)
        return out

    def _choice(self, choice: Any) -> Any:
        why = self._named.get("/tool_choice/name", "")
        if why:
            made = self._names.only(choice["name"]) if _GROUPED in why else self._names.apart(choice["name"])
            return {**choice, "name": made}
        if choice["mode"] != "subset":
            return choice
        names = [
            self._names.only(name) if f"/tool_choice/names/{at}" in self._named else name
            for at, name in enumerate(choice["names"])
        ]
        return {**choice, "names": names}

    def _grouped(self, group: Any, tool: Any) -> Any:
        told = [one["description"] for one in (group, tool) if one.get("description")]
        described = {"description": "\n\n".join(told)} if told else {}
        return {**tool, **described, "name": self._names.grouped(group["name"], tool["name"])}


def _asks_for_text(schema: Any, definition: str) -> bool:
    properties = schema.get("properties", {})
    is_one = list(properties) == ["input"] and schema.get("required") == ["input"]
    return is_one and definition in properties["input"].get("description", "")
