"""JSON Pointers (RFC 6901), and JSON Schema references that are JSON Pointers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from interlingua.json_types import is_list, is_object

if TYPE_CHECKING:
    from collections.abc import Iterable

# Longer numbers are not list indexes, and Python refuses to parse very long ones.
_INDEX: Final = re.compile(r"[0-9]{1,9}")


def pointer(*tokens: str | int) -> str:
    """Return the JSON Pointer (RFC 6901) of the tokens, escaped.

    Args:
        tokens: Member names and list indexes.

    Example:
        >>> il.spi.pointer("tools", 0, "a/b")
        '/tools/0/a~1b'
    """
    path = "".join([f"/{token}" for token in tokens])
    if "~" not in path and path.count("/") == len(tokens):  # nearly always
        return path
    return "".join(["/" + str(token).replace("~", "~0").replace("/", "~1") for token in tokens])


def pointer_tokens(path: str) -> list[str]:
    """Return the unescaped tokens of a pointer; none for the whole document."""
    return [token.replace("~1", "/").replace("~0", "~") for token in path.split("/")[1:]]


def value_at(root: Any, tokens: Iterable[str], absent: Any = None) -> Any:
    """Return the value that the tokens lead to, or `absent` if they lead nowhere."""
    found = root
    for token in tokens:
        found = _within(found, token, absent)
        if found is absent:
            break
    return found


def _within(value: Any, token: str, absent: Any) -> Any:
    if is_object(value):
        return value.get(token, absent)
    if is_list(value) and _INDEX.fullmatch(token) and int(token) < len(value):
        return value[int(token)]
    return absent


def without_nulls_at(value: dict[str, Any], places: Iterable[tuple[str, ...]]) -> dict[str, Any]:
    """Return nested objects without the nulls at some places, and without objects that become empty."""
    for path in places:
        if value_at(value, path, "") is None:
            value = _without(value, path)
    return value


def _without(value: dict[str, Any], path: tuple[str, ...]) -> dict[str, Any]:
    name, *beneath = path
    kept = _without(value[name], tuple(beneath)) if beneath else {}
    return {key: kept if key == name else one for key, one in value.items() if key != name or kept}


def schema_at(reference: Any, root: Any) -> Any:
    """Return what a `$ref` leads to within the root schema, or None if it leads nowhere or outside."""
    if type(reference) is not str or not (reference == "#" or reference.startswith("#/")):
        return None
    from urllib.parse import unquote  # noqa: PLC0415  # slow, and few schemas have references

    return value_at(root, pointer_tokens(unquote(reference)))
