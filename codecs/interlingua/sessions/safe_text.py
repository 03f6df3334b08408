"""Text that any store can hold, and the text that it was.

Some characters stop a database or a file: NUL (PostgreSQL), halves of surrogate pairs (everything that is UTF-8), and
U+FFFE and U+FFFF (XML). `safe_text` writes them as an escape sign and four hexadecimal digits, and the sign itself in
the same way, so that `restore_text` gives back exactly what there was. The session store uses them where it must; they
are public for stores of other kinds.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from interlingua.json_types import is_list, is_object, is_text

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["ESCAPE", "restore_text", "safe_text"]

ESCAPE: Final = "\u241b"
"""The character that begins an escape: the symbol for the escape character, which hardly any text uses."""

_UNSAFE: Final = re.compile(f"[\\x00\\ud800-\\udfff\\ufffe\\uffff{ESCAPE}]")
_ESCAPED: Final = re.compile(f"{ESCAPE}([0-9a-f]{{4}})")


def safe_text(value: Any) -> Any:
    r"""Return a JSON value whose texts and member names can be stored anywhere; the input is not modified.

    Args:
        value: A JSON value.

    Example:
        >>> il.sessions.safe_text({"text": "plain"}), il.sessions.safe_text("half \ud83d").isascii()
        ({'text': 'plain'}, False)
    """
    return _mapped(value, lambda text: _UNSAFE.sub(lambda match: f"{ESCAPE}{ord(match[0]):04x}", text))


def restore_text(value: Any) -> Any:
    r"""Return the JSON value that was given to `safe_text`.

    Args:
        value: The stored JSON value.

    Example:
        >>> il.sessions.restore_text(il.sessions.safe_text("half \ud83d")) == "half \ud83d"
        True
    """
    return _mapped(value, lambda text: _ESCAPED.sub(lambda match: chr(int(match[1], 16)), text))


def _mapped(value: Any, change: Callable[[str], str]) -> Any:
    if is_text(value):
        return change(value)
    if is_object(value):
        return {_mapped(name, change): _mapped(member, change) for name, member in value.items()}
    if is_list(value):
        return [_mapped(item, change) for item in value]
    return value
