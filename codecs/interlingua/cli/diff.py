"""`interlingua diff`: compare two bodies, whatever their dialects."""

from __future__ import annotations

from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

import interlingua as il
from interlingua.cli.exit_codes import ExitCode
from interlingua.cli.options import LARGEST, AsJson, MaxBytes, dialect_option
from interlingua.cli.reading import Document
from interlingua.cli.run import running
from interlingua.cli.source_detection import body_of
from interlingua.cli.speakers import AUTO, source_names, source_of_option
from interlingua.cli.writing import printable
from interlingua.json_diff import differences
from interlingua.registry import room
from interlingua.strict_json import compact

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from interlingua.cli.reading import Unreadable
    from interlingua.cli.run import Run
    from interlingua.json_diff import Difference

__all__ = ["Body", "diff"]

_WORDS: Final[Mapping[str, str]] = {"first": "only in the first", "second": "only in the second", "other": "differs"}


class Body(StrEnum):
    """The kind of the bodies."""

    REQUEST = "request"
    RESPONSE = "response"


def diff(
    first: Annotated[str, typer.Argument(metavar="FILE", help="The first body, or - for standard input.")],
    second: Annotated[str, typer.Argument(metavar="FILE", help="The second body.")],
    *,
    source: Annotated[
        str, dialect_option("The dialect of the first body; auto detects it.", "--from", among=source_names)
    ] = AUTO,
    target: Annotated[
        str | None, dialect_option("The dialect of the second body; default: the same.", "--to", among=source_names)
    ] = None,
    kind: Annotated[Body, typer.Option("--kind", help="The kind of the bodies.")] = Body.REQUEST,
    values: Annotated[bool, typer.Option("--values", help="Also show the values, which are content.")] = False,
    as_json: AsJson = False,
    max_bytes: MaxBytes = LARGEST,
) -> None:
    """Compare two bodies, of one dialect or of two, as canonical values in normal form.

    Each difference becomes one line on standard output: a JSON Pointer into the normal form, and whether the value is
    only in the first, only in the second, or differs. Values are shown only with --values. Dialect-specific state and
    the spelling of a body are not compared. The exit code is 0 if nothing differs, else 1.
    """
    source_of_option(source, "--from")
    source_of_option(target or source, "--to")
    with running((first, second), max_bytes=max_bytes, as_json=as_json, options=("--from", "--to", "--kind")) as run:
        if len(run.listed()) != len((first, second)):
            run.outcome.fail(ExitCode.USAGE, "two bodies are needed: name a file for each")
            return
        bodies = [
            _read(run, run.items_of(opened), dialect, kind)
            for opened, dialect in zip(run.inputs(), (source, target or source), strict=False)
        ]
        if len(bodies) < len((first, second)):
            return
        one, two = bodies
        if one is not None and two is not None:
            for difference in differences(one, two):
                run.outcome.fail(ExitCode.REFUSED)
                if as_json:
                    run.write(1, _entry(difference, values=values))
                else:
                    run.write_text(printable(_shown(difference, values=values)))


def _read(run: Run, items: Iterator[Document | Unreadable], dialect: str, kind: Body) -> Any:
    """Return the normal form of the only body of an input; None after reporting an error."""
    item = next(items, None)
    if item is None:
        return None
    if not isinstance(item, Document):
        run.unreadable(item.line, item.reason)
        return None
    other = next(items, None)
    if other is not None:
        run.unreadable(other.line, "the file has more than one body", "give a file with one body body")
        return None
    return run.attempt(item.line, partial(_normal, dialect=dialect, kind=kind), item.value)


def _normal(value: Any, dialect: str, kind: Body) -> Any:
    """Return the normal form of a body. Raises the decoding errors."""
    body, source = body_of(value, dialect, kind.value)
    speaker = room(source)
    return il.normal_form(speaker.decode_request(body) if kind is Body.REQUEST else speaker.decode_response(body))


def _entry(found: Difference, *, values: bool) -> dict[str, Any]:
    """Return a difference as JSON."""
    entry: dict[str, Any] = {"path": found.path, "found": _WORDS[found.kind]}
    if values and found.kind != "second":
        entry["first"] = found.first
    if values and found.kind != "first":
        entry["second"] = found.second
    return entry


def _shown(found: Difference, *, values: bool) -> str:
    """Return a difference as a line; control characters are escaped later, by `printable`."""
    line = f"{found.path or '/'}: {_WORDS[found.kind]}"
    if not values:
        return line
    shown = [
        compact(value).decode()
        for value, held in ((found.first, found.kind != "second"), (found.second, found.kind != "first"))
        if held
    ]
    return f"{line}: {' -> '.join(shown)}"
