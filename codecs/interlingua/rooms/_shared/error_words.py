"""The words and statuses by which providers say what went wrong, and the category that they make together.

One table for all dialects: vendors use each other's words. Source: docs/provider_errors.md.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.model_shapes import ErrorCategory

__all__ = ["HABITUAL", "TEXT_LIMIT", "Told", "category_of", "is_plain", "is_vetoed"]

TEXT_LIMIT: Final = 4_000
"""How much of a message is searched for words: what an error says of itself stands at its beginning."""

_WORDS: Final[Mapping[ErrorCategory, str]] = MappingProxyType({
    "authentication": "invalid_api_key wrong_api_key api_key_invalid authentication_error authenticationerror "
    "unauthenticated",
    "permission": "permission_error permissiondeniederror permission_denied multimodal_not_enabled",
    "not_found": "model_not_found model_not_available deploymentnotfound previous_response_not_found not_found_error "
    "notfounderror not_found invalid_model",
    "request_too_large": "request_too_large request_body_too_large_after_decoding",
    "context_overflow": "context_length_exceeded exceed_context_size_error too_many_prompt_tokens too_many_tokens",
    "rate_limit": "rate_limit_exceeded slow_down rate_limit_error ratelimiterror tokens requests too_many_requests "
    "resource_exhausted ramp_limit_exceeded",
    "quota": "insufficient_quota credit_balance_exhausted organization_spend_limit_exceeded "
    "project_spend_limit_exceeded organization_usage_limit_exceeded billing_error usage_limit_reached",
    "overloaded": "server_is_overloaded service_unavailable_error serviceunavailableerror overloaded_error unavailable",
    "server_error": "server_error api_error internal_server_error internalservererror internal unknown",
    "timeout": "timeout_error deadline_exceeded",
    "content_filtered": "content_filter content_policy_violation cyber_policy",
    "cancelled": "cancelled",
    "unavailable": "unavailable_error",
})  # fmt: skip
_CATEGORIES: Final[Mapping[str, ErrorCategory]] = MappingProxyType({
    word: category for category, words in _WORDS.items() for word in words.split()
})  # fmt: skip
# They stand for any error of the caller's, so that the status and the text say more.
_VAGUE: Final = frozenset(
    {
        "badrequesterror",
        "conflict_error",
        "failed_precondition",
        "invalid_argument",
        "invalid_request_error",
        "out_of_range",
        "tool_use_failed",
        "unimplemented",
        "unprocessableentityerror",
    }
)
_STATUSES: Final[Mapping[int, ErrorCategory]] = MappingProxyType({
    401: "authentication",
    402: "quota",
    403: "permission",
    404: "not_found",
    408: "timeout",
    413: "request_too_large",
    429: "rate_limit",
    499: "cancelled",
    501: "invalid_request",
    502: "unavailable",
    503: "overloaded",
    504: "timeout",
    529: "overloaded",
})  # fmt: skip
# What a general failure of the server is, by its status.
_SERVER_STATUSES: Final[Mapping[int, ErrorCategory]] = MappingProxyType({
    408: "timeout", 502: "unavailable", 503: "overloaded", 504: "timeout", 529: "overloaded"
})  # fmt: skip

HABITUAL: Final = frozenset(
    {
        "AuthenticationError",
        "BadRequestError",
        "CANCELLED",
        "DEADLINE_EXCEEDED",
        "INTERNAL",
        "INVALID_ARGUMENT",
        "InternalServerError",
        "NOT_FOUND",
        "NotFoundError",
        "PERMISSION_DENIED",
        "PermissionDeniedError",
        "RESOURCE_EXHAUSTED",
        "RateLimitError",
        "ServiceUnavailableError",
        "UNAUTHENTICATED",
        "UNAVAILABLE",
        "UNKNOWN",
        "api_error",
        "authentication_error",
        "billing_error",
        "content_filter",
        "context_length_exceeded",
        "insufficient_quota",
        "invalid_api_key",
        "invalid_request_error",
        "model_not_found",
        "not_found_error",
        "overloaded_error",
        "permission_error",
        "rate_limit_error",
        "rate_limit_exceeded",
        "request_too_large",
        "server_error",
        "server_is_overloaded",
        "service_unavailable_error",
        "timeout_error",
    }
)
"""The words that the tables of the rooms write: each says no more than the category that it stands for."""

_MISSING_MODEL: Final = re.compile(
    r"\bmodel\b[^\n]{0,160}?(?:(?:does )?not exist|not found)|not a valid model", re.IGNORECASE
)
_NO_SCOPE: Final = re.compile(r"insufficient permissions", re.IGNORECASE)
_NO_REGION: Final = re.compile(r"location is not supported", re.IGNORECASE)
_NO_CALLER: Final = re.compile(r"unregistered callers", re.IGNORECASE)
_LARGE: Final = re.compile(r"payload size exceeds", re.IGNORECASE)
_OVERLOADED: Final = re.compile(r"\boverloaded\b", re.IGNORECASE)
_NOT_READY: Final = re.compile(r"loading model|no healthy upstream|upstream connect error", re.IGNORECASE)
_VETO: Final = re.compile(
    r"rate[\s_-]?limit|too many requests|per[\s_-]?(?:minute|hour|day)|quota|throttl", re.IGNORECASE
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What an error says of itself.

    `words` are its codes and then its types, the most telling first. `status` is that of the answer, or the one in the
    body where the answer's is that of a success. `is_daily`: a limit of a whole day is used up.
    """

    status: int | None
    words: tuple[str, ...]
    text: str
    is_daily: bool = False


