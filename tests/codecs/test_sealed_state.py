"""What providers signed, where clients of Claude and Responses keep signatures: written, read, and withdrawn again."""

from __future__ import annotations

import base64
import json
from itertools import permutations
from typing import Any, Final

import anthropic
import pytest
from anthropic.types import RawMessageStreamEvent
from google.genai.types import Content
from openai.types.responses import Response
from pydantic import TypeAdapter

import interlingua as il
from interlingua.registry import room
from interlingua.rooms._shared.sealed_state import UNSIGNED, is_sealed, sealed, unsealed
from support.bodies import chat_answer, chat_call, claude_answer, claude_call, gemini_answer, responses_answer

GO: Final[dict[str, Any]] = {"role": "user", "content": "Go."}
TOOLS: Final[list[Any]] = [{"name": name, "input_schema": {"type": "object"}} for name in ("w", "look_up")]
CLAUDE: Final[dict[str, Any]] = {"model": "m", "max_tokens": 9000, "messages": [GO], "tools": TOOLS}
RESPONSES: Final[dict[str, Any]] = {"model": "m", "input": [GO]}
THOUGHT: Final[dict[str, Any]] = {"type": "thinking", "thinking": "One.", "signature": "czE="}
HIDDEN: Final[dict[str, Any]] = {"type": "thinking", "thinking": "", "signature": "czI="}
REDACTED: Final[dict[str, Any]] = {"type": "redacted_thinking", "data": "aGlk"}
REASONING: Final[dict[str, Any]] = {
    "type": "reasoning",
    "id": "rs_1",
    "summary": [{"type": "summary_text", "text": "One."}, {"type": "summary_text", "text": "Two."}],
    "encrypted_content": "ZW5j",
}
# The same without its id: the call that follows it has none either, and OpenAI would look for it by that id.
UNLINKED: Final = {name: value for name, value in REASONING.items() if name != "id"}
CALL: Final[dict[str, Any]] = {"type": "function_call", "id": "fc_1", "call_id": "c", "name": "w", "arguments": "{}"}
SIGNED_CALL: Final[dict[str, Any]] = {"functionCall": {"name": "w", "args": {}}, "thoughtSignature": "czM="}


def next_of_claude(content: list[Any]) -> dict[str, Any]:
    """Return the next request of a client of Claude's: what it heard, and the results of the calls."""
    results = [
        {"type": "tool_result", "tool_use_id": block["id"], "content": "done"}
        for block in content
        if block["type"] == "tool_use"
    ]
    said = {"role": "user", "content": results or "And?"}
    return {**CLAUDE, "messages": [GO, {"role": "assistant", "content": content}, said]}


def next_of_responses(output: list[Any]) -> dict[str, Any]:
    """Return the next request of a client of Responses: what it heard, and the results of the calls."""
    results: list[Any] = [
        {"type": "function_call_output", "call_id": item["call_id"], "output": "done"}
        for item in output
        if item["type"] == "function_call"
    ]
    return {**RESPONSES, "input": [GO, *output, *(results or [{"role": "user", "content": "And?"}])]}


def heard_by_responses(content: list[Any]) -> list[Any]:
    """Return the items that a client of Responses hears of an answer of Claude's."""
    output: list[Any] = (
        il.exchange(RESPONSES, "openai_responses", "claude").response(claude_answer(*content)).body["output"]
    )
    return output


@pytest.mark.parametrize(
    "thoughts",
    [[THOUGHT], [HIDDEN], [REDACTED], [THOUGHT, HIDDEN, REDACTED], [REDACTED, THOUGHT, THOUGHT]],
    ids=["a thought", "one that is not shown", "a redacted one", "all kinds", "the same twice"],
)
def test_claude_gets_its_signed_thoughts_back_from_a_responses_client(thoughts: list[Any]) -> None:
    output = heard_by_responses([*thoughts, claude_call()])
    assert [item["type"] for item in output] == ["reasoning", "function_call"]
    assert output[0]["id"].startswith("rs_")
    asked = {**next_of_responses(output), "reasoning": {"effort": "high"}}
    encoded = il.exchange(asked, "openai_responses", "claude", model="claude-opus-4-5")
    assert encoded.body["messages"][1]["content"] == [*thoughts, claude_call()]
    assert encoded.body["thinking"]["type"] == "enabled"  # it stays on in the middle of a turn
    assert il.check_request(encoded.body, "claude") == []
    assert [loss.path for loss in encoded.losses if loss.code == "provider_state"] == [
        "/messages/1/tool_calls/0/extra/openai_responses"  # the ids of the items, which are made up
    ]


def test_a_thought_changed_by_the_client_is_not_sent_back_signed() -> None:
    output = heard_by_responses([THOUGHT, claude_call()])
    output[0]["summary"] = []
    encoded = il.exchange(next_of_responses(output), "openai_responses", "claude")
    assert encoded.body["messages"][1]["content"] == [claude_call()]
    [lost] = [loss for loss in encoded.losses if "has changed" in loss.detail]
    assert (lost.severity, lost.path) == ("lost", "/messages/1/extra/openai_responses/reasoning/encrypted_content")


def test_responses_gets_its_reasoning_back_from_a_claude_client() -> None:
    told = il.exchange(CLAUDE, "claude", "openai_responses").response(responses_answer(*[REASONING, CALL]))
    first, last, call = told.body["content"]
    assert (first["thinking"], last["thinking"], call["type"]) == ("One.", "Two.", "tool_use")
    assert (first["signature"], is_sealed(last["signature"])) == (UNSIGNED, True)
    encoded = il.exchange(next_of_claude(told.body["content"]), "claude", "openai_responses", model="gpt-5.5")
    assert encoded.body["input"][1] == UNLINKED
    assert encoded.body["include"] == ["reasoning.encrypted_content"]
    assert il.check_request(encoded.body, "openai_responses") == []


