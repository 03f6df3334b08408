"""Decode Responses content parts, citations and cache marks. Every function raises `Malformed` with its own path."""

from __future__ import annotations

from typing import Any, Final

from interlingua.rooms._shared.media import split_data_url
from interlingua.rooms._shared.openai_settings import BREAKPOINT
from interlingua.rooms.openai_responses.tables import CITATIONS, DIALECT, INPUT_TEXT, OUTPUT_TEXT, TEXT_TYPES
from interlingua.spi.reading import OBJECT, TEXT, Malformed, Unmapped, expect, read_mark, rest

_TEXT_MEMBERS: Final = frozenset({"type", "text", BREAKPOINT})
_OUTPUT_MEMBERS: Final = _TEXT_MEMBERS | {"annotations", "logprobs"}
_REFUSAL_MEMBERS: Final = frozenset({"type", "refusal"})
# Sources of images and files: (wire member, canonical member, whether a data URL is split).
_IMAGE_SOURCES: Final = (("image_url", "url", True), ("file_id", "file_id", False))
_FILE_SOURCES: Final = (("file_id", "file_id", False), ("file_url", "url", False), ("file_data", "data", True))


def decode_content(content: Any, role: str, member: str, *, whole: bool) -> str | list[dict[str, Any]]:
    """Decode text or a list of parts. `whole`: the message has an id, so its parts are written in full."""
    if type(content) is str:
        return content
    if type(content) is not list:
        raise Malformed(f"/{member}", "expected text or a list")
    parts: list[dict[str, Any]] = []
    try:
        for part in content:
            parts.append(decode_part(part, role, whole=whole))  # noqa: PERF401  # how far it came is read when one is malformed
    except Malformed as malformed:
        raise malformed.under(member, len(parts)) from None
    return parts


def decode_refusals(content: list[Any]) -> tuple[list[Any], str | list[dict[str, Any]] | None]:
    """Split an assistant's content into its parts and the refusals at its end, which are decoded."""
    end = len(content)
    while end and type(content[end - 1]) is dict and content[end - 1].get("type") == "refusal":
        end -= 1
    refusals: list[dict[str, Any]] = []
    for at in range(end, len(content)):
        wire = content[at]
        left = Unmapped()
        left.fields = rest(wire, _REFUSAL_MEMBERS)
        refusals.append({"type": "text", "text": expect(wire.get("refusal"), TEXT, "content", at, "refusal")})
        left.attach(refusals[-1], DIALECT)
    if not refusals:
        return content, None
    plain = len(refusals) == 1 and len(refusals[0]) == 2
    return content[:end], refusals[0]["text"] if plain else refusals


def decode_part(wire: Any, role: str, *, whole: bool) -> dict[str, Any]:
    """Decode one content part; an unknown type becomes an opaque part."""
    kind = expect(wire, OBJECT).get("type")
    part: dict[str, Any] | None = None
    left = Unmapped()
    if type(kind) is str and kind in TEXT_TYPES:
        part = {"type": "text", "text": expect(wire.get("text"), TEXT, "text")}
        if kind == INPUT_TEXT and len(wire) == 2 and role != "assistant":
            return part
        if kind != (OUTPUT_TEXT if role == "assistant" else INPUT_TEXT):
            left.spelling["type"] = kind
        if kind == OUTPUT_TEXT:
            _decode_annotations(part, wire, left, whole=whole)
        left.fields |= rest(wire, _OUTPUT_MEMBERS if kind == OUTPUT_TEXT else _TEXT_MEMBERS)
    elif kind == "input_image":
        part = _decode_source({"type": "image"}, wire, _IMAGE_SOURCES, "detail", left)
    elif kind == "input_file":
        part = _decode_source({"type": "file"}, wire, _FILE_SOURCES, "filename", left)
    if part is None:
        return {"type": "opaque", "dialect": DIALECT, "data": wire}
    if BREAKPOINT in wire:
        read_mark(part, BREAKPOINT, wire[BREAKPOINT], ("mode", "explicit"), left)
    left.attach(part, DIALECT)
    return part


def _decode_annotations(part: dict[str, Any], wire: dict[str, Any], left: Unmapped, *, whole: bool) -> None:
    """Decode annotations and log probabilities of an output text; in a whole message, empty lists are the habit."""
    for name in ("annotations", "logprobs"):
        value = wire.get(name)
        if value == [] and type(value) is list:
            if not whole:
                left.empty(name)
        elif value is None:
            if name in wire:
                left.null(name)
            elif whole:
                left.absent(name)
        elif name == "annotations" and type(value) is list and all(type(one) is dict and one for one in value):
            part["citations"] = [decode_citation(one) for one in value]
        else:
            left.fields[name] = value


def decode_citation(wire: dict[str, Any]) -> dict[str, Any]:
    """Decode an annotation; an unknown type is kept whole as `opaque`."""
    kind = wire.get("type")
    left = Unmapped()
    if type(kind) is not str or kind not in CITATIONS:
        citation: dict[str, Any] = {"kind": "opaque"}
        left.fields = wire
    else:
        canonical, names = CITATIONS[kind]
        citation = {"kind": canonical}
        for key, value in wire.items():
            if key in names and type(value) is (int if key.endswith("index") else str):
                citation[names[key]] = value
            elif key != "type":
                left.fields[key] = value
    left.attach(citation, DIALECT)
    return citation


def _decode_source(
    part: dict[str, Any],
    wire: dict[str, Any],
    sources: tuple[tuple[str, str, bool], ...],
    described: str,
    left: Unmapped,
) -> dict[str, Any] | None:
    """Decode the source of an image or file, and its detail or name; None if it has no source."""
    known = {"type", BREAKPOINT}
    for member, name, apart in sources:
        value = wire.get(member)
        if type(value) is str and len(part) == 1:
            split = split_data_url(value) if apart else None
            part |= {name: value} if split is None else {"format": split[0], "data": split[1]}
            known.add(member)
    if len(part) == 1:
        return None
    if type(wire.get(described)) is str:
        part["detail" if described == "detail" else "name"] = wire[described]
        known.add(described)
    for member in (*(member for member, _, _ in sources), described):
        if member in wire and wire[member] is None:
            left.null(member)
            known.add(member)
    left.fields |= rest(wire, frozenset(known))
    return part
