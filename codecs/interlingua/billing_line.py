"""Leaves out the billing line that clients write for their own provider at the start of the instructions.

Source: docs/dialects/claude.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

if TYPE_CHECKING:
    from interlingua.loss import LossLog
    from interlingua.model_shapes import ChatRequest

__all__ = ["without_billing_line"]

_BILLING_LINE: Final = "a billing line for the client's own provider, which models do not need"


def without_billing_line(canonical: ChatRequest, aside: str, log: LossLog) -> ChatRequest:
    """Return a request without the billing line that clients put at the start of the system prompt for their provider.

    It differs from request to request, at the start of the prefix that other providers compare for prompt caching.
    """
    messages: list[Any] = canonical["messages"]
    if not messages or messages[0]["role"] != "system":
        return canonical
    content = messages[0].get("content")
    parts: list[Any] = [{"type": "text", "text": content}] if type(content) is str else content or []
    if not parts or not parts[0].get("text", "").startswith(aside):
        return canonical
    path = "/messages/0/content" if content is not parts else "/messages/0/content/0/text"
    said = parts[0]["text"].partition("\n")[2].lstrip("\n")
    if said:
        log.changed("member", path, _BILLING_LINE)
        kept = said if content is not parts else [{**parts[0], "text": said}, *parts[1:]]
    elif len(parts) > 1:
        log.lost("member", "/messages/0/content/0", _BILLING_LINE)
        log.left_out("/messages/0/content", [0])
        kept = parts[1:]
    else:
        log.lost("member", "/messages/0", _BILLING_LINE)
        log.left_out("/messages", [0])
        return cast("ChatRequest", {**canonical, "messages": messages[1:]})
    return cast("ChatRequest", {**canonical, "messages": [{**messages[0], "content": kept}, *messages[1:]]})
