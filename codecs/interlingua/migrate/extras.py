"""Converts `extra` between version 2, where it is open, and version 3, where each dialect's part has a schema.

Version 2 values that 3 has no place for are kept under `extra.interlingua_v2`, like a dialect's own state: `fields`
holds values, `spelling` holds how a value was written. Version 2 itself never reads that name, so the round trip is
exact. Unknown members are kept under `extra.unknown`.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from pydantic import TypeAdapter, ValidationError

from interlingua.json_types import is_list, is_object, is_text
from interlingua.pointers import pointer
from interlingua_types import v2, v3

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

OWN: Final = "interlingua_v2"
UNKNOWN: Final = "unknown"
# The dialects whose `extra` version 2 declares.
_DECLARED: Final = frozenset(v2.Extra.model_fields)
_BLOCK_KINDS: Final = frozenset({"thinking", "redacted_thinking"})
_BLOCK_TEXTS: Final = ("signature", "data")

Json: TypeAlias = dict[str, Any]


class Notes:
    """Values of a version 2 message, part or call that version 3 has no place for."""

    __slots__ = ("fields", "spelling")

    def __init__(self) -> None:
        self.fields: Json = {}
        self.spelling: dict[str, str] = {}

    @classmethod
    def of(cls, extra: Mapping[str, Any], fitting: Mapping[str, type]) -> Notes:
        """Return the notes stored in an `extra` of version 3.

        `fitting` maps the fields that an upgrade may have stored to their types; other members are not notes.
        """
        notes = cls()
        bag = extra.get(OWN)
        if is_object(bag):
            fields, spelling = bag.get("fields"), bag.get("spelling")
            if is_object(fields):
                notes.fields = {name: value for name, value in fields.items() if type(value) is fitting.get(name)}
            if is_object(spelling):
                notes.spelling = spelling
        return notes

    @staticmethod
    def strange(extra: Mapping[str, Any], fitting: Mapping[str, type]) -> Iterator[str]:
        """Yield the JSON Pointers below `extra` of members among the notes that are not notes, and so are lost."""
        bag = extra.get(OWN, {})
        if not is_object(bag):
            yield pointer(OWN)
            return
        for name, value in bag.items():
            if name == "fields" and is_object(value):
                wrong = [field for field in value if type(value[field]) is not fitting.get(field)]
                yield from (pointer(OWN, name, field) for field in wrong)
            elif name not in {"fields", "spelling"}:
                yield pointer(OWN, name)

    def bag(self) -> Json:
        """Return the value of `extra.interlingua_v2`; empty if there are no notes."""
        bag: Json = {}
        if self.fields:
            bag["fields"] = self.fields
        if self.spelling:
            bag["spelling"] = self.spelling
        return bag


def attach(value: Json, extra: Json | None, unknown: Json, notes: Notes) -> None:
    """Store dialect state, unknown members and notes in the `extra` of a newly made value."""
    if extra == {} and (unknown or notes.bag()):
        notes.fields.setdefault("extra", {})  # records that there was an empty one
    bag = notes.bag()
    if extra is None and not unknown and not bag:
        return
    whole = dict(extra or {})
    if unknown:
        whole[UNKNOWN] = unknown
    if bag:
        whole[OWN] = bag
    value["extra"] = whole


def upgrade_extra(extra: Json, calls: int, content: Any, notes: Notes) -> Json | None:
    """Return the part of a version 2 `extra` that version 3 has a place for; the rest goes to `notes.fields.extra`.

    `calls` and `content` are those of the message, which determine the place of a bare Gemini signature.
    """
    upgraded: Json = {}
    rest: Json = {}
    for name, value in extra.items():
        if value is None:
            if name not in _DECLARED:  # null is a value there, and version 3 would drop it when storing
                rest[name] = None
            continue
        direct, left = _upgrade_dialect(name, value, calls, content, notes)
        if direct is not None:
            upgraded[name] = direct
        if left is not None:
            rest[name] = left
    if rest:
        notes.fields["extra"] = rest
    return upgraded if upgraded or not rest else None


def downgrade_extra(extra: Json, notes: Notes, calls: int, content: Any) -> Json:
    """Return version 3 dialect state in the form of version 2, merged with the values kept in the notes."""
    downgraded = dict(extra)
    if "claude" in downgraded:
        downgraded["claude"] = _downgrade_claude(downgraded["claude"])
    if "gemini" in downgraded:
        downgraded["gemini"] = _downgrade_gemini(downgraded["gemini"], calls, content, notes)
    for name, value in notes.fields.get("extra", {}).items():
        if name in _DECLARED and not is_object(value):
            continue
        existing = downgraded.get(name)
        downgraded[name] = {**existing, **value} if is_object(existing) and is_object(value) else value
    return downgraded


def _upgrade_dialect(name: str, value: Any, calls: int, content: Any, notes: Notes) -> tuple[Any, Any]:
    """Return the part of a dialect's state that version 3 accepts, and the rest; None for an empty one."""
    shape = _shapes().get(name)
    if shape is None:
        # A third-party dialect's state is kept as it is.
        return (None, value) if name in {OWN, UNKNOWN} else (value, None)
    if not is_object(value):
        return None, value
    upgraded = dict(value)
    left: Json = {}
    if name == "claude" and "thinking_blocks" in value:
        blocks = _upgrade_blocks(value["thinking_blocks"])
        if blocks is None:
            left["thinking_blocks"] = upgraded.pop("thinking_blocks")
        else:
            upgraded["thinking_blocks"] = blocks
    if name == "gemini" and "thought_signatures" in value:
        signatures = _placed_signatures(value["thought_signatures"], calls, content)
        if signatures is not None:
            upgraded["thought_signatures"] = signatures
            notes.spelling["thought_signatures"] = "text"
    if not _fits(shape, upgraded):
        misfits = [member for member in upgraded if not _fits(shape, {member: upgraded[member]})]
        for member in misfits:
            left[member] = value[member]
            del upgraded[member]
        if "thought_signatures" in misfits:
            notes.spelling.pop("thought_signatures", None)
    return (upgraded if upgraded or not left else None), (left or None)


