"""What vLLM refuses: the table of its rules.

What the chat template of a model or the flags of a server decide is not judged. Source: reference/wire/vllm.md
sections 1 and 4.
"""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from interlingua.dialects._chat_completions.rules import (
    calls,
    formless_schema,
    logprobs_of_nothing,
    many_stops,
    misshapen_messages,
    misshapen_settings,
    misshapen_tools,
    parts,
    stream_options_alone,
)
from interlingua.dialects._shared.ruling import (
    INTEGER,
    OBJECT,
    judged,
    misshapen,
    missing,
    object_of,
    objects,
    refused_names,
    text_of,
    word_of,
)
from interlingua.dialects.vllm.tables import DIALECT
from interlingua.violation import Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from interlingua.dialects._shared.ruling import Object, Rule, Shapes

_SHAPES: Final[Shapes] = MappingProxyType({
    "top_k": INTEGER,
    "thinking_token_budget": INTEGER,
    "chat_template_kwargs": OBJECT,
    "structured_outputs": OBJECT,
})  # fmt: skip
_FUNCTION: Final = "function"
_CHOICES: Final = frozenset({"none", "auto", "required"})
_CONSTRAINTS: Final = ("json", "regex", "choice", "grammar", "json_object", "structural_tag")
_REFUSED_PARTS: Final = frozenset({"file"})
_salt: Final = re.compile(r"[^@/\\\0]{1,128}", re.DOTALL).fullmatch


def required_settings(body: Object) -> Iterator[Violation]:
    """A request says its messages; the model is the server's if absent (section 1)."""
    return missing(body, ("messages",), "")


def misshapen_own_settings(body: Object) -> Iterator[Violation]:
    """Settings that only this server has are of the JSON types that section 1 names."""
    return misshapen(body, _SHAPES, "")


def empty_tools(body: Object) -> Iterator[Violation]:
    """A list of tools is not empty ("must not be an empty array")."""
    if body.get("tools") == []:
        yield Violation("empty", "/tools", "at least one tool")


def choice_without_tools(body: Object) -> Iterator[Violation]:
    """A choice other than none needs tools ("`tool_choice` other than none without `tools`")."""
    if body.get("tool_choice") not in (None, "none") and not body.get("tools"):
        yield Violation("setting", "/tool_choice", "only with tools")


def foreign_choice(body: Object) -> Iterator[Violation]:
    """A choice is a word or one function ("`allowed_tools` and `custom` objects → 400", section 1.3)."""
    choice = body.get("tool_choice")
    if type(choice) is str and choice not in _CHOICES:
        yield Violation("setting", "/tool_choice", "none, auto or required")
    elif type(choice) is dict and object_of(body, "tool_choice").get("type") != _FUNCTION:
        yield Violation("setting", "/tool_choice/type", "a function")


def foreign_tools(body: Object) -> Iterator[Violation]:
    """Tools and calls are functions ("`tool_calls[].type` other than function → error"; section 1.3)."""
    for path, tool in [*objects(body.get("tools"), "/tools"), *calls(body)]:
        kind = word_of(tool, "type")
        if kind is not None and kind != _FUNCTION:
            yield Violation("tool", f"{path}/type", "only functions")


def named_beside_constraint(body: Object) -> Iterator[Violation]:
    """A named function and a constrained answer exclude each other ("structured output and a *named* tool_choice")."""
    named = object_of(body, "tool_choice").get("type") == _FUNCTION
    if named and body.get("structured_outputs") is not None:
        yield Violation("setting", "/structured_outputs", "not beside a named tool_choice")


def many_constraints(body: Object) -> Iterator[Violation]:
    """An answer is constrained in exactly one way (section 1, `structured_outputs`)."""
    outputs = object_of(body, "structured_outputs")
    if outputs and sum(outputs.get(name) is not None for name in _CONSTRAINTS) != 1:
        yield Violation("setting", "/structured_outputs", "exactly one constraint")


def two_endings(body: Object) -> Iterator[Violation]:
    """A last message goes on, or a new one begins ("not together with add_generation_prompt", section 1)."""
    if body.get("continue_final_message") is True and body.get("add_generation_prompt") is True:
        yield Violation("setting", "/continue_final_message", "not beside add_generation_prompt")


def refused_parts(body: Object) -> Iterator[Violation]:
    """There are no files ("Unsupported chat content part type", section 1.2)."""
    for path, _, part in parts(body):
        if text_of(part, "type") in _REFUSED_PARTS:
            yield Violation("part", path, "the provider has no such part")


def salts(body: Object) -> Iterator[Violation]:
    r"""A salt has 1 to 128 characters, none of `@ / \ NUL` (section 1, `cache_salt`)."""
    salt = word_of(body, "cache_salt")
    return refused_names([] if salt is None else [("/cache_salt", salt)], _salt, "1 to 128 characters", "setting")


RULES: Final[tuple[Rule, ...]] = (
    required_settings,
    misshapen_settings,
    misshapen_own_settings,
    many_stops,
    logprobs_of_nothing,
    stream_options_alone,
    formless_schema,
    named_beside_constraint,
    many_constraints,
    two_endings,
    salts,
    misshapen_messages,
    refused_parts,
    misshapen_tools,
    foreign_tools,
    empty_tools,
    choice_without_tools,
    foreign_choice,
)


def check_request(body: Any, api_version: str | None = None) -> list[Violation]:
    """Return what vLLM would refuse of the body of `POST /v1/chat/completions`. Raises `DecodeError` for no object."""
    del api_version  # the dialect has one version
    return judged(body, DIALECT, RULES)
