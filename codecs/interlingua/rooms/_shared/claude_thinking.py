"""Fit a request's thinking, and related settings, to a family of Claude's models, in any dialect.

Source: docs/families.md; the rows of claude_families.py. Without facts, every thinking type and effort is accepted.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from interlingua.rooms._shared.claude_signatures import (
    SharedSignatures,
    message_with_signatures,
    messages_with_signatures,
    with_blank_signatures,
    without_blank_signatures,
)
from interlingua.rooms._shared.family_fitting import (
    Thinking,
    fit_tool_choice,
    forces_a_tool,
    leave_out_settings,
    limit_settings,
)
from interlingua.rooms._shared.thinking import (
    BUDGET,
    BUDGETS,
    DEFAULT_EFFORT,
    DISPLAY,
    EFFORT,
    MODE,
    NEAREST,
    NO_REASONING,
    OFF,
    ThinkingRequest,
    effort_of,
    is_off,
    nearest,
    report_lost_thinking,
    report_unknown_values,
    thinking_request,
    thinking_settings,
)
from interlingua.spi.extra import NOTHING, has_same_client

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from interlingua.loss import LossLog

DISPLAYS: Final = frozenset({"summarized", "omitted"})
NEAREST_DISPLAYS: Final[Mapping[str, str]] = MappingProxyType({"concise": "summarized", "detailed": "summarized"})
MIN_THINKING_BUDGET: Final = 1024
# Tokens for the answer itself, if the request does not limit it.
MAX_TOKENS: Final = 4096
_EFFORTS: Final = ("low", "medium", "high", "xhigh", "max")
_KINDS: Final = ("adaptive", "enabled", OFF, "between_tools")
ON: Final = frozenset({"enabled", "adaptive"})
_STAYS_OFF: Final = (
    "thinking stays off: max_tokens leaves no room, a tool call is forced, or the open turn began without thinking"
)
_NEVER_THINKS: Final = "these models do not think"
_NO_BUDGET: Final = "these models do not accept budget_tokens"
_ONLY_BUDGET: Final = "these models think only with budget_tokens"
_LEAVES_ROOM: Final = "the provider requires it; it leaves room for the thinking"
_FORCED: Final = "these models accept a forced tool call only without thinking"
_OUT_OF_RANGE: Final = f"a budget must be at least {MIN_THINKING_BUDGET}, and leave room for an answer below max_tokens"


def fit_to_model(request: dict[str, Any], facts: Mapping[str, Any], log: LossLog, alike: SharedSignatures) -> None:
    """Fit thinking, and the settings that depend on it, to the models' facts; `request` is a copy that is changed.

    Afterwards `reasoning` has Claude's values, and signatures from the other dialect are this dialect's own. What the
    models refuse is reported to the log.
    """
    if facts.get("forced_tool_choice") == "refuse_if_thinking":
        _disable_thinking_if_forced(request, facts, log)
    request["messages"] = _with_thoughts(request, facts, log, alike)
    settings: dict[str, Any] = {}
    if "reasoning" in request:
        request["reasoning"] = settings = _ClaudeThinking(request, facts, log, alike.dialect).settings()
    mode = settings.get("mode")
    if facts:
        is_on = mode in ON or (mode is None and facts.get("thinks_unasked", False))
        leave_out_settings(request, facts, Thinking(is_on=is_on), log)
        limit_settings(request, facts, log)
    fit_tool_choice(request, facts, log, has_served=alike.dialect == "claude")


def _disable_thinking_if_forced(request: dict[str, Any], facts: Mapping[str, Any], log: LossLog) -> None:
    """Disable thinking if the tool choice forces a call and the models only allow that without thinking."""
    reasoning: Mapping[str, Any] = request.get("reasoning", NOTHING)
    asked = thinking_settings(reasoning)
    thinks = asked or facts.get("thinks_unasked", False)
    if not (request.get("tools") and forces_a_tool(request) and thinks) or is_off(reasoning):
        return
    for name in asked:
        note = log.changed if name == "mode" else log.lost
        note("setting", f"/reasoning/{name}", _FORCED)
    if "mode" not in asked:
        log.filled(MODE, _FORCED)
    request["reasoning"] = {**{name: held for name, held in reasoning.items() if name not in asked}, "mode": OFF}


def _with_thoughts(
    request: Mapping[str, Any], facts: Mapping[str, Any], log: LossLog, alike: SharedSignatures
) -> list[Any]:
    """Return the messages with their thoughts as the models accept them: only signed ones, or also unsigned ones."""
    if facts.get("unsigned_thinking") != "accept":
        return [
            _with_own_signatures(message, index, alike, log) if "extra" in message else message
            for index, message in enumerate(request["messages"])
        ]
    messages = messages_with_signatures(request["messages"], alike)
    if "reasoning_in_calls" in facts and not is_off(request.get("reasoning", NOTHING)):
        missing = NO_REASONING[facts["reasoning_in_calls"]]
        messages = [
            _with_reasoning(message, index, alike.dialect, log, missing) for index, message in enumerate(messages)
        ]
    return [with_blank_signatures(message, alike.dialect) for message in messages]


def _with_own_signatures(message: Any, index: int, alike: SharedSignatures, log: LossLog) -> Any:
    signed = message_with_signatures(message, alike)
    return without_blank_signatures(signed, index, alike.dialect, log) if "extra" in signed else signed


def _with_reasoning(message: Any, index: int, dialect: str, log: LossLog, missing: str) -> Any:
    """Return a message with a thought before its calls, which is `missing` if it has none."""
    if not message.get("tool_calls") or message.get("reasoning") or _thoughts(message, dialect):
        return message
    log.filled(f"/messages/{index}/reasoning", "these models need the reasoning before a call")
    return {**message, "reasoning": [{"type": "text", "text": missing}]}


def refuses_prefill(request: Any, facts: Mapping[str, Any], *, is_held: bool = False) -> bool:
    """Tell whether the models refuse the assistant prefill of a request that is fitted to them.

    `is_held`: the answer is held to a schema. Claude's accept none beside functions ("When using tools, pre-filling
    the `assistant` response is not supported").
    """
    verdict, reasoning = facts.get("assistant_prefill"), request.get("reasoning", NOTHING)
    by_effort = OFF if reasoning.get("effort", "none") == "none" else "enabled"  # where there is no mode
    if verdict == "refuse" or is_held or reasoning.get("mode", by_effort) in ON:
        return True
    return verdict == "accept_alone" and any(tool["type"] == "function" for tool in request.get("tools", ()))


def leave_room_for_unasked_thinking(request: dict[str, Any], facts: Mapping[str, Any], log: LossLog) -> None:
    """Set `max_tokens`, where there is none, so that the answer has room behind thinking that is on by default."""
    if (
        "max_tokens" in request
        or not facts.get("thinks_unasked")
        or request.get("reasoning", NOTHING).get("mode") == OFF
    ):
        return
    request["max_tokens"] = BUDGETS[DEFAULT_EFFORT] + MAX_TOKENS
    log.filled("/max_tokens", _LEAVES_ROOM)


class _ClaudeThinking:
    """Translates a request for thinking into the settings of a family."""

    def __init__(self, request: dict[str, Any], facts: Mapping[str, Any], log: LossLog, dialect: str) -> None:
        self._request = request
        self._log = log
        self._kinds: tuple[str, ...] = facts.get("thinking", _KINDS)
        self._efforts: tuple[str, ...] = facts.get("efforts", _EFFORTS)
        self._most: int | None = facts.get("max_output_tokens")
        self._most_unthinking: str | None = facts.get("effort_unthinking")
        self._fitted = has_same_client(request, dialect)
        self._takes_budget = (
            "enabled" in self._kinds and not forces_a_tool(request) and not lacks_thinking(request["messages"], dialect)
        )

    def settings(self) -> dict[str, Any]:
        """Return the `reasoning` settings to write."""
        requested = thinking_request(self._request["reasoning"], self._log)
        if requested.mode == "between_tools" and "between_tools" not in self._kinds:
            self._log.changed("setting", MODE, "these models do not accept this type of thinking")
            requested = requested._replace(mode="adaptive")
        if self._fitted and requested.is_effort_alone:
            found = self._by_an_effort_alone(requested.effort)
        else:
            found = self._off(requested) if requested.is_off else self._on(requested)
        report_unknown_values(self._request["reasoning"], requested, found, self._log)
        return self._with_display(found, requested.display)

    def _by_an_effort_alone(self, asked: str | None) -> dict[str, Any]:
        """Return the effort of a client of Claude, which says how much is written, and switches no thinking on."""
        effort = self._effort(asked)
        if effort is None and asked is not None:
            self._log.lost("setting", EFFORT, "these models do not accept output_config.effort")
        return _members(effort=effort)

    def _off(self, requested: ThinkingRequest) -> dict[str, Any]:
        effort = self._effort(requested.effort)
        if effort is None and requested.effort is not None:
            self._log.lost("setting", EFFORT, "these models do not accept output_config.effort")
        for kind in (OFF, "between_tools"):
            if kind in self._kinds:
                if kind != OFF:
                    detail = "these models always think between tool calls: thinking cannot be disabled"
                    self._log.changed("setting", self._disabling_path(), detail)
                return _members(mode=kind, effort=self._capped(effort))
        self._log.changed("setting", self._disabling_path(), "these models always think: thinking cannot be disabled")
        if not (self._kinds and self._efforts):
            return {}
        if effort not in {None, self._efforts[0]}:
            self._log.changed("setting", EFFORT, "these models always think: the lowest effort is sent")
        return {"effort": self._efforts[0]}

    def _disabling_path(self) -> str:
        """Return the path of the setting that disables thinking."""
        return f"/reasoning/{thinking_settings(self._request['reasoning'])[0]}"

    def _capped(self, effort: str | None) -> str | None:
        """Return an effort as the models accept it without thinking."""
        if effort is not None and self._most_unthinking == "refuse":
            self._log.lost("setting", EFFORT, "without thinking, these models accept no output_config.effort")
            return None
        if effort in {"xhigh", "max"} and self._most_unthinking:
            self._log.changed("setting", EFFORT, "without thinking, output_config.effort may not be above high")
            return "high"
        return effort

    def _effort(self, effort: str | None) -> str | None:
        if effort is None:
            return None
        word = nearest(effort, self._efforts)
        if word is None:
            return None
        if word != effort:
            self._log.changed("setting", EFFORT, NEAREST)
        return word

    def _on(self, requested: ThinkingRequest) -> dict[str, Any]:
        if not requested.is_on:
            if _shown(requested.display) not in {None, "omitted"} and "adaptive" in self._kinds:
                self._log.filled(MODE, "thinking was switched on, since it is to be shown")
                return {"mode": "adaptive"}
            return {}
        if requested.mode == "between_tools":
            return _members(mode=requested.mode, effort=self._capped(self._effort(requested.effort)))
        if requested.budget is not None and self._takes_budget:
            budget = self._fitting(requested.budget, is_exact=True)
            if budget is not None:
                self._report_mode(requested, "enabled")
                return _members(mode="enabled", budget_tokens=budget, effort=self._effort_with_budget(requested.effort))
        if "adaptive" in self._kinds:
            return self._adaptive(requested)
        if self._takes_budget and requested.budget is None:
            budget = self._fitting(BUDGETS[requested.effort or DEFAULT_EFFORT], is_exact=False)
            if budget is not None:
                return self._by_a_budget(requested, budget)
        report_lost_thinking(
            self._request["reasoning"], self._log, _STAYS_OFF if ON & {*self._kinds} else _NEVER_THINKS
        )
        return {}

    def _adaptive(self, requested: ThinkingRequest) -> dict[str, Any]:
        effort = self._effort(requested.effort)
        if requested.budget is not None:
            self._log.changed("setting", BUDGET, "the budget is sent as an effort")
            if effort is None:
                effort = nearest(effort_of(requested.budget), self._efforts)
                self._log.filled(EFFORT, "the budget is sent as an effort")
        elif effort is None and requested.effort is not None:
            self._log.lost("setting", EFFORT, "these models do not accept output_config.effort")
        self._report_mode(requested, "adaptive")
        if "max_tokens" not in self._request:
            self._leave_room(BUDGETS[effort or DEFAULT_EFFORT])
        return _members(mode="adaptive", effort=effort)

    def _by_a_budget(self, requested: ThinkingRequest, budget: int) -> dict[str, Any]:
        effort = self._effort(requested.effort)
        if effort is None and requested.effort is not None:
            self._log.changed("setting", EFFORT, "the effort is sent as budget_tokens")
        self._report_mode(requested, "enabled")
        self._log.filled(BUDGET, "thinking of the type enabled needs budget_tokens")
        return _members(mode="enabled", budget_tokens=budget, effort=effort)

    def _effort_with_budget(self, effort: str | None) -> str | None:
        word = self._effort(effort)
        if word is None and effort is not None:
            self._log.changed("setting", EFFORT, "thinking is sent with budget_tokens, which say how much")
        return word

    def _report_mode(self, requested: ThinkingRequest, kind: str) -> None:
        if not requested.mode:
            if "mode" not in self._request["reasoning"]:
                self._log.filled(MODE, "an effort or a budget switches thinking on")
        elif requested.mode != kind:
            self._log.changed("setting", MODE, _NO_BUDGET if kind == "adaptive" else _ONLY_BUDGET)

    def _fitting(self, budget: int, *, is_exact: bool) -> int | None:
        """Return a budget that leaves room for an answer, or None. Sets `max_tokens` if the request has none."""
        most = self._request.get("max_tokens")
        if most is None:
            fitting = self._leave_room(budget)
        else:
            limit = most if self._most is None else min(most, self._most)
            is_within = is_exact and budget < limit
            share = budget if is_within else max(MIN_THINKING_BUDGET, limit // 2)
            fitting = max(MIN_THINKING_BUDGET, min(budget, share))
            if fitting >= limit:
                return None
        if is_exact and fitting != self._request["reasoning"]["budget_tokens"]:
            self._log.changed("setting", BUDGET, _OUT_OF_RANGE)
        return fitting

    def _leave_room(self, budget: int) -> int:
        """Set `max_tokens` so that the answer has room behind the thinking; return the thinking budget that is left."""
        room = MAX_TOKENS
        budget = max(budget, MIN_THINKING_BUDGET)
        if self._most is not None and budget + room > self._most:
            budget = max(MIN_THINKING_BUDGET, min(budget, self._most - room))
        self._request["max_tokens"] = budget + room
        self._log.filled("/max_tokens", _LEAVES_ROOM)
        return budget

    def _with_display(self, settings: dict[str, Any], display: str | None) -> dict[str, Any]:
        if display is None:
            return settings
        nearest_display = _shown(display)
        if nearest_display is None:
            self._log.lost("setting", DISPLAY, "Claude has no such value")
        elif settings.get("mode") not in {"enabled", "adaptive"}:
            note = self._log.changed if display == "omitted" else self._log.lost
            note("setting", DISPLAY, "thinking that is off cannot be shown")
        else:
            if nearest_display != display:
                self._log.changed("setting", DISPLAY, NEAREST)
            return {**settings, "display": nearest_display}
        return settings


def _shown(display: str | None) -> str | None:
    """Return Claude's value for how much thinking is shown, None if it has no such value."""
    return display if display is None or display in DISPLAYS else NEAREST_DISPLAYS.get(display)


