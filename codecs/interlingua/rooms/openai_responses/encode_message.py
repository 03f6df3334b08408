"""Encode messages, tool calls and tool results as Responses items.

An assistant message becomes up to one reasoning item and one message item, followed by its calls.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, assert_never

from interlingua.loss import beyond, is_empty_value, lost_members, lost_opaque, lost_other_role
from interlingua.rooms._shared.message_order import (
    REPEATED,
    repeated_results,
    with_distinct_call_ids,
    with_unnamed_results_joined,
)
from interlingua.rooms._shared.names import CALL_WITHOUT_ID, acceptable_128, safe_name, sanitized_name
from interlingua.rooms._shared.openai_settings import can_be_marked, with_mark_at_end
from interlingua.rooms._shared.refusals import without_empty_refusal
from interlingua.rooms._shared.writing import (
    ResultMatching,
    filled_result,
    is_emptied,
    plain_text,
    report_id,
    write_arguments,
)
from interlingua.rooms.openai_responses.encode_part import encode_content, encode_parts, encode_refusals
from interlingua.rooms.openai_responses.tables import (
    CALLS,
    CLIENT_TOOL,
    CUSTOM_CALL,
    CUSTOM_RESULT,
    DIALECT,
    FILLS,
    FUNCTION_CALL,
    FUNCTION_RESULT,
    ID_LIMIT,
    IMAGE_GENERATION_CALL,
    INPUT_TEXT,
    ITEM_PREFIXES,
    NAME_LIMIT,
    REASONING_TEXT,
    RESULTS,
    STATE_MEMBERS,
    SUMMARY_TEXT,
    THOUGHT_TYPES,
)
from interlingua.spi.extra import (
    NOTHING,
    merge_empty_members,
    merge_extra,
    merge_own_extra,
    own_extra,
    own_spelling,
    report_foreign,
)
from interlingua.tool_arguments import is_blank

if TYPE_CHECKING:
    from collections.abc import Mapping
    from collections.abc import Set as AbstractSet

    from interlingua.model_shapes import AssistantChatMessage, ChatMessage, ToolCall, ToolChatMessage
    from interlingua.rooms._shared.writing import Target


_RUNS: Final = frozenset({"server_call", "image"})
_CALL_STATE: Final = ("id", "status", "namespace")
_PLAIN_CALL: Final = frozenset({"id", "name", "arguments", "kind"})
_PLAIN_ANSWER: Final = frozenset({"role", "reasoning", "content", "refusal", "tool_calls"})
_PLAIN_RESULT: Final = frozenset({"role", "call_id", "content"})
_PLAIN_OUTPUT: Final = frozenset({"type", "text", "annotations", "logprobs"})
_LED_TO_NOTHING: Final = "reasoning is refused without the message or call that it led to"
_SAID_MEMBERS: Final = (*STATE_MEMBERS, "fields", "spelling")
_REASONING_STATE: Final = ("id", "encrypted_content", "status")
_THOUGHT_MEMBERS: Final = frozenset({"type", "text", "extra"})


def encode_items(messages: list[ChatMessage], first: int, to: Target) -> list[dict[str, Any]]:
    """Return the items of the messages from index `first` on."""
    items: list[dict[str, Any]] = []
    repeated: frozenset[int] = frozenset()
    joined: frozenset[int] = frozenset()
    if not (to.answer or to.home):
        messages, joined = with_unnamed_results_joined(messages, to)
        messages = with_distinct_call_ids(messages, "conversation", to)
        repeated = repeated_results(messages)
    answered = ResultMatching(messages)
    answer = to.answer and not to.home
    custom: set[str] = set()
    for index in range(first, len(messages)):
        message = messages[index]
        if index in joined:
            continue
        if answer and message["role"] not in {"assistant", "opaque"}:
            lost_other_role(to.log, message, to.message(index))
        elif index in repeated:
            to.log.changed("message", to.message(index), REPEATED)
        elif message["role"] == "tool":
            items.append(encode_result(message, index, answered, custom, to))
        elif message["role"] == "assistant":
            begun = len(items)
            _encode_answer(items, message, index, custom, to)
            if len(items) == begun + 1 and _is_lone_reasoning(items[-1], messages[index + 1 : index + 2], to):
                del items[-1]
                _lose_reasoning(message, index, to)
        elif message["role"] == "user" or message["role"] == "system" or message["role"] == "developer":
            item = _encode_spoken(message, index, to)
            if to.home or not is_emptied(message, item, index, to):
                items.append(item)
        elif message["role"] == "opaque":
            _encode_opaque(items, message, index, to)
        else:
            assert_never(message)
    return items


def _lose_reasoning(message: AssistantChatMessage, index: int, to: Target) -> None:
    """Report reasoning that nothing follows, with its text."""
    path = to.message(index)
    if not is_empty_value(message.get("reasoning")):
        to.log.lost("reasoning", f"{path}/reasoning", _LED_TO_NOTHING)
    to.log.lost("provider_state", f"{path}/extra/{DIALECT}/reasoning", _LED_TO_NOTHING)


def _is_lone_reasoning(item: dict[str, Any], following: list[Any], to: Target) -> bool:
    """Return whether an item is reasoning that nothing follows, in a request of another dialect."""
    if to.home or to.answer or item.get("type") != "reasoning" or "id" not in item:
        return False
    return not any(one["role"] == "assistant" or one.get("dialect") == DIALECT for one in following)


def _encode_opaque(items: list[dict[str, Any]], message: Any, index: int, to: Target) -> None:
    """Write an item of this dialect verbatim."""
    path = to.message(index)
    if message["dialect"] != DIALECT or type(message["data"]) is not dict:
        lost_opaque(to.log, path, "message")
        return
    items.append(message["data"])
    if "id" in message or "extra" in message:
        report_message_losses(message, path, to)
        merge_own_extra({}, message, DIALECT, path, to.log)


def report_message_losses(message: Any, path: str, to: Target) -> None:
    """Report the name, the id, and what a message holds for other dialects."""
    if "name" in message:
        to.log.lost("member", f"{path}/name", "messages have no name there")
    report_id(message, path, to.log)
    if "extra" in message:
        report_foreign(message, DIALECT, path, to.log)


def _encode_spoken(message: Any, index: int, to: Target) -> dict[str, Any]:
    """Return the item of a user message or an instruction."""
    content = message.get("content")
    if type(content) is str and len(message) == 2:
        return {"role": message["role"], "content": content}
    path = to.message(index)
    bag = own_extra(message, DIALECT)
    out = _message_item(message["role"], bag)
    if content is not None:
        out["content"] = encode_content(content, f"{path}/content", message["role"], to)
    elif not to.home and not bag:
        out["content"] = ""
        to.log.filled(f"{path}/content", "a message needs content: an empty text was added")
    _merge_extra(out, bag)
    report_message_losses(message, path, to)
    return out


def _message_item(role: str, bag: Mapping[str, Any]) -> dict[str, Any]:
    """Return a message item with its type (by habit or spelling), role and state."""
    if not bag:
        return {"role": role}
    spelling = bag.get("spelling", NOTHING)
    form = spelling.get("type")
    is_habit = "id" in bag and form != "absent" and "type" not in spelling.get("null", ())
    out: dict[str, Any] = {"type": "message"} if is_habit or form == "message" else {}
    out["role"] = role
    for name in STATE_MEMBERS:
        if name in bag:
            out[name] = bag[name]
    return out


def _merge_extra(out: dict[str, Any], bag: Mapping[str, Any]) -> None:
    """Restore the other members of a message or reasoning item."""
    if bag:
        merge_extra(out, bag.get("fields", NOTHING))
        merge_empty_members(out, bag.get("spelling", NOTHING))


def _encode_answer(
    items: list[dict[str, Any]], message: AssistantChatMessage, index: int, custom: set[str], to: Target
) -> None:
    """Append the items of an assistant message."""
    bag = own_extra(message, DIALECT) if "extra" in message else NOTHING
    if "reasoning" in message or "reasoning" in bag:
        thought = _encode_reasoning(message, bag, index, len(items), to)
        if thought is not None:
            items.append(thought)
    runs = _encode_runs(message, index, to) if type(message.get("content")) is list else None
    if runs:
        items += runs
    else:
        items += _encode_output_message(message, bag, index, len(items), to)
    for at, call in enumerate(message.get("tool_calls", ())):
        item = encode_call(call, index, at, custom, to)
        if to.answer and not to.home:
            item = as_client_call(item, call)
            _complete_call(item, to.call(index, at), len(items), to)
        items.append(item)
    if not message.keys() <= _PLAIN_ANSWER:
        report_message_losses(message, to.message(index), to)


def _encode_runs(message: AssistantChatMessage, index: int, to: Target) -> list[dict[str, Any]]:
    """Return the items of content that holds nothing but this provider's code runs or generated images."""
    content: Any = message.get("content")
    if not content or content[0]["type"] not in _RUNS or "refusal" in message:
        return []
    if to.answer and not to.home and content[0]["type"] == "image":
        return []  # its id depends on its place among all items
    from interlingua.rooms.openai_responses.server_calls import encode_run, runs_of  # noqa: PLC0415  # few messages have such parts

    return [encode_run(run, f"{to.message(index)}/content", to) for run in runs_of(content, to)]


