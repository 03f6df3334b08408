"""The arguments and options that several commands share."""

from __future__ import annotations

from typing import Annotated, Final, TypeAlias

import typer

import interlingua as il
from interlingua.frames import Form
from interlingua.strict_json import MAX_BYTES

__all__ = ["LARGEST", "File", "LossesTo", "MaxBytes", "Profile", "Quiet", "StoredDialect", "StreamForm", "profile_of"]

LARGEST: Final = MAX_BYTES

File: TypeAlias = Annotated[str, typer.Argument(metavar="FILE|-", help="A file, or - for standard input.")]
MaxBytes: TypeAlias = Annotated[int, typer.Option("--max-bytes", metavar="N", min=1, help="The largest document.")]
LossesTo: TypeAlias = Annotated[
    str | None, typer.Option("--losses", metavar="FILE", help="Write the losses to this file, too, as a JSON array.")
]
Quiet: TypeAlias = Annotated[bool, typer.Option("--quiet", help="Show no table of losses. Failures are still told.")]
StreamForm: TypeAlias = Annotated[
    Form | None,
    typer.Option("--form", help="How a stream is written; absent means as its dialect does. The input tells its own."),
]
StoredDialect: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--dialect",
        metavar="DIALECT",
        help="The dialect of the documents that state no version; absent means: look at each.",
    ),
]
Profile: TypeAlias = Annotated[
    str,
    typer.Option(
        "--profile",
        metavar="NAME",
        help="The family of models, or the model, that requests are for: auto looks at their model, none at nothing.",
    ),
]


def profile_of(name: str, dialect: str) -> str | None:
    """Return what the library calls the profile of a name. Raises `typer.BadParameter`."""
    if name in {"auto", "none"}:
        return None if name == "none" else name
    try:
        il.check_request({}, dialect, profile=name)
    except il.UnknownProfileError as error:
        raise typer.BadParameter(str(error), param_hint="--profile") from None
    except il.UnsupportedError:  # a room without rules knows the name all the same
        pass
    return name
