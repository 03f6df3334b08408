r"""File mentions in what people write: `@src/main.py`, `@src/main.py:10-20`, `@"my notes.txt"`.

    mention = "@" ( quoted | bare ) [ ":" first [ "-" last ] ]
    quoted  = '"' characters but '"' and control characters '"'
    bare    = letters, digits and . / _ - + ~ # $ % & = ^ \ , without dots at its end

An `@` behind a letter, a digit, a quotation mark or one of `. _ - + / @ \` begins none: that is an e-mail address, an
account, a package. A bare one must look like a file: its last name has a suffix with a letter in it, or is one of the
names that files without a suffix go by (`Makefile`), or it begins with `/`, `./`, `../` or `~/`, or lines follow.
Followed by `(` it is a decorator and followed by `@` an account. Decorators above a definition are none, nor is
anything in code between backticks or in a fenced block. What is quoted is always a mention.
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

# What is bare is taken whole or not at all: giving back its last letters would make `@app.rout` of `@app.route(...)`.
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
# Of Python, by the line's beginning; of other languages, by its end as well, because their words begin sentences too.
_PYTHON: Final = re.compile(r"\s*(?:(?:async )?def \w+\s*\(|class \w+\s*[:(])")
_DEFINITION: Final = re.compile(
    r"\s*(?: (?:\w+[ ])*? (?:class|interface|function|enum|record|fn)[ ]\w | (?:public|private|protected)[ ]\w )",
    re.VERBOSE,
)
_OPENERS: Final = ("{", "(", ";")


def find_mentions(text: str, *, role: str | None = None) -> tuple[FileReferenceMessage, ...]:
    """Return a message for each file that a text mentions, in order; a file mentioned twice alike is one message.

    The messages are pending. A mention that may not be resolved (a step upwards, lines that are none) is not passed
    over: its message has failed, and says why. The text itself stays what it is.

    Args:
        text: What somebody wrote.
        role: Who says it, as a word of `MessageRole`; None where nobody does.

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
    """Return the message of a mention; one line alone is a range of one line."""
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
    """Return the number of a line; one beyond every file is 0, which no line has."""
    if digits is None:
        return None
    return int(digits) if len(digits) <= _LINE_DIGITS else 0


def _without_code(text: str) -> str:
    """Return a text of the same length with blanks for code: fenced blocks, what is between backticks, decorators."""
    lines = text.splitlines(keepends=True)
    lines = list(_without_fences(lines))
    lines = [_without_inline_code(line) if "`" in line else line for line in lines]
    return "".join(reversed(list(_without_decorators(reversed(lines)))))


def _without_fences(lines: list[str]) -> Iterator[str]:
    """Yield the lines with blanks for fenced blocks; a block that is not closed goes to the end, as in Markdown."""
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
    """Return a line with blanks for what is between as many backticks as before it, as in Markdown."""
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
    """Yield the lines, last one first, with blanks for the decorators above a definition."""
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