def item_id(prefix: str, place: int, to: Target) -> str:
    """Return an id for an item of another dialect, made from its response or its place in a request."""
    return f"{prefix}_{place}" if to.ids is None else to.ids.item(prefix, place)


def as_client_call(item: dict[str, Any], call: Mapping[str, Any]) -> dict[str, Any]:
    """Return a call item, as a client tool's item if the exchange noted the call as one."""
    word = own_extra(call, DIALECT).get(CLIENT_TOOL)
    if word is None:
        return item
    from interlingua.rooms.openai_responses.client_tools import item_of_client_call  # noqa: PLC0415  # few answers have such calls

    return item_of_client_call(word, item) or item


def _complete_call(item: dict[str, Any], path: str, place: int, to: Target) -> None:
    """Give a call of a response the members that every output item has: an id, made from its place, and a status."""
    if "id" not in item:
        item["id"] = item_id(ITEM_PREFIXES[item["type"]], place, to)
        to.log.filled(f"{path}/extra/{DIALECT}/id", "every output item needs an id: one was generated")
    if item["type"] == FUNCTION_CALL:  # a custom tool call has no status in the official types
        item.setdefault("status", FILLS["status"])


def _encode_output_message(
    message: AssistantChatMessage, bag: Mapping[str, Any], index: int, place: int, to: Target
) -> list[dict[str, Any]]:
    """Return the message items of content and refusal, or none; abroad, images become items of their own."""
    message = without_empty_refusal(message, to)
    content, refusal = message.get("content"), message.get("refusal")
    if content is None and refusal is None:
        spelling = bag.get("spelling", NOTHING)
        if "content" not in spelling.get("absent", ()) and "content" not in spelling.get("null", ()):
            return []
    elif not to.home and bag.keys().isdisjoint(_SAID_MEMBERS):
        return _encode_abroad(message, index, place, to)
    out = _message_item("assistant", bag)
    if to.answer and to.home and bag:
        spelling = bag.get("spelling", NOTHING)
        if "role" in spelling.get("absent", ()) or "role" in spelling.get("null", ()):
            del out["role"]
    if type(content) is str and refusal is None:
        out["content"] = content
    elif content is not None or refusal is not None:
        out["content"] = _encode_list(message, index, to, whole="id" in bag)
    _merge_extra(out, bag)
    return [out]


