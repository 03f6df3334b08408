"""`interlingua translate`: translate bodies from one dialect to another."""

from __future__ import annotations

from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

import interlingua as il
from interlingua.cli.options import (
    LARGEST,
    AsJson,
    Defaults,
    Dialect,
    Files,
    LossesTo,
    MaxBytes,
    Profile,
    Quiet,
    StreamForm,
    StrictWord,
    defaults_of,
    dialect_option,
    profile_of,
    strict_of,
)
from interlingua.cli.remarks import remark_on_members
from interlingua.cli.run import running
from interlingua.cli.source_detection import body_of
from interlingua.cli.speakers import AUTO, source_of_option, speaker_of
from interlingua.cli.stream import translate_streams

if TYPE_CHECKING:
    from collections.abc import Callable

    from interlingua.loss import Encoded

__all__ = ["Kind", "translate"]


class Kind(StrEnum):
    """The kind of the bodies."""

    REQUEST = "request"
    RESPONSE = "response"
    STREAM = "stream"


def translate(  # noqa: PLR0913  # one parameter an option
    files: Files,
    *,
    target: Annotated[str, dialect_option("The dialect of the output.", "--to")],
    source: Dialect = AUTO,
    kind: Annotated[Kind, typer.Option("--kind", help="The kind of the bodies.")] = Kind.REQUEST,
    model: Annotated[str | None, typer.Option("--model", metavar="M", help="Replace the request's model.")] = None,
    default: Defaults = None,
    api_version: Annotated[
        str | None,
        typer.Option(
            "--api-version",
            metavar="V",
            help="The API version to write; default: the newest, or as in the source within one dialect.",
        ),
    ] = None,
    profile: Profile = "auto",
    form: StreamForm = None,
    strict: StrictWord = "none",
    losses: LossesTo = None,
    quiet: Quiet = False,
    as_json: AsJson = False,
    max_bytes: MaxBytes = LARGEST,
) -> None:
    """Translate request bodies, response bodies or a stream from one dialect to another.

    FILE holds one JSON body, or one body per line (JSON Lines). Each becomes one compact line on standard output.
    Losses are reported on standard error: on a terminal by kind, at the end; otherwise one line per loss.

    With --kind stream, there is one FILE, and it holds one stream: server-sent events, NDJSON or a JSON array. Each
    frame is written as soon as possible; with --strict all frames are held back until the end.
    """
    source_of_option(source)
    versions = speaker_of(target, "--to").api_versions
    unlost = strict_of(strict)
    if kind is not Kind.REQUEST and (model is not None or default or api_version is not None):
        raise typer.BadParameter(
            "--model, --default and --api-version are for requests: leave them out", param_hint="--kind"
        )
    if kind is Kind.STREAM:
        with running(
            files,
            max_bytes=max_bytes,
            losses=losses,
            quiet=quiet,
            as_json=as_json,
            options=("--from", "--to", "--kind"),
        ) as run:
            translate_streams(run, source, target, form=form, strict=unlost)
        return
    if form is not None:
        raise typer.BadParameter("--form is for streams: add --kind stream, or leave it out", param_hint="--kind")
    convert: Callable[..., Encoded]
    if kind is Kind.RESPONSE:
        convert = partial(il.translate_response, target=il.dialect(target), strict=unlost)
    else:
        if api_version is not None and api_version not in versions:
            known = ", ".join(versions) or "none"
            raise typer.BadParameter(f"{target} has no such version; known are: {known}", param_hint="--api-version")
        convert = partial(
            il.translate_request,
            target=il.dialect(target),
            strict=unlost,
            model=model,
            defaults=defaults_of(default or [], target),
            api_version=api_version,
            profile=profile_of(profile, target),
        )
    convert_object = partial(_convert, convert, source, kind)
    with running(
        files, max_bytes=max_bytes, losses=losses, quiet=quiet, as_json=as_json, options=("--from", "--to", "--kind")
    ) as run:
        for document in run.documents():
            done = run.attempt(document.line, convert_object, document.value)
            if done is not None:
                body, said_in, encoded = done
                if kind is Kind.REQUEST:
                    remark_on_members(run, document.line, body, said_in, refused=True)
                run.losses(document.line, encoded.losses)
                run.write(document.line, encoded.body)


def _convert(
    convert: Callable[..., Encoded], dialect: str, kind: Kind, value: Any
) -> tuple[dict[str, Any], str, Encoded]:
    """Return a body, its dialect, and its translation. Raises the errors of the translating function."""
    body, source = body_of(value, dialect, kind.value)
    return body, source, convert(body, source)
