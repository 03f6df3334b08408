"""What users suffered from in requests (docs/pain.md) and `repair_request` mends, each entry by its id."""

from __future__ import annotations

import json
from typing import Any, Final

import pytest

import interlingua as il
from interlingua.chat.repair_order import OPENING

DIALECTS: Final = ("openai_chat", "openai_responses", "claude", "gemini", "ollama", "vllm")
SIGNED: Final = {"type": "thinking", "thinking": "Let me see.\u00a0\n", "signature": "c2lnbmVk"}
REDACTED: Final = {"type": "redacted_thinking", "data": "b3BhcXVl"}
CALL: Final = {"type": "tool_use", "id": "toolu_1", "name": "bash", "input": {}}
DONE: Final = {"type": "tool_result", "tool_use_id": "toolu_1", "content": "done"}


def claude(*turns: Any, **members: Any) -> dict[str, Any]:
    """Return a body of Claude: the user speaks first, then the assistant, and so on."""
    messages = [
        {"role": "assistant" if number % 2 else "user", "content": content} for number, content in enumerate(turns)
    ]
    return {"model": "m", "max_tokens": 5000, "messages": messages, **members}


def responses(*items: Any) -> dict[str, Any]:
    return {"model": "m", "input": list(items)}


def repaired(body: dict[str, Any], dialect: str) -> tuple[dict[str, Any], list[tuple[str, str]]]:
    """Return the body mended, and code and path of its repairs; it is refused before and taken after."""
    before = json.dumps(body)
    assert il.check_request(body, dialect)
    mended = il.repair_request(il.decode_request(body, dialect), dialect)
    again = il.encode_request(mended.request, dialect).body
    assert il.check_request(again, dialect) == []
    assert json.dumps(body) == before
    return again, [(repair.code, repair.path) for repair in mended.repairs]


def test_enc_1_an_empty_text_beside_a_call_is_removed_and_the_signed_call_kept() -> None:
    body = claude("Go.", [SIGNED, {"type": "text", "text": ""}, CALL], [DONE])
    again, repairs = repaired(body, "claude")
    assert again["messages"][1]["content"] == [SIGNED, CALL]
    assert repairs == [("empty_text", "/messages/1/content/0")]


def test_enc_2_only_the_invalid_text_is_dropped_or_trimmed_and_never_thinking() -> None:
    blank = {"type": "text", "text": " \n"}
    body = claude([blank, {"type": "text", "text": "Go. \n"}], [SIGNED, {"type": "text", "text": "So: \n"}])
    again, repairs = repaired(body, "claude")
    assert again["messages"][0]["content"] == [{"type": "text", "text": "Go. \n"}]
    assert again["messages"][1]["content"] == [SIGNED, {"type": "text", "text": "So:"}]
    assert repairs == [("empty_text", "/messages/0/content/0"), ("trailing_space", "/messages/1/content/0/text")]


@pytest.mark.parametrize("content", ["", [], [{"type": "text", "text": ""}]])
def test_enc_1_the_empty_result_of_a_failed_call_says_so(content: Any) -> None:
    body = claude("Go.", [CALL], [{**DONE, "content": content, "is_error": True}])
    again, repairs = repaired(body, "claude")
    assert again["messages"][2]["content"] == [{**DONE, "content": "(The result is empty.)", "is_error": True}]
    assert repairs[-1] == ("empty_result", "/messages/2")


def test_enc_5_inserted_texts_are_only_in_the_repaired_request() -> None:
    given = il.decode_request(claude("Go.", [CALL], "And?"), "claude")
    before = given.model_dump_json()
    assert len(il.repair_request(given, "claude").repairs) == 1
    assert given.model_dump_json() == before


def test_enc_6_repair_does_not_modify_its_input() -> None:
    request: dict[str, Any] = {
        "messages": [
            {"role": "assistant", "content": [{"type": "text", "text": ""}], "tool_calls": []},
            {"role": "tool", "call_id": "a", "content": "1"},
        ]
    }
    before = json.dumps(request)
    for dialect in DIALECTS:
        assert il.repair_request(request, dialect) == il.repair_request(request, dialect)
    assert json.dumps(request) == before


@pytest.mark.parametrize("dialect", DIALECTS)
def test_enc_10_consecutive_turns_are_accepted_and_unchanged(dialect: str) -> None:
    messages = [
        {"role": "user", "content": "One."},
        {"role": "user", "content": "Two."},
        {"role": "assistant", "content": "Three."},
        {"role": "assistant", "content": "Four."},
        {"role": "user", "content": "Five."},
    ]
    mended = il.repair_request({"messages": messages}, dialect)
    assert mended.repairs == ()
    assert mended.request.model_dump(mode="json") == {"messages": messages}


