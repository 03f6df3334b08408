"""Factory functions for transcript messages, one for each kind, such as `il.messages.user("Hello")`.

`members` are those that every message may have: `id`, `created_at`, `joins`, `answer`, `source`, `metadata`, `extra`.
Arguments are validated, and free-form JSON is made plain; errors do not repeat them.
"""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar

from interlingua.errors import ToolOutputError
from interlingua.json_limits import DETAILS, Kind, unsendable, unwritable, without_json_form
from interlingua.model import (
    BranchSwitchControl,
    CompactionMessage,
    Control,
    CustomControl,
    FileReferenceMessage,
    ImageMessage,
    McpResourceMessage,
    MessageRole,
    ModeChangeControl,
    OpaqueMessage,
    ReasoningMessage,
    SystemControlMessage,
    TextMessage,
    ToolRequestMessage,
    ToolResultMessage,
)
from interlingua_types._base import InterlinguaModel, InvalidArgumentError
from interlingua_types._checks import check_content, made

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from interlingua.model import Content, ImageSource, Part, ToolCall
    from interlingua.tools.output import Output

    Said: TypeAlias = Content | Sequence[Part | Mapping[str, Any]]

__all__ = [
    "assistant",
    "branch_switch",
    "compaction",
    "control",
    "developer",
    "file",
    "image",
    "mode_change",
    "opaque",
    "reasoning",
    "resource",
    "system",
    "tool_request",
    "tool_result",
    "user",
]

# A one-letter scheme would be the drive of a Windows path.
_ADDRESS: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")

MessageT = TypeVar("MessageT", bound=InterlinguaModel)


def user(content: Said, *, name: str | None = None, **members: Any) -> TextMessage:
    """Return a user message.

    Args:
        content: Text or a list of parts; must not be empty.
        name: The speaker, if there are several users.
        members: Members that every message may have, such as `id`.

    Raises:
        InvalidArgumentError: the content is missing or empty, or a member does not match the schema.

    Example:
        >>> il.messages.user("How warm is it in Rome?").text
        'How warm is it in Rome?'
    """
    return _words(MessageRole.USER, content, name, members)


def assistant(content: Said, *, name: str | None = None, **members: Any) -> TextMessage:
    """Return an assistant message. Tool calls are a separate `tool_request`, reasoning is a `reasoning` message.

    Args:
        content: Text or a list of parts; must not be empty.
        name: The speaker, if there are several models.
        members: Members that every message may have, such as `id`.

    Raises:
        InvalidArgumentError: the content is missing or empty, or a member does not match the schema.

    Example:
        >>> il.messages.assistant("31 degrees.").data.role.value
        'assistant'
    """
    return _words(MessageRole.ASSISTANT, content, name, members)


def system(content: Said, *, name: str | None = None, **members: Any) -> TextMessage:
    """Return a system message.

    Args:
        content: Text or a list of parts; must not be empty.
        name: Who gives it.
        members: Members that every message may have, such as `id`.

    Raises:
        InvalidArgumentError: the content is missing or empty, or a member does not match the schema.

    Example:
        >>> il.to_chat([il.messages.system("You help.")])[0].role
        'system'
    """
    return _words(MessageRole.SYSTEM, content, name, members)


def developer(content: Said, *, name: str | None = None, **members: Any) -> TextMessage:
    """Return a developer message.

    Args:
        content: Text or a list of parts; must not be empty.
        name: Who gives it.
        members: Members that every message may have, such as `id`.

    Raises:
        InvalidArgumentError: the content is missing or empty, or a member does not match the schema.

    Example:
        >>> il.messages.developer("Answer in one sentence.").data.role.value
        'developer'
    """
    return _words(MessageRole.DEVELOPER, content, name, members)


def reasoning(content: Said | None = None, **members: Any) -> ReasoningMessage:
    """Return the model's reasoning.

    Args:
        content: The reasoning, as text or a list of parts; None if only its provider can read it (`extra`).
        members: Members that every message may have, such as `id`.

    Raises:
        InvalidArgumentError: the content is empty, or a member does not match the schema.

    Example:
        >>> il.messages.reasoning("I need the weather.").type
        'reasoning'
    """
    data = {} if content is None else {"content": check_content(content)}
    return _message(ReasoningMessage, data, members)


def tool_request(*calls: ToolCall | Mapping[str, Any], status: str = "pending", **members: Any) -> ToolRequestMessage:
    """Return a tool request: tool calls of the model.

    Args:
        calls: The calls, one or more, in order.
        status: Whether they may run: "pending", "approved" or "denied".
        members: Members that every message may have, such as `id`.

    Raises:
        InvalidArgumentError: there is no call, or a value does not match the schema.

    Example:
        >>> call = il.ToolCall.create("weather", {"city": "Rome"}, "call_1")
        >>> il.messages.tool_request(call).data.calls[0].approval.status
        'pending'
    """
    if not calls:
        raise InvalidArgumentError("a request must have at least one call")
    requested = [{"call": call, "approval": {"status": status}} for call in calls]
    return _message(ToolRequestMessage, {"calls": requested}, members)


