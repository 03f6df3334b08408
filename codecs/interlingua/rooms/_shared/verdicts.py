"""What the verdicts of a family's table mean: one reading for those that write a request and those that judge one.

The words are listed in docs/families.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from interlingua.violation import Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

# The default of the settings of sampling.
_DEFAULT: Final = 1
_DEFAULTS: Final[Mapping[str, Any]] = {"temperature": 1, "top_p": 1, "parallel_tool_calls": True}
_LEAST_TOP_P: Final = 0.95
# Settings of which a value that is false asks for nothing.
_ASK_FOR_NOTHING: Final = frozenset({
    "frequency_penalty", "presence_penalty", "logprobs", "top_logprobs", "stop", "logit_bias"
})  # fmt: skip
# Settings that one row of a table speaks of together.
_TOGETHER: Final[Mapping[str, str]] = {
    "frequency_penalty": "penalties",
    "presence_penalty": "penalties",
    "logit_bias": "penalties",
    "top_logprobs": "logprobs",
}


class Thinking(NamedTuple):
    """How a request asks for thinking: the word of effort that it says, whether it thinks, and whether by a budget."""

    effort: str | None = None
    is_on: bool = False
    has_budget: bool = False


def is_default(setting: str, value: Any) -> bool:
    """Tell whether a setting says what is done without it."""
    return setting in _DEFAULTS and bool(value == _DEFAULTS[setting])


def verdict_of(facts: Mapping[str, Any], setting: str) -> str:
    """Return the verdict of a setting, under its canonical name; it is accepted unless a row says otherwise."""
    verdict: str = facts.get(setting) or facts.get(_TOGETHER.get(setting, ""), "accept")
    return verdict


def is_refused(
    facts: Mapping[str, Any], setting: str, settings: Mapping[str, Any], thinking: Thinking, *, by_any: bool = False
) -> bool:
    """Tell whether the value of a setting, under its canonical name, is refused beside the others.

    `by_any` asks whether any host of the models refuses it.
    """
    verdict, value = verdict_of(facts, setting), settings[setting]
    if verdict == "accept" or value is None or (not value and setting in _ASK_FOR_NOTHING):
        return False
    if verdict == "default_only":
        return bool(value != _DEFAULT)
    if verdict == "default_only_if_thinking":
        return thinking.is_on and value != _DEFAULT
    if verdict == "not_with_temperature":
        return settings.get("temperature") is not None or (thinking.is_on and value < _LEAST_TOP_P)
    if verdict == "ge_0.95_if_thinking":
        return thinking.is_on and value < _LEAST_TOP_P
    if verdict == "refuse_if_thinking":
        return thinking.is_on
    if verdict == "only_if_effort_none":
        return thinking.effort != "none"
    if verdict == "only_if_effort_none_or_absent":
        return thinking.effort not in {None, "none"}
    return verdict == "refuse" or (by_any and verdict == "refuse_by_some_hosts")


def refused_settings(
    facts: Mapping[str, Any], said: Iterable[tuple[str, str, Any]], thinking: Thinking
) -> Iterator[Violation]:
    """Yield each setting of a body, given by canonical name, path and value, that the family refuses."""
    places = {name: (path, value) for name, path, value in said}
    settings = {name: value for name, (_, value) in places.items()}
    for name, (path, _) in places.items():
        try:
            is_wrong = is_refused(facts, name, settings, thinking)
        except TypeError:  # no number: the rule about shapes says so
            continue
        if is_wrong:
            yield Violation("setting", path, REASONS.get(verdict_of(facts, name), _REFUSED))


_REFUSED: Final = "these models do not take this setting"
REASONS: Final[Mapping[str, str]] = {
    "default_only": "these models take only the default, 1",
    "default_only_if_thinking": "with thinking on, these models take only the default, 1",
    "not_with_temperature": "these models take top_p only without temperature; with thinking, from 0.95",
    "ge_0.95_if_thinking": "with thinking on, these models take top_p from 0.95",
    "refuse_if_thinking": "with thinking on, these models do not take this setting",
    "only_if_effort_none": "these models take it only with the effort none, which must be said",
    "only_if_effort_none_or_absent": "these models take it only with the effort none",
    "refuse": _REFUSED,
}


def too_long(facts: Mapping[str, Any], value: Any, path: str) -> Iterator[Violation]:
    """Yield an answer's limit that is beyond what the models write."""
    most = facts.get("max_output_tokens")
    if most is not None and type(value) is int and value > most:
        yield Violation("limit", path, f"these models write at most {most} tokens")


def unknown_effort(facts: Mapping[str, Any], value: Any, path: str) -> Iterator[Violation]:
    """Yield a word of effort that the models do not have."""
    efforts = facts.get("efforts")
    if efforts is not None and type(value) is str and value not in efforts:
        yield Violation("setting", path, f"these models take {', '.join(efforts) or 'no effort'}")
