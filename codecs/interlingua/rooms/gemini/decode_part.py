"""Decode Gemini parts, function calls and function responses among them.

Every function raises `Malformed` with its own path. Source: docs/wire/gemini.md, sections 1.2 and 8.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from interlingua.rooms.gemini.mapping import part_type_of, write_json
from interlingua.rooms.gemini.server_calls import CODE, decode_code, decode_result
from interlingua.rooms.gemini.server_calls import RESULT as RESULT_OF_CODE
from interlingua.rooms.gemini.snake_case import BLOB, CALL, FILE, PART, RESULT, Names, with_camel_case
from interlingua.rooms.gemini.tables import DATA, DIALECT, RESOLUTIONS
from interlingua.spi.reading import OBJECT, TEXT, Malformed, Unmapped, decode_list, expect, read_text, rest

if TYPE_CHECKING:
    from collections.abc import Mapping

REASONING, CONTENT, CALLS = "reasoning", "content", "tool_calls"

# File sources: wire member -> (its names, the member with data or URL, the canonical member).
_SOURCES: Final[Mapping[str, tuple[Names, str, str]]] = MappingProxyType(
    {"inlineData": (BLOB, "data", "data"), "fileData": (FILE, "fileUri", "url")}
)

# Other file members: wire member -> (part type, inner member, canonical member, words).
_PART_MODIFIERS: Final[Mapping[str, tuple[str, str, str, Mapping[str, str] | None]]] = MappingProxyType({
    "mediaResolution": ("image", "level", "detail", RESOLUTIONS),
    "audioTranscription": ("audio", "text", "transcript", None),
})  # fmt: skip

_RUNS: Final = MappingProxyType({CODE: decode_code, RESULT_OF_CODE: decode_result})

_MODIFIERS: Final = frozenset({"thought", "thoughtSignature"})
_READ: Final = frozenset({*_MODIFIERS, *DATA})
_CALL_MEMBERS: Final = frozenset({"id", "name", "args"})
# An object; some gateways send it as JSON text.
_ARGUMENTS: Final = (dict, str)
_RESULT_MEMBERS: Final = frozenset({"id", "name", "response", "parts"})


# The result of decoding a part: (role, member, value, signature), the value to be put under `member` of a message of
# that role; without a member the value is a whole message.
DecodedPart: TypeAlias = "tuple[str, str, dict[str, Any], str | None]"


def decode_part(wire: Any, natural: str) -> DecodedPart:
    """Decode one part, whose message usually has the `natural` role; without a canonical variant it is opaque."""
    if type(wire) is not dict:
        raise Malformed("", "expected an object")
    if len(wire) == 1 and type(wire.get("text")) is str:
        return natural, CONTENT, {"type": "text", "text": wire["text"]}, None
    left = Unmapped()
    part = with_camel_case(wire, PART, left)
    data = _data_member_of(part, left)
    if not data and part.keys() <= _MODIFIERS:  # so Go's SDK writes an empty text
        part, data = {**part, "text": ""}, "text"
        left.absent("text")
    if data == "text" or data in _SOURCES:
        thought, signature = _decode_modifiers(part, left)
        thinking = thought and natural == "assistant"
        if thought and not thinking:
            left.fields["thought"] = True
        value = _decode_file(part, data, left) if data in _SOURCES else _decode_text(part, left)
        left.attach(value, DIALECT)
        return natural, REASONING if thinking else CONTENT, value, signature
    if natural != "system" and data in {"functionCall", "functionResponse"}:
        thought, signature = _decode_modifiers(part, left) if len(part) > 1 else (False, None)
        if thought:
            left.fields["thought"] = True
        if data == "functionCall":
            return "assistant", CALLS, _decode_call(part, left), signature
        return "tool", "", _decode_result(part, left), signature
    if natural == "assistant" and data in _RUNS:
        run = _RUNS[data](part[data], left)
        if run is not None:
            thought, signature = _decode_modifiers(part, left)
            if thought:
                left.fields["thought"] = True
            left.fields |= rest(part, _READ)
            left.attach(run, DIALECT)
            return natural, CONTENT, run, signature
    return natural, CONTENT, opaque_part(wire), None


def opaque_part(data: Any) -> dict[str, Any]:
    """Return the opaque part that keeps a wire part verbatim."""
    return {"type": "opaque", "dialect": DIALECT, "data": data}


def _data_member_of(part: dict[str, Any], left: Unmapped) -> str:
    """Return the name of the only data member, or "" if there are none or several; note those that are null."""
    found = ""
    for name, value in part.items():
        if name in DATA:
            if value is None:
                left.null(name)
            elif found:
                return ""
            else:
                found = name
    return found


def _decode_modifiers(part: dict[str, Any], left: Unmapped) -> tuple[bool, str | None]:
    """Decode `thought` and `thoughtSignature`, which any part may have."""
    if _MODIFIERS.isdisjoint(part):
        return False, None
    thought, signature = part.get("thought"), part.get("thoughtSignature")
    if thought is False:
        left.spelling["thought"] = "false"
    for name, value, known in (
        ("thought", thought, type(thought) is bool),
        ("thoughtSignature", signature, type(signature) is str),
    ):
        if value is None and name in part:
            left.null(name)
        elif isinstance(value, bytes):  # as google-genai holds it
            raise Malformed(f"/{name}", "expected text")
        elif not known and name in part:
            left.fields[name] = value
    return thought is True, signature if type(signature) is str else None


def _decode_text(wire: dict[str, Any], left: Unmapped) -> dict[str, Any]:
    if len(wire) > 1:
        left.fields |= rest(wire, _READ)
    return {"type": "text", "text": expect(wire["text"], TEXT, "text")}


def _decode_file(wire: dict[str, Any], outer: str, left: Unmapped) -> dict[str, Any]:
    """Decode inline data or a file URI."""
    names, member, name = _SOURCES[outer]
    source = with_camel_case(expect(wire[outer], OBJECT, outer), names, left)
    known = {member}
    part: dict[str, Any] = {"type": "file"}
    media_type, title = source.get("mimeType"), source.get("displayName")
    if type(media_type) is str:
        part = {"type": part_type_of(media_type), "format": media_type}
        known.add("mimeType")
    part[name] = expect(source.get(member), TEXT, outer, member)
    if type(title) is str:
        part["name"] = title
        known.add("displayName")
    left.keep_nested(outer, rest(source, frozenset(known)))
    for key, value in wire.items():
        if key in _PART_MODIFIERS:
            _decode_part_modifiers(part, key, value, left)
    left.fields |= rest(wire, _READ | _PART_MODIFIERS.keys())
    return part


def _decode_part_modifiers(part: dict[str, Any], outer: str, wire: Any, left: Unmapped) -> None:
    """Decode the resolution of an image or the transcript of audio; on other parts they are kept verbatim."""
    kind, member, name, words = _PART_MODIFIERS[outer]
    said = wire.get(member) if part["type"] == kind and type(wire) is dict else None
    if type(said) is str and (words is None or said in words):
        part[name] = said if words is None else words[said]
        left.keep_nested(outer, rest(wire, frozenset({member})))
    else:
        left.fields[outer] = wire


def _decode_call(part: dict[str, Any], left: Unmapped) -> dict[str, Any]:
    """Decode a function call; `left` holds what its modifiers left over."""
    wire = with_camel_case(expect(part["functionCall"], OBJECT, "functionCall"), CALL, left)
    identifier, name, arguments = wire.get("id"), wire.get("name"), wire.get("args")
    call: dict[str, Any] = {"id": identifier} if type(identifier) is str else {}
    if type(name) is str and type(arguments) is dict:
        call["name"], call["arguments"] = name, arguments
    if len(call) != len(wire) or len(call) < 2:
        _decode_unusual_call(call, wire, left)
    if len(part) > 1:
        left.fields |= rest(part, _READ)
    left.attach(call, DIALECT)
    return call


def _decode_unusual_call(call: dict[str, Any], wire: dict[str, Any], left: Unmapped) -> None:
    """Add the members of a call that is not plain: other members, missing arguments, or arguments as text."""
    others = rest(wire, _CALL_MEMBERS)
    read_text(call, "id", wire, "id", left, others)
    call["name"] = expect(wire.get("name"), TEXT, "functionCall", "name")
    arguments = wire.get("args")
    if arguments is None:
        left.spelling["args"] = "null" if "args" in wire else "absent"
        arguments = {}
    if type(arguments) is str:
        left.absent("args")
    call["arguments"] = expect(arguments, _ARGUMENTS, "functionCall", "args")
    left.keep_nested("functionCall", others)


def _decode_result(part: dict[str, Any], left: Unmapped) -> dict[str, Any]:
    """Decode a function response as a tool message."""
    wire = with_camel_case(expect(part["functionResponse"], OBJECT, "functionResponse"), RESULT, left)
    message: dict[str, Any] = {"role": "tool"}
    others = rest(wire, _RESULT_MEMBERS)
    read_text(message, "call_id", wire, "id", left, others)
    try:
        _decode_response(message, wire, left)
        if "parts" in wire:
            _decode_media(message, wire, left, others)
    except Malformed as malformed:
        raise malformed.under("functionResponse") from None
    if "name" in wire:
        read_text(message, "name", wire, "name", left, others)
    if others:
        left.keep_nested("functionResponse", others)
    if len(part) > 1:
        left.fields |= rest(part, _READ)
    left.attach(message, DIALECT)
    return message


def _decode_response(message: dict[str, Any], wire: dict[str, Any], left: Unmapped) -> None:
    """Decode `{output: ...}` and `{error: ...}`; any other object is the output as a whole."""
    response = wire.get("response")
    if type(response) is not dict or not response:
        if response is None:
            left.spelling["response"] = "null" if "response" in wire else "absent"
        else:
            expect(response, OBJECT, "response")
        return
    value: Any = response
    form = "object"
    key = next(iter(response))
    if len(response) == 1 and key in {"output", "error"}:
        value, form = response[key], "json"
        if key == "error":
            message["is_error"] = True
    if type(value) is not str:
        left.spelling["response"] = form
        value = write_json(value)
        if value is None:
            raise Malformed("/response", "expected what JSON text can hold")
    message["content"] = value


def _decode_media(message: dict[str, Any], wire: dict[str, Any], left: Unmapped, others: dict[str, Any]) -> None:
    """Decode the images and other files of a tool result, which follow its text."""
    media = wire.get("parts")
    if media is None:
        left.null("parts")
    elif type(media) is not list:
        others["parts"] = media
    elif not media:
        left.empty("parts")
    else:
        said = message.get("content")
        # An error with images must have a text; an empty one was only filled in.
        is_silent = said is None or (said == "" and message.get("is_error") is True)
        text = [] if is_silent else [{"type": "text", "text": said}]
        message["content"] = [*text, *decode_list(media, "parts", _decode_medium)]


def _decode_medium(wire: Any) -> dict[str, Any]:
    left = Unmapped()
    part = with_camel_case(expect(wire, OBJECT), PART, left)
    data = _data_member_of(part, left)
    if data not in _SOURCES:
        return opaque_part(wire)
    media = _decode_file(part, data, left)
    left.fields |= {name: part[name] for name in ("thought", "thoughtSignature") if name in part}
    left.attach(media, DIALECT)
    return media
