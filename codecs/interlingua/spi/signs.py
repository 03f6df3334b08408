"""The shapes by which a dialect's bodies are detected."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Shape", "Signs"]


class Shape(NamedTuple):
    """The shape of one kind of body, described by paths.

    A path is a list of member names, joined by slashes; `*` is any item of a list. A word after `=` restricts the
    value: `=text`, `=number`, `=object`, `=list` to that type, `=true`, `=false`, `=null` to that value, any other word
    to that string, or to strings with that prefix if it ends with `*`. Without a word, any value but null matches.

    `demands`: sets of paths; a body has this shape if it has all paths of one set. Without any set, no body has it.
    `certainty`: the certainty, from 0 to 1, by `demands` alone.
    `own`: paths that indicate this dialect: each that is found halves the uncertainty.
    `foreign`: paths that indicate another one: each that is found halves the certainty.
    `usual`: paths that bodies of this dialect normally have: each that is missing halves the certainty.

    Example:
        >>> il.spi.Shape(demands=(("lines=list",),), certainty=0.9).certainty
        0.9
    """

    demands: tuple[tuple[str, ...], ...] = ()
    certainty: float = 0.5
    own: tuple[str, ...] = ()
    foreign: tuple[str, ...] = ()
    usual: tuple[str, ...] = ()


class Signs(NamedTuple):
    """The shapes of a dialect's bodies, by kind; `stream` is the shape of one frame.

    Example:
        >>> il.spi.Signs(request=il.spi.Shape(demands=(("lines=list",),))).request.demands
        (('lines=list',),)
    """

    request: Shape = Shape()
    response: Shape = Shape()
    stream: Shape = Shape()
    error: Shape = Shape()
