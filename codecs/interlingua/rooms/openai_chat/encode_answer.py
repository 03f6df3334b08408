"""Canonical to OpenAI Chat Completions: responses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interlingua.rooms._chat_completions.encode_answer import encode_response as family_encode_response
from interlingua.rooms.openai_chat.tables import VENDOR

if TYPE_CHECKING:
    from interlingua.loss import LossLog
    from interlingua.model_shapes import ChatResponse


def encode_response(response: ChatResponse, log: LossLog) -> dict[str, Any]:
    """Return the wire body of a canonical response; losses go to the log."""
    return family_encode_response(response, VENDOR, log)
