"""What users suffered from where requests are written (docs/pain.md), each entry by its id."""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest

import interlingua as il
from support.acceptance import request_refusal
from support.bodies import (
    DIALECTS,
    TEXT,
    chat_answer,
    chat_call,
    claude_answer,
    claude_call,
    gemini_answer,
    gemini_call,
    ollama_answer,
    ollama_call,
    responses_answer,
    responses_call,
    responses_text,
)
from support.canonical import leaves
from support.rooms import ROWS

QUESTION: Final = {"role": "user", "content": "How warm is it?"}
CALL: Final = {"id": "call_1", "name": "look_up", "arguments": {"city": "Rome"}}
RESULT: Final = {"role": "tool", "call_id": "call_1", "content": "31"}


def request(*messages: Any, **members: Any) -> dict[str, Any]:
    """Return a canonical request that is made by hand."""
    return {"model": "m", "max_tokens": 99, "messages": list(messages), **members}


def sent(canonical: dict[str, Any], dialect: str) -> tuple[dict[str, Any], set[tuple[str, str, str]]]:
    """Return the body of a request, and code, path and severity of its losses; it breaks no rule."""
    before = json.dumps(canonical)
    encoded = il.encode_request(canonical, dialect, profile=None)
    assert json.dumps(canonical) == before
    assert il.check_request(encoded.body, dialect) == []
    return encoded.body, {(loss.code, loss.path, loss.severity) for loss in encoded.losses}


def said(value: Any) -> set[str]:
    """Return every text inside a value."""
    return {leaf for _, leaf in leaves(value) if isinstance(leaf, str)}


TWO_TEXTS: Final = [{"type": "text", "text": "One. "}, {"type": "text", "text": "Two."}]
EMPTY_BESIDE_CALL: Final = {"role": "assistant", "content": "", "tool_calls": [CALL]}


@pytest.mark.parametrize("dialect", DIALECTS)
def test_enc_1_an_empty_text_beside_a_call_is_not_sent_to_providers_that_refuse_it(dialect: str) -> None:
    body, losses = sent(request(QUESTION, EMPTY_BESIDE_CALL, RESULT), dialect)
    if dialect in {"claude", "gemini", "openai_responses"}:
        turns: Any = body.get("messages") or body.get("contents") or body.get("input")
        assert "" not in said(turns)
        assert not [path for _, path, _ in losses if path == "/messages/1/content"]  # it says nothing
    assert "look_up" in said(body)


def test_enc_1_an_empty_text_of_claude_itself_is_repaired_and_signed_content_kept() -> None:
    signed = {"type": "thinking", "thinking": "Hm.", "signature": "c2ln"}
    answer = claude_answer(signed, {"type": "text", "text": ""}, claude_call(), reason="tool_use")
    response = il.decode_response(answer, "claude")
    result = {**RESULT, "call_id": "toolu_1"}
    history = request(QUESTION, *response.model_dump(mode="json")["messages"], result, dialect="claude")
    mended = il.repair_request(history, "claude").request
    body, _ = sent(mended.model_dump(mode="json"), "claude")
    assert body["messages"][1]["content"] == [signed, claude_call()]
    assert il.encode_response(response, "claude").body == answer


def test_enc_2_whitespace_only_text_is_left_out_for_claude_and_reported() -> None:
    blank = {"role": "assistant", "content": " \n", "tool_calls": [CALL]}
    body, losses = sent(request(QUESTION, blank, RESULT), "claude")
    assert [block["type"] for block in body["messages"][1]["content"]] == ["tool_use"]
    assert ("empty_text", "/messages/1/content", "lost") in losses


