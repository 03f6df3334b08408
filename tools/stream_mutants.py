"""Removes every report of a loss in the stream modules, one at a time, and checks that its tests fail.

A report is identified by dialect, severity, code and path, so that its name survives moving the code, even to another
module. `nox -s mutants` runs it; `python tools/stream_mutants.py --list` lists the names.
"""

from __future__ import annotations

import argparse
import ast
import os
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final, NamedTuple

import pytest

import mutants
from mutation.edits import ROOT

DIALECTS: Final = ROOT / "codecs" / "interlingua" / "rooms"
# The tests that must fail; they take seconds.
TESTS: Final = ("tests/codecs/test_stream_reports.py",)
# Methods of a log, and those of a writer that make the same report in several places.
SEVERITIES: Final = frozenset({"lost", "changed", "filled"})
HANDED_ON: Final = frozenset(
    {"cut", "lost_alternative", "opaque_frame", "replaced_part", "report_empty", "restarted", "stray"}
    | {"_note", "_report_foreign", "_restart"}
)
# Methods of a writer that return a target whose reports become those of an event: all of them are removed at once.
TARGETS: Final = frozenset({"target_of", "target_of_call", "target_of_usage"})


class Report(NamedTuple):
    """A report: its module, its name, and the position of the statement in the syntax tree."""

    path: Path
    name: str
    at: tuple[int, int]


class Verdict(NamedTuple):
    """The result for a removed report."""

    report: Report
    code: int


def modules() -> list[Path]:
    """Return the modules of streams."""
    return sorted(DIALECTS.glob("*/stream*.py"))


def reports(path: Path, source: str) -> Iterator[Report]:
    """Yield the reports of a module; equal names get numbers."""
    seen: Counter[str] = Counter()
    for function in _functions(ast.parse(source)):
        places = _places(function)
        named: list[tuple[str, ast.Expr | ast.Call]] = [
            *((_name(statement.value, places), statement) for statement in _statements(function)),
            *((_called(call), call) for call in _targets(function)),
        ]
        for name, node in named:
            if name:
                full = f"{path.parent.name} {name}"
                seen[full] += 1
                number = f" #{seen[full]}" if seen[full] > 1 else ""
                yield Report(path, full + number, (node.lineno, node.col_offset))


def without(report: Report, source: str) -> ast.Module:
    """Return the syntax tree of a module without a report."""
    tree = ast.parse(source)
    _Silencer(report.at).visit(tree)
    return ast.fix_missing_locations(tree)


def judged(report: Report) -> Verdict:
    """Remove a report and run the tests."""
    tree = without(report, report.path.read_text(encoding="utf-8"))
    return Verdict(report, mutants.run_broken(TESTS, report.path, tree))


def main(arguments: Sequence[str]) -> int:
    """Remove each report; return the exit code, which is that of failure if the tests still pass for one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--list", action="store_true", help="name the reports, and stop")
    parser.add_argument("--only", default="", help="those alone whose name has this text in it")
    options = parser.parse_args(arguments)
    found = [one for path in modules() for one in reports(path, path.read_text(encoding="utf-8"))]
    found = [one for one in found if options.only in one.name]
    if options.list:
        print(*(one.name for one in found), sep="\n")
        return 0
    if mutants.run(TESTS) != pytest.ExitCode.OK:
        sys.exit("the tests fail before anything is taken out")
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        verdicts = list(pool.map(judged, found))
    green = [verdict.report for verdict in verdicts if verdict.code != pytest.ExitCode.TESTS_FAILED]
    print(*(f"{one.name}: NOBODY MISSES IT ({one.path.name})" for one in green), sep="\n")
    print(f"{len(found) - len(green)} of {len(found)} reports of streams are missed when they are taken out")
    return int(bool(green) or not found)


def _functions(tree: ast.Module) -> Iterator[ast.FunctionDef]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


def _statements(function: ast.FunctionDef) -> Iterator[ast.Expr]:
    return (node for node in ast.walk(function) if isinstance(node, ast.Expr))


def _targets(function: ast.FunctionDef) -> Iterator[ast.Call]:
    return (node for node in ast.walk(function) if isinstance(node, ast.Call) and _is_target(node))


def _is_target(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and call.func.attr in TARGETS


def _called(call: ast.Call) -> str:
    """Return the name of the called method, and its arguments."""
    return f"{ast.unparse(call.func).rpartition('.')[2]} {' '.join(map(ast.unparse, call.args))}"


def _places(function: ast.FunctionDef) -> dict[str, str]:
    """Return the path templates that a function assigns to names."""
    return {
        target.id: _template(node.value, {})
        for node in ast.walk(function)
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name) and target.id == "path"
    }


def _name(call: ast.expr, places: dict[str, str]) -> str:
    """Return severity, code and path of a report; empty for any other call."""
    match call:
        case ast.Call(func=ast.Attribute(value=value, attr=attribute), args=arguments) if attribute in SEVERITIES:
            if not _is_log(value):
                return ""
            code = "required" if attribute == "filled" else _code(arguments[0])
            return f"{attribute} {code} {_template(arguments[0 if attribute == 'filled' else 1], places)}"
        case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name), args=arguments) if name in HANDED_ON:
            return f"{name} {' '.join(ast.unparse(one) for one in arguments)}"
        case _:
            return ""


def _is_log(value: ast.expr) -> bool:
    """Tell whether an expression is a loss log: `log`, or a member of that name."""
    return (value.attr if isinstance(value, ast.Attribute) else getattr(value, "id", "")) == "log"


def _code(argument: ast.expr) -> str:
    return str(argument.value) if isinstance(argument, ast.Constant) else "*"


def _template(path: ast.expr, places: dict[str, str]) -> str:
    """Return a path with a star for each part that is only known at run time."""
    match path:
        case ast.Call(func=ast.Attribute(attr="path"), args=tokens):
            return "".join(f"/{_code(token)}" for token in tokens)
        case ast.JoinedStr(values=values):
            return "".join(str(value.value) if isinstance(value, ast.Constant) else "*" for value in values)
        case ast.Constant(value=value):
            return str(value)
        case ast.Name(id=name) if name in places:
            return places[name]
        case _:
            return "*"


# Replaces a target: the same one with a log that is never read.
_UNHEARD: Final = "__import__('dataclasses').replace({}, log=__import__('interlingua.loss').loss.LossLog())"


class _Silencer(ast.NodeTransformer):
    """Replaces one statement by a no-op, or one target by a target that reports nothing."""

    def __init__(self, at: tuple[int, int]) -> None:
        self._at = at

    def visit_Expr(self, node: ast.Expr) -> ast.stmt:  # the name that `ast` calls
        """Return the statement, or a no-op for the removed one."""
        if (node.lineno, node.col_offset) == self._at:
            return ast.copy_location(ast.Pass(), node)
        self.generic_visit(node)
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:  # the name that `ast` calls
        """Return the call, or the target that reports nothing."""
        self.generic_visit(node)
        if (node.lineno, node.col_offset) != self._at or not _is_target(node):
            return node
        return ast.parse(_UNHEARD.format(ast.unparse(node)), mode="eval").body


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
