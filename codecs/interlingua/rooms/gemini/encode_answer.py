"""Encode canonical responses for Gemini.

Source: docs/wire/gemini.md, section 2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.logprobs import with_logprobs
from interlingua.loss import lost_other_role
from interlingua.rooms._shared.refusals import implied_finish_reason, with_refusal_reason
from interlingua.rooms._shared.timestamps import UTC, format_timestamp
from interlingua.rooms._shared.writing import Target
from interlingua.rooms.gemini.encode_message import Turns
from interlingua.rooms.gemini.grounding import write_grounding
from interlingua.rooms.gemini.grounding_abroad import write_grounding_abroad
from interlingua.rooms.gemini.mapping import ends_with_calls, is_prompt_blocked, reason_of, write_counts
from interlingua.rooms.gemini.snake_case import CANDIDATE, RESPONSE, with_snake_case
from interlingua.rooms.gemini.snake_case import USAGE as USAGE_NAMES
from interlingua.rooms.gemini.tables import (
    DIALECT,
    FINISH_NUMBERS,
    FINISH_REASONS,
    FINISH_WORDS,
    MODEL,
    TOOL_USE,
    USAGE,
    USAGE_DETAILS,
)
from interlingua.spi.extra import (
    NOTHING,
    merge_extra,
    merge_own_extra,
    own_extra,
    own_spelling,
    report_foreign,
    report_usage,
    write_nulls,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.loss import LossLog
    from interlingua.model_shapes import Alternative, ChatMessage, ChatResponse, Usage


_USAGE_MEMBERS: Final = frozenset({
    "extra", *USAGE.values(), *(name for names in USAGE_DETAILS.values() for name in names.values())
})  # fmt: skip


def encode_response(response: ChatResponse, log: LossLog) -> dict[str, Any]:
    """Return a response of `generateContent`; losses are recorded in `log`."""
    to = Target(DIALECT, response.get("dialect") == DIALECT, answer=True, log=log)
    if not to.home:
        response = with_logprobs(response, DIALECT, "candidate")
    bag = own_extra(response, DIALECT)
    spelling = bag.get("spelling", NOTHING)
    out: dict[str, Any] = {}
    if not _has_no_candidates(response, bag):
        out["candidates"] = [_encode_candidate(response, 0, to)]
    elif spelling["candidates"] != "absent":
        out["candidates"] = [] if spelling["candidates"] == "empty" else None
    for index, answer in enumerate(response.get("alternatives", ())):
        inner = Target(DIALECT, to.home, answer=True, log=log, base=f"/alternatives/{index}")
        out.setdefault("candidates", []).append(_encode_candidate(answer, index + 1, inner))
        if "extra" in answer:
            report_foreign(answer, DIALECT, inner.base, log)
    if "usage" in response:
        out["usageMetadata"] = encode_usage(response["usage"], to)
    if "model" in response:
        out["modelVersion"] = response["model"]
    if "created" in response:
        write_time(out, response["created"], bag, log)
    if "id" in response:
        out["responseId"] = response["id"]
    if "schema_version" in response:
        log.changed("member", "/schema_version", "schema_version belongs to the canonical form and is not sent")
    merge_own_extra(out, response, DIALECT, "", log)
    return with_snake_case(out, spelling["snake"], RESPONSE) if "snake" in spelling else out


def write_time(out: dict[str, Any], seconds: int, bag: Mapping[str, Any], log: LossLog) -> None:
    """Write `createTime`, with the decimals that it came with."""
    moment = format_timestamp(seconds, bag.get("create_time", "") + UTC)
    if moment is None:
        log.lost("member", "/created", "the time is not a valid date")
    else:
        out["createTime"] = moment


def _has_no_candidates(response: Any, bag: Mapping[str, Any]) -> bool:
    """Return whether the response has no candidates: it has no messages, and its finish reason is the prompt's."""
    if "candidates" not in bag.get("spelling", NOTHING) or response["messages"] or "alternatives" in response:
        return False
    reason = "content_filter" if is_prompt_blocked(bag.get("fields", NOTHING)) else None
    return response.get("finish_reason") == reason and "finish_reason_raw" not in response


