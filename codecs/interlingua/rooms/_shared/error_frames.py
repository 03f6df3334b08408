"""Recognize stream frames that are errors in another dialect's format, as intermediate servers write them.

Source: docs/provider_errors.md. `error_bodies` parses them; this module is small, since every unknown frame, such as a
ping, passes through it.
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

    It is one if it is labelled as one, has an `error`, or has a message and only members of error objects. A frame with
    another `type` is none, unless that type names an error or an exception.
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
