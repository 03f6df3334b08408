"""Law 5: what is encoded is accepted by the official SDK's types, and breaks no rule of the provider."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import pytest

from support import corpus
from support.acceptance import broken_rules, leftovers, request_refusal, response_refusal
from support.rooms import PAIRS, ROWS, Kind, Row, decode, encode

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = [pytest.mark.laws]
# How many bodies must be judged, where the corpus has few of a dialect.
ENOUGH: Final = {"openai_responses": 80, "ollama": 40, "vllm": 10, "bedrock_converse": 30}


def readable(row: Row, kind: Kind) -> Iterator[tuple[str, Any, Any]]:
    """Yield id, body and canonical value of every body of the corpus that a dialect reads, those of vendors too."""
    for folder in (row.folder, *row.compatible):
        for line in corpus.lines(folder, kind):
            if line["id"] not in row.unreadable:
                yield line["id"], line["body"], decode(row.dialect, kind, line["body"])


# Bodies that hold what nobody can take, as they were recorded.
CORRUPT: Final = {"98d5fea11cbfe116": "a picture whose data is no base64, sent on purpose"}


@pytest.mark.corpus
@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_a_translated_request_is_accepted_by_the_official_types(source: str, target: str) -> None:
    found = {}
    for identifier, _, canonical in readable(ROWS[source], "request"):
        # A body can name its model in its address; the caller names it then, and an empty name is refused.
        body, _ = encode(target, "request", {"model": "m", **canonical})
        reasons = [request_refusal(ROWS[target], body), *broken_rules(target, body)]
        if any(reasons) and identifier not in CORRUPT:
            found[identifier] = [reason for reason in reasons if reason]
    assert found == {}


@pytest.mark.corpus
@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_a_translated_response_is_accepted_by_the_official_types(source: str, target: str) -> None:
    found = {}
    for identifier, _, canonical in readable(ROWS[source], "response"):
        refusal = response_refusal(ROWS[target], encode(target, "response", canonical)[0])
        if refusal:
            found[identifier] = refusal
    assert found == {}


@pytest.mark.corpus
@pytest.mark.parametrize("row", ROWS.values(), ids=list(ROWS))
def test_a_request_without_provider_state_is_accepted_if_its_source_body_is(row: Row) -> None:
    found = {}
    accepted = 0
    for identifier, body, canonical in readable(row, "request"):
        # The model may stand in the address.
        named = body if row.dialect != "bedrock_converse" else {"modelId": "m", **body}
        if request_refusal(row, named):
            continue
        accepted += 1
        made_by_hand = {name: value for name, value in {"model": "m", **canonical}.items() if name != "dialect"}
        refusal = request_refusal(row, encode(row.dialect, "request", made_by_hand)[0])
        if refusal:
            found[identifier] = refusal
    assert accepted > ENOUGH.get(row.dialect, 150)
    assert found == {}


@pytest.mark.corpus
@pytest.mark.parametrize("row", ROWS.values(), ids=list(ROWS))
def test_a_response_without_provider_state_is_accepted_if_its_source_body_is(row: Row) -> None:
    # Most recorded answers hold something that the SDK's types do not know: then nothing else may be unknown in ours.
    found = {}
    accepted = 0
    for identifier, body, canonical in readable(row, "response"):
        before = leftovers(row, body)
        if before is None:
            continue
        accepted += 1
        made_by_hand = {name: value for name, value in canonical.items() if name != "dialect"}
        ours = encode(row.dialect, "response", made_by_hand)[0]
        after = leftovers(row, ours)
        if after is None or after - before:
            found[identifier] = response_refusal(row, ours)
    assert accepted > ENOUGH.get(row.dialect, 100)
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
        ("openai_responses", {"model": "m", "input": [{"type": "function_call", "name": "f", "arguments": "{}"}]}),
        ("openai_responses", {"model": "m", "input": "Hello", "max_tokens": 9}),
        ("gemini", {"contents": [{"role": "user", "parts": [{"txt": "Hello"}]}]}),
        ("gemini", {"contents": [], "generationConfig": {"maxOutputTokens": "many"}}),
        ("gemini", {"contents": [], "model": "m"}),
        ("ollama", {**CHAT, "model": ""}),
        ("ollama", {**CHAT, "messages": [{"role": "user", "content": [{"type": "text", "text": "Hello"}]}]}),
        ("vllm", {**CHAT, "thinking": True}),
        ("vllm", {**CHAT, "messages": [{"role": "user", "content": [{"type": "file", "file": {"file_id": "f"}}]}]}),
    ],
)
def test_the_request_check_detects_an_invalid_request(dialect: str, body: Any) -> None:
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
        ("ollama", [{"role": "developer", "content": "Be brief."}]),
        ("ollama", [{"role": "user", "content": "Look.", "images": ["https://example.com/a.png"]}]),
        ("vllm", [{"role": "assistant", "tool_calls": [{"id": "c", "function": {"name": "f", "arguments": "[]"}}]}]),
    ],
)
def test_the_rules_detect_a_request_that_violates_one(dialect: str, messages: list[Any]) -> None:
    template = CLAUDE if dialect == "claude" else CHAT
    assert broken_rules(dialect, template) == []
    assert broken_rules(dialect, {**template, "messages": messages}) != []


@pytest.mark.parametrize(
    ("dialect", "body"),
    [
        ("openai_responses", {"input": [{"type": "reasoning", "id": "rs_1"}]}),
        ("openai_responses", {"input": [{"role": "assistant", "content": [{"type": "input_text", "text": "Hi"}]}]}),
        ("openai_responses", {"input": [{"role": "user", "content": []}]}),
        ("openai_responses", {"input": "Hello", "max_output_tokens": 9}),
        ("gemini", {"contents": [{"role": "user", "parts": []}]}),
        ("gemini", {"contents": [{"role": "user", "parts": [{"text": ""}]}]}),
        ("gemini", {"contents": [{"role": "model", "parts": [{"functionCall": {"name": "f"}}]}]}),
        ("gemini", {"contents": [{"role": "system", "parts": [{"text": "Be brief."}]}]}),
        ("gemini", {"contents": [], "generationConfig": {"responseJsonSchema": {}}}),
    ],
)
def test_the_item_and_part_rules_detect_a_request_that_violates_one(dialect: str, body: Any) -> None:
    assert broken_rules(dialect, body) != []


@pytest.mark.parametrize(
    "changes", [{"model": None}, {"created": "now"}, {"created": True}, {"unheard_of": 1}, {"usage": {"unheard_of": 1}}]
)
def test_the_response_check_detects_an_invalid_response(changes: dict[str, Any]) -> None:
    choice = {"index": 0, "finish_reason": "stop", "logprobs": None, "message": {"role": "assistant", "content": "Hi"}}
    body = {"id": "i", "object": "chat.completion", "created": 0, "model": "m", "choices": [choice]}
    assert response_refusal(ROWS["openai_chat"], body) == ""
    assert response_refusal(ROWS["openai_chat"], {**body, **changes}) != ""
