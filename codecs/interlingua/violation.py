"""Violations: what a provider would refuse in a body, or what is wrong with a message, with closed lists of codes.

Source: docs/wire/<dialect>.md, sections 4 and 6 to 8, and 001's message validation. A violation never repeats content;
its path leads into the wire body or the message.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, get_args

__all__ = ["MESSAGE_CODES", "VIOLATION_CODES", "MessageCode", "Misspelt", "Violation", "ViolationCode"]

ViolationCode = Literal[
    "arguments",  # call arguments in a form that the provider does not read
    "cache",  # too many cache marks, or one where none is allowed
    "dangling_call",  # a call without a result where the result must be
    "duplicate_id",  # an id that another call has, or a call with two results
    "empty",  # an empty list or part
    "empty_text",  # a text that is empty or only white space
    "id",  # an id that the provider does not accept
    "json",  # a value that JSON cannot hold: half a surrogate pair, NaN, too large a number, too deep nesting
    "limit",  # a number, or a count, that is too small or too large
    "media_type",  # media of a type that the provider does not accept
    "member",  # a member that the provider does not accept in this place
    "name",  # a name that the provider does not accept
    "order",  # a message or part in a place where it is not allowed
    "orphan_result",  # a tool result without its call where the call must be
    "part",  # a part that is not accepted in this place
    "prefill",  # a last message of the assistant, which the model does not continue
    "reasoning",  # reasoning without what must stand beside it
    "required",  # a member that the provider requires
    "role",  # a role that the provider does not know
    "schema",  # a schema that the provider refuses
    "setting",  # a setting whose value is refused, or refused beside another
    "shape",  # a member of another JSON type than the provider reads
    "signature",  # reasoning or a call without the signature that the provider requires
    "tool",  # a tool of a kind that the provider does not support
    "trailing_space",  # white space at the end of a last message of the assistant
]
"""Why a provider would refuse a request; `interlingua explain CODE` explains each.

Example:
    >>> from typing import get_args
    >>> "required" in get_args(il.ViolationCode)
    True
"""
VIOLATION_CODES: Final[frozenset[str]] = frozenset(get_args(ViolationCode))

MessageCode = Literal[
    "approval_status",  # neither pending, approved nor denied
    "arguments",  # call arguments that are not a JSON object
    "base64",  # data that is not base64
    "control_character",  # a path with a control character or a bidirectional text mark
    "control_kind",  # a control message of an unknown kind
    "duplicate_call_id",  # the id of an earlier call of the same message
    "empty_branch",  # a switch from or to a branch without a name
    "empty_call_id",  # a call without an id
    "empty_control_name",  # a control message of the application without a name
    "empty_mode",  # a change to a mode without a name
    "empty_part",  # an empty text part
    "empty_path",  # a file without a path
    "empty_server_name",  # a resource of a server without a name
    "empty_text",  # an empty text message
    "execution_status",  # neither success nor error
    "execution_time",  # a tool that ended before it began
    "failed_without_error",  # a failure without an error
    "image_source",  # an image with an unknown kind of source
    "json",  # a value that JSON cannot hold
    "line_number",  # a line number that is not a whole number from 1
    "line_range",  # a range that ends before it begins
    "media_type",  # an invalid media type
    "no_calls",  # a tool request without calls
    "not_normalized",  # a path that is not in its normal form
    "not_portable",  # a path that on Windows means another file, a device or a stream
    "nul",  # a path with a NUL character
    "output_parts",  # an output that is marked as parts, but is not a list of parts
    "part_source",  # a part with no content, or with content in several places
    "path_too_long",  # a path, or a name in it, with too many bytes
    "recognition_mode",  # neither vision, ocr nor auto
    "resolution_status",  # neither pending, resolved nor failed
    "resolved_without_content",  # a file that is marked as read, but has no content
    "resource_uri",  # an invalid resource URI
    "role",  # an unknown role
    "shape",  # any other violation of the schema
    "success_with_error",  # a tool that succeeded, but has an error
    "timestamp",  # an invalid time, or one without a time zone
    "tool_name",  # an invalid tool name
    "traversal",  # a path that goes up with ..
    "unknown_message",  # a message of an unknown type or version
    "unknown_part",  # a part of an unknown type
    "unlinked_result",  # a result that names neither its call nor its tool
    "url",  # an invalid URL
]
MESSAGE_CODES: Final[frozenset[str]] = frozenset(get_args(MessageCode))


@dataclass(frozen=True, slots=True)
class Violation:
    """One reason why the provider would refuse a request, or one fault of a message.

    `code` is one of `VIOLATION_CODES`, or for a message one of `MESSAGE_CODES`. `path` is a JSON Pointer into the body
    or the message; for something missing, to the absent member. `detail` is a short explanation for people, without
    content.

    Example:
        >>> body = {"model": "claude-opus-5", "messages": []}
        >>> [(one.code, one.path) for one in il.check_request(body, "claude")]
        [('required', '/max_tokens'), ('empty', '/messages')]
    """

    code: ViolationCode | MessageCode
    path: str
    detail: str


@dataclass(frozen=True, slots=True)
class Misspelt:
    """An unknown member of a request whose name is probably a misspelling of a known one.

    `path` is a JSON Pointer to the member. `meant` are the names that may have been meant, the likeliest first.
    `is_refused` says whether the provider refuses it, so that `check_request` reports it, too; otherwise the provider
    ignores it silently.

    Example:
        >>> body = {"model": "m", "messages": [], "options": {"temprature": 0.5}}
        >>> il.find_misspelt(body, "ollama")
        [Misspelt(path='/options/temprature', meant=('temperature',), is_refused=False)]
    """

    path: str
    meant: tuple[str, ...]
    is_refused: bool
