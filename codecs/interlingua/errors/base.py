"""The base of every exception."""

from __future__ import annotations

__all__ = ["InterlinguaError"]


class InterlinguaError(Exception):
    """The base of every error that this library raises on purpose."""
