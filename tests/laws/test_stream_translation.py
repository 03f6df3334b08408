"""Laws 3, 4 and 6 for streams: a translated stream says what the translated whole answer says, or reports the loss."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import pytest

import interlingua as il
from interlingua.error_translation import is_error_body
from interlingua.events import accumulate
from interlingua.registry import room
from interlingua.streaming import gather
from support import corpus
from support.canonical import difference, resolves, tokens, written
from support.rooms import PAIRS, ROWS, decode
from support.signed_alike import forms, is_signed_alike
from support.streams import CONTRADICTORY, assembled, frames, read, write

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = [pytest.mark.corpus, pytest.mark.laws]

# A shorter text can stand in a frame by chance.
TELLING: Final = 24
_NO_STATE: Final = frozenset({"spelling", "frame", "fields", "moment"})
_SILENT: Final = {"role": "assistant", "content": ""}


def recorded(dialect: str) -> Iterator[tuple[str, list[Any]]]:
    """Yield id and frames of the streams of a dialect and of the vendors that speak it."""
    row = ROWS[dialect]
    for folder in (row.folder, *row.compatible):
        for line in corpus.sample(folder, "stream", 12):
            if line["id"] not in row.unstreamable:
                yield line["id"], frames(line)


@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_a_translated_stream_equals_the_translated_answer(source: str, target: str) -> None:
    found = {}
    for identifier, came in recorded(source):
        if identifier in CONTRADICTORY:
            continue
        events = read(source, came)
        stream = il.translate_stream(came, source, target)
        translated = list(stream)
        body = _body(source, came)
        if is_error_body(body, source):  # a whole answer that failed is no answer of another dialect
            if all(event["type"] != "error" for event in read(target, translated)):
                found[identifier] = "the failure is not said"
            continue
        whole = il.translate_response(body, source, target).body
        if any(loss.code == "message" and loss.severity == "changed" for loss in stream.losses):
            continue  # what came before a second start is not taken back, as it says
        if any(loss.code == "arguments" and loss.severity == "changed" for loss in stream.losses):
            continue  # arguments that are no object are seen only when they have been sent, and are reported
        if _resumed(events, source):
            continue  # a text that goes on after a call was sent cannot be put before it any more
        wanted = il.normal_form(decode(target, "response", whole))
        given = il.normal_form(gather(read(target, translated), refused=False))
        where = difference(_speaking(wanted["messages"]), _speaking(given["messages"]))
        if where:
            found[identifier] = where
        elif not _counted(wanted, given, events) and _finished(events):
            found[identifier] = "another usage"
        elif wanted.get("finish_reason") != given.get("finish_reason") and _finished(events):
            found[identifier] = "another finish reason"
    assert found == {}


def _counted(wanted: Any, given: Any, events: list[Any]) -> bool:
    """Tell whether a stream says the counts of the whole answer, and beside them only what an early frame told."""
    counts = given.get("usage", {})
    told = {
        (name, count)
        for event in events
        for name, count in event.get("usage", {}).items()
        if name not in wanted.get("usage", {}) and name != "extra"
    }
    early = {(name, count) for name, count in counts.items() if name not in wanted.get("usage", {})}
    return early <= told and all(counts.get(name) == count for name, count in wanted.get("usage", {}).items())


def _speaking(messages: list[Any]) -> list[Any]:
    """Return the messages that say something: a dialect may demand one where a stream that was cut has none.

    Thoughts of no words, whose signature is all that they are, may be an empty text or none at all; so may a text of no
    words beside calls.
    """
    told = [
        {name: value for name, value in one.items() if name not in {"reasoning", "content"} or value != ""}
        for one in messages
    ]
    return [message for message in told if message.keys() != {"role"} and message != _SILENT]


def _resumed(events: list[Any], dialect: str) -> bool:
    """Tell whether a text goes on after a call has begun; an answer of Chat Completions has but one text."""
    opened: set[Any] = set()
    one_text = dialect in {"openai_chat", "vllm"}
    called = False
    for event in events:
        if event["type"] == "content" and event["text"] and called and (one_text or event["block"] in opened):
            return True
        called = called or event["type"] == "tool_call_start"
        if "block" in event:
            opened.add(event["block"])
    return False


def _body(dialect: str, came: list[Any]) -> Any:
    return room(dialect).assemble_stream(came)


def _finished(events: list[Any]) -> bool:
    return events[-1]["complete"] and not any(event["type"] == "error" for event in events)


@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_stream_losses_have_the_path_of_their_event_and_no_content(source: str, target: str) -> None:
    found = {}
    for identifier, came in recorded(source):
        events = read(source, came)
        _, losses = write(target, events)
        for loss in losses:
            path = tokens(loss.path)
            there = resolves(events, path[:-1] if loss.severity == "filled" else path)
            if loss.severity != "filled" and not there:
                found[identifier] = loss.path
            assert len(loss.detail) < 200  # a sentence, and 130 characters of names of members
    assert found == {}


def state(events: list[Any], dialect: str) -> Iterator[tuple[int, str, str]]:
    """Yield the number of an event, and member and text of each long one of what only one dialect understands."""
    for at, event in enumerate(events):
        bag = event.get("extra", {}).get(dialect, {})
        for name, value in bag.items():
            if name not in _NO_STATE and isinstance(value, str) and len(value) > TELLING:
                yield at, name, value


@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_provider_state_never_reaches_another_dialect(source: str, target: str) -> None:
    for identifier, came in recorded(source):
        events = read(source, came)
        made, losses = write(target, events)
        text = written(made)
        for at, name, secret in state(events, source):
            if is_signed_alike(source, target, name):
                assert any(written(form)[1:-1] in text for form in forms(secret)), identifier
                continue
            assert written(secret)[1:-1] not in text, identifier
            assert any(loss.path.startswith(f"/{at}/extra/") for loss in losses), identifier


@pytest.mark.parametrize("dialect", ROWS)
def test_events_accumulated_generically_equal_the_collected_answer(dialect: str) -> None:
    found = {}
    for identifier, came in recorded(dialect):
        events = read(dialect, came)
        if identifier in CONTRADICTORY or _resumed(events, dialect):
            continue
        plain = il.normal_form(accumulate(events))["messages"]
        messages = assembled(dialect, came)["messages"]
        whole = il.normal_form([message for message in messages if message["role"] != "opaque"])
        if where := difference(_speaking(whole), _speaking(plain)):
            found[identifier] = where
    assert found == {}
