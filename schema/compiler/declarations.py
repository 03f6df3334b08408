"""The declarations of a version: an intermediate form between a bundle and the types of a language.

A bundle says types where they stand; most languages want a name for each. Here every union, object, enumeration and
choice of types has one, null is a property of the member and no type, and the union with a fallback is the union
itself, which keeps what it does not know in every language.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from expressions import Anything, Choice, Map, Named, Scalar, Sequence, Type, Words, is_object, members_of, type_of
from sources import Document, camel_case

_NULL: Final = Scalar("null")
FALLBACK: Final = "Any"


@dataclass(frozen=True)
class Constant:
    """The only value that a member may have: a tag, or the number of the version."""

    value: str | int


@dataclass(frozen=True)
class Field:
    """A member of an object. Its type is never a choice or an enumeration without a name."""

    name: str
    type: Type | Constant
    is_required: bool
    takes_null: bool
    description: str


@dataclass(frozen=True)
class ObjectDeclaration:
    """An object with members; an open one may have any other members."""

    name: str
    description: str
    fields: tuple[Field, ...]


@dataclass(frozen=True)
class UnionDeclaration:
    """Objects distinguished by a tag: `variants` are pairs of a tag value and an object's name.

    `newest` is set where a document of a newer version is kept whole: it is the newest version that is known.
    """

    name: str
    description: str
    tag: str
    variants: tuple[tuple[str, str], ...]
    newest: int | None


@dataclass(frozen=True)
class WordsDeclaration:
    """An enumeration of words."""

    name: str
    description: str
    words: tuple[str, ...]


@dataclass(frozen=True)
class ChoiceDeclaration:
    """One of several types, distinguished by the JSON type of the value."""

    name: str
    description: str
    options: tuple[Type, ...]


@dataclass(frozen=True)
class AliasDeclaration:
    """Another name of a type."""

    name: str
    description: str
    type: Type


Declaration: TypeAlias = ObjectDeclaration | UnionDeclaration | WordsDeclaration | ChoiceDeclaration | AliasDeclaration


def declarations(bundled: Document, number: int) -> tuple[Declaration, ...]:
    """Return the declarations of a version by name; `number` is its number."""
    definitions: Mapping[str, Document] = bundled["$defs"]
    names = _Names(definitions)
    made = [_declaration(name, definition, names, number) for name, definition in definitions.items()]
    return tuple(sorted([*made, *names.made()], key=lambda declaration: declaration.name))


def named(declared: tuple[Declaration, ...]) -> dict[str, Declaration]:
    """Return declarations by their names."""
    return {declaration.name: declaration for declaration in declared}


class _Names:
    """Generates names for choices and enumerations inside members."""

    def __init__(self, definitions: Mapping[str, Document]) -> None:
        self._definitions = definitions
        self._choices: dict[Choice, str] = {}
        self._made: dict[str, Declaration] = {}
        for name, definition in definitions.items():
            kind = type_of(definition) if "discriminator" not in definition and not is_object(definition) else None
            if isinstance(kind, Choice):
                self._choices[kind] = name
        uses = [(choice, owner, member) for owner, member, choice in _choices_of_members(definitions)]
        counts = Counter(choice for choice, _, _ in uses)
        for choice, owner, member in uses:
            if choice not in self._choices:
                short = camel_case(member)
                is_free = counts[choice] > 1 and short not in definitions and short not in self._choices.values()
                self._choices[choice] = short if is_free else owner + short

    def of_choice(self, choice: Choice) -> Named:
        """Return the name of a choice; the same options have the same name."""
        name = self._choices[choice]
        if name not in self._definitions:
            words = f"{_of_several(choice.options)}."
            self._made[name] = ChoiceDeclaration(name, words, choice.options)
        return Named(name)

    def of_words(self, owner: str, member: str, words: tuple[str, ...], description: str) -> Named:
        """Return the name of an enumeration that is the type of a member."""
        name = owner + camel_case(member)
        self._made[name] = WordsDeclaration(name, description, words)
        return Named(name)

    def has_fallback(self, union: str) -> bool:
        """Tell whether a union has a variant for unknown documents in the schema."""
        return f"{FALLBACK}{union}" in self._definitions

    def made(self) -> tuple[Declaration, ...]:
        """Return the declarations that were generated."""
        return tuple(self._made.values())


def _declaration(name: str, definition: Document, names: _Names, number: int) -> Declaration:
    """Return the declaration of one definition."""
    description: str = definition["description"]
    if "discriminator" in definition:
        return _union(name, definition, names.has_fallback(name), number)
    if is_object(definition):
        return ObjectDeclaration(name, description, tuple(_fields(name, definition, names)))
    match type_of(definition):
        case Words(words):
            return WordsDeclaration(name, description, tuple(str(word) for word in words))
        case Choice((Named(known), Named())) if name == FALLBACK + known:
            return AliasDeclaration(name, description, Named(known))
        case Choice(options):
            return ChoiceDeclaration(name, description, options)
        case other:
            return AliasDeclaration(name, description, other)


def _union(name: str, definition: Document, has_fallback: bool, number: int) -> UnionDeclaration:
    """Return the declaration of a union, whose variants are in its discriminator."""
    discriminator = definition["discriminator"]
    variants = tuple((word, address.rpartition("/")[2]) for word, address in discriminator["mapping"].items())
    newest = number if has_fallback else None
    return UnionDeclaration(name, definition["description"], discriminator["propertyName"], variants, newest)


def _fields(owner: str, definition: Document, names: _Names) -> Iterator[Field]:
    """Yield the members of an object."""
    for member in members_of(definition):
        kind, takes_null = _without_null(member.type)
        named_kind = _with_name(kind, owner, member.name, member.description, names)
        yield Field(member.name, named_kind, member.is_required, takes_null, member.description)


def _without_null(kind: Type) -> tuple[Type, bool]:
    """Return a type without null, and whether null was among its options."""
    if not isinstance(kind, Choice) or _NULL not in kind.options:
        return kind, False
    rest = tuple(option for option in kind.options if option != _NULL)
    return (rest[0] if len(rest) == 1 else Choice(rest)), True


def _with_name(kind: Type, owner: str, member: str, description: str, names: _Names) -> Type | Constant:
    """Return a type in which every choice and every enumeration has a name."""
    match kind:
        case Words((bool(),)):
            message = f"{owner}.{member}: a truth value as the only value has no counterpart in other languages"
            raise TypeError(message)
        case Words((constant,)):
            return Constant(constant)
        case Words(words):
            return names.of_words(owner, member, tuple(str(word) for word in words), description)
        case Choice():
            return names.of_choice(kind)
        case Sequence(item, limits):
            return Sequence(_inner(item, owner, member, description, names), limits)
        case Map(value):
            return Map(_inner(value, owner, member, description, names))
        case Named() | Scalar() | Anything():
            return kind


def _inner(kind: Type, owner: str, member: str, description: str, names: _Names) -> Type:
    """Return the type of an item or value; a list of one constant is a list of its only word."""
    found = _with_name(kind, owner, member, description, names)
    return names.of_words(owner, member, (str(found.value),), description) if isinstance(found, Constant) else found


def _choices_of_members(definitions: Mapping[str, Document]) -> Iterator[tuple[str, str, Choice]]:
    """Yield every choice that is the type of a member, without null: its owner, the member's name, the choice."""
    for owner, definition in definitions.items():
        if is_object(definition):
            for member in members_of(definition):
                kind, _ = _without_null(member.type)
                while isinstance(kind, Sequence | Map):
                    kind = kind.item if isinstance(kind, Sequence) else kind.value
                if isinstance(kind, Choice):
                    yield owner, member.name, kind


def json_kind(kind: Type) -> str:
    """Return the JSON type of an option of a choice: string, integer, number, boolean, array or object."""
    match kind:
        case Scalar(name):
            return name
        case Sequence():
            return "array"
        case Map() | Named():
            return "object"
        case _:
            message = f"an option of a choice that no kind of JSON value tells: {kind}"
            raise TypeError(message)


def with_article(word: str) -> str:
    """Return a word, or the name of a type, with its article."""
    return f"{'an' if word[0].lower() in 'aeiou' else 'a'} {word}"


def _of_several(options: tuple[Type, ...]) -> str:
    """Return a description of a choice: `A string or an array`."""
    return " or ".join(with_article(json_kind(option)) for option in options).capitalize()
