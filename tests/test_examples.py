"""The bodies of docs/examples are what the official SDKs accept: what people copy must work."""

import json
from pathlib import Path
from typing import Any

import anthropic.types as claude
import openai.types.chat as openai
import pytest
from anthropic.types.message_create_params import MessageCreateParamsNonStreaming as ClaudeRequest
from openai.types.chat.completion_create_params import CompletionCreateParamsNonStreaming as OpenAIRequest

from support.sdk import request_adapter

EXAMPLES = Path(__file__).parents[1] / "docs" / "examples"


def body(name: str) -> Any:
    return json.loads((EXAMPLES / name).read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("weather_request.json", OpenAIRequest),
        ("agent_request.json", OpenAIRequest),
        ("claude_weather_request.json", ClaudeRequest),
    ],
)
def test_an_example_request_is_accepted_by_the_official_types(name: str, kind: Any) -> None:
    request_adapter(kind).validate_python(body(name))


@pytest.mark.parametrize(
    ("name", "kind"),
    [("weather_response.json", openai.ChatCompletion), ("claude_weather_response.json", claude.Message)],
)
def test_an_example_response_is_accepted_by_the_official_types(name: str, kind: Any) -> None:
    assert kind.model_validate(body(name)).to_dict() == body(name)
