"""The ids that link tool results to tool calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from interlingua.model import ToolCall, ToolChatMessage

__all__ = ["answered_call_id", "call_id_of"]


def call_id_of(call: ToolCall) -> str | None:
    """Return the id by which results refer to a call, or None; an empty id counts as none.

    Args:
        call: The call.

    Example:
        >>> il.tools.call_id_of(il.ToolCall.create("weather", {"city": "Rome"}, "call_1"))
        'call_1'
    """
    if not hasattr(call, "call_id"):
        raise TypeError(f"expected a ToolCall, not {type(call).__name__}")
    return call.id or call.call_id or None


def answered_call_id(message: ToolChatMessage) -> str | None:
    """Return the id of the call that a result answers, or None.

    A result from a dialect with a single id for both keeps the call's id in `id`.
    """
    return message.call_id or (message.id if message.call_id is None else None) or None
