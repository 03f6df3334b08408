"""Judging: what a provider would refuse, said before it is sent. Builds no model and decodes nothing.

Each room keeps the rules of its provider (`rules.py`); this is where people ask for them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interlingua.json_limits import DETAILS, unwritable
from interlingua.profiles import AUTO, family_of_body
from interlingua.registry import check_api_version, room
from interlingua.violation import Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from interlingua.registry import Dialect

__all__ = ["check_request"]


def check_request(
    body: dict[str, Any], dialect: Dialect, *, api_version: str | None = None, profile: str | None = AUTO
) -> list[Violation]:
    """Return what the provider would refuse of a request: every rule that a body alone can break.

    In every dialect, what no JSON text can hold is one of them: half a surrogate pair, NaN, a number beyond
    the largest double, more than 250 levels.

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
    check_api_version(dialect, api_version)
    family = family_of_body(speaker, profile, body)
    unsendable = [*_unwritable(body)]
    try:
        return [*speaker.check_request(body, api_version, family), *unsendable]
    except RecursionError:
        # No rule of a provider is worth more than that the body cannot be sent.
        if not unsendable:
            raise
        return unsendable


def _unwritable(body: dict[str, Any]) -> Iterator[Violation]:
    """Yield what cannot be sent at all."""
    for path, kind in unwritable(body):
        yield Violation("json", path, DETAILS[kind])
