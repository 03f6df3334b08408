"""Encode parts for Gemini, function calls and function responses among them.

Source: docs/wire/gemini.md, sections 1.2 and 8.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, assert_never, cast

from interlingua.loss import beyond, lost_members, lost_opaque
from interlingua.rooms._shared.media import (
    ANY_FILM,
    MP4,
    NOT_READ,
    REENCODED_DATA,
    as_text,
    effective_type,
    is_address,
    told_parts,
    with_actual_type,
    with_data,
    with_standard_type,
)
from interlingua.rooms._shared.names import name_predicate, sanitized_name
from interlingua.rooms._shared.server_calls import with_server_calls_as_text
from interlingua.rooms._shared.writing import is_text_kept, object_arguments, report_id, text_for_emptied
from interlingua.rooms.gemini.mapping import media_type_of, part_type_of, read_json
from interlingua.rooms.gemini.server_calls import encode_run, written_runs
from interlingua.rooms.gemini.snake_case import PART, with_snake_case
from interlingua.rooms.gemini.tables import DIALECT, NAME_LIMIT, NEAREST_DETAILS, RESOLUTION_WORDS, UNREAD_TYPES, VERTEX
from interlingua.spi.extra import NOTHING, merge_extra, own_extra, own_spelling, report_foreign

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.model_shapes import Part, ToolCall, ToolChatMessage
    from interlingua.rooms._shared.writing import Target

SIGNATURE: Final = "thoughtSignature"

_WITHOUT_WORDS: Final = frozenset({"type", "text", "extra"})

# A function response with only one of these members holds text or another JSON value.
_PLAIN_FORMS: Final = frozenset({"output", "error"})

_BESIDE: Final = "sources are only possible beside an answer"
# Members inside a call or a result that may have been null; any other noted name is a member of the part.
_INSIDE: Final = frozenset({"id", "name", "parts"})
_BY_ORDER: Final = "calls and results have no ids on Vertex AI: they are matched by their names and their order"

# Whether the dialect accepts a name.
is_accepted: Final = name_predicate(NAME_LIMIT, "[A-Za-z_][A-Za-z0-9_.:-]*")


def encode_parts(content: list[Part], path: str, role: str, to: Target) -> list[dict[str, Any]]:
    """Return the wire parts of parts, without modifiers."""
    encoded: list[dict[str, Any]] = []
    for at, part in enumerate(with_server_calls_as_text(content, path, to, written_runs(to))):
        if part["type"] == "text" and len(part) == 2 and (to.home or part["text"]):
            encoded.append({"text": part["text"]})
        else:
            encoded.extend(encode_part(part, f"{path}/{at}", role, to))
    return encoded


def encode_part(
    part: Part, path: str, role: str, to: Target, marks: Mapping[str, Any] = NOTHING
) -> list[dict[str, Any]]:
    """Return the wire parts of a part: one; several for a document of parts; none if it has none.

    `marks` are the wire members that mark it as a thought, or as signed.
    """
    if part["type"] == "text":
        if not to.home and not part["text"] and SIGNATURE not in marks:
            detail = "the target refuses an empty text: it was left out"
            lost_members(to.log, beyond(part, _WITHOUT_WORDS), path, "empty_text", detail)
            if "extra" in part:
                report_foreign(part, DIALECT, path, to.log)
            return []
        if "citations" in part and not (to.answer and (to.home or (role != "tool" and "thought" not in marks))):
            to.log.lost("citation", f"{path}/citations", _BESIDE)
        return [_finish_part(text_member(part["text"], own_spelling(part, DIALECT), to), part, path, to, marks)]
    if part["type"] == "opaque":
        if part["dialect"] == DIALECT:  # a verbatim part has its signature inside
            return [part["data"]]
        lost_opaque(to.log, path, "part")
        return []
    if part["type"] == "file" and ("text" in part or "content" in part):
        return _encode_readable(part, path, role, to, marks)
    if part["type"] == "server_call" or part["type"] == "server_result":
        return [_finish_part(encode_run(part, path, to), part, path, to, marks)]
    if part["type"] == "image" or part["type"] == "audio" or part["type"] == "file":
        if role == "system" and not to.home:
            lost_members(to.log, part, path, "part", "an instruction can only hold text")
            return []
        part = with_actual_type(part, path, to)
        source = _encode_source(part, path, to)
        if source is None:
            return []
        _encode_about(source, part, path, to)
        return [_finish_part(source, part, path, to, marks)]
    assert_never(part)


_FETCHED: Final = ("https://", "http://", "gs://")


def _encode_source(part: Any, path: str, to: Target) -> dict[str, Any] | None:
    """Encode inline data or a file URI."""
    given, part = part, part if to.home else with_data(part)
    if not (to.home or to.answer) and (effective_type(part) or media_type_of(part)).startswith(UNREAD_TYPES):
        lost_members(to.log, given, path, "part", NOT_READ)
        return None
    is_unknown = part["type"] == "file" and "data" in part and not effective_type(part)
    if is_unknown and not (to.home or to.answer or "text" in as_text(part, to)):
        lost_members(to.log, given, path, "part", NOT_READ)
        return None
    if part is not given:
        to.log.changed("part", path, REENCODED_DATA)
    part = with_standard_type(part, path, to)
    if "data" in part:
        outer, wire, value = "inlineData", "data", part["data"]
    elif "url" in part:
        outer, wire, value = "fileData", "fileUri", part["url"]
        if is_address(value) and not (to.home or value.startswith(_FETCHED)):
            lost_members(to.log, given, path, "part", "Gemini fetches only https, http and gs URLs")
            return None
    elif "://" in part["file_id"]:
        outer, wire, value = "fileData", "fileUri", part["file_id"]
        to.log.changed("part", f"{path}/file_id", "the file_id is a URL, and is sent as fileUri")
    else:
        lost_members(to.log, part, path, "part", "a file that another provider stores is not available here")
        return None
    source = _source_type(part, path, to)
    source[wire] = value
    if "name" in part:
        source["displayName"] = part["name"]
    elif "title" in part and not to.home:
        source["displayName"] = part["title"]
    return {outer: source}


def _source_type(part: Any, path: str, to: Target) -> dict[str, Any]:
    """Return the media type of a source, which Gemini requires."""
    source: dict[str, Any] = {}
    if part.get("format") == ANY_FILM and not to.home:
        source["mimeType"] = MP4
        to.log.changed("member", f"{path}/format", "a video needs a media type: video/mp4 was used")
    elif "format" in part:
        source["mimeType"] = part["format"]
    elif not to.home:
        source["mimeType"] = media_type_of(part)
        to.log.filled(f"{path}/format", "data needs a media type")
    if not to.home and part["type"] != part_type_of(source["mimeType"]):
        to.log.changed("member", f"{path}/type", "the media type of a file is only sent as mimeType")
    return source


def _encode_about(out: dict[str, Any], part: Any, path: str, to: Target) -> None:
    """Encode the other members of an image, audio or file."""
    if "detail" in part:
        _encode_detail(out, part["detail"], f"{path}/detail", to)
    if "transcript" in part:
        if to.home or to.answer:
            out["audioTranscription"] = {"text": part["transcript"]}
        else:
            to.log.lost("part", f"{path}/transcript", "only answers have a transcript of their audio")
    for name in ("title", "context", "expires_at"):
        if name not in part:
            continue
        if name == "title" and "name" not in part and not to.home:
            to.log.changed("part", f"{path}/title", "the title is sent as the name")
        else:
            to.log.lost("part", f"{path}/{name}", f"a file has no {name} there")


def _encode_detail(out: dict[str, Any], detail: str, path: str, to: Target) -> None:
    nearest = NEAREST_DETAILS.get(detail, detail)
    if nearest in RESOLUTION_WORDS:
        out["mediaResolution"] = {"level": RESOLUTION_WORDS[nearest]}
        if nearest != detail:
            to.log.changed("setting", path, "the target does not have this value: the nearest one is sent")
    elif detail != "auto":  # the default
        to.log.lost("setting", path, "the target has no such value")


def _encode_readable(part: Any, path: str, role: str, to: Target, marks: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Write a document of text or parts as its content; the first part gets the signature."""
    if part.get("text") == "":
        lost_members(to.log, part, path, "part", "an empty document was left out")
        return []
    report_cache_and_extra(part, "part", path, to)
    encoded: list[dict[str, Any]] = []
    for where, inner in told_parts(part, path, to.log):
        if "citations" in inner and to.answer and not to.home:
            to.log.lost("citation", f"{where}/citations", _BESIDE)
        made = encode_part(inner, where, role, to, marks)
        if made and inner["type"] != "opaque":
            marks = {name: mark for name, mark in marks.items() if name != SIGNATURE}
        encoded.extend(made)
    return encoded


