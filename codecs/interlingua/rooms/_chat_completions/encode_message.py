"""Canonical to Chat Completions: messages, and the reasoning in them.

At home they go out as they came; abroad, consecutive assistant messages of one turn are joined, since the results that
follow would be refused otherwise.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal, assert_never, cast

from interlingua.loss import is_empty_value, lost_opaque, lost_other_role
from interlingua.rooms._chat_completions.encode_answer_part import encode_answer_parts
from interlingua.rooms._chat_completions.encode_call import (
    ONE_CALL,
    encode_call,
    encode_function_call,
    wire_identifier,
    wire_name,
)
from interlingua.rooms._chat_completions.encode_part import (
    content_of,
    encode_part,
    finish_result,
    mark_result,
)
from interlingua.rooms._chat_completions.reasoning_details import (
    CARRIER,
    SIGNATURES,
    carry_signatures,
    carry_state,
    details_of,
    numbered,
    write_details,
    write_signatures,
    write_state,
)
from interlingua.rooms._chat_completions.tables import CONTINUED
from interlingua.rooms._chat_completions.thinking_parts import THINKING_PARTS, thinking_part
from interlingua.rooms._chat_completions.vendor_extensions import DETAILS, REASONING_MEMBERS, unspelled_place
from interlingua.rooms._shared.claude_signatures import CARRIED_FROM_BEDROCK, FROM_BEDROCK, with_signatures
from interlingua.rooms._shared.message_order import in_target_order
from interlingua.rooms._shared.names import acceptable_40, speaker_name
from interlingua.rooms._shared.refusals import with_refusal_as_text, without_empty_refusal
from interlingua.rooms._shared.server_calls import NO_SERVER_CALLS, with_server_calls_as_text
from interlingua.rooms._shared.writing import (
    INSTRUCTIONS,
    PARAGRAPH_BREAK,
    ResultMatching,
    is_emptied,
    plain_text,
    texts_of,
)
from interlingua.spi.extra import (
    NOTHING,
    merge_own_extra,
    own_extra,
    own_spelling,
    restore_opaque_calls,
    without_notes,
    write_role,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.model_shapes import (
        AssistantChatMessage,
        ChatMessage,
        DeveloperChatMessage,
        SystemChatMessage,
        ToolCall,
        ToolChatMessage,
        UserChatMessage,
    )
    from interlingua.rooms._chat_completions.vendor import Vendor
    from interlingua.rooms._shared.writing import Target


def encode_messages(messages: list[ChatMessage], vendor: Vendor, to: Target) -> list[dict[str, Any]]:
    if to.home:
        return _at_home(messages, vendor, to)
    if to.answer:
        return _answer(messages, vendor, to)
    messages = without_notes(messages, vendor.dialect)
    out: list[dict[str, Any]] = []
    turn: list[tuple[int, dict[str, Any]]] = []
    attached: list[dict[str, Any]] = []
    answered = ResultMatching(messages)
    # A server without limits renders the messages with a chat template, and few templates use ids.
    distinct: Literal["turn", "nowhere"] = "turn" if vendor.limited else "nowhere"
    for index, said in in_target_order(messages, distinct, to, by_call=not vendor.limited):
        message = encode_message(said, index, vendor, to)
        if message is None:
            continue
        if message["role"] == "tool":
            attached += finish_result(message, said, index, answered, vendor, to)
        if is_emptied(said, message, index, to) or _is_unsaid_instruction(message, messages, vendor):
            continue
        if attached and message["role"] != "tool":
            out.append({"role": "user", "content": attached})
            attached = []
        if message["role"] == "assistant":
            turn.append((index, message))
            continue
        if turn:
            out += _encoded_turn(turn, messages, vendor, to)
            turn = []
        out.append(message)
    if turn:
        out += _encoded_turn(turn, messages, vendor, to)
    if attached:
        out.append({"role": "user", "content": attached})
    return out


def _is_unsaid_instruction(message: Mapping[str, Any], messages: list[ChatMessage], vendor: Vendor) -> bool:
    """Tell whether a message instructs and says nothing, which servers refuse; a template may show it all the same."""
    is_empty_value = not message.get("content") and message.keys() <= {"role", "content"}
    return vendor.limited and is_empty_value and message["role"] in INSTRUCTIONS and len(messages) > 1


def _at_home(messages: list[ChatMessage], vendor: Vendor, to: Target) -> list[dict[str, Any]]:
    """Return the messages as they came; those split at later thoughts are joined again."""
    out: list[dict[str, Any]] = []
    for index, message in enumerate(messages):
        encoded = encode_message(message, index, vendor, to)
        if encoded is None:
            continue
        if "extra" in message and out and index and _continues(message, messages[index - 1], vendor):
            out[-1] = _with_continuation(out[-1], encoded)
        else:
            out.append(encoded)
    return out


def _continues(message: ChatMessage, before: ChatMessage, vendor: Vendor) -> bool:
    return message["role"] == before["role"] == "assistant" and CONTINUED in own_spelling(message, vendor.dialect).get(
        "absent", ()
    )


def _with_continuation(begun: dict[str, Any], more: dict[str, Any]) -> dict[str, Any]:
    """Return a message joined with its continuation: contents and calls of both, other members of the latter."""
    joined = {**begun, **more}
    for name in ("content", "tool_calls"):
        held = [_parts(one[name]) for one in (begun, more) if one.get(name) is not None]
        if held:
            joined[name] = [item for items in held for item in items]
    if "role" not in more:
        del joined["role"]
    return joined


def _answer(messages: list[ChatMessage], vendor: Vendor, to: Target) -> list[dict[str, Any]]:
    """Return the one message of an answer from abroad."""
    turn: list[tuple[int, dict[str, Any]]] = []
    for index, said in enumerate(messages):
        if said["role"] == "assistant":
            turn.append((index, encode_assistant(said, index, vendor, to)))
        else:
            lost_other_role(to.log, said, to.message(index))
    return [_joined_turn(turn, messages, to)] if turn else []


def _encoded_turn(
    turn: list[tuple[int, dict[str, Any]]], messages: list[ChatMessage], vendor: Vendor, to: Target
) -> list[dict[str, Any]]:
    """Return the messages of one turn as one; none if they are empty and the models refuse that."""
    if vendor.empty_answers or any(_has_content(message) for _, message in turn):
        return [_joined_turn(turn, messages, to)]
    for index, message in turn:
        to.log.changed("message", to.message(index), "these models refuse an empty assistant message: it was left out")
        if message.get(vendor.reasoning):
            to.log.lost(
                "reasoning", f"{to.message(index)}/reasoning", "these models refuse reasoning without an answer"
            )
    return []


def _has_content(message: dict[str, Any]) -> bool:
    """Tell whether an encoded assistant message has any content besides reasoning."""
    if any(message.get(name) for name in ("tool_calls", "function_call", "refusal", "audio")):
        return True
    content: Any = message.get("content") or ""
    if type(content) is str:
        return bool(content.strip())
    return any(part.get("type") != "text" or part["text"].strip() for part in content)


def _joined_turn(turn: list[tuple[int, dict[str, Any]]], messages: list[ChatMessage], to: Target) -> dict[str, Any]:
    """Return the assistant messages of one turn as one, with a content: null is only allowed beside calls."""
    joined = turn[0][1] if len(turn) == 1 else _joined(turn, to)
    if to.answer or joined.get("content") is not None or "tool_calls" in joined or "audio" in joined:
        return joined
    first = turn[0][0]
    if "content" not in messages[first]:
        to.log.filled(f"{to.message(first)}/content", "a message needs content: an empty text was added")
    return {**joined, "content": ""}


def _joined(turn: list[tuple[int, dict[str, Any]]], to: Target) -> dict[str, Any]:
    """Return assistant messages joined: texts with a blank line between them, and all calls."""
    joined: dict[str, Any] = {}
    for _, message in turn:
        for name, value in message.items():
            joined.setdefault(name, value)
    for name in ("content", "refusal", *REASONING_MEMBERS):
        said = [(index, message[name]) for index, message in turn if message.get(name) is not None]
        if said:
            joined[name] = _joined_texts(said, name, to)
    if any(message.get("annotations") for _, message in turn):
        joined["annotations"] = _joined_annotations(turn, to)
    older = [index for index, message in turn if "function_call" in message]
    for index in older[1:]:
        to.log.lost("message", to.call(index, 0), ONE_CALL)
    calls = [message["tool_calls"] for _, message in turn if message.get("tool_calls")]
    if calls:
        joined["tool_calls"] = [call for some in calls for call in some]
    pictures = [picture for _, message in turn for picture in message.get("images") or ()]
    if pictures:
        joined["images"] = [{**picture, "index": at} for at, picture in enumerate(pictures)]
        _report_shown(turn, to)
    _join_state(joined, turn, to)
    for name, member in (("name", "name"), ("audio", "content")):
        for index, message in turn:
            if name in message and message[name] != joined[name]:
                to.log.lost("member", f"{to.message(index)}/{member}", "messages of one turn were joined")
    return joined


def _report_shown(turn: list[tuple[int, dict[str, Any]]], to: Target) -> None:
    """Report images of a turn that came before a text: they are written beside the content."""
    last = max((at for at, (_, message) in enumerate(turn) if message.get("content")), default=0)
    for index, message in turn[:last]:
        if message.get("images"):
            to.log.changed("content", f"{to.message(index)}/content", "images are shown beside the text")


def _join_state(joined: dict[str, Any], turn: list[tuple[int, dict[str, Any]]], to: Target) -> None:
    """Join the signed state in the messages of a turn; of two signed texts only the first stays signed."""
    details = [detail for _, message in turn for detail in message.get(DETAILS) or ()]
    if details:
        joined[DETAILS] = numbered(details) if to.carries else details
    for index, message in turn:
        if CARRIER in message and message[CARRIER] != joined[CARRIER]:
            path = f"{to.message(index)}/extra/gemini/thought_signatures"
            to.log.lost("provider_state", path, "messages of one turn were joined")


def _joined_annotations(turn: list[tuple[int, dict[str, Any]]], to: Target) -> list[Any]:
    """Return the annotations of joined messages, with their anchors shifted."""
    annotations: list[Any] = []
    length = 0
    for index, message in turn:
        text = message["content"] if type(message.get("content")) is str else ""
        start = length + len(PARAGRAPH_BREAK) if length and text else length
        annotations += [_moved(one, start) for one in message.get("annotations") or ()]
        if message.get("annotations") and start:
            to.log.changed("content", f"{to.message(index)}/content", "messages of one turn were joined")
        length = start + len(text)
    return annotations


def _moved(annotation: Any, by: int) -> Any:
    """Return an annotation with its anchors shifted."""
    cited = annotation.get("url_citation")
    if not by or type(cited) is not dict:
        return annotation
    span = {name: cited[name] + by for name in ("start_index", "end_index") if name in cited}
    return {**annotation, "url_citation": {**cited, **span}}


def _joined_texts(said: list[tuple[int, Any]], name: str, to: Target) -> Any:
    """Join contents; the result is a text unless parts have other members."""
    if len(said) == 1:
        return said[0][1]
    texts: list[str] = []
    parts: list[Any] | None = None
    for index, content in said:
        text = None if parts is not None else plain_text(content)
        if text is not None:
            if text:
                texts.append(text)
            continue
        if parts is None:
            parts = [{"type": "text", "text": "\n\n".join(texts)}] if texts else []
        parts.extend(_parts(content))
        if index != said[0][0]:
            to.log.changed("content", f"{to.message(index)}/{name}", "messages of one turn were joined")
    return "\n\n".join(texts) if parts is None else parts


def _parts(content: Any) -> list[Any]:
    return [{"type": "text", "text": content}] if type(content) is str else content


def encode_message(message: ChatMessage, index: int, vendor: Vendor, to: Target) -> dict[str, Any] | None:
    """Return the wire message of a chat message, or None for one that has no place here."""
    if message["role"] == "assistant":
        return encode_assistant(message, index, vendor, to)
    if message["role"] == "tool":
        return _encode_result(message, index, vendor, to)
    if message["role"] == "user" or message["role"] == "system" or message["role"] == "developer":
        return _encode_spoken(message, index, vendor, to)
    if message["role"] == "opaque":
        if message["dialect"] == vendor.dialect and type(message["data"]) is dict:
            _finish({}, message, to.message(index), vendor, to)
            return cast("dict[str, Any]", message["data"])
        lost_opaque(to.log, to.message(index), "message")
        return None
    assert_never(message)


def _encode_spoken(
    message: UserChatMessage | SystemChatMessage | DeveloperChatMessage, index: int, vendor: Vendor, to: Target
) -> dict[str, Any]:
    out: dict[str, Any] = {"role": message["role"]}
    content = message.get("content")
    if type(content) is str and len(message) == 2:  # role and content alone
        out["content"] = content
        return out
    _write_content(out, message, index, vendor, to)
    if to.home and own_spelling(message, vendor.dialect).get("content") == "string":
        _write_beside(out)
    elif to.home:
        _lift_marks(out, message, vendor)
    if "name" in message:
        out["name"] = _speaker(message["name"], index, vendor, to)
    _finish(out, message, to.message(index), vendor, to)
    return out


def _write_beside(out: dict[str, Any]) -> None:
    """Write a content of one text as a string, with its cache mark beside it."""
    content = out["content"]
    if type(content) is list and len(content) == 1 and content[0].keys() <= _MARKED and "text" in content[0]:
        part = out.pop("content")[0]
        out["content"] = part["text"]
        if "cache_control" in part:
            out["cache_control"] = part["cache_control"]


def _lift_marks(out: dict[str, Any], message: Mapping[str, Any], vendor: Vendor) -> None:
    """Move the cache marks of the last part and the last call to the message, if they came from there."""
    for name in ("content", "tool_calls"):
        items: Any = message.get(name)
        if items and type(items) is list:
            _lift_mark(out, items, name, vendor)


def _lift_mark(out: dict[str, Any], items: list[Any], name: str, vendor: Vendor) -> None:
    """Move the cache mark of the last part or call to the message, if it came from there."""
    if "cache_control" not in own_spelling(items[-1], vendor.dialect).get("absent", ()):
        return
    for at, item in reversed([*enumerate(out.get(name, ()))]):  # a refusal part may be behind it
        if "cache_control" in item:
            out["cache_control"] = item["cache_control"]
            unmarked = {key: value for key, value in item.items() if key != "cache_control"}
            out[name] = [*out[name][:at], unmarked, *out[name][at + 1 :]]
            return


_MARKED: Final = frozenset({"type", "text", "cache_control"})


def _encode_result(message: ToolChatMessage, index: int, vendor: Vendor, to: Target) -> dict[str, Any]:
    identifier = message["call_id"] if "call_id" in message else message.get("id")
    bag = own_extra(message, vendor.dialect) if "extra" in message else NOTHING
    spelling = bag.get("spelling", NOTHING)
    older = spelling.get("role") == "function"
    out: dict[str, Any] = {"role": "function" if older else "tool"}
    if identifier is not None:
        if not (to.home or not vendor.limited or acceptable_40(identifier)):
            member = "call_id" if "call_id" in message else "id"
            identifier = wire_identifier(identifier, f"{to.message(index)}/{member}", vendor, to)
        out["tool_call_id"] = identifier
    _write_content(out, message, index, vendor, to)
    if len(message) == 3 and "content" in message and "call_id" in message:  # role, content and call_id alone
        return out
    if "name" in message:
        if to.home or older or vendor.tool_names or "name" in bag.get("fields", NOTHING):
            out["name"] = wire_name(message["name"], f"{to.message(index)}/name", vendor, to)
        else:
            to.log.lost("member", f"{to.message(index)}/name", "tool results name their call only by its id")
    if message.get("is_error"):
        to.log.lost("member", f"{to.message(index)}/is_error", "a tool message cannot say whether the tool failed")
    if "cache" in message:
        mark_result(out, message["cache"], spelling, f"{to.message(index)}/cache", vendor, to)
    _finish(out, message, to.message(index), vendor, to)
    return out


def encode_assistant(message: AssistantChatMessage, index: int, vendor: Vendor, to: Target) -> dict[str, Any]:
    """Return the wire message of one assistant message."""
    message = _with_refusal(message, index, vendor, to) if "refusal" in message else message
    content = message.get("content")
    bag = own_extra(message, vendor.dialect) if "extra" in message else NOTHING
    spelling = bag.get("spelling", NOTHING)
    out: dict[str, Any] = {"role": "assistant"}
    refusal = message.get("refusal")
    if type(content) is str:
        out["content"] = content
    elif content is not None:
        encode_answer_parts(out, content, index, vendor, to, spelling)
    if refusal is not None and (refusal != [] or to.home):
        _encode_refusal(out, refusal, index, to, spelling)
    message = _with_details(out, message, index, vendor, to) if vendor.details_of else message
    if "reasoning" in message:
        encode_reasoning(out, message, index, vendor, to)
    if "tool_calls" in message:
        _encode_calls(out, message["tool_calls"], spelling, index, vendor, to)
    if to.home:
        _lift_marks(out, message, vendor)
    if "name" in message:
        _encode_name(out, message["name"], index, vendor, to)
    if "extra" in message or "id" in message:
        path = to.message(index)
        said = _write_state(out, message, spelling, path, vendor, to) if "extra" in message else message
        if bag.get("opaque_calls"):
            out["tool_calls"] = restore_opaque_calls(out.get("tool_calls", ()), bag["opaque_calls"])
        _finish(out, said, path, vendor, to)
    if "content" not in out and spelling.get("content") != "absent":
        out["content"] = None
    return out


def _with_refusal(message: AssistantChatMessage, index: int, vendor: Vendor, to: Target) -> AssistantChatMessage:
    """Return a message without an empty refusal, and with the refusal as content if the dialect has no place for it."""
    if not (vendor.refusals or to.answer or to.home):
        message = with_refusal_as_text(message, to.message(index), to)
    said: AssistantChatMessage = without_empty_refusal(message, to)
    return said


def _with_details(
    out: dict[str, Any], message: AssistantChatMessage, index: int, vendor: Vendor, to: Target
) -> AssistantChatMessage:
    """Write state of the models' maker as details into a request from abroad; return the message without it."""
    if to.home or to.answer or "extra" not in message:
        return message
    said = write_details(out, with_signatures(message, FROM_BEDROCK), to.message(index), vendor.details_of)
    if DETAILS not in out:
        return message
    told = {"reasoning"} if any("text" in one for one in out[DETAILS]) else set[str]()
    return cast("AssistantChatMessage", {name: held for name, held in said.items() if name not in told})


