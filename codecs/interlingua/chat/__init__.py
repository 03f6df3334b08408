"""Conversations as models are told them: their order, judged and mended."""

from __future__ import annotations

from interlingua.chat.repair import Repaired, repair_plain_request, repair_request
from interlingua.chat.repair_log import REPAIR_CODES, Repair, RepairAction, RepairCode

__all__ = [
    "REPAIR_CODES",
    "Repair",
    "RepairAction",
    "RepairCode",
    "Repaired",
    "repair_plain_request",
    "repair_request",
]
