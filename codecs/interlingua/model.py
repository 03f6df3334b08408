"""The classes of the schema version that the code uses; this is the only place that selects it."""

from __future__ import annotations

from interlingua_types.current import *  # noqa: F403  # the purpose of this module is to re-export one version whole
