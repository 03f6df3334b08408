"""Converts content parts between version 2 and version 3.

In version 2 a file-like part may have any number of sources; in version 3 exactly one. Of several, the first non-empty
of data, url and file_id is kept and the others are noted; a part without any becomes opaque, and so does a part of an
unknown type. Version 2 has formats as words (`wav`) or media types; version 3 has media types, and notes the word.
"""

from __future__ import annotations

import base64
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

from pydantic import TypeAdapter, ValidationError

from interlingua.json_types import is_text
from interlingua.media_types import AUDIO, DOCUMENT, IMAGE
from interlingua.migrate.checks import is_part
from interlingua.migrate.extras import OWN, UNKNOWN, Notes, attach
from interlingua.migrate.unknown_members import put_back, set_aside
from interlingua.pointers import pointer
from interlingua_types import v3
from interlingua_types.unions import UNIONS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.loss import LossCode, LossLog

Json: TypeAlias = dict[str, Any]

FILE_KINDS: Final = UNIONS[2]["part"].variants.keys() - {"text"}
_SOURCES: Final = ("data", "url", "file_id")
_TEXT: Final = frozenset({"type", "text"})
_FILE: Final = frozenset({"type", "format", "file_id", "name", "url", "data"})
_NOTED: Final[Mapping[str, type]] = dict.fromkeys(_SOURCES, str)
_TEXT_CODES: Final[Mapping[str, LossCode]] = MappingProxyType({"citations": "citation", "cache": "cache"})
_FILE_CODES: Final[Mapping[str, LossCode]] = MappingProxyType(
    {
        "cache": "cache",
        "context": "migration",
        "detail": "migration",
        "expires_at": "migration",
        "title": "migration",
        "transcript": "migration",
    }
)

_LATER: Final = frozenset({"doc", "ppt", "xls"})
"""Words that version 2 does not have."""

MEDIA_TYPES: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType(
    {"image": IMAGE, "audio": AUDIO, "file": {word: DOCUMENT[word] for word in DOCUMENT.keys() - _LATER}}
)
"""The media types of version 2's format words, for each kind of part."""


def upgrade_content(content: Any) -> Any:
    """Return content in version 3: text as it is, parts upgraded."""
    # Not `is_text`: a row of a table may have a text of a class of its own, such as NumPy's.
    return content if isinstance(content, str) else [upgrade_part(part) for part in content]


def upgrade_part(part: Json) -> Json:
    """Return a version 2 part in version 3."""
    kind = part["type"]
    if kind == "text":
        return part if part.keys() <= _TEXT else _with_unknown({"type": "text", "text": part["text"]}, part, _TEXT)
    if kind not in FILE_KINDS:
        return _opaque(part)
    given = [name for name in _SOURCES if part.get(name) is not None]
    if not given:
        return _opaque(part)
    is_plain = len(given) == 1 and part.keys() <= _FILE and None not in part.values()
    return part if is_plain and "/" in part.get("format", "/") else _upgrade_file(part, kind, given)


def downgrade_content(content: Any, path: str, log: LossLog) -> tuple[Any, list[str]]:
    """Return version 3 content in version 2, and the source path of each remaining part."""
    if is_text(content):
        return content, []
    downgraded: list[Json] = []
    places: list[str] = []
    for index, part in enumerate(content):
        found = downgrade_part(part, f"{path}/{index}", log)
        downgraded += found
        places += [f"{path}/{index}"] * len(found)
    return downgraded, places


