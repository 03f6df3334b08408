"""What people give by mistake is refused in words that say what it is and what to do, by an error of the library."""

from __future__ import annotations

import asyncio
import json
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar, Final

import httpx
import pytest
from openai.types.chat import ChatCompletion, ChatCompletionMessage

import interlingua as il
from interlingua.frames import read_frames

HELLO: Final = {"role": "user", "content": "Hello"}
BODY: Final[dict[str, Any]] = {"model": "m", "messages": [HELLO]}
MESSAGE: Final = ChatCompletionMessage(role="assistant", content="Hi")
ANSWER: Final = ChatCompletion.model_validate(
    {
        "id": "1",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [{"index": 0, "message": MESSAGE, "finish_reason": "stop"}],
    }
)
FRAME: Final = {"choices": [{"index": 0, "delta": {"content": "Hello"}, "finish_reason": "stop"}]}


def reader(body: Any) -> Any:
    return il.decode_request(body, "openai_chat")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (json.dumps(BODY), "this is text: parse it with json.loads"),
        (json.dumps(BODY).encode(), "these are bytes: parse them with json.loads"),
        (None, "this is None"),
        ([BODY], "this is a list: give the object that holds it, or its items one by one"),
        (OrderedDict(BODY), "this is an OrderedDict: give dict(...) of it"),
        (il.ChatRequest(messages=()), "this is a ChatRequest of interlingua: give the JSON of a provider"),
        (il.translate_request(BODY, "openai_chat", "claude"), "this is an Encoded: give its body"),
        (ANSWER, "this is a ChatCompletion: give what its to_dict() returns"),
    ],
)
@pytest.mark.parametrize(
    "call",
    [
        reader,
        lambda body: il.decode_response(body, "claude"),
        lambda body: il.translate_request(body, "openai_responses", "claude"),
        lambda body: il.translate_response(body, "gemini", "claude"),
        lambda body: il.exchange(body, "ollama", "claude"),
        lambda body: il.check_request(body, "bedrock_converse"),
        lambda body: il.find_misspelt(body, "vllm"),
    ],
)
def test_a_value_that_is_not_a_body_is_refused_with_its_type(call: Callable[[Any], Any], given: Any, said: str) -> None:
    with pytest.raises(il.DecodeError, match="expected an object; ") as refused:
        call(given)
    assert said in refused.value.reason
    assert refused.value.path == ""


def test_a_coroutine_that_was_not_awaited_is_refused() -> None:
    async def answer() -> dict[str, Any]:
        return {}

    coroutine: Any = answer()
    with pytest.raises(il.DecodeError, match="this is a coroutine: await it first"):
        il.decode_response(coroutine, "claude")
    with pytest.raises(il.InvalidArgumentError, match="not a coroutine; await it first"):
        il.decode_stream(coroutine, "claude")
    coroutine.close()


def test_an_object_of_another_package_inside_a_body_is_named() -> None:
    with pytest.raises(il.DecodeError) as refused:
        reader({"messages": [HELLO, MESSAGE]})
    assert refused.value.path == "/messages/1"
    assert "this is a ChatCompletionMessage: give what its to_dict() returns" in refused.value.reason
    assert reader({"messages": [HELLO, MESSAGE.to_dict()]}).messages[1].text == "Hi"


def test_a_json_value_inside_a_body_is_described_as_such() -> None:
    with pytest.raises(il.DecodeError) as refused:
        reader({"messages": ["Hello"]})
    assert refused.value.reason == "expected an object"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ([il.chat.create_user("Hi")], "expected a ChatRequest, not a list; put messages into a ChatRequest"),
        (il.chat.create_user("Hi"), "expected a ChatRequest, not a UserChatMessage; put messages into a ChatRequest"),
        (il.Transcript(), "expected a ChatRequest, not a Transcript; put messages into a ChatRequest"),
        (None, "expected a ChatRequest, not None; put messages into a ChatRequest"),
        ("{}", "expected a ChatRequest; this is text: parse it with json.loads"),
        ({"messages": [], "temprature": 1}, "there is no such member; did you mean 'temperature'?"),
        ({"messages": [{"content": "Hi"}]}, "expected the member 'role', which says what it is"),
        ({"messages": [{"role": "sailor"}]}, "the member 'role' is none of 'assistant', 'developer', 'opaque'"),
    ],
)
def test_a_value_that_is_not_a_request_is_refused_with_its_type(given: Any, said: str) -> None:
    with pytest.raises(il.EncodeError) as refused:
        il.encode_request(given, "claude")
    assert refused.value.reason.startswith(said)
    assert "sailor" not in str(refused.value)


