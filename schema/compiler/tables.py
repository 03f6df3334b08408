"""Declared changes -> the migration tables.

A change that is one member in, one member out says all in its row. Where it is more, the row names a handwritten
function of `interlingua/migrate.py`, and that it exists is checked here, before anything is written.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from problems import SchemaProblem
from sources import CHANGES_FILE, Document, Version, check_against, read_json

MIGRATE: Final = "codecs/interlingua/migrate"
_ADDITIONS: Final = frozenset({"add_member", "add_variant", "add_type"})


@dataclass(frozen=True)
class Change:
    """One declared change between two neighbouring versions."""

    change: str
    description: str
    op: str
    where: str
    upgrade: str | None
    downgrade: str | None
    to: str | None = None
    value: Any = None

    @property
    def type_name(self) -> str:
        """The type or union that the change is about."""
        return self.where.partition(".")[0]

    @property
    def member(self) -> str:
        """The member or tag that the change is about; empty for a change of the type itself."""
        return self.where.partition(".")[2]


def read_changes(root: Path, version: Version) -> tuple[Change, ...]:
    """Return the declared changes of a version against the one before.

    Raises:
        SchemaProblem: the file is missing, breaks a rule, or names two changes alike.
    """
    file = f"{version.path}/{CHANGES_FILE}"
    rows = read_json(root, root / file)
    check_against(root / "schema" / "changes.schema.json", rows, file)
    changes = tuple(Change(**row) for row in rows)
    names = [change.change for change in changes]
    for name in names:
        if names.count(name) > 1:
            raise SchemaProblem(file, "change", f"{name} is declared twice")
    return changes


def check_changes(root: Path, bundles: Mapping[int, Document], changes: Mapping[int, Sequence[Change]]) -> None:
    """Check that every declared change is about something, and that the functions that it names exist.

    Raises:
        SchemaProblem: a place or a function does not exist.
    """
    functions = _handwritten_functions(root)
    for number, declared in changes.items():
        file = f"schema/v{number}/{CHANGES_FILE}"
        for change in declared:
            _check_place(file, change, bundles[number - 1]["$defs"], bundles[number]["$defs"])
            for function in (change.upgrade, change.downgrade):
                if function is not None and function not in functions:
                    detail = f"{change.change} names {function}, which {MIGRATE}.py does not define"
                    raise SchemaProblem(file, "function", detail)


def migrations_module(changes: Mapping[int, Sequence[Change]], header: str) -> str:
    """Return the text of `migrations.py`, unformatted."""
    rows: list[str] = []
    for number, declared in changes.items():
        rows.append(f"    ({number - 1}, {number}): (")
        rows += [f"        {_row(change)}," for change in declared]
        rows.append("    ),")
    table = "\n".join(rows)
    return f'''{header}

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple

__all__ = ["CHANGES", "Change"]


class Change(NamedTuple):
    """One declared change between two neighbouring versions, as schema/changes.schema.json describes it."""

    change: str
    """The name of the change; it starts with a verb."""
    description: str
    """What became of what, and why."""
    op: str
    """The kind of change."""
    where: str
    """The place: Type, Type.member or Union.tag."""
    upgrade: str | None
    """The handwritten function that makes new of old; None where the row says all."""
    downgrade: str | None
    """The handwritten function that makes old of new; None where the row says all."""
    to: str | None = None
    """The new name of what is renamed."""
    value: Any = None
    """What a member that is added has in an upgraded document; None: it is absent."""


CHANGES: Final[Mapping[tuple[int, int], tuple[Change, ...]]] = MappingProxyType({{
{table}
}})
"""The declared changes of every step from one version to the next."""
'''


def _row(change: Change) -> str:
    """Return a change as Python writes it; defaults are left out."""
    members = {key: value for key, value in vars(change).items() if not (key in {"to", "value"} and value is None)}
    return f"Change({', '.join(f'{key}={value!r}' for key, value in members.items())})"


def _handwritten_functions(root: Path) -> frozenset[str]:
    """Return the functions that `interlingua/migrate.py`, or the modules of a package of that name, define."""
    single, package = root / f"{MIGRATE}.py", root / MIGRATE
    paths = [single] if single.is_file() else sorted(package.glob("*.py"))
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in paths]
    return frozenset(node.name for tree in trees for node in tree.body if isinstance(node, ast.FunctionDef))


def _check_place(file: str, change: Change, old: Mapping[str, Document], new: Mapping[str, Document]) -> None:
    """Check that the place of a change exists: in the new version for an addition, else in the old one.

    Raises:
        SchemaProblem: it does not.
    """
    definitions = new if change.op in _ADDITIONS else old
    if not has_place(definitions, change.type_name, change.member):
        raise SchemaProblem(file, "where", f"{change.change}: there is no {change.where}")
    renamed = (change.to, "") if change.op == "rename_type" else (change.type_name, change.to or "")
    if change.to is not None and not has_place(new, renamed[0] or "", renamed[1]):
        raise SchemaProblem(file, "to", f"{change.change}: there is no {change.to}")


def has_place(definitions: Mapping[str, Document], type_name: str, member: str) -> bool:
    """Tell whether a bundle has a type, and in it a member or tag (empty: the type alone)."""
    if type_name not in definitions:
        return False
    definition = definitions[type_name]
    names = {*definition.get("properties", ()), *definition.get("discriminator", {}).get("mapping", ())}
    return not member or member in names
