"""The room of Claude: the short ways of the usual shapes give what the long ways give.

What is of a usual shape takes the long way as soon as it holds one more member. So each value is compared with the same
value that holds one at every place, once that member has been taken away again.
"""

from __future__ import annotations

import itertools
import json
from typing import Any, Final

import pytest

from interlingua.dialects import claude
from interlingua.errors import DecodeError
from interlingua.loss import LossLog
from support import long_ways
from support.canonical import without_member
from support.long_ways import FOREIGN, NEW, SCHEMA, longer, nearly_plain_tools

TEXT: Final[dict[str, Any]] = {"type": "text", "text": "Hello"}
HOMES: Final = pytest.mark.parametrize("home", [{"dialect": "claude"}, {}], ids=["home", "abroad"])

USE: Final[dict[str, Any]] = {"type": "tool_use", "id": "call_1", "name": "look", "input": {"at": 1}}
RESULT_BLOCK: Final[dict[str, Any]] = {"type": "tool_result", "tool_use_id": "call_1", "content": "Nothing."}
BLOCKS: Final[tuple[dict[str, Any], ...]] = (
    TEXT,
    {"type": "text", "text": ""},
    {"type": "text", "text": None},
    {"type": "text"},
    {"type": "thinking", "thinking": "Hm.", "signature": "c2lnbmVk"},
    USE,
    {"input": {}, "name": "run", "id": "", "type": "tool_use"},
    {**USE, "input": "{}"},
    {**USE, "id": None},
    {**USE, "name": 1},
    {"type": "tool_use", "id": "call_1", "name": "look", "caller": 1},
    RESULT_BLOCK,
    {**RESULT_BLOCK, "content": [TEXT]},
    {**RESULT_BLOCK, "content": 1},
    {**RESULT_BLOCK, "tool_use_id": None},
    {**RESULT_BLOCK, "is_error": True},
    {"type": "tool_result", "tool_use_id": "call_1", "is_error": False},
    {"type": "surprise", "text": "Hello"},
    {"type": 1, "text": "Hello"},
    {"text": "Hello"},
)
CONTENTS: Final[tuple[Any, ...]] = (
    "Hello",
    "",
    None,
    1,
    [],
    [TEXT],
    [USE],
    [TEXT, USE, {**USE, "id": "call_2"}],
    [USE, TEXT],
    [RESULT_BLOCK, {**RESULT_BLOCK, "tool_use_id": "call_2"}],
    [TEXT, RESULT_BLOCK],
)

CALL: Final[dict[str, Any]] = {"id": "call_1", "name": "look", "arguments": '{"at": 1}'}
CALLS: Final[tuple[dict[str, Any], ...]] = (
    CALL,
    {**CALL, "id": "call_2", "arguments": {"at": 1}},
    {**CALL, "arguments": '{"at": 1, "at": 2}'},
    {**CALL, "arguments": "at 1"},
    {**CALL, "arguments": ""},
    {**CALL, "id": "1-a"},
    {**CALL, "id": "x" * 128},
    {**CALL, "id": "x" * 129},
    {**CALL, "id": ""},
    {**CALL, "id": "blau\u00e9"},
    {**CALL, "name": "1-a"},
    {**CALL, "name": "x" * 64},
    {**CALL, "name": "x" * 65},
    {**CALL, "name": "bl\u00e5"},
    {**CALL, "name": "look at"},
    {**CALL, "arguments": "free text", "kind": "custom"},
    {**CALL, "call_id": "call_1"},
    {"name": "look", "arguments": "{}"},
    {"name": "look", "arguments": "free text", "kind": "custom"},
)
RESULT: Final[dict[str, Any]] = {"role": "tool", "call_id": "call_1", "content": "Nothing."}
MESSAGES: Final[tuple[dict[str, Any], ...]] = (
    *({"role": role, "content": "Hello"} for role in ("user", "system", "developer", "assistant")),
    *({"role": role, "content": said} for role in ("user", "assistant") for said in ("", [TEXT], [])),
    *({"role": role, "content": " \n"} for role in ("user", "assistant")),
    {"role": "assistant", "content": [{"type": "text", "text": " "}, TEXT]},
    {"role": "assistant", "content": [TEXT, {"type": "text", "text": ""}], "tool_calls": [CALL]},
    {"role": "assistant", "content": [{"type": "image", "url": "https://a.example/b.png"}], "tool_calls": [CALL]},
    {"role": "assistant", "content": [TEXT], "tool_calls": [CALL]},
    {"role": "assistant", "content": [], "tool_calls": [CALL]},
    {"role": "assistant", "content": [], "tool_calls": []},
    {"role": "assistant", "content": "", "tool_calls": [CALL]},
    {"role": "assistant", "content": " ", "tool_calls": [CALL]},
    {"role": "assistant", "tool_calls": []},
    {"role": "assistant", "refusal": "No.", "tool_calls": [CALL]},
    {"role": "assistant", "reasoning": "Hm.", "content": "Hello"},
    *({"role": "assistant", "tool_calls": [call]} for call in CALLS),
    *({"role": "assistant", "content": "Hello", "tool_calls": [CALL, call]} for call in CALLS),
    RESULT,
    *({**RESULT, "call_id": identifier} for identifier in ("1-a", "x" * 128, "x" * 129, "", "blau\u00e9")),
    {"role": "tool", "id": "call_1", "content": "Nothing."},
    {"role": "tool", "call_id": "call_1"},
    {"role": "tool", "content": "Nothing."},
    {"role": "tool", "name": "look", "content": "Nothing."},
    {**RESULT, "content": [TEXT]},
    {**RESULT, "is_error": True},
    {"role": "tool", "call_id": "call_1", "is_error": True},
    {**RESULT, "name": "look"},
)
BAGS: Final = frozenset({"extra", "fields", "message", "claude"})


