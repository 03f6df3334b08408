"""What `repair_request` holds over every recorded request, as it came and with every kind of damage.

A repaired request breaks no rule about conversations; nothing is silent, nothing is made up, nothing is done twice.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

import pytest

import interlingua as il
from interlingua.chat import REPAIR_CODES, repair_plain_request
from interlingua.chat.repair_calls import UNANSWERED
from interlingua.chat.repair_order import OPENING
from interlingua.loss import LossLog
from interlingua.registry import room
from support import corpus
from support.damage import damaged
from support.rooms import ROWS, decode, encode

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from interlingua.violation import Violation

pytestmark = [pytest.mark.laws]

# What a repair answers for. All else is no matter of who said what when: settings, schemas, media, unknown roles.
MENDED: Final = frozenset(
    {
        "dangling_call", "duplicate_id", "empty", "empty_text", "id", "name", "order", "orphan_result", "prefill",
        "reasoning", "signature", "trailing_space",
    }
)  # fmt: skip
# Docs/repair.md: the caller decides whether the begun answer or the form of the answer goes.
UNDECIDED: Final = "with output_config.format, the last message may not be the assistant's text"
# Where nobody asked anything, there is nothing to mend.
NOBODY_ASKED: Final = {("empty", "/messages"), ("empty", "/contents"), ("empty", "/input")}
MISSING: Final = frozenset({"missing_id", "missing_name"})
SAID: Final = frozenset({"text", "content", "arguments", "refusal", "reasoning"})
PAIRS: Final = [pytest.param(source, target, id=f"{source}-{target}") for source in ROWS for target in ROWS]
FEW: Final = 15

Case = tuple[str, dict[str, Any]]


def cases(source: str, size: int = FEW) -> Iterator[Case]:
    """Yield what is damaged where, and the plain canonical request."""
    row = ROWS[source]
    for line in corpus.sample(row.folder, "request", size):
        if line["id"] not in row.unreadable:
            canonical = decode(source, "request", line["body"])
            for name, messages in damaged(canonical["messages"]):
                yield f"{line['id']}: {name}", {**canonical, "messages": messages}


def violations(request: dict[str, Any], dialect: str) -> list[Violation]:
    return il.check_request(encode(dialect, "request", request)[0], dialect, profile=None)


def leaves(value: Any, path: str, member: str = "") -> Iterator[tuple[str, str]]:
    """Yield what was said in messages, as text, each with its JSON Pointer; what is verbatim is one leaf."""
    if isinstance(value, list):
        for at, one in enumerate(value):
            yield from leaves(one, f"{path}/{at}", member)
    elif member == "arguments" or (isinstance(value, str) and member in SAID):
        yield path, json.dumps(value)
    elif isinstance(value, dict):
        if value.get("role") == "opaque" or value.get("type") == "opaque":
            yield path, json.dumps(value["data"])
            return
        for name, one in value.items():
            if name not in {"extra", "citations"}:
                yield from leaves(one, f"{path}/{name}", name)


def at(request: Any, path: str) -> Any:
    """Return the value at a JSON Pointer. Raises LookupError where there is none."""
    for token in path.split("/")[1:]:
        name = token.replace("~1", "/").replace("~0", "~")
        request = request[int(name)] if isinstance(request, list) else request[name]
    return request


@pytest.mark.corpus
@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_a_repaired_request_violates_no_conversation_rule(source: str, target: str) -> None:
    found = {}
    for name, request in cases(source):
        mended, _ = repair_plain_request(request, target)
        before = {violation.code for violation in violations(request, target)}
        after = violations(mended, target)
        wrong = [one for one in after if one.code in MENDED and (one.code, one.path) not in NOBODY_ASKED]
        wrong = [one for one in wrong if one.detail != UNDECIDED]
        wrong += [one for one in after if one.code not in before | MENDED]
        if wrong:
            found[name] = wrong
    assert found == {}


@pytest.mark.corpus
@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_repair_is_idempotent_and_does_not_modify_its_input(source: str, target: str) -> None:
    for name, request in cases(source):
        before = json.dumps(request)
        mended, repairs = repair_plain_request(request, target)
        assert json.dumps(request) == before, name
        assert repair_plain_request(mended, target) == (mended, ()), name
        assert (mended is request) == (not repairs), name


@pytest.mark.corpus
@pytest.mark.parametrize("dialect", ROWS)
def test_a_request_that_its_provider_accepts_is_unchanged(dialect: str) -> None:
    row = ROWS[dialect]
    changed = {}
    taken = 0
    for folder in (row.folder, *row.compatible):
        for line in corpus.lines(folder, "request"):
            if line["id"] in row.unreadable:
                continue
            canonical = decode(dialect, "request", line["body"])
            # What is required of a conversation are ids and contents; some of that is mended, too.
            if not any(one.code in MENDED | {"required"} for one in violations(canonical, dialect)):
                taken += 1
                mended, repairs = repair_plain_request(canonical, dialect)
                if repairs or mended is not canonical:
                    changed[line["id"]] = repairs
    assert changed == {}
    assert taken


@pytest.mark.corpus
@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_a_request_without_violations_is_returned_unchanged(source: str, target: str) -> None:
    changed = {}
    taken = 0
    for name, request in cases(source):
        if violations(request, target) == []:
            taken += 1
            mended, repairs = repair_plain_request(request, target)
            if repairs or mended is not request:
                changed[name] = repairs
    assert changed == {}
    assert taken


def asking(*identifiers: str) -> dict[str, Any]:
    calls = [{"id": identifier, "name": "look", "arguments": {}} for identifier in identifiers]
    return {"role": "assistant", "tool_calls": calls}


RESULT: Final = {"role": "tool", "call_id": "a", "content": "1"}
ANSWER: Final = {"role": "assistant", "content": "Done."}
# Conversations that some dialects take although calls and results are no pairs.
UNPAIRED: Final = {
    "an orphan": [{**RESULT, "call_id": "b"}, ANSWER],
    "a second result": [asking("a"), RESULT, RESULT, ANSWER],
    "a second result, much later": [asking("a"), RESULT, ANSWER, {"role": "user", "content": "And?"}, RESULT],
    "a repeated id": [asking("a", "a"), RESULT, RESULT, ANSWER],
    "one result for two calls": [asking("a", "a"), RESULT, ANSWER],
    "a call without a result": [asking("a"), ANSWER],
    "a result before its call": [RESULT, asking("a")],
    "a call and a result without ids": [
        {"role": "assistant", "tool_calls": [{"name": "look", "arguments": {}}]},
        {"role": "tool", "name": "look", "content": "1"},
    ],
}
LENIENT: Final = {
    "openai_responses": {
        "a second result", "a second result, much later", "a repeated id", "one result for two calls",
    },
    "ollama": set(UNPAIRED),
    "vllm": set(UNPAIRED),
}  # fmt: skip


@pytest.mark.parametrize("is_home", [True, False], ids=["home", "abroad"])
@pytest.mark.parametrize(
    ("dialect", "name"), [(dialect, name) for dialect, names in LENIENT.items() for name in sorted(names)]
)
def test_accepted_calls_and_results_are_kept_beside_repaired_ones(dialect: str, name: str, is_home: bool) -> None:
    home = {"dialect": dialect} if is_home else {}
    question = {"role": "user", "content": "Look."}
    request = {**home, "model": "m", "max_tokens": 1000, "messages": [question, *UNPAIRED[name]]}
    assert violations(request, dialect) == []
    assert repair_plain_request(request, dialect) == (request, ())
    model = il.ChatRequest.model_validate(request)
    assert il.repair_request(model, dialect).request is model
    broken = {**request, "messages": [{"role": "user", "content": "Look.\ud800"}, *UNPAIRED[name]]}
    mended, repairs = repair_plain_request(broken, dialect)
    assert [(one.code, one.path) for one in repairs] == [("half_character", "/messages/0/content")]
    assert mended["messages"][1:] == UNPAIRED[name]
    assert violations(mended, dialect) == []


@pytest.mark.corpus
@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_all_content_is_kept_or_named_by_a_repair(source: str, target: str) -> None:
    for name, request in cases(source):
        mended, repairs = repair_plain_request(request, target)
        said = list(leaves(request["messages"], "/messages"))
        gone = Counter(text for _, text in said)
        gone.subtract(text for _, text in leaves(mended["messages"], "/messages"))
        paths = tuple(repair.path for repair in repairs if repair.action != "inserted")
        named = Counter(
            text for path, text in said if path in paths or path.startswith(tuple(f"{one}/" for one in paths))
        )
        assert [text for text, count in gone.items() if count > named[text]] == [], name


@pytest.mark.corpus
@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_only_documented_texts_are_inserted(source: str, target: str) -> None:
    notices = {json.dumps(OPENING), json.dumps(UNANSWERED)}
    for name, request in cases(source):
        mended, repairs = repair_plain_request(request, target)
        said = {text for _, text in leaves(request["messages"], "/messages")}
        new = [text for _, text in leaves(mended["messages"], "/messages") if text not in said]
        trimmed = [repair for repair in repairs if repair.action == "trimmed"]
        invented = [text for text in new if text not in notices]
        assert len(invented) <= len(trimmed), name
        assert all(any(text[:-1] == one[: len(text) - 1] for one in said) for text in invented), name
        inserted = sum(repair.action == "inserted" and repair.code not in MISSING for repair in repairs)
        assert len(new) - len(invented) == inserted, name


@pytest.mark.corpus
@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_every_repair_has_a_known_code_and_a_valid_path(source: str, target: str) -> None:
    for name, request in cases(source):
        for repair in repair_plain_request(request, target)[1]:
            assert repair.code in REPAIR_CODES
            if repair.code in MISSING:  # what was put in is not there
                parent, _, _ = repair.path.rpartition("/")
                assert at(request, parent), (name, repair)
            else:
                at(request, repair.path)


@pytest.mark.corpus
@pytest.mark.parametrize("dialect", ROWS)
def test_models_and_plain_requests_are_repaired_equally(dialect: str) -> None:
    for name, request in cases(dialect, 5):
        mended, repairs = repair_plain_request(request, dialect)
        repaired = il.repair_request(il.ChatRequest.model_validate(request), dialect)
        assert repaired.request.model_dump(mode="json") == mended, name
        assert repaired.repairs == repairs, name
        assert il.repair_request(request, dialect) == repaired, name


@pytest.mark.parametrize("dialect", ROWS)
def test_the_cost_of_repair_is_linear_in_the_messages(dialect: str) -> None:
    def work(count: int) -> int:
        messages: list[dict[str, Any]] = []
        for number in range(count):
            call = {"id": f"call {number % 7}", "name": f"tool {number % 3}", "arguments": {}}
            messages.append({"role": "assistant", "content": " ", "tool_calls": [call, {**call, "id": f"x{number}"}]})
            messages.append({"role": "user", "content": ""})
            messages.append({"role": "tool", "call_id": f"x{number - 1}", "content": "1"})
        unnamed: list[dict[str, Any]] = [{"name": "tool", "arguments": {}} for _ in range(count)]
        messages.append({"role": "assistant", "tool_calls": unnamed})
        messages.extend({"role": "tool", "name": "tool", "content": "1"} for _ in range(count))
        return calls_of(lambda: repair_plain_request({"dialect": dialect, "messages": messages}, dialect))

    assert work(1000) < 11 * work(100)


def calls_of(run: Callable[[], object]) -> int:
    """Return how many functions a run calls, those of Python itself included."""
    count = 0

    def seen(_frame: object, event: str, _argument: object) -> None:
        nonlocal count
        count += event in {"call", "c_call"}

    sys.setprofile(seen)
    try:
        run()
    finally:
        sys.setprofile(None)
    return count


def test_the_rules_detect_the_damage_that_repair_corrects() -> None:
    # A test of the test: rules that find nothing would prove every repair.
    call = {"id": "a:1", "name": "look", "arguments": {}}
    request: Any = {
        "dialect": "claude",
        "model": "m",
        "max_tokens": 1,
        "messages": [
            {"role": "assistant", "tool_calls": [call]},
            {"role": "user", "content": " "},
            {"role": "tool", "call_id": "b", "content": "1"},
            {"role": "assistant", "content": "So: "},
        ],
    }
    body = room("claude").encode_request(request, LossLog())
    codes = {violation.code for violation in il.check_request(body, "claude")}
    assert codes >= {"dangling_call", "orphan_result", "empty_text", "id", "order", "trailing_space"}
