"""What is read or written early, since nothing else is there to look at, is what it is beside something else."""

from __future__ import annotations

import itertools
import json
from typing import TYPE_CHECKING, Any, Final

import pytest

import interlingua as il
from interlingua.errors import DecodeError
from support.accounting import covered
from support.canonical import edited, lookup, objects, pointer
from support.early_returns import (
    MESSAGES,
    NAME,
    SCHEMA,
    TEXT,
    beside_foreign,
    beside_new,
    functions,
    mutants,
    without_new,
)
from support.rooms import decode, encode

if TYPE_CHECKING:
    from support.canonical import Tokens
    from support.rooms import Kind

ANSWERS: Final = tuple(message for message in MESSAGES if message["role"] == "assistant")
TOOL: Final[dict[str, Any]] = {"type": "function", "name": "look", "parameters": SCHEMA}
DIALECTS: Final = pytest.mark.parametrize("dialect", il.dialects())
HOMES: Final = pytest.mark.parametrize("home", [True, False], ids=["home", "abroad"])


def read(dialect: str, kind: Kind, body: dict[str, Any]) -> Any:
    """Return a body as it is read, without the new member, which is kept, or the place where it is refused."""
    before = json.dumps(body)
    try:
        canonical = decode(dialect, kind, body)
    except DecodeError as refused:
        return refused.path
    assert json.dumps(body) == before
    assert (NAME in json.dumps(canonical)) == (NAME in before)
    return without_new(canonical)


def check_reading(dialect: str, kind: Kind, canonical: dict[str, Any]) -> None:
    body, _ = encode(dialect, kind, {"dialect": dialect, **canonical})
    for mutant in mutants(body):
        expected = read(dialect, kind, mutant)
        for path, beside in beside_new(mutant):
            assert read(dialect, kind, beside) == expected, path


@DIALECTS
def test_a_message_with_an_unknown_member_is_decoded_equally(dialect: str) -> None:
    for message in MESSAGES:
        check_reading(dialect, "request", {"messages": [message]})


@DIALECTS
def test_an_answer_with_an_unknown_member_is_decoded_equally(dialect: str) -> None:
    for message in ANSWERS:
        check_reading(dialect, "response", {"messages": [message], "finish_reason": "stop"})


@DIALECTS
def test_a_tool_with_an_unknown_member_is_decoded_equally(dialect: str) -> None:
    for tool in itertools.islice(functions(), 0, None, 7):
        check_reading(dialect, "request", {"messages": [], "tools": [tool]})


@pytest.mark.parametrize("odd", [None, "text", "function_call", 1, ["type"]])
@pytest.mark.parametrize(
    ("dialect", "path"),
    [
        ("openai_chat", ("messages",)),
        ("openai_chat", ("tools",)),
        ("openai_responses", ("input",)),
        ("claude", ("messages",)),
        ("claude", ("messages", 0, "content")),
        ("claude", ("tools",)),
        ("gemini", ("contents",)),
        ("ollama", ("messages",)),
        ("ollama", ("tools",)),
        ("vllm", ("messages",)),
        ("vllm", ("tools",)),
    ],
)
def test_a_value_that_is_not_an_object_raises_an_error_with_its_path(dialect: str, path: Tokens, odd: Any) -> None:
    canonical = {"dialect": dialect, "messages": [{"role": "user", "content": [TEXT]}], "tools": [TOOL]}
    body, _ = encode(dialect, "request", canonical)
    entries = lookup(body, path)
    for before in ([], entries):
        place = pointer((*path, len(before)))
        assert read(dialect, "request", edited(body, path, [*before, odd])) == place


def written(dialect: str, kind: Kind, canonical: dict[str, Any], *, home: bool) -> tuple[str, list[Any]]:
    """Return the body of a value, in the order of its members, and its losses but those of what is foreign."""
    value = {"dialect": dialect, **canonical} if home else canonical
    before = json.dumps(value)
    body, losses = encode(dialect, kind, value)
    assert json.dumps(value) == before
    known = [loss for loss in losses if not loss.detail.endswith(NAME)]
    assert all(covered((*path, NAME), losses) for path, held in objects(value) if NAME in held)
    return json.dumps(_as_blocks(body) if dialect == "claude" else body), known


def _as_blocks(body: dict[str, Any]) -> dict[str, Any]:
    """Return a body of Claude's with texts as blocks: some are written as such beside something else."""
    said = [
        {**message, "content": [{**TEXT, "text": message["content"]}]}
        if isinstance(message.get("content"), str)
        else message
        for message in body.get("messages", ())
    ]
    return {**body, "messages": said} if said else body


@DIALECTS
@HOMES
def test_a_message_with_foreign_extra_is_encoded_equally(dialect: str, home: bool) -> None:
    question: dict[str, Any] = {"role": "user", "content": "Hello"}
    for said in itertools.product(MESSAGES, MESSAGES[::3]):
        early = written(dialect, "request", {"messages": [question, *said]}, home=home)
        beside = [beside_foreign(message, dialect) for message in said]
        assert early == written(dialect, "request", {"messages": [question, *beside]}, home=home)


@DIALECTS
@HOMES
def test_an_answer_with_foreign_extra_is_encoded_equally(dialect: str, home: bool) -> None:
    for said in itertools.product(ANSWERS, ANSWERS[::3]):
        early = written(dialect, "response", {"messages": [*said]}, home=home)
        beside = [beside_foreign(message, dialect) for message in said]
        assert early == written(dialect, "response", {"messages": beside}, home=home)


@DIALECTS
@HOMES
def test_a_tool_with_foreign_extra_is_encoded_equally(dialect: str, home: bool) -> None:
    for tool in functions():
        early = written(dialect, "request", {"messages": [], "tools": [tool]}, home=home)
        beside = {"messages": [], "tools": [beside_foreign(tool, dialect)]}
        assert early == written(dialect, "request", beside, home=home)
