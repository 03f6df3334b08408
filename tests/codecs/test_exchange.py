"""An exchange: what comes back for a request is as the client would have had it from its own provider."""

from __future__ import annotations

import asyncio
import json
import pickle
from typing import TYPE_CHECKING, Any, Final

import pytest

import interlingua as il

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

DIALECTS: Final = ("openai_chat", "openai_responses", "claude", "gemini", "ollama", "vllm", "bedrock_converse")
NAME: Final = "files.read one"
SCHEMA: Final = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}
TOOL: Final = {"type": "function", "name": NAME, "description": "Reads a file.", "parameters": SCHEMA}
SECRET: Final = "the secret of the client"  # noqa: S105  # content, which goes into no JSON of an exchange


def asked(client: str, **members: Any) -> dict[str, Any]:
    """Return a request of a client: a dialect that refuses a name has none of its tools called so."""
    request = {"model": "the-model", "messages": [{"role": "user", "content": SECRET}], "tools": [TOOL], **members}
    request["dialect"] = client
    return il.encode_request(request, client).body


def answered(provider: str, one: il.Exchange, **members: Any) -> dict[str, Any]:
    """Return the answer of a provider that calls the tool by the name that it was told."""
    [name] = [tool["name"] for tool in il.decode_request(one.body, provider).model_dump(mode="json")["tools"]]
    call = {"id": "call_1", "name": name, "arguments": {"path": "a.txt"}}
    message = {"role": "assistant", "content": "I look.", "tool_calls": [call]}
    usage = {"input_tokens": 11, "output_tokens": 7}
    response = {
        "id": "resp_1",
        "model": "another",
        "messages": [message],
        "finish_reason": "tool_calls",
        "usage": usage,
    }
    return il.encode_response({**response, **members}, provider).body


def said(body: dict[str, Any], dialect: str) -> dict[str, Any]:
    return il.decode_response(body, dialect).model_dump(mode="json")


def streamed(provider: str, one: il.Exchange) -> list[Any]:
    """Return the answer of a provider as a stream, through events made by hand."""
    response = said(answered(provider, one), provider)
    call = response["messages"][0]["tool_calls"][0]
    events: list[dict[str, Any]] = [
        {"type": "start", "id": "resp_1", "model": "another"},
        {"type": "content", "block": 0, "text": "I "},
        {"type": "content", "block": 0, "text": "look."},
        {"type": "block_end", "block": 0},
        {"type": "tool_call_start", "block": 1, "id": "call_1", "name": call["name"]},
        {"type": "tool_call_delta", "block": 1, "arguments": '{"path":'},
        {"type": "tool_call_delta", "block": 1, "arguments": '"a.txt"}'},
        {"type": "block_end", "block": 1},
        {"type": "finish", "reason": "tool_calls"},
        {"type": "usage", "usage": {"input_tokens": 11, "output_tokens": 7}},
        {"type": "end", "complete": True},
    ]
    return list(il.encode_stream(events, provider))


def heard(frames: Any, dialect: str) -> dict[str, Any]:
    return il.collect(il.decode_stream(list(frames), dialect)).model_dump(mode="json")


PAIRS: Final = [
    pytest.param(client, provider, id=f"{client}-to-{provider}")
    for client in DIALECTS
    for provider in DIALECTS
    if client != provider
]


def model_for(client: str, named: str | None) -> str | None:
    """Return what an answer for a client calls the model, of which the provider says `named`.

    Answers of Bedrock have no place for it, and the body of a client of Gemini names none.
    """
    return {"gemini": named, "bedrock_converse": None}.get(client, "the-model")


@pytest.mark.parametrize(("client", "provider"), PAIRS)
def test_an_answer_has_the_clients_tool_names_and_model_name(client: str, provider: str) -> None:
    one = il.exchange(asked(client), client, provider, model="another")
    answer = said(one.response(answered(provider, one)).body, client)
    assert [call["name"] for message in answer["messages"] for call in message.get("tool_calls", ())] == [NAME]
    assert answer.get("model") == model_for(client, None if provider == "bedrock_converse" else "another")


