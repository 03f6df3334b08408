"""Parts that one dialect alone has, as the texts that others are told instead of them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from interlingua import Loss

# What Claude's pages call the words of such a part.
WORDS: Final = {"compaction": "content", "tool_reference": "tool_name"}
_PLACE: Final = re.compile(r"/messages/(\d+)/content/(\d+)(/data)?")


def as_told(before: Mapping[str, Any], losses: Iterable[Loss]) -> tuple[Mapping[str, Any], list[Loss]]:
    """Return a value with the words of such parts in their place, and the losses without those of these parts.

    In an answer a blank line stands between such words and a text, and between texts where such a part is lost.
    """
    rest: list[Loss] = []
    messages = [*before["messages"]]
    apart: dict[int, set[int]] = {}  # messages -> their parts that are told or lost
    for loss in losses:
        match = _PLACE.fullmatch(loss.path)
        part = _part(before, match) if match else {}
        data: Any = part.get("data") if part.get("type") == "opaque" else None
        words = data.get(WORDS.get(str(data.get("type")), "")) if isinstance(data, dict) else None
        if match is not None and part.get("type") == "opaque" and (words or "tool" in str(data).lower()):
            apart.setdefault(int(match[1]), set()).add(int(match[2]))
        if match is None or not words:
            rest.append(loss)
        elif loss.severity == "changed":
            index, at = int(match[1]), int(match[2])
            content = [*messages[index]["content"]]
            content[at] = {"type": "text", "text": words}
            messages[index] = {**messages[index], "content": content}
    for index, places in apart.items():
        if messages[index]["role"] == "assistant":
            messages[index] = {**messages[index], "content": _set_apart(messages[index]["content"], places)}
    return {**before, "messages": messages}, rest


def _set_apart(content: list[Any], places: set[int]) -> list[Any]:
    """Return parts with a blank line before each text that stands behind another text and one of these places."""
    out: list[Any] = []
    is_behind_text = is_apart = False
    for at, part in enumerate(content):
        one, is_apart = part, is_apart or at in places
        if part["type"] == "text" and part["text"]:
            if is_behind_text and is_apart:
                one = {**part, "text": f"\n\n{part['text']}"}
            is_behind_text, is_apart = True, at in places
        elif part["type"] not in {"text", "opaque"}:
            is_behind_text = False
        out.append(one)
    return out


def _part(before: Mapping[str, Any], match: re.Match[str]) -> Any:
    """Return the part at a place; nothing where none stands there."""
    index, at = int(match[1]), int(match[2])
    content = before["messages"][index].get("content") if index < len(before["messages"]) else None
    return content[at] if isinstance(content, list) and at < len(content) else {}
