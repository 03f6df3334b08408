"""Mutants of JSON: one member of an object, or one item of a list, is replaced, added or deleted.

Each kind of place is equally likely, however often it occurs: a kind is a path without its numbers, with the types of
the objects in lists. So the single unusual frame of a long stream is mutated as often as the many similar ones.
"""

# JSON of any shape: narrowing leaves the member types unknown.
# pyright: reportUnknownMemberType=none, reportUnknownArgumentType=none, reportUnknownVariableType=none
from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

Path = tuple[str | int, ...]

VALUES: Final[tuple[Any, ...]] = (
    None, 0, 1, -1, 5.0, 1.5, "x", "", " ", True, False, [], {}, ["a"], [None], {"a": 1}, [{}], [{"type": "text"}],
    "auto", "text", "user", "tool", "{}", {"type": "text", "text": "x"}, {"type": "ephemeral", "ttl": "5m", "more": 1},
    2**70,
)  # fmt: skip
"""The values that replace a value."""

NAMES: Final = (
    "unknown_member", "name", "cache_control", "id", "type", "content", "role", "index", "refusal", "strict",
    "logprobs", "stop", "tool_calls", "is_error", "annotations", "reasoning", "reasoning_content", "usage", "title",
    "citations", "function_call", "audio", "system", "metadata", "user", "model", "extra", "text", "signature",
    "thought", "finish_reason", "status", "obfuscation", "error",
)  # fmt: skip
"""The names of added members, besides those that the body has elsewhere."""

FREE: Final = frozenset({"parameters", "input_schema", "schema", "input", "args", "arguments", "inputSchema"})
"""Members that hold JSON of any shape; deep inside, one mutation is like another."""

DEEPEST_FREE: Final = 2


def mutants(value: Any, seed: str, count: int) -> Iterator[Any]:
    """Yield that many mutants of a value, always the same ones; unchanged parts are shared with the value."""
    if not count:
        return
    objects: dict[str, list[Path]] = {}
    elements: dict[str, list[Path]] = {}
    _gather(value, (), "", objects, elements, None)
    names = sorted({*NAMES, *(str(paths[0][-1]) for paths in elements.values() if isinstance(paths[0][-1], str))})
    for number in range(count):
        yield _mutant(value, random.Random(f"{seed}/{number}"), objects, elements, names)  # noqa: S311  # repeatable


def _mutant(
    value: Any,
    chance: random.Random,
    objects: dict[str, list[Path]],
    elements: dict[str, list[Path]],
    names: list[str],
) -> Any:
    how = chance.random()
    if not elements or (how < 0.25 and objects):
        place = _place(objects, chance) if objects else ()
        return _changed(value, (*place, chance.choice(names)), chance.choice(VALUES)) if objects else VALUES[0]
    place = _place(elements, chance)
    return _deleted(value, place) if how < 0.5 else _changed(value, place, chance.choice(VALUES))


def _place(paths: dict[str, list[Path]], chance: random.Random) -> Path:
    return chance.choice(paths[chance.choice(list(paths))])


def _gather(
    value: Any,
    path: Path,
    shape: str,
    objects: dict[str, list[Path]],
    elements: dict[str, list[Path]],
    free: int | None,
) -> None:
    """Collect the paths of all objects, and of all members and items, by their kind of place."""
    if free == DEEPEST_FREE:
        return
    if isinstance(value, dict):
        objects.setdefault(shape, []).append(path)
    if not isinstance(value, (dict, list)):
        return
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
        step = key if isinstance(key, str) else f"[{_type(inner)}]"
        inner_shape = f"{shape}/{step}"
        inner_path = (*path, key)
        elements.setdefault(inner_shape, []).append(inner_path)
        inner_free = free + 1 if free is not None else 0 if key in FREE else None
        _gather(inner, inner_path, inner_shape, objects, elements, inner_free)


def _type(value: Any) -> str:
    named = (value.get("type") or value.get("role")) if isinstance(value, dict) else None
    return named if isinstance(named, str) else ""


def _changed(value: Any, path: Path, new: Any) -> Any:
    """Return a copy with another value at a path; only what is on the path is copied."""
    if not path:
        return new
    step, *rest = path
    copied = value.copy()
    copied[step] = _changed(value[step], tuple(rest), new) if rest else new
    return copied


def _deleted(value: Any, path: Path) -> Any:
    """Return a copy without the value at a path; only what is on the path is copied."""
    step, *rest = path
    copied = value.copy()
    if rest:
        copied[step] = _deleted(value[step], tuple(rest))
    else:
        del copied[step]
    return copied
