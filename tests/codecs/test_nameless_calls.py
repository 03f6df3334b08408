"""Calls of a chat answer that name no tool: they arrive, in a stream as in the whole answer."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

import interlingua as il

if TYPE_CHECKING:
    from collections.abc import Mapping

OTHERS = ("openai_responses", "claude", "gemini", "ollama", "bedrock_converse")
DONE = "[DONE]"
LABELS = {"id": "c1", "created": 1, "model": "gpt-4o"}

# What an answer says of its call, and why it ends: no name, an empty one, null, no members at all, no id.
ARGUMENTS = {"arguments": '{"a":1}'}
CALLED: tuple[tuple[dict[str, Any], str], ...] = (
    ({"tool_calls": [{"id": "call_1", "type": "function", "function": {**ARGUMENTS}}]}, "tool_calls"),
    ({"tool_calls": [{"id": "call_1", "type": "function", "function": {"name": "", **ARGUMENTS}}]}, "tool_calls"),
    ({"tool_calls": [{"id": "call_1", "type": "function", "function": {"name": None, **ARGUMENTS}}]}, "tool_calls"),
    ({"tool_calls": [{"id": "call_1", "type": "function", "function": {}}]}, "tool_calls"),
    ({"tool_calls": [{"type": "function", "function": {"name": "", "arguments": ""}}]}, "tool_calls"),
    ({"tool_calls": [{"id": "call_1", "type": "custom", "custom": {"input": "a"}}]}, "tool_calls"),
    ({"function_call": {"name": None, **ARGUMENTS}}, "function_call"),
    ({"function_call": {**ARGUMENTS}}, "function_call"),
)


def whole(said: Mapping[str, Any], reason: str) -> dict[str, Any]:
    message = {"role": "assistant", "content": None, **said}
    choice = {"index": 0, "message": message, "finish_reason": reason}
    return {**LABELS, "object": "chat.completion", "choices": [choice]}


def chunk(delta: Mapping[str, Any], reason: str | None = None) -> dict[str, Any]:
    choice = {"index": 0, "delta": dict(delta), "finish_reason": reason}
    return {**LABELS, "object": "chat.completion.chunk", "choices": [choice]}


def streamed(said: Mapping[str, Any], reason: str) -> list[dict[str, Any] | str]:
    calls = [{"index": at, **call} for at, call in enumerate(said.get("tool_calls", ()))]
    delta = {**said, "tool_calls": calls} if calls else said
    return [chunk({"role": "assistant", "content": None}), chunk(delta), chunk({}, reason), DONE]


def calls_of(response: Any) -> list[tuple[Any, ...]]:
    return [
        (call.id, call.name, call.arguments or "{}", call.kind)
        for message in response.messages
        for call in message.tool_calls or ()
    ]


@pytest.mark.parametrize(("said", "reason"), CALLED)
@pytest.mark.parametrize("target", OTHERS)
def test_a_call_without_a_name_is_translated_equally_streamed_and_whole(
    said: dict[str, Any], reason: str, target: str
) -> None:
    translated = il.translate_response(whole(said, reason), "openai_chat", target)
    answer = il.decode_response(translated.body, target)
    stream = il.translate_stream(streamed(said, reason), "openai_chat", target)
    assert calls_of(il.collect(il.decode_stream(list(stream), target))) == calls_of(answer)
    assert len(calls_of(answer)) == 1
    renamed = [loss.severity for loss in translated.losses if loss.code == "name"]
    assert [loss.severity for loss in stream.losses if loss.code == "name"] == renamed
    assert renamed == ([] if target == "ollama" else ["changed"])


@pytest.mark.parametrize(("said", "reason"), CALLED)
def test_a_call_without_a_name_round_trips(said: dict[str, Any], reason: str) -> None:
    body, frames = whole(said, reason), streamed(said, reason)
    assert il.encode_response(il.decode_response(body, "openai_chat"), "openai_chat").body == body
    for some in (frames, frames[:-1], frames[:2]):
        assert list(il.encode_stream(il.decode_stream(some, "openai_chat"), "openai_chat")) == some


def test_two_calls_without_names_stay_separate() -> None:
    first, second = ({"id": f"call_{n}", "type": "function", "function": {"arguments": f'{{"a":{n}}}'}} for n in (1, 2))
    for numbers in (({"index": 0}, {"index": 1}), ({}, {})):
        delta = {"tool_calls": [{**numbers[0], **first}, {**numbers[1], **second}]}
        frames = [chunk({"role": "assistant"}), chunk(delta), chunk({}, "tool_calls"), DONE]
        told = list(il.translate_stream(frames, "openai_chat", "ollama"))
        collected = il.collect(il.decode_stream(told, "ollama"))
        said = [(identifier, name, arguments) for identifier, name, arguments, _ in calls_of(collected)]
        assert said == [("call_1", "", {"a": 1}), ("call_2", "", {"a": 2})]


def test_a_late_name_belongs_to_the_call_already_begun() -> None:
    pieces = [{"id": "call_1", "function": {"arguments": '{"a"'}}, {"function": {"arguments": ":1"}}]
    named = {"function": {"name": "f", "arguments": "}"}}
    fragments = [chunk({"tool_calls": [{"index": 0, **one}]}) for one in (*pieces, named)]
    frames = [chunk({"role": "assistant"}), *fragments, chunk({}, "tool_calls"), DONE]
    assert calls_of(il.collect(il.decode_stream(frames, "openai_chat"))) == [("call_1", "f", '{"a":1}', None)]


def test_an_empty_tool_call_of_a_truncated_stream_is_not_a_call() -> None:
    empty = {"index": 0, "type": "function", "function": {"name": "", "arguments": ""}}
    frames = [chunk({"content": "Hello"}), chunk({"tool_calls": [empty]}), chunk({}, "stop"), DONE]
    collected = il.collect(il.decode_stream(frames, "openai_chat"))
    assert (calls_of(collected), collected.finish_reason) == ([], "stop")


def test_a_call_without_a_name_in_a_truncated_stream_is_reported() -> None:
    frames = streamed(*CALLED[0])[:2]
    stream = il.translate_stream(frames, "openai_chat", "claude")
    assert [frame["content_block"]["id"] for frame in stream if frame["type"] == "content_block_start"] == ["call_1"]


def test_a_call_in_a_request_requires_a_name() -> None:
    messages = [{"role": "user", "content": "Hello"}, {"role": "assistant", **CALLED[0][0]}]
    with pytest.raises(il.DecodeError):
        il.decode_request({"model": "gpt-4o", "messages": messages}, "openai_chat")


def named(*fragments: tuple[str | None, Any], identifier: str | None = None) -> list[Any]:
    """Return a stream whose one call comes in fragments: a piece of its name, and one of its arguments."""
    frames: list[Any] = [chunk({"role": "assistant", "content": None})]
    for at, (name, piece) in enumerate(fragments):
        function = {"name": name, "arguments": piece}
        call = {"index": 0, "function": {key: value for key, value in function.items() if value is not None}}
        told = "call_1" if at == 0 else identifier
        frames.append(chunk({"tool_calls": [{**call, **({"id": told, "type": "function"} if told else {})}]}))
    return [*frames, chunk({}, "tool_calls"), DONE]


PIECES: tuple[tuple[tuple[str | None, Any], ...], ...] = (
    (("get_", None), ("weather", None), (None, '{"a":1}')),
    (("get_", ""), ("weather", ""), (None, '{"a"'), (None, ":1}")),
    (("get_", ""), ("weather", '{"a":1}')),
    (("get_", ""), ("get_weather", ""), (None, '{"a":1}')),
    (("get_weather", ""), ("get_weather", '{"a"'), ("get_weather", ":1}")),
    (("get_weather", ""), ("get_weather", ""), ("", '{"a":1}')),
    (("get_weather", ""), (None, {"a": 1})),
    (("get_weather", {"a": 1}),),
    # An empty object holds the place of the arguments (litellm, LM Studio).
    (("get_weather", "{}"), (None, '{"a"'), (None, ":1}")),
    (("get_weather", "{}"), ("get_weather", "{}"), ("get_weather", '{"a":1}')),
    (("get_weather", {}), (None, '{"a"'), (None, ":1}")),
    (("get_weather", ""), (None, "{}"), (None, '{"a":1}')),
    # What has come in pieces comes again, whole (OpenCodex, elizaOS, GLM's local servers).
    (("get_weather", ""), (None, '{"a"'), (None, ":1}"), (None, '{"a":1}')),
    (("get_weather", '{"a":1}'), (None, '{"a":1}'), (None, '{"a":1}')),
    (("get_weather", ""), *((None, piece) for piece in ('{"', "a", '"', ": ", " ", " ", "1", "}", '{"a":   1}'))),
)


@pytest.mark.parametrize("pieces", PIECES, ids=str)
@pytest.mark.parametrize("identifier", [None, "call_1"])
@pytest.mark.parametrize("target", ["openai_chat", *OTHERS])
def test_str_1_name_fragments_are_joined_until_arguments_begin_and_repetitions_ignored(
    pieces: tuple[tuple[str | None, Any], ...], identifier: str | None, target: str
) -> None:
    frames = named(*pieces, identifier=identifier)
    assert list(il.encode_stream(il.decode_stream(frames, "openai_chat"), "openai_chat")) == frames
    told = frames if target == "openai_chat" else list(il.translate_stream(frames, "openai_chat", target))
    [call] = [call for message in il.collect(il.decode_stream(told, target)).messages for call in message.tool_calls]  # type: ignore[union-attr]  # an assistant's
    assert (call.name, call.arguments_object()) == ("get_weather", {"a": 1})


def test_an_unfinished_name_is_written_at_the_end_or_before_other_content() -> None:
    begun = named(("f", ""))[:2]
    for frames in (begun, [*begun, chunk({"content": "Well."})], [*begun, chunk({}, "tool_calls"), DONE]):
        stream = il.translate_stream(frames, "openai_chat", "claude")
        assert [frame["content_block"].get("name") for frame in stream if "content_block" in frame][:1] == ["f"]


def test_unknown_members_of_a_chunk_with_an_unfinished_name_are_reported() -> None:
    frames = named(("f", ""), (None, "{}"))
    frames[1] = {**frames[1], "x_new": 1}
    stream = il.translate_stream(frames, "openai_chat", "claude")
    assert list(stream)
    assert "/2/extra/openai_chat" in [loss.path for loss in stream.losses]


@pytest.mark.parametrize("target", ["openai_chat", *OTHERS])
@pytest.mark.parametrize("pieces", [("{}",), ("", "{}"), ("{", "}"), ("{}", "{}"), ({},), ("{}", "")], ids=str)
def test_a_call_without_arguments_has_none(pieces: tuple[Any, ...], target: str) -> None:
    frames = named(("f", pieces[0]), *((None, piece) for piece in pieces[1:]))
    assert list(il.encode_stream(il.decode_stream(frames, "openai_chat"), "openai_chat")) == frames
    told = frames if target == "openai_chat" else list(il.translate_stream(frames, "openai_chat", target))
    [call] = [call for message in il.collect(il.decode_stream(told, target)).messages for call in message.tool_calls]  # type: ignore[union-attr]  # an assistant's
    assert (call.name, call.arguments_object()) == ("f", {})


@pytest.mark.parametrize("target", ["openai_chat", *OTHERS])
def test_braces_inside_arguments_do_not_end_them(target: str) -> None:
    pieces = ('{"x":', "{}", ',"y":', "[", "{}", ",", "{}", "]", ',"z":', '"{}"', "}")
    for count in (len(pieces), 1):
        text = ["".join(pieces[at : at + len(pieces) // count]) for at in range(0, len(pieces), len(pieces) // count)]
        frames = named(("f", ""), *((None, piece) for piece in text))
        told = frames if target == "openai_chat" else list(il.translate_stream(frames, "openai_chat", target))
        [(_, _, arguments, _)] = calls_of(il.collect(il.decode_stream(told, target)))
        assert (json.loads(arguments) if isinstance(arguments, str) else arguments) == json.loads("".join(pieces))


def test_a_call_after_one_without_arguments_is_a_separate_call() -> None:
    calls = [{"index": at, "id": f"call_{at}", "function": {"name": f"f{at}", "arguments": ""}} for at in (0, 1)]
    for numbered in ({}, {"index": 0}):
        frames = [*(chunk({"tool_calls": [{**call, **numbered}]}) for call in calls), chunk({}, "tool_calls"), DONE]
        for target in ("claude", "gemini"):
            told = list(il.translate_stream(frames, "openai_chat", target))
            collected = calls_of(il.collect(il.decode_stream(told, target)))
            assert [name for _, name, _, _ in collected] == ["f0", "f1"]


# What Snowflake writes into every answer, as Go writes what is not said.
UNSAID: dict[str, Any] = {
    "annotations": None,
    "audio": {"data": "", "expires_at": 0, "id": "", "transcript": ""},
    "function_call": {"arguments": "", "name": ""},
    "refusal": "",
}


@pytest.mark.parametrize("target", [*OTHERS, "vllm"])
def test_null_members_are_no_call_no_audio_and_no_refusal(target: str) -> None:
    body = whole({**UNSAID, "content": "Hello"}, "")
    answer = il.decode_response(il.translate_response(body, "openai_chat", target).body, target)
    assert (answer.text, calls_of(answer), answer.finish_reason) == ("Hello", [], "stop")
    assert [part.type for part in answer.messages[0].content or () if not isinstance(part, str)] in ([], ["text"])
    assert answer.messages[0].refusal is None
    pieces = [chunk({**UNSAID, "content": piece}, "") for piece in ("Hel", "lo")]
    frames = [*pieces, chunk({**UNSAID, "content": ""}, "stop"), DONE]
    collected = il.collect(il.decode_stream([*il.translate_stream(frames, "openai_chat", target)], target))
    assert il.normal_form(collected)["messages"] == il.normal_form(answer)["messages"]
    assert il.encode_response(il.decode_response(body, "openai_chat"), "openai_chat").body == body
    assert list(il.encode_stream(il.decode_stream(frames, "openai_chat"), "openai_chat")) == frames


def test_an_answer_with_calls_and_no_finish_reason_has_the_reason_tool_calls() -> None:
    call = {"id": "call_1", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    body = il.translate_response(whole({**UNSAID, "tool_calls": [call]}, ""), "openai_chat", "claude").body
    assert ([block["name"] for block in body["content"]], body["stop_reason"]) == (["f"], "tool_use")


def test_an_empty_tool_call_in_the_history_is_not_a_call() -> None:
    messages = [{"role": "user", "content": "Hi"}, {"role": "assistant", **UNSAID, "content": "Hello"}]
    asked = {"model": "m", "messages": [*messages, {"role": "user", "content": "Go on."}]}
    encoded = il.translate_request(asked, "openai_chat", "openai_responses", model="gpt-4.1")
    assert encoded.body["input"][1] == {"type": "message", "role": "assistant", "content": "Hello"}
    assert il.translate_request(asked, "openai_chat", "openai_chat").body == asked


@pytest.mark.parametrize("dialect", ["openai_chat", "vllm"])
@pytest.mark.parametrize("target", OTHERS)
def test_an_empty_type_or_role_says_nothing(dialect: il.Dialect, target: il.Dialect) -> None:
    # Servers written in Go write empty texts for what they do not set, as in a stream.
    call = {"id": "call_1", "type": "", "function": {"name": "f", "arguments": '{"a":1}'}}
    body = whole({"role": "", "content": "Hello", "tool_calls": [call]}, "tool_calls")
    assert il.encode_response(il.decode_response(body, dialect), dialect).body == body
    usual = whole({"content": "Hello", "tool_calls": [{**call, "type": "function"}]}, "tool_calls")
    told, expected = (il.translate_response(one, dialect, target) for one in (body, usual))
    assert (told.body, told.losses) == (expected.body, expected.losses)


def test_an_empty_role_of_an_ollama_answer_is_the_assistants() -> None:
    body = {"model": "m", "message": {"role": "", "content": "Hello"}, "done": True, "done_reason": "stop"}
    assert il.encode_response(il.decode_response(body, "ollama"), "ollama").body == body
    told = il.translate_response(body, "ollama", "claude", strict=True)
    assert told.body["content"] == [{"type": "text", "text": "Hello"}]
