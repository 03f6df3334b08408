"""Resolve the references of a JSON Schema: providers refuse a request for a single one that leads nowhere."""

from __future__ import annotations

from typing import Any, Final

from interlingua.pointers import pointer, schema_at
from interlingua.rooms._shared.schema_traversal import DEFINITIONS, schemas_in

_IDENTIFIERS: Final = ("$id", "id", "$anchor", "$dynamicAnchor")


class References:
    """The references of one schema."""

    __slots__ = ("_definitions", "_identifiers", "_is_read", "_root")

    def __init__(self, root: dict[str, Any]) -> None:
        self._root = root
        self._is_read = False
        self._identifiers: set[str] = set()
        self._definitions: dict[str, str] = {}  # reference relative to an inner schema -> relative to the root

    def led(self, reference: Any) -> str | None:
        """Return a reference that resolves, nearly always the given one; None if there is none.

        Tools that embed schemas into others leave definitions there, with references relative to the inner schema.
        """
        if type(reference) is not str:
            return None
        if schema_at(reference, self._root) is not None:
            return reference
        self._read()
        if reference in self._identifiers or reference.removeprefix("#") in self._identifiers:
            return reference
        return self._definitions.get(reference)

    def _read(self) -> None:
        if self._is_read:
            return
        self._is_read = True
        for where, one in schemas_in(self._root, "#"):
            self._identifiers.update(one[name] for name in _IDENTIFIERS if type(one.get(name)) is str)
            for group in DEFINITIONS:
                for name in one[group] if type(one.get(group)) is dict else ():
                    self._definitions.setdefault(f"#/{group}{pointer(name)}", f"{where}/{group}{pointer(name)}")