def test_encrypted_reasoning_without_text_comes_back_from_a_claude_client() -> None:
    wordless = {**REASONING, "summary": []}
    told = il.exchange(CLAUDE, "claude", "openai_responses").response(responses_answer(*[wordless, CALL]))
    assert [block["type"] for block in told.body["content"]] == ["redacted_thinking", "tool_use"]
    encoded = il.exchange(next_of_claude(told.body["content"]), "claude", "openai_responses")
    assert encoded.body["input"][1] == wordless


@pytest.mark.parametrize("thought", [[], [{"text": "One.", "thought": True}]], ids=["no thought", "a thought"])
def test_gemini_gets_its_signed_calls_back_from_both_clients(thought: list[Any]) -> None:
    answer = gemini_answer(*[*thought, SIGNED_CALL, {"functionCall": {"name": "w", "args": {"n": 2}}}])
    told = il.exchange(CLAUDE, "claude", "gemini").response(answer).body["content"]
    output = il.exchange(RESPONSES, "openai_responses", "gemini").response(answer).body["output"]
    for encoded in (
        il.exchange(next_of_claude(told), "claude", "gemini", model="gemini-3-pro"),
        il.exchange(next_of_responses(output), "openai_responses", "gemini", model="gemini-3-pro"),
    ):
        parts = [part for part in encoded.body["contents"][1]["parts"] if "functionCall" in part]
        assert [part.get("thoughtSignature") for part in parts] == ["czM=", None]
        assert il.check_request(encoded.body, "gemini") == []


def streamed(*parts: Any) -> list[Any]:
    """Return a stream of Gemini's with a chunk for each part."""
    chunks = [{"candidates": [{"content": {"role": "model", "parts": [part]}, "index": 0}]} for part in parts]
    return [*chunks, {"candidates": [{"content": {"role": "model", "parts": []}, "finishReason": "STOP", "index": 0}]}]


def test_a_signature_that_follows_its_call_is_written_before_it_in_a_stream() -> None:
    second = {"functionCall": {"name": "w", "args": {"n": 2}}, "thoughtSignature": "czQ="}
    came = streamed({"text": "One.", "thought": True}, {"text": "Hi"}, SIGNED_CALL, second)
    frames: list[Any] = list(il.exchange(CLAUDE, "claude", "gemini").stream(came))
    content = room("claude").assemble_stream(frames)["content"]
    calls = ["redacted_thinking", "tool_use"]
    assert [block["type"] for block in content] == ["thinking", "text", *calls, *calls]
    indexes = [frame["index"] for frame in frames if frame["type"] == "content_block_start"]
    assert indexes == list(range(6))
    adapter: TypeAdapter[Any] = TypeAdapter(RawMessageStreamEvent)
    assert all(adapter.validate_python(frame).type == frame["type"] for frame in frames)
    encoded = il.exchange(next_of_claude(content), "claude", "gemini", model="gemini-3-pro")
    parts = [part for one in encoded.body["contents"][1:-1] for part in one["parts"]]
    assert [part.get("thoughtSignature") for part in parts if "functionCall" in part] == ["czM=", "czQ="]


@pytest.mark.parametrize("is_cut", [False, True])
def test_a_thought_followed_by_a_call_is_signed_with_the_call_in_a_stream(is_cut: bool) -> None:
    """Strands and Qwen Code leave redacted thinking out of their next request."""
    came = streamed({"text": "One.", "thought": True}, SIGNED_CALL)
    came = came[:2] if is_cut else came
    frames: list[Any] = list(il.exchange(CLAUDE, "claude", "gemini").stream(came))
    content = room("claude").assemble_stream(frames)["content"]
    assert [block["type"] for block in content] == ["thinking", "tool_use"]
    encoded = il.exchange(next_of_claude(content), "claude", "gemini", model="gemini-3-pro")
    assert encoded.body["contents"][1]["parts"][-1]["thoughtSignature"] == "czM="

    heard: list[Any] = list(il.exchange(RESPONSES, "openai_responses", "gemini").stream(came))
    output = [frame["item"] for frame in heard if frame["type"] == "response.output_item.done"]
    if not is_cut:
        assert [item["type"] for item in output] == ["reasoning", "function_call"]
        encoded = il.exchange(next_of_responses(output), "openai_responses", "gemini", model="gemini-3-pro")
        assert encoded.body["contents"][1]["parts"][-1]["thoughtSignature"] == "czM="


def test_losses_of_a_call_that_waits_for_its_signature_have_the_path_of_its_event() -> None:
    came = streamed(SIGNED_CALL)
    alone = il.translate_stream(came, "gemini", "claude")
    list(alone)
    carried = il.exchange(CLAUDE, "claude", "gemini").stream(came)
    list(carried)
    made = [[loss.path for loss in one.losses if loss.path.endswith("/id")] for one in (alone, carried)]
    assert made[0] == made[1] != []


def test_unsigned_thoughts_are_distinguished_from_those_of_the_clients_provider() -> None:
    answer = chat_answer({"content": "Hi", "reasoning_content": "Hm."})
    told = il.exchange(CLAUDE, "claude", "vllm").response(answer).body["content"]
    assert told == [
        {"type": "thinking", "thinking": "Hm.", "signature": UNSIGNED},
        {"type": "text", "text": "Hi"},
    ]
    [item, _] = il.exchange(RESPONSES, "openai_responses", "vllm").response(answer).body["output"]
    assert item["encrypted_content"] == UNSIGNED
    back = il.exchange(next_of_claude(told), "claude", "openai_chat", model="deepseek-reasoner")
    assert "interlingua" not in json.dumps(back.body)


