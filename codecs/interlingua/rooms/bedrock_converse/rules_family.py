"""Rules for what one model family refuses in a Converse request that other models accept.

Source: the rows of families.py; docs/families.md.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from interlingua.pointers import pointer
from interlingua.rooms._shared.claude_thinking import ON
from interlingua.rooms._shared.family_fitting import Thinking, refused_settings, too_long, unknown_effort
from interlingua.rooms._shared.names import acceptable_64
from interlingua.rooms._shared.rule_helpers import members_named, object_of, objects, refused_names, text_of
from interlingua.rooms._shared.schema_adaptation import refusals
from interlingua.rooms.bedrock_converse.cache_points import is_read_as_text
from interlingua.rooms.bedrock_converse.documents import is_refused_in_results
from interlingua.rooms.bedrock_converse.tables import NO_LOOKAROUND, PLAIN_SCHEMA
from interlingua.rooms.bedrock_converse.thinking import FIELDS, effort_in
from interlingua.violation import Violation

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from interlingua.rooms._shared.rule_helpers import Object

_TOOLS: Final = "/toolConfig/tools"
_SETTINGS: Final = (
    ("temperature", "temperature"), ("topP", "top_p"), ("stopSequences", "stop"), ("maxTokens", "max_tokens")
)  # fmt: skip
_MEDIA: Final = ("audio", "video", "image")


def tools_of(body: Object) -> Iterator[tuple[str, Object]]:
    """Yield each tool with its path."""
    return objects(object_of(body, "toolConfig").get("tools"), _TOOLS)


def functions_of(body: Object) -> Iterator[tuple[str, Object, Object]]:
    """Yield each function's path, its `toolSpec` and its parameter schema."""
    for path, tool in tools_of(body):
        spec = object_of(tool, "toolSpec")
        yield f"{path}/toolSpec", spec, object_of(object_of(spec, "inputSchema"), "json")


def blocks_of(body: Object) -> Iterator[tuple[str, Object]]:
    """Yield each content block of the messages with its path."""
    for path, message in objects(body.get("messages"), "/messages"):
        yield from objects(message.get("content"), f"{path}/content")


def settings(body: Object, *, facts: Mapping[str, Any]) -> Iterator[Violation]:
    """Sampling settings, token limits, stop sequences and thinking settings that these models refuse."""
    config, fields = object_of(body, "inferenceConfig"), object_of(body, FIELDS)
    kind = text_of(object_of(fields, "thinking"), "type")
    is_on = kind in ON or (not kind and facts.get("thinks_unasked", False))
    said = [(name, f"/inferenceConfig/{wire}", config[wire]) for wire, name in _SETTINGS if wire in config]
    said += [("top_k", f"/{FIELDS}/top_k", fields["top_k"])] if "top_k" in fields else []
    where, effort = effort_in(fields, facts.get("effort_member"))
    yield from refused_settings(facts, said, Thinking(effort=effort, is_on=is_on, has_budget=kind == "enabled"))
    if "effort_member" in facts:
        yield from unknown_effort(facts, effort, f"/{FIELDS}{where}")
    yield from too_long(facts, config.get("maxTokens"), "/inferenceConfig/maxTokens")
    if "thinking" in facts and kind and kind not in facts["thinking"]:
        detail = f"these models accept only {', '.join(facts['thinking']) or 'requests without thinking'}"
        yield Violation("setting", f"/{FIELDS}/thinking/type", detail)
    if "effort_member" not in facts:
        claude_effort = object_of(fields, "output_config").get("effort")
        yield from unknown_effort(facts, claude_effort, f"/{FIELDS}/output_config/effort")
        yield from unknown_effort(facts, object_of(body, "outputConfig").get("effort"), "/outputConfig/effort")
    stops = config.get("stopSequences")
    if facts.get("blank_stops") == "refuse" and type(stops) is list:
        for at, text in enumerate(stops):
            if type(text) is str and text.isspace():
                detail = "these models do not accept stop sequences of only white space"
                yield Violation("empty_text", f"/inferenceConfig/stopSequences/{at}", detail)


