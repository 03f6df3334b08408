"""Parses untrusted JSON strictly: exact integers, bounded depth, and error messages without content."""

from __future__ import annotations

import json
import re
import sys
from typing import Any, Final, cast

import orjson

__all__ = [
    "BYTE_ORDER_MARK",
    "LARGEST_INTEGER",
    "MAX_BYTES",
    "MAX_DEPTH",
    "RefusedError",
    "compact",
    "explained",
    "is_deep",
    "may_hold_beyond",
    "parse",
]

# The largest request that Claude accepts. A larger body is more likely a mistake or an attack than a conversation.
MAX_BYTES: Final = 32 * 1024 * 1024
# Real bodies nest less than 50 deep. orjson, Pydantic and every supported Python can write this depth.
MAX_DEPTH: Final = 250
# JSON parsers read a larger number as infinity, and refuse it.
LARGEST_INTEGER: Final = int(sys.float_info.max)
BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"

# orjson turns an integer beyond 64 bits into a float. The smallest has 19 digits; digits after a point do not matter.
_LONG_INTEGER: Final = re.compile(rb"(?<![.\d])\d{19}")
# A check for 19 digits anywhere comes first; it takes a tenth of the time.
_ALL_ZEROS: Final = bytes.maketrans(b"123456789", b"000000000")
_LONG_ZEROS: Final = b"0" * 19
_BEYOND_ZEROS: Final = b"0" * len(str(LARGEST_INTEGER))
_NO_NUMBERS: Final = ("NaN", "Infinity", "-Infinity")
_TOO_DEEP: Final = f"nested deeper than {MAX_DEPTH} levels"


class RefusedError(ValueError):
    """Bytes that are not JSON, or exceed a limit: the reason, without content, and the line and column from 1.

    `detail` is the reason without the words "not JSON", for messages that already say so.
    """

    def __init__(self, detail: str, line: int = 1, column: int = 1, *, is_json: bool = False) -> None:
        self.detail = detail
        self.reason = detail if is_json else f"not JSON: {detail}"
        self.line = line
        self.column = column
        super().__init__(detail, line, column)

    def __str__(self) -> str:
        """Return the reason."""
        return self.reason


def parse(data: bytes) -> Any:
    """Return the JSON value of the bytes; integers are exact, and the last of duplicate members wins.

    A number beyond the largest double is refused: any integer of up to 308 digits is accepted.

    Raises:
        RefusedError: the bytes are not JSON in UTF-8, or nest deeper than `MAX_DEPTH`.
    """
    try:
        value = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise explained(data, error) from None
    # Each level takes two bytes.
    if len(data) > 2 * MAX_DEPTH and data.count(b"[") + data.count(b"{") > MAX_DEPTH and is_deep(value):
        raise RefusedError(_TOO_DEEP, is_json=True)
    if _LONG_ZEROS in data.translate(_ALL_ZEROS) and _LONG_INTEGER.search(data):
        return json.loads(data)
    return value


def may_hold_beyond(data: bytes) -> bool:
    """Tell, by a quick check of digits, whether JSON text may hold an integer beyond `LARGEST_INTEGER`."""
    return len(data) > len(_BEYOND_ZEROS) and _BEYOND_ZEROS in data.translate(_ALL_ZEROS)


def compact(value: Any) -> bytes:
    """Return a JSON value as compact UTF-8, with integers of any size.

    Raises:
        RecursionError: it nests too deeply.
    """
    try:
        return orjson.dumps(value)
    except orjson.JSONEncodeError:
        # orjson refuses integers beyond 64 bits and nesting that the standard encoder accepts.
        return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()


def is_deep(value: Any) -> bool:
    """Tell whether a value nests deeper than `MAX_DEPTH`, without recursion."""
    level = [cast("Any", [value])]
    for _ in range(MAX_DEPTH + 1):
        level = [
            child
            for node in level
            for child in (node.values() if type(node) is dict else node)
            if type(child) is dict or type(child) is list
        ]
        if not level:
            return False
    return True


def explained(data: str | bytes, error: orjson.JSONDecodeError) -> RefusedError:
    """Return a helpful error for input that orjson refuses."""
    is_marked = data.startswith(BYTE_ORDER_MARK) if isinstance(data, bytes) else data.startswith("\ufeff")
    if is_marked:
        return RefusedError("it begins with a byte order mark; save it as UTF-8 without one")
    try:
        text = data.decode("utf-8") if isinstance(data, bytes) else data
    except UnicodeDecodeError as undecodable:
        before = undecodable.object[: undecodable.start]
        column = len(before) - before.rfind(b"\n")
        return RefusedError("the bytes are not UTF-8", before.count(b"\n") + 1, column)
    if error.msg == "depth limit exceeded":
        return RefusedError(_TOO_DEEP, is_json=True)
    if text.startswith(_NO_NUMBERS, error.pos):
        return RefusedError("JSON has no NaN and no Infinity", error.lineno, error.colno)
    return RefusedError(error.msg, error.lineno, error.colno)
