"""The counts of a stream, which nearly every chunk repeats with a number or two that grew.

What does not change is not worked out again. Source: reference/wire/gemini.md section 3.
"""

# A wire value is Any; narrowing it to dict or list leaves its members unknown, which is the truth about wire JSON.
# pyright: reportUnknownMemberType=none, reportUnknownArgumentType=none, reportUnknownVariableType=none
from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

import orjson

from interlingua.dialects._shared.extra import own_bag
from interlingua.dialects.gemini.decode_usage import decode_usage
from interlingua.dialects.gemini.encode_answer import encode_usage
from interlingua.dialects.gemini.tables import DIALECT, TOOL_USE, USAGE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.dialects._shared.target import Target

_WORDS: Final[Mapping[str, str]] = MappingProxyType({name: wire for wire, name in USAGE.items()})
_SAID, _THOUGHT, _ASKED = "candidatesTokenCount", "thoughtsTokenCount", "promptTokenCount"
_OUTPUT, _REASONING = USAGE[_SAID], USAGE[_THOUGHT]


class UsageReader:
    """Reads the counts of one chunk after the other; a member that a chunk does not repeat holds on.

    `exact`: what the writer makes of the counts is what came.
    """

    def __init__(self) -> None:
        self._wire: dict[str, Any] = {}
        self._usage: dict[str, Any] = {}
        self._details: dict[str, bytes | None] = {}  # the lists of counts, in a form in which 5 and 5.0 differ
        self.exact = False

    def read(self, wire: dict[str, Any]) -> dict[str, Any]:
        """Return the usage so far. Raises `Malformed`."""
        self._wire = {**self._wire, **wire}
        self._usage = decode_usage(self._wire)
        self._details = {name: _exactly(value) for name, value in self._wire.items() if type(value) is list}
        return self._usage

    def plain(self, wire: Any) -> dict[str, Any] | None:
        """Return the usage so far, where only plain counts have changed; otherwise None, and nothing is taken."""
        if not self.exact or type(wire) is not dict or wire.keys() != self._wire.keys():
            return None
        changed = self._changed(wire)
        if changed is None:
            return None
        if changed:
            usage = dict(self._usage)
            for name, value in changed.items():
                usage[USAGE[name]] = value
            if _THOUGHT in wire:
                usage[_OUTPUT] = wire.get(_SAID, 0) + wire[_THOUGHT]
            self._usage = usage
        self._wire = wire
        return self._usage

    def _changed(self, wire: dict[str, Any]) -> dict[str, int] | None:
        """Return the plain counts that have changed, or None where more has."""
        changed: dict[str, int] = {}
        for name, value in wire.items():
            before = self._wire[name]
            if value is before:
                continue
            kind = type(value)
            if kind is not type(before):
                return None
            if kind is int:
                if value != before:
                    changed[name] = value
            elif kind is str:
                if value != before:
                    return None
            elif not self._is_repeated(name, value):
                return None
        if not changed.keys() <= USAGE.keys() or (_ASKED in changed and TOOL_USE in wire):
            return None
        if _SAID in changed and changed[_SAID] < 0:  # which is no count, and stands apart
            return None
        return changed

    def _is_repeated(self, name: str, value: Any) -> bool:
        """Tell whether a list of counts is known to be the one that came before."""
        before = self._details.get(name)
        return before is not None and _exactly(value) == before


class UsageWriter:
    """Writes the counts of one chunk after the other."""

    def __init__(self) -> None:
        self._usage: Mapping[str, Any] = {}
        self._wire: dict[str, Any] = {}

    def write(self, usage: Any, to: Target) -> dict[str, Any]:
        """Return the counts as they stand on the wire."""
        self._usage, self._wire = usage, encode_usage(usage, to)
        return self._wire

    def plain(self, usage: Any) -> dict[str, Any] | None:
        """Return the counts as they stand on the wire, where only plain ones have changed; otherwise None."""
        if usage is not self._usage:
            wire = self._changed(usage)
            if wire is None:
                return None
            self._usage, self._wire = usage, wire
        return self._wire

    def _changed(self, usage: Mapping[str, Any]) -> dict[str, Any] | None:
        last = self._usage
        extra = usage.get("extra")
        if usage.keys() != last.keys() or extra is not last.get("extra"):
            return None
        if extra is not None and "spelling" in own_bag(usage, DIALECT):
            return None
        wire = dict(self._wire)
        for name, value in usage.items():
            before = last[name]
            if value is before:
                continue
            word = _WORDS.get(name)
            if type(value) is not int or type(before) is not int or word not in wire:
                return None
            wire[word] = value
        if TOOL_USE in wire and wire.get(_ASKED) != self._wire.get(_ASKED):
            return None
        if _THOUGHT in wire and _SAID in wire:
            wire[_SAID] = usage[_OUTPUT] - usage[_REASONING]
            if wire[_SAID] < 0:
                return None
        return wire


def _exactly(details: Any) -> bytes | None:
    """Return counts in a form in which 5 and 5.0 differ, or None for what is no counts and has no such form."""
    try:
        return orjson.dumps(details)
    except TypeError:  # whole numbers beyond 64 bits, lone surrogates, or deep nesting
        return None
