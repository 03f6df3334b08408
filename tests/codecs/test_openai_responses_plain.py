"""The room `openai_responses`: the short ways of the usual shapes give what the long ways give.

What is of a usual shape takes the long way as soon as it holds one more member. So each value is compared with the same
value that holds one at every place, once that member has been taken away again.
"""

from __future__ import annotations

import itertools
import json
from typing import Any, Final

import pytest

from interlingua.dialects import openai_responses
from interlingua.errors import DecodeError
from support import long_ways
from support.canonical import without_member
from support.long_ways import FOREIGN, NEW, longer, nearly_plain_tools

WIRE_CALL: Final[dict[str, Any]] = {"type": "function_call", "call_id": "call_1", "name": "look", "arguments": "{}"}
WIRE_RESULT: Final[dict[str, Any]] = {"type": "function_call_output", "call_id": "call_1", "output": "Nothing."}
ITEMS: Final[tuple[dict[str, Any], ...]] = (
    *({"role": role, "content": "Hello"} for role in ("user", "system", "developer", "assistant", "surprise")),
    {"role": "assistant", "content": ""},
    {"type": "message", "role": "assistant", "content": "Hello"},
    {"type": None, "role": "assistant", "content": "Hello"},
    {"id": "msg_1", "role": "assistant", "content": [{"type": "output_text", "text": "Hello"}]},
    {"role": "assistant", "content": [{"type": "refusal", "refusal": "No."}]},
    {"role": "user", "content": None},
    {"role": None, "content": "Hello"},
    {"type": None, "content": "Hello"},
    {"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": "Hm."}]},
    {"type": "reasoning", "summary": []},
    WIRE_CALL,
    {**WIRE_CALL, "call_id": "call_2", "id": "fc_1", "status": "completed"},
    {**WIRE_CALL, "arguments": {}},
    {**WIRE_CALL, "call_id": None},
    {**WIRE_CALL, "name": 1},
    {"type": "custom_tool_call", "call_id": "call_1", "name": "look", "input": "Hello"},
    WIRE_RESULT,
    {**WIRE_RESULT, "id": "fo_1"},
    {**WIRE_RESULT, "output": [{"type": "input_text", "text": "Nothing."}]},
    {**WIRE_RESULT, "output": None},
    {**WIRE_RESULT, "call_id": 1},
    {"type": "custom_tool_call_output", "call_id": "call_1", "output": "Nothing."},
    {"type": "web_search_call", "id": "ws_1"},
)
CALL: Final[dict[str, Any]] = {"id": "call_1", "name": "look", "arguments": "{}"}
CALLS: Final[tuple[dict[str, Any], ...]] = (
    CALL,
    {**CALL, "id": "call_2", "arguments": {"at": 1}},
    {**CALL, "id": "x" * 65},
    {**CALL, "id": ""},
    {**CALL, "name": "look at"},
    {**CALL, "arguments": "free text", "kind": "custom"},
    {**CALL, "call_id": "call_1"},
    {"name": "look", "arguments": "{}"},
)
RESULT: Final[dict[str, Any]] = {"role": "tool", "call_id": "call_1", "content": "Nothing."}
MESSAGES: Final[tuple[dict[str, Any], ...]] = (
    *({"role": role, "content": "Hello"} for role in ("user", "system", "developer", "assistant")),
    {"role": "assistant", "content": ""},
    {"role": "assistant", "content": [{"type": "text", "text": "Hello"}], "tool_calls": [CALL]},
    {"role": "assistant", "content": "", "tool_calls": [CALL]},
    {"role": "assistant", "refusal": "No.", "tool_calls": [CALL]},
    {"role": "assistant", "reasoning": "Hm.", "content": "Hello"},
    *({"role": "assistant", "tool_calls": [call]} for call in CALLS),
    *({"role": "assistant", "content": "Hello", "tool_calls": [CALL, call]} for call in CALLS),
    RESULT,
    {"role": "tool", "call_id": "x" * 65, "content": "Nothing."},
    {"role": "tool", "call_id": "", "content": "Nothing."},
    {"role": "tool", "id": "call_1", "content": "Nothing."},
    {"role": "tool", "call_id": "call_1"},
    {"role": "tool", "content": "Nothing."},
    {**RESULT, "content": [{"type": "text", "text": "Nothing."}]},
    {**RESULT, "is_error": True},
    {**RESULT, "name": "look"},
)
BAGS: Final = frozenset({"extra", "fields", "openai_responses"})


def read(items: list[Any], new: int = 0) -> str:
    """Return the messages of items, in the order of their members, or the place where they are refused.

    `new` is how many new members there are, each of which is kept; what an `extra` holds stands last in a message.
    """
    try:
        request: Any = openai_responses.decode_request({"input": items})
    except DecodeError as refused:
        return refused.path
    messages = request["messages"]
    assert json.dumps(messages).count("x_new") == new
    assert all("extra" not in message or [*message][-1] == "extra" for message in messages)
    return json.dumps(without_member(messages, "x_new", BAGS))


def test_items_are_read_alike_the_short_way_and_the_long_one() -> None:
    for items in itertools.product(ITEMS, repeat=3):
        assert read([*items]) == read([{**item, **NEW} for item in items], new=len(items))


@pytest.mark.parametrize("odd", [None, "function_call", "function_call_output", 1, ["type"]])
def test_what_is_no_object_is_refused_at_its_place(odd: Any) -> None:
    assert [read([*before, odd]) for before in ([], [WIRE_CALL], [WIRE_RESULT])] == ["/input/0", "/input/1", "/input/1"]


def written(request: dict[str, Any]) -> tuple[str, list[Any]]:
    """Return the body of a request, in the order of its members, and its losses but those of what is foreign."""
    body, known = long_ways.written(openai_responses.encode_request, request)
    return json.dumps(body), known


@pytest.mark.parametrize("home", [{"dialect": "openai_responses"}, {}], ids=["home", "abroad"])
def test_messages_are_written_alike_the_short_way_and_the_long_one(home: dict[str, Any]) -> None:
    for messages in itertools.product(MESSAGES, repeat=2):
        question: dict[str, Any] = {"role": "user", "content": "Hello"}
        short = written({**home, "messages": [question, *messages]})
        assert short == written({**home, "messages": [question, *(longer(message) for message in messages)]})


@pytest.mark.parametrize("home", [{"dialect": "openai_responses"}, {}], ids=["home", "abroad"])
def test_tools_are_written_alike_the_short_way_and_the_long_one(home: dict[str, Any]) -> None:
    for tool in nearly_plain_tools(("look", "look at", "", "x" * 129)):
        short = written({**home, "messages": [], "tools": [tool]})
        assert short == written({**home, "messages": [], "tools": [{**tool, **FOREIGN}]})