def test_the_clients_provider_gets_no_foreign_signatures() -> None:
    """A session goes on with another model: Claude and OpenAI refuse signatures that are not their own."""
    told = il.exchange(CLAUDE, "claude", "openai_responses").response(responses_answer(*[REASONING, CALL]))
    asked = next_of_claude([THOUGHT, *told.body["content"]])
    before = json.dumps(asked)
    own = il.exchange(asked, "claude", "claude").body["messages"]
    assert own[1]["content"] == [THOUGHT, told.body["content"][-1]]
    assert json.dumps(asked) == before
    output = heard_by_responses([THOUGHT, claude_call()])
    asked = next_of_responses([REASONING, CALL, *output])
    kept = il.exchange(asked, "openai_responses", "openai_responses").body["input"]
    assert kept[1:4] == [REASONING, CALL, output[-1]]
    plain = next_of_claude([THOUGHT])
    assert il.exchange(plain, "claude", "claude").body == plain
    alone = next_of_claude([{**THOUGHT, "signature": UNSIGNED}])
    assert [one["role"] for one in il.exchange(alone, "claude", "claude").body["messages"]] == ["user", "user"]


def test_no_state_is_carried_if_disabled() -> None:
    silent = il.exchange(CLAUDE, "claude", "gemini", carry_state=False)
    assert [block["type"] for block in silent.response(gemini_answer(*[SIGNED_CALL])).body["content"]] == ["tool_use"]
    plain = il.translate_response(gemini_answer(*[SIGNED_CALL]), "gemini", "claude")
    assert [block["type"] for block in plain.body["content"]] == ["tool_use"]
    asked = il.translate_response(gemini_answer(*[SIGNED_CALL]), "gemini", "claude", carry_state=True)
    assert [block["type"] for block in asked.body["content"]] == ["redacted_thinking", "tool_use"]


def test_official_clients_accept_carried_state() -> None:
    answer = responses_answer(*[REASONING, {**REASONING, "summary": []}, CALL])
    body = il.exchange(CLAUDE, "claude", "openai_responses").response(answer).body
    message = anthropic.types.Message.model_validate(body)
    assert [block.type for block in message.content] == ["thinking", "thinking", "redacted_thinking", "tool_use"]
    response = il.exchange(RESPONSES, "openai_responses", "claude").response(claude_answer(*[THOUGHT, claude_call()]))
    [item, _] = Response.model_validate(response.body).output
    assert item.type == "reasoning"
    assert is_sealed(item.encrypted_content)


def damaged(value: Any) -> str:
    return "interlingua.1." + base64.urlsafe_b64encode(json.dumps(value).encode()).decode()


@pytest.mark.parametrize(
    "text",
    [
        "interlingua.1.",
        "interlingua.1.%%%",
        "interlingua.1.é",
        sealed("claude", [THOUGHT])[:-5],
        damaged(None),
        damaged(["claude"]),
        damaged(["nobody", []]),
        damaged([{}, []]),
        damaged(["claude", []]),
        damaged(["claude", {"type": "thinking"}]),
        damaged(["claude", [{"type": "thinking"}]]),
        damaged(["claude", [{"type": "thinking", "signature": 1}]]),
        damaged(["claude", [[]]]),
        damaged(["claude", [{"type": "text", "signature": "czE="}]]),
        damaged(["claude", [{"type": "thinking", "data": "czE="}]]),
        damaged(["bedrock_converse", [{"type": ["thinking"], "signature": "czE="}]]),
        damaged(["gemini", [{"at": "/tool_calls/0"}]]),
        damaged(["gemini", [{"at": 1, "signature": "czE="}]]),
        damaged(["openai_responses", {"encrypted_content": 1}]),
        damaged(["openai_responses", {"encrypted_content": "e", "id": 1}]),
        damaged(["openai_responses", {"encrypted_content": "e", "content": "1"}]),
        damaged(["openai_responses", []]),
    ],
)
def test_state_damaged_by_a_client_is_ignored(text: str) -> None:
    assert unsealed(text) is None
    asked = next_of_claude([{**THOUGHT, "signature": text}, {"type": "redacted_thinking", "data": text}, claude_call()])
    for target in ("gemini", "openai_responses", "bedrock_converse", "openai_chat"):
        encoded = il.exchange(asked, "claude", target)  # type: ignore[arg-type]  # a name of a dialect
        assert "interlingua.1." not in json.dumps(encoded.body)
    item = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": text}
    encoded = il.exchange(next_of_responses([item, CALL]), "openai_responses", "claude")
    assert "interlingua.1." not in json.dumps(encoded.body)


def test_an_unknown_carried_position_is_reported() -> None:
    text = sealed("gemini", [{"at": "/tool_calls/7", "signature": "czE="}])
    asked = next_of_claude([{"type": "redacted_thinking", "data": text}, claude_call()])
    encoded = il.exchange(asked, "claude", "gemini")
    assert "czE=" not in json.dumps(encoded.body)
    assert any(loss.code == "provider_state" and "thought_signatures" in loss.path for loss in encoded.losses)


GOOGLE: Final[dict[str, Any]] = {"extra_content": {"google": {"thought_signature": "czM="}}}
CHAT_CALL: Final[dict[str, Any]] = {**chat_call("{}"), **GOOGLE}


def chunk(delta: dict[str, Any], reason: str | None = None) -> dict[str, Any]:
    return {"id": "c", "choices": [{"index": 0, "delta": delta, "finish_reason": reason}], "model": "m", "created": 1}


