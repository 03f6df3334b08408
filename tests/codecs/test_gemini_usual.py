"""The room `gemini`: the short ways of what is usual give what the long ways give, also for what is nearly usual.

Every edit of a usual conversation goes both ways: as it is, and with all short ways closed.
"""

from __future__ import annotations

import json
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, Final
from unittest import mock

import pytest
from pydantic import ValidationError

from interlingua.dialects import gemini
from interlingua.dialects.gemini import decode, decode_tool, decode_usual, encode_tool, encode_turn
from interlingua.errors import DecodeError
from interlingua.loss import LossLog
from interlingua.model import ChatRequest
from support.canonical import edited, lists, objects

if TYPE_CHECKING:
    from collections.abc import Iterator

SCHEMA: Final[dict[str, Any]] = {"type": "object", "properties": {"city": {"type": "string"}}}
TOOL: Final[dict[str, Any]] = {"name": "look", "description": "Looks.", "parametersJsonSchema": SCHEMA}


def called(number: int, **beside: Any) -> dict[str, Any]:
    return {"functionCall": {"id": f"call_{number}", "name": "look", "args": {"city": "Paris"}}, **beside}


def told(number: int, response: Any) -> dict[str, Any]:
    return {"functionResponse": {"id": f"call_{number}", "name": "look", "response": response}}


BODY: Final[dict[str, Any]] = {
    "systemInstruction": {"parts": [{"text": "Be brief."}]},
    "contents": [
        {"role": "user", "parts": [{"text": "hello"}]},
        {
            "role": "model",
            "parts": [
                {"text": "I look."},
                called(1, thoughtSignature="c2ln"),
                called(2),
                called(3, thoughtSignature=""),
            ],
        },
        {
            "role": "user",
            "parts": [
                told(1, {"output": "sun"}),
                told(2, {"result": "rain"}),
                {"text": "Go on."},
                told(3, {"error": "no"}),
            ],
        },
        {"role": "model", "parts": [{"functionCall": {"name": "look", "args": {}}}]},
        {"role": "user", "parts": [{"functionResponse": {"name": "look", "response": {"output": ""}}}]},
        {"role": "model", "parts": [{"text": "Well."}]},
        {"role": "user", "parts": [{"text": "Thanks."}]},
    ],
    "tools": [{"functionDeclarations": [TOOL, {**TOOL, "name": "run"}]}],
    "toolConfig": {"functionCallingConfig": {"mode": "VALIDATED"}},
}

CALL: Final[dict[str, Any]] = {"id": "call_1", "name": "look", "arguments": '{"city": "Paris"}'}
RESULT: Final[dict[str, Any]] = {"role": "tool", "call_id": "call_1", "content": "sun"}
FUNCTION: Final[dict[str, Any]] = {"type": "function", "name": "look", "description": "Looks.", "parameters": SCHEMA}
REQUEST: Final[dict[str, Any]] = {
    "dialect": "openai_chat",
    "messages": [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "hello"},
        {"role": "assistant", "content": "I look.", "tool_calls": [CALL, {**CALL, "id": "call_2", "name": "look.at"}]},
        RESULT,
        {**RESULT, "call_id": "call_2"},
        {"role": "user", "content": "Go on."},
        {"role": "assistant", "tool_calls": [{**CALL, "id": "call_3", "arguments": {}}]},
        {**RESULT, "call_id": "call_3"},
        {"role": "assistant", "content": "Well."},
        {"role": "user", "content": "Thanks."},
    ],
    "tools": [FUNCTION, {**FUNCTION, "name": "run"}],
}
STRICT: Final = [{**tool, "strict": True} for tool in REQUEST["tools"]]

# What stands in the place of each value once, and what each list and each object holds once more.
OTHERS: Final[tuple[Any, ...]] = (
    None, 7, "", "model", "assistant", "1 name!", '{"a": 1, "a": 2}', [], {}, {"text": "Well."}, [{"text": "Well."}],
    {"output": {}}, {"role": "user", "content": "hello"},
)  # fmt: skip
MORE: Final[tuple[tuple[str, Any], ...]] = (
    ("x_new", 1),
    ("id", "other"),
    ("name", "look"),
    ("text", "more"),
    ("thought", True),
    ("thoughtSignature", "c2ln"),
    ("thoughtSignature", None),
    ("strict", False),
    ("cache", {}),
    ("call_id", "call_1"),
    ("is_error", True),
    ("tool_calls", []),
    ("extra", {"claude": {"fields": {"x": 1}}}),
    ("extra", {"gemini": {"fields": {"x": 1}}}),
    ("extra", {"gemini": {"spelling": {"turn": "new"}}}),
    ("extra", {"gemini": {"spelling": {"parts": "object"}}}),
    ("extra", {"gemini": {"spelling": {"response": "object"}}}),
    ("extra", {"gemini": {"thought_signatures": []}}),
    ("extra", {"gemini": {"thought_signatures": [{"at": "/tool_calls/0", "signature": "c2ln"}] * 2}}),
    ("extra", {"gemini": {"thought_signatures": [{"at": "/tool_calls/9", "signature": "c2ln"}]}}),
    ("extra", {"gemini": {"thought_signatures": [{"at": "/content", "signature": "c2ln"}]}}),
)


