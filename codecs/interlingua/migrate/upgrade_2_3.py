"""Upgrades version 2 to version 3: a chat message becomes typed transcript messages.

An assistant message may hold reasoning, content and tool calls. Each becomes a message of its own type; the later ones
have `joins: true`, so that converting them back to chat makes one message again. What belongs to the whole message
(`id`, `extra`, unknown members) goes to the first.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from interlingua.json_types import is_list
from interlingua.migrate.checks import members
from interlingua.migrate.extras import Notes, attach, upgrade_extra
from interlingua.migrate.parts import upgrade_content
from interlingua.migrate.unknown_members import put_back
from interlingua.migrate.versions import stated_version
from interlingua_types.unions import UNIONS

if TYPE_CHECKING:
    from collections.abc import Mapping

Json: TypeAlias = dict[str, Any]

VERSION: Final = 3
_CHAT_MEMBERS: Final = frozenset({"role", "content", "name"})
_CARRIED: Final[Mapping[str, frozenset[str]]] = {
    "system": _CHAT_MEMBERS,
    "developer": _CHAT_MEMBERS,
    "user": _CHAT_MEMBERS,
    "assistant": _CHAT_MEMBERS | {"reasoning", "refusal", "tool_calls"},
    "tool": _CHAT_MEMBERS | {"call_id"},
}
"""For each role, the members that go to the `data` of the messages; all others belong to the whole message."""


def split_message(document: Json) -> list[Json]:
    """Return the transcript messages that a message of version 2 becomes.

    The approval of every call is `pending` here, since whether it was answered depends on the whole conversation.
    """
    role = document["role"]
    if role == "assistant":
        produced = _assistant(document)
    elif role == "tool":
        produced = [_message("tool_result", _tool(document))]
    else:
        produced = [_message("text", _text(document))]
    if not document.keys() <= _CARRIED[role]:
        _attach_rest(produced[0], document)
    return produced


@cache
def known_members() -> Mapping[str, frozenset[str]]:
    """Return the members that version 2 declares for each role's message, and for a call."""
    known = {role: members(2, shape) for role, shape in UNIONS[2]["message"].variants.items()}
    return {**known, "call": members(2, "ToolCall")}


def _message(kind: str, data: Json) -> Json:
    return {"schema_version": VERSION, "type": kind, "data": data}


def _set_data(message: Json, member: str, value: Any) -> None:
    """Insert an envelope member before `data`, for readability."""
    data = message.pop("data")
    message[member] = value
    message["data"] = data


def _text(document: Json) -> Json:
    data: Json = {"role": document["role"], "content": upgrade_content(document["content"])}
    _name(data, document)
    return data


def _name(data: Json, document: Json) -> None:
    name = document.get("name")
    if name is not None:
        data["name"] = name


def _assistant(document: Json) -> list[Json]:
    """Return an assistant's messages: at least one, in the order reasoning, content, tool calls."""
    produced: list[Json] = []
    reasoning, calls = document.get("reasoning"), document.get("tool_calls")
    if reasoning is not None:
        produced.append(_message("reasoning", {"content": upgrade_content(reasoning)}))
    text_data: Json = {"role": "assistant"}
    for name in ("content", "refusal"):
        content = document.get(name)
        if content is not None:
            text_data[name] = upgrade_content(content)
    _name(text_data, document)
    if len(text_data) > 1 or (reasoning is None and calls is None):
        produced.append(_message("text", text_data))
    if calls is not None:
        produced.append(_message("tool_request", {"calls": [_requested(call) for call in calls]}))
    for later in produced[1:]:
        _set_data(later, "joins", True)
    return produced


def _requested(call: Json) -> Json:
    """Return a call pending approval, with members unknown to version 2 in `extra.unknown`."""
    known = known_members()["call"]
    upgraded = {name: call[name] for name in ("id", "call_id") if call.get(name) is not None}
    upgraded["name"] = call["name"]
    upgraded["arguments"] = call["arguments"]
    if not call.keys() <= known:
        unknown = {name: value for name, value in call.items() if name not in known}
        attach(upgraded, None, put_back(unknown, known), Notes())
    return {"call": upgraded, "approval": {"status": "pending"}}


def _tool(document: Json) -> Json:
    """Return the data of a result. Without a call id, the message's own id names the call, as 002 says."""
    data: Json = {}
    named, own = document.get("call_id"), document.get("id")
    if named is not None or own is not None:
        data["call_id"] = own if named is None else named
    _name(data, document)
    content = document.get("content")
    if content is not None:
        data["output"] = upgrade_content(content)
        if is_list(content):
            data["output_form"] = "parts"
    return data


def _attach_rest(first: Json, document: Json) -> None:
    """Add what belongs to the whole message to the first of its messages."""
    notes = Notes()
    own = document.get("id")
    if own is not None and own == document.get("call_id") and document["role"] == "tool":
        notes.spelling["call_id"] = "stated"  # of the two alone, `id` would have named the call
    if own:
        _set_data(first, "id", own)
    elif own is not None:
        notes.fields["id"] = own  # version 3 has no empty id
    known = known_members()[document["role"]]
    unknown: Json = {}
    if not document.keys() <= known:
        unknown = put_back({name: value for name, value in document.items() if name not in known}, known)
    if "schema_version" in document and stated_version(document) is not None:
        unknown.pop("schema_version", None)
        notes.spelling["schema_version"] = "stated"
    extra = document.get("extra")
    if extra is not None:
        calls = len(document.get("tool_calls") or ()) if document["role"] == "assistant" else 0
        extra = upgrade_extra(extra, calls, document.get("content"), notes)
    attach(first, extra, unknown, notes)
