"""Canonical to Bedrock Converse: how many cache points there may be. See docs/wire/bedrock_converse.md, section 1."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interlingua.rooms._shared.cache_marks import first_marks
from interlingua.rooms.bedrock_converse.tables import MAX_CACHE_POINTS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from interlingua.rooms._shared.writing import Target


def limit_points(body: dict[str, Any], to: Target) -> None:
    """Take away, abroad, the first of more points than are taken: each of the last covers all that stands before it."""
    points = to.marks or ()
    if to.home or len(points) <= MAX_CACHE_POINTS:
        return
    written = [
        (holder[name], at, block)
        for holder, name in _lists(body)
        for at, block in enumerate(holder[name])
        if "cachePoint" in block
    ]
    first = first_marks([block for _, _, block in written], points, len(written) - MAX_CACHE_POINTS)
    for place, path in reversed(first):  # from the last one on: what stands before keeps its place
        blocks, at, _ = written[place]
        del blocks[at]
        to.log.lost("cache", path, "Bedrock takes four cache points: the last ones stay")


def _lists(body: dict[str, Any]) -> Iterator[tuple[dict[str, Any], str]]:
    """Yield where points may stand, in the order in which the server reads them: what holds a list, and its name."""
    if "tools" in body.get("toolConfig", ()):
        yield body["toolConfig"], "tools"
    if "system" in body:
        yield body, "system"
    for message in body["messages"]:
        yield message, "content"
