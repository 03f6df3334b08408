"""What users suffered from with reasoning (docs/pain.md, Reasoning), each entry by its id."""

from __future__ import annotations

import json
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

import pytest

import interlingua as il
from support.accumulators import claude_message
from support.bodies import DIALECTS, chat_answer, claude_answer, gemini_answer

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

# Texts that any edit changes: odd spaces, escapes, combining characters, line ends.
ODD: Final = 'Hm\u00a0\u200b\t"\\u0041"\r\n e\u0301 \U0001f9e0 \n'
SIGNATURE: Final = "c2lnbmVkK2J5L0NsYXVkZQ=="
HIDDEN: Final = "b3BhcXVlK2RhdGEv"
THINKING: Final = {"type": "thinking", "thinking": ODD, "signature": SIGNATURE}
REDACTED: Final = {"type": "redacted_thinking", "data": HIDDEN}
USE: Final = {"type": "tool_use", "id": "toolu_1", "name": "look_up", "input": {}}
USED: Final = {"type": "tool_result", "tool_use_id": "toolu_1", "content": "done"}
SENTINEL: Final = "skip_thought_signature_validator"
ENCRYPTED: Final = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": HIDDEN}
ABROAD: Final = tuple(dialect for dialect in DIALECTS if dialect != "claude")


def asked(*content: Any) -> dict[str, Any]:
    """Return a request of Claude whose assistant said this and got a result."""
    turns = [
        {"role": "user", "content": "Go."},
        {"role": "assistant", "content": list(content)},
        {"role": "user", "content": [USED]},
    ]
    return {"model": "m", "max_tokens": 100, "messages": turns}


def stored(request: il.ChatRequest) -> il.ChatRequest:
    return il.ChatRequest.model_validate_json(request.model_dump_json())


def home(body: dict[str, Any], dialect: str) -> dict[str, Any]:
    """Return what a body is after it was stored, loaded and written again."""
    return il.encode_request(stored(il.decode_request(body, dialect)), dialect).body


def dumped(frames: Iterable[Any]) -> str:
    return json.dumps(list(frames), ensure_ascii=False)


# --- thinking of Claude -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("blocks", [(THINKING,), (REDACTED,), (THINKING, REDACTED, THINKING), (REDACTED, THINKING)])
def test_rea_1_signed_thinking_before_a_call_survives_storage(blocks: tuple[Any, ...]) -> None:
    body = asked(*blocks, USE)
    assert json.dumps(home(body, "claude")["messages"]) == json.dumps(body["messages"])


@pytest.mark.parametrize("dialect", ABROAD)
def test_rea_2_redacted_thinking_is_sent_only_to_claude(dialect: str) -> None:
    body = asked(THINKING, REDACTED, USE)
    encoded = il.translate_request(body, "claude", dialect)
    assert HIDDEN not in json.dumps(encoded.body)
    assert SIGNATURE not in json.dumps(encoded.body)
    assert ("lost", "/messages/1/extra/claude") in {(one.severity, one.path) for one in encoded.losses}
    answer = il.translate_response(claude_answer(REDACTED, USE, reason="tool_use"), "claude", dialect)
    assert HIDDEN not in json.dumps(answer.body)
    assert il.translate_response(claude_answer(REDACTED, USE), "claude", "claude").body["content"] == [REDACTED, USE]
    stream = il.translate_stream(told(REDACTED, USE), "claude", dialect)
    assert HIDDEN not in dumped(stream)
    assert any(loss.severity == "lost" and loss.code == "provider_state" for loss in stream.losses)


def told(*blocks: Any, pieces: tuple[str, ...] = (ODD,)) -> list[dict[str, Any]]:
    """Return the frames that tell blocks of Claude; thinking comes in pieces, then its signature."""
    start = {**claude_answer(reason=None), "usage": {"input_tokens": 5, "output_tokens": 1}}
    frames: list[dict[str, Any]] = [{"type": "message_start", "message": start}]
    for index, block in enumerate(blocks):
        at = {"index": index}
        deltas: list[dict[str, Any]] = []
        opening = block
        if block["type"] == "thinking":
            opening = {"type": "thinking", "thinking": "", "signature": ""}
            deltas = [{"type": "thinking_delta", "thinking": piece} for piece in pieces if block["thinking"]]
            deltas.append({"type": "signature_delta", "signature": block["signature"]})
        frames.append({"type": "content_block_start", **at, "content_block": opening})
        frames.extend({"type": "content_block_delta", **at, "delta": delta} for delta in deltas)
        frames.append({"type": "content_block_stop", **at})
    ending = {"stop_reason": "tool_use", "stop_sequence": None}
    return [
        *frames,
        {"type": "message_delta", "delta": ending, "usage": {"output_tokens": 3}},
        {"type": "message_stop"},
    ]


