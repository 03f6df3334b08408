"""Fall back to an instruction in the prompt if the target cannot be forced to call a tool."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.rooms._shared.family_fitting import forces_a_tool
from interlingua.spi.extra import NOTHING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.loss import LossLog

_ANY: Final = "Answer with a call of one of the tools."
UNFORCED: Final = "these models do not accept a forced tool_choice: the instructions ask for a call in words"


def unforced_choice(choice: Mapping[str, Any], log: LossLog) -> Mapping[str, Any]:
    """Return a tool choice that forces no tool; `tool_choice_instruction` returns the instruction that replaces it."""
    if choice["mode"] in {"required", "named"}:
        log.lost("setting", "/tool_choice", UNFORCED)
        return {"mode": "auto"}
    if choice["mode"] == "subset" and choice.get("required"):
        log.lost("setting", "/tool_choice/required", UNFORCED)
        return {**choice, "required": False}
    return choice


def tool_choice_instruction(request: Any, fitted: Any, tools: Any) -> str | None:
    """Return an instruction to call a tool, if a request forces a call and its fitted form does not; else None.

    `tools` are the encoded tools: without any, there is nothing to call.
    """
    if not tools or not forces_a_tool(request):
        return None
    asked, left = request["tool_choice"], fitted.get("tool_choice", NOTHING)
    if asked["mode"] == "named":
        return None if left.get("mode") == "named" else f"Answer with a call of the tool {asked['name']}."
    return None if forces_a_tool(fitted) else _ANY
