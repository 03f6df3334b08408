"""Law 8: any JSON gives a value or one documented error that names dialect and path, in time linear in the input."""

from __future__ import annotations

import contextlib
import random
import re
from typing import TYPE_CHECKING, Any, Final

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

import interlingua as il
from interlingua.registry import room
from support import corpus
from support.canonical import difference, edited, leaves, lists, lookup, objects, pointer
from support.cost import grows_at_most
from support.rooms import KINDS, ROWS, Kind, decode, encode

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from support.canonical import Tokens

pytestmark = [pytest.mark.laws]

CASES = [pytest.param(dialect, kind, id=f"{dialect}-{kind}") for dialect in ROWS for kind in KINDS]
KEYS: Final = [
    "annotations",
    "arguments",
    "audio",
    "budget_tokens",
    "cache_control",
    "choices",
    "citations",
    "content",
    "created",
    "custom",
    "data",
    "detail",
    "disable_parallel_tool_use",
    "effort",
    "file",
    "file_data",
    "file_id",
    "finish_reason",
    "format",
    "function",
    "function_call",
    "id",
    "image_url",
    "index",
    "input",
    "input_audio",
    "input_schema",
    "input_tokens",
    "is_error",
    "json_schema",
    "logprobs",
    "max_completion_tokens",
    "max_tokens",
    "media_type",
    "message",
    "messages",
    "metadata",
    "model",
    "name",
    "output_config",
    "output_tokens",
    "parameters",
    "prompt_tokens",
    "reasoning",
    "redacted_thinking",
    "refusal",
    "response_format",
    "role",
    "schema",
    "signature",
    "source",
    "stop",
    "stop_reason",
    "stop_sequence",
    "stop_sequences",
    "stream",
    "system",
    "temperature",
    "text",
    "thinking",
    "tool_call_id",
    "tool_calls",
    "tool_choice",
    "tool_use_id",
    "tools",
    "ttl",
    "type",
    "url",
    "usage",
    "user",
    "user_id",
]
WORDS: Final = [
    "assistant",
    "auto",
    "base64",
    "custom",
    "developer",
    "document",
    "end_turn",
    "ephemeral",
    "file",
    "function",
    "image",
    "image_url",
    "input_audio",
    "json_object",
    "json_schema",
    "named",
    "none",
    "refusal",
    "redacted_thinking",
    "system",
    "text",
    "thinking",
    "tool",
    "tool_result",
    "tool_use",
    "url",
    "user",
]
scalars = (
    st.none()
    | st.booleans()
    | st.integers(min_value=-(2**70), max_value=2**70)
    | st.floats()
    | st.sampled_from([*WORDS, "", "{}", '{"a":1}', "data:image/png;base64,AA==", "\ud800", "\x00", "/~"])
    | st.text(max_size=5)
)
wild = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(KEYS) | st.text(max_size=3), inner, max_size=6)
    ),
    max_leaves=25,
)


@st.composite
def likely(draw: Callable[[Any], Any], kind: Kind) -> Any:
    """Draw a body that has the shape of one at the top, so that what is inside is looked at."""
    inner = st.dictionaries(st.sampled_from(KEYS), wild, max_size=5)
    role = st.fixed_dictionaries({"role": st.sampled_from(WORDS)})
    message = st.builds(lambda one, two: {**one, **two}, inner, role) | inner
    blocks = st.lists(st.builds(lambda one, kind_: {**one, "type": kind_}, inner, st.sampled_from(WORDS)), max_size=4)
    said = st.builds(lambda one, content: {**one, "content": content}, message, blocks | wild)
    body = draw(inner)
    if kind == "request":
        return {**body, "messages": draw(st.lists(said, max_size=4))}
    return {**body, "content": draw(blocks), "choices": [{**draw(inner), "message": draw(said)}]}


def documented(error: il.DecodeError, dialect: str) -> None:
    """Fail where an error does not name its dialect, a path and a reason."""
    assert error.dialect == dialect
    assert re.fullmatch(r"(/.*)?", error.path, re.DOTALL)
    assert error.reason


