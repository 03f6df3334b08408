"""Checks the output of a peer: it must have the content of ours, in the same order; ids and settings may differ.

Both outputs are decoded by our room of the target dialect; a peer's output that it refuses is not correct.
"""

from __future__ import annotations

import json
from typing import Any

import interlingua as il
from interlingua.normal import normal_form
from interlingua.registry import room


def says_the_same_request(output: Any, ours: Any, dialect: str) -> bool:
    """Tell whether a peer's request has the same messages and tools as ours."""
    try:
        theirs, own = room(dialect).decode_request(output), room(dialect).decode_request(ours)
    except il.InterlinguaError:
        return False
    names = [[tool.get("name") for tool in request.get("tools", ())] for request in (theirs, own)]
    return names[0] == names[1] and _said(theirs) == _said(own)


def says_the_same_response(output: Any, ours: Any, dialect: str) -> bool:
    """Tell whether a peer's response has the same content, finish reason and token counts as ours."""
    try:
        theirs, own = room(dialect).decode_response(output), room(dialect).decode_response(ours)
    except il.InterlinguaError:
        return False
    counts = [response.get("usage", {}).get("input_tokens") for response in (theirs, own)]
    reasons = [response.get("finish_reason") for response in (theirs, own)]
    return counts[0] == counts[1] and reasons[0] == reasons[1] and _said(theirs) == _said(own)


def says_the_same_stream(output: Any, ours: Any, dialect: str) -> bool:
    """Tell whether a peer's stream collects to the same texts and calls as ours."""
    try:
        answers: list[Any] = [il.collect(il.decode_stream(frames, il.dialect(dialect))) for frames in (output, ours)]  # pyright: ignore[reportUnknownArgumentType]  # frames of any shape
    except (il.InterlinguaError, TypeError, AttributeError):
        return False
    theirs, own = [answer.model_dump(mode="json") for answer in answers]
    return _said(theirs) == _said(own)


def _said(value: Any) -> list[tuple[str, Any]]:
    """Return the content, item by item: texts, calls and results."""
    pieces: list[tuple[str, Any]] = []
    for message in normal_form(value)["messages"]:
        content = message.get("content")
        if content:
            pieces.append((message["role"], content if isinstance(content, str) else _texts(content)))
        for call in message.get("tool_calls", ()):
            arguments = call["arguments"]
            pieces.append((call["name"], json.loads(arguments) if isinstance(arguments, str) else arguments))
    return pieces


def _texts(parts: list[dict[str, Any]]) -> list[Any]:
    return [part.get("text", part["type"]) for part in parts]
