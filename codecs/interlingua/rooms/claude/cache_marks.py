"""Canonical to Claude: how many cache marks a request may have. Source: docs/wire/claude.md, section 6."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interlingua.rooms._shared.cache_marks import first_marks
from interlingua.rooms.claude.tables import MAX_CACHE_MARKS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from interlingua.rooms._shared.writing import Target


def limit_marks(body: dict[str, Any], to: Target) -> None:
    """Take away, abroad, the first of more marks than are taken: each of the last covers all that stands before it."""
    marks = to.marks or ()
    if len(marks) <= MAX_CACHE_MARKS:
        return
    holders = [*_holders(body)]
    written = [holder["cache_control"] for holder in holders]
    for place, path in first_marks(written, marks, len(written) - MAX_CACHE_MARKS):
        del holders[place]["cache_control"]
        to.log.lost("cache", path, "Claude takes four marks: the last ones stay")


def _holders(body: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield what has a mark, in the order in which the server reads it."""
    contents = [body.get("tools"), body.get("system"), *(message["content"] for message in body["messages"])]
    for content in contents:
        yield from _marked(content)
    if "cache_control" in body:
        yield body


def _marked(content: Any) -> Iterator[dict[str, Any]]:
    for block in content if type(content) is list else ():
        if type(block) is dict:
            yield from _marked(block.get("content"))
            if "cache_control" in block:
                yield block
