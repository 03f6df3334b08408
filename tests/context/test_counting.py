"""Token counts of messages and requests: what is told counts, what no model reads does not."""

from __future__ import annotations

import base64
import gc
import io
from typing import Any, Final

import pytest
from PIL import Image

import interlingua as il
from interlingua.context import Costs, HeuristicCounter, MessageCounter
from interlingua.context.contents import picture_size
from interlingua_types import CURRENT

NOTHING: Final = Costs(request=0, message=0, call=0, result=0, tool=0)


class Words:
    """Counts words, and how often it was asked."""

    def __init__(self) -> None:
        self.asked = 0

    def count(self, text: str) -> int:
        self.asked += 1
        return len(text.split())


def chat(**members: Any) -> Any:
    (message,) = il.ChatRequest.model_validate({"messages": [members]}).messages
    return message


def stored(kind: str, **data: Any) -> Any:
    (message,) = il.load_message({"schema_version": CURRENT, "type": kind, "id": "m1", "data": data})
    return message


def picture(form: str, width: int, height: int) -> str:
    out = io.BytesIO()
    Image.new("RGB", (width, height)).save(out, form)
    return base64.b64encode(out.getvalue()).decode()


@pytest.mark.parametrize(
    ("message", "tokens"),
    [
        (chat(role="user", content="one two three"), 3),
        (chat(role="user", content=[{"type": "text", "text": "one two"}, {"type": "text", "text": "three"}]), 3),
        (chat(role="user", content="one", name="Ann Lee"), 4),
        (chat(role="assistant", reasoning="one two", content="three", refusal="four"), 4),
        (chat(role="assistant", tool_calls=[{"name": "look", "arguments": {"a": "b c"}}]), 3),
        (chat(role="assistant", tool_calls=[{"name": "look", "arguments": '{"a": 1}'}]), 3),
        (chat(role="tool", call_id="c", content="one two", id="m", extra={"claude": {"fields": {"x": "y z"}}}), 2),
        (chat(role="opaque", dialect="openai_responses", data={"type": "x", "text": "one two"}), 5),
        (chat(role="user", content=[{"type": "file", "text": "one two", "title": "three"}]), 3),
        (chat(role="user", content=[{"type": "file", "content": [{"type": "text", "text": "one two"}]}]), 2),
        (chat(role="user", content=[{"type": "opaque", "dialect": "claude", "data": {"text": "a b"}}]), 3),
    ],
)
def test_a_chat_message_is_counted_by_its_content(message: Any, tokens: int) -> None:
    assert MessageCounter(Words(), NOTHING).count_message(message) == tokens


def test_the_overhead_of_messages_is_counted_as_documented() -> None:
    counter = MessageCounter(Words(), Costs(request=1000, message=100, call=20, result=10, tool=300))
    messages = [
        {"role": "user", "content": "one two"},
        {"role": "assistant", "tool_calls": [{"id": "a", "name": "f", "arguments": {}}] * 2},
        {"role": "tool", "call_id": "a", "content": "one"},
    ]
    tool = {"type": "function", "name": "f", "description": "two words", "parameters": {}}
    request = il.ChatRequest.model_validate({"messages": messages, "tools": [tool]})
    assert [counter.count_message(message) for message in request.messages] == [102, 100 + 2 * (20 + 2), 111]
    assert counter.count_overhead(request) == 1000 + 300 + 4
    assert counter.count_request(request) == 1304 + 102 + 144 + 111
    asked = request.replace(response_format={"type": "json_schema", "schema": {"type": "object"}})
    assert counter.count_request(asked) > counter.count_request(request)


@pytest.mark.parametrize(
    ("message", "tokens"),
    [
        (stored("text", role="user", content="one two"), 2),
        (stored("reasoning", content="one two"), 2),
        (stored("tool_request", calls=[{"call": {"name": "f", "arguments": {}}, "approval": {"status": "denied"}}]), 2),
        (stored("tool_result", call_id="c", output={"a": "b c"}, execution={"duration_ms": 5}), 2),
        (stored("tool_result", call_id="c", status="error", error={"message": "no file", "stack_trace": "a b c d"}), 2),
        (stored("system_control", control={"kind": "mode_change", "old_mode": "a", "new_mode": "b"}), 0),
        (stored("mcp_resource", server_name="s", resource_uri="u", content="a b", retrieved_at="2026-01-01"), 2),
        (stored("from_the_future", words="one two three"), 0),
    ],
)
def test_a_stored_message_is_counted_as_it_is_sent_to_a_model(message: Any, tokens: int) -> None:
    assert MessageCounter(Words(), NOTHING).count_message(message) == tokens


