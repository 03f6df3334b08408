"""Declarations -> Go: structs, and an interface for each union; unknown documents and members are kept.

A tag has no field: the type of the value says it. An optional member is a pointer, or a nil list, map or interface;
numbers keep their spelling (`json.Number`), and free-form JSON stays as it came (`json.RawMessage`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Final

from declarations import (
    AliasDeclaration,
    ChoiceDeclaration,
    Constant,
    Declaration,
    Field,
    ObjectDeclaration,
    UnionDeclaration,
    WordsDeclaration,
    json_kind,
    named,
    with_article,
)
from expressions import Anything, Choice, Map, Named, Scalar, Type, Words
from expressions import Sequence as List

_SCALARS: Final = {
    "string": ("string", "wire.String"),
    "integer": ("int64", "wire.Integer"),
    "number": ("json.Number", "wire.Number"),
    "boolean": ("bool", "wire.Boolean"),
}
# The first byte of a value shows its JSON type; numbers begin with a digit or a sign, booleans with `t` or `f`.
_CHOICES: Final = {
    "string": ("Text", "'\"'"),
    "integer": ("Integer", "'-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9'"),
    "number": ("Number", "'-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9'"),
    "boolean": ("Boolean", "'t', 'f'"),
    "array": ("List", "'['"),
    "object": ("Object", "'{'"),
}
# Words that golint writes in capitals.
_INITIALISMS: Final = frozenset({"id", "url", "json", "api", "mcp", "http"})
UNKNOWN: Final = "UnknownMembers"


def go_package(declared: Sequence[Declaration], key: str, title: str, module: str, header: str) -> str:
    """Return the package of one version; `module` is the path of the module."""
    writer = _Writer(named(tuple(declared)))
    body = "\n\n".join([*(writer.declaration(declaration) for declaration in declared), _by_name(declared)])
    imports = ['\t"encoding/json"', *(['\t"errors"'] if "errors.New(" in body else [])]
    own_imports = [f'\t"{module}"'] if "interlingua." in body else []
    own_imports.append(f'\t"{module}/internal/wire"')
    import_lines = "\n".join([*imports, "", *own_imports])
    return f"{header}\n\n// Package {key}: {title}\npackage {key}\n\nimport (\n{import_lines}\n)\n\n{body}\n"


def go_root(keys: Sequence[str], current: int, header: str) -> str:
    """Return the package at the root of the module, which lists the versions."""
    numbers = ", ".join(key[1:] for key in keys)
    return f"""{header}

// Package interlingua names the versions of the message format; each has a package of its own, such as v{current}.
package interlingua

// Current is the version of the format that is spoken and written; a newer one is being made.
const Current = {current}

