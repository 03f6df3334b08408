"""Names of tools and ids of calls: as they are at home and where they are not limited, else made acceptable."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interlingua.dialects._chat_completions.tables import ID_LIMIT, NAME_LIMIT
from interlingua.dialects._shared.names import safe_name

if TYPE_CHECKING:
    from interlingua.dialects._chat_completions.vendor import Vendor
    from interlingua.dialects._shared.target import Target


def wire_name(name: str, path: str, vendor: Vendor, to: Target) -> str:
    """Return the name of a tool as it goes out."""
    return name if to.home or not vendor.limited else safe_name(name, NAME_LIMIT, path, to.log)


def wire_identifier(identifier: str, path: str, vendor: Vendor, to: Target) -> str:
    """Return the id of a call as it goes out."""
    return identifier if to.home or not vendor.limited else safe_name(identifier, ID_LIMIT, path, to.log)
