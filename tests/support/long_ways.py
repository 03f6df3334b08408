"""What keeps a value from the short ways of a room, without saying anything that its wire form has a place for."""

from __future__ import annotations

import itertools
import json
from typing import TYPE_CHECKING, Any, Final

from interlingua.loss import LossLog

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from interlingua.loss import Loss

NEW: Final[dict[str, Any]] = {"x_new": 1}
# Of a dialect that the rooms which are tested with it do not speak.
FOREIGN: Final[dict[str, Any]] = {"extra": {"gemini": {"fields": NEW}}}

SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {"at": {"type": "integer"}},
    "required": ["at"],
    "additionalProperties": False,
}


def longer(message: dict[str, Any]) -> dict[str, Any]:
    """Return a message that takes the long way, and so do its calls."""
    calls = [{**call, **FOREIGN} for call in message.get("tool_calls", ())]
    return {**message, **({"tool_calls": calls} if calls else {}), **FOREIGN}


def written(encode: Callable[[Any, LossLog], Any], request: dict[str, Any]) -> tuple[Any, list[Loss]]:
    """Return the body of a request, and its losses but those of what is foreign, each of which is lost."""
    log = LossLog()
    before = json.dumps(request)
    body = encode(request, log)
    assert json.dumps(request) == before
    known = [loss for loss in log.losses() if "/extra/gemini" not in loss.path]
    assert len(log.losses()) - len(known) == before.count("x_new")
    return body, known


def nearly_plain_tools(names: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    """Yield functions of each name, with and without what a function may say."""
    stricts: list[dict[str, Any]] = [{}, {"strict": True}, {"strict": False}]
    schemas: list[dict[str, Any]] = [
        {},
        {"parameters": {}},
        {"parameters": SCHEMA},
        {"parameters": {**SCHEMA, "required": []}},
        {"parameters": {**SCHEMA, "patternProperties": {}}},
    ]
    for name, described, schema, strict in itertools.product(names, ({}, {"description": "Looks."}), schemas, stricts):
        yield {"type": "function", "name": name, **described, **schema, **strict}