def test_unresolved_content_is_estimated() -> None:
    counter = MessageCounter(Words())
    pending = stored("file_reference", path="a.txt", status="pending")
    read = stored("file_reference", path="a.txt", status="resolved", content="one two three")
    assert counter.count_message(pending) == Costs().message + Costs().picture
    assert counter.count_message(read) < 20


@pytest.mark.parametrize("form", ["PNG", "GIF", "JPEG", "WEBP"])
def test_an_image_is_counted_by_its_pixels(form: str) -> None:
    counter = MessageCounter(Words(), NOTHING)
    data = picture(form, 750, 100)
    assert picture_size(data) == (750, 100)

    def counted(**members: Any) -> int:
        return counter.count_message(chat(role="user", content=[{"type": "image", **members}]))

    assert counted(data=data) == 100
    assert counted(data=data, detail="low") == 85
    assert counted(data=picture(form, 1200, 1200)) == 1600
    assert counted(data=picture(form, 1, 1)) == 1
    assert counted(url="https://example.com/a.png") == 1600
    assert counted(data="no picture") == 1600


def test_audio_and_documents_are_counted_by_size() -> None:
    counter = MessageCounter(Words(), NOTHING)
    pdf = base64.b64encode(bytes(30_000)).decode()
    content: list[dict[str, Any]] = [{"type": "file", "data": pdf}, {"type": "audio", "data": pdf}]
    assert counter.count_message(chat(role="user", content=content)) == 600
    assert counter.count_message(chat(role="user", content=[{"type": "file", "file_id": "f"}])) == Costs().media


def test_opaque_data_is_not_counted_as_text() -> None:
    counter = MessageCounter(HeuristicCounter(), NOTHING)
    shot = {"type": "computer_call_output", "output": {"image_url": "A" * 2_000_000}}
    assert counter.count_message(chat(role="opaque", dialect="openai_responses", data=shot)) < 2000
    deep: Any = "end"
    for _ in range(50_000):
        deep = [deep]
    assert counter.contents.count_opaque(deep) == 1
    assert counter.contents.count_json(deep) >= 1  # more on Pythons that write so deep a value as JSON


def test_a_cyclic_value_is_counted_in_finite_time() -> None:
    endless: dict[str, Any] = {"word": "a"}
    endless["again"] = [endless, endless]
    call = il.ToolCall(id="a", name="f", arguments=endless)
    for message in (il.AssistantChatMessage(tool_calls=(call,)), il.OpaqueChatMessage(dialect="x", data=endless)):
        assert 0 < MessageCounter(HeuristicCounter()).count_message(message) < 50


def test_the_count_of_a_message_is_cached_during_its_lifetime() -> None:
    words = Words()
    counter = MessageCounter(words)
    message = chat(role="user", content="one two")
    assert counter.count_message(message) == counter.count_message(message)
    assert words.asked == 1
    del message
    gc.collect()
    assert vars(counter)["_known"] == {}  # nothing of it is left behind


def test_a_value_that_is_not_a_message_is_refused() -> None:
    with pytest.raises(TypeError):
        MessageCounter(Words()).count_message({"role": "user", "content": "x"})  # type: ignore[arg-type]


def test_an_image_is_counted_as_its_text_for_models_without_image_input() -> None:
    seen = stored(
        "image",
        source={"kind": "base64", "data": picture("PNG", 1000, 1000), "format": "image/png"},
        mode="vision",
        status="resolved",
        recognition={"mode_used": "vision", "vision_analysis": "A cat."},
    )
    assert MessageCounter(Words(), NOTHING, takes_pictures=False).count_message(seen) == 6
    assert MessageCounter(Words(), NOTHING).count_message(seen) > 1000
