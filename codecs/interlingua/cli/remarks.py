"""Remarks on requests: possible mistakes that are not failures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import interlingua as il
from interlingua.suggestions import question

if TYPE_CHECKING:
    from interlingua.cli.run import Run

__all__ = ["remark_on_members"]


def remark_on_members(run: Run, line: int, body: dict[str, Any], dialect: str, *, refused: bool) -> None:
    """Report the misspelt members of a request; with `refused`, also those that the provider refuses."""
    for one in il.find_misspelt(body, il.dialect(dialect)):
        if refused or not one.is_refused:
            name = one.path.rpartition("/")[2]
            does = "refuses" if one.is_refused else "ignores"
            run.remark(
                line, name, f"at {one.path}: {dialect} {does} this member, which it does not know{question(one.meant)}"
            )
