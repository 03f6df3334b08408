"""`interlingua upgrade`: convert stored messages of any version to the current one."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import typer

import interlingua as il
from interlingua.cli.conversation import SourceFormat, migrate_inputs
from interlingua.cli.options import LARGEST, AsJson, Files, MaxBytes, StoredDialect
from interlingua.cli.run import running
from interlingua.cli.speakers import speaker_of
from interlingua_types import CURRENT, VERSIONS

__all__ = ["upgrade"]


def upgrade(
    files: Files,
    *,
    to: Annotated[
        int,
        typer.Option(
            "--to",
            metavar="N",
            help="The schema version; only the current one is possible.",
            show_default="the current",
        ),
    ] = CURRENT,
    version: Annotated[
        int | None,
        typer.Option("--version", metavar="N", help="The version of all documents; default: detected for each."),
    ] = None,
    dialect: StoredDialect = None,
    as_json: AsJson = False,
    max_bytes: MaxBytes = LARGEST,
) -> None:
    """Convert stored messages to the current schema version. Nothing is lost.

    Each FILE holds one conversation: a JSON array of documents, one document per line (JSON Lines), or one document.
    The output has one document per line; an old document, or one in a dialect, may become several.
    """
    if to != CURRENT:
        raise typer.BadParameter(
            f"upgrades always lead to version {CURRENT}; for older versions use interlingua downgrade",
            param_hint="--to",
        )
    if version is not None and version not in VERSIONS:
        raise typer.BadParameter(
            f"there is no such version; known are: {', '.join(map(str, VERSIONS))}", param_hint="--version"
        )
    if dialect is not None:
        speaker_of(dialect, "--dialect")
    with running(files, max_bytes=max_bytes, as_json=as_json, options=("--version", "--dialect")) as run:
        migrate_inputs(run, partial(il.upgrade, version=version), SourceFormat(version, dialect))
