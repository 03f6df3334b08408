"""What can be broken in a line of code: the places, and the broken syntax tree."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from typing_extensions import TypeIs

_COMPARISONS: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.GtE,
    ast.GtE: ast.Lt,
    ast.Gt: ast.LtE,
    ast.LtE: ast.Gt,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}


def places(source: str) -> Iterator[tuple[int, int]]:
    """Yield the places that can be broken: the line of each, and its number among all."""
    for number, node in enumerate(_breakable(ast.parse(source))):
        yield node.lineno, number


def broken(source: str, number: int) -> ast.Module:
    """Return the syntax tree with one place broken.

    Raises:
        IndexError: there is no such place.
    """
    tree = ast.parse(source)
    wanted = list(_breakable(tree))[number]
    _Breaker(wanted).generic_visit(tree)
    return ast.fix_missing_locations(tree)


def _breakable(tree: ast.Module) -> Iterator[ast.expr | ast.stmt]:
    """Yield what can be broken inside functions, in the order of the tree. A docstring and a type say nothing."""
    for function in ast.walk(tree):
        if isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
            for statement in function.body:
                for node in _inside(statement):
                    if _is_breakable(node):
                        yield node


def _inside(node: ast.AST) -> Iterator[ast.AST]:
    """Yield a node and what is in it, but no function in it: that one is walked on its own."""
    yield node
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield from _inside(child)


def _is_breakable(node: ast.AST) -> TypeIs[ast.expr | ast.stmt]:
    match node:
        case ast.Return(value=ast.expr()) | ast.If() | ast.BoolOp() | ast.Raise():
            return True
        case ast.Compare(ops=[operator]):
            return type(operator) in _COMPARISONS
        case ast.Assign() | ast.AugAssign():
            return True
        case ast.Expr(value=ast.Call()):
            return True
        case _:
            return False


class _Breaker(ast.NodeTransformer):
    """Replaces one node by one that does something else."""

    def __init__(self, wanted: ast.AST) -> None:
        self._wanted = wanted

    def visit(self, node: ast.AST) -> ast.AST:
        """Return the node, or what replaces it."""
        return _replacement(node) if node is self._wanted else self.generic_visit(node)


def _replacement(node: ast.AST) -> ast.AST:
    """Return what stands for a node: an answer that is left out, a question turned round, a step not taken."""
    match node:
        case ast.Return():
            new: ast.AST = ast.Return(ast.Constant(None))
        case ast.If(test=test, body=body, orelse=otherwise):
            new = ast.If(ast.UnaryOp(ast.Not(), test), body, otherwise)
        case ast.BoolOp(op=ast.And(), values=values):
            new = ast.BoolOp(ast.Or(), values)
        case ast.BoolOp(values=values):
            new = ast.BoolOp(ast.And(), values)
        case ast.Compare(left=left, ops=[operator], comparators=comparators):
            new = ast.Compare(left, [_COMPARISONS[type(operator)]()], comparators)
        case ast.Assign(targets=targets):
            new = ast.Assign(targets, ast.Constant(None))
        case _:
            new = ast.Pass()
    return ast.copy_location(new, node)
