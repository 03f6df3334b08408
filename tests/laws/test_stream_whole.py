"""Law 12: a stream abroad says what the whole answer says abroad, in the same places: ids, status, kinds, arguments.

`test_stream_translation` compares what both say by their normal form; here the bodies themselves are compared, as the
official clients put a stream together.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

import pytest

from interlingua.errors import StreamError
from interlingua.registry import room
from interlingua.streaming import gather, translate_stream
from interlingua.translation import encode_canonical_response
from support import corpus
from support.rooms import PAIRS, ROWS
from support.streams import frames, read

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = [pytest.mark.corpus, pytest.mark.laws]

# Where answers and streams differ by their nature: the id, and the reason.
EXCEPTED: Final = {
    "5dffc19f": "its last frames say another text than its pieces",
    "1627706b": "its tokens go on when its text has ended, and Responses has tokens beside texts alone: that is told",
    "95046c99": "a text goes on after a call",
    "b506f74b": "its frames say several ids",
    "bbe74ed5": "its last frame says another time than its first",
    "b200a42e": "its pieces of a text are those of two parts, of which the last frame makes one",
}
_TEXTS: Final = frozenset({"text", "output_text", "summary_text", "reasoning_text", "thinking"})


def recorded(dialect: str) -> Iterator[tuple[str, list[Any]]]:
    """Yield id and frames of the streams of a dialect and of the vendors that speak it."""
    row = ROWS[dialect]
    for folder in (row.folder, *row.compatible):
        for line in corpus.sample(folder, "stream", 12):
            if line["id"] not in row.unstreamable and line["id"][:8] not in EXCEPTED:
                yield line["id"], frames(line)


@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_a_translated_stream_collects_to_the_translated_answer(source: str, target: str) -> None:
    found: dict[str, list[str]] = {}
    for identifier, came in recorded(source):
        events = read(source, came)
        if sum(event["type"] == "start" for event in events) > 1 or not events[-1].get("complete"):
            continue  # several answers in one stream; one that was cut
        try:
            canonical: Any = gather(events)
        except StreamError:
            continue
        if _is_cut(canonical):
            continue  # arguments that are no JSON: a whole answer can make an object of them, a stream has sent them
        whole = encode_canonical_response(canonical, target, strict=False).body
        stream = room(target).assemble_stream(list(translate_stream(came, source, target)))
        where = list(_differing(_plain(whole), _plain(stream)))
        if where:
            found[identifier] = where
    assert found == {}


def _is_cut(response: Any) -> bool:
    """Tell whether a call of an answer has arguments that are no JSON."""
    calls = [call for message in response["messages"] for call in message.get("tool_calls", ())]
    return any(call.get("kind") != "custom" and _parsed(call["arguments"]) is None for call in calls)


def _parsed(text: Any) -> Any:
    """Return what arguments say, None for text that is no JSON."""
    if type(text) is not str:
        return text
    try:
        return json.loads(text or "{}")
    except ValueError:
        return None


def _plain(value: Any, name: str = "") -> Any:
    """Return a body without what is null, with arguments parsed and with neighbouring texts joined."""
    if isinstance(value, dict):
        return {key: _plain(one, key) for key, one in value.items() if one is not None}
    if isinstance(value, list):
        return _joined([_plain(one) for one in value])
    return _parsed(value) if name == "arguments" else value


def _joined(items: list[Any]) -> list[Any]:
    """Return a list with neighbouring texts of one kind joined: in pieces it cannot be told where one ends."""
    out: list[Any] = []
    for item in items:
        if out and _is_text(item) and _is_text(out[-1]) and _kind(item) == _kind(out[-1]):
            out[-1] = {**out[-1], **item, "text": out[-1]["text"] + item["text"]}
        else:
            out.append(item)
    return out


def _is_text(item: Any) -> bool:
    return isinstance(item, dict) and "text" in item and item.get("type", "text") in _TEXTS


def _kind(item: dict[str, Any]) -> Any:
    return (item.get("type"), item.get("thought"), item.keys())


def _differing(whole: Any, stream: Any, path: str = "") -> Iterator[str]:
    """Yield where a stream says something else than the whole answer; it may tell more of what was counted."""
    if isinstance(whole, dict) and isinstance(stream, dict):
        is_count = path.startswith("/usage")
        for name in dict.fromkeys((*whole, *stream)):
            if name not in whole and (is_count or (path, name) == ("", "usage")):
                continue
            yield from _differing(whole.get(name), stream.get(name), f"{path}/{name}")
    elif isinstance(whole, list) and isinstance(stream, list) and len(whole) == len(stream):
        for at, (one, other) in enumerate(zip(whole, stream, strict=True)):
            yield from _differing(one, other, f"{path}/{at}")
    elif whole != stream:
        yield path


def test_the_comparison_detects_a_different_position_and_id() -> None:
    body = {"content": [{"type": "text", "text": "ab"}], "id": "m", "usage": {"input_tokens": 1}}
    assert list(_differing(body, {**body, "id": "n"})) == ["/id"]
    assert list(_differing(_plain(body), _plain({**body, "content": [{"type": "thinking", "text": "ab"}]}))) != []
    pieces = [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]
    assert list(_differing(_plain(body), _plain({**body, "content": pieces}))) == []
