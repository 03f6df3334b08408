"""Canonical to Ollama: responses.

Source: docs/wire/ollama.md, section 2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.logprobs import with_logprobs
from interlingua.loss import lost_members
from interlingua.rooms._shared.timestamps import UTC, format_timestamp
from interlingua.rooms._shared.writing import Target, lost_alternatives
from interlingua.rooms.ollama.encode_message import encode_messages
from interlingua.rooms.ollama.tables import DIALECT, FILLS, FINISH_REASONS, FINISH_WORDS, USAGE
from interlingua.spi.extra import merge_own_extra, own_extra, own_spelling, report_foreign, report_usage

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.loss import LossLog
    from interlingua.model_shapes import ChatResponse, Usage


_COUNTS: Final = frozenset(USAGE.values())


def encode_response(response: ChatResponse, log: LossLog) -> dict[str, Any]:
    """Return a whole answer; losses go to the log."""
    to = Target(DIALECT, response.get("dialect") == DIALECT, answer=True, log=log)
    if not to.home:
        response = with_logprobs(response, DIALECT, "fields")
    out: dict[str, Any] = {}
    if "model" in response:
        out["model"] = response["model"]
    elif not to.home:
        out["model"] = FILLS["model"]
        log.filled("/model", "every Ollama response needs this member: a value was added")
    write_created(out, response, to)
    out["message"] = _encode_answer(response, to)
    write_done_reason(out, response, to)
    if "usage" in response:
        write_usage(out, response["usage"], to)
    for name in ("id", "schema_version"):
        if name in response:
            log.lost("member", f"/{name}", f"a response has no {name} there")
    if "stop_sequence" in response:
        log.lost("finish_reason", "/stop_sequence", "a response cannot say which stop sequence ended it")
    lost_alternatives(response, log)
    merge_own_extra(out, response, DIALECT, "", log)
    if "done" not in out and "done" not in own_spelling(response, DIALECT).get("absent", ()):
        out["done"] = True
    return out


def write_created(out: dict[str, Any], response: Mapping[str, Any], to: Target) -> None:
    """Write the timestamp with the fraction and offset that it came with."""
    if "created" not in response:
        if not to.home:
            out["created_at"] = format_timestamp(FILLS["created"])
            to.log.filled("/created", "every Ollama response needs this member: a value was added")
        return
    moment = format_timestamp(response["created"], own_extra(response, DIALECT).get("created_at", UTC))
    if moment is None:
        to.log.changed("member", "/created", "the time is not a valid date")
        moment = format_timestamp(FILLS["created"])
    out["created_at"] = moment


def _encode_answer(response: ChatResponse, to: Target) -> dict[str, Any]:
    """Return the one message of an answer."""
    messages = encode_messages(response["messages"], to)
    for index in range(1, len(messages)):  # at home, if messages were added to the answer
        detail = "an answer is one message: this one was left out"
        lost_members(to.log, response["messages"][index], to.message(index), "message", detail)
    return messages[0] if messages else {"role": "assistant", "content": ""}


def write_done_reason(out: dict[str, Any], response: Mapping[str, Any], to: Target) -> None:
    """Write the finish reason; it is also `stop` for an answer with tool calls."""
    reason = response.get("finish_reason")
    raw = response.get("finish_reason_raw")
    if reason is None:
        if raw is not None:
            to.log.lost("finish_reason", "/finish_reason_raw", "the finish reason is one word, without an explanation")
        if not to.home:
            out["done_reason"] = FINISH_WORDS["stop"][0]
            to.log.filled("/finish_reason", "every complete answer needs a finish reason")
        return
    calls = any(message["role"] == "assistant" and message.get("tool_calls") for message in response["messages"])
    word, faithful = FINISH_WORDS[reason]
    out["done_reason"] = word
    if raw is not None:
        known = FINISH_REASONS.get(raw, "other") if type(raw) is str else "other"
        if to.home and known == reason:
            out["done_reason"] = raw
            return
        to.log.lost("finish_reason", "/finish_reason_raw", "only its own dialect has this finish reason")
    if not faithful or (word == "stop" and calls != (reason == "tool_calls")):
        to.log.changed("finish_reason", "/finish_reason", "the target has no such finish reason")


def write_usage(out: dict[str, Any], usage: Usage, to: Target) -> None:
    """Write the usage."""
    for wire, name in USAGE.items():
        if name in usage:
            out[wire] = usage[name]  # type: ignore[literal-required]  # names of the table
    report_usage(usage, _COUNTS, to.log, "token counts have no such member")
    if "extra" in usage:
        report_foreign(usage, DIALECT, "/usage", to.log)
