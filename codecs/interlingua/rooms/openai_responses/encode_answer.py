"""Encode canonical responses for Responses.

Source: docs/wire/openai_responses.md, section 2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.logprobs import with_logprobs
from interlingua.rooms._shared.finish_messages import failure_text
from interlingua.rooms._shared.names import AnswerIds
from interlingua.rooms._shared.writing import Target, lost_alternatives
from interlingua.rooms.openai_responses.encode_message import encode_items
from interlingua.rooms.openai_responses.finish_reasons import (
    CALLS_ABROAD,
    implied_reason_of_items,
    output_text,
    reason_of,
)
from interlingua.rooms.openai_responses.tables import (
    CALLS,
    DIALECT,
    FILLS,
    FUNCTION_CALL,
    INCOMPLETE_WORDS,
    KNOWN_REASONS,
    STATUS_WORDS,
    STATUSES,
    USAGE,
    USAGE_DETAILS,
)
from interlingua.spi.extra import NOTHING, merge_extra, merge_own_extra, own_extra, report_foreign, report_usage
from interlingua.tool_arguments import are_whole

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.loss import LossLog
    from interlingua.model_shapes import ChatResponse, Usage


_RESPONSE_MEMBERS: Final = (("id", "id"), ("model", "model"), ("created", "created_at"))


def encode_response(response: ChatResponse, log: LossLog) -> dict[str, Any]:
    """Return a `response` object; losses are recorded in `log`."""
    home = response.get("dialect") == DIALECT
    to = Target(DIALECT, home, answer=True, log=log, ids=None if home else AnswerIds(response, log.asked))
    if not home:
        response = with_logprobs(response, DIALECT, "part")
    bag = own_extra(response, DIALECT)
    spelling = bag.get("spelling", NOTHING)
    absent = spelling.get("absent", ())
    out = _encode_members(response, spelling, to)
    out["output"] = encode_items(response["messages"], 0, to)
    if not home and response.get("finish_reason") in INCOMPLETE_WORDS:
        _cut_short(out["output"])
    calls = CALLS if home else CALLS_ABROAD
    encode_finish(out, response, implied_reason_of_items(out["output"], calls), spelling, to)
    if "usage" in response:
        out["usage"] = encode_usage(response["usage"], to)
    if "stop_sequence" in response:
        log.lost("finish_reason", "/stop_sequence", "a response cannot say which stop sequence ended it")
    if "schema_version" in response:
        log.changed("member", "/schema_version", "schema_version belongs to the canonical form and is not sent")
    lost_alternatives(response, log)
    if not out["output"] and "output" in spelling.get("null", ()):
        out["output"] = None
    merge_extra(out, bag.get("response", NOTHING))
    merge_own_extra(out, response, DIALECT, "", log)
    if spelling.get("output_text") == "joined":
        out.setdefault("output_text", output_text(response["messages"]))
    for name, value in (("object", "response"), ("error", None), ("incomplete_details", None)):
        if name not in out and name not in absent:
            out[name] = value
    if not home:
        fill_failure(out, response.get("finish_reason_raw"), log)
        fill_echo(out, log)
    return out


def _cut_short(output: list[dict[str, Any]]) -> None:
    """Mark the last item as incomplete if it is a message, or a call with incomplete arguments."""
    last: dict[str, Any] = output[-1] if output else {}
    is_cut = last.get("type") == "message" or (last.get("type") == FUNCTION_CALL and not are_whole(last["arguments"]))
    if is_cut and last.get("status") == FILLS["status"]:
        output[-1] = {**last, "status": "incomplete"}


def _encode_members(response: ChatResponse, spelling: Mapping[str, Any], to: Target) -> dict[str, Any]:
    """Return a response with its id, model and time."""
    out: dict[str, Any] = {}
    for name, wire in _RESPONSE_MEMBERS:
        if name in response:
            out[wire] = response[name]  # type: ignore[literal-required]  # names of the table
        elif not to.home:
            out[wire] = FILLS[wire] if to.ids is None or name != "id" else to.ids.response("resp_")
            to.log.filled(f"/{name}", "every response of Responses needs this member: a value was added")
    if "created" in response and spelling.get("created") == "float":
        out["created_at"] = float(response["created"])
    return out


def fill_echo(out: dict[str, Any], log: LossLog) -> None:
    """Fill in the members that every response repeats of its request."""
    echo: dict[str, Any] = {"parallel_tool_calls": True, "tool_choice": "auto", "tools": []}
    for name, value in echo.items():
        if name not in out:
            out[name] = value
            log.filled(f"/extra/{DIALECT}/response/{name}", "every response repeats this setting of its request")


def fill_failure(out: dict[str, Any], raw: str | int | None, log: LossLog) -> None:
    """Fill in the error of a failed response; `raw` is the provider's own finish reason."""
    told: Any = out.get("error")
    if out.get("status") == STATUS_WORDS["error"] and (told is None or (type(told) is dict and "code" not in told)):
        out["error"] = {"code": FILLS["error_code"], "message": failure_text(raw, ""), **(told or {})}
        log.filled(f"/extra/{DIALECT}/fields/error", "every failed response needs this member: a value was added")


