"""Completion of commands, options and names: for the shell that is named, or the one that the program was started from.

Typer writes the scripts. Left to itself it takes no name, and a shell that starts another one, or a script, gets the
completion of the wrong shell.
"""

from __future__ import annotations

from typing import Annotated, Final

import typer
from typer import completion

from interlingua.suggestions import did_you_mean

__all__ = ["THIS", "InstallCompletion", "ShowCompletion", "prepare"]

THIS: Final = "this"
"""What stands for the shell that the program was started from."""
_SHELLS: Final = ("bash", "zsh", "fish", "powershell", "pwsh")


def prepare() -> None:
    """Let Typer answer the shells' questions, as it does where the options are its own."""
    completion.get_completion_inspect_parameters()


def _install(context: typer.Context, parameter: typer.CallbackParam, value: str | None) -> None:
    completion.install_callback(context, parameter, _wanted(value, parameter))


def _show(context: typer.Context, parameter: typer.CallbackParam, value: str | None) -> None:
    completion.show_callback(context, parameter, _wanted(value, parameter))


def _wanted(value: str | None, parameter: typer.CallbackParam) -> str | bool:
    """Return the name of a shell, or whether the one of the program is wanted. Raises `typer.BadParameter`."""
    if value is None or value == THIS:
        return value == THIS
    if value not in _SHELLS:
        known = ", ".join(_SHELLS)
        raise typer.BadParameter(
            f"{value!r} is not one of {known}{did_you_mean(value, _SHELLS)}", param_hint=parameter.opts[0]
        )
    return value


InstallCompletion = Annotated[
    str | None,
    typer.Option(
        "--install-completion",
        metavar="[SHELL]",
        callback=_install,
        is_eager=True,
        help="Install completion for bash, zsh, fish or powershell; without a name, for the current shell.",
    ),
]
ShowCompletion = Annotated[
    str | None,
    typer.Option(
        "--show-completion",
        metavar="[SHELL]",
        callback=_show,
        is_eager=True,
        help="Print the completion script for a shell, to be saved where that shell looks for it.",
    ),
]
