"""Bytes to frames and back: however they are cut, whatever ends their lines."""

import asyncio
import io
import json
import os
import random
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from itertools import combinations, pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import interlingua as il
from interlingua.errors import EncodeError, FrameError
from interlingua.frames import (
    DONE,
    Form,
    Frame,
    FrameDecoder,
    FrameEncoder,
    read_frames,
    read_frames_async,
    wire_of,
    write_frames,
    write_frames_async,
)
from support import corpus
from support.cost import grows_at_most, steps

FORMS: tuple[Form, ...] = ("sse", "ndjson", "json_array")
# Where a dialect's streams stand in the corpus.
FOLDERS = {
    "openai_chat": "openai_chat",
    "openai_responses": "openai_responses",
    "claude": "anthropic",
    "gemini": "gemini",
    "ollama": "ollama",
    "vllm": "vllm",
}
EMOJI = {"text": "a😀é"}
CONTENT = "tell nobody"

# What the standard's examples and the browsers' common tests send; each data is JSON, since ours are.
EVENT_SOURCE_CASES: dict[str, tuple[bytes, list[Frame]]] = {
    "line feeds": (b'data: {"a":1}\n\ndata: {"a":2}\n\n', [{"a": 1}, {"a": 2}]),
    "carriage returns and line feeds": (b'data: {"a":1}\r\n\r\ndata: {"a":2}\r\n\r\n', [{"a": 1}, {"a": 2}]),
    "carriage returns": (b'data: {"a":1}\r\rdata: {"a":2}\r\r', [{"a": 1}, {"a": 2}]),
    "line ends of all kinds": (
        b'data: {"a":1}\r\n\ndata: {"a":2}\r\r\ndata: {"a":3}\n\r',
        [{"a": n} for n in (1, 2, 3)],
    ),
    "no space after the colon": (b'data:{"a":1}\n\n', [{"a": 1}]),
    "two spaces after the colon": (b'data:  {"a":1}\n\n', [{"a": 1}]),
    "a tab after the colon": (b'data:\t{"a":1}\n\n', [{"a": 1}]),
    "data over several lines": (b'data: {"a":\ndata: [1,\ndata:2]\ndata: }\n\n', [{"a": [1, 2]}]),
    "data over several lines, one without a colon": (b'data: {"a":\ndata\ndata: 1}\n\n', [{"a": 1}]),
    "comments": (b': hi\n:\n\n:\xff\ndata: {"a":1}\n: between\ndata:\n: behind\n\n', [{"a": 1}]),
    "comments to keep the line alive": (b': PROCESSING\n\n: PROCESSING\n\ndata: {"a":1}\n\n', [{"a": 1}]),
    "a byte order mark": (b'\xef\xbb\xbfdata: {"a":1}\n\n', [{"a": 1}]),
    "a second byte order mark": (b'\xef\xbb\xbf\xef\xbb\xbfdata: {"a":1}\n\ndata: {"a":2}\n\n', [{"a": 2}]),
    "names, ids and times to wait": (b'id: 7\nevent: ping\nretry: 10\ndata: {"a":1}\nid\n\n', [{"a": 1}]),
    "unknown fields": (b'foo: bar\ndata2: {}\nDATA: {}\n data: {}\n{"a":0}\ndata: {"a":1}\n\n', [{"a": 1}]),
    "events without data": (b'event: ping\n\nid: 1\n\n\n\ndata: {"a":1}\n\nevent: bye\n\n', [{"a": 1}]),
    "blank data": (b'data\n\ndata:\n\ndata: \n\ndata\ndata\n\ndata: {"a":1}\n\n', [{"a": 1}]),
    "an end mark": (b'data: {"a":1}\n\ndata: [DONE]\n\n', [{"a": 1}, DONE]),
    "an end mark without a space": (b"data:[DONE]\r\n\r\n", [DONE]),
    "a last event without a blank line": (b'data: {"a":1}\n\ndata: {"a":2}\n', [{"a": 1}, {"a": 2}]),
    "a last event without any line end": (b'data: {"a":1}\n\ndata: {"a":2}', [{"a": 1}, {"a": 2}]),
    "a last end mark without any line end": (b"data: [DONE]", [DONE]),
    "an object behind the last event": (
        b'data: {"a":1}\n\n{\n  "error": {\n    "code": 503\n  }\n}\n',
        [{"a": 1}, {"error": {"code": 503}}],
    ),
    "an object in one line behind the last event": (b'data: {"a":1}\n{"b":2}', [{"a": 1}, {"b": 2}]),
    "no object behind the last event": (b'data: {"a":1}\n\n{nonsense\n<html>', [{"a": 1}]),
    "a last event with a cut field behind it": (b'data: {"a":1}\ndat', [{"a": 1}]),
    "a blank line at the beginning": (b'\n\r\n\rdata: {"a":1}\n\n', [{"a": 1}]),
    "nothing": (b"", []),
    "nothing but a byte order mark": (b"\xef\xbb\xbf", []),
    "other line separators of Unicode": (
        'data: {"a":"\u2028\u2029\u0085"}\n\n'.encode(),
        [{"a": "\u2028\u2029\u0085"}],
    ),
}