def test_enc_18_calls_in_first_place_get_a_documented_user_message() -> None:
    contents = [
        {"role": "model", "parts": [{"functionCall": {"name": "bash", "args": {}}}]},
        {"role": "user", "parts": [{"functionResponse": {"name": "bash", "response": {"output": "done"}}}]},
    ]
    again, repairs = repaired({"contents": contents}, "gemini")
    assert again["contents"] == [{"role": "user", "parts": [{"text": OPENING}]}, *contents]
    assert repairs == [("first_message", "/messages/0")]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_enc_18_an_answer_in_first_place_is_unchanged_where_accepted(dialect: str) -> None:
    messages = [{"role": "assistant", "content": "Hello!"}, {"role": "user", "content": "Hi."}]
    mended = il.repair_request({"messages": messages}, dialect)
    told = [(repair.code, repair.path) for repair in mended.repairs]
    assert told == ([("first_message", "/messages/0")] if dialect == "bedrock_converse" else [])


def test_enc_18_bedrock_gets_a_user_message_before_a_greeting() -> None:
    said = [("assistant", "Hello!"), ("user", "Hi.")]
    turns = [{"role": role, "content": [{"text": text}]} for role, text in said]
    again, repairs = repaired({"messages": turns}, "bedrock_converse")
    assert again["messages"] == [{"role": "user", "content": [{"text": OPENING}]}, *turns]
    assert repairs == [("first_message", "/messages/0")]


@pytest.mark.parametrize("dialect", ["openai_chat", "claude", "gemini"])
def test_enc_18_a_request_without_user_content_is_not_repaired_and_the_violation_remains(dialect: str) -> None:
    for messages in ([], [{"role": "tool", "call_id": "a", "content": "1"}]):
        mended = il.repair_request({"model": "m", "max_tokens": 1, "messages": messages}, dialect)
        assert mended.request.messages == ()
        codes = [one.code for one in il.check_request(il.encode_request(mended.request, dialect).body, dialect)]
        assert codes == ["empty"]


def test_enc_19_a_refused_speaker_name_is_renamed_and_two_speakers_stay_different() -> None:
    names = ["Ann Lee", "Ann/Lee", "Zo\u00eb"]
    body = {"model": "m", "messages": [{"role": "user", "content": "Hi.", "name": name} for name in names]}
    again, repairs = repaired(body, "openai_chat")
    renamed = [message["name"] for message in again["messages"]]
    assert len(set(renamed)) == 3
    assert renamed[2] == names[2]
    assert repairs == [("name", "/messages/0/name"), ("name", "/messages/1/name")]


def test_tool_1_refused_ids_are_renamed_consistently_in_calls_and_results() -> None:
    wrong = {**CALL, "id": "functions.Bash:0"}
    body = claude("Go.", [wrong], [{**DONE, "tool_use_id": "functions.Bash:0"}])
    again, repairs = repaired(body, "claude")
    assert again["messages"][1]["content"][0]["id"] == again["messages"][2]["content"][0]["tool_use_id"]
    assert repairs == [("id", "/messages/1/tool_calls/0/id"), ("id", "/messages/2/call_id")]


def test_tool_1_a_duplicate_id_becomes_two_ids_each_with_its_result() -> None:
    body = claude("Go.", [CALL], [DONE], [CALL], [{**DONE, "content": "again"}])
    again, repairs = repaired(body, "claude")
    calls = [message["content"][0]["id"] for message in again["messages"][1::2]]
    results = [
        (message["content"][0]["tool_use_id"], message["content"][0]["content"]) for message in again["messages"][2::2]
    ]
    assert calls == ["toolu_1", "toolu_1_2"]
    assert results == [("toolu_1", "done"), ("toolu_1_2", "again")]
    assert {code for code, _ in repairs} == {"duplicate_id"}


def test_rea_1_signed_thinking_is_unchanged_by_repair() -> None:
    body = claude("Go.", [SIGNED, REDACTED, CALL], "And?")
    again, _ = repaired(body, "claude")
    assert again["messages"][1] == body["messages"][1]


def test_rea_1_thinking_is_disabled_if_the_open_turn_has_lost_its_thinking() -> None:
    body = claude("Go.", [CALL], [DONE], thinking={"type": "enabled", "budget_tokens": 2000})
    again, repairs = repaired(body, "claude")
    assert again["thinking"] == {"type": "disabled"}
    assert repairs == [("reasoning_setting", "/reasoning/mode")]
    closed = claude("Go.", [CALL], [DONE], "Done.", "More.", thinking={"type": "enabled", "budget_tokens": 2000})
    assert il.repair_request(il.decode_request(closed, "claude"), "claude").repairs == ()


