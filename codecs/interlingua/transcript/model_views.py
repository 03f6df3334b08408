"""Converts each type of transcript message to what a model sees. Nothing is read or fetched here."""

from __future__ import annotations

import base64
import re
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from pydantic import ValidationError

from interlingua.errors import EncodeError
from interlingua.migrate.between_1_2 import json_text
from interlingua.model import (
    CompactionMessage,
    FileReferenceMessage,
    ImageMessage,
    ImagePart,
    McpResourceMessage,
    OpaqueMessage,
    ReasoningMessage,
    SystemControlMessage,
    TextMessage,
    TextPart,
    ToolRequestMessage,
    ToolResultMessage,
    UrlImageSource,
)
from interlingua.rooms._shared.media import decoded_text
from interlingua.rooms._shared.media_sniffing import kind_of_data
from interlingua.transcript.drafts import Draft
from interlingua.transcript.kinds import MEDIA, parts_reader

if TYPE_CHECKING:
    from collections.abc import Callable

    from interlingua.model import Failure, ImageData, Message
    from interlingua.transcript.chat_notes import Notes

Members: TypeAlias = dict[str, Any]

_STORED: Final = "interlingua"
_PLAIN_CODE: Final = re.compile(r"[a-z][a-z0-9_]{0,63}")
_TEXT_TYPES: Final = re.compile(r"text/|application/(?:[\w.+-]*\+)?(?:json|xml|yaml)\b", re.ASCII)


class Unresolved(Exception):  # noqa: N818  # internal: the caller adds the index
    """A file or image has not been resolved."""


def model_view(message: Message, notes: Notes, index: int, *, takes_pictures: bool = True) -> Draft | None:
    """Return the chat draft for a message, or None if a model does not see it; `index` is used in errors.

    Without `takes_pictures`, an image becomes the text that was read from it.

    Raises:
        Unresolved: it is a file or an image that has not been resolved.
        EncodeError: the output of a tool is not JSON.
    """
    if isinstance(message, ImageMessage) and not takes_pictures:
        return _image_of(message.data, _description)
    match message:
        case TextMessage():
            return _text(message, notes, index)
        case ToolRequestMessage():
            return _tool_request(message, notes, index)
        case ToolResultMessage():
            return _tool_result(message, notes, index)
        case ReasoningMessage():
            return _reasoning(message, notes, index)
        case FileReferenceMessage():
            return _file_reference(message, notes, index)
        case ImageMessage():
            return _image(message, notes, index)
        case McpResourceMessage():
            return _mcp_resource(message, notes, index)
        case OpaqueMessage():
            return _opaque(message, notes, index)
        case CompactionMessage():
            return _compaction(message)
        case SystemControlMessage():
            return None  # models do not see them


def _text(message: TextMessage, _notes: Notes, _index: int) -> Draft:
    data = message.data
    members = _present(data, ("content", "name"))
    if data.refusal is not None and data.role == "assistant":
        members["refusal"] = data.refusal
    return Draft(data.role, members)


def _compaction(message: CompactionMessage) -> Draft | None:
    """Return the summary; None if messages were left out without one."""
    data = message.data
    return None if data.summary is None else Draft(data.role or "user", {"content": data.summary})


def _reasoning(message: ReasoningMessage, _notes: Notes, _index: int) -> Draft:
    content = message.data.content
    return Draft("assistant", {} if content is None else {"reasoning": content})


def _tool_request(message: ToolRequestMessage, _notes: Notes, _index: int) -> Draft:
    return Draft("assistant", {"tool_calls": tuple(requested.call for requested in message.data.calls)})


def _opaque(message: OpaqueMessage, _notes: Notes, _index: int) -> Draft:
    return Draft("opaque", {"dialect": message.data.dialect, "data": message.data.data})


def _tool_result(message: ToolResultMessage, notes: Notes, index: int) -> Draft:
    """Return the output of a tool, as text or parts; for a failure, with its message before it."""
    data = message.data
    members = _present(data, ("call_id", "name", "cache"))
    content = _output(message, index)
    if data.error is not None:
        content = _with_text_before(data.error.message, content)
    if content is not None:
        members["content"] = content
    if data.status == "error":
        members["is_error"] = True
    elif data.status == "success" and notes.get("is_error") is False:
        members["is_error"] = False
    draft = Draft("tool", members)
    draft.is_kept = notes.get("place") == "kept"
    return draft


