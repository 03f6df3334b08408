"""Maps dialect names to rooms, imported on first use; third-party dialects are found by entry point."""

from __future__ import annotations

import functools
import importlib
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, cast, get_args

from interlingua.errors import DialectError, EncodeError, InterlinguaError, UnknownDialectError
from interlingua.spi.descriptor import Descriptor, Wire
from interlingua.suggestions import nearest

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from interlingua.spi.room import Room

__all__ = [
    "ENTRY_POINTS",
    "Dialect",
    "check_api_version",
    "descriptor",
    "descriptors",
    "dialect",
    "dialects",
    "known_descriptor",
    "room",
    "unknown_dialect",
    "wire_of",
]

ENTRY_POINTS: Final = "interlingua.dialects"
Dialect: TypeAlias = Literal[
    "openai_chat", "openai_responses", "claude", "gemini", "ollama", "vllm", "bedrock_converse"
]
"""The dialects of this package, for type checkers; `dialect` accepts other names.

Example:
    >>> from typing import get_args
    >>> "claude" in get_args(il.Dialect)
    True
"""
_ROOMS: Final[tuple[Dialect, ...]] = get_args(Dialect)


@functools.cache
def _third_parties() -> dict[str, EntryPoint]:
    metadata = importlib.import_module("importlib.metadata")  # slow, and not needed for built-in dialects
    return {point.name: point for point in metadata.entry_points(group=ENTRY_POINTS)}


@functools.cache
def dialects() -> tuple[Dialect, ...]:
    """Return the names of all dialects: the built-in ones first, then those of third parties.

    Example:
        >>> "claude" in il.dialects()
        True
    """
    return (*_ROOMS, *cast("list[Dialect]", sorted(_third_parties().keys() - set(_ROOMS))))


def room(dialect: str) -> Room:
    """Return the room of a dialect.

    Raises:
        UnknownDialectError: there is no such dialect.
        DialectError: the room of a third party cannot be loaded.
    """
    try:
        return _room(dialect)
    except TypeError:  # unhashable, so not a name; for example a body in the place of its dialect
        raise unknown_dialect(dialect) from None


@functools.cache
def _room(dialect: str) -> Room:
    if dialect in _ROOMS:
        return cast("Room", importlib.import_module(f"interlingua.rooms.{dialect}"))
    point = _third_parties().get(dialect)
    if point is None:
        raise unknown_dialect(dialect)
    guard = importlib.import_module("interlingua.spi.guard")  # not needed for built-in dialects
    try:
        found = point.load()
    except InterlinguaError:
        raise
    except Exception as error:
        raise DialectError(dialect, "import") from error
    return cast("Room", guard.GuardedRoom(found, dialect))


def unknown_dialect(name: object) -> UnknownDialectError:
    """Return the error for an unknown dialect name, with the dialects that go by this or a similar name elsewhere."""
    wanted = name.casefold() if type(name) is str else ""
    meant = [one.dialect for one in descriptors() if wanted in one.also_called]
    if not meant:
        others = {other: one.dialect for one in reversed(descriptors()) for other in one.also_called}
        meant = [others.get(one, one) for one in nearest(name, (*dialects(), *others))]
    return UnknownDialectError(name, dialects(), tuple(dict.fromkeys(meant)))


def dialect(name: str) -> Dialect:
    """Return a dialect name as a `Dialect`, for a name that is known only at run time.

    `Dialect` lists the built-in dialects for type checkers. Use this function for a name from a setting, or for a
    third-party dialect.

    Args:
        name: The name, such as "claude", or that of a third-party dialect.

    Returns:
        The same name.

    Raises:
        UnknownDialectError: there is no such dialect; the message suggests similar names.

    Example:
        >>> import os
        >>> target = il.dialect(os.environ.get("TARGET", "claude"))
        >>> il.check_request({"model": "claude-opus-5", "max_tokens": 9, "messages": []}, target)[0].path
        '/messages'
    """
    if type(name) is not str or (name not in _ROOMS and name not in dialects()):
        raise unknown_dialect(name)
    return name


def descriptor(dialect: str) -> Descriptor:
    """Return the descriptor of a dialect. Raises the errors of `room`."""
    return room(dialect).DESCRIPTOR


def known_descriptor(dialect: str) -> Descriptor | None:
    """Return the descriptor of a dialect, or None if it is unknown."""
    return _room(dialect).DESCRIPTOR if dialect in _ROOMS or dialect in dialects() else None


@functools.cache
def descriptors() -> tuple[Descriptor, ...]:
    """Return the descriptors of the built-in dialects."""
    return tuple(map(descriptor, _ROOMS))


def wire_of(dialect: str) -> Wire:
    """Return a dialect's stream format: SSE without event names, unless its descriptor says otherwise."""
    found = known_descriptor(dialect)
    return Wire() if found is None else found.wire


def check_api_version(dialect: str, api_version: str | None) -> None:
    """Raise `EncodeError` for an API version that the dialect does not have."""
    if api_version is not None:
        versions = descriptor(dialect).api_versions
        if api_version not in versions:
            raise EncodeError(dialect, "", f"unknown api_version; known are: {', '.join(versions) or 'none'}")
