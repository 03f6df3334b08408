"""Pictures and other long base64 texts are stored once, beside the documents, and come back as they were."""

from __future__ import annotations

import base64
import json
import random
from pathlib import Path
from typing import Any, Final

import pytest

import interlingua as il
from interlingua.model import UnknownMessage
from interlingua.sessions import SessionStore
from interlingua.sessions.media import MIN_LENGTH, extract_media, media_text, restore_media
from interlingua_types import CURRENT
from support.sessions import contents, id_of, size_on_disk, sql, text

RANDOM: Final = random.Random(5)
PICTURE: Final = base64.b64encode(RANDOM.randbytes(3000)).decode()
MEGABYTE: Final = base64.b64encode(RANDOM.randbytes(1_000_000)).decode()


@pytest.fixture
def store(tmp_path: Path) -> Any:
    with SessionStore(tmp_path / "sessions.db") as opened:
        yield opened


def load(kind: str, data: Any, **members: Any) -> Any:
    (message,) = il.load_message({"schema_version": CURRENT, "type": kind, "data": data, **members})
    return message


def picture(data: str) -> Any:
    return load("image", {"source": {"kind": "base64", "data": data, "format": "image/png"}, "mode": "auto"})


def blobs(store: SessionStore) -> int:
    ((count,),) = sql(store.path, "SELECT count(*) FROM blobs")
    return int(count)


def test_per_7_a_megabyte_image_referred_to_a_hundred_times_takes_one_megabyte(
    store: SessionStore,
) -> None:
    session = store.create()
    for _ in range(10):
        store.append(session, [picture(MEGABYTE) for _ in range(10)])
    path = store.path
    store.close()
    assert 1_000_000 < size_on_disk(path) < 1_200_000
    with SessionStore(path) as again:
        transcript = again.load(session).transcript
    assert len(transcript) == 100
    assert all(message.data.source.data == MEGABYTE for message in transcript)  # type: ignore[union-attr]
    # It is in memory once as well.
    assert len({id(message.data.source.data) for message in transcript}) == 1  # type: ignore[union-attr]


def test_per_7_opening_listing_and_unrelated_reads_read_no_media(store: SessionStore) -> None:
    session = store.create()
    store.append(session, [picture(MEGABYTE), text("after"), text("last")])
    other = store.create()
    store.append(other, text("elsewhere"))
    path = store.path
    store.close()
    # Where the bytes are, there is nothing but noise: whoever reads them is told.
    content = path.read_bytes()
    noise = content.replace(base64.b64decode(MEGABYTE)[5000:5100], b"\xff" * 100)
    assert noise != content
    path.write_bytes(noise)
    with SessionStore(path) as again:
        assert [info.branches for info in again.sessions()] == [{"main": 1}, {"main": 3}]
        assert contents(again.load(other).transcript) == ["elsewhere"]
        assert contents(again.load_tail(session, 2).messages) == ["after", "last"]
        assert len(again.load(session, recover=True).skipped) == 1


PLACES: Final[dict[str, Any]] = {
    "a source": picture(PICTURE),
    "a part": load("text", {"role": "user", "content": [{"type": "image", "data": PICTURE}]}),
    "a file in a file": load(
        "text", {"role": "user", "content": [{"type": "file", "content": [{"type": "audio", "data": PICTURE}]}]}
    ),
    "a data URL": load(
        "text", {"role": "user", "content": [{"type": "image", "url": f"data:image/png;base64,{PICTURE}"}]}
    ),
    "a resource": load(
        "mcp_resource",
        {
            "server_name": "s",
            "resource_uri": "u",
            "content": PICTURE,
            "encoding": "base64",
            "retrieved_at": "2026-01-01T00:00:00Z",
        },
    ),
    "parts of a result": load("tool_result", {"output": [{"type": "image", "data": PICTURE}], "output_form": "parts"}),
    "output of a tool": load("tool_result", {"output": {"a/b~c": [{"ü\ud83d": PICTURE}]}}),
    "a provider's block": load("opaque", {"dialect": "gemini", "data": {"inlineData": {"data": PICTURE}}}),
    "metadata": text("x", metadata={"thumbnail": PICTURE, "": PICTURE}),
    "a newer message": UnknownMessage.model_validate({"schema_version": 7, "type": "image", "picture": [PICTURE]}),
}


