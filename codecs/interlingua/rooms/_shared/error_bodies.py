"""Parse error bodies of all known shapes, and restore a body as it came.

Vendors and proxies answer in each other's shapes, so every dialect reads them all. Members of the canonical error are
taken out of the body, with their places as JSON Pointers; the rest is kept verbatim.
Source: docs/provider_errors.md.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

import orjson

from interlingua.pointers import pointer, pointer_tokens
from interlingua.tool_arguments import exact_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

__all__ = ["ParsedError", "Path", "bracketed", "informative_members", "parse_error_body", "restored_body"]

Path: TypeAlias = "tuple[str | int, ...]"

_MESSAGES: Final = ("message", "msg", "Message")
_CODES: Final = ("code", "reason")
_TYPES: Final = ("type", "error_type", "__type", "status", "Code")
_NUMBERS: Final = ("code", "status", "raw_status_code")
_STATUS: Final = re.compile(r"[1-5]\d\d", re.ASCII)
_PLACE: Final = re.compile(r"[A-Za-z_][\w-]*(?:\[\d{1,9}\]|\.[A-Za-z_][\w-]*)*", re.ASCII)
_STEP: Final = re.compile(r"\[(\d+)\]|[^.\[\]]+")
_OF_CHECKS: Final = ("message", "detail", 0, "msg")  # Mistral's validation message
_RAW: Final = ("metadata", "raw")
# Where the message of an error may be, the most informative first.
_TEXTS: Final[tuple[Path, ...]] = (_RAW, *((name,) for name in _MESSAGES), _OF_CHECKS)
_WHOLE: Final = ""  # key for a body that is neither an object nor a text
_OF_CHOICE: Final = ("choices", 0, "error")  # of an answer that was interrupted
_DEPTH: Final = 4
_MAX_STEPS: Final = 8
_LONGEST_NAME: Final = 64
# Members that only say that this is an error.
_ENVELOPES: Final = (("type", "error"), ("object", "error"), ("success", False))


@dataclass(slots=True)
class ParsedError:
    """A parsed body: `members` of the canonical error, their `places`, and the `rest` of the body.

    `holder` is the error object itself. `said` is the status in the body, as a number or as digits; `words` are its
    codes and types, the most specific first.
    """

    members: dict[str, Any] = field(default_factory=dict[str, Any])
    places: dict[str, Path] = field(default_factory=dict[str, Path])
    rest: dict[str, Any] | None = None
    holder: dict[str, Any] = field(default_factory=dict[str, Any])
    said: int | None = None
    words: tuple[str, ...] = ()
    is_daily: bool = False

    def take(self, member: str, value: Any, *place: str | int) -> None:
        """Set a member of the canonical error, and its place in the body."""
        self.members[member], self.places[member] = value, place


def parse_error_body(body: Any, status: int | None) -> ParsedError | None:
    """Parse the body of an error; None if it is no error. With an error status, any body is one."""
    if type(body) is str:
        return _in_text(body, status) or ParsedError({"message": body}, {"message": ()})
    has_failed = status is not None and status >= 400
    prefix: Path = ()
    given = body
    if type(body) is list and len(body) == 1:  # a Gemini stream that failed at once
        body, prefix = body[0], (0,)
    if type(body) is not dict:
        return _whole(given) if has_failed else None
    root = cast("dict[str, Any]", body)
    at = _holder(root, has_failed=has_failed)
    if at is None:
        return None
    found = _read(root, at, status)
    taken = (path for name, path in found.places.items() if found.members.get(name) != "")
    found.rest = _without(root, taken)
    found.places = {name: prefix + path for name, path in found.places.items()}
    return found


def _in_text(body: str, status: int | None) -> ParsedError | None:
    """Parse a text body that is the JSON of an error; the text is kept, so that it comes back as it was."""
    found = _written_in(body, status)
    if found is None or not found.members["message"]:
        return None
    found.places, found.rest = {}, {_WHOLE: body}
    return found


def _written_in(text: str, status: int | None = None) -> ParsedError | None:
    """Parse the JSON of an error in a text; None if there is none."""
    if text.lstrip()[:1] not in {"{", "["}:
        return None
    try:
        return parse_error_body(orjson.loads(text), status)
    except (orjson.JSONDecodeError, UnicodeEncodeError):
        return None


def _whole(body: Any) -> ParsedError:
    """Parse a body that is neither an object nor a text: the message is that of the first item of a list, if any."""
    first: Any = body[0] if type(body) is list and body else None
    said = parse_error_body(first, None) if type(first) in {dict, str} else None
    return ParsedError({"message": "" if said is None else said.members["message"]}, rest={_WHOLE: body})


def _holder(root: dict[str, Any], *, has_failed: bool) -> Path | None:
    """Return the path of the error object, or of the text in place of one."""
    error, errors, detail = root.get("error"), root.get("errors"), root.get("detail")
    if type(error) is dict or (type(error) is str and error):
        return ("error",)
    if type(root.get("Error")) is dict:  # an error response of boto3
        return ("Error",)
    if type(errors) is list and errors and type(errors[0]) in {dict, str}:
        return ("errors", 0)
    if "model" not in root and any(type(root.get(name)) is str for name in _MESSAGES):  # an answer has a model
        return ()
    if type(detail) in {dict, str}:
        return ("detail",)
    if type(detail) is list and detail and type(detail[0]) is dict:
        return ("detail", 0)
    if type(_at(root, _OF_CHOICE)) is dict:
        return _OF_CHOICE
    is_named = root.get("type") == "error" or root.get("object") == "error"
    return () if is_named or has_failed else None


def _read(root: dict[str, Any], at: Path, status: int | None) -> ParsedError:
    """Parse an error object, or a text in its place, whose code and type stand beside it."""
    value = _at(root, at)
    found = ParsedError(holder=root if type(value) is str else value)
    if type(value) is str:
        found.take("message", value, *at)
        at = ()
    else:
        _read_message(found, at)
    for member, names in (("code", _CODES), ("type", _TYPES)):
        _take_word(found, member, names, at)
    _read_details(found, at)
    _read_param(found, at)
    _read_status(found, root, at, status)
    for holder, path in ((root, ()), (found.holder, at)):
        request_id = holder.get("request_id")
        if type(request_id) is str and request_id:
            found.take("request_id", request_id, *path, "request_id")
            break
    found.words = tuple(_words(found))
    return found


def _read_message(found: ParsedError, at: Path) -> None:
    """Read the message of the innermost error: a router repeats that of the provider behind it."""
    for path in _TEXTS:
        text = _at(found.holder, path)
        if type(text) is str and text:
            found.take("message", _innermost(text) if path is _RAW else text, *at, *path)
            return
    found.take("message", "", *at, "message")


def _innermost(text: str) -> str:
    """Return the message of an error that is JSON in a text, else the text."""
    for _ in range(_DEPTH):
        inner = _written_in(text)
        if inner is None or not inner.members["message"]:
            return text
        text = inner.members["message"]
    return text


def _take_word(found: ParsedError, member: str, names: Iterable[str], at: Path) -> None:
    for name in names:
        word = found.holder.get(name)
        if type(word) is str and word and word != "error" and not _STATUS.fullmatch(word):
            found.take(member, word, *at, name)
            return


def _read_details(found: ParsedError, at: Path) -> None:
    """Read Gemini's `details`: the reason, the refused member, and whether a daily quota was exceeded."""
    details = found.holder.get("details")
    for index, one in enumerate(details if type(details) is list else ()):
        if type(one) is not dict:
            continue
        reason = one.get("reason")
        if type(reason) is str and reason and "code" not in found.members:
            found.take("code", reason, *at, "details", index, "reason")
        field_name = _at(one, ("fieldViolations", 0, "field"))
        if type(field_name) is str and (path := _pointer(field_name)) and "param" not in found.members:
            found.take("param", path, *at, "details", index, "fieldViolations", 0, "field")
        for violation in one["violations"] if type(one.get("violations")) is list else ():
            quota: Any = violation.get("quotaId") if type(violation) is dict else None
            found.is_daily = found.is_daily or (type(quota) is str and "PerDay" in quota)


