"""Chats of Google's official client in front of every other provider: it keeps the history, and runs the tools."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import google.genai
import pytest
from google.genai import types

from support.scripted import calls, scripted, text
from support.serving import SERVED, serving

if TYPE_CHECKING:
    from collections.abc import Iterator

FOREIGN = [name for name in SERVED if name != "gemini"]
PROVIDER = pytest.mark.parametrize("provider", FOREIGN)


def said(chunks: Iterator[types.GenerateContentResponse]) -> str:
    """Return the text of a streamed answer; the text of a chunk with a call is asked for in its parts."""
    parts = [
        part for chunk in chunks for one in chunk.candidates or () if one.content for part in one.content.parts or ()
    ]
    return "".join(part.text or "" for part in parts)


@PROVIDER
def test_a_streaming_chat_keeps_its_history(provider: str) -> None:
    asked: list[int] = []

    def script(request: Any) -> Any:
        asked.append(len(request.messages))
        return text(f"Answer {len(asked)}.")

    with scripted(provider, script) as there, serving("gemini", provider, there.url) as url:
        client = google.genai.Client(api_key="k", http_options=types.HttpOptions(base_url=url))
        chat = client.chats.create(model="gemini-2.5-flash")
        answers = [said(chat.send_message_stream(f"Question {number}?")) for number in range(1, 4)]
    assert answers == ["Answer 1.", "Answer 2.", "Answer 3."]
    assert asked == [1, 3, 5]


@PROVIDER
def test_a_streaming_chat_runs_tools_and_asks_once_for_each_call(provider: str) -> None:
    ran: list[str] = []

    def weather(city: str) -> str:
        """Tell the weather."""
        ran.append(city)
        return f"seven degrees in {city}"

    def script(request: Any) -> Any:
        if any(one.role == "tool" for one in request.messages):
            return text("It is cold.")
        return calls(("c1", "weather", {"city": "Bern"}), ("c2", "weather", {"city": "Oslo"}))

    with scripted(provider, script) as there, serving("gemini", provider, there.url) as url:
        client = google.genai.Client(api_key="k", http_options=types.HttpOptions(base_url=url))
        chat = client.chats.create(model="gemini-2.5-flash", config=types.GenerateContentConfig(tools=[weather]))
        assert said(chat.send_message_stream("How is it?")) == "It is cold."
    assert ran == ["Bern", "Oslo"]
    assert len(there.asked) == 2
