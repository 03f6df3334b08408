"""The files of the vectors: `<dialect>/given.jsonl`, and `<dialect>/<other dialect>.jsonl` with what becomes of it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, cast, get_args

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from interlingua.registry import Dialect

__all__ = ["FOLDER", "GIVEN", "KINDS", "Given", "Kind", "Vector", "lines", "pairs", "read_given", "read_vectors"]

Kind: TypeAlias = Literal["request", "response", "stream", "error"]
"""What a vector is a translation of."""
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
GIVEN: Final = "given.jsonl"
_INSTALLED: Final = Path(__file__).parent / "data"
_CHECKOUT: Final = Path(__file__).parents[3] / "schema" / "vectors" / "translation"
FOLDER: Final = _INSTALLED if _INSTALLED.is_dir() else _CHECKOUT
"""Where the vectors are: in the wheel, or in the checkout."""


@dataclass(frozen=True, slots=True)
class Given:
    """The input of a translation: a line of `given.jsonl`.

    `about` describes it for people. `value` is `{body}` for a response, `{body}` for a request, with `model` and
    `stream` beside it if the dialect has them in the URL, `{frames}` for a stream, `{status, headers, body}` for an
    error.
    """

    id: str
    kind: Kind
    about: str
    value: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Vector:
    """An input in the dialect `source`, and its expected translation to `target`.

    `expected` has the form of `given.value`. `losses` are the expected losses, each with `code`, `path` (a JSON Pointer
    into the canonical value), `severity` and `concern`. `is_by_hand`: `expected` was written by a person from the
    provider's documentation, not by this library.
    """

    source: Dialect
    target: Dialect
    given: Given
    expected: Mapping[str, Any]
    losses: tuple[Mapping[str, str], ...]
    is_by_hand: bool


def lines(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the values of a JSONL file."""
    with path.open(encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)


def pairs(folder: Path = FOLDER) -> tuple[tuple[Dialect, Dialect], ...]:
    """Return the ordered pairs of dialects that have vectors."""
    names = cast("list[Dialect]", sorted(path.parent.name for path in folder.glob(f"*/{GIVEN}")))
    return tuple((source, target) for source in names for target in names if source != target)


def read_given(source: Dialect, folder: Path = FOLDER) -> tuple[Given, ...]:
    """Return the inputs of a dialect. Raises `FileNotFoundError` for a dialect without vectors."""
    found = lines(folder / source / GIVEN)
    return tuple(Given(one["id"], one["kind"], one["about"], one["given"]) for one in found)


def read_vectors(source: Dialect, target: Dialect, folder: Path = FOLDER) -> tuple[Vector, ...]:
    """Return the vectors of an ordered pair of dialects. Within one dialect, the expected output equals the input.

    Example:
        >>> from interlingua.vectors import read_vectors
        >>> first = read_vectors("claude", "openai_chat")[0]
        >>> first.given.value["body"]["messages"][0]["role"], first.expected["body"]["messages"][0]["role"]
        ('user', 'user')
    """
    given = {one.id: one for one in read_given(source, folder)}
    if source == target:
        return tuple(Vector(source, target, one, one.value, (), is_by_hand=True) for one in given.values())
    return tuple(
        Vector(
            source, target, given[one["id"]], one["expected"], tuple(one["losses"]), is_by_hand=one["source"] == "hand"
        )
        for one in lines(folder / source / f"{target}.jsonl")
    )
