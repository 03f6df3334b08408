"""Generated images: `image_generation_call` items as image parts of assistant messages.

An item with an image is an assistant message of its own, or follows the reasoning before it. Items without one, which
are unfinished or have failed, stay opaque. Source: docs/wire/openai_responses.md, section 1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.loss import beyond, lost_members
from interlingua.rooms._shared.media import standard_type, with_data
from interlingua.rooms.openai_responses.tables import DIALECT, IMAGE_GENERATION_CALL
from interlingua.spi.extra import NOTHING, merge_own_extra, own_extra, own_spelling
from interlingua.spi.reading import Unmapped, rest

if TYPE_CHECKING:
    from interlingua.rooms._shared.writing import Target

_FORMATS: Final = {word: f"image/{word}" for word in ("png", "jpeg", "webp")}
_HABIT: Final = "png"
_WORDS: Final = {media_type: word for word, media_type in _FORMATS.items()}
_MEMBERS: Final = frozenset({"type", "format", "data", "extra"})


def decode_generated_image(item: dict[str, Any]) -> list[dict[str, Any]] | None:
    """Decode the item of a generated image; None for any other item."""
    data, word = item.get("result"), item.get("output_format")
    if (
        item.get("type") != IMAGE_GENERATION_CALL
        or type(item.get("id")) is not str
        or type(data) is not str
        or not data
    ):
        return None
    part: dict[str, Any] = {"type": "image"}
    known = {"type", "result"}
    left = Unmapped()
    if "output_format" not in item:
        part["format"] = _FORMATS[_HABIT]
        left.absent("output_format")
    elif type(word) is str and word in _FORMATS:
        part["format"] = _FORMATS[word]
        known.add("output_format")
    part["data"] = data
    left.fields = rest(item, frozenset(known))
    left.attach(part, DIALECT)
    return [part]


def is_generated_image(part: Any, to: Target) -> bool:
    """Return whether a part of an assistant message is written as the item of a generated image.

    At home it must have come that way; abroad, in responses, any image given as data is.
    """
    if part["type"] != "image":
        return False
    if "id" in own_extra(part, DIALECT).get("fields", NOTHING):
        return "data" in part
    return to.answer and not to.home and "data" in with_data(part)


def encode_generated_image(given: Any, path: str, to: Target) -> dict[str, Any]:
    """Return the item of an image; abroad it has no id yet."""
    part = given if to.home else with_data(given)
    out: dict[str, Any] = {"type": IMAGE_GENERATION_CALL, "result": part["data"]}
    media_type = part.get("format", "")
    word = _WORDS.get(media_type if to.home else standard_type(media_type))
    is_unsaid = "output_format" in own_spelling(part, DIALECT).get("absent", ())
    if word is not None and not (is_unsaid and word == _HABIT):
        out["output_format"] = word
    elif media_type and not is_unsaid:
        to.log.lost("member", f"{path}/format", "a generated image is PNG, JPEG or WebP there")
    elif not media_type and not to.home:
        to.log.filled(f"{path}/format", "a generated image without a format is PNG there")
    if not to.home:
        out["status"] = "completed"
    lost_members(to.log, beyond(part, _MEMBERS), path, "part", "a generated image has no such member")
    merge_own_extra(out, part, DIALECT, path, to.log)
    return out
