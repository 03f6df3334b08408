"""Types that a server declares in its own source, built from the fields in the inventory.

Ollama's are written in Go, vLLM's in Python; neither can be imported. A name that the inventory does not describe must
be in `named`; a member whose annotation is not enough is there as `Type.member`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, Literal, NotRequired, Required, cast

from typing_extensions import TypedDict

if TYPE_CHECKING:
    from collections.abc import Mapping

_GO: Final = (
    (re.compile(r"\[\](\w+)"), r"list[\1]"),
    (re.compile(r"\bstring\b"), "str"),
    (re.compile(r"\bfloat(32|64)\b"), "float"),
    (re.compile(r"\bany\b"), "dict[str, str]"),
    (re.compile(r"(\w+)\.(\w+)"), r"\2"),
)
_PYTHON: Final = {
    "Annotated": None, "Any": dict[str, str], "Literal": Literal, "bool": bool, "dict": dict, "float": float,
    "int": int, "list": list, "str": str,
}  # fmt: skip


class Declared:
    """The types of a dialect: `fields` by type name, and `named` for all other types that they refer to."""

    def __init__(self, inventory: Mapping[str, Mapping[str, Any]], named: Mapping[str, Any]) -> None:
        self._fields: dict[str, Mapping[str, Any]] = {}
        for variants in inventory.values():
            for variant in variants.values():
                if variant["fields"]:
                    self._fields.setdefault(variant["sdk_type"].rpartition(" ")[2], variant["fields"])
        self._named: dict[str, Any] = {**_PYTHON, **named}
        self._made: dict[str, Any] = {}

    def type(self, path: str) -> Any:
        """Return the type of the last name of a path.

        Raises:
            LookupError: the inventory says no fields of it.
        """
        name = path.rpartition(" ")[2]
        if name not in self._made:
            self._make(name, self._fields[name])
        return self._made[name]

    def _make(self, name: str, fields: Mapping[str, Any]) -> None:
        """Build a type; it is registered before its members are inspected, since they may refer to it."""
        make: Any = TypedDict  # called as a function: the members are only known at run time
        blank = {member: Required[Any] if said["required"] else NotRequired[Any] for member, said in fields.items()}
        made = self._made[name] = make(name.replace(".", "_"), blank)
        for member, said in fields.items():
            kind = self._named.get(f"{name}.{member}", said["type"])
            kind = self._read(kind) if isinstance(kind, str) else kind
            made.__annotations__[member] = cast("Any", Required if said["required"] else NotRequired)[kind]

    def _read(self, written: str) -> Any:
        """Return the type of an annotation."""
        annotation = written
        for go, python in _GO:
            annotation = go.sub(python, annotation)
        names = {word for word in re.findall(r"[A-Za-z]\w*", re.sub(r"'[^']*'", "", annotation)) if word != "None"}
        known = {name: self._named[name] if name in self._named else self.type(name) for name in names}
        return eval(annotation, {"__builtins__": {}}, known)  # noqa: S307  # an annotation of the inventory
