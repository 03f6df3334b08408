"""The family of Chat Completions: the short ways of the usual shapes give what the long ways give."""

from __future__ import annotations

import itertools
from typing import Any, Final

import pytest

from interlingua.dialects._chat_completions import decode_message as decoding
from interlingua.dialects._chat_completions import decode_tool, encode_call, encode_tool
from interlingua.dialects._chat_completions.decode_message import decode_message, decode_messages
from interlingua.dialects._shared.extra import Leftovers
from interlingua.dialects._shared.reading import Malformed
from interlingua.dialects._shared.target import Target
from interlingua.dialects.openai_chat.tables import VENDOR as OPENAI_CHAT
from interlingua.dialects.vllm.vendor import VENDOR as VLLM
from interlingua.loss import LossLog

VENDORS: Final = {"openai_chat": OPENAI_CHAT, "vllm": VLLM}
CALL: Final[dict[str, Any]] = {"id": "call_1", "name": "look", "arguments": '{"at":1}'}
CALLS: Final[tuple[list[dict[str, Any]], ...]] = (
    [CALL],
    [CALL, {**CALL, "id": "call_2"}],
    [CALL, {**CALL, "id": "c" * 41}],
    [CALL, {**CALL, "id": "ü"}],
    [{**CALL, "name": "look at"}],
    [{**CALL, "name": "n" * 65}],
    [CALL, {**CALL, "arguments": {"at": 1}}],
    [CALL, {**CALL, "arguments": "no object"}],
    [CALL, {**CALL, "kind": "custom"}],
    [CALL, {"name": "look", "arguments": "{}", "kind": "custom"}],
    [CALL, {"name": "look", "arguments": "{}"}],
    [{"call_id": "call_1", "name": "look", "arguments": "{}"}],
    [{**CALL, "extra": {"openai_chat": {"fields": {"a": 1}}}}],
    [{**CALL, "extra": {"claude": {"fields": {"a": 1}}}}],
    [{**CALL, "cache": {}}],
)
CLOSED: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {"at": {"type": "string", "description": "Where."}},
    "required": ["at"],
    "additionalProperties": False,
}
TOOL: Final[dict[str, Any]] = {"type": "function", "name": "look", "description": "Look.", "parameters": CLOSED}
TOOLS: Final[tuple[dict[str, Any], ...]] = (
    TOOL,
    {"type": "function", "name": "look"},
    {"type": "function", "name": "look", "strict": True},
    {**TOOL, "strict": True},
    {**TOOL, "strict": False},
    {**TOOL, "strict": True, "parameters": {"type": "object", "properties": {"at": {"type": "string"}}}},
    {**TOOL, "name": "look at"},
    {**TOOL, "name": ""},
    {**TOOL, "cache": {}},
    {**TOOL, "extra": {"openai_chat": {"spelling": {"type": "absent"}}}},
    {**TOOL, "extra": {"claude": {"fields": {"a": 1}}}},
)
MESSAGES: Final[tuple[Any, ...]] = (
    *({"role": role, "content": "Hi."} for role in ("system", "developer", "user", "assistant", "tool", "function")),
    *({"role": role, "content": None} for role in ("user", "assistant", "tool")),
    *({"role": role, "content": [{"type": "text", "text": "Hi."}]} for role in ("user", "assistant", "tool")),
    {"role": "user", "content": "Hi.", "name": "ann"},
    {"role": "tool", "content": "Hi.", "tool_call_id": "call_1"},
    {"role": "tool", "content": "Hi.", "tool_call_id": None},
    {"role": "tool", "content": "Hi.", "tool_call_id": 1},
    {"role": "tool", "content": "Hi.", "x_new": 1},
    {"role": "surprise", "content": "Hi."},
    {"role": ["user"], "content": "Hi."},
    {"role": None, "content": "Hi."},
    {"content": "Hi."},
    {"role": "user"},
    {"role": "assistant", "content": "Hi.", "x_new": 1},
    "Hi.",
    None,
)


@pytest.mark.parametrize("home", [True, False])
@pytest.mark.parametrize("vendor", VENDORS)
def test_calls_in_one_step_are_the_calls_one_by_one(vendor: str, *, home: bool) -> None:
    taken = 0
    for calls in CALLS:
        short, long = LossLog(), LossLog()
        made: Any = encode_call.plain_calls(calls, VENDORS[vendor], Target(vendor, home, answer=False, log=short))  # type: ignore[arg-type]  # plain JSON
        to = Target(vendor, home, answer=False, log=long)
        wanted = [encode_call.encode_call(call, 3, at, VENDORS[vendor], to) for at, call in enumerate(calls)]  # type: ignore[arg-type]  # plain JSON
        if made is not None:
            taken += 1
            assert [list(call.items()) for call in made] == [list(call.items()) for call in wanted]
            assert long.losses() == ()
        assert short.losses() == ()
    assert taken == 0 if vendor == "vllm" and not home else taken >= 2