def tools_and_answers(body: Object, *, facts: Mapping[str, Any]) -> Iterator[Violation]:
    """Tools, forced tool choices and schemas that these models do not take."""
    config = object_of(body, "toolConfig")
    choice = object_of(config, "toolChoice")
    if facts.get("function_tools") == "refuse" and config:
        yield Violation("tool", "/toolConfig", "these models do not support functions")
    forced = facts.get("forced_tool_choice")
    if forced == "refuse" and ("any" in choice or "tool" in choice):
        yield Violation("setting", "/toolConfig/toolChoice", "these models do not accept a forced tool_choice")
    if forced == "any" and "tool" in choice:
        detail = "these models can only be forced to call any tool, not a named one"
        yield Violation("setting", "/toolConfig/toolChoice/tool", detail)
    if facts.get("tool_schemas") == "plain":
        for path, _, schema in functions_of(body):
            for name in schema:
                if name not in PLAIN_SCHEMA:
                    place = f"{path}/inputSchema/json{pointer(name)}"
                    yield Violation("schema", place, "these models do not accept it at the top of a schema")
    if facts.get("structured_output") is False and object_of(object_of(body, "outputConfig"), "textFormat"):
        yield Violation("setting", "/outputConfig/textFormat", "these models do not support a JSON schema")


def patterns(body: Object, *, facts: Mapping[str, Any]) -> Iterator[Violation]:
    """Lookaround in the patterns of tool schemas, for models that refuse it."""
    if facts.get("tool_schemas") == "no_lookaround":
        for path, _, schema in functions_of(body):
            yield from refusals(schema, NO_LOOKAROUND, f"{path}/inputSchema/json")


def strict_tools(body: Object, *, facts: Mapping[str, Any]) -> Iterator[Violation]:
    """Strict tools, for models that refuse `strict`."""
    if facts.get("strict_tools") == "refuse":
        for path, spec, _ in functions_of(body):
            if spec.get("strict") is True:
                yield Violation("setting", f"{path}/strict", "these models have no strict tools")


def _has_functions(body: Object) -> bool:
    return any("toolSpec" in tool for _, tool in objects(object_of(body, "toolConfig").get("tools"), ""))


def conversation(body: Object, *, facts: Mapping[str, Any]) -> Iterator[Violation]:
    """System messages, prefills, media and ids that these models do not take."""
    messages = [*objects(body.get("messages"), "/messages")]
    if facts.get("system_instruction") == "refuse" and body.get("system"):
        yield Violation("member", "/system", "these models do not accept system messages")
    yield from _results(messages, facts)
    if messages and text_of(messages[-1][1], "role") == "assistant":
        is_held = "thinking" in facts and ("textFormat" in object_of(body, "outputConfig") or _has_functions(body))
        if is_held or facts.get("assistant_prefill") == "refuse":
            detail = "these models do not continue an answer: end with a user message"
            yield Violation("prefill", messages[-1][0], detail)
        if facts.get("space_at_end") == "refuse":
            yield from _space_at_end(*messages[-1])
    refused = [kind for kind in _MEDIA if facts.get(f"{kind}_input") is False]
    for where, block in blocks_of(body):
        for kind in refused:
            if kind in block:
                yield Violation("part", where, "these models do not accept media of this kind")
        if facts.get("pdf_input") is False and text_of(object_of(block, "document"), "format") == "pdf":
            yield Violation("media_type", where, "these models do not read PDF files")
        if facts.get("call_ids") == "letters":
            for kind in ("toolUse", "toolResult"):
                named = members_named([(f"{where}/{kind}", object_of(block, kind))], "toolUseId")
                detail = "these models accept only letters, digits, _ and - in ids"
                yield from refused_names(named, acceptable_64, detail, "id")


_ALONE: Final[Mapping[str, str]] = MappingProxyType({"toolResult": "results", "toolUse": "calls"})


def _results(messages: Sequence[tuple[str, Object]], facts: Mapping[str, Any]) -> Iterator[Violation]:
    """Calls and results that these models do not take, or not beside other blocks."""
    for path, message in messages:
        blocks = [*objects(message.get("content"), f"{path}/content")]
        if facts.get("function_tools") == "refuse":
            for where, block in blocks:
                if "toolUse" in block or "toolResult" in block:
                    yield Violation("part", where, "these models do not support functions")
        for kind, word in _unmixed(facts):
            if any(kind in block for _, block in blocks):
                for where, block in blocks:
                    if kind not in block and "cachePoint" not in block:
                        yield Violation("part", where, f"these models accept nothing beside {word} in a turn")


