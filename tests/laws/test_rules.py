"""Law 5, the rules: what a provider took breaks none of them, and neither does what we translate for it."""

from __future__ import annotations

import itertools
import json
import random
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import interlingua as il
from interlingua.registry import room
from interlingua.violation import VIOLATION_CODES
from support import corpus
from support.cost import grows_at_most
from support.rooms import PAIRS, ROWS, Row, decode, encode

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from interlingua.loss import Loss
    from interlingua.violation import Violation

pytestmark = [pytest.mark.laws]

# Bodies that say something the rules refuse, although no refusal is recorded beside them.
RECORDED: Final = {
    "f55c9917afc8cae6": "the recorder replaced the id of one result, and not that of its call",
    "cb49744be795e7cd": "a file by its address, which OpenAI refused: the recorder kept that apart from the body",
}
# Bodies of which a translation breaks a rule, because they themselves say what the target refuses.
REFUSED_ABROAD: Final = {
    "5de5319bf56f6851": "top_p is -1, which one provider took",
    "876915b5f25ef072": "a call of the tool search, answered as if it were a function's",
    "b7ab4c1eac92fc6f": "a result that answers no call, which one vendor took",
    "20c61a6c3e70eb09": "a strict schema that is not strict, which one vendor took",
    "e823ea526afacce6": "max_tokens is 0, which one vendor took",
}
# How many of the refused requests break a rule. What the others lack is no business of a body: a model that does not
# exist or cannot do it, a key, a picture that cannot be downloaded, a prompt that is too long.
SPEAKERS: Final = frozenset({"user", "assistant", "tool"})
EXPLAINED: Final = {"openai_chat": 7, "openai_responses": 2, "claude": 6, "gemini": 1}


def answered(folder: str) -> Iterator[tuple[str, Any]]:
    """Yield id and body of the requests of a folder that their provider took."""
    refused = {said(line.get("request")) for line in corpus.lines(folder, "error")}
    for line in corpus.lines(folder, "request"):
        if line.get("response_status", 200) < 400 and said(line["body"]) not in refused:
            yield line["id"], line["body"]


def said(body: Any) -> str:
    return json.dumps(body, sort_keys=True)


@pytest.mark.corpus
@pytest.mark.parametrize("row", ROWS.values(), ids=list(ROWS))
def test_a_request_accepted_by_its_provider_has_no_violations(row: Row) -> None:
    found = {}
    count = 0
    for identifier, body in answered(row.folder):
        count += 1
        violations = il.check_request(body, row.dialect)
        if violations and identifier not in RECORDED:
            found[identifier] = violations
    assert count >= 12
    assert found == {}


@pytest.mark.corpus
@pytest.mark.parametrize("identifier", RECORDED)
def test_an_exempt_recording_really_has_a_violation(identifier: str) -> None:
    bodies = [(row.dialect, body) for row in ROWS.values() for one, body in answered(row.folder) if one == identifier]
    assert [bool(il.check_request(body, dialect)) for dialect, body in bodies] == [True]


@pytest.mark.corpus
@pytest.mark.parametrize("dialect", EXPLAINED)
def test_violations_explain_why_a_provider_refused(dialect: str) -> None:
    refused = [line for line in corpus.lines(ROWS[dialect].folder, "request") if line.get("response_status") == 400]
    explained = [line["id"] for line in refused if il.check_request(line["body"], dialect)]
    assert len(explained) >= EXPLAINED[dialect]


@pytest.mark.corpus
@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_a_translated_request_has_no_violations(source: str, target: str) -> None:
    newest = next(iter(room(target).DESCRIPTOR.api_versions), None)
    found = {}
    for folder in (ROWS[source].folder, *ROWS[source].compatible):
        for identifier, body in answered(folder):
            if identifier in RECORDED or identifier in REFUSED_ABROAD or identifier in ROWS[source].unreadable:
                continue
            canonical = decode(source, "request", body)
            translated, losses = encode(target, "request", canonical)
            # What the model refuses that a body names, `test_families.py` judges: here no family is written for.
            violations = il.check_request(translated, target, api_version=newest, profile=None)
            broken = [one for one in violations if not unmendable(one, body, canonical, losses)]
            if broken:
                found[identifier] = broken
    assert found == {}


