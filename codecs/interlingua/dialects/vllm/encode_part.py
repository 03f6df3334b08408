"""Canonical to vLLM: the content parts that only this room has, and other ways to write those of the family."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.dialects._shared.extra import lay_own, own_bag
from interlingua.dialects._shared.media import data_url
from interlingua.dialects.vllm.media import address_form, video_type
from interlingua.dialects.vllm.tables import DIALECT, SPOKEN, TEXT_TYPES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.dialects._shared.target import Target

_NOTHING: Final[Mapping[str, Any]] = {}

_MEDIA_ROLES: Final = frozenset({"user", "tool"})
_MEMBERS: Final[Mapping[str, str]] = {"image": "image_url", "audio": "audio_url", "file": "video_url"}
# What a part says beside its text or its address.
_LOSSES: Final[tuple[tuple[str, Any], ...]] = (
    ("citations", "citation"),
    ("name", "part"),
    ("title", "part"),
    ("context", "part"),
    ("transcript", "part"),
    ("expires_at", "part"),
    ("cache", "cache"),
)


def encode_part(part: Any, role: str, path: str, to: Target) -> list[Any] | None:
    """Return the wire parts of a part, or None for one that the family writes."""
    form = own_bag(part, DIALECT).get("spelling", _NOTHING).get("part")
    if part["type"] == "text":
        return None if form is None else _encode_text(part, form, path, to)
    if not to.home and role not in _MEDIA_ROLES:
        return None
    if part["type"] not in _MEMBERS or ("url" not in part and "data" not in part):
        return None
    form = form or address_form(part)
    if form is None and part["type"] == "audio" and not to.home and part.get("format") not in SPOKEN:
        form = "audio_url"
    return None if form is None or form == "file" else [_encode_address(part, form, path, to)]


def _encode_text(part: Any, form: str, path: str, to: Target) -> list[Any] | None:
    if form == "string":
        _report(part, path, to)
        return [part["text"]]
    if form not in TEXT_TYPES:
        return None
    out = {"type": form, "text": part["text"]}
    _report(part, path, to)
    lay_own(out, part, DIALECT, path, to.log)
    return [out]


def _encode_address(part: Any, form: str, path: str, to: Target) -> dict[str, Any]:
    """Encode a picture, a sound or a video as an address, which may hold the data."""
    member = _MEMBERS[part["type"]]
    if "url" in part:
        url = part["url"]
        _report_media_type(part, path, to)
    else:
        if "format" not in part:
            to.log.filled(f"{path}/format", "a data URL has a media type")
        url = data_url(part.get("format", "application/octet-stream"), part["data"])
    out: dict[str, Any] = {}
    if form != "untyped":
        out["type"] = form
    out[member] = {"url": url} if form == member else url
    if "detail" in part:
        if form == "input_image":
            out["detail"] = part["detail"]
        else:
            to.log.lost("part", f"{path}/detail", "no place in this part")
    _report(part, path, to)
    lay_own(out, part, DIALECT, path, to.log)
    return out


def _report_media_type(part: Any, path: str, to: Target) -> None:
    """Report a media type that the address does not tell."""
    told = video_type(part["url"]) if part["type"] == "file" else None
    if "format" in part and part["format"] != told:
        note = to.log.lost if told is None else to.log.changed
        note("member", f"{path}/format", "an address has no media type but its ending")


def _report(part: Any, path: str, to: Target) -> None:
    for name, code in _LOSSES:
        if name in part:
            to.log.lost(code, f"{path}/{name}", "no place in this part")
