"""The room `ollama`: where a message is refused, and schemas whose parts are heard by themselves."""

from __future__ import annotations

import itertools
import json
from typing import Any, Final

import pytest

from interlingua.loss import LossLog
from interlingua.rooms._shared.writing import Target
from interlingua.rooms.ollama import decode_message
from interlingua.rooms.ollama.encode import readable_schema
from interlingua.spi.reading import Malformed

WIRE_CALL: Final[dict[str, Any]] = {"id": "call_1", "function": {"name": "look", "arguments": {"at": 1}}}


def test_invalid_messages_are_refused_with_their_path_wherever_they_are() -> None:
    text, calls = {"role": "user", "content": "Hello"}, {"role": "assistant", "content": "", "tool_calls": [WIRE_CALL]}
    befores: list[list[Any]] = [[], [text], [text, calls], [{"role": "user"}]]
    for before in befores:
        with pytest.raises(Malformed) as refused:
            decode_message.decode_messages([*before, {"role": "tool", "content": 1}, text])
        assert refused.value.path == f"/messages/{len(before)}/content"


def test_a_flat_schema_has_the_same_losses_as_a_nested_one() -> None:
    properties: list[Any] = [
        {},
        {"type": "string", "description": "A word.", "enum": ["a"], "items": {}, "required": []},
        {"type": "string", "format": "date", "a/b": 1},
        {"type": "object", "properties": {"in": {"type": "string", "title": "In"}}},
        {"type": "object", "properties": []},
        {"anyOf": [{"type": "string", "title": "In"}, True]},
        {"anyOf": 1},
        True,
        None,
    ]
    for one, other in itertools.product(properties, repeat=2):
        heard, losses = heard_beside({"one": one, "other": other}, {})
        walked, same_losses = heard_beside({"one": one, "other": other}, {"walked": {"title": "Walked"}})
        walked["properties"].pop("walked")
        assert json.dumps(heard) == json.dumps(walked)
        assert losses == same_losses


def heard_beside(properties: dict[str, Any], more: dict[str, Any]) -> tuple[dict[str, Any], Any]:
    """Return a copy of a schema of the properties, and of more, as it is heard, and the losses."""
    log = LossLog()
    schema = {"type": "object", "properties": {**properties, **more}, "title": "Tool"}
    heard = readable_schema(schema, "/tools/0/parameters", Target("ollama", home=False, answer=False, log=log))
    return json.loads(json.dumps(heard)), [loss for loss in log.losses() if "/walked" not in loss.path]
