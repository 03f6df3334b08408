"""Decode Bedrock Converse requests and responses to the canonical form.

An object is read into its canonical value, and what the encoder would not write for that value is kept in `extra`. So
any body comes back as it was. If all members of an object have been read, the comparison is skipped. Source:
docs/wire/bedrock_converse.md, sections 1 and 2.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final, cast

from interlingua.loss import LossLog
from interlingua.rooms._shared.clipped_calls import finish_reason_of
from interlingua.rooms._shared.patch import ABSENT, IN, PUT, difference
from interlingua.rooms._shared.writing import ResultMatching, Target
from interlingua.rooms.bedrock_converse import encode, encode_answer, settings, tables
from interlingua.rooms.bedrock_converse.additional_fields import (
    ADDITIONAL_FIELDS,
    read_stop_sequence,
    read_thinking_tokens,
    write_additional_fields,
)
from interlingua.rooms.bedrock_converse.restoring import restore, restore_request
from interlingua.rooms.bedrock_converse.tables import DIALECT
from interlingua.rooms.bedrock_converse.thinking import placeholders, read_other_fields, read_thinking
from interlingua.spi.extra import merge_extra
from interlingua.spi.reading import InvalidInput, Malformed, body_decoder, expect
from interlingua.tool_arguments import arguments_text, json_object

if TYPE_CHECKING:
    from collections.abc import Callable

    from interlingua.model_shapes import ChatRequest, ChatResponse

_ROLES: Final = frozenset({"user", "assistant", "system"})
_STATUSES: Final = {"success": False, "error": True}
_SCHEMA: Final = "outputConfig.textFormat.structure.jsonSchema"
_TOOL: Final = (
    ("description", "description", str),
    ("inputSchema.json", "parameters", dict),
    ("strict", "strict", bool),
)
_ONE: Final = ("json",)
SERVER_TOOL: Final = "server_tool_use"
_REASONING, _CONTENT, _CALL, _APART = range(4)


def home_target(*, answer: bool) -> Target:
    """Return the target for encoding at home, to compare with."""
    return Target(DIALECT, home=True, answer=answer, log=LossLog())


def keep_rest(value: dict[str, Any], wire: dict[str, Any], write: Callable[[Any], dict[str, Any]]) -> bool:
    """Keep in `extra` what a wire object holds beyond its value; return whether the rest is only spelling."""
    written = write(value)
    if not difference(written, wire):
        if "extra" in value:  # `extra` comes last
            value["extra"] = value.pop("extra")
        return True
    fields = _beyond(wire, written)
    bag: dict[str, Any] = {**value.pop("extra", {}).get(DIALECT, {})}
    if fields:
        kept = {**bag.get("fields", {})}
        merge_extra(kept, fields)
        bag["fields"] = kept
    shape = difference(write({**value, "extra": {DIALECT: bag}} if bag else value), wire)
    if shape:
        bag["spelling"] = {**bag.get("spelling", {}), "shape": shape}
    if bag:
        value["extra"] = {DIALECT: bag}
    return not shape or _is_only_spelling(shape)


def _beyond(wire: dict[str, Any], written: dict[str, Any]) -> dict[str, Any]:
    """Return the members of a wire object that are not empty and would not be written."""
    fields: dict[str, Any] = {}
    for name, said in wire.items():
        if name not in written:
            if said not in (None, [], {}):
                fields[name] = said
        elif type(said) is dict is type(written[name]) and said is not written[name]:
            fields |= {name: inner} if (inner := _beyond(said, written[name])) else {}
    return fields


def _is_only_spelling(shape: dict[str, Any]) -> bool:
    """Return whether a difference is only spelling: empty members that are present or absent."""
    return shape.keys() <= {PUT, ABSENT, IN} and all(
        one in (None, [], {}) for one in shape.get(PUT, {}).values()
    ) and all(_is_only_spelling(inner) for inner in shape.get(IN, {}).values())  # fmt: skip


def _at(value: Any, way: str) -> Any:
    for step in way.split("."):
        value = value.get(step) if type(value) is dict else None
    return value


@body_decoder(DIALECT)
def decode_request(body: Any) -> ChatRequest:
    """Return the canonical request for a Converse request body. Raises `DecodeError`."""
    to = home_target(answer=False)
    request: dict[str, Any] = {"dialect": DIALECT, "messages": []}
    messages: list[dict[str, Any]] = request["messages"]
    # List items are compared on their own, so the lists count as written.
    lists = {"messages": body.get("messages") or []}
    if body.get("system"):
        lists["system"] = expect(body["system"], (list,), "system")
        messages.append({"role": "system", "content": _decode_parts(body["system"], "system", to, "system")})
    for way, (name, kinds) in tables.SETTINGS.items():
        value = _at(body, way)
        if type(value) in kinds and (type(value) is not list or all(type(one) is str for one in value)):
            request[name] = value
    tier = _at(body, tables.TIER_PATH)
    if type(tier) is str and tier in tables.SERVICE_TIERS:
        request["service_tier"] = tier
    _read_response_format(request, body)
    reasoning = read_thinking(body)
    if reasoning:
        request["reasoning"] = reasoning
    request |= read_other_fields(body)
    held = placeholders(body)
    if held:
        request.setdefault("extra", {}).setdefault(DIALECT, {})["fields"] = held
    _read_tools(request, body.get("toolConfig"), to)
    _read_turns(messages, body.get("messages"), to)

    def write(value: Any) -> dict[str, Any]:
        out = {**settings.write_settings(value, to), **lists}
        if "tools" in request:
            out["toolConfig"] = {"tools": body["toolConfig"]["tools"]}
        if "tool_choice" in request:
            settings.write_tool_choice(out, request["tool_choice"], to)
        return restore_request(out, value, to)

    keep_rest(request, body, write)
    return cast("ChatRequest", request)


def _read_response_format(request: dict[str, Any], body: dict[str, Any]) -> None:
    """Read the response schema, a JSON text; one that would be written differently is left in `fields`."""
    form, text = _at(body, _SCHEMA), _at(body, f"{_SCHEMA}.schema")
    if type(text) is not str or _at(body, "outputConfig.textFormat.type") != "json_schema":
        return
    schema, _ = json_object(text)
    is_spaced = json.dumps(schema) == text
    if is_spaced or arguments_text(schema) == text:
        named = {name: form[name] for name in ("name", "description") if type(form.get(name)) is str}
        request["response_format"] = {"type": "json_schema", **named, "schema": schema}
        request |= {"extra": {DIALECT: {"spelling": {"schema": "spaced"}}}} if is_spaced else {}


def _read_tools(request: dict[str, Any], config: Any, to: Target) -> None:
    if type(_at(config, "tools")) not in (list, type(None)):
        raise Malformed("/toolConfig/tools", "expected a list")
    if _at(config, "tools"):
        request["tools"] = _with_cache_marks([_decode_tool(wire, to) for wire in config["tools"]])
    match _at(config, "toolChoice"):
        case {"tool": {"name": str(name)}}:
            request["tool_choice"] = {"mode": "named", "name": name}
        case {"auto": dict()}:
            request["tool_choice"] = {"mode": "auto"}
        case {"any": dict()}:
            request["tool_choice"] = {"mode": "required"}
        case _:
            pass


def _decode_tool(wire: Any, to: Target) -> dict[str, Any]:
    """Decode one tool; all but functions and known system tools are opaque."""
    spec = _at(wire, "toolSpec")
    if type(_at(spec, "name")) is str:
        tool = {"type": "function", "name": spec["name"]}
        for way, name, kind in _TOOL:
            said = _at(spec, way)
            if type(said) is kind:
                tool[name] = said
        is_all = len(wire) == 1 and len(spec) == len(tool) - 1 and len(spec.get("inputSchema", _ONE)) == 1
        if is_all or keep_rest(tool, wire, lambda value: encode.encode_tool(value, "", to)):
            return tool
    name = _at(wire, "systemTool.name")
    if type(name) is str and name in tables.SYSTEM_TOOLS:
        tool = {"type": tables.SYSTEM_TOOLS[name]}
        if keep_rest(tool, wire, lambda value: encode.encode_system_tool(value, "", to)):
            return tool
    return {"type": "opaque", "dialect": DIALECT, "data": wire}


def _read_turns(messages: list[dict[str, Any]], wire: Any, to: Target) -> None:
    last = ""
    if wire is None:  # a stored prompt brings its own messages
        return
    for index, turn in enumerate(expect(wire, (list,), "messages")):
        try:
            role = expect(expect(turn, (dict,)).get("role"), (str,), "role")
            made = _decode_turn(turn, role, to) if role in _ROLES else []
        except Malformed as malformed:
            raise malformed.under("messages", index) from None
        if made and role in (last, "system"):
            spelling = made[0].setdefault("extra", {}).setdefault(DIALECT, {}).setdefault("spelling", {})
            spelling |= {"turn": "new"} if role == last else {}
            spelling |= {"system": "inline"} if role == "system" else {}
        messages.extend(made or [{"role": "opaque", "dialect": DIALECT, "data": turn}])
        last = role if made else ""


def _decode_parts(blocks: list[Any], role: str, to: Target, *way: str) -> list[dict[str, Any]]:
    parts: list[dict[str, Any]] = []
    for number, block in enumerate(blocks):
        try:
            parts.append(decode_part(block, role, to))
        except Malformed as malformed:
            raise malformed.under(*way, number) from None
    return _with_cache_marks(parts)


def _with_cache_marks(values: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return parts or tools with each cache point turned into a cache mark of the one before it."""
    out: list[dict[str, Any]] = []
    for value in values:
        if value["type"] != "opaque" or not out or not _take_cache_point(out[-1], value["data"]):
            out.append(value)
    return out


