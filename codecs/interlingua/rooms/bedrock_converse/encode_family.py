"""Fit a request of another dialect to the model family before it is encoded for Bedrock Converse.

Source: docs/families.md; the rows of families.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from interlingua.pointers import pointer
from interlingua.rooms._shared.calls_as_text import calls_to_text
from interlingua.rooms._shared.claude_documents import messages_for_bedrock
from interlingua.rooms._shared.claude_schemas import TOOL_SCHEMAS
from interlingua.rooms._shared.claude_signatures import FROM_CLAUDE
from interlingua.rooms._shared.claude_thinking import (
    fit_to_model,
    last_written,
    refuses_prefill,
    without_trailing_space,
)
from interlingua.rooms._shared.family_fitting import (
    INSTRUCTIONS_AS_USER,
    Thinking,
    drop_blank_stops,
    drop_media,
    drop_own_member,
    drop_strict,
    drop_tools,
    fit_tool_choice,
    leave_out_settings,
    limit_settings,
    map_roles,
    raise_answer_limit,
    refused_media,
)
from interlingua.rooms._shared.instructions import UNFOLLOWED, ask_for_json_in_words
from interlingua.rooms._shared.media import ATTACHED, ATTACHMENT, MEDIA_BESIDE
from interlingua.rooms._shared.names import CALL_WITHOUT_ID, NEED_SHORT_IDS, acceptable_64, sanitized_name, short_id
from interlingua.rooms._shared.openai_family_fitting import effort_settings
from interlingua.rooms._shared.schema_adaptation import adapt
from interlingua.rooms._shared.schema_inlining import inline_references
from interlingua.rooms._shared.thinking import is_off, thinking_settings
from interlingua.rooms._shared.user_messages import ANSWERED, CONTINUE_TEXT
from interlingua.rooms.bedrock_converse.documents import is_refused_in_results
from interlingua.rooms.bedrock_converse.messages_of_makers import fit_messages_of_makers
from interlingua.rooms.bedrock_converse.tables import DIALECT, NAME_LIMIT, NO_LOOKAROUND, PLAIN_SCHEMA, SCHEMA_NOTES
from interlingua.rooms.bedrock_converse.thinking import FIELDS, NO_CALL, ONE_AT_A_TIME
from interlingua.spi.extra import NOTHING

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from interlingua.loss import LossLog
    from interlingua.model_shapes import ChatRequest
    from interlingua.rooms._shared.writing import Target

# The blocks allowed in a turn with calls.
_CALLS: Final = frozenset({"toolUse", "cachePoint"})
_CALLS_ALONE: Final = "these models accept nothing beside calls in a turn: the rest became a turn of its own"
HELD_BY_RESULTS: Final = "these models do not accept documents beside tool results: they were moved into a result"
# Claude's own, which other models refuse: "unknown variant anthropic_beta".
_BETAS: Final = "anthropic_beta"
_OF_LETTERS: Final = "these models accept only letters, digits, _ and - in ids"


def fitted_request(request: ChatRequest, facts: Mapping[str, Any], to: Target) -> tuple[ChatRequest, bool]:
    """Return the request as models of the family accept it, and whether its reasoning settings are written as Claude's.

    Losses are recorded in the target's log.
    """
    if not facts:
        return request, to.home
    fitted: dict[str, Any] = {**request}
    fit_messages_of_makers(fitted, facts, to.log)
    if "thinking" not in facts:
        _fit_to_other_makers(fitted, facts, to.log)
        return cast("ChatRequest", fitted), False
    fit_to_model(fitted, facts, to.log, FROM_CLAUDE)
    fitted["messages"] = messages_for_bedrock(fitted["messages"])
    goes_on = facts.get("space_at_end") == "refuse" and not refuses_prefill(fitted, facts)
    place = last_written(fitted["messages"], DIALECT) if goes_on else -1
    if place >= 0:
        fitted["messages"] = [*fitted["messages"]]
        fitted["messages"][place] = without_trailing_space(fitted["messages"][place], f"/messages/{place}", to.log)
    drop_media(fitted, refused_media(facts), to.log)
    if facts.get("blank_stops") == "refuse" and "stop" in fitted:
        drop_blank_stops(fitted, to.log)
    _drop_enforced_schemas(fitted, facts, to.log)
    _fit_ids(fitted, facts, to.log)
    return cast("ChatRequest", fitted), True


def _fit_to_other_makers(request: dict[str, Any], facts: Mapping[str, Any], log: LossLog) -> None:
    """Fit a copy of a request to models other than Claude's."""
    drop_own_member(request, DIALECT, (FIELDS, _BETAS), log)
    _fit_effort(request, facts, log)
    leave_out_settings(request, facts, Thinking(effort=request.get("reasoning", NOTHING).get("effort")), log)
    raise_answer_limit(request, facts, log)
    limit_settings(request, facts, log)
    drop_media(request, refused_media(facts), log)
    _drop_enforced_schemas(request, facts, log)
    if facts.get("system_instruction") == "refuse":
        detail = "these models do not accept system messages: it was sent as a user message"
        map_roles(request, INSTRUCTIONS_AS_USER, DIALECT, log, detail, leading=True)
    _fit_ids(request, facts, log)
    _fit_results(request, facts, log)
    _fit_tools(request, facts, log)


