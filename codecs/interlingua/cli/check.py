"""`interlingua check`: check whether providers would refuse requests."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

import interlingua as il
from interlingua.cli.exit_codes import ExitCode
from interlingua.cli.options import LARGEST, AsJson, Dialect, Files, MaxBytes, Profile, profile_of
from interlingua.cli.remarks import remark_on_members
from interlingua.cli.run import running
from interlingua.cli.source_detection import body_of
from interlingua.cli.speakers import AUTO, source_of_option, speaker_of
from interlingua.cli.writing import printable

if TYPE_CHECKING:
    from interlingua.violation import Violation

__all__ = ["check"]


def check(
    files: Files,
    *,
    dialect: Dialect = AUTO,
    api_version: Annotated[
        str | None,
        typer.Option(
            "--api-version",
            metavar="V",
            help="Also check the rules of this API version; default: only the rules that all versions share.",
        ),
    ] = None,
    profile: Profile = "auto",
    as_json: AsJson = False,
    max_bytes: MaxBytes = LARGEST,
) -> None:
    """Check whether the provider would refuse requests.

    FILE holds one JSON body, or one body per line (JSON Lines). Each violation becomes one line on standard output:
    `file:line:path: code: detail`, with the line where the body begins and a JSON Pointer into it. A misspelt member
    that the provider ignores is reported on standard error, and is not a violation.
    """
    source_of_option(dialect)
    if api_version is not None:
        _check_version(api_version, dialect)

    judged = partial(_judged, dialect=dialect, api_version=api_version, profile=profile_of(profile, dialect))
    with running(files, max_bytes=max_bytes, as_json=as_json, options=("--from",)) as run:
        for document in run.documents():
            body, source, violations = run.attempt(document.line, judged, document.value) or ({}, "", ())
            if source:
                remark_on_members(run, document.line, body, source, refused=False)
            for found in violations:
                run.outcome.fail(ExitCode.REFUSED)
                if as_json:
                    members = {"code": found.code, "path": found.path, "detail": found.detail}
                    run.write(document.line, {"file": run.name, "body": document.line, **members})
                else:
                    place = f"{run.name}:{document.line}:{found.path}"
                    run.write_text(printable(f"{place}: {found.code}: {found.detail}"))


def _check_version(api_version: str, dialect: str) -> None:
    """Check that the dialect has the API version. Raises `typer.BadParameter`."""
    if dialect == AUTO:
        raise typer.BadParameter("name the dialect of the version with --from", param_hint="--api-version")
    versions = speaker_of(dialect, "--from").api_versions
    if api_version not in versions:
        known = ", ".join(versions) or "none"
        raise typer.BadParameter(f"{dialect} has no such version; known are: {known}", param_hint="--api-version")


def _judged(
    value: Any, dialect: str, api_version: str | None, profile: str | None
) -> tuple[dict[str, Any], str, list[Violation]]:
    """Return a body, its dialect, and its violations. Raises the errors of `check_request`."""
    body, source = body_of(value, dialect, "request")
    return body, source, il.check_request(body, il.dialect(source), api_version=api_version, profile=profile)