def test_a_request_is_refused_as_a_response() -> None:
    request: Any = il.ChatRequest(messages=())
    with pytest.raises(il.EncodeError, match=r"expected a ChatResponse, not a ChatRequest$"):
        il.encode_response(request, "claude")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("data: {}\n\n", "not a str; read the bytes of a stream with interlingua.frames.read_frames"),
        (b"data: {}\n\n", "not a bytes; read the bytes of a stream with interlingua.frames.read_frames"),
        (FRAME, "not a dict; for a complete response use decode_response or translate_response"),
        (None, "not None"),
        (7, "not an int"),
    ],
)
def test_a_value_that_is_not_a_list_of_frames_is_refused_with_its_type(given: Any, said: str) -> None:
    asked = il.exchange(BODY, "openai_chat", "claude")
    for call in (
        lambda: il.decode_stream(given, "openai_chat"),
        lambda: il.translate_stream(given, "openai_chat", "claude"),
        lambda: asked.stream(given),
    ):
        with pytest.raises(il.InvalidArgumentError) as refused:
            call()
        assert str(refused.value).endswith(said)


@pytest.mark.parametrize("target", ["openai_chat", "claude"])
def test_unparsed_lines_and_bytes_are_refused_as_frames(target: il.Dialect) -> None:
    lines: list[Any] = [["data: {}"], ["event: message_start"], [b"data: {}"]]
    for frames in lines:
        with pytest.raises(il.DecodeError, match=r"read the bytes of a stream with interlingua\.frames\.read_frames"):
            list(il.translate_stream(frames, "openai_chat", target))


@pytest.mark.parametrize("given", ["data: {}\n\n", ["data: {}\n\n"]])
def test_text_is_refused_as_bytes_of_a_stream(given: Any) -> None:
    with pytest.raises(il.InvalidArgumentError, match="bytes"):
        list(read_frames(given))


def test_frames_are_refused_as_events() -> None:
    for call in (lambda: il.collect([FRAME]), lambda: list(il.encode_stream([FRAME], "claude"))):
        with pytest.raises(
            il.EncodeError,
            match=r"at the top: expected the member 'type'.*; decode frames to events with decode_stream",
        ):
            call()
    with pytest.raises(il.EncodeError) as refused:
        il.collect([{"type": "content", "block": 0}])
    assert (refused.value.dialect, refused.value.path) == ("", "/text")
    assert str(refused.value).startswith("at /text: ")
    nothing: Any = None
    with pytest.raises(il.InvalidArgumentError, match="events must be an iterable"):
        il.collect(nothing)


def test_async_events_are_collected_with_the_async_function() -> None:
    async def frames() -> AsyncIterator[dict[str, Any] | str]:
        for frame in (FRAME, "[DONE]"):
            await asyncio.sleep(0)
            yield frame

    async def broken() -> AsyncIterator[dict[str, Any] | str]:
        yield FRAME
        yield {"error": {"message": "No.", "type": "server_error", "param": None, "code": None}}

    async def collected() -> il.ChatResponse:
        return await il.collect(il.decode_stream(frames(), "openai_chat"))

    async def failed() -> il.ChatResponse:
        return await il.collect(il.decode_stream(broken(), "openai_chat"))

    assert asyncio.run(collected()) == il.collect(il.decode_stream([FRAME, "[DONE]"], "openai_chat"))
    with pytest.raises(il.StreamError) as refused:
        asyncio.run(failed())
    assert refused.value.partial.text == "Hello"


