"""The base of every exception."""

from __future__ import annotations

from typing import Any, cast

__all__ = ["InterlinguaError"]


class InterlinguaError(Exception):
    """The base of every error that this library raises on purpose.

    Each can be pickled and copied, with its fields, its text and its notes, and so crosses a border of processes.

    Example:
        >>> try:
        ...     il.decode_request({}, "clod")
        ... except il.InterlinguaError as error:
        ...     print(type(error).__name__)
        UnknownDialectError
    """

    def __reduce__(self) -> tuple[Any, ...]:
        """Return how to make an equal error: from its text and its fields, not from arguments of `__init__`.

        Python would call `__init__` with the text alone, where an error wants its facts.
        """
        _, text, *fields = cast("tuple[Any, ...]", super().__reduce__())
        return (_restored, (type(self), text), *fields)


def _restored(kind: type[InterlinguaError], text: tuple[Any, ...]) -> InterlinguaError:
    """Return an error that has a text and no fields yet."""
    error = kind.__new__(kind, *text)
    # What Python's own error keeps beside `args`, such as `msg` of ImportError, it sets here.
    builtin: Any = next(base for base in kind.__mro__ if base.__module__ == "builtins")
    builtin.__init__(error, *text)
    return error
