"""Partial function call arguments: values at JSON paths, and texts that continue (`partialArgs`, Agent Platform).

Source: docs/wire/gemini.md, section 3.
"""

from __future__ import annotations

import re
from typing import Any, Final, TypeAlias

from interlingua.rooms.gemini.snake_case import PIECE, with_camel_case
from interlingua.spi.reading import Unmapped
from interlingua.tool_arguments import arguments_text

_STEP: Final = re.compile(r"""\.([^.\[\]]+)|\[(\d{1,9})\]|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]""")
_ESCAPED: Final = re.compile(r"\\(.)")
_SCALARS: Final = ("numberValue", "boolValue")

Path: TypeAlias = "tuple[str | int, ...]"


def in_pieces(call: dict[str, Any]) -> bool:
    """Return whether a `functionCall` is partial: more of it follows, or its arguments are `partialArgs`."""
    return call.get("willContinue") is True or bool(call.get("partialArgs"))


class PartialArguments:
    """The growing arguments of one call."""

    def __init__(self) -> None:
        self._given: dict[str, Any] = {}
        self._values: dict[Path, Any] = {}
        self._paths: dict[str, Path] = {}  # parsed paths: a long text comes in many pieces

    def add(self, call: dict[str, Any]) -> None:
        """Take a piece of a call; what has no known form is ignored."""
        given, pieces = call.get("args"), call.get("partialArgs")
        if type(given) is dict:
            self._given |= given
        for wire in pieces if type(pieces) is list else ():
            if type(wire) is not dict:
                continue
            piece = with_camel_case(wire, PIECE, Unmapped())
            place = piece.get("jsonPath")
            if type(place) is not str:
                continue
            path = self._paths.get(place)
            if path is None:
                path = self._paths[place] = _path(place)
            if path:
                self._take(path, piece)

    def value(self) -> dict[str, Any]:
        """Return the arguments so far."""
        out: dict[str, Any] = dict(self._given)
        for path, value in self._values.items():
            _set_at(out, path, "".join(value) if type(value) is list else value)
        return out

    def _take(self, path: Path, piece: dict[str, Any]) -> None:
        text = piece.get("stringValue")
        if type(text) is str:
            texts = self._values.setdefault(path, [])
            if type(texts) is list:
                texts.append(text)
            else:
                self._values[path] = [text]
            return
        for name in _SCALARS:
            if type(piece.get(name)) in {int, float, bool}:
                self._values[path] = piece[name]
                return
        if "nullValue" in piece:
            self._values[path] = None


class PartialCall(PartialArguments):
    """A partial call and its block."""

    def __init__(self, block: int, name: str) -> None:
        super().__init__()
        self.block = block
        self.name = name

    def text(self) -> str:
        """Return the arguments so far as JSON."""
        return arguments_text(self.value())


def _path(text: str) -> Path:
    """Return the steps of a path (RFC 9535, singular query), or () if it is not understood."""
    if not text.startswith("$"):
        return ()
    steps: list[str | int] = []
    at = 1
    while at < len(text):
        match = _STEP.match(text, at)
        if match is None:
            return ()
        name, index, single, double = match.groups()
        if index is not None:
            steps.append(int(index))
        else:
            steps.append(name if name is not None else _ESCAPED.sub(r"\1", single if single is not None else double))
        at = match.end()
    return tuple(steps)


def _set_at(arguments: dict[str, Any], path: Path, value: Any) -> None:
    """Put a value at a path; a list grows by one element at a time, and what does not fit is ignored."""
    out: Any = arguments
    for step, following in zip(path, (*path[1:], None), strict=True):
        made: Any = value if following is None else [] if type(following) is int else {}
        place: Any = step
        if type(out) is list and type(step) is int:
            if step >= len(out):  # a list has no holes
                place = len(out)
                out.append(made)
        elif type(out) is dict and type(step) is str:
            out.setdefault(step, made)
        else:
            return
        holder: Any = out
        if following is None:
            holder[place] = value
        elif type(holder[place]) not in (dict, list):
            holder[place] = made
        out = holder[place]
