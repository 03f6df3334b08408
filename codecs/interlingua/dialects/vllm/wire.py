"""The shapes of the wire: those of the family, and what vLLM has beside them."""

from __future__ import annotations

from typing import Any

from interlingua.dialects._chat_completions import wire as family
from interlingua.dialects._chat_completions.wire import WireCall

__all__ = ["WireCall", "WireChoice", "WireMessage", "WireRequest", "WireResponse"]


class WireMessage(family.WireMessage, total=False):
    """A message of any role."""

    reasoning: str | None
    reasoning_content: str | None


class WireRequest(family.WireRequest, total=False):
    """The body of `POST /v1/chat/completions`."""

    top_k: int
    min_p: float
    include_reasoning: bool
    thinking_token_budget: int
    chat_template_kwargs: dict[str, Any]
    structured_outputs: dict[str, Any]
    stop_token_ids: list[int]


class WireChoice(family.WireChoice, total=False):
    """One answer."""

    stop_reason: int | str | None
    token_ids: list[int] | None


class WireResponse(family.WireResponse, total=False):
    """A `chat.completion`."""

    prompt_logprobs: list[Any] | None
    prompt_token_ids: list[int] | None
    kv_transfer_params: dict[str, Any] | None