def report_cache_and_extra(value: Any, what: str, path: str, to: Target) -> None:
    """Report a cache mark, and what a part, call, result or tool holds for other dialects."""
    if "cache" in value:
        to.log.lost("cache", f"{path}/cache", f"Gemini has no cache mark for a {what}")
    if "extra" in value:
        report_foreign(value, DIALECT, path, to.log)


def _finish_part(out: dict[str, Any], part: Any, path: str, to: Target, marks: Mapping[str, Any]) -> dict[str, Any]:
    report_cache_and_extra(part, "part", path, to)
    bag = own_extra(part, DIALECT)
    return with_own_members({**out, **marks}, bag.get("fields", NOTHING), bag.get("spelling", NOTHING))


def text_member(text: str, spelling: Mapping[str, Any], to: Target) -> dict[str, Any]:
    """Return the member of a text; none at home for an empty text that was written without one."""
    return {} if to.home and not text and "text" in spelling.get("absent", ()) else {"text": text}


def with_own_members(
    out: dict[str, Any], fields: Mapping[str, Any], spelling: Mapping[str, Any], inside: frozenset[str] = frozenset()
) -> dict[str, Any]:
    """Return a wire part with Gemini's own members and spelling laid over it.

    Names in `inside` are null in an inner object, not in the part.
    """
    merge_extra(out, fields)
    if not spelling:
        return out
    if "thought" in spelling:
        out.setdefault("thought", False)
    for name in spelling.get("null", ()):
        if name not in inside:
            out.setdefault(name, None)
    return with_snake_case(out, spelling["snake"], PART) if "snake" in spelling else out