def lacks_thinking(messages: list[Any], dialect: str) -> bool:
    """Tell whether the open turn has calls without their thinking before them, which extended thinking refuses.

    `dialect` is the one whose signatures count as thinking; empty for none.

    User text beside results belongs to their turn and does not end it. Empty answers are ignored, since they are not
    written. Consecutive assistant messages are one turn.
    """
    is_answered = is_spoken = has_calls = False
    for message in reversed(messages):
        role = message["role"]
        if has_calls and role not in {"assistant", "opaque"}:
            return True
        if role == "tool":
            is_answered = True
        elif role != "assistant":
            is_spoken = True
        elif _has_content(message, dialect):
            if is_spoken and not is_answered:
                return False
            has_calls = has_calls or bool(message.get("tool_calls"))
            if has_calls and _thoughts(message, dialect):
                return False
            is_answered = is_spoken = False
    return has_calls


def _has_content(message: Any, dialect: str) -> bool:
    return any(message.get(name) for name in ("tool_calls", "content", "refusal")) or bool(_thoughts(message, dialect))


def _thoughts(message: Any, dialect: str) -> Any:
    return message.get("extra", NOTHING).get(dialect, NOTHING).get("thinking_blocks")


def _members(**settings: Any) -> dict[str, Any]:
    return {name: value for name, value in settings.items() if value is not None}


