"""`interlingua explain`: explain a code, and what to do about it."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Final, cast

import typer

from interlingua.cli.code_meanings import CONCERNED, LOSSES, MESSAGES, REPAIRS, SEVERITIES, VIOLATIONS, Meaning
from interlingua.cli.options import AsJson  # noqa: TC001  # Typer reads it
from interlingua.cli.writing import say
from interlingua.concerns import CONCERNS, RULES
from interlingua.strict_json import compact
from interlingua.suggestions import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["KINDS", "explain"]

KINDS: Final[Mapping[str, Mapping[str, Meaning]]] = MappingProxyType(
    cast(
        "dict[str, Mapping[str, Meaning]]",
        {
            "loss": LOSSES,
            "violation": VIOLATIONS,
            "repair": REPAIRS,
            "message": MESSAGES,
            "severity": SEVERITIES,
            "concern": CONCERNED,
        },
    )
)
"""The codes of each closed list. A code may be in several."""
_TITLES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "loss": "a loss in a translation",
        "violation": "what a provider would refuse in a request",
        "repair": "what a repair changed in a conversation",
        "message": "what is wrong with a stored message",
        "severity": "the severity of a loss",
        "concern": "what kind of information a loss affects",
    }
)


def _beginning(incomplete: str) -> list[str]:
    """Return the codes with this prefix, for shell completion."""
    return [code for code in _codes() if code.startswith(incomplete)]


def explain(
    codes: Annotated[
        list[str],
        typer.Argument(
            metavar="CODE",
            help="Codes as they are reported, such as provider_state, dangling_call, lost or tuning.",
            show_default=False,
            autocompletion=_beginning,
        ),
    ],
    *,
    as_json: AsJson = False,
) -> None:
    """Explain the code of a loss, a violation or a repair, a severity or a concern: what it means and what to do.

    A word that is in several lists is explained for each.
    """
    for code in codes:
        if code not in _codes():
            hint = did_you_mean(code, _codes()) or f"; known are: {', '.join(_codes())}"
            raise typer.BadParameter(f"unknown code {code!r}{hint}", param_hint="CODE")
    for at, code in enumerate(dict.fromkeys(codes)):
        if at and not as_json:
            say()
        for kind, meaning in _senses(code):
            if as_json:
                members = {"code": code, "kind": kind, "means": meaning.means, "advice": meaning.advice}
                say(compact({**members, **_concerns(code, kind)}).decode())
            else:
                _tell(code, kind, meaning)


def _codes() -> list[str]:
    """Return all codes, each once, in order."""
    return sorted({code for table in KINDS.values() for code in table})


def _senses(code: str) -> Iterator[tuple[str, Meaning]]:
    """Yield the meaning of a code in each list that has it."""
    for kind, table in KINDS.items():
        if code in table:
            yield kind, table[code]


def _concerns(code: str, kind: str) -> dict[str, list[str]]:
    """Return the possible concerns of a loss code, the most serious first."""
    found = {rule.concern for rule in RULES if rule.code == code} if kind == "loss" else set[str]()
    return {"concerns": [one for one in CONCERNS if one in found]} if found else {}


def _tell(code: str, kind: str, meaning: Meaning) -> None:
    """Print one meaning of a code, in colours only on a terminal."""
    say(f"{typer.style(code, bold=True)}: {_TITLES[kind]}")
    say(f"  means    {meaning.means}")
    for concerns in _concerns(code, kind).values():
        say(f"  concerns {' or '.join(concerns)}, depending on the path")
    say(f"  to do    {meaning.advice}")
