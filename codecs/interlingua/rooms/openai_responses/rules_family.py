"""Rules for what one model family refuses in a Responses request that other models accept.

Source: the rows of families.py; docs/families.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.rooms._shared.family_fitting import Thinking, refused_settings, too_long, unknown_effort
from interlingua.rooms._shared.openai_family_fitting import refused_cache, refused_parts
from interlingua.rooms._shared.openai_settings import GATEWAY
from interlingua.rooms._shared.rule_helpers import object_of, objects, text_of
from interlingua.rooms.openai_responses.adjoining_results import with_adjoining_results
from interlingua.rooms.openai_responses.tables import INCLUDE_REASONING, LIVE_SEARCH, SETTINGS, has_null_content
from interlingua.violation import Violation

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from interlingua.rooms._shared.rule_helpers import Object

_INCLUDED: Final = "these models do not reason: there is no encrypted reasoning to include"


def settings(body: Object, *, facts: Mapping[str, Any]) -> Iterator[Violation]:
    """Settings that these models refuse, always or while reasoning."""
    reasoning = object_of(body, "reasoning")
    thinking = Thinking(effort=text_of(reasoning, "effort") or None)
    said: list[tuple[str, str, Any]] = [
        (name, f"/{wire}", body[wire]) for wire, (name, _) in SETTINGS.items() if wire in body
    ]
    said.append(("verbosity", "/text/verbosity", object_of(body, "text").get("verbosity")))
    yield from refused_settings(facts, said, thinking)
    yield from unknown_effort(facts, reasoning.get("effort"), "/reasoning/effort")
    yield from too_long(facts, body.get("max_output_tokens"), "/max_output_tokens")
    if facts.get("truncation") == "auto" and body.get("truncation") != "auto":
        yield Violation("required", "/truncation", "these models require truncation: auto")
    asked: Any = body.get("include")
    if facts.get("encrypted_reasoning") == "refuse" and type(asked) is list and INCLUDE_REASONING in asked:
        yield Violation("setting", f"/include/{asked.index(INCLUDE_REASONING)}", _INCLUDED)
    if facts.get("reasoning_summary") == "refuse" or facts.get("efforts") == ():
        for name in ("summary", "generate_summary"):
            if reasoning.get(name) is not None:
                yield Violation("member", f"/reasoning/{name}", "these models do not return a summary")


def searches(body: Object, *, facts: Mapping[str, Any]) -> Iterator[Violation]:
    """Live search members of web search tools, for providers that refuse them."""
    if facts.get("live_search") == "unsaid":
        for path, tool in objects(body.get("tools"), "/tools"):
            for name in tool:
                if text_of(tool, "type").startswith("web_search") and name in LIVE_SEARCH:
                    yield Violation("member", f"{path}/{name}", "these models do not accept this member of a search")


def tools(body: Object, *, facts: Mapping[str, Any]) -> Iterator[Violation]:
    """Tool types that the provider does not have."""
    for path, tool in objects(body.get("tools"), "/tools"):
        kind = text_of(tool, "type")
        if kind == "function" and facts.get("function_tools") == "refuse":
            yield Violation("tool", f"{path}/type", "these models do not support functions")
        elif facts.get(f"{kind}_tools") == "refuse":
            yield Violation("tool", f"{path}/type", "these models do not accept such a tool: it can be a function")


def contents(body: Object, *, facts: Mapping[str, Any]) -> Iterator[Violation]:
    """Media, cache settings and response formats that these models do not have."""
    said = [*objects(body.get("input"), "/input")]
    yield from refused_parts(said, facts)
    yield from refused_cache(body, said, facts)
    form = object_of(object_of(body, "text"), "format")
    if facts.get("structured_output") is False and form.get("type") == "json_schema":
        yield Violation("setting", "/text/format/type", "these models do not support a JSON schema")


def thoughts(body: Object, *, facts: Mapping[str, Any]) -> Iterator[Violation]:
    """Reasoning items with a content of null, which xAI reports as a blob that it cannot decode."""
    if facts.get("null_contents") == "refuse":
        for path, item in objects(body.get("input"), "/input"):
            if has_null_content(item):
                yield Violation("member", f"{path}/content", "these models refuse null here: leave it out")


def results(body: Object, *, facts: Mapping[str, Any]) -> Iterator[Violation]:
    """Results that do not directly follow their calls, for hosts that pair them by their places."""
    items: Any = body.get("input")
    if facts.get("call_results") != "adjoin" or type(items) is not list:
        return
    for at, (item, expected) in enumerate(zip(items, with_adjoining_results(items), strict=True)):
        if item is not expected:
            yield Violation("order", f"/input/{at}", "these models need results directly behind their calls")
            return


def unlinked_reasoning(body: Object, *, facts: Mapping[str, Any]) -> Iterator[Violation]:
    """OpenAI looks for the item that followed reasoning with an id, and refuses another one."""
    if "encrypted_reasoning" not in facts or GATEWAY in text_of(body, "model"):
        return
    waiting: list[str] = []
    for path, item in objects(body.get("input"), "/input"):
        if item.get("type") == "reasoning":
            waiting += [path] if "id" in item else []
        else:
            for where in waiting if "id" not in item else ():
                yield Violation("order", where, "the item that followed this reasoning must follow it, with its id")
            waiting = []


FAMILY_RULES: Final = (unlinked_reasoning, settings, searches, tools, contents, thoughts, results)
