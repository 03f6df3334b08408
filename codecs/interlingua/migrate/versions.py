"""Determines the schema version of a stored document: the one it states, or the one it looks like.

A positive integer in `schema_version` states the version. Versions 1 and 2 are open, so any other value is a member
like any other. The version of a document that states none and has a `role` is detected by these marks:

- version 2: `call_id`, `reasoning`, `refusal`, `extra`, a list as content, the role `developer`, text as arguments;
- version 1: `tool_call_id`, an object as arguments, or no mark at all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.errors import MigrationError, UnknownVersionError
from interlingua.json_types import is_list, is_object, is_text
from interlingua.migrate.roles import plain_role
from interlingua_types import CURRENT, VERSIONS
from interlingua_types.unions import SILENT

if TYPE_CHECKING:
    from collections.abc import Sequence

_MARKS_OF_2: Final = frozenset({"call_id", "reasoning", "refusal", "extra"})


def detect_version(document: Any) -> int:
    """Return the version that a document states or looks like; it may be newer than the current one.

    Raises:
        MigrationError: it is not an object, or has neither a version nor a role or type.
    """
    return stated_version(document) or looks_like(document) or 1


def detect_versions(documents: Sequence[Any], version: int | None) -> list[int | MigrationError]:
    """Return the version of each document of one conversation, or the error why it has none.

    A document without marks has the version of its neighbours: of the last one before it with marks, else of the first
    one after it. `version` is the one given by the caller.
    """
    found: list[int | MigrationError | None] = []
    for document in documents:
        try:
            stated = stated_version(document)
            if version is None:
                found.append(stated or looks_like(document))
            else:
                found.append(_agreed(version, stated))
        except MigrationError as error:
            found.append(error)
    marked = next((one for one in found if one in SILENT), SILENT[0])
    versions: list[int | MigrationError] = []
    for one in found:
        if one is not None and one in SILENT:
            marked = one
        versions.append(marked if one is None else one)
    return versions


def agree(version: int | None, document: Any) -> int:
    """Return the version of one document; `version` is the one given by the caller.

    Raises:
        MigrationError: the document states another one, or its version cannot be determined.
        UnknownVersionError: there is no such version.
    """
    if version is None:
        return detect_version(document)
    return _agreed(known_version(version), stated_version(document))


def known_version(version: object) -> int:
    """Return a version after checking that it exists.

    Raises:
        UnknownVersionError: there is no such version.
    """
    if type(version) is not int or version not in VERSIONS:
        raise UnknownVersionError(version, VERSIONS)
    return version


def stated_version(document: Any) -> int | None:
    """Return the version that a document states, or None.

    Raises:
        MigrationError: it is not an object.
    """
    if not is_object(document):
        raise MigrationError(CURRENT, "", "a document must be a JSON object")
    stated = document.get("schema_version")
    if type(stated) is float and stated.is_integer():
        stated = int(stated)
    return stated if type(stated) is int and stated >= 1 else None


def looks_like(document: dict[str, Any]) -> int | None:
    """Return the version by the marks of a document, or None if it has a role and no marks.

    Raises:
        MigrationError: it has neither a role nor a type.
    """
    role = plain_role(document.get("role"))
    if not is_text(role):
        if is_text(document.get("type")):
            return CURRENT
        raise MigrationError(CURRENT, "", "neither a type nor a role")
    if role == "tool" and "tool_call_id" in document and "call_id" not in document:
        return 1
    if role == "developer" or is_list(document.get("content")) or not _MARKS_OF_2.isdisjoint(document):
        return 2
    calls = document.get("tool_calls")
    if is_list(calls):
        for call in calls:
            if is_object(call) and "arguments" in call:
                return 2 if is_text(call["arguments"]) else 1
    return None


def _agreed(version: int, stated: int | None) -> int:
    """Return the caller's version, unless the document states another one."""
    if stated is not None and stated != version:
        raise MigrationError(version, "/schema_version", f"the document says version {stated}")
    return version
