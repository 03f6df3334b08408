"""Token counters for text: the protocol, and a heuristic that needs no vocabulary."""

from __future__ import annotations

import math
import re
import string
from typing import Final, Protocol

from interlingua_types._checks import check_text

__all__ = ["HeuristicCounter", "TokenCounter"]


class TokenCounter(Protocol):
    """Counts the tokens of a text, as one model's tokenizer or as an estimate.

    Example:
        >>> class Words:
        ...     def count(self, text):
        ...         return len(text.split())
        >>> il.context.MessageCounter(Words()).count_message(il.messages.user("What is the weather?"))
        8
    """

    def count(self, text: str) -> int:
        """Return the number of tokens of a text: 0 for an empty one, never negative."""
        ...


_FOREIGN: Final = re.compile(r"[^\x00-\x7f]+")
_DATA: Final = re.compile(r"[A-Za-z0-9+/_=-]{40,}")
_DIGIT: Final = re.compile(r"[0-9]")
_IDEOGRAPHS: Final = (
    r"\u1100-\u11ff\u2e80-\ua4cf\uac00-\ud7ff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef\U00020000-\U0003ffff"
)
_ACCENTED: Final = r"\u0080-\u024f"
_SCRIPTS: Final = r"\u0250-\u10ff\u1200-\u1fff"
_WEIGHTS: Final = (
    (re.compile(f"[{_IDEOGRAPHS}]+"), 0.9),
    (re.compile(f"[{_ACCENTED}]+"), 0.6),
    (re.compile(f"[{_SCRIPTS}]+"), 0.55),
    (re.compile(rf"[^{_IDEOGRAPHS}{_ACCENTED}{_SCRIPTS}]+"), 2.0),
)
_DATA_LENGTH: Final = 40
_DATA_DIGITS: Final = 20
"""A long run is data (base64, a digest) if at least one in this many characters is a digit."""


def _only(characters: bytes) -> bytes:
    """Return the table that turns every other byte into a space."""
    return bytes(code if code in characters else 0x20 for code in range(256))


_LETTERS: Final = _only(string.ascii_letters.encode())
_DIGITS: Final = _only(string.digits.encode())
_SIGNS: Final = _only(string.punctuation.encode())
# Maps white space to letters, since `split` would split at it; a single space has its own letter.
_SPACES: Final = bytes(0x73 if code == 0x20 else 0x77 if chr(code).isspace() else 0x20 for code in range(256))
_NUMBERS: Final = bytes(0x30 if 0x30 <= code <= 0x39 else code for code in range(256))


class HeuristicCounter:
    """Estimates the tokens of a text from the kinds and lengths of its character runs.

    A word of Latin letters is 1, and 1/5 for each letter beyond the eighth. A number is 1 for three digits, and 1 for a
    space before it. Signs are 1 for two, less in long rows. White space is 1 a run, and 1 for 48 characters, but a
    single space is nothing. Chinese, Japanese and Korean are 0.9 a character, Latin letters with marks 0.6, other
    alphabets 0.55, everything else, such as an emoji, 2. Runs of 40 or more letters and digits that are data (base64,
    digests) are 0.6 a character. The sum is rounded up.

    On the kinds of text that docs/context.md names, it lies between half and twice what `o200k_base` counts; mostly it
    is 0 to 30 % above. It takes time linear in the text.

    Example:
        >>> il.context.HeuristicCounter().count("What is the weather in Rome?")
        7
    """

    def count(self, text: str) -> int:
        """Return the estimate."""
        check_text(text, "text", may_be_empty=True)
        total = 0.0
        if any(len(word) >= _DATA_LENGTH for word in text.split()):
            runs = [run for run in _DATA.findall(text) if _is_data(run)]
            total += 0.6 * sum(map(len, runs))
            text = _DATA.sub(lambda match: "" if _is_data(match.group()) else match.group(), text) if runs else text
        if not text.isascii():
            foreign = "".join(_FOREIGN.findall(text))
            total += sum(weight * sum(map(len, kind.findall(foreign))) for kind, weight in _WEIGHTS)
            text = _FOREIGN.sub("\0", text)
        return math.ceil(total + _count_ascii(text.encode()))


def _count_ascii(text: bytes) -> float:
    """Return the estimate for an ASCII text, run by run."""
    words = text.translate(_LETTERS).split()
    numbers = text.translate(_DIGITS).split()
    signs = text.translate(_SIGNS).split()
    spaces = text.translate(_SPACES).split()
    return (
        len(words)
        + sum(length - 8 for length in map(len, words) if length > 8) / 5
        + sum((length + 2) // 3 for length in map(len, numbers))
        + text.translate(_NUMBERS).count(b" 0")
        # A long run of one punctuation character is a few tokens, however long.
        + sum(min((length + 1) // 2, 4 + length // 64) for length in map(len, signs))
        + sum(1 + len(run) // 48 for run in spaces if run != b"s")
    )


def _is_data(run: str) -> bool:
    """Tell whether a long run is data rather than a path or a name."""
    return len(_DIGIT.findall(run)) * _DATA_DIGITS >= len(run)