def _read_param(found: ParsedError, at: Path) -> None:
    param = found.holder.get("param")
    if type(param) is str and (path := _pointer(param)):
        found.take("param", path, *at, "param")


def _read_status(found: ParsedError, root: dict[str, Any], at: Path, status: int | None) -> None:
    """Read the status in the body. Its place is recorded if it equals the HTTP status; else it stays in the rest."""
    for holder, path in ((found.holder, at), (root, ())):
        for name in _NUMBERS:
            value = holder.get(name)
            if type(value) is int and 100 <= value < 600:
                found.said = value
                if status in {None, value}:
                    found.places["status"] = (*path, name)
                return
            if type(value) is str and _STATUS.fullmatch(value):
                found.said = int(value)
                return


def _words(found: ParsedError) -> Iterable[str]:
    """Yield the codes and types: the code of the error and of its details, then the type and the inner error's code."""
    inner = [_at(found.holder, ("details", "error_code")), _at(found.holder, ("innererror", "code"))]
    for word in (found.members.get("code"), inner[0], found.members.get("type"), inner[1]):
        if type(word) is str:
            yield word


def _at(value: Any, path: Path) -> Any:
    """Return the value at a path, or None."""
    for step in path:
        if isinstance(step, str):
            value = value.get(step) if type(value) is dict else None
        else:
            value = value[step] if type(value) is list and len(value) > step else None
    return value


