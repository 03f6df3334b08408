"""Canonical to Ollama: the content of a message as one text and the list `images`.

Texts are joined, with a blank line where an image was between them. Images and audio come after all text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, assert_never

from interlingua.loss import lost_members, lost_opaque
from interlingua.rooms._shared.media import (
    NOT_READ,
    REENCODED_DATA,
    as_text,
    data_url,
    is_unsupported_image,
    told_parts,
    with_actual_type,
    with_data,
)
from interlingua.rooms._shared.media_sniffing import detected_media_type
from interlingua.rooms._shared.server_calls import NO_SERVER_CALLS, server_part_as_text, with_server_calls_as_text
from interlingua.rooms.ollama.tables import DIALECT, PICTURES
from interlingua.spi.extra import own_spelling, report_foreign

if TYPE_CHECKING:
    from interlingua.model_shapes import Part
    from interlingua.rooms._shared.writing import Target


# Members of parts that the dialect does not have.
_BESIDE: Final = ("detail", "name", "transcript", "expires_at")


def write_content(out: dict[str, Any], message: Any, index: int, to: Target) -> None:
    """Write `content` and `images` of a message."""
    content = message.get("content")
    if type(content) is str:
        out["content"] = content
        return
    said = _Content(is_paragraph=message["role"] != "assistant")
    for at, part in enumerate(
        with_server_calls_as_text(content or (), f"{to.message(index)}/content", to, NO_SERVER_CALLS)
    ):
        _add_part(said, part, to.part(index, "content", at), to)
    text = said.text
    if said.interleaved:
        to.log.changed(
            "content", f"{to.message(index)}/content", "images are sent beside the text, not between its parts"
        )
    if said.has_breaks:
        to.log.changed("content", f"{to.message(index)}/content", "texts are sent as one, with a blank line between")
    form = own_spelling(message, DIALECT).get("content") if not text else None
    if form is None:
        out["content"] = text
        if content is None and not to.home and message["role"] != "assistant":
            to.log.filled(f"{to.message(index)}/content", "a message needs content: an empty text was added")
    elif form == "null":
        out["content"] = None
    if said.images:
        out["images"] = said.images


class _Content:
    """Collects the parts of a message: its text, its images, and whether text came after an image.

    `is_paragraph`: each text is a paragraph. Those of an answer are not: citations split them in mid-sentence.
    """

    def __init__(self, *, is_paragraph: bool = False) -> None:
        self._is_paragraph = is_paragraph
        self._texts: list[str] = []  # joined once, in linear time
        self.images: list[Any] = []
        self.interleaved = False
        self.has_breaks = False
        self._after_image = False
        self._is_apart = False

    @property
    def text(self) -> str:
        return "".join(self._texts)

    def add_text(self, text: str) -> None:
        if not text:
            return
        if self._after_image:
            self.interleaved = True
        needs_break = bool(self._texts) and self._needs_break(text)
        self.has_breaks |= needs_break
        if self._texts and (self._after_image or self._is_apart or needs_break):
            self._texts.append("\n\n")
        self._after_image = self._is_apart = False
        self._texts.append(text)

    def _needs_break(self, text: str) -> bool:
        """Tell whether a text would run into the one before it."""
        return self._is_paragraph and not (self._texts[-1][-1].isspace() or text[0].isspace())

    def set_apart(self) -> None:
        """Put a blank line before the next text, if it is not the first."""
        self._is_apart = True

    def add_image(self, image: Any) -> None:
        self.images.append(image)
        self._after_image = True


def _add_part(said: _Content, part: Part, path: str, to: Target) -> None:
    """Add one part."""
    part = with_actual_type(part, path, to)
    if part["type"] == "text":
        said.add_text(part["text"])
        if len(part) > 2:  # more than type and text
            for at, _ in enumerate(part.get("citations", ())):
                to.log.lost("citation", f"{path}/citations/{at}", "Ollama has no citations")
            _report(part, path, to)
    elif part["type"] == "image" or part["type"] == "audio":
        image = encode_media(part, path, to)
        if image is not None:
            said.add_image(image)
    elif part["type"] == "file":
        _add_document(said, part, path, to)
    elif part["type"] == "opaque":
        if part["dialect"] == DIALECT:
            said.add_image(part["data"])
        else:
            lost_opaque(to.log, path, "part")
    elif part["type"] == "server_call" or part["type"] == "server_result":
        said.add_text(server_part_as_text(part, path, to)["text"])
    else:
        assert_never(part)


def encode_text(part: Any, path: str, to: Target) -> str | None:
    """Return the text of a text part or a text document; None for any other part."""
    if part["type"] != "text" and not (part["type"] == "file" and ("text" in part or "content" in part)):
        return None
    said = _Content()
    _add_part(said, part, path, to)
    return said.text


def encode_media(part: Any, path: str, to: Target) -> str | None:
    """Return an image or audio part as an entry of `images`, or None if it has no place.

    No server answers with images, and the official client refuses an answer with any.
    """
    if to.answer and not to.home:
        lost_members(to.log, part, path, "part", "Ollama's answers cannot hold images or audio")
        return None
    held = part if to.home else with_data(part)
    if part["type"] == "image" and is_unsupported_image(held, PICTURES, to):
        lost_members(to.log, part, path, "part", NOT_READ)
        return None
    data = held.get("data")
    if data is None:
        if to.home and "url" in part:
            return str(part["url"])
        lost_members(to.log, part, path, "part", "Ollama accepts images only as base64 data, not by URL")
        return None
    told = detected_media_type(data)
    sound = told is not None and told.startswith("audio/")
    if sound != (part["type"] == "audio"):
        lost_members(to.log, part, path, "part", "the media type cannot be detected from the first bytes")
        return None
    if data is not part.get("data"):
        to.log.changed("part", path, REENCODED_DATA)
    _report(part, path, to)
    if own_spelling(part, DIALECT).get("image") == "data_url" and "format" in part:
        return data_url(part["format"], data)
    if "format" not in part:
        if told is not None:
            to.log.filled(f"{path}/format", "the media type was detected from the first bytes")
    elif told is None:
        detail = "the media type cannot be detected from the first bytes, where the target looks for it"
        to.log.lost("part", f"{path}/format", detail)
    elif told != part["format"]:
        to.log.changed("member", f"{path}/format", "the first bytes are those of another media type")
    return str(data)


def _add_document(said: _Content, part: Any, path: str, to: Target) -> None:
    """Write a document of text or parts as text, separated from other texts by blank lines."""
    part = as_text(part, to)
    if "text" not in part and "content" not in part:
        lost_members(to.log, part, path, "part", "Ollama does not accept files")
        return
    if "cache" in part:
        to.log.lost("cache", f"{path}/cache", "cache marks are not allowed here")
    if "extra" in part:
        report_foreign(part, DIALECT, path, to.log)
    said.set_apart()
    for where, inner in told_parts(part, path, to.log):
        _add_part(said, inner, where, to)
        said.set_apart()


def _report(part: Any, path: str, to: Target) -> None:
    """Report members of a part that the dialect does not have."""
    for name in _BESIDE:
        if name in part and part[name] != "auto":  # the default detail of images
            to.log.lost("part", f"{path}/{name}", f"a message has no {name} there")
    if "cache" in part:
        to.log.lost("cache", f"{path}/cache", "messages have no cache marks there")
    if "extra" in part:
        report_foreign(part, DIALECT, path, to.log)
