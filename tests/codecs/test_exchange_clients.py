"""The official clients, before a gateway that runs exchanges: each sees what its own provider would have sent."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

import anthropic
import google.genai
import ollama
import openai
import pytest
from google.genai import types

import interlingua as il
from support.gateway import Gateway, gateway

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

DIALECTS: Final = ("openai_chat", "openai_responses", "claude", "gemini", "ollama", "vllm")
NAME: Final = "look.up/it"  # what some client's program calls its tool; most providers refuse it
SCHEMA: Final[dict[str, Any]] = {"type": "object", "properties": {"at": {"type": "string"}}, "required": ["at"]}
MODEL: Final = "the-clients-model"
ASKED: Final[Any] = [{"role": "user", "content": "Well?"}]

# A client -> name and arguments of the calls that it sees, the text, and the name of the model.
Seen = tuple[list[tuple[str, Any]], str, str | None]


@pytest.fixture(name="here", scope="module")
def _here() -> Iterator[Gateway]:
    with gateway() as one:
        yield one


def _openai(here: Gateway) -> openai.OpenAI:
    return openai.OpenAI(base_url=f"{here.url}/v1", api_key="none", max_retries=0)


def chat(here: Gateway, *, stream: bool) -> Seen:
    tools: Any = [{"type": "function", "function": {"name": NAME, "parameters": SCHEMA}}]
    with _openai(here) as client:
        if stream:
            with client.chat.completions.stream(model=MODEL, messages=ASKED, tools=tools) as answer:
                answer.until_done()
                whole = answer.current_completion_snapshot
        else:
            whole = client.chat.completions.create(model=MODEL, messages=ASKED, tools=tools)  # type: ignore[assignment]  # parsed or not
    message = whole.choices[0].message
    calls: Any = message.tool_calls or ()
    seen = [(call.function.name, json.loads(call.function.arguments)) for call in calls]
    return seen, message.content or "", whole.model


def responses(here: Gateway, *, stream: bool) -> Seen:
    tools: Any = [{"type": "function", "name": NAME, "parameters": SCHEMA, "strict": False}]
    with _openai(here) as client:
        if stream:
            with client.responses.stream(model=MODEL, input=ASKED, tools=tools) as answer:
                whole: Any = answer.until_done().get_final_response()
        else:
            whole = client.responses.create(model=MODEL, input=ASKED, tools=tools)
    seen = [(item.name, json.loads(item.arguments)) for item in whole.output if item.type == "function_call"]
    return seen, whole.output_text, whole.model


def claude(here: Gateway, *, stream: bool) -> Seen:
    tools: Any = [{"name": NAME, "input_schema": SCHEMA}]
    with anthropic.Anthropic(base_url=here.url, api_key="none", max_retries=0) as client:
        if stream:
            with client.messages.stream(model=MODEL, max_tokens=9, messages=ASKED, tools=tools) as answer:
                whole: Any = answer.get_final_message()
        else:
            whole = client.messages.create(model=MODEL, max_tokens=9, messages=ASKED, tools=tools)
    seen = [(block.name, block.input) for block in whole.content if block.type == "tool_use"]
    return seen, "".join(block.text for block in whole.content if block.type == "text"), whole.model


def gemini(here: Gateway, *, stream: bool) -> Seen:
    client = google.genai.Client(api_key="none", http_options=types.HttpOptions(base_url=here.url))
    declared = types.FunctionDeclaration(name=NAME, parameters_json_schema=SCHEMA)
    config = types.GenerateContentConfig(tools=[types.Tool(function_declarations=[declared])])
    if stream:
        chunks = list(client.models.generate_content_stream(model=MODEL, contents="Well?", config=config))
    else:
        chunks = [client.models.generate_content(model=MODEL, contents="Well?", config=config)]
    parts: list[Any] = [part for one in chunks for candidate in one.candidates or () for part in _parts(candidate)]
    seen = [(part.function_call.name, part.function_call.args) for part in parts if part.function_call]
    return seen, "".join(part.text or "" for part in parts), None


def _parts(candidate: types.Candidate) -> list[types.Part]:
    return (candidate.content.parts if candidate.content is not None else None) or []


def ollama_chat(here: Gateway, *, stream: bool) -> Seen:
    client = ollama.Client(host=here.url)
    tools: Any = [{"type": "function", "function": {"name": NAME, "parameters": SCHEMA}}]
    if stream:
        lines: Any = list(client.chat(MODEL, ASKED, tools=tools, stream=True))
    else:
        lines = [client.chat(MODEL, ASKED, tools=tools)]
    calls = [call.function for line in lines for call in line.message.tool_calls or ()]
    seen = [(call.name, call.arguments) for call in calls]
    return seen, "".join(line.message.content or "" for line in lines), lines[-1].model


CLIENTS: Final[dict[str, Callable[..., Seen]]] = {
    "openai_chat": chat,
    "openai_responses": responses,
    "claude": claude,
    "gemini": gemini,
    "ollama": ollama_chat,
    "vllm": chat,
}
PAIRS: Final = [
    pytest.param(client, provider, id=f"{client}-to-{provider}")
    for client in DIALECTS
    for provider in DIALECTS
    if client != provider
]


def wire_name(client: str, provider: str) -> str:
    """Return how the provider is told the name of the tool."""
    tools = [{"type": "function", "name": NAME}]
    renamed = il.encode_request({"messages": ASKED, "tools": tools, "dialect": client}, provider).renamed
    return next(iter(renamed), NAME)


def events(name: str) -> list[dict[str, Any]]:
    return [
        {"type": "start", "id": "resp_1", "model": "the-providers-model"},
        {"type": "content", "block": 0, "text": "I "},
        {"type": "content", "block": 0, "text": "look."},
        {"type": "block_end", "block": 0},
        {"type": "tool_call_start", "block": 1, "id": "call_1", "name": name},
        {"type": "tool_call_delta", "block": 1, "arguments": '{"at": '},
        {"type": "tool_call_delta", "block": 1, "arguments": '"home"}'},
        {"type": "block_end", "block": 1},
        {"type": "finish", "reason": "tool_calls"},
        {"type": "usage", "usage": {"input_tokens": 11, "output_tokens": 7}},
        {"type": "end", "complete": True},
    ]


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "stream"])
@pytest.mark.parametrize(("client", "provider"), PAIRS)
def test_a_client_library_gets_its_own_tool_and_model_names(
    client: str, provider: str, stream: bool, here: Gateway
) -> None:
    here.between(client, provider, "the-providers-model")
    said = events(wire_name(client, provider))
    frames = list(il.encode_stream(said, provider))
    if stream:
        here.stream(frames)
    else:
        here.answer(il.encode_response(il.collect(il.decode_stream(frames, provider)), provider).body)
    calls, text, model = CLIENTS[client](here, stream=stream)
    assert (calls, text) == ([(NAME, {"at": "home"})], "I look.")
    assert model == (None if client == "gemini" else MODEL)
    [asked] = here.asked
    assert [one for one in il.check_request(asked, provider) if one.code == "name"] == []


@pytest.mark.parametrize("provider", ["claude", "gemini", "openai_responses", "ollama"])
@pytest.mark.parametrize("asks", [False, True], ids=["silent", "told"])
def test_a_chat_client_library_gets_usage_only_if_requested(provider: str, asks: bool, here: Gateway) -> None:
    here.between("openai_chat", provider)
    here.stream(list(il.encode_stream(events("look"), provider)))
    options: Any = {"stream_options": {"include_usage": True}} if asks else {}
    with _openai(here) as client:
        chunks = list(client.chat.completions.create(model=MODEL, messages=ASKED, stream=True, **options))
    usage = [chunk.usage for chunk in chunks if chunk.usage is not None]
    assert [(one.prompt_tokens, one.completion_tokens) for one in usage] == ([(11, 7)] if asks else [])
    assert [chunk.choices == [] for chunk in chunks] == [False] * (len(chunks) - asks) + [True] * asks


def test_a_claude_client_raises_its_own_exception(here: Gateway) -> None:
    here.between("claude", "openai_chat")
    here.fail(429, {"error": {"message": "Slow down.", "type": "tokens", "param": None, "code": "rate_limit_exceeded"}})
    with (
        anthropic.Anthropic(base_url=here.url, api_key="none", max_retries=0) as client,
        pytest.raises(anthropic.RateLimitError, match="Slow down"),
    ):
        client.messages.create(model=MODEL, max_tokens=9, messages=ASKED)


@pytest.mark.parametrize("client", ["openai_chat", "openai_responses"])
def test_an_openai_client_raises_its_own_exception(client: str, here: Gateway) -> None:
    here.between(client, "claude")
    body = {"type": "error", "error": {"type": "rate_limit_error", "message": "Slow down."}}
    here.fail(429, body, {"retry-after": "2"})
    with pytest.raises(openai.RateLimitError, match="Slow down") as caught:
        CLIENTS[client](here, stream=False)
    assert caught.value.response.headers["retry-after"] == "2"


def test_a_client_raises_the_error_that_ends_a_stream(here: Gateway) -> None:
    error = {"type": "error", "error": {"type": "overloaded_error", "message": "Too many."}}
    here.between("openai_chat", "claude")
    here.stream([*il.encode_stream(events("look")[:3], "claude"), error])
    with pytest.raises(openai.APIError, match="Too many"):
        chat(here, stream=True)


# --- tools of free text -----------------------------------------------------------------------------------------------

INPUT: Final = '*** Begin Patch\n+ a "line"\n\u00e9\U0001f600'
PIECES: Final = [json.dumps({"input": INPUT})[at : at + 5] for at in range(0, 90, 5)]


def patching() -> list[dict[str, Any]]:
    """Return the events of a provider that calls the function which stands for the tool of free text."""
    start, *_, finish, usage, end = events("apply_patch")
    call = {"type": "tool_call_start", "block": 0, "id": "call_1", "name": "apply_patch"}
    pieces = ({"type": "tool_call_delta", "block": 0, "arguments": piece} for piece in PIECES if piece)
    return [start, call, *pieces, {"type": "block_end", "block": 0}, finish, usage, end]


def say(here: Gateway, provider: str, *, stream: bool) -> None:
    """Let the provider call the tool in its next answer."""
    frames = list(il.encode_stream(patching(), provider))
    if stream:
        here.stream(frames)
    else:
        here.answer(il.encode_response(il.collect(il.decode_stream(frames, provider)), provider).body)


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "stream"])
@pytest.mark.parametrize("provider", ["claude", "gemini", "ollama", "vllm"])
def test_a_responses_client_gets_its_custom_tool_call(provider: str, stream: bool, here: Gateway) -> None:
    here.between("openai_responses", provider)
    say(here, provider, stream=stream)
    tools: Any = [{"type": "custom", "name": "apply_patch", "description": "Edits files."}]
    told = ""
    with _openai(here) as client:
        if stream:
            with client.responses.stream(model=MODEL, input=ASKED, tools=tools) as answer:
                for event in answer:
                    told += event.delta if event.type == "response.custom_tool_call_input.delta" else ""
                whole: Any = answer.get_final_response()
        else:
            whole = client.responses.create(model=MODEL, input=ASKED, tools=tools)
    [item] = whole.output
    assert (item.type, item.name, item.input) == ("custom_tool_call", "apply_patch", INPUT)
    assert told in ("", INPUT)
    assert bool(told) is stream


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "stream"])
@pytest.mark.parametrize("provider", ["claude", "gemini", "ollama", "vllm"])
def test_a_chat_client_gets_its_custom_tool_call(provider: str, stream: bool, here: Gateway) -> None:
    here.between("openai_chat", provider)
    say(here, provider, stream=stream)
    tools: Any = [{"type": "custom", "custom": {"name": "apply_patch"}}]
    with _openai(here) as client:
        if stream:
            chunks = list(client.chat.completions.create(model=MODEL, messages=ASKED, tools=tools, stream=True))
            deltas = [call.to_dict() for chunk in chunks for call in chunk.choices[0].delta.tool_calls or ()]
            told = "".join(delta.get("custom", {}).get("input", "") for delta in deltas)  # type: ignore[attr-defined]  # the client keeps it as it came
            kind, name = deltas[0]["type"], deltas[0]["custom"]["name"]  # type: ignore[index]  # as above
        else:
            whole: Any = client.chat.completions.create(model=MODEL, messages=ASKED, tools=tools)
            [call] = whole.choices[0].message.tool_calls
            kind, name, told = call.type, call.custom.name, call.custom.input
    assert (kind, name, told) == ("custom", "apply_patch", INPUT)


@pytest.mark.parametrize("provider", ["claude", "gemini", "openai_chat", "ollama", "vllm"])
def test_a_responses_client_gets_its_namespaced_tool_call(provider: str, here: Gateway) -> None:
    here.between("openai_responses", provider)
    made = events("agents__close")
    here.stream(list(il.encode_stream(made, provider)))
    close: Any = {"type": "function", "name": "close", "parameters": SCHEMA, "strict": False}
    tools: Any = [{"type": "namespace", "name": "agents", "description": "Others.", "tools": [close]}]
    with _openai(here) as client, client.responses.stream(model=MODEL, input=ASKED, tools=tools) as answer:
        whole: Any = answer.until_done().get_final_response()
    [call] = [item for item in whole.output if item.type == "function_call"]
    assert (call.name, call.namespace, json.loads(call.arguments)) == ("close", "agents", {"at": "home"})
