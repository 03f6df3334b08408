"""A request that is mended for another dialect: what the encoder writes of it decides what is missing."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il
from interlingua.chat.repair_calls import UNANSWERED

SHELL_CALL: Final = {
    "type": "local_shell_call",
    "id": "lsh_1",
    "call_id": "call_1",
    "status": "completed",
    "action": {"type": "exec", "command": ["ls"], "env": {}},
}
SHELL_RESULT: Final = {"type": "local_shell_call_output", "call_id": "call_1", "output": "a.txt"}
QUESTION: Final = {"role": "user", "content": "List the files."}
PAIRING: Final = ("openai_chat", "claude", "gemini", "bedrock_converse")


def mended(dialect: str, *items: Any) -> tuple[il.ChatRequest, dict[str, Any], list[str]]:
    """Return a request of Responses mended for a dialect, what is sent, and what was mended."""
    body = {"model": "m", "input": list(items), "tools": [{"type": "local_shell"}]}
    given = il.decode_request(body, "openai_responses")
    assert il.check_request(il.encode_request(given, dialect).body, dialect, profile=None) != []
    repaired = il.repair_request(given, dialect)
    sent = il.encode_request(repaired.request, dialect).body
    assert il.check_request(sent, dialect, profile=None) == []
    return repaired.request, sent, [repair.code for repair in repaired.repairs]


@pytest.mark.parametrize("dialect", PAIRING)
def test_a_result_of_a_client_tool_without_its_call_is_dropped_in_other_dialects(dialect: str) -> None:
    request, _, codes = mended(dialect, SHELL_RESULT, QUESTION)
    assert codes == ["orphan_result"]
    assert [message.role for message in request.messages] == ["user"]


@pytest.mark.parametrize("dialect", PAIRING)
def test_an_unanswered_client_tool_call_is_answered_in_other_dialects_and_stays_an_item(
    dialect: str,
) -> None:
    request, sent, codes = mended(dialect, QUESTION, SHELL_CALL, {"role": "user", "content": "Well?"})
    assert codes == ["unanswered_call"]
    plain = request.model_dump(mode="json")["messages"]
    assert [message["role"] for message in plain] == ["user", "opaque", "tool", "user"]
    assert plain[1]["data"] == SHELL_CALL
    assert UNANSWERED in str(sent)


def test_client_tool_calls_are_not_the_first_turn_of_a_gemini_conversation() -> None:
    body = {"model": "m", "input": [SHELL_CALL, SHELL_RESULT], "tools": [{"type": "local_shell"}]}
    request = il.decode_request(body, "openai_responses")
    sent = il.encode_request(request, "gemini").body
    assert [content["role"] for content in sent["contents"]] == ["user", "model", "user"]
    assert il.check_request(sent, "gemini", profile=None) == []
    assert il.repair_request(request, "gemini").repairs == ()


def test_a_claude_system_message_without_a_valid_place_becomes_a_user_message_or_moves_after_one() -> None:
    call = {"type": "tool_use", "id": "toolu_1", "name": "look", "input": {}}
    result = {"type": "tool_result", "tool_use_id": "toolu_2", "content": "31"}
    added = {"type": "tool_addition", "tool": {"type": "tool_reference", "name": "look"}}
    for instruction, roles in (
        ({"type": "text", "text": "Be brief."}, ["user", "assistant", "user"]),
        (added, ["user", "system", "assistant"]),
    ):
        body: dict[str, Any] = {
            "model": "claude-opus-4-8",
            "max_tokens": 100,
            "messages": [
                {"role": "user", "content": "Hi"},
                {"role": "assistant", "content": [{"type": "text", "text": "I look."}]},
                {"role": "user", "content": [result]},
                {"role": "system", "content": [instruction]},
            ],
        }
        repaired = il.repair_request(il.decode_request(body, "claude"), "claude")
        assert [one.code for one in repaired.repairs] == ["orphan_result", "misplaced_instruction"]
        sent = il.encode_request(repaired.request, "claude").body
        assert [message["role"] for message in sent["messages"]] == roles
        assert instruction in [block for message in sent["messages"] for block in message["content"]]
    # Before the user it cannot be said by the user, nor is there a place behind an earlier turn: it stays, unreported.
    before_user = {**body, "messages": [body["messages"][0], body["messages"][3], body["messages"][0]]}
    assert il.repair_request(il.decode_request(before_user, "claude"), "claude").repairs == ()
    body["messages"][1]["content"], result["tool_use_id"] = [call], "toolu_1"
    assert il.repair_request(il.decode_request(body, "claude"), "claude").repairs == ()


@pytest.mark.parametrize("choice", ["openai_chat", "vllm"])
def test_a_disallowed_custom_tool_stays_disallowed_if_a_provider_tool_is_dropped(choice: str) -> None:
    tools = [{"type": "code_execution"}, {"type": "custom", "name": "patch"}]
    request = {"model": "m", "messages": [{"role": "user", "content": "Hi"}], "tools": tools}
    sent = il.encode_request({**request, "tool_choice": {"mode": "none"}}, choice).body
    assert len(sent["tools"]) == 1
    assert sent["tool_choice"] == "none"


@pytest.mark.parametrize("second", [{"id": "a"}, {}])
def test_calls_of_a_turn_in_which_only_some_have_ids_all_get_ids_in_other_dialects(second: dict[str, Any]) -> None:
    """The encoder pairs by ids, though Gemini reads places; a text that is put in moves the places."""
    call = {"name": "look", "arguments": {}}
    messages = [
        {"role": "assistant", "tool_calls": [{**call, "id": "a"}, call]},
        {"role": "assistant", "tool_calls": [{**call, **second}]},
        {"role": "tool"},
    ]
    repaired = il.repair_request({"model": "m", "messages": messages}, "gemini")
    sent = il.encode_request(repaired.request, "gemini").body
    assert il.check_request(sent, "gemini") == []
    results = [part["functionResponse"]["response"] for part in sent["contents"][2]["parts"]]
    assert [UNANSWERED in str(one) for one in results] == [True, False, True]
