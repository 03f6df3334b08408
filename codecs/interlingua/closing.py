"""Closes the sources of a stream as soon as reading stops, rather than when they are garbage-collected."""

from __future__ import annotations

import inspect
from typing import Any

__all__ = ["aclose_all", "close_all"]


def close_all(*sources: object) -> None:
    """Close every source that has `close`, each once. Of several errors the last one is raised."""
    _close_first(_distinct(sources))


async def aclose_all(*sources: object) -> None:
    """Close what can be closed, each once, in the way of asynchronous sources where it has one."""
    await _aclose_first(_distinct(sources))


def _distinct(sources: tuple[object, ...]) -> list[Any]:
    return list({id(source): source for source in sources}.values())


def _close_first(sources: list[Any]) -> None:
    if sources:
        try:
            close = getattr(sources[0], "close", None)
            if callable(close):
                close()
        finally:
            _close_first(sources[1:])


async def _aclose_first(sources: list[Any]) -> None:
    if sources:
        try:
            close = getattr(sources[0], "aclose", None) or getattr(sources[0], "close", None)
            closed = close() if callable(close) else None
            if inspect.isawaitable(closed):
                await closed
        finally:
            await _aclose_first(sources[1:])
