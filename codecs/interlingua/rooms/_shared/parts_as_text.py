"""Write opaque parts as text: calls and results of tools that another model's provider ran, above all.

Source: docs/decisions/0010-server-tools.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.rooms._shared.paragraph_breaks import with_paragraph_breaks

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from interlingua.loss import LossCode, LossLog
    from interlingua.spi.opaque_text import OpaqueText

_TOLD: Final = "these models do not accept calls and results of such a tool: its text is sent"
_UNTOLD: Final = "these models do not accept calls and results of such a tool"
_REST: Final = "only the text of such a part is sent"


def report_text(text: OpaqueText, code: LossCode, path: str, detail: str, log: LossLog) -> None:
    """Report that a text is sent for an opaque part or message, and what it leaves out."""
    log.changed(code, path, detail)
    if text.omits == "content":
        log.lost("part", f"{path}/data", _REST)
    elif text.omits == "state":
        log.lost("provider_state", f"{path}/data", _REST)
    elif text.omits is not None:
        log.lost("member", f"{path}/data", _REST)


def with_texts(
    content: Sequence[Any], texts: Mapping[int, OpaqueText], path: str, detail: str, log: LossLog
) -> list[Any]:
    """Return parts with texts in place of some of them, by index."""
    for at, text in texts.items():
        report_text(text, "part", f"{path}/{at}", detail, log)
    return [{"type": "text", "text": texts[at].text} if at in texts else part for at, part in enumerate(content)]


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
        found = zip(at_tools, read([content[at]["data"] for at in at_tools]), strict=True)
        texts = {at: text for at, text in found if text is not None}
        unread = [at for at in at_tools if at not in texts]
        path = f"/messages/{index}/content"
        parts = with_texts(content, texts, path, _TOLD, log)
        for at in unread:
            log.lost("part", f"{path}/{at}", _UNTOLD)
        log.left_out(path, unread)
        kept = [at for at in range(len(parts)) if at not in unread]
        told[index] = [place for place, at in enumerate(kept) if at in texts]
        out[index] = {**message, "content": [parts[at] for at in kept]}
    return with_paragraph_breaks(out, dialect, told) if told else messages


def _is_own(part: Any, dialect: str) -> bool:
    return part["type"] == "opaque" and part["dialect"] == dialect and type(part["data"]) is dict
