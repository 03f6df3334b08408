"""Declarations -> Java 17: records and sealed interfaces for Jackson; unknown documents and members are kept.

A tag has no component: the type of the value says it. An absent member is null; numbers keep their spelling
(`BigDecimal`), and free-form JSON is a `JsonNode`.
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator, Mapping, Sequence
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
from sources import camel_case

_SCALARS: Final = {
    "string": ("String", "Members::string"),
    "integer": ("Long", "Members::integer"),
    "number": ("BigDecimal", "Members::number"),
    "boolean": ("Boolean", "Members::truth"),
}
_CHOICES: Final = {
    "string": ("Text", "node.isTextual()"),
    "integer": ("Whole", "node.isIntegralNumber()"),
    "number": ("Number", "node.isNumber()"),
    "boolean": ("Truth", "node.isBoolean()"),
    "array": ("Items", "node.isArray()"),
    "object": ("Fields", "node.isObject()"),
}
_KEYWORDS: Final = frozenset(
    [
        "abstract",
        "assert",
        "boolean",
        "break",
        "byte",
        "case",
        "catch",
        "char",
        "class",
        "const",
        "continue",
        "default",
        "do",
        "double",
        "else",
        "enum",
        "extends",
        "final",
        "finally",
        "float",
        "for",
        "goto",
        "if",
        "implements",
        "import",
        "instanceof",
        "int",
        "interface",
        "long",
        "native",
        "new",
        "package",
        "private",
        "protected",
        "public",
        "return",
        "short",
        "static",
        "strictfp",
        "super",
        "switch",
        "synchronized",
        "this",
        "throw",
        "throws",
        "transient",
        "try",
        "void",
        "volatile",
        "while",
        "true",
        "false",
        "null",
        "clone",
        "finalize",
        "hashCode",
        "notify",
        "notifyAll",
        "toString",
        "wait",
        "getClass",
    ]
)
_IMPORTS: Final = {
    "BigDecimal": "java.math.BigDecimal",
    "JsonCreator": "com.fasterxml.jackson.annotation.JsonCreator",
    "JsonNode": "com.fasterxml.jackson.databind.JsonNode",
    "JsonValue": "com.fasterxml.jackson.annotation.JsonValue",
    "LinkedHashMap": "java.util.LinkedHashMap",
    "List": "java.util.List",
    "Map": "java.util.Map",
    "Objects": "java.util.Objects",
    "ObjectNode": "com.fasterxml.jackson.databind.node.ObjectNode",
}
_CREATOR: Final = "@JsonCreator(mode = JsonCreator.Mode.DELEGATING)"
_WIDTH: Final = 100
UNKNOWN: Final = "unknownMembers"


def java_files(declared: Sequence[Declaration], key: str, title: str, package: str, header: str) -> dict[str, str]:
    """Return the files of the package of one version by their names; `package` is the one above it."""
    writer = _Writer(named(tuple(declared)))
    files: dict[str, str] = {}
    for declaration in declared:
        body = writer.declaration(declaration)
        if body:
            files[f"{declaration.name}.java"] = _file(body, f"{package}.{key}", package, header)
    comment = _comment(title, "")
    files["package-info.java"] = f"{header}\n\n{comment}package {package}.{key};\n"
    return files


def java_versions(keys: Sequence[str], current: int, package: str, header: str) -> str:
    """Return the class that lists the versions."""
    numbers = ", ".join(key[1:] for key in keys)
    return f"""{header}
package {package};

import java.util.List;

/** The versions of the message format; each has a package of its own. */
public final class Versions {{
  /** The versions, oldest first. */
  public static final List<Integer> ALL = List.of({numbers});

  /** The version that is spoken and written; a newer one is being made. */
  public static final int CURRENT = {current};

