"""The vectors of translation: there are enough, of every shape; they are as today's code makes them, and accepted."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest
from jsonschema import Draft202012Validator

import interlingua as il
import vectors as tool
from interlingua.vectors import KINDS, Judgement, Vector, expected, judge, pairs, read_given, read_vectors
from interlingua.vectors.files import GIVEN, lines
from interlingua.vectors.making import whole_body
from support.acceptance import broken_rules, request_refusal, response_refusal
from support.rooms import ROWS

FOLDER: Final = Path(__file__).parents[2] / "schema" / "vectors" / "translation"
PAIRS: Final = pairs(FOLDER)
ENOUGH: Final = 40


@cache
def format_of(name: str) -> Draft202012Validator:
    """Return the judge of one form of line."""
    schema = json.loads((FOLDER / "vector.schema.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator({**schema, "oneOf": [{"$ref": f"#/$defs/{name}"}]})


def named(found: list[Vector]) -> dict[str, Vector]:
    return {one.given.id: one for one in found}


def test_there_are_vectors_for_every_pair_of_dialects() -> None:
    assert set(PAIRS) == {(one, other) for one in ROWS for other in ROWS if one != other}


def test_stored_vectors_equal_the_current_translation() -> None:
    assert tool.run(FOLDER, check=True) == [], tool.ADVICE


@pytest.mark.parametrize("dialect", ROWS)
def test_vector_inputs_are_valid_and_accepted_by_their_provider(dialect: str) -> None:
    for line in lines(FOLDER / dialect / GIVEN):
        assert list(format_of("given").iter_errors(line)) == [], line["id"]
    for one in read_given(dialect, FOLDER):
        assert refused(dialect, one.kind, one.value) == [], one.id


def refused(dialect: str, kind: str, value: Any) -> list[Any]:
    """Return what the provider's SDK and its rules refuse. Streams and errors are read to the end."""
    match kind:
        case "request":
            # The SDK of Bedrock takes the model beside the other members.
            body = whole_body(value, dialect) if dialect == "bedrock_converse" else value["body"]
            found: list[Any] = [*il.check_request(body, dialect), *filter(None, [request_refusal(ROWS[dialect], body)])]
        case "response":
            found = list(filter(None, [response_refusal(ROWS[dialect], value["body"])]))
        case "stream":
            events = il.decode_stream(value["frames"], dialect)
            found = [one for one in events if one.type == "opaque" and one.data not in ({"type": "ping"}, "[DONE]")]
        case _:
            category = il.decode_error(
                value["body"], dialect, status=value["status"], headers=value["headers"]
            ).category
            found = [category] if category == "unknown" else []
    return found


@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_each_pair_has_enough_vectors_and_their_expected_values_are_accepted(source: str, target: str) -> None:
    for line in lines(FOLDER / source / f"{target}.jsonl"):
        assert list(format_of("expected").iter_errors(line)) == [], line["id"]
    found = read_vectors(source, target, FOLDER)
    assert len({json.dumps(one.given.value, sort_keys=True) for one in found}) == len(found) > ENOUGH
    assert Counter(one.given.kind for one in found).keys() == set(KINDS)
    assert 10 * sum(one.is_by_hand for one in found) >= len(found)
    for one in found:
        assert refused(target, one.given.kind, one.expected) == [], one.given.id
        if one.given.kind == "request":
            assert broken_rules(target, one.expected["body"]) == [], one.given.id


@pytest.mark.parametrize(("source", "target"), [("openai_chat", "claude"), ("gemini", "openai_responses")])
def test_the_check_detects_planted_differences(source: str, target: str, tmp_path: Path) -> None:
    for dialect in (source, target):
        (tmp_path / dialect).mkdir()
        (tmp_path / dialect / GIVEN).write_bytes((FOLDER / dialect / GIVEN).read_bytes())
        other = target if dialect == source else source
        (tmp_path / dialect / f"{other}.jsonl").write_bytes((FOLDER / dialect / f"{other}.jsonl").read_bytes())
    assert tool.run(tmp_path, check=True) == []
    path = tmp_path / source / f"{target}.jsonl"
    rows = list(lines(path))
    by_hand = next(row for row in rows if row["source"] == "hand")
    by_hand["expected"]["body"]["planted"] = 1
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    problem = f"{source}/{target}.jsonl: {by_hand['id']} is written otherwise at /body/planted"
    assert tool.run(tmp_path, check=True) == [problem]
    assert tool.run(tmp_path, check=False) == [problem]  # a person's line is not written anew
    by_hand["source"] = "generated"
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    assert tool.run(tmp_path, check=True) == [f"{source}/{target}.jsonl is out of date"]
    assert tool.run(tmp_path, check=False) == []
    assert tool.run(tmp_path, check=True) == []
    (tmp_path / source / "nothing.jsonl").write_text("", encoding="utf-8")
    assert tool.run(tmp_path, check=True) == [f"{source}/nothing.jsonl: no such pair"]


