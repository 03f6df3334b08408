"""The difference between a stream frame that was expected and the one that came, and the way back.

Where a stream goes abroad, only what a frame holds beyond the members that its room knows must be told.

A patch of an object is `{put: {member: value}, absent: [member], in: {member: patch}}`; a list of the length that was
expected is patched like an object whose members are its indexes. Source: docs/design.md, section 6.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

from interlingua.pointers import pointer

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

PUT, ABSENT, IN = "put", "absent", "in"
PATCH: Final = "frame"  # what an event keeps of its frame
_NOT_EXPECTED: Final = object()


def difference(expected: Any, found: Any) -> dict[str, Any]:
    """Return the patch that makes `found` of `expected`, two objects or two lists of equal length; empty: the same.

    Numbers are the same only where their types are, since JSON that comes back must be written as it was.
    """
    if type(expected) is list:
        if len(found) != 1 or type(expected[0]) is not dict or type(found[0]) is not dict:
            places = [str(at) for at in range(len(found))]
            return difference(dict(zip(places, expected, strict=True)), dict(zip(places, found, strict=True)))
        only = difference(expected[0], found[0])
        return {IN: {"0": only}} if only else only
    put: dict[str, Any] = {}
    inside: dict[str, Any] = {}
    unknown = 0
    for key, value in found.items():
        wanted = expected.get(key, _NOT_EXPECTED)
        if wanted is value:  # null, or an object that both of them hold
            continue
        kind = type(value)
        if type(wanted) is not kind:
            if wanted is _NOT_EXPECTED:
                unknown += 1
            put[key] = value
        elif kind is dict or (kind is list and len(wanted) == len(value)):
            inner = difference(wanted, value)
            if inner:
                inside[key] = inner
        elif wanted != value:
            put[key] = value
    patch: dict[str, Any] = {PUT: put} if put else {}
    if len(found) - unknown != len(expected):
        patch[ABSENT] = [key for key in expected if key not in found]
    if inside:
        patch[IN] = inside
    return patch


def patched(expected: Any, patch: Any) -> Any:
    """Return the value that a patch makes of `expected`; what does not fit it any more is passed over."""
    if type(expected) is list:
        return _patched_list(expected, patch)
    absent = patch.get(ABSENT, ())
    out = {key: value for key, value in expected.items() if key not in absent} if absent else dict(expected)
    inside, put = patch.get(IN), patch.get(PUT)
    if type(inside) is dict:
        for key, inner in inside.items():
            kind = type(out.get(key))
            if (kind is dict or kind is list) and type(inner) is dict:
                out[key] = patched(out[key], inner)
    if type(put) is dict:
        out.update(put)
    return out


def apply_patch(frames: Sequence[Any], patch: Any) -> list[Any]:
    """Return the frames of one event with its patch laid over: that of a frame, or of the list of several."""
    if type(patch) is not dict:
        return list(frames)
    if len(frames) > 1:
        return list(patched(list(frames), patch))
    return [frames[0] if type(frames[0]) is str else patched(frames[0], patch)]


def _patched_list(expected: list[Any], patch: Any) -> list[Any]:
    if len(expected) == 1 and PUT not in patch:  # the one choice of a chunk, and the like
        inside = patch.get(IN)
        inner = inside.get("0") if type(inside) is dict else None
        fits = type(inner) is dict and type(expected[0]) in (dict, list)
        return [patched(expected[0], inner)] if fits else list(expected)
    out = list(expected)
    places = {str(at): at for at in range(len(out))}
    for key, inner in _members(patch, IN):
        at = places.get(key)
        if at is not None and type(out[at]) in (dict, list) and type(inner) is dict:
            out[at] = patched(out[at], inner)
    for key, value in _members(patch, PUT):
        if key in places:
            out[places[key]] = value
    return out


def _members(patch: Any, name: str) -> list[tuple[str, Any]]:
    members = patch.get(name)
    return list(cast("dict[str, Any]", members).items()) if type(members) is dict else []


# Member -> what is known of it: None for all, a type, the members of an object or of each object of a list, or a tuple
# of a type and such members, or another type. The one member "" chooses a table by the word that a member says: {"":
# ("type", {"text": {...}})}; of an unknown word nothing is told, since the room keeps it whole.
Known: TypeAlias = "Mapping[str, Any]"
_UNNAMED: Final = object()
_TABLES: Final = frozenset({dict, MappingProxyType})
_ITSELF: Final = ("",)  # the path of the member that is asked about


def unknown(found: Mapping[str, Any], known: Known) -> Sequence[str]:
    """Return where the members stand that a table does not name, or not so; the places of a list count as one.

    A member that is null says nothing.
    """
    tables = known.get("")
    if tables is not None:
        member, by_word = tables
        word = found.get(member)
        if type(word) is not str or word not in by_word:
            return ()
        known = by_word[word]
    paths: Sequence[str] = ()
    for name, value in found.items():
        if value is None:
            continue
        below = known.get(name, _UNNAMED)
        kind = type(value)
        if kind is below or below is None:
            continue
        if type(below) is tuple:
            usual, below = below
            if kind is usual:
                continue
        if kind is dict and type(below) in _TABLES:  # what most objects hold is an object
            inner = unknown(value, below)
        else:
            inner = _ITSELF if below is _UNNAMED else _below(value, below)
        if inner:  # hardly ever
            here = pointer(name)
            paths = [*paths, *(here + path for path in inner)]
    return paths


def _below(value: Any, known: Any) -> Sequence[str]:
    """Return where something stands in a member that is not as it is known."""
    if type(known) is type:
        return () if type(value) is known else _ITSELF
    if type(value) is not list:
        return _ITSELF
    paths: Sequence[str] = ()
    for one in value:
        inner = unknown(one, known) if type(one) is dict else _ITSELF
        if inner:
            paths = [*paths, *inner]
    return paths
