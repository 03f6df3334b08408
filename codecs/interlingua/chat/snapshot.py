"""Immutable snapshots of a history, taken without copying."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, cast, overload

from interlingua.argument_checks import check_several

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from interlingua.model import ChatMessage

__all__ = ["Messages"]


class Messages(Sequence["ChatMessage"]):
    """An immutable sequence of chat messages; a slice of it is a tuple.

    Snapshots of a history share its list, and each sees the messages up to its own length. The list only grows, so a
    snapshot never changes. A snapshot equals any list, tuple or snapshot of equal messages.

    Example:
        >>> il.chat.Messages([il.chat.create_user("Hi")])[0].text
        'Hi'
    """

    __slots__ = ("_count", "_log")

    def __init__(self, messages: Iterable[ChatMessage] = ()) -> None:
        self._log = list(check_several(messages, "messages"))
        self._count = len(self._log)

    @classmethod
    def first(cls, count: int, log: list[ChatMessage]) -> Messages:
        """Return a view of the first `count` messages of a list, which must only grow."""
        view = cls()
        view._log, view._count = log, count
        return view

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, place: int) -> ChatMessage: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[ChatMessage, ...]: ...
    def __getitem__(self, place: int | slice) -> ChatMessage | tuple[ChatMessage, ...]:
        places = range(self._count)[place]
        return tuple(self._log[at] for at in places) if isinstance(places, range) else self._log[places]

    def __iter__(self) -> Iterator[ChatMessage]:
        return islice(self._log, self._count)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, (Messages, list, tuple)):
            return NotImplemented
        others = cast("Sequence[object]", other)
        return self._count == len(others) and all(
            own_message == other_message for own_message, other_message in zip(self, others, strict=True)
        )

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"Messages(count={self._count})"

    def __reduce__(self) -> tuple[type[Messages], tuple[Any, ...]]:
        return Messages, (list(self),)