@pytest.mark.parametrize("place", PLACES)
def test_per_7_equal_bytes_are_stored_once(store: SessionStore, place: str) -> None:
    message = PLACES[place]
    session = store.create()
    store.append(session, [picture(PICTURE), *store.append(store.create(), message).messages])
    assert blobs(store) == 1
    loaded = store.load(session).transcript[1]
    ((document, count),) = sql(store.path, "SELECT document, media FROM messages WHERE number = 3")
    assert count >= 1
    assert PICTURE[:MIN_LENGTH] not in document
    if isinstance(message, UnknownMessage):
        assert loaded == message
    else:
        assert loaded.model_copy(update={"id": None, "created_at": None}) == message.model_copy(
            update={"id": None, "created_at": None}
        )


SPELLINGS: Final = {
    "without padding": PICTURE.rstrip("=") + "QQ",
    "in lines": "\r\n".join(PICTURE[at : at + 76] for at in range(0, len(PICTURE), 76)),
    "of addresses": PICTURE.replace("+", "-").replace("/", "_"),
    "with padding in between": PICTURE + "====" + PICTURE,
    "with loose bits": base64.b64encode(RANDOM.randbytes(3001)).decode()[:-3] + "B==",
    "letters only": "a" * 4001,
    "padding only": "=" * 4000,
}


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_base64_in_an_unusual_form_round_trips(store: SessionStore, spelling: str) -> None:
    given = SPELLINGS[spelling]
    session = store.create()
    store.append(session, [text(given), text(f"data:image/png;base64,{given}"), text(f"data:,{given}")])
    found = contents(store.load(session).transcript)
    assert found == [given, f"data:image/png;base64,{given}", f"data:,{given}"]
    assert blobs(store) == 1


@pytest.mark.parametrize(
    "given", ["", "QUJD", "A" * (MIN_LENGTH - 1), "words and words " * 500, "ä" * 5000, "A" * 5000 + "ä"]
)
def test_short_texts_and_words_stay_in_the_document(given: str) -> None:
    document = {"data": {"content": given}}
    assert extract_media(document) == (document, ())


def test_extracting_does_not_modify_the_input_and_restoring_reverses_it() -> None:
    document = {"a": [PICTURE, {"b": "data:x/y;base64," + PICTURE, "": [[PICTURE]], "n": None, "t": True}], "c": 2**70}
    before = json.dumps(document)
    without, media = extract_media(document)
    assert json.dumps(document) == before
    assert without == {"a": ["", {"b": "data:x/y;base64,", "": [[""]], "n": None, "t": True}], "c": 2**70}
    restore_media(without, [(one.place, media_text(one.encoding, one.data, one.digest)) for one in media])
    assert without == document


def test_document_content_is_never_taken_for_a_media_reference(store: SessionStore) -> None:
    hostile = {"$blob": "0" * 64, "place": '["data","output"]', "blob": 1, "media": 1, "encoding": "base64", "": ""}
    session = store.create()
    store.append(session, [picture(PICTURE), load("tool_result", {"output": hostile})])
    loaded = store.load(session)
    assert loaded.skipped == ()
    assert loaded.transcript[1].data.output == hostile  # type: ignore[union-attr]


def test_unreferenced_media_are_deleted(store: SessionStore) -> None:
    one, two = store.create("one"), store.create("two")
    for session in (one, two):
        store.append(session, [picture(PICTURE), text("x")])
    assert blobs(store) == 1
    transcript = store.load(one).transcript
    transcript.replace(id_of(transcript[0]), text("no picture"))
    store.save(transcript)
    assert blobs(store) == 1
    store.delete(two)
    assert blobs(store) == 0
    assert contents(store.load(one).transcript) == ["no picture", "x"]
    assert store.check() == []


def test_a_message_replaced_with_another_image_has_that_image(store: SessionStore) -> None:
    transcript = il.Transcript([picture(PICTURE)])
    store.save(transcript)
    other = base64.b64encode(RANDOM.randbytes(4000)).decode()
    transcript.replace(id_of(transcript[0]), picture(other))
    store.save(transcript)
    assert store.load(transcript.id).transcript.messages == transcript.messages
    assert blobs(store) == 1
    assert store.check() == []
