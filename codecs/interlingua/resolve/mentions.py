r"""Finds file mentions in text: `@src/main.py`, `@src/main.py:10-20`, `@"my notes.txt"`.

    mention = "@" ( quoted | bare ) [ ":" first [ "-" last ] ]
    quoted  = '"' characters but '"' and control characters '"'
    bare    = letters, digits and . / _ - + ~ # $ % & = ^ \ , without dots at its end

An `@` after a letter, a digit, a quotation mark or one of `. _ - + / @ \` does not begin a mention: it is part of an
e-mail address, an account or a package. A bare mention must look like a file: its last name has a suffix with a letter,
or is a known name without a suffix (`Makefile`), or it begins with `/`, `./`, `../` or `~/`, or a line range follows.
Followed by `(` it is a decorator, and followed by `@` an account. Decorators above a definition are not mentions, nor
is anything in inline code or a fenced code block. A quoted path is always a mention.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from interlingua.model import FileReferenceMessage
from interlingua.resolve.file_codes import FILE_CODES
from interlingua_types._base import InvalidArgumentError
from interlingua_types._checks import check_text
from interlingua_types._paths import check_lines, path_problem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from interlingua.resolve.file_codes import FileCode

__all__ = ["find_mentions"]

# A bare path matches as a whole or not at all: backtracking would find `@app.rout` in `@app.route(...)`.
_MENTION: Final = re.compile(
    r"""(?<![A-Za-z0-9_.+\-/@\\"'`])@
        (?: "(?P<quoted>[^"\x00-\x1f\ud800-\udfff]+)" | (?P<bare>(?>[\w./\\~#$%&=^+-]*[\w/\\~#$%&=^+-])) )
        (?: :(?P<first>[0-9]+) (?:-(?P<last>[0-9]+))? (?!\w) )?
        (?![@(])""",
    re.VERBOSE,
)
_PATH_PREFIXES: Final = ("/", "./", "../", "~/")
_WITHOUT_SUFFIX: Final = frozenset(
    {
        "dockerfile",
        "gemfile",
        "justfile",
        "license",
        "makefile",
        "notice",
        "procfile",
        "rakefile",
        "readme",
        "vagrantfile",
    }
)
_LINE_DIGITS: Final = 9

_BACKTICKS: Final = re.compile(r"`+")
_FENCE: Final = re.compile(r" {0,3}(`{3,}|~{3,})")
_DECORATOR: Final = re.compile(r"[ \t]*@[\w.]+\s*(?:\(|$)")
# Definitions in Python by the line's start; in other languages also by its end, since their keywords begin sentences.
_PYTHON: Final = re.compile(r"\s*(?:(?:async )?def \w+\s*\(|class \w+\s*[:(])")
_DEFINITION: Final = re.compile(
    r"\s*(?: (?:\w+[ ])*? (?:class|interface|function|enum|record|fn)[ ]\w | (?:public|private|protected)[ ]\w )",
    re.VERBOSE,
)
_OPENERS: Final = ("{", "(", ";")


def find_mentions(text: str, *, role: str | None = None) -> tuple[FileReferenceMessage, ...]:
    """Return a file reference for each file that a text mentions, in order, without duplicates.

    The references are pending. A mention that cannot be resolved (a path with `..`, an invalid line range) is not
    skipped: its message has failed, with the reason.

    Args:
        text: The text.
        role: The author's role, a word of `MessageRole`, or None.

    Raises:
        pydantic.ValidationError: there is no such role.

    Example:
        >>> [one.data.path for one in il.find_mentions("Look at @src/main.py.")]
        ['src/main.py']
    """
    found: dict[tuple[str, str | None, str | None], FileReferenceMessage] = {}
    for match in _MENTION.finditer(_without_code(check_text(text, "text", may_be_empty=True))):
        path, first, last = match["quoted"] or match["bare"], match["first"], match["last"]
        if match["quoted"] is None and first is None and not _looks_like_file(path):
            continue
        if (path, first, last) not in found:
            found[path, first, last] = _message(path, first, last, role)
    return tuple(found.values())


def _looks_like_file(path: str) -> bool:
    name = path.rpartition("/")[2]
    _, dot, suffix = name.rpartition(".")
    has_suffix = bool(dot) and suffix.replace("_", "").isalnum() and any(map(str.isalpha, suffix))
    return has_suffix or path.startswith(_PATH_PREFIXES) or name.lower() in _WITHOUT_SUFFIX


def _message(path: str, first: str | None, last: str | None, role: str | None) -> FileReferenceMessage:
    """Return the message for a mention; a single line number is a range of one line."""
    problem: FileCode | None = path_problem(path)
    start, end = _line(first), _line(last or first)
    if problem is None:
        try:
            check_lines(start, end)
            return FileReferenceMessage.create(path, start, end, role)
        except InvalidArgumentError:
            problem = "bad_range"
    error = {"code": problem, "message": FILE_CODES[problem].reason, "retryable": FILE_CODES[problem].retryable}
    data = {"path": path, "role": role, "status": "failed", "error": error}
    lines = {"start_line": start or None, "end_line": end or None}
    return FileReferenceMessage.model_validate({**FileReferenceMessage.constant_members, "data": data | lines})


def _line(digits: str | None) -> int | None:
    """Return a line number; one that is too large becomes 0, which is invalid."""
    if digits is None:
        return None
    return int(digits) if len(digits) <= _LINE_DIGITS else 0


def _without_code(text: str) -> str:
    """Return a text of the same length with code blanked out: fenced blocks, inline code, decorators."""
    lines = text.splitlines(keepends=True)
    lines = list(_without_fences(lines))
    lines = [_without_inline_code(line) if "`" in line else line for line in lines]
    return "".join(reversed(list(_without_decorators(reversed(lines)))))


def _without_fences(lines: list[str]) -> Iterator[str]:
    """Yield the lines with fenced blocks blanked out; an unclosed block extends to the end, as in Markdown."""
    fence = ""
    for line in lines:
        match = _FENCE.match(line)
        if fence:
            is_end = match is not None and match[1].startswith(fence) and not line[match.end() :].strip()
            fence = "" if is_end else fence
            yield " " * len(line)
        elif match is not None:
            fence = match[1]
            yield " " * len(line)
        else:
            yield line


def _without_inline_code(line: str) -> str:
    """Return a line with inline code blanked out, which is delimited by equal runs of backticks, as in Markdown."""
    runs = [match.span() for match in _BACKTICKS.finditer(line)]
    same: dict[int, list[int]] = {}  # the runs of each length, the last one first
    for at, (start, end) in reversed([*enumerate(runs)]):
        same.setdefault(end - start, []).append(at)
    kept: list[str] = []
    begin = at = 0
    while at < len(runs):
        start, end = runs[at]
        closing = same[end - start]
        while closing and closing[-1] <= at:
            closing.pop()
        if closing:
            at = closing.pop()
            kept += [line[begin:start], " " * (runs[at][1] - start)]
            begin = runs[at][1]
        at += 1
    return "".join([*kept, line[begin:]])


def _without_decorators(lines: Iterator[str]) -> Iterator[str]:
    """Yield the lines, last one first, with the decorators above definitions blanked out."""
    is_definition = False
    for line in lines:
        if is_definition and _DECORATOR.match(line):
            yield " " * len(line)
        else:
            is_definition = _defines(line)
            yield line


def _defines(line: str) -> bool:
    """Tell whether a line begins a definition."""
    return bool(_PYTHON.match(line) or (line.rstrip().endswith(_OPENERS) and _DEFINITION.match(line)))