def _write_state(
    out: dict[str, Any], message: Mapping[str, Any], spelling: Mapping[str, Any], path: str, vendor: Vendor, to: Target
) -> Mapping[str, Any]:
    """Write the state that a message has for other providers or their models; return the message without it."""
    details = details_of(own_extra(message, to.dialect))
    if details and DETAILS not in out:
        out[DETAILS] = [item["fields"] for item in details]
    if SIGNATURES in spelling:
        write = write_state if spelling[SIGNATURES] == DETAILS else write_signatures
        return write(out, message, path, to)
    if vendor.signed_calls and not to.answer:
        return carry_signatures(out, message, path, to)
    if not to.carries:
        return message
    signed = with_signatures(message, CARRIED_FROM_BEDROCK)
    return carry_state(out, carry_signatures(out, signed, path, to), path)


def _encode_name(out: dict[str, Any], name: str, index: int, vendor: Vendor, to: Target) -> None:
    if to.answer and not to.home:
        to.log.lost("member", f"{to.message(index)}/name", "an answer has no name")
    else:
        out["name"] = _speaker(name, index, vendor, to)


def _speaker(name: str, index: int, vendor: Vendor, to: Target) -> str:
    """Return the name of a message's author, made acceptable abroad."""
    return name if to.home or not vendor.limited else speaker_name(name, f"{to.message(index)}/name", to.log)


