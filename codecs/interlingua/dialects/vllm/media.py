"""Sounds and videos: how they are given by address, and what an address tells of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interlingua.dialects.vllm.tables import VIDEO_TYPES

if TYPE_CHECKING:
    from collections.abc import Mapping


def address_form(part: Mapping[str, Any]) -> str | None:
    """Return how this room writes a sound or a video by habit; None for all that the family writes."""
    if part["type"] == "audio":
        return "audio_url" if "url" in part else None
    return "video_url" if part["type"] == "file" and part.get("format", "").startswith("video/") else None


def video_type(url: str) -> str | None:
    """Return the media type that the address of a video tells by its ending."""
    path = url.partition("?")[0].partition("#")[0].lower()
    return next((media_type for ending, media_type in VIDEO_TYPES.items() if path.endswith(ending)), None)
