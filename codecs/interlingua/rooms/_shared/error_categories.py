"""Classify errors: the category from codes, types, status and text, and the token counts of an overflow.

One table serves all dialects, since vendors use each other's codes. Clients act on overflows: they shorten the
conversation, or ask for fewer tokens. Counts are read and never made up. Source: docs/provider_errors.md.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from interlingua.model_shapes import ErrorCategory

__all__ = [
    "HABITUAL", "TEXT_LIMIT", "ErrorFacts", "Overflow", "bare", "category_of", "is_plain", "is_rate_limit_text",
    "overflow_of",
]  # fmt: skip

TEXT_LIMIT: Final = 4_000
"""How much of a message is searched: the relevant words are at its beginning."""

_WORDS: Final[Mapping[ErrorCategory, str]] = MappingProxyType({
    "authentication": "invalid_api_key wrong_api_key api_key_invalid authentication_error authenticationerror "
    "unauthenticated unrecognizedclientexception expiredtokenexception invalidsignatureexception "
    "incompletesignatureexception missingauthenticationtokenexception",
    "permission": "permission_error permissiondeniederror permission_denied multimodal_not_enabled "
    "accessdeniedexception",
    "not_found": "model_not_found model_not_available deploymentnotfound previous_response_not_found not_found_error "
    "notfounderror not_found invalid_model resourcenotfoundexception",
    "request_too_large": "request_too_large request_body_too_large_after_decoding",
    "context_overflow": "context_length_exceeded exceed_context_size_error too_many_prompt_tokens too_many_tokens",
    "rate_limit": "rate_limit_exceeded slow_down rate_limit_error ratelimiterror tokens requests too_many_requests "
    "resource_exhausted ramp_limit_exceeded throttlingexception",
    "quota": "insufficient_quota credit_balance_exhausted organization_spend_limit_exceeded "
    "project_spend_limit_exceeded organization_usage_limit_exceeded billing_error usage_limit_reached "
    "servicequotaexceededexception exceeded_current_quota_error budget_exceeded arrearage insufficient_user_quota",
    "overloaded": "server_is_overloaded service_unavailable_error serviceunavailableerror overloaded_error unavailable "
    "serviceunavailableexception engine_overloaded_error capacity_exceeded",
    "server_error": "server_error api_error internal_server_error internalservererror internal unknown "
    "internalserverexception modelerrorexception modelstreamerrorexception",
    "timeout": "timeout_error request_timeout deadline_exceeded modeltimeoutexception",
    "content_filtered": "content_filter content_policy_violation cyber_policy bio_policy moderation_blocked "
    "responsibleaipolicyviolation data_inspection_failed datainspectionfailed",
    "cancelled": "cancelled",
    "unavailable": "unavailable_error",
})  # fmt: skip
_CATEGORIES: Final[Mapping[str, ErrorCategory]] = MappingProxyType({
    word: category for category, words in _WORDS.items() for word in words.split()
})  # fmt: skip
# Descriptions of gRPC codes in Rust. xAI uses these sentences as codes, and sends no status in mid-stream.
_SENTENCES: Final[Mapping[str, ErrorCategory]] = MappingProxyType({
    "the caller does not have permission to execute the specified operation": "permission",
    "the request does not have valid authentication credentials": "authentication",
    "some requested entity was not found": "not_found",
    "some resource has been exhausted": "rate_limit",
    "the service is currently unavailable": "overloaded",
    "internal error": "server_error",
    "deadline expired before operation could complete": "timeout",
    "the operation was cancelled": "cancelled",
})  # fmt: skip
# Codes for any error of the caller: status and text are more specific.
_VAGUE: Final = frozenset({
    "badrequesterror", "client specified an invalid argument", "conflict_error", "failed_precondition",
    "invalid_argument", "invalid_request_error", "operation was attempted past the valid range", "out_of_range",
    "tool_use_failed", "unimplemented", "unprocessableentityerror", "validationexception",
})  # fmt: skip
_STATUSES: Final[Mapping[int, ErrorCategory]] = MappingProxyType({
    401: "authentication",
    402: "quota",
    403: "permission",
    404: "not_found",
    408: "timeout",
    413: "request_too_large",
    424: "server_error",  # Hugging Face, Bedrock: the model failed
    429: "rate_limit",
    499: "cancelled",
    501: "invalid_request",
    502: "unavailable",
    503: "overloaded",
    504: "timeout",
    521: "unavailable",
    522: "timeout",
    523: "unavailable",
    524: "timeout",
    529: "overloaded",
    530: "unavailable",
})  # fmt: skip
# Statuses that make a general server error more specific.
_SERVER_STATUSES: Final[Mapping[int, ErrorCategory]] = {
    status: _STATUSES[status] for status in (408, 502, 503, 504, 529)
}

HABITUAL: Final = frozenset({
    "AccessDeniedException", "AuthenticationError", "BadRequestError", "CANCELLED", "DEADLINE_EXCEEDED", "INTERNAL",
    "INVALID_ARGUMENT", "InternalServerError", "InternalServerException", "ModelTimeoutException", "NOT_FOUND",
    "NotFoundError", "PERMISSION_DENIED", "PermissionDeniedError", "RESOURCE_EXHAUSTED", "RateLimitError",
    "ResourceNotFoundException", "ServiceQuotaExceededException", "ServiceUnavailableError",
    "ServiceUnavailableException", "ThrottlingException", "UNAUTHENTICATED", "UNAVAILABLE", "UNKNOWN",
    "UnrecognizedClientException", "ValidationException", "api_error", "authentication_error", "billing_error",
    "conflict_error", "content_filter", "context_length_exceeded", "insufficient_quota", "invalid_api_key",
    "invalid_request_error", "model_not_found", "not_found_error", "overloaded_error", "permission_error",
    "rate_limit_error", "rate_limit_exceeded", "request_too_large", "server_error", "server_is_overloaded",
    "service_unavailable_error", "timeout_error",
})  # fmt: skip
"""The codes that the rooms' tables write: each says no more than its category."""

