"""The arguments and options that several commands share."""

from __future__ import annotations

import re
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeAlias, cast

import typer

import interlingua as il
from interlingua.cli.completion import THIS
from interlingua.cli.speakers import AUTO, source_names, target_names
from interlingua.concerns import CONCERNS
from interlingua.errors import EncodeError
from interlingua.frames import Form
from interlingua.strict_json import MAX_BYTES, RefusedError, parse
from interlingua.suggestions import did_you_mean, nearest, question

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from interlingua.loss_types import Concern, Strict

__all__ = [
    "LARGEST",
    "AsJson",
    "Defaults",
    "Dialect",
    "Files",
    "LossesTo",
    "MaxBytes",
    "Profile",
    "Quiet",
    "StoredDialect",
    "StreamForm",
    "StrictWord",
    "defaults_of",
    "dialect_option",
    "profile_of",
    "strict_of",
    "with_values",
]

LARGEST: Final = MAX_BYTES


def dialect_option(told: str, *flags: str, among: Callable[[str], list[str]] = target_names) -> Any:
    """Return the option of a parameter that names a dialect."""
    return typer.Option(*flags, metavar="DIALECT", help=told, autocompletion=among)


Files: TypeAlias = Annotated[
    list[str], typer.Argument(metavar="FILE", help="Files, folders, or - for standard input.", show_default=False)
]
Dialect: TypeAlias = Annotated[
    str,
    dialect_option("The dialect of the bodies; auto detects that of each.", "--from", "--dialect", among=source_names),
]
AsJson: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--json",
        help="Write what is told as lines of JSON, whole and exact: results to standard output, findings and losses "
        "to standard error.",
    ),
]
MaxBytes: TypeAlias = Annotated[
    int, typer.Option("--max-bytes", metavar="N", min=1, help="The largest document that is read, in bytes.")
]
LossesTo: TypeAlias = Annotated[
    str | None,
    typer.Option("--losses", metavar="FILE", help="Write the losses to this file, too, whole, as a JSON array."),
]
Defaults: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--default",
        metavar="NAME=VALUE",
        help="Fill a canonical member of the request that is absent, such as max_tokens=1000. "
        "The value is JSON; what is no JSON is text. May be given several times.",
    ),
]
Quiet: TypeAlias = Annotated[bool, typer.Option("--quiet", help="Do not print losses. Failures are still printed.")]
StreamForm: TypeAlias = Annotated[
    Form | None,
    typer.Option(
        "--form", help="How a stream is written; default: as its dialect does. The form of the input is detected."
    ),
]
StoredDialect: TypeAlias = Annotated[
    str | None,
    dialect_option("The dialect of the documents without a version; default: detected for each.", "--dialect"),
]
StrictWord: TypeAlias = Annotated[
    str,
    typer.Option(
        "--strict",
        metavar="WHAT",
        help="Write no body that loses this: true (what was said or asked for; so does --strict alone), all, "
        "or concerns such as content,contract.",
    ),
]
# What looks like a value of `--strict` and not like a path.
_WORDS: Final = re.compile(r"[a-z_]+(?:,[a-z_]+)*")
_STRICT: Final[Mapping[str, Strict]] = MappingProxyType({"none": False, "true": True, "all": "all"})
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
    # Whether it is one of the body's own dialect shows with the body.
    refused = [_refused(name, one) for one in (il.dialects() if dialect == AUTO else (dialect,))]
    if None in refused:
        return name
    errors = [error for error in refused if error is not None]
    meant = question([*dict.fromkeys(one for error in errors for one in error.suggestions)])
    said = f"no dialect has the profile {name!r}{meant}" if dialect == AUTO else str(errors[0])
    raise typer.BadParameter(said, param_hint="--profile")


def _refused(profile: str, dialect: str) -> il.UnknownProfileError | None:
    """Return the error for a profile that a dialect does not have, or None where it has it."""
    try:
        il.check_request({}, il.dialect(dialect), profile=profile)
    except il.UnknownProfileError as error:
        return error
    except (il.DialectError, il.UnsupportedError):  # a room without rules knows the name all the same
        pass
    return None


def with_values(arguments: list[str]) -> list[str]:
    """Return the arguments of the program with what options mean that stand alone: `--strict true`, and this shell."""
    out: list[str] = []
    for at, argument in enumerate(arguments):
        out.append(argument)
        following = arguments[at + 1] if at + 1 < len(arguments) else ""
        if argument == "--strict" and not is_strict_value(following) and not _is_meant(following, arguments[at + 2 :]):
            out.append("true")
        if argument in {"--install-completion", "--show-completion"} and following[:1] in {"", "-"}:
            out.append(THIS)
    return out


def is_strict_value(word: str) -> bool:
    """Tell whether a word is one that `--strict` takes: none, true, all, or concerns with commas between them."""
    return word in _STRICT or all(one in CONCERNS for one in word.split(","))


def _is_meant(word: str, behind: list[str]) -> bool:
    """Tell whether a wrong word is meant for `--strict`: it is no file, and nearly right, or a word before a file."""
    if not word or Path(word).exists():
        return False
    return bool(nearest(word, (*_STRICT, *CONCERNS)) or (_WORDS.fullmatch(word) and _names_an_input(behind[:1])))


def _names_an_input(words: list[str]) -> bool:
    return any(word == "-" or Path(word).exists() for word in words)


def strict_of(word: str) -> Strict:
    """Return what the library calls a value of `--strict`. Raises `typer.BadParameter`."""
    if word in _STRICT:
        return _STRICT[word]
    if not is_strict_value(word):
        known = ", ".join((*_STRICT, *CONCERNS))
        wrong = next(one for one in word.split(",") if one not in CONCERNS)
        if wrong in _STRICT:
            raise typer.BadParameter(f"{wrong!r} must be the only value", param_hint="--strict")
        meant = did_you_mean(wrong, (*_STRICT, *CONCERNS))
        raise typer.BadParameter(f"{wrong!r} is not one of {known}{meant}", param_hint="--strict")
    return frozenset(cast("list[Concern]", word.split(",")))


def defaults_of(given: list[str], target: str) -> Mapping[str, Any]:
    """Return the canonical members that `--default` names.

    Raises:
        typer.BadParameter: one has no `=`, or is nothing that a request can have.
    """
    if not given:
        return {}
    members: dict[str, Any] = {}
    for one in given:
        name, equals, text = one.partition("=")
        if not name or not equals:
            raise typer.BadParameter("expected NAME=VALUE, such as max_tokens=1000", param_hint="--default")
        members[name] = _value(text)
    try:
        il.encode_request({"messages": [], **members}, il.dialect(target))
    except EncodeError as error:
        raise typer.BadParameter(f"{error.path}: {error.reason}", param_hint="--default") from None
    return members


def _value(text: str) -> Any:
    """Return the JSON value that a text says, else the text itself."""
    try:
        return parse(text.encode())
    except (RefusedError, UnicodeEncodeError):
        return text