@pytest.mark.parametrize("pieces", [(ODD,), tuple(ODD)], ids=["one piece", "many pieces"])
@pytest.mark.parametrize(
    "blocks",
    [(THINKING, USE), ({**THINKING, "thinking": ""}, USE), (REDACTED, THINKING, REDACTED, USE)],
    ids=["text and signature", "signature only", "redacted around"],
)
def test_rea_3_streamed_thinking_equals_thinking_of_the_whole_message(
    blocks: tuple[Any, ...], pieces: tuple[str, ...]
) -> None:
    frames = told(*blocks, pieces=pieces)
    events = list(il.decode_stream(frames, "claude"))
    answer = il.collect(events)
    assert answer == il.decode_response(claude_answer(*blocks, reason="tool_use"), "claude")
    assert il.encode_response(answer, "claude").body["content"] == list(blocks)
    assert list(il.encode_stream(events, "claude")) == frames


def test_rea_4_signed_blocks_round_trip_exactly_in_order() -> None:
    blocks = [{**THINKING, "thinking": f"{ODD}{at}", "signature": f"{SIGNATURE}{at}"} for at in (3, 1, 2)]
    body = asked(blocks[0], REDACTED, blocks[1], {"type": "text", "text": ODD}, blocks[2], USE)
    for _ in range(3):
        body_again = home(body, "claude")
        assert json.dumps(body_again["messages"]) == json.dumps(body["messages"])
        body = body_again


@pytest.mark.parametrize("cut", range(1, 5))
def test_rea_4_thinking_of_a_stream_truncated_before_its_signature_is_not_sent(cut: int) -> None:
    frames = told(THINKING, USE)[:cut]
    answer = il.collect(il.decode_stream(frames, "claude")).model_dump(mode="json")
    messages = [{"role": "user", "content": "Go."}, *answer["messages"], {"role": "user", "content": "Go on."}]
    request = {"dialect": "claude", "model": "m", "max_tokens": 100, "messages": messages}
    body = il.encode_request(il.repair_request(request, "claude").request, "claude").body
    assert il.check_request(body, "claude") == []
    assert ("Hm" in json.dumps(body)) is (cut == 4)  # the fourth frame is the signature


# --- reasoning elsewhere ----------------------------------------------------------------------------------------------

# A dialect -> a request whose assistant thought, signed where the dialect signs, and called.
THOUGHT: Final[Mapping[str, dict[str, Any]]] = MappingProxyType({
    "claude": asked(THINKING, USE),
    "openai_responses": {
        "model": "m",
        "input": [
            {"role": "user", "content": "Go."},
            {**ENCRYPTED, "summary": [{"type": "summary_text", "text": ODD}]},
            {"type": "function_call", "id": "fc_1", "call_id": "a", "name": "look_up", "arguments": "{}"},
            {"type": "function_call_output", "call_id": "a", "output": "done"},
        ],
    },
    "gemini": {
        "contents": [
            {"role": "user", "parts": [{"text": "Go."}]},
            {
                "role": "model",
                "parts": [
                    {"text": ODD, "thought": True},
                    {"functionCall": {"name": "look_up", "args": {}}, "thoughtSignature": SIGNATURE},
                ],
            },
            {"role": "user", "parts": [{"functionResponse": {"name": "look_up", "response": {"output": "done"}}}]},
        ]
    },
    "openai_chat": {
        "model": "m",
        "messages": [
            {"role": "user", "content": "Go."},
            {"role": "assistant", "content": "So.", "reasoning_content": ODD},
            {"role": "user", "content": "And?"},
        ],
    },
})  # fmt: skip
# Who reads the reasoning of anybody, as text.
OPEN: Final = frozenset({"ollama", "vllm"})


