"""The shapes of the wire, those of the family."""

from __future__ import annotations

from interlingua.dialects._chat_completions.wire import WireCall, WireChoice, WireMessage, WireRequest, WireResponse

__all__ = ["WireCall", "WireChoice", "WireMessage", "WireRequest", "WireResponse"]