def last_written(messages: Sequence[Any], dialect: str) -> int:
    """Return the index of the last message with any content, which is therefore written; -1 if there is none."""
    for place in range(len(messages) - 1, -1, -1):
        message: Any = messages[place]
        role, content = message["role"], message.get("content")
        if type(content) is str and content.strip():
            return place  # nearly always
        if role == "opaque":
            if message["dialect"] == dialect:
                return place
        elif role == "tool" or message.get("tool_calls") or message.get("refusal") or _thoughts(message, dialect):
            return place
        parts: Any = content if type(content) is list else ()
        if any(part["type"] != "text" or part["text"].strip() for part in parts):
            return place
    return -1


def without_trailing_space(message: Any, path: str, log: LossLog) -> Any:
    """Return the last message without trailing white space if it is the assistant's, since Claude refuses that."""
    content: Any = message.get("content")
    if message.get("role") != "assistant" or "tool_calls" in message or not content:
        return message
    path = f"{path}/content"
    parts: list[Any] = [] if type(content) is str else content
    text: Any = content
    if parts:
        path = f"{path}/{len(parts) - 1}/text"
        text = parts[-1].get("text", "") if parts[-1]["type"] == "text" else ""
    trimmed = text.rstrip()
    if not trimmed or trimmed == text:
        return message
    log.changed(
        "content", path, "Claude refuses a last assistant message that ends in white space: the white space was removed"
    )
    return {**message, "content": [*parts[:-1], {**parts[-1], "text": trimmed}] if parts else trimmed}
