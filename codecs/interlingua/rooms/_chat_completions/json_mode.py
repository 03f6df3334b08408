"""JSON mode, which requires the word JSON in a message.

Source: docs/wire/openai_chat.md, section 1.5.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interlingua.rooms._shared.instructions import mentions_json, with_instruction
from interlingua.rooms._shared.rule_helpers import object_of, objects, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from interlingua.rooms._shared.rule_helpers import Object


def lacks_json_word(body: Object) -> bool:
    """Tell whether a body asks for JSON mode without the word JSON in a message."""
    return object_of(body, "response_format").get("type") == "json_object" and not mentions_json(_texts(body))


def ask_in_words(out: dict[str, Any], instruction: str) -> None:
    """Add an instruction to the leading one, or before all messages."""
    out["messages"] = with_instruction(out["messages"], instruction)


def _texts(body: Object) -> Iterator[str]:
    for _, message in objects(body.get("messages"), "/messages"):
        yield text_of(message, "content")
        for _, part in objects(message.get("content"), ""):
            yield text_of(part, "text")
