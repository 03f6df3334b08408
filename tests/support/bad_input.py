"""Bad input of every kind, and how the command line reports it: for the page docs/bad_input.md, and for tests."""

from __future__ import annotations

import gzip
import json
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from support.program import COMMAND, SECONDS, body, environment, run

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

SAID: Final = "tell nobody"
"""Content of the bodies, which no message may repeat."""
_TRANSLATE: Final = ("translate", "--to", "claude")
_ANSWER: Final = json.dumps(
    {"type": "message", "role": "assistant", "model": "m", "content": [{"type": "text", "text": SAID}],
     "stop_reason": "end_turn", "usage": {"input_tokens": 1, "output_tokens": 1}}
).encode()  # fmt: skip
_ERROR: Final = json.dumps({"type": "error", "error": {"type": "overloaded_error", "message": SAID}}).encode()
_GOOD: Final = body(SAID)


@dataclass(frozen=True)
class Case:
    """A kind of bad input: the arguments of the command, and its input files by name."""

    command: tuple[str, ...]
    files: Mapping[str, bytes | None]
    """The content of each file; None for a folder, empty for an existing file."""
    named: tuple[str, ...] = ("input.json",)
    is_taken: bool = False
    """Whether the input is accepted."""
    reader_leaves: bool = False


def _translated(content: bytes, *, is_taken: bool = False) -> Case:
    return Case(_TRANSLATE, {"input.json": content}, is_taken=is_taken)


CASES: Final[Mapping[str, Case]] = {
    "an empty file": _translated(b""),
    "only white space": _translated(b" \n\t\n"),
    "truncated JSON": _translated(_GOOD[:-5]),
    "text that is not JSON": _translated(SAID.encode()),
    "a binary file": _translated(b"\x89PNG\r\n\x1a\n" + bytes(range(256))),
    "gzip": _translated(gzip.compress(_GOOD, mtime=0)),
    "UTF-16": _translated(_GOOD.decode().encode("utf-16")),
    "bytes that are not UTF-8": _translated(_GOOD.replace(b"nobody", b"nobody\xff")),
    "a byte order mark at the beginning": _translated(b"\xef\xbb\xbf" + _GOOD, is_taken=True),
    "a byte order mark in the middle": _translated(_GOOD + b"\xef\xbb\xbf" + _GOOD),
    "a response instead of a request": _translated(_ANSWER),
    "an error instead of a request": _translated(_ERROR),
    "a response for `check`": Case(("check",), {"input.json": _ANSWER}),
    "a stream instead of bodies": _translated(b"event: ping\ndata: {}\n\n"),
    "a stream for `check`": Case(("check",), {"input.sse": b"data: {}\n\n"}, ("input.sse",)),
    "a request instead of stored messages": Case(("upgrade",), {"input.json": _GOOD}),
    "a body of another dialect": Case((*_TRANSLATE, "--from", "gemini"), {"input.json": _GOOD}),
    "a body of an unknown dialect": _translated(b'{"greeting": "hello"}'),
    "not a JSON object": _translated(b"5"),
    "not a stored message": Case(("upgrade",), {"input.json": b'{"schema_version": 3, "type": "text"}'}),
    "a document above `--max-bytes`": Case((*_TRANSLATE, "--max-bytes", "20"), {"input.json": _GOOD}),
    "1,000 levels of nesting": _translated(_GOOD.rstrip()[:-1] + b',"x":' + b"[" * 999 + b"]" * 999 + b"}"),
    "NaN": _translated(_GOOD.replace(b'"m"', b"NaN")),
    "a number beyond the range": _translated(_GOOD.replace(b'"m"', b"1e999")),
    "half a surrogate pair": _translated(_GOOD.replace(b"nobody", b"nobody\\ud800")),
    "a duplicate member name": _translated(_GOOD.rstrip()[:-1] + b',"model": "n"}', is_taken=True),
    "one invalid line of many": Case(_TRANSLATE, {"input.jsonl": _GOOD + b'{"model": \n' + _GOOD}, ("input.jsonl",)),
    "a truncated frame in a stream": Case(
        (*_TRANSLATE, "--kind", "stream"), {"input.sse": b'data: {"choices": [\n\n'}, ("input.sse",)
    ),
    "a folder without logs": Case(_TRANSLATE, {"logs": None}, ("logs",)),
    "a missing file": Case(_TRANSLATE, {}, ("missing.json",)),
    "a missing file and an existing one": Case(_TRANSLATE, {"input.json": _GOOD}, ("missing.json", "input.json")),
    "an unknown dialect": Case(("translate", "--to", "clade"), {"input.json": _GOOD}),
    "an unknown model family": Case((*_TRANSLATE, "--profile", "parrot"), {"input.json": _GOOD}),
    "a loss with `--strict`": Case((*_TRANSLATE, "--strict"), {"input.json": body(SAID, seed=7)}),
    "a reader that closes the pipe": Case(
        _TRANSLATE, {"input.jsonl": _GOOD * 20_000}, ("input.jsonl",), is_taken=True, reader_leaves=True
    ),
}


@dataclass(frozen=True)
class Answer:
    """How the command line responded: its exit code, and the findings on standard error."""

    code: int
    lines: tuple[str, ...]
    bodies: int


def answer_of(case: Case, folder: Path) -> Answer:
    """Run a case in a folder; the output does not show which one."""
    for name, content in case.files.items():
        if content is None:
            (folder / name).mkdir()
        else:
            (folder / name).write_bytes(content)
    words = [*case.command, *(str(folder / name) for name in case.named)]
    code, out, err = _left(words) if case.reader_leaves else _read(words)
    told = err.replace(f"{folder}/", "")
    told = " ".join(told.split()) if code == 2 and "Usage:" in told else told
    lines = tuple(line for line in told.splitlines() if line.startswith(("interlingua: ", "Usage:")))
    return Answer(code, lines, out.count(b"\n"))


def _read(words: list[str]) -> tuple[int, bytes, str]:
    done = run(*words)
    return done.code, done.out, done.err


def _left(words: list[str]) -> tuple[int, bytes, str]:
    """Run with a reader that closes the pipe before the first line."""
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "env": environment()}
    with subprocess.Popen([*COMMAND, *words, "--quiet"], **options) as process:  # type: ignore[call-overload]
        process.stdout.close()
        err = process.stderr.read()
        return process.wait(SECONDS), b"", err.decode()


def rows(answers: Mapping[str, Answer]) -> Iterator[str]:
    """Yield the rows of the page."""
    for name, case in CASES.items():
        answer = answers[name]
        command = " ".join(["interlingua", *case.command, *case.named])
        said = "<br>".join(_shown(line) for line in answer.lines) or "none: it is accepted"
        yield f"| {name} | `{command}` | {answer.code} | {said} |"


def _shown(line: str) -> str:
    text = line.removeprefix("interlingua: ").replace("|", "\\|").replace("`", "'")
    return f"`{text}`"
