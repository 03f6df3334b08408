"""Errors in the words of another dialect where a stream has a frame: servers in between write such.

Source: docs/provider_errors.md. What such a frame says, `error_bodies` finds; this module is small, since frames that a
room does not know, such as pings, are looked at here.
"""

from __future__ import annotations

from typing import Any, Final

__all__ = ["is_error_frame"]

_TELLING: Final = ("message", "msg", "Message", "detail")
_OF_ERRORS: Final = frozenset({
    *_TELLING, "code", "reason", "type", "error_type", "__type", "status", "raw_status_code", "details", "param",
    "request_id", "success", "originalMessage", "originalStatusCode",
})  # fmt: skip


def is_error_frame(frame: dict[str, Any]) -> bool:
    """Tell whether a frame that its dialect does not know is an error.

    It says so, or has an error, or a message and nothing but what stands beside those of errors. A frame of a type of
    its own is none, whatever it tells, unless that type is the name of an error.
    """
    kind, error, errors = frame.get("type"), frame.get("error"), frame.get("errors")
    if frame.get("object") == "error":
        return True
    if type(kind) is str and not ("error" in kind.lower() or "exception" in kind.lower()):
        return False
    if kind == "error" or (type(error) in {dict, str} and bool(error)):
        return True
    if type(errors) is list and errors:
        return type(errors[0]) in {dict, str}
    return frame.keys() <= _OF_ERRORS and any(type(frame.get(name)) is str for name in _TELLING)