@pytest.mark.parametrize("client", ["claude", "openai_responses"])
@pytest.mark.parametrize("form", ["whole", "streamed"])
def test_gemini_behind_chat_completions_gets_its_signed_calls_back(client: Any, form: str) -> None:
    opening, model = {"claude": CLAUDE, "openai_responses": RESPONSES}[client], "gemini-3-pro-preview"
    opened = il.exchange(opening, client, "openai_chat", model=model)
    if form == "whole":
        body = opened.response(chat_answer({"content": None, "tool_calls": [CHAT_CALL]}, "tool_calls")).body
    else:
        came = [chunk({"tool_calls": [{"index": 0, **CHAT_CALL}]}), chunk({}, "tool_calls"), "[DONE]"]
        body = room(client).assemble_stream(list(opened.stream(came)))
    asked = next_of_claude(body["content"]) if client == "claude" else next_of_responses(body["output"])
    encoded = il.exchange(asked, client, "openai_chat", model=model)
    assert encoded.body["messages"][1]["tool_calls"][0]["extra_content"] == GOOGLE["extra_content"]
    assert not [loss for loss in encoded.losses if loss.path.startswith("/messages/1/extra/gemini")]


def test_gemini_signatures_are_sent_through_chat_completions() -> None:
    called = {"functionResponse": {"name": "w", "response": {"output": "done"}}}
    unsigned = {"functionCall": {"name": "w", "args": {}}}
    history = [
        {"role": "user", "parts": [{"text": "Go."}]},
        {"role": "model", "parts": [SIGNED_CALL]},
        {"role": "user", "parts": [called]},
        {"role": "model", "parts": [unsigned]},
        {"role": "user", "parts": [called]},
    ]
    encoded = il.translate_request({"contents": history}, "gemini", "openai_chat", model="gemini-3-pro-preview")
    carried = [message["tool_calls"][0]["extra_content"] for message in encoded.body["messages"][1:4:2]]
    placeholder = {"google": {"thought_signature": "skip_thought_signature_validator"}}
    assert carried == [GOOGLE["extra_content"], placeholder]
    filled = [loss.path for loss in encoded.losses if loss.severity == "filled" and "gemini" in loss.path]
    assert filled == ["/messages/3/extra/gemini"]
    elsewhere = il.translate_request({"contents": history}, "gemini", "openai_chat", model="gpt-5.5")
    assert "extra_content" not in json.dumps(elsewhere.body)


def test_a_call_in_fragments_is_written_before_it_has_ended() -> None:
    """It waits for its first arguments alone, behind which a signature comes."""
    first = chunk({"tool_calls": [{"index": 0, **chat_call("")}]})
    pieces = [chunk({"tool_calls": [{"index": 0, "function": {"arguments": text}}]}) for text in ('{"a', '": 1', "}")]
    pushed = il.exchange(CLAUDE, "claude", "openai_chat").push()
    told = [len(pushed.feed(frame)) > 0 for frame in [first, *pieces]]
    assert told[2:] == [True, True]


THINKING: Final[dict[str, Any]] = {**CLAUDE, "thinking": {"type": "enabled", "budget_tokens": 2000}}


@pytest.mark.parametrize(
    ("model", "thoughts", "is_asked", "goes"),
    [
        ("anthropic/claude-sonnet-4.5", [THOUGHT, REDACTED], True, True),
        ("anthropic/claude-3.7-sonnet:thinking", [THOUGHT], True, True),
        ("anthropic/claude-opus-4", [], False, False),
        ("anthropic/claude-sonnet-5", [THOUGHT], True, True),
        ("anthropic/claude-sonnet-5", [], True, False),
        ("claude-sonnet-4-5", [THOUGHT], False, False),
        ("us.anthropic.claude-opus-4-5-20251101-v1:0", [THOUGHT], False, False),
        ("anthropic/claude-sonnet-4-20250514", [THOUGHT], False, False),
        ("claude-opus-4-8", [THOUGHT], True, False),
        ("anthropic/claude-opus-4-8", [], True, False),
    ],
)
def test_claude_behind_a_gateway_continues_thinking_with_its_returned_thoughts(
    model: str, thoughts: list[Any], is_asked: bool, goes: bool
) -> None:
    """It refuses to think in a turn whose calls do not follow thinking of its own."""
    asked = {**next_of_claude([*thoughts, claude_call()]), "thinking": THINKING["thinking"]}
    encoded = il.translate_request(asked, "claude", "openai_chat", model=model)
    assert ("reasoning_effort" in encoded.body) is is_asked
    details = encoded.body["messages"][1].get("reasoning_details", [])
    assert [one.get("signature") or one["data"] for one in details] == (
        [block.get("signature") or block["data"] for block in thoughts] if goes else []
    )
    lost = [loss.path for loss in encoded.losses if loss.severity == "lost" and loss.path.startswith("/reasoning/")]
    assert lost == ([] if is_asked else ["/reasoning/mode", "/reasoning/budget_tokens"])
    alone = il.translate_request(THINKING, "claude", "openai_chat", model=model)
    assert "reasoning_effort" in alone.body


SIGNED_DETAIL: Final[dict[str, Any]] = {
    "type": "reasoning.text",
    "text": "One.",
    "signature": "czE=",
    "format": "anthropic-claude-v1",
    "index": 0,
}


def test_signed_claude_thoughts_pass_a_gateway_and_a_client_of_another_dialect() -> None:
    answer = chat_answer(
        {"content": None, "tool_calls": [chat_call("{}")], "reasoning_details": [SIGNED_DETAIL]}, "tool_calls"
    )
    model = "anthropic/claude-sonnet-4.5"
    output = il.exchange(RESPONSES, "openai_responses", "openai_chat", model=model).response(answer).body["output"]
    encoded = il.exchange(next_of_responses(output), "openai_responses", "openai_chat", model=model)
    assert encoded.body["messages"][1]["reasoning_details"] == [SIGNED_DETAIL]


def of_openrouter(*details: dict[str, Any]) -> list[Any]:
    """Return a stream of Chat Completions with details, and a call behind an empty text."""
    item = {"type": "reasoning.text", "format": "anthropic-claude-v1", "index": 0}
    call = {"tool_calls": [{"index": 0, **chat_call("")}]}
    arguments = {"tool_calls": [{"index": 0, "function": {"arguments": "{}"}}]}
    thoughts = [
        chunk({"content": "", "reasoning": one.get("text", ""), "reasoning_details": [{**item, **one}]})
        for one in details
    ]
    return [*thoughts, chunk({"content": ""}), chunk(call), chunk(arguments), chunk({}, "tool_calls"), "[DONE]"]