def _take_cache_point(value: dict[str, Any], block: Any) -> bool:
    """Turn a cache point into the cache mark of the value before it; return whether it fitted."""
    point = block["cachePoint"] if type(block) is dict and len(block) == 1 and "cachePoint" in block else None
    if type(point) is not dict:
        return False
    mark = {name: said for name, said in point.items() if name != "type"}
    is_fit = "cache" not in value and value.get("type") != "opaque" and point == {"type": "default", **mark}
    if is_fit and (not mark or (mark.keys() == {"ttl"} and type(mark["ttl"]) is str)):
        value["cache"] = mark
        return True
    return False


def _decode_turn(turn: dict[str, Any], role: str, to: Target) -> list[dict[str, Any]]:
    """Return the messages made of a turn, at least one; a step back in rank begins the next message."""
    made: list[dict[str, Any]] = []
    rank, last = _APART, None
    for number, block in enumerate(expect(turn.get("content"), (list,), "content")):
        if last is not None and _take_cache_point(last, block):
            continue
        try:
            own, value = _decode_block(block, role, to)
        except Malformed as malformed:
            raise malformed.under("content", number) from None
        if own == _APART:
            made.append(value)
        elif own < rank:
            made.append({"role": role})
        rank, last = own, value if own != _REASONING else None
        if own == _REASONING:
            _add_reasoning(made[-1], value)
        elif own != _APART:
            made[-1].setdefault("content" if own == _CONTENT else "tool_calls", []).append(value)
    made = made or [{"role": role, "content": []}]
    if len(turn) != 2 or turn.get("role") != role:
        rest = difference({"role": role, "content": turn["content"]}, turn)
        made[0].setdefault("extra", {}).setdefault(DIALECT, {})["message"] = rest
    return made