  private Versions() {{}}
}}
"""


def _file(body: str, package: str, above: str, header: str) -> str:
    """Return a file with the imports that its body needs."""
    words = set("".join(letter if letter.isalnum() else " " for letter in body).split())
    wanted = [address for name, address in _IMPORTS.items() if name in words]
    wanted += [
        f"{above}.{name}"
        for name in ("Members", "Nullable")
        if f"{name}." in body or f"{name}:" in body or f"{name}<" in body
    ]
    imports = "".join(f"import {address};\n" for address in sorted(wanted))
    return (
        f"{header}\npackage {package};\n\n{imports}\n{body}\n"
        if imports
        else f"{header}\npackage {package};\n\n{body}\n"
    )


class _Writer:
    """Writes the declarations of one version."""

    def __init__(self, declared: Mapping[str, Declaration]) -> None:
        self._named = declared
        self._unions: dict[str, list[str]] = {}
        for union in declared.values():
            if isinstance(union, UnionDeclaration):
                for _, variant in union.variants:
                    self._unions.setdefault(variant, []).append(union.name)

    def declaration(self, declaration: Declaration) -> str:
        """Return one declaration with its documentation; aliases have no declaration in Java."""
        match declaration:
            case ObjectDeclaration():
                return "\n".join(self._object(declaration))
            case UnionDeclaration():
                return "\n".join(_union(declaration))
            case WordsDeclaration():
                return "\n".join(_words(declaration))
            case ChoiceDeclaration():
                return "\n".join(self._choice(declaration))
            case AliasDeclaration():
                return ""

    def _object(self, declaration: ObjectDeclaration) -> Iterator[str]:
        """Yield a record: its components, its deserializer and serializer, and its builder."""
        name = declaration.name
        fields = [one for one in declaration.fields if not (isinstance(one.type, Constant) and one.is_required)]
        rows = [(_component(one.name), one.description) for one in fields]
        rows.append((UNKNOWN, "Members that this version does not know."))
        yield _comment(declaration.description, "", rows).rstrip("\n")
        components = [f"{self._field_type(one)} {_component(one.name)}" for one in fields]
        components.append(f"Map<String, JsonNode> {UNKNOWN}")
        unions = self._unions.get(name, [])
        yield from _record(name, components, unions)
        yield from self._constructor(name, fields)
        yield from self._reader(declaration, fields)
        yield from self._printer(declaration, unions)
        yield from self._builder(declaration, fields)
        yield "}"

    def _constructor(self, name: str, fields: Sequence[Field]) -> Iterator[str]:
        """Yield the compact constructor, which checks required components and copies collections."""
        yield "  /** Checks that what must be there is there. */"
        yield f"  public {name} {{"
        for field in fields:
            component = _component(field.name)
            if field.is_required:
                yield f'    Objects.requireNonNull({component}, "{component}");'
            if isinstance(field.type, List | Map) and not field.takes_null:
                yield f"    {component} = Members.copy({component});"
        yield f"    {UNKNOWN} = {UNKNOWN} == null ? Map.of() : Members.copy({UNKNOWN});"
        yield "  }"
        yield ""

    def _reader(self, declaration: ObjectDeclaration, fields: Sequence[Field]) -> Iterator[str]:
        """Yield the function that Jackson calls to read it."""
        name = declaration.name
        yield from (
            f"  /** Reads {with_article(name)} and keeps the members that it does not know. */",
            f"  {_CREATOR}",
        )
        yield f"  public static {name} fromJson(JsonNode node) {{"
        yield "    Members members = Members.of(node);"
        for field in declaration.fields:
            if field not in fields:
                read, constant = self._reference(field.type), _constant(field.type)
                yield _call("    members.constant(", [json.dumps(field.name), read, constant], ");")
        yield from _arguments(f"    return new {name}(", [*map(self._extraction, fields), "members.rest()"], ");")
        yield "  }"
        yield ""

    def _extraction(self, field: Field) -> str:
        """Return the expression that extracts a member."""
        read = self._reference(field.type)
        if field.takes_null:
            read = f"Members.nullOr({read})"
        if isinstance(field.type, Constant):
            return f"members.optionalConstant({json.dumps(field.name)}, {read}, {_constant(field.type)})"
        return f"members.{'required' if field.is_required else 'optional'}({json.dumps(field.name)}, {read})"

    def _printer(self, declaration: ObjectDeclaration, unions: Sequence[str]) -> Iterator[str]:
        """Yield the function that Jackson calls to write it."""
        yield f"  /** Writes {with_article(declaration.name)} with the members that it does not know. */"
        if unions:
            yield "  @Override"
        yield "  @JsonValue"
        yield "  public ObjectNode toJson() {"
        yield "    ObjectNode node = Members.newObject();"
        for field in declaration.fields:
            name, component = json.dumps(field.name), _component(field.name)
            if isinstance(field.type, Constant) and field.is_required:
                yield f"    node.set({name}, Members.write({_constant(field.type)}));"
            elif field.is_required:
                yield _call("    node.set(", [name, self._written(field, component)], ");")
            else:
                yield f"    if ({component} != null) {{"
                yield _call("      node.set(", [name, self._written(field, component)], ");")
                yield "    }"
        yield f"    {UNKNOWN}.forEach(node::set);"
        yield "    return node;"
        yield "  }"
        yield ""

    def _builder(self, declaration: ObjectDeclaration, fields: Sequence[Field]) -> Iterator[str]:
        """Yield the builder, which sets members by their names."""
        name = declaration.name
        yield from ("  /** Returns a builder without members. */", "  public static Builder builder() {")
        yield from (
            "    return new Builder();",
            "  }",
            "",
            f"  /** Sets the members of {with_article(name)} one by one. */",
        )
        yield "  public static final class Builder {"
        for field in fields:
            yield f"    private {self._field_type(field)} {_component(field.name)};"
        yield f"    private final Map<String, JsonNode> {UNKNOWN} = new LinkedHashMap<>();"
        yield from ("", "    private Builder() {}", "")
        for field in fields:
            component = _component(field.name)
            yield _comment(field.description, "    ").rstrip("\n")
            yield f"    public Builder {component}({self._field_type(field)} value) {{"
            yield from (f"      {component} = value;", "      return this;", "    }", "")
        yield "    /** Sets a member that this version does not know. */"
        yield "    public Builder unknownMember(String name, JsonNode value) {"
        yield from (f"      {UNKNOWN}.put(name, value);", "      return this;", "    }", "")
        yield "    /** Returns what was set. */"
        yield f"    public {name} build() {{"
        values = [*(_component(one.name) for one in fields), UNKNOWN]
        yield from _arguments(f"      return new {name}(", values, ");")
        yield from ("    }", "  }")

    def _choice(self, declaration: ChoiceDeclaration) -> Iterator[str]:
        """Yield a sealed interface of types that are distinguished by JSON type."""
        name = declaration.name
        kinds = [(option, *_CHOICES[json_kind(option)]) for option in declaration.options]
        permitted = ", ".join(f"{name}.{variant}" for _, variant, _ in kinds)
        yield _comment(declaration.description, "").rstrip("\n")
        line = f"public sealed interface {name} permits {permitted} {{"
        yield from [line] if len(line) <= _WIDTH else [f"public sealed interface {name}", f"    permits {permitted} {{"]
        yield from (f"  /** Reads {with_article(name)} by the kind of its JSON value. */", f"  {_CREATOR}")
        yield f"  static {name} fromJson(JsonNode node) {{"
        for option, variant, test in kinds:
            yield f"    if ({test}) {{"
            yield f"      return new {variant}({self._read(option, 'node')});"
            yield "    }"
        yield f'    throw new IllegalArgumentException("no kind of {name}");'
        yield from ("  }", "", "  /** Writes the value. */", "  @JsonValue", "  JsonNode toJson();")
        for option, variant, _ in kinds:
            kind = self._type(option)
            yield ""
            yield f"  /** {with_article(json_kind(option)).capitalize()}. */"
            yield f"  record {variant}({kind} value) implements {name} {{"
            yield from ("    @Override", "    @JsonValue", "    public JsonNode toJson() {")
            yield f"      return {self._write(option, 'value')};"
            yield from ("    }", "  }")
        yield "}"

    def _field_type(self, field: Field) -> str:
        """Return the type of a component."""
        kind = self._type(field.type)
        return f"Nullable<{kind}>" if field.takes_null else kind

    def _written(self, field: Field, value: str) -> str:
        """Return the expression that writes a member."""
        if field.takes_null:
            return f"Members.write({value}, {self._writer_reference(field.type)})"
        return self._write(field.type, value)

    def _type(self, kind: Type | Constant) -> str:
        """Return a type as Java writes it."""
        match kind:
            case Constant(str()):
                return "String"
            case Constant():
                return "Long"
            case Named(name):
                found = self._named[name]
                return self._type(found.type) if isinstance(found, AliasDeclaration) else name
            case Scalar(name):
                return _SCALARS[name][0]
            case List(item):
                return f"List<{self._type(item)}>"
            case Map(Anything()):
                return "Map<String, JsonNode>"
            case Anything():
                return "JsonNode"
            case Map() | Choice() | Words():
                message = f"no type for {kind}"
                raise TypeError(message)

    def _reference(self, kind: Type | Constant) -> str:
        """Return the function that reads a type."""
        match kind:
            case Constant(str()):
                return "Members::string"
            case Constant():
                return "Members::integer"
            case Named(name):
                found = self._named[name]
                return self._reference(found.type) if isinstance(found, AliasDeclaration) else f"{name}::fromJson"
            case Scalar(name):
                return _SCALARS[name][1]
            case List(item):
                return f"Members.list({self._reference(item)})"
            case Map(Anything()):
                return "Members::object"
            case Anything():
                return "Members::any"
            case Map() | Choice() | Words():
                message = f"no reader for {kind}"
                raise TypeError(message)

    def _read(self, kind: Type, node: str) -> str:
        """Return the expression that reads a node."""
        reference = self._reference(kind)
        owner, separator, method = reference.partition("::")
        return f"{owner}.{method}({node})" if separator and "(" not in owner else f"{reference}.apply({node})"

    def _write(self, kind: Type | Constant, value: str) -> str:
        """Return the expression that writes a value."""
        match kind:
            case Named(name):
                found = self._named[name]
                return self._write(found.type, value) if isinstance(found, AliasDeclaration) else f"{value}.toJson()"
            case List(item):
                return f"Members.write({value}, {self._writer_reference(item)})"
            case _:
                return f"Members.write({value})"

    def _writer_reference(self, kind: Type | Constant) -> str:
        """Return the function that writes a type."""
        match kind:
            case Named(name):
                found = self._named[name]
                return self._writer_reference(found.type) if isinstance(found, AliasDeclaration) else f"{name}::toJson"
            case List():
                return f"items -> {self._write(kind, 'items')}"
            case _:
                return "Members::write"


def _union(declaration: UnionDeclaration) -> Iterator[str]:
    """Yield a sealed interface, its deserializer, and the unknown variant."""
    name, unknown = declaration.name, f"Unknown{declaration.name}Variant"
    yield _comment(declaration.description, "").rstrip("\n")
    yield f"public sealed interface {name}"
    variants = [variant for _, variant in declaration.variants]
    yield from _wrapped([*variants, f"{name}.{unknown}"], "    permits ", "        ", " {")
    yield from (f"  /** Reads {with_article(name)} by its tag. */", f"  {_CREATOR}")
    yield f"  static {name} fromJson(JsonNode node) {{"
    if declaration.newest is not None:
        yield f"    if (Members.isNewer(node, {declaration.newest})) {{"
        yield from (f"      return new {unknown}(node);", "    }")
    yield f"    return switch (Members.tag(node, {json.dumps(declaration.tag)})) {{"
    for word, variant in declaration.variants:
        yield f"      case {json.dumps(word)} -> {variant}.fromJson(node);"
    yield f"      default -> new {unknown}(node);"
    yield from (
        "    };",
        "  }",
        "",
        "  /** Writes the value with its tag. */",
        "  @JsonValue",
        "  JsonNode toJson();",
        "",
    )
    yield _comment("What this version does not know, as it came.", "  ", [("json", "the value")]).rstrip("\n")
    line = f"  record {unknown}(JsonNode json) implements {name} {{"
    yield line if len(line) <= _WIDTH else f"  record {unknown}(JsonNode json)\n      implements {name} {{"
    yield from (
        "    @Override",
        "    @JsonValue",
        "    public JsonNode toJson() {",
        "      return json;",
        "    }",
        "  }",
        "}",
    )


def _words(declaration: WordsDeclaration) -> Iterator[str]:
    """Yield an enum of words."""
    name = declaration.name
    yield _comment(declaration.description, "").rstrip("\n")
    yield f"public enum {name} {{"
    for index, word in enumerate(declaration.words):
        end = ";" if index == len(declaration.words) - 1 else ","
        yield f"  /** {{@code {word}}}. */"
        yield f"  {word.replace('.', '_').upper()}({json.dumps(word)}){end}"
        if end == ",":
            yield ""
    yield from ("", "  private final String word;", "", f"  {name}(String word) {{", "    this.word = word;", "  }", "")
    yield from (
        "  /** Reads one of the words. */",
        f"  {_CREATOR}",
        f"  public static {name} fromJson(JsonNode node) {{",
    )
    yield from ("    String word = Members.string(node);", f"    for ({name} one : values()) {{")
    yield from ("      if (one.word.equals(word)) {", "        return one;", "      }", "    }")
    yield '    throw new IllegalArgumentException("an unknown word");'
    yield from ("  }", "", "  /** Returns the word as JSON says it. */", "  @JsonValue", "  public String word() {")
    yield from ("    return word;", "  }", "", "  /** Writes the word. */", "  public JsonNode toJson() {")
    yield from ("    return Members.write(word);", "  }", "}")


def _record(name: str, components: Sequence[str], unions: Sequence[str]) -> Iterator[str]:
    """Yield the head of a record with the line breaks of google-java-format."""
    implements = f" implements {', '.join(unions)}" if unions else ""
    first_line, inner = f"public record {name}(", ", ".join(components)
    if len(line := f"{first_line}{inner}){implements} {{") <= _WIDTH:
        yield line
    elif unions and len(f"{first_line}{inner})") <= _WIDTH:
        yield from (f"{first_line}{inner})", f"   {implements} {{")
    elif len(line := f"    {inner}){implements} {{") <= _WIDTH:
        yield from (first_line, line)
    elif unions and len(line := f"    {inner})") <= _WIDTH:
        yield from (first_line, line, f"   {implements} {{")
    else:
        yield first_line
        yield from (f"    {component}," for component in components[:-1])
        yield f"    {components[-1]})" + ("" if unions else " {")
        if unions:
            yield f"   {implements} {{"


def _arguments(first_line: str, values: Sequence[str], end: str) -> Iterator[str]:
    """Yield a call: on one line, or with one argument per line."""
    line = f"{first_line}{', '.join(values)}{end}"
    if len(line) <= _WIDTH:
        yield line
        return
    indent = " " * (len(first_line) - len(first_line.lstrip()) + 4)
    inner = f"{indent}{', '.join(values)}{end}"
    yield first_line
    if len(inner) <= _WIDTH:
        yield inner
        return
    for value in values[:-1]:
        yield f"{indent}{value},"
    yield f"{indent}{values[-1]}{end}"


def _call(first_line: str, values: Sequence[str], end: str) -> str:
    """Return a call as one text."""
    return "\n".join(_arguments(first_line, values, end))


def _wrapped(words: Sequence[str], first: str, rest: str, end: str) -> Iterator[str]:
    """Yield words on one line, or one per line."""
    line = f"{first}{', '.join(words)}{end}"
    if len(line) <= _WIDTH:
        yield line
        return
    yield f"{first}{words[0]},"
    for word in words[1:-1]:
        yield f"{rest}{word},"
    yield f"{rest}{words[-1]}{end}"


def _constant(kind: Type | Constant) -> str:
    """Return a constant as Java writes it."""
    value = kind.value if isinstance(kind, Constant) else None
    return f"{value}L" if isinstance(value, int) else json.dumps(value)


def _component(name: str) -> str:
    """Return a member's name as a component."""
    camel = camel_case(name)
    lower = camel[:1].lower() + camel[1:]
    return f"{lower}_" if lower in _KEYWORDS else lower


def _comment(text: str, indent: str, rows: Sequence[tuple[str, str]] = ()) -> str:
    """Return a documentation comment; `rows` are the components of a record."""
    words = _escaped(text)
    line = f"{indent}/** {words} */"
    if not rows and len(line) <= _WIDTH:
        return line + "\n"
    width = _WIDTH - len(indent) - 3
    lines = textwrap.wrap(words, width, break_long_words=False, break_on_hyphens=False)
    for index, (name, meaning) in enumerate(rows):
        lines += [""] if index == 0 else []
        lines += textwrap.wrap(
            f"@param {name} {_escaped(meaning)}",
            width,
            subsequent_indent="    ",
            break_long_words=False,
            break_on_hyphens=False,
        )
    return "\n".join([f"{indent}/**", *(f"{indent} * {one}".rstrip() for one in lines), f"{indent} */"]) + "\n"


def _escaped(text: str) -> str:
    """Return a text for Javadoc: backticks become code, and HTML is escaped."""
    pieces = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("*/", "* /").split("`")
    if len(pieces) % 2 == 0:
        return "`".join(pieces)
    return "".join(piece if index % 2 == 0 else f"{{@code {piece}}}" for index, piece in enumerate(pieces))
