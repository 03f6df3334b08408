"""Building blocks for the rules of all rooms: a rule inspects a body and yields what the provider would refuse.

A rule must accept any JSON. If a value does not have the expected shape, the rule yields nothing for it: the rule on
shapes reports that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

from interlingua.errors import DecodeError
from interlingua.json_types import is_list
from interlingua.pointers import pointer
from interlingua.spi.reading import WORDS
from interlingua.suggestions import misspelt
from interlingua.violation import Violation

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from interlingua.spi.families import Family
    from interlingua.violation import ViolationCode

Object: TypeAlias = dict[str, Any]
Rule: TypeAlias = Callable[[Object], Iterable[Violation]]
# Member -> the JSON types that the provider accepts there; null counts as absent.
Shapes: TypeAlias = "Mapping[str, tuple[type, ...]]"
Limits: TypeAlias = "Mapping[str, tuple[float | None, float | None]]"

TEXT: Final = (str,)
INTEGER: Final = (int,)
NUMBER: Final = (int, float)
FLAG: Final = (bool,)
OBJECT: Final = (dict,)
LIST: Final = (list,)
TEXT_OR_LIST: Final = (str, list)
MISSPELT: Final = "the provider requires this member, and another one has almost this name: is it misspelt?"
_NOTHING: Final[Object] = {}
# OpenAI's limits of metadata.
_MAX_METADATA_PAIRS: Final = 16
_MAX_METADATA_KEY_LENGTH: Final = 64
_MAX_METADATA_VALUE_LENGTH: Final = 512


def judged(body: Any, dialect: str, rules: Iterable[Rule]) -> list[Violation]:
    """Return the violations that the rules find, without duplicates. Raises `DecodeError` if the body is no object."""
    if type(body) is not dict:
        raise DecodeError(dialect, "", "expected an object")
    return list(dict.fromkeys(violation for rule in rules for violation in rule(cast("Object", body))))


def family_rules(family: Family | None, rules: Iterable[Callable[..., Iterable[Violation]]]) -> list[Rule]:
    """Return the rules of a family with its facts bound; none without a family."""
    return [] if family is None else [partial(rule, facts=family.facts) for rule in rules]


def objects(value: Any, path: str) -> Iterator[tuple[str, Object]]:
    """Yield each object of a list, with its path; nothing if it is no list."""
    for index, one in enumerate(items_of(value)):
        if type(one) is dict:
            yield f"{path}/{index}", cast("Object", one)


def message_parts(body: Object) -> Iterator[tuple[str, str, Object]]:
    """Yield path, role and value of each part of the content of a message."""
    for path, message in objects(body.get("messages"), "/messages"):
        role = text_of(message, "role")
        for where, part in objects(message.get("content"), f"{path}/content"):
            yield where, role, part


def items_of(value: Any) -> list[Any]:
    """Return a value that is a list, or an empty one."""
    return value if is_list(value) else []


def object_of(value: Object, name: str) -> Object:
    """Return a member that is an object, or an empty one."""
    member = value.get(name)
    return cast("Object", member) if type(member) is dict else _NOTHING


def text_of(value: Object, name: str) -> str:
    """Return a member that is text, or an empty text."""
    member = value.get(name)
    return member if type(member) is str else ""


def word_of(value: Object, name: str) -> str | None:
    """Return a member that is text, or None."""
    member = value.get(name)
    return member if type(member) is str else None


def number_of(value: Object, name: str) -> float | None:
    """Return a member that is a number, or None."""
    member = value.get(name)
    return member if type(member) in NUMBER else None


def wrong_types(value: Object, shapes: Shapes, path: str) -> Iterator[Violation]:
    """Yield each known member whose JSON type the provider does not accept."""
    for name, member in value.items():
        kinds = shapes.get(name)
        if kinds is not None and member is not None and not _is_of(member, kinds):
            expected = " or ".join(WORDS[kind] for kind in kinds)
            yield Violation("shape", path + pointer(name), f"expected {expected}")


def wrong_message_types(body: Object, shapes: Shapes) -> Iterator[Violation]:
    """Yield each message that is no object, has no role, or has a known member of a wrong JSON type."""
    yield from wrong_item_types(body.get("messages"), "/messages")
    for path, message in objects(body.get("messages"), "/messages"):
        yield from missing(message, ("role",), path)
        yield from wrong_types(message, shapes, path)


def wrong_item_types(value: Any, path: str, kind: type = dict) -> Iterator[Violation]:
    """Yield each item of a list that is of another type, by default no object; nothing if it is no list."""
    for index, one in enumerate(items_of(value)):
        if type(one) is not kind:
            yield Violation("shape", f"{path}/{index}", f"expected {WORDS[kind]}")


def missing(value: Object, names: Iterable[str], path: str) -> Iterator[Violation]:
    """Yield each required member that is absent or null."""
    for name in names:
        if value.get(name) is None:
            other = misspelt(name, value)
            detail = "the provider requires this member: add it"
            yield Violation("required", path + pointer(name), MISSPELT if other else detail)


def missing_all_of(value: Object, names: Sequence[str], path: str) -> Iterator[Violation]:
    """Yield an object that has none of several members, one of which is required."""
    if all(value.get(name) is None for name in names):
        yield Violation("required", path, f"the provider requires one of {', '.join(names)}")


def out_of_range(value: Object, limits: Limits, path: str) -> Iterator[Violation]:
    """Yield each number that is out of the accepted range."""
    for name, (least, most) in limits.items():
        number = number_of(value, name)
        if number is not None and ((least is not None and number < least) or (most is not None and number > most)):
            yield Violation("limit", path + pointer(name), f"it must be from {_shown(least)} to {_shown(most)}")


def refused_members(body: Object, names: Iterable[str], detail: str) -> Iterator[Violation]:
    """Yield each member of a body that the provider refuses; null counts as absent."""
    for name in names:
        if body.get(name) is not None:
            yield Violation("member", pointer(name), detail)


def metadata(body: Object) -> Iterator[Violation]:
    """Metadata is an object, and small: 16 pairs of text, 64 and 512 characters (section 1.5)."""
    yield from wrong_types(body, {"metadata": OBJECT}, "")
    pairs = object_of(body, "metadata")
    if len(pairs) > _MAX_METADATA_PAIRS:
        yield Violation("limit", "/metadata", "metadata may have at most 16 pairs")
    if any(
        len(name) > _MAX_METADATA_KEY_LENGTH or len(text_of(pairs, name)) > _MAX_METADATA_VALUE_LENGTH for name in pairs
    ):
        yield Violation("limit", "/metadata", "names may have at most 64 characters, and values at most 512")


def too_many(value: Any, most: int, path: str) -> Iterator[Violation]:
    """Yield a list that has more items than the provider accepts."""
    if len(items_of(value)) > most:
        yield Violation("limit", path, f"at most {most} are accepted")


def refused_names(
    named: Iterable[tuple[str, str]], accepts: Callable[[str], Any], detail: str, code: ViolationCode = "name"
) -> Iterator[Violation]:
    """Yield each name or id, given with its path, that the provider refuses."""
    for path, name in named:
        if not accepts(name):
            yield Violation(code, path, detail)


def repeated(
    named: Iterable[tuple[str, str]], detail: str, code: ViolationCode = "duplicate_id"
) -> Iterator[Violation]:
    """Yield each name or id, given with its path, that occurred before."""
    seen: set[str] = set()
    for path, name in named:
        if name in seen:
            yield Violation(code, path, detail)
        seen.add(name)


def members_named(items: Iterable[tuple[str, Object]], name: str) -> Iterator[tuple[str, str]]:
    """Yield the text of a member of each object that has it, with its path."""
    for path, item in items:
        word = word_of(item, name)
        if word is not None:
            yield path + pointer(name), word


def _is_of(value: Any, kinds: Sequence[type]) -> bool:
    return type(value) in kinds or (
        type(value) is float and int in kinds and value.is_integer()
    )  # JSON says that 5.0 is whole


def _shown(limit: float | None) -> str:
    return "any number" if limit is None else f"{limit:g}"
