"""The room `ollama`: the short ways of the usual shapes give what the long ways give, also for what is nearly usual."""

from __future__ import annotations

import itertools
import json
from typing import TYPE_CHECKING, Any, Final

import pytest

from interlingua.dialects._shared.reading import Malformed
from interlingua.dialects._shared.target import Target
from interlingua.dialects.ollama import decode_message, decode_tool, encode_message
from interlingua.dialects.ollama.encode_schema import heard_schema
from interlingua.loss import LossLog

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

ABSENT: Final = object()
ODD: Final[tuple[Any, ...]] = (ABSENT, None, "", "word", 1, [], {})
WIRE_CALL: Final[dict[str, Any]] = {"id": "call_1", "function": {"name": "look", "arguments": {"at": 1}}}
WIRE_CALLS: Final[tuple[Any, ...]] = (
    *ODD,
    [WIRE_CALL],
    [WIRE_CALL, {"function": {"arguments": {}, "name": "look"}}],
    [WIRE_CALL, {**WIRE_CALL, "type": "function"}],
    [WIRE_CALL, {**WIRE_CALL, "type": "surprise"}],
    [{**WIRE_CALL, "id": None}],
    [{**WIRE_CALL, "id": 1}],
    [{**WIRE_CALL, "x_new": 1}],
    [{"function": WIRE_CALL["function"], "x_new": 1}],
    [{"id": "call_1"}],
    [{"id": "call_1", "function": "look"}],
    [{"function": {**WIRE_CALL["function"], "index": 0}}],
    [{"function": {"name": "look"}}],
    [{"function": {"name": 1, "arguments": {}}}],
    [{"function": {"name": "look", "arguments": '{"at": 1}'}}],
    [{"function": {"name": "look", "arguments": None}}],
    [WIRE_CALL, "surprise"],
)
CALL: Final[dict[str, Any]] = {"id": "call_1", "name": "look", "arguments": {"at": 1}}
CALLS: Final[tuple[Any, ...]] = (
    ABSENT,
    [],
    [CALL],
    [CALL, {"name": "look", "arguments": {}}],
    *(
        [CALL, {**CALL, "arguments": text}]
        for text in ('{"at": 1}', "", "{}", "no object", '{"at": 1, "at": 2}', "[1]", '"word"', '{"at": NaN}')
    ),
    [{**CALL, "call_id": "call_2"}],
    [{**CALL, "kind": "custom", "arguments": "free text"}],
    [{"name": "look", "arguments": {}, "kind": "custom"}],
    [{"name": "look", "arguments": {}, "cache": {}}],
    [{**CALL, "extra": {"ollama": {"spelling": {"type": "function"}}}}],
    [{**CALL, "extra": {"ollama": {"spelling": {"arguments": "text"}}}, "arguments": "{}"}],
    [{**CALL, "extra": {"claude": {"fields": {"a": 1}}}}],
)


def objects(members: Mapping[str, Sequence[Any]]) -> Iterator[dict[str, Any]]:
    """Yield an object for each choice of a value a member; what is `ABSENT` is left out."""
    for values in itertools.product(*members.values()):
        yield {name: value for name, value in zip(members, values, strict=True) if value is not ABSENT}


def test_the_short_way_reads_a_message_as_the_long_one() -> None:
    roles = ("system", "developer", "user", "assistant", "tool", "surprise", None, 1, ["user"], ABSENT)
    taken = 0
    for wire in objects(
        {
            "role": roles,
            "content": ODD,
            "tool_calls": WIRE_CALLS,
            "tool_name": (ABSENT, None, "look", 1),
            "tool_call_id": (ABSENT, None, "call_1", 1),
            "thinking": (ABSENT, "hm"),
        }
    ):
        plain = decode_message.plain_message(wire)
        if plain is not None:
            taken += 1
            assert json.dumps(plain) == json.dumps(decode_message.decode_message(wire))
    assert taken == 19
    assert all(decode_message.plain_message(odd) is None for odd in ODD)


