"""Generates docs/reference/commands.md: every command with its arguments and options, from their help texts."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator
from enum import Enum
from pathlib import Path
from types import NoneType
from typing import Annotated, Any, Final, get_args, get_origin, get_type_hints

from typer.models import OptionInfo, ParameterInfo

from interlingua.cli.app import app
from interlingua.cli.exit_codes import EXPLANATION

PAGE: Final = Path(__file__).resolve().parents[1] / "docs" / "reference" / "commands.md"
_HEAD: Final = """# Commands

Every command with its arguments and options, generated from the output of `-h`. [Command line](../cli.md) explains
their use with examples, [bad input](../bad_input.md) the messages for input that cannot be read.
"""


def page() -> str:
    """Return the text of the page."""
    lines = [_HEAD]
    for command in app.registered_commands:
        callback: Any = command.callback
        lines += [f"## interlingua {command.name or callback.__name__}", "", *_described(callback), *_options(callback)]
    codes = [line.split(maxsplit=1) for line in EXPLANATION.splitlines() if line.startswith("  ")]
    rows = [f"| {code} | {means} |" for code, means in codes]
    return "\n".join([*lines, "## Exit codes", "", "| code | means |", "| --- | --- |", *rows, ""])


def _described(command: Callable[..., Any]) -> Iterator[str]:
    """Yield the help text of a command."""
    for paragraph in (inspect.getdoc(command) or "").split("\n\n"):
        yield _plain(paragraph)
        yield ""


def _options(command: Callable[..., Any]) -> Iterator[str]:
    """Yield the table of a command's arguments and options."""
    hints = get_type_hints(command, include_extras=True)
    yield from ("| argument or option | means | without it |", "| --- | --- | --- |")
    for name, parameter in inspect.signature(command).parameters.items():
        kind, *notes = get_args(hints[name]) if get_origin(hints[name]) is Annotated else [hints[name]]
        info = next(note for note in notes if isinstance(note, ParameterInfo))
        yield _row(name, kind, info, parameter.default)
    yield ""


def _row(name: str, kind: Any, info: ParameterInfo, default: Any) -> str:
    """Return a row of the table: the option, its meaning, and its default."""
    first = [info.default] if isinstance(info.default, str) else []  # Typer stores the first name there
    names = ", ".join([*first, *(info.param_decls or ())])
    written = [names] if isinstance(info, OptionInfo) else []
    if kind is not bool:
        written.append(info.metavar or _words(kind) or name.upper())
    return f"| `{' '.join(written)}` | {_plain(info.help or '')} | {_without(info, default)} |"


def _without(info: ParameterInfo, default: Any) -> str:
    """Return the default of an argument or option."""
    if isinstance(info.show_default, str):
        return info.show_default
    value = getattr(default, "value", default)
    if default is inspect.Parameter.empty:
        return "must be said"
    return f"`{value}`" if value is not False and (value or value == 0) else ""


def _words(kind: Any) -> str:
    """Return the possible values, if there is a closed list."""
    kinds = [one for one in get_args(kind) if one is not NoneType] or [kind]
    if isinstance(kinds[0], type) and issubclass(kinds[0], Enum):
        return "{" + ", ".join(str(one.value) for one in kinds[0]) + "}"
    words: list[Any] = [word for one in kinds for word in (get_args(one) or [one])]
    return "{" + ", ".join(words) + "}" if all(isinstance(word, str) for word in words) else ""


def _plain(text: str) -> str:
    """Return a text in one line, with Markdown characters escaped."""
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*")


if __name__ == "__main__":
    if sys.argv[1:] == ["--check"]:
        sys.exit(PAGE.read_text(encoding="utf-8") != page())
    PAGE.write_text(page(), encoding="utf-8")