def judge(dialect: str, kind: Kind, body: Any) -> None:
    """Fail where a body is neither refused properly nor comes back as it was, or where it crashes an encoder."""
    try:
        canonical = decode(dialect, kind, body)
    except il.DecodeError as error:
        documented(error, dialect)
        return
    for target in ROWS:
        encoded, losses = encode(target, kind, canonical)
        if target == dialect:
            assert difference(body, encoded) == ""
            assert losses == ()


ENOUGH: Final = settings(
    max_examples=600 if corpus.whole() else 20,
    phases=[Phase.explicit, Phase.generate],  # what fails is found again at once; shrinking it takes minutes
)


@pytest.mark.parametrize(("dialect", "kind"), CASES)
def test_any_json_round_trips_or_raises_a_documented_error(dialect: str, kind: Kind) -> None:
    @ENOUGH
    @given(wild | likely(kind))
    def check(body: Any) -> None:
        judge(dialect, kind, body)

    check()


@pytest.mark.requirement("NFR-004a-13", "NFR-004a-27")
@pytest.mark.parametrize(("dialect", "kind"), CASES)
def test_any_json_becomes_a_model_or_raises_a_documented_error(dialect: str, kind: Kind) -> None:
    read = il.decode_request if kind == "request" else il.decode_response

    @ENOUGH
    @given(wild | likely(kind))
    def check(body: Any) -> None:
        try:
            read(body, dialect)
        except il.DecodeError as error:
            documented(error, dialect)

    check()


OTHERS: Final[tuple[Any, ...]] = (None, True, 0, 1.5, "word", [], {}, [None], {"type": "text"}, [[]], [{}])


def confused(body: Any) -> Iterator[tuple[Tokens, Any]]:
    """Yield a body with one of its values replaced by one of another type, at every place and by every type."""
    places = (
        {path for path, _ in leaves(body)} | {path for path, _ in lists(body)} | {path for path, _ in objects(body)}
    )
    for path in sorted(places, key=str):
        for other in OTHERS:
            if type(lookup(body, path)) is not type(other):
                yield path, edited(body, path, other)


@pytest.mark.corpus
@pytest.mark.parametrize("dialect", ROWS)
def test_a_request_with_a_value_of_another_type_is_fitted_or_refused(dialect: il.Dialect) -> None:
    models = [family.example for family in room(dialect).FAMILIES]
    for line in corpus.sample(ROWS[dialect].folder, "request", 10):
        choice = random.Random(line["id"])
        attempts = list(confused(line["body"]))
        for _, body in choice.sample(attempts, min(500 if corpus.whole() else 50, len(attempts))):
            with contextlib.suppress(il.InterlinguaError):
                il.exchange(body, dialect, dialect, model=choice.choice(models), fit=True)


FITTED: Final[tuple[tuple[il.Dialect, str, Any], ...]] = (
    ("bedrock_converse", "us.amazon.nova-pro-v1:0", {"messages": [
        {"role": "user", "content": [{"toolResult": {"toolUseId": "call_1"}}]}]}),
    ("bedrock_converse", "us.anthropic.claude-sonnet-4-5-20250929-v1:0", {
        "messages": [{"role": "user", "content": [{"text": "Hi"}]}],
        "toolConfig": {"tools": [{"toolSpec": {"name": "find", "inputSchema": {}, "strict": True}}]}}),
    ("openai_responses", "gpt-4o", {"input": [
        {"role": "user", "content": "Hi"}, {"role": "assistant", "content": [{}]}, {"role": "user", "content": "Hi"}]}),
    ("ollama", "gpt-oss:20b", {"model": "gpt-oss:20b", "messages": None}),
)  # fmt: skip


@pytest.mark.parametrize(("dialect", "model", "body"), FITTED)
def test_a_request_that_lacks_a_member_is_fitted(dialect: il.Dialect, model: str, body: Any) -> None:
    assert il.exchange(body, dialect, dialect, model=model, fit=True).body


