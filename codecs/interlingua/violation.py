"""What a provider would refuse: `Violation` and its closed list of codes.

Source: reference/wire/<dialect>.md section 4. A violation never repeats content; its path leads into the wire body.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, get_args

__all__ = ["VIOLATION_CODES", "Violation", "ViolationCode"]

ViolationCode = Literal[
    "arguments",  # arguments of a call that are not what the provider reads
    "cache",  # too many cache marks, or one where none may be
    "dangling_call",  # a call without its result where the result must stand
    "duplicate_id",  # an id that another call has, or a call that is answered twice
    "empty",  # a list or a part with nothing in it
    "empty_text",  # a text of nothing, or of nothing but white space
    "id",  # an id that the provider refuses as it is
    "limit",  # a number, or a count, that is too small or too large
    "media_type",  # media of a type that the provider does not take
    "member",  # a member that the provider does not take in this place
    "name",  # a name that the provider refuses as it is
    "order",  # a message or part that may not stand where it stands
    "orphan_result",  # a result without its call where the call must stand
    "part",  # a part that this place does not take
    "prefill",  # a last message of the assistant where the model must begin anew
    "reasoning",  # reasoning that misses what must stand beside it
    "required",  # a member that the provider demands
    "role",  # a role that the provider does not know
    "schema",  # a schema that the provider refuses
    "setting",  # a setting whose value is refused, or refused beside another
    "shape",  # a member of another JSON type than the provider reads
    "signature",  # reasoning or a call without the signature that the provider demands
    "tool",  # a tool of a kind that the provider does not take
    "trailing_space",  # white space at the end of a last message of the assistant
]
VIOLATION_CODES: Final[frozenset[str]] = frozenset(get_args(ViolationCode))


@dataclass(frozen=True, slots=True)
class Violation:
    """One thing that the provider would refuse.

    `code` is one of `VIOLATION_CODES`. `path` is a JSON Pointer into the wire body, to the member that is absent where
    the code is `required`. `detail` is a short hint for people, free of content.
    """

    code: ViolationCode
    path: str
    detail: str
