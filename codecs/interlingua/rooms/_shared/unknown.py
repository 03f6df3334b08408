"""What a frame holds beyond the members that its room knows: all that must be told where a stream goes abroad."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

from interlingua.loss import pointer

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

# Member -> what is known of it: None for all, a type, the members of an object or of each object of a list, or a tuple
# of a type and such members, or another type. The one member "" chooses a table by the word that a member says: {"":
# ("type", {"text": {...}})}; of an unknown word nothing is told, since the room keeps it whole.
Known: TypeAlias = "Mapping[str, Any]"
_UNNAMED: Final = object()


def unknown(found: Mapping[str, Any], known: Known) -> Iterator[str]:
    """Yield where the members stand that a table does not name, or not so; the places of a list count as one.

    A member that is null says nothing.
    """
    if "" in known:
        member, tables = known[""]
        word = found.get(member)
        if type(word) is not str or word not in tables:
            return
        known = tables[word]
    for name, value in found.items():
        below = known.get(name, _UNNAMED)
        if below is None or type(value) is below or value is None:
            continue
        if below is _UNNAMED:
            yield pointer(name)
        else:
            for path in _below(value, below):
                yield pointer(name) + path


def _below(value: Any, known: Any) -> Iterator[str]:
    """Yield where something stands in a member that is not as it is known."""
    if type(known) is tuple:
        kind, known = known
        if type(value) is kind:
            return
    if type(known) is type:
        if type(value) is not known:
            yield ""
        return
    if type(value) not in (dict, list):
        yield ""
        return
    for one in value if type(value) is list else (value,):
        if type(one) is dict:
            yield from unknown(one, known)
        else:
            yield ""
