"""Chat conversations: message factories, history, order checks, repair, and views for several assistants.

Each name is imported on first use, since repairing a plain request needs no models.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from interlingua.lazy_imports import lazy_getattr

if TYPE_CHECKING:
    from interlingua.chat.factories import (
        create_assistant,
        create_developer,
        create_message,
        create_system,
        create_tool_result,
        create_user,
    )
    from interlingua.chat.flattening import Flattened, flatten, flatten_contents
    from interlingua.chat.history import ConversationHistory
    from interlingua.chat.history_rules import FREE, ORDER_RULES, STRICT, HistoryRules, OrderRule, rules_of
    from interlingua.chat.order import OrderViolation, check_order
    from interlingua.chat.reading import load
    from interlingua.chat.repair import Repaired, repair_plain_request, repair_request
    from interlingua.chat.repair_log import REPAIR_CODES, Repair, RepairAction, RepairCode
    from interlingua.chat.snapshot import Messages
    from interlingua.chat.speakers import View, attributed, view_of

_NAMES: Final[dict[str, tuple[str, ...]]] = {
    "factories": (
        "create_assistant",
        "create_developer",
        "create_message",
        "create_system",
        "create_tool_result",
        "create_user",
    ),
    "flattening": ("Flattened", "flatten", "flatten_contents"),
    "history": ("ConversationHistory",),
    "history_rules": ("FREE", "ORDER_RULES", "STRICT", "HistoryRules", "OrderRule", "rules_of"),
    "order": ("OrderViolation", "check_order"),
    "reading": ("load",),
    "repair": ("Repaired", "repair_plain_request", "repair_request"),
    "repair_log": ("REPAIR_CODES", "Repair", "RepairAction", "RepairCode"),
    "snapshot": ("Messages",),
    "speakers": ("View", "attributed", "view_of"),
}
_HOMES: Final = {name: home for home, names in _NAMES.items() for name in names}

__all__ = [
    "FREE",
    "ORDER_RULES",
    "REPAIR_CODES",
    "STRICT",
    "ConversationHistory",
    "Flattened",
    "HistoryRules",
    "Messages",
    "OrderRule",
    "OrderViolation",
    "Repair",
    "RepairAction",
    "RepairCode",
    "Repaired",
    "View",
    "attributed",
    "check_order",
    "create_assistant",
    "create_developer",
    "create_message",
    "create_system",
    "create_tool_result",
    "create_user",
    "flatten",
    "flatten_contents",
    "load",
    "repair_plain_request",
    "repair_request",
    "rules_of",
    "view_of",
]


__getattr__ = lazy_getattr(__name__, _HOMES)


def __dir__() -> list[str]:
    """Return the public names."""
    return sorted(__all__)
