"""Options for shell completion: for a named shell, or for the one that started the program.

Typer writes the scripts. Its own options take no shell name, so that a script, or a shell started from another one,
would get the completion for the wrong shell.
"""

from __future__ import annotations

from typing import Annotated, Final

import typer
from typer import completion

from interlingua.suggestions import did_you_mean

__all__ = ["THIS", "InstallCompletion", "ShowCompletion", "prepare"]

THIS: Final = "this"
"""The option value for the shell that started the program."""
_SHELLS: Final = ("bash", "zsh", "fish", "powershell", "pwsh")


def prepare() -> None:
    """Enable Typer's answers to completion requests, which it enables only with its own options."""
    completion.get_completion_inspect_parameters()


def _install(context: typer.Context, parameter: typer.CallbackParam, value: str | None) -> None:
    completion.install_callback(context, parameter, _wanted(value, parameter))


def _show(context: typer.Context, parameter: typer.CallbackParam, value: str | None) -> None:
    completion.show_callback(context, parameter, _wanted(value, parameter))


def _wanted(value: str | None, parameter: typer.CallbackParam) -> str | bool:
    """Return the name of a shell, or True for the shell that started the program. Raises `typer.BadParameter`."""
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
