"""The rules of vLLM: what it refuses.

What depends on the chat template of a model or the flags of a server is not checked. Source: docs/wire/vllm.md,
sections 1, 4 and 6 to 8.
"""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from interlingua.rooms._chat_completions.rules import (
    calls,
    logprobs_of_nothing,
    many_stops,
    message_types,
    response_format_without_schema,
    setting_types,
    stream_options_alone,
    tool_types,
)
from interlingua.rooms._shared.family_fitting import requires_user_message, unknown_effort
from interlingua.rooms._shared.openai_family_fitting import refused_parts as parts_not_read
from interlingua.rooms._shared.rule_helpers import (
    INTEGER,
    OBJECT,
    TEXT,
    family_rules,
    judged,
    message_parts,
    missing,
    object_of,
    objects,
    refused_names,
    text_of,
    word_of,
    wrong_types,
)
from interlingua.rooms.vllm.tables import DIALECT
from interlingua.violation import Violation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from interlingua.rooms._shared.rule_helpers import Object, Rule, Shapes
    from interlingua.spi.families import Family

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
# Member of a part -> the required member of its object.
_HELD: Final[Mapping[str, str]] = MappingProxyType({
    "image_url": "url", "video_url": "url", "audio_url": "url", "input_audio": "data"
})  # fmt: skip
_acceptable_cache_salt: Final = re.compile(r"[^@/\\\0]{1,128}", re.DOTALL).fullmatch


def required_settings(body: Object) -> Iterator[Violation]:
    """A request says its messages; the model is the server's if absent (section 1)."""
    return missing(body, ("messages",), "")


def own_setting_types(body: Object) -> Iterator[Violation]:
    """Settings that only this server has are of the JSON types that section 1 names."""
    return wrong_types(body, _SHAPES, "")


def empty_tools(body: Object) -> Iterator[Violation]:
    """A list of tools is not empty ("must not be an empty array")."""
    if body.get("tools") == []:
        yield Violation("empty", "/tools", "tools needs at least one item")


def choice_without_tools(body: Object) -> Iterator[Violation]:
    """A choice other than none needs tools (section 8)."""
    if body.get("tool_choice") not in (None, "none") and not body.get("tools"):
        yield Violation("setting", "/tool_choice", "this setting needs tools beside it")


def foreign_choice(body: Object) -> Iterator[Violation]:
    """A choice is a word or one function (section 1.4)."""
    choice = body.get("tool_choice")
    if type(choice) is str and choice not in _CHOICES:
        yield Violation("setting", "/tool_choice", "tool_choice must be none, auto, required or a named function")
    elif type(choice) is dict and object_of(body, "tool_choice").get("type") != _FUNCTION:
        yield Violation("setting", "/tool_choice/type", "a named tool_choice needs a function")


def foreign_tools(body: Object) -> Iterator[Violation]:
    """Tools and calls are functions (section 1.3)."""
    for path, tool in [*objects(body.get("tools"), "/tools"), *calls(body)]:
        kind = word_of(tool, "type")
        if kind is not None and kind != _FUNCTION:
            yield Violation("tool", f"{path}/type", "vLLM accepts only tools of the type function")


def named_beside_constraint(body: Object) -> Iterator[Violation]:
    """A named function and a constrained answer exclude each other (section 4)."""
    named = object_of(body, "tool_choice").get("type") == _FUNCTION
    if named and body.get("structured_outputs") is not None:
        yield Violation(
            "setting", "/structured_outputs", "it is not accepted beside a tool_choice that names a function"
        )


def many_constraints(body: Object) -> Iterator[Violation]:
    """An answer is constrained in exactly one way (section 1.5, `structured_outputs`)."""
    outputs = object_of(body, "structured_outputs")
    if outputs and sum(outputs.get(name) is not None for name in _CONSTRAINTS) != 1:
        yield Violation("setting", "/structured_outputs", "structured_outputs needs exactly one constraint")


def continuation_and_prompt(body: Object) -> Iterator[Violation]:
    """A last message goes on, or a new one begins (section 1.5)."""
    if body.get("continue_final_message") is True and body.get("add_generation_prompt") is True:
        yield Violation(
            "setting", "/continue_final_message", "continue_final_message and add_generation_prompt cannot both be true"
        )


def part_types(body: Object) -> Iterator[Violation]:
    """Media in parts have an address, or data; what has a `uuid` may be known to the server (section 1.2)."""
    for path, _, part in message_parts(body):
        if "uuid" in part:
            continue
        for name, member in _HELD.items():
            if type(part.get(name)) is dict:
                yield from missing(part[name], (member,), f"{path}/{name}")
                yield from wrong_types(part[name], {member: TEXT}, f"{path}/{name}")


def refused_parts(body: Object) -> Iterator[Violation]:
    """There are no files ("Unsupported chat content part type", section 1.2)."""
    for path, _, part in message_parts(body):
        if text_of(part, "type") in _REFUSED_PARTS:
            yield Violation("part", path, "the provider has no such part")


def cache_salt(body: Object) -> Iterator[Violation]:
    r"""A salt has 1 to 128 characters, none of `@ / \ NUL` (section 6, `cache_salt`)."""
    salt = word_of(body, "cache_salt")
    return refused_names(
        [] if salt is None else [("/cache_salt", salt)],
        _acceptable_cache_salt,
        "it must have 1 to 128 characters",
        "setting",
    )


RULES: Final[tuple[Rule, ...]] = (
    required_settings, setting_types, own_setting_types, many_stops, logprobs_of_nothing, stream_options_alone,
    response_format_without_schema, named_beside_constraint, many_constraints, continuation_and_prompt, cache_salt,
    message_types, part_types, refused_parts, tool_types, foreign_tools, empty_tools, choice_without_tools,
    foreign_choice,
)  # fmt: skip


def efforts_of_family(body: Object, *, facts: Mapping[str, Any]) -> Iterator[Violation]:
    """Words of effort that the template of these models has."""
    return unknown_effort(facts, body.get("reasoning_effort"), "/reasoning_effort")


def media_of_family(body: Object, *, facts: Mapping[str, Any]) -> Iterator[Violation]:
    """Pictures that these weights do not read."""
    return parts_not_read(objects(body.get("messages"), "/messages"), facts)


# What a family of models refuses although others accept it (docs/families.md); more depends on flags and template.
FAMILY_RULES: Final[tuple[Callable[..., Iterator[Violation]], ...]] = (
    efforts_of_family, media_of_family, requires_user_message
)  # fmt: skip


def check_request(body: Any, api_version: str | None = None, family: Family | None = None) -> list[Violation]:
    """Return what vLLM would refuse of the body of `POST /v1/chat/completions`. Raises `DecodeError` for no object."""
    del api_version  # the dialect has one version
    return judged(body, DIALECT, (*RULES, *family_rules(family, FAMILY_RULES)))
