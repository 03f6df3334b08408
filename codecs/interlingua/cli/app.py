"""The program: its commands and global options."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

import interlingua as il
from interlingua.cli.check import check
from interlingua.cli.completion import InstallCompletion, ShowCompletion, prepare
from interlingua.cli.dialects import dialects
from interlingua.cli.diff import diff
from interlingua.cli.downgrade import downgrade
from interlingua.cli.exit_codes import EXPLANATION
from interlingua.cli.explain import explain
from interlingua.cli.program import Command, Program
from interlingua.cli.repair import repair
from interlingua.cli.serve import serve
from interlingua.cli.show import show
from interlingua.cli.stats import stats
from interlingua.cli.translate import translate
from interlingua.cli.upgrade import upgrade
from interlingua.cli.validate import validate
from interlingua.cli.writing import say

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["app"]

# Plain help, the same everywhere. No pretty tracebacks: they would show content of conversations.
app = typer.Typer(
    name="interlingua",
    cls=Program,
    add_completion=False,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
prepare()


def _print_version(wanted: bool) -> None:
    if wanted:
        say(f"interlingua {il.__version__}")
        raise typer.Exit


@app.callback(epilog=EXPLANATION)
def interlingua_program(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version and stop.")
    ] = False,
    install_completion: InstallCompletion = None,
    show_completion: ShowCompletion = None,
) -> None:
    """Translate between the message formats of language models, and keep stored messages readable."""


# The summaries in the list of commands; longer ones would be cut off.
_COMMANDS: Final[tuple[tuple[Callable[..., Any], str], ...]] = (
    (translate, "Translate requests, responses or a stream into another dialect."),
    (check, "Report what the provider would refuse in requests."),
    (repair, "Repair requests, so that their provider accepts them."),
    (diff, "Compare the meaning of two bodies, whatever their dialects."),
    (show, "Show conversations in readable form."),
    (stats, "Count the models, tools, tokens and losses in files."),
    (validate, "Report where documents break the schema."),
    (upgrade, "Upgrade stored messages to the current schema version."),
    (downgrade, "Downgrade stored messages to an older schema version."),
    (explain, "Explain the code of a loss, a violation or a repair."),
    (serve, "Run a proxy between any client and any provider."),
)
for command, said in _COMMANDS:
    app.command(cls=Command, epilog=EXPLANATION, no_args_is_help=True, short_help=said)(command)
app.command(cls=Command, short_help="List the dialects.")(dialects)
