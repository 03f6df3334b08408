"""Renames ids and names that a provider refuses, deterministically.

Source: docs/pain.md, TOOL-1, ENC-19. Abroad the encoder does this for ids and tools and reports a loss, so only what
the encoder would leave unchanged is renamed here.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from interlingua.chat.repair_pairs import identifier_of
from interlingua.rooms._shared.names import sanitized_name

if TYPE_CHECKING:
    from interlingua.chat.repair_draft import Draft, Plain
    from interlingua.spi.demands import Limit

__all__ = ["rename"]

_LONGEST: Final = 64
_DIGEST_LENGTH: Final = 10
_CHARACTERS: Final = "A-Za-z0-9_-"
_REFUSED_CHARACTERS: Final = re.compile(r"[\s<|\\/>]")


def rename(draft: Draft) -> None:
    """Rename what the dialect refuses: ids of calls and results, tool names, participant names."""
    demands = draft.demands
    if draft.home and demands.ids is not None:
        _rename_ids(draft, _Namer(demands.ids))
    if draft.home and demands.names is not None:
        _rename_tools(draft, _Namer(demands.names))
    if demands.speakers is not None:
        _rename_speakers(draft, demands.speakers)


class _Namer:
    """Makes names that a dialect accepts."""

    def __init__(self, limit: Limit) -> None:
        characters = "." if limit.any_character else f"[{re.escape(limit.also)}{_CHARACTERS}]"
        first = "(?=[A-Za-z_])" if limit.leads else ""
        most = "" if limit.length is None else str(limit.length)
        self._accepts = re.compile(f"{first}{characters}{{1,{most}}}", re.DOTALL).fullmatch
        self._longest = min(limit.length or _LONGEST, _LONGEST)

    def named(self, name: str) -> str:
        """Return the name itself if it is accepted, else a replacement, always the same one."""
        if self._accepts(name):
            return name
        made = sanitized_name(name, self._longest)
        return made if self._accepts(made) else sanitized_name(f"_{name}", self._longest)


def _rename_ids(draft: Draft, namer: _Namer) -> None:
    detail = "the provider does not accept it"
    for number, entry in enumerate(draft.entries):
        message = entry.message
        if entry.role == "tool":
            identifier = identifier_of(message)
            if identifier is not None and namer.named(identifier) != identifier:
                member = "call_id" if "call_id" in message else "id"
                draft.entries[number] = entry.with_message({**message, member: namer.named(identifier)})
                draft.log.note("id", "renamed", f"{entry.path}/{member}", detail)
        elif any("id" in call and namer.named(call["id"]) != call["id"] for call in message.get("tool_calls", ())):
            calls = [
                {**call, "id": namer.named(call["id"])} if "id" in call else call for call in message["tool_calls"]
            ]
            draft.entries[number] = entry.with_message({**message, "tool_calls": calls})
            for at, call in enumerate(message["tool_calls"]):
                if call.get("id") != calls[at].get("id"):
                    draft.log.note("id", "renamed", f"{entry.path}/tool_calls/{at}/id", detail)


def _rename_tools(draft: Draft, namer: _Namer) -> None:
    """Rename tools where they are defined, chosen, called and answered."""
    request = dict(draft.request)
    tools = [_renamed(draft, tool, "name", f"/tools/{at}", namer) for at, tool in enumerate(request.get("tools", ()))]
    if any(one is not other for one, other in zip(tools, request.get("tools", ()), strict=True)):
        request["tools"] = tools
    choice = request.get("tool_choice")
    if choice is not None:
        request["tool_choice"] = _renamed_choice(draft, choice, namer)
    if any(request[name] is not draft.request[name] for name in request):
        draft.request = request
    for number, entry in enumerate(draft.entries):
        message = entry.message
        if entry.role == "tool":
            message = _renamed(draft, message, "name", entry.path, namer)
        elif "tool_calls" in message:
            calls = [
                _renamed(draft, call, "name", f"{entry.path}/tool_calls/{at}", namer)
                for at, call in enumerate(message["tool_calls"])
            ]
            if any(one is not other for one, other in zip(calls, message["tool_calls"], strict=True)):
                message = {**message, "tool_calls": calls}
        if message is not entry.message:
            draft.entries[number] = entry.with_message(message)


def _renamed(draft: Draft, value: Plain, member: str, path: str, namer: _Namer) -> Plain:
    name = value.get(member)
    if value.get("type") == "opaque" or name is None or namer.named(name) == name:
        return value
    draft.log.note("name", "renamed", f"{path}/{member}", "the provider does not accept it")
    return {**value, member: namer.named(name)}


def _renamed_choice(draft: Draft, choice: Plain, namer: _Namer) -> Plain:
    if "names" not in choice:
        return _renamed(draft, choice, "name", "/tool_choice", namer)
    names = [namer.named(name) for name in choice["names"]]
    if names == list(choice["names"]):
        return choice
    for at, name in enumerate(choice["names"]):
        if name != names[at]:
            draft.log.note("name", "renamed", f"/tool_choice/names/{at}", "the provider does not accept it")
    return {**choice, "names": names}


def _rename_speakers(draft: Draft, most: int) -> None:
    """Rename participants; names in any script are accepted, except for a few characters."""
    for number, entry in enumerate(draft.entries):
        name = entry.message.get("name")
        if entry.role in {"tool", "opaque"} or name is None:
            continue
        if name and len(name) <= most and not _REFUSED_CHARACTERS.search(name):
            continue
        digest = sanitized_name(name, _LONGEST)[-_DIGEST_LENGTH:]
        new_name = f"{_REFUSED_CHARACTERS.sub('_', name)[: most - _DIGEST_LENGTH - 1]}_{digest}"
        draft.entries[number] = entry.with_message({**entry.message, "name": new_name})
        draft.log.note("name", "renamed", f"{entry.path}/name", "the provider does not accept it")