// Versions returns the versions of the format, oldest first.
func Versions() []int {{ return []int{{{numbers}}} }}
"""


class _Writer:
    """Writes the declarations of one version."""

    def __init__(self, declared: dict[str, Declaration]) -> None:
        self._named = declared

    def declaration(self, declaration: Declaration) -> str:
        """Return one declaration with its documentation."""
        comment = _comment(declaration.name, declaration.description)
        match declaration:
            case ObjectDeclaration():
                return self._object(declaration, comment)
            case UnionDeclaration():
                return self._union(declaration, comment)
            case WordsDeclaration():
                return _words(declaration, comment)
            case ChoiceDeclaration():
                return self._choice(declaration, comment)
            case AliasDeclaration(name, _, Named(other)):
                return f"{comment}type {name} = {other}"
            case AliasDeclaration(name, _, kind):
                return f"{comment}type {name} = {self._type(kind)}"

    def _object(self, declaration: ObjectDeclaration, comment: str) -> str:
        """Return a struct with its decoder and encoder."""
        name = declaration.name
        fields = [line for field in declaration.fields for line in self._field(field)]
        reads = [f"\t\t{self._reading(field)}" for field in declaration.fields]
        writes = [line for field in declaration.fields for line in self._writing(field)]
        rest = (
            f"\t// {UNKNOWN} are the members that this version does not know.\n\t{UNKNOWN} map[string]json.RawMessage"
        )
        return "\n".join(
            [
                f"{comment}type {name} struct {{",
                *fields,
                rest,
                "}",
                "",
                f"// UnmarshalJSON reads {with_article(name)} and keeps the members that it does not know.",
                f"func (value *{name}) UnmarshalJSON(data []byte) error {{",
                f"\t*value = {name}{{}}",
                "\trest, err := wire.ReadObject(data, func(reader *wire.Reader) {",
                *reads,
                "\t})",
                f"\tvalue.{UNKNOWN} = rest",
                "\treturn err",
                "}",
                "",
                f"// MarshalJSON writes {with_article(name)} with the members that it does not know.",
                f"func (value {name}) MarshalJSON() ([]byte, error) {{",
                f"\treturn wire.WriteObject(value.{UNKNOWN}, func(writer *wire.Writer) {{",
                *writes,
                "\t})",
                "}",
            ]
        )

    def _field(self, field: Field) -> Iterator[str]:
        """Yield the lines of a member; a required constant has none."""
        if isinstance(field.type, Constant) and field.is_required:
            return
        name = _exported(field.name)
        yield _comment("", field.description, "\t").rstrip("\n")
        yield f"\t{name} {self._field_type(field)}"
        yield ""

    def _field_type(self, field: Field) -> str:
        """Return the type of a member."""
        kind = self._type(field.type)
        if field.takes_null:
            kind = f"interlingua.Nullable[{kind}]"
        return kind if field.is_required or self._has_nil(field) else f"*{kind}"

    def _has_nil(self, field: Field) -> bool:
        """Tell whether the type of a member includes nil, for an absent value."""
        return not field.takes_null and self._is_nil(field.type)

    def _is_nil(self, kind: Type | Constant) -> bool:
        """Tell whether a Go type includes nil."""
        match kind:
            case Named(name):
                found = self._named[name]
                if isinstance(found, AliasDeclaration):
                    return self._is_nil(found.type)
                return isinstance(found, UnionDeclaration | ChoiceDeclaration)
            case List() | Map() | Anything():
                return True
            case _:
                return False

    def _reading(self, field: Field) -> str:
        """Return the statement that reads a member."""
        name, place = json.dumps(field.name), f"value.{_exported(field.name)}"
        if isinstance(field.type, Constant):
            decoder, constant = self._decoder(field.type), json.dumps(field.type.value)
            if field.is_required:
                return f"wire.Constant(reader, {name}, {decoder}, {constant})"
            return f"{place} = wire.OptionalConstant(reader, {name}, {decoder}, {constant})"
        decoder = self._decoder(field.type)
        if field.takes_null:
            decoder = f"wire.NullOr({decoder})"
        how = "Required" if field.is_required else "OptionalValue" if self._has_nil(field) else "Optional"
        return f"{place} = wire.{how}(reader, {name}, {decoder})"

    def _writing(self, field: Field) -> Iterator[str]:
        """Yield the statements that write a member."""
        name, place = json.dumps(field.name), f"value.{_exported(field.name)}"
        if isinstance(field.type, Constant) and field.is_required:
            yield f"\t\twriter.Put({name}, {json.dumps(field.type.value)})"
        elif field.is_required:
            yield f"\t\twriter.Put({name}, {self._written(field, place)})"
        else:
            yield f"\t\tif {place} != nil {{"
            yield f"\t\t\twriter.Put({name}, {place})"
            yield "\t\t}"

    def _written(self, field: Field, place: str) -> str:
        """Return the value written for a required member: an empty list or object instead of nil."""
        if isinstance(field.type, List | Map) and not field.takes_null:
            return f"wire.{'ListOrEmpty' if isinstance(field.type, List) else 'MapOrEmpty'}({place})"
        return place

    def _union(self, declaration: UnionDeclaration, comment: str) -> str:
        """Return an interface, its marker methods, the unknown variant, and its decoder."""
        name = declaration.name
        marks = [f"func ({variant}) is{name}() {{}}" for _, variant in declaration.variants]
        cases = [
            line
            for word, variant in declaration.variants
            for line in (f"\tcase {json.dumps(word)}:", f"\t\treturn wire.Struct[{variant}](data)")
        ]
        newer = ["\tif isNewer {", f"\t\treturn Unknown{name}Variant(bytesOf(data)), nil", "\t}"]
        first = "word, _, err" if declaration.newest is None else "word, isNewer, err"
        unknown = f"Unknown{name}Variant"
        return "\n".join(
            [
                f"{comment}//\n// It is one of these types, or {unknown}.",
                f"type {name} interface {{",
                f"\tis{name}()",
                "}",
                "",
                "\n\n".join([*marks, f"func ({unknown}) is{name}() {{}}"]),
                "",
                f"// {unknown} is {with_article(name)} that this version does not know, as it came.",
                f"type {unknown} json.RawMessage",
                "",
                "// MarshalJSON writes it as it came.",
                f"func (value {unknown}) MarshalJSON() ([]byte, error) {{ return value, nil }}",
                "",
                f"// Unmarshal{name} reads {with_article(name)} by its tag.",
                f"func Unmarshal{name}(data []byte) ({name}, error) {{",
                f"\treturn read{name}(data)",
                "}",
                "",
                f"func read{name}(data json.RawMessage) ({name}, error) {{",
                f"\t{first} := wire.Tag(data, {json.dumps(declaration.tag)}, {declaration.newest or 0})",
                "\tif err != nil {",
                "\t\treturn nil, err",
                "\t}",
                *(
                    [line.replace("bytesOf(data)", "append([]byte(nil), data...)") for line in newer]
                    if declaration.newest
                    else []
                ),
                "\tswitch word {",
                *cases,
                "\t}",
                f"\treturn {unknown}(append([]byte(nil), data...)), nil",
                "}",
            ]
        )

    def _choice(self, declaration: ChoiceDeclaration, comment: str) -> str:
        """Return an interface of types that are distinguished by JSON type."""
        name = declaration.name
        lines = [f"{comment}type {name} interface {{", f"\tis{name}()", "}"]
        kinds = " or ".join(with_article(json_kind(option)) for option in declaration.options)
        cases: list[str] = []
        for option in declaration.options:
            kind = json_kind(option)
            suffix, first = _CHOICES[kind]
            variant = f"{name}{suffix}"
            lines += [
                "",
                f"// {variant} is {with_article(name)} that is {with_article(kind)}.",
                f"type {variant} {self._type(option)}",
            ]
            lines += ["", f"func ({variant}) is{name}() {{}}"]
            cases += [
                f"\tcase {first}:",
                f"\t\tfound, err := {self._decoder(option)}(data)",
                f"\t\treturn {variant}(found), err",
            ]
        lines += [
            "",
            f"// Unmarshal{name} reads {with_article(name)} by the kind of its JSON value.",
            f"func Unmarshal{name}(data []byte) ({name}, error) {{",
            f"\treturn read{name}(data)",
            "}",
            "",
            f"func read{name}(data json.RawMessage) ({name}, error) {{",
            "\tswitch wire.Kind(data) {",
            *cases,
            "\t}",
            f"\treturn nil, errors.New({json.dumps(f'expected {kinds}')})",
            "}",
        ]
        return "\n".join(lines)

    def _type(self, kind: Type | Constant) -> str:
        """Return a type as Go writes it."""
        match kind:
            case Constant(str()):
                return "string"
            case Constant():
                return "int64"
            case Named(name):
                return name
            case Scalar(name):
                return _SCALARS[name][0]
            case List(item):
                return f"[]{self._type(item)}"
            case Map(value):
                return f"map[string]{self._type(value)}"
            case Anything():
                return "json.RawMessage"
            case Choice() | Words():
                message = f"no name for {kind}"
                raise TypeError(message)

    def _decoder(self, kind: Type | Constant) -> str:
        """Return the expression for the decoder of a type."""
        match kind:
            case Constant(str()):
                return "wire.String"
            case Constant():
                return "wire.Integer"
            case Named(name):
                return self._named_decoder(name)
            case Scalar(name):
                return _SCALARS[name][1]
            case List(item):
                return f"wire.List({self._decoder(item)})"
            case Map(Anything()):
                return "wire.Object"
            case Anything():
                return "wire.Any"
            case Map() | Choice() | Words():
                message = f"no reader for {kind}"
                raise TypeError(message)

    def _named_decoder(self, name: str) -> str:
        """Return the decoder of a named type."""
        match self._named[name]:
            case ObjectDeclaration():
                return f"wire.Struct[{name}]"
            case UnionDeclaration() | ChoiceDeclaration() | WordsDeclaration():
                return f"read{name}"
            case AliasDeclaration(_, _, kind):
                return self._decoder(kind)


def _by_name(declared: Sequence[Declaration]) -> str:
    """Return the function that reads a type by its name in the schema."""
    lines = [
        "// UnmarshalNamed reads a type by its name in the schema, such as `ChatRequest`.",
        "func UnmarshalNamed(name string, data []byte) (any, error) {",
        "\tswitch name {",
    ]
    for declaration in declared:
        # An alias of a string has no decoder of its own.
        if not isinstance(declaration, AliasDeclaration) or isinstance(declaration.type, Named):
            lines += [f"\tcase {json.dumps(declaration.name)}:", f"\t\treturn {_reader(declaration)}(data)"]
    return "\n".join([*lines, "\t}", '\treturn nil, errors.New("no type of that name")', "}"])


def _reader(declaration: Declaration) -> str:
    """Return the function that reads a declaration."""
    match declaration:
        case ObjectDeclaration(name):
            return f"wire.Struct[{name}]"
        case AliasDeclaration(_, _, Named(other)):
            return f"read{other}"
        case _:
            return f"read{declaration.name}"


def _words(declaration: WordsDeclaration, comment: str) -> str:
    """Return an enumeration type, its constants and its decoder."""
    name = declaration.name
    constants = [name + _exported(word.replace(".", "_")) for word in declaration.words]
    width = max(map(len, constants))
    lines = [f"{comment}type {name} string", "", f"// The words of {name}.", "const ("]
    for constant, word in zip(constants, declaration.words, strict=True):
        lines.append(f"\t{constant.ljust(width)} {name} = {json.dumps(word)}")
    lines += [
        ")",
        "",
        "// UnmarshalJSON reads one of the words.",
        f"func (value *{name}) UnmarshalJSON(data []byte) (err error) {{",
        f"\t*value, err = read{name}(data)",
        "\treturn err",
        "}",
        "",
        f"func read{name}(data json.RawMessage) ({name}, error) {{",
        f"\treturn wire.Word({', '.join(constants)})(data)",
        "}",
    ]
    return "\n".join(lines)


def _exported(name: str) -> str:
    """Return a member's or word's name as Go exports it."""
    words = [word.upper() if word in _INITIALISMS else word[:1].upper() + word[1:] for word in name.split("_")]
    return "".join(words)


def _comment(name: str, text: str, indent: str = "") -> str:
    """Return a documentation comment, which begins with the name if there is one."""
    words = f"{name}: {text}" if name else text
    return "".join(f"{indent}// {line}".rstrip() + "\n" for line in words.splitlines())
