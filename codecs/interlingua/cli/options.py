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
    """Return an option for a dialect name."""
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
        help="Write the output as lines of JSON, complete and exact: results to standard output, findings and losses "
        "to standard error.",
    ),
]
MaxBytes: TypeAlias = Annotated[
    int, typer.Option("--max-bytes", metavar="N", min=1, help="The largest document that is read, in bytes.")
]
LossesTo: TypeAlias = Annotated[
    str | None,
    typer.Option("--losses", metavar="FILE", help="Also write all losses to this file, as a JSON array."),
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
        help="Refuse bodies with losses of these kinds: true (content, contract and tuning; also --strict alone), all, "
        "or concerns such as content,contract.",
    ),
]
# Looks like a value of `--strict` and not like a path.
_WORDS: Final = re.compile(r"[a-z_]+(?:,[a-z_]+)*")
_STRICT: Final[Mapping[str, Strict]] = MappingProxyType({"none": False, "true": True, "all": "all"})
Profile: TypeAlias = Annotated[
    str,
    typer.Option(
        "--profile",
        metavar="NAME",
        help="The model family, or the model, that requests are for: auto uses their model, none no family.",
    ),
]


def profile_of(name: str, dialect: str) -> str | None:
    """Return the library's value for a `--profile` option. Raises `typer.BadParameter`."""
    if name in {"auto", "none"}:
        return None if name == "none" else name
    # With `auto`, whether the profile belongs to a body's dialect is checked for each body.
    refused = [_refused(name, one) for one in (il.dialects() if dialect == AUTO else (dialect,))]
    if None in refused:
        return name
    errors = [error for error in refused if error is not None]
    meant = question([*dict.fromkeys(one for error in errors for one in error.suggestions)])
    said = f"no dialect has the profile {name!r}{meant}" if dialect == AUTO else str(errors[0])
    raise typer.BadParameter(said, param_hint="--profile")


def _refused(profile: str, dialect: str) -> il.UnknownProfileError | None:
    """Return the error for a profile that a dialect does not have, or None."""
    try:
        il.check_request({}, il.dialect(dialect), profile=profile)
    except il.UnknownProfileError as error:
        return error
    except (il.DialectError, il.UnsupportedError):  # third-party rooms without rules may still know the profile
        pass
    return None


def with_values(arguments: list[str]) -> list[str]:
    """Return the arguments with the implied values of options without one: `--strict true`, and the current shell."""
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
    """Tell whether a word is a value of `--strict`: none, true, all, or concerns separated by commas."""
    return word in _STRICT or all(one in CONCERNS for one in word.split(","))


def _is_meant(word: str, behind: list[str]) -> bool:
    """Tell whether an invalid word was meant for `--strict`: not a file, and nearly valid or followed by a file."""
    if not word or Path(word).exists():
        return False
    return bool(nearest(word, (*_STRICT, *CONCERNS)) or (_WORDS.fullmatch(word) and _names_an_input(behind[:1])))


def _names_an_input(words: list[str]) -> bool:
    return any(word == "-" or Path(word).exists() for word in words)


def strict_of(word: str) -> Strict:
    """Return the library's value for a `--strict` option. Raises `typer.BadParameter`."""
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
    """Return the canonical members that `--default` options set.

    Raises:
        typer.BadParameter: an option has no `=`, or a request has no such member or value.
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
    """Return the JSON value of a text, or the text itself if it is not JSON."""
    try:
        return parse(text.encode())
    except (RefusedError, UnicodeEncodeError):
        return text
