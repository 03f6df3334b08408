"""Bodies as future providers may send them: unknown members, blocks, roles and words, inserted at every place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from support.canonical import edited, lists, objects, pointer

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

# Values of an unknown member: each kind of JSON, and values that look like known ones.
NEWS: Final[tuple[Any, ...]] = (
    "new",
    7,
    1.0,
    True,
    None,
    [],
    {},
    [{"type": "text", "text": "new"}],
    {"type": "text", "fields": {"content": None}},
)
UNKNOWN: Final = "x_unknown"


class Mutation(NamedTuple):
    """A body with one unknown thing in it: its kind, its path, and the whole body."""

    kind: str
    path: str
    body: Any


def mutations(body: Any, words: Mapping[str, frozenset[str]]) -> Iterator[Mutation]:
    """Yield a body with an unknown thing in it, for every place and every kind of thing.

    `words` holds the known words of each member that has a closed list of words.
    """
    yield Mutation("members everywhere", "", everywhere(body))
    for at, (path, members) in enumerate(objects(body)):
        news = NEWS[at % len(NEWS)]
        yield Mutation("member", pointer((*path, UNKNOWN)), edited(body, path, {**members, UNKNOWN: news}))
        yield Mutation("first member", pointer((*path, UNKNOWN)), edited(body, path, {UNKNOWN: news, **members}))
        for name, word in members.items():
            if isinstance(word, str) and word in words.get(name, ()):
                changed = edited(body, path, {**members, name: UNKNOWN})
                yield Mutation("word", pointer((*path, name)), changed)
    for path, entries in lists(body):
        stranger = _stranger(entries, path)
        if stranger is not None:
            for at in range(len(entries) + 1):
                wider = [*entries[:at], stranger, *entries[at:]]
                yield Mutation("entry", pointer((*path, at)), edited(body, path, wider))


def everywhere(value: Any, count: int = 0) -> Any:
    """Return a value with an unknown member in each of its objects."""
    if isinstance(value, dict):
        inner = {key: everywhere(one, count + at) for at, (key, one) in enumerate(value.items())}
        return {**inner, UNKNOWN: NEWS[count % len(NEWS)]}
    if isinstance(value, list):
        return [everywhere(one, count + at) for at, one in enumerate(value)]
    return value


def _stranger(entries: list[Any], path: tuple[str | int, ...]) -> Any:
    """Return an entry of an unknown type or role for a list whose entries have one; None for other lists."""
    if not entries or not all(isinstance(entry, dict) for entry in entries):
        return None
    if all("role" in entry for entry in entries):
        return {"role": UNKNOWN, "content": [{"type": "text", "text": "new"}], "type": UNKNOWN}
    if path[-1:] == ("tools",) or all("type" in entry for entry in entries):
        return {"type": UNKNOWN, UNKNOWN: {"text": "new"}, "id": "new", "name": "new"}
    return None