def _encode_calls(
    out: dict[str, Any], calls: list[ToolCall], spelling: Mapping[str, Any], index: int, vendor: Vendor, to: Target
) -> None:
    is_older = spelling.get("call") == "function_call"
    if is_older and (len(calls) == 1 or (calls and to.answer and not to.home)):
        out["function_call"] = encode_function_call(calls[0], vendor, to)
        for at in range(1, len(calls)):
            to.log.lost("message", to.call(index, at), ONE_CALL)
    elif calls or to.home:
        out["tool_calls"] = [encode_call(call, index, at, vendor, to) for at, call in enumerate(calls)]


def _finish(out: dict[str, Any], message: Any, path: str, vendor: Vendor, to: Target) -> None:
    """Merge the `extra` members of this dialect, and report those of others."""
    if "extra" in message:
        merge_own_extra(out, message, vendor.dialect, path, to.log)
        write_role(out, own_extra(message, vendor.dialect))
    if "id" in message and (message["role"] != "tool" or "call_id" in message):
        to.log.changed("local_id", f"{path}/id", "messages have no id in Chat Completions")


def _write_content(out: dict[str, Any], message: Any, index: int, vendor: Vendor, to: Target) -> None:
    """Write the content of a message of any role but assistant."""
    content, role = message.get("content"), message["role"]
    if type(content) is str:
        out["content"] = content
        return
    spelling = own_spelling(message, vendor.dialect)
    if content is not None:
        out["content"] = _encode_parts(content, index, role, vendor, to, spelling)
    elif "content" in spelling:
        out["content"] = None
    elif not to.home:
        out["content"] = ""
        to.log.filled(f"{to.message(index)}/content", "a message needs content: an empty text was added")


