"""Examples of a tool's input, which only some dialects have: other dialects get them in the tool's description.

Source: docs/wire/claude.md, section 1.3.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeGuard, cast

from interlingua.spi.extra import NOTHING, own_extra, with_extras
from interlingua.tool_arguments import arguments_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.loss import LossLog
    from interlingua.model_shapes import ChatRequest
    from interlingua.spi.descriptor import Descriptor

__all__ = ["with_examples_in_descriptions"]

_ADDED: Final = "the examples of the tool's input were added to its description"
_HEADING: Final = "Input examples:"


def with_examples_in_descriptions(request: ChatRequest, source: Descriptor, log: LossLog) -> ChatRequest:
    """Return a request whose functions have the examples of their input in their descriptions."""
    tools = [_with_examples(tool, f"/tools/{at}", source, log) for at, tool in enumerate(request.get("tools", ()))]
    return cast("ChatRequest", {**request, "tools": tools})


def _are_objects(value: Any) -> TypeGuard[list[dict[str, Any]]]:
    return type(value) is list and {*map(type, cast("Any", value))} == {dict}


def _with_examples(tool: Mapping[str, Any], path: str, source: Descriptor, log: LossLog) -> Mapping[str, Any]:
    bag = own_extra(tool, source.dialect)
    fields = bag.get("fields", NOTHING)
    examples: Any = fields.get(source.tool_examples)
    if tool["type"] != "function" or not _are_objects(examples):
        return tool
    said = "\n".join((_HEADING, *(arguments_text(one) for one in examples)))
    if tool.get("description"):
        log.changed("tool", f"{path}/description", _ADDED)
        said = f"{tool['description']}\n\n{said}"
    else:
        log.filled(f"{path}/description", _ADDED)
    left = {name: value for name, value in fields.items() if name != source.tool_examples}
    return with_extras({**tool, "description": said}, {source.dialect: {**bag, "fields": left}})
