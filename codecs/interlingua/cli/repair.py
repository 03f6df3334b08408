"""`interlingua repair`: requests that their provider would refuse, mended."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from interlingua.chat import repair_plain_request
from interlingua.cli.options import LARGEST, File, MaxBytes
from interlingua.cli.run import running
from interlingua.cli.speakers import speaker_of
from interlingua.errors import DecodeError
from interlingua.registry import dialect as named
from interlingua.registry import room
from interlingua.translation import encode_canonical_request

if TYPE_CHECKING:
    from interlingua.chat import Repair
    from interlingua.loss import Encoded, Loss
    from interlingua.model_shapes import ChatRequest

__all__ = ["repair"]


@dataclass(frozen=True, slots=True)
class _Row:
    """A repair as a row of the table of losses: what was done stands where the severity does."""

    code: str
    path: str
    detail: str
    severity: str


def repair(
    file: File,
    *,
    dialect: Annotated[str, typer.Option("--dialect", metavar="DIALECT", help="The dialect of the requests.")],
    repairs: Annotated[
        str | None,
        typer.Option("--repairs", metavar="FILE", help="Write the repairs to this file, too, as a JSON array."),
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="Show no table of repairs. Failures are still told.")] = False,
    max_bytes: MaxBytes = LARGEST,
) -> None:
    """Repair the conversations of requests, so that their provider takes them.

    FILE holds one JSON body, or one body a line (JSON Lines). Each becomes one compact line on standard output. What
    was mended goes to standard error as a table; its column body is the line where the body begins, its column path
    leads into the canonical request. What a conversation does not say is never made up.
    """
    speaker_of(dialect, "--dialect")
    mend = partial(_repaired, dialect=dialect)
    with running(file, max_bytes=max_bytes, losses=repairs, quiet=quiet) as run:
        for document in run.documents():
            made = run.attempt(document.line, mend, document.value)
            if made is not None:
                encoded, mended = made
                rows = [_Row(one.code, one.path, one.detail, one.action) for one in mended]
                run.losses(document.line, [*cast("list[Loss]", rows), *encoded.losses])  # a row has all that is shown
                run.write(document.line, encoded.body)


def _repaired(body: Any, dialect: str) -> tuple[Encoded, tuple[Repair, ...]]:
    """Return the body mended, and what that took. Raises what `decode_request` raises."""
    if type(body) is not dict:
        raise DecodeError(dialect, "", "a body is a JSON object")
    canonical = cast("dict[str, Any]", room(dialect).decode_request(body))
    mended, repairs = repair_plain_request(canonical, named(dialect))
    encoded = encode_canonical_request(
        cast("ChatRequest", mended), dialect, strict=False, model=None, defaults=None, api_version=None
    )
    return encoded, repairs
