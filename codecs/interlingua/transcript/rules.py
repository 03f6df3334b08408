"""Validates messages by the rules of requirement document 001, each with its own code.

The schema accepts what was really said, including empty text; these rules are for messages made by hand. They read
plain JSON of any shape, so that any document can be checked.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

from pydantic import ValidationError

from interlingua.errors import EncodeError
from interlingua.json_limits import unwritable, without_json_form
from interlingua.json_types import is_object, is_text
from interlingua.migrate.checks import known_reader
from interlingua.model import UnknownMessage
from interlingua.transcript.dump import dump_message
from interlingua.transcript.rules_content import (
    check_compaction,
    check_control,
    check_file_reference,
    check_image,
    check_reasoning,
    check_resource,
    check_text,
)
from interlingua.transcript.rules_shared import check_timestamps
from interlingua.transcript.rules_tool import check_tool_request, check_tool_result
from interlingua.validation import validate
from interlingua.violation import Violation
from interlingua_types import CURRENT
from interlingua_types._base import InterlinguaModel
from interlingua_types.unions import UNIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from interlingua.model import AnyMessage
    from interlingua.transcript.rules_shared import Json
    from interlingua_types.current.tags import MessageTag

    _Rule: TypeAlias = Callable[[Json, str], Iterator[Violation]]

__all__ = ["check_message"]

_TYPES: Final = UNIONS[CURRENT]["message"].variants.keys()


def check_message(message: AnyMessage | Mapping[str, Any], *, allow_empty: bool = False) -> list[Violation]:
    """Return the violations of a message, which is a model or a document of the current version; empty if it is valid.

    An invalid document is reported by violations, never by an exception. `allow_empty` accepts empty text. A message of
    an unknown type or a newer version cannot be checked, which is reported as a violation.

    Args:
        message: The message, a model or plain JSON.
        allow_empty: Whether text may be empty.

    Example:
        >>> il.check_message(il.messages.user("Hi"))
        []
    """
    document, is_message = _document(message)
    if not is_object(document):
        return [Violation("shape", "", "a message must be an object")]
    strange = _unknown(document)
    if strange is not None:
        return [
            Violation("unknown_message", strange, "messages of this type or version cannot be checked by this release")
        ]
    found = [*_check(document, allow_empty=allow_empty)]
    # Checked on the given message, since writing it as JSON turns NaN into null.
    given = message.model_dump(by_alias=True) if isinstance(message, InterlinguaModel) else message
    found += [Violation("json", path, reason) for path, reason in unwritable(given)]
    found += [Violation("json", path, "a value that cannot be written as JSON") for path in without_json_form(given)]
    return found if is_message else [*found, *_shape(document, {violation.path for violation in found})]


def _document(message: Any) -> tuple[Any, bool]:
    """Return a message as plain JSON, and whether the schema accepts it; an accepted one becomes canonical."""
    known = message
    if not isinstance(message, InterlinguaModel):
        if not is_object(message) or _unknown(message) is not None:
            return message, False
        try:
            known = known_reader().validate_python(message)
        except (ValidationError, RecursionError):
            return message, False
    if isinstance(known, UnknownMessage):
        return known.document, False
    try:
        return dump_message(known), True
    except EncodeError:
        return known.model_dump(by_alias=True), True


def _unknown(document: Json) -> str | None:
    """Return the path to the unknown type or newer version of a document, or None."""
    version = document.get("schema_version")
    if type(version) is int and version > CURRENT:
        return "/schema_version"
    kind = document.get("type")
    return "/type" if is_text(kind) and kind not in _TYPES else None


def _check(document: Json, *, allow_empty: bool) -> Iterator[Violation]:
    """Yield the violations of the rules for the message's type, as far as its shape allows."""
    yield from check_timestamps(document, ("created_at",), "")
    kind, data = document.get("type"), document.get("data")
    if not is_text(kind) or not is_object(data):
        return
    if kind == "text":
        yield from check_text(data, "/data", allow_empty=allow_empty)
    elif kind in _RULES:
        yield from _RULES[kind](data, "/data")


def _shape(document: Json, known: set[str]) -> Iterator[Violation]:
    """Yield the schema errors that no rule has reported, at the path or at a member missing there."""
    parents = {path.rpartition("/")[0] for path in known}
    for error in validate(document):
        is_named = error.path in known or (error.rule == "required" and error.path in parents)
        if not is_named:
            yield Violation("shape", error.path, error.detail)


def _rule(kind: MessageTag) -> _Rule | None:
    """Return the rules of a message type; a new type must be decided here."""
    match kind:
        case "reasoning":
            return check_reasoning
        case "compaction":
            return check_compaction
        case "file_reference":
            return check_file_reference
        case "image":
            return check_image
        case "mcp_resource":
            return check_resource
        case "system_control":
            return check_control
        case "tool_request":
            return check_tool_request
        case "tool_result":
            return check_tool_result
        case "text" | "opaque":  # text has an option of its own, and opaque messages are not checked
            return None


_KINDS: Final = cast("Iterable[MessageTag]", UNIONS[CURRENT]["message"].variants)
_RULES: Final[Mapping[str, _Rule]] = MappingProxyType(
    {kind: rule for kind in _KINDS if (rule := _rule(kind)) is not None}
)
