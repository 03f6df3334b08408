"""Decode and encode provider errors: one implementation, which each room configures with an `ErrorForm`.

At home an error comes back as it was. Abroad its category selects the status and the codes, and whatever the target's
clients could not read back is a loss. Source: docs/provider_errors.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, cast

from interlingua.argument_checks import instead
from interlingua.errors import DecodeError
from interlingua.loss import FOREIGN, is_empty_value
from interlingua.pointers import pointer
from interlingua.rate_limits import rate_limit_headers, rate_limit_names
from interlingua.rooms._shared.error_bodies import bracketed, informative_members, parse_error_body, restored_body
from interlingua.rooms._shared.error_categories import (
    TEXT_LIMIT,
    ErrorFacts,
    bare,
    category_of,
    is_plain,
    is_rate_limit_text,
    overflow_of,
)
from interlingua.rooms._shared.error_headers import (
    RETRY,
    delays_in,
    known_headers,
    needs_clock,
    retry_after_of,
    retry_headers,
)
from interlingua.tool_arguments import exact_text

if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Mapping
    from datetime import datetime

    from interlingua.loss import LossLog
    from interlingua.model_shapes import ApiError, ErrorCategory
    from interlingua.rooms._shared.error_bodies import ParsedError

__all__ = ["ErrorForm", "Words", "Written", "encode_failure"]

_SPELLING: Final = "error_places"
_FACTS: Final = (("limit_tokens", "limit"), ("used_tokens", "used"), ("requested_tokens", "requested"))
_CONFLICT: Final = 409
_TRY_AGAIN: Final = "x-should-retry"
"""The header that tells a provider's clients whether to retry; they obey it, whatever the status."""
# Categories for which dialects use different statuses.
_STATUSES: Final[Mapping[str, tuple[int, ...]]] = {
    "overloaded": (503, 529), "quota": (402, 429), "unavailable": (502, 503)
}  # fmt: skip
_NOT_CLIENTS: Final = "it names a member of the request that the provider got, not of the client's"
_REREAD: Final = ("category", "retry_after", "request_id", "limit_tokens", "used_tokens", "requested_tokens", "param")


@dataclass(frozen=True, slots=True)
class Words:
    """What a dialect writes for a category: the status, the type, the code, and the request member that it blames."""

    status: int
    type: str | None = None
    code: str | None = None
    param: str | None = None


@dataclass(frozen=True, slots=True)
class Written:
    """An error as a dialect writes it: its status and codes, and the message in the wording that its clients parse."""

    words: Words
    message: str
    error: ApiError


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorForm:
    """The error format of a dialect: everything that differs between rooms.

    `words` has a row for every category; `choose` may replace it for a particular error. `headers` matches the names,
    in lower case, of the headers that belong to an error; `request_id` is that of the request's id. `envelope` builds
    the body. `message` returns the wording that the dialect's clients act on. `param` finds the request member
    that a message names. `checks` are values of `param` that are not request members. `exact_retry`: the clients read
    milliseconds. `limits` is the naming scheme of the rate limit headers. `type_header` is the header that holds the
    error type if the body does not. `final` are categories that the clients would retry, and should not. `conflict` is
    what is written for status 409, which the clients retry by themselves. `kind` is the JSON type of `error`.
    """

    dialect: str
    words: Mapping[ErrorCategory, Words]
    headers: re.Pattern[str]
    envelope: Callable[[Written], Any]
    message: Callable[[ApiError], str]
    choose: Callable[[ApiError, Words], Words] | None = None
    request_id: str | None = None
    type_header: str | None = None
    param: Callable[[str], str | None] | None = None
    checks: frozenset[str] = frozenset()
    exact_retry: bool = False
    limits: str | None = None
    final: frozenset[ErrorCategory] = frozenset()
    conflict: Words | None = None
    kind: type[dict[str, Any] | str] = dict

    def decode(
        self,
        body: Any,
        status: int | None = None,
        headers: Mapping[str, Any] | None = None,
        now: datetime | float | None = None,
    ) -> ApiError:
        """Return the canonical error of a body, its status and its headers. Raises `DecodeError` if it is none."""
        found = parse_error_body(body, status)
        if found is None:
            advice = f"; {instead(body)}" if isinstance(body, str) else ""
            raise DecodeError(self.dialect, "", f"expected the body of an error{advice}")
        error: dict[str, Any] = {"dialect": self.dialect, "category": "unknown"}
        members, known = found.members, known_headers(headers, self.headers)
        if members.get("param") in self.checks:
            _leave(found, "param", str(members["param"]).removeprefix("/"))
        if (said := found.said if status is None else status) is not None:
            error["status"] = said
        if self.type_header in known and "type" not in members:
            members["type"] = bare(known[self.type_header])
            found.words = (*found.words, members["type"])
        error |= {name: members[name] for name in ("code", "type") if name in members}
        error["message"] = members["message"]
        param = members.get("param") or (self.param(members["message"][:TEXT_LIMIT]) if self.param else None)
        if param is not None:
            error["param"] = param
        _judge(error, found, status)
        wait = retry_after_of(known, found.holder, members["message"], now)
        if wait is not None:
            error["retry_after"] = wait
        request_id = members.get("request_id") or known.get(self.request_id or "")
        if request_id:
            error["request_id"] = request_id
        error["extra"] = {self.dialect: _bag(found, known)}
        return cast("ApiError", error)

    def encode(self, error: ApiError, log: LossLog) -> tuple[int, dict[str, str], Any]:
        """Return status, headers and body of a canonical error; losses go to the log."""
        extra_of = _own_bag(error, self.dialect)
        places = extra_of.get("spelling", {}).get(_SPELLING)
        if error.get("dialect") == self.dialect and places is not None:
            for owner in error.get("extra", {}):
                if owner != self.dialect:
                    _report_bag(error, owner, {}, None, log)
            status = error.get("status", self.words[error["category"]].status)
            return (
                status,
                _headers_at_home(error, self, extra_of),
                restored_body(extra_of.get("fields", {}), error, places),
            )
        written = _written(error, self, log)
        body, status = self.envelope(written), written.words.status
        headers = _headers_abroad(error, self, written.words)
        _report(error, self.decode(body, status, headers), headers, log)
        return status, headers, body