def fed(chunks: Iterable[bytes], form: Form | None = None, **options: Any) -> list[Frame]:
    decoder = FrameDecoder(form, **options)
    frames = [frame for chunk in chunks for frame in decoder.feed(chunk)]
    return frames + decoder.close()


def cut_at(data: bytes, offsets: Iterable[int]) -> list[bytes]:
    places = [0, *sorted(offsets), len(data)]
    return [data[start:end] for start, end in pairwise(places)]


def every_cut(data: bytes) -> Iterator[list[bytes]]:
    """The bytes one by one, cut once at every place, and cut twice at every pair of places where that is few."""
    yield [data[place : place + 1] for place in range(len(data))]
    for offset in range(len(data) + 1):
        yield cut_at(data, [offset])
    if len(data) <= 80:
        yield from (cut_at(data, pair) for pair in combinations(range(len(data)), 2))


def outcome(chunks: Iterable[bytes], form: Form | None, max_bytes: int) -> tuple[list[Frame], tuple[int, str] | None]:
    """The frames, and the number and reason of the error behind them."""
    decoder = FrameDecoder(form, max_bytes)
    frames: list[Frame] = []
    try:
        for chunk in chunks:
            frames += decoder.feed(chunk)
        frames += decoder.close()
    except FrameError as error:
        return frames, (error.frame, error.reason)
    return frames, None


def test_an_object_over_many_lines_is_one_frame_wherever_the_chunks_end() -> None:
    data = b'{\r\n  "error": {\r\n    "code": 429\r\n  }\r\n}\r\n'
    for chunks in every_cut(data):
        assert fed(chunks) == [{"error": {"code": 429}}]
    half = FrameDecoder()
    assert half.feed(data[:-8]) + half.close() == []
    assert half.cut


@pytest.mark.parametrize("name", EVENT_SOURCE_CASES)
def test_str_6_the_server_sent_events_examples_give_the_same_frames_split_at_every_byte(name: str) -> None:
    data, expected = EVENT_SOURCE_CASES[name]
    assert fed([data], "sse") == expected
    assert fed([data]) == expected
    for chunks in every_cut(data):
        assert fed(chunks, "sse") == expected
        assert fed(chunks) == expected


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("is_escaped", [False, True])
def test_str_5_a_character_split_at_any_byte_is_decoded(form: Form, is_escaped: bool) -> None:
    text = json.dumps(EMOJI, ensure_ascii=is_escaped)
    assert ("\\ud83d\\ude00" in text) == is_escaped
    data = {"sse": f"data: {text}\n\n", "ndjson": f"{text}\n", "json_array": f"[{text}]"}[form].encode()
    for chunks in every_cut(data):
        assert fed(chunks, form) == [EMOJI]


