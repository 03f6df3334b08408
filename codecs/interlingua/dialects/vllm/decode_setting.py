"""vLLM to canonical: the members of a request that only this room has."""

# A wire value is Any; narrowing it to dict or list leaves its members unknown, which is the truth about wire JSON.
# pyright: reportUnknownMemberType=none, reportUnknownArgumentType=none, reportUnknownVariableType=none
from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from interlingua.dialects._shared.extra import rest
from interlingua.dialects._shared.reading import OBJECT, expect, expect_integer
from interlingua.dialects.vllm.tables import HIDDEN, THINKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.dialects._chat_completions.vendor import Reader, Vendor
    from interlingua.dialects._shared.extra import Leftovers


def _read_template_arguments(
    request: dict[str, Any], value: Any, _body: dict[str, Any], _vendor: Vendor, left: Leftovers
) -> None:
    """Read whether to think; the other arguments of the template stay leftovers."""
    arguments = expect(value, OBJECT, "chat_template_kwargs")
    switch = arguments.get("enable_thinking")
    if type(switch) is bool:
        request.setdefault("reasoning", {})["mode"] = THINKING[switch]
        left.nest("chat_template_kwargs", rest(arguments, frozenset({"enable_thinking"})))
    else:
        left.fields["chat_template_kwargs"] = arguments


def _read_budget(request: dict[str, Any], value: Any, _body: dict[str, Any], _vendor: Vendor, _left: Leftovers) -> None:
    budget = expect_integer(value, "thinking_token_budget")
    request.setdefault("reasoning", {})["budget_tokens"] = budget


def _read_include_reasoning(
    request: dict[str, Any], value: Any, _body: dict[str, Any], _vendor: Vendor, left: Leftovers
) -> None:
    if value is False:
        request.setdefault("reasoning", {})["display"] = HIDDEN
    else:
        left.fields["include_reasoning"] = value


def _read_structured_outputs(
    request: dict[str, Any], value: Any, body: dict[str, Any], _vendor: Vendor, left: Leftovers
) -> None:
    """Read the schema of the answer; beside `response_format`, and for other grammars, it stays a leftover."""
    outputs = expect(value, OBJECT, "structured_outputs")
    wanted = {}
    if body.get("response_format") is None:
        if type(outputs.get("json")) is dict:
            wanted = {"json": {"type": "json_schema", "schema": outputs["json"]}}
        elif outputs.get("json_object") is True:
            wanted = {"json_object": {"type": "json_object"}}
    if not wanted:
        left.fields["structured_outputs"] = outputs
        return
    request["response_format"] = next(iter(wanted.values()))
    left.spelling["response_format"] = "structured_outputs"
    left.nest("structured_outputs", rest(outputs, frozenset(wanted)))


READERS: Final[Mapping[str, Reader]] = MappingProxyType({
    "chat_template_kwargs": _read_template_arguments,
    "thinking_token_budget": _read_budget,
    "include_reasoning": _read_include_reasoning,
    "structured_outputs": _read_structured_outputs,
})  # fmt: skip