@pytest.mark.parametrize("role", ["user", "assistant"])
@pytest.mark.parametrize(
    "content", [" \n", [{"type": "text", "text": " "}], [{"type": "text", "text": "\t"}, {"type": "text", "text": "x"}]]
)
def test_enc_2_whitespace_only_text_of_any_dialect_is_never_sent_to_claude(role: str, content: Any) -> None:
    said = [{"role": "user", "content": "a"}, {"role": role, "content": content}, {"role": "user", "content": "b"}]
    encoded = il.translate_request({"model": "m", "messages": said}, "openai_chat", "claude")
    assert [one for one in il.check_request(encoded.body, "claude") if one.code == "empty_text"] == []
    told = [(loss.code, loss.severity) for loss in encoded.losses if loss.path.startswith("/messages/1")]
    assert told in ([("empty_text", "lost")], [("message", "lost")])


def test_enc_2_a_last_answer_is_trimmed_for_claude_but_never_its_thoughts() -> None:
    thought = {"thinking_blocks": [{"type": "thinking", "signature": "c2ln"}]}
    last = {"role": "assistant", "reasoning": "Hm. \n", "content": "So: \n", "extra": {"claude": thought}}
    parts = {"role": "assistant", "content": [*TWO_TEXTS, {"type": "text", "text": "So: \n"}]}
    for message, path in ((last, "/messages/1/content"), (parts, "/messages/1/content/2/text")):
        body, losses = sent(request(QUESTION, message), "claude")
        assert "So:" in said(body["messages"][1])
        assert {loss for loss in losses if loss[0] != "required"} == {("content", path, "changed")}
    body, _ = sent(request(QUESTION, last), "claude")
    assert body["messages"][1]["content"][0] == {"type": "thinking", "thinking": "Hm. \n", "signature": "c2ln"}
    assert "So: \n" in said(sent(request(QUESTION, last, QUESTION), "claude")[0])


# What stands as content of an assistant that only calls, and of one that says nothing at all.
NOTHING_SAID: Final[dict[str, tuple[Any, Any]]] = {
    "openai_chat": (None, ""),
    "vllm": (None, ""),
    "ollama": ("", ""),
}


@pytest.mark.parametrize("dialect", NOTHING_SAID)
def test_enc_3_absent_content_is_written_in_the_form_of_each_server(dialect: str) -> None:
    calling, silent = {"role": "assistant", "tool_calls": [CALL]}, {"role": "assistant"}
    body, _ = sent(request(QUESTION, calling, RESULT, silent, QUESTION), dialect)
    found = [message["content"] for message in body["messages"] if message["role"] == "assistant"]
    assert tuple(found) == NOTHING_SAID[dialect]


@pytest.mark.parametrize("dialect", ["openai_responses", "claude", "gemini"])
def test_enc_3_absent_content_is_an_empty_list_where_content_is_a_list(dialect: str) -> None:
    calling, silent = {"role": "assistant", "tool_calls": [CALL]}, {"role": "assistant"}
    body, _ = sent(request(QUESTION, calling, RESULT, silent, QUESTION), dialect)
    turns: Any = body.get("messages") or body.get("contents") or body.get("input")
    assert {"", None}.isdisjoint(leaf for _, leaf in leaves(turns))


@pytest.mark.parametrize("content", [{"content": None}, {"content": ""}, {}], ids=["null", "empty", "absent"])
@pytest.mark.parametrize("dialect", ["openai_chat", "vllm"])
def test_enc_3_within_the_dialect_absent_content_round_trips_beside_calls(
    dialect: str, content: dict[str, Any]
) -> None:
    message = {"role": "assistant", **content, "tool_calls": [chat_call()]}
    body = {"model": "m", "messages": [QUESTION, message, {"role": "tool", "tool_call_id": "call_1", "content": "1"}]}
    assert il.encode_request(il.decode_request(body, dialect), dialect).body == body
    assert "look_up" in said(il.translate_request(body, dialect, "ollama").body)


def test_enc_4_text_parts_are_joined_without_a_separator_where_a_string_is_required() -> None:
    messages = [
        {"role": "system", "content": TWO_TEXTS},
        {"role": "user", "content": TWO_TEXTS},
        {"role": "assistant", "content": TWO_TEXTS, "tool_calls": [CALL]},
        {**RESULT, "content": TWO_TEXTS},
    ]
    body, _ = sent(request(*messages), "ollama")
    assert [message["content"] for message in body["messages"]] == ["One. Two."] * 4