def _encode_list(message: AssistantChatMessage, index: int, to: Target, *, whole: bool) -> list[dict[str, Any]]:
    """Return the parts of content and refusal; a `whole` message has its parts written in full."""
    path = to.message(index)
    content: Any = message.get("content", [])
    parts = [{"type": "text", "text": content}] if type(content) is str else content
    encoded = encode_parts(parts, f"{path}/content", "assistant", to, whole=whole)
    if "refusal" in message:
        encoded.extend(encode_refusals(message["refusal"], f"{path}/refusal", to))
    return encoded


def _encode_abroad(message: AssistantChatMessage, index: int, place: int, to: Target) -> list[dict[str, Any]]:
    """Return the items of another dialect's assistant message: text, or in responses whole messages and images.

    A request accepts text without an id; citations, refusals and responses need a message with id and status. llama.cpp
    needs the type.
    """
    path = to.message(index)
    content: Any = message.get("content", [])
    text = plain_text(content)
    if text == "" and "refusal" not in message and (message.get("tool_calls") or "reasoning" in message):
        return []
    if text is not None and "refusal" not in message and not to.answer:
        return [{"type": "message", "role": "assistant", "content": text}]
    parts = _encode_list(message, index, to, whole=True)
    if to.answer:
        parts = [part for part in parts if part.get("text") != "" or part.get("annotations")]  # as in a stream
    if not parts:
        return []
    if not to.answer and all(_is_plain_output(part) for part in parts):
        return [{"type": "message", "role": "assistant", "content": "".join(part["text"] for part in parts)}]
    to.log.filled(f"{path}/extra/{DIALECT}/id", "every output message needs an id: one was generated")
    to.log.filled(f"{path}/extra/{DIALECT}/status", "every output message needs a status")
    return _as_items(parts, place, to)


