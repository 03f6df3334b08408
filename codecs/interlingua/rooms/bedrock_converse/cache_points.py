"""Canonical to Bedrock Converse: how many cache points there may be. See docs/wire/bedrock_converse.md, section 1."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interlingua.rooms.bedrock_converse.tables import MAX_CACHE_POINTS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from interlingua.rooms._shared.writing import Target


def limit_points(body: dict[str, Any], to: Target) -> None:
    """Take away, abroad, the first of more points than are taken: each of the last covers all that stands before it."""
    points = to.marks or ()
    if to.home or len(points) <= MAX_CACHE_POINTS:
        return
    paths = {id(point): path for point, path in points}
    written = [block for holder, name in _lists(body) for block in holder[name] if id(block) in paths]
    surplus = {id(point) for point in written[:-MAX_CACHE_POINTS]}
    for holder, name in _lists(body):
        holder[name] = [block for block in holder[name] if id(block) not in surplus]
    for point in written[:-MAX_CACHE_POINTS]:
        to.log.lost("cache", paths[id(point)], "Bedrock takes four cache points: the last ones stay")


def _lists(body: dict[str, Any]) -> Iterator[tuple[dict[str, Any], str]]:
    """Yield where points may stand, in the order in which the server reads them: what holds a list, and its name."""
    if "tools" in body.get("toolConfig", ()):
        yield body["toolConfig"], "tools"
    if "system" in body:
        yield body, "system"
    for message in body["messages"]:
        yield message, "content"