class SdkError(Exception):
    """An exception as SDKs raise them, with the body of the response."""

    body: ClassVar[dict[str, Any]] = {"error": {"message": "Slow down."}}


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (SdkError("Slow down."), "this is a SdkError: give its body"),
        (httpx.Response(429, json=SdkError.body), r"this is a Response: give what its json\(\) returns"),
        (il.ApiError(category="rate_limit", message="Slow down."), "this is an ApiError of interlingua"),
        (MappingProxyType(SdkError.body), r"this is a mappingproxy: give dict\(...\) of it"),
        (ValueError("Slow down."), "this is a ValueError$"),
    ],
)
@pytest.mark.parametrize("status", [None, 429])
def test_what_holds_the_body_of_an_error_is_not_taken_for_an_error_without_a_message(
    given: Any, said: str, status: int | None
) -> None:
    asked = il.exchange(BODY, "openai_chat", "claude")
    for call in (
        lambda: il.translate_error(given, "claude", "openai_chat", status=status),
        lambda: il.translate_error(given, "claude", "claude", status=status),
        lambda: il.decode_error(given, "gemini", status=status),
        lambda: asked.error(given, status=status),
    ):
        with pytest.raises(il.DecodeError, match=f"expected the body of an error; {said}"):
            call()


@pytest.mark.parametrize("status", ["429", 429.0, True])
def test_a_status_must_be_an_integer(status: Any) -> None:
    asked = il.exchange(BODY, "openai_chat", "claude")
    for call in (
        lambda: il.translate_error({}, "openai_chat", "claude", status=status),
        lambda: il.decode_error({}, "openai_chat", status=status),
        lambda: asked.error({}, status=status),
    ):
        with pytest.raises(il.InvalidArgumentError, match="status must be a whole number such as 429, not a"):
            call()


def test_one_object_is_no_list_of_its_names() -> None:
    document: Any = {"role": "user", "content": "Hi"}
    counter = il.context.HeuristicCounter()
    for call in (
        lambda: il.Transcript(document),
        lambda: il.to_chat(document),
        lambda: il.from_chat(document),
        lambda: il.chat.view_of(document, "Ada"),
        lambda: il.context.select(document, 100, counter),
        lambda: il.tools.ToolExecutor(document),
    ):
        with pytest.raises(il.InvalidArgumentError, match="must be a list, or another iterable, not a dict"):
            call()


def test_chat_and_transcript_messages_are_distinguished() -> None:
    chat: Any = il.chat.create_user("Hi")
    story: Any = il.messages.user("Hi")
    document: Any = {"role": "user", "content": "Hi"}
    for call in (lambda: il.Transcript().append(chat), lambda: il.to_chat([chat])):
        with pytest.raises(TypeError, match="not UserChatMessage; convert chat messages with from_chat"):
            call()
    with pytest.raises(TypeError, match="not dict; read a document with load_message"):
        il.Transcript().append(document)
    with pytest.raises(TypeError, match="not TextMessage; convert a transcript with to_chat"):
        il.from_chat([story])
    for call in (lambda: il.chat.view_of([story], "Ada"), lambda: il.chat.check_order([story])):
        with pytest.raises(TypeError, match="not TextMessage; convert a transcript with to_chat"):
            call()


def test_a_single_document_instead_of_chat_messages_is_refused_with_its_type() -> None:
    for given in ([{"role": "user", "content": "Hi"}], "Hi"):
        wrong: Any = given
        for call in (lambda: il.chat.view_of(wrong, "Ada"), lambda: il.chat.check_order(wrong)):  # noqa: B023  # called here
            with pytest.raises(TypeError, match=r"expected a chat message of the current version, not (dict|str)$"):
                call()