def test_equivalent_values_pass_and_different_ones_fail() -> None:
    found = named(list(read_vectors("claude", "openai_chat", FOLDER)))
    loop = found["tool_loop"]
    body = json.loads(json.dumps(loop.expected["body"]).replace("toolu_1", "call_of_mine"))
    body["messages"][0]["content"] = [{"type": "text", "text": body["messages"][0]["content"]}]
    assert judge(loop, loop.expected) == Judgement("equal")
    assert judge(loop, {"body": body}) == Judgement("equivalent")
    body["messages"][0]["content"][0]["text"] = "How cold is it?"
    assert judge(loop, {"body": body}) == Judgement("different", ("/messages/0/content",))
    assert judge(loop, {"body": {"messages": 1}}).verdict == "failed"


def test_filled_members_are_not_compared() -> None:
    vector = named(list(read_vectors("openai_chat", "claude", FOLDER)))["tools"]
    assert vector.expected["body"]["max_tokens"] == 4096
    assert judge(vector, {"body": {**vector.expected["body"], "max_tokens": 1024}}) == Judgement("equivalent")
    assert judge(vector, {"body": {**vector.expected["body"], "stream": False}}) == Judgement("equivalent")
    assert judge(vector, {"body": {**vector.expected["body"], "stream": True}}) == Judgement("different", ("/stream",))
    asked = named(list(read_vectors("openai_chat", "claude", FOLDER)))["text"]
    other = {"body": {**asked.expected["body"], "max_tokens": 1024}}
    assert judge(asked, other) == Judgement("different", ("/max_tokens",))


def test_stream_fragmentation_is_not_compared_but_errors_are() -> None:
    found = named(list(read_vectors("claude", "ollama", FOLDER)))
    text = found["stream_text"]
    frames: list[Any] = json.loads(json.dumps(text.expected["frames"]))
    frames[0]["message"]["content"] = "".join(one["message"]["content"] for one in frames)
    joined = [frames[0], *({**one, "message": {**one["message"], "content": ""}} for one in frames[1:])]
    assert judge(text, {"frames": joined}) == Judgement("equivalent")
    cut = found["stream_error"]
    assert judge(cut, {"frames": cut.expected["frames"][:-1]}).verdict == "different"


def test_partial_usage_of_a_failed_stream_is_not_compared() -> None:
    vector = named(list(read_vectors("openai_responses", "claude", FOLDER)))["stream_error"]
    frames: list[Any] = json.loads(json.dumps(vector.expected["frames"]))
    frames[0]["message"]["usage"]["input_tokens"] = 12
    assert judge(vector, {"frames": frames}) == Judgement("equivalent")


def test_errors_are_compared_by_client_behaviour() -> None:
    vector = named(list(read_vectors("gemini", "claude", FOLDER)))["error_rate_limit"]
    said = {
        **vector.expected,
        "body": {"type": "error", "error": {"type": "rate_limit_error", "message": "Slow down."}},
    }
    assert judge(vector, said) == Judgement("equivalent")
    assert judge(vector, {**said, "status": 500}).places == ("/status",)
    assert judge(vector, {**said, "body": "<html>"}).verdict in {"equivalent", "different"}


def test_model_and_stream_of_the_url_are_beside_the_body() -> None:
    value = {"model": "m", "stream": True, "body": {"contents": [{"role": "user", "parts": [{"text": "Hi"}]}]}}
    made, losses = expected("request", value, "gemini", "openai_chat")
    assert (made["body"]["model"], made["body"]["stream"]) == ("m", True)
    assert [loss["path"] for loss in losses] == ["/stream_usage"]
    back, _ = expected("request", made, "openai_chat", "gemini")
    assert back == value
    assert whole_body(value, "gemini") == {"model": "m", **value["body"]}
