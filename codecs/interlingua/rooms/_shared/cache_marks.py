"""Cache marks: how long they last, those of Claude, and which to drop if a request has too many."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Mapping, Sequence

    from interlingua.rooms._shared.writing import Target

MAX_CACHE_MARKS: Final = 4  # Claude's limit
CLAUDES_TIMES: Final = frozenset({"5m", "1h"})  # on Bedrock, too


def lifetime(mark: Mapping[str, Any], path: str, accepted: Container[str], to: Target) -> dict[str, Any]:
    """Return the time to live of a cache mark, if the target has it."""
    if "ttl" not in mark:
        return {}
    if to.home or mark["ttl"] in accepted:
        return {"ttl": mark["ttl"]}
    to.log.lost("cache", f"{path}/ttl", "the target has other lifetimes for a cache")
    return {}


def claude_cache_mark(mark: Any, path: str, to: Target) -> dict[str, Any]:
    """Encode a cache mark as `cache_control`."""
    out: dict[str, Any] = {"type": "ephemeral"}
    if "mode" in mark and mark["mode"] != "implicit":
        to.log.lost("cache", f"{path}/mode", "cache_control has no mode")
    elif "mode" in mark:
        to.log.changed("cache", f"{path}/mode", "cache_control has no mode: on a block it is always explicit")
    out |= lifetime(mark, path, CLAUDES_TIMES, to)
    if to.marks is not None:
        to.marks.append((out, path))
    return out


def limit_marks(body: dict[str, Any], to: Target) -> None:
    """Abroad, drop the first of Claude's marks above the limit: each later mark covers everything before it."""
    if to.marks is None or len(to.marks) <= MAX_CACHE_MARKS:
        return
    # In the order in which the server reads them.
    holders = [holder for name in ("tools", "system", "messages") for holder in _marked_objects(body.get(name))]
    holders += [body] if "cache_control" in body else []
    written = [holder["cache_control"] for holder in holders]
    for place, path in first_marks(written, to.marks, len(written) - MAX_CACHE_MARKS):
        del holders[place]["cache_control"]
        to.log.lost("cache", path, "Claude accepts at most four cache marks: the last four are kept")


def _marked_objects(content: Any) -> Iterator[dict[str, Any]]:
    for block in content if type(content) is list else ():
        if type(block) is dict:
            yield from _marked_objects(block.get("content"))
            if "cache_control" in block:
                yield block


def first_marks(written: Sequence[Any], marks: Sequence[tuple[Any, str]], many: int) -> list[tuple[int, str]]:
    """Return the positions of the first marks in a body, and the canonical paths that they came from.

    Args:
        written: The marks in the order in which the server reads them.
        marks: Each requested mark with its path, nearly in that order. A mark that is not among them stays.
        many: How many marks to return.
    """
    found: list[tuple[int, str]] = []
    at = 0
    for place, mark in enumerate(written):
        if len(found) >= many:
            break
        steps = (step for step in range(len(marks)) if marks[(at + step) % len(marks)][0] is mark)
        step = next(steps, None)
        if step is not None:
            at = (at + step) % len(marks)
            found.append((place, marks[at][1]))
    return found
