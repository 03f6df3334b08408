"""Fit a request of another dialect to the model family before it is encoded for Claude.

Source: docs/families.md; the rows of families.py. Without a family only the dialect's own rules hold: every kind of
thinking, every effort.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, cast

from interlingua.rooms._shared.claude_signatures import FROM_BEDROCK
from interlingua.rooms._shared.claude_thinking import fit_to_model, leave_room_for_unasked_thinking
from interlingua.rooms._shared.family_fitting import (
    INSTRUCTIONS_AS_USER,
    drop_media,
    drop_strict,
    map_roles,
    refused_media,
)
from interlingua.rooms._shared.instructions import UNFOLLOWED, ask_for_json_in_words
from interlingua.rooms._shared.media import told_parts, with_text
from interlingua.rooms._shared.writing import text_of_part, with_parts
from interlingua.rooms.claude.context_edits import refused_edits
from interlingua.rooms.claude.tables import DIALECT
from interlingua.spi.extra import NOTHING, report_foreign

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.loss import LossLog
    from interlingua.model_shapes import ChatRequest
    from interlingua.spi.families import Family


def fitted_request(request: ChatRequest, family: Family | None, log: LossLog) -> ChatRequest:
    """Return the request as models of the family accept it; losses are recorded in `log`."""
    facts = NOTHING if family is None else family.facts
    fitted: dict[str, Any] = {**request}
    fit_to_model(fitted, facts, log, FROM_BEDROCK)
    if facts:
        leave_room_for_unasked_thinking(fitted, facts, log)
        _fit_to_facts(fitted, facts, log)
    return cast("ChatRequest", fitted)


def _fit_to_facts(request: dict[str, Any], facts: Mapping[str, Any], log: LossLog) -> None:
    if "system_in_messages" in facts:
        detail = "these models accept instructions only at the top"
        map_roles(request, INSTRUCTIONS_AS_USER, DIALECT, log, detail, leading=False)
    if facts.get("tool_references") == "as_text":
        request["messages"] = with_parts(request["messages"], partial(_reference_as_text, log=log))
    if facts.get("documents") == "as_text":
        request["messages"] = with_parts(request["messages"], partial(_document_as_text, log=log))
    drop_media(request, refused_media(facts), log)
    if facts.get("structured_output") is False:
        if request.get("response_format", NOTHING).get("type") == "json_schema":
            ask_for_json_in_words(request, "json_object", UNFOLLOWED, log)
        if "tools" in request:
            request["tools"] = drop_strict(request["tools"], log)


def _reference_as_text(part: Any, path: str, log: LossLog) -> Any:
    """Return the name of a tool that a tool of the client has found as a text; any other part as it is."""
    if not _is_reference(part):
        return part
    log.changed("part", path, "the name of the tool is sent as a text")
    return {"type": "text", "text": part["data"]["tool_name"]}


def _is_reference(part: Mapping[str, Any]) -> bool:
    data: Any = part["data"] if part["type"] == "opaque" and part["dialect"] == DIALECT else None
    return type(data) is dict and data.get("type") == "tool_reference" and type(data.get("tool_name")) is str


def _document_as_text(part: Any, path: str, log: LossLog) -> Any:
    """Return a document of text as a text, since some hosts refuse or do not read it; any other part as it is."""
    document = with_text(part) if part["type"] == "file" else part
    inner = document.get("content", ())
    if part["type"] != "file" or not ("text" in document or inner) or any(one["type"] != "text" for one in inner):
        return part
    if "extra" in part:
        report_foreign(part, None, path, log)
    told = told_parts(document, path, log)
    texts = [text_of_part(one, where, "part", "one text is sent for the document", log) for where, one in told]
    return {"type": "text", "text": "\n".join(texts)} | ({"cache": part["cache"]} if "cache" in part else {})


def drop_thinking_edits(out: dict[str, Any], facts: Mapping[str, Any], log: LossLog) -> None:
    """Drop the edits of the context that clear thinking if thinking is off, since they are refused then."""
    held = out["context_management"]
    refused = refused_edits(out, facts)
    if not refused:
        return
    kept = [edit for at, edit in enumerate(held["edits"]) if at not in refused]
    left = {name: value for name, value in held.items() if name != "edits"} | ({"edits": kept} if kept else {})
    if left:
        out["context_management"] = left
    else:
        del out["context_management"]
    log.lost("extra", f"/extra/{DIALECT}", "thinking that is off cannot be cleared from the context")