def _as_items(parts: list[dict[str, Any]], place: int, to: Target) -> list[dict[str, Any]]:
    """Return parts as message items; a generated image is an item of its own."""
    items: list[dict[str, Any]] = []
    for part in parts:
        if part.get("type") == IMAGE_GENERATION_CALL:
            items.append({**part, "id": item_id(ITEM_PREFIXES[IMAGE_GENERATION_CALL], place + len(items), to)})
        elif items and items[-1]["type"] == "message":
            items[-1]["content"].append(part)
        else:
            known = {"id": item_id("msg", place + len(items), to), "status": FILLS["status"]}
            items.append({"type": "message", "role": "assistant", **known, "content": [part]})
    return items


def _is_plain_output(part: Mapping[str, Any]) -> bool:
    return part.get("type") == "output_text" and not part.get("annotations") and part.keys() <= _PLAIN_OUTPUT


def _encode_reasoning(
    message: AssistantChatMessage, bag: Mapping[str, Any], index: int, place: int, to: Target
) -> dict[str, Any] | None:
    """Return the reasoning item of a message, or None.

    Reasoning of other dialects is written only into responses, where nothing checks it, as the summary that clients
    show: docs/decisions/0007-where-reasoning-is-written.md.
    """
    path = f"{to.message(index)}/reasoning"
    reasoning: Any = message.get("reasoning", [])
    kept = bag.get("reasoning")
    if kept is None:
        if not to.home and not to.answer:
            if not is_empty_value(reasoning):
                to.log.lost("reasoning", path, "Responses refuses reasoning without the id of its item")
            return None
        kept = NOTHING
    spelling = kept.get("spelling", NOTHING)
    parts = [{"type": "text", "text": reasoning}] if type(reasoning) is str else reasoning
    end = len(parts) - min(max(kept.get("content", 0), 0), len(parts))
    is_made = not to.home and (not kept or (to.answer and "id" not in kept))
    if is_made and to.answer:
        if not kept and all(part == {"type": "text", "text": ""} for part in parts):
            return None
        end = len(parts)
    out: dict[str, Any] = {"type": "reasoning"}
    out |= {name: kept[name] for name in _REASONING_STATE if name in kept}
    if is_made:
        out["id"] = item_id("rs", place, to)
        to.log.filled(
            f"{to.message(index)}/extra/{DIALECT}/reasoning/id", "every reasoning item needs an id: one was generated"
        )
    summary = _encode_thoughts(parts, 0, end, SUMMARY_TEXT, path, to)
    if is_made and to.answer:
        summary = [thought for thought in summary if thought.get("text") != ""]
    if summary or ("summary" not in spelling.get("absent", ()) and "summary" not in spelling.get("null", ())):
        out["summary"] = summary
    if "content" in kept:
        out["content"] = _encode_thoughts(parts, end, len(parts), REASONING_TEXT, path, to)
    _merge_extra(out, kept)
    return out


def _encode_thoughts(parts: list[Any], first: int, end: int, habit: str, path: str, to: Target) -> list[dict[str, Any]]:
    thoughts: list[dict[str, Any]] = []
    for at in range(first, end):
        part = parts[at]
        if part["type"] == "text":
            kind = own_spelling(part, DIALECT).get("type")
            thought = {"type": kind if kind in THOUGHT_TYPES else habit, "text": part["text"]}
            others = beyond(part, _THOUGHT_MEMBERS)
            lost_members(to.log, others, f"{path}/{at}", "reasoning", "a thought can only be one plain text")
            merge_own_extra(thought, part, DIALECT, f"{path}/{at}", to.log)
            thoughts.append(thought)
        elif part["type"] == "opaque" and part["dialect"] == DIALECT:
            thoughts.append(part["data"])
        else:
            lost_members(to.log, part, f"{path}/{at}", "reasoning", "a thought can only be one plain text")
    return thoughts


def encode_call(call: ToolCall, index: int, at: int, custom: set[str], to: Target) -> dict[str, Any]:
    """Return the item of a tool call; the written id of a custom tool's call is added to `custom`."""
    arguments, name = call["arguments"], call["name"]
    bag = own_extra(call, DIALECT) if "extra" in call else NOTHING
    free = "kind" in call and call["kind"] == "custom"
    if not (to.home or free) and is_blank(arguments):
        arguments = "{}"  # clients parse it
    out: dict[str, Any] = {"type": CUSTOM_CALL if free else FUNCTION_CALL}
    identifier = _call_identifier(call, index, at, to)
    if identifier is not None:
        out["call_id"] = identifier
        if free:
            custom.add(identifier)
    if not to.home and not acceptable_128(name):
        name = safe_name(name, NAME_LIMIT, f"{to.call(index, at)}/name", to.log)
    out["name"] = name
    write_arguments(out, CALLS[out["type"]], arguments, bag.get("spelling", NOTHING))
    if not call.keys() <= _PLAIN_CALL:
        path = to.call(index, at)
        if "call_id" in call:
            to.log.lost("member", f"{path}/call_id", "a call has only one id there")
        if "cache" in call:
            to.log.lost("cache", f"{path}/cache", "calls have no cache mark")
        _finish_call_or_result(out, call, path, to)
    return out


