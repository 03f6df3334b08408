"""Translates a provider's own URL fetch tool to that of another provider.

The schema has no kind for these tools: a request holds them as opaque tools of one dialect. Fetched pages, like search
results, stay with their provider; the answer's texts and citations are translated.
Source: docs/decisions/0010-server-tools.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from interlingua.registry import known_descriptor

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.loss import LossLog
    from interlingua.model_shapes import ChatRequest
    from interlingua.spi.descriptor import Descriptor, FetchTool

__all__ = ["SENT", "with_fetch_tools"]

SENT: Final = "it is sent as the target's own tool of this kind"
# Members that restrict which pages may be read. A tool that ignored them would not be the tool that was offered.
_LIMITS: Final = frozenset({"allowed_domains", "blocked_domains"})
_NAMES: Final = frozenset({"type", "name"})


def with_fetch_tools(request: ChatRequest, target: Descriptor, log: LossLog) -> ChatRequest:
    """Return a request with the target's own fetch tool in place of another dialect's; the same if there is none.

    The tool is left to be dropped, like every tool that only its own dialect has, if the target has no such tool or
    cannot apply its domain limits, if tool choice is none, or if a tool of the same name is already offered.
    """
    own = target.fetch_tool
    choice: Any = request.get("tool_choice")
    if own is None or not own.wire or (choice is not None and choice["mode"] == "none"):
        return request
    tools: list[Any] = [*request.get("tools", ())]
    taken = {tool.get("name") for tool in tools}
    for at, tool in enumerate(tools):
        said = _fetch_settings(tool, target.dialect)
        if said is None or own.wire.get("name", "") in taken or not _LIMITS.isdisjoint(said.keys() - own.takes):
            continue
        tools[at] = {"type": "opaque", "dialect": target.dialect, "data": _written(own, said, f"/tools/{at}", log)}
        taken.add(own.wire.get("name", ""))
    return request if tools == request.get("tools") else cast("ChatRequest", {**request, "tools": tools})


def _fetch_settings(tool: Any, target: str) -> Mapping[str, Any] | None:
    """Return the settings of another dialect's fetch tool; None for any other tool."""
    if tool["type"] != "opaque" or tool["dialect"] == target or type(tool["data"]) is not dict:
        return None
    source = known_descriptor(tool["dialect"])
    known = None if source is None else source.fetch_tool
    data: dict[str, Any] = tool["data"]
    if known is None:
        return None
    words = [data["type"]] if "type" in data else [name for name, held in data.items() if held is not None]
    word = next((one for one in words if type(one) is str and one.startswith(known.begins)), None)
    if word is None:
        return None
    said: dict[str, Any] = {name: value for name, value in data.items() if name not in {*_NAMES, word}}
    nested: Any = said.pop("parameters", None) or data.get(word)
    members: dict[str, Any] = {**said, **nested} if type(nested) is dict else said
    return {name: value for name, value in members.items() if value is not None}


def _written(own: FetchTool, said: Mapping[str, Any], path: str, log: LossLog) -> dict[str, Any]:
    """Return the target's tool, with those of the settings that it accepts."""
    log.changed("tool", path, SENT)
    if not said.keys() <= own.takes:
        log.lost("tool", f"{path}/data", "the target's tool of this kind does not accept all of its members")
    return {**own.wire, **{name: value for name, value in said.items() if name in own.takes}}
