"""Agents of frameworks that people build with, in front of every provider: pydantic-ai, LangChain and `llm`.

`nox -s clients` runs them, in a process of their own: they leave connections behind, of which other tests would hear.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final

import llm
import pytest
from anthropic import AsyncAnthropic
from google.genai import Client, types
from langchain_anthropic import ChatAnthropic
from langchain_core.messages import HumanMessage, SystemMessage, ToolMessage
from langchain_ollama import ChatOllama
from langchain_openai import ChatOpenAI
from llm.default_plugins.openai_models import Chat
from openai import AsyncOpenAI
from pydantic_ai import Agent, BinaryContent
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.models.google import GoogleModel
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.providers.google import GoogleProvider
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_ai.usage import UsageLimits

from support.agents import ENCODED, LAST_WORD, PICTURE, QUESTION, SYSTEM, TURNS, TenTurns, result_of
from support.scripted import scripted
from support.serving import SERVED, serving

if TYPE_CHECKING:
    from collections.abc import Callable

# The frameworks leave their connections to the collector, and warn of each other's changes.
pytestmark = [
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


def read_file(name: str, count: int) -> str:
    """Read a file."""
    return result_of("read_file", {"name": name, "count": count})


def get_weather(name: str, count: int) -> str:
    """Tell the weather."""
    return result_of("get_weather", {"name": name, "count": count})


TOOLS: Final = (read_file, get_weather)
BY_NAME: Final = {tool.__name__: tool for tool in TOOLS}


def _pydantic_model(client: str, url: str) -> Any:
    match client:
        case "claude":
            return AnthropicModel(
                "m", provider=AnthropicProvider(anthropic_client=AsyncAnthropic(base_url=url, api_key="k"))
            )
        case "gemini":
            options = types.HttpOptions(base_url=url)
            return GoogleModel("m", provider=GoogleProvider(client=Client(api_key="k", http_options=options)))
    provider = OpenAIProvider(openai_client=AsyncOpenAI(base_url=f"{url}/v1", api_key="k"))
    kind = OpenAIResponsesModel if client == "openai_responses" else OpenAIChatModel
    return kind("m", provider=provider)


def run_pydantic(client: str, url: str) -> str:
    """Run an agent of pydantic-ai, with a stream each turn."""
    agent = Agent(_pydantic_model(client, url), instructions=SYSTEM, tools=TOOLS)

    async def ask() -> str:
        question = [QUESTION, BinaryContent(data=PICTURE, media_type="image/png")]
        async with agent.run_stream(question, usage_limits=UsageLimits(request_limit=None)) as answer:
            return str(await answer.get_output())

    return asyncio.run(ask())


def _lang_model(client: str, url: str) -> Any:
    match client:
        case "claude":
            return ChatAnthropic(model="m", base_url=url, api_key="k", max_retries=0)
        case "ollama":
            return ChatOllama(model="m", base_url=url)
        case _:
            kind = {"use_responses_api": client == "openai_responses"}
            return ChatOpenAI(model="m", base_url=f"{url}/v1", api_key="k", max_retries=0, **kind)


def run_lang(client: str, url: str) -> str:
    """Run a loop of LangChain, with a stream each turn."""
    model = _lang_model(client, url).bind_tools([*TOOLS])
    picture = {"type": "image", "base64": ENCODED, "mime_type": "image/png"}
    messages: list[Any] = [SystemMessage(SYSTEM), HumanMessage([{"type": "text", "text": QUESTION}, picture])]
    while True:
        whole: Any = None
        for chunk in model.stream(messages):
            whole = chunk if whole is None else whole + chunk
        if not whole.tool_calls:
            return str(whole.text)
        messages.append(whole)
        for call in whole.tool_calls:
            said = BY_NAME[call["name"]](**call["args"])
            messages.append(ToolMessage(said, tool_call_id=call["id"], name=call["name"]))


def run_llm(_client: str, url: str) -> str:
    """Run a chain of `llm`, with a stream each turn."""
    model = Chat("m", model_name="m", api_base=f"{url}/v1", supports_tools=True, vision=True, can_stream=True)
    picture = llm.Attachment(type="image/png", content=PICTURE)
    chain = model.conversation().chain(
        QUESTION, system=SYSTEM, attachments=[picture], tools=[*TOOLS], key="k", chain_limit=TURNS + 2
    )
    return "".join(chain)


FRAMEWORKS: Final[list[tuple[str, str, Callable[[str, str], str]]]] = [
    ("pydantic-ai", "openai_chat", run_pydantic),
    ("pydantic-ai", "openai_responses", run_pydantic),
    ("pydantic-ai", "claude", run_pydantic),
    ("pydantic-ai", "gemini", run_pydantic),
    ("LangChain", "openai_chat", run_lang),
    ("LangChain", "openai_responses", run_lang),
    ("LangChain", "claude", run_lang),
    ("LangChain", "ollama", run_lang),
    ("llm", "openai_chat", run_llm),
]
CASES: Final = [
    pytest.param(client, provider, run, id=f"{name}-{client}-{provider}")
    for name, client, run in FRAMEWORKS
    for provider in SERVED
    if client != provider
]


@pytest.mark.parametrize(("client", "provider", "run"), CASES)
def test_a_framework_agent_works(client: str, provider: str, run: Callable[[str, str], str]) -> None:
    script = TenTurns()
    with scripted(provider, script) as there, serving(client, provider, there.url) as url:
        assert run(client, url) == LAST_WORD
    assert script.faults == []
    assert len(there.asked) == TURNS + 1
