"""The command line, `interlingua`.

It needs the extra `cli` and uses everything below; nothing imports it.
"""

from __future__ import annotations

import importlib
import sys
from typing import Final

__all__ = ["main"]

_NEEDED: Final = ("typer", "rich")


def main() -> None:
    """Run the command line and leave with its exit code; without the extra `cli`, say how to install it."""
    try:
        for name in _NEEDED:
            importlib.import_module(name)
    except ModuleNotFoundError as error:
        install = "pip install 'interlingua[cli]', or in a clone: pip install '.[cli]'"
        message = f"interlingua: the command line needs {error.name}; install it with: {install}"
        print(message, file=sys.stderr)  # noqa: T201  # the library that would print it is not there
        sys.exit(2)
    program = importlib.import_module("interlingua.cli.app").app
    program(args=importlib.import_module("interlingua.cli.options").with_values(sys.argv[1:]), prog_name="interlingua")