@pytest.mark.parametrize("client", ["claude", "openai_responses"])
@pytest.mark.parametrize("is_signed", [True, False])
def test_a_thought_streamed_by_chat_completions_is_signed_before_the_next_block(client: Any, is_signed: bool) -> None:
    opening, model = {"claude": CLAUDE, "openai_responses": RESPONSES}[client], "anthropic/claude-sonnet-4.5"
    came = of_openrouter({"text": "On"}, {"text": "e."}, *([{"signature": "czE="}] if is_signed else []))
    stream = il.exchange(opening, client, "openai_chat", model=model).stream(came)
    body = room(client).assemble_stream(list(stream))
    assert not [loss for loss in stream.losses if loss.concern == "state"]
    if client == "claude":
        thought, call = body["content"]
        assert (thought["thinking"], thought["signature"] == "czE=") == ("One.", is_signed)
        asked = next_of_claude([thought, call])
    else:
        reasoning, call = body["output"]
        assert is_sealed(reasoning["encrypted_content"])
        asked = next_of_responses([reasoning, call])
    back = il.exchange(asked, client, "openai_chat", model=model).body["messages"][1]
    details = [(one["text"], one["signature"]) for one in back.get("reasoning_details", ())]
    assert (details, back.get("reasoning")) == (([("One.", "czE=")], None) if is_signed else ([], "One."))


@pytest.mark.parametrize("maker", ["ollama", "vllm"])
def test_a_thought_of_a_provider_without_signatures_is_marked_in_a_stream(maker: Any) -> None:
    answer = il.ChatResponse(messages=(il.AssistantChatMessage(reasoning="Hm.", content="Hi"),), finish_reason="stop")
    events = [
        {"type": "start", "dialect": maker, "id": "a", "model": "m"},
        {"type": "reasoning", "block": 0, "text": "Hm."},
        {"type": "content", "block": 1, "text": "Hi"},
        {"type": "finish", "reason": "stop"},
        {"type": "end", "complete": True},
    ]
    encoder = il.StreamEncoder(maker)
    came = [frame for event in events for frame in encoder.feed(event)] + encoder.close()
    told = room("claude").assemble_stream(list(il.exchange(CLAUDE, "claude", maker).stream(came)))
    whole = il.encode_response(answer, "claude", carry_state=True).body
    assert told["content"] == whole["content"]
    assert told["content"][0]["signature"] == UNSIGNED


def test_foreign_signatures_are_removed_from_a_history_by_repair() -> None:
    told = il.exchange(CLAUDE, "claude", "openai_responses").response(responses_answer(REASONING, CALL)).body
    asked = next_of_claude([THOUGHT, *told["content"]])
    assert [one.code for one in il.check_request(asked, "claude")] == ["signature", "signature"]
    repaired = il.chat.repair_request(il.decode_request(asked, "claude"), "claude")
    body = il.encode_request(repaired.request, "claude").body
    assert body == il.exchange(asked, "claude", "claude").body
    assert {repair.code for repair in repaired.repairs} == {"unsigned_reasoning"}
    output = heard_by_responses([THOUGHT, claude_call()])
    asked = next_of_responses(output)
    assert [one.code for one in il.check_request(asked, "openai_responses")] == ["signature"]
    repaired = il.chat.repair_request(il.decode_request(asked, "openai_responses"), "openai_responses")
    body = il.encode_request(repaired.request, "openai_responses").body
    assert body == il.exchange(asked, "openai_responses", "openai_responses").body
    assert il.check_request(body, "openai_responses") == []


@pytest.mark.parametrize("client", ["claude", "openai_responses", "openai_chat"])
def test_gemini_behind_openrouter_gets_its_signatures_in_reasoning_details(client: Any) -> None:
    """As it and Vercel's gateway were recorded."""
    detail = {"type": "reasoning.encrypted", "data": "czM=", "id": "call_1", "format": "google-gemini-v1", "index": 0}
    call = chat_call("{}")
    answer = chat_answer({"content": None, "tool_calls": [call], "reasoning_details": [detail]}, "tool_calls")
    opening = {"claude": CLAUDE, "openai_responses": RESPONSES, "openai_chat": {"messages": [GO]}}[client]
    model = "google/gemini-3-pro-preview"
    body = il.exchange(opening, client, "openai_chat", model=model).response(answer).body
    if client == "openai_chat":
        message, result = body["choices"][0]["message"], {"role": "tool", "tool_call_id": "call_1", "content": "done"}
        asked = {"messages": [GO, {name: held for name, held in message.items() if held}, result]}
    else:
        asked = next_of_claude(body["content"]) if client == "claude" else next_of_responses(body["output"])
    sent = il.exchange(asked, client, "openai_chat", model=model).body["messages"][1]
    assert sent["reasoning_details"] == [detail]
    assert "extra_content" not in sent["tool_calls"][0]


def test_a_gateway_gets_no_reasoning_details_of_another_maker() -> None:
    items = [REASONING, CALL, {"type": "function_call_output", "call_id": "c", "output": "done"}]
    asked = {**RESPONSES, "input": [GO, *items]}
    for model in ("anthropic/claude-sonnet-5", "google/gemini-3-pro-preview"):
        body = il.translate_request(asked, "openai_responses", "openai_chat", model=model).body
        assert "reasoning_details" not in body["messages"][1]
        assert "ZW5j" not in json.dumps(body)


