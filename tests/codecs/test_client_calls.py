"""Calls of Responses' tools that the client runs, in answers that are translated without an exchange."""

from __future__ import annotations

import json
from typing import Any, Final

import pytest

import interlingua as il

SHELL: Final[dict[str, Any]] = {
    "type": "shell_call", "id": "sh_1", "call_id": "call_1", "status": "completed",
    "action": {"commands": ["ls"], "timeout_ms": None, "max_output_length": None},
}  # fmt: skip
PATCH: Final[dict[str, Any]] = {
    "type": "apply_patch_call", "id": "ap_1", "call_id": "call_2", "status": "completed",
    "operation": {"type": "create_file", "path": "a.txt", "diff": "+A"},
}  # fmt: skip
COMPUTER: Final[dict[str, Any]] = {
    "type": "computer_call", "id": "cu_1", "call_id": "call_3", "status": "completed",
    "action": {"type": "screenshot"}, "pending_safety_checks": [],
}  # fmt: skip
HOSTED: Final[dict[str, Any]] = {**SHELL, "environment": {"type": "container_reference", "container_id": "c"}}
SAID: Final[dict[str, Any]] = {
    "id": "msg_1", "type": "message", "role": "assistant", "status": "completed",
    "content": [{"type": "output_text", "text": "I look.", "annotations": [], "logprobs": []}],
}  # fmt: skip
CALLS: Final = [
    ("call_1", "shell", {"commands": ["ls"]}),
    ("call_2", "apply_patch", {"type": "create_file", "path": "a.txt", "diff": "+A"}),
    ("call_3", "computer_use_preview", {"type": "screenshot"}),
]


def answer(*items: Any) -> dict[str, Any]:
    return {
        "id": "resp_1", "object": "response", "created_at": 1, "status": "completed", "model": "m", "error": None,
        "incomplete_details": None, "output": [*items],
    }  # fmt: skip


def stream(*items: Any) -> list[dict[str, Any]]:
    frames: list[dict[str, Any]] = [{"type": "response.created", "response": {**answer(), "status": "in_progress"}}]
    for at, item in enumerate(items):
        announced = {**item, "status": "in_progress", **({"content": []} if "content" in item else {})}
        frames.append({"type": "response.output_item.added", "output_index": at, "item": announced})
        frames.append({"type": "response.output_item.done", "output_index": at, "item": item})
    frames.append({"type": "response.completed", "response": answer(*items)})
    return [{**frame, "sequence_number": number} for number, frame in enumerate(frames)]


def told(response: Any) -> tuple[str, list[tuple[Any, str, Any]], Any]:
    """Return the text, the calls and the reason of an answer."""
    calls = [call for message in response.messages for call in message.tool_calls or ()]
    texts = "".join(message.text for message in response.messages)
    said = [(call.id, call.name, call.arguments) for call in calls]
    parsed = [(one, name, json.loads(given) if isinstance(given, str) else given) for one, name, given in said]
    return texts, parsed, response.finish_reason


@pytest.mark.parametrize("target", ["openai_chat", "claude", "gemini", "vllm", "ollama", "bedrock_converse"])
def test_client_tool_calls_are_function_calls_in_other_dialects(target: Any) -> None:
    encoded = il.translate_response(answer(SAID, SHELL, PATCH, COMPUTER), "openai_responses", target)
    assert told(il.decode_response(encoded.body, target)) == ("I look.", CALLS, "tool_calls")
    assert [(loss.path, loss.severity) for loss in encoded.losses if loss.code == "message"] == [
        ("/messages/1", "changed"), ("/messages/2", "changed"), ("/messages/3", "changed")
    ]  # fmt: skip
    frames = il.translate_stream(stream(SAID, SHELL, PATCH, COMPUTER), "openai_responses", target)
    assert told(il.collect(il.decode_stream(frames, target))) == ("I look.", CALLS, "tool_calls")
    events = il.decode_stream(stream(SAID, SHELL), "openai_responses")
    written = il.collect(il.decode_stream(il.encode_stream(events, target), target))
    assert told(written) == ("I look.", CALLS[:1], "tool_calls")


@pytest.mark.parametrize("target", ["openai_chat", "claude", "gemini", "vllm", "ollama", "bedrock_converse"])
def test_a_stream_reports_a_client_tool_call_as_changed_once_like_a_whole_answer(target: Any) -> None:
    piece = {"type": "response.shell_call_command.delta", "output_index": 0, "command_index": 0, "delta": "ls"}
    first, added, *rest = stream(SHELL)
    translated = il.translate_stream([first, added, piece, *rest], "openai_responses", target)
    list(translated)
    assert [(loss.code, loss.path, loss.severity) for loss in translated.losses if "data" in loss.path] == [
        ("message", "/3/data", "changed")
    ]
    cut = il.translate_stream([first, added, piece], "openai_responses", target)
    list(cut)
    assert [(loss.code, loss.path, loss.severity) for loss in cut.losses if "data" in loss.path] == [
        ("extra", "/1/data", "lost"), ("extra", "/2/data", "lost")
    ]  # fmt: skip


def test_calls_run_in_a_provider_container_are_not_client_calls() -> None:
    encoded = il.translate_response(answer(HOSTED), "openai_responses", "openai_chat")
    assert encoded.body["choices"][0]["finish_reason"] == "stop"
    assert [(loss.path, loss.severity) for loss in encoded.losses if loss.code == "message"] == [
        ("/messages/0", "lost")
    ]
    frames = list(il.translate_stream(stream(HOSTED), "openai_responses", "openai_chat"))
    assert told(il.collect(il.decode_stream(frames, "openai_chat"))) == ("", [], "stop")
    piece = {"type": "response.shell_call_command.delta", "output_index": 0, "command_index": 0, "delta": "ls"}
    first, added, *rest = stream(HOSTED)
    translated = il.translate_stream([first, added, piece, *rest], "openai_responses", "openai_chat")
    list(translated)
    assert "/2/data" not in [loss.path for loss in translated.losses]  # the item that is done says it


def test_within_the_dialect_client_tool_calls_are_unchanged_items() -> None:
    body, frames = answer(SAID, SHELL, PATCH, COMPUTER), stream(SAID, SHELL, PATCH, COMPUTER)
    assert il.translate_response(body, "openai_responses", "openai_responses").body == body
    assert list(il.encode_stream(il.decode_stream(frames, "openai_responses"), "openai_responses")) == frames
