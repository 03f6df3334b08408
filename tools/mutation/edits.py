"""Code edits that are located by file, function and code.

An edit has `find` and `replace` as Python code. Syntax trees are compared, so lines, comments and formatting do not
matter. An edit that no longer applies, or applies twice, is an error, since it would prove nothing.
"""

from __future__ import annotations

import ast
import json
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple, cast

ROOT: Final = Path(__file__).resolve().parents[2]
FOLDER: Final = ROOT / "tests" / "mutants"


class EditError(ValueError):
    """An edit is invalid, or does not apply exactly once."""


class Edit(NamedTuple):
    """One meaningful edit: what it breaks, where it stands, and what stands there afterwards.

    Attributes:
        name: the requirement that the edit breaks.
        file: the path of the file, from the top of the repository; `{current}` in it is the number of the schema
            version that the codecs speak.
        function: the qualified name of a function or class in it (`Transcript.add`); empty for the whole module.
        find: the expression, or the consecutive statements, that must be there exactly once. In a file that is no
            Python, a text.
        replace: what replaces it; empty where statements are left out.
        test: the one marked test that must turn red, as pytest names it; empty for any of them.
    """

    name: str
    file: str
    function: str
    find: str
    replace: str
    test: str = ""


def read_edits(folder: Path = FOLDER) -> dict[str, Edit]:
    """Return the committed edits by requirement.

    Raises:
        EditError: a requirement has two edits, or a table has unknown members.
    """
    edits: dict[str, Edit] = {}
    current = str(json.loads((ROOT / "schema" / "settings.json").read_bytes())["current"])
    for path in sorted(folder.glob("*.toml")):
        for name, table in tomllib.loads(path.read_text(encoding="utf-8")).items():
            if name in edits:
                raise EditError(f"{path.name}: {name} has two edits")
            try:
                read = Edit(name, **table)
            except TypeError as error:
                raise EditError(f"{path.name}: {name}: {error}") from error
            edits[name] = read._replace(file=read.file.replace("{current}", current))
    return edits


def edited(edit: Edit, source: str) -> ast.Module:
    """Return the syntax tree of a source with the edit made; unchanged code keeps its line numbers.

    Raises:
        EditError: the function does not exist, or does not have the code exactly once.
    """
    tree = ast.parse(source)
    scope = _scope(edit, tree)
    find, replace = _parsed(edit, edit.find), _parsed(edit, edit.replace)
    if not find:
        raise EditError(f"{edit.name}: it says nothing to be found")
    one = find[0] if len(find) == 1 else None
    if isinstance(one, ast.Expr):
        count = _replace_expression(scope, one.value, _expression(edit, replace))
    else:
        count = _replace_statements(scope, find, replace or [ast.Pass()])
    if count != 1:
        raise EditError(f"{edit.name}: `{edit.find}` stands {count} times in {edit.file}::{edit.function}")
    return ast.fix_missing_locations(tree)


def replaced(edit: Edit, text: str) -> str:
    """Return a text file that is not Python with the edit made.

    Raises:
        EditError: the text does not occur exactly once.
    """
    if (count := text.count(edit.find)) != 1:
        raise EditError(f"{edit.name}: `{edit.find}` stands {count} times in {edit.file}")
    return text.replace(edit.find, edit.replace)


def _scope(edit: Edit, tree: ast.Module) -> ast.AST:
    """Return the function or class of an edit, or the module."""
    scope: ast.AST = tree
    for part in filter(None, edit.function.split(".")):
        found = [node for node in _definitions(scope) if node.name == part]
        if not found:
            raise EditError(f"{edit.name}: {edit.file} has no {edit.function}")
        scope = found[-1]
    return scope


def _definitions(scope: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef]:
    """Yield the functions and classes of a scope, also under an `if` or `try`, but no nested ones."""
    for node in ast.iter_child_nodes(scope):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node
        else:
            yield from _definitions(node)


def _parsed(edit: Edit, code: str) -> list[ast.stmt]:
    """Return the statements of an edit."""
    try:
        return ast.parse(code).body
    except SyntaxError as error:
        raise EditError(f"{edit.name}: `{code}` is no Python: {error.msg}") from error


def _expression(edit: Edit, statements: Sequence[ast.stmt]) -> ast.expr:
    """Return the single expression of an edit that replaces an expression."""
    match statements:
        case [ast.Expr(value=value)]:
            return value
        case _:
            raise EditError(f"{edit.name}: an expression is replaced by an expression; `{edit.replace}` is none")


def _same(first: ast.AST, second: ast.AST) -> bool:
    """Tell whether two trees are equal, regardless of whether a name is read or assigned."""
    return ast.dump(first).replace("Store()", "Load()") == ast.dump(second).replace("Store()", "Load()")


def _lists(scope: ast.AST) -> Iterator[list[ast.AST]]:
    """Yield the lists of nodes in a scope: blocks, arguments, operands."""
    for parent in list(ast.walk(scope)):
        for _, value in ast.iter_fields(parent):
            if isinstance(value, list):
                yield cast("list[ast.AST]", value)


def _replace_expression(scope: ast.AST, find: ast.expr, replace: ast.expr) -> int:
    """Replace an expression wherever it occurs in a scope, and return the number of replacements."""
    # Both are collected before anything is replaced: the replacement may contain the expression.
    members = [
        (parent, member)
        for parent in ast.walk(scope)
        for member, value in ast.iter_fields(parent)
        if isinstance(value, ast.expr) and _same(value, find)
    ]
    items = [
        (nodes, index)
        for nodes in _lists(scope)
        for index, node in enumerate(nodes)
        if isinstance(node, ast.expr) and _same(node, find)
    ]
    for parent, member in members:
        setattr(parent, member, replace)
    for nodes, index in items:
        nodes[index] = replace
    return len(members) + len(items)


def _replace_statements(scope: ast.AST, find: Sequence[ast.stmt], replace: Sequence[ast.stmt]) -> int:
    """Replace consecutive statements wherever they occur in a scope, and return the number of replacements."""
    count = 0
    for block in _lists(scope):
        for index in reversed(range(len(block) - len(find) + 1)):
            part = block[index : index + len(find)]
            # Lists of other nodes may have None items: in `{**more}` the key is None.
            if all(isinstance(one, ast.stmt) and _same(one, other) for one, other in zip(part, find, strict=True)):
                block[index : index + len(find)] = replace
                count += 1
    return count
