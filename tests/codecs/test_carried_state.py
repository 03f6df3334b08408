"""What providers signed, in the dress of Chat Completions: read into their state, and written for their clients."""

from __future__ import annotations

from typing import Any, Final

import pytest
from openai.lib.streaming.chat import ChatCompletionStreamState
from openai.types.chat import ChatCompletionChunk

import interlingua as il
from support.bodies import chat_answer, chat_call, claude_answer, claude_call, gemini_answer, responses_answer

ASKED: Final[dict[str, Any]] = {"model": "m", "messages": [{"role": "user", "content": "Go."}]}
CLAUDE: Final = "anthropic-claude-v1"
GEMINI: Final = "google-gemini-v1"
OPENAI: Final = "openai-responses-v1"
TEXT, SUMMARY, ENCRYPTED = "reasoning.text", "reasoning.summary", "reasoning.encrypted"


def detail(kind: str, said: str | None, index: int, **members: Any) -> dict[str, Any]:
    return {"type": kind, "format": said, "index": index, **members}


def asked(message: dict[str, Any]) -> dict[str, Any]:
    """Return the next request of a client: what the model said, and the results of its calls."""
    calls = message.get("tool_calls", ())
    results = [{"role": "tool", "tool_call_id": call["id"], "content": "done"} for call in calls]
    return {**ASKED, "messages": [*ASKED["messages"], {"role": "assistant", **message}, *results]}


def reaching(message: dict[str, Any], maker: Any) -> Any:
    """Return what of a message reaches its maker, and the losses of state."""
    encoded = il.translate_request(asked(message), "openai_chat", maker)
    lost = [loss.path for loss in encoded.losses if loss.concern == "state"]
    body = encoded.body
    if maker == "gemini":
        return body["contents"][1]["parts"], lost
    return (body["messages"][1]["content"] if maker == "claude" else body["input"][1:]), lost


