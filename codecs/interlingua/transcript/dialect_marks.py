"""Detects the dialect of a stored row, if only one dialect writes such rows.

A row that the sealed versions 1 or 2 accept is of that version. The exception are rows that version 2 accepts only
because it is open, and could not interpret: a `tool_use` block would be an unknown part, and `tool_call_id` beside
parts an unknown member, so that the call and its link to the result would be lost.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from interlingua.json_types import is_list, is_object, is_text
from interlingua.migrate.roles import plain_role
from interlingua.migrate.versions import stated_version
from interlingua.registry import descriptors

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.spi.marks import Marks, NestedCall

__all__ = ["dialect_of", "marked_dialect"]

Json: TypeAlias = dict[str, Any]

_SOURCES: Final = frozenset({"url", "data", "file_id"})
# With one of these a message with blocks may be of version 2 after all.
_OF_VERSION_2: Final = frozenset({"call_id", "extra", "reasoning"})


def dialect_of(document: Any, dialect: str | None) -> str | None:
    """Return the dialect in which to read a document, or None if it is of a schema version.

    A document that states its version is of that version, and so is one with calls or a result in a form that no
    dialect has. Otherwise it is of `dialect`, the caller's, or of a detected dialect.
    """
    if not is_object(document) or stated_version(document) is not None:
        return None
    if dialect is None:
        return marked_dialect(document)
    return None if _is_of_version(document) else dialect


def marked_dialect(document: Json) -> str | None:
    """Return the only dialect that writes such a row, or None."""
    role = document.get("role")
    if not is_text(role):
        return None if role is not None else _of_item(document)
    role = plain_role(role)
    content = document.get("content")
    if is_list(content):
        marked = _of_parts(content) if _OF_VERSION_2.isdisjoint(document) else None
    else:
        marked = _of_list(document, role) if content is None else None
    if marked is not None:
        return marked
    if role == "assistant":
        return _of_calls(document)
    if role == "tool":
        return _of_result(document)
    owners = (one for one in descriptors() if role in one.marks.roles)
    return next((one.dialect for one in owners if is_text(document.get(one.marks.roles[role]))), None)


def _is_of_version(document: Json) -> bool:
    """Tell whether calls have name and arguments as members, or a result has `call_id`, as in versions 1 and 2."""
    role = plain_role(document.get("role"))
    if role == "tool":
        return is_text(document.get("call_id"))
    calls = document.get("tool_calls")
    return (
        role == "assistant"
        and is_list(calls)
        and bool(calls)
        and all(is_object(call) and "arguments" in call and is_text(call.get("name")) for call in calls)
    )


def _of_item(document: Json) -> str | None:
    """Return the dialect of a row without a role, by its type, or else by its list member."""
    kind = document.get("type")
    if kind is None:
        return _of_list(document, None)
    if not is_text(kind) or "data" in document:
        return None
    return next((one.dialect for one in descriptors() if _is_item(document, kind, one.marks)), None)


def _is_item(document: Json, kind: str, marks: Marks) -> bool:
    if kind in marks.listed_items:
        return is_list(document.get(marks.listed_items[kind]))
    return kind in marks.items and all(is_text(document.get(name)) for name in marks.items[kind])


def _of_list(document: Json, role: str | None) -> str | None:
    """Return the only dialect whose rows without content have such a list member, if there is one."""
    owners = (one for one in descriptors() if role in one.marks.lists)
    return next((one.dialect for one in owners if is_list(document.get(one.marks.lists[role]))), None)


def _of_parts(content: list[Any]) -> str | None:
    """Return the only dialect that has such parts, if there is one."""
    parts, members = _parts()
    found: set[str] = set()
    for part in content:
        if is_object(part):
            kind = part.get("type")
            if is_text(kind):
                if kind in parts:
                    found.add(parts[kind])
                elif kind in members and _SOURCES.isdisjoint(part) and is_object(part.get(members[kind][0])):
                    found.add(members[kind][1])
    return found.pop() if len(found) == 1 else None


@cache
def _parts() -> tuple[Mapping[str, str], Mapping[str, tuple[str, str]]]:
    """Return the part types of each dialect: unique ones, and those that also need a member."""
    marks = [(one.dialect, one.marks) for one in descriptors()]
    parts = {kind: dialect for dialect, of_one in marks for kind in of_one.parts}
    members = {kind: (name, dialect) for dialect, of_one in marks for kind, name in of_one.part_members.items()}
    return parts, members


def _of_calls(document: Json) -> str | None:
    """Return the only dialect that nests calls as this assistant message does, if there is one."""
    calls = document.get("tool_calls")
    if not calls:
        owners = ((one.dialect, one.marks.call) for one in descriptors())
        return next((owner for owner, name in owners if name is not None and _is_named(document.get(name))), None)
    found = {_of_call(call) for call in calls if is_object(call)} if is_list(calls) else set[str | None]()
    return found.pop() if len(found) == 1 else None


def _of_call(call: Json) -> str | None:
    """Return the dialect of a call with nested name and arguments; None for a call of version 1 or 2."""
    if "name" in call:
        return None
    return next((dialect for dialect, nested in _nested_calls() if _is_nested(call, nested)), None)


def _is_nested(call: Json, nested: NestedCall) -> bool:
    inner: Any = call.get(nested.member)
    if not _is_named(inner) or nested.type not in {None, call.get("type")}:
        return False
    return nested.arguments == "any" or (nested.arguments == "object") == is_object(inner.get("arguments"))


@cache
def _nested_calls() -> tuple[tuple[str, NestedCall], ...]:
    """Return how dialects nest their calls, those that check the call's type last."""
    found = [(one.dialect, nested) for one in descriptors() for nested in one.marks.calls]
    return tuple(sorted(found, key=lambda pair: pair[1].type is not None))


def _is_named(value: Any) -> bool:
    return is_object(value) and is_text(value.get("name"))


def _of_result(document: Json) -> str | None:
    """Return the dialect of a result that refers to its call or tool in a form that no schema version has."""
    if "call_id" in document:
        return None
    for one in descriptors():
        for name, content in one.marks.results.items():
            if is_text(document.get(name)):
                return one.dialect if content == "any" or is_list(document.get("content")) else None
    return None
