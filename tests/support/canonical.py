"""Plain JSON as the laws compare it: equality with types, JSON Pointers, leaves, and edits of single leaves."""

from __future__ import annotations

import copy
import json
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

Tokens = tuple[str | int, ...]

# Wire objects that are copied as they are, with the order of their keys. A list of that name is not one: the `input` of
# a Responses request is a list of items.
VERBATIM: Final = frozenset({
    "args", "arguments", "input", "input_schema", "json", "logit_bias", "metadata", "parameters",
    "parametersJsonSchema", "response", "responseJsonSchema", "responseSchema", "schema",
})  # fmt: skip


def written(value: Any) -> str:
    """Return JSON text in which 1, 1.0 and true differ, and the order of keys does not matter."""
    return json.dumps(value, sort_keys=True)


def same(first: Any, second: Any) -> bool:
    """Return whether two JSON values are equal, including types."""
    return written(first) == written(second)


def difference(expected: Any, found: Any, path: str = "") -> str:
    """Return the first path at which two JSON values differ, without their content; empty if they are equal."""
    if type(expected) is not type(found):
        return f"{path or '/'}: {type(expected).__name__} became {type(found).__name__}"
    if isinstance(expected, dict):
        for key in expected.keys() | found.keys():
            if key not in expected or key not in found:
                return f"{path}/{key}: {'new' if key in found else 'gone'}"
            inner = difference(expected[key], found[key], f"{path}/{key}")
            if inner:
                return inner
        return ""
    if isinstance(expected, list):
        if len(expected) != len(found):
            return f"{path or '/'}: {len(expected)} entries became {len(found)}"
        pairs = enumerate(zip(expected, found, strict=True))
        return next((inner for at, (one, two) in pairs if (inner := difference(one, two, f"{path}/{at}"))), "")
    return "" if same(expected, found) else f"{path or '/'}: another {type(expected).__name__}"


def first_reordered(expected: Any, found: Any, path: str = "") -> str:
    """Return the first path of a verbatim value whose keys are in another order; empty if there is none."""
    if isinstance(expected, dict):
        for key, value in expected.items():
            if key in VERBATIM and isinstance(value, dict):
                if json.dumps(value) != json.dumps(found[key]):
                    return f"{path}/{key}: keys in another order"
            elif inner := first_reordered(value, found[key], f"{path}/{key}"):
                return inner
    elif isinstance(expected, list):
        for at, value in enumerate(expected):
            if inner := first_reordered(value, found[at], f"{path}/{at}"):
                return inner
    return ""


def tokens(pointer: str) -> tuple[str, ...]:
    """Return the tokens of a JSON Pointer (RFC 6901), unescaped."""
    if not pointer:
        return ()
    if not pointer.startswith("/"):
        raise ValueError(f"{pointer!r} is no JSON Pointer.")
    return tuple(token.replace("~1", "/").replace("~0", "~") for token in pointer[1:].split("/"))


def pointer(path: Sequence[str | int]) -> str:
    """Return the JSON Pointer of tokens, escaped."""
    return "".join("/" + str(token).replace("~", "~0").replace("/", "~1") for token in path)


def lookup(value: Any, path: Sequence[str | int]) -> Any:
    """Return the value at a path.

    Raises:
        LookupError: nothing does.
    """
    for token in path:
        if isinstance(value, dict):
            value = value[str(token)]
        elif isinstance(value, list):
            value = value[_index(token, value)]
        else:
            raise LookupError(token)  # noqa: TRY004  # a path that leads nowhere, not a wrong type
    return value


def _index(token: str | int, value: list[Any]) -> int:
    index = int(token) if str(token).isdecimal() else -1
    if not 0 <= index < len(value):
        raise LookupError(token)
    return index


def resolves(value: Any, path: Sequence[str | int]) -> bool:
    """Return whether a path resolves."""
    try:
        lookup(value, path)
    except LookupError:
        return False
    return True


def leaves(value: Any, path: Tokens = ()) -> Iterator[tuple[Tokens, Any]]:
    """Yield path and value of every scalar, and of every empty object and list."""
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            yield from leaves(inner, (*path, key))
    elif isinstance(value, list) and value:
        for at, inner in enumerate(value):
            yield from leaves(inner, (*path, at))
    else:
        yield path, value


