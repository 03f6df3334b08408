"""Declared changes -> the migration tables.

A change that is one member in, one member out says all in its row. Where it is more, the row names a handwritten
function of `interlingua.migrate`; that it exists, and that it is named where it is needed, is checked here, before
anything is written.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from compat_places import MemberPlace, member_differences, reachable
from compat_places import member_place as _member
from problems import SchemaProblem, refuse
from sources import CHANGES_FILE, Document, check_against, read_json

MIGRATE: Final = "codecs/interlingua/migrate"
_ADDITIONS: Final = frozenset({"add_member", "add_variant", "add_type", "join_members"})
_CATCH_ALL: Final = "opaque"


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
    members: tuple[str, ...] = ()

    @property
    def type_name(self) -> str:
        """The type or union that is changed."""
        return self.where.partition(".")[0]

    @property
    def member(self) -> str:
        """The member or tag that is changed; empty for a change of the type itself."""
        return self.where.partition(".")[2]


def read_changes(root: Path, file: str) -> tuple[Change, ...]:
    """Return the changes that a file declares between its version and the previous one.

    Raises:
        SchemaProblem: the file is missing, breaks a rule, or names two changes alike.
    """
    rows = read_json(root, root / file)
    check_against(root / "schema" / "changes.schema.json", rows, file)
    changes = tuple(_change(row) for row in rows)
    names = [change.change for change in changes]
    for name in names:
        if names.count(name) > 1:
            raise SchemaProblem(file, "change", f"{name} is declared twice")
    return changes


def _change(row: Document) -> Change:
    """Return a row as a change."""
    arguments: dict[str, Any] = {**row, "members": tuple(row.get("members", ()))}
    return Change(**arguments)


def check_changes(root: Path, bundles: Mapping[int, Document], changes: Mapping[int, Sequence[Change]]) -> None:
    """Check that the subject of every declared change exists, and the functions that it names or needs.

    Raises:
        SchemaProblem: a place or a function does not exist, or a change cannot be carried out without a function.
    """
    functions = handwritten_functions(root)
    problems: list[SchemaProblem] = []
    for number, declared in changes.items():
        file = f"schema/v{number}/{CHANGES_FILE}"
        old, new = bundles[number - 1], bundles[number]
        for change in declared:
            path_errors = _path_errors(change, old["$defs"], new["$defs"])
            problems += [SchemaProblem(file, *problem) for problem in path_errors]
            for function in (change.upgrade, change.downgrade):
                if function is not None and function not in functions:
                    detail = f"{change.change} names {function}, which no module of {MIGRATE} defines; write it there"
                    problems.append(SchemaProblem(file, "function", detail))
        below = {name for change in declared if change.op == "restructure" for name in reachable(old, change.where)}
        for change in declared:
            if change.type_name not in below and not _path_errors(change, old["$defs"], new["$defs"]):
                needed_functions = [
                    (way, why) for way, why in _needed_functions(change, old, new) if getattr(change, way) is None
                ]
                problems += [
                    SchemaProblem(file, "function", f"{change.change} needs a function under `{way}`: {why}")
                    for way, why in needed_functions
                ]
    refuse(problems)


def migrations_module(root: Path, changes: Mapping[int, Sequence[Change]], header: str) -> str:
    """Return the text of `migrations.py`, unformatted."""
    rows: list[str] = []
    for number, declared in changes.items():
        rows.append(f"    ({number - 1}, {number}): (")
        rows += [f"        {_row(change)}," for change in declared]
        rows.append("    ),")
    table = "\n".join(rows)
    named = {
        name for declared in changes.values() for change in declared for name in (change.upgrade, change.downgrade)
    }
    modules = {name: module for name, module in handwritten_functions(root).items() if name in named}
    return f'''{header}

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple

__all__ = ["CHANGES", "FUNCTIONS", "Change"]


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
    members: tuple[str, ...] = ()
    """The members that one is split into, or joined of."""


CHANGES: Final[Mapping[tuple[int, int], tuple[Change, ...]]] = MappingProxyType({{
{table}
}})
"""The declared changes of every step from one version to the next."""

FUNCTIONS: Final[Mapping[str, str]] = MappingProxyType({modules!r})
"""The module below `interlingua.migrate` of every handwritten function."""
'''


def _row(change: Change) -> str:
    """Return the Python code of a change, without defaults."""
    left_out = {"to": None, "value": None, "members": ()}
    members = {key: value for key, value in vars(change).items() if key not in left_out or value != left_out[key]}
    return f"Change({', '.join(f'{key}={value!r}' for key, value in members.items())})"


def handwritten_functions(root: Path) -> Mapping[str, str]:
    """Return the functions of `interlingua/migrate.py`, or of the modules of a package of that name, with the module.

    Raises:
        SchemaProblem: two modules define the same public function.
    """
    single, package = root / f"{MIGRATE}.py", root / MIGRATE
    paths = [single] if single.is_file() else sorted(package.glob("*.py"))
    found: dict[str, str] = {}
    for path in paths:
        module = "" if path == single else path.stem
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
                if node.name in found:
                    detail = f"{node.name} is defined in {found[node.name]} and in {module}; a row could mean both"
                    raise SchemaProblem(path.relative_to(root).as_posix(), "function", detail)
                found[node.name] = module
    return found


def _path_errors(change: Change, old: Mapping[str, Document], new: Mapping[str, Document]) -> list[tuple[str, str]]:
    """Return the errors in the paths of a change: they must exist in the new version for an addition, else in the old.

    An error is the member of the row and a description.
    """
    definitions = new if change.op in _ADDITIONS else old
    if not has_place(definitions, change.type_name, change.member):
        known = ", ".join(sorted(_places(definitions, change.type_name))) or "no such type"
        return [("where", f"{change.change}: there is no {change.where}; there is: {known}")]
    renamed = (change.to, "") if change.op == "rename_type" else (change.type_name, change.to or "")
    if change.to is not None and not has_place(new, renamed[0] or "", renamed[1]):
        return [("to", f"{change.change}: there is no {change.to}")]
    others = old if change.op == "join_members" else new
    return [
        ("members", f"{change.change}: there is no {change.type_name}.{member}")
        for member in change.members
        if not has_place(others, change.type_name, member)
    ]


def _needed_functions(change: Change, old: Document, new: Document) -> Iterator[tuple[str, str]]:
    """Yield the functions that a change needs: the direction, and why its row is not sufficient."""
    before, after = _member(old, change.type_name, change.member), _member(new, change.type_name, change.member)
    match change.op:
        case "add_member" if after.is_required and change.value is None:
            yield "upgrade", "the new version demands the member; or give its `value`"
        case "remove_member" if before.is_required:
            yield "downgrade", "the old version demands the member"
        case "rename_member":
            after = _member(new, change.type_name, change.to or "")
            yield from _incompatible_directions(
                change, before, after, member_differences(old, new, change.type_name, before, after)
            )
        case "change_type" if change.member and before.is_there and after.is_there:
            yield from _incompatible_directions(
                change, before, after, member_differences(old, new, change.type_name, before, after)
            )
        case "add_variant" if not _has_catch_all(old, change.type_name):
            yield "downgrade", "the old version has no place for a variant that it does not know"
        case "remove_variant" if not _has_catch_all(new, change.type_name):
            yield "upgrade", "the new version has no place for a variant that it does not know"
        case _:
            pass


def _incompatible_directions(
    change: Change, before: MemberPlace, after: MemberPlace, differences: tuple[bool, bool]
) -> Iterator[tuple[str, str]]:
    """Yield the directions in which a value may be invalid, or a required one missing."""
    breaks_up, breaks_down = differences
    if after.is_required and (breaks_up or not before.is_required):
        yield "upgrade", f"the new version demands `{change.to or change.member}`, and not every old document has such"
    if before.is_required and (breaks_down or not after.is_required):
        yield "downgrade", f"the old version demands `{change.member}`, and not every new document has such"


def _has_catch_all(bundled: Document, union: str) -> bool:
    """Tell whether a version can keep an unknown variant: in the union itself, or as an opaque message."""
    root = str(bundled.get("$ref", "")).rpartition("/")[2]
    return any(has_place(bundled["$defs"], name, _CATCH_ALL) for name in (union, root) if name)


def has_place(definitions: Mapping[str, Document], type_name: str, member: str) -> bool:
    """Tell whether a bundle has a type, and in it a member or tag (empty: the type alone)."""
    if type_name not in definitions:
        return False
    return not member or member in _places(definitions, type_name)


def _places(definitions: Mapping[str, Document], type_name: str) -> set[str]:
    """Return the members and tags of a type."""
    definition = definitions.get(type_name, {})
    return {*definition.get("properties", ()), *definition.get("discriminator", {}).get("mapping", ())}