@pytest.mark.parametrize("kind", ["audio", "file"])
def test_enc_4_non_text_parts_are_an_error_or_reported_and_never_ignored(kind: str) -> None:
    part = {"type": kind, "data": "aGk=", "format": "audio/wav" if kind == "audio" else "application/pdf"}
    given = request({"role": "user", "content": [*TWO_TEXTS, part]})
    _, losses = sent(given, "ollama")
    assert ("part", "/messages/0/content/2", "lost") in losses
    with pytest.raises(il.LossError):
        il.encode_request(given, "ollama", strict=True)


ODD_HISTORY: Final = (
    {"role": "assistant", "content": ""},
    QUESTION,
    {"role": "assistant"},
    {"role": "assistant", "tool_calls": [CALL]},
    {"role": "tool", "call_id": "call_1"},
    {"role": "assistant", "refusal": "No."},
    QUESTION,
)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_enc_5_no_placeholder_text_is_sent_or_returned(dialect: str) -> None:
    # No room needs one: every text of a body is said, is a word of the dialect, or an id or a name.
    body = il.encode_request(request(*ODD_HISTORY), dialect).body
    texts = [text for text in said(body) if not text.isidentifier() and text not in {"", *said(list(ODD_HISTORY))}]
    assert [text for text in texts if text not in {'{"city":"Rome"}', "skip_thought_signature_validator"}] == []
    again = il.decode_request(body, dialect).model_dump(mode="json")["messages"]
    contents = [one["content"] for one in again if "content" in one]
    assert {text for content in contents for text in said(content)} <= {"", QUESTION["content"], "No.", "text"}


@pytest.mark.parametrize("dialect", DIALECTS)
def test_enc_6_encoding_is_idempotent_and_does_not_modify_its_input(dialect: str) -> None:
    parts = [*TWO_TEXTS, {"type": "image", "data": "aGk=", "format": "image/png"}]
    messages = [{"role": "developer", "content": "D"}, {"role": "user", "content": parts, "name": "Ann Lee"}]
    messages += [{"role": "assistant", "content": " ", "tool_calls": [{**CALL, "id": "functions.x:0"}]}]
    given = request(*messages, {**RESULT, "call_id": "functions.x:0"}, temperature=0.5, stop=["x"])
    model = il.ChatRequest.model_validate(given)
    before, dumped = json.dumps(given), model.model_dump_json()
    bodies = [il.encode_request(one, dialect).body for one in (given, model, given, model)]
    assert len({json.dumps(body) for body in bodies}) == 1
    assert (json.dumps(given), model.model_dump_json()) == (before, dumped)


# Answers with what only answers have.
RICH_ANSWERS: Final[dict[str, dict[str, Any]]] = {
    "openai_chat": chat_answer(
        {
            "content": TEXT,
            "refusal": None,
            "annotations": [],
            "reasoning_content": "Hm.",
            "tool_calls": [{**chat_call(), "index": 0}],
        },
        "tool_calls",
        service_tier="default",
        system_fingerprint="fp",
    ),
    "openai_responses": responses_answer(
        {"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": "Hm."}], "status": None},
        responses_text({"type": "output_text", "text": TEXT, "annotations": [], "logprobs": []}, phase="commentary"),
        responses_call(),
        service_tier="default",
        error=None,
    ),
    "claude": claude_answer(
        {"type": "thinking", "thinking": "Hm.", "signature": "c2ln"},
        {"type": "text", "text": TEXT, "citations": None},
        {**claude_call(), "caller": {"type": "direct"}},
        reason="tool_use",
        container=None,
    ),
    "gemini": gemini_answer(
        {"text": "Hm.", "thought": True},
        {"text": TEXT},
        {**gemini_call(), "thoughtSignature": "c2ln"},
        createTime="2026-01-02T03:04:05Z",
    ),
    "ollama": ollama_answer(
        {"content": TEXT, "thinking": "Hm.", "tool_calls": [ollama_call()]}, total_duration=7, load_duration=1
    ),
    "vllm": chat_answer(
        {"content": TEXT, "reasoning": "Hm.", "refusal": None, "annotations": None, "tool_calls": [chat_call()]},
        "tool_calls",
        prompt_logprobs=None,
        kv_transfer_params=None,
    ),
}


