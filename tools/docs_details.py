"""Generates docs/reference/details.md: the text of every loss and violation, under its code, with what to do.

The texts are read from the source: the arguments of methods of a loss log, and of `Violation`, with their codes. For
helper functions, `_LOGS` has the code under which they report. A test compares the page with the losses and violations
of real translations (tests/docs/test_details_page.py). `nox -s generate` writes the page.
"""

from __future__ import annotations

import ast
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple, get_args

ROOT: Final = Path(__file__).resolve().parents[1]
# `nox -s fresh` and `nox -s generate` install the compiler's packages, but not this one.
sys.path[:0] = [str(ROOT / folder) for folder in ("codecs", "generated") if str(ROOT / folder) not in sys.path]

from interlingua.cli.code_meanings import LOSSES, VIOLATIONS, Meaning  # noqa: E402  # found through the line above
from interlingua.loss_types import LossCode  # noqa: E402  # likewise
from interlingua.violation import ViolationCode  # noqa: E402  # likewise

PAGE: Final = Path("docs") / "reference" / "details.md"
PLACE: Final = "…"
"""The placeholder on the page for the part of a text that varies."""
_FOLDER: Final = Path("codecs") / "interlingua"
_TABLE_NODES: Final = (ast.FunctionDef, ast.Assign, ast.AnnAssign)
_LOSS_CODES: Final = frozenset(get_args(LossCode))
_VIOLATION_CODES: Final = frozenset(get_args(ViolationCode))
_ANY: Final = ""
# Functions that note a loss, with the code for calls that do not state one.
_LOGS: Final[Mapping[str, str]] = {
    "lost": "tool", "changed": "tool", "filled": "required", "filled_in_message": "required", "note": _ANY,
    "lost_members": _ANY, "texts_of": _ANY, "text_of_part": _ANY, "Loss": _ANY, "report_setting": "setting",
    "report_usage": "member", "drop_tools": "tool", "map_roles": "role", "_lost_said": "message",
    "report_lost_thinking": "setting", "_leave_out": "setting", "without_names": "member", "report_text": _ANY,
    "with_texts": "part", "ask_for_json_in_words": "setting",
}  # fmt: skip
# Functions that yield a violation, likewise.
_RULES: Final[Mapping[str, str]] = {
    "Violation": _ANY, "refused_names": "name", "refused_members": "member", "repeated": "duplicate_id",
}  # fmt: skip
# Tables of texts, and functions that return one, with the code of their losses and violations.
_TABLES: Final[Mapping[str, str]] = {
    "REASONS": "setting",
    "_UNKNOWN_ROLE": "role",
    "_refusal_of": "part",
    "out_of_reach": "part",
}
_HEAD: Final = """# What losses and violations say

Each [loss](../losses.md) and each [violation](../judging.md) has a code, a path and a `detail`: a short sentence for
people. This page lists every sentence under its code, with the meaning of the code and what to do about it;
`interlingua explain CODE` shows the meaning on a terminal. The path says where it happened: for a loss in the canonical
value, for a violation in the body. "The target" is the dialect that is written, "these models" are the family of the
model that the request names. `…` stands for a name, a number or a list. A detail never contains content.

This page is generated from the source by `nox -s generate`. Programs should use `code` and `path`: the sentences may
change from one release to the next.
"""


class Said(NamedTuple):
    """A text, its code, and whether it is of a loss or of a violation."""

    detail: str
    code: str
    is_loss: bool


def said(root: Path) -> set[Said]:
    """Return every text of the source, with its code."""
    paths = [*sorted((root / _FOLDER / "rooms").rglob("*.py")), *sorted((root / _FOLDER).glob("*.py"))]
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in paths]
    constants: dict[str, list[str]] = {}
    for tree in trees:
        constants |= _named(tree.body, constants)
    found: set[Said] = set()
    for tree in trees:
        everywhere = constants | _named(ast.walk(tree), constants)
        for node in tree.body:
            found |= _said_within(node, everywhere)
    return found


