"""Removes tools that are not translated from the tool choice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

if TYPE_CHECKING:
    from interlingua.loss import LossLog
    from interlingua.model_shapes import ChatRequest
    from interlingua.spi.descriptor import Descriptor

__all__ = ["without_lost_choice"]

_SERVED: Final = frozenset({"web_search", "code_execution"})  # tools that run on the provider's servers
_STAYS_BEHIND: Final = "the tool that it names is not sent, or is not a function there"


def without_lost_choice(canonical: ChatRequest, target: Descriptor, log: LossLog) -> ChatRequest:
    """Return a request whose tool choice names no tool that is dropped, such as one that only its own dialect has."""
    choice: Any = canonical.get("tool_choice")
    tools: list[Any] = canonical.get("tools", [])
    served = frozenset[str]() if target.chooses_served and choice["mode"] == "named" else _SERVED
    gone = {_unchosen(tool, target.dialect, served) for tool in tools} - {tool.get("name") for tool in tools}
    names: list[str] = choice["names"] if choice["mode"] == "subset" else [choice["name"]]
    kept = [name for name in names if name not in gone]
    if len(kept) == len(names):
        return canonical
    if kept:
        for at, name in enumerate(names):
            if name in gone:
                log.lost("setting", f"/tool_choice/names/{at}", _STAYS_BEHIND)
        return cast("ChatRequest", {**canonical, "tool_choice": {**choice, "names": kept}})
    log.lost("setting", "/tool_choice", _STAYS_BEHIND)
    return cast("ChatRequest", {name: value for name, value in canonical.items() if name != "tool_choice"})


def _unchosen(tool: Any, dialect: str, served: frozenset[str]) -> str | None:
    """Return the name by which the source, but not the target, can choose a tool: it is no function there."""
    if tool["type"] in served:
        return str(tool["type"])
    is_foreign = tool["type"] == "opaque" and tool["dialect"] != dialect and type(tool["data"]) is dict
    return tool["data"].get("name") if is_foreign and type(tool["data"].get("name")) is str else None