@pytest.mark.parametrize("form", FORMS)
def test_every_prefix_of_a_stream_gives_a_prefix_of_its_frames(form: Form) -> None:
    frames: list[Frame] = [{"a": '}😀\\"'}, {"b": [{"c": "{["}]}, {}]
    frames += [] if form == "json_array" else [DONE]
    data = b"\xef\xbb\xbf" + b"".join(write_frames(frames, "claude", form))
    found: list[Frame] = []
    for end in range(len(data) + 1):
        decoder = FrameDecoder(form)
        found = decoder.feed(data[:end]) + decoder.close()
        assert found == frames[: len(found)]
    assert found == frames


@pytest.mark.parametrize(
    ("form", "data", "cut"),
    [
        ("sse", b'data: {"a":1}\n\ndata: {"a":', 5),
        ("sse", b'data: {"a":1}\n\ndata: {"a":\ndata: 1\ndata', 8),
        ("sse", b'data: {"a":1}\n\ndata: [DO', 3),
        ("sse", b'data: {"a":1}\n\ndata: ', 0),
        ("ndjson", b'{"a":1}\n{"a":"\xf0\x9f', 8),
        ("ndjson", b'{"a":1}\n"[DO', 4),
        ("ndjson", b'{"a":1}', 0),
        ("json_array", b'[{"a":1},\n{"b"', 4),
        ("json_array", b'[{"a":1},', 0),
    ],
)
def test_a_truncated_object_is_no_frame_and_its_bytes_are_counted(form: Form, data: bytes, cut: int) -> None:
    decoder = FrameDecoder(form)
    assert decoder.feed(data) + decoder.close() == [{"a": 1}]
    assert decoder.cut == cut


@given(st.data())
def test_str_6_frames_with_any_line_ends_and_comments_round_trip_in_any_chunks(data: st.DataObject) -> None:
    values = st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(st.characters(exclude_categories=["Cs"])),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab\r\n😀", max_size=2), inner, max_size=3),
        max_leaves=5,
    )
    frames: list[Frame] = data.draw(st.lists(st.dictionaries(st.text("ab"), values, max_size=3) | st.just(DONE)))
    end = st.sampled_from([b"\n", b"\r\n", b"\r"])
    noise = st.sampled_from([b": comment", b":", b"id: 3", b"event: x", b"retry: 1", b"other"])
    written = b""
    for frame in frames:
        text = frame if isinstance(frame, str) else json.dumps(frame, indent=data.draw(st.sampled_from([None, 1])))
        for line in text.encode().split(b"\n"):
            written += b"".join(one + data.draw(end) for one in data.draw(st.lists(noise, max_size=2)))
            written += data.draw(st.sampled_from([b"data:", b"data: "])) + line + data.draw(end)
        # A CR and an LF that begin and end lines of their own would be one line end.
        written += b"\n" if written.endswith(b"\n") else b"\r"
    offsets = data.draw(st.lists(st.integers(0, len(written)), max_size=20))
    assert fed(cut_at(written, offsets)) == frames
    assert fed(cut_at(written, range(len(written)))) == frames


@pytest.mark.parametrize("form", FORMS)
@given(st.binary(max_size=60), st.lists(st.integers(0, 60), max_size=5))
def test_any_bytes_give_the_same_frames_or_the_same_error_in_any_chunks(
    form: Form, data: bytes, offsets: list[int]
) -> None:
    assert outcome(cut_at(data, [min(one, len(data)) for one in offsets]), form, 20) == outcome([data], form, 20)
    assert outcome(cut_at(data, range(len(data))), None, 20) == outcome([data], None, 20)


