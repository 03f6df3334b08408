"""Canonical to Bedrock Converse: what the family of the model asks for, before a request of another dialect is written.

Source: docs/families.md; the rows of families.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from interlingua.rooms._shared.claude_signatures import FROM_CLAUDE
from interlingua.rooms._shared.claude_thinking import begins_anew, fit_to_model, without_space_at_end
from interlingua.rooms._shared.families import drop_blank_stops, drop_media, drop_strict, refused_media
from interlingua.rooms._shared.json_wish import UNFOLLOWED, in_words
from interlingua.rooms._shared.names import acceptable_64, made_acceptable
from interlingua.rooms.bedrock_converse.tables import NAME_LIMIT

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.loss import LossLog
    from interlingua.model_shapes import ChatRequest
    from interlingua.rooms._shared.writing import Target
    from interlingua.spi.families import Family

_IDS: Final = "these models take ids of letters, digits, _ and - alone"


def fitted_request(request: ChatRequest, family: Family | None, to: Target) -> tuple[ChatRequest, bool]:
    """Return the request as models of the family take it, and whether its wish to think is in Claude's words.

    What the models refuse is noted in the log.
    """
    if to.home or family is None or "thinking" not in family.facts:
        return request, to.home
    fitted: dict[str, Any] = {**request}
    fit_to_model(fitted, family.facts, to.log, FROM_CLAUDE)
    goes_on = family.facts.get("space_at_end") == "refuse" and not begins_anew(fitted, family.facts)
    if goes_on and fitted["messages"]:
        *earlier, last = fitted["messages"]
        fitted["messages"] = [*earlier, without_space_at_end(last, f"/messages/{len(earlier)}", to.log)]
    drop_media(fitted, refused_media(family.facts), to.log)
    if family.facts.get("blank_stops") == "refuse" and "stop" in fitted:
        drop_blank_stops(fitted, to.log)
    if family.facts.get("structured_output") is False:
        _answer_freely(fitted, to.log)
    if family.facts.get("call_ids") == "letters":
        fitted["messages"] = _with_ids(fitted["messages"], to.log)
    return cast("ChatRequest", fitted), True


def calls_one_at_a_time(request: ChatRequest, family: Family | None, to: Target) -> bool:
    """Tell whether a request forbids several calls at once, lets the model choose, and goes to models that heed it.

    Claude's models that let themselves decide how much to think take its own word for it. Beside a forced choice, which
    Converse says, they refuse it.
    """
    if to.home or family is None or request.get("parallel_tool_calls") is not False:
        return False
    may_choose = request.get("tool_choice", {"mode": "auto"})["mode"] == "auto"
    has_function = any(tool["type"] == "function" for tool in request.get("tools", ()))
    return may_choose and has_function and "adaptive" in family.facts.get("thinking", ())


def _answer_freely(request: dict[str, Any], log: LossLog) -> None:
    """Ask in words for the schema of an answer, and enforce none of tools: these models follow none."""
    if request.get("response_format", {}).get("type") == "json_schema":
        log.lost("setting", "/response_format", UNFOLLOWED)
        request["response_format"] = in_words(request["response_format"], "text")
    if "tools" in request:
        request["tools"] = drop_strict(request["tools"], log)


def _with_ids(messages: list[Any], log: LossLog) -> list[Any]:
    """Return messages whose ids of calls and results are such as the models take."""
    said = [*messages]
    for index, message in enumerate(messages):
        if "tool_calls" in message:
            calls = [
                _with_id(call, "id", f"/messages/{index}/tool_calls/{at}/id", log)
                for at, call in enumerate(message["tool_calls"])
            ]
            if any(one is not call for one, call in zip(calls, message["tool_calls"], strict=True)):
                said[index] = {**message, "tool_calls": calls}
        elif message["role"] == "tool":
            member = "id" if "id" in message and "call_id" not in message else "call_id"
            said[index] = _with_id(message, member, f"/messages/{index}/{member}", log)
    return said


def _with_id(holder: Mapping[str, Any], member: str, path: str, log: LossLog) -> Mapping[str, Any]:
    identifier = holder.get(member)
    if identifier is None or acceptable_64(identifier):
        return holder
    log.changed("name", path, _IDS)
    return {**holder, member: made_acceptable(identifier, NAME_LIMIT)}