def _said_within(node: ast.AST, outside: Mapping[str, list[str]]) -> set[Said]:
    """Return the texts in a statement; names assigned in a function are only valid there."""
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    known = {**outside, **_named(ast.walk(node), outside)} if isinstance(node, functions) else outside
    found = set(_said_in_table(node, known)) if isinstance(node, _TABLE_NODES) else set[Said]()
    if isinstance(node, ast.Call):
        found |= set(_said_by(node, known))
    for child in ast.iter_child_nodes(node):
        found |= _said_within(child, known)
    return found


def pages(root: Path) -> dict[Path, str]:
    """Return the page."""
    return {root / PAGE: render(said(ROOT))}


def render(found: set[Said]) -> str:
    """Return the text of the page."""
    return "\n".join([
        _HEAD,
        *_section("Losses", LOSSES, {one for one in found if one.is_loss}),
        *_section("Violations", VIOLATIONS, {one for one in found if not one.is_loss}),
    ])  # fmt: skip


def _section(title: str, meanings: Mapping[Any, Meaning], found: set[Said]) -> Iterator[str]:
    details: dict[str, set[str]] = defaultdict(set)
    for one in found:
        details[one.code].add(one.detail)
    yield f"## {title}"
    for code, meaning in meanings.items():
        yield f"\n### {title}: `{code}`\n"
        yield f"Means: {meaning.means}. To do: {meaning.advice}.\n"
        yield from (f"- {_escaped(detail)}" for detail in sorted(details[code], key=str.casefold))
    yield ""


def _escaped(detail: str) -> str:
    """Return a text with Markdown characters escaped."""
    return "".join(f"\\{letter}" if letter in "\\`*_{}[]<>#|$" else letter for letter in detail)


def _named(nodes: Iterable[ast.AST], known: Mapping[str, list[str]]) -> dict[str, list[str]]:
    """Return the texts that names stand for."""
    found: dict[str, list[str]] = defaultdict(list)
    for node in nodes:
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        value = node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None
        for target in targets:
            if isinstance(target, ast.Name) and value is not None:
                found[target.id] += _texts(value, known)
    return dict(found)


def _said_by(call: ast.Call, known: Mapping[str, list[str]]) -> Iterator[Said]:
    """Yield the texts that a call reports."""
    called = call.func.body if isinstance(call.func, ast.IfExp) else call.func
    name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
    is_loss = name in _LOGS
    if not is_loss and name not in _RULES:
        return
    texts = [text for one in (*call.args, *(each.value for each in call.keywords)) for text in _texts(one, known)]
    codes = _LOSS_CODES if is_loss else _VIOLATION_CODES
    code = next((text for text in texts if text in codes), (_LOGS if is_loss else _RULES)[name])
    for text in texts:
        if code and " " in text and not text.startswith("/"):
            yield Said(text, code, is_loss)


def _said_in_table(
    node: ast.FunctionDef | ast.Assign | ast.AnnAssign, known: Mapping[str, list[str]]
) -> Iterator[Said]:
    """Yield the texts of a table, or of a function that returns one."""
    target = (
        node if isinstance(node, ast.FunctionDef) else node.targets[0] if isinstance(node, ast.Assign) else node.target
    )
    name = target.name if isinstance(target, ast.FunctionDef) else getattr(target, "id", "")
    if name not in _TABLES:
        return
    values = [one.value for one in ast.walk(node) if isinstance(one, ast.Return) and one.value is not None]
    values += [value for one in ast.walk(node) if isinstance(one, ast.Dict) for value in one.values]
    for value in values:
        for text in _texts(value, known):
            if " " in text:
                yield Said(text, _TABLES[name], is_loss=True)
                yield Said(text, _TABLES[name], is_loss=False)


def _texts(node: ast.expr, known: Mapping[str, list[str]]) -> list[str]:
    """Return the texts that an expression may evaluate to."""
    if isinstance(node, ast.Constant) and type(node.value) is str:
        return [node.value]
    if isinstance(node, ast.JoinedStr):
        parts = [str(one.value) if isinstance(one, ast.Constant) else PLACE for one in node.values]
        return ["".join(parts)]
    if isinstance(node, ast.IfExp):
        return _texts(node.body, known) + _texts(node.orelse, known)
    if isinstance(node, ast.BoolOp):
        return [text for one in node.values for text in _texts(one, known)]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "get":
        return [text for one in node.args[1:] for text in _texts(one, known)]
    if isinstance(node, ast.Name):
        return known.get(node.id, [])
    return []
