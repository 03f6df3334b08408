"""The text that replaces an opaque part or message in other dialects."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

__all__ = ["OpaqueText"]

Omission: TypeAlias = Literal["content", "state", "details"]


class OpaqueText(NamedTuple):
    """The text that replaces an opaque part or message in other dialects.

    `role`: that of the message, if it replaces one. `omits`: what the text leaves out: content (an image, a PDF), state
    that only the provider can read, or details; None if it leaves out nothing but ids and numbers. `read_by`: the
    dialect that reads the part itself, and gets the part in place of the text; empty if there is none.

    Example:
        >>> il.spi.OpaqueText("Called roll: {}").role
        'assistant'
    """

    text: str
    role: Literal["assistant", "user"] = "assistant"
    omits: Omission | None = None
    read_by: str = ""
