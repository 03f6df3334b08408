"""Canonical to Claude: the blocks of messages, parts and tool calls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, assert_never

from interlingua.arguments import arguments_object
from interlingua.dialects._shared.extra import lay, lay_spelled, own_bag, report_foreign
from interlingua.dialects._shared.names import acceptable_64, acceptable_128, safe_name
from interlingua.dialects.claude.tables import (
    CACHE_TIMES,
    CITATION_HABITS,
    CITATIONS,
    DIALECT,
    ID_LIMIT,
    IMAGE_TYPES,
    NAME_LIMIT,
    NEWEST,
    PDF,
    PLAIN,
)
from interlingua.loss import lost_members

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.dialects._shared.target import Target
    from interlingua.model_shapes import AssistantChatMessage, Part, ToolCall, ToolChatMessage

_NOTHING: Final[Mapping[str, Any]] = {}
_PLAIN_TEXT: Final = frozenset({"type", "text"})


def encode_texts(content: Any, path: str, to: Target) -> Any:
    """Encode the content of an instruction: text, or text blocks."""
    if type(content) is str:
        return content
    blocks = []
    for at, part in enumerate(content):
        if part["type"] == "text" or (part["type"] == "opaque" and to.home):
            blocks.extend(encode_part(part, f"{path}/{at}", "system", to))
        else:
            lost_members(to.log, part, f"{path}/{at}", "part", "an instruction is text")
    return blocks


def encode_parts(content: Any, path: str, role: str, to: Target) -> Any:
    """Encode text as text and parts as blocks."""
    if type(content) is str:
        return content
    blocks: list[Any] = []
    for at, part in enumerate(content):
        if part["type"] == "text" and len(part) == 2 and (to.home or part["text"]):
            blocks.append(part)
        else:
            blocks.extend(encode_part(part, f"{path}/{at}", role, to))
    return blocks


def encode_result(message: ToolChatMessage, index: int, identifier: str | None, to: Target) -> dict[str, Any]:
    """Encode the result of a call as a `tool_result` block; `identifier` is the id of the call."""
    content = message.get("content")
    if len(message) == 3 and type(content) is str and identifier is not None and "call_id" in message:
        return {"type": "tool_result", "tool_use_id": identifier, "content": content}
    path = to.message(index)
    bag = own_bag(message, DIALECT)
    out: dict[str, Any] = {"type": "tool_result"}
    if identifier is not None:
        out["tool_use_id"] = identifier
    if content is not None:
        out["content"] = encode_parts(content, f"{path}/content", "tool", to)
    if "is_error" in message:
        out["is_error"] = message["is_error"]
    if "name" in message:
        to.log.lost("member", f"{path}/name", "results name their call only by its id")
    _encode_cache(out, message, path, to)
    if bag:
        lay(out, bag.get("fields", _NOTHING))
        lay_spelled(out, bag.get("spelling", _NOTHING))
    if "id" in message and "call_id" in message:
        to.log.changed("local_id", f"{path}/id", "the wire has no place for the id of a message")
    if "extra" in message:
        report_foreign(message, DIALECT, path, to.log)
    return out


def encode_answer(message: AssistantChatMessage, index: int, to: Target) -> Any:
    """Encode an assistant message: its text where it says nothing else, else blocks in their order."""
    content = message.get("content")
    if type(content) is str and len(message) == 2 and (to.home or content):
        return content
    calls = message.get("tool_calls")
    if content is None and calls is not None and len(message) == 2:
        return [_encode_call(call, index, at, to) for at, call in enumerate(calls)]
    path = to.message(index)
    bag = own_bag(message, DIALECT)
    blocks: list[Any] = []
    if "reasoning" in message or "thinking_blocks" in bag:
        _encode_reasoning(blocks, message, bag, path, to)
    if type(content) is str:
        if not blocks and to.home and "tool_calls" not in message:
            return content
        content = [{"type": "text", "text": content}] if content or not to.home else []
        if not content:
            to.log.changed("empty_text", f"{path}/content", "an empty text is refused")
    if content is not None:
        blocks.extend(encode_parts(content, f"{path}/content", "assistant", to))
    if "refusal" in message:
        to.log.lost("refusal", f"{path}/refusal", "a refusal has no text here")
    if calls is not None:
        blocks.extend([_encode_call(call, index, at, to) for at, call in enumerate(calls)])
    return blocks


def _encode_reasoning(
    blocks: list[Any], message: AssistantChatMessage, bag: Mapping[str, Any], path: str, to: Target
) -> None:
    """Write the thinking blocks that Claude signed; other reasoning only into answers, where nobody checks it."""
    reasoning = message.get("reasoning", [])
    texts = [reasoning] if type(reasoning) is str else [part["text"] for part in reasoning if part["type"] == "text"]  # type: ignore[index, union-attr]  # parts are told apart by their type
    taken = 0
    for at, kept in enumerate(bag.get("thinking_blocks", ())):
        out: dict[str, Any] = {"type": kept["type"]}
        if kept["type"] == "thinking":
            if taken == len(texts):
                to.log.lost("provider_state", f"{path}/extra/{DIALECT}/thinking_blocks/{at}", "its text is gone")
                continue
            out["thinking"] = texts[taken]
            taken += 1
        out.update({name: kept[name] for name in ("signature", "data") if name in kept})
        lay(out, kept.get("fields", _NOTHING))
        blocks.append(out)
    for at in range(taken, len(texts)):
        where = f"{path}/reasoning" if type(reasoning) is str else f"{path}/reasoning/{at}"
        if to.answer:
            blocks.append({"type": "thinking", "thinking": texts[at], "signature": ""})
            to.log.filled(f"{path}/extra/{DIALECT}/thinking_blocks", "thinking is signed")
        else:
            to.log.lost("reasoning", where, "reasoning without Claude's signature is refused")


def _encode_call(call: ToolCall, index: int, at: int, to: Target) -> dict[str, Any]:
    arguments = call["arguments"]
    name = call["name"]
    if len(call) == 3 and "id" in call and (to.home or (acceptable_64(name) and acceptable_128(call["id"]))):
        value, faithful = (arguments, True) if type(arguments) is dict else arguments_object(arguments)  # type: ignore[arg-type]  # text, or an object
        if faithful:
            return {"type": "tool_use", "id": call["id"], "name": name, "input": value}
    path = to.call(index, at)
    out: dict[str, Any] = {"type": "tool_use", "id": call_identifier(call, index, at, to), "name": name}
    if not to.home:
        out["name"] = safe_name(name, NAME_LIMIT, f"{path}/name", to.log)
    if call.get("kind") == "custom":
        out["input"] = {"input": arguments}
        to.log.changed("arguments", f"{path}/arguments", "free text becomes an object with the member input")
        to.log.changed("arguments", f"{path}/kind", "every call has an object")
    elif type(arguments) is str:
        out["input"], faithful = arguments_object(arguments)
        if not faithful:
            to.log.changed("arguments", f"{path}/arguments", "the text is not faithfully an object")
    else:
        out["input"] = arguments
    if "call_id" in call:
        to.log.lost("member", f"{path}/call_id", "a call has one id")
    _encode_cache(out, call, path, to)
    if "extra" in call:
        lay(out, own_bag(call, DIALECT).get("fields", _NOTHING))
        lay_spelled(out, own_bag(call, DIALECT).get("spelling", _NOTHING))
        report_foreign(call, DIALECT, path, to.log)
    return out


def call_identifier(call: ToolCall, index: int, at: int, to: Target) -> str:
    """Return the id of a call: its own, made acceptable abroad, or one from its position."""
    if "id" not in call:
        to.log.filled(f"{to.call(index, at)}/id", "every call has an id")
        return f"call_{index}_{at}"
    if to.home:
        return call["id"]
    return safe_name(call["id"], ID_LIMIT, f"{to.call(index, at)}/id", to.log)


def encode_part(part: Part, path: str, role: str, to: Target) -> list[dict[str, Any]]:
    """Return the block of a part, or nothing where it has no place."""
    if part["type"] == "text":
        if not to.home and (not part["text"] or part["text"].isspace()):
            if part["text"]:
                to.log.lost("empty_text", f"{path}/text", "a text of white space is refused")
            else:
                to.log.changed("empty_text", f"{path}/text", "an empty text is refused")
            lost_members(to.log, part.keys() - _PLAIN_TEXT, path, "empty_text", "an empty text is refused")
            return []
        out: dict[str, Any] = {"type": "text", "text": part["text"]}
        if "citations" in part:
            _encode_citations(out, part, path, role, to)
        return [_finish_part(out, part, path, to)]
    if part["type"] == "opaque":
        if part["dialect"] == DIALECT:
            return [part["data"]]
        lost_members(to.log, part, path, "part", f"only {part['dialect']} understands it")
        return []
    if part["type"] == "image":
        return _encode_image(part, path, role, to)
    if part["type"] == "audio":
        lost_members(to.log, part, path, "part", "the dialect has no sound")
        return []
    if part["type"] == "file":
        return _encode_document(part, path, role, to)
    assert_never(part)


def _encode_image(part: Any, path: str, role: str, to: Target) -> list[dict[str, Any]]:
    if not to.home and role == "assistant":
        lost_members(to.log, part, path, "part", "an answer has no pictures")
        return []
    source = _encode_source(part, path, to, IMAGE_TYPES, "image/png")
    if source is None:
        return []
    for name in ("detail", "name"):
        if name in part:
            to.log.lost("part", f"{path}/{name}", "no place in a picture")
    return [_finish_part({"type": "image", "source": source}, part, path, to)]


def _encode_source(
    part: Any, path: str, to: Target, accepted: frozenset[str], filled: str
) -> dict[str, Any] | None:
    """Encode the sources that pictures and documents share, or note the part as lost."""
    if "data" in part:
        media_type = part.get("format")
        if not to.home:
            if media_type is None:
                media_type = filled
                to.log.filled(f"{path}/format", "data has a media type")
            elif media_type not in accepted:
                lost_members(to.log, part, path, "part", "the dialect does not take this media type")
                return None
        kind = {} if media_type is None else {"media_type": media_type}
        return {"type": "base64", **kind, "data": part["data"]}
    if "format" in part and not to.home:
        to.log.lost("part", f"{path}/format", "only data has a media type")
    if "url" in part:
        return {"type": "url", "url": part["url"]}
    return {"type": "file", "file_id": part["file_id"]}


def _encode_document(part: Any, path: str, role: str, to: Target) -> list[dict[str, Any]]:
    if role == "assistant" and not to.home:
        lost_members(to.log, part, path, "part", "an answer has no documents")
        return []
    spelling = own_bag(part, DIALECT).get("spelling", _NOTHING)
    source: dict[str, Any] | None
    if "text" in part:
        source = {"type": "text", "data": part["text"]}
        if "media_type" not in spelling.get("absent", ()) and "media_type" not in own_bag(part, DIALECT).get(
            "fields", _NOTHING
        ).get("source", _NOTHING):
            source = {"type": "text", "media_type": PLAIN, "data": part["text"]}
        if "format" in part and part["format"] != PLAIN:
            to.log.lost("part", f"{path}/format", "text is plain text")
    elif "content" in part:
        content = encode_parts(part["content"], f"{path}/content", role, to)
        if "content" in spelling and len(content) == 1 and content[0].keys() == _PLAIN_TEXT:
            content = content[0]["text"]
        source = {"type": "content", "content": content}
    else:
        source = _encode_source(part, path, to, frozenset({PDF}), PDF)
        if source is None:
            return []
    out: dict[str, Any] = {"type": "document", "source": source}
    for name in ("title", "context"):
        if name in part:
            out[name] = part[name]
    if "name" in part:
        if "title" in part:
            to.log.lost("part", f"{path}/name", "a document has a title alone")
        else:
            out["title"] = part["name"]
            to.log.changed("part", f"{path}/name", "the name became the title")
    return [_finish_part(out, part, path, to)]


def _finish_part(out: dict[str, Any], part: Any, path: str, to: Target) -> dict[str, Any]:
    _encode_cache(out, part, path, to)
    if "extra" in part:
        bag = own_bag(part, DIALECT)
        lay(out, bag.get("fields", _NOTHING))
        lay_spelled(out, bag.get("spelling", _NOTHING))
        report_foreign(part, DIALECT, path, to.log)
    return out


def _encode_cache(out: dict[str, Any], value: Any, path: str, to: Target) -> None:
    if "cache" in value:
        out["cache_control"] = encode_cache(value["cache"], f"{path}/cache", to)


def encode_cache(mark: Any, path: str, to: Target) -> dict[str, Any]:
    """Encode a cache mark as `cache_control`."""
    out: dict[str, Any] = {"type": "ephemeral"}
    if "mode" in mark and mark["mode"] != "implicit":
        to.log.lost("cache", f"{path}/mode", "a mark has no mode")
    elif "mode" in mark:
        to.log.changed("cache", f"{path}/mode", "a mark on the request is implicit")
    if "ttl" in mark:
        if to.home or mark["ttl"] in CACHE_TIMES:
            out["ttl"] = mark["ttl"]
        else:
            to.log.lost("cache", f"{path}/ttl", "the dialect has other times to live")
    return out


def _encode_citations(out: dict[str, Any], part: Any, path: str, role: str, to: Target) -> None:
    citations = []
    for at, citation in enumerate(part["citations"]):
        where = f"{path}/citations/{at}"
        if role in {"user", "tool"} and to.version == NEWEST:
            lost_members(to.log, citation, where, "citation", "a question has no citations")
            continue
        encoded = _encode_citation(citation, where, part["text"], to)
        if encoded is not None:
            citations.append(encoded)
    if citations or not part["citations"]:
        out["citations"] = citations


def _encode_citation(citation: Any, path: str, text: str, to: Target) -> dict[str, Any] | None:
    bag = own_bag(citation, DIALECT)
    fields = bag.get("fields", _NOTHING)
    if citation["kind"] == "opaque" and bag:
        return dict(fields)
    kind = fields.get("type", CITATION_HABITS.get(citation["kind"]))
    if kind not in CITATIONS or CITATIONS[kind][0] != citation["kind"] or not (bag or to.home or to.answer):
        lost_members(to.log, citation, path, "citation", "only Claude's own citations are taken back")
        return None
    out: dict[str, Any] = {"type": kind}
    names = {canonical: wire for wire, canonical in CITATIONS[kind][1].items()}
    for name, value in citation.items():
        if name in names:
            out[names[name]] = value
        elif name not in {"kind", "extra"}:
            to.log.lost("citation", f"{path}/{name}", "no place in this citation")
    lay(out, fields)
    lay_spelled(out, bag.get("spelling", _NOTHING))
    if not to.home and not bag:
        _fill_citation(out, kind, citation, path, text, to)
    if "extra" in citation:
        report_foreign(citation, DIALECT, path, to.log)
    return out


def _fill_citation(out: dict[str, Any], kind: str, citation: Any, path: str, text: str, to: Target) -> None:
    """Fill what the types of an answer's citation demand."""
    start, end = citation.get("start_index", 0), citation.get("end_index", len(text))
    if kind == CITATION_HABITS["url"]:
        fills = {"url": "", "title": None, "cited_text": text[start:end], "encrypted_index": ""}
    else:
        fills = {
            "document_title": None,
            "cited_text": "",
            "document_index": 0,
            "start_char_index": 0,
            "end_char_index": 0,
            "file_id": None,
        }
    names = CITATIONS[kind][1]
    for wire, value in fills.items():
        if wire not in out:
            out[wire] = value
            to.log.filled(f"{path}/{names.get(wire, f'extra/{DIALECT}/fields/{wire}')}", "citations are whole")
