"""What one family of models refuses of a request, as far as Chat Completions and Responses say it alike."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.rooms._shared.ruling import objects, text_of
from interlingua.violation import Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from interlingua.rooms._shared.ruling import Object

# Type of a part -> the fact that says whether the models read it.
_MEDIA: Final[Mapping[str, str]] = {
    "image_url": "image_input",
    "input_image": "image_input",
    "input_audio": "audio_input",
    "file": "pdf_input",
    "input_file": "pdf_input",
}


def refused_media(items: Iterable[tuple[str, Object]], facts: Mapping[str, Any]) -> Iterator[Violation]:
    """Yield each part of a message that holds what the models cannot read."""
    refused = {kind for kind, fact in _MEDIA.items() if facts.get(fact) is False}
    if not refused:
        return
    for path, message in items:
        for where, part in objects(message.get("content"), f"{path}/content"):
            if text_of(part, "type") in refused:
                yield Violation("part", where, "these models take no media of this kind")
