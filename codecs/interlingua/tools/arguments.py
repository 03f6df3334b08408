"""Checks and reads the arguments of a tool call by the tool's definition."""

from __future__ import annotations

from typing import Any, Final, TypeAlias

from interlingua.absent_members import without_nulls
from interlingua.argument_checks import check_kind_of
from interlingua.model import ToolCall, ToolDefinition
from interlingua.tool_arguments import is_blank
from interlingua.violation import Violation
from interlingua_types._base import InvalidArgumentError

Json: TypeAlias = dict[str, Any]

_ANYTHING: Final[Json] = {"type": "object"}


def check_arguments(call: ToolCall, definition: ToolDefinition) -> list[Violation]:
    """Return the violations of a tool's definition by the arguments of a call; an empty list if they are valid.

    `code` is `arguments` if they are not a JSON object, have a duplicate member, or break any other rule; `required`,
    `member` (one that the schema does not have), `shape` (another JSON type), `limit`; `name` if the call is of another
    tool; `schema` if the definition's schema is invalid. `path` is a JSON Pointer into the arguments. At most ten are
    returned, and none shows an argument's value. The definition is not trusted: nothing is fetched, and the time is
    bounded.

    Args:
        call: The call.
        definition: The definition of its tool.

    Example:
        >>> def weather(city: str) -> str:
        ...     "Return the weather of a city."
        ...     return "31 degrees"
        >>> call = il.ToolCall.create("weather", {"town": "Rome"}, "call_1")
        >>> [(one.code, one.path) for one in il.tools.check_arguments(call, il.tools.define(weather))]
        [('member', ''), ('required', '/city')]
    """
    check_kind_of(call, ToolCall)
    check_kind_of(definition, ToolDefinition)
    if call.name != definition.name:
        return [Violation("name", "", "the call is for another tool")]
    try:
        arguments = read_arguments(call, definition)
    except InvalidArgumentError:
        return [Violation("arguments", "", "the arguments are not a JSON object, or have a member twice")]
    from interlingua.tools.schema_checks import schema_violations  # noqa: PLC0415  # loads jsonschema, on first use

    return schema_violations(arguments, _ANYTHING if definition.parameters is None else definition.parameters)


def read_arguments(call: ToolCall, definition: ToolDefinition) -> Json:
    """Return the arguments of a call as an object, a copy that may be modified; blank text and null mean none.

    OpenAI requires a model to state every argument of a strict tool, with null for none. Such a null is removed, at any
    depth, if by the definition the argument is optional and does not accept null.

    Args:
        call: The call.
        definition: The definition of its tool.

    Raises:
        InvalidArgumentError: they are not a JSON object, or have a duplicate member.

    Example:
        >>> def weather(city: str) -> str:
        ...     "Return the weather of a city."
        ...     return "31 degrees"
        >>> il.tools.read_arguments(il.ToolCall.create("weather", {"city": "Rome"}, "call_1"), il.tools.define(weather))
        {'city': 'Rome'}
    """
    check_kind_of(call, ToolCall)
    check_kind_of(definition, ToolDefinition)
    if is_blank(call.arguments):
        return {}
    arguments = call.arguments_object()
    schema = definition.parameters
    if not definition.strict or schema is None:
        return arguments
    return without_nulls(arguments, schema)
