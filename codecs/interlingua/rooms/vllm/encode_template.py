"""Canonical to vLLM: fit encoded messages to the chat template of a model; abroad only.

vLLM renders messages with the model's template. Some templates read only the first of several texts, fail on a message
with two calls, or ignore text beside a call. Source: docs/families.md; `docs/wire/vllm.md`.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.loss import LossLog
    from interlingua.model_shapes import ChatRequest

# Role -> separator of its joined texts; the assistant's may be split in mid-sentence.
_BETWEEN: Final[Mapping[str, str]] = MappingProxyType({"system": "\n\n", "developer": "\n\n", "assistant": ""})
_ONE_CALL: Final = "the template of these models accepts one call per message: each is sent in its own message"
_WORDS_APART: Final = "the template of these models ignores text beside a call: the text is sent in a message before it"


def fit_template(out: dict[str, Any], request: ChatRequest, facts: Mapping[str, Any], log: LossLog) -> dict[str, Any]:
    """Return the body of a request fitted to the models' template; changes are reported to the log."""
    messages = [_with_one_text(message) for message in out["messages"]]
    if facts.get("calls_at_once") == "one":
        messages = _with_calls_apart(messages, request["messages"], log)
    return {**out, "messages": messages}


def _with_one_text(message: dict[str, Any]) -> dict[str, Any]:
    """Return a message of plain texts with these joined: templates may read only the first one."""
    parts, role = message.get("content"), message.get("role", "")
    if type(parts) is not list or role not in _BETWEEN or any(part.keys() != {"type", "text"} for part in parts):
        return message
    return {**message, "content": _BETWEEN[role].join(part["text"] for part in parts)}


def without_refused(
    out: dict[str, Any], request: ChatRequest, facts: Mapping[str, Any], log: LossLog
) -> dict[str, Any]:
    """Return the body without what these models refuse in earlier answers; losses go to the log.

    That is reasoning, text beside a call, and messages that are empty then.
    """
    has_no_reasoning = facts.get("reasoning_in_history") == "refuse"
    has_no_words = facts.get("words_beside_calls") == "refuse"
    if not (has_no_reasoning or has_no_words):
        return out
    _report_refused(request["messages"], log, has_no_words=has_no_words)
    messages = [_without_refused_members(message, has_no_words=has_no_words) for message in out["messages"]]
    return {**out, "messages": [message for message in messages if message is not None]}


def _without_refused_members(message: dict[str, Any], *, has_no_words: bool) -> dict[str, Any] | None:
    """Return what is left of a message; None for an empty answer."""
    if message.get("role") != "assistant":
        return message
    left = {name: value for name, value in _with_one_text(message).items() if name != "reasoning"}
    if left.get("tool_calls"):
        return {**left, "content": None} if has_no_words else left
    return left if left.get("content") else None


def _report_refused(given: list[Any], log: LossLog, *, has_no_words: bool) -> None:
    beside_calls = _indexes_in_turns_with_calls(given) if has_no_words else frozenset[int]()
    for index, message in enumerate(given):
        if message["role"] != "assistant":
            continue
        if "reasoning" in message:
            log.lost(
                "reasoning", f"/messages/{index}/reasoning", "these models do not accept reasoning of earlier answers"
            )
        if index in beside_calls and message.get("content"):
            log.lost("message", f"/messages/{index}/content", "these models do not accept text beside a call")
        elif not (message.get("tool_calls") or "reasoning" in message or _has_words(message)):
            log.changed("empty_text", f"/messages/{index}", "an empty message was left out")


def _indexes_in_turns_with_calls(given: list[Any]) -> frozenset[int]:
    """Return the indexes of the answers whose turn has calls: the messages of a turn are written as one."""
    found: list[int] = []
    turn: list[int] = []
    has_calls = False
    for index, message in enumerate(given):
        if message["role"] == "assistant":
            turn.append(index)
            has_calls = has_calls or bool(message.get("tool_calls"))
            found += turn if has_calls else ()
            turn = [] if has_calls else turn
        elif message["role"] != "opaque":
            turn, has_calls = [], False
    return frozenset(found)


def _has_words(message: Any) -> bool:
    """Tell whether an answer has anything but calls and reasoning."""
    content = message.get("content", "")
    said = content if type(content) is str else [part for part in content if part.get("text") != ""]
    return bool(said or message.get("refusal"))


def _with_calls_apart(messages: list[dict[str, Any]], given: list[Any], log: LossLog) -> list[dict[str, Any]]:
    """Return messages with one call each, directly followed by its results."""
    out: list[dict[str, Any]] = []
    at = 0
    while at < len(messages):
        message = messages[at]
        end = at + 1
        while end < len(messages) and messages[end].get("role") == "tool":
            end += 1
        out += _split_calls(message, messages[at + 1 : end]) if message.get("tool_calls") else messages[at:end]
        at = end
    if len(out) > len(messages):
        _report_split(given, log)
    return out


def _split_calls(message: dict[str, Any], results: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the text of a message, and each of its calls with its results; results without a call come last."""
    calls = message["tool_calls"]
    out: list[dict[str, Any]] = []
    if message.get("content"):
        out.append({name: value for name, value in message.items() if name != "tool_calls"})
    for call in calls:
        bare = {"role": "assistant", "tool_calls": [call], "content": None}
        out.append(bare if out else {**message, **bare})
        out += [result for result in results if result.get("tool_call_id") == call.get("id")]
    known = {call.get("id") for call in calls}
    return out + [result for result in results if result.get("tool_call_id") not in known]


def _report_split(given: list[Any], log: LossLog) -> None:
    told = False
    for index, message in enumerate(given):
        calls = message.get("tool_calls", ())
        if len(calls) > 1:
            log.changed("message", f"/messages/{index}/tool_calls", _ONE_CALL)
        elif calls and message.get("content"):
            log.changed("message", f"/messages/{index}/content", _WORDS_APART)
        else:
            continue
        told = True
    if not told:  # the calls were in several messages, as in Responses
        log.changed("message", "/messages", _ONE_CALL)
