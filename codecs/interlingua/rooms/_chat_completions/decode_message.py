"""Chat Completions to canonical: messages, their reasoning in each vendor's form, and their calls.

Every function raises `Malformed` with its own path.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, cast

from interlingua.rooms._chat_completions.decode_part import (
    decode_cache_control,
    decode_citations,
    decode_part,
    decode_pictures,
    decode_spoken_answer,
)
from interlingua.rooms._chat_completions.decode_thinking import ordered, read_leading_thought, split_at_thoughts
from interlingua.rooms._chat_completions.reasoning_details import CARRIER, items_of, read_signatures, read_state
from interlingua.rooms._chat_completions.tables import ROLES
from interlingua.rooms._chat_completions.vendor_extensions import DETAILS, REASONING_MEMBERS, UNSPELLED
from interlingua.spi.extra import NOTHING, own_extra
from interlingua.spi.reading import OBJECT, TEXT, Malformed, Unmapped, decode_list, expect, read_calls, read_text, rest
from interlingua.tool_arguments import UnwritableError, arguments_text, json_object

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from interlingua.rooms._chat_completions.vendor import Vendor

_RESULTS: Final = frozenset({"tool", "function"})
# Members of an assistant message beside its content.
_BESIDE: Final[Mapping[str, Callable[[Any, Vendor], Any]]] = MappingProxyType({
    "annotations": decode_citations, "audio": decode_spoken_answer, "images": decode_pictures
})  # fmt: skip


def decode_messages(wires: list[Any], vendor: Vendor) -> list[dict[str, Any]]:
    """Return the chat messages of wire messages."""
    messages: list[dict[str, Any]] = []
    read = 0
    try:
        for wire in wires:
            message = decode_message(wire, vendor)
            if message["role"] == "assistant":
                messages += split_at_thoughts(message, vendor.dialect)
            else:
                messages.append(message)
            read += 1
    except Malformed as malformed:
        raise malformed.under("messages", read) from None
    return messages


def decode_message(wire: Any, vendor: Vendor) -> dict[str, Any]:
    """Return the chat message of any wire message. An unknown role makes an opaque message."""
    if type(wire) is not dict:
        raise Malformed("", "expected an object")
    role = wire.get("role")
    if role == "assistant":
        return decode_assistant(wire, vendor)
    if type(role) is not str:
        raise Malformed("/role", "expected text")
    if role not in ROLES:
        return {"role": "opaque", "dialect": vendor.dialect, "data": wire}
    result = role in _RESULTS
    message: dict[str, Any] = {"role": "tool" if result else role}
    taken = 1
    if result and type(identifier := wire.get("tool_call_id")) is str:
        message["call_id"] = identifier
        taken = 2
    if type(content := wire.get("content")) is str:
        message["content"] = content
        taken += 1
    if taken == len(wire) and role != "function":
        return message
    return _decode_beside(message, wire, vendor, result=result)


def _decode_beside(message: dict[str, Any], wire: dict[str, Any], vendor: Vendor, *, result: bool) -> dict[str, Any]:
    """Read the rest of a message, after a text and the id of its call."""
    role, left = wire["role"], Unmapped()
    if role == "function":
        left.spelling["role"] = "function"
    for key, value in wire.items():
        if key == "content":
            if value is None:
                left.spelling["content"] = "null"
            elif type(value) is not str:
                message["content"] = decode_content(value, role, vendor, left)
        elif key == "name" or (result and key == "tool_call_id"):
            if key == "name" or value is None:
                read_text(message, key, wire, key, left)
            else:  # a result needs a valid call id
                message["call_id"] = expect(value, TEXT, key)
        elif result and key == "cache_control":
            decode_cache_control(message, value, left)
        elif key != "role":
            left.fields[key] = value
    if left.fields.get("cache_control") is not None:
        del left.fields["cache_control"]
        _decode_mark(message, wire, vendor, left)
    left.attach(message, vendor.dialect)
    return message


def _decode_mark(message: dict[str, Any], wire: dict[str, Any], vendor: Vendor, left: Unmapped) -> None:
    """Read a cache mark beside the content of a message: it applies to the last part, or the last call.

    If there is neither, it stays a leftover.
    """
    mark, text = wire["cache_control"], wire.get("content")
    content = [{"type": "text", "text": text}] if type(text) is str else message.get("content")
    marked = _marked(content or message.get("tool_calls") or (), mark, vendor, is_beside=type(text) is not str)
    if marked is None:
        left.fields["cache_control"] = mark
    elif content:
        message["content"] = [*content[:-1], marked]
        if type(text) is str:
            left.spelling["content"] = "string"
    else:
        message["tool_calls"] = [*message["tool_calls"][:-1], marked]


def _marked(items: Sequence[Any], mark: Any, vendor: Vendor, *, is_beside: bool) -> dict[str, Any] | None:
    """Return the last of parts or calls with a cache mark, or None if it cannot have one."""
    last = items[-1] if items else {}
    if not last or last.get("type") == "opaque" or "cache" in last or last.get("text") == "":
        return None
    beside = Unmapped()
    marked = {**last}
    decode_cache_control(marked, mark, beside)
    if "cache" not in marked:
        return None
    if is_beside:
        beside.absent("cache_control")
    own = own_extra(last, vendor.dialect)
    if "fields" in own or "spelling" in own:
        beside.fields = {**own.get("fields", NOTHING), **beside.fields}
        beside.spelling = {**own.get("spelling", NOTHING), **beside.spelling}
    beside.typed = {name: held for name, held in own.items() if name not in {"fields", "spelling"}}
    others = {name: held for name, held in last.get("extra", NOTHING).items() if name != vendor.dialect}
    beside.attach(marked, vendor.dialect)
    marked["extra"] |= others
    return marked


def decode_assistant(wire: dict[str, Any], vendor: Vendor, *, told_late: bool = False) -> dict[str, Any]:
    """Decode an assistant message of a request or, with `told_late`, of a response.

    State that a stream can only deliver behind its content is read in requests only.
    """
    message: dict[str, Any] = {"role": "assistant"}
    left: Unmapped | None = None
    content, calls = wire.get("content"), wire.get("tool_calls")
    taken = 1 if "role" in wire else 0
    if type(content) is str:
        message["content"] = content
        taken += 1
    elif content is None and "content" in wire:
        taken += 1
    if calls:
        taken += 1
        left = Unmapped()
        try:
            read_calls(message, expect(calls, (list,), "tool_calls"), left, _CALL_READERS[told_late], vendor)
        except Malformed as malformed:
            left.keep("tool_calls", calls, malformed)
    if not (taken == len(wire) and "content" in wire and (left is None or not (left.typed or left.fields))):
        message = _decode_rest(_Answer(wire, vendor, message, left or Unmapped(), {}, told_late=told_late))
    if vendor.details and (left is not None or CARRIER in wire):
        read_signatures(message, vendor.dialect)
    if vendor.details and DETAILS in wire:
        read_state(message, vendor.dialect, told_late=told_late)
    return message


def _decode_rest(answer: _Answer) -> dict[str, Any]:
    """Read the rest of an assistant message, after a text and calls."""
    wire, message = answer.wire, answer.message
    for key, value in wire.items():
        if key in _ANSWER_READERS:
            if value is None:
                if key != "content":
                    answer.left.null(key)
            elif not (key == "tool_calls" and value) and not (key == "content" and type(value) is str):
                try:
                    _ANSWER_READERS[key](answer, key, value)
                except Malformed as malformed:
                    if key == "content":
                        raise
                    answer.left.keep(key, value, malformed)
        elif key != "role":
            answer.left.fields[key] = value
    answer.left.spelling |= {} if "content" in wire else {"content": "absent"}
    if answer.details is not None:
        _decode_details(answer, answer.details)
    if wire.get("cache_control") is not None:
        del answer.left.fields["cache_control"]
        _decode_mark(message, wire, answer.vendor, answer.left)
    if answer.beside:
        _place_beside(answer, **answer.beside)
    answer.left.attach(message, answer.vendor.dialect)
    return ordered(message) if "reasoning" in message or "refusal" in message or "tool_calls" in message else message


@dataclass(slots=True, repr=False, eq=False)
class _Answer:
    """An assistant message that is being decoded."""

    wire: dict[str, Any]
    vendor: Vendor
    message: dict[str, Any]
    left: Unmapped
    beside: dict[str, Any]  # decoded members beside the content, by name
    told_late: bool = False
    details: Any = None


def _read_content(answer: _Answer, _key: str, value: Any) -> None:
    answer.message["content"] = decode_content(value, "assistant", answer.vendor, answer.left, answer.message)


def _read_calls(answer: _Answer, key: str, value: Any) -> None:
    if not expect(value, (list,), key):  # non-empty calls have been read
        answer.left.empty(key)


def _read_refusal(answer: _Answer, key: str, value: Any) -> None:
    if "refusal" in answer.message:
        answer.left.fields[key] = value
    else:
        answer.message["refusal"] = expect(value, TEXT, key)


def _read_details(answer: _Answer, key: str, value: Any) -> None:
    if answer.vendor.details:
        answer.details = value
    else:
        answer.left.fields[key] = value


def _read_name(answer: _Answer, key: str, value: Any) -> None:
    answer.message["name"] = expect(value, TEXT, key)


def _read_beside(answer: _Answer, key: str, value: Any) -> None:
    """Read a member beside the content; what cannot be read stays a leftover."""
    read = _BESIDE[key](value, answer.vendor)
    if read:
        answer.beside[key] = read
    elif read is None:
        answer.left.fields[key] = value
    else:
        answer.left.empty(key)


def _place_beside(
    answer: _Answer, annotations: Sequence[Any] = (), images: Sequence[Any] = (), audio: dict[str, Any] | None = None
) -> None:
    """Put citations on the text part, and images and the audio answer behind it."""
    message, left = answer.message, answer.left
    content: Any = message.get("content")
    if type(content) is str:
        left.spelling["content"] = "string"
        content = [{"type": "text", "text": content}]
    elif content is None:
        content = []
    else:
        content = list(content)
        if not content:
            left.spelling["content"] = "list"
    if annotations:
        if len(content) == 1 and content[0]["type"] == "text" and left.spelling.get("content") == "string":
            content[0]["citations"] = annotations
        else:
            left.fields["annotations"] = answer.wire["annotations"]
    content += images
    if audio is not None:
        content.append(audio)
    if content or "content" in message:
        message["content"] = content


def decode_content(
    content: Any, role: str, vendor: Vendor, left: Unmapped, message: dict[str, Any] | None = None
) -> list[dict[str, Any]]:
    """Decode a content that is not a text; an assistant's refusal part goes to `refusal`.

    An object as an assistant's content is its JSON text: so Cloudflare answers where a schema is given.
    """
    if type(content) is dict:
        left.spelling["content"] = "object"
        text = None if message is None else _text_of_object(cast("dict[str, Any]", content))
        if text is not None:
            return [{"type": "text", "text": text}]
        return [{"type": "opaque", "dialect": vendor.dialect, "data": content}]
    if type(content) is not list:
        raise Malformed("/content", "expected text, a list or null")
    if message is not None and content and type(content[-1]) is dict and content[-1].get("type") == "refusal":
        refusal = content[-1]
        if len(refusal) == 2 and type(refusal.get("refusal")) is str:
            message["refusal"] = refusal["refusal"]
            left.spelling["refusal"] = "part"
            content = content[:-1]
    if message is not None and content:
        content = read_leading_thought(content, message, left)
    return decode_list(content, "content", lambda part: decode_part(part, role, vendor))


def _text_of_object(content: dict[str, Any]) -> str | None:
    """Return an object as JSON text, None if the text would not be the same object again."""
    try:
        text = arguments_text(content)
    except UnwritableError:
        return None
    return text if json_object(text) == (content, True) else None


def _read_reasoning(answer: _Answer, key: str, value: Any) -> None:
    """Read a member that holds reasoning as text.

    A repeat of the same text is noted as such; another text, a value that is no text, and an empty text beside another
    one stay leftovers.
    """
    message, spelling, habit = answer.message, answer.left.spelling, answer.vendor.reasoning
    if value and type(value) is str:
        _set_aside_empty(message, answer.left, answer.vendor)
    if type(value) is not str or (key in UNSPELLED and (not value or "reasoning" in message)):
        answer.left.fields[key] = value
    elif "reasoning" not in message:
        message["reasoning"] = value
        if key in UNSPELLED:
            answer.left.fields[key] = None
        elif key != habit:
            spelling["reasoning"] = key
    elif message["reasoning"] == value and spelling.get("reasoning", habit) != "part":
        spelling.setdefault("repeats", []).append(key)
    else:
        answer.left.fields[key] = value


def _set_aside_empty(message: dict[str, Any], left: Unmapped, vendor: Vendor) -> None:
    """Make an empty reasoning a leftover, since another member holds the actual one."""
    said = left.spelling.get("reasoning", vendor.reasoning)
    if message.get("reasoning") == "" and said in REASONING_MEMBERS:
        del message["reasoning"]
        left.spelling.pop("reasoning", None)
        left.fields |= dict.fromkeys([said, *left.spelling.pop("repeats", ())], "")


def _decode_details(answer: _Answer, details: Any) -> None:
    """Read `reasoning_details` after all other members: their texts are the reasoning.

    Other members of the details, such as signatures, are kept for the vendor. Details with other texts than the
    reasoning beside them stay a leftover.
    """
    message, left = answer.message, answer.left
    items = items_of(details) or []
    texts = [text for _, text in items if text is not None]
    if any(texts):
        _set_aside_empty(message, left, answer.vendor)
    is_part = left.spelling.get("reasoning") in {"part", "parts"}
    said = message.get("reasoning")
    if not texts or is_part or (said is not None and said != "\n\n".join(text for text in texts if text)):
        left.fields[DETAILS] = details
        return
    if said is None:
        left.spelling["reasoning"] = DETAILS
    else:
        left.spelling.setdefault("repeats", []).append(DETAILS)
    message["reasoning"] = texts[0] if len(texts) == 1 else [{"type": "text", "text": text} for text in texts]
    left.typed[DETAILS] = [item for item, _ in items]


_CALL_MEMBERS: Final = frozenset({"id", "type", "function", "cache_control"})

_CUSTOM_MEMBERS: Final = frozenset({"id", "type", "custom", "cache_control"})

_FUNCTION_MEMBERS: Final = frozenset({"name", "arguments"})

# Types of arguments: text, an object from some vendors, or null.
_ARGUMENTS: Final = (str, dict, type(None))


def decode_call(wire: Any, _number: int, vendor: Vendor, *, nameless: bool = False) -> dict[str, Any] | None:
    """Decode one tool call, or return None for an unknown type, or a value that is no object."""
    if type(wire) is not dict:
        return None
    function, kind, identifier = wire.get("function"), wire.get("type"), wire.get("id")
    if kind == "function" and type(function) is dict and type(identifier) is str:
        name, arguments = function.get("name"), function.get("arguments")
        if type(name) is type(arguments) is str:
            call = {"id": identifier, "name": name, "arguments": arguments}
            if len(wire) == 3 and len(function) == 2:
                return call
    left = Unmapped()
    if kind == "custom":
        call = _decode_inner(wire, "custom", "input", left, nameless=nameless)
        call["kind"] = "custom"
        known = _CUSTOM_MEMBERS
    elif kind == "function" or (not (type(kind) is str and kind) and type(function) is dict):
        if kind is None:
            left.untyped(wire)
        elif kind != "function":  # empty or not a text, so it has no meaning
            left.spelling["type"] = "absent"
            left.fields["type"] = kind
        call = _decode_inner(wire, "function", "arguments", left, nameless=nameless)
        known = _CALL_MEMBERS
    else:
        return None
    named: dict[str, Any] = {}
    read_text(named, "id", wire, "id", left)
    call = {**named, **call}
    if "cache_control" in wire:
        decode_cache_control(call, wire["cache_control"], left)
    left.fields |= rest(wire, known)
    left.attach(call, vendor.dialect)
    return call


# By whether the calls are in an answer: there a call without a name gets an empty one, as in a stream.
_CALL_READERS: Final[Mapping[bool, Callable[..., dict[str, Any] | None]]] = MappingProxyType({
    False: decode_call, True: partial(decode_call, nameless=True)
})  # fmt: skip


def _decode_inner(wire: dict[str, Any], kind: str, member: str, left: Unmapped, *, nameless: bool) -> dict[str, Any]:
    """Decode name and arguments of a call, from the object named after its type."""
    inner = expect(wire.get(kind), OBJECT, kind)
    name = ""
    if nameless and inner.get("name") is None:
        _unsaid(f"{kind}.name", inner, left)
    else:
        name = expect(inner.get("name"), TEXT, kind, "name")
    call = {"name": name, "arguments": _arguments_text(inner, member, left)}
    left.keep_nested(kind, rest(inner, frozenset({"name", member})))
    return call


def _unsaid(place: str, wire: dict[str, Any], left: Unmapped) -> None:
    """Note that the name of a call is null or absent."""
    note = left.null if "name" in wire else left.absent
    note(place)


def _arguments_text(wire: dict[str, Any], name: str, left: Unmapped) -> str | dict[str, Any]:
    """Return the arguments as text, as an object if a vendor sends one, or empty if absent."""
    value = wire.get(name)
    if type(value) is str:
        return value
    if type(value) is dict:
        left.spelling["arguments"] = "object"
        return value
    if value is not None:
        raise Malformed("/function/arguments" if name == "arguments" else "/custom/input", "expected text")
    left.spelling["arguments"] = "null" if name in wire else "absent"
    return ""


def _read_function_call(answer: _Answer, key: str, value: Any) -> None:
    """Decode the deprecated `function_call`; beside `tool_calls` it is only a repeat and stays a leftover.

    Only in an answer may the name be missing; it is empty then, as in a stream. Without name and arguments it is no
    call: Snowflake writes that into every answer.
    """
    name, arguments = (value.get("name"), value.get("arguments")) if type(value) is dict else (None, None)
    is_named = type(name) is str or (name is None and answer.told_late)
    if not (name or arguments) or not is_named or type(arguments) not in _ARGUMENTS or answer.wire.get("tool_calls"):
        answer.left.fields[key] = value
        return
    inner = Unmapped()
    if name is None:
        _unsaid("name", value, inner)
    call = {"name": name or "", "arguments": _arguments_text(value, "arguments", inner)}
    inner.fields = rest(value, _FUNCTION_MEMBERS)
    inner.attach(call, answer.vendor.dialect)
    answer.message["tool_calls"] = [call]
    answer.left.spelling["call"] = "function_call"


_ANSWER_READERS: Final[Mapping[str, Callable[[_Answer, str, Any], None]]] = MappingProxyType({
    "content": _read_content,
    "tool_calls": _read_calls,
    "refusal": _read_refusal,
    "name": _read_name,
    **dict.fromkeys(_BESIDE, _read_beside),
    "function_call": _read_function_call,
    **dict.fromkeys(REASONING_MEMBERS, _read_reasoning),
    DETAILS: _read_details,
})  # fmt: skip