def downgrade_part(part: Json, path: str, log: LossLog) -> list[Json]:
    """Return a version 3 part in version 2: none, one, or several if it holds parts itself."""
    kind = part["type"]
    if kind == "text":
        return [part if part.keys() <= _TEXT else _downgrade_known(part, _TEXT, _TEXT_CODES, path, log)]
    if kind == "opaque":
        if part["dialect"] == OWN and is_part(part["data"]):
            return [part["data"]]
        log.lost("part", path, "only another dialect understands it")
        return []
    if kind in {"server_call", "server_result"}:
        log.lost("part", path, "version 2 has no calls of tools that the provider runs")
        return []
    if part.keys() <= _FILE:
        return [part]
    if "content" in part:
        log.changed("part", path, "its parts were moved into the message")
        for name in part:
            if name not in {"type", "content"}:
                log.lost("migration", path + pointer(name), "a file of version 2 cannot hold parts")
        parts: list[Json] = downgrade_content(part["content"], f"{path}/content", log)[0]
        return parts
    downgraded = _downgrade_known(part, _FILE, _FILE_CODES, path, log)
    if "text" in part:
        log.changed("content", f"{path}/text", "the text was encoded as base64")
        downgraded["data"] = encoded(part["text"])
        downgraded.setdefault("format", "text/plain")
    return [downgraded]


def encoded(text: str) -> str:
    """Return text in base64, UTF-8 within."""
    return base64.b64encode(text.encode("utf-8", "surrogatepass")).decode("ascii")


def as_parts(value: Any) -> list[Json] | None:
    """Return a value if it is a list of version 3 parts, else None."""
    shape = _parts_reader()
    try:
        read = shape.validate_python(value)
    except ValidationError:
        return None
    return cast("list[Json]", shape.dump_python(read, mode="json"))


@cache
def _parts_reader() -> TypeAdapter[Any]:
    """Return the type adapter for a list of version 3 parts."""
    return TypeAdapter(tuple[v3.Part, ...])


def _opaque(part: Json) -> Json:
    return {"type": "opaque", "dialect": OWN, "data": part}


def _upgrade_file(part: Json, kind: str, given: list[str]) -> Json:
    """Return a file-like part with one source and a media type; the rest is noted."""
    notes = Notes()
    kept = next((name for name in given if part[name]), given[0])
    notes.fields = {name: part[name] for name in given if name != kept}
    upgraded = {
        name: value for name, value in part.items() if name in _FILE and name not in notes.fields and value is not None
    }
    media_type = MEDIA_TYPES[kind].get(upgraded.get("format", "").lower())
    if media_type is not None:
        notes.spelling["format"] = part["format"]
        upgraded["format"] = media_type
    return _with_unknown(upgraded, part, _FILE, notes)


def _with_unknown(upgraded: Json, part: Json, known: frozenset[str], notes: Notes | None = None) -> Json:
    """Add members unknown to version 2, and the notes, to a newly made part."""
    unknown = {name: value for name, value in part.items() if name not in known}
    attach(upgraded, None, put_back(unknown, known), notes or Notes())
    return upgraded


def _downgrade_known(part: Json, known: frozenset[str], codes: Mapping[str, LossCode], path: str, log: LossLog) -> Json:
    """Return the members of a part that version 2 knows, and its unknown members; the rest is lost."""
    downgraded = {name: value for name, value in part.items() if name in known}
    for name in part:
        if name in codes:
            log.lost(codes[name], path + pointer(name), "parts of version 2 have no such member")
    extra = part.get("extra", {})
    notes = Notes.of(extra, _NOTED)
    for where in Notes.strange(extra, _NOTED):
        log.lost("extra", f"{path}/extra{where}", "version 2 never writes this")
    for name, value in notes.fields.items():
        if name in downgraded or name not in known:
            log.lost("extra", f"{path}/extra/{OWN}/fields/{name}", "the part has another one now")
        else:
            downgraded[name] = value
    word = notes.spelling.get("format")
    if word and MEDIA_TYPES.get(part["type"], {}).get(word.lower()) == downgraded.get("format"):
        downgraded["format"] = word
    downgrade_inner_extra(downgraded, extra, known, path, log)
    return downgraded


def downgrade_inner_extra(downgraded: Json, extra: Json, known: frozenset[str], path: str, log: LossLog) -> None:
    """Restore the unknown members of a part or call; version 2 keeps no dialect state there."""
    downgraded.update(set_aside(extra.get(UNKNOWN, {}), known))
    for name in extra:
        if name not in {OWN, UNKNOWN}:
            log.lost("extra", f"{path}/extra{pointer(name)}", "version 2 keeps no dialect state here")
