"""Unwrap results that clients put into an object because Gemini requires one: other dialects get the text.

Each client has its own word for the one member, and some name the tool once more. As JSON, a file that was read has its
lines and quotes escaped, and a model that is to edit it must undo that. Source: docs/wire/gemini.md, section 1.2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from interlingua.rooms.gemini.tables import DIALECT
from interlingua.spi.extra import own_spelling
from interlingua.tool_arguments import arguments_text, json_object

if TYPE_CHECKING:
    from interlingua.loss import LossLog
    from interlingua.model_shapes import ChatRequest

_WHOLE: Final = "object"  # how a response is spelt that is neither an output nor an error
_WORDS: Final = ("result", "return_value", "response", "content")


def with_results_unwrapped(request: ChatRequest, log: LossLog) -> ChatRequest:
    """Return a request for another dialect with the texts alone of such results; the same where there is none."""
    messages: list[Any] = [*request["messages"]]
    for index, message in enumerate(messages):
        if message["role"] == "tool" and own_spelling(message, DIALECT).get("response") == _WHOLE:
            content = _unwrapped_content(message.get("content"), message.get("name"))
            if content is not None:
                place = "content" if type(content) is str else "content/0/text"
                log.changed("content", f"/messages/{index}/{place}", "the text of a result is sent without its object")
                messages[index] = {**message, "content": content}
    return request if messages == request["messages"] else cast("ChatRequest", {**request, "messages": messages})


def _unwrapped_content(content: Any, name: str | None) -> Any:
    """Return what a result says, whose text begins it, without the object around the text; None where there is none."""
    if type(content) is str:
        return _unwrapped(content, name)
    if not content or content[0]["type"] != "text":
        return None
    text = _unwrapped(content[0]["text"], name)
    return None if text is None else [{**content[0], "text": text}, *content[1:]]


def _unwrapped(text: str, name: str | None) -> str | None:
    """Return what an object says under one of the words, None where it says anything else."""
    said: dict[str, Any] = json_object(text)[0]
    names_tool = name is not None and said.get("name") == name
    told = [word for word in said if not (names_tool and word == "name")]
    if len(told) != 1 or told[0] not in _WORDS:
        return None
    value = said[told[0]]
    if type(value) is str:
        return value
    return arguments_text(value) if names_tool else None
