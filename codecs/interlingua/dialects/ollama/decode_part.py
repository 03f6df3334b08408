"""Ollama to canonical: `images`, which hold pictures and sounds as base64."""

# A wire value is Any; narrowing it to dict or list leaves its members unknown, which is the truth about wire JSON.
# pyright: reportUnknownMemberType=none, reportUnknownArgumentType=none, reportUnknownVariableType=none
from __future__ import annotations

from typing import Any

from interlingua.dialects._shared.media import split_data_url
from interlingua.dialects.ollama.media import sniffed
from interlingua.dialects.ollama.tables import DIALECT


def decode_images(wire: list[Any]) -> list[dict[str, Any]]:
    """Return the parts of a list of images, in its order."""
    return [_decode_image(one) for one in wire]


def _decode_image(wire: Any) -> dict[str, Any]:
    """Decode one image. What is no text makes an opaque part; addresses and data URLs are accents of other servers."""
    if type(wire) is not str:
        return {"type": "opaque", "dialect": DIALECT, "data": wire}
    split = split_data_url(wire)
    if split is not None:
        said = {"extra": {DIALECT: {"spelling": {"image": "data_url"}}}}
        return {"type": "image", "format": split[0], "data": split[1], **said}
    if wire.startswith(("https://", "http://")):
        return {"type": "image", "url": wire}
    media_type = sniffed(wire)
    if media_type is None:
        return {"type": "image", "data": wire}
    kind = "audio" if media_type.startswith("audio/") else "image"
    return {"type": kind, "format": media_type, "data": wire}
