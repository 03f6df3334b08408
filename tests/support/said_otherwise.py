"""Values that a target has in another form by a documented rule: messages without a counterpart, tools, results."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final

from interlingua.rooms._shared.openai_settings import MARKED_AT_END
from interlingua.rooms.bedrock_converse.cache_points import BEHIND_RESULT

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from interlingua.loss import Loss

PLACEHOLDERS: Final = {
    "user": "(What the user sent here cannot be passed on.)",
    "tool": "(What the tool returned here cannot be passed on.)",
}
_SAYS_SO: Final = "a text that says so was put in its place"
_SENT: Final = "it is sent as the target's own tool of this kind"
_SERVERS: Final = "the target declares MCP servers as tools: one was added"
_UNWRAPPED: Final = "the text of a result is sent without its object"
_PLACE: Final = re.compile(r"/(messages|tools)/(\d+)(?:/(?:content|data)(?:/|$)|$)")


def said_otherwise(
    before: Mapping[str, Any], after: Mapping[str, Any], losses: Sequence[Loss], dialect: str
) -> tuple[Mapping[str, Any], list[Loss]]:
    """Return a request in the target's form, and the losses that still have to be applied."""
    done: set[tuple[str, str]] = set()
    unwrapped: list[Loss] = []
    lists: dict[str, list[Any]] = {name: list(before.get(name, ())) for name in ("messages", "tools")}
    offered = [tool["data"] for tool in after.get("tools", ()) if tool["type"] == "opaque"]
    servers = iter([data for data in offered if data.get("type") == "mcp" and _names_one_of(data, before)])
    for loss in losses:
        if loss.detail == _SERVERS:
            lists["tools"].append({"type": "opaque", "dialect": dialect, "data": next(servers, {})})
            unwrapped.append(loss)
            continue
        if loss.detail in _RESULTS:
            number = int(loss.path.split("/")[2])
            lists["messages"][number] = _RESULTS[loss.detail](lists["messages"][number])
            unwrapped.append(loss)
            continue
        if loss.detail == MARKED_AT_END:
            number = int(loss.path.split("/")[2])
            below = [one for one in losses if one.path.startswith(f"{loss.path}/")]
            lists["messages"][number] = _marked_at_end(lists["messages"][number], {one.path for one in below})
            unwrapped += [loss, *below]
            continue
        place = _PLACE.fullmatch(loss.path)
        if place is None or loss.severity != "changed":
            continue
        name, at = place[1], int(place[2])
        if loss.detail.endswith(_SAYS_SO) and lists[name][at]["role"] in PLACEHOLDERS:
            lists[name][at] = {**lists[name][at], "content": PLACEHOLDERS[lists[name][at]["role"]]}
        elif loss.detail.startswith(_SENT) and lists[name][at]["type"] == "opaque":
            names_server = "mcp" in json.dumps(lists[name][at]["data"]).lower()
            data: Any = next(servers, {}) if names_server else next(filter(_is_fetching, offered), {})
            lists[name][at] = {"type": "opaque", "dialect": dialect, "data": data}
        else:
            continue
        done.add((name, place[2]))
    if not (done or unwrapped):
        return before, list(losses)
    left = [loss for loss in losses if loss not in unwrapped]
    told = [loss for loss in left if (found := _PLACE.match(loss.path)) is None or (found[1], found[2]) not in done]
    return {**before, **{name: some for name, some in lists.items() if some or name in before}}, told


def _without_object(message: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a result with the content of its object's only member next to the name of the tool."""
    content = message["content"]
    parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
    [said] = [value for word, value in json.loads(parts[0]["text"]).items() if word != "name"]
    text = said if isinstance(said, str) else json.dumps(said, separators=(",", ":"), ensure_ascii=False)
    return {**message, "content": text if parts is not content else [{**parts[0], "text": text}, *parts[1:]]}


def _marked_at_end(message: Mapping[str, Any], lost: set[str]) -> Mapping[str, Any]:
    """Return a result whose cache mark stands on its last part, without what of it was lost."""
    content, mark = message["content"], message["cache"]
    *parts, last = [{"type": "text", "text": content}] if isinstance(content, str) else content
    left = {name: said for name, said in mark.items() if not any(path.endswith(f"/cache/{name}") for path in lost)}
    kept = {name: said for name, said in message.items() if name != "cache"}
    return {**kept, "content": [*parts, {"cache": left, **last}]}


def _marked_behind(message: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a result with the cache mark of its last part as its own."""
    *parts, last = message["content"]
    bare = {name: said for name, said in last.items() if name != "cache"}
    return {**message, "content": [*parts, bare], "cache": last["cache"]}


_RESULTS: Final[Mapping[str, Callable[[Mapping[str, Any]], Mapping[str, Any]]]] = {
    _UNWRAPPED: _without_object,
    BEHIND_RESULT: _marked_behind,
}


def _names_one_of(data: Mapping[str, Any], before: Mapping[str, Any]) -> bool:
    """Return whether a Responses tool is one of the MCP servers in a request, by the dialect's member for its name."""
    given = before.get("extra", {}).get("claude", {}).get("fields", {}).get("mcp_servers", [])
    named = [(one.get("name"), one.get("url"), one.get("authorization_token")) for one in given]
    opaque = [tool["data"] for tool in before.get("tools", ()) if tool["type"] == "opaque"]
    servers = [one for data in opaque for one in data.get("mcpServers", ())]
    named += [(one.get("name"), one.get("streamableHttpTransport", {}).get("url"), None) for one in servers]
    said = (data.get("server_label"), data.get("server_url"), data.get("authorization"))
    return said in named and data.get("require_approval") == "never"


def _is_fetching(data: Mapping[str, Any]) -> bool:
    return "urlContext" in data or str(data.get("type")).startswith("web_fetch_")
