"""JSON mode: the provider requires the word JSON in the input.

Source: docs/wire/openai_responses.md, section 1.5.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interlingua.rooms._shared.instructions import joined, mentions_json
from interlingua.rooms._shared.rule_helpers import object_of, objects, text_of
from interlingua.rooms.openai_responses.tables import HELD_BY_SERVER

if TYPE_CHECKING:
    from collections.abc import Iterator

    from interlingua.model_shapes import ChatRequest
    from interlingua.rooms._shared.rule_helpers import Object


def wants_json(request: ChatRequest) -> bool:
    """Return whether a canonical request asks for JSON mode."""
    return request.get("response_format", {"type": "text"})["type"] == "json_object"


def lacks_json_word(body: Object) -> bool:
    """Return whether a body asks for JSON mode without the word JSON in its messages."""
    form = object_of(object_of(body, "text"), "format")
    remembered = any(body.get(name) is not None for name in HELD_BY_SERVER)  # which may contain the word
    return form.get("type") == "json_object" and not remembered and not mentions_json(_texts(body))


def ask_in_words(out: dict[str, Any], instruction: str) -> None:
    """Add a request in words to the instructions, moved into the input: JSON mode looks for the word there."""
    asked = {"role": "system", "content": joined(out.pop("instructions", None), instruction)}
    said = out.get("input", ())  # missing or a string, if the spelling says so
    out["input"] = [asked, *([{"role": "user", "content": said}] if type(said) is str else said)]


def _texts(body: Object) -> Iterator[str]:
    """Yield the texts of the input and of the instructions."""
    yield text_of(body, "input")
    yield text_of(body, "instructions")
    for _, item in objects(body.get("input"), ""):
        for name in ("content", "output"):
            yield text_of(item, name)
            for _, part in objects(item.get(name), ""):
                yield text_of(part, "text")
