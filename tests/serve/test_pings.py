"""Pings while a provider says nothing, in the form of each dialect, and each form as its official SDK reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import pytest

from interlingua.serve import Limits
from support.clients import CLIENTS
from support.scripted import STREAMED, calls, frames_of, text
from support.serving import SERVED, At, stage
from support.web import answering, web
from support.wire import Held, ask

if TYPE_CHECKING:
    from collections.abc import Iterator

    from support.serving import Stage

SOON: Final = Limits(ping=0.05)
PROVIDERS: Final = {one: "openai_chat" if one != "openai_chat" else "claude" for one in SERVED}
SAID: Final = text("Seven degrees, and rain.")
CALLED: Final = calls(("call_1", "look", {"place": "Oslo", "days": [1, 2, 3]}))
# What stands in the bytes of a ping before the first frame, and in the middle of an answer.
COMMENT: Final = b": ping\n\n"
FIRST: Final = {
    "claude": b"event: ping\n",
    "gemini": b'"parts":[{"text":""}]',
    "ollama": b'"content":""},"done":false}',
}
LATER: Final = {**FIRST, "openai_chat": b'"delta":{},"finish_reason":null', "vllm": b'"delta":{},"finish_reason":null'}
FORMS: Final = {"ollama": "ndjson"}


@pytest.fixture(name="here", scope="module")
def _here() -> Iterator[Stage]:
    with stage(SOON) as one:
        yield one


def heard(here: Stage, client: str, response: Any, split: int | None, ping: bytes) -> bytes:
    """Return the bytes of a stream whose provider says nothing until a ping has come.

    `split` is after how many frames it does so, None: even before its head.
    """
    provider = PROVIDERS[client]
    frames = frames_of(response, provider)
    held = Held(provider, None, frames) if split is None else Held(provider, frames[:split], frames[split:])
    here.provider = held.respond
    with ask(here.at(client, provider), client, stream=True) as answer:
        assert answer.status == 200
        data = b""
        while ping not in data:
            data += answer.read1()
        held.go_on.set()
        return data + answer.read()


def read_by_sdk(client: str, data: bytes) -> Any:
    """Return what the official client makes of the bytes of a stream."""
    kind = STREAMED[FORMS.get(client, "sse")]
    with web(answering(data, headers={"Content-Type": kind})) as server:
        return CLIENTS[client](At(server.url), stream=True)


@pytest.mark.parametrize("client", CLIENTS)
def test_pings_are_sent_before_the_first_frame(client: str, here: Stage) -> None:
    data = heard(here, client, SAID, None, FIRST.get(client, COMMENT))
    assert "Seven degrees, and rain." in str(read_by_sdk(client, data))


@pytest.mark.parametrize("client", CLIENTS)
def test_pings_are_sent_during_an_answer(client: str, here: Stage) -> None:
    data = heard(here, client, SAID, 4, LATER.get(client, COMMENT))
    assert "Seven degrees, and rain." in str(read_by_sdk(client, data))


@pytest.mark.parametrize("client", CLIENTS)
def test_pings_are_sent_while_arguments_are_held_back(client: str, here: Stage) -> None:
    data = heard(here, client, CALLED, 5, LATER.get(client, COMMENT))
    told = str(read_by_sdk(client, data))
    assert "look" in told
    assert "Oslo" in told
    assert "[1, 2, 3]" in told or "[1,2,3]" in told


def test_after_a_ping_an_error_is_sent_inside_the_stream(here: Stage) -> None:
    held = Held("openai_chat", None, [{"error": {"message": "Later.", "type": "server_error", "code": None}}])
    here.provider = held.respond
    with ask(here.at("claude", "openai_chat"), "claude", stream=True) as answer:
        data = b""
        while b"event: ping" not in data:
            data += answer.read1()
        held.go_on.set()
        data += answer.read()
    assert b"event: error" in data
    assert b"message_stop" not in data
