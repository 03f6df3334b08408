"""Agents of the official SDKs over each ordered pair of client and provider: ten turns, parallel tools, a picture."""

from __future__ import annotations

import itertools
from typing import Final

import pytest

from support import corpus
from support.agents import AGENTS, LAST_WORD, TURNS, TenTurns
from support.scripted import scripted
from support.serving import serving

PAIRS: Final = [*itertools.permutations(AGENTS, 2)]


def run(client: str, provider: str, *, stream: bool) -> None:
    """Run the loop, and look at both of its ends."""
    script = TenTurns()
    with scripted(provider, script) as there, serving(client, provider, there.url) as url:
        assert AGENTS[client](url, stream=stream) == LAST_WORD
    assert script.faults == []
    assert len(there.asked) == TURNS + 1


@pytest.mark.parametrize(("client", "provider"), PAIRS)
def test_an_agent_works_with_streams(client: str, provider: str) -> None:
    run(client, provider, stream=True)


@pytest.mark.laws
@pytest.mark.parametrize(("client", "provider"), PAIRS if corpus.whole() else PAIRS[::6])
def test_an_agent_works_with_whole_answers(client: str, provider: str) -> None:
    run(client, provider, stream=False)