def _finish_call_or_result(out: dict[str, Any], value: Any, path: str, to: Target) -> None:
    """Write the state of a call or result, and report what has no place."""
    bag = own_extra(value, DIALECT)
    out |= {name: bag[name] for name in _CALL_STATE if name in bag}
    merge_own_extra(out, value, DIALECT, path, to.log)


def _call_identifier(call: ToolCall, index: int, at: int, to: Target) -> str | None:
    """Return the id of a tool call: its own, made acceptable abroad, or one made from its position."""
    identifier = call.get("id")
    if identifier is None and not to.home:
        to.log.filled(f"{to.call(index, at)}/id", CALL_WITHOUT_ID)
        return to.made_call_id(index, at)
    if to.ids is not None:
        to.ids.next_call()
    if to.home or identifier is None or 0 < len(identifier) <= ID_LIMIT:
        return identifier
    return _accepted_id(identifier, f"{to.call(index, at)}/id", to)


def _accepted_id(identifier: str, path: str, to: Target) -> str:
    """Return an id that is not too long: itself, or a replacement that is reported as changed."""
    if 0 < len(identifier) <= ID_LIMIT:
        return identifier
    to.log.changed("name", path, f"an id may have at most {ID_LIMIT} characters")
    return sanitized_name(identifier, ID_LIMIT)


def encode_result(
    message: ToolChatMessage, index: int, answered: ResultMatching, custom: AbstractSet[str], to: Target
) -> dict[str, Any]:
    """Return the item of a tool result; abroad, `answered` finds the call of a result without an id."""
    content = message.get("content")
    identifier = message["call_id"] if "call_id" in message else message.get("id")
    bag = own_extra(message, DIALECT) if "extra" in message else NOTHING
    if not to.home:
        if identifier is not None:
            if not 0 < len(identifier) <= ID_LIMIT:
                member = "call_id" if "call_id" in message else "id"
                identifier = _accepted_id(identifier, f"{to.message(index)}/{member}", to)
        elif not bag:
            path, asked = to.message(index), answered.by(index)
            identifier = f"call_{index}" if asked is None else _accepted_id(asked.id, f"{path}/call_id", to)
            to.log.filled(f"{path}/call_id", "each result needs the id of its call")
    kind = bag.get("spelling", NOTHING).get("type")
    if kind not in RESULTS:
        kind = CUSTOM_RESULT if identifier in custom else FUNCTION_RESULT
    out: dict[str, Any] = {"type": kind}
    if identifier is not None:
        out["call_id"] = identifier
    if type(content) is str:
        out["output"] = content
    elif content is not None:
        written = encode_content(content, f"{to.message(index)}/content", "tool", to)
        out["output"] = filled_result(written, message, index, to)
    elif not to.home and not bag:
        out["output"] = ""
        to.log.filled(f"{to.message(index)}/content", "a tool result needs content: an empty text was added")
    if not message.keys() <= _PLAIN_RESULT:
        _finish_result(out, message, to.message(index), to)
    return out


def _finish_result(out: dict[str, Any], message: ToolChatMessage, path: str, to: Target) -> None:
    """Write the other members of a tool result, and report what has no place."""
    if "cache" in message and can_be_marked(out.get("output")):
        said = out["output"]
        parts = [{"type": INPUT_TEXT, "text": said}] if type(said) is str else said
        out["output"] = with_mark_at_end(parts, message["cache"], f"{path}/cache", to)
    elif "cache" in message:
        to.log.lost("cache", f"{path}/cache", "a result without content has no cache mark")
    if "name" in message:
        name = message["name"]
        out["name"] = name if to.home else safe_name(name, NAME_LIMIT, f"{path}/name", to.log)
    if message.get("is_error"):
        to.log.lost("member", f"{path}/is_error", "a tool result cannot say whether the tool failed")
    report_id(message, path, to.log)
    _finish_call_or_result(out, message, path, to)
