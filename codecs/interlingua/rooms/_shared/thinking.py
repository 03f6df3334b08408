"""What a request asks of thinking, and the table between efforts and token budgets.

Source: docs/families.md, "Thinking". An effort survives the round trip; a budget becomes that of its effort, which is
reported as changed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from interlingua.loss import LossLog

# Effort -> its budget; a budget becomes the first effort whose budget it does not exceed.
BUDGETS: Final[Mapping[str, int]] = {
    "minimal": 512, "low": 1024, "medium": 8192, "high": 24576, "xhigh": 32768, "max": 65536
}  # fmt: skip
_LADDER: Final = ("none", *BUDGETS)
# Placeholders for the reasoning that models require before calls: some treat an empty text as none.
NO_REASONING: Final[Mapping[str, str]] = {"require": "", "require_words": " "}
DEFAULT_EFFORT: Final = "medium"
# Loss detail for an effort that the models do not have.
NEAREST: Final = "the target does not have this value: the nearest one is sent"

OFF: Final = "disabled"
EFFORT, BUDGET, MODE, DISPLAY = (f"/reasoning/{name}" for name in ("effort", "budget_tokens", "mode", "display"))
# The documented placeholder where Gemini demands a signature, for a call of another provider's model.
# Source: https://ai.google.dev/gemini-api/docs/thought-signatures
NO_SIGNATURE: Final = "skip_thought_signature_validator"


class ThinkingRequest(NamedTuple):
    """What a request asks of thinking: `is_off`, or how much and in which mode, as far as it says.

    `mode` is "enabled", "adaptive" or "between_tools", empty for none or an unknown one.
    """

    is_off: bool = False
    effort: str | None = None
    budget: int | None = None
    mode: str = ""
    display: str | None = None

    @property
    def is_on(self) -> bool:
        """Whether thinking is asked for."""
        return not self.is_off and (self.effort is not None or self.budget is not None or bool(self.mode))

    @property
    def is_effort_alone(self) -> bool:
        """Whether nothing but an effort is asked for."""
        return self.effort is not None and self.budget is None and not (self.is_off or self.mode)


_MODES: Final = frozenset({"enabled", "adaptive", "between_tools"})
_UNTHINKING: Final = "these models do not think"
_OFF_BY_EFFORT: Final = "the effort none switches thinking off"
_OFF_BY_BUDGET: Final = "a budget of 0 switches thinking off"


def thinking_request(reasoning: Mapping[str, Any], log: LossLog) -> ThinkingRequest:
    """Return what reasoning settings ask for. A setting that disables thinking overrides the others.

    Unknown values are reported later by `report_unknown_values`, when it is known what replaces them.
    """
    mode, effort, budget = reasoning.get("mode"), reasoning.get("effort") or None, reasoning.get("budget_tokens")
    if mode == OFF or effort == "none" or budget == 0:
        if mode in _MODES:
            log.changed("setting", MODE, _OFF_BY_EFFORT if effort == "none" else _OFF_BY_BUDGET)
        elif mode not in {None, OFF}:
            log.lost("setting", MODE, "the target does not have this mode of thinking")
        if budget:
            log.lost("setting", BUDGET, "thinking that is off has no budget")
        elif budget == 0:
            log.changed("setting", BUDGET, _OFF_BY_BUDGET)
        return ThinkingRequest(True, None if effort == "none" else effort, display=reasoning.get("display"))
    if effort not in BUDGETS:
        effort = None
    if budget is not None and budget < 0:
        mode, budget = "adaptive", None
        log.changed("setting", BUDGET, "the model chooses its own budget")
    return ThinkingRequest(False, effort, budget, mode if mode in _MODES else "", reasoning.get("display"))


def is_off(reasoning: Mapping[str, Any]) -> bool:
    """Tell whether one of the reasoning settings disables thinking."""
    return reasoning.get("mode") == OFF or reasoning.get("effort") == "none" or reasoning.get("budget_tokens") == 0


def thinking_settings(reasoning: Mapping[str, Any]) -> list[str]:
    """Return the names of the given reasoning settings that say whether to think, and how much."""
    return [name for name in ("mode", "effort", "budget_tokens") if reasoning.get(name, "") != ""]


def report_effort_of_off(requested: ThinkingRequest, log: LossLog) -> None:
    """Report an effort that is asked for while thinking is switched off."""
    if requested.effort is not None:
        log.lost("setting", EFFORT, "thinking is switched off")


def report_least_thinking(reasoning: Mapping[str, Any], log: LossLog) -> None:
    """Report that thinking cannot be switched off."""
    said = f"/reasoning/{thinking_settings(reasoning)[0]}"
    log.changed("setting", said, "these models always think: the lowest setting that they accept is sent")


def report_lost_thinking(reasoning: Mapping[str, Any], log: LossLog, detail: str) -> None:
    """Report the settings on whether to think, and how much, as lost."""
    for name in thinking_settings(reasoning):
        log.lost("setting", f"/reasoning/{name}", detail)


def report_unthinking(reasoning: Mapping[str, Any], display: str | None, log: LossLog) -> None:
    """Report a request for thinking, and `display`, what to show of it, as lost on models that do not think."""
    report_lost_thinking(reasoning, log, _UNTHINKING)
    if display not in {None, "omitted"}:
        log.lost("setting", DISPLAY, _UNTHINKING)


def report_unknown_values(
    reasoning: Mapping[str, Any], requested: ThinkingRequest, settings: Mapping[str, Any], log: LossLog
) -> None:
    """Report unknown values: as changed if the written settings have another value instead, else as lost.

    A mode that is written for an unlimited budget, if none was given, is reported as filled.
    """
    if requested.is_off:
        return
    mode, effort = reasoning.get("mode"), reasoning.get("effort")
    if mode is not None and mode not in _MODES:
        note = log.changed if "mode" in settings else log.lost
        note("setting", MODE, "the target does not have this mode of thinking")
    elif mode is None and requested.mode and "mode" in settings:
        log.filled(MODE, "the model chooses its own budget")
    if effort and effort not in BUDGETS:
        note = log.changed if "effort" in settings else log.lost
        note("setting", EFFORT, "the target does not have this effort")


def effort_of(budget: int) -> str:
    """Return the effort for a token budget."""
    return next((effort for effort, most in BUDGETS.items() if budget <= most), "max")


def nearest(effort: str, efforts: Sequence[str]) -> str | None:
    """Return the nearest of some efforts, the greater of two; the nearest to "none" is the least.

    None if the effort is unknown, or none of the efforts is known.
    """
    if effort in efforts:
        return effort
    known = [word for word in efforts if word != "none" and word in _LADDER]
    if not known or effort not in _LADDER:
        return None
    if effort == "none":
        return known[0]
    place = _LADDER.index(effort)
    return min(known, key=lambda word: (abs(_LADDER.index(word) - place), -_LADDER.index(word)))
