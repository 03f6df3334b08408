"""Law 3, of values that mean the same in two forms: the law takes these, and nothing beside them."""

from __future__ import annotations

from typing import Any, Final

import pytest

from support.canonical import edited
from support.rooms import ROWS, Kind, decode, encode
from support.translation import differences

pytestmark = [pytest.mark.laws]

ASKS: Final[dict[str, Any]] = {"model": "m", "max_tokens": 100, "messages": [{"role": "user", "content": "Add."}]}
PICTURE: Final[dict[str, Any]] = {"type": "image", "format": "image/png", "data": "AAECAw=="}
FUNCTIONS: Final = [{"type": "function", "name": name, "parameters": {"type": "object"}} for name in ("add", "see")]
CALLED: Final = {"role": "assistant", "tool_calls": [{"id": "a", "name": "add", "arguments": {}}]}
RESULT: Final = {"role": "tool", "call_id": "a", "content": "5"}
LOST: Final = {"type": "function", "name": "add", "parameters": {"$ref": "#/$defs/x", "description": "Two."}}
TITLED: Final = {"type": "file", "name": "a.txt", "title": "Sums", "text": "2 + 3"}


def asks(*messages: Any, **members: Any) -> dict[str, Any]:
    return {**ASKS, "messages": [*ASKS["messages"], *messages], **members}


def found(dialect: str, kind: Kind, value: dict[str, Any], path: tuple[str | int, ...], other: Any) -> list[list[str]]:
    """Return the differences of a value that came back, and of one that came back with another value at a path."""
    body, losses = encode(dialect, kind, value)
    back = decode(dialect, kind, body)
    row = ROWS[dialect]
    return [differences(value, one, losses, row.roles, dialect) for one in (back, edited(back, path, other))]


# A dialect, a request, and a place of what comes back with a value that is another request.
REQUESTS: Final[dict[str, tuple[str, dict[str, Any], tuple[str | int, ...], Any]]] = {
    "no effort": ("claude", asks(reasoning={"effort": "", "mode": "adaptive"}), ("reasoning", "mode"), "disabled"),
    "a result of no tool": ("openai_chat", asks(CALLED, {**RESULT, "name": ""}), ("messages", 2, "content"), "6"),
    "a repeated stop": ("claude", asks(stop=["a", "a", "b"]), ("stop",), ["a"]),
    "a repeated result": ("openai_responses", asks(CALLED, RESULT, RESULT), ("messages", 2, "content"), "6"),
    "a search between functions": (
        "openai_chat", asks(tools=[FUNCTIONS[0], {"type": "web_search"}, FUNCTIONS[1]]), ("tools",), [*FUNCTIONS[::-1]],
    ),
    "code between functions": (
        "gemini", asks(tools=[FUNCTIONS[0], {"type": "code_execution"}, FUNCTIONS[1]]), ("tools",), [*FUNCTIONS[::-1]],
    ),
    "a picture before a text": (
        "claude", asks({"role": "assistant", "content": [PICTURE, {"type": "text", "text": "5"}]}, *ASKS["messages"]),
        ("messages", 1, "content", 0, "text"), "6",
    ),
    "a picture and a refusal": (
        "claude", asks({"role": "assistant", "content": [PICTURE], "refusal": "No."}, *ASKS["messages"]),
        ("messages", 1, "content"), "The answer is attached to the next message of the user.\n\nYes.",
    ),
    "a reference to nothing": (
        "openai_responses", asks(tools=[LOST]), ("tools", 0, "parameters", "description"), "Two.\n\nAs in: #/$defs/y",
    ),
    "a document with two names": (
        "bedrock_converse", asks({"role": "user", "content": [TITLED]}), ("messages", 0, "content", 1, "text"), "2 + 3",
    ),
    "nothing stored behind a gateway": ("openai_responses", asks(model="a/b", store=True), ("store",), None),
    "a call of a tool with lines in its name": (
        "ollama", asks(tools=FUNCTIONS, tool_choice={"mode": "named", "name": "a\nb"}), ("messages", 0, "content"),
        "Answer with a call of the tool a\nc.",
    ),
    "a document without a part that is sent": (
        "vllm",
        asks({"role": "user", "content": [{"type": "file", "content": [{"type": "file", "content": []}]}, PICTURE]}),
        ("messages", 0, "content"), "Add 2.",
    ),
    "no likely tokens": ("vllm", asks(top_logprobs=0), ("max_tokens",), 9),
}  # fmt: skip


@pytest.mark.parametrize("name", REQUESTS)
def test_a_request_in_another_form_is_the_same_and_another_request_is_not(name: str) -> None:
    dialect, request, path, other = REQUESTS[name]
    same, changed = found(dialect, "request", request, path, other)
    assert same == []
    assert changed != []


@pytest.mark.parametrize(("path", "other"), [(("finish_reason_raw",), "length"), (("finish_reason",), "stop")])
def test_calls_that_end_with_stop_are_known_where_the_finish_reason_changed(path: tuple[str], other: str) -> None:
    message = {"role": "assistant", "refusal": "No.", **CALLED}
    answer = {"id": "i", "model": "m", "created": 1, "messages": [message], "finish_reason": "refusal"}
    same, changed = found("openai_chat", "response", answer, path, other)
    assert same == []
    assert changed != []
