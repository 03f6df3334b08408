"""Rules for what one model family refuses in a request that other models accept.

Source: the rows of families.py; docs/families.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.rooms._shared.family_fitting import Thinking, refused_settings, too_long
from interlingua.rooms._shared.rule_helpers import objects
from interlingua.rooms.gemini.snake_case import find_member, find_object
from interlingua.rooms.gemini.tables import (
    ANY_BUDGET,
    FUNCTION,
    INVOCATIONS,
    JSON_TYPE,
    MODALITY_WORDS,
    NO_BUDGET,
    SETTINGS,
    TEXT_ALONE,
    TOOL,
    TOOL_PARTS,
)
from interlingua.violation import Violation

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from interlingua.rooms._shared.rule_helpers import Object

_SEARCHES: Final = ("googleSearch", "googleSearchRetrieval", "urlContext")
# Media type prefix -> the fact that says whether the models read it.
_MEDIA: Final[Mapping[str, str]] = {"image/": "image_input", "audio/": "audio_input", "application/pdf": "pdf_input"}


def settings(body: Object, *, facts: Mapping[str, Any]) -> Iterator[Violation]:
    """Settings that these models refuse, and their limit of `maxOutputTokens`."""
    path, config = find_object(body, "", "generationConfig")
    said: list[tuple[str, str, Any]] = []
    for wire, (name, _) in SETTINGS.items():
        spelling, value = find_member(config, wire)
        said.append((name, f"{path}/{spelling}", value))
    yield from refused_settings(facts, said, Thinking())
    for name, where, value in said:
        if name == "max_tokens":
            yield from too_long(facts, value, where)


def modalities(body: Object, *, facts: Mapping[str, Any]) -> Iterator[Violation]:
    """Response modalities that these models do not have."""
    if "modalities" not in facts:
        return
    path, config = find_object(body, "", "generationConfig")
    spelling, asked = find_member(config, "responseModalities")
    known = {MODALITY_WORDS[word] for word in facts["modalities"]}
    if type(asked) is list and any(type(word) is str and word.upper() not in known for word in asked):
        yield Violation("setting", f"{path}/{spelling}", TEXT_ALONE)


def thinking(body: Object, *, facts: Mapping[str, Any]) -> Iterator[Violation]:
    """Thinking levels and budgets that these models do not take, or both together."""
    config_path, config = find_object(body, "", "generationConfig")
    path, wish = find_object(config, config_path, "thinkingConfig")
    control = facts.get("thinking")
    if not wish or control is None:
        return
    level_name, level = find_member(wish, "thinkingLevel")
    budget_name, budget = find_member(wish, "thinkingBudget")
    if control == "none":
        yield Violation("setting", path, "these models do not accept thinkingConfig")
        return
    if level is not None and budget is not None:
        yield Violation("setting", f"{path}/{budget_name}", "give thinkingLevel or thinkingBudget, not both")
    if type(level) is str and level.lower() not in facts.get("levels", ()):
        known = ", ".join(facts.get("levels", ())) or "thinkingBudget"
        yield Violation("setting", f"{path}/{level_name}", f"these models accept only {known}")
    if type(budget) is int and not _takes_budget(budget, facts):
        yield Violation("limit", f"{path}/{budget_name}", "these models do not accept a thinkingBudget of this size")


def _takes_budget(budget: int, facts: Mapping[str, Any]) -> bool:
    if "budgets" not in facts:  # models with levels take any budget, but 0 only if they have "minimal"
        return budget != NO_BUDGET or "levels" not in facts or "minimal" in facts["levels"]
    least, most = facts["budgets"]
    return budget == ANY_BUDGET or (budget == NO_BUDGET and facts.get("budget_zero", False)) or least <= budget <= most


def functions(body: Object, *, facts: Mapping[str, Any]) -> Iterator[Violation]:
    """Functions for models without them, and search or JSON beside functions for older models."""
    tools = body.get("tools")
    groups = [*objects(tools if type(tools) is list else [tools], "/tools")]
    declared = [path for path, tool in groups if find_member(tool, "functionDeclarations")[1]]
    if not declared:
        return
    if facts.get("function_tools") == "refuse":
        yield Violation("tool", declared[0], "these models do not support functions")
    if facts.get("search_with_functions") == "refuse":
        for path, tool in groups:
            if any(find_member(tool, name)[1] is not None for name in _SEARCHES):
                yield Violation("tool", path, "these models accept googleSearch or functions, not both")
    path, config = find_object(body, "", "generationConfig")
    form, kind = find_member(config, "responseMimeType")
    if facts.get("json_with_functions") == "refuse" and kind == JSON_TYPE:
        yield Violation("setting", f"{path}/{form}", "these models accept a JSON schema or functions, not both")


def contents(body: Object, *, facts: Mapping[str, Any]) -> Iterator[Violation]:
    """Media and instructions that these models do not read."""
    system, instruction = find_member(body, "systemInstruction")
    if facts.get("system_instruction") == "refuse" and instruction is not None:
        yield Violation("member", f"/{system}", "these models do not accept systemInstruction")
    refused = tuple(begin for begin, fact in _MEDIA.items() if facts.get(fact) is False)
    contents = body.get("contents")
    for path, content in objects(contents if refused else [], "/contents"):
        for where, part in objects(content.get("parts"), f"{path}/parts"):
            for name in ("inlineData", "fileData"):
                inner, data = find_object(part, where, name)
                if str(find_member(data, "mimeType")[1]).startswith(refused):
                    yield Violation("media_type", inner, "these models do not accept media of this kind")


def resolutions(body: Object, *, facts: Mapping[str, Any]) -> Iterator[Violation]:
    """Media resolution of a single part, which older models do not take."""
    if facts.get("media_resolution") != "of_the_request":
        return
    for path, content in objects(body.get("contents"), "/contents"):
        for where, part in objects(content.get("parts"), f"{path}/parts"):
            spelling, said = find_member(part, "mediaResolution")
            if said is not None:
                yield Violation("member", f"{where}/{spelling}", "these models accept it only in generationConfig")


def results(body: Object, *, facts: Mapping[str, Any]) -> Iterator[Violation]:
    """Media in function responses, which older models do not read."""
    if facts.get("media_in_results") is not False:
        return
    for path, content in objects(body.get("contents"), "/contents"):
        for where, part in objects(content.get("parts"), f"{path}/parts"):
            inner, result = find_object(part, where, "functionResponse")
            if result.get("parts"):
                yield Violation(
                    "part", f"{inner}/parts", "these models do not accept images and files in a tool result"
                )


def tool_invocations(body: Object, *, facts: Mapping[str, Any]) -> Iterator[Violation]:
    """Calls and results of Google's own tools, which only Gemini 3 and newer accept in a request."""
    if facts.get("tool_invocations") != "refuse":
        return
    path, config = find_object(body, "", "toolConfig")
    name, value = find_member(config, INVOCATIONS)
    if value is not None:
        yield Violation("member", f"{path}/{name}", "these models do not accept it")
    for path, content in objects(body.get("contents"), "/contents"):
        for where, part in objects(content.get("parts"), f"{path}/parts"):
            if not part.keys().isdisjoint(TOOL_PARTS):
                yield Violation("part", where, "these models do not accept calls and results of Google's own tools")


def prefill(body: Object, *, facts: Mapping[str, Any]) -> Iterator[Violation]:
    """A prefill, which newer models do not continue."""
    contents = [*objects(body.get("contents"), "/contents")]
    if facts.get("assistant_prefill") != "refuse" or not contents:
        return
    path, last = contents[-1]
    answered = any(find_member(part, "functionResponse")[1] for _, part in objects(last.get("parts"), ""))
    if last.get("role") == "model" and not answered:
        yield Violation("prefill", path, "these models do not continue an answer: end with a content of the role user")


def roles(body: Object, *, facts: Mapping[str, Any]) -> Iterator[Violation]:
    """Roles of tool results, which newer models only accept from the user."""
    if facts.get("result_roles") != "user":
        return
    for path, content in objects(body.get("contents"), "/contents"):
        if content.get("role") in (FUNCTION, TOOL):
            yield Violation("role", f"{path}/role", "these models accept tool results only in the role user")


FAMILY_RULES: Final = (
    settings,
    modalities,
    thinking,
    functions,
    contents,
    resolutions,
    results,
    tool_invocations,
    prefill,
    roles,
)