BROKEN = [
    ("sse", b'data: {"a":1}\n\ndata: {"tell nobody": }\n\ndata: {"a":2}\n\n'),
    ("sse", b'data: {"a":1}\n\ndata: tell nobody\n\n'),
    ("sse", b'data: {"a":1}\n\ndata: "tell nobody"\n\n'),
    ("sse", b'data: {"a":1}\n\ndata: ["tell nobody"]\n\n'),
    ("sse", b'data: {"a":1}\n\ndata: {"tell nobody":"\xff"}\n\n'),
    ("sse", b'data: {"a":1}\n\ndata: {"tell nobody":"\\ud83d"}\n\n'),
    ("sse", b'data: {"a":1}\n\ndata: {"tell nobody":NaN}\n\n'),
    ("sse", b'data: {"a":1}\n\ndata: tell nobody'),
    ("ndjson", b'{"a":1}\ntell nobody\n'),
    ("ndjson", b'{"a":1}\n"tell nobody"'),
    ("ndjson", b'{"a":1}\n{"a":2}{"tell nobody":3}\n'),
    ("json_array", b'[{"a":1},"tell nobody"]'),
    ("json_array", b'[{"a":1}{"tell nobody":2}]'),
    ("json_array", b'[{"a":1}]{"tell nobody":2}'),
    ("json_array", b'[{"a":1},]'),
    ("json_array", b'[{"a":1},{"tell nobody":]}]'),
]


@pytest.mark.parametrize(("form", "data"), BROKEN)
def test_a_broken_frame_raises_after_the_frames_before_it_with_its_number_and_without_content(
    form: Form, data: bytes
) -> None:
    for chunks in every_cut(data):
        frames, error = outcome(chunks, form, 1000)
        assert (frames, error) == outcome([data], form, 1000)
        assert (frames, error and error[0]) == ([{"a": 1}], 2)
        assert CONTENT not in str(error)


def test_a_broken_frame_raises_again_on_every_later_call() -> None:
    decoder = FrameDecoder("sse")
    assert decoder.feed(b'data: {"a":1}\n\ndata: x\n\n') == [{"a": 1}]
    calls: tuple[Callable[[], list[Frame]], ...] = (
        lambda: decoder.feed(b'data: {"a":3}\n\n'),
        decoder.close,
        decoder.close,
    )
    for call in calls:
        with pytest.raises(FrameError, match="frame 2: not JSON") as caught:
            call()
        assert caught.value.frame == 2


@pytest.mark.parametrize(
    ("form", "data"),
    [
        ("sse", b'data: {"a":1}\n\ndata: {"a":"%b"}\n\n'),
        ("sse", b'data: {"a":1}\n\ndata: {"a":\ndata:"%b"\ndata: }\n\n'),
        ("sse", b'data: {"a":1}\n\n: %b\n'),
        ("ndjson", b'{"a":1}\n{"a":"%b"}\n'),
        ("json_array", b'[{"a":1},{"a":"%b"}]'),
    ],
)
def test_a_frame_beyond_the_limit_raises_in_any_chunks(form: Form, data: bytes) -> None:
    largest = data % (b"x" * 30)
    refused = data % (b"x" * 70)
    assert outcome([largest], form, 64)[1] is None
    for chunks in every_cut(refused):
        frames, error = outcome(chunks, form, 64)
        assert (frames, error) == ([{"a": 1}], (2, "longer than the limit of 64 bytes"))


def fed_on(decoder: FrameDecoder) -> None:
    for _ in range(1000):
        decoder.feed(b"    ")


def test_the_limit_applies_to_an_unterminated_frame() -> None:
    for beginning in (b"data: ", b": ", b"", b'{"a":"', b'[{"a":"'):
        decoder = FrameDecoder(max_bytes=1000)
        decoder.feed(beginning)
        with pytest.raises(FrameError, match="longer than the limit of 1000 bytes"):
            fed_on(decoder)


def test_comments_of_any_length_are_accepted() -> None:
    decoder = FrameDecoder("sse", max_bytes=64)
    for _ in range(100):
        assert decoder.feed(b": keep-alive\n") == []
    assert decoder.feed(b'data: {"a":1}\n\n') == [{"a": 1}]


def test_an_integer_of_any_size_stays_exact_and_a_deep_value_is_refused() -> None:
    frame: Frame = {"a": 2**64, "b": -(10**40), "c": 1.5}
    assert fed(write_frames([frame], "claude")) == [frame]
    deep = b"data: " + b'{"a":' * 300 + b"1" + b"}" * 300 + b"\n\n"
    with pytest.raises(FrameError, match="nested deeper than 250 levels"):
        fed([deep])


