"""`interlingua check`: would the provider take these requests?"""

from __future__ import annotations

from functools import partial
from typing import Annotated

import typer

import interlingua as il
from interlingua.cli.exit_codes import ExitCode
from interlingua.cli.options import LARGEST, File, MaxBytes, Profile, profile_of
from interlingua.cli.run import running
from interlingua.cli.speakers import speaker_of
from interlingua.cli.writing import printable

__all__ = ["check"]


def check(
    file: File,
    *,
    dialect: Annotated[str, typer.Option("--dialect", metavar="DIALECT", help="The dialect of the requests.")],
    api_version: Annotated[
        str | None,
        typer.Option("--api-version", metavar="V", help="Judge by this version, too; absent means by what all share."),
    ] = None,
    profile: Profile = "auto",
    as_json: Annotated[bool, typer.Option("--json", help="Write each violation as a line of JSON.")] = False,
    max_bytes: MaxBytes = LARGEST,
) -> None:
    """Check whether the provider would refuse requests.

    FILE holds one JSON body, or one body a line (JSON Lines). Each violation becomes one line on standard output:
    `line:path: code: detail`, the line where the body begins and a JSON Pointer into it.
    """
    versions = speaker_of(dialect, "--dialect").api_versions
    if api_version is not None and api_version not in versions:
        known = ", ".join(versions) or "none"
        raise typer.BadParameter(f"{dialect} has no such version; known are: {known}", param_hint="--api-version")

    judged = partial(
        il.check_request, dialect=il.dialect(dialect), api_version=api_version, profile=profile_of(profile, dialect)
    )
    with running(file, max_bytes=max_bytes) as run:
        for document in run.documents():
            for found in run.attempt(document.line, judged, document.value) or ():
                run.outcome.fail(ExitCode.REFUSED)
                if as_json:
                    members = {"code": found.code, "path": found.path, "detail": found.detail}
                    run.write(document.line, {"body": document.line, **members})
                else:
                    run.write_text(printable(f"{document.line}:{found.path}: {found.code}: {found.detail}"))
