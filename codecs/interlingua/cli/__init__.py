"""The command line, `interlingua`. It needs the extra `cli`; no other module imports it."""

from __future__ import annotations

import importlib
import sys
from typing import Final

from interlingua.errors.resources import how_to_install

__all__ = ["main"]

_NEEDED: Final = ("typer", "rich")


def main() -> None:
    """Run the command line and exit with its exit code; without the extra `cli`, print how to install it."""
    try:
        for name in _NEEDED:
            importlib.import_module(name)
    except ModuleNotFoundError as error:
        message = f"interlingua: the command line needs {error.name}; {how_to_install('cli')}"
        print(message, file=sys.stderr)  # noqa: T201  # the library that would print it is not there
        sys.exit(2)
    program = importlib.import_module("interlingua.cli.app").app
    program(args=importlib.import_module("interlingua.cli.options").with_values(sys.argv[1:]), prog_name="interlingua")
