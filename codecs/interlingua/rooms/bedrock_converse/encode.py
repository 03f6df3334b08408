"""Encode canonical requests for Bedrock Converse, and the messages of requests and responses.

Source: docs/wire/bedrock_converse.md, section 1.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, assert_never, cast

from interlingua.loss import beyond, lost_members, lost_opaque
from interlingua.rooms._shared.claude_documents import has_citations_enabled, is_search_result, location_for_bedrock
from interlingua.rooms._shared.claude_schemas import StrictTool, adapted_arguments, close_tools
from interlingua.rooms._shared.claude_thinking import refuses_prefill
from interlingua.rooms._shared.family_fitting import tool_choice_instruction
from interlingua.rooms._shared.media import (
    NAMED_TYPE,
    OTHER_BYTES,
    OTHER_TYPE,
    REENCODED_DATA,
    SEEN_TYPE,
    as_text,
    declared_type,
    detected_type,
    standard_type,
    told_parts,
    with_actual_type,
    with_data,
)
from interlingua.rooms._shared.message_order import in_target_order, with_calls_last
from interlingua.rooms._shared.names import CALL_WITHOUT_ID, acceptable_64, name_predicate, safe_name, sanitized_name
from interlingua.rooms._shared.patch import patched
from interlingua.rooms._shared.refusals import with_refusal_as_text
from interlingua.rooms._shared.server_calls import NO_SERVER_CALLS, server_part_as_text, with_server_calls_as_text
from interlingua.rooms._shared.user_messages import (
    CONTINUE_TEXT,
    OPENING,
    append_user_message,
    insert_user_message,
    with_last_instruction_as_user,
)
from interlingua.rooms._shared.writing import (
    INSTRUCTIONS,
    PLAIN_TEXT,
    ResultMatching,
    Target,
    object_arguments,
    repeats_tool_name,
    report_choice,
    report_id,
    text_for_emptied,
    text_of_empty_result,
    texts_of,
)
from interlingua.rooms.bedrock_converse.additional_fields import ask_for_additional_fields
from interlingua.rooms.bedrock_converse.cache_points import (
    cache_points,
    drop_refused_points,
    limit_points,
    mark_end,
    mark_of_result,
)
from interlingua.rooms.bedrock_converse.called_tools import name_called_tools, no_call_instruction
from interlingua.rooms.bedrock_converse.documents import add_text_to_documents, as_bytes, loses_its_title, name_document
from interlingua.rooms.bedrock_converse.encode_family import (
    claude_tool_choice,
    fitted_request,
    merge_into_results,
    move_documents_into_results,
    move_instructions_to_user,
    with_media_behind_results,
    with_separate_calls,
)
from interlingua.rooms.bedrock_converse.restoring import has_input_text, restore, restore_request, with_input_text
from interlingua.rooms.bedrock_converse.settings import (
    ask_in_words,
    format_instruction,
    write_settings,
    write_tool_choice,
)
from interlingua.rooms.bedrock_converse.tables import (
    CITATIONS,
    DIALECT,
    FILLED_FORMATS,
    FORMATS,
    ID_PATTERN,
    NAME_LIMIT,
    OTHER_TYPES,
    SYSTEM_TOOLS,
)
from interlingua.rooms.bedrock_converse.thinking import FIELDS
from interlingua.spi.extra import (
    NOTHING,
    has_same_client,
    merge_extra,
    own_extra,
    own_spelling,
    report_foreign,
    without_notes,
)
from interlingua.tool_arguments import json_object

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.loss import LossLog
    from interlingua.model_shapes import ChatRequest, Part
    from interlingua.spi.families import Family

_CALLING: Final = frozenset({"tool_choice", "parallel_tool_calls"})
_SYSTEM_TOOLS: Final = MappingProxyType({kind: name for name, kind in SYSTEM_TOOLS.items()})
_NOT_TAKEN: Final = "Bedrock does not accept media of this type, from this URL or in this place"
accepted_id: Final = name_predicate(NAME_LIMIT, ID_PATTERN)


def encode_request(
    request: ChatRequest, log: LossLog, api_version: str | None = None, family: Family | None = None
) -> dict[str, Any]:
    """Return the body of a Converse request; losses are recorded in `log`."""
    del api_version  # the dialect has one version
    to = Target(DIALECT, request.get("dialect") == DIALECT, answer=False, log=log, taken={}, marks=[])
    facts = NOTHING if family is None or to.home else family.facts
    asked = request
    request, has_thinking = fitted_request(request, facts, to)
    own_choice = claude_tool_choice(request, facts)
    if own_choice is not None:
        request = cast("ChatRequest", {name: request[name] for name in request if name not in _CALLING})  # type: ignore[literal-required]  # names of it
        out = write_settings(request, to, has_thinking=has_thinking)
        out[FIELDS] = {**out.get(FIELDS, {}), "tool_choice": {**own_choice}}
    else:
        out = write_settings(request, to, has_thinking=has_thinking, facts=facts)
    if has_thinking and not (to.home or has_same_client(request, DIALECT)):
        ask_for_additional_fields(out, facts, log)
    _write_tools(out, request, facts, to)
    mixed = facts.get("mixed_turns", "accept")
    _write_conversation(out, request["messages"], to, only_results=mixed != "accept")
    if mixed == "refuse":
        out["messages"] = with_separate_calls(out["messages"], log)
    out["messages"] = with_media_behind_results(out["messages"], facts)
    move_documents_into_results(out["messages"], facts, to.log)
    if not to.home and _begins_anew(out, request, facts, has_thinking=has_thinking):
        question = {"role": "user", "content": [{"text": CONTINUE_TEXT}]}
        append_user_message(out["messages"], question, to.message(len(request["messages"])), log)
    add_text_to_documents(out["messages"], to)
    if "cache" in request:
        mark_end(out, request["cache"], to)
    drop_refused_points(out, facts, to)
    limit_points(out, to)
    if not to.home:
        ask_in_words(
            out,
            tool_choice_instruction(asked, request, out.get("toolConfig")),
            no_call_instruction(out, request.get("tool_choice")),
            format_instruction(out, request.get("response_format")),
        )
        move_instructions_to_user(out, facts)
    return restore_request(out, request, to)


def _write_tools(out: dict[str, Any], request: Any, facts: Mapping[str, Any], to: Target) -> None:
    """Write the tools and the tool choice. Tools that may not be called are not offered."""
    choice = request.get("tool_choice")
    written = _encode_tools(request, choice, facts, to)
    if written:
        out["toolConfig"] = {"tools": written}
    if choice is not None and (written or to.home):
        write_tool_choice(out, choice, to)
    elif choice is not None:
        report_choice(choice, to.log)
    if not written and not to.home:
        name_called_tools(out, request, to, is_claudes="thinking" in facts)


def _encode_tools(request: Any, choice: Any, facts: Mapping[str, Any], to: Target) -> list[Any]:
    mode = None if choice is None else choice["mode"]
    allowed: Any = None if choice is None or mode != "subset" else choice["names"]
    if mode == "none" and not to.home and not any(message.get("tool_calls") for message in request["messages"]):
        allowed = ()
    written: list[Any] = []
    strict: list[StrictTool] = []
    offered: set[str] = set()
    for index, tool in enumerate(request.get("tools", ())):
        path = f"/tools/{index}"
        if repeats_tool_name(tool, index, offered, to):
            continue
        if tool["type"] == "opaque" and tool["dialect"] == DIALECT:
            written.append(tool["data"])
        elif tool["type"] == "opaque":
            lost_opaque(to.log, path, "tool")
        elif tool["type"] in _SYSTEM_TOOLS and (to.home or ("dialect" not in request and "system_tools" in facts)):
            written += [encode_system_tool(tool, path, to), *cache_points(tool, path, to)]
        elif tool["type"] != "function":
            to.log.lost("tool", path, "Bedrock has no such tool")
        elif allowed is not None and tool["name"] not in allowed:
            lost_members(to.log, tool, path, "tool", "only the tools that may be called are sent")
        else:
            wire = encode_tool(tool, path, to)
            written += [wire, *cache_points(tool, path, to)]
            if tool.get("strict") and not to.home and "json" in wire["toolSpec"]["inputSchema"]:
                strict.append(
                    StrictTool(index, wire["toolSpec"], wire["toolSpec"]["inputSchema"], "json", tool.get("parameters"))
                )
    if strict:
        close_tools(strict, request.get("response_format", NOTHING), to.log)
    return written


def encode_tool(tool: Any, path: str, to: Target) -> dict[str, Any]:
    """Return the wire form of a function."""
    schema, is_strict = tool.get("parameters"), tool.get("strict")
    name = tool["name"] if to.home else safe_name(tool["name"], NAME_LIMIT, f"{path}/name", to.log)
    out: dict[str, Any] = {"name": name}
    if tool.get("description") == "" and not to.home:
        to.log.changed("empty_text", f"{path}/description", "Bedrock refuses an empty description")
    elif "description" in tool:
        out["description"] = tool["description"]
    if not to.home and schema is None:
        to.log.filled(f"{path}/parameters", "each toolSpec needs an inputSchema")
        schema = {"type": "object", "properties": {}} | ({"additionalProperties": False} if is_strict else {})
    elif not to.home:
        schema = adapted_arguments(schema, f"{path}/parameters", to.log)
    out |= {} if schema is None else {"inputSchema": {"json": schema}}
    out |= {} if is_strict is None else {"strict": is_strict}
    return restore({"toolSpec": out}, tool, path, to)


def encode_system_tool(tool: Any, path: str, to: Target) -> dict[str, Any]:
    """Return the wire form of a system tool, which Nova's provider runs.

    Never written for other dialects: it needs a permission of its own, and is served in few regions.
    """
    return restore({"systemTool": {"name": _SYSTEM_TOOLS[tool["type"]]}}, tool, path, to)


def _begins_anew(out: Mapping[str, Any], request: ChatRequest, facts: Mapping[str, Any], *, has_thinking: bool) -> bool:
    """Return whether the models do not continue a final assistant message. Claude never does beside a schema."""
    if has_thinking:
        return refuses_prefill(request, facts, is_held="textFormat" in out.get("outputConfig", NOTHING))
    return facts.get("assistant_prefill") == "refuse"


def _write_conversation(out: dict[str, Any], messages: Any, to: Target, *, only_results: bool) -> None:
    """Write leading instructions into `system`, and all other messages as turns."""
    said: list[Any] = (
        messages if to.home else with_last_instruction_as_user(without_notes(messages, DIALECT), DIALECT, to.log)
    )
    turns: list[dict[str, Any]] = []
    last, leads = "", True
    answered = ResultMatching(said)
    placed = enumerate(said) if to.home else with_calls_last(in_target_order(said, "turn", to), DIALECT)
    for index, message in placed:
        role = message["role"]
        if role == "opaque" and message["dialect"] == DIALECT:
            turns.append(message["data"])
            last, leads = "", False
            continue
        if role == "opaque":
            lost_opaque(to.log, to.message(index), "message")
            continue
        spelling = own_spelling(message, DIALECT) if "extra" in message else {}
        leads = leads and role in INSTRUCTIONS and spelling.get("system") != "inline"
        wire, blocks = _encode_message(message, index, leads, answered, to)
        blocks = _with_placeholder(blocks, message, index, to)
        if leads:
            system = out.setdefault("system", [])
            system.extend(joined_after(system, blocks, wire))
        elif only_results and wire == last == "user" and blocks and _has_results(turns[-1]) != (role == "tool"):
            merge_into_results(turns[-1]["content"], blocks, to.message(index), to.log)
        elif wire == last and spelling.get("turn") != "new" and (blocks or to.home):
            turns[-1]["content"].extend(joined_after(turns[-1]["content"], blocks, wire))
        elif blocks or to.home:
            turns.append({"role": wire, "content": blocks})
            last = wire
        if not leads and "extra" in message:
            turns[-1:] = [with_turn_members(turn, message) for turn in turns[-1:]]
    if not out.get("system", True):
        del out["system"]
    if not to.home and turns and turns[0].get("role") == "assistant":
        insert_user_message(turns, {"role": "user", "content": [{"text": OPENING}]}, to.log)
    out["messages"] = turns


def _has_results(turn: dict[str, Any]) -> bool:
    """Return whether a turn has tool results."""
    return any("toolResult" in block for block in turn["content"])


def joined_after(before: list[Any], blocks: list[Any], role: str) -> list[Any]:
    """Return blocks to append to those of another message; instructions and answers are separated by a blank line."""
    if role == "user" or not before or not blocks:
        return blocks
    if any(type(one) is not dict or one.keys() != {"text"} for one in (before[-1], blocks[0])):
        return blocks
    return [{"text": f"\n\n{blocks[0]['text']}"}, *blocks[1:]]


def with_turn_members(turn: dict[str, Any], message: Any) -> dict[str, Any]:
    """Return a turn with the other members that the original turn had, as its message keeps them."""
    rest = own_extra(message, DIALECT).get("message")
    return turn if rest is None else patched(turn, rest)


def _encode_message(
    message: Any, index: int, leads: bool, answered: ResultMatching, to: Target
) -> tuple[str, list[Any]]:  # whether the message is a leading instruction
    """Return the wire role and the blocks of a message."""
    role = message["role"]
    if role == "tool":
        return "user", encode_result(message, index, answered, to)
    if role == "assistant":
        return role, encode_answer(message, index, to)
    path = to.message(index)
    wire = "system" if leads or own_spelling(message, DIALECT).get("system") == "inline" else "user"
    if role == "developer" or (role == "system" and wire == "user"):
        to.log.changed("role", f"{path}/role", "Bedrock has only one kind of instruction: system, at the top")
    _report_message_losses(message, path, to)
    return wire, _encode_parts(message.get("content", []), f"{path}/content", wire, to)


def _report_message_losses(message: Any, path: str, to: Target) -> None:
    """Report the name, the id, and what a message holds for other dialects."""
    if "name" in message:
        to.log.lost("member", f"{path}/name", "messages have no names, and tool results name their call by its id")
    report_id(message, path, to.log)
    if message["role"] != "tool":
        restore({}, message, path, to)


def encode_answer(message: Any, index: int, to: Target) -> list[dict[str, Any]]:
    """Encode an assistant message: reasoning, content, tool calls."""
    path = to.message(index)
    if "refusal" in message and not to.home:
        message = with_refusal_as_text(message, path, to)
    blocks = _encode_reasoning(message, path, to) if "reasoning" in message or "extra" in message else []
    blocks += _encode_parts(message.get("content", []), f"{path}/content", "assistant", to)
    for at, call in enumerate(message.get("tool_calls", ())):
        blocks.append(encode_call(call, index, at, to))
        if "cache" in call:
            blocks += cache_points(call, to.call(index, at), to)
    if "refusal" in message:
        to.log.lost("refusal", f"{path}/refusal", "a refusal is a stopReason without a text of its own")
    _report_message_losses(message, path, to)
    return blocks


def _encode_reasoning(message: Any, path: str, to: Target) -> list[dict[str, Any]]:
    """Write the reasoning that came from Converse; other reasoning only in responses, where nothing checks it."""
    texts = texts_of(
        message.get("reasoning", ()), f"{path}/reasoning", "reasoning", "a thought can only be one text", to.log
    )
    out: list[dict[str, Any]] = []
    taken = 0
    for at, kept in enumerate(own_extra(message, DIALECT).get("thinking_blocks", ())):
        if kept["type"] == "thinking" and taken == len(texts):
            to.log.lost("provider_state", f"{path}/extra/{DIALECT}/thinking_blocks/{at}", "what it belongs to is lost")
        else:
            out.append(encode_thought(kept, texts[taken][1] if kept["type"] == "thinking" else ""))
            taken += kept["type"] == "thinking"
    for where, text in texts[taken:]:
        if to.answer and (text or to.home):
            out.append(encode_thought({"type": "thinking"}, text))
        elif text or to.home:
            to.log.lost("reasoning", where, "Bedrock refuses reasoning of other providers")
    return out


def encode_thought(kept: Any, text: str) -> dict[str, Any]:
    """Return the block of a thought."""
    if kept["type"] == "thinking":
        signed = {"signature": kept["signature"]} if "signature" in kept else {}
        out: dict[str, Any] = {"reasoningContent": {"reasoningText": {"text": text, **signed}}}
    else:
        out = {"reasoningContent": {"redactedContent": kept["data"]} if "data" in kept else {}}
    merge_extra(out, kept.get("fields", {}))
    return out


def encode_call(call: Any, index: int, at: int, to: Target) -> dict[str, Any]:
    """Encode a tool call; a missing id is made from its position."""
    name, identifier = call["name"], call.get("id")
    if identifier is None:
        identifier = to.made_call_id(index, at)
        to.log.filled(f"{to.call(index, at)}/id", CALL_WITHOUT_ID)
    elif not (to.home or accepted_id(identifier)):
        identifier = safe_name(identifier, NAME_LIMIT, f"{to.call(index, at)}/id", to.log)
    if "id" in call and to.ids is not None:
        to.ids.next_call()
    if not (to.home or acceptable_64(name)):
        name = safe_name(name, NAME_LIMIT, f"{to.call(index, at)}/name", to.log)
    if "call_id" in call:
        to.log.lost("member", f"{to.call(index, at)}/call_id", "a call has only one id there")
    given = {} if has_input_text(call) else {"input": object_arguments(call, index, at, to)}
    out = {"toolUse": {"toolUseId": identifier, "name": name, **given}}
    return with_input_text(restore(out, call, to.call(index, at), to), call) if "extra" in call else out


def encode_result(message: Any, index: int, answered: ResultMatching, to: Target) -> list[dict[str, Any]]:
    """Encode a tool result; one without an id is matched to its call by name, then by order."""
    path = to.message(index)
    member = "id" if "id" in message and "call_id" not in message else "call_id"
    identifier = message.get(member)
    if identifier is None:
        asked = answered.by(index)
        identifier = f"call_{index}" if asked is None else asked.id
        identifier = identifier if accepted_id(identifier) else sanitized_name(identifier, NAME_LIMIT)
        to.log.filled(f"{path}/call_id", "each result needs the id of its call")
    elif not (to.home or accepted_id(identifier)):
        identifier = safe_name(identifier, NAME_LIMIT, f"{path}/{member}", to.log)
    parts, marked, where = mark_of_result(message, path, to)
    content = _with_placeholder(_encode_parts(parts, f"{path}/content", "tool", to), message, index, to)
    if not (content or to.home):  # all models accept an empty text there, but not all accept an empty list
        content = [{"text": text_of_empty_result(message, index, to)}]
    out: dict[str, Any] = {"toolUseId": identifier, "content": content}
    if "is_error" in message:
        out["status"] = "error" if message["is_error"] else "success"
    _report_message_losses(message, path, to)
    return [restore({"toolResult": out}, message, path, to), *cache_points(marked, where, to)]


def _with_placeholder(blocks: list[Any], message: Any, index: int, to: Target) -> list[Any]:
    """Return the blocks of a message, or a text in place of all that were lost."""
    return blocks if blocks or to.home or not (text := text_for_emptied(message, index, to)) else [{"text": text}]


def _encode_parts(content: Any, path: str, role: str, to: Target) -> list[dict[str, Any]]:
    """Return the blocks of content, text or parts, always as a new list."""
    if type(content) is str:
        if content and (to.home or to.answer or not content.isspace()):
            return [{"text": content}]
        if not to.home:  # Converse itself has no content as a string
            report_empty(content, path, to)
        return []
    told = with_server_calls_as_text(content, path, to, NO_SERVER_CALLS)
    return [block for at, part in enumerate(told) for block in encode_part(part, f"{path}/{at}", role, to)]


def encode_part(part: Part, path: str, role: str, to: Target) -> list[dict[str, Any]]:
    """Return the block of a part, followed by its cache point; an empty list if it has none."""
    if part["type"] == "opaque":
        if part["dialect"] == DIALECT:
            return [part["data"]]
        lost_opaque(to.log, path, "part")
        return []
    if part["type"] == "server_call" or part["type"] == "server_result":
        told: Any = server_part_as_text(part, path, to)
        return encode_part(told, path, role, to)
    if part["type"] == "text":
        block = _encode_text(part, path, role, to)
    elif part["type"] == "image" or part["type"] == "audio" or part["type"] == "file":
        part = with_actual_type(part, path, to)
        if not (to.home or to.answer) and loses_its_title(part):
            return _encode_as_texts(part, path, role, to)
        encode = _encode_search_result if is_search_result(part, DIALECT) else _encode_media
        block = encode(part, path, role, to)
    else:
        assert_never(part)
    if block is None:
        return []
    return [block] if len(part) == 2 else [restore(block, part, path, to), *cache_points(part, path, to, role)]


_WITHOUT_WORDS: Final = PLAIN_TEXT | {"extra"}


def _encode_text(part: Any, path: str, role: str, to: Target) -> dict[str, Any] | None:
    text = part["text"]
    if not to.home and (not text or (text.isspace() and not to.answer)):
        report_empty(text, f"{path}/text", to)
        lost_members(to.log, beyond(part, _WITHOUT_WORDS), path, "empty_text", "Bedrock refuses an empty text")
        if "extra" in part:
            report_foreign(part, DIALECT, path, to.log)
        return None
    if len(part) == 2:
        return {"text": text}
    word = own_spelling(part, DIALECT).get("text")
    said, is_faithful = json_object(text) if word == "json" and role == "tool" else ({}, False)
    if word == "guarded" or is_faithful:
        return {"json": said} if is_faithful else {"guardContent": {"text": {"text": text}}}
    citations = [
        encode_citation(citation, f"{path}/citations/{at}", role, to)
        for at, citation in enumerate(part.get("citations", ()))
    ]
    told = [citation for citation in citations if citation is not None]
    if not told:
        return {"text": text}
    return {"citationsContent": {**({"content": [{"text": text}]} if text else {}), "citations": told}}


def report_empty(text: str, path: str, to: Target) -> None:
    """Report text of white space alone, which Bedrock refuses; empty text says nothing and is no loss."""
    if text:
        to.log.lost("empty_text", path, "Bedrock refuses a text of only white space")


def encode_citation(citation: Any, path: str, role: str, to: Target) -> dict[str, Any] | None:
    """Return the wire form of a citation, or None if it has none."""
    citation = location_for_bedrock(citation) if to.answer and not to.home else citation
    kind, bag = citation["kind"], own_extra(citation, DIALECT)
    if kind not in CITATIONS or not (bag or to.home or (to.answer and role == "assistant")):
        lost_members(to.log, citation, path, "citation", "Bedrock accepts only its own citations")
        return None
    place, names = CITATIONS[kind]
    out = {wire: citation[name] for name, wire in (("title", "title"), ("name", "source")) if name in citation}
    out |= {"sourceContent": [{"text": citation["cited_text"]}]} if "cited_text" in citation else {}
    located = {wire: citation[name] for name, wire in names.items() if name in citation}
    out |= {"location": {place: located}} if located else {}
    unsaid = beyond(citation, {"kind", "extra", "title", "name", "cited_text", *names})
    lost_members(to.log, unsaid, path, "citation", "this citation has no such member")
    return restore(out, citation, path, to)


# The members of media with a media type of their own, unlike texts.
_ELSEWHERE: Final = frozenset({"data", "url"})
_AS_PLAIN: Final = "a text file without a format of its own is sent as txt"


def _encode_as_texts(part: Any, path: str, role: str, to: Target) -> list[dict[str, Any]]:
    """Return the texts of a document, with its source and title, and its cache point."""
    if "extra" in part:
        report_foreign(part, DIALECT, path, to.log)
    texts = [block for where, one in told_parts(part, path, to.log) for block in encode_part(one, where, role, to)]
    return [*texts, *cache_points(part, path, to, role)]


def _encode_search_result(part: Any, path: str, role: str, to: Target) -> dict[str, Any] | None:
    """Return the `searchResult` block of a part, or None if it has no place."""
    if role not in {"user", "tool"}:
        lost_members(to.log, part, path, "part", _NOT_TAKEN)
        return None
    texts = texts_of(part["content"], f"{path}/content", "part", "a search result can only hold texts", to.log)
    unsaid = beyond(part, {"type", "name", "title", "content", "cache", "extra"})
    lost_members(to.log, unsaid, path, "part", "the block has no such member")
    content = [{"text": text} for _, text in texts]
    return {"searchResult": {"source": part["name"], "title": part["title"], "content": content}}


def _encode_media(given: Any, path: str, role: str, to: Target) -> dict[str, Any] | None:
    """Return the block of an image, audio, video or document, or None if it has no place."""
    part, kind = given if to.home else with_data(given), given["type"]
    is_read = part is not given
    media_type = part.get("format") if to.home or not _ELSEWHERE & part.keys() else declared_type(part) or None
    if media_type is not None and not to.home:
        media_type = OTHER_TYPES.get(media_type, standard_type(media_type))
    seen = None if to.home else detected_type(part)
    named, media_type = media_type, seen or media_type
    if kind == "file":
        kind = "video" if media_type in FORMATS["video"].values() else "document"
    is_joined = "content" in part and not (to.home or to.answer or has_citations_enabled(part))
    if media_type is None and ("text" in part or is_joined):
        media_type = FORMATS["document"]["txt"]
    word = next((word for word, known in FORMATS[kind].items() if known == media_type), None)
    is_plain = word is None and kind == "document" and "data" in part and "text" in as_text(part, to)
    word = "txt" if is_plain else word
    source = _encode_source(part, kind, path, role, to)
    refused = role not in {"user", "tool"} or (kind == "audio" and role == "tool") or source is None
    is_unknown = word is None and (media_type is not None or (kind == "document" and "data" in part))
    if not to.home and (refused or is_unknown):
        is_named = "url" in part and role in {"user", "tool"}
        reason = "media must be given as data or by an S3 URL" if is_named else _NOT_TAKEN
        lost_members(to.log, given, path, "part", reason)
        return None
    if is_read:
        to.log.changed("part", path, REENCODED_DATA)
    if is_plain:
        to.log.changed("member", f"{path}/format", _AS_PLAIN)
    elif "format" in part and media_type != part["format"]:
        to.log.changed("member", f"{path}/format", OTHER_TYPE if media_type == named else OTHER_BYTES)
    elif media_type is not None and not to.home and _ELSEWHERE & part.keys() and "format" not in part:
        to.log.filled(f"{path}/format", SEEN_TYPE if seen else NAMED_TYPE)
    if word is None and not (to.home or "content" in part):
        word = FILLED_FORMATS[kind]
        to.log.filled(f"{path}/format", "every image, document or video needs a format")
    out: dict[str, Any] = ({} if word is None else {"format": word}) | {"source": source}
    known = {"type", "format", "data", "url", "text", "content", "cache", "extra"}
    if kind == "document":
        out |= {name: part[name] for name in ("name", "context") if name in part}
        known |= {"name", "context"} if to.home else {"context", name_document(out, part, path, to)}
    elif part.get("detail") == "auto":
        known.add("detail")  # the default
    lost_members(to.log, beyond(part, known), path, "part", "the block has no such member")
    return {kind: out}


def _encode_source(part: Any, kind: str, path: str, role: str, to: Target) -> dict[str, Any] | None:
    takes_texts = to.home or to.answer or has_citations_enabled(part)
    if "data" in part:
        return {"bytes": part["data"]}
    if "url" in part and (to.home or part["url"].startswith("s3://")):
        return {"s3Location": {"uri": part["url"]}}
    if "text" in part and kind == "document":
        return {"text": part["text"]} if takes_texts else as_bytes([part["text"]], path, to)
    if "content" in part and kind == "document":
        blocks = _encode_parts(part["content"], f"{path}/content", role, to)
        if not blocks or not all("text" in block for block in blocks):
            return None
        if takes_texts:
            return {"content": blocks}
        return as_bytes([block["text"] for block in blocks], path, to)
    return None
