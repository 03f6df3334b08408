"""What Claude refuses of settings.

Source: reference/wire/claude.md sections 0, 1 and 4.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from interlingua.dialects._shared.ruling import (
    FLAG,
    INTEGER,
    LIST,
    NUMBER,
    OBJECT,
    TEXT,
    TEXT_OR_LIST,
    beyond,
    misshapen,
    misshapen_texts,
    missing,
    number_of,
    object_of,
    unwelcome,
)
from interlingua.dialects.claude.tables import HOTTEST, LEAST_BUDGET, SAMPLING
from interlingua.violation import Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from interlingua.dialects._shared.ruling import Limits, Object, Shapes

_SHAPES: Final[Shapes] = MappingProxyType({
    "model": TEXT,
    "max_tokens": INTEGER,
    "messages": LIST,
    "system": TEXT_OR_LIST,
    "tools": LIST,
    "tool_choice": OBJECT,
    "thinking": OBJECT,
    "output_config": OBJECT,
    "stop_sequences": LIST,
    "stream": FLAG,
    "metadata": OBJECT,
    "temperature": NUMBER,
    "top_p": NUMBER,
    "top_k": INTEGER,
})  # fmt: skip
_LIMITS: Final[Limits] = MappingProxyType({"max_tokens": (0, None), "temperature": (0, HOTTEST)})
_FOREIGN: Final = ("n", "seed", "logprobs", "frequency_penalty", "presence_penalty", "logit_bias", "user")
# Bedrock and Vertex say the version in the body and the model in the address.
_HOSTED: Final = "anthropic_version"
_FORCED: Final = frozenset({"any", "tool"})


def required_settings(body: Object) -> Iterator[Violation]:
    """A request says its model, its messages and `max_tokens` ("`max_tokens` is mandatory")."""
    names = ("max_tokens", "messages") if _HOSTED in body else ("model", "max_tokens", "messages")
    return missing(body, names, "")


def misshapen_settings(body: Object) -> Iterator[Violation]:
    """Settings are of the JSON types that section 1 names."""
    yield from misshapen(body, _SHAPES, "")
    yield from misshapen_texts(body.get("stop_sequences"), "/stop_sequences")


def limits(body: Object) -> Iterator[Violation]:
    """Numbers are within their limits (section 1; "temperature: range: 0..1")."""
    return beyond(body, _LIMITS, "")


def foreign_settings(body: Object) -> Iterator[Violation]:
    """A request has no settings of other dialects (section 1, "not supported")."""
    return unwelcome(body, _FOREIGN, "", "the provider has no such setting")


def sampling(body: Object) -> Iterator[Violation]:
    """Since 2026-10-21 there are no sampling settings (section 0)."""
    return unwelcome(body, sorted(SAMPLING), "", "no sampling settings since 2026-10-21")


def thinking_budget(body: Object) -> Iterator[Violation]:
    """A budget is at least 1024 and below `max_tokens` ("`budget_tokens` ≥1024 and < `max_tokens`")."""
    thinking = object_of(body, "thinking")
    if thinking.get("type") != "enabled":
        return
    budget, most = number_of(thinking, "budget_tokens"), number_of(body, "max_tokens")
    if budget is None:
        yield Violation("required", "/thinking/budget_tokens", "enabled thinking has a budget")
    elif budget < LEAST_BUDGET or (most is not None and budget >= most):
        yield Violation("limit", "/thinking/budget_tokens", "at least 1024 and below max_tokens")


def forced_choice(body: Object) -> Iterator[Violation]:
    """Thinking forces no tool ("forced `tool_choice` (any/tool) is incompatible with thinking")."""
    forced = object_of(body, "tool_choice").get("type")
    if object_of(body, "thinking").get("type") == "enabled" and type(forced) is str and forced in _FORCED:
        yield Violation("setting", "/tool_choice", "thinking forces no tool")
