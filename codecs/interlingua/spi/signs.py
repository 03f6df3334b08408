"""What tells the bodies of one dialect from those of all others, so that a body need not say whose it is."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Shape", "Signs"]


class Shape(NamedTuple):
    """What a body of one kind looks like, in paths.

    A path is the names of members with a slash between them; `*` is any item of a list. A last word behind `=` says
    what stands there: `=text`, `=number`, `=object`, `=list` a value of that type, `=true`, `=false`, `=null` that
    value, any other word that very text, or the beginning of one where it ends with `*`. Without a word anything but
    null may stand there.

    `demands`: sets of paths; a body has this shape where all of one set are found. None are found in any body.
    `certainty`: how sure that is, from 0 to 1, where nothing else tells.
    `own`: paths that speak for this dialect: each that is found halves the doubt.
    `foreign`: paths that speak against it: each that is found halves the certainty.
    `usual`: paths that bodies of this dialect have: each that is missing halves the certainty.

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
    """The shapes of a dialect's bodies, by their kind; that of a stream is the shape of one of its frames.

    Example:
        >>> il.spi.Signs(request=il.spi.Shape(demands=(("lines=list",),))).request.demands
        (('lines=list',),)
    """

    request: Shape = Shape()
    response: Shape = Shape()
    stream: Shape = Shape()
    error: Shape = Shape()
