"""Declarations -> Rust: structs and enums for serde; unknown documents and members are kept.

An enum a union, with `Unknown` for a tag that is not known; a struct an object, with its unknown members beside the
known ones. Numbers keep their spelling (`serde_json::Number` with `arbitrary_precision`).
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
)
from expressions import Anything, Map, Named, Scalar, Type
from expressions import Sequence as List
from sources import camel_case

_SCALARS: Final = {"string": "String", "integer": "i64", "number": "Number", "boolean": "bool"}
_KEYWORDS: Final = frozenset(
    [
        "as",
        "async",
        "await",
        "break",
        "const",
        "continue",
        "crate",
        "dyn",
        "else",
        "enum",
        "extern",
        "false",
        "fn",
        "for",
        "if",
        "impl",
        "in",
        "let",
        "loop",
        "match",
        "mod",
        "move",
        "mut",
        "pub",
        "ref",
        "return",
        "self",
        "static",
        "struct",
        "super",
        "trait",
        "true",
        "type",
        "unsafe",
        "use",
        "where",
        "while",
        "abstract",
        "become",
        "box",
        "do",
        "final",
        "gen",
        "macro",
        "override",
        "priv",
        "try",
        "typeof",
        "unsized",
        "virtual",
        "yield",
    ]
)
_CHOICES: Final = {
    "string": ("Text", "serde_json::Value::String(_)"),
    "integer": ("Integer", "serde_json::Value::Number(_)"),
    "number": ("Number", "serde_json::Value::Number(_)"),
    "boolean": ("Boolean", "serde_json::Value::Bool(_)"),
    "array": ("List", "serde_json::Value::Array(_)"),
    "object": ("Object", "serde_json::Value::Object(_)"),
}
UNKNOWN: Final = "unknown_members"


def rust_module(declared: Sequence[Declaration], title: str, header: str) -> str:
    """Return the module of one version."""
    writer = _Writer(tuple(declared))
    bodies = [writer.declaration(declaration) for declaration in declared]
    tags = writer.tags()
    uses = ["use serde::{Deserialize, Serialize};"]
    text = "\n\n".join(bodies + tags)
    imported = [
        name
        for name in ("Map", "Number", "Value")
        if f"{name}<" in text or f" {name}" in text or f"({name}" in text or f"<{name}" in text
    ]
    uses.append(f"use serde_json::{_braced(imported)};")
    macros = [name for name in ("choice", "constant", "union") if f"\n{name}! {{" in f"\n{text}"]
    uses.append(f"use crate::wire::{_braced(macros)};")
    return f"{header}\n\n//! {title}\n\n" + "\n".join(uses[:2]) + f"\n\n{uses[2]}\n\n" + text + "\n"


def rust_library(keys: Sequence[str], current: int, header: str) -> str:
    """Return the root of the crate."""
    modules = "\n".join(f"pub mod {key};" for key in keys)
    numbers = ", ".join(key[1:] for key in keys)
    return f"""{header}

//! The types of Interlingua: one module a version of the format.
//!
//! ```
//! use interlingua_types::v{current}::{{ChatRequest, Part}};
//!
//! let text = r#"{{"messages": [{{"role": "user", "content": "Hello"}}], "temperature": 0}}"#;
//! let request: ChatRequest = serde_json::from_str(text)?;
//! assert_eq!(serde_json::to_value(&request)?, serde_json::from_str::<serde_json::Value>(text)?);
//!
//! // A kind of part that this version does not know is kept as it came.
//! let part: Part = serde_json::from_str(r#"{{"type": "hologram", "depth": 3}}"#)?;
//! assert!(matches!(part, Part::Unknown(_)));
//! # Ok::<(), serde_json::Error>(())
//! ```

#![forbid(unsafe_code)]
#![warn(missing_docs)]

{modules}
mod wire;

/// The versions of the format, oldest first.
pub const VERSIONS: [u32; {len(keys)}] = [{numbers}];

