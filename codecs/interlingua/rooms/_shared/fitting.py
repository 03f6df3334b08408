"""Fitting a request to a family of models: what the family refuses is left out or changed, each thing reported once.

Abroad only, before a request is written; canonical in, canonical out. The rooms' `encode_family.py` say what a family
of theirs asks for; this is what they share.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.loss import lost_members
from interlingua.rooms._shared.verdicts import REASONS, Thinking, is_default, is_refused, verdict_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

    from interlingua.loss import LossLog

# In this order: what is refused beside another setting is judged when the other is known to stay.
_SETTINGS: Final = (
    "temperature", "top_p", "top_k", "frequency_penalty", "presence_penalty", "logit_bias", "logprobs", "top_logprobs",
    "stop", "parallel_tool_calls",
)  # fmt: skip
_BY_SOME_HOSTS: Final = "some hosts of these models do not take it"


def leave_out_settings(request: dict[str, Any], facts: Mapping[str, Any], thinking: Thinking, log: LossLog) -> None:
    """Leave out the settings that the models refuse beside all others."""
    for name in _SETTINGS:
        if name in request and is_refused(facts, name, request, thinking, by_any=True):
            reason = REASONS.get(verdict_of(facts, name), _BY_SOME_HOSTS)
            for gone in ("logprobs", "top_logprobs") if name == "logprobs" else (name,):
                if gone in request:
                    if not is_default(gone, request[gone]):
                        log.lost("setting", f"/{gone}", reason)
                    del request[gone]


def limit_answer(request: dict[str, Any], facts: Mapping[str, Any], log: LossLog) -> None:
    """Lower the limit of an answer to what the models write at most."""
    most = facts.get("max_output_tokens")
    if most is not None and request.get("max_tokens", 0) > most:
        request["max_tokens"] = most
        log.changed("setting", "/max_tokens", f"these models write at most {most} tokens")


def say_roles(request: dict[str, Any], roles: Mapping[str, str], log: LossLog, detail: str, *, leading: bool) -> None:
    """Give messages of a role another one, those among the instructions at the top only where `leading`."""
    messages: list[Any] = request["messages"]
    is_top = True
    said: list[Any] | None = None
    for index, message in enumerate(messages):
        role = message["role"]
        is_top = is_top and role in _INSTRUCTIONS
        if role in roles and (leading or not is_top):
            said = [*messages] if said is None else said
            said[index] = {**message, "role": roles[role]}
            log.changed("role", f"/messages/{index}/role", detail)
    if said is not None:
        request["messages"] = said


_INSTRUCTIONS: Final = frozenset({"system", "developer"})


def drop_media(request: dict[str, Any], kinds: Collection[str], log: LossLog) -> None:
    """Leave out the parts that hold what the models cannot read."""
    if not kinds:
        return
    messages: list[Any] = request["messages"]
    for index, message in enumerate(messages):
        content = message.get("content")
        if type(content) is not list:
            continue
        refused = [at for at, part in enumerate(content) if _kind(part) in kinds]
        if refused:
            for at in refused:
                log.lost("part", f"/messages/{index}/content/{at}", "these models take no media of this kind")
            log.left_out(f"/messages/{index}/content", refused)
            kept = [part for part in content if _kind(part) not in kinds]
            request["messages"] = messages = [*messages]
            messages[index] = {**message, "content": kept or ""}


def _kind(part: Mapping[str, Any]) -> str:
    kind: str = part["type"]
    if kind != "file":
        return kind
    media_type: str = part.get("format", _PDF)
    return "pdf" if media_type == _PDF else "image" if media_type.startswith("image/") else "file"


_PDF: Final = "application/pdf"


def holds_media(content: Any) -> bool:
    """Tell whether a content has pictures, sounds or files."""
    return type(content) is list and any(part["type"] in _MEDIA for part in content)


_MEDIA: Final = frozenset({"image", "audio", "file"})


def refused_media(facts: Mapping[str, Any]) -> frozenset[str]:
    """Return which kinds of parts a family does not read, at some hosts at least."""
    return frozenset(kind for kind in ("image", "audio", "pdf") if facts.get(f"{kind}_input") in _UNREAD)


_UNREAD: Final = (False, "refuse_by_some_hosts")


def drop_strict(tools: Iterable[Any], log: LossLog) -> list[Any]:
    """Return the tools, none of them strict."""
    kept: list[Any] = []
    for index, tool in enumerate(tools):
        if tool.get("strict") is None:
            kept.append(tool)
            continue
        if tool["strict"]:
            log.lost("tool", f"/tools/{index}/strict", "these models have no strict tools")
        else:
            log.changed("tool", f"/tools/{index}/strict", "no tool of these models is strict")
        kept.append({name: value for name, value in tool.items() if name != "strict"})
    return kept


def drop_tools(
    request: dict[str, Any], log: LossLog, detail: str, refuses: Callable[[Any], bool] | None = None
) -> None:
    """Leave out the tools that are refused, all if nobody says which.

    Where no function is left, what is said about a choice among them goes as well.
    """
    tools = request.pop("tools", ())
    refused = [index for index, tool in enumerate(tools) if refuses is None or refuses(tool)]
    for index in refused:
        lost_members(log, tools[index], f"/tools/{index}", "tool", detail)
    log.left_out("/tools", refused)
    kept = [tool for tool in tools if refuses is not None and not refuses(tool)]
    if kept:
        request["tools"] = kept
    if any(tool["type"] == "function" for tool in request.get("tools", ())):
        return
    for name in ("tool_choice", "parallel_tool_calls"):
        if name in request:
            del request[name]
            log.lost("setting", f"/{name}", detail)


def is_search(tool: Mapping[str, Any]) -> bool:
    """Tell whether a tool is the provider's own search of the web."""
    return bool(tool["type"] == "web_search")


def is_no_search(tool: Mapping[str, Any]) -> bool:
    """Tell whether a tool is another than the provider's own search of the web."""
    return not is_search(tool)
