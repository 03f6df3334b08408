"""Options that name dialects."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import typer

from interlingua.errors import UnknownDialectError
from interlingua.registry import descriptor, dialects

if TYPE_CHECKING:
    from interlingua.spi.descriptor import Descriptor

__all__ = ["AUTO", "source_names", "source_of_option", "speaker_of", "target_names"]

AUTO: Final = "auto"
"""The option value for the detected dialect."""


def speaker_of(dialect: str, option: str) -> Descriptor:
    """Return the descriptor of a dialect.

    Raises:
        typer.BadParameter: there is no such dialect, or its room cannot be loaded.
    """
    try:
        return descriptor(dialect)
    except UnknownDialectError as error:
        raise typer.BadParameter(str(error), param_hint=option) from None
    except Exception as error:  # a third-party room may fail in any way
        raise typer.BadParameter(
            f"{dialect} cannot be loaded: {type(error.__cause__ or error).__name__}", param_hint=option
        ) from error


def source_of_option(dialect: str, option: str = "--from") -> None:
    """Check that a name is a dialect or `auto`. Raises `typer.BadParameter`."""
    if dialect != AUTO:
        speaker_of(dialect, option)


def target_names(incomplete: str) -> list[str]:
    """Return the dialects with this prefix, for shell completion."""
    return [name for name in dialects() if name.startswith(incomplete)]


def source_names(incomplete: str) -> list[str]:
    """Return the dialects with this prefix, and `auto`."""
    return [name for name in (AUTO, *dialects()) if name.startswith(incomplete)]