def _leave(found: ParsedError, member: str, value: str) -> None:
    """Put a member back into the rest of the body, instead of into the canonical error."""
    path = found.places.pop(member, None)
    del found.members[member]
    if path is None:  # the whole body is kept
        return
    found.rest = restored_body(found.rest or {}, {"code": value}, {"code": pointer(*path)})


def _judge(error: dict[str, Any], found: ParsedError, status: int | None) -> None:
    """Set the category, and the token counts of an overflow."""
    effective = status if status is not None and status >= 400 else found.said
    text = error["message"][:TEXT_LIMIT]
    facts = ErrorFacts(status=effective, words=found.words, text=text, is_daily=found.is_daily)
    overflow = None if is_rate_limit_text(facts) else overflow_of(text, found.words, found.holder)
    if overflow is None:
        error["category"] = category_of(facts)
        return
    error["category"] = overflow.category
    error |= {name: number for name, fact in _FACTS if (number := getattr(overflow, fact)) is not None}


def _bag(found: ParsedError, known: dict[str, str]) -> dict[str, Any]:
    """Return what goes into `extra`: the rest of the body, the places of the canonical members in it, the headers."""
    extra_of: dict[str, Any] = {"fields": found.rest} if found.rest else {}
    extra_of["spelling"] = {_SPELLING: {name: pointer(*path) for name, path in found.places.items()}}
    return extra_of | ({"headers": known} if known else {})


def encode_failure(error: ApiError, form: ErrorForm, log: LossLog) -> Any:
    """Return the body of an error in mid-stream, where status and headers can no longer be sent."""
    extra_of = _own_bag(error, form.dialect)
    places = extra_of.get("spelling", {}).get(_SPELLING)
    if error.get("dialect") == form.dialect and places is not None:
        body = restored_body(extra_of.get("fields", {}), error, places)
        if type(body) is dict and type(body.get("error")) is form.kind:  # proxies answer with other bodies
            return body
    body = form.envelope(_written(error, form, log))
    said = cast("ApiError", {name: value for name, value in error.items() if name != "status"})
    _report(said, form.decode(body), {}, log)
    return body


def _written(error: ApiError, form: ErrorForm, log: LossLog) -> Written:
    """Return the status, codes and message that an error gets abroad."""
    words = form.words[error["category"]]
    if form.choose is not None:
        words = form.choose(error, words)
    if form.conflict is not None and error["category"] == "invalid_request" and error.get("status") == _CONFLICT:
        words = form.conflict
    message = form.message(error)
    if not message:
        message = f"The provider gave no message with its status {error.get('status', words.status)}."
        log.filled("/message", "a reason was added, since clients show it")
    if words.param is None and "dialect" not in error and "param" in error:
        words = Words(words.status, words.type, words.code, bracketed(error["param"]))
    return Written(words, message, error)


def _own_bag(error: ApiError, dialect: str) -> Mapping[str, Any]:
    bags = cast("Mapping[str, Mapping[str, Any]]", error.get("extra", {}))
    return bags.get(dialect, {})


