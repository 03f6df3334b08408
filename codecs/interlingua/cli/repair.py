"""`interlingua repair`: repair requests that their provider would refuse."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from interlingua.chat import repair_plain_request
from interlingua.cli.options import LARGEST, AsJson, Dialect, Files, MaxBytes
from interlingua.cli.run import running
from interlingua.cli.source_detection import body_of
from interlingua.cli.speakers import AUTO, source_of_option
from interlingua.registry import dialect as named
from interlingua.registry import room
from interlingua.translation import encode_canonical_request

if TYPE_CHECKING:
    from interlingua.chat import Repair
    from interlingua.loss import Encoded
    from interlingua.model_shapes import ChatRequest

__all__ = ["repair"]


@dataclass(frozen=True, slots=True)
class _Row:
    """A repair in the form of a loss; its severity says what was done."""

    code: str
    path: str
    detail: str
    severity: str
    concern: str = "repair"


def repair(
    files: Files,
    *,
    dialect: Dialect = AUTO,
    repairs: Annotated[
        str | None,
        typer.Option("--repairs", metavar="FILE", help="Also write the repairs to this file, as a JSON array."),
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="Do not print repairs. Failures are still printed.")] = False,
    as_json: AsJson = False,
    max_bytes: MaxBytes = LARGEST,
) -> None:
    """Repair the conversations of requests, so that their provider accepts them.

    FILE holds one JSON body, or one body per line (JSON Lines). Each becomes one compact line on standard output.
    Repairs are reported on standard error; a path leads into the canonical request. Content that is missing from a
    conversation is never made up.
    """
    source_of_option(dialect)
    mend = partial(_repaired, dialect=dialect)
    with running(files, max_bytes=max_bytes, losses=repairs, quiet=quiet, as_json=as_json, options=("--from",)) as run:
        for document in run.documents():
            made = run.attempt(document.line, mend, document.value)
            if made is not None:
                encoded, mended = made
                rows = [_Row(one.code, one.path, one.detail, one.action) for one in mended]
                run.losses(document.line, [*rows, *encoded.losses])
                run.write(document.line, encoded.body)


def _repaired(value: Any, dialect: str) -> tuple[Encoded, tuple[Repair, ...]]:
    """Return the repaired body, and the repairs. Raises the errors of `decode_request`."""
    body, source = body_of(value, dialect, "request")
    canonical = cast("dict[str, Any]", room(source).decode_request(body))
    mended, repairs = repair_plain_request(canonical, named(source))
    encoded = encode_canonical_request(
        cast("ChatRequest", mended), source, strict=False, model=None, defaults=None, api_version=None
    )
    return encoded, repairs
