"""Why an answer was refused or blocked, in words that its own dialect says beside it: others are told as a refusal.

Nobody gets silence: without them, a client sees an empty answer, and that it was filtered.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.pointers import value_at
from interlingua.spi.extra import NOTHING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from interlingua.rooms._shared.stream import Event

_DECLINED: Final = frozenset({"refusal", "content_filter"})


def words_at(holder: Any, ways: Sequence[Sequence[str]]) -> str:
    """Return the first words that stand at one of the ways within a value; empty where there are none."""
    found = (value_at(holder, way) for way in ways)
    return next((text for text in found if type(text) is str and text.strip()), "")


def refusal_before(finish: Event, holder: Any, block: int, ways: Sequence[Sequence[str]]) -> list[Event]:
    """Return the events of a refusal that stands before the end of a stream, for readers of another dialect."""
    words = words_at(holder, ways) if finish["reason"] in _DECLINED else ""
    return [{"type": "refusal", "block": block, "text": words}, {"type": "block_end", "block": block}] if words else []


def with_end_said(answer: Any, dialect: str, ways: Sequence[Sequence[str]]) -> Any:
    """Return an answer, and each of its alternatives, that says why it was refused, the same where nothing tells."""
    out = _with_end_said(answer, dialect, ways)
    if "alternatives" in answer:
        out = {**out, "alternatives": [_with_end_said(one, dialect, ways) for one in answer["alternatives"]]}
    return out


def _with_end_said(answer: Mapping[str, Any], dialect: str, ways: Sequence[Sequence[str]]) -> Mapping[str, Any]:
    if answer.get("finish_reason") not in _DECLINED:
        return answer
    words = words_at(answer.get("extra", NOTHING).get(dialect), ways)
    if not words:
        return answer
    messages: list[Any] = [*answer["messages"]]
    last = messages[-1] if messages else NOTHING
    if "refusal" in last:
        return answer
    if last.get("role") == "assistant" and not last.get("tool_calls"):
        messages[-1] = {**last, "refusal": words}
    else:
        messages.append({"role": "assistant", "refusal": words})
    return {**answer, "messages": messages}
