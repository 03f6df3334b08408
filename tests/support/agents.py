"""An agent's loop with each official SDK: a picture, ten turns of two parallel calls, and a final text.

`AGENTS[dialect](url, stream=...)` runs the loop against a server and returns the final text; `TenTurns` is the
provider.
"""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass, field
from operator import contains
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

import anthropic
import google.genai
import ollama
import openai
from google.genai import types

from support.scripted import calls, text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

TURNS: Final = 10
LAST_WORD: Final = "All ten are read."
PICTURE: Final = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
ENCODED: Final = base64.b64encode(PICTURE).decode()
QUESTION: Final = "Read the files and tell the weather of each city."
SYSTEM: Final = "You read files."
_MODEL: Final = "some-model"
_PARAMETERS: Final[Any] = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "count": {"type": "integer"}},
    "required": ["name"],
}
_TOOLS: Final = ("read_file", "get_weather")


def result_of(name: str, arguments: Mapping[str, Any]) -> str:
    """Return the result of a tool."""
    return f"{name} of {arguments['name']}: {arguments['count'] * 2}"


@dataclass
class TenTurns:
    """The script of the provider: it checks that each request has the whole conversation so far, unchanged."""

    faults: list[str] = field(default_factory=list)

    def __call__(self, request: Any) -> dict[str, Any]:
        """Return the response of the next turn."""
        made = [
            call for message in request.messages if message.role == "assistant" for call in message.tool_calls or ()
        ]
        told = [message for message in request.messages if message.role == "tool"]
        turn = len(made) // 2
        expected = [_call(at // 2, at % 2) for at in range(2 * turn)]
        found = [(call.name, call.arguments_object()) for call in made]
        if found != [(name, arguments) for _, name, arguments in expected]:
            self.faults.append(f"turn {turn}: the calls are {found}")
        results = [_said(message) for message in told]
        wanted = [result_of(name, arguments) for _, name, arguments in expected]
        if len(results) != len(wanted) or not all(map(contains, results, wanted)):  # a client may wrap what a tool says
            self.faults.append(f"turn {turn}: the results are {results}")
        self._look_at_the_rest(request, turn)
        return text(LAST_WORD) if turn == TURNS else calls(_call(turn, 0), _call(turn, 1))

    def _look_at_the_rest(self, request: Any, turn: int) -> None:
        first = next(message for message in request.messages if message.role == "user")
        parts = [part.model_dump(mode="json") for part in first.content]
        kinds = {part["type"]: part for part in parts}
        if kinds.get("text", {}).get("text", "").strip() != QUESTION:
            self.faults.append(f"turn {turn}: the question is {parts}")
        if ENCODED not in json.dumps(kinds.get("image", {})):
            self.faults.append(f"turn {turn}: the picture is {parts}")
        if {tool.name for tool in request.tools or ()} != {*_TOOLS}:
            self.faults.append(f"turn {turn}: the tools are {request.tools}")
        if not any(message.role in {"system", "developer"} for message in request.messages):
            self.faults.append(f"turn {turn}: nobody says what to do")


def _call(turn: int, number: int) -> tuple[str, str, dict[str, Any]]:
    name = _TOOLS[number]
    return f"call_{turn}_{number}", name, {"name": f"ä-{turn}.txt", "count": turn}


def _said(message: Any) -> str:
    content = message.content
    return content if isinstance(content, str) else "".join(part.text for part in content)


def _run_chat(url: str, *, stream: bool) -> str:
    address = {"url": f"data:image/png;base64,{ENCODED}"}
    asked = [{"type": "text", "text": QUESTION}, {"type": "image_url", "image_url": address}]
    messages: list[Any] = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": asked}]
    tools: Any = [{"type": "function", "function": {"name": name, "parameters": _PARAMETERS}} for name in _TOOLS]
    with openai.OpenAI(base_url=f"{url}/v1", api_key="sk-1", max_retries=0) as client:
        while True:
            if stream:
                with client.chat.completions.stream(model=_MODEL, messages=messages, tools=tools) as answer:
                    message: Any = answer.get_final_completion().choices[0].message
            else:
                message = (
                    client.chat.completions.create(model=_MODEL, messages=messages, tools=tools).choices[0].message
                )
            if not message.tool_calls:
                return str(message.content)
            sent = message.model_dump(mode="json", exclude_none=True, exclude={"parsed"})
            for call in sent["tool_calls"]:
                call["function"].pop("parsed_arguments", None)
            messages.append(sent)
            for call in message.tool_calls:
                result = result_of(call.function.name, json.loads(call.function.arguments))
                messages.append({"role": "tool", "tool_call_id": call.id, "content": result})


def _run_responses(url: str, *, stream: bool) -> str:
    picture = {"type": "input_image", "image_url": f"data:image/png;base64,{ENCODED}", "detail": "auto"}
    items: list[Any] = [{"role": "user", "content": [{"type": "input_text", "text": QUESTION}, picture]}]
    tools: Any = [{"type": "function", "name": name, "parameters": _PARAMETERS, "strict": False} for name in _TOOLS]
    asked: Any = {"model": _MODEL, "instructions": SYSTEM, "tools": tools, "store": False}
    with openai.OpenAI(base_url=f"{url}/v1", api_key="sk-1", max_retries=0) as client:
        while True:
            if stream:
                with client.responses.stream(input=items, **asked) as answer:
                    response: Any = answer.get_final_response()
            else:
                response = client.responses.create(input=items, **asked)
            made = [item for item in response.output if item.type == "function_call"]
            if not made:
                return str(response.output_text)
            items += (item.to_dict(mode="json", exclude_none=True) for item in response.output)
            for item in items:
                item.pop("parsed_arguments", None)
            for call in made:
                result = result_of(call.name, json.loads(call.arguments))
                items.append({"type": "function_call_output", "call_id": call.call_id, "output": result})


def _run_claude(url: str, *, stream: bool) -> str:
    picture = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": ENCODED}}
    messages: list[Any] = [{"role": "user", "content": [{"type": "text", "text": QUESTION}, picture]}]
    tools: Any = [{"name": name, "input_schema": _PARAMETERS} for name in _TOOLS]
    asked: Any = {"model": _MODEL, "max_tokens": 999, "system": SYSTEM, "tools": tools}
    with anthropic.Anthropic(base_url=url, api_key="sk-1", max_retries=0) as client:
        while True:
            if stream:
                with client.messages.stream(messages=messages, **asked) as answer:
                    message: Any = answer.get_final_message()
            else:
                message = client.messages.create(messages=messages, **asked)
            made = [block for block in message.content if block.type == "tool_use"]
            if not made:
                return "".join(block.text for block in message.content if block.type == "text")
            messages.append({"role": "assistant", "content": [block.to_dict() for block in message.content]})
            results = [
                {"type": "tool_result", "tool_use_id": call.id, "content": result_of(call.name, call.input)}
                for call in made
            ]
            messages.append({"role": "user", "content": results})


def _run_gemini(url: str, *, stream: bool) -> str:
    picture = types.Part.from_bytes(data=PICTURE, mime_type="image/png")
    contents: Any = [types.Content(role="user", parts=[types.Part(text=QUESTION), picture])]
    tools = [{"name": name, "parameters_json_schema": _PARAMETERS} for name in _TOOLS]
    config: Any = {"system_instruction": SYSTEM, "tools": [{"function_declarations": tools}]}
    config["automatic_function_calling"] = {"disable": True}
    options = types.HttpOptions(base_url=url)
    with google.genai.Client(api_key="sk-1", http_options=options) as client:
        while True:
            if stream:
                chunks = client.models.generate_content_stream(model=_MODEL, contents=contents, config=config)
                parts = [
                    part
                    for chunk in chunks
                    for one in chunk.candidates or ()
                    for part in (one.content.parts if one.content else None) or ()
                ]
            else:
                whole: Any = client.models.generate_content(model=_MODEL, contents=contents, config=config)
                parts = whole.candidates[0].content.parts
            made = [part.function_call for part in parts if part.function_call]
            if not made:
                return "".join(part.text or "" for part in parts)
            contents.append(types.Content(role="model", parts=parts))
            results = [
                types.Part(
                    function_response=types.FunctionResponse(
                        id=call.id, name=call.name, response={"output": result_of(str(call.name), call.args or {})}
                    )
                )
                for call in made
            ]
            contents.append(types.Content(role="user", parts=results))


def _run_ollama(url: str, *, stream: bool) -> str:
    messages: list[Any] = [
        {"role": "system", "content": SYSTEM},
        {"role": "user", "content": QUESTION, "images": [ENCODED]},
    ]
    tools: Any = [{"type": "function", "function": {"name": name, "parameters": _PARAMETERS}} for name in _TOOLS]
    with ollama.Client(host=url, headers={"authorization": "Bearer sk-1"}) as client:
        while True:
            if stream:
                said = [line.message for line in client.chat(_MODEL, messages, tools=tools, stream=True)]
            else:
                said = [client.chat(_MODEL, messages, tools=tools).message]
            made = [call for message in said for call in message.tool_calls or ()]
            content = "".join(message.content or "" for message in said)
            if not made:
                return content
            sent = [call.model_dump(mode="json", exclude_none=True) for call in made]
            messages.append({"role": "assistant", "content": content, "tool_calls": sent})
            for call in made:
                result = result_of(call.function.name, call.function.arguments)
                messages.append({"role": "tool", "tool_name": call.function.name, "content": result})


AGENTS: Final[Mapping[str, Callable[..., str]]] = MappingProxyType({
    "openai_chat": _run_chat,
    "openai_responses": _run_responses,
    "claude": _run_claude,
    "gemini": _run_gemini,
    "ollama": _run_ollama,
    "vllm": _run_chat,
})  # fmt: skip
