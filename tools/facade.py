"""Generates the imports and `__all__` of packages with lazy imports, from one handwritten list.

    python tools/facade.py            writes
    python tools/facade.py --check    fails if a list is out of date

`_NAMES` has the module of each public name, `_PARTS` the public submodules, `_SCHEMA` the module of the schema's
classes, if they are public, too. Type checkers need the same names as imports and as a literal `__all__`; both are
generated here.
"""

from __future__ import annotations

import argparse
import ast
import sys
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

ROOT: Final = Path(__file__).parents[1]
CODECS: Final = ROOT / "codecs"
PACKAGE: Final = CODECS / "interlingua"
WIDTH: Final = 120
CLASSES: Final = "generated/interlingua_types/current/__init__.py"
"""The module of the classes of the current schema version."""


class _Lists(NamedTuple):
    """The handwritten list, and the positions of the two generated ones: first and last line, counted from 1.

    `schema` is the module of the schema's classes, if they are public.
    """

    names: Mapping[str, Sequence[str]]
    parts: Sequence[str]
    schema: str | None
    imports: tuple[int, int]
    public: tuple[int, int]


def files() -> list[Path]:
    """Return the files that have such a list."""
    return [path for path in sorted(PACKAGE.rglob("__init__.py")) if _lists(path) is not None]


def written(path: Path) -> str:
    """Return the text of a file with its two generated lists.

    Raises:
        ValueError: the file has no such list.
    """
    lists = _lists(path)
    if lists is None:
        raise ValueError("the file has no _NAMES, no block for type checkers or no __all__")
    package = ".".join(path.parent.relative_to(CODECS).parts)
    lines = path.read_text(encoding="utf-8").splitlines()
    homes = {home if home.startswith("interlingua") else f"{package}.{home}": of for home, of in lists.names.items()}
    if lists.schema is not None:
        homes[lists.schema] = _classes()
    names = [*lists.parts, *(name for several in homes.values() for name in several)]
    rows = [f'    "{name}",' for name in _ordered(names)]
    if lines[lists.public[0] - 2] == "# fmt: off":  # too many for one name per line
        rows = textwrap.wrap(" ".join(row.strip() for row in rows), WIDTH - 4)
        rows = [f"    {row}" for row in rows]
    public = ["__all__ = [", *rows, "]"]
    blocks = {home: _import(home, of) for home, of in homes.items()}
    if lists.parts:
        blocks[package] = _import(package, lists.parts)
    imports = [line for home in sorted(blocks) for line in blocks[home]]
    for (first, last), new in sorted(((lists.public, public), (lists.imports, imports)), reverse=True):
        lines[first - 1 : last] = new
    return "\n".join(lines) + "\n"


def _classes() -> list[str]:
    """Return the names of the classes of the schema."""
    tree = ast.parse((ROOT / CLASSES).read_text(encoding="utf-8"))
    found = [
        node.value
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == "__all__"
    ]
    names: list[str] = ast.literal_eval(found[0])
    return names


def _import(module: str, names: Iterable[str]) -> list[str]:
    ordered = _ordered(names)
    line = f"    from {module} import {', '.join(ordered)}"
    if len(line) <= WIDTH:
        return [line]
    return [f"    from {module} import (", *(f"        {name}," for name in ordered), "    )"]


def _ordered(names: Iterable[str]) -> list[str]:
    """Return names in ruff's order: constants, classes, all others."""
    return sorted(names, key=lambda name: (not name.isupper(), not name[0].isupper(), name))


def _lists(path: Path) -> _Lists | None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    values: dict[str, ast.expr] = {}
    lines: dict[str, tuple[int, int]] = {}
    imports: tuple[int, int] | None = None
    for node in tree.body:
        match node:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
            ):
                values.setdefault(name, value)
                lines.setdefault(name, (node.lineno, node.end_lineno or node.lineno))
            case ast.If(test=ast.Name(id="TYPE_CHECKING")) if imports is None:
                ours = [one for one in node.body if isinstance(one, ast.ImportFrom)]
                imports = (ours[0].lineno, ours[-1].end_lineno or ours[-1].lineno)
            case _:
                pass
    if imports is None or not {"_NAMES", "__all__"} <= values.keys():
        return None
    parts = _literal(values["_PARTS"]) if "_PARTS" in values else ()
    schema = _literal(values["_SCHEMA"]) if "_SCHEMA" in values else None
    return _Lists(_literal(values["_NAMES"]), _ordered(parts), schema, imports, lines["__all__"])


def _literal(value: ast.expr) -> Any:
    """Return the value of a literal, or of a literal in a call such as `frozenset({...})`."""
    return ast.literal_eval(value.args[0] if isinstance(value, ast.Call) else value)


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the lists, or report which files are out of date."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing, fail where a list is old")
    options = parser.parse_args(arguments)
    old = [path for path in files() if written(path) != path.read_text(encoding="utf-8")]
    for path in old:
        if options.check:
            print(f"{path.relative_to(ROOT)} is old; run python tools/facade.py", file=sys.stderr)
        else:
            path.write_text(written(path), encoding="utf-8")
    return 1 if options.check and old else 0


if __name__ == "__main__":
    sys.exit(main())