def _fit_results(request: dict[str, Any], facts: Mapping[str, Any], log: LossLog) -> None:
    """Drop what tool results may not say, and report media that must stand behind them."""
    if "media_in_results" in facts:
        for index, message in enumerate(request["messages"]):
            content = message.get("content") if message["role"] == "tool" else None
            if type(content) is list and any(_is_refused_in_results(part, facts) for part in content):
                log.changed("content", f"/messages/{index}/content", MEDIA_BESIDE)
    if facts.get("result_status") == "refuse":
        request["messages"] = _without_status(request["messages"], log)


def _fit_tools(request: dict[str, Any], facts: Mapping[str, Any], log: LossLog) -> None:
    if facts.get("function_tools") == "refuse":
        drop_tools(request, log, "these models do not support functions")
        calls_to_text(request, DIALECT, log)
    fit_tool_choice(request, facts, log)
    is_default = request.get("tool_choice", NOTHING).get("mode") == "auto"
    if is_default and facts.get("forced_tool_choice") == "refuse":  # not all of them accept it
        del request["tool_choice"]
    if facts.get("tool_schemas") == "plain" and "tools" in request:
        inline_references(request, log)
        request["tools"] = [_with_plain_schema(tool, f"/tools/{at}", log) for at, tool in enumerate(request["tools"])]
    if facts.get("tool_schemas") == "no_lookaround" and "tools" in request:
        request["tools"] = [_with_simple_patterns(one, f"/tools/{at}", log) for at, one in enumerate(request["tools"])]


def _fit_effort(request: dict[str, Any], facts: Mapping[str, Any], log: LossLog) -> None:
    """Express the reasoning settings as an effort, for models that have one."""
    if "reasoning" not in request or "efforts" not in facts:
        return
    reasoning = request["reasoning"]
    if facts.get("thinks_unasked") is False and is_off(reasoning):
        for name in thinking_settings(reasoning):
            log.changed(
                "setting", f"/reasoning/{name}", "these models think only on request: thinking is off by default"
            )
        settings = {name: value for name, value in reasoning.items() if name == "display"}
    else:
        settings = effort_settings(reasoning, facts, log)
    request["reasoning"] = settings
    if not settings:
        del request["reasoning"]


def _without_status(messages: list[Any], log: LossLog) -> list[Any]:
    """Return the messages without the error status of tool results."""
    for index, message in enumerate(messages):
        if "is_error" in message:
            log.lost("member", f"/messages/{index}/is_error", "these models do not accept the status of a tool result")
    return [{name: value for name, value in message.items() if name != "is_error"} for message in messages]


def _with_plain_schema(tool: Mapping[str, Any], path: str, log: LossLog) -> Mapping[str, Any]:
    """Return a tool whose schema has only the top-level members that the models accept."""
    if type(tool.get("parameters")) is not dict:
        return tool
    # A top-level union becomes one object first, so that its members stay.
    schema = adapt(tool["parameters"], TOOL_SCHEMAS, f"{path}/parameters", log, "tool")
    plain = {**tool, "parameters": {name: value for name, value in schema.items() if name in PLAIN_SCHEMA}}
    for name, value in schema.items():
        if name == "description" and type(value) is str and value:
            if "description" in tool["parameters"]:
                log.changed("tool", f"{path}/parameters/description", "it is sent with the description of the tool")
            _describe_tool(plain, value, path, log)
        elif name not in PLAIN_SCHEMA:
            note = log.changed if name in SCHEMA_NOTES else log.lost
            note("tool", f"{path}/parameters{pointer(name)}", "these models do not accept it at the top of a schema")
    return plain


