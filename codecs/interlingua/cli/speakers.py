"""The dialects that options name."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from interlingua.errors import UnknownDialectError
from interlingua.registry import descriptor

if TYPE_CHECKING:
    from interlingua.spi.descriptor import Descriptor

__all__ = ["speaker_of"]


def speaker_of(dialect: str, option: str) -> Descriptor:
    """Return what is known of a dialect.

    Raises:
        typer.BadParameter: nobody speaks it, or its room cannot be loaded.
    """
    try:
        return descriptor(dialect)
    except UnknownDialectError as error:
        raise typer.BadParameter(str(error), param_hint=option) from None
    except Exception as error:  # a third party's room may fail in any way
        raise typer.BadParameter(
            f"{dialect} cannot be loaded: {type(error.__cause__ or error).__name__}", param_hint=option
        ) from error
