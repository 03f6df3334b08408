"""What Claude refuses of a conversation: who speaks when, and how calls and results follow each other.

Source: reference/wire/claude.md section 4.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from interlingua.dialects._shared.ruling import (
    misshapen_list,
    number_of,
    object_of,
    objects,
    refused_names,
    repeated,
    text_of,
    word_of,
)
from interlingua.dialects._shared.turns import Turn, unpaired
from interlingua.violation import Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from interlingua.dialects._shared.ruling import Object
    from interlingua.dialects._shared.turns import Named

_ROLES: Final = frozenset({"user", "assistant", "system"})
_THINKING: Final = frozenset({"thinking", "redacted_thinking"})
_SERVER_CALLS: Final = frozenset({"server_tool_use", "mcp_tool_use"})
_acceptable_id: Final = re.compile(r"[a-zA-Z0-9_-]+").fullmatch
_acceptable_server_id: Final = re.compile(r"srvtoolu_[a-zA-Z0-9_]+").fullmatch


def messages_and_roles(body: Object) -> Iterator[Violation]:
    """There are messages, each of a known role and with content (`messages`, section 1.1)."""
    if body.get("messages") == []:
        yield Violation("empty", "/messages", "at least one message")
    yield from misshapen_list(body.get("messages"), "/messages")
    for path, message in objects(body.get("messages"), "/messages"):
        if text_of(message, "role") not in _ROLES:
            yield Violation("role", f"{path}/role", "user, assistant or system")
        if type(message.get("content")) not in {str, list}:
            yield Violation("shape", f"{path}/content", "expected text or a list")


def calls_and_results(body: Object) -> Iterator[Violation]:
    """Every `tool_use` is answered in the next turn, and nothing else is ("`tool_use` ids were found without ...")."""
    return unpaired(turns(body))


def repeated_ids(body: Object) -> Iterator[Violation]:
    """No two calls have the same id ("`tool_use` ids must be unique")."""
    return repeated((call for turn in turns(body) for call in turn.calls), "another call has its id")


def late_results(body: Object) -> Iterator[Violation]:
    """In a user's turn results come first, text after ("text before a tool_result")."""
    role, has_other = "", False
    for path, message in objects(body.get("messages"), "/messages"):
        if message.get("role") != role or role != "user":
            role, has_other = text_of(message, "role"), False
        if type(message.get("content")) is str:
            has_other = True
        for where, block in objects(message.get("content"), f"{path}/content"):
            if block.get("type") != "tool_result":
                has_other = True
            elif has_other and role == "user":
                yield Violation("order", where, "results come first in a turn")


def refused_ids(body: Object) -> Iterator[Violation]:
    """Ids of calls and results are letters, digits, `_` and `-`; those of server tools begin with `srvtoolu_`."""
    yield from refused_names(_ids(body, server=False), _acceptable_id, "only letters, digits, _ and -", "id")
    yield from refused_names(_ids(body, server=True), _acceptable_server_id, "srvtoolu_ and what it takes", "id")


def server_results(body: Object) -> Iterator[Violation]:
    """A server tool's result stands in the turn of its call ("stay in the same assistant message")."""
    role = ""
    asked: set[str] = set()
    for path, message in objects(body.get("messages"), "/messages"):
        if message.get("role") != role:
            role, asked = text_of(message, "role"), set[str]()
        for where, block in objects(message.get("content"), f"{path}/content"):
            kind = text_of(block, "type")
            if kind in _SERVER_CALLS:
                asked.add(text_of(block, "id"))
            elif kind.endswith("_tool_result") and text_of(block, "tool_use_id") not in asked:
                yield Violation("orphan_result", where, "no server tool call of the turn has its id")


def ends_in_white_space(body: Object) -> Iterator[Violation]:
    """A last message of the assistant ends in no white space ("Whitespace-only final assistant text rejected")."""
    last = _last(body)
    if last is None:
        return
    path, message = last
    content = message.get("content")
    if type(content) is str and content != content.rstrip():
        yield Violation("trailing_space", f"{path}/content", "the last text ends in white space")
    block = _last_text(message, path)
    if block is not None and text_of(block[1], "text") != text_of(block[1], "text").rstrip():
        yield Violation("trailing_space", f"{block[0]}/text", "the last text ends in white space")


def prefill_beside_thinking(body: Object) -> Iterator[Violation]:
    """With thinking switched on, the conversation does not end in a text of the assistant ("Prefill")."""
    last = _last(body)
    if last is None or object_of(body, "thinking").get("type") != "enabled":
        return
    path, message = last
    if type(message.get("content")) is str or _last_text(message, path) is not None:
        yield Violation("prefill", path, "thinking cannot begin in the middle of an answer")


def thinking_before_calls(body: Object) -> Iterator[Violation]:
    """With thinking switched on, the open turn with calls begins with its thinking ("required with tool use")."""
    if object_of(body, "thinking").get("type") != "enabled" or number_of(body, "max_tokens") == 0:
        return
    begin = ""
    has_calls = has_thinking = False
    for path, message in objects(body.get("messages"), "/messages"):
        role = text_of(message, "role")
        blocks = [block for _, block in objects(message.get("content"), "")]
        if role == "assistant":
            begin = begin or path
            has_calls = has_calls or any(block.get("type") == "tool_use" for block in blocks)
            has_thinking = has_thinking or any(word_of(block, "type") in _THINKING for block in blocks)
        elif not any(block.get("type") == "tool_result" for block in blocks):
            begin, has_calls, has_thinking = "", False, False
    if has_calls and not has_thinking:
        yield Violation("reasoning", f"{begin}/content", "the turn of the calls begins with its thinking")


def turns(body: Object) -> list[Turn]:
    """Return calls and results turn by turn; the server merges messages of the same role that follow each other."""
    found: list[Turn] = []
    for path, message in objects(body.get("messages"), "/messages"):
        role = text_of(message, "role")
        if not found or found[-1].role != role:
            found.append(Turn(role))
        for where, block in objects(message.get("content"), f"{path}/content"):
            if block.get("type") == "tool_use" and type(block.get("id")) is str:
                found[-1].calls.append((where, block["id"]))
            elif block.get("type") == "tool_result" and type(block.get("tool_use_id")) is str:
                found[-1].results.append((where, block["tool_use_id"]))
    return found


def _ids(body: Object, *, server: bool) -> Iterator[Named]:
    for path, message in objects(body.get("messages"), "/messages"):
        for where, block in objects(message.get("content"), f"{path}/content"):
            kind = text_of(block, "type")
            names = ("id",) if kind in {"tool_use", "server_tool_use"} else ("tool_use_id",)
            for name in names:
                word = word_of(block, name)
                if word is not None and server == (kind == "server_tool_use"):
                    yield f"{where}/{name}", word


def _last(body: Object) -> tuple[str, Object] | None:
    """Return the last message with its path, if it is the assistant's."""
    last = None
    for last in objects(body.get("messages"), "/messages"):  # noqa: B007  # the last one is wanted
        pass
    return last if last is not None and last[1].get("role") == "assistant" else None


def _last_text(message: Object, path: str) -> tuple[str, Object] | None:
    """Return the last block of a message with its path, if it is a text."""
    last = None
    for last in objects(message.get("content"), f"{path}/content"):  # noqa: B007  # the last one is wanted
        pass
    return last if last is not None and last[1].get("type") == "text" else None
