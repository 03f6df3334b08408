"""Items: finished ones of a stream, and stored ones, whose content is always a list."""

from __future__ import annotations

from typing import Any, Final, get_args

import pytest
from pydantic import ValidationError

import interlingua as il
from interlingua.model import Event

TEXT: Final = {"type": "output_text", "text": "Hello"}
PICTURE: Final = {"type": "input_image", "image_url": "https://example.com/a.png"}
ASKED: Final = {"type": "input_text", "text": "Look: "}
# A legal item of every type and of every content, and its text.
LEGAL: Final[list[tuple[dict[str, Any], str]]] = [
    ({"type": "message", "id": "m", "role": "assistant", "content": [TEXT, {**TEXT, "text": " there"}]}, "Hello there"),
    ({"type": "message", "role": "user", "content": [ASKED, PICTURE]}, "Look: "),
    ({"type": "message", "role": "user", "content": [PICTURE]}, ""),
    ({"type": "message", "role": "user", "content": []}, ""),
    ({"type": "reasoning", "summary": []}, ""),
    ({"type": "reasoning", "summary": [{"type": "summary_text", "text": "In short."}], "encrypted_content": "x"}, ""),
    (
        {
            "type": "reasoning",
            "id": "r",
            "summary": [],
            "content": [{"type": "reasoning_text", "text": "Hm"}, {"type": "text", "text": "."}],
        },
        "Hm.",
    ),
    ({"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}"}, ""),
    ({"type": "function_call_result", "call_id": "c"}, ""),
    ({"type": "function_call_result", "call_id": "c", "content": [ASKED, PICTURE]}, "Look: "),
]


def chunk(delta: dict[str, Any], reason: str | None = None) -> dict[str, Any]:
    choice = {"index": 0, "delta": delta, "finish_reason": reason}
    return {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}