def function_name(name: str, path: str, to: Target) -> str:
    """Return the name of a function; abroad one that is accepted, reported as changed."""
    if to.home or is_accepted(name) or name in to.log.own_names:
        return name
    to.log.changed("name", path, "only letters, digits, _ . : and - are accepted, at most 64, and not a digit first")
    accepted = accepted_name(name)
    to.log.renamed[accepted] = name
    return accepted


def accepted_name(name: str) -> str:
    """Return an accepted name: the name itself, or always the same replacement."""
    if is_accepted(name):
        return name
    made = sanitized_name(name, NAME_LIMIT)
    return made if is_accepted(made) else sanitized_name(f"_{name}", NAME_LIMIT)


def encode_call(call: ToolCall, index: int, at: int, to: Target, signature: str | None) -> dict[str, Any]:
    """Return the part of a tool call."""
    name = call["name"]
    wire: dict[str, Any] = {"id": call["id"]} if "id" in call and to.version != VERTEX else {}
    wire["name"] = name if to.home or is_accepted(name) else function_name(name, f"{to.call(index, at)}/name", to)
    wire["args"] = call["arguments"] if is_text_kept(call, DIALECT, "args") else object_arguments(call, index, at, to)
    part: dict[str, Any] = {"functionCall": wire} if signature is None else {"functionCall": wire, SIGNATURE: signature}
    if len(call) == len(wire):
        return part
    path = to.call(index, at)
    if to.version == VERTEX and "id" in call:
        to.log.changed("local_id", f"{path}/id", _BY_ORDER)
    if "call_id" in call:
        to.log.lost("member", f"{path}/call_id", "a call has only one id there")
    report_cache_and_extra(call, "call", path, to)
    bag = own_extra(call, DIALECT)
    spelling = bag.get("spelling", NOTHING)
    if not wire["args"] and "args" in spelling:
        wire["args"] = None
        if spelling["args"] != "null":
            del wire["args"]
    if "id" in spelling.get("null", ()):
        wire.setdefault("id", None)
    return with_own_members(part, bag.get("fields", NOTHING), spelling, _INSIDE)