def _describe_tool(tool: dict[str, Any], text: str, path: str, log: LossLog) -> None:
    """Add the description of a tool's arguments to that of the tool, unless it says the same."""
    said = tool.get("description")
    if not said:
        tool["description"] = text
        log.filled(f"{path}/description", "it was the description of the arguments")
    elif text not in said:
        tool["description"] = f"{said}\n\n{text}"
        log.changed("tool", f"{path}/description", "the description of the arguments was added")


def _with_simple_patterns(tool: Mapping[str, Any], path: str, log: LossLog) -> Mapping[str, Any]:
    """Return a tool without lookaround in its patterns."""
    if type(tool.get("parameters")) is not dict:
        return tool
    return {**tool, "parameters": adapt(tool["parameters"], NO_LOOKAROUND, f"{path}/parameters", log, "tool")}


def _is_refused_in_results(part: Mapping[str, Any], facts: Mapping[str, Any]) -> bool:
    """Return whether a part of a tool result has to stand behind it."""
    kind: str = part["type"]
    if kind not in {"image", "audio", "file"}:
        return False
    taken = facts["media_in_results"]
    is_picture = kind == "image" or part.get("format", "").startswith("image/")
    if is_picture or kind == "audio":
        return "image" not in taken
    is_film = part.get("format", "").startswith("video/")
    is_text = "text" in part or "content" in part or part.get("format", "").startswith("text/")
    return is_film or ("document" not in taken and not ("text" in taken and is_text))