# Billing, and limits that waiting does not lift; a "quota" may be per minute.
_NO_MONEY: Final = (
    r"credit balance is too low|insufficient (?:account )?(?:balance|credits?|funds)|account balance"
    r"|usage limits?\. you will regain|budget has been exceeded|spend(?:ing)? limit (?:has been )?(?:reached|exceeded)"
    r"|used all available credits|doesn't have any credits|prepayment credits are depleted|monthly spending cap"
    r"|余额不足|额度不足|已欠费"  # as Z.ai and gateways say it in Chinese
)
_FILTERED: Final = (
    r"content[ -]filter|content management policy|safety system|unsafe or sensitive|inappropriate content"
    r"|\b(?:input|prompt|content|request|message) (?:was|has been|is) flagged"
)
_MISSING_MODEL: Final = r"\bmodel\b[^\n]{0,160}?(?:(?:does )?not exist|not found)|not a valid model"
# Preliminary categories, a pattern for the text, and the category that it refines them to; the first match applies.
_MEANINGS: Final[tuple[tuple[str, str, ErrorCategory], ...]] = (
    ("authentication", "insufficient permissions", "permission"),
    ("permission", "unregistered callers", "authentication"),
    ("invalid_request permission rate_limit server_error", _NO_MONEY, "quota"),
    ("invalid_request permission", _FILTERED, "content_filtered"),
    ("invalid_request", "incorrect api key", "authentication"),
    ("invalid_request", _MISSING_MODEL, "not_found"),
    ("invalid_request", "location is not supported", "permission"),
    ("invalid_request", "payload size exceeds", "request_too_large"),
)
_TEXTS: Final[tuple[tuple[frozenset[str], re.Pattern[str], ErrorCategory], ...]] = tuple(
    (frozenset(findings.split()), re.compile(words, re.IGNORECASE), category) for findings, words, category in _MEANINGS
)
_OVERLOADED: Final = re.compile(r"\boverloaded\b", re.IGNORECASE)
_NOT_READY: Final = re.compile(r"loading model|no healthy upstream|upstream connect error", re.IGNORECASE)
_VETO: Final = re.compile(
    r"rate[\s_-]?limit|too many requests|per[\s_-]?(?:minute|hour|day)|quota|throttl", re.IGNORECASE
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorFacts:
    """The facts by which an error is classified.

    `words` are its codes and types, the most specific first. `status` is the HTTP status, or the one in the body if the
    HTTP status is a success. `is_daily`: a daily limit is used up.
    """

    status: int | None
    words: tuple[str, ...]
    text: str
    is_daily: bool = False


def category_of(facts: ErrorFacts) -> ErrorCategory:
    """Return the category of an error that is not a token overflow."""
    found = _by_text(_by_words(facts), facts)
    return _SERVER_STATUSES.get(facts.status or 0, found) if found == "server_error" else found


def is_rate_limit_text(facts: ErrorFacts) -> bool:
    """Tell whether text about too many tokens is about a rate limit."""
    return (facts.status is not None and (facts.status == 429 or facts.status >= 500)) or bool(_VETO.search(facts.text))


def is_plain(word: str, category: ErrorCategory) -> bool:
    """Tell whether a code says no more than the category, so that another dialect's code is equivalent."""
    return bare(word) in HABITUAL and (_plain(word) in _VAGUE or _meaning(word) == category)


def _by_words(facts: ErrorFacts) -> ErrorCategory:
    if facts.status == 401:
        return "authentication"  # vendors send any code with it
    for word in facts.words:
        found = _meaning(word)
        if found == "rate_limit" and (facts.is_daily or facts.status == 402):
            return "quota"
        if found is not None and found != "context_overflow":
            return found
    if facts.status is not None and facts.status >= 400:
        general: ErrorCategory = "server_error" if facts.status >= 500 else "invalid_request"
        return _STATUSES.get(facts.status, general)
    return "invalid_request" if any(_plain(word) in _VAGUE for word in facts.words) else "unknown"


def _by_text(found: ErrorCategory, facts: ErrorFacts) -> ErrorCategory:
    """Return the category as refined by the text."""
    text, is_server = facts.text, facts.status is not None and facts.status >= 500
    for findings, words, category in _TEXTS:
        if found in findings and words.search(text):
            return category
    if is_server and found in {"server_error", "overloaded"} and _NOT_READY.search(text):
        return "unavailable"
    return "overloaded" if found == "server_error" and _OVERLOADED.search(text) else found


def _meaning(word: str) -> ErrorCategory | None:
    """Return the category of a code, ignoring case; None if it is unknown or unspecific."""
    plain = _plain(word)
    if plain.endswith("_spend_limit_reached"):
        return "quota"
    return _CATEGORIES.get(plain) or _SENTENCES.get(plain)


def bare(word: str) -> str:
    """Return a code without the namespace that Amazon's services write before it, and the URL behind it."""
    return word.rsplit("#", 1)[-1].split(":", 1)[0]


def _plain(word: str) -> str:
    return bare(word).lower().replace("-", "_")


_NUMBER: Final = r"\d[\d,]{0,17}"


def _pattern(text: str) -> re.Pattern[str]:
    """Return a pattern in which `<name>` stands for a number, and two spaces for anything in between."""
    named = re.sub(r"<(\w+)>", lambda name: f"(?P<{name[1]}>{_NUMBER})", text).replace("  ", r"[^\n]{0,200}?")
    return re.compile(named, re.IGNORECASE)


_MAXIMUM: Final = "maximum context length is <limit> tokens"
_ONLY: Final = "the model's context length is only <limit> tokens"
_BESIDE: Final = r"<used> (?:in the messages|of text input)(?:, <more> (?:in the functions|of tool input))?"
_TOTAL: Final = r"requested (?:about )?[\d,]+ tokens"
_SUM: Final = (
    r"requested a total of [\d,]+ tokens: <used> tokens from the input messages and <requested> tokens for the"
)
_UNCOUNTED: Final = (
    "prompt is too long", "prompt too long; exceeded", "prompt is longer than the context length",
    "exceeds the context window", "context window exceeds limit", "maximum context length is exceeded",
    r"input token count (?:\([^)]{0,40}\) )?exceeds the maximum number of tokens",
    "input length exceeds the context length", "greater than the context length", "prompt exceeds max length",
    "exceeds the available context size", "input is too long", "input tokens exceeded",
    "reduce the length of the messages", "range of input length should be", "longer than the model's context length",
    "exceeds the model context length",
)  # fmt: skip
# About the tokens of the output, alone or together with those of the input.
_OUTPUT: Final = (
    _pattern(r"input length and `?max_tokens`? exceed context limit: <used> \+ <requested> > <limit>"),
    _pattern("max_tokens: <requested> > <limit>, which is the maximum allowed number of output tokens"),
    _pattern(rf"is too large: <requested>\. This model's {_MAXIMUM} and your request has <used> input tokens"),
    _pattern(r"max_(?:completion_|output_)?tokens is too large: <requested>\. This model supports at most <limit>"),
    _pattern(
        r"`?inputs`? tokens \+ `?max_new_tokens`? must be <= <limit>\. "
        r"Given: <used> `?inputs`? tokens and <requested> `?max_new_tokens`?"
    ),
    _pattern("maximum tokens you requested exceeds the model limit of <limit>"),
    _pattern("max_tokens=<requested> cannot be greater than max_model_len=(?:max_total_tokens=)?<limit>"),
)
# About the input; the most common wordings come first.
_INPUT: Final = (
    _pattern("prompt is too long: <used> tokens > <limit> maximum"),
    _pattern(rf"{_MAXIMUM}  {_TOTAL} \({_BESIDE}, <requested> in the (?:completion|output)\)"),
    _pattern(f"{_MAXIMUM}  {_SUM} completion"),
    _pattern(f"{_MAXIMUM}  your messages resulted in <used> tokens"),
    _pattern(f"{_MAXIMUM}  requested <requested> output tokens and your prompt contains at least <used> input tokens"),
    _pattern(f"{_MAXIMUM}  your request has <used> input tokens"),
    _pattern(f"{_MAXIMUM}  requested <used> tokens in the messages"),
    _pattern(f"passed <used> input tokens and requested <requested> output tokens  {_ONLY}"),
    _pattern(r"input token count (?:\(<used>\) )?exceeds the maximum number of tokens allowed \(?<limit>"),
    _pattern(r"request \(<used> tokens\) exceeds the available context size \(<limit> tokens\)"),
    _pattern(r"input \(<used> tokens\) is longer than the model's context length \(<limit> tokens\)"),
    _pattern("maximum prompt length is <limit> but the request contains <used>"),
    _pattern("prompt contains <used> tokens  too large for model with <limit>"),
    _pattern(r"exceeded model token limit: <limit> \(requested: <used>\)"),
    _pattern("exceeded model token limit: <limit>"),
    _pattern("prompt is too long: <used>, model maximum context length: <limit>"),
    _pattern("input tokens exceed the configured limit of <limit> tokens  your messages resulted in <used> tokens"),
    _pattern(r"`?inputs`? must have less than <limit> tokens\. Given: <used>"),
    _pattern("tokens in the prompt cannot exceed <limit> - received <used>"),
    _pattern("number of input tokens <used> cannot exceed the total tokens limit <limit>"),
    _pattern(r"exceeded this model context window limit \(<limit>\)"),
    _pattern(r"decoder prompt \(length <used>\) is longer than the maximum model length of <limit>"),
    _pattern("reduce the length of the messages  current length is <used> while limit is <limit>"),
    _pattern("loaded with context length of only <limit> tokens"),
    _pattern("prompt token count of <used> exceeds the limit of <limit>"),
    _pattern(
        r"input length \(<used>\) (?:exceeds model's maximum|must be smaller than the model) context length \(<limit>\)"
    ),
    _pattern(r"prompt length \(<used>\) exceeds maximum input length \(<limit>\)"),
    _pattern(
        r"prompt length \(<used>(?:\.0)?\), query length  should not exceed max_(?:num_tokens|seq_len) \(<limit>\)"
    ),
    _pattern("size limit exceeded by <over> tokens  limit for this model is <limit>"),
    _pattern("prompt too long; exceeded (?:max )?context length by <over> tokens"),
    _pattern(_MAXIMUM),
    _pattern(_ONLY),
    _pattern("|".join(_UNCOUNTED)),
)
_OTHER: Final = re.compile(r"\bencoder prompt", re.IGNORECASE)  # about media
_MEMBERS: Final = (("used", "n_prompt_tokens"), ("limit", "n_ctx"))


@dataclass(frozen=True, slots=True)
class Overflow:
    """A token overflow.

    Tokens `used` by the input, the `limit` of the model, those `requested` for the output, those `over` the limit; None
    if unknown.
    """

    category: Literal["context_overflow", "output_overflow"]
    used: int | None = None
    limit: int | None = None
    requested: int | None = None
    over: int | None = None


def overflow_of(text: str, words: Iterable[str] = (), members: Mapping[str, Any] | None = None) -> Overflow | None:
    """Return the token overflow that an error reports, or None if it is about something else.

    `members` are those of the error object, where llama.cpp has its counts.
    """
    text = text[:TEXT_LIMIT]
    if _OTHER.search(text):
        return None
    members = members or {}
    numbers = {ours: members[theirs] for ours, theirs in _MEMBERS if type(members.get(theirs)) is int}
    for patterns, is_output in ((_OUTPUT, True), (_INPUT, False)):
        for pattern in patterns:
            if found := pattern.search(text):
                return _judged(_numbers(found) | numbers, is_output=is_output)
    is_known = any(_CATEGORIES.get(word.lower()) == "context_overflow" for word in words)
    return _judged(numbers, is_output=False) if is_known else None


def _numbers(found: re.Match[str]) -> dict[str, int]:
    return {name: int(value.replace(",", "")) for name, value in found.groupdict().items() if value is not None}


def _judged(numbers: dict[str, int], *, is_output: bool) -> Overflow:
    """Return the overflow: the counts decide whether it is of input or output, else the wording does."""
    used, limit, requested, over = (numbers.get(name) for name in ("used", "limit", "requested", "over"))
    if used is not None:
        used += numbers.get("more", 0)
    elif limit is not None and over is not None:
        used = limit + over
    if limit is not None and used is not None and used >= limit:
        is_output = False
    elif limit is not None and requested is not None and requested + (used or 0) > limit:
        is_output = True
    return Overflow("output_overflow" if is_output else "context_overflow", used, limit, requested, over)