@pytest.mark.parametrize("target", DIALECTS)
@pytest.mark.parametrize("source", THOUGHT)
def test_rea_5_foreign_reasoning_is_kept_as_text_and_dropped_with_a_report_if_signed(source: str, target: str) -> None:
    encoded = il.translate_request(THOUGHT[source], source, target)
    assert il.check_request(encoded.body, target) == []
    said = json.dumps(encoded.body)
    assert (json.dumps(ODD)[1:-1] in said) is (target == source or target in OPEN)
    assert (SIGNATURE in said or HIDDEN in said) is (target == source != "openai_chat")
    told_lost = ("lost", "/messages/1/reasoning") in {(one.severity, one.path) for one in encoded.losses}
    assert told_lost is (target != source and target not in OPEN)


@pytest.mark.parametrize("extra", [{}, {"extra": {"openai_chat": {"spelling": {"reasoning": "reasoning"}}}}])
@pytest.mark.parametrize("target", ["claude", "openai_responses", "gemini"])
def test_rea_6_no_signature_is_invented_and_the_documented_gemini_placeholder_is_reported(
    target: str, extra: dict[str, Any]
) -> None:
    calls = [{"id": "a", "name": "look_up", "arguments": {}}]
    said = {"role": "assistant", "reasoning": "Hm.", "tool_calls": calls, **extra}
    messages = [{"role": "user", "content": "Go."}, said, {"role": "tool", "call_id": "a", "content": "done"}]
    encoded = il.encode_request({"model": "m", "max_tokens": 100, "messages": messages}, target)
    assert il.check_request(encoded.body, target) == []
    assert "Hm." not in json.dumps(encoded.body)
    filled = {loss.path for loss in encoded.losses if loss.severity == "filled" and "signature" in loss.detail}
    if target != "gemini":
        assert "ignature" not in json.dumps(encoded.body)
        assert filled == set()
        return
    assert encoded.body["contents"][1]["parts"][0].pop("thoughtSignature") == SENTINEL
    assert "ignature" not in json.dumps(encoded.body)
    assert filled == {"/messages/1/extra/gemini"}


# --- items of Responses -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("members", [{"id": "rs_1"}, {}], ids=["with its id", "without an id"])
def test_rea_9_reasoning_not_stored_by_a_server_is_sent_as_stored(members: dict[str, str]) -> None:
    item = {"type": "reasoning", "summary": [], "encrypted_content": HIDDEN, **members}
    body = THOUGHT["openai_responses"]
    items = [body["input"][0], item, *body["input"][2:]]
    request = {"model": "m", "store": False, "input": items}
    assert home(request, "openai_responses") == request


@pytest.mark.parametrize("opaque", [HIDDEN, "sk-live-0123456789", "plain text", "", "\u2026" * 3])
def test_rea_10_opaque_data_is_never_edited(opaque: str) -> None:
    item = {**ENCRYPTED, "encrypted_content": opaque}
    dangling = {"type": "function_call", "id": "fc_1", "call_id": "a", "name": "look_up", "arguments": "{}"}
    body = {"model": "m", "input": [{"role": "user", "content": "Go."}, item, dangling]}
    request = stored(il.decode_request(body, "openai_responses"))
    mended = il.repair_request(request, "openai_responses")
    assert mended.repairs
    again = il.encode_request(mended.request, "openai_responses").body["input"]
    assert [one for one in again if one.get("type") == "reasoning"] == [item]


# --- vendors that speak Chat Completions ------------------------------------------------------------------------------


def test_rea_11_reasoning_returns_to_its_vendor_under_its_name_even_if_empty() -> None:
    said = [{"role": "assistant", "content": "A", "reasoning_content": text} for text in ("Hm.", "")]
    body = {"model": "m", "messages": [{"role": "user", "content": "Go."}, *said]}
    assert home(body, "openai_chat") == body