def _headers_at_home(error: ApiError, form: ErrorForm, extra_of: Mapping[str, Any]) -> dict[str, str]:
    """Return the headers as they came, except those that contradict the error as it is now."""
    headers = {str(name): exact_text(value) for name, value in extra_of.get("headers", {}).items()}
    found = parse_error_body(
        restored_body(extra_of.get("fields", {}), error, extra_of["spelling"][_SPELLING]), error.get("status")
    )
    holder = found.holder if found else {}
    wait, told = error.get("retry_after"), retry_after_of(headers, holder, error["message"], None)
    if wait != told and not (told is None and needs_clock(headers, holder)):
        headers = {name: value for name, value in headers.items() if name not in RETRY}
        headers |= retry_headers(wait, is_exact=form.exact_retry)
    word, name = error.get("type"), form.type_header
    if name and word and name in headers and "type" not in extra_of["spelling"][_SPELLING]:
        headers[name] = headers[name] if bare(headers[name]) == word else word
    request_id, name = error.get("request_id"), form.request_id
    if name and request_id and "request_id" not in extra_of["spelling"][_SPELLING]:
        headers[name] = request_id
    return headers


def _headers_abroad(error: ApiError, form: ErrorForm, words: Words) -> dict[str, str]:
    wait, request_id = error.get("retry_after"), error.get("request_id")
    headers = retry_headers(wait, is_exact=form.exact_retry)
    sent = [_sent(bag) for bag in cast("Mapping[str, Any]", error.get("extra", {})).values()]
    is_final = any(one.get(_TRY_AGAIN) == "false" for one in sent) and form.headers.fullmatch(_TRY_AGAIN)
    if is_final or error["category"] in form.final:
        headers[_TRY_AGAIN] = "false"
    if form.type_header and words.type:
        headers[form.type_header] = words.type
    if form.limits:
        headers |= {name: value for one in sent for name, value in rate_limit_headers(one, form.limits).items()}
    return headers | ({form.request_id: request_id} if form.request_id and request_id else {})


def _delays(fields: Any) -> set[str]:
    """Return the texts by which a body that is kept says how long to wait."""
    inner = fields.get("error") if type(fields) is dict else None
    return delays_in(inner.get("details")) if type(inner) is dict else set()


def _sent(bag: Any) -> Mapping[str, Any]:
    """Return the headers kept in an `extra` bag; a value made by hand may hold anything."""
    sent = cast("Mapping[str, Any]", bag).get("headers") if type(bag) is dict else None
    return cast("Mapping[str, Any]", sent) if type(sent) is dict else {}


def _report(error: ApiError, again: ApiError, headers: Mapping[str, str], log: LossLog) -> None:
    """Report what a client of the target dialect would not read back unchanged."""
    was, now = cast("Mapping[str, Any]", error), cast("Mapping[str, Any]", again)
    if was["message"] and was["message"] != now["message"]:
        log.changed(
            "content", "/message", "the message was reworded so that clients of the dialect recognise the error"
        )
    for name in _REREAD:
        if was.get(name) == 0:
            continue  # a count of 0 is no information
        if name in was and name not in now:
            log.lost("member", f"/{name}", _NOT_CLIENTS if name == "param" else "the target has no place for it")
        elif name in was and was[name] != now[name]:
            log.changed("member", f"/{name}", "the target uses another value for it")
    for name in ("code", "type"):
        if name in was and was[name] != now.get(name) and not is_plain(was[name], was["category"]):
            log.lost("member", f"/{name}", "only its own dialect has this value")
    if "status" in was and was["status"] != now["status"] and was["status"] not in _STATUSES.get(was["category"], ()):
        log.changed(
            "member", "/status", "the status was replaced by the one that the target uses for this category of error"
        )
    for owner in was.get("extra", {}):
        _report_bag(error, owner, headers, now.get("status"), log)


def _report_bag(error: ApiError, owner: str, headers: Mapping[str, str], status: int | None, log: LossLog) -> None:
    """Report the `extra` bag of a dialect as lost if it holds information that neither the error nor the output has."""
    held: Any = _own_bag(error, owner)
    if type(held) is not dict:  # a value made by hand may keep anything for a dialect that nobody knows
        if not is_empty_value(held):
            log.lost("extra", f"/extra{pointer(owner)}", FOREIGN)
        return
    extra_of = cast("dict[str, Any]", held)
    counts = (error.get(name) for name in ("status", "limit_tokens", "used_tokens", "retry_after"))
    said = {exact_text(status), *map(exact_text, counts)}
    if "retry_after" in error:
        said |= _delays(extra_of.get("fields"))
    names = informative_members(extra_of.get("fields"), frozenset(said))
    covered: list[tuple[str, Any]] = [*headers.items(), *((name, "") for name in RETRY if "retry_after" in error)]
    for name, value in _sent(extra_of).items():
        is_said = (name, value) in covered or (name, "") in covered or value == error.get("request_id")
        is_said = is_said or bare(exact_text(value)) == error.get("type")
        is_said = is_said or any((renamed, value) in covered for renamed in rate_limit_names(str(name)))
        names += [] if is_said or is_plain(exact_text(value), error["category"]) else [str(name)]
    names += [str(name) for name in extra_of if name not in {"fields", "headers", "spelling"}]
    if names:
        log.lost("extra", f"/extra{pointer(owner)}", f"only its own dialect has this member: {', '.join(names)}")