def _encode_parts(
    content: list[Any], index: int, role: str, vendor: Vendor, to: Target, spelling: Mapping[str, Any]
) -> Any:
    """Encode the parts of any role but assistant, as an empty text if none is left."""
    if spelling.get("content") == "object" and len(content) == 1 and content[0]["type"] == "opaque":
        return content[0]["data"]
    if not content and not to.home:
        return ""
    parts: list[dict[str, Any]] = []
    for at, part in enumerate(with_server_calls_as_text(content, f"{to.message(index)}/content", to, NO_SERVER_CALLS)):
        encoded = encode_part(part, index, at, role, vendor, to)
        if encoded is not None:
            parts.extend(encoded)
    return content_of(parts, to) if parts or not content else ""


def _encode_refusal(out: dict[str, Any], refusal: Any, index: int, to: Target, spelling: Mapping[str, Any]) -> None:
    if type(refusal) is not str:
        texts = texts_of(
            refusal, f"{to.message(index)}/refusal", "refusal", "refusal can only be one plain text", to.log
        )
        if not texts and not to.home:
            return
        refusal = "".join(text for _, text in texts)
    if spelling.get("refusal") == "part" and type(out.get("content", [])) is list:
        out["content"] = [*out.get("content", ()), {"type": "refusal", "refusal": refusal}]
    else:
        out["refusal"] = refusal


