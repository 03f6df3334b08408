"""What one family of models refuses of a vLLM request that others take.

Source: the rows of families.py; docs/families.md. Flags of the server and the template of the chat decide more.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final

from interlingua.rooms._shared.families import unknown_effort, wants_a_query
from interlingua.rooms._shared.openai_families import refused_parts
from interlingua.rooms._shared.ruling import objects

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from interlingua.rooms._shared.ruling import Object, Rule
    from interlingua.spi.families import Family
    from interlingua.violation import Violation


def family_rules(family: Family | None) -> tuple[Rule, ...]:
    """Return the rules of a family, if there is one."""
    return () if family is None else tuple(partial(rule, facts=family.facts) for rule in _RULES)


def efforts(body: Object, *, facts: Mapping[str, Any]) -> Iterator[Violation]:
    """Words of effort that the template of these models has."""
    return unknown_effort(facts, body.get("reasoning_effort"), "/reasoning_effort")


def media(body: Object, *, facts: Mapping[str, Any]) -> Iterator[Violation]:
    """Pictures that these weights do not read."""
    return refused_parts(objects(body.get("messages"), "/messages"), facts)


_RULES: Final = (efforts, media, wants_a_query)