def read(body: dict[str, Any]) -> str:
    """Return a request in the order of its members, without the new ones, or the place where it is refused."""
    before = json.dumps(body)
    try:
        request: Any = claude.decode_request(body)
    except DecodeError as refused:
        return refused.path
    assert json.dumps(body) == before
    assert json.dumps(request).count("x_new") == before.count("x_new")
    return json.dumps(without_member(request, "x_new", BAGS))


@pytest.mark.parametrize("role", ["user", "assistant"])
def test_blocks_are_read_alike_the_short_way_and_the_long_one(role: str) -> None:
    for blocks in itertools.product(BLOCKS, repeat=3):
        short = read({"messages": [{"role": role, "content": [*blocks]}]})
        assert short == read({"messages": [{"role": role, "content": [{**block, **NEW} for block in blocks]}]})


def test_messages_are_read_alike_the_short_way_and_the_long_one() -> None:
    messages = [{"role": role, "content": content} for role in ("user", "assistant", "system") for content in CONTENTS]
    for some in itertools.product(messages, repeat=2):
        assert read({"messages": [*some]}) == read({"messages": [{**message, **NEW} for message in some]})


@pytest.mark.parametrize("odd", [None, "text", 1, ["type"]])
@pytest.mark.parametrize("role", ["user", "assistant"])
def test_what_is_no_object_is_refused_at_its_place(role: str, odd: Any) -> None:
    for before in ([], [TEXT], [USE], [RESULT_BLOCK]):
        place = f"/messages/0/content/{len(before)}"
        assert read({"messages": [{"role": role, "content": [*before, odd]}]}) == place
    assert read({"messages": [odd]}) == "/messages/0"
    assert read({"messages": [], "tools": [odd]}) == "/tools/0"


def test_tools_are_read_alike_the_short_way_and_the_long_one() -> None:
    for values in itertools.product(("look", None, 1), ("Looks.", None, 1), (SCHEMA, {}, None), (True, None, 1)):
        whole = dict(zip(("name", "description", "input_schema", "strict"), values, strict=True))
        for size in range(5):
            for names in itertools.combinations(whole, size):
                tool = {name: whole[name] for name in names}
                assert read({"messages": [], "tools": [tool]}) == read({"messages": [], "tools": [{**tool, **NEW}]})


def as_blocks(body: Any) -> str:
    """Return a body, in the order of its members, with texts as blocks: the long way writes some as such."""
    for message in body["messages"]:
        if isinstance(message["content"], str):
            message["content"] = [{"type": "text", "text": message["content"]}]
    return json.dumps(body)


def written(request: dict[str, Any]) -> tuple[str, list[Any]]:
    """Return the body of a request, in the order of its members, and its losses but those of what is foreign."""
    body, known = long_ways.written(claude.encode_request, request)
    return as_blocks(json.loads(json.dumps(body))), known


@HOMES
def test_messages_are_written_alike_the_short_way_and_the_long_one(home: dict[str, Any]) -> None:
    question: dict[str, Any] = {"role": "user", "content": "Hello"}
    for messages in itertools.product(MESSAGES, repeat=2):
        short = written({**home, "messages": [question, *messages]})
        assert short == written({**home, "messages": [question, *(longer(message) for message in messages)]})


@HOMES
def test_instructions_are_written_alike_the_short_way_and_the_long_one(home: dict[str, Any]) -> None:
    for role, content in itertools.product(("system", "developer"), ("Be brief.", "", " ", [TEXT])):
        message = {"role": role, "content": content}
        assert written({**home, "messages": [message]}) == written({**home, "messages": [longer(message)]})


@HOMES
def test_tools_are_written_alike_the_short_way_and_the_long_one(home: dict[str, Any]) -> None:
    for tool in nearly_plain_tools(("look", "1-a", "x" * 64, "x" * 65, "", "look at", "bl\u00e5")):
        short = written({**home, "messages": [], "tools": [tool]})
        assert short == written({**home, "messages": [], "tools": [{**tool, **FOREIGN}]})


@HOMES
def test_answers_are_written_alike_the_short_way_and_the_long_one(home: dict[str, Any]) -> None:
    answers = [message for message in MESSAGES if message["role"] == "assistant"]
    for messages in itertools.product(answers, repeat=2):
        logs = LossLog(), LossLog()
        bodies = [
            claude.encode_response({**home, "messages": said}, log)  # type: ignore[arg-type, misc]  # made member by member
            for log, said in zip(logs, ([*messages], [longer(message) for message in messages]), strict=True)
        ]
        assert json.dumps(bodies[0]) == json.dumps(bodies[1])
        assert logs[0].losses() == tuple(loss for loss in logs[1].losses() if "/extra/gemini" not in loss.path)
