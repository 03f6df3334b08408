"""`interlingua dialects`: the names to use with `--from` and `--to`."""

from __future__ import annotations

import typer

from interlingua.registry import descriptor
from interlingua.registry import dialects as names

__all__ = ["dialects"]


def dialects() -> None:
    """List the dialects, one a line: the name, and what it speaks."""
    width = max(map(len, names()))
    for name in names():
        typer.echo(f"{name:<{width}}  {_described(name)}")


def _described(name: str) -> str:
    try:
        described = descriptor(name)
    except Exception as error:  # noqa: BLE001  # a third party's dialect that is broken must not hide the others
        return f"cannot be loaded: {type(error.__cause__ or error).__name__}"
    versions = ", ".join(described.api_versions)
    return f"{described.title}; API versions: {versions}" if versions else described.title
