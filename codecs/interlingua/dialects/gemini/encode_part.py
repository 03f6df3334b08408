"""Canonical to Gemini: parts that are text, pictures, sounds and files.

Source: reference/wire/gemini.md sections 1.2 and 4.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, assert_never

from interlingua.dialects._shared.extra import lay, own_bag, report_foreign
from interlingua.dialects._shared.media import MENDED, with_data
from interlingua.dialects.gemini.media import kind_of, media_type_of
from interlingua.dialects.gemini.snake import PART, respelt
from interlingua.dialects.gemini.tables import (
    DIALECT,
    NEAREST_DETAILS,
    RESOLUTION_WORDS,
)
from interlingua.loss import beyond, lost_members

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.dialects._shared.target import Target
    from interlingua.model_shapes import Part


_NOTHING: Final[Mapping[str, Any]] = {}

_PLAIN_TEXT: Final = frozenset({"type", "text"})

_READABLE: Final = frozenset({"type", "text", "content", "extra", "cache"})


@dataclass(frozen=True, slots=True)
class Marks:
    """What a wire part says beside its data: that it is a thought, and its signature."""

    thought: bool = False
    signature: str | None = None


UNMARKED: Final = Marks()


def encode_text(text: str, spelling: Mapping[str, Any], marks: Marks) -> dict[str, Any]:
    """Return the part of a text; `spelling` is that of the part, or of a message that is one text."""
    return finished({"text": text}, _NOTHING, spelling, marks)


def encode_parts(content: list[Part], path: str, role: str, to: Target) -> list[dict[str, Any]]:
    """Return the wire parts of parts that have no signatures."""
    encoded: list[dict[str, Any]] = []
    for at, part in enumerate(content):
        if part["type"] == "text" and len(part) == 2 and (to.home or part["text"]):
            encoded.append({"text": part["text"]})
        else:
            encoded.extend(encode_part(part, f"{path}/{at}", role, to, UNMARKED))
    return encoded


def encode_part(part: Part, path: str, role: str, to: Target, marks: Marks) -> list[dict[str, Any]]:
    """Return the wire parts of a part: one, several for a document of parts, none where it has no place."""
    if part["type"] == "text":
        if not to.home and not part["text"] and marks.signature is None:
            to.log.changed("empty_text", f"{path}/text", "an empty text is refused")
            lost_members(to.log, beyond(part, _PLAIN_TEXT), path, "empty_text", "an empty text is refused")
            return []
        if "citations" in part:
            to.log.lost("citation", f"{path}/citations", "sources stand beside an answer, and only in Gemini's own")
        return [_finish({"text": part["text"]}, part, path, to, marks)]
    if part["type"] == "opaque":
        if part["dialect"] == DIALECT:
            return [part["data"]]
        lost_members(to.log, part, path, "part", "only its own dialect understands it")
        return []
    if part["type"] == "file" and ("text" in part or "content" in part):
        return _encode_readable(part, path, role, to, marks)
    if part["type"] == "image" or part["type"] == "audio" or part["type"] == "file":
        if role == "system" and not to.home:
            lost_members(to.log, part, path, "part", "an instruction is text")
            return []
        source = _encode_source(part, path, to)
        if source is None:
            return []
        _encode_rest(source, part, path, to)
        return [_finish(source, part, path, to, marks)]
    assert_never(part)


def _encode_source(part: Any, path: str, to: Target) -> dict[str, Any] | None:
    """Encode inline data, or the address of a file."""
    given, part = part, part if to.home else with_data(part)
    if part is not given:
        to.log.changed("part", path, MENDED)
    if "data" in part:
        outer, wire, value = "inlineData", "data", part["data"]
    elif "url" in part:
        outer, wire, value = "fileData", "fileUri", part["url"]
    elif "://" in part["file_id"]:
        outer, wire, value = "fileData", "fileUri", part["file_id"]
        to.log.changed("part", f"{path}/file_id", "a file that the service holds is told by its address")
    else:
        lost_members(to.log, part, path, "part", "the file of another provider cannot be reached")
        return None
    source: dict[str, Any] = {}
    if "format" in part:
        source["mimeType"] = part["format"]
        if not to.home:
            _report_type(part, path, to)
    elif not to.home:
        source["mimeType"] = media_type_of(part)
        to.log.filled(f"{path}/format", "data has a media type")
    source[wire] = value
    if "name" in part:
        source["displayName"] = part["name"]
    elif "title" in part and not to.home:
        source["displayName"] = part["title"]
    return {outer: source}


def _report_type(part: Any, path: str, to: Target) -> None:
    """Note where the media type tells another type of part, since nothing else does."""
    if part["type"] != kind_of(part["format"]):
        to.log.changed("member", f"{path}/type", "the media type alone tells what it is")


def _encode_rest(out: dict[str, Any], part: Any, path: str, to: Target) -> None:
    """Encode what else a picture, a sound or a file says."""
    if "detail" in part:
        _encode_detail(out, part["detail"], f"{path}/detail", to)
    if "transcript" in part:
        if to.home or to.answer:
            out["audioTranscription"] = {"text": part["transcript"]}
        else:
            to.log.lost("part", f"{path}/transcript", "only an answer tells what is said in a sound")
    for name in ("title", "context", "expires_at"):
        if name not in part:
            continue
        if name == "title" and "name" not in part and not to.home:
            to.log.changed("part", f"{path}/title", "the title became the name")
        else:
            to.log.lost("part", f"{path}/{name}", "no place in a file")


def _encode_detail(out: dict[str, Any], detail: str, path: str, to: Target) -> None:
    if detail in RESOLUTION_WORDS:
        out["mediaResolution"] = {"level": RESOLUTION_WORDS[detail]}
    elif detail in NEAREST_DETAILS:
        out["mediaResolution"] = {"level": RESOLUTION_WORDS[NEAREST_DETAILS[detail]]}
        to.log.changed("setting", path, "the nearest word is taken")
    elif detail == "auto":
        to.log.changed("setting", path, "this is the default")
    else:
        to.log.lost("setting", path, "the dialect has no such word")


def _encode_readable(part: Any, path: str, role: str, to: Target, marks: Marks) -> list[dict[str, Any]]:
    """Write a document that is text, or parts, as what it says; the first part has its signature."""
    if part.get("text") == "":
        lost_members(to.log, part, path, "part", "a document of nothing says nothing")
        return []
    to.log.changed("part", path, "a document of text becomes text")
    lost_members(to.log, beyond(part, _READABLE), path, "part", "text has no name")
    if "cache" in part:
        to.log.lost("cache", f"{path}/cache", "no mark on a part")
    if "extra" in part:
        report_foreign(part, DIALECT, path, to.log)
    if "text" in part:
        return [finished({"text": part["text"]}, _NOTHING, _NOTHING, marks)]
    encoded: list[dict[str, Any]] = []
    for at, inner in enumerate(part["content"]):
        own = UNMARKED if inner["type"] == "opaque" else marks  # what is opaque goes out as it is
        made = encode_part(inner, f"{path}/content/{at}", role, to, own)
        if made and own is marks:
            marks = Marks(marks.thought)
        encoded.extend(made)
    return encoded


def _finish(out: dict[str, Any], part: Any, path: str, to: Target, marks: Marks) -> dict[str, Any]:
    if "cache" in part:
        to.log.lost("cache", f"{path}/cache", "no mark on a part")
    if "extra" not in part:
        return finished(out, _NOTHING, _NOTHING, marks)
    report_foreign(part, DIALECT, path, to.log)
    bag = own_bag(part, DIALECT)
    return finished(out, bag.get("fields", _NOTHING), bag.get("spelling", _NOTHING), marks)


def finished(
    out: dict[str, Any], fields: Mapping[str, Any], spelling: Mapping[str, Any], marks: Marks
) -> dict[str, Any]:
    """Return a wire part with its marks, what Gemini said beyond the canonical value, and the names as they came."""
    if marks.thought:
        out["thought"] = True
    if marks.signature is not None:
        out["thoughtSignature"] = marks.signature
    if fields:
        lay(out, fields)
    if spelling:
        if "thought" in spelling:
            out.setdefault("thought", False)
        for name in spelling.get("null", ()):
            out.setdefault(name, None)
        if "snake" in spelling:
            return respelt(out, spelling["snake"], PART)
    return out