def _decode_block(block: Any, role: str, to: Target) -> tuple[int, Any]:
    """Return the rank of a block, and its canonical value."""
    rank = _CONTENT
    value: Any = None
    if type(block) is not dict:
        pass
    elif role == "assistant":
        if type(block.get("reasoningContent")) is dict:
            rank, value = _REASONING, _decode_reasoning(block)
        elif type(block.get("toolUse")) is dict:
            rank, value = _CALL, _decode_call(block, to)
    elif role == "user" and type(block.get("toolResult")) is dict:
        rank, value = _APART, _decode_result(block, to)
    return (_CONTENT, decode_part(block, role, to)) if value is None else (rank, value)


def _decode_call(block: dict[str, Any], to: Target) -> dict[str, Any] | None:
    """Decode a `toolUse` block; None for another shape, or one that would not come back."""
    wire = block["toolUse"]
    identifier, name, said = wire.get("toolUseId"), wire.get("name"), wire.get("input")
    call: dict[str, Any]
    if type(identifier) is not str or type(name) is not str or wire.get("type") == SERVER_TOOL:
        return None
    if type(said) is InvalidInput:
        return {"id": identifier, "name": name, "arguments": str(said)}
    if type(said) is str:  # JSON text, as some gateways send it
        call = {"id": identifier, "name": name, "arguments": said}
        without = {name: one for name, one in wire.items() if name != "input"}
        keep_rest(call, {**block, "toolUse": without}, lambda value: encode.encode_call(value, 0, 0, to))
        return call
    if type(said) is not dict:
        return None
    call = {"id": identifier, "name": name, "arguments": said}
    is_all = len(block) == 1 and len(wire) == len(call)
    return call if is_all or keep_rest(call, block, lambda value: encode.encode_call(value, 0, 0, to)) else None


