"""What a client refers to and only its own provider's server holds: it is refused, as that server would refuse it.

The conversation, or a part of it, is elsewhere: an answer without it would look right and be wrong. Clients act on
these errors: the tool runner of Claude's SDK sends the whole conversation then. Source: docs/provider_errors.md, and
the errors that the official SDKs look for.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

import interlingua as il

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.model import ApiError
    from interlingua.registry import Dialect

__all__ = ["not_held"]


def _openai(status: int, param: str, code: str | None) -> tuple[int, dict[str, Any]]:
    message = f"What `{param}` names is not held here; send all of it with the request."
    return status, {"error": {"message": message, "type": "invalid_request_error", "param": param, "code": code}}


_THREAD: Final[dict[str, Any]] = {
    "type": "error",
    "error": {
        "type": "invalid_request_error",
        "message": "thread: no conversation is held here; send the whole conversation with each request.",
        "details": {"error_code": "thread_unsupported_request", "unsupported": ["thread"]},
    },
}
_CACHE: Final[dict[str, Any]] = {
    "error": {
        "code": 403,
        "message": "The cached content is not held here; send its content with the request.",
        "status": "PERMISSION_DENIED",
    }
}
# Dialect of the client -> member of its request -> status and body of the refusal.
_REFUSALS: Final[Mapping[str, Mapping[str, tuple[int, dict[str, Any]]]]] = MappingProxyType({
    "openai_responses": {
        "previous_response_id": _openai(400, "previous_response_id", "previous_response_not_found"),
        "conversation": _openai(404, "conversation", None),
        "prompt": _openai(404, "prompt", None),
    },
    "claude": {"thread": (400, _THREAD)},
    "gemini": {"cachedContent": (403, _CACHE), "cached_content": (403, _CACHE)},
})  # fmt: skip


def not_held(body: Mapping[str, Any], speak: Dialect) -> ApiError | None:
    """Return the error of a request that refers to what only the server of the client's own provider holds.

    None for a request that says all of itself.
    """
    for member, (status, error) in _REFUSALS.get(speak, {}).items():
        if body.get(member):
            return il.decode_error(error, speak, status=status)
    return None
