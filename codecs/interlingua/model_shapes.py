"""The TypedDicts of the same schema version as `interlingua.model`, which rooms read and write."""

from __future__ import annotations

from interlingua_types.current.shapes import *  # noqa: F403  # the purpose of this module is to re-export one version whole
