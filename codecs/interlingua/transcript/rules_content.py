"""Rules of the messages that carry content: text (TYPE-9.1), reasoning, files (TYPE-9.2), pictures, ..."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, get_args

from interlingua.json_types import is_text
from interlingua.model import MessageRole, RecognitionMode, ResolutionStatus
from interlingua.transcript.rules_shared import (
    check_base64,
    check_choice,
    check_filled,
    check_media_type,
    check_parts,
    check_path,
    check_timestamps,
    check_url,
    is_empty,
    member,
    tag_path,
)
from interlingua.violation import Violation
from interlingua_types.current.tags import ControlTag, ImageSourceTag

if TYPE_CHECKING:
    from collections.abc import Iterator

    from interlingua.transcript.rules_shared import Json
    from interlingua.violation import MessageCode

__all__ = [
    "check_compaction",
    "check_control",
    "check_file_reference",
    "check_image",
    "check_reasoning",
    "check_resource",
    "check_text",
]

_ROLES: Final = tuple(role.value for role in MessageRole)
_SOURCES: Final[tuple[ImageSourceTag, ...]] = get_args(ImageSourceTag)
_CONTROLS: Final[tuple[ControlTag, ...]] = get_args(ControlTag)


def check_text(data: Json, path: str, *, allow_empty: bool) -> Iterator[Violation]:
    """Judge a text message: somebody says something, part by part."""
    yield from check_choice(data.get("role"), _ROLES, path + "/role", "role")
    content, refusal = data.get("content"), data.get("refusal")
    is_silent = is_empty(content) and is_empty(refusal)
    if is_silent and not allow_empty:
        yield Violation("empty_text", path + "/content", "must not be empty")
    for name, parts in (("content", content), ("refusal", refusal)):
        yield from check_parts(parts, f"{path}/{name}", allow_empty=allow_empty or is_silent)


def check_reasoning(data: Json, path: str) -> Iterator[Violation]:
    """Judge the parts of a chain of thought, which may be silent: a provider may keep it to itself."""
    yield from check_parts(data.get("content"), path + "/content", allow_empty=True)


def check_compaction(data: Json, path: str) -> Iterator[Violation]:
    """Judge a compaction: the parts of the summary, and who tells it."""
    yield from check_parts(data.get("summary"), path + "/summary", allow_empty=False)
    yield from _check_role(data, path)


def check_file_reference(data: Json, path: str) -> Iterator[Violation]:
    """Judge a file reference: a sound path in its normal form, lines that are a range, a status that holds."""
    yield from check_path(data, path)
    yield from _check_lines(data, path)
    yield from _check_role(data, path)
    yield from _check_status(data, path)
    if data.get("status") == "resolved" and data.get("content") is None:
        yield Violation("resolved_without_content", path + "/content", "must be present once the file was read")
    yield from check_timestamps(data, ("resolved_at",), path)


def _check_lines(data: Json, path: str) -> Iterator[Violation]:
    lines = {name: data[name] for name in ("start_line", "end_line") if data.get(name) is not None}
    wrong = [name for name, line in lines.items() if not _is_line(line)]
    for name in wrong:
        yield Violation("line_number", f"{path}/{name}", "must be a whole number from 1")
    if not wrong and len(lines) == 2 and lines["end_line"] < lines["start_line"]:
        yield Violation("line_range", path + "/end_line", "must not be before `start_line`")


def _is_line(line: Any) -> bool:
    is_whole = type(line) is int or (type(line) is float and line.is_integer())
    return is_whole and line >= 1


def _check_role(data: Json, path: str) -> Iterator[Violation]:
    if data.get("role") is not None:
        yield from check_choice(data["role"], _ROLES, path + "/role", "role")


def _check_status(data: Json, path: str) -> Iterator[Violation]:
    status = data.get("status")
    if status is not None:
        yield from check_choice(status, get_args(ResolutionStatus), path + "/status", "resolution_status")
    if status == "failed" and data.get("error") is None:
        yield Violation("failed_without_error", path + "/error", "must say why it could not be read")


def check_image(data: Json, path: str) -> Iterator[Violation]:
    """Judge a picture: where it is, how it shall be read, and what became of it."""
    yield from check_choice(data.get("mode"), get_args(RecognitionMode), path + "/mode", "recognition_mode")
    yield from _check_role(data, path)
    yield from _check_status(data, path)
    yield from _check_source(data.get("source"), path + "/source")
    yield from check_timestamps(data.get("recognition"), ("recognized_at",), path + "/recognition")


def _check_source(source: Any, path: str) -> Iterator[Violation]:
    kind = member(source, "kind")
    if not is_text(kind) or kind not in _SOURCES:
        yield Violation("image_source", tag_path(source, "kind", path), f"must be one of: {', '.join(_SOURCES)}")
        return
    yield from check_base64(source, "data", path)
    yield from check_media_type(source, "format", path)
    yield from _check_place(source, kind, path)


def _check_place(source: Json, kind: ImageSourceTag, path: str) -> Iterator[Violation]:
    """Judge where a picture is; a new kind is to be decided here."""
    match kind:
        case "file_path":
            return check_path(source, path)
        case "url":
            return check_url(source, "url", path)
        case "base64":
            return iter(())


def check_resource(data: Json, path: str) -> Iterator[Violation]:
    """Judge a resource of an MCP server: which one it is, and what it holds."""
    yield from check_filled(data, "server_name", path, "empty_server_name")
    if data.get("resource_uri") is None:
        yield Violation("resource_uri", path + "/resource_uri", "must not be empty")
    yield from check_url(data, "resource_uri", path, "resource_uri")
    yield from check_media_type(data, "mime_type", path)
    if data.get("encoding") == "base64":
        yield from check_base64(data, "content", path)
    yield from check_timestamps(data, ("retrieved_at", "last_accessed_at"), path)


def check_control(data: Json, path: str) -> Iterator[Violation]:
    """Judge a control message: of a kind that is known, with what it changes to."""
    control = data.get("control")
    kind = member(control, "kind")
    where = path + "/control"
    if not is_text(kind) or kind not in _CONTROLS:
        yield Violation("control_kind", tag_path(control, "kind", where), f"must be one of: {', '.join(_CONTROLS)}")
        return
    for name, code in _demanded(kind):
        yield from check_filled(control, name, where, code)


def _demanded(kind: ControlTag) -> tuple[tuple[str, MessageCode], ...]:
    """Return the members that must say something in a control, each with its code; a new kind is to be decided here."""
    match kind:
        case "mode_change":
            return (("new_mode", "empty_mode"),)
        case "branch_switch":
            return (("old_branch", "empty_branch"), ("new_branch", "empty_branch"))
        case "custom":
            return (("name", "empty_control_name"),)