# What comes out


def test_an_error_in_a_separate_field_is_a_frame_in_any_chunks() -> None:
    said = {"choices": [{"index": 0, "delta": {"content": "Hi"}}]}
    error = {"code": 500, "message": "context size exceeded", "type": "server_error"}
    data = b"data: %s\n\nerror: %s\n\ndata: [DONE]\n\n" % (json.dumps(said).encode(), json.dumps(error).encode())
    for at in range(len(data)):
        decoder = FrameDecoder("sse")
        assert [*decoder.feed(data[:at]), *decoder.feed(data[at:]), *decoder.close()] == [
            said,
            {"error": error},
            "[DONE]",
        ]
    with pytest.raises(il.StreamError) as broken:
        il.collect(il.decode_stream(read_frames(data), "openai_chat"))
    assert (broken.value.code, broken.value.message) == ("server_error", error["message"])


@pytest.mark.parametrize("line", [b"error: the model broke", b"error:", b"errors: {}", b"event: error"])
def test_unknown_fields_are_ignored(line: bytes) -> None:
    assert list(read_frames(b"data: {}\n%s\n\n%s\n\ndata: {}\n\n" % (line, line))) == [{}, {}]


def test_events_are_named_in_dialects_with_named_events() -> None:
    frame: Frame = {"type": "message_stop", "a": "ä"}
    named = 'event: message_stop\ndata: {"type":"message_stop","a":"ä"}\n\n'.encode()
    plain = 'data: {"type":"message_stop","a":"ä"}\n\n'.encode()
    line = '{"type":"message_stop","a":"ä"}\n'.encode()
    written = {dialect: b"".join(write_frames([frame], dialect)) for dialect in FOLDERS}
    assert written == {
        "openai_chat": plain,
        "openai_responses": named,
        "claude": named,
        "gemini": plain,
        "ollama": line,
        "vllm": plain,
    }


@pytest.mark.parametrize("name", ["a\ndata: {}", "a\rdata: {}", "a\r\n\r\ndata: {}", "", 3, None])
def test_an_event_name_with_a_line_break_is_left_out(name: object) -> None:
    frame: Frame = {"type": name}
    written = FrameEncoder("claude").feed(frame)
    assert written.startswith(b"data: ")
    assert fed([written]) == [frame]


@pytest.mark.parametrize("form", ["sse", "ndjson", "json_array"])
def test_frames_contain_no_unicode_line_separators(form: Form) -> None:
    frame = {"text": "one\u2028two\u2029three\u0085four \\u2028", "\u2028": "\v\f\x1c\x1d\x1e\r\n"}
    encoder = FrameEncoder("ollama", form)
    written = encoder.feed(frame)
    assert len(written.decode().strip("\n").splitlines()) == 1
    assert list(read_frames(written + encoder.close(), form)) == [frame]


def test_the_end_marker_is_read_in_each_format() -> None:
    assert FrameEncoder("openai_chat").feed(DONE) == b"data: [DONE]\n\n"
    assert FrameEncoder("openai_chat", "ndjson").feed(DONE) == b'"[DONE]"\n'
    assert fed([b'{"a":1}\n"[DONE]"\n']) == fed([b'{"a":1}\n[DONE]\n']) == [{"a": 1}, DONE]


def test_an_array_is_written_frame_by_frame_and_closed() -> None:
    encoder = FrameEncoder("gemini", "json_array")
    assert [encoder.feed({"a": 1}), encoder.feed({"a": 2}), encoder.close()] == [b'[{"a":1}', b',\n{"a":2}', b"]\n"]
    assert b"".join(write_frames([], "gemini", "json_array")) == b"[]\n"
    assert list(write_frames([], "gemini")) == []


def calls_of(decoder: FrameDecoder, chunks: Iterable[bytes]) -> int:
    """Return how many functions are called while a decoder reads."""

    def read() -> None:
        for chunk in chunks:
            decoder.feed(chunk)

    return steps(read)


