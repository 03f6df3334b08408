"""Check that tool calls and results are paired: results must follow in the next turn, in every wire format."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from interlingua.rooms._shared.rule_helpers import objects, text_of
from interlingua.violation import Violation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from interlingua.rooms._shared.rule_helpers import Object

Named: TypeAlias = tuple[str, str]


@dataclass(slots=True)
class Turn:
    """The calls and results of one turn, as path and id.

    Those without an id are left out: another rule reports that.
    """

    role: str
    calls: list[Named] = field(default_factory=list[Named])
    results: list[Named] = field(default_factory=list[Named])


def turns_of(body: Object, note: Callable[[Turn, str, Object], None]) -> list[Turn]:
    """Return calls and results turn by turn; consecutive messages of one role are one turn.

    `note` adds the call or result of a block, given with its path, to its turn.
    """
    turns: list[Turn] = []
    for path, message in objects(body.get("messages"), "/messages"):
        role = text_of(message, "role")
        if not turns or turns[-1].role != role:
            turns.append(Turn(role))
        for where, block in objects(message.get("content"), f"{path}/content"):
            note(turns[-1], where, block)
    return turns


def unpaired(turns: Iterable[Turn]) -> Iterator[Violation]:
    """Yield calls that the next turn does not answer, results without a call in the previous turn, and duplicates.

    The path of a call or result is that of its object.
    """
    asked: dict[str, str] = {}
    for turn in turns:
        answered: set[str] = set()
        for path, identifier in turn.results:
            if asked.pop(identifier, None) is not None:
                answered.add(identifier)
            elif identifier in answered:
                yield Violation("duplicate_id", path, "the call already has a result")
            else:
                yield Violation("orphan_result", path, "no call of the previous turn has this id")
        yield from _dangling(asked)
        asked = {}
        for path, identifier in turn.calls:
            if identifier in asked:
                yield Violation("duplicate_id", path, "each call of a turn needs an id of its own")
            asked.setdefault(identifier, path)
    yield from _dangling(asked)


def _dangling(asked: dict[str, str]) -> Iterator[Violation]:
    for path in asked.values():
        yield Violation("dangling_call", path, "the next turn has no result of this call")
