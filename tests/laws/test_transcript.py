"""Law 11: chat messages that became a transcript become the same chat messages again, straight and through storage."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter

import interlingua as il
from support import corpus
from support.bundles import documents
from support.rooms import KINDS, RECORDED, ROWS, Kind, Row

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

pytestmark = [pytest.mark.laws]

ENOUGH: Final = settings(max_examples=1000 if corpus.whole() else 60)
READER: Final[TypeAdapter[Any]] = TypeAdapter(il.ChatMessage)


def chats(row: Row, folder: str, kind: Kind) -> Iterator[tuple[str, list[Any]]]:
    """Yield the chat messages of each body: of a request, of a response, and of each other answer that it gives."""
    for line in corpus.sample(folder, kind):
        if line["id"] in row.unreadable:
            continue
        if kind == "request":
            yield line["id"], list(il.decode_request(line["body"], row.dialect).messages)
        else:
            response = il.decode_response(line["body"], row.dialect)
            yield line["id"], list(response.messages)
            for other in response.alternatives or ():
                yield line["id"], list(other.messages)


def stored(messages: Sequence[Any]) -> Sequence[Any]:
    """Return messages that were written to bytes and read again."""
    return il.load_messages([il.dump_message_json(message) for message in messages]).messages


@pytest.mark.corpus
@pytest.mark.parametrize(("row", "folder", "kind"), RECORDED)
def test_law_11_chat_messages_round_trip_through_a_transcript(
    row: Row, folder: str, kind: Kind, record_property: Callable[[str, object], None]
) -> None:
    changed = []
    count = 0
    for name, chat in chats(row, folder, kind):
        count += len(chat)
        before = [message.model_dump_json() for message in chat]
        messages = il.from_chat(chat)
        if il.to_chat(messages) != chat or il.to_chat(stored(messages)) != chat:
            changed.append(name)
        assert [message.model_dump_json() for message in chat] == before
        assert [message.model_dump_json() for message in il.to_chat(messages)] == before
    record_property("figures", [row.dialect, folder, kind, count - len(changed), count])
    assert changed == []


@pytest.mark.corpus
@pytest.mark.parametrize(("row", "kind"), [(row, kind) for row in ROWS.values() for kind in KINDS])
def test_law_11_holds_through_a_stored_transcript_except_for_missing_call_ids(row: Row, kind: Kind) -> None:
    changed = []
    for name, chat in chats(row, row.folder, kind):
        transcript = il.Transcript(il.from_chat(chat))
        again = il.Transcript.from_document(transcript.to_document())
        assert again.messages == transcript.messages
        if [nameless(message) for message in il.to_chat(again)] != [nameless(message) for message in chat]:
            changed.append(name)
    assert changed == []


def nameless(message: Any) -> Any:
    """Return a chat message as JSON without the ids of calls and results."""
    plain = message.model_dump(mode="json")
    plain.pop("call_id", None)
    for call in plain.get("tool_calls", ()):
        call.pop("id", None)
    return plain


@pytest.mark.corpus
def test_the_corpus_contains_the_difficult_cases_of_the_law() -> None:
    # A test of the test: without these the law would be easy.
    found = dict.fromkeys(("opaque", "refusal", "is_error", "parts of a result", "signed", "runs", "cache"), 0)
    for row in ROWS.values():
        for kind in KINDS:
            for line in corpus.lines(row.folder, kind):
                if line["id"] not in row.unreadable:
                    count_hard(line["body"], row.dialect, kind, found)
    assert min(found.values()) > 0


def count_hard(body: Any, dialect: str, kind: Kind, found: dict[str, int]) -> None:
    value = il.decode_request(body, dialect) if kind == "request" else il.decode_response(body, dialect)
    before = ""
    for message in value.messages:
        text = message.model_dump_json()
        found["opaque"] += message.role == "opaque"
        found["refusal"] += '"refusal":' in text
        found["is_error"] += '"is_error":' in text
        found["cache"] += '"cache":' in text
        found["signed"] += '"signature":' in text or '"encrypted_content":' in text
        found["parts of a result"] += message.role == "tool" and isinstance(message.content, tuple)
        found["runs"] += message.role == before == "assistant"
        before = message.role


@given(st.lists(documents(3).of("ChatMessage"), max_size=4))
@ENOUGH
def test_law_11_holds_for_any_messages_of_the_schema(plain: list[Any]) -> None:
    chat = [READER.validate_python(one) for one in plain]
    messages = il.from_chat(chat)
    assert il.to_chat(messages) == chat
    assert il.to_chat(stored(messages)) == chat


IDS: Final = st.sampled_from(["a", "b", "c", "", None])
CALLS: Final = st.lists(
    st.builds(
        lambda name, call: {"name": name, "arguments": {}} | ({} if call is None else {"id": call}), IDS, IDS
    ).filter(lambda call: call["name"] is not None),
    max_size=3,
)
SPEECHES: Final = st.one_of(
    st.builds(lambda calls: {"role": "assistant", "tool_calls": calls}, CALLS),
    st.builds(lambda call: {"role": "tool", "content": "1"} | ({} if call is None else {"call_id": call}), IDS),
    st.sampled_from([{"role": "user", "content": "x"}, {"role": "system"}, {"role": "assistant", "content": "y"}]),
    st.just({"role": "opaque", "dialect": "openai_responses", "data": {}}),
)


@given(st.lists(SPEECHES, max_size=9))
@ENOUGH
def test_law_11_holds_for_any_order_of_calls_and_results(plain: list[Any]) -> None:
    chat = [READER.validate_python(one) for one in plain]
    assert il.to_chat(il.from_chat(chat)) == chat


@pytest.mark.parametrize(
    "extra",
    [
        {},
        {"interlingua": {"id": "x"}},
        {"interlingua": {}},
        {"interlingua": None},
        {"interlingua": {"own": {}}},
        {"interlingua_v2": {"fields": {"id": "x"}}},
        {"interlingua_v2": None, "interlingua": [], "acme": {}},
    ],
)
@pytest.mark.parametrize("members", [{}, {"id": "m1"}, {"id": ""}])
def test_law_11_holds_for_state_that_resembles_internal_notes(extra: Any, members: Any) -> None:
    chat = [READER.validate_python({"role": "user", "content": "x", "extra": extra, **members})]
    assert il.to_chat(il.from_chat(chat)) == chat
