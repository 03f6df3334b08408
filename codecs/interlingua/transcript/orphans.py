"""Finds results of calls in documents that could not be loaded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

from interlingua.json_types import is_list, is_object, is_text
from interlingua.migrate.pairing import OpenCalls
from interlingua_types import CURRENT

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

Json: TypeAlias = dict[str, Any]

_ITEMS: Final = ("function_call", "custom_tool_call")  # a tuple, since the compared value may be unhashable


def orphaned(
    documents: Sequence[Any], failures: Collection[int], loaded: Mapping[int, list[Json]]
) -> dict[int, tuple[int, ...]]:
    """Return the indexes of results that lost their call, by the index of the document with the call.

    `loaded` has the loaded documents. The calls of an invalid document are read as far as possible. A result whose call
    is nowhere belongs to the last unreadable document before it.
    """
    calls = OpenCalls()
    orphans: dict[int, list[int]] = {}
    lost: dict[str, int] = {}
    unreadable: int | None = None
    for index, document in enumerate(documents):
        if index in failures:
            identifiers = _call_ids(document)
            lost.update(dict.fromkeys(identifiers, index))
            unreadable = unreadable if identifiers else index
        for message in loaded.get(index, ()):
            if message.get("schema_version") != CURRENT:
                continue
            if message["type"] == "tool_request":
                for order, requested in enumerate(message["data"]["calls"]):
                    calls.add((index, order), requested["call"])
            elif message["type"] == "tool_result":
                data = message["data"]
                call_id = data.get("call_id")
                culprit = lost.get(call_id, unreadable)
                if calls.answer(call_id, data.get("name")) is None and culprit is not None:
                    orphans.setdefault(culprit, []).append(index)
    return {culprit: tuple(found) for culprit, found in orphans.items()}


def _call_ids(document: Any) -> list[str]:
    """Return the call ids of an invalid document, of any version or dialect."""
    if not is_object(document):
        return []
    data = document.get("data")
    listed = [document.get("tool_calls"), data.get("calls") if is_object(data) else None]
    calls = [call for found in listed if is_list(found) for call in found if is_object(call)]
    calls += [call["call"] for call in calls if is_object(call.get("call"))]
    calls += _blocks(document)
    return [call[name] for call in calls for name in ("id", "call_id") if is_text(call.get(name))]


def _blocks(document: Json) -> list[Json]:
    """Return the calls that dialects write among content blocks, or as separate items."""
    found = [document] if document.get("type") in _ITEMS else []
    for name in ("content", "parts"):
        parts = document.get(name)
        if is_list(parts):
            for part in parts:
                if is_object(part):
                    found += [part] if part.get("type") == "tool_use" else []
                    found += [part["functionCall"]] if is_object(part.get("functionCall")) else []
    return found
