"""Normalises the case of roles in stored documents, as `MessageRole.parse` does.

Other words are kept as they are: versions 1 and 2 have none, and a dialect has its own.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

from interlingua.json_types import is_object, is_text
from interlingua_types.current import MessageRole

__all__ = ["plain_role", "with_plain_role"]

Json: TypeAlias = dict[str, Any]

_WORDS: Final = frozenset(role.value for role in MessageRole)


def plain_role(word: Any) -> Any:
    """Return a role in lower case; anything else as it is."""
    if not is_text(word) or word in _WORDS:
        return word
    lower_case = word.lower()
    return lower_case if lower_case in _WORDS else word


def with_plain_role(document: Json) -> Json:
    """Return a document with its role, or that of its data, in lower case; the same object if it already is."""
    role = document.get("role")
    plain = plain_role(role)
    if plain != role:
        return {**document, "role": plain}
    data = document.get("data")
    if is_object(data) and role is None:
        role = data.get("role")
        plain = plain_role(role)
        if plain != role:
            return {**document, "data": {**data, "role": plain}}
    return document
