"""What a provider signed comes back to it through the official clients of other dialects, and the server between."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

import anthropic
import google.genai
import openai
import pytest
from google.genai import types

import interlingua as il
from support.scripted import calls, scripted, text
from support.serving import serving

if TYPE_CHECKING:
    from collections.abc import Mapping

QUESTION: Final[Any] = {"role": "user", "content": "How is the weather?"}
# What each provider signs of an answer that thinks and calls a tool.
STATES: Final[Mapping[str, Mapping[str, Any]]] = MappingProxyType({
    "openai_responses": {"reasoning": {"id": "rs_1", "encrypted_content": "ZW5j"}},
    "gemini": {"thought_signatures": [{"at": "/tool_calls/0", "signature": "c2ln"}]},
    "claude": {"thinking_blocks": [{"type": "thinking", "signature": "c2ln"}]},
})  # fmt: skip


class Signing:
    """A provider that signs its first answer, and keeps what the next request has of it."""

    def __init__(self, dialect: str) -> None:
        self.dialect = dialect
        self.came_back: list[Any] = []

    def __call__(self, request: Any) -> Any:
        said = [message for message in request.messages if message.role == "assistant"]
        if said:
            extra = said[0].extra.model_dump(exclude_unset=True, mode="json") if said[0].extra else {}
            self.came_back.append({name: extra.get(self.dialect, {}).get(name) for name in STATES[self.dialect]})
            return text("It is sunny.")
        answer = calls(("call_1", "weather", {"city": "Bern"}))
        [message] = answer["messages"]
        signed = {**message, "reasoning": "Let me see.", "extra": {self.dialect: STATES[self.dialect]}}
        return {**answer, "dialect": self.dialect, "messages": [signed]}


@pytest.mark.parametrize("backend", ["openai_responses", "gemini"])
def test_the_official_claude_client_sends_signed_state_back(backend: str) -> None:
    script = Signing(backend)

    @anthropic.beta_tool
    def weather(city: str) -> str:
        """Tell the weather."""
        return f"sunny in {city}"

    with (
        scripted(backend, script) as there,
        serving("claude", backend, there.url) as url,
        anthropic.Anthropic(base_url=url, api_key="k", max_retries=0) as client,
    ):
        runner = client.beta.messages.tool_runner(model="m", max_tokens=99, messages=[QUESTION], tools=[weather])
        last = runner.until_done()
    assert last.model_dump()["content"][-1]["text"] == "It is sunny."
    assert script.came_back == [STATES[backend]]


@pytest.mark.parametrize("backend", ["claude", "gemini"])
def test_the_official_responses_client_sends_signed_state_back(backend: str) -> None:
    script = Signing(backend)
    weather: Any = {
        "type": "function",
        "name": "weather",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}},
        "strict": False,
    }
    with (
        scripted(backend, script) as there,
        serving("openai_responses", backend, there.url) as url,
        openai.OpenAI(base_url=f"{url}/v1", api_key="k", max_retries=0) as client,
    ):
        first = client.responses.create(model="m", input=[QUESTION], tools=[weather])
        result = {
            "type": "function_call_output",
            "call_id": first.output[-1].model_dump()["call_id"],
            "output": "sunny",
        }
        said: list[Any] = [QUESTION, *(item.model_dump(exclude_none=True) for item in first.output), result]
        last = client.responses.create(model="m", input=said, tools=[weather])
    assert last.output_text == "It is sunny."
    assert script.came_back == [STATES[backend]]


@pytest.mark.parametrize("backend", ["claude", "openai_responses"])
def test_the_official_gemini_client_sends_signed_state_back(backend: str) -> None:
    script = Signing(backend)
    weather = {
        "name": "weather",
        "parameters_json_schema": {"type": "object", "properties": {"city": {"type": "string"}}},
    }
    config: Any = {
        "tools": [{"function_declarations": [weather]}],
        "automatic_function_calling": {"disable": True},
        "thinking_config": {"include_thoughts": True},
    }
    with (
        scripted(backend, script) as there,
        serving("gemini", backend, there.url) as url,
        google.genai.Client(api_key="k", http_options=types.HttpOptions(base_url=url)) as client,
    ):
        chat = client.chats.create(model="m", config=config)
        chat.send_message(QUESTION["content"])
        result = types.FunctionResponse(id="call_1", name="weather", response={"output": "sunny"})
        last = chat.send_message(types.Part(function_response=result))
    assert last.text == "It is sunny."
    assert script.came_back == [STATES[backend]]


def test_the_carried_states_are_those_that_providers_sign() -> None:
    """Each stands in the answer of its dialect: else nothing could come back."""
    for dialect, state in STATES.items():
        answer = Signing(dialect)(il.ChatRequest(messages=()))
        decoded = il.decode_response(il.encode_response(answer, il.dialect(dialect)).body, il.dialect(dialect))
        [message] = decoded.messages
        assert message.extra is not None
        held = message.extra.model_dump(exclude_unset=True, mode="json")[dialect]
        assert {name: held[name] for name in state} == state