def _pointer(place: str) -> str | None:
    """Return a path such as `messages[0].content` as a JSON Pointer, or None if it is not one."""
    if len(place) > 512 or not _PLACE.fullmatch(place):
        return None
    return pointer(*(step[1] or step[0] for step in _STEP.finditer(place)))


def bracketed(path: str) -> str:
    """Return a JSON Pointer in the form of OpenAI and Gemini: `messages[0].content`."""
    return "".join(f"[{step}]" if step.isdecimal() else f".{step}" for step in pointer_tokens(path)).removeprefix(".")


def _without(root: dict[str, Any], paths: Iterable[Path]) -> dict[str, Any]:
    """Return a body without the values at the paths; values inside lists stay, since lists are kept whole."""
    rest = dict(root)
    for path in paths:
        _remove(rest, path)
    return rest


def _remove(node: dict[str, Any], path: Path) -> None:
    step = path[0] if path else None
    if type(step) is not str or step not in node:
        return
    if len(path) == 1:
        if not _is_text_of_many(path, node[step]):
            del node[step]
    elif type(node[step]) is dict:
        inner = dict(node[step])
        _remove(inner, path[1:])
        node[step] = inner
        if not inner:
            del node[step]


def _is_text_of_many(path: Path, value: Any) -> bool:
    """Tell whether a value is JSON in a text, of which the message is only a part, so that it must be kept whole."""
    return path[-1] == "raw" and type(value) is str and _innermost(value) != value


def restored_body(rest: Mapping[str, Any], members: Mapping[str, Any], places: Mapping[str, str]) -> Any:
    """Return the body with the members put back at their places; invalid places are ignored."""
    paths = {name: _steps(place) for name, place in places.items()}
    if paths.get("message") == ():
        return members["message"]
    if not paths and _WHOLE in rest:
        return rest[_WHOLE]
    is_listed = any(path[0] == "0" for path in paths.values() if path)
    body: Any = [rest] if is_listed else rest
    for name, path in paths.items():
        value = members.get(name)
        if path and value is not None and (value != "" or name != "message"):
            body = _set(body, path, bracketed(value) if name == "param" else value)
    return body


def _steps(place: str) -> tuple[str, ...]:
    return tuple(pointer_tokens(place)[:_MAX_STEPS])


def _set(node: Any, path: Sequence[str], value: Any) -> Any:
    """Return a copy of a node with a value at a path; the node itself if the path does not exist in it."""
    if not path:
        return node if type(node) is str and _innermost(node) == value else value
    step, inner = path[0], path[1:]
    if node is None or isinstance(node, dict):
        members = cast("dict[str, Any]", node or {})
        return {**members, step: _set(members.get(step), inner, value)}
    if type(node) is list and step.isdecimal() and len(step) < 9 and int(step) < len(node):
        items = list(node)
        items[int(step)] = _set(items[int(step)], inner, value)
        return items
    return node


def informative_members(rest: Any, said: frozenset[str]) -> list[str]:
    """Return the names of remaining body members that hold information of their own; nested ones as `error.name`.

    `said` are numbers that are already known from elsewhere, as texts.
    """
    names: list[str] = []
    for name, value in cast("dict[str, Any]", rest).items() if type(rest) is dict else ():
        if name == _WHOLE and type(value) is str:
            read = _written_in(value)
            names += [] if read is None else informative_members(read.rest, said)
        elif name == "error" and type(value) is dict:
            names += [f"error.{one}" for one in informative_members(value, said)]
        elif (name, value) not in _ENVELOPES and _has_information(value, said, 0):
            names.append(name[:_LONGEST_NAME] if name != _WHOLE else "the whole body")
    return names


def _has_information(value: Any, said: frozenset[str], depth: int) -> bool:
    """Tell whether a value is more than null, empty, false, or an already known number."""
    if isinstance(value, (dict, list)) and value:
        inner = cast("dict[str, Any]", value).values() if isinstance(value, dict) else value
        return depth >= _MAX_STEPS or any(_has_information(one, said, depth + 1) for one in inner)
    return not (value is None or value is False or value in ("", 0) or isinstance(value, (dict, list))) and (
        exact_text(value) not in said
    )
