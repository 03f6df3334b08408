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
def test_a_refusal_of_responses_ends_as_chat_completions_ends_one(client: str) -> None:
    [choice] = il.translate_response(BODY, "openai_responses", client).body["choices"]
    assert (choice["finish_reason"], choice["message"]["refusal"]) == ("stop", REFUSAL)


def test_the_stream_of_a_refusal_is_read_by_openais_client_as_one() -> None:
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


def test_an_answer_that_claude_refused_without_a_refusal_to_read_is_still_a_filtered_one() -> None:
    body = {
        "id": "1", "type": "message", "role": "assistant", "model": "m", "stop_reason": "refusal",
        "content": [{"type": "text", "text": "I"}], "usage": {"input_tokens": 1, "output_tokens": 1},
    }  # fmt: skip
    [choice] = il.translate_response(body, "claude", "openai_chat").body["choices"]
    assert choice["finish_reason"] == "content_filter"
