"""Law 3, of values that were changed: the law takes the documented value, and no other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import pytest

from support.canonical import edited, lookup
from support.changed_values import Changed, arrives
from support.rooms import ROWS, Kind, decode, encode
from support.translation import differences

if TYPE_CHECKING:
    from support.canonical import Tokens

pytestmark = [pytest.mark.laws]

ASKS: Final[dict[str, Any]] = {"model": "m", "max_tokens": 100, "messages": [{"role": "user", "content": "Add."}]}
ANSWER: Final[dict[str, Any]] = {"role": "assistant", "content": "5"}
SAYS: Final[dict[str, Any]] = {"id": "i", "model": "m", "created": 1, "messages": [ANSWER]}
TOOLS: Final = [{"type": "function", "name": name, "parameters": {"type": "object"}} for name in ("add", "see", "look")]
SOME: Final[dict[str, Any]] = {"mode": "subset", "names": ["add", "see"], "required": True}
PICTURE: Final[dict[str, Any]] = {"type": "image", "format": "image/jpeg", "data": "iVBORw0KGgo="}
CALLS: Final = [{"role": "assistant", "tool_calls": [{"id": "functions.add:0", "name": "add", "arguments": "{}"}]}]

# A dialect, a value that it changes, where, what must arrive there, and what another entry of the table would give.
CASES: Final[list[tuple[str, Kind, dict[str, Any], Tokens, Any, Any]]] = [
    ("gemini", "request", {**ASKS, "reasoning": {"effort": "max"}}, ("reasoning", "effort"), "xhigh", "low"),
    ("claude", "request", {**ASKS, "reasoning": {"effort": "minimal"}}, ("reasoning", "effort"), "low", "high"),
    (
        "gemini", "request", {**ASKS, "reasoning": {"effort": "low", "display": "detailed"}}, ("reasoning", "display"),
        "summarized", "omitted",
    ),
    ("ollama", "request", {**ASKS, "reasoning": {"mode": "enabled"}}, ("reasoning", "mode"), "adaptive", "disabled"),
    ("openai_responses", "request", {**ASKS, "max_tokens": 3}, ("max_tokens",), 16, 17),
    (
        "claude", "request", {**ASKS, "tools": TOOLS, "tool_choice": SOME}, ("tool_choice",), {"mode": "required"},
        {"mode": "none"},
    ),
    (
        "ollama", "request", {**ASKS, "messages": [{"role": "user", "content": [PICTURE]}]},
        ("messages", 0, "content", 0, "format"), "image/png", "image/gif",
    ),
    ("claude", "response", {**SAYS, "finish_reason": "content_filter"}, ("finish_reason",), "refusal", "length"),
    ("gemini", "response", {**SAYS, "finish_reason": "refusal"}, ("finish_reason",), "content_filter", "error"),
    ("openai_chat", "response", {**SAYS, "finish_reason": "error"}, ("finish_reason",), "stop", "tool_calls"),
    (
        "openai_responses", "response", {**SAYS, "messages": CALLS, "finish_reason": "other"}, ("finish_reason",),
        "tool_calls", "stop",
    ),
    (
        "claude", "response", {**SAYS, "messages": CALLS, "finish_reason": "other"}, ("finish_reason",), "tool_calls",
        "stop",
    ),
    (
        "gemini", "response", {**SAYS, "usage": {"input_tokens": 1, "output_tokens": 2, "reasoning_tokens": 5}},
        ("usage", "output_tokens"), 7, 2,
    ),
    (
        "claude", "response", {**SAYS, "messages": CALLS, "finish_reason": "tool_calls"},
        ("messages", 0, "tool_calls", 0, "id"), "functions_add_0_2aab2b9e6b", "functions_add_0",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("dialect", "kind", "value", "path", "documented", "wrong"), CASES)
def test_the_documented_changed_value_is_accepted_and_another_is_detected(
    dialect: str, kind: Kind, value: dict[str, Any], path: Tokens, documented: Any, wrong: Any
) -> None:
    body, losses = encode(dialect, kind, value)
    after = decode(dialect, kind, body)
    assert lookup(after, path) == documented
    assert differences(value, after, losses, ROWS[dialect].roles, dialect) == []
    assert differences(value, edited(after, path, wrong), losses, ROWS[dialect].roles, dialect) != []


def test_a_change_without_a_rule_is_not_accepted() -> None:
    changed = Changed("a", {}, "b", "claude", [])
    assert not arrives("setting", "/verbosity", changed)
    assert not arrives("name", "/model", changed)


@pytest.mark.parametrize("dialect", ROWS)
def test_an_empty_call_list_does_not_give_the_reason_tool_calls(dialect: str) -> None:
    value = {**SAYS, "messages": [{**ANSWER, "tool_calls": []}], "finish_reason": "stop"}
    body, losses = encode(dialect, "response", value)
    assert decode(dialect, "response", body)["finish_reason"] == "stop"
    assert [loss.path for loss in losses if loss.code == "finish_reason"] == []