@pytest.mark.parametrize(("client", "provider"), PAIRS)
def test_a_pushed_stream_can_be_checked_for_truncation(client: str, provider: str) -> None:
    one = il.exchange(asked(client), client, provider, model="another")
    frames = streamed(provider, one)
    whole, cut = one.push(), one.push()
    for frame in frames:
        whole.feed(frame)
    assert whole.is_whole()
    begun = cut.feed(frames[0])
    assert not cut.is_whole()
    error = il.ApiError(category="unavailable", message="Broken off.")
    broken = cut.break_off(error)
    with pytest.raises(il.StreamError) as raised:
        il.collect(il.decode_stream([*begun, *broken], il.dialect(client)))
    assert raised.value.message == "Broken off."
    assert cut.break_off(error) == []


@pytest.mark.parametrize(("client", "provider"), PAIRS)
def test_a_streamed_answer_equals_the_whole_answer(client: str, provider: str) -> None:
    one = il.exchange(asked(client), client, provider, model="another")
    pushed = one.push()
    frames = [*(frame for each in streamed(provider, one) for frame in pushed.feed(each)), *pushed.close()]
    assert frames == list(one.stream(streamed(provider, one)))
    answer = heard(frames, client)
    assert [call["name"] for message in answer["messages"] for call in message.get("tool_calls", ())] == [NAME]
    assert answer.get("model") == model_for(client, None if provider == "bedrock_converse" else "another")


@pytest.mark.parametrize("client", DIALECTS)
def test_an_answer_without_a_model_gets_the_clients_model_name(client: str) -> None:
    """Bedrock's answers name none, and the SDKs of most clients want one."""
    provider = "claude" if client == "bedrock_converse" else "bedrock_converse"
    one = il.exchange(asked(client), client, provider, model="another")
    body = {**answered(provider, one)}
    body.pop("model", None)
    encoded = one.response(body)
    assert said(encoded.body, client).get("model") == model_for(client, None)
    assert [loss for loss in encoded.losses if "model" in loss.path] == []
    if provider == "bedrock_converse":
        assert heard(one.stream(streamed(provider, one)), client).get("model") == model_for(client, None)


@pytest.mark.parametrize(("client", "provider"), PAIRS)
def test_the_json_form_of_an_exchange_is_equivalent_and_holds_no_content(client: str, provider: str) -> None:
    one = il.exchange(asked(client), client, provider, model="another")
    text = one.to_json()
    again = il.Exchange.from_json(text.encode())
    assert again == one
    assert SECRET not in text
    assert "Reads a file" not in text
    assert SECRET not in repr(one)
    assert again.response(answered(provider, one)) == one.response(answered(provider, one))
    assert list(again.stream(streamed(provider, one))) == list(one.stream(streamed(provider, one)))
    with pytest.raises(il.UnsupportedError):
        _ = again.body
    with pytest.raises(il.UnsupportedError):
        _ = again.losses


def test_an_exchange_can_be_pickled() -> None:
    one = il.exchange(asked("ollama"), "ollama", "claude")
    assert pickle.loads(pickle.dumps(one)).response(answered("claude", one)) == one.response(answered("claude", one))  # noqa: S301  # it is our own


@pytest.mark.parametrize(
    "text",
    ["", "[]", "null", "{}", '{"form": 2}', '{"form": 1, "source": 1, "target": "claude", "model": null}', "[" * 9_999],
)
def test_an_invalid_exchange_document_raises_a_documented_error(text: str) -> None:
    with pytest.raises(il.JsonDecodeError):
        il.Exchange.from_json(text)


@pytest.mark.parametrize(
    "wrong",
    [
        {"source": 1},
        {"target": None},
        {"model": 1},
        {"tells_usage": "yes"},
        {"tools": []},
        {"tools": {"a": {}}},
        {"tools": {"a": {"name": 1}}},
        {"tools": {"a": {"name": "b", "is_free": "no"}}},
        {"tools": {"a": {"name": "b", "group": 1}}},
        {"tools": {"a": {"name": "b", "other": 1}}},
        {"reasoning_member": 1},
        {"reasoning_member": "thinking"},
    ],
)
def test_a_member_of_the_wrong_type_is_refused(wrong: dict[str, Any]) -> None:
    members = json.loads(il.exchange(asked("ollama"), "ollama", "claude").to_json())
    assert il.Exchange.from_json(json.dumps(members)).tools
    with pytest.raises(il.JsonDecodeError):
        il.Exchange.from_json(json.dumps({**members, **wrong}))


