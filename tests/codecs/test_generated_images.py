"""Pictures in answers: Chat Completions' clients find them in `images`, as OpenRouter and LiteLLM write them."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il

PIXELS: Final = "aGVsbG8="
PICTURE: Final[dict[str, Any]] = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PIXELS}"}}
INLINE: Final[dict[str, Any]] = {"inlineData": {"mimeType": "image/png", "data": PIXELS}}
CONTENTS: Final[tuple[Any, ...]] = ("Here.", "", None, [{"type": "text", "text": "Here."}])


def painted(*parts: dict[str, Any]) -> dict[str, Any]:
    said = {"content": {"role": "model", "parts": [*parts]}, "finishReason": "STOP", "index": 0}
    return {"candidates": [said], "modelVersion": "gemini-2.5-flash-image", "responseId": "r"}


def answered(content: Any, images: Any) -> dict[str, Any]:
    message = {"role": "assistant", "content": content, "images": images}
    said = {"index": 0, "message": message, "finish_reason": "stop"}
    return {"id": "i", "object": "chat.completion", "created": 1, "model": "m", "choices": [said]}


def chunk(delta: dict[str, Any], reason: str | None = None) -> dict[str, Any]:
    said = {"index": 0, "delta": delta, "finish_reason": reason}
    return {"id": "i", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [said]}


def test_a_chat_client_gets_generated_gemini_images_beside_the_text() -> None:
    body = painted({"text": "Two"}, INLINE, {"text": " of them."}, INLINE)
    encoded = il.translate_response(body, "gemini", "openai_chat")
    message = encoded.body["choices"][0]["message"]
    assert message["content"] == "Two of them."
    assert message["images"] == [{**PICTURE, "index": 0}, {**PICTURE, "index": 1}]
    assert not [loss for loss in encoded.losses if loss.concern == "content"]


def test_a_stream_contains_each_image_with_its_position() -> None:
    stream = il.translate_stream([painted(INLINE, {"text": "Done."}, INLINE)], "gemini", "openai_chat")
    deltas = [one["choices"][0]["delta"] for one in stream if isinstance(one, dict) and one["choices"]]
    shown = [picture for delta in deltas for picture in delta.get("images", ())]
    assert shown == [{**PICTURE, "index": 0}, {**PICTURE, "index": 1}]
    assert not [loss for loss in stream.losses if loss.concern == "content"]


@pytest.mark.parametrize("member", ["images", "annotations"])
@pytest.mark.parametrize("dialect", ["openai_chat", "vllm"])
def test_unreadable_images_in_a_stream_are_reported(dialect: str, member: str) -> None:
    frames = [chunk({"content": "Here.", member: [{"type": "sculpture"}]}), chunk({}, "stop")]
    stream = il.translate_stream(frames, dialect, "gemini")
    assert "Here." in str(list(stream))
    assert [loss.severity for loss in stream.losses if loss.path.endswith(f"/extra/{dialect}")] == ["lost"]


def test_images_that_a_room_does_not_decode_are_reported_in_a_stream() -> None:
    stream = il.translate_stream([chunk({"images": [PICTURE]}), chunk({}, "stop")], "vllm", "claude")
    list(stream)
    assert [loss.severity for loss in stream.losses if loss.path.endswith("/extra/vllm")] == ["lost"]


@pytest.mark.parametrize("content", CONTENTS)
@pytest.mark.parametrize("images", [[PICTURE], [{**PICTURE, "index": 0}], [], None, [{"type": "sculpture"}], "none"])
def test_an_answer_with_images_round_trips(content: Any, images: Any) -> None:
    body = answered(content, images)
    encoded = il.encode_response(il.decode_response(body, "openai_chat"), "openai_chat")
    assert (encoded.body, encoded.losses) == (body, ())


def test_a_chat_image_is_translated_to_gemini_in_answers_and_histories() -> None:
    body = answered("Here.", [PICTURE])
    told = il.translate_response(body, "openai_chat", "gemini").body["candidates"][0]["content"]["parts"]
    assert told == [{"text": "Here."}, INLINE]
    history = [
        {"role": "user", "content": "Paint."},
        body["choices"][0]["message"],
        {"role": "user", "content": "More."},
    ]
    asked = il.translate_request({"model": "gemini-2.5-flash-image", "messages": history}, "openai_chat", "gemini")
    assert asked.body["contents"][1] == {"role": "model", "parts": [{"text": "Here."}, INLINE]}


def test_a_stream_with_images_round_trips_and_equals_the_whole_answer() -> None:
    frames = [
        chunk({"role": "assistant", "content": "Here."}),
        chunk({"images": [{**PICTURE, "index": 0}]}),
        chunk({"images": [{"type": "image_url", "image_url": {"url": "https://a.example/b.png"}}]}),
        chunk({}, "stop"),
        "[DONE]",
    ]
    events = list(il.decode_stream(frames, "openai_chat"))
    assert list(il.encode_stream(events, "openai_chat")) == frames
    images = [{**PICTURE, "index": 0}, {"type": "image_url", "image_url": {"url": "https://a.example/b.png"}}]
    assert il.collect(events) == il.decode_response(answered("Here.", images), "openai_chat")


def test_a_request_to_openai_has_no_assistant_images() -> None:
    history = [{"role": "user", "parts": [{"text": "Paint."}]}, {"role": "model", "parts": [INLINE]}]
    encoded = il.translate_request({"contents": history}, "gemini", "openai_chat", model="gpt-4o")
    assert all("images" not in message for message in encoded.body["messages"])
    assert "/messages/1/content/0" in {loss.path for loss in encoded.losses}


def test_images_are_lost_for_vllm_clients() -> None:
    encoded = il.translate_response(painted(INLINE), "gemini", "vllm")
    assert "images" not in encoded.body["choices"][0]["message"]
    assert [loss.path for loss in encoded.losses if loss.concern == "content"] == ["/messages/0/content/0"]


PAINTED: Final[dict[str, Any]] = {
    "type": "image_generation_call", "id": "ig_1", "status": "completed", "result": PIXELS, "output_format": "png",
    "size": "1024x1024", "quality": "high", "revised_prompt": "A cat.",
}  # fmt: skip
BARE: Final[dict[str, Any]] = {"type": "image_generation_call", "id": "ig_1", "status": "completed", "result": PIXELS}
SAID: Final[dict[str, Any]] = {
    "type": "message", "id": "msg_1", "role": "assistant", "status": "completed",
    "content": [{"type": "output_text", "text": "Done.", "annotations": [], "logprobs": []}],
}  # fmt: skip
THOUGHT: Final[dict[str, Any]] = {"type": "reasoning", "id": "rs_1", "summary": []}
BEGUN: Final[dict[str, Any]] = {"id": "r", "object": "response", "created_at": 1, "model": "m", "output": []}


def response(*items: dict[str, Any]) -> dict[str, Any]:
    return {**BEGUN, "status": "completed", "output": [*items]}


def frames_of(*items: dict[str, Any]) -> list[Any]:
    """Return the frames of an answer whose items come whole, but for what OpenAI tells of a picture on its way."""
    frames: list[Any] = [{"type": "response.created", "response": {**BEGUN, "status": "in_progress"}}]
    for at, item in enumerate(items):
        if item["type"] == PAINTED["type"]:
            begun = {**item, "status": "in_progress", "result": None}
            frames += [
                {"type": "response.output_item.added", "output_index": at, "item": begun},
                {"type": "response.image_generation_call.in_progress", "output_index": at, "item_id": item.get("id")},
            ]
        frames.append({"type": "response.output_item.done", "output_index": at, "item": item})
    return [*frames, {"type": "response.completed", "response": response(*items)}]


ITEMS: Final[tuple[tuple[dict[str, Any], ...], ...]] = (
    (PAINTED,),
    (BARE, SAID),
    (THOUGHT, PAINTED, SAID, BARE),
    ({**BARE, "output_format": "gif"}, {**BARE, "output_format": None}, {**BARE, "background": None}),
    ({**BARE, "result": None, "status": "failed"}, SAID),
    ({**BARE, "result": ""}, {"type": BARE["type"], "result": PIXELS}),
)


@pytest.mark.parametrize("items", ITEMS)
def test_generated_images_of_responses_round_trip(items: tuple[dict[str, Any], ...]) -> None:
    body, frames = response(*items), frames_of(*items)
    assert il.encode_response(il.decode_response(body, "openai_responses"), "openai_responses").body == body
    assert list(il.encode_stream(il.decode_stream(frames, "openai_responses"), "openai_responses")) == frames
    asked = {"model": "m", "input": [{"role": "user", "content": "Paint."}, *items]}
    assert il.encode_request(il.decode_request(asked, "openai_responses"), "openai_responses").body == asked


def test_chat_and_gemini_clients_get_generated_images_of_responses() -> None:
    body, frames = response(PAINTED, SAID), frames_of(PAINTED, SAID)
    chat = il.translate_response(body, "openai_responses", "openai_chat", strict=True).body["choices"][0]["message"]
    assert (chat["content"], chat["images"]) == ("Done.", [{**PICTURE, "index": 0}])
    gemini = il.translate_response(body, "openai_responses", "gemini", strict=True).body["candidates"][0]
    assert gemini["content"]["parts"] == [INLINE, {"text": "Done."}]
    for target in ("openai_chat", "gemini"):
        stream = il.translate_stream(frames, "openai_responses", target)
        whole = il.decode_response(il.translate_response(body, "openai_responses", target).body, target)
        assert il.normal_form(il.collect(il.decode_stream(list(stream), target))) == il.normal_form(whole)
        assert not [loss for loss in stream.losses if loss.concern in {"content", "contract", "tuning"}]


@pytest.mark.parametrize("target", ["claude", "ollama", "vllm", "bedrock_converse"])
def test_images_are_reported_as_lost_in_answers_without_a_place_for_them(target: str) -> None:
    whole = il.translate_response(response(PAINTED, SAID), "openai_responses", target)
    stream = il.translate_stream(frames_of(PAINTED, SAID), "openai_responses", target)
    assert PIXELS not in str(whole.body) + str(list(stream))
    for losses in (whole.losses, stream.losses):
        assert [loss.code for loss in losses if loss.concern == "content" and loss.severity == "lost"] == ["part"]


@pytest.mark.parametrize("target", ["gemini", "ollama"])
def test_an_image_of_an_earlier_answer_is_sent_to_models_that_accept_assistant_images(target: str) -> None:
    asked = {
        "model": "m",
        "input": [{"role": "user", "content": "Paint."}, BARE, {"role": "user", "content": "Again."}],
    }
    assert PIXELS in str(il.translate_request(asked, "openai_responses", target, model="m").body)


ELSEWHERE: Final[tuple[tuple[str, dict[str, Any], list[Any]], ...]] = (
    (
        "gemini",
        painted({"text": "Two"}, INLINE, {"text": "Done."}),
        [painted({"text": "Two"}, INLINE, {"text": "Done."})],
    ),
    ("gemini", painted(INLINE), [painted(INLINE)]),
    (
        "openai_chat",
        answered("Two", [PICTURE]),
        [chunk({"content": "Two"}), chunk({"images": [PICTURE]}), chunk({}, "stop")],
    ),
)


@pytest.mark.parametrize(("source", "body", "frames"), ELSEWHERE)
def test_a_responses_client_gets_an_image_as_a_separate_item(
    source: str, body: dict[str, Any], frames: list[Any]
) -> None:
    whole = il.translate_response(body, source, "openai_responses", strict=True)
    stream = il.translate_stream(frames, source, "openai_responses")
    told = list(stream)
    last = told[-1]
    assert isinstance(last, dict)
    assert last["response"]["output"] == whole.body["output"]
    items = [item for item in whole.body["output"] if item["type"] == "image_generation_call"]
    assert [(item["result"], item["output_format"], item["status"]) for item in items] == [(PIXELS, "png", "completed")]
    assert len({item["id"] for item in whole.body["output"]}) == len(whole.body["output"])
    done = [frame["item"] for frame in told if isinstance(frame, dict) and frame["type"] == "response.output_item.done"]
    assert done == whole.body["output"]
    assert not [loss for loss in stream.losses if loss.concern == "content"]


def test_bedrock_images_are_translated_to_responses() -> None:
    block = {"image": {"format": "jpeg", "source": {"bytes": PIXELS}}}
    body = {
        "output": {"message": {"role": "assistant", "content": [{"text": "Here."}, block]}},
        "stopReason": "end_turn",
    }
    output = il.translate_response(body, "bedrock_converse", "openai_responses", strict=True).body["output"]
    assert [(item["type"], item.get("output_format")) for item in output] == [
        ("message", None),
        ("image_generation_call", "jpeg"),
    ]


def test_image_urls_and_other_media_types_are_reported() -> None:
    there = {"type": "image_url", "image_url": {"url": "https://a.example/b.png"}}
    encoded = il.translate_response(answered("Here.", [there]), "openai_chat", "openai_responses")
    assert [(loss.path, loss.severity) for loss in encoded.losses if loss.concern == "content"] == [
        ("/messages/0/content/1", "lost")
    ]
    gif = {"inlineData": {"mimeType": "image/gif", "data": PIXELS}}
    encoded = il.translate_response(painted(gif), "gemini", "openai_responses")
    assert encoded.body["output"][0]["result"] == PIXELS
    assert "/messages/0/content/0/format" in {loss.path for loss in encoded.losses}


def test_an_image_of_an_earlier_answer_has_no_place_in_a_responses_request() -> None:
    body = {"contents": [{"role": "user", "parts": [{"text": "Paint."}]}, {"role": "model", "parts": [INLINE]}]}
    encoded = il.translate_request(body, "gemini", "openai_responses", model="gpt-5")
    assert PIXELS not in str(encoded.body)
    assert "content" in {loss.concern for loss in encoded.losses if loss.path.startswith("/messages/1")}


def test_an_image_of_an_answer_has_no_cache_mark() -> None:
    picture = {"type": "image", "url": "https://example.org/a.png", "cache": {"ttl": "5m"}}
    answer = {"messages": [{"role": "assistant", "content": [picture]}]}
    encoded = il.encode_response(answer, "openai_chat")
    assert "prompt_cache_breakpoint" not in str(encoded.body)
    assert "/messages/0/content/0/cache" in {loss.path for loss in encoded.losses}
