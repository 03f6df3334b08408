"""Laws 2, 9 and 11 with a store: what a transcript holds is loaded as it was, on every branch, and told the same."""

from __future__ import annotations

from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import interlingua as il
from interlingua.model import UnknownMessage
from interlingua.sessions import SessionStore
from support import corpus
from support.bundles import documents

DOCUMENTS: Final = documents(3).of("AnyMessage")
STEPS: Final = st.lists(
    st.one_of(
        st.tuples(st.sampled_from(["append", "append to", "replace"]), DOCUMENTS, st.integers(0, 9)),
        st.tuples(st.sampled_from(["fork", "switch", "save", "load"]), st.none(), st.integers(0, 9)),
    ),
    max_size=9,
)
ENOUGH: Final = settings(max_examples=1500 if corpus.whole() else 30)


def nameless(document: dict[str, Any]) -> Any:
    """Return a message without an id: two of a transcript may not have the same one."""
    (message,) = il.load_message(document)
    return message if isinstance(message, UnknownMessage) else message.model_copy(update={"id": None})


def named(transcript: il.Transcript, number: int) -> str | None:
    """Return the id of a message of the active branch that may be replaced."""
    found = [message.id for message in transcript if not isinstance(message, UnknownMessage)]
    return found[number % len(found)] if found else None


def take(transcript: il.Transcript, step: str, document: Any, number: int) -> None:
    """Change a transcript."""
    identifier = named(transcript, number)
    branch = transcript.branches[number % len(transcript.branches)]
    match step:
        case "append":
            transcript.append(nameless(document))
        case "append to":
            transcript.append(nameless(document), branch=branch)
        case "replace" if identifier is not None and not isinstance(nameless(document), UnknownMessage):
            transcript.replace(identifier, nameless(document))
        case "fork":
            transcript.fork(f"branch {len(transcript.branches)}", after=identifier if number % 2 else None)
        case "switch":
            transcript.switch(branch)
        case _:
            pass


def told(transcript: il.Transcript) -> list[list[str]]:
    """Return what every branch tells a model: chat messages as JSON, or that a reference has not been resolved yet."""
    return [told_by(transcript.messages_of(branch)) for branch in transcript.branches]


def told_by(messages: Any) -> list[str]:
    try:
        return [message.model_dump_json() for message in il.to_chat(messages)]
    except il.UnresolvedMessageError as error:
        return [str(error)]


@given(STEPS)
@ENOUGH
def test_laws_2_9_and_11_hold_after_any_operations_on_a_transcript(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, Any, int]]
) -> None:
    with SessionStore(tmp_path_factory.getbasetemp() / "laws.db") as store:
        transcript = il.Transcript()
        store.save(transcript)
        for step, document, number in steps:
            take(transcript, step, document, number)
            if step in {"save", "load"}:
                store.save(transcript)
            if step == "load":
                transcript = store.load(transcript.id).transcript
        store.save(transcript)
        loaded = store.load(transcript.id)
        assert (loaded.skipped, loaded.transcript.is_dirty, store.check()) == ((), False, [])
        again = loaded.transcript
        assert again.to_document() == transcript.to_document()
        for branch in transcript.branches:
            assert again.messages_of(branch) == transcript.messages_of(branch)
        assert told(again) == told(transcript)
        store.delete(transcript.id)
