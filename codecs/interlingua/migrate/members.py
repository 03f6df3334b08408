"""Converts a message between versions 1 and 2, member by member, by the table of changes.

A member that the newer version added is set aside by an upgrade if the older document used the name for something else,
and lost by a downgrade.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

from interlingua.errors import MigrationError
from interlingua.json_types import is_object
from interlingua.migrate.downgrade_scope import Scope
from interlingua.migrate.table import TypePlan, step_plan
from interlingua.migrate.unknown_members import put_back, set_aside
from interlingua.migrate.versions import stated_version
from interlingua_types.unions import UNIONS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.loss import LossCode
    from interlingua.migrate.downgrade_scope import Conversation
    from interlingua.migrate.origin import Origin

Json: TypeAlias = dict[str, Any]

_OLDER: Final = 1
_NEWER: Final = 2
_UNCHANGED: Final = TypePlan()
_CODES: Final[Mapping[str, LossCode]] = {
    "call_id": "local_id",
    "id": "local_id",
    "reasoning": "reasoning",
    "refusal": "refusal",
}
_KINDS: Final = UNIONS[_NEWER]["message"].variants
_PRINTED: Final = ("role", "tool_call_id", "id", "name", "content", "arguments", "tool_calls")
_BAG: Final = "extra"


def upgrade_message(message: Json) -> list[Json]:
    """Return a version 1 message in version 2.

    Raises:
        MigrationError: the arguments of a call are not JSON.
    """
    plan = step_plan(_OLDER, _NEWER)
    upgraded = _upgrade_value(message, plan.types.get(_kind(message), _UNCHANGED))
    if "schema_version" in message and stated_version(message) is not None:
        upgraded["schema_version"] = _NEWER
    calls = upgraded.get("tool_calls")
    if calls and upgraded["role"] == "assistant":
        upgraded["tool_calls"] = [
            _upgrade_call(call, plan.types["ToolCall"], order) for order, call in enumerate(calls)
        ]
    return [upgraded]


def downgrade_message(message: Json, origin: Origin, index: int, conversation: Conversation) -> Json:
    """Return a version 2 message in version 1; `index` is its index among the messages."""
    plan = step_plan(_OLDER, _NEWER)
    downgraded = dict(message)
    scope = Scope(conversation, origin, index)
    variant = plan.older_variants.get(("Message", downgraded["role"]))
    if variant is not None:
        variant(downgraded, scope)
    calls = downgraded.get("tool_calls")
    if calls and downgraded["role"] == "assistant":
        downgraded["tool_calls"] = [
            _ordered(_downgrade_value(dict(call), plan.types["ToolCall"], Scope(conversation, origin, index, order)))
            for order, call in enumerate(calls)
        ]
    if stated_version(downgraded) is not None:
        downgraded["schema_version"] = _OLDER
    return _ordered(_downgrade_value(downgraded, plan.types.get(_kind(downgraded), _UNCHANGED), scope))


def _kind(message: Json) -> str:
    """Return the name of a message's type."""
    return _KINDS[message["role"]]


def _upgrade_call(call: Json, plan: TypePlan, order: int) -> Json:
    try:
        return _upgrade_value(call, plan)
    except ValueError as error:
        reason = str(error)
    raise MigrationError(_OLDER, f"/tool_calls/{order}/arguments", reason)


def _upgrade_value(value: Json, plan: TypePlan) -> Json:
    """Return a copy with every change of its type applied."""
    upgraded = set_aside(value, plan.taken)
    for old, new in plan.renamed.items():
        if old in upgraded:
            upgraded[new] = upgraded.pop(old)
    upgraded.update(plan.defaults)
    for function in plan.upgrades:
        function(upgraded)
    return upgraded


def _downgrade_value(value: Json, plan: TypePlan, scope: Scope) -> Json:
    """Return the value, which is already a copy, with every change of its type reverted."""
    for function in plan.downgrades:
        function(value, scope)
    for member in plan.added:
        if member in value:
            _report(member, value.pop(member), scope)
    for old, new in plan.renamed.items():
        if old in value:
            scope.log.lost("member", scope.at(old), "version 1 has another meaning for the name")
            del value[old]
        if new in value:
            value[old] = value.pop(new)
    return put_back(value, plan.taken)


def _ordered(value: Json) -> Json:
    """Return a message or call with its known members in the order in which 004 prints them."""
    return {name: value[name] for name in _PRINTED if name in value} | value


def _report(member: str, value: Any, scope: Scope) -> None:
    """Report a member that the older version does not have; for `extra`, each dialect's part."""
    if member == _BAG and is_object(value):
        for name in value:
            for place in scope.origin.every(member, name):
                scope.log.lost("extra", place, "version 1 has no place for it")
    elif value is not None:
        for place in scope.every(member):
            scope.log.lost(_CODES.get(member, "migration"), place, "version 1 has no place for it")
