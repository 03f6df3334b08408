"""Encode canonical responses as Claude messages.

Source: docs/wire/claude.md, section 2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from interlingua.loss import lost_other_role
from interlingua.rooms._shared.cache_usage import counted_for_claude
from interlingua.rooms._shared.claude_signatures import FROM_BEDROCK, messages_with_signatures
from interlingua.rooms._shared.clipped_calls import STOP_SEQUENCE, is_word_for
from interlingua.rooms._shared.names import AnswerIds
from interlingua.rooms._shared.refusals import implied_finish_reason, with_refusal_reason
from interlingua.rooms._shared.writing import Target, lost_alternatives
from interlingua.rooms.claude.encode_message import Blocks, as_blocks, encode_answer
from interlingua.rooms.claude.tables import (
    CACHE_COUNTS,
    DIALECT,
    FILLS,
    FINISH_REASONS,
    FINISH_WORDS,
    HABITS,
    OUTPUT_DETAILS,
    THINKING_TOKENS,
    USAGE,
)
from interlingua.spi.extra import NOTHING, merge_own_extra, own_spelling, report_usage
from interlingua.spi.reading import is_integer

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.loss import LossLog
    from interlingua.model_shapes import ChatMessage, ChatResponse, Usage


_STOPPED: Final = frozenset({FINISH_WORDS["stop"][0], STOP_SEQUENCE})
_TOTAL_PARTS: Final = ("input_tokens", "output_tokens")
_USAGE_MEMBERS: Final = frozenset({"reasoning_tokens", *USAGE.values()})


def encode_response(response: ChatResponse, log: LossLog) -> dict[str, Any]:
    """Return a Claude message for a response; losses are recorded in `log`."""
    home = response.get("dialect") == DIALECT
    to = Target(DIALECT, home, answer=True, log=log, ids=None if home else AnswerIds(response, log.asked))
    spelling = own_spelling(response, DIALECT)
    absent = spelling.get("absent", ())
    out: dict[str, Any] = {}
    members = cast("Mapping[str, Any]", response)
    for name in ("id", "model"):
        if name in members:
            out[name] = members[name]
        elif not home:
            out[name] = FILLS[name] if to.ids is None or name != "id" else to.ids.response("msg_")
            log.filled(f"/{name}", "every response needs this member: a value was added")
    messages = response["messages"] if home else messages_with_signatures(response["messages"], FROM_BEDROCK)
    blocks = _encode_blocks(messages, to)
    out["content"] = None if not blocks and "content" in spelling.get("null", ()) else blocks
    unsaid = "" if home else implied_finish_reason(response["messages"])
    encode_stop_reason(out, with_refusal_reason(response, to), to, unsaid=unsaid)
    if "usage" in response or not home:
        out["usage"] = encode_usage(response.get("usage", {}), to)
        if "usage" not in response:
            to.log.filled("/usage", "every response of Claude needs usage")
    for name in ("created", "schema_version"):
        if name in response:
            log.lost("member", f"/{name}", f"a response has no {name} there")
    lost_alternatives(response, log)
    merge_own_extra(out, response, DIALECT, "", log)
    for name, value in HABITS.items():
        if name not in out and name not in absent:
            out[name] = value
    return out


def _encode_blocks(messages: list[ChatMessage], to: Target) -> list[Any]:
    blocks = Blocks([])
    for index, message in enumerate(messages):
        if message["role"] != "assistant":
            lost_other_role(to.log, message, to.message(index))
            continue
        blocks.add(as_blocks(encode_answer(message, index, to)))
    blocks.close()
    return blocks.made


def encode_stop_reason(out: dict[str, Any], response: Any, to: Target, *, unsaid: str) -> None:
    """Write `stop_reason` and `stop_sequence`; abroad, `unsaid` is the reason used where the response has none.

    Abroad, an answer with tool calls never ends with `end_turn`: clients would stop, too (DEC-10).
    """
    reason = response.get("finish_reason")
    raw = response.get("finish_reason_raw")
    sequence = response.get("stop_sequence")
    if sequence is not None:
        out["stop_sequence"] = sequence
    if reason is None:
        if not to.home:
            out["stop_reason"] = FINISH_WORDS[unsaid][0] if sequence is None else STOP_SEQUENCE
            to.log.filled("/finish_reason", "every complete answer needs a finish reason")
        if raw is not None:
            to.log.lost("finish_reason", "/finish_reason_raw", "the stop reason is one word, without an explanation")
        return
    word, faithful = FINISH_WORDS[reason]
    if reason == "tool_calls" and unsaid == "stop":
        out["stop_reason"] = FINISH_WORDS["stop"][0]
        to.log.changed(
            "finish_reason", "/finish_reason", "no tool was called: with this reason clients would wait for a call"
        )
        if raw is not None:
            to.log.lost("finish_reason", "/finish_reason_raw", "only its own dialect has this finish reason")
        return
    if reason == "stop" and sequence is not None:
        word = STOP_SEQUENCE
    out["stop_reason"] = word
    if raw is not None:
        if type(raw) is str and is_word_for(raw, reason, FINISH_REASONS) and (to.home or raw in FINISH_REASONS):
            out["stop_reason"] = raw
            return
        to.log.lost("finish_reason", "/finish_reason_raw", "only its own dialect has this finish reason")
    if unsaid == "tool_calls" and word in _STOPPED:  # a stop sequence beside calls says that one was cut off
        out["stop_reason"], faithful = word if word == STOP_SEQUENCE else FINISH_WORDS[unsaid][0], False
    if not faithful:
        to.log.changed("finish_reason", "/finish_reason", "the target has no such finish reason")


def encode_usage(usage: Usage, to: Target, before: Mapping[str, Any] = NOTHING) -> dict[str, Any]:
    """Encode `usage`. Claude's `input_tokens` excludes cached tokens; the canonical count includes them.

    `before`: at home, the stream's counts so far.
    """
    usage = usage if to.home else cast("Usage", counted_for_claude(cast("Mapping[str, Any]", usage)))
    out: dict[str, Any] = {}
    for wire, name in USAGE.items():
        if name in usage:
            out[wire] = usage[name]  # type: ignore[literal-required]  # names of the table
    if "input_tokens" in out:
        out["input_tokens"] -= sum(out.get(wire, before.get(wire, 0)) for wire in CACHE_COUNTS)
        spelling = own_spelling(usage, DIALECT)
        unsaid = any("input_tokens" in spelling.get(form, ()) for form in ("absent", "null"))
        if unsaid and out["input_tokens"] == before.get("input_tokens", 0):
            del out["input_tokens"]
    for wire in [wire for wire in out if out[wire] < 0 and not to.home]:  # more was cached than came in, some count
        out[wire] = 0
        for name in (USAGE[wire], *(["total_tokens"] if "total_tokens" in usage else [])):  # the sum of what is told
            to.log.changed("member", f"/usage/{name}", "a token count cannot be below 0")
    if "reasoning_tokens" in usage:
        out[OUTPUT_DETAILS] = {THINKING_TOKENS: usage["reasoning_tokens"]}
    report_usage(usage, _USAGE_MEMBERS, to.log, "usage has no such member")
    merge_own_extra(out, usage, DIALECT, "/usage", to.log)
    if not to.home:
        if "input_tokens" not in out and any(usage.get(name) for name in ("cache_read_tokens", "cache_write_tokens")):
            to.log.filled("/usage/input_tokens", "input_tokens must include cached tokens")
        for name in _TOTAL_PARTS:
            out.setdefault(name, 0)
    return out


def input_counts(wire: Mapping[str, Any]) -> dict[str, Any]:
    """Return the input token counts in `usage`."""
    return {name: wire[name] for name in ("input_tokens", *CACHE_COUNTS) if is_integer(wire.get(name))}
