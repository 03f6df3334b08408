"""The textual fixes on generated classes. Each counts how often it applied; any other number is an error."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any, Final

from problems import SchemaProblem
from sources import Document, is_json_array, is_json_object

_FILE: Final = "schema/compiler/fixes.py"
_TUPLE: Final = re.compile(r"tuple\[(.+), \.\.\.\]")


@dataclass(frozen=True)
class GeneratedModule:
    """The parts of a generated module: the text of each class, the value of each alias."""

    classes: Mapping[str, str]
    aliases: Mapping[str, str]


def split_module(text: str) -> GeneratedModule:
    """Return the classes and aliases of a generated module.

    Imports and `model_rebuild()` calls are left out: imports are generated separately, classes completed on use.

    Raises:
        SchemaProblem: the module holds a statement of another kind.
    """
    tree = ast.parse(text)
    lines = text.split("\n")
    classes: dict[str, str] = {}
    aliases: dict[str, str] = {}
    for node in tree.body:
        match node:
            case ast.ClassDef(name=name, lineno=first, end_lineno=last):
                # `ast.get_source_segment` splits the whole text again for each class.
                classes[name] = "\n".join(lines[first - 1 : last])
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=ast.Name(id="TypeAliasType"), args=args)):
                aliases[name] = ast.unparse(_UnquoteClassNames().visit(args[1]))
            case ast.Import() | ast.ImportFrom() | ast.Expr(value=ast.Constant(value=str())):
                continue
            case ast.Expr(value=ast.Call(func=ast.Attribute(attr="model_rebuild"))):
                continue
            case _:
                raise SchemaProblem(_FILE, "split", f"unexpected statement: {ast.unparse(node)[:80]}")
    return GeneratedModule(classes, aliases)


def apply_fixes(
    module: GeneratedModule,
    schema: Document,
    annotations: Mapping[str, str],
    constants: Mapping[str, Mapping[str, tuple[str, str]]],
    words: Mapping[str, Sequence[str]],
) -> GeneratedModule:
    """Return the module with every fix applied.

    Raises:
        SchemaProblem: a fix applied more or less often than expected from the schema.
    """
    module = _arrays_as_tuples(module, expected=_count(schema, "items"))
    module = _placeholders_as_annotations(module, annotations)
    module = _without_arbitrary_types(module, schema)
    return _with_constructors(_with_constants(module, constants), words)


def in_order_of_use(module: GeneratedModule) -> tuple[list[str], list[str]]:
    """Return all names so that each follows those that it uses, and the classes that still refer to a later one.

    Only classes with circular references use a later name. For the others Pydantic resolves the types at once; a type
    that is resolved later is also looked up among the local names of the caller.

    Raises:
        SchemaProblem: aliases go round in a circle without a class.
    """
    texts = {**module.classes, **module.aliases}
    uses = {name: _names_in(text) & texts.keys() - {name} for name, text in texts.items()}
    ordered: dict[str, None] = {}
    forward_users: list[str] = []
    while len(ordered) < len(texts):
        remaining = [name for name in sorted(texts) if name not in ordered]
        ordered_names = [name for name in remaining if uses[name] <= ordered.keys()]
        if not ordered_names:
            ordered_names = [
                name for name in remaining if name in module.classes and name in _reachable(name, uses, ordered)
            ][:1]
            forward_users += ordered_names
        if not ordered_names:
            raise SchemaProblem(_FILE, "aliases", f"these use each other: {remaining}")
        ordered |= dict.fromkeys(ordered_names)
    return list(ordered), sorted(forward_users)


def _reachable(start: str, uses: Mapping[str, set[str]], done: Collection[str]) -> set[str]:
    """Return all names that a name uses, directly or indirectly, without those already in order."""
    found: set[str] = set()
    waiting = [start]
    while waiting:
        new = uses[waiting.pop()] - found - set(done)
        found |= new
        waiting += new
    return found


def _names_in(text: str) -> set[str]:
    """Return the names that a text uses."""
    return {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}


class _UnquoteClassNames(ast.NodeTransformer):
    """Removes the quotes around class names: an alias follows all classes that it uses."""

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        name = node.value.id if isinstance(node.value, ast.Name) else ""
        if name == "Literal":
            return node
        self.generic_visit(node)
        if name == "Union" and isinstance(node.slice, ast.Tuple):
            # The generator writes Union only where a name is quoted, which `|` cannot take.
            return reduce(lambda left, right: ast.BinOp(left, ast.BitOr(), right), node.slice.elts)
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        return node

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        return ast.Name(id=node.value, ctx=ast.Load()) if isinstance(node.value, str) else node


def _arrays_as_tuples(module: GeneratedModule, *, expected: int) -> GeneratedModule:
    """Turn `list[X]` into `tuple[X, ...]`: a value never changes, so neither do its lists."""
    counts: list[int] = []
    classes = {name: _tuples_in(text, counts) for name, text in module.classes.items()}
    aliases = {name: _tuples_in(text, counts) for name, text in module.aliases.items()}
    _check("tuples", sum(counts), expected)
    return GeneratedModule(classes, aliases)


def _tuples_in(text: str, counts: list[int]) -> str:
    """Return a text with tuples instead of lists, and count them."""
    edits: list[tuple[int, int, bytes]] = []
    data = text.encode("utf-8")
    starts = [0, *(match.end() for match in re.finditer(rb"\n", data))]
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id == "list":
            begin = starts[node.lineno - 1] + node.col_offset
            end = starts[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0)
            edits += [(begin, begin + len("list"), b"tuple"), (end - 1, end - 1, b", ...")]
    for begin, end, new in sorted(edits, reverse=True):
        data = data[:begin] + new + data[end:]
    counts.append(len(edits) // 2)
    return data.decode("utf-8")


def _placeholders_as_annotations(module: GeneratedModule, annotations: Mapping[str, str]) -> GeneratedModule:
    """Replace each placeholder by its annotation."""
    found: list[str] = []

    def annotation(match: re.Match[str]) -> str:
        found.append(match[0])
        return annotations[match[0]]

    module = _replaced_everywhere(module, re.compile(r"\bScalar\d+Placeholder\b"), annotation)
    _check("placeholders", sorted(found), sorted(annotations))
    return module


def _without_arbitrary_types(module: GeneratedModule, schema: Document) -> GeneratedModule:
    """Remove the permission for arbitrary types that the generator gives to classes with a type it does not know."""
    pattern = re.compile(r"\n[ ]+arbitrary_types_allowed=True,")
    found = sum(len(pattern.findall(text)) for text in module.classes.values())
    expected = sum(_count(schema["$defs"][name], "customTypePath") > 0 for name in module.classes)
    _check("arbitrary types", found, expected)
    return _replaced_everywhere(module, pattern, lambda _match: "")


def _with_constants(module: GeneratedModule, constants: Mapping[str, Mapping[str, tuple[str, str]]]) -> GeneratedModule:
    """Insert the class variables of a class after its configuration."""
    classes = dict(module.classes)
    for name, values in constants.items():
        lines = "".join(f"\n    {key}: ClassVar[{kind}] = {value}" for key, (kind, value) in values.items())
        classes[name], count = re.subn(r"model_config = ConfigDict\([^)]*\)", _appender(lines), classes[name])
        _check(f"constants of {name}", count, 1)
    return replace(module, classes=classes)


def _with_constructors(module: GeneratedModule, words: Mapping[str, Sequence[str]]) -> GeneratedModule:
    """Add constructors so that type checkers accept what the validators accept: words of enumerations, and lists.

    Attributes are still members of the enumeration, and tuples. `words` has those of each enumeration.
    """
    items = {name: found[1] for name, text in module.aliases.items() if (found := _TUPLE.search(text))}
    classes = dict(module.classes)
    for name, text in module.classes.items():
        members = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.AnnAssign)]
        parameters = [
            _parameter(member, words, items) for member in members if "ClassVar" not in ast.unparse(member.annotation)
        ]
        if any(is_wider for _, is_wider in parameters):
            arguments = ", ".join(argument for argument, _ in parameters)
            classes[name] = (
                f"{text.rstrip()}\n\n    if TYPE_CHECKING:\n\n        def __init__(self, *, {arguments}) -> None: ..."
            )
    return replace(module, classes=classes)


def _parameter(member: ast.AnnAssign, words: Mapping[str, Sequence[str]], items: Mapping[str, str]) -> tuple[str, bool]:
    """Return a member as a parameter, and whether its type is wider than the attribute's; `items` belong to aliases."""
    annotation = ast.unparse(member.annotation)
    name = annotation.removesuffix(" | None")
    several = _TUPLE.fullmatch(name)
    wider = name
    if name in words:
        wider = f"{name} | Literal{list(words[name])!r}"
    elif name in items:
        wider = f"{name} | Sequence[{items[name]}]"
    elif several is not None:
        # A string is a sequence of strings, too, which is not meant here.
        is_text = several[1] == "StrictStr" or several[1].startswith("Annotated[str,")
        wider = f"{name} | list[{several[1]}]" if is_text else f"Sequence[{several[1]}]"
    default = "" if member.value is None else f" = {ast.unparse(member.value)}"
    return f"{ast.unparse(member.target)}: {annotation.replace(name, wider, 1)}{default}", wider != name


def _replaced_everywhere(
    module: GeneratedModule, pattern: re.Pattern[str], new: Callable[[re.Match[str]], str]
) -> GeneratedModule:
    """Return the module with a pattern replaced in all texts."""
    return GeneratedModule(
        {name: pattern.sub(new, text) for name, text in module.classes.items()},
        {name: pattern.sub(new, text) for name, text in module.aliases.items()},
    )


def _appender(text: str) -> Callable[[re.Match[str]], str]:
    """Return a substitution that appends a text to each match."""
    return lambda match: match[0] + text


def _count(node: Any, key: str) -> int:
    """Return how often a key occurs in a schema."""
    if is_json_array(node):
        return sum(_count(item, key) for item in node)
    if not is_json_object(node):
        return 0
    members = node.get("properties", {}).values()
    below = sum(_count(value, key) for name, value in node.items() if name not in {"const", "default", "properties"})
    return below + sum(_count(member, key) for member in members) + (key in node)


def _check(fix: str, found: object, expected: object) -> None:
    """Check that a fix applied as often as expected from the schema.

    Raises:
        SchemaProblem: it did not; the generator writes something else than it used to.
    """
    if found != expected:
        raise SchemaProblem(_FILE, fix, f"applied {found}, expected {expected}")
