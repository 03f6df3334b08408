"""Checks requests before they are sent, against the rules of their provider. Builds no model and decodes nothing.

Each room has its provider's rules in `rules.py`; this module is the public entry to them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interlingua.argument_checks import instead
from interlingua.errors import DecodeError
from interlingua.json_limits import DETAILS, unsendable
from interlingua.json_types import is_list, is_object
from interlingua.pointers import pointer
from interlingua.profiles import AUTO, family_of_body
from interlingua.registry import check_api_version, room
from interlingua.suggestions import nearly, question
from interlingua.violation import Misspelt, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from interlingua.registry import Dialect
    from interlingua.spi.members import Members

__all__ = ["check_request", "find_misspelt"]


def check_request(
    body: dict[str, Any], dialect: Dialect, *, api_version: str | None = None, profile: str | None = AUTO
) -> list[Violation]:
    """Return everything in a request that the provider would refuse, as far as the body alone shows it.

    In every dialect this includes values that JSON text cannot hold: a lone surrogate, NaN, a number beyond the largest
    double, more than 250 levels, a member name that is not a string, a value of another Python type. It includes a
    misspelt member if the provider refuses unknown ones.

    `api_version` None applies the rules that all versions share; a version adds its own. `profile` "auto" also applies
    the rules for the family of the body's model (docs/families.md); the name of a family or a model selects one; None
    applies the dialect's rules alone. What depends on the account or on state on the server is not checked. Takes time
    linear in the body.

    Raises `DecodeError` if the body is not an object, `UnknownDialectError` for an unknown dialect, `EncodeError` for
    an unknown version, `UnknownProfileError` for an unknown family.

    Args:
        body: The wire body: a JSON object as `json.loads` returns it.
        dialect: The wire format: one of `il.dialects()`.
        api_version: The API version whose rules apply as well; None applies the rules that all versions share.
        profile: The model family whose rules apply as well: "auto" (by the model name), a name, or None.

    Example:
        >>> [(one.code, one.path) for one in il.check_request({"model": "claude-opus-5", "messages": []}, "claude")]
        [('required', '/max_tokens'), ('empty', '/messages')]
    """
    speaker = room(dialect)
    _check_object(body, dialect)
    check_api_version(dialect, api_version)
    family = family_of_body(speaker, profile, body)
    unwritable = [Violation("json", path, DETAILS[kind]) for path, kind in unsendable(body)]
    try:
        refused = speaker.check_request(body, api_version, family)
    except (RecursionError, TypeError, AttributeError):
        # A body that cannot be sent at all needs no further check.
        if not unwritable:
            raise
        return unwritable
    return [*refused, *_misspelt(body, dialect), *unwritable]


def find_misspelt(body: dict[str, Any], dialect: Dialect) -> list[Misspelt]:
    """Return the members of a request whose names are probably misspellings of known ones.

    Providers add members at any time, and servers have members of their own, so a name that resembles no known one is
    not reported. If the provider refuses unknown members, `check_request` reports the same members; other providers
    ignore them silently, and only this function finds them. Takes time linear in the body.

    Raises `DecodeError` if the body is not an object, `UnknownDialectError` for an unknown dialect.

    Args:
        body: The wire body: a JSON object as `json.loads` returns it.
        dialect: The wire format: one of `il.dialects()`.

    Example:
        >>> body = {"model": "qwen", "messages": [{"role": "user", "content": "Hi"}], "temprature": 0.5}
        >>> [(one.path, one.meant) for one in il.find_misspelt(body, "vllm")]
        [('/temprature', ('temperature',))]
    """
    members: Members | None = getattr(room(dialect), "MEMBERS", None)
    _check_object(body, dialect)
    if members is None:
        return []
    return [
        Misspelt(path + pointer(name), meant, members.refuses_others)
        for place, known in members.known.items()
        for path, value in _objects(body, place.split("/") if place else [], "")
        for name in value
        if name not in known and (meant := nearly(name, known))
    ]


def _check_object(body: Any, dialect: str) -> None:
    """Raise `DecodeError` if a body is not an object."""
    if type(body) is not dict:
        raise DecodeError(dialect, "", f"expected an object; {instead(body)}")


def _misspelt(body: dict[str, Any], dialect: Dialect) -> Iterator[Violation]:
    """Yield the misspelt members that the provider refuses."""
    for one in find_misspelt(body, dialect):
        if one.is_refused:
            yield Violation("member", one.path, f"the provider has no such member{question(one.meant)}")


def _objects(value: Any, names: Sequence[str], path: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each object that the names lead to, with its path; `*` stands for any item of a list."""
    if not names:
        if is_object(value):
            yield path, value
    elif names[0] == "*":
        for index, item in enumerate(value if is_list(value) else ()):
            yield from _objects(item, names[1:], f"{path}/{index}")
    elif is_object(value) and names[0] in value:
        yield from _objects(value[names[0]], names[1:], f"{path}/{names[0]}")
