"""Why an answer was refused, blocked or failed: clients of other dialects are told so in the answer.

Nobody gets silence: without it, a client sees an empty answer, and that it was filtered, or just stopped. Words that
the source says beside its answer are told as a refusal. That an answer failed is told as text, and only where the
target has no word for such an end: no model declined anything.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.pointers import value_at
from interlingua.rooms._shared.writing import PARAGRAPH_BREAK
from interlingua.spi.extra import NOTHING, with_bags

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from interlingua.rooms._shared.stream import Event
    from interlingua.spi.descriptor import Descriptor

DECLINED: Final = frozenset({"refusal", "content_filter"})
"""The reasons why an answer ends that was declined: no client shall run its calls."""
FAILED: Final = "The answer failed."


def words_at(holder: Any, ways: Sequence[Sequence[str]]) -> str:
    """Return the first words that stand at one of the ways within a value; empty where there are none."""
    found = (value_at(holder, way) for way in ways)
    return next((text for text in found if type(text) is str and text.strip()), "")


def refusal_before(finish: Event, holder: Any, block: int, ways: Sequence[Sequence[str]]) -> list[Event]:
    """Return the events of a refusal that stands before the end of a stream, for readers of another dialect."""
    words = words_at(holder, ways) if finish["reason"] in DECLINED else ""
    return [{"type": "refusal", "block": block, "text": words}, {"type": "block_end", "block": block}] if words else []


def failure_text(raw: str | int | None, words: str) -> str:
    """Return the text of an answer that failed: with the provider's word for its end, and what it says of it."""
    told = FAILED if raw is None else f"{FAILED} Its provider ended it with {raw}."
    return f"{told}\n{words}" if words else told


def with_failure_told(events: list[Event], finish: Event, words: str) -> list[Event]:
    """Return the events before the end of a stream that failed with a text for its clients, before calls among them.

    Calls that came in earlier frames are already told.
    """
    at = next((at for at, event in enumerate(events) if event["type"] == "tool_call_start"), len(events))
    behind = events[at:]
    calls = {event["block"] for event in behind if event["type"] == "tool_call_start"}
    if any(event.get("block") not in calls for event in behind):
        at = len(events)  # something else follows, or a text ends there
    return [*events[:at], *_failure_told(finish, words), *events[at:]]


def _failure_told(finish: Event, words: str) -> list[Event]:
    """Return the events of a text that says that an answer failed.

    The block is none of those that the source counts, of which there is one for each answer.
    """
    answer = {"alternative": finish["alternative"]} if "alternative" in finish else {}
    block = -1 - finish.get("alternative", 0)
    text = failure_text(finish.get("raw"), words)
    return [
        {"type": "content", "block": block, "text": text, "new_message": True, **answer},
        {"type": "block_end", "block": block, **answer},
    ]


def failure_explained(holder: Any, raw: str | int | None, words: str, dialect: str) -> Any:
    """Return an answer that failed, or its end in a stream, with the words for it where the target has their place."""
    if not words:
        return holder
    bag = holder.get("extra", NOTHING).get(dialect, NOTHING)
    fields = {**bag.get("fields", NOTHING), "error": {"message": failure_text(raw, words)}}
    return with_bags(holder, {dialect: {**bag, "fields": fields}})


def with_failure_said(answer: Any, dialect: str, ways: Sequence[Sequence[str]], target: Descriptor) -> Any:
    """Return an answer, and each of its alternatives, that says that it failed, the same where none did.

    It says it in a text where the target has no word for such an end, and otherwise in the place that it has for it.
    """
    if not target.fails_silently:
        words = words_at(answer.get("extra", NOTHING).get(dialect), ways)
        has_failed = answer.get("finish_reason") == "error"
        return failure_explained(answer, answer.get("finish_reason_raw"), words if has_failed else "", target.dialect)
    out = _with_failure_said(answer, dialect, ways)
    if "alternatives" in answer:
        out = {**out, "alternatives": [_with_failure_said(one, dialect, ways) for one in answer["alternatives"]]}
    return out


def _with_failure_said(answer: Mapping[str, Any], dialect: str, ways: Sequence[Sequence[str]]) -> Mapping[str, Any]:
    if answer.get("finish_reason") != "error":
        return answer
    words = words_at(answer.get("extra", NOTHING).get(dialect), ways)
    text = failure_text(answer.get("finish_reason_raw"), words)
    messages: list[Any] = [*answer["messages"]]
    last = messages[-1] if messages else NOTHING
    if not last.get("tool_calls"):
        messages.append({"role": "assistant", "content": text})
    else:  # Claude refuses a turn in which a text stands behind the calls, and the client sends it back
        messages[-1] = {**last, "content": _with_text(last.get("content"), text)}
    return {**answer, "messages": messages}


def _with_text(content: Any, text: str) -> Any:
    """Return a content with a paragraph behind it."""
    if not content:
        return text
    if type(content) is str:
        return f"{content}{PARAGRAPH_BREAK}{text}"
    return [*content, {"type": "text", "text": f"{PARAGRAPH_BREAK}{text}" if content[-1]["type"] == "text" else text}]


def with_end_said(answer: Any, dialect: str, ways: Sequence[Sequence[str]]) -> Any:
    """Return an answer, and each of its alternatives, that says why it was refused, the same where nothing tells."""
    out = _with_end_said(answer, dialect, ways)
    if "alternatives" in answer:
        out = {**out, "alternatives": [_with_end_said(one, dialect, ways) for one in answer["alternatives"]]}
    return out


def _with_end_said(answer: Mapping[str, Any], dialect: str, ways: Sequence[Sequence[str]]) -> Mapping[str, Any]:
    if answer.get("finish_reason") not in DECLINED:
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
