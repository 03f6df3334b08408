"""Errors in mid-stream: convert between error frames, error events and `ApiError`.

A room's `ErrorForm` serves frames and bodies alike. Source: docs/provider_errors.md.
"""

from __future__ import annotations

from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, cast

from interlingua.errors import DecodeError
from interlingua.rooms._shared.api_errors import encode_failure
from interlingua.rooms._shared.error_categories import TEXT_LIMIT, ErrorFacts, category_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.loss import LossLog
    from interlingua.model_shapes import ApiError
    from interlingua.rooms._shared.api_errors import ErrorForm
    from interlingua.rooms._shared.stream_writer import Event

__all__ = ["PLACES", "error_event", "error_of", "failed_body", "has_places"]

_MEMBERS: Final = (
    "dialect", "category", "status", "message", "param", "retry_after", "limit_tokens", "used_tokens",
    "requested_tokens", "request_id", "extra",
)  # fmt: skip
# Path in an error -> path in its event.
PLACES: Final[Mapping[str, str]] = MappingProxyType(
    {"/type": "/error_type", **{f"/{name}": f"/{name}" for name in (*_MEMBERS, "code")}}
)


def _form_of(dialect: str) -> ErrorForm:
    """Return how a dialect says errors; its room is asked for it only where there is one."""
    return cast("ErrorForm", import_module(f"interlingua.rooms.{dialect}.errors").FORM)


def failed_body(error: ApiError, dialect: str, log: LossLog) -> Any:
    """Return the body of an error in mid-stream; what does not come along is noted in the log."""
    return encode_failure(error, _form_of(dialect), log)


def error_event(body: Any, dialect: str) -> Event:
    """Return the event of an error body; one of unknown shape has only the category `unknown`."""
    try:
        error = cast("dict[str, Any]", _form_of(dialect).decode(body))
    except DecodeError:
        return {"type": "error", "dialect": dialect, "category": "unknown"}
    event: Event = {"type": "error"}
    event |= {name: error[name] for name in _MEMBERS if name in error and name != "extra" and error[name] != ""}
    words = [error[name] for name in ("code", "type") if name in error]
    if words:
        event["code"] = words[0]
    if len(words) > 1:
        event["error_type"] = words[1]
    return event


def error_of(event: Event) -> ApiError:
    """Return the error of an event; a missing category is determined as for a body."""
    error: dict[str, Any] = {name: event[name] for name in _MEMBERS if name in event}
    error |= {name: event[word] for name, word in (("code", "code"), ("type", "error_type")) if word in event}
    error.setdefault("message", "")
    if "category" not in error:
        words = tuple(event[name] for name in ("code", "error_type") if name in event)
        error["category"] = category_of(
            ErrorFacts(status=event.get("status"), words=words, text=error["message"][:TEXT_LIMIT])
        )
    return cast("ApiError", error)


def has_places(extra_of: Any) -> bool:
    """Tell whether an `extra` bag, which may be any value, records the places of an error body's members."""
    notes: Any = extra_of.get("spelling") if type(extra_of) is dict else None
    return type(notes) is dict and "error_places" in notes
