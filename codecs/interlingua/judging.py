"""Judging: what a provider would refuse, said before it is sent. Builds no model and decodes nothing.

Each room keeps the rules of its provider (`rules.py`); this is where people ask for them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interlingua.errors import DecodeError
from interlingua.given import instead
from interlingua.json_kinds import is_list, is_object
from interlingua.json_limits import DETAILS, unsendable
from interlingua.pointers import pointer
from interlingua.profiles import AUTO, family_of_body
from interlingua.registry import check_api_version, room
from interlingua.suggesting import nearly, question
from interlingua.violation import Misspelt, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from interlingua.registry import Dialect
    from interlingua.spi.members import Members

__all__ = ["check_request", "find_misspelt"]


def check_request(
    body: dict[str, Any], dialect: Dialect, *, api_version: str | None = None, profile: str | None = AUTO
) -> list[Violation]:
    """Return what the provider would refuse of a request: every rule that a body alone can break.

    In every dialect, what no JSON text can hold is one of them: half a surrogate pair, NaN, a number beyond
    the largest double, more than 250 levels, a name that is no text, a value of a type of Python's own. So is a
    misspelt member, where the provider refuses what it does not know.

    `api_version` None means the rules of every version; a version adds the rules that hold only there. `profile`
    "auto" judges by the family of the model that the body names, too (docs/families.md); the name of a family or of a
    model chooses one; None judges by the dialect alone. What depends on the account or on the server's memory is not
    judged. Takes time linear in the body.

    Raises `DecodeError` where the body is not an object, `UnknownDialectError` for an unknown dialect, `EncodeError`
    for an unknown version, `UnknownProfileError` for an unknown family.

    Args:
        body: The wire body: plain JSON as `json.loads` gives it, an object.
        dialect: Whose format it is, or shall be: one of `il.dialects()`.
        api_version: The version of the API that judges; None means the newest.
        profile: The family of models that judges: "auto" goes by the name of the model.

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
        # No rule of a provider is worth more than that the body cannot be sent.
        if not unwritable:
            raise
        return unwritable
    return [*refused, *_misspelt(body, dialect), *unwritable]


def find_misspelt(body: dict[str, Any], dialect: Dialect) -> list[Misspelt]:
    """Return the members of a request whose names are nearly those of others, which may have been meant.

    Providers add members at any time, and servers have members of their own: a name that is like no known one is no
    mistake. Where the provider refuses what it does not know, `check_request` names the same members; others pass over
    them without a word, and only this tells. Takes time linear in the body.

    Raises `DecodeError` where the body is not an object, `UnknownDialectError` for an unknown dialect.

    Args:
        body: The wire body: plain JSON as `json.loads` gives it, an object.
        dialect: Whose format it is: one of `il.dialects()`.

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
    """Raise `DecodeError` where a body is no object."""
    if type(body) is not dict:
        raise DecodeError(dialect, "", f"expected an object; {instead(body)}")


def _misspelt(body: dict[str, Any], dialect: Dialect) -> Iterator[Violation]:
    """Yield the misspelt members that the provider refuses."""
    for one in find_misspelt(body, dialect):
        if one.is_refused:
            yield Violation("member", one.path, f"the provider has no such member{question(one.meant)}")


def _objects(value: Any, names: Sequence[str], path: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each object where the names lead, with its path; `*` is any item of a list."""
    if not names:
        if is_object(value):
            yield path, value
    elif names[0] == "*":
        for index, item in enumerate(value if is_list(value) else ()):
            yield from _objects(item, names[1:], f"{path}/{index}")
    elif is_object(value) and names[0] in value:
        yield from _objects(value[names[0]], names[1:], f"{path}/{names[0]}")