@pytest.mark.parametrize("signature", [{}, {"signature": ""}], ids=["absent", "empty"])
def test_rea_4_thinking_of_a_truncated_stream_is_removed_and_signed_thinking_kept(signature: dict[str, str]) -> None:
    partial = {"type": "thinking", "thinking": "Perhaps", **signature}
    body = claude("Go.", [SIGNED, partial, {"type": "text", "text": "So"}], "Go on.")
    again, repairs = repaired(body, "claude")
    assert again["messages"][1]["content"] == [SIGNED, {"type": "text", "text": "So"}]
    assert repairs == [("unsigned_reasoning", "/messages/1/reasoning/1")]


def test_rea_6_repair_creates_no_signatures() -> None:
    again, _ = repaired(claude("Go.", [{"type": "thinking", "thinking": "Hm."}, CALL], [DONE]), "claude")
    assert again["messages"][1]["content"] == [CALL]
    assert "signature" not in json.dumps(again)


REASONING: Final = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "b3BhcXVl"}
ASKED: Final = {"type": "function_call", "id": "fc_1", "call_id": "a", "name": "bash", "arguments": "{}"}
ANSWERED: Final = {"type": "function_call_output", "call_id": "a", "output": "done"}
QUESTION: Final = {"role": "user", "content": "Go."}


def test_rea_8_reasoning_without_its_following_item_is_dropped() -> None:
    again, repairs = repaired(responses(QUESTION, REASONING, {"role": "user", "content": "And?"}), "openai_responses")
    assert again["input"] == [QUESTION, {"role": "user", "content": "And?"}]
    assert [code for code, _ in repairs] == ["orphan_reasoning"]
    whole = responses(QUESTION, REASONING, ASKED, ANSWERED)
    assert il.repair_request(il.decode_request(whole, "openai_responses"), "openai_responses").repairs == ()


@pytest.mark.parametrize("count", range(1, 5))
def test_rea_8_any_window_of_items_is_accepted(count: int) -> None:
    items = [QUESTION, REASONING, ASKED, ANSWERED, {**REASONING, "id": "rs_2"}, QUESTION]
    for first in range(len(items) - count + 1):
        request = il.decode_request(responses(*items[first : first + count], QUESTION), "openai_responses")
        mended = il.repair_request(request, "openai_responses").request
        assert il.check_request(il.encode_request(mended, "openai_responses").body, "openai_responses") == []


def test_tool_2_an_item_id_not_issued_by_the_provider_is_removed() -> None:
    said = {"type": "message", "id": "item-7", "role": "assistant", "status": "completed", "content": "Hi."}
    again, repairs = repaired(responses(QUESTION, said, {**ASKED, "id": "call-7"}, ANSWERED), "openai_responses")
    assert not any("id" in item for item in again["input"])
    assert [code for code, _ in repairs] == ["id", "id"]


@pytest.mark.parametrize("thinking", ["", "Hm."])
@pytest.mark.parametrize("dialect", DIALECTS)
def test_rea_14_a_turn_of_only_unsigned_thinking_does_not_block_the_session(dialect: str, thinking: str) -> None:
    messages = [
        {"role": "user", "content": "Go."},
        {"role": "assistant", "reasoning": thinking},
        {"role": "user", "content": "And?"},
    ]
    home = {"dialect": dialect, "model": "m", "max_tokens": 100, "messages": messages}
    for request in (home, {"model": "m", "max_tokens": 100, "messages": messages}):
        mended = il.repair_request(request, dialect).request
        assert il.check_request(il.encode_request(mended, dialect).body, dialect) == []


def test_unsigned_thinking_is_kept_for_models_that_accept_it() -> None:
    asked = {"role": "assistant", "content": [{"type": "thinking", "thinking": "Hm.", "signature": ""}, CALLED]}
    body: dict[str, Any] = {
        "model": "deepseek-v4-pro",
        "max_tokens": 9000,
        "thinking": {"type": "enabled", "budget_tokens": 2000},
        "messages": [{"role": "user", "content": "Look."}, asked, {"role": "user", "content": "Stop."}],
    }
    repaired = il.repair_request(il.decode_request(body, "claude"), "claude")
    assert [one.code for one in repaired.repairs] == ["unanswered_call"]
    again = il.encode_request(repaired.request, "claude").body
    assert (again["thinking"], again["messages"][1]) == (body["thinking"], asked)


CALLED: Final = {"type": "tool_use", "id": "toolu_1", "name": "look", "input": {}}