def objects(value: Any, path: Tokens = ()) -> Iterator[tuple[Tokens, dict[str, Any]]]:
    """Yield path and value of every object, the outer ones first."""
    if isinstance(value, dict):
        yield path, value
        for key, inner in value.items():
            yield from objects(inner, (*path, key))
    elif isinstance(value, list):
        for at, inner in enumerate(value):
            yield from objects(inner, (*path, at))


def lists(value: Any, path: Tokens = ()) -> Iterator[tuple[Tokens, list[Any]]]:
    """Yield path and value of every list, the outer ones first."""
    if isinstance(value, list):
        yield path, value
    inside: Any = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in inside:
        yield from lists(inner, (*path, key))


def edited(value: Any, path: Sequence[str | int], new: Any) -> Any:
    """Return a copy with another value at a path; it shares all unchanged values with the original."""
    if not path:
        return new
    token, *rest = path
    if isinstance(value, dict):
        return {**value, str(token): edited(value[str(token)], rest, new)}
    changed = list(value)
    changed[int(token)] = edited(value[int(token)], rest, new)
    return changed


def unchanged(before: str, value: Any) -> bool:
    """Return whether a value is unchanged since it was written with `json.dumps`."""
    return json.dumps(value) == before


def frozen(value: Any) -> Any:
    """Return a deep copy that shares nothing with the value."""
    return copy.deepcopy(value)


# The values that a leaf can be changed to: others of its kind that every dialect has. Words that decide about the shape
# (the type of a part, the mode of a named tool choice) are not changed: another word would be another document.
_WORDS: Final[Mapping[str, tuple[str, ...]]] = {
    "finish_reason": ("stop", "length", "tool_calls", "content_filter"),
    "effort": ("low", "high"),
    "display": ("omitted", "summarized"),
    "detail": ("low", "high"),
    "mode": ("auto", "required", "none"),
    "verbosity": ("low", "high"),
    "ttl": ("30m", "5m"),
}
_LEFT_ALONE: Final = frozenset({"type", "kind", "dialect", "schema_version", "role", "finish_reason_raw"})


def another(path: Tokens, leaf: Any) -> Any:
    """Return another value for a leaf of a canonical document, or the same if there is no other of its kind."""
    name = next((str(token) for token in reversed(path) if isinstance(token, str)), "")
    if name in _LEFT_ALONE or (name == "mode" and "tool_choice" not in path):
        return leaf
    if isinstance(leaf, bool):
        return not leaf
    if isinstance(leaf, (int, float)):
        return leaf + 1
    if not isinstance(leaf, str):
        return leaf
    if name == "mode" and leaf not in _WORDS["mode"]:
        return leaf
    if name in _WORDS:
        return next(word for word in _WORDS[name] if word != leaf)
    if name == "format":
        return {"image/png": "image/jpeg", "audio/wav": "audio/mpeg"}.get(leaf, leaf)
    if name == "arguments":
        return leaf.replace("{", '{"added": 1,', 1) if leaf.startswith("{") and len(leaf) > 2 else leaf + "1"
    return leaf + "x"


def canonical_leaves(value: Any, path: Tokens = ()) -> Iterator[tuple[Tokens, Any]]:
    """Yield the leaves of a canonical document outside `extra`, opaque values and verbatim ones."""
    if isinstance(value, dict):
        if "opaque" in {value.get("type"), value.get("role")} and "data" in value:
            return
        for key, inner in value.items():
            if key == "arguments" and isinstance(inner, dict):
                yield from leaves(inner, (*path, key))
            elif key not in {"extra", "metadata", "parameters", "schema", "logit_bias"}:
                yield from canonical_leaves(inner, (*path, key))
    elif isinstance(value, list):
        for at, inner in enumerate(value):
            yield from canonical_leaves(inner, (*path, at))
    else:
        yield path, value


def without_member(value: Any, name: str, bags: Collection[str]) -> Any:
    """Return a value without the members of a name, and without those of the named bags that become empty."""
    if isinstance(value, list):
        return [without_member(inner, name, bags) for inner in value]
    if not isinstance(value, dict):
        return value
    members = {key: without_member(inner, name, bags) for key, inner in value.items() if key != name}
    return {key: inner for key, inner in members.items() if inner != {} or key not in bags}