def told(*chunks: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the items of a stream of chat completions, as plain JSON."""
    return [item.model_dump(mode="json") for item in il.items.from_events(il.decode_stream(chunks, "openai_chat"))]


def fault(document: Any) -> str:
    """Return where a document is no item."""
    with pytest.raises(il.MigrationError) as caught:
        il.items.load(document)
    return caught.value.path


def problems(item: type[Any], document: Any) -> set[Any]:
    """Return the members of a document that the model of an item does not take."""
    with pytest.raises(ValidationError) as caught:
        item.model_validate(document)
    return {error["loc"][0] for error in caught.value.errors()}


@pytest.mark.requirement("ITEM-5.1")
@pytest.mark.parametrize(("document", "text"), LEGAL)
def test_the_text_of_a_valid_item_is_its_texts_joined(document: dict[str, Any], text: str) -> None:
    item = il.items.load(document)
    assert il.items.text(item) == text
    assert item.model_dump(mode="json") == document


@pytest.mark.requirement("ITEM-1.1", "ITEM-1.2")
def test_message_content_is_a_list_of_three_types_and_never_a_string() -> None:
    message = {"type": "message", "role": "user", "content": [ASKED, PICTURE, TEXT]}
    assert il.validate(message, union="response_item") == []
    assert il.validate({**message, "id": "m"}, union="response_item") == []
    assert [error.path for error in il.validate({**message, "content": "Hello"}, union="response_item")] == ["/content"]
    assert [error.path for error in il.validate({"type": "message", "role": "user"}, union="response_item")] == [""]
    assert il.items.load(message).model_dump(mode="json") == message
    assert problems(il.MessageResponseItem, {**message, "content": "Hello"}) == {"content"}
    for part in ({"type": "input_text"}, {"type": "input_image"}, {"type": "output_text"}, {"type": "video"}):
        assert fault({**message, "content": [part]}).startswith("/content/0")


@pytest.mark.requirement("ITEM-2.1", "ITEM-2.2")
def test_reasoning_has_a_possibly_empty_summary_and_content_of_two_types() -> None:
    whole = {"type": "reasoning", "id": "r", "summary": [], "encrypted_content": "x"}
    content = [{"type": "reasoning_text", "text": "Hm."}, {"type": "text", "text": "Well."}]
    assert il.validate(whole, union="response_item") == []
    assert il.validate({**whole, "content": content}, union="response_item") == []
    assert il.items.load({**whole, "content": content}).model_dump(mode="json") == {**whole, "content": content}
    assert il.validate({"type": "reasoning"}, union="response_item") != []
    assert fault({"type": "reasoning"}) == ""
    assert fault({**whole, "content": [{"type": "output_text", "text": "Hm."}]}).startswith("/content/0")
    assert fault({**whole, "content": [{"type": "text"}]}).startswith("/content/0")


@pytest.mark.requirement("ITEM-3.1")
def test_result_content_is_a_list_or_absent() -> None:
    result = {"type": "function_call_result", "call_id": "c"}
    assert il.validate(result, union="response_item") == []
    assert il.validate({**result, "content": [ASKED]}, union="response_item") == []
    assert problems(il.FunctionCallResultResponseItem, {**result, "content": "done"}) == {"content"}
    for content in ("done", ASKED, None):
        assert [error.path for error in il.validate({**result, "content": content}, union="response_item")] == [
            "/content"
        ]


@pytest.mark.requirement("ITEM-5.2", "ITEM-3.1")
@pytest.mark.parametrize(
    ("document", "content"),
    [
        ({"type": "message", "role": "assistant"}, {"type": "output_text", "text": "Hello"}),
        ({"type": "message", "role": "user"}, {"type": "input_text", "text": "Hello"}),
        ({"type": "reasoning", "summary": []}, {"type": "reasoning_text", "text": "Hello"}),
        ({"type": "function_call_result", "call_id": "c"}, {"type": "input_text", "text": "Hello"}),
    ],
)
def test_a_string_is_read_as_a_list_with_one_text(document: dict[str, Any], content: dict[str, Any]) -> None:
    stored = {**document, "content": "Hello"}
    item = il.items.load(stored)
    assert item.model_dump(mode="json") == {**document, "content": [content]}
    assert il.items.text(item) == "Hello"
    assert stored["content"] == "Hello"


@pytest.mark.requirement("ITEM-4.1", "ITEM-4.2")
@pytest.mark.parametrize("mark", [[], ["[DONE]"]])
def test_a_complete_stream_returns_its_items(mark: list[Any]) -> None:
    call = {"index": 0, "id": "call_1", "type": "function", "function": {"name": "f", "arguments": '{"a": 1.0}'}}
    chunks = [
        chunk({"role": "assistant", "reasoning_content": "H"}),
        chunk({"reasoning_content": "m."}),
        chunk({"content": "Hel"}),
        chunk({"content": "lo"}),
        chunk({"tool_calls": [call]}),
        chunk({}, "tool_calls"),
        *mark,
    ]
    assert told(*chunks) == [
        {"type": "reasoning", "summary": [], "content": [{"type": "reasoning_text", "text": "Hm."}]},
        {"type": "message", "role": "assistant", "content": [TEXT]},
        {"type": "function_call", "call_id": "call_1", "name": "f", "arguments": '{"a": 1.0}'},
    ]


@pytest.mark.requirement("ITEM-4.3")
def test_an_empty_text_makes_no_item() -> None:
    assert told(chunk({"role": "assistant", "content": "", "reasoning_content": ""}), chunk({}, "stop")) == []


def test_encrypted_reasoning_and_item_ids_are_reported() -> None:
    thought = {"id": "rs_1", "type": "reasoning", "summary": [], "encrypted_content": "sealed"}
    said = {**TEXT, "annotations": []}
    message = {"id": "msg_1", "type": "message", "status": "completed", "role": "assistant", "content": [said]}
    body = {"id": "r", "object": "response", "created_at": 1, "status": "in_progress", "model": "m", "output": []}
    frames: list[Any] = [
        {"type": "response.created", "response": body},
        {"type": "response.output_item.added", "output_index": 0, "item": thought},
        {"type": "response.output_item.done", "output_index": 0, "item": thought},
        {"type": "response.output_item.added", "output_index": 1, "item": message},
        {"type": "response.output_item.done", "output_index": 1, "item": message},
        {"type": "response.completed", "response": {**body, "status": "completed", "output": [thought, message]}},
    ]
    items = il.items.from_events(il.decode_stream(frames, "openai_responses"))
    assert [item.model_dump(mode="json") for item in items] == [
        thought,
        {"type": "message", "id": "msg_1", "role": "assistant", "content": [TEXT]},
    ]


START: Final = {"type": "start", "model": "m"}
SAYS: Final = {"type": "content", "block": 0, "text": "Hello"}
END: Final[list[dict[str, Any]]] = [{"type": "finish", "reason": "stop"}, {"type": "end", "complete": True}]
ENCODED: Final = "iVBORw0KGgo="
SOURCE: Final = {"kind": "url", "url": "https://example.com"}
CALLS: Final = {"type": "tool_call_start", "block": 1, "id": "c", "name": "f", "arguments": "{}"}


def part(kind: str, **members: Any) -> dict[str, Any]:
    return {"type": "part", "block": 1, "part": {"type": kind, **members}}


# What a stream can say beside a text, by the type of its event, with what items lose of it.
SAID: Final[dict[str, list[tuple[dict[str, Any], list[tuple[str, str, str]]]]]] = {
    "start": [({"type": "start", "id": "x", "model": "m", "usage": {"input_tokens": 1}}, [])],
    "content": [
        (SAYS, []),
        ({**SAYS, "alternative": 1}, [("message", "/alternatives/0", "lost")]),
    ],
    "reasoning": [({"type": "reasoning", "block": 1, "text": "Hm."}, [])],
    "refusal": [
        ({"type": "refusal", "block": 1, "text": "No."}, [("refusal", "/messages/0/refusal", "lost")]),
        ({"type": "refusal", "block": 1, "text": ""}, []),
    ],
    "part": [
        (part("text", text=" there"), []),
        *(
            (part(kind, **held), [("part", "/messages/0/content/1", "lost")])
            for kind, held in (
                ("image", {"format": "image/png", "data": ENCODED}),
                ("image", {"url": "https://example.com/a.png"}),
                ("audio", {"format": "audio/wav", "data": ENCODED}),
                ("file", {"format": "application/pdf", "data": ENCODED}),
                ("opaque", {"dialect": "gemini", "data": {"executableCode": {}}}),
            )
        ),
    ],
    "citation": [
        (
            {"type": "citation", "block": 0, "citation": SOURCE},
            [("citation", "/messages/0/content/0/citations", "lost")],
        )
    ],
    "tool_call_start": [
        (CALLS, []),
        ({**CALLS, "kind": "custom"}, [("member", "/messages/0/tool_calls/0/kind", "changed")]),
        (
            {name: value for name, value in CALLS.items() if name != "id"},
            [("required", "/messages/0/tool_calls/0/id", "filled")],
        ),
    ],
    "tool_call_delta": [({"type": "tool_call_delta", "block": 0, "arguments": ""}, [])],
    "block_end": [({"type": "block_end", "block": 0}, [])],
    "state": [({"type": "state", "block": 0}, [])],
    "usage": [({"type": "usage", "usage": {"output_tokens": 1}}, [])],
    "finish": [({"type": "finish", "reason": "length"}, [])],
    "opaque": [({"type": "opaque", "dialect": "claude", "data": {"type": "ping"}}, [])],
    "end": [({"type": "end", "complete": False}, [])],
}


@pytest.mark.parametrize(("event", "expected"), [case for cases in SAID.values() for case in cases])
def test_content_that_items_cannot_hold_is_a_loss_and_without_a_list_an_error(
    event: dict[str, Any], expected: list[tuple[str, str, str]]
) -> None:
    events = [event, SAYS, *END] if event["type"] == "start" else [START, SAYS, event, *END]
    losses: list[il.Loss] = []
    items = il.items.from_events(events, losses=losses)
    assert [(loss.code, loss.path, loss.severity) for loss in losses] == expected
    assert "Hello" in il.items.text(next(item for item in items if item.type == "message"))
    if any(severity == "lost" for _code, _path, severity in expected):
        with pytest.raises(il.LossError) as caught:
            il.items.from_events(events)
        assert caught.value.losses == tuple(losses)
    else:
        assert il.items.from_events(events) == items


def test_every_event_except_error_is_covered() -> None:
    kinds = {get_args(variant.model_fields["type"].annotation)[0] for variant in get_args(get_args(Event)[0])}
    assert SAID.keys() | {"error"} == kinds


def test_provider_state_is_reported_and_is_no_error() -> None:
    sealed = {"reasoning_details": [{"type": "reasoning.encrypted", "data": "x"}]}
    chunks = [chunk({"role": "assistant", "content": "Hello", **sealed}), chunk({}, "stop"), "[DONE]"]
    losses: list[il.Loss] = []
    items = il.items.from_events(il.decode_stream(chunks, "openai_chat"), losses=losses)
    assert [(loss.code, loss.path) for loss in losses] == [("provider_state", "/messages/0/extra/openai_chat")]
    assert il.items.from_events(il.decode_stream(chunks, "openai_chat")) == items


def test_losses_are_appended_to_the_list() -> None:
    before = il.Loss("part", "/messages/0/content/0", "of another stream", "lost")
    losses = [before]
    il.items.from_events([START, SAYS, {"type": "refusal", "block": 1, "text": "No."}, *END], losses=losses)
    assert [loss.code for loss in losses] == ["part", "refusal"]
    assert losses[0] is before


def test_an_error_within_a_stream_raises_with_the_partial_items() -> None:
    with pytest.raises(il.StreamError) as caught:
        told(chunk({"role": "assistant", "content": "Hel"}), {"error": {"message": "overloaded"}})
    assert caught.value.partial.messages[0].content == "Hel"


@pytest.mark.parametrize(
    ("document", "path"),
    [(7, ""), ("[]", ""), ({"type": "video"}, "/type"), ({"content": "Hello"}, "/type"), ({"type": []}, "/type")],
)
def test_an_invalid_item_is_refused_with_its_path(document: Any, path: str) -> None:
    assert fault(document) == path


def test_an_error_contains_no_content() -> None:
    with pytest.raises(il.MigrationError) as caught:
        il.items.load({"type": "message", "role": 7, "content": "a secret"})
    assert caught.value.path == "/role"
    assert "secret" not in f"{caught.value!r} {caught.value} {caught.value.__context__!r}"
