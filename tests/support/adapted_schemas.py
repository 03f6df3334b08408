"""Checks that a schema is another one as adapted to a dialect: everything is there, or in a description."""

from __future__ import annotations

import json
from typing import Any, Final

from support.canonical import same

# Keywords with another name, or without one since another keyword implies them.
_RENAMED: Final = {"oneOf": "anyOf", "const": "enum", "prefixItems": "items", "$ref": "anyOf"}
# Words of OpenAPI that other keywords express.
_SAID_OTHERWISE: Final = frozenset({"nullable", "propertyOrdering", "property_ordering", "example"})
# Keywords that closing and completing a schema adds.
_ADDED: Final = frozenset(
    {"additionalProperties", "required", "type", "anyOf", "items", "enum", "description", "examples"}
)


def is_adapted(original: Any, found: Any, root: Any = None) -> bool:
    """Return whether each keyword of a schema is in the other one: as it is, renamed, or in its description.

    `root` is the whole schema of the other one, in which references are resolved.
    """
    if not isinstance(original, dict) or not isinstance(found, dict):
        return same(original, found)
    if "$ref" in original and "$ref" not in found and "anyOf" not in found:
        # A reference is replaced by its target; inside that target only the name is left.
        rest = {name: value for name, value in original.items() if name != "$ref"}
        group, _, word = original["$ref"].removeprefix("#/").partition("/")
        named = (root or {}).get(group, {}).get(word)
        if not isinstance(named, dict):
            return False
        if found.get("description") == f"as above: {word}":
            return found.get("type") == named.get("type")
        return is_adapted({**named, **rest}, found, root)
    if not found.keys() <= original.keys() | _ADDED:
        return False
    return all(_arrives(name, value, found, root) for name, value in original.items())


def _arrives(name: str, value: Any, found: dict[str, Any], root: Any) -> bool:
    if name not in found:
        return name in _SAID_OTHERWISE or _RENAMED.get(name) in found or _is_said(name, value, found)
    new = found[name]
    if name == "description":
        return isinstance(new, str) and new.startswith(str(value))
    if name in {"properties", "$defs", "definitions"}:
        return (
            isinstance(new, dict)
            and list(new) == list(value)
            and all(is_adapted(value[one], new[one], root) for one in new)
        )
    if name in {"anyOf", "allOf", "oneOf"}:
        return len(new) >= len(value) and all(is_adapted(*pair, root) for pair in zip(value, new, strict=False))
    if name in {"items", "additionalProperties"}:
        return new is False or is_adapted(value, new, root)
    if name in {"type", "required", "enum"}:
        return _listed(value) <= _listed(new)
    return same(value, new)


def _listed(value: Any) -> set[str]:
    return {json.dumps(one).lower() for one in (value if isinstance(value, list) else [value])}


def _is_said(name: str, value: Any, found: dict[str, Any]) -> bool:
    """Return whether a description has a keyword and its value; a default of null means nothing."""
    text = str(found.get("description", "")).lower()
    return (name == "default" and value is None) or (
        name.lower() in text and json.dumps(value, ensure_ascii=False).lower() in text
    )
