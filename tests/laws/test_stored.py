"""What earlier releases stored loads for ever (tests/vectors/stored): streams go out as they came, and collect."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

import pytest

import interlingua as il
from interlingua.errors import StreamError
from interlingua.loss import LossLog
from interlingua.model_json import plain_json
from interlingua.registry import room
from interlingua.streaming import gather
from support import stored_streams as stored
from support.canonical import difference

if TYPE_CHECKING:
    from pathlib import Path

FILES: Final = sorted(stored.STREAMS.glob("*.jsonl"))
ABROAD: Final = sorted(stored.ABROAD.glob("*.jsonl"))
# The dialects whose streams were stored first; a later dialect has no streams of that time.
FIRST: Final = ("claude", "gemini", "ollama", "openai_chat", "openai_responses", "vllm")
# Fewer than this have never been stored of a dialect.
FEWEST: Final = 100
# Streams whose answer tells more today: dialect and id -> what is new.
TELLS_MORE: Final = {
    ("gemini", "grounding"): "the sources of the text are its citations",
    ("openai_chat", "calls-vendors"): "the signature that a call carries stands where Gemini's do",
    ("openai_chat", "annotations"): "sources beside an annotation of another kind are citations",
    ("vllm", "annotations"): "sources beside an annotation of another kind are citations",
    ("openai_chat", "unit-0085"): "addresses beside the choices are citations of the text",
    ("openai_chat", "changed-00353"): "an empty id is none",
    ("vllm", "changed-00359"): "an empty id is none",
    ("gemini", "parts-many"): "code that was run is a part",
    ("gemini", "changed-01265"): "a part without data is an empty text",
    ("gemini", "changed-02031"): "a part without data is an empty text",
    ("gemini", "changed-02033"): "a part without data is an empty text",
    ("claude", "documents"): "code that was run is a part",
    ("claude", "changed-01356"): "code that was run is a part",
    ("openai_responses", "server-tools"): "code that was run is a part",
}


# Answers whose streams have pieces that belong to no block that was begun: they were passed over, and are said now.
SAYS_MORE: Final = {
    ("claude", name) for name in ("indexes", "no-start", "changed-00649", "changed-01818", "changed-04049")
}


# Answers whose calls have arguments twice, the second time whole: a server says them again, and they are said once.
SAYS_ONCE: Final = {("vllm", "changed-01722"): ('"{}{}"', '"{}"')}


def said_in(answer: dict[str, Any]) -> list[str]:
    """Return the texts and the ids of the calls of an answer, in their order."""
    parts = [part for message in answer["messages"] for part in message.get("content", ())]
    calls = [call["id"] for message in answer["messages"] for call in message.get("tool_calls", ())]
    return [*(part["text"] for part in parts if part["type"] == "text"), *calls]


def vectors(files: list[Path], lines: Any) -> list[Any]:
    """Return the vectors of files, with a clear id each."""
    return [
        pytest.param(stored.dialect_of(path), line, id=f"{path.stem}-{line['id']}")
        for path in files
        for line in lines(path)
    ]


BODIES: Final = vectors(sorted((stored.FOLDER / "bodies").glob("*.jsonl")), stored.lines)
STREAMS: Final = vectors(FILES, stored.lines)
EVENTS_OF: Final = {
    (stored.dialect_of(path), line["id"]): line["events"] for path in FILES for line in stored.lines(path)
}


def test_there_are_unmodified_stored_streams_of_every_dialect() -> None:
    seals = json.loads(stored.SEALS.read_text(encoding="utf-8"))
    kept = [path for path in stored.FOLDER.rglob("*") if path.is_file() and path.parent != stored.ABROAD]
    found = {str(path.relative_to(stored.FOLDER)): stored.digest(path) for path in kept}
    del found["SEALS.json"], found["README.md"]
    assert found == seals
    assert {f"{folder}/{dialect}_1.jsonl" for dialect in FIRST for folder in ("bodies", "streams")} <= seals.keys()
    for dialect in FIRST:
        assert stored.lines(stored.ABROAD / f"{dialect}_1.jsonl")
        assert len(stored.lines(stored.STREAMS / f"{dialect}_1.jsonl")) >= FEWEST


@pytest.mark.parametrize(("dialect", "stream"), STREAMS)
def test_stored_events_load_and_are_dumped_unchanged(dialect: str, stream: dict[str, Any]) -> None:
    del dialect
    assert difference(stream["events"], stored.as_stored(stream["events"])) == ""


@pytest.mark.parametrize(("dialect", "stream"), STREAMS)
def test_stored_events_are_encoded_to_their_original_frames(dialect: str, stream: dict[str, Any]) -> None:
    frames, losses = stored.encoded(dialect, stream["events"])
    assert losses == []
    assert difference(stream["frames"], frames) == ""
    changed = set(stored.reordered(stream["frames"], frames)) - set(stream.get("reordered", ()))
    assert changed == set(), "the members of these frames have another order than they had"
    encoded = il.encode_stream(stored.EVENTS.validate_python(stream["events"]), dialect)
    assert difference(frames, list(encoded)) == ""
    assert encoded.losses == ()


@pytest.mark.parametrize(("dialect", "stream"), STREAMS)
def test_stored_events_collect_to_their_stored_answer(dialect: str, stream: dict[str, Any]) -> None:
    if "error" in stream:
        with pytest.raises(StreamError) as caught:
            gather(stream["events"])
        told = {"code": caught.value.code, "message": caught.value.message, "partial": caught.value.partial}
        assert difference(stream["error"], told) == ""
        with pytest.raises(StreamError) as public:
            il.collect(stream["events"])
        assert public.value.partial == il.ChatResponse.model_validate(stream["error"]["partial"])
    elif (dialect, stream["id"]) in TELLS_MORE:
        again = il.encode_response(il.ChatResponse.model_validate(stream["answer"]), dialect)
        assert il.encode_response(il.collect(stream["events"]), dialect).body == again.body
    elif (dialect, stream["id"]) in SAYS_MORE:
        found = gather(stream["events"])
        assert set(said_in(found)) > set(said_in(stream["answer"]))
        assert il.collect(stream["events"]) == il.ChatResponse.model_validate(found)
        assert [found.get(name) for name in ("id", "model", "finish_reason", "usage")] == [
            stream["answer"].get(name) for name in ("id", "model", "finish_reason", "usage")
        ]
    elif "answer" in stream:
        twice, once = SAYS_ONCE.get((dialect, stream["id"]), ("", ""))
        answer = json.loads(json.dumps(stream["answer"]).replace(twice, once)) if twice else stream["answer"]
        assert difference(answer, gather(stream["events"])) == ""
        assert il.collect(stream["events"]) == il.ChatResponse.model_validate(answer)
    else:  # its frames make no answer of their dialect
        with pytest.raises(il.DecodeError):
            gather(stream["events"])


@pytest.mark.parametrize(("dialect", "told"), vectors(ABROAD, stored.lines))
def test_stored_events_translate_to_their_stored_output(dialect: str, told: dict[str, Any]) -> None:
    # Not for ever: a change that is meant and named writes this anew (`tools/freeze.py --abroad`).
    found = stored.abroad(dialect, EVENTS_OF[dialect, told["id"]])
    assert told["to"].keys() | {dialect} >= set(FIRST)
    assert {target: difference(one, found[target]) for target, one in told["to"].items()} == dict.fromkeys(
        told["to"], ""
    )


@pytest.mark.parametrize(("dialect", "body"), BODIES)
def test_a_stored_request_or_answer_is_encoded_to_its_original_body(dialect: str, body: dict[str, Any]) -> None:
    log = LossLog()
    made: Any
    if body["kind"] == "request":
        model: Any = il.ChatRequest.model_validate(body["value"])
        made = room(dialect).encode_request(body["value"], log)
        public = il.encode_request(model, dialect)
    else:
        model = il.ChatResponse.model_validate(body["value"])
        made = room(dialect).encode_response(body["value"], log)
        public = il.encode_response(model, dialect)
    assert difference(body["value"], plain_json(model)) == ""
    assert difference(body["body"], made) == ""
    assert difference(body["body"], public.body) == ""
    assert (log.losses(), public.losses) == ((), ())