def encode_finish(
    out: dict[str, Any], response: ChatResponse, said: str, spelling: Mapping[str, Any], to: Target
) -> None:
    """Write `status` and `incomplete_details`; `said` is the reason that the output implies if completed."""
    reason, raw = response.get("finish_reason"), response.get("finish_reason_raw")
    if reason is None:
        if raw is not None:
            to.log.lost("finish_reason", "/finish_reason_raw", "the finish reason is one word, without an explanation")
        if not to.home:
            out["status"] = FILLS["status"]
            to.log.filled("/finish_reason", "every complete answer needs a finish reason")
        return
    unsaid = any("status" in spelling.get(form, ()) for form in ("absent", "null"))
    if raw is not None and _encode_raw(out, reason, raw, to):
        pass
    elif reason == said:
        if not unsaid:
            out["status"] = FILLS["status"]
    elif reason in INCOMPLETE_WORDS:
        out |= {"status": "incomplete", "incomplete_details": {"reason": INCOMPLETE_WORDS[reason]}}
    elif reason in STATUS_WORDS:
        out["status"] = STATUS_WORDS[reason]
    else:
        if reason == "refusal":
            out |= {"status": "incomplete", "incomplete_details": {"reason": INCOMPLETE_WORDS["content_filter"]}}
        else:
            out["status"] = FILLS["status"]
        to.log.changed("finish_reason", "/finish_reason", "the target has no such finish reason for this output")
    if unsaid and out.get("incomplete_details"):  # the details imply it
        del out["status"]


def _encode_raw(out: dict[str, Any], reason: str, raw: str | int, to: Target) -> bool:
    """Write this dialect's own word for a reason; return False if it is none, or no longer fits."""
    if type(raw) is str:
        if raw in STATUSES and reason in {STATUSES[raw], "other"}:
            out["status"] = raw
            return True
        if reason in {"other", reason_of(raw)} and (to.home or raw in KNOWN_REASONS):
            out["status"] = "incomplete"
            if raw != "incomplete":
                out["incomplete_details"] = {"reason": raw}
            return True
    to.log.lost("finish_reason", "/finish_reason_raw", "only its own dialect has this finish reason")
    return False


def encode_usage(usage: Usage, to: Target) -> dict[str, Any]:
    """Encode `usage`; abroad all counts are filled in."""
    out: dict[str, Any] = {}
    known = {"extra"}
    for wire, name in USAGE.items():
        known.add(name)
        if name in usage:
            out[wire] = usage[name]  # type: ignore[literal-required]  # names of the table
    for wire, names in USAGE_DETAILS.items():
        known.update(names.values())
        details = {inner: usage[name] for inner, name in names.items() if name in usage}  # type: ignore[literal-required]  # names of the table
        if details:
            out[wire] = details
    report_usage(usage, known, to.log, "usage has no such member")
    bag = own_extra(usage, DIALECT)
    merge_extra(out, bag.get("fields", NOTHING))
    for name in bag.get("spelling", NOTHING).get("null", ()):
        outer, dot, inner = name.partition(".")
        if not dot:
            out.setdefault(name, None)
        elif type(out.setdefault(outer, {})) is dict:
            out[outer] = {inner: None, **out[outer]}
    if "extra" in usage:
        report_foreign(usage, DIALECT, "/usage", to.log)
    if not to.home:
        _fill_usage(out)
    return out


def _fill_usage(out: dict[str, Any]) -> None:
    """Fill in missing counts with 0, and the total."""
    for wire in USAGE:
        if wire not in out:
            out[wire] = out["input_tokens"] + out["output_tokens"] if wire == "total_tokens" else 0
    for wire, names in USAGE_DETAILS.items():
        out[wire] = {**out.get(wire, NOTHING), **{inner: 0 for inner in names if inner not in out.get(wire, NOTHING)}}
