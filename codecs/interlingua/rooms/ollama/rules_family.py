"""What one family of models refuses of an Ollama request that others take.

Source: the rows of families.py; docs/families.md. The server decides by what the model can do; names are a hint.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final

from interlingua.rooms._shared.families import wants_a_query
from interlingua.rooms._shared.ruling import objects
from interlingua.violation import Violation

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from interlingua.rooms._shared.ruling import Object, Rule
    from interlingua.spi.families import Family


def family_rules(family: Family | None) -> tuple[Rule, ...]:
    """Return the rules of a family, if there is one."""
    return () if family is None else tuple(partial(rule, facts=family.facts) for rule in _RULES)


def abilities(body: Object, *, facts: Mapping[str, Any]) -> Iterator[Violation]:
    """Thinking, tools and pictures, which not every model has."""
    think, kind = body.get("think"), facts.get("think")
    if kind == "refuse" and think is not None and think is not False:
        yield Violation("setting", "/think", "these models do not think")
    elif kind == "flag" and type(think) is str:
        yield Violation("setting", "/think", "think must be true or false for these models")
    if facts.get("tools") == "refuse" and body.get("tools"):
        yield Violation("tool", "/tools", "these models call no tools")
    if facts.get("image_input") is False:
        for path, message in objects(body.get("messages"), "/messages"):
            if message.get("images"):
                yield Violation("part", f"{path}/images", "these models see no pictures")


_RULES: Final = (abilities, wants_a_query)