def _decode_result(block: dict[str, Any], to: Target) -> dict[str, Any] | None:
    """Decode a `toolResult` block as a tool message; None for another shape, or one that would not come back."""
    wire = block["toolResult"]
    if type(wire.get("toolUseId")) is not str or type(wire.get("content")) is not list:
        return None
    message: dict[str, Any] = {"role": "tool", "call_id": wire["toolUseId"]}
    content = _decode_parts(wire["content"], "tool", to, "toolResult", "content")
    if wire.get("status") in tuple(_STATUSES):
        message["is_error"] = _STATUSES[wire["status"]]
    if len(block) == 1 and len(wire) == len(message):  # its content counts in place of the role
        message["content"] = content
        return message

    def write(value: Any) -> dict[str, Any]:
        written = encode.encode_result(value, 0, ResultMatching([]), to)[0]
        return {**written, "toolResult": {**written["toolResult"], "content": wire["content"]}}

    return {**message, "content": content} if keep_rest(message, block, write) else None


def _decode_reasoning(block: dict[str, Any]) -> tuple[dict[str, Any], str] | None:
    """Return what is kept of a reasoning block, and its text; None for another shape."""
    match block["reasoningContent"]:
        case {"reasoningText": {"text": str(text), **rest}}:
            kept: dict[str, Any] = {"type": "thinking"}
            kept |= {"signature": rest["signature"]} if type(rest.get("signature")) is str else {}
        case {"redactedContent": str(data)}:
            kept, text = {"type": "redacted_thinking", "data": data}, ""
        case _:
            return None
    fields = _beyond(block, encode.encode_thought(kept, text))
    kept |= {"fields": fields} if fields else {}
    return None if difference(encode.encode_thought(kept, text), block) else (kept, text)


def _add_reasoning(message: dict[str, Any], thought: tuple[dict[str, Any], str]) -> None:
    kept, text = thought
    if kept["type"] == "thinking":
        before = message.get("reasoning", [])
        before = before if type(before) is list else [{"type": "text", "text": before}]
        message["reasoning"] = [*before, {"type": "text", "text": text}] if before else text
    bag = message.setdefault("extra", {}).setdefault(DIALECT, {})
    bag.setdefault("thinking_blocks", []).append(kept)


def decode_part(block: Any, role: str, to: Target) -> dict[str, Any]:
    """Return the part for a block; one that would not come back, or has no canonical variant, is opaque."""
    if type(block) is dict and len(block) == 1 and type(block.get("text")) is str:
        return {"type": "text", "text": block["text"]}
    part = _read_part(block, role, to) if type(block) is dict else None
    if part is not None and keep_rest(part, block, lambda value: encode.encode_part(value, "", role, to)[0]):
        return part
    return {"type": "opaque", "dialect": DIALECT, "data": block}


def _read_part(block: dict[str, Any], role: str, to: Target) -> dict[str, Any] | None:
    spelled = ""
    match block:
        case {"text": str(text)}:
            pass
        case {"guardContent": {"text": {"text": str(text)}}}:
            spelled = "guarded"
        case {"json": dict(said)} if role == "tool":
            text, spelled = arguments_text(said), "json"
        case {"citationsContent": {"content": [{"text": str(text)}], "citations": [dict(), *_] as citations}}:
            return {"type": "text", "text": text, "citations": [decode_citation(one, to) for one in citations]}
        case {"citationsContent": {"citations": [dict(), *_] as citations}}:  # Nova cites its earlier text
            return {"type": "text", "text": "", "citations": [decode_citation(one, to) for one in citations]}
        case _:
            kind = next((kind for kind in tables.FORMATS if type(block.get(kind)) is dict), None)
            return None if kind is None else _read_media(block[kind], kind)
    return {"type": "text", "text": text, **({"extra": {DIALECT: {"spelling": {"text": spelled}}}} if spelled else {})}