@pytest.mark.parametrize("source", [*THOUGHT, "ollama", "vllm"])
def test_rea_11_reasoning_is_never_sent_to_an_unknown_vendor(source: str) -> None:
    if source in THOUGHT and source != "openai_chat":
        body = THOUGHT[source]
    else:
        name = {"ollama": "thinking", "vllm": "reasoning", "openai_chat": "reasoning_content"}[source]
        said = {"role": "assistant", "content": "So.", name: "Hm."}
        body = {
            "model": "m",
            "messages": [{"role": "user", "content": "Go."}, said, {"role": "user", "content": "And?"}],
        }
    messages = [one.model_dump(mode="json") for one in il.decode_request(body, source).messages]
    for message in messages:
        message.pop("extra", None)
    made = il.encode_request({"model": "m", "messages": messages}, "openai_chat")
    assert not any(name.startswith("reasoning") for one in made.body["messages"] for name in one)
    assert "/messages/1/reasoning" in {loss.path for loss in made.losses}


def details(*items: dict[str, Any], text: str | None = None) -> dict[str, Any]:
    delta: dict[str, Any] = {"content": "", "reasoning_details": list(items)}
    if text is not None:
        delta["reasoning"] = text
    return {"id": "chatcmpl-1", "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}


def test_rea_12_fragments_of_reasoning_details_become_one_entry_each_and_round_trip() -> None:
    first = {"type": "reasoning.text", "format": "anthropic-claude-v1", "index": 0}
    second = {"type": "reasoning.encrypted", "data": HIDDEN, "format": "anthropic-claude-v1", "index": 1}
    frames: list[Any] = [
        details({**first, "text": "Let "}, text="Let "),
        details({**first, "text": "me."}, text="me."),
        details({**first, "signature": SIGNATURE}),
        details(second),
        {"id": "chatcmpl-1", "choices": [{"index": 0, "delta": {"content": "So."}, "finish_reason": "stop"}]},
        "[DONE]",
    ]
    events = list(il.decode_stream(frames, "openai_chat"))
    assert list(il.encode_stream(events, "openai_chat")) == frames
    entries = [{**first, "text": "Let me.", "signature": SIGNATURE}, second]
    said = {"role": "assistant", "content": "So.", "reasoning": "Let me.", "reasoning_details": entries}
    (message,) = il.collect(events).messages
    assert message == il.decode_response(chat_answer(said), "openai_chat").messages[0]
    history = {"dialect": "openai_chat", "messages": [message.model_dump(mode="json")]}
    assert il.encode_request(history, "openai_chat").body["messages"] == [said]


# --- order ------------------------------------------------------------------------------------------------------------


def test_rea_13_thinking_between_calls_keeps_its_place_where_supported() -> None:
    second = {**USE, "id": "toolu_2"}
    text = {"type": "text", "text": "I look."}
    body = asked(THINKING, text, USE, {**THINKING, "signature": "YW5vdGhlcg=="}, second)
    body["messages"][2]["content"].append({**USED, "tool_use_id": "toolu_2"})
    again = home(body, "claude")
    assert json.dumps(again["messages"]) == json.dumps(body["messages"])
    asked_again = {**THOUGHT["openai_responses"]["input"][2], "id": "fc_2", "call_id": "b"}
    message = {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": []}
    user, reasoning, called, answered = THOUGHT["openai_responses"]["input"]
    order = [user, reasoning, message, called, {**reasoning, "id": "rs_2"}, asked_again, answered]
    items = {"model": "m", "input": [*order, {**answered, "call_id": "b"}]}
    assert home(items, "openai_responses") == items


@pytest.mark.parametrize("source", ["claude", "openai_chat", "gemini"])
def test_rea_15_thinking_reaches_claude_clients_as_thinking(source: str) -> None:
    chunk = {"index": 0, "delta": {"reasoning_content": ODD}, "finish_reason": None}
    frames = {
        "claude": told(THINKING, USE),
        "openai_chat": [
            {"id": "c", "choices": [chunk]},
            {"id": "c", "choices": [{**chunk, "delta": {"content": "So."}}]},
        ],
        "gemini": [gemini_answer({"text": ODD, "thought": True}), gemini_answer({"text": "So."})],
    }[source]
    events = list(il.decode_stream(frames, source))
    first, second = claude_message(il.encode_stream(events, "claude")).content
    assert first.type == "thinking"
    assert first.thinking == ODD
    assert first.signature == (SIGNATURE if source == "claude" else "")
    assert second.type == ("tool_use" if source == "claude" else "text")
