"""The text that stands for an opaque part or message in other dialects."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from interlingua.loss_types import LossCode

__all__ = ["OpaqueText"]


class OpaqueText(NamedTuple):
    """The text that stands for an opaque part or message in other dialects.

    `role`: who says it, if it stands for a message. `omitted`: the loss code of what the text leaves out: `part` if it
    is content (an image, a PDF), `provider_state` if only the provider can read it; None if it leaves out nothing but
    ids and numbers.

    Example:
        >>> il.spi.OpaqueText("Called roll: {}").role
        'assistant'
    """

    text: str
    role: Literal["assistant", "user"] = "assistant"
    omitted: LossCode | None = None
