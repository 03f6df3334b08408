"""Removes secrets from a document before it is written, except from parts that must not be edited.

The hook gets the texts of people, models and tools: contents, arguments, results, errors, stack traces, metadata. It
does not get words and identifiers of the schema, nor what a provider has signed or encrypted: state under `extra`,
opaque parts and messages, signed reasoning, image data (also in data URLs). Editing signed data would block the
conversation for good. If the hook would change such a text, that is reported instead.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

from interlingua.errors import EncodeError, JsonDecodeError, MigrationError
from interlingua.json_types import is_list, is_object, is_text
from interlingua.pointers import pointer
from interlingua.registry import known_descriptor
from interlingua.transcript.load import load_message
from interlingua_types import CURRENT
from interlingua_types.unions import UNIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from interlingua_types.current.tags import PartTag

__all__ = ["Redact", "Redacted", "redact_free_json", "redacted"]

Redact: TypeAlias = "Callable[[str, str], str]"
"""From a text and the name of its member ("" for none) to the text without secrets."""

Json: TypeAlias = dict[str, Any]
Path: TypeAlias = tuple[str | int, ...]

FREE_FORM_MEMBERS: Final = frozenset({"arguments", "artifact", "metadata", "parameters"})
"""Members whose values are the application's own JSON: all their texts and names are redacted."""

WORD_MEMBERS: Final = frozenset(
    {
        *("category", "encoding", "finish_reason", "kind", "mode", "mode_used", "output_form", "role"),
        *("schema_version", "status", "type"),
    }
)
"""Members whose values are words of the schema."""

IDENTIFIER_MEMBERS: Final = frozenset(
    {
        *("call_id", "code", "detail", "dialect", "error_code", "file_id", "finish_reason_raw", "first_id", "format"),
        *("id", "last_id", "mime_type", "model", "parent", "request_id", "ttl"),
    }
)
"""Members whose values are identifiers, or a provider's words."""

_NOT_REDACTED: Final = WORD_MEMBERS | IDENTIFIER_MEMBERS
_CONTENT_MEMBERS: Final = frozenset({("server_call", "code")})
"""Members that are named like identifiers but hold content: the type of the owner, and the name."""

# As an address, bytes are base64, whose letters may happen to form a secret; redacting them would destroy the image.
_DATA_URL: Final = re.compile(r"data:[^,]*;base64,[A-Za-z0-9+/_=\s-]*\Z", re.IGNORECASE)
_SOURCES: Final = UNIONS[CURRENT]["image_source"].variants.keys()
_MESSAGE_TYPES: Final = UNIONS[CURRENT]["message"].variants.keys()


@dataclass(frozen=True, slots=True)
class Redacted:
    """A document without its secrets, the paths of removed secrets, and those of secrets that must not be removed.

    Paths are JSON Pointers into the message; a path ends before a member name that contains a secret.
    """

    document: Any
    redacted: tuple[str, ...]
    kept: tuple[str, ...]


def redacted(document: Any, redact: Redact) -> Redacted:
    """Return the plain JSON of a message without secrets. The input is not modified.

    Raises:
        EncodeError: the redacted document is not a valid message.
        Exception: whatever the hook raises.
    """
    walk = _Redaction(redact)
    is_known = (
        is_object(document) and document.get("schema_version") == CURRENT and document.get("type") in _MESSAGE_TYPES
    )
    if not is_known:
        walk.report_secrets(document, ())
        return Redacted(document, (), tuple(walk.kept))
    found = walk.redact_object(document, ())
    if walk.redacted:
        _check_is_message(found)
    return Redacted(found, tuple(walk.redacted), tuple(walk.kept))


def redact_free_json(value: Json, redact: Redact) -> Redacted:
    """Return free-form JSON without secrets, such as the metadata of a session."""
    walk = _Redaction(redact)
    return Redacted(walk.redact_free_form(value, "", ()), tuple(walk.redacted), tuple(walk.kept))


def _check_is_message(document: Any) -> None:
    try:
        load_message(document)
    except (JsonDecodeError, MigrationError):
        pass
    else:
        return
    raise EncodeError("interlingua", "", "the redaction turned it into something that is not a message")