def encode_reasoning(out: dict[str, Any], message: Any, index: int, vendor: Vendor, to: Target) -> None:
    """Write the reasoning, as a member or as the first part of the content, if the dialect has a place for it."""
    path = f"{to.message(index)}/reasoning"
    bag = own_extra(message, vendor.dialect)
    spelling = bag.get("spelling", NOTHING)
    name = unspelled_place(bag) or spelling.get("reasoning", vendor.shown if to.answer else vendor.reasoning)
    if not name:
        if not is_empty_value(message["reasoning"]):
            to.log.lost("reasoning", path, "Chat Completions has no member for reasoning")
        return
    reasoning = message["reasoning"]
    said = texts_of(reasoning, path, "reasoning", "reasoning is only plain text here", to.log)
    details = details_of(bag)
    texts = [text for _, text in said if text or type(reasoning) is str or details]
    text = "\n\n".join(one for one in texts if one)
    if not text and not to.home:
        return
    if name in THINKING_PARTS:  # before the content, which becomes a list
        content: Any = out.get("content") or ()
        rest = [{"type": "text", "text": content}] if type(content) is str else content
        out["content"] = [thinking_part(name, texts, bag.get("thinking", NOTHING)), *rest]
        return
    places = (name, *spelling.get("repeats", ()))
    for place in places:
        out[place] = _details(details, texts) if place == DETAILS else text
    if len(texts) > 1 and DETAILS not in places:
        to.log.changed("reasoning", path, "reasoning is one text here: its parts were joined")


def _details(items: Any, texts: list[str]) -> list[dict[str, Any]]:
    """Return details with their texts put back; surplus texts are joined to the last one."""
    places = sum("said" in item for item in items)
    if not places:
        return [{"type": "reasoning.text", "text": "\n\n".join(texts)}, *(item["fields"] for item in items)]
    said = [*texts[: places - 1], "\n\n".join(texts[places - 1 :])]
    details: list[dict[str, Any]] = []
    for item in items:
        if "said" in item and said:
            details.append({**item["fields"], item["said"]: said.pop(0)})
        else:
            details.append(item["fields"])
    return details
