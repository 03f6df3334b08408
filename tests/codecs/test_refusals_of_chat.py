"""A refusal that can be read is no filtered answer: OpenAI's client raises an error for the latter."""

from __future__ import annotations

from typing import Any, Final

import pytest
from openai.lib.streaming.chat import ChatCompletionStreamState
from openai.types.chat import ChatCompletionChunk

import interlingua as il

REFUSAL: Final = "I cannot help with that."
PART: Final = {"type": "refusal", "refusal": REFUSAL}
ITEM: Final = {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": [PART]}
BODY: Final = {
    "id": "1", "object": "response", "created_at": 1, "model": "m", "status": "completed", "output": [ITEM]
}  # fmt: skip


@pytest.mark.parametrize("client", ["openai_chat", "vllm"])
def test_a_responses_refusal_has_the_finish_reason_of_chat_completions(client: str) -> None:
    [choice] = il.translate_response(BODY, "openai_responses", client).body["choices"]
    assert (choice["finish_reason"], choice["message"]["refusal"]) == ("stop", REFUSAL)


def test_a_refusal_stream_is_read_as_one_by_the_openai_client() -> None:
    events: list[dict[str, Any]] = [
        {"type": "start", "id": "1", "model": "m", "created": 1},
        {"type": "refusal", "block": 0, "text": REFUSAL},
        {"type": "block_end", "block": 0},
        {"type": "finish", "reason": "refusal"},
        {"type": "end", "complete": True},
    ]
    state = ChatCompletionStreamState()
    for frame in il.encode_stream(events, "openai_chat"):
        if type(frame) is dict:
            state.handle_chunk(ChatCompletionChunk.model_validate(frame))
    [choice] = state.get_final_completion().choices
    assert (choice.finish_reason, choice.message.refusal) == ("stop", REFUSAL)


def test_an_answer_refused_by_claude_without_a_text_has_the_reason_content_filter() -> None:
    body = {
        "id": "1", "type": "message", "role": "assistant", "model": "m", "stop_reason": "refusal",
        "content": [{"type": "text", "text": "I"}], "usage": {"input_tokens": 1, "output_tokens": 1},
    }  # fmt: skip
    [choice] = il.translate_response(body, "claude", "openai_chat").body["choices"]
    assert choice["finish_reason"] == "content_filter"
