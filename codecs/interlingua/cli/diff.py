"""`interlingua diff`: what tells two bodies from each other, whatever their dialects."""

from __future__ import annotations

from contextlib import ExitStack
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

import interlingua as il
from interlingua.cli.exit_codes import ExitCode
from interlingua.cli.files import open_input
from interlingua.cli.options import LARGEST, MaxBytes
from interlingua.cli.reading import Document, Reader
from interlingua.cli.run import running
from interlingua.cli.speakers import speaker_of
from interlingua.cli.writing import printable
from interlingua.comparing import differences
from interlingua.errors import DecodeError
from interlingua.registry import room
from interlingua.strict_json import compact

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from interlingua.cli.reading import Unreadable
    from interlingua.cli.run import Run
    from interlingua.comparing import Difference

__all__ = ["Body", "diff"]

_WORDS: Final[Mapping[str, str]] = {"first": "only in the first", "second": "only in the second", "other": "differs"}


class Body(StrEnum):
    """What the bodies are."""

    REQUEST = "request"
    RESPONSE = "response"


def diff(
    first: Annotated[str, typer.Argument(metavar="FILE|-", help="The first body, or - for standard input.")],
    second: Annotated[str, typer.Argument(metavar="FILE|-", help="The second body.")],
    *,
    source: Annotated[str, typer.Option("--from", metavar="DIALECT", help="The dialect of the first body.")],
    target: Annotated[
        str | None,
        typer.Option("--to", metavar="DIALECT", help="The dialect of the second body; absent means the same."),
    ] = None,
    kind: Annotated[Body, typer.Option("--kind", help="What the bodies are.")] = Body.REQUEST,
    values: Annotated[bool, typer.Option("--values", help="Show the values, too: all that was said.")] = False,
    max_bytes: MaxBytes = LARGEST,
) -> None:
    """Compare two bodies, of one dialect or of two, as canonical values in normal form.

    Each difference becomes one line on standard output: a JSON Pointer into the normal form, and whether the place is
    only in the first, only in the second, or differs. What was said is shown only with --values. What only one dialect
    understands, and how a body is spelt, is not compared. The exit code is 0 where nothing differs, else 1.
    """
    speaker_of(source, "--from")
    speaker_of(target or source, "--to")
    if first == second == "-":
        raise typer.BadParameter("only one of the two can be standard input", param_hint="FILE|-")
    with running(first, max_bytes=max_bytes) as run, ExitStack() as files:
        other = Reader(open_input(second, files).stream, max_bytes)
        one = _read(run, run.reader.documents(), "the first body", source, kind)
        two = _read(run, other.documents(), "the second body", target or source, kind)
        if one is not None and two is not None:
            for found in differences(one, two):
                run.outcome.fail(ExitCode.REFUSED)
                run.write_text(printable(_shown(found, values=values)))


def _read(run: Run, items: Iterator[Document | Unreadable], name: str, dialect: str, kind: Body) -> Any:
    """Return the normal form of the only body of an input, or None: that is told."""
    item = next(items)
    if not isinstance(item, Document):
        run.outcome.fail(ExitCode.UNREADABLE, f"{name}: line {item.line}: {item.reason}")
        return None
    if next(items, None) is not None:
        run.outcome.fail(ExitCode.UNREADABLE, f"{name}: there is more than one")
        return None
    try:
        return _normal(item.value, dialect, kind)
    except DecodeError as error:
        run.outcome.fail(ExitCode.UNREADABLE, f"{name}: {error}")
        return None


def _normal(body: Any, dialect: str, kind: Body) -> Any:
    if type(body) is not dict:
        raise DecodeError(dialect, "", "a body is a JSON object")
    speaker = room(dialect)
    return il.normal_form(speaker.decode_request(body) if kind is Body.REQUEST else speaker.decode_response(body))


def _shown(found: Difference, *, values: bool) -> str:
    """Return a difference as a line; control characters are left to `printable`."""
    line = f"{found.path or '/'}: {_WORDS[found.kind]}"
    if not values:
        return line
    shown = [
        compact(value).decode()
        for value, held in ((found.first, found.kind != "second"), (found.second, found.kind != "first"))
        if held
    ]
    return f"{line}: {' -> '.join(shown)}"
