"""Changes to JSON values for fuzzing: small, in any place, with names and values of the wire formats."""

# JSON of any shape: narrowing leaves the member types unknown.
# pyright: reportUnknownMemberType=none, reportUnknownArgumentType=none, reportUnknownVariableType=none
from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator

STRANGE: Final[tuple[Any, ...]] = (
    None, True, False, 0, -1, 2**63, 1.5, 1.0, "", "word", "\ud800", "\x00", "[DONE]", [], {}, [None], [[]], [{}],
    {"type": "text"}, {"type": None}, {"": {}},
)  # fmt: skip

Place = tuple[Any, Any]


def places(value: Any) -> Iterator[Place]:
    """Yield every container in a value with each of its keys."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield value, key
            yield from places(inner)
    elif isinstance(value, list):
        for at, inner in enumerate(value):
            yield value, at
            yield from places(inner)


def words(values: list[Any]) -> tuple[str, ...]:
    """Return the member names and short strings of values, in order."""
    found: set[str] = set()
    for value in values:
        for container, key in places(value):
            found.update(one for one in (key, container[key]) if isinstance(one, str) and len(one) < 40)
    return tuple(sorted(found))


def mutated(value: Any, chance: random.Random, known: tuple[str, ...], other: Any) -> Any:
    """Return a value with a few changes; `other` is a value from which pieces may be inserted."""
    value = copy.deepcopy(value)
    for _ in range(chance.randint(1, 4)):
        here = list(places(value))
        if not here or chance.random() < 0.02:
            return copy.deepcopy(chance.choice(STRANGE))
        container, key = chance.choice(here)
        _CHANGES[chance.randrange(len(_CHANGES))](container, key, chance, known, other)
    return value


def _replace(container: Any, key: Any, chance: random.Random, known: tuple[str, ...], _other: Any) -> None:
    strange = chance.choice(known) if known and chance.random() < 0.4 else chance.choice(STRANGE)
    container[key] = copy.deepcopy(strange)


def _plant(container: Any, key: Any, chance: random.Random, _known: tuple[str, ...], other: Any) -> None:
    pieces = list(places(other))
    if pieces:
        inner, name = chance.choice(pieces)
        container[key] = copy.deepcopy(inner[name])


def _remove(container: Any, key: Any, _chance: random.Random, _known: tuple[str, ...], _other: Any) -> None:
    if not isinstance(container, list) or key < len(container):
        del container[key]


def _repeat(container: Any, key: Any, chance: random.Random, known: tuple[str, ...], _other: Any) -> None:
    if isinstance(container, list):
        container.insert(chance.randrange(len(container) + 1), copy.deepcopy(container[key]))
    else:
        container[chance.choice(known) if known else "new"] = copy.deepcopy(container[key])


def _swap(container: Any, key: Any, chance: random.Random, _known: tuple[str, ...], _other: Any) -> None:
    keys = list(range(len(container))) if isinstance(container, list) else list(container)
    second = chance.choice(keys)
    container[key], container[second] = container[second], container[key]


_CHANGES: Final = (_replace, _replace, _plant, _remove, _repeat, _swap)
