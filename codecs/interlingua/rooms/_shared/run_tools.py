"""Write calls and results of tools that another model's provider ran as text, for models of the same dialect.

Source: docs/decisions/0010-server-tools.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.rooms._shared.paragraph_breaks import with_paragraph_breaks

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from interlingua.loss import LossLog
    from interlingua.spi.opaque_text import OpaqueText

_TOLD: Final = "these models do not accept calls and results of such a tool: its text is sent"
_UNTOLD: Final = "these models do not accept calls and results of such a tool"


def with_run_tools_as_text(
    messages: list[Any],
    dialect: str,
    is_of_tool: Callable[[Any], bool],
    read: Callable[[Sequence[Any]], Sequence[OpaqueText | None]],
    log: LossLog,
) -> list[Any]:
    """Return messages with texts for opaque parts of answers of which `is_of_tool` is true; losses go to the log.

    `read` returns the texts of such parts; a part without one is left out.
    """
    told: dict[int, list[int]] = {}
    out = [*messages]
    for index, message in enumerate(messages):
        content: Any = message.get("content") if message["role"] == "assistant" else None
        if type(content) is not list:
            continue
        at_tools = [at for at, part in enumerate(content) if _is_own(part, dialect) and is_of_tool(part["data"])]
        if not at_tools:
            continue
        texts = dict(zip(at_tools, read([content[at]["data"] for at in at_tools]), strict=True))
        parts: list[Any] = []
        told[index] = []
        for at, part in enumerate(content):
            text = texts.get(at)
            if text is not None:
                told[index].append(len(parts))
                log.changed("part", f"/messages/{index}/content/{at}", _TOLD)
            elif at in texts:
                log.lost("part", f"/messages/{index}/content/{at}", _UNTOLD)
                continue
            parts.append(part if text is None else {"type": "text", "text": text.text})
        out[index] = {**message, "content": parts}
    return with_paragraph_breaks(out, dialect, told) if told else messages


def _is_own(part: Any, dialect: str) -> bool:
    return part["type"] == "opaque" and part["dialect"] == dialect and type(part["data"]) is dict
