"""Diff an expected stream frame with the one that came, apply such patches, and find unknown members of a frame.

If a stream goes abroad, no patch is needed: only members that the room does not know are reported.

A patch of an object is `{put: {member: value}, absent: [member], in: {member: patch}}`; a list of the length that was
expected is patched like an object whose members are its indexes. Source: docs/design.md, section 6.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

from interlingua.loss import is_empty_value
from interlingua.pointers import pointer, pointer_tokens

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

PUT, ABSENT, IN = "put", "absent", "in"
PATCH: Final = "frame"  # the member of an event's `extra` that holds the patch of its frame
_NOT_EXPECTED: Final = object()
# Members with random text that hides the length of a piece (OpenAI; Bedrock and Cloudflare).
_PADDING: Final = frozenset({"obfuscation", "p"})


def difference(expected: Any, found: Any) -> dict[str, Any]:
    """Return the patch from `expected` to `found`, two objects or two lists of equal length; empty if they are equal.

    Numbers of different types are different, since JSON must be restored as it was written.
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
        if wanted is value:  # null, or an object that both share
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


def changed(expected: Any, found: Any) -> dict[str, Any]:
    """Return a patch of what is new or different, for frames that nobody restores; equal numbers may differ in type."""
    if expected == found:
        return {}
    if type(expected) is list:
        places = [str(at) for at in range(len(found))]
        return changed(dict(zip(places, expected, strict=True)), dict(zip(places, found, strict=True)))
    put: dict[str, Any] = {}
    inside: dict[str, Any] = {}
    for key, value in found.items():
        wanted = expected.get(key, _NOT_EXPECTED)
        if wanted is value or wanted == value or _is_padding(key, value):
            continue
        if type(value) is not dict or type(wanted) is not dict:
            put[key] = value
        elif inner := changed(wanted, value):
            inside[key] = inner
    return ({PUT: put} if put else {}) | ({IN: inside} if inside else {})


def patched(expected: Any, patch: Any) -> Any:
    """Return `expected` with a patch applied; parts of the patch that no longer fit are ignored."""
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
    """Return the frames of one event with its patch applied, which is that of one frame or of the list of frames."""
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


def members_beyond(patch: Any) -> list[str]:
    """Return the names of the members that a frame has beyond its events, without padding and empty values.

    An item of a list that is replaced as a whole is named by its members.
    """
    if type(patch) is not dict:
        return []
    if "unknown" in patch:
        names = [pointer_tokens(path)[-1] for path in patch["unknown"]]
    else:
        names = []
        for name, value in _members(patch, PUT):
            if not (is_empty_value(value) or _is_padding(name, value)):
                names += value if name.isdecimal() and type(value) is dict else [name]
        names += [name for _, inner in _members(patch, IN) for name in members_beyond(inner)]
    return names


def _is_padding(name: str, value: Any) -> bool:
    return name in _PADDING and type(value) is str


def _members(patch: Any, name: str) -> list[tuple[str, Any]]:
    members = patch.get(name)
    return list(cast("dict[str, Any]", members).items()) if type(members) is dict else []


# Member -> what is known of it: None for anything; a type; the table of an object, or of each object in a list; or a
# tuple of a type and an alternative. The member "" selects a table by the value of a member: {"": ("type", {"text":
# {...}})}; for an unknown value nothing is reported, since the room keeps the object whole.
Known: TypeAlias = "Mapping[str, Any]"
_UNNAMED: Final = object()
_TABLES: Final = frozenset({dict, MappingProxyType})
_ITSELF: Final = ("",)  # the path of the value itself


def unknown(found: Mapping[str, Any], known: Known) -> Sequence[str]:
    """Return the paths of members that a table does not have, or has with another type; list indexes are left out.

    Members that are null are ignored.
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
        below = known.get(name, _UNNAMED)
        if below is None:
            continue
        kind = type(value)
        if kind is below or value is None:
            continue
        if type(below) is tuple:
            usual, below = below
            if kind is usual or kind is below:
                continue
        inner: Sequence[str] = _ITSELF
        if type(below) in _TABLES:
            if kind is dict:
                inner = unknown(value, below)
            elif kind is list:
                inner = [path for one in value for path in (unknown(one, below) if type(one) is dict else _ITSELF)]
        if inner:  # hardly ever
            here = pointer(name)
            paths = [*paths, *(here + path for path in inner)]
    return paths
