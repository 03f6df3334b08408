"""`interlingua validate`: validate documents against the schema."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

import interlingua as il
from interlingua.cli.exit_codes import ExitCode
from interlingua.cli.options import LARGEST, AsJson, Files, MaxBytes
from interlingua.cli.reading import listed
from interlingua.cli.run import running
from interlingua.cli.writing import printable
from interlingua.detection import detect, detection_text
from interlingua.errors import UnknownTypeError, UnknownVersionError
from interlingua_types import CURRENT

if TYPE_CHECKING:
    from interlingua.cli.run import Run

__all__ = ["validate"]


def validate(
    files: Files,
    *,
    version: Annotated[
        int, typer.Option("--version", metavar="N", help="The schema version.", show_default="the current")
    ] = CURRENT,
    union: Annotated[
        str,
        typer.Option("--union", metavar="NAME", help="A union or shared object of the schema, such as chat_request."),
    ] = "message",
    as_json: AsJson = False,
    max_bytes: MaxBytes = LARGEST,
) -> None:
    """Validate documents against the schema.

    FILE holds one JSON document, one document per line (JSON Lines), or a JSON array of documents. Each error becomes
    one line on standard output: `file:line:path: rule: detail`, with the line where the document begins and a JSON
    Pointer into it. For an array, the pointer begins with the index of the document.
    """
    try:
        il.validate({}, version, union)
    except UnknownVersionError as error:
        raise typer.BadParameter(str(error), param_hint="--version") from None
    except UnknownTypeError as error:
        raise typer.BadParameter(str(error), param_hint="--union") from None

    judged = partial(il.validate, version=version, union=union)
    with running(files, max_bytes=max_bytes, as_json=as_json, options=("--version",)) as run:
        for document in run.documents():
            for prefix, value in listed(document.value):
                told = run.attempt(document.line, judged, value) or ()
                if told and union == "message":
                    _remark_on_bodies(run, document.line, value)
                for found in told:
                    run.outcome.fail(ExitCode.REFUSED)
                    path = f"{prefix}{found.path}"
                    if as_json:
                        members = {"rule": found.rule, "path": path, "detail": found.detail}
                        run.write(document.line, {"file": run.name, "body": document.line, **members})
                    else:
                        place = f"{run.name}:{document.line}:{path}"
                        run.write_text(printable(f"{place}: {found.rule}: {found.detail}"))


def _remark_on_bodies(run: Run, line: int, value: Any) -> None:
    """Remark if an invalid document looks like a provider's body instead of a message."""
    looks = detect(value) if type(value) is dict and "type" not in value else ()
    if looks:
        found = detection_text(looks[0])
        advice = "interlingua check judges requests, and interlingua show displays anything"
        run.remark(line, "looks", f"it looks like {found}, not like a stored message; {advice}")
