"""What OpenAI Chat Completions refuses of content.

Source: reference/wire/openai_chat.md sections 1.1, 1.2 and 4.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from interlingua.dialects._chat_completions.rules import parts
from interlingua.dialects._chat_completions.tables import PDF
from interlingua.dialects._shared.media import split_data_url
from interlingua.dialects._shared.ruling import (
    OBJECT,
    TEXT,
    items_of,
    misshapen,
    missing,
    object_of,
    objects,
    text_of,
    word_of,
)
from interlingua.violation import Violation

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from interlingua.dialects._shared.ruling import Object, Shapes

_TEXTS: Final = frozenset({"text"})
# Role -> the parts that its messages take.
_PARTS: Final[Mapping[str, frozenset[str]]] = MappingProxyType({
    "developer": _TEXTS,
    "system": _TEXTS,
    "tool": _TEXTS,
    "assistant": frozenset({"text", "refusal"}),
    "user": frozenset({"text", "image_url", "input_audio", "file"}),
})  # fmt: skip
# Part -> the member that it must have, and the JSON type of it.
_SHAPES: Final[Mapping[str, Shapes]] = MappingProxyType({
    "text": {"text": TEXT},
    "refusal": {"refusal": TEXT},
    "image_url": {"image_url": (str, dict)},
    "input_audio": {"input_audio": OBJECT},
    "file": {"file": OBJECT},
})  # fmt: skip
_IMAGE_TYPES: Final = frozenset({"image/png", "image/jpeg", "image/jpg", "image/gif", "image/webp"})
_AUDIO_FORMATS: Final = frozenset({"wav", "mp3"})
# What an assistant may send in place of content.
_INSTEAD: Final = ("tool_calls", "function_call", "audio", "refusal")
_JSON: Final = "json"


def missing_content(body: Object) -> Iterator[Violation]:
    """Every message has content; the assistant's has it, or calls (section 1.1; ENC-3)."""
    for path, message in objects(body.get("messages"), "/messages"):
        role = message.get("role")
        can_go_without = role == "function" or (role == "assistant" and any(message.get(name) for name in _INSTEAD))
        if not can_go_without:
            yield from missing(message, ("content",), path)


def empty_content(body: Object) -> Iterator[Violation]:
    """Lists of parts and of calls are not empty ("`content` arrays ≥1 element")."""
    for path, message in objects(body.get("messages"), "/messages"):
        for name in ("content", "tool_calls"):
            if message.get(name) == []:
                yield Violation("empty", f"{path}/{name}", "at least one")


def misshapen_parts(body: Object) -> Iterator[Violation]:
    """Parts have the members that section 1.2 marks as required, of the JSON types that it names."""
    for path, message in objects(body.get("messages"), "/messages"):
        for index, one in enumerate(items_of(message.get("content"))):
            if type(one) is not dict:
                yield Violation("shape", f"{path}/content/{index}", "expected an object")
    for path, _, part in parts(body):
        yield from missing(part, ("type",), path)
        shapes = _SHAPES.get(text_of(part, "type"), {})
        yield from missing(part, shapes, path)
        yield from misshapen(part, shapes, path)


def misplaced_parts(body: Object) -> Iterator[Violation]:
    """A part stands in a message of its role: results are text, and so are instructions ("Tool results: text only")."""
    for path, role, part in parts(body):
        kind = word_of(part, "type")
        if kind is not None and role in _PARTS and kind not in _PARTS[role]:
            yield Violation("part", path, "its role has no such part")


def foreign_media(body: Object) -> Iterator[Violation]:
    """Pictures are png, jpeg, gif or webp, sound is wav or mp3, files are PDF ("unsupported MIME type")."""
    for path, _, part in parts(body):
        sound = object_of(part, "input_audio")
        if sound and text_of(sound, "format") not in _AUDIO_FORMATS:
            yield Violation("media_type", f"{path}/input_audio/format", "wav or mp3")
        picture = split_data_url(text_of(object_of(part, "image_url"), "url"))
        if picture is not None and picture[0] not in _IMAGE_TYPES:
            yield Violation("media_type", f"{path}/image_url/url", "png, jpeg, gif or webp")
        file = split_data_url(text_of(object_of(part, "file"), "file_data"))
        if file is not None and file[0] != PDF:
            yield Violation("media_type", f"{path}/file/file_data", "PDF")


def json_without_the_word(body: Object) -> Iterator[Violation]:
    """JSON mode needs the word JSON in a message ("`json_object` mode needs the word JSON in the prompt")."""
    if object_of(body, "response_format").get("type") == "json_object" and not any(
        _JSON in text.lower() for text in _texts(body)
    ):
        yield Violation("setting", "/response_format", "a message has the word JSON")


def _texts(body: Object) -> Iterator[str]:
    for _, message in objects(body.get("messages"), "/messages"):
        yield text_of(message, "content")
        for _, part in objects(message.get("content"), ""):
            yield text_of(part, "text")
