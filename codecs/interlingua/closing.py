"""Closing the source of a stream as soon as nobody reads on, and not when Python collects what nobody holds."""

from __future__ import annotations

import inspect
from typing import Any

__all__ = ["aclose_all", "close_all"]


def close_all(*sources: object) -> None:
    """Close what can be closed, each once; the rest is left alone. The last of several errors is raised."""
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
