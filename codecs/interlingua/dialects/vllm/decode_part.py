"""vLLM to canonical: the content parts that only this room has, and other ways to write those of the family."""

# A wire value is Any; narrowing it to dict or list leaves its members unknown, which is the truth about wire JSON.
# pyright: reportUnknownMemberType=none, reportUnknownArgumentType=none, reportUnknownVariableType=none
from __future__ import annotations

from typing import Any

from interlingua.dialects._shared.extra import Leftovers, rest
from interlingua.dialects._shared.media import split_data_url
from interlingua.dialects.vllm.media import address_form, video_type
from interlingua.dialects.vllm.tables import DIALECT, MEDIA, TEXT_TYPES


def decode_part(wire: Any, role: str) -> dict[str, Any] | None:
    """Decode one content part, or return None for one that the family knows, or nobody."""
    if type(wire) is str:
        return {"type": "text", "text": wire, "extra": {DIALECT: {"spelling": {"part": "string"}}}}
    if type(wire) is not dict:
        return None
    kind = wire.get("type")
    if type(kind) is str and kind in TEXT_TYPES and type(wire.get("text")) is str:
        left = Leftovers()
        left.spelling["part"] = kind
        left.fields = rest(wire, frozenset({"type", "text"}))
        part = {"type": "text", "text": wire["text"]}
        left.attach(part, DIALECT)
        return part
    return None if role == "assistant" else _decode_media(wire, kind)


def _decode_media(wire: dict[str, Any], kind: Any) -> dict[str, Any] | None:
    """Decode a picture, a sound or a video that is given by an address."""
    if "type" not in wire:
        member = next((name for name in MEDIA if type(wire.get(name)) is str), None)
        return None if member is None else _decode_address(wire, member, wire[member], "untyped", {})
    if kind == "input_image" and type(wire.get("image_url")) is str:
        return _decode_address(wire, "image_url", wire["image_url"], "input_image", {})
    if kind in ("audio_url", "video_url"):
        holder = wire.get(kind)
        if type(holder) is dict and type(holder.get("url")) is str:
            return _decode_address(wire, kind, holder["url"], kind, rest(holder, frozenset({"url"})))
    return None


def _decode_address(wire: dict[str, Any], member: str, url: str, form: str, nested: dict[str, Any]) -> dict[str, Any]:
    part: dict[str, Any] = {"type": MEDIA[member]}
    left = Leftovers()
    split = split_data_url(url)
    if split is not None:
        part["format"], part["data"] = split
    else:
        media_type = video_type(url) if member == "video_url" else None
        if media_type is not None:
            part["format"] = media_type
        part["url"] = url
    known = {"type", member}
    if form == "input_image" and type(wire.get("detail")) is str:
        part["detail"] = wire["detail"]
        known.add("detail")
    if form != address_form(part):
        left.spelling["part"] = form
    left.nest(member, nested)
    left.fields |= rest(wire, frozenset(known))
    left.attach(part, DIALECT)
    return part
