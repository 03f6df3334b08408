"""The base class of all exceptions."""

from __future__ import annotations

from typing import Any, cast

__all__ = ["InterlinguaError"]


class InterlinguaError(Exception):
    """The base class of every error that this library raises on purpose.

    Errors can be pickled and copied with their fields, message and notes, and so pass between processes.

    Example:
        >>> try:
        ...     il.decode_request({}, "clod")
        ... except il.InterlinguaError as error:
        ...     print(type(error).__name__)
        UnknownDialectError
    """

    def __reduce__(self) -> tuple[Any, ...]:
        """Return how to rebuild the error from its message and fields, without calling `__init__`.

        Python would call `__init__` with the message alone, but it requires the facts.
        """
        _, text, *fields = cast("tuple[Any, ...]", super().__reduce__())
        return (_restored, (type(self), text), *fields)


def _restored(kind: type[InterlinguaError], text: tuple[Any, ...]) -> InterlinguaError:
    """Return an error with a message and no fields yet."""
    error = kind.__new__(kind, *text)
    # Built-in errors set attributes such as `msg` of ImportError here.
    builtin: Any = next(base for base in kind.__mro__ if base.__module__ == "builtins")
    builtin.__init__(error, *text)
    return error
