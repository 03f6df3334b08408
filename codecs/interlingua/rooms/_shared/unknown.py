"""What a frame holds beyond the members that its room knows: all that must be told where a stream goes abroad."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

from interlingua.loss import pointer

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

# Member -> what is known of it: None for all, a type, the members of an object or of each object of a list, or a tuple
# of a type and such members, or another type. The one member "" chooses a table by the word that a member says: {"":
# ("type", {"text": {...}})}; of an unknown word nothing is told, since the room keeps it whole.
Known: TypeAlias = "Mapping[str, Any]"
_UNNAMED: Final = object()
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
        below = known.get(name, _UNNAMED)
        if type(value) is below or below is None or value is None:
            continue
        inner = _ITSELF if below is _UNNAMED else _below(value, below)
        if inner:  # hardly ever
            here = pointer(name)
            paths = [*paths, *(here + path for path in inner)]
    return paths


def _below(value: Any, known: Any) -> Sequence[str]:
    """Return where something stands in a member that is not as it is known."""
    if type(known) is tuple:
        kind, known = known
        if type(value) is kind:
            return ()
    if type(known) is type:
        return () if type(value) is known else _ITSELF
    if type(value) is dict:
        return unknown(value, known)
    if type(value) is not list:
        return _ITSELF
    paths: Sequence[str] = ()
    for one in value:
        inner = unknown(one, known) if type(one) is dict else _ITSELF
        if inner:
            paths = [*paths, *inner]
    return paths
