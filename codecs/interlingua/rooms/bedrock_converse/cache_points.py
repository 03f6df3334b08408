"""Cache points in encoded requests: where they may stand, and how many.

Source: docs/wire/bedrock_converse.md, section 1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.rooms._shared.cache_marks import CLAUDES_TIMES, first_marks, lifetime
from interlingua.rooms._shared.writing import report_setting
from interlingua.rooms.bedrock_converse.tables import DEFAULTS, MAX_CACHE_POINTS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from interlingua.rooms._shared.writing import Target

BEHIND_RESULT: Final = "the cache point stands behind the result, where it ends the same prefix"
_NONE: Final = frozenset({"refuse", "refuse_by_some_hosts"})


def cache_point(mark: Mapping[str, Any], path: str, to: Target) -> dict[str, Any]:
    """Return the block for a cache mark."""
    point = {"cachePoint": {"type": "default", **lifetime(mark, path, CLAUDES_TIMES, to)}}
    if to.marks is not None:
        to.marks.append((point, path))
    return point


def cache_points(value: Any, path: str, to: Target, role: str = "") -> list[dict[str, Any]]:
    """Return the cache point for a value's cache mark, in a list."""
    mark = value.get("cache")
    if mark is None:
        return []
    if not to.home and (to.answer or role == "tool"):
        to.log.lost("cache", f"{path}/cache", "cachePoint is not allowed here")
        return []
    if "mode" in mark:
        note = to.log.changed if mark["mode"] == "implicit" else to.log.lost
        note("cache", f"{path}/cache/mode", "cachePoint has no mode")
    return [cache_point(mark, f"{path}/cache", to)]


def mark_of_result(message: Any, path: str, to: Target) -> tuple[Any, Any, str]:
    """Return a result's content, what its cache mark stands on, and where that is.

    Abroad the mark of the last part is written after the result, which ends the same prefix: no point may stand inside.
    """
    content = message.get("content", ())
    if to.home or to.answer or "cache" in message or type(content) is str or not content or "cache" not in content[-1]:
        return content, message, path
    *before, last = content
    where = f"{path}/content/{len(before)}"
    to.log.changed("cache", f"{where}/cache", BEHIND_RESULT)
    bare = {name: value for name, value in last.items() if name != "cache"}
    return [*before, bare], last, where


def mark_end(body: dict[str, Any], cache: Mapping[str, Any], to: Target) -> None:
    """Abroad, write a cache point at the end of the last user message, for a request that is cached as a whole.

    Claude and OpenAI set such a mark themselves; Bedrock does not.
    """
    messages = body["messages"]
    last = next((at for at in range(len(messages) - 1, -1, -1) if messages[at]["role"] == "user"), None)
    if to.home or last is None or cache.get("mode", "implicit") != "implicit":
        report_setting("cache", cache, DEFAULTS, to.log)
        return
    content = messages[last]["content"]
    if "cachePoint" in content[-1]:
        to.log.changed("cache", _WHOLE, ENDED)
    else:
        messages[last] = {**messages[last], "content": [*content, cache_point(cache, _WHOLE, to)]}


_WHOLE: Final = "/cache"
ENDED: Final = "a request with a cache point at its end is cached as a whole"
END_ADDED: Final = "Bedrock does not cache by itself: a cache point was added at the end"


def drop_refused_points(body: dict[str, Any], facts: Mapping[str, Any], to: Target) -> None:
    """Abroad, drop the cache points that the models refuse: all, those in tools, or those after a document's text."""
    if not to.marks or not facts:
        return
    verdict, kept = facts.get("cache_points", "accept"), list[tuple[dict[str, Any], str]]()
    written = _written_points(body)
    asked = first_marks([block for _, _, block in written], to.marks, len(written))
    for place, path in reversed(asked):  # from the last one, so that earlier positions stay valid
        (holder, name), at, point = written[place]
        if verdict in _NONE or (verdict == "not_in_tools" and name == "tools"):
            to.log.lost("cache", path, "these models do not accept cache points there")
            del holder[name][at]
        elif facts.get("cache_behind_texts") == "refuse" and is_read_as_text(holder[name], at - 1):
            to.log.lost("cache", path, _BEHIND_TEXT)
            del holder[name][at]
        else:
            _shorten(point["cachePoint"], path, facts, to)
            kept.append((point, path))
    to.marks = kept[::-1]


_BEHIND_TEXT: Final = "a cache point is not accepted after a document that is read as text"


def _shorten(point: dict[str, Any], path: str, facts: Mapping[str, Any], to: Target) -> None:
    """Drop a TTL that the models do not have."""
    times = facts.get("cache_times")
    if times is not None and point.get("ttl", times[0]) not in times:
        del point["ttl"]
        to.log.changed("cache", f"{path}/ttl", "these models keep a cache for five minutes")


def is_read_as_text(blocks: Sequence[Any], at: int) -> bool:
    """Return whether a block is a document that the service converts to text: neither a PDF nor with citations."""
    block: Any = blocks[at] if at >= 0 else None
    document: Any = block.get("document") if type(block) is dict else None
    return type(document) is dict and document.get("format") != "pdf" and "citations" not in document


def limit_points(body: dict[str, Any], to: Target) -> None:
    """Abroad, drop the first cache points above the limit: each later one covers everything before it."""
    points = to.marks or ()
    if any(path == _WHOLE for _, path in points):
        to.log.changed("cache", _WHOLE, END_ADDED)
    if to.home or len(points) <= MAX_CACHE_POINTS:
        return
    written = _written_points(body)
    first = first_marks([block for _, _, block in written], points, len(written) - MAX_CACHE_POINTS)
    for place, path in reversed(first):
        (holder, name), at, _ = written[place]
        del holder[name][at]
        to.log.lost("cache", path, "Bedrock accepts at most four cache points: the last four are kept")


def _written_points(body: dict[str, Any]) -> list[tuple[tuple[dict[str, Any], str], int, dict[str, Any]]]:
    """Return the cache points of a body: the list that holds each (as holder and name), its index, and the block."""
    return [
        (held, at, block) for held in _lists(body) for at, block in enumerate(held[0][held[1]]) if "cachePoint" in block
    ]


def _lists(body: dict[str, Any]) -> Iterator[tuple[dict[str, Any], str]]:
    """Yield the lists that may hold cache points, as holder and name, in the order in which the server reads them."""
    if "tools" in body.get("toolConfig", ()):
        yield body["toolConfig"], "tools"
    if "system" in body:
        yield body, "system"
    for message in body["messages"]:
        yield message, "content"
