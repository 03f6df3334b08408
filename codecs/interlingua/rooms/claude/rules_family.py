"""Rules for what one model family refuses in a request that other models accept.

Source: the rows of families.py; docs/families.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.rooms._shared.claude_results import is_paused
from interlingua.rooms._shared.family_fitting import Thinking, refused_settings, too_long, unknown_effort
from interlingua.rooms._shared.rule_helpers import message_parts, object_of, objects, text_of
from interlingua.rooms.claude.context_edits import refused_edits
from interlingua.rooms.claude.tables import PDF, SETTINGS
from interlingua.violation import Violation

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from interlingua.rooms._shared.rule_helpers import Object
    from interlingua.spi.families import Family

_ON: Final = frozenset({"enabled", "adaptive"})
_OFF: Final = frozenset({"disabled", "between_tools"})
_FORCED: Final = frozenset({"any", "tool"})
_STRONG: Final = frozenset({"xhigh", "max"})


def takes_unsigned(family: Family | None) -> bool:
    """Return whether the models accept unsigned thinking, as other providers' models do; they check less of it."""
    return family is not None and family.facts.get("unsigned_thinking") == "accept"


def _thinking(body: Object, facts: Mapping[str, Any]) -> Thinking:
    kind = text_of(object_of(body, "thinking"), "type")
    is_on = kind in _ON or (not kind and facts.get("thinks_unasked", False))
    return Thinking(is_on=is_on, has_budget=kind == "enabled")


def settings(body: Object, *, facts: Mapping[str, Any]) -> Iterator[Violation]:
    """Settings that these models refuse, always or while thinking, and their limit of `max_tokens`."""
    said = [(name, f"/{wire}", body[wire]) for wire, (name, _) in SETTINGS.items() if wire in body]
    said += [("stop", "/stop_sequences", body["stop_sequences"])] if "stop_sequences" in body else []
    yield from refused_settings(facts, said, _thinking(body, facts))
    yield from too_long(facts, body.get("max_tokens"), "/max_tokens")


def thinking_and_effort(body: Object, *, facts: Mapping[str, Any]) -> Iterator[Violation]:
    """Thinking types and effort levels that these models do not have."""
    kind = text_of(object_of(body, "thinking"), "type")
    kinds = facts.get("thinking")
    if kind and kinds is not None and kind not in kinds:
        yield Violation(
            "setting", "/thinking/type", f"these models accept only {', '.join(kinds) or 'requests without thinking'}"
        )
    effort = object_of(body, "output_config").get("effort")
    yield from unknown_effort(facts, effort, "/output_config/effort")
    if kind not in _OFF or type(effort) is not str:
        return
    if facts.get("effort_unthinking") == "refuse":
        detail = "without thinking, these models accept no output_config.effort"
        yield Violation("setting", "/output_config/effort", detail)
    elif "effort_unthinking" in facts and effort in _STRONG:
        yield Violation(
            "setting", "/output_config/effort", "without thinking, output_config.effort may not be above high"
        )


def context_edits(body: Object, *, facts: Mapping[str, Any]) -> Iterator[Violation]:
    """Edits that clear thinking, which is off ("`clear_thinking_20251015` strategy requires `thinking` ...")."""
    for at in refused_edits(body, facts):
        yield Violation(
            "setting", f"/context_management/edits/{at}", "thinking that is off cannot be cleared from the context"
        )


def forced_choice(body: Object, *, facts: Mapping[str, Any]) -> Iterator[Violation]:
    """A forced tool choice, which some models refuse, and others while thinking."""
    verdict = facts.get("forced_tool_choice")
    if text_of(object_of(body, "tool_choice"), "type") not in _FORCED:
        return
    if verdict == "refuse":
        yield Violation("setting", "/tool_choice", "these models do not accept a forced tool_choice: auto is sent")
    thinking = _thinking(body, facts)
    # With a budget, the dialect's own rule reports it.
    if verdict == "refuse_if_thinking" and thinking.is_on and not thinking.has_budget:
        yield Violation(
            "setting", "/tool_choice", "with thinking on, tool_choice must be auto or none for these models"
        )


def thoughts(body: Object, *, facts: Mapping[str, Any]) -> Iterator[Violation]:
    """Tool calls without thinking before them, for models that require it."""
    if "reasoning_in_calls" not in facts or not _thinking(body, facts).is_on:
        return
    for path, message in objects(body.get("messages"), "/messages"):
        kinds = {text_of(block, "type") for _, block in objects(message.get("content"), "")}
        if "tool_use" in kinds and "thinking" not in kinds:
            yield Violation("required", f"{path}/content", "these models need thinking in a message with tool_use")


def _refuses_prefill(body: Object, facts: Mapping[str, Any]) -> bool:
    """Tell whether the models refuse an assistant prefill in this request; Claude's always do beside functions."""
    verdict = facts.get("assistant_prefill")
    if verdict != "accept_alone":
        return bool(verdict == "refuse")
    is_on = text_of(object_of(body, "thinking"), "type") in _ON
    return is_on or any("input_schema" in tool for _, tool in objects(body.get("tools"), ""))


def beginnings(body: Object, *, facts: Mapping[str, Any]) -> Iterator[Violation]:
    """An assistant prefill, and system messages in `messages`."""
    messages = [*objects(body.get("messages"), "/messages")]
    for path, last in messages[-1:]:
        is_begun = text_of(last, "role") == "assistant" and not is_paused(last.get("content"))
        if is_begun and _refuses_prefill(body, facts):
            yield Violation("prefill", path, "these models do not continue an answer: end with a user message")
    if facts.get("system_in_messages") == "refuse":
        for path, message in messages:
            if text_of(message, "role") == "system":
                yield Violation("role", f"{path}/role", "these models accept instructions only at the top")


def structured(body: Object, *, facts: Mapping[str, Any]) -> Iterator[Violation]:
    """JSON schemas, strict tools and PDF files, for models without them."""
    if facts.get("structured_output") is False:
        if object_of(object_of(body, "output_config"), "format"):
            yield Violation("setting", "/output_config/format", "these models do not support a JSON schema")
        for path, tool in objects(body.get("tools"), "/tools"):
            if tool.get("strict") is True:
                yield Violation("setting", f"{path}/strict", "these models have no strict tools")
    if facts.get("pdf_input") is False:
        for where, _, block in message_parts(body):
            if text_of(object_of(block, "source"), "media_type") == PDF:
                yield Violation("media_type", where, "these models do not read PDF files")


FAMILY_RULES: Final = (
    settings, thinking_and_effort, context_edits, forced_choice, thoughts, beginnings, structured,
)  # fmt: skip