def test_thoughts_separated_by_a_ping_are_one_reasoning_item() -> None:
    begun: dict[str, Any] = {"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": []}
    came: list[Any] = [
        {"type": "message_start", "message": {**begun, "usage": {"input_tokens": 1, "output_tokens": 1}}}
    ]
    for at, (said, signature) in enumerate([("One.", "czE="), ("Two.", "czI=")]):
        block = {"type": "thinking", "thinking": "", "signature": ""}
        came += [
            {"type": "content_block_start", "index": at, "content_block": block},
            {"type": "content_block_delta", "index": at, "delta": {"type": "thinking_delta", "thinking": said}},
            {"type": "content_block_delta", "index": at, "delta": {"type": "signature_delta", "signature": signature}},
            {"type": "content_block_stop", "index": at},
            {"type": "ping"},
        ]
    came += [{"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 5}}]
    told = il.exchange(RESPONSES, "openai_responses", "claude").stream([*came, {"type": "message_stop"}])
    [reasoning] = room("openai_responses").assemble_stream(list(told))["output"]
    asked = next_of_responses([reasoning, {"type": "message", "role": "assistant", "content": "Hi"}])
    content = il.exchange(asked, "openai_responses", "claude").body["messages"][1]["content"]
    assert [block.get("signature") for block in content] == ["czE=", "czI=", None]


@pytest.mark.parametrize(
    ("members", "is_carried"),
    [
        ({}, False),
        ({"thinking": {"type": "disabled"}}, False),
        ({"thinking": {"type": "adaptive"}}, True),
        ({"tools": TOOLS}, True),
    ],
)
def test_a_claude_client_without_thinking_and_tools_gets_no_thoughts(members: dict[str, Any], is_carried: bool) -> None:
    """Its answers begin with their text, as those of its own provider would."""
    asked = {"model": "m", "max_tokens": 9000, "messages": [GO], **members}
    spoken = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Hi"}]}
    exchange = il.exchange(asked, "claude", "openai_responses", model="gpt-5.5")
    first, *_ = exchange.response(responses_answer({**REASONING, "summary": []}, spoken)).body["content"]
    assert first["type"] == ("redacted_thinking" if is_carried else "text")
    assert ("include" in exchange.body) is is_carried
    assert il.Exchange.from_json(exchange.to_json()).carries_state is is_carried


def test_blocks_after_an_inserted_one_are_renumbered() -> None:
    signed = {"gemini": {"signature": "czM="}}
    events: list[Any] = [
        {"type": "content", "block": 0, "text": "Hi"},
        {"type": "block_end", "block": 0},
        {"type": "tool_call_start", "block": 1, "name": "w", "arguments": {}},
        {"type": "state", "block": 1, "extra": signed},
        {"type": "block_end", "block": 1},
        {"type": "tool_call_start", "block": 2, "name": "w", "arguments": {}},
        {"type": "block_end", "block": 2},
        {"type": "tool_call_start", "block": 3, "name": "w", "arguments": {}},
        {"type": "state", "block": 3, "extra": signed},
        {"type": "block_end", "block": 3},
    ]
    for client in ("claude", "openai_responses"):
        stream: Any = room(client).CarriedInStream("gemini", "m")  # type: ignore[attr-defined]  # of our own rooms alone
        made = [one for number, event in enumerate(events) for _, one in stream.feed(number, event)]
        kinds = [(event["type"], event["block"]) for event in made]
        assert kinds[2:4] == [("state", 1), ("block_end", 1)]
        assert [block for kind, block in kinds if kind == "tool_call_start"] == [2, 3, 5]
        assert [block for kind, block in kinds if kind == "block_end"] == [0, 1, 2, 3, 4, 5]


def test_content_beside_carried_state_is_unchanged() -> None:
    odd = {"type": "thinking", "thinking": "Hm.", "signature": {"odd": 1}}
    sealed_block = {
        "type": "redacted_thinking",
        "data": sealed("gemini", [{"at": "/tool_calls/0", "signature": "czM="}]),
    }
    encoded = il.exchange(next_of_claude([odd, sealed_block, claude_call()]), "claude", "gemini", model="gemini-3-pro")
    call = next(part for part in encoded.body["contents"][1]["parts"] if "functionCall" in part)
    assert call["thoughtSignature"] == "czM="
    assert "/messages/1/extra/claude" in [loss.path for loss in encoded.losses if loss.severity == "lost"]
    item = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": UNSIGNED, "odd": 1}
    told = il.exchange(next_of_responses([item, CALL]), "openai_responses", "claude")
    assert "/messages/1/extra/openai_responses" in [loss.path for loss in told.losses if loss.severity == "lost"]
    del item["odd"]
    told = il.exchange(next_of_responses([item, CALL]), "openai_responses", "claude")
    assert "/messages/1/extra/openai_responses" not in [loss.path for loss in told.losses]


BEDROCK_ANSWER: Final[dict[str, Any]] = {
    "output": {
        "message": {
            "role": "assistant",
            "content": [
                {"reasoningContent": {"reasoningText": {"text": "Four.", "signature": "czQ="}}},
                {"toolUse": {"toolUseId": "t", "name": "w", "input": {}}},
            ],
        }
    },
    "stopReason": "tool_use",
    "usage": {"inputTokens": 1, "outputTokens": 2, "totalTokens": 3},
    "metrics": {"latencyMs": 1},
}
# What each provider answers, what it signs of it, and its model.
SPEAKERS: Final[dict[str, tuple[Any, str, str]]] = {
    "openai_responses": (responses_answer(REASONING, CALL), "ZW5j", "gpt-5.5"),
    "gemini": (gemini_answer({"text": "Two.", "thought": True}, SIGNED_CALL), "czM=", "gemini-3-pro"),
    "bedrock_converse": (BEDROCK_ANSWER, "czQ=", "anthropic.claude-opus-4-5-20251101-v1:0"),
    "openai_chat": (
        chat_answer({"content": None, "reasoning_content": "Hm.", "tool_calls": [chat_call("{}")]}, "tool_calls"),
        "",
        "deepseek-v4",
    ),
}


@pytest.mark.parametrize("order", list(permutations(SPEAKERS)), ids="-".join)
def test_a_session_that_changes_models_returns_to_each_model_only_its_own_signatures(order: Any) -> None:
    asked: dict[str, Any] = {**CLAUDE, "thinking": {"type": "enabled", "budget_tokens": 2000}}
    for speaker in order:
        content = il.exchange(asked, "claude", speaker).response(SPEAKERS[speaker][0]).body["content"]
        results = next_of_claude(content)["messages"][-1]["content"]
        said = {"role": "user", "content": [*results, {"type": "text", "text": "And?"}]}
        asked = {**asked, "messages": [*asked["messages"], {"role": "assistant", "content": content}, said]}
    for speaker, (_, signed, model) in SPEAKERS.items():
        body = il.exchange(asked, "claude", speaker, model=model).body
        assert il.check_request(body, speaker, profile=model) == []  # type: ignore[arg-type]  # a name of the table
        sent = json.dumps(body)
        made = [own for _, own, _ in SPEAKERS.values() if own and f'"{own}"' in sent]
        assert made == ([signed] if signed else [])
        assert "interlingua.1." not in sent
    home = il.exchange(asked, "claude", "claude", model="claude-opus-4-5").body
    assert il.check_request(home, "claude", profile="claude-opus-4-5") == []
    assert "czQ=" in json.dumps(home)
    assert "interlingua.1." not in json.dumps(home)


def test_state_withheld_from_the_clients_provider_is_reported() -> None:
    told = il.exchange(CLAUDE, "claude", "openai_responses").response(responses_answer(REASONING, CALL))
    exchange = il.exchange(next_of_claude(told.body["content"]), "claude", "claude")
    assert [(loss.severity, loss.code, loss.path) for loss in exchange.losses] == [
        ("lost", "reasoning", "/messages/1/reasoning")
    ]
    with pytest.raises(il.LossError):
        il.exchange(next_of_claude(told.body["content"]), "claude", "claude", strict=True)
    wordless = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": UNSIGNED}
    exchange = il.exchange(next_of_responses([wordless, CALL]), "openai_responses", "openai_responses")
    assert [(loss.severity, loss.code, loss.path) for loss in exchange.losses] == [
        ("lost", "provider_state", "/messages/1/extra/openai_responses")
    ]
    plain = next_of_claude([THOUGHT, claude_call()])
    assert il.exchange(plain, "claude", "claude", strict="all").losses == ()


GEMINI: Final[dict[str, Any]] = {"contents": [{"role": "user", "parts": [{"text": "Go."}]}]}


def next_of_gemini(parts: list[Any]) -> dict[str, Any]:
    """Return the next request of a client of Gemini's, which like Gemini CLI sends no thoughts back."""
    calls = [part["functionCall"] for part in parts if "functionCall" in part]
    results = [{"functionResponse": {"name": call["name"], "response": {"output": "done"}}} for call in calls]
    kept = [part for part in parts if not part.get("thought")]
    # Google's Python client keeps signatures as bytes, and writes them in the other alphabet of base64.
    signed = Content.model_validate({"role": "model", "parts": kept}).model_dump(mode="json", exclude_none=True)
    back = [
        {**part, "thoughtSignature": part.pop("thought_signature")} if "thought_signature" in part else part
        for part in signed["parts"]
    ]
    named = [
        {**{name: one for name, one in part.items() if name != "function_call"}, "functionCall": part["function_call"]}
        if "function_call" in part
        else part
        for part in back
    ]
    said = [{"role": "model", "parts": named}, {"role": "user", "parts": results}]
    return {**GEMINI, "contents": [*GEMINI["contents"], *said]}


def heard_by_gemini(answer: Any, maker: Any, form: str) -> list[Any]:
    """Return the parts that a client of Gemini hears of an answer, whole or streamed."""
    opened = il.exchange(GEMINI, "gemini", maker)
    came = frames_of_claude(answer) if maker == "claude" else frames_of_responses(answer)
    body = opened.response(answer).body if form == "whole" else room("gemini").assemble_stream([*opened.stream(came)])
    parts: list[Any] = body["candidates"][0]["content"]["parts"]
    return parts


def frames_of_claude(answer: Any) -> list[Any]:
    """Return a stream of Claude's with two pieces for each text."""
    frames: list[Any] = [{"type": "message_start", "message": {**answer, "content": [], "stop_reason": None}}]
    for index, block in enumerate(answer["content"]):
        empty = dict.fromkeys(block.keys() & {"thinking", "signature", "text"}, "")
        frames.append({"type": "content_block_start", "index": index, "content_block": {**block, **empty}})
        for name in empty:
            middle = len(block[name]) // 2
            for piece in (block[name][:middle], block[name][middle:]):
                delta = {"type": f"{name}_delta", name: piece}
                frames.append({"type": "content_block_delta", "index": index, "delta": delta})
        frames.append({"type": "content_block_stop", "index": index})
    ending = {"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 9}}
    return [*frames, ending, {"type": "message_stop"}]


def frames_of_responses(answer: Any) -> list[Any]:
    """Return a stream of Responses in which each item comes whole at its end."""
    frames: list[Any] = [{"type": "response.created", "response": {**answer, "output": [], "status": "in_progress"}}]
    for index, item in enumerate(answer["output"]):
        begun = {**item, **({"summary": []} if item["type"] == "reasoning" else {"arguments": ""})}
        frames.append({"type": "response.output_item.added", "output_index": index, "item": begun})
        for number, part in enumerate(item.get("summary", ())):
            at = {"item_id": item["id"], "output_index": index, "summary_index": number}
            frames.append({"type": "response.reasoning_summary_text.delta", **at, "delta": part["text"]})
        frames.append({"type": "response.output_item.done", "output_index": index, "item": item})
    return [*frames, {"type": "response.completed", "response": answer}]


@pytest.mark.parametrize("form", ["whole", "streamed"])
@pytest.mark.parametrize(
    "content",
    [
        [THOUGHT, claude_call()],
        [HIDDEN, REDACTED, claude_call()],
        [{**THOUGHT, "thinking": "Ü?>~"}, {"type": "text", "text": "Hi"}, claude_call()],
        [THOUGHT, claude_call(), {**THOUGHT, "thinking": "Two."}, {**claude_call(), "id": "toolu_2"}],
    ],
    ids=["a thought", "without words", "before a text", "between calls"],
)
def test_claude_gets_its_signed_thoughts_back_from_a_gemini_client(content: list[Any], form: str) -> None:
    """Gemini's clients send no thoughts back, so the signature of the call holds their words, too."""
    asked = next_of_gemini(heard_by_gemini(claude_answer(*content), "claude", form))
    asked["generationConfig"] = {"thinkingConfig": {"includeThoughts": True, "thinkingBudget": 2048}}
    encoded = il.exchange(asked, "gemini", "claude", model="claude-opus-4-5", defaults={"max_tokens": 9000})
    said = [
        {name: one for name, one in block.items() if name != "id"} for block in encoded.body["messages"][1]["content"]
    ]
    assert said == [{name: one for name, one in block.items() if name != "id"} for block in content]
    assert encoded.body["thinking"]["type"] == "enabled"
    assert il.check_request(encoded.body, "claude") == []


@pytest.mark.parametrize("form", ["whole", "streamed"])
def test_responses_gets_its_reasoning_back_from_a_gemini_client(form: str) -> None:
    opened = il.exchange(GEMINI, "gemini", "openai_responses", model="gpt-5.5")
    assert opened.body["include"] == ["reasoning.encrypted_content"]
    parts = heard_by_gemini(responses_answer(*[REASONING, CALL]), "openai_responses", form)
    encoded = il.exchange(next_of_gemini(parts), "gemini", "openai_responses", model="gpt-5.5")
    assert [item.get("type") for item in encoded.body["input"]][1:3] == ["reasoning", "function_call"]
    assert encoded.body["input"][1] == {**UNLINKED, "summary": []}
    assert il.check_request(encoded.body, "openai_responses") == []


@pytest.mark.parametrize("form", ["whole", "streamed"])
def test_what_no_call_of_gemini_carries_is_reported(form: str) -> None:
    """Claude needs the thinking of a turn with calls; each sequence of thinking blocks is whole or left out."""
    later = {**THOUGHT, "thinking": "Two."}
    answer = claude_answer(THOUGHT, {"type": "text", "text": "Hi"}, later, claude_call())
    opened = il.exchange(GEMINI, "gemini", "claude")
    losses: Any
    if form == "whole":
        response = opened.response(answer)
        parts, losses = response.body["candidates"][0]["content"]["parts"], response.losses
    else:
        stream = opened.stream(frames_of_claude(answer))
        parts = room("gemini").assemble_stream(list(stream))["candidates"][0]["content"]["parts"]
        losses = stream.losses
    assert [loss.concern for loss in losses if loss.code == "provider_state"] == ["state"]
    encoded = il.exchange(next_of_gemini(parts), "gemini", "claude")
    types = [block["type"] for message in encoded.body["messages"][1:-1] for block in message["content"]]
    assert types == ["thinking", "text", "tool_use"]


def test_gemini_gets_its_placeholder_for_foreign_signatures() -> None:
    """Gemini 3 refuses calls without a signature, and signatures that are not its own."""
    asked = next_of_gemini(heard_by_gemini(claude_answer(THOUGHT, claude_call()), "claude", "whole"))
    before = json.dumps(asked)
    encoded = il.exchange(asked, "gemini", "gemini", model="gemini-3-pro")
    [part] = encoded.body["contents"][1]["parts"]
    assert part["thoughtSignature"] == "skip_thought_signature_validator"
    assert [loss.path for loss in encoded.losses if loss.code == "provider_state"] == ["/messages/1/extra/gemini"]
    assert json.dumps(asked) == before
    assert [one.path for one in il.check_request(asked, "gemini")] == ["/contents/1/parts/0"]
    repaired = il.chat.repair_request(il.decode_request(asked, "gemini"), "gemini")
    assert il.encode_request(repaired.request, "gemini").body == encoded.body
    assert [(one.code, one.action) for one in repaired.repairs] == [("unsigned_reasoning", "changed")]
    own = next_of_gemini([SIGNED_CALL])
    assert il.exchange(own, "gemini", "gemini").body == own


@pytest.mark.parametrize("form", ["whole", "streamed"])
def test_claude_behind_openrouter_gets_its_thoughts_back_from_a_gemini_client(form: str) -> None:
    model = "anthropic/claude-sonnet-4.5"
    said = {"reasoning": "One.", "reasoning_details": [SIGNED_DETAIL]}
    opened = il.exchange(GEMINI, "gemini", "openai_chat", model=model)
    if form == "whole":
        answer = chat_answer({"content": None, **said, "tool_calls": [chat_call("{}")]}, "tool_calls")
        body = opened.response(answer).body
    else:
        called = chunk({"tool_calls": [{"index": 0, **chat_call("{}")}]})
        came = [chunk(said), called, chunk({}, "tool_calls"), "[DONE]"]
        body = room("gemini").assemble_stream(list(opened.stream(came)))
    asked = next_of_gemini(body["candidates"][0]["content"]["parts"])
    sent = il.exchange(asked, "gemini", "openai_chat", model=model).body["messages"][1]
    assert sent["reasoning_details"] == [SIGNED_DETAIL]