def _encode_candidate(answer: ChatResponse | Alternative, position: int, to: Target) -> dict[str, Any]:
    bag = own_extra(answer, DIALECT)
    spelling = bag.get("spelling", NOTHING)
    out: dict[str, Any] = {}
    contents = _encode_contents(answer["messages"], to)
    if contents:
        out["content"] = contents[0]
    elif not to.home:
        out["content"] = empty_content()
    answer = with_refusal_reason(answer, to)
    if "finish_reason" not in answer and not to.home:
        to.log.filled(f"{to.base}/finish_reason", "every complete answer needs a finish reason")
        out["finishReason"] = FINISH_WORDS[implied_finish_reason(answer["messages"])][0]
    if "finish_reason" in answer:
        messages = answer["messages"]
        called = ends_with_calls(messages if to.home else [one for one in messages if one["role"] != "opaque"])
        out["finishReason"] = finish_word(answer["finish_reason"], answer.get("finish_reason_raw"), to, called=called)
    elif "finish_reason_raw" in answer:
        to.log.lost(
            "finish_reason", f"{to.base}/finish_reason_raw", "the finish reason is one word, without an explanation"
        )
    if "stop_sequence" in answer:
        to.log.lost("finish_reason", f"{to.base}/stop_sequence", "a response cannot say which stop sequence ended it")
    if not to.home:
        write_grounding_abroad(out, answer["messages"], to)
    else:
        write_grounding(out, answer["messages"], bag.get("candidate", NOTHING), to)
    merge_extra(out, bag.get("candidate", NOTHING))
    write_nulls(out, spelling, "candidate")
    if "index" not in out and "index" not in spelling.get("absent", ()):
        out["index"] = position
    return with_snake_case(out, spelling["snake"], CANDIDATE) if "snake" in spelling else out


def empty_content() -> dict[str, Any]:
    """Return the content of an empty answer: clients read the first part without checking that there is one."""
    return {"role": MODEL, "parts": [{"text": ""}]}


def _encode_contents(messages: list[ChatMessage], to: Target) -> list[dict[str, Any]]:
    """Return the one content of an answer, or none. A tool result stands in it if it came that way."""
    turns = Turns(messages, to)
    for index, message in enumerate(messages):
        if message["role"] == "assistant" or (message["role"] == "tool" and (to.home or _is_of_model(message))):
            turns.take(message, index)
        else:
            lost_other_role(to.log, message, to.message(index), role="model")
    return turns.close()


def _is_of_model(message: ChatMessage) -> bool:
    """Return whether a tool result came in a content of the model."""
    return bool(own_spelling(message, DIALECT).get("role") == MODEL)


def finish_word(reason: str, raw: str | int | None, to: Target, *, called: bool) -> str | int:
    """Return the wire word of a finish reason; `called`: the answer ends with calls."""
    word, faithful = FINISH_WORDS[reason]
    if raw is not None:
        known = raw in FINISH_REASONS if isinstance(raw, str) else raw in FINISH_NUMBERS
        if reason_of(raw, called=called) == reason and (to.home or known):
            return raw
        to.log.lost("finish_reason", f"{to.base}/finish_reason_raw", "only its own dialect has this finish reason")
    if not faithful or reason_of(word, called=called) != reason:
        to.log.changed("finish_reason", f"{to.base}/finish_reason", "the target has no such finish reason")
    return word


def encode_usage(usage: Usage, to: Target) -> dict[str, Any]:
    """Encode usage: `thoughtsTokenCount` and `toolUsePromptTokenCount` are not part of output and input."""
    counts: Mapping[str, Any] = usage
    bag = own_extra(usage, DIALECT)
    spelling = bag.get("spelling", NOTHING)
    out: dict[str, Any] = {wire: counts[name] for wire, name in USAGE.items() if name in counts}
    read = bag.get("fields", NOTHING).get(TOOL_USE)
    if "promptTokenCount" in out and type(read) is int:
        out["promptTokenCount"] -= read
    thoughts = counts.get("reasoning_tokens", 0)
    if "candidatesTokenCount" in out:
        if thoughts <= out["candidatesTokenCount"]:  # some vendors do not count them as output
            out["candidatesTokenCount"] -= thoughts
        else:
            detail = "reasoning tokens are counted in thoughtsTokenCount, beside the output"
            to.log.changed("member", "/usage/output_tokens", detail)
        if out["candidatesTokenCount"] == 0 and "candidatesTokenCount" in spelling.get("absent", ()):
            del out["candidatesTokenCount"]
    elif "thoughtsTokenCount" in out:
        to.log.filled("/usage/output_tokens", "reasoning tokens are counted in thoughtsTokenCount, beside the output")
    for wire, names in USAGE_DETAILS.items():
        details = write_counts(counts, names)
        if not to.home:  # other dialects count zero audio tokens
            details = [one for one in details if one["tokenCount"]]
        if details:
            out[wire] = details[::-1] if wire in spelling.get("reversed", ()) else details
    if not to.home and "total_tokens" not in counts and {"input_tokens", "output_tokens"} <= counts.keys():
        written = ("promptTokenCount", "candidatesTokenCount", "thoughtsTokenCount")
        out["totalTokenCount"] = sum(out.get(name, 0) for name in written)  # clients read it
    report_usage(usage, _USAGE_MEMBERS, to.log, "usage has no such member")
    for name in spelling.get("float", ()):
        if name in out:
            out[name] = float(out[name])
    merge_own_extra(out, usage, DIALECT, "/usage", to.log)
    return with_snake_case(out, spelling["snake"], USAGE_NAMES) if "snake" in spelling else out