def unmendable(violation: Violation, body: Any, canonical: Any, losses: Sequence[Loss]) -> bool:
    """Whether the source lacks what the target demands, so that only inventing it would help."""
    lost = {
        loss.path.split("/")[2] for loss in losses if loss.path.startswith("/messages/") and loss.severity == "lost"
    }
    spoken = {str(at): one["role"] for at, one in enumerate(canonical["messages"]) if one["role"] in SPEAKERS}
    if violation.code == "empty" and violation.path in {"/messages", "/contents"}:
        return spoken.keys() <= lost  # nobody said anything, or nothing that the target has a place for
    if violation.code == "order" and violation.path == "/contents/0":
        return next(iter(spoken.values())) == "assistant"  # the beginning was cut off
    if violation.code == "orphan_result":
        return "previous_response_id" in body  # the server remembers the call
    return False


SCALARS: Final = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.sampled_from(["", " ", "a", "user", "tool", "function"])
)
WORDS: Final = [
    "additionalProperties", "allowedFunctionNames", "anyOf", "args", "arguments", "budget_tokens", "cache_control",
    "call_id", "contents", "content", "custom", "data", "defer_loading", "file_data", "format", "function",
    "functionCall", "functionCallingConfig", "functionDeclarations", "functionResponse", "function_call",
    "generationConfig", "id", "image_url", "images", "inlineData", "input", "input_audio", "input_schema",
    "json_schema", "max_tokens", "media_type", "messages", "metadata", "mode", "name", "options", "output",
    "output_config", "parameters", "parts", "properties", "required", "response_format", "role", "schema",
    "signature", "source", "stop", "strict", "summary", "system", "text", "thinking", "toolConfig", "tool_call_id",
    "tool_calls", "tool_choice", "tool_use_id", "tools", "ttl", "type", "$defs", "$ref",
]  # fmt: skip
TYPES: Final = st.sampled_from([
    "text", "tool_use", "tool_result", "thinking", "image", "document", "server_tool_use", "message", "function_call",
    "function_call_output", "reasoning", "function", "custom", "input_audio", "file", "json_schema", "json_object",
    "enabled", "tool", "base64", "object",
])  # fmt: skip
ANYTHING: Final = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.sampled_from(WORDS), inner, max_size=5),
        st.builds(
            lambda kind, members: {"type": kind, **members}, TYPES, st.dictionaries(st.sampled_from(WORDS), inner)
        ),
    ),
    max_leaves=25,
)
BODIES: Final = st.dictionaries(st.sampled_from(WORDS), ANYTHING, max_size=6)


@pytest.mark.parametrize("dialect", ROWS)
@given(body=BODIES)
@settings(max_examples=400 if corpus.whole() else 30)
def test_any_object_gives_violations_with_known_codes(dialect: str, body: Any) -> None:
    before = repr(body)
    for violation in il.check_request(body, dialect):
        assert violation.code in VIOLATION_CODES
        assert violation.path == "" or violation.path.startswith("/")
    assert repr(body) == before


@pytest.mark.corpus
@pytest.mark.parametrize("row", ROWS.values(), ids=list(ROWS))
def test_a_body_with_any_value_replaced_gives_violations_with_valid_paths(row: Row) -> None:
    count: Counter[str] = Counter()
    for line in corpus.sample(row.folder, "request", 3):
        for odd in (None, 1, "odd", [], {}, [None, "odd", {}]):
            for body in replaced(line["body"], odd):
                for violation in il.check_request(body, row.dialect):
                    count[violation.code] += 1
                    assert leads_into(violation, body)
    assert len(count) >= 3