@pytest.mark.parametrize("missing", ["form", "source", "target", "model", "tells_usage", "tools"])
def test_a_missing_member_is_refused(missing: str) -> None:
    members = json.loads(il.exchange(asked("ollama"), "ollama", "claude").to_json())
    del members[missing]
    with pytest.raises(il.JsonDecodeError):
        il.Exchange.from_json(json.dumps(members))


@pytest.mark.parametrize("member", ["reasoning_content", "reasoning", None])
def test_reasoning_is_written_in_the_clients_member_even_after_storing_the_exchange(member: Any) -> None:
    one = il.exchange(asked("openai_chat"), "openai_chat", "ollama", reasoning_member=member)
    answer = {"model": "m", "message": {"role": "assistant", "content": "So.", "thinking": "Hm."}, "done": True}
    for told in (one, il.Exchange.from_json(one.to_json())):
        assert told == one
        said = told.response(answer).body["choices"][0]["message"]
        assert {name: text for name, text in said.items() if name.startswith("reasoning")} == (
            {member: "Hm."} if member else {}
        )
        pushed = told.push()
        for frames in (list(told.stream([answer])), [*pushed.feed(answer), *pushed.close()]):
            deltas = [choice["delta"] for frame in frames if type(frame) is dict for choice in frame["choices"]]
            assert {name for delta in deltas for name in delta if name.startswith("reasoning")} == (
                {member} if member else set()
            )
    assert "reasoning" not in il.exchange(asked("openai_chat"), "openai_chat", "ollama").to_json()


@pytest.mark.parametrize("provider", ["claude", "gemini", "openai_responses", "ollama"])
@pytest.mark.parametrize("client", ["openai_chat", "vllm"])
def test_a_chat_client_gets_usage_last_and_only_if_requested(client: str, provider: str) -> None:
    body = {**asked(client), "stream": True}
    silent = il.exchange(body, client, provider)
    frames = [frame for frame in silent.stream(streamed(provider, silent)) if isinstance(frame, dict)]
    assert all(frame["choices"] and "usage" not in frame for frame in frames)
    told = il.exchange({**body, "stream_options": {"include_usage": True}}, client, provider)
    *others, last, done = told.stream(streamed(provider, told))
    assert done == "[DONE]"
    assert (last["choices"], last["usage"]["prompt_tokens"], last["usage"]["completion_tokens"]) == ([], 11, 7)  # type: ignore[index]  # a frame
    assert all(frame["choices"] for frame in others)  # type: ignore[index]  # frames


@pytest.mark.parametrize("client", ["claude", "gemini", "openai_responses", "ollama"])
def test_a_client_whose_streams_always_include_usage_gets_it(client: str) -> None:
    one = il.exchange(asked(client), client, "openai_chat")
    usage = heard(one.stream(streamed("openai_chat", one)), client)["usage"]
    assert (usage["input_tokens"], usage["output_tokens"]) == (11, 7)


def test_input_tokens_are_in_the_first_frame_if_the_provider_sends_them_last() -> None:
    one = il.exchange(asked("claude"), "claude", "openai_chat")
    frames = list(il.translate_stream(streamed("openai_chat", one), "openai_chat", "claude", input_tokens=12))
    assert frames[0]["message"]["usage"]["input_tokens"] == 12  # type: ignore[index]  # a frame
    assert frames[-2]["usage"]["input_tokens"] == 11  # type: ignore[index]  # what the provider counted
    events = [event.model_dump(mode="json") for event in il.decode_stream(streamed("openai_chat", one), "openai_chat")]
    pushed = il.StreamEncoder("claude", input_tokens=12, exchange=one)
    made = [frame for event in events for frame in pushed.feed(event)]
    assert made == list(il.encode_stream(events, "claude", input_tokens=12, exchange=one))
    assert made[0]["message"]["usage"]["input_tokens"] == 12  # type: ignore[index]  # a frame
    assert made[0]["message"]["model"] == "the-model"  # type: ignore[index]  # a frame


