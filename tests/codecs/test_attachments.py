"""Pictures and files in results, and media types by another name: what the target's model gets to see."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il

PNG: Final = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
PICTURE: Final = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}}
LINKED: Final = {"type": "image", "source": {"type": "url", "url": "https://example.com/a.png"}}
PDF: Final = {"type": "document", "title": "p.pdf",
              "source": {"type": "base64", "media_type": "application/pdf", "data": "JVBERi0="}}  # fmt: skip


def shown(*results: list[dict[str, Any]], said: str | None = None) -> il.Encoded:
    """Return a request of Claude's, in which tools gave these blocks, as Chat Completions has it."""
    calls: list[Any] = [
        {"type": "tool_use", "id": f"toolu_{at}", "name": "f", "input": {}} for at in range(len(results))
    ]
    content: list[dict[str, Any]] = [
        {"type": "tool_result", "tool_use_id": f"toolu_{at}", "content": blocks} for at, blocks in enumerate(results)
    ]
    if said is not None:
        content.append({"type": "text", "text": said})
    body: dict[str, Any] = {
        "model": "m",
        "max_tokens": 100,
        "messages": [
            {"role": "user", "content": "Hi"},
            {"role": "assistant", "content": calls},
            {"role": "user", "content": content},
        ],
    }
    encoded = il.translate_request(body, "claude", "openai_chat")
    assert il.check_request(encoded.body, "openai_chat") == []
    return encoded


def test_images_of_results_go_into_a_user_message_after_all_results_of_the_turn() -> None:
    encoded = shown([{"type": "text", "text": "31"}, PICTURE], [LINKED], said="Well?")
    assert encoded.body["messages"][2:] == [
        {"role": "tool", "tool_call_id": "toolu_0", "content": "31"},
        {
            "role": "tool",
            "tool_call_id": "toolu_1",
            "content": "The result is attached to the next message of the user.",
        },
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "Attached to the result of the call toolu_0:"},
                {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PNG}"}},
                {"type": "text", "text": "Attached to the result of the call toolu_1:"},
                {"type": "image_url", "image_url": {"url": "https://example.com/a.png"}},
            ],
        },
        {"role": "user", "content": "Well?"},
    ]
    assert [(loss.code, loss.path, loss.severity) for loss in encoded.losses] == [
        ("content", "/messages/2/content", "changed"),
        ("content", "/messages/3/content", "changed"),
    ]


def test_a_file_of_a_result_is_attached_to_a_user_message_too() -> None:
    messages = shown([PDF]).body["messages"]
    assert messages[-1]["content"][1] == {
        "type": "file",
        "file": {"file_data": "data:application/pdf;base64,JVBERi0=", "filename": "p.pdf"},
    }


def test_a_result_with_only_text_is_unchanged() -> None:
    encoded = shown([{"type": "text", "text": "  31\r\n"}])
    assert encoded.body["messages"][-1]["content"] == "  31\r\n"
    assert encoded.losses == ()


@pytest.mark.parametrize("target", ["claude", "gemini", "openai_responses"])
def test_an_image_with_an_alias_of_a_media_type_gets_the_usual_media_type(target: str) -> None:
    url = "data:image/jpg;base64,/9j/4AAQSkZJRgABAQAAAQABAAD/2w=="
    message = {"role": "user", "content": [{"type": "image_url", "image_url": {"url": url}}]}
    encoded = il.translate_request({"model": "m", "messages": [message]}, "openai_chat", target)
    assert "image/jpeg" in str(encoded.body)
    assert "image/jpg" not in str(encoded.body)
    assert ("member", "/messages/0/content/0/format", "changed") in {
        (loss.code, loss.path, loss.severity) for loss in encoded.losses
    }


def test_a_message_with_no_representable_part_reports_itself_and_its_losses() -> None:
    sound = {"type": "input_audio", "input_audio": {"data": "AAAA", "format": "wav"}}
    messages: list[Any] = [{"role": "user", "content": [sound]}, {"role": "user", "content": "Well?"}]
    encoded = il.translate_request({"model": "m", "messages": messages}, "openai_chat", "claude")
    told = {(loss.code, loss.path, loss.severity) for loss in encoded.losses}
    assert {("message", "/messages/0", "changed"), ("part", "/messages/0/content/0", "lost")} <= told
