"""How the program and its commands speak for themselves: help, and what is wrong with how they were called."""

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
    """A command whose help says what an argument is, not the type that Python has for it."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the arguments and options."""
        for parameter in self.params:
            if parameter.param_type_name == "argument":
                vars(parameter)["display_type_rich"] = _no_type
        super().format_options(ctx, formatter)


class Program(TyperGroup):
    """The program, which says what to do about options and arguments that are missing, misspelt or wrong."""

    def make_context(self, *args: Any, **options: Any) -> Any:
        """Read the arguments; help and the version are written meanwhile."""
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
            # Typer keeps the class of an unknown option to itself.
            meant: Sequence[str] | None = getattr(error, "possibilities", None)
            if meant:
                vars(error).update(message=f"{error}{question(sorted(meant))}", possibilities=None)
            raise


def _no_type(ctx: Any) -> str:  # noqa: ARG001  # as Typer calls it
    return ""


@contextmanager
def _writing() -> Generator[None]:
    """End the program without a traceback where nobody takes what it writes beside its documents.

    A reader that stops early ends it quietly.
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
    """Let what is left go nowhere: nobody takes it, and Python would complain when it flushes at exit."""
    if stream is None:
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def _missing(parameter: Any) -> str:
    """Return what is to be said with an argument or option that is not there."""
    said = getattr(parameter, "help", None) or ""
    if getattr(parameter, "metavar", None) == "DIALECT":
        said = f"{said.rstrip('.')}, one of {', '.join(dialects())}."
    return f"Expected: {said[:1].lower()}{said[1:]}".removesuffix(".") if said else ""


def _wrong(message: str) -> str:
    """Return what is wrong with a value, without the words of the machinery."""
    message = message.removeprefix("Value error, ").partition(", unable to parse")[0]
    message = re.sub(r"^Input should be ", "it should be ", message)
    choice = _CHOICE.match(message)
    if choice is None:
        return message
    known = re.findall(r"'([^']*)'", choice["known"])
    return f"{message.rstrip('.')}{did_you_mean(choice['name'], known)}"
