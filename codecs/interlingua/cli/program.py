"""Subclasses of Typer's program and commands, with clearer help and messages for usage errors."""

from __future__ import annotations

import os
import re
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

import typer
from typer.core import TyperCommand, TyperGroup

from interlingua.cli.exit_codes import ExitCode
from interlingua.registry import dialects
from interlingua.suggestions import did_you_mean, question

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

__all__ = ["Command", "Program"]

_CHOICE: Final = re.compile(r"'(?P<name>.*)' is not one of (?P<known>.*?)\.?$", re.DOTALL)


class Command(TyperCommand):
    """A command whose help describes arguments without their Python types."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the arguments and options."""
        for parameter in self.params:
            if parameter.param_type_name == "argument":
                vars(parameter)["display_type_rich"] = _no_type
        super().format_options(ctx, formatter)


class Program(TyperGroup):
    """The program, with advice for missing, misspelt and invalid options and arguments."""

    def make_context(self, *args: Any, **options: Any) -> Any:
        """Parse the arguments; this also prints the help and the version."""
        with _writing():
            return super().make_context(*args, **options)

    def invoke(self, ctx: Any) -> Any:
        """Run the command."""
        try:
            with _writing():
                return super().invoke(ctx)
        except typer.BadParameter as error:
            error.message = _missing(error.param) if hasattr(error, "param_type") else _wrong(error.message)
            raise
        except Exception as error:
            # Typer has no public name for the error of an unknown option.
            meant: Sequence[str] | None = getattr(error, "possibilities", None)
            if meant:
                vars(error).update(message=f"{error}{question(sorted(meant))}", possibilities=None)
            raise


def _no_type(ctx: Any) -> str:  # noqa: ARG001  # as Typer calls it
    return ""


@contextmanager
def _writing() -> Generator[None]:
    """Exit without a traceback if help or messages cannot be written.

    If a reader stops early, exit quietly.
    """
    try:
        yield
    except OSError as error:
        _abandon(sys.stdout)
        if isinstance(error, BrokenPipeError):
            raise typer.Exit from None
        typer.echo(f"interlingua: cannot write: {error.strerror}; free some space, or write elsewhere", err=True)
        raise typer.Exit(ExitCode.USAGE) from None


def _abandon(stream: Any) -> None:
    """Redirect a broken stream to the null device, since Python would report an error when it flushes at exit."""
    if stream is None:
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def _missing(parameter: Any) -> str:
    """Return the message for a missing argument or option."""
    said = getattr(parameter, "help", None) or ""
    if getattr(parameter, "metavar", None) == "DIALECT":
        said = f"{said.rstrip('.')}, one of {', '.join(dialects())}."
    return f"Expected: {said[:1].lower()}{said[1:]}".removesuffix(".") if said else ""


def _wrong(message: str) -> str:
    """Return the message for an invalid value, without internal wording of Typer and Pydantic."""
    message = message.removeprefix("Value error, ").partition(", unable to parse")[0]
    message = re.sub(r"^Input should be ", "it should be ", message)
    choice = _CHOICE.match(message)
    if choice is None or "did you mean" in message:
        return message
    known = re.findall(r"'([^']*)'", choice["known"])
    return f"{message.rstrip('.')}{did_you_mean(choice['name'], known)}"
