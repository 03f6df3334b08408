"""What the rules of all messages share: reading a JSON value of any shape, moments, base64, paths, parts."""

from __future__ import annotations

import re
from datetime import datetime
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from interlingua.json_types import is_list, is_object, is_text
from interlingua.pointers import pointer
from interlingua.violation import Violation
from interlingua_types._paths import PATH_PROBLEMS, normal_path, path_problem

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from interlingua.violation import MessageCode

__all__ = [
    "Json",
    "check_base64",
    "check_choice",
    "check_filled",
    "check_media_type",
    "check_parts",
    "check_path",
    "check_timestamps",
    "check_url",
    "is_empty",
    "member",
    "tag_path",
    "timestamp",
]

Json: TypeAlias = dict[str, Any]

_BASE64: Final = re.compile(r"[A-Za-z0-9+/_-]+={0,2}")
# A moment as RFC 3339 has it; what it says is read by `datetime`.
_TIMESTAMP: Final = re.compile(r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)", re.ASCII)
_MEDIA_TYPE: Final = re.compile(r"[\w!#$&^.+-]+/[\w!#$&^.+*-]+(?:\s*;.*)?", re.ASCII | re.DOTALL)
_URL: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[^\s\x00-\x1f]+")

_CARRIERS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "image": ("url", "data", "file_id"),
        "audio": ("url", "data", "file_id"),
        "file": ("url", "data", "file_id", "text", "content"),
    }
)
_PART_KINDS: Final = frozenset({"text", "opaque", "server_call", "server_result", *_CARRIERS})


def member(value: Any, name: str) -> Any:
    """Return a member of an object; None where it is absent, or the value is no object."""
    return value.get(name) if is_object(value) else None


def tag_path(value: Any, tag: str, path: str) -> str:
    """Return the path to the tag of an object, or to the value where it is none."""
    return path + pointer(tag) if is_object(value) else path


def check_choice(value: Any, choices: tuple[str, ...], path: str, code: MessageCode) -> Iterator[Violation]:
    """Judge a word that must be one of a few."""
    if value not in choices:
        yield Violation(code, path, f"must be one of: {', '.join(choices)}")


def check_filled(data: Any, name: str, path: str, code: MessageCode) -> Iterator[Violation]:
    """Judge a text that must say something; what is no text is left to the schema, what is absent is empty."""
    if member(data, name) in (None, ""):
        yield Violation(code, path + pointer(name), "must not be empty")


def check_base64(data: Any, name: str, path: str) -> Iterator[Violation]:
    """Judge data that is written in base64, of either alphabet."""
    value = member(data, name)
    if is_text(value) and (not _BASE64.fullmatch(value) or len(value.rstrip("=")) % 4 == 1):
        yield Violation("base64", path + pointer(name), "must be base64, and not empty")


def check_media_type(data: Any, name: str, path: str) -> Iterator[Violation]:
    """Judge a media type."""
    value = member(data, name)
    if is_text(value) and not _MEDIA_TYPE.fullmatch(value):
        yield Violation("media_type", path + pointer(name), "must be a media type, such as `text/plain`")


def check_url(data: Any, name: str, path: str, code: MessageCode = "url") -> Iterator[Violation]:
    """Judge an address, which names its scheme."""
    value = member(data, name)
    if is_text(value) and not _URL.fullmatch(value):
        yield Violation(code, path + pointer(name), "must be a URL with its scheme, without white space")


def check_path(data: Any, path: str) -> Iterator[Violation]:
    """Judge the path of a file: it is sound, and in its normal form (TYPE-9.2.1, 3, 4)."""
    value = member(data, "path")
    where = path + "/path"
    if value is None:
        yield Violation("empty_path", where, PATH_PROBLEMS["empty_path"])
    elif is_text(value):
        problem = path_problem(value)
        if problem is not None:
            yield Violation(problem, where, PATH_PROBLEMS[problem])
        elif normal_path(value) != value:
            yield Violation("not_normalized", where, "the path must be without empty names, `.` and a slash at its end")


def timestamp(text: Any) -> datetime | None:
    """Return the moment that a text names, or None where it names none, or says no time zone."""
    if not is_text(text) or not _TIMESTAMP.fullmatch(text):
        return None
    try:
        return datetime.fromisoformat(text.upper())
    except ValueError:
        return None


def check_timestamps(holder: Any, names: tuple[str, ...], path: str) -> Iterator[Violation]:
    """Judge the members of an object that are moments."""
    for name in names:
        text = member(holder, name)
        if is_text(text) and timestamp(text) is None:
            yield Violation(
                "timestamp", path + pointer(name), "must be a date and time with a time zone, as in RFC 3339"
            )


def is_empty(content: Any) -> bool:
    """Tell whether content says nothing: it is absent, or all of it is text without a character."""
    if is_list(content):
        return all(member(part, "type") == "text" and member(part, "text") == "" for part in content)
    return content is None or content == ""


def check_parts(content: Any, path: str, *, allow_empty: bool) -> Iterator[Violation]:
    """Judge the parts of content one by one (TYPE-9.1.3), those inside of files included."""
    waiting = [(content, path)]
    while waiting:
        parts, at = waiting.pop()
        for index, part in enumerate(parts if is_list(parts) else ()):
            where = at + pointer(index)
            yield from _check_part(part, where, allow_empty=allow_empty)
            waiting.append((member(part, "content"), where + "/content"))


def _check_part(part: Any, path: str, *, allow_empty: bool) -> Iterator[Violation]:
    kind = member(part, "type")
    if not is_text(kind) or kind not in _PART_KINDS:
        yield Violation(
            "unknown_part", tag_path(part, "type", path), f"must be a part, one of: {', '.join(sorted(_PART_KINDS))}"
        )
        return
    if kind == "text" and part.get("text") == "" and not allow_empty:
        yield Violation("empty_part", path + "/text", "must not be empty")
    carriers = _CARRIERS.get(kind, ())
    if carriers and sum(part.get(name) is not None for name in carriers) != 1:
        yield Violation("part_source", path, f"must have exactly one of: {', '.join(carriers)}")
    if carriers:
        yield from check_base64(part, "data", path)
        yield from check_url(part, "url", path)
        yield from check_media_type(part, "format", path)