def with_media_behind_results(turns: list[dict[str, Any]], facts: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return turns in which media that tool results cannot hold stand behind them, or in a turn of their own."""
    taken: Collection[str] | None = facts.get("media_in_results")
    if taken is None:
        return turns
    out: list[dict[str, Any]] = []
    for turn in turns:
        given: Any = turn.get("content")
        kept: list[Any] = []
        beside: list[Any] = []
        for block in given if type(given) is list else ():
            result: Any = block.get("toolResult") if type(block) is dict else None
            said: Any = result.get("content") or () if type(result) is dict else ()
            media = [one for one in said if is_refused_in_results(one, taken)]
            if media:
                texts = [one for one in said if not is_refused_in_results(one, taken)] or [{"text": ATTACHED}]
                kept.append({**block, "toolResult": {**result, "content": texts}})
                beside += [{"text": ATTACHMENT.format(result["toolUseId"])}, *media]
            else:
                kept.append(block)
        if not beside:
            out.append(turn)
        elif "mixed_turns" in facts:
            answer = {"role": "assistant", "content": [{"text": ANSWERED}]}
            out += [{**turn, "content": kept}, answer, {"role": "user", "content": beside}]
        else:
            last = max(place for place, block in enumerate(kept) if "toolResult" in block) + 1
            out.append({**turn, "content": [*kept[:last], *beside, *kept[last:]]})
    return out


def move_documents_into_results(turns: list[dict[str, Any]], facts: Mapping[str, Any], log: LossLog) -> None:
    """Move the documents of a turn into its last tool result, for models that refuse them beside results."""
    if facts.get("documents_beside_results") != "refuse":
        return
    for at, turn in enumerate(turns):
        blocks: Any = turn.get("content")
        if type(blocks) is not list or not all(type(block) is dict for block in blocks):
            continue
        results = [block for block in blocks if "toolResult" in block]
        documents = [block for block in blocks if "document" in block]
        if not results or not documents:
            continue
        result = results[-1]["toolResult"]
        held = {"toolResult": {**result, "content": [*result["content"], *documents]}}
        kept = [block for block in blocks if "document" not in block]
        turns[at] = {**turn, "content": [held if block is results[-1] else block for block in kept]}
        log.changed("message", "/messages", HELD_BY_RESULTS)


def with_separate_calls(turns: list[dict[str, Any]], log: LossLog) -> list[dict[str, Any]]:
    """Return turns in which other blocks precede tool calls in a turn of their own, with a user message in between."""
    out: list[dict[str, Any]] = []
    for turn in turns:
        given: Any = turn.get("content")
        blocks: list[Any] = [*given] if type(given) is list and all(type(block) is dict for block in given) else []
        said = [block for block in blocks if block.keys().isdisjoint(_CALLS)]
        if said and any("toolUse" in block for block in blocks):
            calls = [block for block in blocks if not block.keys().isdisjoint(_CALLS)]
            question = {"role": "user", "content": [{"text": CONTINUE_TEXT}]}
            out += [{**turn, "content": said}, question, {**turn, "content": calls}]
        else:
            out.append(turn)
    if len(out) > len(turns):
        log.changed("message", "/messages", _CALLS_ALONE)
    return out


def merge_into_results(turn: list[Any], blocks: list[Any], path: str, log: LossLog) -> None:
    """Merge text into a turn of results, or results into a turn of text, by adding the text to the nearest result."""
    held = [*turn, *blocks]
    words = [block for block in held if "toolResult" not in block and "cachePoint" not in block]
    results = [block for block in held if "toolResult" in block]
    behind = "toolResult" in turn[0]
    beside = results[-1 if behind else 0]["toolResult"]
    beside["content"] = [*beside["content"], *words] if behind else [*words, *beside["content"]]
    turn[:] = [*results, *(block for block in held if "cachePoint" in block)]
    log.changed(
        "message", path, "these models accept nothing beside tool results in a turn: the rest was added to the result"
    )


def move_instructions_to_user(out: dict[str, Any], facts: Mapping[str, Any]) -> None:
    """Move instructions that were added to `system` into the first user message, for models without system messages."""
    if facts.get("system_instruction") != "refuse" or "system" not in out:
        return
    words, turns = out.pop("system"), out["messages"]
    if not turns or turns[0]["role"] != "user":
        turns.insert(0, {"role": "user", "content": []})
    turns[0] = {**turns[0], "content": [*words, *turns[0]["content"]]}


def claude_tool_choice(request: ChatRequest, facts: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return Claude's own tool choice where Converse has none: no call, or one at a time; None if it has one.

    Both are refused beside a choice that Converse has. Parallel calls are only forbidden where the choice is `auto`,
    for Claude's models with adaptive thinking.
    """
    mode = request.get("tool_choice", {"mode": "auto"})["mode"]
    if "thinking" not in facts or not any(tool["type"] == "function" for tool in request.get("tools", ())):
        return None
    if mode == "none":
        return NO_CALL
    is_single = request.get("parallel_tool_calls") is False and mode == "auto" and "adaptive" in facts["thinking"]
    return ONE_AT_A_TIME if is_single else None


def _drop_enforced_schemas(request: dict[str, Any], facts: Mapping[str, Any], log: LossLog) -> None:
    """Ask for the response schema in words, and make no tool strict, for models that do not enforce schemas."""
    enforces = facts.get("structured_output") is not False
    if not enforces and request.get("response_format", NOTHING).get("type") == "json_schema":
        ask_for_json_in_words(request, "text", UNFOLLOWED, log)
    if facts.get("strict_tools") == "refuse" and "tools" in request:
        request["tools"] = drop_strict(request["tools"], log)


def _fit_ids(request: dict[str, Any], facts: Mapping[str, Any], log: LossLog) -> None:
    """Rewrite ids of calls and results as the models accept them."""
    if facts.get("call_ids") == "letters":
        request["messages"] = _with_ids(request["messages"], _id_of_letters, _OF_LETTERS, log)
    elif facts.get("call_ids") == "nine_letters":
        request["messages"] = _with_ids(request["messages"], short_id, NEED_SHORT_IDS, log)


def _id_of_letters(identifier: str) -> str:
    return identifier if acceptable_64(identifier) else sanitized_name(identifier, NAME_LIMIT)


def _with_ids(messages: list[Any], made: Callable[[str], str], detail: str, log: LossLog) -> list[Any]:
    """Return the messages with ids of calls and results rewritten by a function; missing ids of calls are generated."""

    def accepted(holder: Mapping[str, Any], path: str, member: str, otherwise: str | None = None) -> Mapping[str, Any]:
        given = holder.get(member)
        identifier = otherwise if given is None else given
        if identifier is None or made(identifier) == identifier:
            return holder
        if given is None:
            log.filled(f"{path}/{member}", CALL_WITHOUT_ID)
        else:
            log.changed("name", f"{path}/{member}", detail)
        return {**holder, member: made(identifier)}

    said = [*messages]
    for index, message in enumerate(messages):
        path = f"/messages/{index}"
        if "tool_calls" in message:
            calls = [
                accepted(call, f"{path}/tool_calls/{at}", "id", f"call_{index}_{at}")
                for at, call in enumerate(message["tool_calls"])
            ]
            if any(one is not call for one, call in zip(calls, message["tool_calls"], strict=True)):
                said[index] = {**message, "tool_calls": calls}
        elif message["role"] == "tool":
            member = "id" if "id" in message and "call_id" not in message else "call_id"
            said[index] = accepted(message, path, member)
    return said