def test_messages_are_refused_at_their_place_whatever_stands_before_them() -> None:
    text, calls = {"role": "user", "content": "Hello"}, {"role": "assistant", "content": "", "tool_calls": [WIRE_CALL]}
    befores: list[list[Any]] = [[], [text], [text, calls], [{"role": "user"}]]
    for before in befores:
        with pytest.raises(Malformed) as refused:
            decode_message.decode_messages([*before, {"role": "tool", "content": 1}, text])
        assert refused.value.path == f"/messages/{len(before)}/content"


def test_the_short_way_reads_a_tool_as_the_long_one() -> None:
    functions: list[Any] = [
        *ODD,
        *objects(
            {
                "parameters": (ABSENT, None, {}, {"type": "object"}, []),
                "name": ("look", 1, ABSENT),
                "description": (ABSENT, None, "", "Looks.", 1),
                "strict": (ABSENT, True),
            }
        ),
        {"name": "look", "description": "Looks.", "parameters": {}},
        {"description": "Looks.", "parameters": {}, "name": "look"},
    ]
    taken = 0
    for wire in objects(
        {
            "type": ("function", None, "surprise", 1, ABSENT),
            "function": functions,
            "x_new": (ABSENT, 1),
        }
    ):
        plain = decode_tool.plain_tool(wire)
        if plain is not None:
            taken += 1
            assert json.dumps(plain) == json.dumps(decode_tool.decode_tool(wire))
    assert taken == 6
    assert all(decode_tool.plain_tool(odd) is None for odd in ODD)


def test_the_short_way_writes_a_message_as_the_long_one() -> None:
    contents: tuple[Any, ...] = (ABSENT, "", "Hello", [], [{"type": "text", "text": "Hello"}])
    taken = 0
    for message in objects(
        {
            "role": ("system", "developer", "user", "assistant", "tool"),
            "content": contents,
            "tool_calls": CALLS,
            "call_id": (ABSENT, "call_1"),
            "name": (ABSENT, "look"),
            "id": (ABSENT, "m1"),
            "extra": (ABSENT, {"ollama": {"fields": {"x_new": 1}}}, {"claude": {"fields": {"x_new": 1}}}),
        }
    ):
        if ("tool_calls" in message and message["role"] != "assistant") or (
            "call_id" in message and message["role"] != "tool"
        ):
            continue
        before = json.dumps(message)
        plain = encode_message.plain_message(message)
        assert json.dumps(message) == before
        if plain is None:
            continue
        taken += 1
        for home in (True, False):
            log = LossLog()
            to = Target("ollama", home, answer=False, log=log)
            long: Any = encode_message.encode_message(message, 0, to)  # type: ignore[arg-type]  # made member by member
            assert json.dumps(plain) == json.dumps(long)
            assert log.losses() == ()
    assert taken == 17


def test_a_flat_schema_is_heard_as_the_walk_hears_it() -> None:
    properties: list[Any] = [
        {},
        {"type": "string", "description": "A word.", "enum": ["a"], "items": {}, "required": []},
        {"type": "string", "format": "date", "a/b": 1},
        {"type": "object", "properties": {"in": {"type": "string", "title": "In"}}},
        {"type": "object", "properties": []},
        {"anyOf": [{"type": "string", "title": "In"}, True]},
        {"anyOf": 1},
        True,
        None,
    ]
    for one, other in itertools.product(properties, repeat=2):
        heard, losses = heard_beside({"one": one, "other": other}, {})
        walked, same_losses = heard_beside({"one": one, "other": other}, {"walked": {"title": "Walked"}})
        walked["properties"].pop("walked")
        assert json.dumps(heard) == json.dumps(walked)
        assert losses == same_losses


def heard_beside(properties: dict[str, Any], more: dict[str, Any]) -> tuple[dict[str, Any], Any]:
    """Return a copy of a schema of the properties, and of more, as it is heard, and the losses."""
    log = LossLog()
    schema = {"type": "object", "properties": {**properties, **more}, "title": "Tool"}
    heard = heard_schema(schema, "/tools/0/parameters", Target("ollama", home=False, answer=False, log=log))
    return json.loads(json.dumps(heard)), [loss for loss in log.losses() if "/walked" not in loss.path]