@pytest.mark.parametrize(
    ("call", "wanted"),
    [
        (lambda wrong: il.tools.approve(wrong, "call_1", decided_by="Ada"), "a ToolRequestMessage"),
        (lambda wrong: il.tools.deny(wrong, "call_1", decided_by="Ada"), "a ToolRequestMessage"),
        (il.tools.pending_calls, "a ToolRequestMessage"),
        (il.tools.fill_call_ids, "a ToolRequestMessage"),
        (lambda wrong: il.tools.apply_policy(wrong, il.tools.AskAlways()), "a ToolRequestMessage"),
        (lambda wrong: il.tools.ToolExecutor([]).run(wrong), "a ToolRequestMessage"),
        (lambda wrong: il.FileResolver().resolve(wrong, agent_role="planner"), "a FileReferenceMessage"),
        (lambda wrong: il.FileResolver().retry(wrong, agent_role="planner"), "a FileReferenceMessage"),
        (il.ImageResolver().resolve, "an ImageMessage"),
        (il.ImageResolver().retry, "an ImageMessage"),
        (lambda wrong: asyncio.run(il.ImageResolver().retry_async(wrong)), "an ImageMessage"),
    ],
)
def test_a_message_of_another_type_is_refused_with_its_type(call: Callable[[Any], Any], wanted: str) -> None:
    for given, name in ((il.messages.user("SECRET"), "TextMessage"), ({"type": "text"}, "dict"), (None, "NoneType")):
        with pytest.raises(TypeError, match=f"^expected {wanted}, not {name}$"):
            call(given)


def test_a_store_accepts_only_transcripts_and_integer_counts(tmp_path: Path) -> None:
    count: Any = 1.5
    wrong: Any = [il.messages.user("Hi")]
    with il.SessionStore(tmp_path / "sessions.db") as store:
        session = store.create()
        store.append(session, *wrong)
        with pytest.raises(il.InvalidArgumentError, match="count must be a whole number, not a float"):
            store.load_tail(session, count)
        with pytest.raises(TypeError, match="expected a Transcript, not list"):
            store.save(wrong)
        assert len(store.load_tail(session, 1).messages) == 1


def test_a_misspelt_when_unavailable_option_is_an_error() -> None:
    word: Any = "stale"
    with pytest.raises(il.InvalidArgumentError, match="when_unavailable must be 'raise' or 'use_stale'"):
        il.McpResources({}, when_unavailable=word)


def test_a_single_concern_given_as_a_string_suggests_a_set() -> None:
    one: Any = "tuning"
    with pytest.raises(il.UnknownConcernError, match=r"unknown concern 'tuning'; did you mean \"\{'tuning'\}\"\?"):
        il.translate_request(BODY, "openai_chat", "claude", strict=one)


def test_a_value_that_is_not_a_message_is_refused_with_its_type() -> None:
    nothing: Any = 5
    for call in (il.dump_message, il.dump_message_json):
        with pytest.raises(TypeError, match="expected a message, not int; read a document with load_message"):
            call(nothing)
    with pytest.raises(TypeError, match="expected a request, a response or a list of messages, not int"):
        il.normal_form(nothing)


def test_one_message_or_call_where_several_are_expected_is_refused_with_what_to_do() -> None:
    one: Any = il.messages.user("Hi")
    said: Any = il.chat.create_user("Hi")
    call: Any = il.ToolCall.create("f", {}, "c1")
    for give, what, kind in (
        (lambda: il.to_chat(one), "messages", "a TextMessage"),
        (lambda: il.Transcript(one), "messages", "a TextMessage"),
        (lambda: il.from_chat(said), "chat_messages", "a UserChatMessage"),
        (lambda: il.context.window(one, 1), "messages", "a TextMessage"),
        (lambda: il.tools.request(call), "calls", "a ToolCall"),
    ):
        wanted = f"{what} must be a list, or another iterable, not {kind}: put it into a list"
        with pytest.raises(il.InvalidArgumentError, match=wanted):
            give()


def test_a_value_of_a_type_that_is_not_json_is_named_in_a_note() -> None:
    model: Any = il.ChatRequest

    def look() -> None:
        """Look."""

    tool = il.tools.Tool.from_function(look)
    with pytest.raises(ValueError, match="tools") as refused:
        model(messages=[il.messages.user("SECRET")], tools=[tool, {"type": "function"}, "SECRET"])
    assert refused.value.__notes__ == [
        "messages.0: a value of the type TextMessage is given",
        "tools.0: a value of the type Tool is given",
    ]