@pytest.mark.parametrize("vendor", VENDORS)
def test_a_tool_that_is_accepted_as_it_is_is_written_as_any_tool(vendor: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def written(tool: dict[str, Any]) -> tuple[Any, Any]:
        log = LossLog()
        out: dict[str, Any] = {}
        encode_tool.write_tools(out, [tool], {}, VENDORS[vendor], Target(vendor, home=False, answer=False, log=log))
        return [[*each["function"].items()] for each in out["tools"]], (out, log.losses())

    short = [written(tool) for tool in TOOLS]
    monkeypatch.setattr(encode_tool, "_is_accepted", lambda _tool, _vendor: False)
    assert short == [written(tool) for tool in TOOLS]


def read_one_by_one(message: Any) -> tuple[Any, str]:
    """Return what a message is and an empty text, or nothing and the place of what is malformed in it."""
    try:
        return decode_message(message, OPENAI_CHAT), ""
    except Malformed as malformed:
        return None, malformed.path


def test_messages_in_one_walk_are_the_messages_one_by_one() -> None:
    for message in MESSAGES:
        wanted, place = read_one_by_one(message)
        if wanted is None:
            with pytest.raises(Malformed) as caught:
                decode_messages([MESSAGES[0], message], OPENAI_CHAT)
            assert caught.value.path == f"/messages/1{place}"
        else:
            assert decode_messages([message], OPENAI_CHAT) == [wanted]


NOT_SAID: Final = object()
WIRE_CALLS: Final[list[dict[str, Any]]] = [
    {"id": "call_1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
]
BESIDE: Final[tuple[tuple[str, Any], ...]] = (
    ("refusal", None),
    ("refusal", ""),
    ("annotations", []),
    ("annotations", None),
    ("annotations", [1]),
    ("audio", None),
    ("function_call", None),
    ("reasoning_content", None),
    ("reasoning_content", "Hm."),
    ("name", None),
    ("x_new", None),
    ("tool_calls", None),
)


@pytest.mark.parametrize("role", ["assistant", None, NOT_SAID])
def test_an_answer_beside_which_all_is_null_or_empty_is_the_answer_of_the_long_way(
    role: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    contents = ("Hi.", "", None, [{"type": "text", "text": "Hi."}], {}, NOT_SAID)
    calls = (WIRE_CALLS, [*WIRE_CALLS, {"type": "new"}], [], {}, None, NOT_SAID)
    chosen = [(), *((one,) for one in BESIDE), *itertools.permutations(BESIDE, 2)]
    wires: list[dict[str, Any]] = [
        {name: value for name, value in members if value is not NOT_SAID}
        for content, called, beside in itertools.product(contents, calls, chosen)
        for members in (
            [("role", role), ("content", content), ("tool_calls", called), *beside],
            [*beside, ("tool_calls", called), ("content", content), ("role", role)],
        )
    ]

    def read(wire: dict[str, Any]) -> Any:
        try:
            return in_order(decoding.decode_assistant(wire, OPENAI_CHAT))
        except Malformed as malformed:
            return malformed.path

    short = [read(wire) for wire in wires]
    taken = [decoding._bare_answer(wire, OPENAI_CHAT) for wire in wires]  # noqa: SLF001  # whether it is taken at all
    assert any(taken) == (role == "assistant")
    monkeypatch.setattr(decoding, "_bare_answer", lambda _wire, _vendor: None)
    assert short == [read(wire) for wire in wires]


def said(**members: Any) -> dict[str, Any]:
    return {name: value for name, value in members.items() if value is not NOT_SAID}


FUNCTIONS: Final[tuple[Any, ...]] = (
    *(
        said(name=name, description=description, parameters=parameters, strict=strict)
        for name in ("look", 1, NOT_SAID)
        for description in ("Looks.", None, NOT_SAID)
        for parameters in ({}, CLOSED, [], NOT_SAID)
        for strict in (True, None, NOT_SAID)
    ),
    {"name": "look", "description": "Looks.", "parameters": {}, "x_new": 1},
    None,
    [],
    NOT_SAID,
)


def test_tools_in_one_walk_are_the_tools_one_by_one() -> None:
    def one_by_one(wire: Any) -> Any:
        try:
            return {"tools": [decode_tool.decode_tool(wire, OPENAI_CHAT)]}
        except Malformed as malformed:
            return f"/tools/0{malformed.path}"

    def in_one_walk(wire: Any) -> Any:
        request: dict[str, Any] = {}
        try:
            decode_tool.read_tools(request, [wire], {}, OPENAI_CHAT, Leftovers())
        except Malformed as malformed:
            return malformed.path
        return request

    wires = [
        said(type=kind, function=function, **more)
        for kind in ("function", "custom", None, NOT_SAID)
        for more in ({}, {"cache_control": {"type": "ephemeral"}}, {"x_new": 1})
        for function in FUNCTIONS
    ]
    for wire in (*wires, None, [], "look"):
        assert in_order(in_one_walk(wire)) == in_order(one_by_one(wire))


def in_order(value: Any) -> Any:
    """Return a value whose equality minds the order of members, too."""
    if isinstance(value, dict):
        return [(name, in_order(each)) for name, each in value.items()]
    return [in_order(each) for each in value] if isinstance(value, list) else value
