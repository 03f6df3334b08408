"""`interlingua downgrade`: convert stored messages to an older version."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import typer

import interlingua as il
from interlingua.cli.conversation import SourceFormat, migrate_inputs
from interlingua.cli.options import LARGEST, AsJson, Files, LossesTo, MaxBytes, Quiet, StoredDialect
from interlingua.cli.run import running
from interlingua.cli.speakers import speaker_of
from interlingua_types import VERSIONS

__all__ = ["downgrade"]


def downgrade(
    files: Files,
    *,
    to: Annotated[int, typer.Option("--to", metavar="N", help="The version to write.")] = VERSIONS[0],
    dialect: StoredDialect = None,
    losses: LossesTo = None,
    quiet: Quiet = False,
    as_json: AsJson = False,
    max_bytes: MaxBytes = LARGEST,
) -> None:
    """Convert stored messages to an older schema version, and report the losses.

    Each FILE holds one conversation: a JSON array of documents, one document per line (JSON Lines), or one document.
    The output has one document per line; several may fold into one.
    """
    if to not in VERSIONS:
        raise typer.BadParameter(
            f"there is no such version; known are: {', '.join(map(str, VERSIONS))}", param_hint="--to"
        )
    if dialect is not None:
        speaker_of(dialect, "--dialect")
    with running(
        files, max_bytes=max_bytes, losses=losses, quiet=quiet, as_json=as_json, options=("--dialect",)
    ) as run:
        migrate_inputs(run, partial(il.downgrade, to=to), SourceFormat(None, dialect))