def _upgrade_blocks(blocks: Any) -> list[Json] | None:
    """Return Claude's thinking blocks with everything beside type, signature and data under `fields`."""
    if not is_list(blocks):
        return None
    upgraded: list[Json] = []
    for block in blocks:
        if not is_object(block) or not is_text(block.get("type")) or block["type"] not in _BLOCK_KINDS:
            return None
        known: Json = {"type": block["type"]}
        known |= {name: block[name] for name in _BLOCK_TEXTS if is_text(block.get(name))}
        fields = {name: value for name, value in block.items() if name not in known}
        if fields:
            known["fields"] = fields
        upgraded.append(known)
    return upgraded


def _downgrade_claude(bag: Any) -> Any:
    """Return Claude's state with the blocks' `fields` beside their other members, where their names are free."""
    if "thinking_blocks" not in bag:
        return bag
    downgraded: list[Json] = []
    for block in bag["thinking_blocks"]:
        flat = {name: value for name, value in block.items() if name != "fields"}
        fields = block.get("fields", {})
        flat_fields = {name: value for name, value in fields.items() if name not in flat}
        inside = {name: value for name, value in fields.items() if name in flat}
        downgraded.append({**flat, **flat_fields, **({"fields": inside} if inside else {})})
    return {**bag, "thinking_blocks": downgraded}


def _placed_signatures(signatures: Any, calls: int, content: Any) -> list[Json] | None:
    """Return bare signatures with the places that Gemini gives them, or None if the places cannot be determined.

    Gemini signs each call, or the first of several parallel ones, or the text if there is no call.
    """
    if not is_list(signatures) or not signatures or not all(is_text(one) for one in signatures):
        return None
    if calls and len(signatures) in {1, calls}:
        places = [f"/tool_calls/{index}" for index in range(len(signatures))]
    elif not calls and len(signatures) == 1 and is_text(content) and content:
        places = ["/content"]
    else:
        return None
    return [{"at": place, "signature": signature} for place, signature in zip(places, signatures, strict=True)]


def _downgrade_gemini(bag: Any, calls: int, content: Any, notes: Notes) -> Any:
    """Return Gemini's state; signatures that were bare and have not been edited become bare again."""
    placed = bag.get("thought_signatures")
    if placed and notes.spelling.get("thought_signatures") == "text":
        signatures_only = [one["signature"] for one in placed]
        if _placed_signatures(signatures_only, calls, content) == placed:
            return {**bag, "thought_signatures": signatures_only}
    return bag


@cache
def _shapes() -> Mapping[str, TypeAdapter[Any]]:
    """Return the validator of each dialect's `extra` in version 3."""
    types: Mapping[str, Any] = {name: member.annotation for name, member in v3.Extra.model_fields.items()}
    return {name: TypeAdapter(of_dialect) for name, of_dialect in types.items() if name != UNKNOWN}


def _fits(shape: TypeAdapter[Any], value: Json) -> bool:
    """Tell whether a value survives a round trip through version 3."""
    try:
        read = shape.validate_python(value)
    except ValidationError:
        return False
    return bool(shape.dump_python(read, mode="json") == value)
