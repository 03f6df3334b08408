"""One text of an answer that its provider says in several parts: others are told it as one.

Gemini gives the pieces of one sentence as parts. Clients of Responses take each part for a text of its own: LangChain
sends each back as a message. Source: docs/laws.md, law 3.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from interlingua.rooms._shared.detached_citations import has_detached_citations, with_citations_attached

if TYPE_CHECKING:
    from collections.abc import Sequence

    from interlingua.loss import LossLog


def is_said_apart(message: Any) -> bool:
    """Tell whether an answer says one text in several parts, or its sources beside it."""
    return _has_run(message) or has_detached_citations(message)


def with_texts_joined(messages: Sequence[Any], log: LossLog) -> list[Any]:
    """Return messages each text of which is one part, with the sources that support it."""
    return [
        _joined(message, f"/messages/{index}/content", log) if _has_run(message) else message
        for index, message in enumerate(with_citations_attached(messages, log))
    ]


def _has_run(message: Any) -> bool:
    content: Any = message.get("content") if message["role"] == "assistant" else None
    return type(content) is list and any(_is_plain(one) and _is_plain(other) for one, other in pairwise(content))


def _is_plain(part: Any) -> bool:
    return bool(part["type"] == "text" and len(part) == 2)


def _joined(message: Any, path: str, log: LossLog) -> Any:
    parts: list[Any] = []
    places: list[str] = []
    for at, part in enumerate(message["content"]):
        if parts and _is_plain(part) and _is_plain(parts[-1]):
            parts[-1] = {**part, "text": parts[-1]["text"] + part["text"]}
        else:
            parts.append(part)
            places.append(f"{path}/{at}")
    log.moved(path, places)
    return {**message, "content": parts}
