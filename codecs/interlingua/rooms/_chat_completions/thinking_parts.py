"""Reasoning as a part of an assistant's content: a text or a list of texts (Mistral, vLLM), a summary (Databricks)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

# The forms of such a part: a text, or a list of texts.
PART, PARTS = "part", "parts"
THINKING_PARTS: Final = frozenset({PART, PARTS})
# The type of a part with a summary. The other members of such a part say so, and hold those of the summary.
_SUMMARIZED: Final = "reasoning"
_PART_MEMBERS: Final = frozenset({"type", "thinking"})
_TEXT_MEMBERS: Final = frozenset({"type", "text"})


def read_thinking_part(part: Any, *, streamed: bool = False) -> tuple[Any, str, dict[str, Any]] | None:
    """Return reasoning, form and other members of a thinking part; None for any other part.

    In a stream, its text may have other members, which the frame keeps.
    """
    if type(part) is not dict:
        return None
    if part.get("type") == _SUMMARIZED:
        return _read_summary(part, streamed=streamed)
    said: Any = part.get("thinking") if part.get("type") == "thinking" else None
    if said is None:
        return None
    beside = {key: value for key, value in part.items() if key not in _PART_MEMBERS}
    if type(said) is str:
        return said, PART, beside
    if _is_plain(said) or (streamed and type(said) is list and len(said) == 1 and _is_text(said[0])):
        return said[0]["text"] if len(said) == 1 else said, PARTS, beside
    return None


def _read_summary(part: dict[str, Any], *, streamed: bool) -> tuple[str, str, dict[str, Any]] | None:
    said: Any = part.get("summary")
    one: Any = said[0] if (streamed or len(part) == 2) and type(said) is list and len(said) == 1 else None
    if type(one) is not dict or one.get("type") != "summary_text" or type(one.get("text")) is not str:
        return None
    others = {key: value for key, value in one.items() if key not in _TEXT_MEMBERS}
    return one["text"], PART, {"type": _SUMMARIZED, "summary": others}


def _is_plain(said: Any) -> bool:
    """Tell whether the value of `thinking` is a list of plain texts."""
    return type(said) is list and bool(said) and all(_is_text(one) and len(one) == 2 for one in said)


def _is_text(one: Any) -> bool:
    return type(one) is dict and one.get("type") == "text" and type(one.get("text")) is str


def thinking_part(form: str, texts: Sequence[str], beside: Mapping[str, Any]) -> dict[str, Any]:
    """Return a thinking part with texts."""
    text = "\n\n".join(one for one in texts if one)
    if beside.get("type") == _SUMMARIZED and type(beside.get("summary")) is dict:
        return {"type": _SUMMARIZED, "summary": [{"type": "summary_text", "text": text, **beside["summary"]}]}
    said: Any = text if form == PART else [{"type": "text", "text": one} for one in texts]
    return {"type": "thinking", "thinking": said, **beside}