def tool_result(call_id: str, output: Any = None, *, error: str | None = None, **members: Any) -> ToolResultMessage:
    """Return the result of a tool call.

    Args:
        call_id: The id of the call.
        output: The tool's output: JSON, one part or a list of parts, or anything that Pydantic can serialise, such as a
            date or a dataclass. The result object of an MCP client is converted as a tool executor converts it.
        error: Why the tool failed, in words that the model may read; None if it succeeded or the output says so itself.
        members: Members that every message may have, such as `id`.

    Raises:
        InvalidArgumentError: a member does not match the schema, or the output has no JSON form.

    Example:
        >>> il.messages.tool_result("call_1", {"degrees": 31}).data.status
        'success'
    """
    kept = _as_json(output, "output")
    error = kept.failure if error is None else error
    data: dict[str, Any] = {"call_id": call_id, "status": "success" if error is None else "error"}
    held = {"output": kept.value, "output_form": kept.form, "artifact": kept.artifact}
    data |= {name: value for name, value in held.items() if value is not None}
    if error is not None:
        data["error"] = {"code": "tool", "message": error, "recoverable": True}
    return _message(ToolResultMessage, data, members)


def image(
    source: ImageSource | Mapping[str, Any] | str, *, mode: str = "auto", caption: str | None = None, **members: Any
) -> ImageMessage:
    """Return an image message that is not resolved yet; `ImageResolver` resolves it.

    Args:
        source: Where the image is: a URL, or a source such as `FilePathImageSource(path=...)`.
        mode: How to read it: "vision", "ocr" or "auto".
        caption: The sender's caption.
        members: Members that every message may have, such as `id`.

    Raises:
        InvalidArgumentError: a member does not match the schema, or the source is a string but not a URL, such as a
            file path.

    Example:
        >>> il.messages.image("https://example.com/sign.png").data.source.kind
        'url'
    """
    if isinstance(source, str) and not _ADDRESS.match(source):
        raise InvalidArgumentError("a URL needs a scheme such as https:; for a file use FilePathImageSource(path=...)")
    data: dict[str, Any] = {"source": {"kind": "url", "url": source} if isinstance(source, str) else source}
    data |= {"mode": mode} if caption is None else {"mode": mode, "caption": caption}
    return _message(ImageMessage, data, members)


def file(path: str, start_line: int | None = None, end_line: int | None = None) -> FileReferenceMessage:
    """Return a file reference that is not resolved yet; `FileResolver` resolves it.

    Args:
        path: The path, relative to the workspace or absolute.
        start_line: The first line, counted from 1; None for the whole file.
        end_line: The last line, inclusive.

    Raises:
        InvalidArgumentError: the path or the line range is invalid.

    Example:
        >>> il.messages.file("src/main.py", 1, 20).data.status
        'pending'
    """
    return FileReferenceMessage.create(path, start_line, end_line)


def resource(
    server_name: str,
    resource_uri: str,
    content: str,
    *,
    retrieved_at: str,
    mime_type: str | None = None,
    **members: Any,
) -> McpResourceMessage:
    """Return an MCP resource message; `McpResources` fetches resources.

    Args:
        server_name: The name of the server.
        resource_uri: The URI of the resource.
        content: The text of the resource.
        retrieved_at: When it was fetched (RFC 3339).
        mime_type: The media type of the resource.
        members: Members that every message may have, such as `id`.

    Raises:
        InvalidArgumentError: a member does not match the schema.

    Example:
        >>> il.messages.resource("docs", "docs://api", "# API", retrieved_at="2026-01-01T00:00:00Z").type
        'mcp_resource'
    """
    data = {"server_name": server_name, "resource_uri": resource_uri, "content": content, "retrieved_at": retrieved_at}
    data |= {} if mime_type is None else {"mime_type": mime_type}
    return _message(McpResourceMessage, data, members)


def mode_change(old_mode: str, new_mode: str, **members: Any) -> SystemControlMessage:
    """Return a control message that the application's mode changed.

    Args:
        old_mode: The mode before.
        new_mode: The mode after.
        members: Members that every message may have, such as `id`.

    Raises:
        InvalidArgumentError: a member does not match the schema.

    Example:
        >>> il.messages.mode_change("plan", "act").data.control.kind
        'mode_change'
    """
    return _control(made(ModeChangeControl, {"old_mode": old_mode, "new_mode": new_mode}), members)


