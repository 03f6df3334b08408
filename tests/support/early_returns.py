"""Values of usual and unusual shapes, and each with one more member, which prevents an early return.

A reader or writer returns early if nothing is left to inspect. So its result for a value is compared with its result
for the same value with an unknown member, after that member is removed.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any, Final

from support.canonical import VERBATIM, edited, leaves, lookup, objects

if TYPE_CHECKING:
    from collections.abc import Iterator

    from support.canonical import Tokens

NAME: Final = "x_new"
# Members that only one dialect understands.
_KEPT: Final = frozenset({"extra", "data"})
NEW: Final[dict[str, Any]] = {NAME: 1}
# Replacements for a leaf of a wire body.
ODD: Final[tuple[Any, ...]] = (None, 1, "text", [], {}, True)

SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {"at": {"type": "integer"}},
    "required": ["at"],
    "additionalProperties": False,
}
TEXT: Final[dict[str, Any]] = {"type": "text", "text": "Hello"}
CALL: Final[dict[str, Any]] = {"id": "call_1", "name": "look", "arguments": '{"at": 1}'}
CALLS: Final[tuple[dict[str, Any], ...]] = (
    CALL,
    {**CALL, "id": "call_2", "arguments": {"at": 1}},
    {**CALL, "arguments": '{"at": 1, "at": 2}'},
    {**CALL, "arguments": "at 1"},
    {**CALL, "arguments": ""},
    *({**CALL, "id": identifier} for identifier in ("1-a", "x" * 40, "x" * 65, "x" * 129, "", "blau\u00e9")),
    *({**CALL, "name": name} for name in ("1-a", "x" * 64, "x" * 129, "bl\u00e5", "look at")),
    {**CALL, "arguments": "free text", "kind": "custom"},
    {**CALL, "call_id": "call_1"},
    {"name": "look", "arguments": "{}"},
    {"name": "look", "arguments": "free text", "kind": "custom"},
)
RESULT: Final[dict[str, Any]] = {"role": "tool", "call_id": "call_1", "content": "Nothing."}
MESSAGES: Final[tuple[dict[str, Any], ...]] = (
    *({"role": role, "content": "Hello"} for role in ("user", "system", "developer", "assistant")),
    *({"role": role, "content": said} for role in ("user", "assistant") for said in ("", " \n", [TEXT], [])),
    {"role": "assistant", "content": [{"type": "text", "text": " "}, TEXT]},
    {"role": "assistant", "content": [TEXT, {"type": "text", "text": ""}], "tool_calls": [CALL]},
    {"role": "assistant", "content": [{"type": "image", "url": "https://a.example/b.png"}], "tool_calls": [CALL]},
    {"role": "assistant", "content": [TEXT], "tool_calls": [CALL]},
    {"role": "assistant", "content": [], "tool_calls": [CALL]},
    {"role": "assistant", "content": "", "tool_calls": [CALL]},
    {"role": "assistant", "content": "Hello", "tool_calls": [CALL, {**CALL, "id": "call_2"}]},
    {"role": "assistant", "tool_calls": []},
    {"role": "assistant", "refusal": "No.", "tool_calls": [CALL]},
    {"role": "assistant", "reasoning": "Hm.", "content": "Hello"},
    *({"role": "assistant", "tool_calls": [call]} for call in CALLS),
    RESULT,
    *({**RESULT, "call_id": identifier} for identifier in ("1-a", "x" * 65, "x" * 129, "", "blau\u00e9")),
    {"role": "tool", "id": "call_1", "content": "Nothing."},
    {"role": "tool", "call_id": "call_1"},
    {"role": "tool", "content": "Nothing."},
    {"role": "tool", "name": "look", "content": "Nothing."},
    {**RESULT, "content": [TEXT]},
    {**RESULT, "is_error": True},
    {**RESULT, "name": "look"},
)


def functions() -> Iterator[dict[str, Any]]:
    """Yield functions with and without optional members."""
    schemas: list[dict[str, Any]] = [
        {},
        {"parameters": {}},
        {"parameters": SCHEMA},
        {"parameters": {**SCHEMA, "required": []}},
        {"parameters": {**SCHEMA, "patternProperties": {}}},
    ]
    stricts: list[dict[str, Any]] = [{}, {"strict": True}, {"strict": False}]
    described: list[dict[str, Any]] = [{}, {"description": "Looks."}]
    names = ("look", "1-a", "x" * 64, "x" * 129, "", "look at", "bl\u00e5")
    for name, words, schema, strict in itertools.product(names, described, schemas, stricts):
        yield {"type": "function", "name": name, **words, **schema, **strict}


def beside_foreign(value: Any, dialect: str) -> Any:
    """Return a message, or a tool, with members of another dialect, also in its calls."""
    owner = "openai_chat" if dialect == "gemini" else "gemini"
    foreign = {"extra": {owner: {"fields": NEW}}}
    calls = [{**call, **foreign} for call in value.get("tool_calls", ())]
    return {**value, **({"tool_calls": calls} if calls else {}), **foreign}


def mutants(body: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield a wire body, and copies of it with each leaf removed or of another type."""
    yield body
    for path, leaf in leaves(body):
        for odd in ODD:
            if odd != leaf:
                yield edited(body, path, odd)


def beside_new(body: dict[str, Any]) -> Iterator[tuple[Tokens, dict[str, Any]]]:
    """Yield a wire body with an unknown member in each of its objects, except verbatim ones."""
    for path, value in objects(body):
        holders = [lookup(body, path[: at + 1]) for at, token in enumerate(path) if token in VERBATIM]
        if value and not any(isinstance(holder, dict) for holder in holders):
            yield path, edited(body, path, {**value, **NEW})


def without_new(value: Any, *, in_bag: bool = False) -> Any:
    """Return a canonical value without the unknown member, where a dialect keeps its own members.

    Bags that become empty are removed, too. A list of one plain text is that text: another member next to it makes it a
    part.
    """
    if isinstance(value, list):
        return [without_new(inner, in_bag=in_bag) for inner in value]
    if not isinstance(value, dict):
        return value
    members = {}
    for name, member in value.items():
        is_kept = in_bag or name in _KEPT
        inner = without_new(member, in_bag=is_kept)
        if not (in_bag and name == NAME) and (inner != {} or member == {} or not is_kept):
            only = isinstance(inner, list) and len(inner) == 1 and is_text(inner[0])
            members[name] = inner[0]["text"] if only and not in_bag else inner
    return members


def is_text(part: Any) -> bool:
    """Return whether a value is a text part without other members."""
    return isinstance(part, dict) and part.keys() == {"type", "text"} and part["type"] == "text"