@pytest.mark.corpus
@pytest.mark.parametrize(("dialect", "kind"), CASES)
def test_a_value_of_another_type_anywhere_round_trips_or_is_refused(dialect: str, kind: Kind) -> None:
    found: dict[str, str] = {}
    row = ROWS[dialect]
    for line in corpus.sample(row.folder, kind, 10):
        attempts = list(confused(line["body"]))
        many = 1500 if corpus.whole() else 150
        for path, body in random.Random(line["id"]).sample(attempts, min(many, len(attempts))):
            try:
                judge(dialect, kind, body)
            except Exception as error:  # noqa: BLE001  # whatever it is, it is what this test looks for
                found.setdefault(f"{type(error).__name__} {re.sub(r'[0-9]+', '*', pointer(path))}", line["id"])
    assert found == {}


def chat_messages(count: int) -> Any:
    call = {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    turn = [
        {"role": "user", "content": "Hello"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c", "content": "done"},
        {"role": "assistant", "content": [{"type": "text", "text": "Good."}]},
    ]
    return {"model": "m", "messages": turn * (count // 4)}


def chat_same_role(count: int) -> Any:
    return {"model": "m", "messages": [{"role": "assistant", "content": "Hello"}] * count}


def chat_results(count: int) -> Any:
    return {"model": "m", "messages": [{"role": "tool", "tool_call_id": "c", "content": "done"}] * count}


def chat_calls(count: int) -> Any:
    call = {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    return {"model": "m", "messages": [{"role": "assistant", "content": None, "tool_calls": [call] * count}]}


def chat_parts(count: int) -> Any:
    return {"model": "m", "messages": [{"role": "user", "content": [{"type": "text", "text": "Hello"}] * count}]}


def chat_unanswered(count: int) -> Any:
    call = {"id": None, "type": "function", "function": {"name": "f", "arguments": "{}"}}
    turn = {"role": "assistant", "content": None, "tool_calls": [call]}
    result = {"role": "tool", "content": "done"}
    return {"model": "m", "messages": [turn] * (count // 2) + [result] * (count // 2)}


def claude_blocks(count: int) -> Any:
    blocks = [
        {"type": "thinking", "thinking": "Well.", "signature": "s"},
        {"type": "text", "text": "Hello"},
        {"type": "tool_use", "id": "c", "name": "f", "input": {}},
    ]
    return {"model": "m", "max_tokens": 9, "messages": [{"role": "assistant", "content": blocks * (count // 3)}]}


def claude_results(count: int) -> Any:
    result = {"type": "tool_result", "tool_use_id": "c", "content": "done"}
    return {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": [result] * count}]}


def claude_same_role(count: int) -> Any:
    message = {"role": "user", "content": [{"type": "text", "text": "Hello"}]}
    return {"model": "m", "max_tokens": 9, "messages": [message] * count}


GROWING: Final = [
    *(("openai_chat", make) for make in (chat_messages, chat_same_role, chat_results, chat_calls, chat_parts)),
    ("openai_chat", chat_unanswered),
    *(("claude", make) for make in (claude_blocks, claude_results, claude_same_role)),
]


@pytest.mark.parametrize(("dialect", "make"), GROWING, ids=lambda value: getattr(value, "__name__", value))
@pytest.mark.parametrize("target", ROWS)
def test_the_cost_is_not_quadratic_in_the_input(dialect: str, make: Callable[[int], Any], target: str) -> None:
    # Linear is 16 times the time, quadratic 256 times. The bound leaves room for a busy machine and cold caches.
    few = 4_000 if corpus.whole() else 1_000

    def translating(count: int) -> Callable[[], Any]:
        canonical = decode(dialect, "request", make(count))
        return lambda: decode(target, "request", encode(target, "request", canonical)[0])

    assert grows_at_most(translating(few), translating(16 * few), 48)