def edits(value: Any) -> Iterator[Any]:
    """Yield a value as it is, and with each edit of one place."""
    yield value
    for path, one in objects(value):
        if "properties" in path:
            continue
        for name in one:
            yield edited(value, path, {key: inner for key, inner in one.items() if key != name})
            yield from (edited(value, path, {**one, name: other}) for other in OTHERS)
        yield from (edited(value, path, {**one, name: inner}) for name, inner in MORE)
        yield edited(value, path, dict(reversed(one.items())))
    for path, entries in lists(value):
        for at, entry in enumerate(entries):
            yield edited(value, path, entries[:at] + entries[at + 1 :])
            yield edited(value, path, [*entries[:at], entry, *entries[at:]])
        yield edited(value, path, entries[::-1])


def nothing(*_: Any) -> None:
    return None


def no(*_: Any) -> bool:
    return False


def nowhere(_turns: Any, _messages: Any, first: int) -> int:
    return first


SHORT_WAYS: Final[tuple[tuple[Any, str, Any], ...]] = (
    (decode, "usual_instruction", nothing),
    (decode_usual, "_read_answer", no),
    (decode_usual, "_read_said", no),
    (decode_tool, "_decode_usual", nothing),
    (decode_tool, "_is_mode_alone", no),
    (encode_turn, "usual_instruction", nothing),
    (encode_turn, "walk", nowhere),
    (encode_tool, "_usual_declarations", nothing),
)


def long_ways() -> ExitStack:
    """Close all short ways, as long as the stack is open."""
    ways = ExitStack()
    for module, name, closed in SHORT_WAYS:
        ways.enter_context(mock.patch.object(module, name, closed))
    return ways


def read(body: Any) -> str:
    """Return a request in the order of its members, or where it is refused."""
    before = json.dumps(body)
    try:
        request: Any = gemini.decode_request(body)
    except DecodeError as refused:
        request = str(refused)
    assert json.dumps(body) == before
    return json.dumps(request)


def written(request: Any) -> str:
    """Return a body in the order of its members, and its losses."""
    before, log = json.dumps(request), LossLog()
    body = gemini.encode_request(request, log)
    assert json.dumps(request) == before
    return json.dumps([body, [(loss.code, loss.path, loss.severity) for loss in log.losses()], log.renamed])


def is_canonical(request: Any) -> bool:
    try:
        return bool(ChatRequest.model_validate(request).model_dump(mode="json") == request)
    except ValidationError:
        return False


def test_what_is_usual_is_read_as_the_long_ways_read_it() -> None:
    bodies = list(edits(BODY))
    short = [read(body) for body in bodies]
    with long_ways():
        long = [read(body) for body in bodies]
    assert short == long


@pytest.mark.parametrize(
    "request_",
    [
        REQUEST,
        {**REQUEST, "tools": STRICT},
        {**REQUEST, "tools": STRICT, "tool_choice": {"mode": "required"}},
        {**REQUEST, "dialect": "gemini"},
        gemini.decode_request(BODY),
        {name: value for name, value in gemini.decode_request(BODY).items() if name != "dialect"},
    ],
    ids=["abroad", "strict", "strict and required", "no signatures", "home", "by hand"],
)
def test_what_is_usual_is_written_as_the_long_ways_write_it(request_: Any) -> None:
    requests = [one for one in edits(request_) if is_canonical(one)]
    assert len(requests) > 100
    short = [written(request) for request in requests]
    with long_ways():
        long = [written(request) for request in requests]
    assert short == long


def test_a_usual_conversation_takes_no_long_way() -> None:
    """The speed of DESIGN section 8 rests on it."""
    asked, answered, _, _, _, said, thanked = BODY["contents"]
    results = {"role": "user", "parts": [told(1, {"output": "sun"}), told(2, {"result": "rain"})]}
    usual = {**BODY, "contents": [asked, answered, results, said, thanked]}
    with mock.patch.object(decode_usual, "decode_message", side_effect=AssertionError):
        home: Any = gemini.decode_request(usual)
    del home["messages"][4]["extra"]  # a note on an object takes the long way back
    abroad: Any = REQUEST
    with mock.patch.object(encode_turn.Turns, "take", side_effect=AssertionError):
        assert len(gemini.encode_request(home, LossLog())["contents"]) == len(usual["contents"])
        assert len(gemini.encode_request(abroad, LossLog())["contents"]) == len(usual["contents"]) + 2
