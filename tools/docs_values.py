"""Finds the documentation of public values that are not classes or functions: string types, unions, constants.

Python keeps no docstring for them. It stands in the source, as a text behind the assignment, and is read from there.
"""

from __future__ import annotations

import ast
import importlib
import inspect
from functools import cache
from types import ModuleType

import interlingua
import interlingua_types.current as schema

CLASSES = f"interlingua_types.v{interlingua.CURRENT}.models"


def documentation(name: str) -> str:
    """Return the documentation of a value by its public name, such as `interlingua.chat.STRICT`, or ""."""
    owner, _, last = name.rpartition(".")
    _, _, part = owner.partition(".")
    if not part and last in schema.__all__:
        return _said(importlib.import_module(CLASSES), last)
    if part:
        return _said(getattr(interlingua, part), last)
    homes: dict[str, str] = getattr(interlingua, "_HOMES")  # noqa: B009  # with a type, which pyright cannot see
    return _said(importlib.import_module(homes[last]), last)


def _said(module: ModuleType, name: str) -> str:
    """Return the string after the assignment of a name, in its module or in the one that it is imported from."""
    tree = _tree(module)
    for statement, behind in zip(tree.body, [*tree.body[1:], None], strict=True):
        if name in _assigned(statement):
            said = behind.value.value if isinstance(behind, ast.Expr) and isinstance(behind.value, ast.Constant) else ""
            return inspect.cleandoc(said) if isinstance(said, str) else ""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                if (alias.asname or alias.name) == name:
                    return _said(importlib.import_module(node.module), alias.name)
    return ""


def _assigned(statement: ast.stmt) -> list[str]:
    """Return the names that a statement assigns to."""
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    targets = [statement.target] if isinstance(statement, ast.AnnAssign) else targets
    return [target.id for target in targets if isinstance(target, ast.Name)]


@cache
def _tree(module: ModuleType) -> ast.Module:
    return ast.parse(inspect.getsource(module))
