"""Law 5 by the official clients: they read what we write, from a server, with their own accumulators."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import interlingua as il
from interlingua.streaming import gather
from support import corpus
from support.canonical import difference
from support.clients import CLIENTS
from support.provider import provider
from support.rooms import ROWS, decode, encode
from support.streams import frames, read, write

if TYPE_CHECKING:
    from collections.abc import Iterator

    from support.provider import Provider

pytestmark = [pytest.mark.corpus, pytest.mark.laws]

EVERY = [pytest.param(source, target, id=f"{source}-to-{target}") for source in ROWS for target in CLIENTS]


@pytest.fixture(name="here", scope="module")
def _here() -> Iterator[Provider]:
    with provider() as one:
        yield one


def says(answer: Any) -> Any:
    """Return what an answer says in normal form: its texts and calls, by message."""
    told = [
        {
            "content": _told(message.get("content", "")),
            "reasoning": _told(message.get("reasoning", "")),
            "tool_calls": [(call["name"], call["arguments"]) for call in message.get("tool_calls", ())],
        }
        for message in il.normal_form(answer)["messages"]
        if message["role"] == "assistant"
    ]
    return [message for message in told if any(message.values())]  # some clients make one of nothing


def _told(content: Any) -> str:
    return content if isinstance(content, str) else "".join(part.get("text", "") for part in content)


@pytest.mark.parametrize(("source", "target"), EVERY)
def test_the_official_client_reads_the_content_of_a_stream(source: str, target: str, here: Provider) -> None:
    found = {}
    for line in corpus.sample(ROWS[source].folder, "stream", 4):
        events = read(source, frames(line))
        if not events[-1]["complete"] or line["id"] in ROWS[source].unstreamable or _broken(events):
            continue
        made, _ = write(target, events)
        where = _read_otherwise(here, target, made)
        # What the provider itself said in the same words is its client's own matter.
        if where and not (source == target and made == [*frames(line)]):
            found[line["id"]] = where
    assert found == {}


def _read_otherwise(here: Provider, target: str, made: list[Any]) -> str | None:
    """Return where the client's accumulator makes something else of frames than ours, or the error that it raises."""
    here.stream(target, made)
    wanted = says(gather(read(target, made)))
    try:
        found = says(decode(target, "response", CLIENTS[target](here, stream=True)))
    except Exception as error:  # noqa: BLE001  # clients document no error for a stream that they do not understand
        return type(error).__name__
    return difference(_without_cut_arguments(wanted, wanted), _without_cut_arguments(found, wanted))


def _without_cut_arguments(said: Any, wanted: Any) -> Any:
    """Return what was said without arguments that were cut: some clients make an object of the pieces."""
    cut = {at for at, message in enumerate(wanted) if any(map(_is_cut, message["tool_calls"]))}
    names = [[name for name, _ in message["tool_calls"]] for message in said]
    return [{**one, "tool_calls": names[at]} if at in cut else one for at, one in enumerate(said)]


def _is_cut(call: tuple[str, Any]) -> bool:
    return isinstance(call[1], str) and call[1].lstrip().startswith("{")


def _broken(events: list[Any]) -> bool:
    starts = sum(event["type"] == "start" for event in events)
    return starts > 1 or any(event["type"] == "error" for event in events)


def _read_by_client(here: Provider, dialect: str, body: Any) -> bool:
    here.answer(body)
    try:
        CLIENTS[dialect](here, stream=False)
    except Exception:  # noqa: BLE001  # clients document no error for an answer that they do not understand
        return False
    return True


@pytest.mark.parametrize(("source", "target"), EVERY)
def test_the_official_client_reads_the_content_of_an_answer(source: str, target: str, here: Provider) -> None:
    found = {}
    for line in corpus.sample(ROWS[source].folder, "response", 4):
        if line["id"] in ROWS[source].unreadable:
            continue
        if source == target and not _read_by_client(here, target, line["body"]):
            continue  # what the provider said is what its own client refuses
        body, _ = encode(target, "response", decode(source, "response", line["body"]))
        here.answer(body)
        answer = CLIENTS[target](here, stream=False)
        if where := difference(says(decode(target, "response", body)), says(decode(target, "response", answer))):
            found[line["id"]] = where
    assert found == {}