@pytest.mark.parametrize("target", DIALECTS)
@pytest.mark.parametrize("source", DIALECTS)
def test_enc_7_only_members_valid_in_a_request_are_sent_back(source: str, target: str) -> None:
    response = il.decode_response(RICH_ANSWERS[source], source).model_dump(mode="json")
    call = next(call for message in response["messages"] for call in message.get("tool_calls", ()))
    result = {**RESULT, "name": "look_up"} if "id" not in call else {**RESULT, "call_id": call["id"]}
    result = {name: value for name, value in result.items() if name != "call_id" or "id" in call}
    body, _ = sent(request(QUESTION, *response["messages"], result), target)
    if source != target or source in {"claude", "gemini", "ollama"}:  # OpenAI takes the members of its answers back
        assert request_refusal(ROWS[target], body) == ""
    own = {"service_tier", "system_fingerprint", "usage", "finish_reason", "createTime", "total_duration"}
    assert own.isdisjoint(key for path, _ in leaves(body) for key in path)


@pytest.mark.parametrize("dialect", ["claude", "gemini", "ollama"])
def test_enc_8_a_developer_message_becomes_a_system_message_where_there_is_no_such_role(dialect: str) -> None:
    developer = {"role": "developer", "content": "Be brief."}
    body, losses = sent(
        request(developer, QUESTION, {"role": "assistant", "content": "Hm."}, developer, QUESTION), dialect
    )
    assert {("role", "/messages/0/role", "changed"), ("role", "/messages/3/role", "changed")} <= losses
    assert "developer" not in said(body)
    written = json.dumps(body)
    assert written.count("Be brief.") == 2
    turns = json.dumps(body.get("messages") or body["contents"])
    assert turns.index("Hm.") < turns.rindex("Be brief.") < turns.rindex("How warm")


@pytest.mark.parametrize("dialect", ["openai_chat", "openai_responses", "vllm"])
def test_enc_8_a_developer_message_is_kept_where_the_role_exists(dialect: str) -> None:
    body, losses = sent(request({"role": "developer", "content": "Be brief."}, QUESTION), dialect)
    assert "developer" in said(body)
    assert losses == set()


@pytest.mark.parametrize("dialect", DIALECTS)
def test_enc_9_system_messages_keep_their_order_and_a_role_change_is_reported(dialect: str) -> None:
    system = [{"role": "system", "content": f"Rule {number}."} for number in range(3)]
    answer = {"role": "assistant", "content": "Hm."}
    messages = [system[0], QUESTION, answer, system[1], QUESTION, answer, QUESTION, system[2], QUESTION]
    body, losses = sent(request(*messages), dialect)
    turns = json.dumps(body.get("messages") or body.get("contents") or body.get("input"))
    assert turns.index("Hm.") < turns.index("Rule 1.") < turns.rindex("Hm.") < turns.index("Rule 2.")
    assert json.dumps(body).count("Rule 0.") == 1
    roles = {("role", f"/messages/{at}/role", "changed") for at in (3, 7)}
    assert losses & roles == (roles if dialect in {"claude", "gemini"} else set())


def test_enc_9_the_older_claude_version_has_them_at_the_top_and_reports_it() -> None:
    system = {"role": "system", "content": "Rule."}
    encoded = il.encode_request(request(QUESTION, system, QUESTION), "claude", api_version="2023-06-01")
    assert "Rule." in json.dumps(encoded.body)
    assert "/messages/1/role" in {loss.path for loss in encoded.losses}


