"""Writes opaque parts and messages of one dialect as text in requests of another, as the dialect's room reads them.

They are mostly calls and results of tools that the provider ran: without them the next model would not see what the
earlier answer is based on. Source: docs/decisions/0010-server-tools.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from interlingua.json_types import is_object
from interlingua.registry import known_descriptor, room
from interlingua.rooms._shared.paragraph_breaks import with_paragraph_breaks
from interlingua.rooms._shared.parts_as_text import report_text, with_texts
from interlingua.spi.opaque_text import OpaqueText

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from interlingua.loss import LossLog
    from interlingua.model_shapes import ChatRequest

__all__ = ["with_opaque_as_text"]

_PART: Final = "other dialects have no such part: its text is sent"
_MESSAGE: Final = "other dialects have no such message: its text is sent"
_WHOLE: Final = -1  # in the place of the index of a part: the message itself


def with_opaque_as_text(request: ChatRequest, dialect: str, log: LossLog) -> ChatRequest:
    """Return a request with texts for opaque parts and messages of other dialects, in paragraphs of their own.

    A blank line is also put between two texts of an answer where a tool's part without a text is lost.
    """
    messages: list[Any] = request["messages"]
    places: dict[str, list[tuple[int, int]]] = {}
    for source, index, at in _foreign(messages, dialect):
        places.setdefault(source, []).append((index, at))
    told: dict[int, dict[int, OpaqueText]] = {}
    for source, some in places.items():
        values = [
            messages[index]["data"] if at == _WHOLE else messages[index]["content"][at]["data"] for index, at in some
        ]
        for (index, at), text in zip(some, _texts(source, values), strict=True):
            if text is not None and text.read_by != dialect:
                told.setdefault(index, {})[at] = text
    out = [*messages]
    for index in sorted(told):
        out[index] = _with_texts(messages[index], told[index], f"/messages/{index}", log)
    whole = {str(index) for index in told if _WHOLE in told[index]}
    if whole:
        log.remade("/messages", lambda rest: _place_of(rest, whole))
    return cast("ChatRequest", {**request, "messages": with_paragraph_breaks(out, dialect, told)})


def _foreign(messages: Sequence[Any], dialect: str) -> Iterator[tuple[str, int, int]]:
    """Yield the dialect and the place of each opaque part or message of another dialect."""
    for index, message in enumerate(messages):
        if message["role"] == "opaque":
            if message["dialect"] != dialect:
                yield message["dialect"], index, _WHOLE
            continue
        content: list[Any] | str | None = message.get("content")
        for at, part in enumerate(content if type(content) is list else ()):
            if part["type"] == "opaque" and part["dialect"] != dialect:
                yield part["dialect"], index, at


def _texts(dialect: str, values: list[Any]) -> Sequence[OpaqueText | None]:
    """Return the texts of opaque values of a dialect, None for those that have none."""
    known = known_descriptor(dialect)
    if known is None:
        return [None] * len(values)
    speaker: Any = room(dialect)
    read: Sequence[OpaqueText | None] = speaker.texts_of_opaque(values) if known.tells_opaque else [None] * len(values)
    return [
        _named_text(value, known.told_parts) if text is None else text for value, text in zip(values, read, strict=True)
    ]


def _named_text(data: Any, told: Mapping[str, str]) -> OpaqueText | None:
    """Return the text in the member that is named for the type of a part; None if there is none."""
    if not is_object(data):
        return None
    kind = data.get("type")
    member = told.get(kind) if type(kind) is str else None
    words = None if member is None else data.get(member)
    if type(words) is not str or not words:
        return None
    has_more = any(value is not None for name, value in data.items() if name not in {"type", member})
    return OpaqueText(words, omits="details" if has_more else None)


def _with_texts(message: Any, texts: Mapping[int, OpaqueText], path: str, log: LossLog) -> Any:
    """Return a message with texts for itself or its parts."""
    if _WHOLE in texts:
        told = texts[_WHOLE]
        report_text(told, "message", path, _MESSAGE, log)
        held = {name: value for name, value in message.items() if name not in {"role", "dialect", "data"}}
        return {"role": told.role, "content": told.text, **held}
    return {**message, "content": with_texts(message["content"], texts, f"{path}/content", _PART, log)}


def _place_of(rest: str, whole: Collection[str]) -> str:
    """Return where a loss below the messages is reported: one of the text of a former opaque message at the message."""
    index, _, inner = rest.partition("/")
    return f"/messages/{index}" if inner.startswith("content") and index in whole else f"/messages/{rest}"
