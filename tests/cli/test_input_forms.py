"""One body over several lines, or one body a line: told by content, from a file and from standard input alike."""

import io
import itertools
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interlingua.cli.reading import Document, Reader, Unreadable
from support.program import AT_HOME, TO_CLAUDE, body, run

PRETTY = json.dumps(json.loads(body()), indent=2).encode()
ONE = json.loads(body())


@pytest.mark.parametrize("from_file", [True, False], ids=["file", "standard input"])
@pytest.mark.parametrize(
    ("content", "count"),
    [
        (body(), 1),
        (body().rstrip(), 1),
        (PRETTY, 1),
        (PRETTY.replace(b"\n", b"\r\n"), 1),
        (b"\n\n" + PRETTY + b"\n\n", 1),
        (body() * 3, 3),
        (body().replace(b"\n", b"\r\n") * 2, 2),
        (b"\n" + body() + b"\n  \n" + body(), 2),
    ],
    ids=["line", "no line end", "pretty", "pretty CRLF", "blank around", "lines", "lines CRLF", "blank between"],
)
def test_the_input_format_is_detected_by_content(content: bytes, count: int, from_file: bool, tmp_path: Path) -> None:
    path = tmp_path / "input"
    path.write_bytes(content)
    done = run(*AT_HOME, path) if from_file else run(*AT_HOME, "-", stdin=content)
    assert (done.code, done.err, done.bodies) == (0, "", [ONE] * count)


def test_a_body_is_identified_by_the_line_where_it_begins() -> None:
    done = run(*TO_CLAUDE, "-", stdin=b"\n" + body() + b"\n" + body())
    assert [row[0] for row in done.rows] == ["2", "4"]


def test_a_broken_line_does_not_stop_the_others() -> None:
    done = run(*AT_HOME, "-", stdin=body() + b'{"model":\n[]\n{"model":"m"}\n' + body())
    assert (done.code, done.bodies) == (3, [ONE, ONE])
    assert [finding.split(": ")[1] for finding in done.findings] == ["<stdin>:2", "<stdin>:3", "<stdin>:4"]


def test_a_broken_first_line_does_not_stop_the_others() -> None:
    done = run(*AT_HOME, "-", stdin=b'{"model":\n' + body() + body())
    assert (done.code, done.bodies) == (3, [ONE, ONE])
    assert len(done.findings) == 1


def test_a_broken_body_over_several_lines_is_one_finding_at_its_first_line() -> None:
    done = run(*AT_HOME, "-", stdin=PRETTY.replace(b'"m"', b"m"))
    assert (done.code, done.out) == (3, b"")
    assert [finding.split(": ")[1] for finding in done.findings] == ["<stdin>:2"]


def test_an_array_is_not_a_body() -> None:
    done = run(*AT_HOME, "-", stdin=b"[" + body().strip() + b"]")
    assert (done.code, done.out, len(done.findings)) == (3, b"", 1)


def test_lines_are_processed_before_the_input_ends() -> None:
    class Endless(io.RawIOBase):
        def readable(self) -> bool:
            return True

        def readinto(self, buffer: bytearray) -> int:  # type: ignore[override]
            line = body()
            buffer[: len(line)] = line
            return len(line)

    reader = Reader(io.BufferedReader(Endless()), max_bytes=1000)
    found = list(itertools.islice(reader.documents(), 1000))
    assert found == [Document(number, ONE) for number in range(1, 1001)]


def test_a_line_beyond_the_limit_is_skipped_and_the_others_go_on() -> None:
    long_line = b'{"a":"' + b"x" * 100_000 + b'"}\n'
    reader = Reader(io.BytesIO(body() + long_line + body()), max_bytes=200)
    first, second, third = reader.documents()
    assert (first, third) == (Document(1, ONE), Document(3, ONE))
    assert isinstance(second, Unreadable)
    assert second.line == 2
    assert reader.position == 2 * len(body()) + len(long_line)


@pytest.mark.parametrize("content", [b"x" * 1000, b"{\n" * 500, b"{\n" + b"x" * 1000])
def test_a_document_beyond_the_limit_is_one_finding(content: bytes) -> None:
    (found,) = Reader(io.BytesIO(content), max_bytes=100).documents()
    assert isinstance(found, Unreadable)
    assert (found.line, "100" in found.reason) == (1, True)


def test_broken_lines_beyond_the_limit_are_still_lines() -> None:
    found = list(Reader(io.BytesIO(b'{"a":\n' + body() * 100), max_bytes=200).documents())
    assert isinstance(found[0], Unreadable)
    assert found[1:] == [Document(number, ONE) for number in range(2, 102)]


@given(st.binary(max_size=60) | st.lists(st.sampled_from([*body(), *b'{}[]",:\n\\\xff']), max_size=60).map(bytes))
def test_any_bytes_are_documents_or_findings_of_one_line(content: bytes) -> None:
    found = list(Reader(io.BytesIO(content), max_bytes=40).documents())
    assert found
    for one in found:
        assert one.line >= 1
        assert isinstance(one, Document) or one.reason.isprintable()


@given(
    st.lists(st.recursive(st.integers() | st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)))
)
def test_json_lines_are_read_by_content(values: list[object]) -> None:
    content = "".join(json.dumps(value, ensure_ascii=False) + "\n" for value in [{}, *values])
    found = list(Reader(io.BytesIO(content.encode())).documents())
    assert found == [Document(line, value) for line, value in enumerate([{}, *values], start=1)]