def _unmixed(facts: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the kinds of blocks that must be alone in a turn."""
    verdict = facts.get("mixed_turns", "accept")
    for kind, word in _ALONE.items():
        if verdict == "refuse" or (verdict == "results_alone" and kind == "toolResult"):
            yield kind, word


def results(body: Object, *, facts: Mapping[str, Any]) -> Iterator[Violation]:
    """What tool results may not hold, or not have beside them."""
    for path, message in objects(body.get("messages"), "/messages"):
        blocks = [*objects(message.get("content"), f"{path}/content")]
        has_result = any("toolResult" in block for _, block in blocks)
        for where, block in blocks:
            result = object_of(block, "toolResult")
            if facts.get("documents_beside_results") == "refuse" and has_result and "document" in block:
                yield Violation("part", where, "these models do not accept documents beside tool results")
            if facts.get("result_status") == "refuse" and "status" in result:
                yield Violation(
                    "member", f"{where}/toolResult/status", "these models do not accept the status of a tool result"
                )
            is_empty = result.get("content") == [] and result.get("status") != "error"  # which no model accepts
            if is_empty and facts.get("empty_results") == "refuse":
                detail = "these models do not accept a tool result without content"
                yield Violation("empty", f"{where}/toolResult/content", detail)
            if "media_in_results" in facts:
                for place, one in objects(result.get("content"), f"{where}/toolResult/content"):
                    if is_refused_in_results(one, facts["media_in_results"]):
                        yield Violation("part", place, "these models do not accept such media in tool results")


def cache(body: Object, *, facts: Mapping[str, Any]) -> Iterator[Violation]:
    """Cache points that these models do not take, or not there."""
    verdict, times = facts.get("cache_points", "accept"), facts.get("cache_times")
    lists = [(_TOOLS, object_of(body, "toolConfig").get("tools")), ("/system", body.get("system"))]
    lists += [(f"{path}/content", one.get("content")) for path, one in objects(body.get("messages"), "/messages")]
    for path, said in lists:
        blocks = [*objects(said, path)]
        for at, (where, block) in enumerate(blocks):
            if type(block.get("cachePoint")) is not dict:
                continue
            if verdict == "refuse" or (verdict == "not_in_tools" and path == _TOOLS):
                yield Violation("cache", where, "these models do not accept cache points there")
            elif facts.get("cache_behind_texts") == "refuse" and is_read_as_text([one for _, one in blocks], at - 1):
                yield Violation("cache", where, "a cache point is not accepted after a document that is read as text")
            elif times is not None and block["cachePoint"].get("ttl", times[0]) not in times:
                yield Violation("cache", f"{where}/cachePoint/ttl", f"these models accept only {', '.join(times)}")


def reasoning(body: Object, *, facts: Mapping[str, Any]) -> Iterator[Violation]:
    """Reasoning of earlier answers, and its signatures, which only Claude reads."""
    if not facts:
        return
    for path, block in blocks_of(body):
        if facts.get("reasoning_in_history") == "refuse" and "reasoningContent" in block:
            yield Violation("part", path, "these models do not accept reasoning of earlier answers")
        elif "thinking" not in facts and "signature" in object_of(
            object_of(block, "reasoningContent"), "reasoningText"
        ):
            where = f"{path}/reasoningContent/reasoningText/signature"
            yield Violation("signature", where, "only Claude's models accept signatures")


def search_results(body: Object, *, facts: Mapping[str, Any]) -> Iterator[Violation]:
    """Search results, which only Claude reads."""
    if not facts or "thinking" in facts:
        return
    for path, block in blocks_of(body):
        inside = objects(object_of(block, "toolResult").get("content"), f"{path}/toolResult/content")
        for where, one in ((path, block), *inside):
            if "searchResult" in one:
                yield Violation("part", where, "only Claude's models accept search results")


def _space_at_end(path: str, message: Object) -> Iterator[Violation]:
    """The last text of a prefill does not end in white space."""
    for where, block in [*objects(message.get("content"), f"{path}/content")][-1:]:
        text = text_of(block, "text")
        if text != text.rstrip():
            detail = "the last text of the assistant may not end in white space"
            yield Violation("trailing_space", f"{where}/text", detail)


FAMILY_RULES: Final = (
    settings, tools_and_answers, patterns, strict_tools, conversation, results, cache, reasoning, search_results
)  # fmt: skip
