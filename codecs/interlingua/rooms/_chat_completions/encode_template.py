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
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from interlingua.loss import LossLog
    from interlingua.model_shapes import ChatRequest

NAMES_IGNORED: Final = "these models ignore the name of a message"
_ONE_CALL: Final = "these models accept one call per message: each is sent in its own message"
_NEED_FUNCTION_IDS: Final = "these models need call ids that name the function and count the calls"
_WORDS_APART: Final = "the template of these models ignores text beside a call: the text is sent in a message before it"


def fit_messages(body: dict[str, Any], request: ChatRequest, facts: Mapping[str, Any], log: LossLog) -> dict[str, Any]:
    """Return the body of a request with messages that the models accept; changes are reported to the log."""
    messages: list[dict[str, Any]] = body["messages"]
    given = request["messages"]
    if "call_ids" in facts:
        messages = _with_call_ids(messages, given, facts["call_ids"], log)
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
        messages = _with_texts(messages, log)
    if "reasoning_in_calls" in facts:
        messages = _with_reasoning_of_calls(messages, body, given, facts["reasoning_in_calls"], log)
    if facts.get("signed_calls"):
        messages = _with_signed_calls(messages, given, log)
    if "calls_at_once" in facts:
        messages = _with_calls_apart(messages, given, log, are_words_apart=facts["calls_at_once"] == "one")
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


def _with_call_ids(messages: list[dict[str, Any]], given: list[Any], form: str, log: LossLog) -> list[dict[str, Any]]:
    """Return messages whose call ids have the form that the models need; results keep their calls."""
    is_short = form == "nine_letters"
    needed = NEED_SHORT_IDS if is_short else _NEED_FUNCTION_IDS
    calls = [call for message in messages for call in message.get("tool_calls") or () if type(call.get("id")) is str]
    made = iter((_short_ids if is_short else _function_ids)(calls))
    out: list[dict[str, Any]] = []
    replaced: dict[str, str] = {}
    named: dict[str, str] = {}  # how the text before attached media names a call -> how it is to name it
    for message in messages:
        one = message
        if message.get("tool_calls"):
            one = {**message, "tool_calls": [_with_next_id(call, made, replaced) for call in message["tool_calls"]]}
        elif type(message.get("tool_call_id")) is str:
            before = message["tool_call_id"]
            identifier = replaced.setdefault(before, short_id(before) if is_short else before)
            one = {**message, "tool_call_id": identifier}
            named[ATTACHMENT.format(before)] = ATTACHMENT.format(identifier)
        elif named and type(message.get("content")) is list:
            one = {**message, "content": [_with_replaced_name(part, named) for part in message["content"]]}
        out.append(one)
    for index, message in enumerate(given):
        said = [(f"tool_calls/{at}/id", call.get("id")) for at, call in enumerate(message.get("tool_calls", ()))]
        if message["role"] == "tool":
            member = "call_id" if "call_id" in message else "id"
            said = [(member, message.get(member))]
        for place, identifier in said:
            if replaced.get(identifier, identifier) != identifier:
                log.changed("name", f"/messages/{index}/{place}", needed)
    return out


def _with_next_id(call: Any, made: Iterator[str], replaced: dict[str, str]) -> Any:
    """Return a call with its new id, which is noted in `replaced`; ids that are no text stay."""
    if type(call.get("id")) is not str:
        return call
    replaced[call["id"]] = identifier = next(made)
    return {**call, "id": identifier}


def _short_ids(calls: list[Any]) -> list[str]:
    return [short_id(call["id"]) for call in calls]


def _function_ids(calls: list[Any]) -> list[str]:
    """Return ids such as `functions.weather:0`, in which the calls of the conversation are counted.

    If all ids name their functions, as those of the models themselves do, they stay.
    """
    begins = [f"functions.{object_of(call, 'function').get('name')}:" for call in calls]
    if all(call["id"].startswith(begin) for call, begin in zip(calls, begins, strict=True)):
        return [call["id"] for call in calls]
    return [f"{begin}{at}" for at, begin in enumerate(begins)]


def _with_replaced_name(part: Any, named: Mapping[str, str]) -> Any:
    text = named.get(part["text"]) if part.get("type") == "text" else None
    return part if text is None else {**part, "text": text}


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


def _with_texts(messages: list[dict[str, Any]], log: LossLog) -> list[dict[str, Any]]:
    """Return messages whose lists of texts are one text each."""
    out = [_with_text(message) for message in messages]
    if any(map(_is_joined, messages, out)):
        log.changed("content", "/messages", "texts are sent as one, with a blank line between")
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


def _with_calls_apart(
    messages: list[dict[str, Any]], given: list[Any], log: LossLog, *, are_words_apart: bool
) -> list[dict[str, Any]]:
    """Return messages with one call each, directly followed by its results, and without text if that stands apart."""
    out: list[dict[str, Any]] = []
    at = 0
    while at < len(messages):
        message = messages[at]
        end = at + 1
        while end < len(messages) and messages[end].get("role") == "tool":
            end += 1
        turn = messages[at:end]
        out += _split_calls(*turn, are_words_apart=are_words_apart) if message.get("tool_calls") else turn
        at = end
    if len(out) > len(messages):
        _report_split(given, log, are_words_apart=are_words_apart)
    return out


def _split_calls(message: dict[str, Any], *results: dict[str, Any], are_words_apart: bool) -> list[dict[str, Any]]:
    """Return the text of a message, and each of its calls with its results; results without a call come last."""
    calls = message["tool_calls"]
    out: list[dict[str, Any]] = []
    if message.get("content") and are_words_apart:
        out.append({name: value for name, value in message.items() if name != "tool_calls"})
    for call in calls:
        bare = {"role": "assistant", "tool_calls": [call], "content": None}
        out.append(bare if out else {**message, **bare, "content": message.get("content") or None})
        out += [result for result in results if result.get("tool_call_id") == call.get("id")]
    known = {call.get("id") for call in calls}
    return out + [result for result in results if result.get("tool_call_id") not in known]


def _report_split(given: list[Any], log: LossLog, *, are_words_apart: bool) -> None:
    told = False
    for index, message in enumerate(given):
        calls = message.get("tool_calls", ())
        if len(calls) > 1:
            log.changed("message", f"/messages/{index}/tool_calls", _ONE_CALL)
        elif calls and message.get("content") and are_words_apart:
            log.changed("message", f"/messages/{index}/content", _WORDS_APART)
        else:
            continue
        told = True
    if not told:  # the calls were in several messages, as in Responses
        log.changed("message", "/messages", _ONE_CALL)