READ: Final[dict[str, tuple[str, dict[str, Any], list[Any]]]] = {
    "thoughts of Claude's": (
        "claude",
        {
            "content": "Hi",
            "reasoning_details": [
                detail(TEXT, CLAUDE, 0, text="One.", signature="czE="),
                detail(ENCRYPTED, CLAUDE, 1, data="aGlk"),
                detail(TEXT, CLAUDE, 2, text="Two.", signature="czI="),
            ],
        },
        [
            {"type": "thinking", "thinking": "One.", "signature": "czE="},
            {"type": "redacted_thinking", "data": "aGlk"},
            {"type": "thinking", "thinking": "Two.", "signature": "czI="},
            {"type": "text", "text": "Hi"},
        ],
    ),
    "a signature without a format": (
        "claude",
        {"content": "Hi", "reasoning_details": [{"type": TEXT, "text": "One.", "signature": "czE="}]},
        [{"type": "thinking", "thinking": "One.", "signature": "czE="}, {"type": "text", "text": "Hi"}],
    ),
    "a signature beside the text of a member": (
        "claude",
        {
            "content": "Hi",
            "reasoning_content": "One.",
            "reasoning_details": [detail(TEXT, CLAUDE, 0, signature="czE=")],
        },
        [{"type": "thinking", "thinking": "One.", "signature": "czE="}, {"type": "text", "text": "Hi"}],
    ),
    "a thought that is not shown": (
        "claude",
        {"content": "Hi", "reasoning_details": [detail(TEXT, CLAUDE, 0, text="", signature="czE=")]},
        [{"type": "thinking", "thinking": "", "signature": "czE="}, {"type": "text", "text": "Hi"}],
    ),
    "a call of Gemini's by its id": (
        "gemini",
        {
            "content": None,
            "tool_calls": [chat_call(identifier="a"), chat_call(identifier="b")],
            "reasoning_details": [detail(ENCRYPTED, GEMINI, 0, id="b", data="czE=")],
        },
        [
            {"functionCall": {"id": "a", "name": "look_up", "args": {"city": "Rome"}}},
            {"functionCall": {"id": "b", "name": "look_up", "args": {"city": "Rome"}}, "thoughtSignature": "czE="},
        ],
    ),
    "a text of Gemini's": (
        "gemini",
        {
            "content": "Hi",
            "reasoning_details": [
                detail(TEXT, GEMINI, 0, text="One."),
                detail(ENCRYPTED, GEMINI, 1, data="czE="),
            ],
        },
        [{"text": "One.", "thought": True}, {"text": "Hi", "thoughtSignature": "czE="}],
    ),
    "a reasoning item of Responses": (
        "openai_responses",
        {
            "content": "Hi",
            "reasoning": "One.",
            "reasoning_details": [
                detail(SUMMARY, OPENAI, 0, summary="One."),
                detail(ENCRYPTED, OPENAI, 1, id="rs_1", data="ZW5j"),
            ],
        },
        [
            {
                "type": "reasoning",
                "id": "rs_1",
                "encrypted_content": "ZW5j",
                "summary": [{"type": "summary_text", "text": "One."}],
            },
            {"type": "message", "role": "assistant", "content": "Hi"},
        ],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("maker", "message", "wanted"), READ.values(), ids=READ)
def test_state_in_reasoning_details_reaches_its_provider(
    maker: str, message: dict[str, Any], wanted: list[Any]
) -> None:
    assert reaching(message, maker) == (wanted, [])


@pytest.mark.parametrize(("maker", "message", "wanted"), READ.values(), ids=READ)
def test_state_in_reasoning_details_round_trips_and_goes_nowhere_else(
    maker: str, message: Any, wanted: list[Any]
) -> None:
    body = asked(message)
    stored = il.ChatRequest.model_validate_json(il.decode_request(body, "openai_chat").model_dump_json())
    encoded = il.encode_request(stored, "openai_chat")
    assert (encoded.body, encoded.losses) == (body, ())
    answer = chat_answer(message)
    assert il.encode_response(il.decode_response(answer, "openai_chat"), "openai_chat").body == answer
    secrets = [one[name] for one in message["reasoning_details"] for name in ("signature", "data") if name in one]
    for other in ("claude", "gemini", "openai_responses", "ollama"):
        if other != maker:
            translated = il.translate_request(body, "openai_chat", other)  # type: ignore[arg-type]  # a name of dialects
            assert not any(secret in str(translated.body) for secret in secrets)
            assert [loss.path for loss in translated.losses if loss.concern == "state"] == [
                f"/messages/1/extra/{maker}"
            ]
    assert wanted


KEPT: Final[dict[str, list[dict[str, Any]]]] = {
    "another maker": [detail(ENCRYPTED, "xai-responses-v1", 0, id="rs_1", data="ZW5j")],
    "two makers": [
        detail(TEXT, CLAUDE, 0, text="One.", signature="czE="),
        detail(ENCRYPTED, OPENAI, 1, id="rs_1", data="ZW5j"),
    ],
    "a thought that is not signed": [
        detail(TEXT, CLAUDE, 0, text="One.", signature="czE="),
        detail(TEXT, CLAUDE, 1, text="Two."),
    ],
    "two items": [
        detail(ENCRYPTED, OPENAI, 0, id="rs_1", data="ZW5j"),
        detail(ENCRYPTED, OPENAI, 1, id="rs_2", data="ZW5jMg=="),
    ],
    "no maker": [detail(ENCRYPTED, None, 0, id="rs_1", data="ZW5j")],
    "two signatures of one call": [
        detail(ENCRYPTED, GEMINI, 0, data="czE="),
        detail(ENCRYPTED, GEMINI, 1, data="czI="),
    ],
    "no data": [detail(ENCRYPTED, GEMINI, 0), detail(TEXT, GEMINI, 1, text="One.")],
    "no objects": ["One."],  # type: ignore[list-item]  # as a server may send it
    "no list": {"text": "One."},  # type: ignore[dict-item]  # as a server may send it
}


@pytest.mark.parametrize("details", KEPT.values(), ids=KEPT)
def test_reasoning_details_without_a_single_place_are_unchanged(details: Any) -> None:
    message = {"content": "Hi", "tool_calls": [chat_call()], "reasoning_details": details}
    body = asked(message)
    assert il.encode_request(il.decode_request(body, "openai_chat"), "openai_chat").body == body
    for maker in ("claude", "gemini", "openai_responses"):
        told = str(il.translate_request(body, "openai_chat", maker).body)  # type: ignore[arg-type]  # a name of dialects
        assert not any(secret in told for secret in ("czE=", "czI=", "ZW5j"))


THOUGHTS: Final = [
    {"type": "thinking", "thinking": "One.", "signature": "czE="},
    {"type": "thinking", "thinking": "", "signature": "czI="},
    {"type": "redacted_thinking", "data": "aGlk"},
]


def test_a_client_that_returns_reasoning_details_restores_the_thoughts_of_claude() -> None:
    answer = claude_answer(*THOUGHTS, {"type": "text", "text": "Hi"}, claude_call(), reason="tool_use")
    told = il.exchange(ASKED, "openai_chat", "claude").response(answer)
    message = told.body["choices"][0]["message"]
    assert message["reasoning_content"] == "One."
    assert [loss for loss in told.losses if loss.concern == "state"] == []
    content, lost = reaching({name: said for name, said in message.items() if said is not None}, "claude")
    assert (content, lost) == (answer["content"], [])


def test_signed_reasoning_is_carried_if_requested() -> None:
    answer = gemini_answer({"functionCall": {"name": "f", "args": {}}, "thoughtSignature": "czE="})
    plain = il.translate_response(answer, "gemini", "openai_chat")
    assert "czE=" not in str(plain.body)
    assert "state" in {loss.concern for loss in plain.losses}
    carried = il.translate_response(answer, "gemini", "openai_chat", carry_state=True)
    [call] = carried.body["choices"][0]["message"]["tool_calls"]
    assert call["extra_content"] == {"google": {"thought_signature": "czE="}}
    read = il.decode_response(answer, "gemini")
    assert il.encode_response(read, "openai_chat", carry_state=True) == carried
    silent = il.exchange(ASKED, "openai_chat", "gemini", carry_state=False)
    assert silent.response(answer).body == plain.body
    assert il.Exchange.from_json(silent.to_json()) == silent != il.exchange(ASKED, "openai_chat", "gemini")
    other = il.translate_response(answer, "gemini", "vllm", carry_state=True)
    assert other == il.translate_response(answer, "gemini", "vllm")


def test_a_signature_after_the_start_of_a_streamed_call_is_read_by_the_official_client() -> None:
    def chunk(**call: Any) -> dict[str, Any]:
        signed = {"thoughtSignature": "czE="} if "name" in call else {}
        return {"candidates": [{"content": {"parts": [{"functionCall": call, **signed}], "role": "model"}}]}

    begun = chunk(name="f", willContinue=True)
    piece = chunk(partialArgs=[{"jsonPath": "$.a", "stringValue": "x"}], willContinue=True)
    ended: dict[str, Any] = {**chunk(), "modelVersion": "m"}
    ended["candidates"][0]["finishReason"] = "STOP"
    frames = il.exchange(ASKED, "openai_chat", "gemini").stream([begun, piece, ended])
    state: ChatCompletionStreamState[None] = ChatCompletionStreamState()
    for frame in frames:
        if isinstance(frame, dict):
            state.handle_chunk(ChatCompletionChunk.model_validate(frame))
    [call] = state.get_final_completion().choices[0].message.tool_calls or []
    assert call.model_dump()["extra_content"] == {"google": {"thought_signature": "czE="}}
    assert call.function.arguments == '{"a":"x"}'


def test_of_two_signed_texts_of_an_answer_only_the_first_stays_signed() -> None:
    answer = gemini_answer({"text": "a", "thoughtSignature": "czE="}, {"text": "b", "thoughtSignature": "czI="})
    carried = il.translate_response(answer, "gemini", "openai_chat", carry_state=True)
    assert carried.body["choices"][0]["message"]["extra_content"] == {"google": {"thought_signature": "czE="}}
    assert [loss.path for loss in carried.losses if loss.concern == "state"] == [
        "/messages/0/extra/gemini/thought_signatures/1"
    ]


def test_an_unencrypted_responses_item_is_not_carried() -> None:
    answer = responses_answer({"type": "reasoning", "id": "rs_1", "summary": []})
    carried = il.translate_response(answer, "openai_responses", "openai_chat", carry_state=True)
    assert "reasoning_details" not in carried.body["choices"][0]["message"]
    assert "state" in {loss.concern for loss in carried.losses}


REASONING: Final = "reasoning.encrypted_content"


@pytest.mark.parametrize(
    ("model", "beside", "is_asked"),
    [
        ("gpt-5.5", {}, True),
        ("gpt-5.2", {"reasoning_effort": "high"}, True),
        ("gpt-5.2", {}, False),  # it does not reason unless it is told to
        ("gpt-5.5", {"reasoning_effort": "none"}, False),
        ("gpt-4.1", {}, False),
        ("a-model-of-mine", {}, False),
    ],
)
def test_encrypted_reasoning_is_requested_from_responses_models(
    model: str, beside: dict[str, Any], is_asked: bool
) -> None:
    body = {**ASKED, **beside, "model": model}
    encoded = il.exchange(body, "openai_chat", "openai_responses")
    assert encoded.body.get("include", []) == [REASONING] * is_asked
    filled = [loss.path for loss in encoded.losses if loss.severity == "filled" and "encrypted" in loss.detail]
    assert filled == ["/extra/openai_responses"] * is_asked
    assert il.check_request(encoded.body, "openai_responses") == []
    silent = il.exchange(body, "openai_chat", "openai_responses", carry_state=False)
    assert silent.body == il.translate_request(body, "openai_chat", "openai_responses").body
    assert "include" not in silent.body
    elsewhere = il.exchange({**ASKED, "model": model}, "ollama", "openai_responses")
    assert "include" not in elsewhere.body


def test_encrypted_reasoning_is_added_to_an_existing_include_list() -> None:
    others = ["web_search_call.action.sources"]
    body = {**ASKED, "model": "gpt-5.5"}
    for include, wanted in ((others, [*others, REASONING]), ([REASONING], [REASONING])):
        defaults = {"extra": {"openai_responses": {"fields": {"include": include}}}}
        encoded = il.exchange(body, "openai_chat", "openai_responses", defaults=defaults)
        assert encoded.body["include"] == wanted


def test_empty_reasoning_is_not_sent_back() -> None:
    details = [detail(SUMMARY, OPENAI, 0, summary="One."), detail(ENCRYPTED, OPENAI, 1, id="rs_1", data="ZW5j")]
    message = {"role": "assistant", "content": None, "reasoning_details": details}
    question = ASKED["messages"][0]
    for behind, is_sent in (
        ([question], False),
        ([{"role": "assistant", "content": "Hi"}, question], True),
        ([], False),
    ):
        body = {"model": "gpt-5.5", "messages": [question, message, *behind]}
        encoded = il.exchange(body, "openai_chat", "openai_responses")
        assert il.check_request(encoded.body, "openai_responses") == []
        assert ("reasoning" in {item.get("type") for item in encoded.body["input"]}) is is_sent
        lost = "/messages/1/extra/openai_responses/reasoning" in {loss.path for loss in encoded.losses}
        assert lost is not is_sent


def chunks(*deltas: dict[str, Any], reason: str = "stop") -> list[Any]:
    head = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    made = [{**head, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]} for delta in deltas]
    return [*made, {**head, "choices": [{"index": 0, "delta": {}, "finish_reason": reason}]}, "[DONE]"]


