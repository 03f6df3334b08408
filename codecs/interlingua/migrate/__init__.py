"""Migrates stored messages between schema versions, by applying the tables of changes to plain JSON.

Upgrades lose nothing, and never fail on a document that its own version accepts. Downgrades report what has no place.
The input is never modified; the result may share unchanged values with it.
"""

from interlingua.migrate.steps import Downgraded, Upgraded, downgrade, upgrade
from interlingua.migrate.versions import detect_version

__all__ = ["Downgraded", "Upgraded", "detect_version", "downgrade", "upgrade"]
