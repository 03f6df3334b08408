"""What stands in an answer beside the assistant's messages: why another dialect has no place for it."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il

OTHERS: Final = [name for name in il.dialects() if name != "openai_responses"]
ANSWER: Final[dict[str, Any]] = {
    "id": "resp_1",
    "object": "response",
    "created_at": 1,
    "model": "gpt-5.2",
    "status": "completed",
    "output": [
        {"type": "mcp_call", "id": "mcp_1", "name": "roll", "arguments": "{}", "server_label": "dice", "output": "4"},
        {
            "type": "message",
            "id": "msg_1",
            "role": "assistant",
            "status": "completed",
            "content": [{"type": "output_text", "text": "A four.", "annotations": []}],
        },
    ],
}


@pytest.mark.parametrize("target", OTHERS)
def test_an_item_that_only_responses_has_is_reported_as_an_item(target: str) -> None:
    told = [
        loss.detail
        for loss in il.translate_response(ANSWER, "openai_responses", target).losses
        if loss.code == "message"
    ]
    assert told == ["only its own dialect has this message"]