def test_given_input_tokens_are_used_if_an_answer_has_none() -> None:
    one = il.exchange(asked("claude"), "claude", "ollama")
    body = answered("ollama", one, usage={"output_tokens": 3})
    assert il.translate_response(body, "ollama", "claude", input_tokens=12).body["usage"]["input_tokens"] == 12
    response = il.decode_response(body, "ollama")
    encoded = il.encode_response(response, "claude", exchange=one, input_tokens=12)
    assert encoded.body["usage"]["input_tokens"] == 12
    assert [block["name"] for block in encoded.body["content"] if block["type"] == "tool_use"] == [NAME]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_within_a_dialect_an_answer_is_unchanged_except_for_the_model_name(dialect: str) -> None:
    body = asked(dialect)
    one = il.exchange(body, dialect, dialect)
    assert one.body == body
    assert one.losses == ()
    answer, frames = answered(dialect, one), streamed(dialect, one)
    assert one.response(answer).body == answer
    assert list(one.stream(frames)) == frames
    if dialect not in {"gemini", "bedrock_converse"}:
        other = il.exchange(body, dialect, dialect, model="another")
        assert said(other.response(answer).body, dialect) == {**said(answer, dialect), "model": "the-model"}
        assert heard(other.stream(frames), dialect) == {**heard(frames, dialect), "model": "the-model"}


def test_an_error_is_translated_to_the_clients_dialect() -> None:
    one = il.exchange(asked("openai_chat"), "openai_chat", "claude")
    body = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
    error = one.error(body, status=529, headers={"retry-after": "3"})
    assert error == il.translate_error(body, "claude", "openai_chat", status=529, headers={"retry-after": "3"})


def test_strict_refuses_losses_of_the_request_and_of_the_answer() -> None:
    with pytest.raises(il.LossError):
        il.exchange({**asked("openai_chat"), "seed": 1}, "openai_chat", "claude", strict=True)
    one = il.exchange(asked("claude"), "claude", "openai_chat")
    body = answered("openai_chat", one)
    body["choices"].append({**body["choices"][0], "index": 1})
    with pytest.raises(il.LossError):
        one.response(body, strict=True)


def test_an_async_stream_is_read() -> None:
    one = il.exchange(asked("claude"), "claude", "openai_chat")
    frames = streamed("openai_chat", one)

    async def source() -> AsyncIterator[Any]:
        for frame in frames:
            yield frame

    async def read() -> list[Any]:
        return [frame async for frame in one.stream(source())]

    assert asyncio.run(read()) == list(one.stream(frames))


def test_an_invalid_frame_raises_the_documented_error() -> None:
    one = il.exchange(asked("claude"), "claude", "openai_chat")
    with pytest.raises(il.DecodeError):
        one.push().feed({"choices": 1})


@pytest.mark.parametrize("provider", ["claude", "gemini", "openai_responses", "bedrock_converse"])
def test_an_error_has_the_clients_tool_name(provider: str) -> None:
    tools = [{"type": "function", "function": {"name": name}} for name in ("get.weather/now", "look")]
    messages = [{"role": "user", "content": SECRET}]
    body = {"model": "m", "messages": messages, "tools": tools}
    one = il.exchange(body, "openai_chat", provider)
    [sent, look] = [tool["name"] for tool in il.decode_request(one.body, provider).model_dump(mode="json")["tools"]]
    refused = il.encode_error(
        il.ApiError(category="invalid_request", message=f"The tools {sent}, x{sent} and {look}: no."), provider
    )
    expected = f"The tools get.weather/now, x{sent} and look: no."
    assert sent != "get.weather/now"
    assert one.error(refused.body, status=400).body["error"]["message"] == expected
    again = il.Exchange.from_json(one.to_json())
    assert again.error(refused.body, status=400).body["error"]["message"] == expected
    if provider == "claude":
        [frame, *_] = one.stream([refused.body])
        assert frame["error"]["message"] == expected