@pytest.mark.parametrize("dialect", DIALECTS)
def test_enc_10_consecutive_turns_are_joined_only_where_roles_must_alternate(dialect: str) -> None:
    messages = [
        {"role": "user", "content": "One."},
        {"role": "user", "content": "Two."},
        {"role": "assistant", "content": "Three."},
        {"role": "user", "content": "Four."},
    ]
    body, _ = sent(request(*messages), dialect)
    turns: Any = body.get("messages") or body.get("contents") or body.get("input")
    assert len(turns) == (3 if dialect in {"claude", "gemini"} else 4)
    if dialect in {"claude", "gemini"}:
        assert [part["text"] for part in turns[0].get("content") or turns[0]["parts"]] == ["One.", "Two."]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_enc_11_cache_marks_and_names_of_joined_turns_are_kept_or_reported(dialect: str) -> None:
    users = [
        {"role": "user", "name": name, "content": [{"type": "text", "text": f"I am {name}.", "cache": {"ttl": "5m"}}]}
        for name in ("ann", "bob")
    ]
    body, losses = sent(request(*users), dialect)
    paths = {path for _, path, _ in losses}
    for at, name in enumerate(("ann", "bob")):
        assert name in said(body) or f"/messages/{at}/name" in paths
        marks = ("cache_control", "prompt_cache_breakpoint")
        holders = [one for one in _objects(body) if one.get("text") == f"I am {name}." and set(marks) & one.keys()]
        assert len(holders) == 1 or f"/messages/{at}/content/0/cache" in paths


def _objects(value: Any) -> list[dict[str, Any]]:
    if isinstance(value, list):
        return [one for item in value for one in _objects(item)]
    if not isinstance(value, dict):
        return []
    return [value, *(one for item in value.values() for one in _objects(item))]


_SPEAK: Final = """
import json, sys
import interlingua as il
given = json.load(sys.stdin)
print(json.dumps([il.encode_request(given, dialect).body for dialect in il.dialects()]))
"""


def test_enc_12_the_same_history_gives_the_same_bytes_in_every_process_and_after_storage() -> None:
    tools = [
        {
            "type": "function",
            "name": f"tool_{number}",
            "parameters": {"type": "object", "properties": {"b": {}, "a": {}}},
        }
        for number in range(5)
    ]
    parts = [
        {"type": "text", "text": "A", "cache": {"ttl": "5m"}},
        {"type": "audio", "data": "aGk=", "format": "audio/wav"},
    ]
    call = {**CALL, "arguments": {"z": 1, "a": {"d": 1, "c": 2}}}
    calling = {"role": "assistant", "tool_calls": [call]}
    given = request({"role": "user", "content": parts}, calling, RESULT, tools=tools, stop=["x"], temperature=0.5)
    printed = {_spoken(given, seed) for seed in range(4)}
    assert len(printed) == 1
    model = il.ChatRequest.model_validate(given)
    stored = il.ChatRequest.model_validate_json(model.model_dump_json()).model_dump(mode="json")
    here = json.dumps([il.encode_request(stored, dialect).body for dialect in il.dialects()])
    assert printed == {here}


def _spoken(given: dict[str, Any], seed: int) -> str:
    """Return what a process with a hash seed of its own makes of a request in every dialect."""
    found = subprocess.run(
        [sys.executable, "-c", _SPEAK],
        input=json.dumps(given),
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONHASHSEED": str(seed)},
        cwd=Path(__file__).parents[2],
    )
    return found.stdout.strip()


@pytest.mark.parametrize("dialect", DIALECTS)
def test_enc_12_an_additional_turn_does_not_change_the_bytes_before_it(dialect: str) -> None:
    turns = [QUESTION, {"role": "assistant", "content": "I see.", "tool_calls": [CALL]}, RESULT]
    turns += [{"role": "assistant", "content": "31."}, {"role": "user", "content": "And?"}]
    turns += [{"role": "assistant", "content": "12."}]
    written = []
    for count in (1, 3, 4, 5, 6):
        body = il.encode_request(request(*turns[:count]), dialect, profile=None).body
        written.append(json.dumps(body.get("messages") or body.get("contents") or body.get("input"))[:-1])
    assert all(longer.startswith(shorter) for shorter, longer in itertools.pairwise(written))