def _output(message: ToolResultMessage, index: int) -> Any:
    """Return the output as content: text, or parts if it is marked as parts; other JSON becomes its text."""
    output = message.data.output
    if output is None or isinstance(output, str):
        return output
    if message.data.output_form == "parts":
        try:
            return parts_reader().validate_python(output)
        except ValidationError:
            pass  # it is marked as parts but is not
    try:
        return json_text(output)
    except ValueError:
        pass
    # Raised outside the handler: the cause would show the value.
    raise EncodeError(_STORED, f"/{index}/data/output", "the output of a tool is not JSON, or nested too deeply")


def _image(message: ImageMessage, _notes: Notes, _index: int) -> Draft:
    return _image_of(message.data, _picture)


def _image_of(data: ImageData, seeing: Callable[[ImageData], Any]) -> Draft:
    """Return an image as `seeing` shows it, or its OCR text if only that was read; with the caption before it."""
    seen: Any
    if data.status == "failed":
        seen = _note("The image could not be read", data.error)
    elif data.status == "pending":
        raise Unresolved
    elif data.recognition is not None and data.recognition.mode_used == "ocr":
        seen = _read_text(data.recognition.recognized_text)
    else:
        seen = seeing(data)
    return Draft(
        data.role or "user", {"content": seen if data.caption is None else _with_text_before(data.caption, seen)}
    )


def _read_text(text: str | None) -> str:
    """Return the text that was read from an image, or a note that there was none."""
    has_words = text is not None and bool(text.strip())
    return f"Text in the image:\n\n{text}" if has_words else _note("No text was found in the image", None)


def _picture(data: ImageData) -> tuple[ImagePart, ...] | str:
    """Return an image as a part; if only its path is known, the vision model's description.

    Raises:
        Unresolved: there is neither.
    """
    source = data.source
    kind = source.kind
    members = _present(source, ("format",)) | _present(data, ("detail",))
    if source.data is not None:
        return (ImagePart(data=source.data, **members),)
    if isinstance(source, UrlImageSource):
        return (ImagePart(url=source.url, **members),)
    match kind:
        case "url" | "base64" | "file_path":
            return _description(data)


def _description(data: ImageData) -> str:
    """Return the vision model's description of an image.

    Raises:
        Unresolved: there is none.
    """
    if data.recognition is None:
        raise Unresolved
    texts = [*filter(None, (data.recognition.vision_analysis, data.recognition.recognized_text))]
    return "\n\n".join(["What the image shows:", *texts]) if texts else _note("Nothing is known of the image", None)


def _file_reference(message: FileReferenceMessage, _notes: Notes, _index: int) -> Draft:
    """Return the text of a file, with its path and lines."""
    data = message.data
    if data.status == "failed":
        content = _note(f"The file {data.path} could not be read", data.error)
    elif data.status == "pending" or data.content is None:
        raise Unresolved
    else:
        content = f"File {data.path}{_lines(data.start_line, data.end_line)}:\n\n{data.content}"
    return Draft(data.role or "user", {"content": content})


def _lines(start: int | None, end: int | None) -> str:
    if start is None and end is None:
        return ""
    return f", lines {start or 1} to {end or 'the end'}"


def _mcp_resource(message: McpResourceMessage, _notes: Notes, _index: int) -> Draft:
    """Return a resource as a system message, without its origin.

    Providers refuse anything but text in system messages, so other resources become parts of a user message that is
    marked as coming from the system.
    """
    data = message.data
    if data.encoding != "base64":
        return Draft("system", {"content": data.content})
    text = _decoded(data.content, data.mime_type or "") if _TEXT_TYPES.match(data.mime_type or "") else None
    if text is not None:
        return Draft("system", {"content": text})
    kind = MEDIA[kind_of_data(data.content, data.mime_type or "")]
    part = kind(data=data.content, format=data.mime_type, name=data.name)
    return Draft("user", {"content": (TextPart(text="Provided by the system:"), part)})


def _decoded(data: str, media_type: str) -> str | None:
    """Return the text in base64 data, or None if it is not text."""
    try:
        return decoded_text(base64.b64decode(data, validate=True), media_type)
    except ValueError:
        return None


def _note(text: str, failure: Failure | None) -> str:
    """Return a note with the code of a failure, whose message is for people only."""
    code = None if failure is None else failure.code
    return f"[{text}: {code}]" if code is not None and _PLAIN_CODE.fullmatch(code) else f"[{text}]"


def _with_text_before(text: str, content: Any) -> Any:
    """Return content with a text put before it."""
    if content is None or content == "":
        return text
    return f"{text}\n\n{content}" if isinstance(content, str) else (TextPart(text=text), *content)


def _present(value: Any, names: tuple[str, ...]) -> Members:
    """Return the named members that a value has."""
    return {name: found for name in names if (found := getattr(value, name, None)) is not None}