def category_of(told: Told) -> ErrorCategory:
    """Return what went wrong, where it is not that there were too many tokens."""
    return _by_status(_by_text(_by_words(told), told), told.status)


def is_vetoed(told: Told) -> bool:
    """Tell whether words about too many tokens are about a limit of time."""
    return (told.status is not None and (told.status == 429 or told.status >= 500)) or bool(_VETO.search(told.text))


def is_plain(word: str, category: ErrorCategory) -> bool:
    """Tell whether a word says no more than the category does, so that the other dialect's word is the same."""
    return word in HABITUAL and (_plain(word) in _VAGUE or _meaning(word) == category)


def _by_words(told: Told) -> ErrorCategory:
    if told.status == 401:
        return "authentication"  # vendors write any word beside it
    for word in told.words:
        found = _meaning(word)
        if found == "rate_limit" and (told.is_daily or told.status == 402):
            return "quota"
        if found is not None and found != "context_overflow":
            return found
    if told.status is not None and told.status >= 400:
        general: ErrorCategory = "server_error" if told.status >= 500 else "invalid_request"
        return _STATUSES.get(told.status, general)
    return "invalid_request" if any(_plain(word) in _VAGUE for word in told.words) else "unknown"


def _by_text(found: ErrorCategory, told: Told) -> ErrorCategory:
    """Return the same, or what the text makes of a general finding."""
    text, is_server = told.text, told.status is not None and told.status >= 500
    if found == "authentication" and _NO_SCOPE.search(text):
        return "permission"
    if found == "permission" and _NO_CALLER.search(text):
        return "authentication"
    if found == "invalid_request":
        if _MISSING_MODEL.search(text):
            return "not_found"
        if _NO_REGION.search(text):
            return "permission"
        if _LARGE.search(text):
            return "request_too_large"
    if is_server and found in {"server_error", "overloaded"} and _NOT_READY.search(text):
        return "unavailable"
    return "overloaded" if found == "server_error" and _OVERLOADED.search(text) else found


def _by_status(found: ErrorCategory, status: int | None) -> ErrorCategory:
    return _SERVER_STATUSES.get(status or 0, found) if found == "server_error" else found


def _meaning(word: str) -> ErrorCategory | None:
    """Return the category of a word, whatever its case; None for one that is not known or says nothing."""
    plain = _plain(word)
    return "quota" if plain.endswith("_spend_limit_reached") else _CATEGORIES.get(plain)


def _plain(word: str) -> str:
    return word.lower().replace("-", "_")