def fragment() -> dict[str, Any]:
    return {"index": 0, "id": "a", "type": "function", "function": {"name": "f", "arguments": "{}"}}


GOOGLE: Final[dict[str, Any]] = {"extra_content": {"google": {"thought_signature": "czE="}}}
STREAMS: Final[dict[str, tuple[list[Any], str, list[tuple[str, str]]]]] = {
    "pieces in details": (
        chunks(
            {"role": "assistant", "reasoning": "On", "reasoning_details": [detail(TEXT, CLAUDE, 0, text="On")]},
            {"reasoning": "e.", "reasoning_details": [detail(TEXT, CLAUDE, 0, text="e.")]},
            {"reasoning_details": [detail(TEXT, CLAUDE, 0, signature="czE=")]},
            {"content": "Hi"},
        ),
        "claude",
        [("signature", "czE=")],
    ),
    "a whole detail behind its pieces": (
        chunks(
            {"role": "assistant", "reasoning_content": "On"},
            {"reasoning_content": "e."},
            {"reasoning_details": [detail(TEXT, CLAUDE, 0, text="One.", signature="czE=")]},
            {"reasoning_details": [detail(ENCRYPTED, CLAUDE, 1, data="aGlk")]},
            {"content": "Hi"},
        ),
        "claude",
        [("signature", "czE="), ("data", "aGlk")],
    ),
    "a thought that is not shown": (
        chunks({"role": "assistant", "reasoning_details": [detail(TEXT, CLAUDE, 0, text="", signature="czE=")]}),
        "claude",
        [("signature", "czE=")],
    ),
    "a call": (
        chunks({"role": "assistant", "tool_calls": [{**fragment(), **GOOGLE}]}, reason="tool_calls"),
        "gemini",
        [("signature", "czE=")],
    ),
    "a call, behind its beginning": (
        chunks(
            {"role": "assistant", "tool_calls": [fragment()]},
            {"tool_calls": [{"index": 0, **GOOGLE}]},
            reason="tool_calls",
        ),
        "gemini",
        [("signature", "czE=")],
    ),
    "a text": (chunks({"role": "assistant", "content": "Hi"}, GOOGLE), "gemini", [("signature", "czE=")]),
    "a call that a detail names before it comes": (
        chunks(
            {"role": "assistant", "reasoning_details": [detail(ENCRYPTED, GEMINI, 0, id="a", data="czE=")]},
            {"tool_calls": [fragment()]},
            reason="tool_calls",
        ),
        "gemini",
        [("signature", "czE=")],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("frames", "maker", "wanted"), STREAMS.values(), ids=STREAMS)
def test_a_stream_contains_the_carried_state_and_round_trips(frames: list[Any], maker: Any, wanted: Any) -> None:
    events = list(il.decode_stream(frames, "openai_chat"))
    bags = [event.model_dump().get("extra", {}).get(maker, {}) for event in events if event.type == "state"]
    assert [(name, said) for bag in bags for name, said in bag.items()] == wanted
    home = il.encode_stream(events, "openai_chat")
    assert list(home) == frames
    assert home.losses == ()
    answer = il.collect(events)
    translated = il.translate_stream(frames, "openai_chat", maker)
    read = il.collect(il.decode_stream(list(translated), maker))
    assert [message.text for message in read.messages if message.text] == [
        message.text for message in answer.messages if message.text
    ]
    own = [
        message.model_dump()["extra"][maker]
        for message in read.messages
        if maker in message.model_dump().get("extra", {})
    ]
    assert all(said in str(own) for _, said in wanted)
    assert not [loss for loss in translated.losses if loss.severity == "lost" and loss.concern == "state"]
    assert "czE=" not in str(list(il.translate_stream(frames, "openai_chat", "ollama")))


def test_a_thought_repeated_in_a_signed_detail_is_written_once() -> None:
    events = il.decode_stream(STREAMS["a whole detail behind its pieces"][0], "openai_chat")
    assert "".join(event.text for event in events if event.type == "reasoning") == "One."


def test_a_call_in_a_truncated_stream_is_still_written() -> None:
    head: dict[str, Any] = {
        "candidates": [{"content": {"role": "model", "parts": [{"functionCall": {"name": "f", "args": {}}}]}}]
    }
    made = list(il.exchange(ASKED, "openai_chat", "gemini").stream([head]))
    assert any("tool_calls" in frame["choices"][0]["delta"] for frame in made if isinstance(frame, dict))
