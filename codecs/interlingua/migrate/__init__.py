"""Stored messages of any version, brought to another one: the tables of changes applied to plain JSON.

Upwards nothing is lost and nothing fails that its own version accepts. Downwards what has no place is reported. Neither
way changes its input; the result may share unchanged values with it.
"""

from interlingua.migrate.steps import Downgraded, Upgraded, downgrade, upgrade
from interlingua.migrate.versions import detect_version

__all__ = ["Downgraded", "Upgraded", "detect_version", "downgrade", "upgrade"]
