"""What a provider would refuse of a body, and what is wrong with a message: `Violation` and its closed lists of codes.

Source: docs/wire/<dialect>.md, sections 4 and 6 to 8, and 001's message validation. A violation never repeats content;
its path leads into the wire body, or into the message.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, get_args

__all__ = ["MESSAGE_CODES", "VIOLATION_CODES", "MessageCode", "Misspelt", "Violation", "ViolationCode"]

ViolationCode = Literal[
    "arguments",  # arguments of a call that are not what the provider reads
    "cache",  # too many cache marks, or one where none may be
    "dangling_call",  # a call without its result where the result must stand
    "duplicate_id",  # an id that another call has, or a call that is answered twice
    "empty",  # a list or a part with nothing in it
    "empty_text",  # a text of nothing, or of nothing but white space
    "id",  # an id that the provider refuses as it is
    "json",  # a value that no JSON text can hold: half a surrogate pair, NaN, too long a number, too many levels
    "limit",  # a number, or a count, that is too small or too large
    "media_type",  # media of a type that the provider does not take
    "member",  # a member that the provider does not take in this place
    "name",  # a name that the provider refuses as it is
    "order",  # a message or part that may not stand where it stands
    "orphan_result",  # a result without its call where the call must stand
    "part",  # a part that this place does not take
    "prefill",  # a last message of the assistant where the model must begin anew
    "reasoning",  # reasoning that misses what must stand beside it
    "required",  # a member that the provider demands
    "role",  # a role that the provider does not know
    "schema",  # a schema that the provider refuses
    "setting",  # a setting whose value is refused, or refused beside another
    "shape",  # a member of another JSON type than the provider reads
    "signature",  # reasoning or a call without the signature that the provider demands
    "tool",  # a tool of a kind that the provider does not take
    "trailing_space",  # white space at the end of a last message of the assistant
]
"""What a provider would refuse a request for; `interlingua explain CODE` says more.

Example:
    >>> from typing import get_args
    >>> "required" in get_args(il.ViolationCode)
    True
"""
VIOLATION_CODES: Final[frozenset[str]] = frozenset(get_args(ViolationCode))

MessageCode = Literal[
    "approval_status",  # neither pending, approved nor denied
    "arguments",  # arguments of a call that are no JSON object
    "base64",  # data that is not base64
    "control_character",  # a path with a control character, or a mark that turns the direction of text
    "control_kind",  # a control message of a kind that nobody knows
    "duplicate_call_id",  # the id of an earlier call of the same message
    "empty_branch",  # a switch from or to a branch without a name
    "empty_call_id",  # a call without an id
    "empty_control_name",  # a control message of the application without a name
    "empty_mode",  # a change to a mode without a name
    "empty_part",  # a text part with nothing in it
    "empty_path",  # a file without a path
    "empty_server_name",  # a resource of a server without a name
    "empty_text",  # a text message with nothing in it
    "execution_status",  # neither success nor error
    "execution_time",  # a tool that ended before it began
    "failed_without_error",  # something that failed, and nobody says why
    "image_source",  # a picture that comes from nowhere that is known
    "json",  # a value that no JSON text can hold
    "line_number",  # a line that is no whole number from 1
    "line_range",  # a range that ends before it begins
    "media_type",  # a media type that is none
    "no_calls",  # a tool request that asks for nothing
    "not_normalized",  # a path that is not in its normal form
    "not_portable",  # a path that is another one, a device or a stream on Windows
    "nul",  # a path with NUL
    "output_parts",  # an output that is marked as parts, and is none
    "part_source",  # a part whose content stands nowhere, or in several places
    "path_too_long",  # a path, or a name in it, with too many bytes
    "recognition_mode",  # neither vision, ocr nor auto
    "resolution_status",  # neither pending, resolved nor failed
    "resolved_without_content",  # a file that was read, and has no content
    "resource_uri",  # an address of a resource that is none
    "role",  # a role that nobody has
    "shape",  # anything else that the schema refuses
    "success_with_error",  # a tool that ran well, and an error of it
    "timestamp",  # a moment that is none, or of no time zone
    "tool_name",  # a name that no tool can have
    "traversal",  # a path that steps upwards
    "unknown_message",  # a message of a type, or a version, that nobody knows here
    "unknown_part",  # a part of a type that nobody knows
    "unlinked_result",  # a result that says neither which call it answers nor which tool
    "url",  # an address that is none
]
MESSAGE_CODES: Final[frozenset[str]] = frozenset(get_args(MessageCode))


@dataclass(frozen=True, slots=True)
class Violation:
    """One thing that the provider would refuse, or that is wrong with a message.

    `code` is one of `VIOLATION_CODES`, of a message one of `MESSAGE_CODES`. `path` is a JSON Pointer into the body or
    the message, to the member that is absent where something is missing. `detail` is a short hint for people, free of
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
    """A member of a request that the dialect does not know, and whose name is nearly that of one that it knows.

    `path` is a JSON Pointer to the member. `meant` are the names that may have been meant, the likeliest first.
    `is_refused` says whether the provider refuses it, so that `check_request` names it, too; else the provider passes
    over it, and what was wished is not done.

    Example:
        >>> body = {"model": "m", "messages": [], "options": {"temprature": 0.5}}
        >>> il.find_misspelt(body, "ollama")
        [Misspelt(path='/options/temprature', meant=('temperature',), is_refused=False)]
    """

    path: str
    meant: tuple[str, ...]
    is_refused: bool