MANY_SIGNS: dict[str, bytes] = {
    "escapes": b'"' + b'\\"' * 20_000 + b'"',
    "backslashes": b'"' + b"\\\\" * 20_000 + b'"',
    "brackets in a text": b'"' + b"[{" * 20_000 + b'"',
    "texts": b"[" + b'"",' * 13_000 + b"0]",
    "names": b"{" + b",".join(b'"%d":"}"' % number for number in range(4000)) + b"}",
    "lists": b"[" + b"[]," * 13_000 + b"0]",
    "objects": b"[" + b'{"a":[{}]},' * 4000 + b"0]",
    "nested lists": b"[" + b"[[1]]," * 6000 + b"0]",
}


@pytest.mark.parametrize("signs", MANY_SIGNS)
def test_parsing_an_array_element_takes_no_step_per_character(signs: str) -> None:
    data = b'[{"a":' + MANY_SIGNS[signs] + b"}]"
    decoder = FrameDecoder("json_array")
    assert calls_of(decoder, [data[:-2]]) < 100
    assert decoder.feed(data[-2:]) == json.loads(data)
    assert decoder.close() == []
    pieces = [data[at : at + 1000] for at in range(0, len(data) - 1000, 1000)]
    assert calls_of(FrameDecoder("json_array"), pieces) < 100 * len(pieces)


