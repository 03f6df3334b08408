"""Chat Completions to canonical: messages, parts, tool calls. Every function raises `Malformed` with its own path."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.dialects._chat_completions.tables import REASONING_MEMBERS, ROLES, USAGE, USAGE_DETAILS
from interlingua.dialects._shared.extra import Leftovers, rest
from interlingua.dialects._shared.media import audio_media_type, split_data_url
from interlingua.dialects._shared.reading import OBJECT, TEXT, Malformed, expect, expect_integer

if TYPE_CHECKING:
    from interlingua.dialects._chat_completions.tables import Vendor

_CALL_MEMBERS: Final = frozenset({"id", "type", "function", "cache_control"})
_CUSTOM_MEMBERS: Final = frozenset({"id", "type", "custom", "cache_control"})
_FUNCTION_MEMBERS: Final = frozenset({"name", "arguments"})
_CITATION_MEMBERS: Final = frozenset({"url", "title", "start_index", "end_index"})


def decode_message(wire: Any, vendor: Vendor) -> dict[str, Any]:
    """Return the chat message of a wire message. An unknown role makes an opaque message."""
    if type(wire) is not dict:
        raise Malformed("", "expected an object")
    role = wire.get("role")
    if type(role) is not str:
        raise Malformed("/role", "expected text")
    if role not in ROLES:
        return {"role": "opaque", "dialect": vendor.dialect, "data": wire}
    if role == "assistant":
        return decode_assistant(wire, vendor)
    content = wire.get("content")
    if type(content) is str:
        if role == "tool":
            call_id = wire.get("tool_call_id")
            if len(wire) == 3 and type(call_id) is str:
                return {"role": "tool", "call_id": call_id, "content": content}
        elif len(wire) == 2 and role != "function":
            return wire
    return _decode_spoken(wire, role, vendor)


def _decode_spoken(wire: dict[str, Any], role: str, vendor: Vendor) -> dict[str, Any]:
    """Decode a message of any role but assistant."""
    result = role in {"tool", "function"}
    message: dict[str, Any] = {"role": "tool" if result else role}
    left = Leftovers()
    if role == "function":
        left.spelling["role"] = "function"
    for key, value in wire.items():
        if key == "content":
            if value is None:
                left.spelling["content"] = "null"
            else:
                message["content"] = decode_content(value, role, vendor, left)
        elif key == "name" or (result and key == "tool_call_id"):
            if value is None:
                left.null(key)
            else:
                message["name" if key == "name" else "call_id"] = expect(value, TEXT, key)
        elif result and key == "cache_control":
            _decode_cache_control(message, value, left)
        elif key != "role":
            left.fields[key] = value
    left.attach(message, vendor.dialect)
    return message


def decode_assistant(wire: dict[str, Any], vendor: Vendor) -> dict[str, Any]:
    """Decode an assistant message of a request or a response."""
    if len(wire) == 2 and type(wire.get("content")) is str:
        return wire
    if len(wire) == 3 and wire.get("tool_calls") and "content" in wire and wire["content"] is None:
        left = Leftovers()
        message: dict[str, Any] = {"role": "assistant"}
        _decode_calls(message, wire["tool_calls"], vendor, left)
        left.attach(message, vendor.dialect)
        return message
    message = {"role": "assistant"}
    left = Leftovers()
    audio: dict[str, Any] | None = None
    citations: list[dict[str, Any]] | None = None
    for key, value in wire.items():
        if key == "role":
            pass
        elif key == "content":
            if value is not None:
                message["content"] = decode_content(value, "assistant", vendor, left, message)
        elif key == "tool_calls":
            if value:
                _decode_calls(message, value, vendor, left)
            elif value is None:
                left.null(key)
            else:
                expect(value, (list,), key)
                left.empty(key)
        elif value is None and key in {"refusal", "audio", "name", "function_call", "annotations", *REASONING_MEMBERS}:
            left.null(key)
        elif key == "refusal":
            if "refusal" in message:
                left.fields[key] = value
            else:
                message["refusal"] = expect(value, TEXT, key)
        elif key in REASONING_MEMBERS:
            if "reasoning" in message or type(value) is not str:
                left.fields[key] = value
            else:
                message["reasoning"] = value
                left.spelling["reasoning"] = key
        elif key == "name":
            message["name"] = expect(value, TEXT, key)
        elif key == "annotations":
            citations = _decode_citations(value, vendor)
            if citations is None:
                left.fields[key] = value
            elif not citations:
                left.empty(key)
        elif key == "audio":
            audio = _decode_spoken_answer(value, vendor)
            if audio is None:
                left.fields[key] = value
        elif key == "function_call":
            _decode_function_call(message, value, wire, vendor, left)
        else:
            left.fields[key] = value
    if "content" not in wire:
        left.spelling["content"] = "absent"
    if citations or audio:
        _decode_companions(message, citations, audio, wire, left)
    left.attach(message, vendor.dialect)
    return _ordered(message) if "reasoning" in message or "refusal" in message or "tool_calls" in message else message


def _ordered(message: dict[str, Any]) -> dict[str, Any]:
    """Return an assistant message in the order reasoning, content, refusal, tool_calls."""
    names = ("role", "reasoning", "content", "refusal", "tool_calls", "name", "extra")
    return {name: message[name] for name in names if name in message}


def _decode_companions(
    message: dict[str, Any],
    citations: list[dict[str, Any]] | None,
    audio: dict[str, Any] | None,
    wire: dict[str, Any],
    left: Leftovers,
) -> None:
    """Put citations on the text, and the spoken answer behind it, in the content."""
    content = message.get("content")
    if type(content) is str:
        left.spelling["content"] = "string"
        content = [{"type": "text", "text": content}]
    elif content is None:
        content = []
    else:
        content = list(content)
        if not content:
            left.spelling["content"] = "list"
    if citations:
        if len(content) == 1 and content[0]["type"] == "text" and left.spelling.get("content") == "string":
            content[0]["citations"] = citations
        else:
            left.fields["annotations"] = wire["annotations"]
    if audio is not None:
        content.append(audio)
    if content or "content" in message:
        message["content"] = content


def decode_content(
    content: Any, role: str, vendor: Vendor, left: Leftovers, message: dict[str, Any] | None = None
) -> str | list[dict[str, Any]]:
    """Decode text or a list of parts; refusals of an assistant go to its `refusal`."""
    if type(content) is str:
        return content
    if type(content) is dict:
        left.spelling["content"] = "object"
        return [{"type": "opaque", "dialect": vendor.dialect, "data": content}]
    if type(content) is not list:
        raise Malformed("/content", "expected text, a list or null")
    if message is not None and content and type(content[-1]) is dict and content[-1].get("type") == "refusal":
        refusal = content[-1]
        if len(refusal) == 2 and type(refusal.get("refusal")) is str:
            message["refusal"] = refusal["refusal"]
            left.spelling["refusal"] = "part"
            content = content[:-1]
    try:
        index = 0
        parts = []
        for index, part in enumerate(content):  # noqa: B007  # the index is read when a part is malformed
            parts.append(decode_part(part, role, vendor))
    except Malformed as malformed:
        raise malformed.under("content", index) from None
    return parts


def decode_part(wire: Any, role: str, vendor: Vendor) -> dict[str, Any]:
    """Decode one content part. An unknown type makes an opaque part."""
    if type(wire) is not dict:
        raise Malformed("", "expected an object")
    kind = wire.get("type")
    part: dict[str, Any] | None = None
    left = Leftovers()
    if kind == "text":
        text = wire.get("text")
        if type(text) is not str:
            raise Malformed("/text", "expected text")
        if len(wire) == 2:
            return wire
        part = {"type": "text", "text": text}
        left.fields = rest(wire, frozenset({"type", "text", "prompt_cache_breakpoint", "cache_control"}))
    elif role != "assistant":
        if kind == "image_url":
            part = _decode_image(wire, left)
        elif kind == "input_audio":
            part = _decode_audio(wire, left)
        elif kind == "file":
            part = _decode_file(wire, left)
    if part is None:
        return {"type": "opaque", "dialect": vendor.dialect, "data": wire}
    if "prompt_cache_breakpoint" in wire:
        _decode_breakpoint(part, wire["prompt_cache_breakpoint"], left)
        if "cache_control" in wire:
            left.fields["cache_control"] = wire["cache_control"]
    elif "cache_control" in wire:
        _decode_cache_control(part, wire["cache_control"], left)
    left.attach(part, vendor.dialect)
    return part


def _decode_image(wire: dict[str, Any], left: Leftovers) -> dict[str, Any] | None:
    image = wire.get("image_url")
    if type(image) is str:
        left.spelling["image"] = "string"
        url, detail = image, None
    else:
        expect(image, OBJECT, "image_url")
        url, detail = expect(image.get("url"), TEXT, "image_url", "url"), image.get("detail")
        left.nest("image_url", rest(image, frozenset({"url", "detail"} if type(detail) is str else {"url"})))
    part: dict[str, Any] = {"type": "image"}
    split = split_data_url(url)
    if split is None:
        part["url"] = url
    else:
        part["format"], part["data"] = split
    if type(detail) is str:
        part["detail"] = detail
    left.fields |= rest(wire, frozenset({"type", "image_url", "prompt_cache_breakpoint", "cache_control"}))
    return part


def _decode_audio(wire: dict[str, Any], left: Leftovers) -> dict[str, Any]:
    audio = expect(wire.get("input_audio"), OBJECT, "input_audio")
    part = {"type": "audio", "data": expect(audio.get("data"), TEXT, "input_audio", "data")}
    word = audio.get("format")
    media_type = audio_media_type(word) if type(word) is str else None
    if media_type is not None:
        part["format"] = media_type
    left.nest("input_audio", rest(audio, frozenset({"data", "format"} if media_type is not None else {"data"})))
    left.fields |= rest(wire, frozenset({"type", "input_audio", "prompt_cache_breakpoint", "cache_control"}))
    return part


def _decode_file(wire: dict[str, Any], left: Leftovers) -> dict[str, Any] | None:
    file = expect(wire.get("file"), OBJECT, "file")
    part: dict[str, Any] = {"type": "file"}
    known = set()
    if type(file.get("file_id")) is str:
        part["file_id"] = file["file_id"]
        known.add("file_id")
    elif type(file.get("file_data")) is str:
        split = split_data_url(file["file_data"])
        if split is None:
            part["data"] = file["file_data"]
        else:
            part["format"], part["data"] = split
        known.add("file_data")
    else:
        return None
    if type(file.get("filename")) is str:
        part["name"] = file["filename"]
        known.add("filename")
    left.nest("file", rest(file, frozenset(known)))
    left.fields |= rest(wire, frozenset({"type", "file", "prompt_cache_breakpoint", "cache_control"}))
    return part


def _decode_breakpoint(part: dict[str, Any], mark: Any, left: Leftovers) -> None:
    """Decode `prompt_cache_breakpoint`: always `mode: explicit`."""
    if type(mark) is not dict or mark.get("mode") != "explicit":
        left.fields["prompt_cache_breakpoint"] = mark
        return
    known = {"mode"}
    part["cache"] = {}
    if type(mark.get("ttl")) is str:
        part["cache"]["ttl"] = mark["ttl"]
        known.add("ttl")
    left.nest("prompt_cache_breakpoint", rest(mark, frozenset(known)))


def _decode_cache_control(value: dict[str, Any], mark: Any, left: Leftovers) -> None:
    """Decode `cache_control`, the accent of gateways that pass it on to Claude: always `type: ephemeral`."""
    if type(mark) is not dict or mark.get("type") != "ephemeral":
        left.fields["cache_control"] = mark
        return
    known = {"type"}
    value["cache"] = {}
    left.spelling["cache"] = "cache_control"
    if type(mark.get("ttl")) is str:
        value["cache"]["ttl"] = mark["ttl"]
        known.add("ttl")
    left.nest("cache_control", rest(mark, frozenset(known)))


def _decode_citations(annotations: Any, vendor: Vendor) -> list[dict[str, Any]] | None:
    """Decode `annotations`, or return None where one of them is not a well-formed `url_citation`."""
    if type(annotations) is not list:
        return None
    citations = []
    for wire in annotations:
        cited = wire.get("url_citation") if type(wire) is dict and wire.get("type") == "url_citation" else None
        if type(cited) is not dict:
            return None
        citation: dict[str, Any] = {"kind": "url"}
        left = Leftovers()
        left.fields = rest(wire, frozenset({"type", "url_citation"}))
        nested = {}
        for key, value in cited.items():
            if key in _CITATION_MEMBERS and type(value) is (int if key.endswith("index") else str):
                citation[key] = value
            else:
                nested[key] = value
        left.nest("url_citation", nested)
        left.attach(citation, vendor.dialect)
        citations.append(citation)
    return citations


def _decode_spoken_answer(audio: Any, vendor: Vendor) -> dict[str, Any] | None:
    """Decode `audio` of an assistant: the whole answer, or the id of an earlier one."""
    if type(audio) is not dict:
        raise Malformed("/audio", "expected an object")
    part: dict[str, Any] = {"type": "audio"}
    left = Leftovers()
    for key, value in audio.items():
        if (key in {"data", "transcript"} and type(value) is str) or (key == "expires_at" and type(value) is int):
            part[key] = value
        elif key == "id" and type(value) is str:
            left.typed["id"] = value
        else:
            left.fields[key] = value
    if "data" not in part:
        if "id" not in left.typed:
            return None
        part["file_id"] = left.typed.pop("id")
    left.attach(part, vendor.dialect)
    return part


def _decode_calls(message: dict[str, Any], wire: Any, vendor: Vendor, left: Leftovers) -> None:
    if type(wire) is not list:
        raise Malformed("/tool_calls", "expected a list")
    calls: list[dict[str, Any]] = []
    try:
        index = 0
        for index, one in enumerate(wire):
            call = decode_call(one, vendor)
            if call is None:
                left.typed.setdefault("opaque_calls", []).append({"at": index, "data": one})
            else:
                calls.append(call)
    except Malformed as malformed:
        raise malformed.under("tool_calls", index) from None
    if calls:
        message["tool_calls"] = calls


def decode_call(wire: Any, vendor: Vendor) -> dict[str, Any] | None:
    """Decode one tool call, or return None for one of an unknown type."""
    if type(wire) is not dict:
        raise Malformed("", "expected an object")
    function = wire.get("function")
    kind = wire.get("type")
    if kind == "function" and type(function) is dict and len(wire) == 3 and len(function) == 2:
        identifier, name, arguments = wire.get("id"), function.get("name"), function.get("arguments")
        if type(identifier) is str and type(name) is str and type(arguments) is str:
            return {"id": identifier, "name": name, "arguments": arguments}
    left = Leftovers()
    if kind == "custom":
        custom = expect(wire.get("custom"), OBJECT, "custom")
        call = {"name": expect(custom.get("name"), TEXT, "custom", "name"), "arguments": _text_or(custom, "input", left), "kind": "custom"}  # fmt: skip
        left.nest("custom", rest(custom, frozenset({"name", "input"})))
        known = _CUSTOM_MEMBERS
    elif kind == "function" or (kind is None and type(function) is dict):
        if kind is None:
            if "type" in wire:
                left.null("type")
            else:
                left.spelling["type"] = "absent"
        expect(function, OBJECT, "function")
        call = {"name": expect(function.get("name"), TEXT, "function", "name"), "arguments": _text_or(function, "arguments", left)}  # fmt: skip
        left.nest("function", rest(function, _FUNCTION_MEMBERS))
        known = _CALL_MEMBERS
    elif type(kind) is str:
        return None
    else:
        raise Malformed("/type", "expected text")
    identifier = wire.get("id")
    if identifier is not None:
        call = {"id": expect(identifier, TEXT, "id"), **call}
    elif "id" in wire:
        left.null("id")
    if "cache_control" in wire:
        _decode_cache_control(call, wire["cache_control"], left)
    left.fields |= rest(wire, known)
    left.attach(call, vendor.dialect)
    return call


def _text_or(wire: dict[str, Any], name: str, left: Leftovers) -> str | dict[str, Any]:
    """Return argument text; an object as some vendors send it; or empty text where nothing was said."""
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


def _decode_function_call(
    message: dict[str, Any], wire: Any, whole: dict[str, Any], vendor: Vendor, left: Leftovers
) -> None:
    """Decode the older `function_call`; beside `tool_calls` it is only a repeat and stays a leftover."""
    if type(wire) is not dict or type(wire.get("name")) is not str or whole.get("tool_calls"):
        left.fields["function_call"] = wire
        return
    inner = Leftovers()
    call = {"name": wire["name"], "arguments": _text_or(wire, "arguments", inner)}
    inner.fields = rest(wire, _FUNCTION_MEMBERS)
    inner.attach(call, vendor.dialect)
    message["tool_calls"] = [call]
    left.spelling["call"] = "function_call"


def decode_usage(wire: Any, vendor: Vendor) -> dict[str, Any]:
    """Decode `usage`; input and output are inclusive on both sides."""
    usage: dict[str, Any] = {}
    left = Leftovers()
    expect(wire, OBJECT)
    details = dict(USAGE_DETAILS)
    for key, value in wire.items():
        if key in USAGE and value is not None:
            usage[USAGE[key]] = expect_integer(value, key)
        elif key in details and type(value) is dict:
            nested = {}
            for name, count in value.items():
                if name in details[key] and type(count) is int:
                    usage[details[key][name]] = count
                elif count is None and name in details[key]:
                    left.null(f"{key}.{name}")
                else:
                    nested[name] = count
            if nested or not value:
                left.fields[key] = nested
        elif value is None and (key in USAGE or key in details):
            left.null(key)
        else:
            left.fields[key] = value
    left.attach(usage, vendor.dialect)
    return usage
