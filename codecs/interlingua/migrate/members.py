"""One message between version 1 and 2, member by member, as the table of changes says.

What the newer version added is set aside on the way up where an older document used the name for something of its own,
and is lost on the way down.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

from interlingua.errors import MigrationError
from interlingua.migrate.aside import put_back, set_aside
from interlingua.migrate.kinds import is_object
from interlingua.migrate.lowering import Scope
from interlingua.migrate.table import TypePlan, step_plan
from interlingua.migrate.versions import stated_version

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.loss import LossCode
    from interlingua.migrate.lowering import Conversation
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
_KINDS: Final[Mapping[str, str]] = {
    role: f"{role.capitalize()}Message" for role in ("system", "developer", "user", "assistant", "tool")
}
_PRINTED: Final = ("role", "tool_call_id", "id", "name", "content", "arguments", "tool_calls")
_BAG: Final = "extra"


def raise_message(message: Json) -> list[Json]:
    """Return a message of version 1 as version 2 writes it.

    Raises:
        MigrationError: the arguments of a call are no JSON value.
    """
    plan = step_plan(_OLDER, _NEWER)
    raised = _raise_value(message, plan.types.get(_kind(message), _UNCHANGED))
    if "schema_version" in message and stated_version(message) is not None:
        raised["schema_version"] = _NEWER
    calls = raised.get("tool_calls")
    if calls and raised["role"] == "assistant":
        raised["tool_calls"] = [_raise_call(call, plan.types["ToolCall"], order) for order, call in enumerate(calls)]
    return [raised]


def lower_message(message: Json, origin: Origin, index: int, conversation: Conversation) -> Json:
    """Return a message of version 2 as version 1 writes it; `index` is its place among the messages."""
    plan = step_plan(_OLDER, _NEWER)
    lowered = dict(message)
    scope = Scope(conversation, origin, index)
    variant = plan.variants.get(lowered["role"])
    if variant is not None:
        variant(lowered, scope)
    calls = lowered.get("tool_calls")
    if calls and lowered["role"] == "assistant":
        lowered["tool_calls"] = [
            _ordered(_lower_value(dict(call), plan.types["ToolCall"], Scope(conversation, origin, index, order)))
            for order, call in enumerate(calls)
        ]
    if stated_version(lowered) is not None:
        lowered["schema_version"] = _OLDER
    return _ordered(_lower_value(lowered, plan.types.get(_kind(lowered), _UNCHANGED), scope))


def _kind(message: Json) -> str:
    """Return the name of a message's type."""
    return _KINDS[message["role"]]


def _raise_call(call: Json, plan: TypePlan, order: int) -> Json:
    try:
        return _raise_value(call, plan)
    except ValueError as error:
        reason = str(error)
    raise MigrationError(_OLDER, f"/tool_calls/{order}/arguments", reason)


def _raise_value(value: Json, plan: TypePlan) -> Json:
    """Return a copy with every change of its type carried out."""
    raised = set_aside(value, plan.taken)
    for old, new in plan.renamed.items():
        if old in raised:
            raised[new] = raised.pop(old)
    raised.update(plan.defaults)
    for function in plan.upgrades:
        function(raised)
    return raised


def _lower_value(value: Json, plan: TypePlan, scope: Scope) -> Json:
    """Return the value, which is a copy already, with every change of its type taken back."""
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
    """Report a member that the older version does not have; of a bag, each owner's share."""
    if member == _BAG and is_object(value):
        for name in value:
            for place in scope.origin.every(member, name):
                scope.log.lost("extra", place, "version 1 has no place for it")
    elif value is not None:
        for place in scope.every(member):
            scope.log.lost(_CODES.get(member, "migration"), place, "version 1 has no place for it")