def branch_switch(old_branch: str, new_branch: str, **members: Any) -> SystemControlMessage:
    """Return a control message that the active branch changed; `Transcript.switch` adds one itself.

    Args:
        old_branch: The branch before.
        new_branch: The branch after.
        members: Members that every message may have, such as `id`.

    Raises:
        InvalidArgumentError: a member does not match the schema.

    Example:
        >>> il.messages.branch_switch("main", "other").data.control.kind
        'branch_switch'
    """
    return _control(made(BranchSwitchControl, {"old_branch": old_branch, "new_branch": new_branch}), members)


def control(name: str, parameters: Mapping[str, Any] | None = None, **members: Any) -> SystemControlMessage:
    """Return a custom control message, whose meaning the application defines.

    Args:
        name: The name of the control.
        parameters: Its parameters, as JSON or anything that Pydantic can serialise.
        members: Members that every message may have, such as `id`.

    Raises:
        InvalidArgumentError: a member does not match the schema.

    Example:
        >>> il.messages.control("budget", {"tokens": 1000}).data.control.kind
        'custom'
    """
    said: dict[str, Any] = (
        {"name": name} if parameters is None else {"name": name, "parameters": _as_json(parameters, "parameters").value}
    )
    return _control(made(CustomControl, said), members)


def compaction(
    summary: Said | None = None, first_id: str | None = None, last_id: str | None = None, **members: Any
) -> CompactionMessage:
    """Return a compaction message: earlier messages were summarised, and `to_chat` puts the summary in their place.

    Args:
        summary: The summary, as text or a list of parts; None if the messages were only left out.
        first_id: The id of the first summarised message; None for the beginning, after the instructions there.
        last_id: The id of the last summarised message; None for the one before this message.
        members: Members that every message may have, such as `id`.

    Raises:
        InvalidArgumentError: the summary is empty, or a member does not match the schema.

    Example:
        >>> story = [il.messages.user("A long story."), il.messages.compaction("A story was told.")]
        >>> [message.content for message in il.to_chat(story)]
        ['A story was told.']
    """
    ids = {"first_id": first_id, "last_id": last_id}
    data: dict[str, Any] = {name: value for name, value in ids.items() if value is not None}
    return _message(
        CompactionMessage, data if summary is None else {**data, "summary": check_content(summary, "summary")}, members
    )


def opaque(dialect: str, data: Any, **members: Any) -> OpaqueMessage:
    """Return an opaque message: data that only one dialect understands, kept as it is.

    Args:
        dialect: The name of the dialect.
        data: The message as that dialect has it, as JSON or anything that Pydantic can serialise.
        members: Members that every message may have, such as `id`.

    Raises:
        InvalidArgumentError: a member does not match the schema.

    Example:
        >>> il.messages.opaque("openai_responses", {"type": "compaction"}).data.dialect
        'openai_responses'
    """
    return _message(OpaqueMessage, {"dialect": dialect, "data": _as_json(data, "data").value}, members)


def _words(role: MessageRole, content: Said, name: str | None, members: Mapping[str, Any]) -> TextMessage:
    data: dict[str, Any] = {"role": role, "content": check_content(content)}
    return _message(TextMessage, data if name is None else {**data, "name": name}, members)


def _control(control: Control, members: Mapping[str, Any]) -> SystemControlMessage:
    return _message(SystemControlMessage, {"control": control}, members)


def _message(kind: type[MessageT], data: Mapping[str, Any], members: Mapping[str, Any]) -> MessageT:
    """Return a message of a class.

    Raises:
        InvalidArgumentError: a value does not match the schema.
    """
    if "metadata" in members:
        members = {**members, "metadata": _as_json(members["metadata"], "metadata").value}
    return made(kind, {"data": dict(data), **members})


def _as_json(value: Any, what: str) -> Output:
    """Return a Python value as JSON; lone surrogates in strings are kept (docs/errors.md).

    Raises:
        InvalidArgumentError: it has no JSON form; the message names the place.
    """
    from interlingua.tools.output import Output, output_of  # noqa: PLC0415  # slow, and not needed for text

    try:
        return output_of(value, sys.maxsize)
    except ToolOutputError as error:
        is_repeated = error.code == "repeated_name"
    # Raised outside the handler, so that the traceback has no cause that shows the value.
    if is_repeated:
        names = (path for path, kind in unsendable(value) if kind == "no_name")
        raise InvalidArgumentError(f"{what}{next(names, '')}: two names become the same name in JSON")
    found: list[tuple[str, Kind]] = [*((path, "no_value") for path in without_json_form(value)), *unwritable(value)]
    for path, kind in found:
        if kind != "half_character":
            raise InvalidArgumentError(f"{what}{path}: {DETAILS[kind]}")
    return Output(value)
