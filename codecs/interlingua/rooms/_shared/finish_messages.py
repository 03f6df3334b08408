"""Put the reason why an answer was refused, filtered or failed into the answer, for clients of other dialects.

Otherwise a client would see an empty answer that was filtered or just stopped. An explanation that the source has
beside its answer becomes a refusal. A failure becomes text, and only if the target has no finish reason for it: no
model declined anything.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final

from interlingua.pointers import value_at
from interlingua.rooms._shared.writing import content_with_text
from interlingua.spi.descriptor import DECLINED
from interlingua.spi.extra import NOTHING, with_extras

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from interlingua.rooms._shared.stream_writer import Event
    from interlingua.spi.descriptor import Descriptor

FAILED: Final = "The answer failed."


def first_text_at(holder: Any, paths: Sequence[Sequence[str]]) -> str:
    """Return the first non-blank text at one of the paths within a value; empty if there is none."""
    found = (value_at(holder, way) for way in paths)
    return next((text for text in found if type(text) is str and text.strip()), "")


def refusal_events(finish: Event, holder: Any, block: int, paths: Sequence[Sequence[str]]) -> list[Event]:
    """Return the events of a refusal to put before the finish event of a stream that goes abroad."""
    words = first_text_at(holder, paths) if finish["reason"] in DECLINED else ""
    return [{"type": "refusal", "block": block, "text": words}, {"type": "block_end", "block": block}] if words else []


def failure_text(raw: str | int | None, words: str) -> str:
    """Return the text for a failed answer, with the provider's finish reason and its explanation."""
    told = FAILED if raw is None else f"{FAILED} Its provider ended it with {raw}."
    return f"{told}\n{words}" if words else told


def with_failure_events(events: list[Event], finish: Event, words: str) -> list[Event]:
    """Return the events before a failed stream's finish event with a text about the failure, put before their calls.

    Calls of earlier frames are already written.
    """
    at = next((at for at, event in enumerate(events) if event["type"] == "tool_call_start"), len(events))
    behind = events[at:]
    calls = {event["block"] for event in behind if event["type"] == "tool_call_start"}
    if any(event.get("block") not in calls for event in behind):
        at = len(events)  # other blocks follow or end behind the calls
    return [*events[:at], *_failure_events(finish, words), *events[at:]]


def _failure_events(finish: Event, words: str) -> list[Event]:
    """Return the events of the text about a failure.

    Its block number is negative, so that it is none of the source's; there is one for each answer.
    """
    answer = {"alternative": finish["alternative"]} if "alternative" in finish else {}
    block = -1 - finish.get("alternative", 0)
    text = failure_text(finish.get("raw"), words)
    return [
        {"type": "content", "block": block, "text": text, "new_message": True, **answer},
        {"type": "block_end", "block": block, **answer},
    ]


def with_failure_details(holder: Any, raw: str | int | None, words: str, dialect: str) -> Any:
    """Return a failed answer, or the finish event of a stream, with the failure text in the target's member for it."""
    if not words:
        return holder
    bag = holder.get("extra", NOTHING).get(dialect, NOTHING)
    fields = {**bag.get("fields", NOTHING), "error": {"message": failure_text(raw, words)}}
    return with_extras(holder, {dialect: {**bag, "fields": fields}})


def with_failure_text(answer: Any, dialect: str, paths: Sequence[Sequence[str]], target: Descriptor) -> Any:
    """Return an answer whose failure, and that of its alternatives, is stated; unchanged if none failed.

    It is stated as text if the target has no finish reason for failures, else in the target's own member.
    """
    if not target.fails_silently:
        words = first_text_at(answer.get("extra", NOTHING).get(dialect), paths)
        has_failed = answer.get("finish_reason") == "error"
        return with_failure_details(
            answer, answer.get("finish_reason_raw"), words if has_failed else "", target.dialect
        )
    return _in_each_answer(answer, partial(_with_failure_text, dialect=dialect, paths=paths))


def _in_each_answer(answer: Any, change: Callable[[Any], Any]) -> Any:
    """Return an answer and its alternatives, each changed by a function."""
    out = change(answer)
    return {**out, "alternatives": [change(one) for one in answer["alternatives"]]} if "alternatives" in answer else out


def _with_failure_text(answer: Mapping[str, Any], dialect: str, paths: Sequence[Sequence[str]]) -> Mapping[str, Any]:
    if answer.get("finish_reason") != "error":
        return answer
    words = first_text_at(answer.get("extra", NOTHING).get(dialect), paths)
    text = failure_text(answer.get("finish_reason_raw"), words)
    messages: list[Any] = [*answer["messages"]]
    last = messages[-1] if messages else NOTHING
    if not last.get("tool_calls"):
        messages.append({"role": "assistant", "content": text})
    else:  # the client will send it back, and Claude refuses text behind calls
        messages[-1] = {**last, "content": content_with_text(last.get("content"), text)}
    return {**answer, "messages": messages}


def with_refusal_text(answer: Any, dialect: str, paths: Sequence[Sequence[str]]) -> Any:
    """Return an answer, and its alternatives, with the reason for a refusal; unchanged if the source gives none."""
    return _in_each_answer(answer, partial(_with_refusal_text, dialect=dialect, paths=paths))


def _with_refusal_text(answer: Mapping[str, Any], dialect: str, paths: Sequence[Sequence[str]]) -> Mapping[str, Any]:
    if answer.get("finish_reason") not in DECLINED:
        return answer
    words = first_text_at(answer.get("extra", NOTHING).get(dialect), paths)
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
