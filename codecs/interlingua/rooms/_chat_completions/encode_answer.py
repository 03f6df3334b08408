"""Canonical to Chat Completions: responses.

Source: docs/wire/openai_chat.md, section 2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from interlingua.logprobs import with_logprobs
from interlingua.loss import LossLog, lost_members
from interlingua.rooms._chat_completions.encode_message import encode_messages
from interlingua.rooms._chat_completions.reasoning_details import CARRIED, SIGNATURES
from interlingua.rooms._chat_completions.search_sources import MEMBERS as SOURCES
from interlingua.rooms._chat_completions.search_sources import take_sources
from interlingua.rooms._chat_completions.tables import FILLS, REASONING_COUNTED, USAGE
from interlingua.rooms._chat_completions.vendor_extensions import USAGE as VENDOR_USAGE
from interlingua.rooms._shared.names import AnswerIds
from interlingua.rooms._shared.writing import Target
from interlingua.spi.descriptor import DECLINED
from interlingua.spi.extra import (
    NOTHING,
    merge_extra,
    merge_own_extra,
    own_extra,
    report_foreign,
    report_usage,
    write_nulls,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from interlingua.model_shapes import Alternative, ChatResponse, Usage
    from interlingua.rooms._chat_completions.vendor import Vendor


LABELS: Final = ("id", "created", "model")


def encode_response(response: ChatResponse, vendor: Vendor, log: LossLog) -> dict[str, Any]:
    """Return a `chat.completion`; losses go to the log."""
    home = response.get("dialect") == vendor.dialect
    to = Target(vendor.dialect, home, answer=True, log=log, ids=None if home else AnswerIds(response, log.asked))
    if not home:
        response = with_logprobs(response, vendor.dialect, "choice")
    bag = own_extra(response, vendor.dialect)
    spelling = bag.get("spelling", NOTHING)
    to.carries = spelling.get(SIGNATURES) == CARRIED
    sources: Mapping[str, Any] = NOTHING
    if home and not SOURCES.isdisjoint(bag.get("fields", ())):
        response, sources = take_sources(response, vendor.dialect, log)
    out: dict[str, Any] = {}
    members = cast("Mapping[str, Any]", response)
    for name in LABELS:
        if name in members:
            out[name] = members[name]
    has_choice = response["messages"] or not to.home or _is_silent(bag)
    out["choices"] = [_encode_choice(response, 0, vendor, to)] if has_choice else []
    for index, answer in enumerate(response.get("alternatives", ())):
        inner = Target(vendor.dialect, home, answer=True, log=log, base=f"/alternatives/{index}")
        inner.ids = None if home else AnswerIds(response, log.asked, index + 1)
        inner.carries = to.carries
        out["choices"].append(_encode_choice(answer, index + 1, vendor, inner))
        if "extra" in answer:
            report_foreign(answer, vendor.dialect, inner.base, log)
    if not out["choices"] and "choices" in spelling.get("null", ()):
        out["choices"] = None
    if "usage" in response:
        out["usage"] = encode_usage(response["usage"], vendor, to)
    if "schema_version" in response:
        log.changed("member", "/schema_version", "schema_version belongs to the canonical form and is not sent")
    out |= sources
    merge_own_extra(out, response, vendor.dialect, "", log)
    if "object" not in out and "object" not in spelling.get("absent", ()):
        out["object"] = "chat.completion"
    if to.ids is not None:
        fill_labels(out, to.ids, log)
    return out


def fill_labels(out: dict[str, Any], ids: AnswerIds, log: LossLog) -> None:
    """Fill in labels that an answer from abroad lacks."""
    for name in LABELS:
        if name not in out:
            out[name] = ids.response("chatcmpl-") if name == "id" else FILLS[name]
            log.filled(f"/{name}", "every response of Chat Completions needs this member: a value was added")


def _encode_choice(answer: ChatResponse | Alternative, position: int, vendor: Vendor, to: Target) -> dict[str, Any]:
    """Encode one answer. Its leftovers are in `choice`, its notes on spelling with those of the response."""
    bag = own_extra(answer, vendor.dialect)
    spelling = bag.get("spelling", NOTHING)
    absent = spelling.get("absent", ())
    messages = encode_messages(answer["messages"], vendor, to)
    if len(messages) > 1:
        for index in range(1, len(answer["messages"])):
            detail = "a choice has only one message: this one was left out"
            lost_members(to.log, answer["messages"][index], to.message(index), "message", detail)
    message = messages[0] if messages else {"role": "assistant", "content": None}
    if not to.home:
        message.setdefault("content", None)
        message.setdefault("refusal", None)
    out: dict[str, Any] = {} if to.home and not messages and _is_silent(bag) else {"message": message}
    write_finish(out, answer, vendor, to)
    if "choice" in bag:
        merge_extra(out, bag["choice"])
    write_nulls(out, spelling, "choice")
    if "index" not in out and "index" not in absent:
        out["index"] = position
    if "finish_reason" not in out and "finish_reason" not in absent:
        out["finish_reason"] = None
    if not to.home:
        out.setdefault("logprobs", None)
    return out


def _is_silent(bag: Mapping[str, Any]) -> bool:
    """Tell whether a choice had no message, or another value in its place."""
    spelling = bag.get("spelling", NOTHING)
    return (
        "message" in bag.get("choice", ())
        or "message" in spelling.get("absent", ())
        or "choice.message" in spelling.get("null", ())
    )


def write_finish(out: dict[str, Any], answer: Any, vendor: Vendor, to: Target) -> None:
    """Write the finish reason, and the stop sequence if the dialect has it."""
    reason = answer.get("finish_reason")
    raw = answer.get("finish_reason_raw")
    called = any(message.get("tool_calls") for message in answer["messages"])
    if reason is not None:
        refused = any(_has_words(message.get("refusal")) for message in answer["messages"])
        out["finish_reason"] = finish_word(reason, raw, vendor, to, called=called, refused=refused)
    else:
        if not to.home:
            out["finish_reason"] = "tool_calls" if called else "stop"
            to.log.filled(f"{to.base}/finish_reason", "every complete answer needs a finish_reason")
        if raw is not None:
            to.log.lost(
                "finish_reason", f"{to.base}/finish_reason_raw", "finish_reason is one word, without an explanation"
            )
    if "stop_sequence" in answer:
        if vendor.stop_words:
            out["stop_reason"] = answer["stop_sequence"]
        else:
            to.log.lost(
                "finish_reason", f"{to.base}/stop_sequence", "a response cannot say which stop sequence ended it"
            )


def _has_words(refusal: Any) -> bool:
    """Tell whether a refusal can be read: of a list, only the texts are written. A stream only says whether it can."""
    if type(refusal) is not list:
        return bool(refusal)
    return any(part["type"] == "text" and part["text"] for part in refusal)


def finish_word(
    reason: str, raw: str | int | None, vendor: Vendor, to: Target, *, called: bool, refused: bool
) -> str | int:
    """Return the wire finish reason.

    Abroad, an answer with tool calls never gets `stop`, since clients would not run them (DEC-10), unless it was
    declined. An answer with a readable refusal gets `stop`: OpenAI's client raises an error for `content_filter`.
    """
    word, faithful = vendor.finish_words[reason]
    if raw is not None:
        known = to.home or (type(raw) is str and vendor.finish_reasons.get(raw) == reason)
        if known and vendor.finish_reason(raw, called=called) == reason:
            return raw if type(raw) is str else int(raw)  # a whole number must not be written as 5.0
        to.log.lost("finish_reason", f"{to.base}/finish_reason_raw", "only its own dialect has this finish reason")
    if called and word == "stop" and reason not in DECLINED:
        word, faithful = vendor.finish_words["tool_calls"][0], False
    elif refused and reason == "refusal":
        word, faithful = vendor.finish_words["stop"][0], False
    if not faithful:
        to.log.changed("finish_reason", f"{to.base}/finish_reason", "the target has no such finish reason")
    return word


def encode_usage(usage: Usage, vendor: Vendor, to: Target) -> dict[str, Any]:
    """Return the `usage` of a response, or of the last chunk of a stream."""
    out: dict[str, Any] = {}
    for wire, name in USAGE.items():
        if name in usage:
            out[wire] = usage[name]  # type: ignore[literal-required]  # names of the table
    bag = own_extra(usage, vendor.dialect)
    spelling = bag.get("spelling", NOTHING)
    if "completion_tokens" in out and REASONING_COUNTED in spelling.get("absent", ()):
        out["completion_tokens"] -= usage.get("reasoning_tokens", 0)
    placed = _write_vendor_counts(out, usage, bag["fields"]) if "fields" in bag else ()
    written = len(out) + ("extra" in usage)  # members of the usage
    for wire, names in vendor.usage_details.items() if placed or written < len(usage) else ():
        details: dict[str, Any] = {
            inner: usage[name]  # type: ignore[literal-required]  # names of the table
            for inner, name in names.items()
            if name in usage and name not in placed
        }
        if details:
            out[wire] = details
            written += len(details)
    if written != len(usage):
        known = {"extra", *USAGE.values()}.union(*(names.values() for names in vendor.usage_details.values()))
        report_usage(usage, known, to.log, "usage has no such member")
    if "extra" in usage:
        merge_own_extra(out, usage, vendor.dialect, "/usage", to.log)
        _write_nested_nulls(out, spelling.get("null", ()))
    if not to.home:
        for wire in USAGE:
            if wire not in out:
                total = out.get("prompt_tokens", 0) + out.get("completion_tokens", 0)
                out[wire] = total if wire == "total_tokens" else 0
    return out


def _write_vendor_counts(out: dict[str, Any], usage: Usage, fields: Mapping[str, Any]) -> Collection[str]:
    """Write counts to the members beside the details that they came from; return their canonical names."""
    placed = {key: VENDOR_USAGE[key] for key, held in fields.items() if held is None and key in VENDOR_USAGE}
    out |= {key: usage[name] for key, name in placed.items() if name in usage}  # type: ignore[literal-required]  # names of the table
    return placed.values()


def _write_nested_nulls(out: dict[str, Any], names: Iterable[str]) -> None:
    """Restore nulls inside the details of the usage."""
    for name in reversed(tuple(names)):  # each is put in front
        outer, dot, inner = name.partition(".")
        if dot and type(out.setdefault(outer, {})) is dict:
            out[outer] = {inner: None, **out[outer]}