@pytest.mark.parametrize("levels", [5, 20, 100])
def test_nested_lists_take_less_than_one_call_per_byte(levels: int) -> None:
    data = b'[{"a":[' + (b"[" * levels + b"]" * levels + b",") * (20_000 // levels) + b"0]}]"
    decoder = FrameDecoder("json_array")
    assert calls_of(decoder, [data[:-2]]) < len(data)
    assert decoder.feed(data[-2:]) == json.loads(data)


def test_gemini_array_elements_are_yielded_as_soon_as_they_are_complete() -> None:
    decoder = FrameDecoder()
    assert decoder.feed(b'[{\n  "candidates": [\n    {"index": 0}\n  ]\n}') == [{"candidates": [{"index": 0}]}]
    assert decoder.feed(b"\n") == []
    assert decoder.feed(b',\r\n{"text": "]}\\"]"}\n]\n') == [{"text": ']}"]'}]
    assert decoder.close() == []


@pytest.mark.parametrize(
    "frame",
    ["done", "", [1], 1, None, {"a": "\ud83d" + CONTENT}, {"a": {CONTENT}}],
)
def test_an_invalid_frame_is_refused_without_content(frame: Any) -> None:
    for form in FORMS:
        with pytest.raises(EncodeError) as caught:
            FrameEncoder("claude", form).feed(frame)
        assert caught.value.dialect == "claude"
        assert CONTENT not in f"{caught.value!r}{caught.value}"


# Whole sources


def test_frames_of_a_pipe_are_yielded_as_they_arrive() -> None:
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb") as source, os.fdopen(writing, "wb", buffering=0) as sink:
        frames = read_frames(source)
        for number in range(3):
            sink.write(b'data: {"a":%d}\n\n' % number)
            assert next(frames) == {"a": number}
        sink.close()
        assert list(frames) == []


def test_bytes_files_and_iterables_are_sources() -> None:
    data = b"".join(write_frames([{"a": 1}, DONE], "openai_chat"))
    for source in (data, io.BytesIO(data), [data[:9], data[9:]], iter([data])):
        assert list(read_frames(source)) == [{"a": 1}, DONE]


def test_an_iterator_gives_the_frames_before_a_broken_one() -> None:
    frames = read_frames([b'data: {"a":1}\n\ndata: {"a":2}\n\ndata: x\n\n'])
    assert [next(frames), next(frames)] == [{"a": 1}, {"a": 2}]
    with pytest.raises(FrameError, match="frame 3"):
        next(frames)


def test_asynchronous_sources_give_the_same() -> None:
    async def each(values: Iterable[Any]) -> AsyncIterator[Any]:
        for value in values:
            yield value

    async def there_and_back(frames: list[Frame], form: Form) -> list[Frame]:
        written = [chunk async for chunk in write_frames_async(each(frames), "claude", form)]
        assert written == list(write_frames(frames, "claude", form))
        return [frame async for frame in read_frames_async(each(cut_at(b"".join(written), range(0, 40, 3))), form)]

    for form in FORMS:
        frames: list[Frame] = [{"type": "ping"}, {"type": "stop", "text": "😀"}]
        assert asyncio.run(there_and_back(frames, form)) == frames


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(lambda size: b'data: {"a":"' + b"x" * size + b'"}\n\n', id="one long frame"),
        pytest.param(lambda size: b'data: {"a":[1\n' + b"data:,1\n" * (size // 8) + b"data:]}\n\n", id="many lines"),
        pytest.param(lambda size: b'data: {"a":1}\r\r' * (size // 15), id="many frames"),
        pytest.param(lambda size: b'[{"a":"' + b"\\n" * (size // 2) + b'"}]', id="one long object of an array"),
        pytest.param(lambda size: b" " * size + b"{}", id="blanks"),
    ],
)
def test_parsing_time_is_linear(data: Any) -> None:
    def reading(size: int) -> Callable[[], Any]:
        chunks = cut_at(data(size), range(64, size, 64))
        assert fed(chunks)
        return lambda: fed(chunks)

    # 16 times the input: linear work takes 16 times as long, quadratic work 256 times.
    assert grows_at_most(reading(100_000), reading(1_600_000), 80)


# The corpus


def written(frames: list[Frame], dialect: str, chance: random.Random) -> bytes:
    """The frames as the dialect streams them, with the line ends, comments and missing spaces that servers have."""
    data = b"".join(write_frames(frames, dialect))
    if chance.random() < 0.5:
        data = data.replace(b"\n", chance.choice([b"\r\n", b"\r"]))
    if wire_of(dialect).form == "sse" and chance.random() < 0.5:
        data = b": hello\n\n" + data.replace(b"data: ", b"data:")
    return b"\xef\xbb\xbf" + data if chance.random() < 0.5 else data


def streams(dialect: str) -> Iterator[tuple[str, list[Frame]]]:
    for line in corpus.lines(FOLDERS[dialect], "stream"):
        yield line["id"], [event["data"] for event in line["events"]]


@pytest.mark.corpus
@pytest.mark.parametrize("dialect", FOLDERS)
def test_str_6_every_recorded_stream_round_trips_in_random_chunks(dialect: str) -> None:
    read = 0
    for name, frames in streams(dialect):
        chance = random.Random(name)
        data = written(frames, dialect, chance)
        offsets = sorted(chance.randrange(len(data)) for _ in range(min(2000, len(data) // 4)))
        assert fed(cut_at(data, offsets)) == frames, name
        read += 1
    assert read > 0


@pytest.mark.corpus
@pytest.mark.parametrize("dialect", FOLDERS)
def test_str_5_the_shortest_recorded_streams_round_trip_split_at_every_byte(dialect: str) -> None:
    shortest = sorted((frames for _, frames in streams(dialect)), key=lambda frames: len(json.dumps(frames)))[:3]
    assert len(shortest) == 3
    for frames in shortest:
        # Fewer frames make fewer places to cut; the text of a frame is what matters.
        data = written(frames[:6], dialect, random.Random(dialect))
        assert fed(data[place : place + 1] for place in range(len(data))) == frames[:6]
        for offset in range(len(data) + 1):
            assert fed([data[:offset], data[offset:]]) == frames[:6]


@pytest.mark.corpus
def test_every_gemini_stream_round_trips_as_an_array_in_random_chunks() -> None:
    for name, frames in streams("gemini"):
        chance = random.Random(name)
        data = json.dumps(frames, indent=chance.choice([None, 2]), ensure_ascii=chance.random() < 0.5).encode()
        assert fed(cut_at(data, sorted(chance.randrange(len(data)) for _ in range(200)))) == frames, name
