"""Canonical to Chat Completions: fit encoded messages to the chat template of a model.

Abroad only. Templates and older servers refuse a second instruction, roles that do not alternate, and call ids of
another form. Source: docs/families.md; `docs/wire/vllm.md`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.rooms._chat_completions.reasoning_details import CARRIER, carrier
from interlingua.rooms._chat_completions.tables import REASONING_MEMBER
from interlingua.rooms._chat_completions.vendor_extensions import DETAILS, MINIMAX_DETAIL
from interlingua.rooms._shared.claude_thinking import refuses_prefill
from interlingua.rooms._shared.instructions import joined_contents, leading_instructions, with_one_instruction
from interlingua.rooms._shared.media import ATTACHMENT
from interlingua.rooms._shared.names import NEED_SHORT_IDS, short_id
from interlingua.rooms._shared.openai_settings import GATEWAY
from interlingua.rooms._shared.rule_helpers import object_of
from interlingua.rooms._shared.thinking import NO_REASONING, NO_SIGNATURE
from interlingua.rooms._shared.user_messages import (
    ANSWERED,
    CONTINUE_TEXT,
    OPENING,
    append_user_message,
    insert_required_user_message,
    insert_user_message,
)
from interlingua.rooms._shared.writing import INSTRUCTIONS, PARAGRAPH_BREAK
from interlingua.spi.extra import own_extra

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from interlingua.loss import LossLog
    from interlingua.model_shapes import ChatRequest

NAMES_IGNORED: Final = "these models ignore the name of a message"


def fit_messages(body: dict[str, Any], request: ChatRequest, facts: Mapping[str, Any], log: LossLog) -> dict[str, Any]:
    """Return the body of a request with messages that the models accept; changes are reported to the log."""
    messages: list[dict[str, Any]] = body["messages"]
    given = request["messages"]
    if facts.get("call_ids") == "nine_letters":
        messages = _with_short_ids(messages, given, log)
    if "instructions" in facts:
        messages = with_one_instruction(messages, given, facts["instructions"], log)
    messages = [*messages]
    insert_required_user_message(messages, facts, log)
    if facts.get("roles") == "alternate":
        messages = _with_results_answered(_joined(messages, log), log)
    if facts.get("user_after_results") == "refuse":
        messages = _with_results_answered(messages, log)
    if "assistant_prefill" in facts:
        messages = _with_end(messages, body, request, facts, log)
    if facts.get("contents") == "text":
        given_texts, messages = messages, [_with_text(message) for message in messages]
        if any(map(_is_joined, given_texts, messages)):
            log.changed("content", "/messages", "texts are sent as one, with a blank line between")
    if facts.get("null_contents") == "refuse" and GATEWAY not in request.get("model", ""):
        messages = [{**one, "content": ""} if one.get("content", "") is None else one for one in messages]
    if "reasoning_in_calls" in facts:
        messages = _with_reasoning_of_calls(messages, body, given, facts["reasoning_in_calls"], log)
    if facts.get("signed_calls"):
        messages = _with_signed_calls(messages, given, log)
    return {**body, "messages": messages}


def _with_reasoning_of_calls(
    messages: list[dict[str, Any]], body: dict[str, Any], given: list[Any], form: str, log: LossLog
) -> list[dict[str, Any]]:
    """Return messages with the reasoning before calls in the form that the models read."""
    if form == "accept_details":
        return [_with_details(message) for message in messages]
    if form not in NO_REASONING or object_of(body, "thinking").get("type") == "disabled":
        return messages
    return _with_reasoning(messages, given, log, NO_REASONING[form])


def roles_joined(facts: Mapping[str, Any]) -> frozenset[str]:
    """Return the roles whose messages may be joined."""
    return frozenset({*(INSTRUCTIONS if "instructions" in facts else ()), *(("user",) if "roles" in facts else ())})


def without_names(messages: Iterable[Any], roles: Collection[str], log: LossLog, detail: str) -> list[Any]:
    """Return messages of some roles without `name`; each is reported to the log."""
    out = [*messages]
    for index, message in enumerate(out):
        if message["role"] in roles and "name" in message:
            out[index] = {name: value for name, value in message.items() if name != "name"}
            log.lost("member", f"/messages/{index}/name", detail)
    return out


def _with_short_ids(messages: list[dict[str, Any]], given: list[Any], log: LossLog) -> list[dict[str, Any]]:
    out: list[dict[str, Any]] = []
    named: dict[str, str] = {}  # how the text before attached media names a call -> how it is to name it
    for message in messages:
        one = message
        if type(message.get("tool_call_id")) is str:
            identifier = short_id(message["tool_call_id"])
            one = {**message, "tool_call_id": identifier}
            named[ATTACHMENT.format(message["tool_call_id"])] = ATTACHMENT.format(identifier)
        elif message.get("tool_calls"):
            one = {**message, "tool_calls": [_with_short_id(call) for call in message["tool_calls"]]}
        elif named and type(message.get("content")) is list:
            one = {**message, "content": [_with_short_name(part, named) for part in message["content"]]}
        out.append(one)
    for index, message in enumerate(given):
        said = [(f"tool_calls/{at}/id", call.get("id")) for at, call in enumerate(message.get("tool_calls", ()))]
        if message["role"] == "tool":
            member = "call_id" if "call_id" in message else "id"
            said = [(member, message.get(member))]
        for place, identifier in said:
            if identifier is not None and short_id(identifier) != identifier:
                log.changed("name", f"/messages/{index}/{place}", NEED_SHORT_IDS)
    return out


def _with_short_name(part: Any, named: Mapping[str, str]) -> Any:
    text = named.get(part["text"]) if part.get("type") == "text" else None
    return part if text is None else {**part, "text": text}


def _with_short_id(call: Any) -> Any:
    return {**call, "id": short_id(call["id"])} if type(call) is dict and type(call.get("id")) is str else call


def _joined(messages: list[dict[str, Any]], log: LossLog) -> list[dict[str, Any]]:
    """Return messages in which user and assistant alternate, and the user begins."""
    out: list[dict[str, Any]] = []
    for message in messages:
        if out and message.get("role") == out[-1].get("role") == "user":
            out[-1] = {**out[-1], "content": joined_contents([out[-1], message])}
        else:
            out.append(message)
    if len(out) < len(messages):
        detail = "user messages were joined: these models need user and assistant messages to alternate"
        log.changed("message", "/messages", detail)
    first = leading_instructions(out)
    if first < len(out) and out[first].get("role") == "assistant":
        insert_user_message(out, {"role": "user", "content": OPENING}, log)
    return out


def _with_results_answered(messages: list[dict[str, Any]], log: LossLog) -> list[dict[str, Any]]:
    """Return messages with an assistant message between tool results and a user message."""
    out: list[dict[str, Any]] = []
    for message in messages:
        if out and (out[-1].get("role"), message.get("role")) == ("tool", "user"):
            out.append({"role": "assistant", "content": ANSWERED})
        out.append(message)
    if len(out) > len(messages):
        log.changed(
            "message", "/messages", "a user message may not follow a tool result: an assistant message was put between"
        )
    return out


def _with_end(
    messages: list[dict[str, Any]], body: dict[str, Any], request: Any, facts: Mapping[str, Any], log: LossLog
) -> list[dict[str, Any]]:
    """Return messages with a final assistant prefill marked by `prefix`, or followed by a user message if refused."""
    if not messages or messages[-1].get("role") != "assistant" or messages[-1].get("tool_calls"):
        return messages
    out, given = [*messages], request["messages"]
    if facts["assistant_prefill"] == "prefix":
        out[-1] = {**out[-1], "prefix": True}
        begun = max((at for at, one in enumerate(given) if one["role"] == "assistant"), default=len(given) - 1)
        log.filled(f"/messages/{begun}/prefix", "prefix marks the answer that the model is to continue")
    elif refuses_prefill(request, facts, is_held=object_of(body, "response_format").get("type") == "json_schema"):
        append_user_message(out, {"role": "user", "content": CONTINUE_TEXT}, f"/messages/{len(given)}", log)
    return out


def _with_text(message: dict[str, Any]) -> dict[str, Any]:
    """Return a message with its text parts joined to one string, if all parts are texts.

    The assistant's texts may be split in mid-sentence; others are separated by blank lines.
    """
    parts = message.get("content")
    if type(parts) is not list or any(part.get("type") != "text" for part in parts):
        return message
    between = "" if message.get("role") == "assistant" else PARAGRAPH_BREAK
    return {**message, "content": between.join(part["text"] for part in parts)}


def _is_joined(given: dict[str, Any], message: dict[str, Any]) -> bool:
    """Tell whether several texts were joined with a separator."""
    return message is not given and message.get("role") != "assistant" and len(given["content"]) > 1


def _with_reasoning(
    messages: list[dict[str, Any]], given: list[Any], log: LossLog, nothing: str
) -> list[dict[str, Any]]:
    """Return messages with reasoning before calls, if need be the placeholder `nothing`."""
    out = [
        {**message, REASONING_MEMBER: nothing}
        if message.get("tool_calls") and not message.get(REASONING_MEMBER)
        else message
        for message in messages
    ]
    for index, message in enumerate(given) if out != messages else ():
        if message.get("tool_calls") and message.get("reasoning") == "" and nothing:
            log.changed(
                "reasoning", f"/messages/{index}/reasoning", "these models read an empty reasoning_content as none"
            )
        elif message.get("tool_calls") and "reasoning" not in message:
            log.filled(
                f"/messages/{index}/reasoning",
                "these models need reasoning_content before calls: an empty one was added",
            )
    return out


def _with_details(message: dict[str, Any]) -> dict[str, Any]:
    """Return a message with its reasoning in the form in which MiniMax writes it."""
    reasoning = message.get(REASONING_MEMBER)
    if reasoning is None:
        return message
    others = {name: held for name, held in message.items() if name != REASONING_MEMBER}
    return {**others, DETAILS: [{**MINIMAX_DETAIL, "text": reasoning}]} if reasoning else others


def _with_signed_calls(messages: list[dict[str, Any]], given: list[Any], log: LossLog) -> list[dict[str, Any]]:
    """Return messages in which the first call is signed, if need be with Gemini's placeholder."""
    for index, message in enumerate(given):
        if message.get("tool_calls") and not _is_signed(message):
            detail = "Gemini needs a thought_signature at the first call of a message: a placeholder was added"
            log.filled_in_message(index, "extra/gemini/thought_signatures", detail)
    return [_with_signed_call(message) if message.get("tool_calls") else message for message in messages]


def _is_signed(message: Mapping[str, Any]) -> bool:
    signatures: list[Any] = own_extra(message, "gemini").get("thought_signatures", [])
    return any(one["at"] == "/tool_calls/0" for one in signatures)


def _with_signed_call(message: dict[str, Any]) -> dict[str, Any]:
    first, *others = message["tool_calls"]
    if any(detail.get("id") == first["id"] for detail in message.get(DETAILS, ())):
        return message
    return message if CARRIER in first else {**message, "tool_calls": [{**first, **carrier(NO_SIGNATURE)}, *others]}
