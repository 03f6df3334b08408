"""Law 5: what is encoded is accepted by the official SDK's types, and breaks no rule of the provider."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from support import corpus
from support.acceptance import broken_rules, request_refusal, response_refusal
from support.rooms import PAIRS, ROWS, Kind, Row, decode, encode

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = [pytest.mark.laws]


def readable(row: Row, kind: Kind) -> Iterator[tuple[str, Any, Any]]:
    """Yield id, body and canonical value of every body of the corpus that a dialect reads, those of vendors too."""
    for folder in (row.folder, *row.compatible):
        for line in corpus.lines(folder, kind):
            if line["id"] not in row.unreadable:
                yield line["id"], line["body"], decode(row.dialect, kind, line["body"])


@pytest.mark.corpus
@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_a_translated_request_is_accepted(source: str, target: str) -> None:
    found = {}
    for identifier, _, canonical in readable(ROWS[source], "request"):
        body, _ = encode(target, "request", canonical)
        reasons = [request_refusal(ROWS[target], body), *broken_rules(target, body)]
        if any(reasons):
            found[identifier] = [reason for reason in reasons if reason]
    assert found == {}


@pytest.mark.corpus
@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_a_translated_response_is_accepted_without_a_leftover(source: str, target: str) -> None:
    found = {}
    for identifier, _, canonical in readable(ROWS[source], "response"):
        refusal = response_refusal(ROWS[target], encode(target, "response", canonical)[0])
        if refusal:
            found[identifier] = refusal
    assert found == {}


@pytest.mark.corpus
@pytest.mark.parametrize("row", ROWS.values(), ids=list(ROWS))
def test_a_request_of_no_dialect_is_accepted_where_the_body_that_it_came_from_is(row: Row) -> None:
    found = {}
    accepted = 0
    for identifier, body, canonical in readable(row, "request"):
        if request_refusal(row, body):
            continue
        accepted += 1
        made_by_hand = {name: value for name, value in canonical.items() if name != "dialect"}
        refusal = request_refusal(row, encode(row.dialect, "request", made_by_hand)[0])
        if refusal:
            found[identifier] = refusal
    assert accepted > 150
    assert found == {}


@pytest.mark.corpus
@pytest.mark.parametrize("row", ROWS.values(), ids=list(ROWS))
def test_a_response_of_no_dialect_is_accepted_where_the_body_that_it_came_from_is(row: Row) -> None:
    found = {}
    accepted = 0
    for identifier, body, canonical in readable(row, "response"):
        if response_refusal(row, body):
            continue
        accepted += 1
        made_by_hand = {name: value for name, value in canonical.items() if name != "dialect"}
        refusal = response_refusal(row, encode(row.dialect, "response", made_by_hand)[0])
        if refusal:
            found[identifier] = refusal
    assert accepted > 100
    assert found == {}


CHAT: dict[str, Any] = {"model": "m", "messages": [{"role": "user", "content": "Hello"}]}
CLAUDE: dict[str, Any] = {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "Hello"}]}


@pytest.mark.parametrize(
    ("dialect", "body"),
    [
        ("openai_chat", {**CHAT, "model": 1}),
        ("openai_chat", {**CHAT, "max_token": 9}),
        ("openai_chat", {**CHAT, "messages": [{"role": "user", "content": [{"type": "txt", "text": "Hello"}]}]}),
        ("openai_chat", {**CHAT, "messages": [{"role": "tool", "content": "done"}]}),
        ("openai_chat", {**CHAT, "tools": [{"type": "function", "function": {"description": "no name"}}]}),
        ("claude", {**CLAUDE, "max_tokens": "9"}),
        ("claude", {name: value for name, value in CLAUDE.items() if name != "max_tokens"}),
        ("claude", {**CLAUDE, "messages": [{"role": "user", "content": [{"type": "image_url", "image_url": "x"}]}]}),
        ("claude", {**CLAUDE, "temperature": 0.5}),
    ],
)
def test_the_judge_of_requests_sees_a_wrong_one(dialect: str, body: Any) -> None:
    # A test of the test: the types look lazily and ignore what they do not know, unless they are made to look.
    assert request_refusal(ROWS[dialect], body) != ""


@pytest.mark.parametrize(
    ("dialect", "messages"),
    [
        ("openai_chat", [{"role": "assistant", "content": None}]),
        (
            "openai_chat",
            [
                {
                    "role": "assistant",
                    "content": None,
                    "tool_calls": [{"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}],
                },
                {"role": "user", "content": "Well?"},
            ],
        ),
        ("claude", [{"role": "user", "content": [{"type": "text", "text": " "}]}]),
        ("claude", [{"role": "assistant", "content": [{"type": "tool_use", "id": "a:b", "name": "f", "input": {}}]}]),
        (
            "claude",
            [
                {"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "f", "input": {}}]},
                {
                    "role": "user",
                    "content": [{"type": "text", "text": "Well?"}, {"type": "tool_result", "tool_use_id": "a"}],
                },
            ],
        ),
    ],
)
def test_the_rules_see_a_request_that_breaks_one(dialect: str, messages: list[Any]) -> None:
    template = CHAT if dialect == "openai_chat" else CLAUDE
    assert broken_rules(dialect, template) == []
    assert broken_rules(dialect, {**template, "messages": messages}) != []


@pytest.mark.parametrize(
    "changes", [{"model": None}, {"created": "now"}, {"created": True}, {"unheard_of": 1}, {"usage": {"unheard_of": 1}}]
)
def test_the_judge_of_responses_sees_a_wrong_one(changes: dict[str, Any]) -> None:
    choice = {"index": 0, "finish_reason": "stop", "logprobs": None, "message": {"role": "assistant", "content": "Hi"}}
    body = {"id": "i", "object": "chat.completion", "created": 0, "model": "m", "choices": [choice]}
    assert response_refusal(ROWS["openai_chat"], body) == ""
    assert response_refusal(ROWS["openai_chat"], {**body, **changes}) != ""
