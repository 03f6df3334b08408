"""Paths of file references: text that names one file, the same one on every system.

A path is names joined by `/`. One that begins with `/` is absolute, any other is relative to the workspace. It is taken
literally: nothing in it is decoded, expanded or folded, so `%2e`, `~`, `$HOME` and fullwidth dots are plain characters.
No file system is asked here. No error repeats a path.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from interlingua_types._base import InvalidArgumentError
from interlingua_types._checks import check_text

PathProblem: TypeAlias = Literal[
    "empty_path",  # empty, or only whitespace
    "nul",  # a NUL, at which other programs stop reading
    "control_character",  # characters that a terminal or an editor interprets or hides
    "path_too_long",
    "traversal",  # a step upwards
    "not_portable",  # another file, a device or a stream on Windows
]

PATH_PROBLEMS: Final[Mapping[PathProblem, str]] = MappingProxyType(
    {
        "empty_path": "the path must not be empty",
        "nul": "the path must not contain NUL",
        "control_character": "the path must not contain control characters, nor marks that turn the direction of text",
        "path_too_long": "the path must have at most 4096 bytes, and each of its names at most 255",
        "traversal": "the path must not step upwards by `..`",
        "not_portable": "the path must be names joined by `/`, none of them with a meaning of its own on Windows",
    }
)
"""Why a path is refused, in words for people."""

_PATH_BYTES: Final = 4096
_NAME_BYTES: Final = 255
# Control characters, the ends of lines and paragraphs, what turns the direction of text, and halves of characters.
_CONTROL: Final = re.compile("[\x01-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_SEPARATOR: Final = re.compile(r"[/\\]")
# Devices on Windows, whatever follows the first dot.
_DEVICE: Final = re.compile("(?:con|prn|aux|nul|conin\\$|conout\\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3])", re.IGNORECASE)


def path_problem(path: str) -> PathProblem | None:
    """Return why a path is not a valid reference to a file, or None if it is valid."""
    problem: PathProblem | None = None
    if not path or path.isspace():
        problem = "empty_path"
    elif "\0" in path:
        problem = "nul"
    elif _CONTROL.search(path):
        problem = "control_character"
    elif _is_too_long(path):
        problem = "path_too_long"
    elif ".." in _SEPARATOR.split(path):
        problem = "traversal"
    elif "\\" in path or ":" in path or path.startswith("//") or any(map(_is_special, path.split("/"))):
        problem = "not_portable"
    return problem


def normal_path(path: str) -> str:
    """Return a valid path without empty names, `.` and a trailing slash; the workspace itself is `.`."""
    names = [name for name in path.split("/") if name not in {"", "."}]
    return "/" * path.startswith("/") + "/".join(names) or "."


def checked_path(path: object) -> str:
    """Return a path in normal form after checking it.

    Raises:
        InvalidArgumentError: it is no text, or names no file that may be referred to.
    """
    text = check_text(path, "path", may_be_empty=True)
    problem = path_problem(text)
    if problem is not None:
        raise InvalidArgumentError(PATH_PROBLEMS[problem])
    return normal_path(text)


def check_lines(start_line: object, end_line: object) -> None:
    """Check a range of lines: both ends are numbered from 1, included and optional.

    Raises:
        InvalidArgumentError: an end is no number from 1, or the range ends before it begins.
    """
    for line in (start_line, end_line):
        if line is not None and not _is_line(line):
            raise InvalidArgumentError("lines must be whole numbers from 1")
    if isinstance(start_line, int) and isinstance(end_line, int) and end_line < start_line:
        raise InvalidArgumentError("end_line must not be before start_line")


def _is_line(line: object) -> bool:
    return isinstance(line, int) and not isinstance(line, bool) and line >= 1


def _is_too_long(path: str) -> bool:
    """Tell whether a path, or a name in it, has more bytes than file systems allow."""
    return len(path) > _PATH_BYTES or any(
        len(text.encode()) > limit
        for text, limit in ((path, _PATH_BYTES), *((name, _NAME_BYTES) for name in path.split("/")))
    )


def _is_special(name: str) -> bool:
    """Tell whether Windows reads a name as another one: it drops trailing dots and spaces, and has device names."""
    if name in {"", "."}:
        return False
    return name[-1] in ". " or _DEVICE.fullmatch(name.partition(".")[0].rstrip(" ")) is not None
