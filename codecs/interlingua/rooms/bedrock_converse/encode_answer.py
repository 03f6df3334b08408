"""Encode canonical responses for Bedrock Converse.

Source: docs/wire/bedrock_converse.md, section 2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.loss import lost_members, lost_other_role
from interlingua.rooms._shared.cache_usage import counted_for_bedrock
from interlingua.rooms._shared.claude_signatures import FROM_CLAUDE, messages_with_signatures
from interlingua.rooms._shared.clipped_calls import is_word_for
from interlingua.rooms._shared.names import AnswerIds
from interlingua.rooms._shared.refusals import implied_finish_reason, with_refusal_reason
from interlingua.rooms._shared.writing import Target
from interlingua.rooms.bedrock_converse.additional_fields import write_additional_fields
from interlingua.rooms.bedrock_converse.encode import encode_answer, joined_after, with_turn_members
from interlingua.rooms.bedrock_converse.restoring import restore
from interlingua.rooms.bedrock_converse.tables import DIALECT, FILLS, FINISH_REASONS, FINISH_WORDS, USAGE
from interlingua.spi.extra import report_usage

if TYPE_CHECKING:
    from interlingua.loss import LossLog
    from interlingua.model_shapes import ChatResponse


def encode_response(response: ChatResponse, log: LossLog) -> dict[str, Any]:
    """Return a Converse response; losses are recorded in `log`."""
    said: Any = response
    home = said.get("dialect") == DIALECT
    to = Target(DIALECT, home, answer=True, log=log, ids=None if home else AnswerIds(said, log.asked))
    message: dict[str, Any] = {"role": "assistant", "content": []}
    messages = said["messages"] if home else messages_with_signatures(said["messages"], FROM_CLAUDE)
    for index, one in enumerate(messages):
        if one["role"] != "assistant":
            lost_other_role(log, one, to.message(index))
            continue
        message["content"].extend(joined_after(message["content"], encode_answer(one, index, to), "assistant"))
        message = with_turn_members(message, one)
    end = encode_stop_reason(with_refusal_reason(said, to), to, unsaid=implied_finish_reason(said["messages"]))
    out: dict[str, Any] = {"output": {"message": message}, **end}
    if "usage" in said or not to.home:
        out["usage"] = encode_usage(said.get("usage", {}), to)
    if to.home:
        out |= write_additional_fields(said)
    for name in ("id", "model", "created", "schema_version"):
        if name in said:
            log.lost("member", f"/{name}", f"an answer has no {name} there")
    for at, answer in enumerate(said.get("alternatives", ())):
        lost_members(log, answer, f"/alternatives/{at}", "message", "the target has only one answer")
    if not to.home:
        write_metrics(out, "", log)
    return restore(out, said, "", to)


def write_metrics(out: dict[str, Any], path: str, log: LossLog) -> None:
    """Write the metrics that every response has."""
    out |= FILLS
    log.filled(f"{path}/extra/{DIALECT}/fields/metrics", "every response needs metrics.latencyMs")


def encode_stop_reason(response: Any, to: Target, *, unsaid: str) -> dict[str, Any]:
    """Return the `stopReason`; abroad, `unsaid` is the reason used where the response has none.

    Abroad, an answer with tool calls never ends with `end_turn`: clients would stop, too (DEC-10).
    """
    reason, raw = response.get("finish_reason"), response.get("finish_reason_raw")
    if "stop_sequence" in response and not to.home:
        to.log.lost("finish_reason", "/stop_sequence", "a response cannot say which stop sequence ended it")
    if raw is not None:
        if type(raw) is str and is_word_for(raw, reason, FINISH_REASONS) and (to.home or raw in FINISH_REASONS):
            return {"stopReason": raw}
        to.log.lost("finish_reason", "/finish_reason_raw", "only its own dialect has this finish reason")
    if reason is None and to.home:
        return {}
    if reason is None:
        to.log.filled("/finish_reason", "every complete answer needs a finish reason")
        return {"stopReason": FINISH_WORDS[unsaid][0]}
    word, is_faithful = FINISH_WORDS[reason]
    if unsaid == "tool_calls" and word == FINISH_WORDS["stop"][0] and not to.home:
        word, is_faithful = FINISH_WORDS[unsaid][0], False
    if not is_faithful:
        to.log.changed("finish_reason", "/finish_reason", "the target has no such finish reason")
    return {"stopReason": word}


_COUNTS: Final = frozenset(USAGE.values())
_OWN_COUNTS: Final = _COUNTS | {"reasoning_tokens"}  # in the additional response fields


def encode_usage(usage: Any, to: Target) -> dict[str, Any]:
    """Encode `usage`. The wire's `inputTokens` excludes cached tokens; the canonical count includes them."""
    usage = usage if to.home else counted_for_bedrock(usage)
    said = {name: usage[name] for name in USAGE.values() if name in usage}
    if not to.home:
        said = {name: max(0, count) for name, count in said.items() if count >= 0 or name != "total_tokens"}
    cached = said.get("cache_read_tokens", 0) + said.get("cache_write_tokens", 0)
    if not to.home:
        for name in ("input_tokens", "output_tokens", "total_tokens"):
            if name not in said:
                said[name] = said["input_tokens"] + said["output_tokens"] if name == "total_tokens" else 0
                if name not in usage:
                    to.log.filled(f"/usage/{name}", "usage needs all three token counts")
            if name == "input_tokens":
                said[name] = max(cached, said[name])  # so that it is not negative without them
    if "input_tokens" in said:
        said["input_tokens"] -= cached
    for name in [name for name in said if name in usage and not to.home]:
        if usage[name] < (cached if name == "input_tokens" else 0):
            to.log.changed("member", f"/usage/{name}", "a token count cannot be below 0")
    report_usage(usage, _OWN_COUNTS if to.home else _COUNTS, to.log, "usage has no such member")
    return restore({wire: said[name] for wire, name in USAGE.items() if name in said}, usage, "/usage", to)