def encode_result(
    message: ToolChatMessage, index: int, name: str | None, to: Target, signature: str | None
) -> dict[str, Any]:
    """Return the part of a tool result; `name` is that of the called function."""
    content = message.get("content")
    identifier = message.get("call_id", message.get("id"))
    if to.version == VERTEX and identifier is not None:
        to.log.changed("local_id", f"{to.message(index)}/{'call_id' if 'call_id' in message else 'id'}", _BY_ORDER)
        identifier = None
    wire: dict[str, Any] = {} if identifier is None else {"id": identifier}
    if name is not None:
        wire["name"] = name
    part: dict[str, Any] = {"functionResponse": wire}
    if signature is not None:
        part[SIGNATURE] = signature
    if isinstance(content, str) and len(message) == 2 + ("call_id" in message) + ("name" in message):
        wire["response"] = {"output": content}
        return part
    path = to.message(index)
    bag = own_extra(message, DIALECT)
    spelling = bag.get("spelling", NOTHING)
    text, media = _split_text_and_media(content, f"{path}/content", to)
    if not (text or media or to.home):
        text = text_for_emptied(message, index, to) or text
    _encode_response(wire, text, message, spelling.get("response"), path, to)
    if media:
        wire["parts"] = media
    for wired in spelling.get("null", ()):
        if wired in _INSIDE:
            wire.setdefault(wired, None)
    if "parts" in spelling.get("empty", ()):
        wire.setdefault("parts", [])
    report_cache_and_extra(message, "result", path, to)
    report_id(message, path, to.log)
    return with_own_members(part, bag.get("fields", NOTHING), spelling, _INSIDE)


def _split_text_and_media(content: Any, path: str, to: Target) -> tuple[str | None, list[dict[str, Any]]]:
    """Return the text of a tool result, and its media."""
    if content is None or isinstance(content, str):
        return content, []
    texts: list[str] = []
    media: list[dict[str, Any]] = []
    mixed = False
    for at, part in enumerate(content):
        is_text = part["type"] == "text" and len(part) == 2  # an empty text is kept here
        for wire in [part] if is_text else encode_part(part, f"{path}/{at}", "tool", to):
            if "text" in wire and part["type"] != "opaque":
                texts.append(wire["text"])
                mixed = mixed or bool(media)
            else:
                media.append(wire)
    if mixed:
        to.log.changed("content", path, "the text of a tool result is sent before its images and files")
    said = bool(texts)
    if len(texts) > 1 and not to.home:
        texts = [text for text in texts if text]
        to.log.changed("content", path, "texts are sent as one, with a blank line between")
    return "\n\n".join(texts) if said else None, media


def _encode_response(
    wire: dict[str, Any], text: str | None, message: Any, form: str | None, path: str, to: Target
) -> None:
    failed = message.get("is_error")
    if text is None and not failed:
        if form != "absent":
            wire["response"] = None if form == "null" else {}
        return
    if text is None:
        if "content" not in message:
            to.log.filled(f"{path}/content", "a functionResponse of an error needs a text: one was added")
        text = ""
    value = _original_response(text, form, failed=bool(failed))
    key = "error" if failed else "output"
    wire["response"] = {key: text} if value is None else value if form == "object" else {key: value[0]}


def _original_response(text: str, form: str | None, *, failed: bool) -> Any:
    """Return the object that the text of a result came as, or its value in a list; None if the note no longer fits."""
    if form not in {"json", "object"}:
        return None
    try:
        value: Any = read_json(text)
    except ValueError:
        return None
    if form == "json":
        return None if isinstance(value, str) else [value]
    if failed or type(value) is not dict or not value:
        return None
    members = cast("dict[str, Any]", value)
    return None if len(members) == 1 and members.keys() <= _PLAIN_FORMS else members
