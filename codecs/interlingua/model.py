"""The one line that says which schema version the code speaks."""

from __future__ import annotations

from interlingua_types.current import *  # noqa: F403  # the purpose of this module is to re-export one version whole