/// The version of the format that is spoken and written; a newer one is being made.
pub const CURRENT: u32 = {current};
"""


class _Writer:
    """Writes the declarations of one version, and records which constants they need."""

    def __init__(self, declared: tuple[Declaration, ...]) -> None:
        self._named = named(declared)
        self._tags: dict[str, str] = {}
        self._numbers: dict[str, int] = {}

    def declaration(self, declaration: Declaration) -> str:
        """Return one declaration with its documentation."""
        comment = _comment(declaration.description, "")
        match declaration:
            case ObjectDeclaration():
                return self._object(declaration, comment)
            case UnionDeclaration():
                return self._union(declaration, comment)
            case WordsDeclaration():
                return _words(declaration, comment)
            case ChoiceDeclaration():
                return self._choice(declaration, comment)
            case AliasDeclaration(name, _, kind):
                return f"{comment}pub type {name} = {self._type(kind)};"

    def tags(self) -> list[str]:
        """Return the constants that the structs use: the version number, and a module of tags."""
        found = [
            f"constant! {{\n    /// The only value of `{name}`.\n    {camel_case(name)}: i64 as i64 = {number}\n}}"
            for name, number in sorted(self._numbers.items())
        ]
        if self._tags:
            lines = [
                f'    constant! {{\n        /// `{word}`.\n        {name}: &\'static str as String = "{word}"\n    }}'
                for name, word in sorted(self._tags.items())
            ]
            body = "\n\n".join(["    use crate::wire::constant;", *lines])
            found.append(f"/// The words of tags, each a type with one value.\npub mod tags {{\n{body}\n}}")
        return found

    def _object(self, declaration: ObjectDeclaration, comment: str) -> str:
        """Return a struct and its constructor."""
        arguments = [one for one in declaration.fields if one.is_required and not isinstance(one.type, Constant)]
        derived = "Clone, Debug, PartialEq, Serialize, Deserialize"
        default = "" if arguments else "Default, "
        lines = [f"{comment}#[derive({default}{derived})]", f"pub struct {declaration.name} {{"]
        for field in declaration.fields:
            lines += self._field(field)
        lines += ["    /// Members that this version does not know.", "    #[serde(flatten)]"]
        lines += [f"    pub {UNKNOWN}: Map<String, Value>,", "}"]
        return "\n".join(lines) + ("\n\n" + self._constructor(declaration, arguments) if arguments else "")

    def _field(self, field: Field) -> Iterator[str]:
        """Yield the lines of a member."""
        yield _comment(field.description, "    ").rstrip("\n")
        kind = self._field_type(field)
        is_integer = isinstance(field.type, Scalar) and field.type.kind == "integer"
        if not field.is_required:
            read = f"crate::wire::{'present_integer' if is_integer else 'present'}"
            yield from _attribute(f'default, deserialize_with = "{read}", skip_serializing_if = "Option::is_none"')
        elif is_integer:
            yield '    #[serde(deserialize_with = "crate::wire::integer")]'
        yield f"    pub {_identifier(field.name)}: {kind},"

    def _field_type(self, field: Field) -> str:
        """Return the type of a member: null and absence are two layers of `Option`."""
        kind = self._type(field.type, field.name)
        if field.takes_null:
            kind = f"Option<{kind}>"
        if field.is_required:
            return kind
        is_object = isinstance(field.type, Named) and isinstance(self._named[field.type.name], ObjectDeclaration)
        return f"Option<Box<{kind}>>" if is_object else f"Option<{kind}>"

    def _constructor(self, declaration: ObjectDeclaration, arguments: list[Field]) -> str:
        """Return the function `new`, whose parameters are the required members."""
        parameters = ", ".join(f"{_identifier(one.name)}: {self._argument(one)}" for one in arguments)
        signature = f"    pub fn new({parameters}) -> Self {{"
        if len(signature) > 100:
            inner = "".join(f"        {_identifier(one.name)}: {self._argument(one)},\n" for one in arguments)
            signature = f"    pub fn new(\n{inner}    ) -> Self {{"
        lines = [f"impl {declaration.name} {{", "    /// Makes one of what is required.", signature, "        Self {"]
        for field in declaration.fields:
            name = _identifier(field.name)
            if field not in arguments:
                value = "Default::default()" if isinstance(field.type, Constant) and field.is_required else "None"
                lines.append(f"            {name}: {value},")
            else:
                into = self._argument(field).startswith("impl")
                lines.append(f"            {name}: {name}.into()," if into else f"            {name},")
        return "\n".join([*lines, f"            {UNKNOWN}: Map::new(),", "        }", "    }", "}"])

    def _argument(self, field: Field) -> str:
        """Return the type of a parameter of `new`; a type that can be converted from several accepts all of them."""
        kind = self._field_type(field)
        takes_more = kind == "String" or (
            (
                isinstance(field.type, Named)
                and isinstance(self._named[field.type.name], UnionDeclaration | ChoiceDeclaration)
            )
            or kind == "Value"
        )
        return f"impl Into<{kind}>" if takes_more and not field.takes_null else kind

    def _union(self, declaration: UnionDeclaration, comment: str) -> str:
        """Return an enum of the variants."""
        lines = [
            f"{comment}#[derive(Clone, Debug, PartialEq)]",
            "#[allow(clippy::large_enum_variant)] // A box in every pattern would cost its readers more.",
            f"pub enum {declaration.name} {{",
        ]
        for word, name in declaration.variants:
            lines += [f"    /// `{word}`.", f"    {camel_case(word)}({name}),"]
        lines += ["    /// What this version does not know, as it came.", "    Unknown(Value),", "}", ""]
        newest = "None" if declaration.newest is None else f"Some({declaration.newest})"
        lines.append(f"union! {{\n    {declaration.name}, {json.dumps(declaration.tag)}, {newest}, {{")
        lines += [f"        {json.dumps(word)} => {camel_case(word)}({name})," for word, name in declaration.variants]
        return "\n".join([*lines, "    }", "}"])

    def _choice(self, declaration: ChoiceDeclaration, comment: str) -> str:
        """Return an enum of types that are distinguished by JSON type."""
        lines = [f"{comment}#[derive(Clone, Debug, PartialEq)]", f"pub enum {declaration.name} {{"]
        rows: list[str] = []
        for option in declaration.options:
            kind = json_kind(option)
            variant, pattern = _CHOICES[kind]
            lines += [f"    /// {kind.capitalize()}.", f"    {variant}({self._type(option)}),"]
            rows.append(f"        {pattern} => {variant}({self._type(option)}),")
        lines += ["}", "", f"choice! {{\n    {declaration.name}, {{", *rows, "    }", "}"]
        return "\n".join(lines)

    def _type(self, kind: Type | Constant, member: str = "") -> str:
        """Return a type as Rust writes it."""
        match kind:
            case Constant(str() as word):
                name = f"{_variant(word)}Tag"
                self._tags[name] = word
                return f"tags::{name}"
            case Constant(int() as number):
                if self._numbers.setdefault(member, number) != number:
                    message = f"two constants for `{member}` in one version"
                    raise TypeError(message)
                return camel_case(member)
            case Named(name):
                return name
            case Scalar(name):
                return _SCALARS[name]
            case List(item):
                return f"Vec<{self._type(item)}>"
            case Map(value):
                return f"Map<String, {self._type(value)}>"
            case Anything():
                return "Value"
            case _:
                message = f"no name for {kind}"
                raise TypeError(message)


def _words(declaration: WordsDeclaration, comment: str) -> str:
    """Return an enum of words."""
    lines = [
        f"{comment}#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]",
        f"pub enum {declaration.name} {{",
    ]
    for word in declaration.words:
        lines += [f"    /// `{word}`.", f"    #[serde(rename = {json.dumps(word)})]", f"    {_variant(word)},"]
    return "\n".join([*lines, "}"])


def _variant(word: str) -> str:
    """Return the name of a word's variant."""
    return camel_case(word.replace(".", "_"))


def _identifier(name: str) -> str:
    """Return a member's name as an identifier."""
    if not name.isidentifier():
        message = f"`{name}` is no identifier of Rust"
        raise TypeError(message)
    return f"r#{name}" if name in _KEYWORDS else name


def _attribute(text: str) -> list[str]:
    """Return a serde attribute with the line breaks of rustfmt."""
    line = f"    #[serde({text})]"
    if len(line) <= 100:
        return [line]
    return [
        "    #[serde(",
        *(f"        {one}," for one in text.split(", ")[:-1]),
        f"        {text.rsplit(', ', maxsplit=1)[-1]}",
        "    )]",
    ]


def _comment(text: str, indent: str) -> str:
    """Return a documentation comment."""
    return "".join(f"{indent}/// {line}".rstrip() + "\n" for line in text.splitlines())


def _braced(names: Sequence[str]) -> str:
    """Return names for a use declaration."""
    return names[0] if len(names) == 1 else "{" + ", ".join(names) + "}"