RICH: Final[dict[str, Any]] = {
    "model": "m",
    "messages": [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": [{"type": "text", "text": "Hi", "cache_control": {"type": "ephemeral"}}]},
        {"role": "user", "content": [{"type": "image_url", "image_url": {"url": "data:image/png;base64,aGk="}}]},
        {
            "role": "assistant",
            "content": None,
            "reasoning_content": "Hm.",
            "tool_calls": [{"id": "call_1", "type": "function", "function": {"name": "f", "arguments": "{}"}}],
        },
        {"role": "tool", "tool_call_id": "call_1", "content": "done"},
    ],
    "tools": [{"type": "function", "function": {"name": "f", "parameters": {"type": "object"}, "strict": True}}],
    "tool_choice": "required",
    "response_format": {"type": "json_object"},
    "reasoning_effort": "high",
    "max_completion_tokens": 9,
    "stop": ["x"],
    "temperature": 0.5,
    "top_p": 0.5,
    "logprobs": True,
    "top_logprobs": 2,
    "n": 2,
    "verbosity": "low",
}
"""A request that says much of what families of models judge."""
# Members that a translation of it may lack, and that families judge as well.
JUDGED: Final[dict[str, tuple[dict[str, Any], ...]]] = {
    "openai_chat": (
        {"modalities": ["text", "audio"], "audio": {"voice": "ash", "format": "mp3"}},
        {"thinking": {"type": "enabled"}},
    ),
    "claude": ({}, {"thinking": {"type": "disabled"}, "output_config": {"effort": "max"}}),
    "ollama": ({"think": "high"},),
}


@pytest.mark.parametrize("dialect", ROWS)
def test_every_family_checks_a_body_with_any_value_replaced(dialect: str) -> None:
    families = [family.name for family in getattr(room(dialect), "FAMILIES", ())]
    translated = il.translate_request(RICH, "openai_chat", dialect).body
    odds = (None, 1, "odd", [], {}, [None, "odd", {}])
    for family, judged in itertools.product(families, JUDGED.get(dialect, ({},))):
        for odd in odds if corpus.whole() else random.Random(family).sample(odds, 2):
            for changed in replaced({**translated, **judged}, odd):
                for violation in il.check_request(changed, dialect, profile=family):
                    assert leads_into(violation, changed), violation


def replaced(value: Any, odd: Any, depth: int = 5) -> Iterator[Any]:
    """Yield copies of a value in each of which one value inside is an odd one."""
    if depth == 0:
        return
    if isinstance(value, dict):
        for name, inner in value.items():
            yield {**value, name: odd}
            yield from ({**value, name: other} for other in replaced(inner, odd, depth - 1))
    elif isinstance(value, list):
        for index, inner in enumerate(value[:3]):
            yield [*value[:index], odd, *value[index + 1 :]]
            yield from ([*value[:index], other, *value[index + 1 :]] for other in replaced(inner, odd, depth - 1))


def leads_into(violation: Violation, body: Any) -> bool:
    """Whether a path leads to a value of the body, or to the absent member of one."""
    *outer, last = [token.replace("~1", "/").replace("~0", "~") for token in violation.path.split("/")]
    value = body
    for token in outer[1:]:
        value = value[int(token)] if isinstance(value, list) else value[token]
    return isinstance(value, dict) or int(last) < len(value)


@pytest.mark.parametrize("dialect", ROWS)
@pytest.mark.parametrize("body", [None, 1, "text", [], True])
def test_a_value_that_is_not_an_object_is_a_decode_error(dialect: str, body: Any) -> None:
    with pytest.raises(il.DecodeError) as refused:
        il.check_request(body, dialect)
    assert (refused.value.dialect, refused.value.path) == (dialect, "")


def test_an_unknown_version_or_dialect_is_an_error() -> None:
    with pytest.raises(il.EncodeError):
        il.check_request({}, "claude", api_version="1999-01-01")
    with pytest.raises(il.UnknownDialectError):
        il.check_request({}, "nobody's")


def conversation(calls: int) -> dict[str, Any]:
    """Return a request in which the assistant makes so many calls at once, and of which half are answered."""
    asked = [
        {"id": f"call_{at}", "type": "function", "function": {"name": "f", "arguments": "{}"}} for at in range(calls)
    ]
    results = [{"role": "tool", "tool_call_id": call["id"], "content": "done"} for call in asked[::2]]
    messages = [
        {"role": "user", "content": "Hi"},
        {"role": "assistant", "content": None, "tool_calls": asked},
        *results,
    ]
    return {"model": "m", "messages": messages}


@pytest.mark.parametrize("dialect", ROWS)
def test_the_cost_of_checking_is_linear_in_the_body(dialect: str) -> None:
    def judging(calls: int) -> Callable[[], Any]:
        body = il.translate_request(conversation(calls), "openai_chat", dialect).body
        return lambda: il.check_request(body, dialect)

    assert grows_at_most(judging(200), judging(16 * 200), 80)
