"""What a Python value holds that JSON text in UTF-8 cannot: half a surrogate pair, NaN, infinity, too many levels.

Such a value cannot be sent, and a history that holds one is stuck for ever (PAIN.md VAL-1, VAL-2, SEC-5).
"""

# A value is any; narrowing it to dict or list leaves its members unknown, which is the truth about them.
# pyright: reportUnknownMemberType=none, reportUnknownArgumentType=none, reportUnknownVariableType=none
from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, cast

import orjson

from interlingua.loss import pointer
from interlingua.strict_json import MAX_DEPTH

__all__ = ["REPLACEMENT", "is_writable", "mended_text", "mended_texts", "unwritable"]

REPLACEMENT: Final = "\ufffd"
"""What stands for half a surrogate pair: the replacement character of Unicode."""

_HALF: Final = re.compile("[\ud800-\udfff]")
_PAIR: Final = "a text holds half a surrogate pair"
_NUMBER: Final = "a number is none that JSON has"
_DEEP: Final = f"nested deeper than {MAX_DEPTH} levels"


def is_writable(value: Any) -> bool:
    """Tell whether a quick look finds that a value can be written; a value of which it is not sure is looked at."""
    try:
        written = orjson.dumps(value)
    except TypeError:
        return False
    # NaN and infinity are written as null without a word; a null is worth a second look.
    return b"null" not in written


def unwritable(value: Any) -> Iterator[tuple[str, str]]:
    """Yield what cannot be written, as JSON Pointer and reason. Below what is nested too deeply nobody looks.

    Whole numbers of any length, dates and other values that have some JSON form are not judged here.
    """
    if is_writable(value):
        return
    waiting: list[tuple[Any, tuple[Any, ...]]] = [(value, ())]
    while waiting:
        found, path = waiting.pop()
        if isinstance(found, str):
            if _HALF.search(found):
                yield _where(path), _PAIR
        elif isinstance(found, float):
            if not math.isfinite(found):
                yield _where(path), _NUMBER
        elif isinstance(found, (Mapping, list, tuple)):
            if len(path) >= MAX_DEPTH:
                yield _where(path), _DEEP
                continue
            holder: Any = found
            items = holder.items() if isinstance(holder, Mapping) else enumerate(holder)
            for step, member in reversed(list(items)):
                if isinstance(step, str) and _HALF.search(step):
                    yield _where(path), f"a name: {_PAIR}"
                else:
                    waiting.append((member, (*path, step)))


def mended_text(text: str) -> str:
    """Return a text with each half of a surrogate pair replaced; itself where there is none."""
    return _HALF.sub(REPLACEMENT, text) if _HALF.search(text) else text


def mended_texts(value: Any) -> Any:
    """Return a plain value with the same done to all its texts and names; what has nothing to mend is shared."""
    if isinstance(value, str):
        return mended_text(value)
    if isinstance(value, dict):
        members = cast("dict[str, Any]", value)
        return {mended_text(name): mended_texts(member) for name, member in members.items()}
    if isinstance(value, list):
        return [mended_texts(member) for member in value]
    return value


def _where(path: tuple[Any, ...]) -> str:
    return pointer(*path)