@dataclass(slots=True)
class _Redaction:
    """One walk through a document, with its findings."""

    redact: Redact
    redacted: list[str] = field(default_factory=list[str])
    kept: list[str] = field(default_factory=list[str])

    def redact_object(self, value: Json, path: Path) -> Json:
        """Return an object of the schema without secrets."""
        is_signed = value.get("type") == "reasoning" and _is_signed(value.get("extra"))
        return {name: self._redact_member(value, name, (*path, name), is_signed=is_signed) for name in value}

    def _redact_member(self, owner: Json, name: str, path: Path, *, is_signed: bool) -> Any:
        value = owner[name]
        if name.endswith("_at") or (name in _NOT_REDACTED and (owner.get("type"), name) not in _CONTENT_MEMBERS):
            return value
        if name == "extra":
            return self._redact_extra(value, path)
        if _is_media(owner, name):
            return value
        if _is_opaque(owner, name) or (is_signed and name == "data"):
            self.report_secrets(value, path)
            return value
        if name in FREE_FORM_MEMBERS or (name == "output" and owner.get("output_form") != "parts"):
            return self.redact_free_form(value, name, path)
        return self._redact_value(value, name, path)

    def _redact_value(self, value: Any, name: str, path: Path) -> Any:
        if is_object(value):
            return self.redact_object(value, path)
        if is_list(value):
            return [self._redact_value(item, name, (*path, index)) for index, item in enumerate(value)]
        return self._redact_text(value, name, path)

    def _redact_extra(self, value: Any, path: Path) -> Any:
        """Only report secrets in provider state; unknown members of an old document are redacted like metadata."""
        if not is_object(value):
            return value
        found = dict(value)
        for name, member in value.items():
            if name == "unknown":
                found[name] = self.redact_free_form(member, "", (*path, name))
            else:
                self.report_secrets(member, (*path, name))
        return found

    def redact_free_form(self, value: Any, name: str, path: Path) -> Any:
        """Return free-form JSON without secrets, also in member names."""
        if is_object(value):
            found: Json = {}
            for key, member in value.items():
                new = self._call_hook(key, "")
                if new != key:
                    self.redacted.append(pointer(*path))
                    new = _unused_name(new, value, found)
                found[new] = self.redact_free_form(member, key, (*path, new))
            return found
        if is_list(value):
            return [self.redact_free_form(item, name, (*path, index)) for index, item in enumerate(value)]
        return self._redact_text(value, name, path)

    def report_secrets(self, value: Any, path: Path) -> None:
        """Report the texts that the hook would change, without changing them."""
        if is_object(value):
            for key, member in value.items():
                if self._call_hook(key, "") == key:
                    self.report_secrets(member, (*path, key))
                else:
                    self.kept.append(pointer(*path))
        elif is_list(value):
            for index, item in enumerate(value):
                self.report_secrets(item, (*path, index))
        elif is_text(value) and self._call_hook(value, "") != value:
            self.kept.append(pointer(*path))

    def _call_hook(self, text: str, name: str) -> str:
        """Return the hook's result for a text.

        Raises:
            TypeError: it is not text; otherwise a hook without a return value would empty every message.
        """
        found = self.redact(text, name)
        if not is_text(found):
            raise TypeError("the redact hook must return text")
        return found

    def _redact_text(self, value: Any, name: str, path: Path) -> Any:
        if not is_text(value):
            return value
        found = self._call_hook(value, name)
        if found != value:
            self.redacted.append(pointer(*path))
        return found


def _holds_bytes(kind: PartTag) -> bool:
    """Tell whether a part type has bytes under `data`; a new type must be decided here."""
    match kind:
        case "image" | "audio" | "file":
            return True
        case "text" | "opaque" | "server_call" | "server_result":
            return False


_TYPES_WITH_BYTES: Final = frozenset(filter(_holds_bytes, cast("Iterable[PartTag]", UNIONS[CURRENT]["part"].variants)))


def _is_media(owner: Json, name: str) -> bool:
    """Tell whether a member holds the bytes of an image, audio or a file."""
    if name in {"data", "url"}:
        value = owner[name]
        is_held = owner.get("type") in _TYPES_WITH_BYTES or owner.get("kind") in _SOURCES
        return is_held and is_text(value) and (name == "data" or _DATA_URL.match(value) is not None)
    return name == "content" and owner.get("encoding") == "base64"


def _is_opaque(owner: Json, name: str) -> bool:
    """Tell whether a member is a provider's own block, item or message."""
    return name == "data" and (owner.get("type") == "opaque" or "dialect" in owner)


def _is_signed(extra: Any) -> bool:
    """Tell whether provider state beside reasoning may sign its text."""
    if not is_object(extra):
        return False
    for dialect, bag in extra.items():
        described = known_descriptor(dialect) if is_object(bag) else None
        if described is not None and described.signed_state in bag:
            return True
    return False


def _unused_name(name: str, *used: Json) -> str:
    """Return a name that no member has yet, since two secrets may be replaced by the same text."""
    found, number = name, 2
    while any(found in one for one in used):
        found, number = f"{name} {number}", number + 1
    return found