def _read_media(said: dict[str, Any], kind: str) -> dict[str, Any] | None:
    """Return the part of an image, audio, video or document; None if its source has another shape."""
    part: dict[str, Any] = {"type": "file" if kind in {"document", "video"} else kind}
    word, known = said.get("format"), tables.FORMATS[kind]
    if type(word) is str and word in known:
        part["format"] = known[word]
    elif word is not None or kind == "video":
        return None
    if kind == "document":
        part |= {name: said[name] for name in ("name", "context") if type(said.get(name)) is str}
    match said.get("source"):
        case {"bytes": str(data)}:
            return {**part, "data": data}
        case {"bytes": bytes()}:  # as boto3 takes them
            raise Malformed(f"/{kind}/source/bytes", "expected text")
        case {"s3Location": {"uri": str(uri)}}:
            return {**part, "url": uri}
        case {"text": str(text)} if kind == "document":
            if word == "txt":
                del part["format"]  # a text's format by habit
            return {**part, "text": text}
        case {"content": [*blocks]} if (
            kind == "document" and blocks and all(type(_at(one, "text")) is str for one in blocks)
        ):
            return {**part, "content": [{"type": "text", "text": one["text"]} for one in blocks]}
        case _:
            return None


def decode_citation(wire: Any, to: Target) -> dict[str, Any]:
    """Return a citation; what its members cannot express is kept in `extra`."""
    citation: dict[str, Any] = {"kind": "url" if _at(wire, "location.web") is not None else "document"}
    place, names = tables.CITATIONS[citation["kind"]]
    ways = {"title": "title", "name": "source", **{name: f"location.{place}.{said}" for name, said in names.items()}}
    for name, way in ways.items():
        if type(_at(wire, way)) is (int if name.endswith("index") else str):
            citation[name] = _at(wire, way)
    match _at(wire, "sourceContent"):
        case [{"text": str(text)}]:
            citation["cited_text"] = text
        case _:
            pass
    keep_rest(citation, wire, lambda value: encode.encode_citation(value, "", "assistant", to) or {})
    return citation


@body_decoder(DIALECT)
def decode_response(body: Any) -> ChatResponse:
    """Return the canonical response for a Converse response. Raises `DecodeError`."""
    to = home_target(answer=True)
    message = expect(expect(body.get("output"), (dict,), "output").get("message"), (dict,), "output", "message")
    try:
        response: dict[str, Any] = {"dialect": DIALECT, "messages": _decode_turn(message, "assistant", to)}
    except Malformed as malformed:
        raise malformed.under("output", "message") from None
    beside = body.get(ADDITIONAL_FIELDS)
    if type(body.get("stopReason")) is str:
        response |= decode_stop_reason(body["stopReason"], in_call=_ends_in_call(message)) | read_stop_sequence(beside)
    if type(body.get("usage")) is dict:
        response["usage"] = decode_usage(body["usage"]) | read_thinking_tokens(beside)
    said = {name: body[name] for name in ("usage",) if name in response}

    def write(value: Any) -> dict[str, Any]:
        end = encode_answer.encode_stop_reason(value, to, unsaid="stop")
        out = {"output": {"message": message}, **end, **said, **write_additional_fields(value)}
        return restore(out, value, "", to)

    keep_rest(response, body, write)
    return cast("ChatResponse", response)


def _ends_in_call(message: dict[str, Any]) -> bool:
    content = message.get("content")
    last: Any = content[-1] if type(content) is list and content else None
    return type(last) is dict and "toolUse" in last


def decode_stop_reason(word: str, *, in_call: bool) -> dict[str, Any]:
    """Return the finish reason for a `stopReason`; `in_call`: the last block is a call."""
    reason = finish_reason_of(word, tables.FINISH_REASONS, in_call=in_call)
    raw = {} if tables.FINISH_WORDS[reason][0] == word else {"finish_reason_raw": word}
    return {"finish_reason": reason, **raw}


def decode_usage(wire: dict[str, Any]) -> dict[str, Any]:
    """Decode token counts; the canonical input includes cache reads and writes."""
    usage = {name: wire[said] for said, name in tables.USAGE.items() if type(wire.get(said)) is int}
    cached = usage.get("cache_read_tokens", 0) + usage.get("cache_write_tokens", 0)
    if "input_tokens" in usage or (cached > 0 and wire.get("inputTokens") is None):
        usage["input_tokens"] = usage.get("input_tokens", 0) + cached
    keep_rest(usage, wire, lambda value: encode_answer.encode_usage(value, home_target(answer=True)))
    return usage