def test_a_misspelt_member_suggests_the_right_name() -> None:
    model: Any = il.ChatRequest
    with pytest.raises(ValueError, match="temprature") as refused:
        model(messages=[], temprature=1, mesages=2, colour="SECRET")
    assert refused.value.__notes__ == [
        "temprature: did you mean 'temperature'?",
        "mesages: did you mean 'messages'?",
    ]
    with pytest.raises(ValueError, match="messages") as missing:
        model(model="m")
    assert not hasattr(missing.value, "__notes__")


def test_a_value_that_is_not_a_tool_is_refused_with_its_type() -> None:
    seven: Any = 7
    with pytest.raises(il.InvalidArgumentError, match="expected a function, not int"):
        il.tools.Tool.from_function(seven)
    tools: Any = [len]
    with pytest.raises(
        il.InvalidArgumentError,
        match=r"expected a Tool, .*; make one from a function with il\.tools\.Tool\.from_function",
    ):
        il.tools.ToolExecutor(tools)
    executor = il.tools.ToolExecutor([])
    for call in (il.run_tools, lambda *given: asyncio.run(il.run_tools_async(*given))):
        with pytest.raises(il.InvalidArgumentError, match="expected a Transcript, not list"):
            call([], executor)
        with pytest.raises(il.InvalidArgumentError, match=r"expected a ToolExecutor, .*, not list"):
            call(il.Transcript(), [])


@pytest.mark.parametrize(
    "call",
    [
        lambda body: il.decode_request("claude", body),
        lambda body: il.translate_request(body, "openai_chat", [body]),
        lambda body: il.exchange(body, "openai_chat", body),
        il.dialect,
        lambda body: il.decode_error({}, json.dumps(body)),
    ],
)
def test_a_body_given_as_a_dialect_is_refused_without_showing_it(call: Callable[[Any], Any]) -> None:
    body = {"model": "m", "messages": [{"role": "user", "content": "Tell nobody." * 10}]}
    with pytest.raises(il.UnknownDialectError, match=r"^unknown dialect of type (dict|list|str); ") as caught:
        call(body)
    assert "Tell nobody." not in repr(caught.value.__dict__)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"profile": ["gpt-5"]}, "unknown profile of type list"),
        ({"defaults": [("max_tokens", 5)]}, "defaults must be a mapping of names, not a list"),
        ({"defaults": 5}, "defaults must be a mapping of names, not an int"),
    ],
)
def test_an_option_of_another_type_is_refused_with_its_type(options: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        il.translate_request({"model": "m", "messages": [HELLO]}, "openai_chat", "claude", **options)


def test_a_token_count_must_be_a_number() -> None:
    count: Any = "3"
    answer = {"choices": [{"index": 0, "message": {"role": "assistant", "content": "Hi"}, "finish_reason": "stop"}]}
    frames = [{"choices": [{"index": 0, "delta": {"content": "Hi"}, "finish_reason": "stop"}]}]
    with pytest.raises(il.InvalidArgumentError, match="input_tokens must be a whole number, not a str"):
        il.translate_response(answer, "openai_chat", "claude", input_tokens=count)
    with pytest.raises(il.InvalidArgumentError, match="input_tokens must be a whole number, not a str"):
        il.translate_stream(frames, "openai_chat", "claude", input_tokens=count)


class Answered:  # stands for the answer of an HTTP client
    def iter_bytes(self) -> list[bytes]:
        return [b"data: {}\n\n"]

    def read(self) -> bytes:
        return b""


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (Answered(), r"not from an Answered: give what its iter_bytes\(\) returns"),
        (None, "not from None"),
        ([None], "not from None"),
        ([5], "not from an int"),
    ],
)
def test_a_value_that_yields_no_bytes_is_refused(given: Any, said: str) -> None:
    with pytest.raises(il.InvalidArgumentError, match=said):
        [*read_frames(given)]


def test_any_bytes_like_object_is_accepted_for_frames() -> None:
    line = b"data: {}\n\n"
    kinds: list[Any] = [line, bytearray(line), memoryview(line), Answered().iter_bytes()]
    assert [[*read_frames(kind)] for kind in kinds] == [[{}]] * 4
