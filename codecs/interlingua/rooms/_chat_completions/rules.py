"""Rules of the Chat Completions family that its rooms choose from.

Source: docs/wire/openai_chat.md and vllm.md, sections 1, 4 and 6 to 8.
"""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from interlingua.rooms._chat_completions.tables import MAX_STOP_SEQUENCES, OF_OPENAI, SETTINGS
from interlingua.rooms._shared.rule_helpers import (
    INTEGER,
    LIST,
    OBJECT,
    TEXT,
    TEXT_OR_LIST,
    missing,
    object_of,
    objects,
    text_of,
    too_many,
    word_of,
    wrong_item_types,
    wrong_message_types,
    wrong_types,
)
from interlingua.violation import Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from interlingua.rooms._shared.rule_helpers import Object, Shapes

acceptable_name: Final = re.compile(r"[a-zA-Z0-9_-]{1,64}").fullmatch

_SHAPES: Final[Shapes] = MappingProxyType({
    **{wire: kinds for wire, (_, kinds) in SETTINGS.items() if wire not in OF_OPENAI},
    "messages": LIST,
    "tools": LIST,
    "tool_choice": (str, dict),
    "response_format": OBJECT,
    "reasoning_effort": TEXT,
    "max_tokens": INTEGER,
    "stop": TEXT_OR_LIST,
    "stream_options": OBJECT,
    "user": TEXT,
})  # fmt: skip
_MESSAGE_SHAPES: Final[Shapes] = MappingProxyType({
    "role": TEXT, "content": TEXT_OR_LIST, "tool_calls": LIST, "tool_call_id": TEXT, "name": TEXT
})  # fmt: skip
_CALL_SHAPES: Final[Shapes] = MappingProxyType({"id": TEXT, "type": TEXT, "function": OBJECT, "custom": OBJECT})
# Call or tool type -> required members of its object.
_CALL_MEMBERS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType({
    "function": ("name", "arguments"), "custom": ("name", "input")
})  # fmt: skip


def setting_types(body: Object) -> Iterator[Violation]:
    """Settings are of the JSON types that section 1 names."""
    yield from wrong_types(body, _SHAPES, "")
    yield from wrong_item_types(body.get("stop"), "/stop", str)


def message_types(body: Object) -> Iterator[Violation]:
    """Messages are objects with a role, and of the JSON types that section 1.1 names."""
    return wrong_message_types(body, _MESSAGE_SHAPES)


def call_types(body: Object) -> Iterator[Violation]:
    """Calls have an id, a type and what goes with it; arguments are text (section 1.3)."""
    for path, call in calls(body):
        yield from missing(call, ("id", "type"), path)
        yield from wrong_types(call, _CALL_SHAPES, path)
        kind = text_of(call, "type")
        if kind in _CALL_MEMBERS:
            yield from missing(call, (kind,), path)
            name, said = _CALL_MEMBERS[kind]
            inner = object_of(call, kind)
            if inner:
                yield from missing(inner, (name,), f"{path}/{kind}")
                if type(inner.get(said)) is not str:
                    yield Violation("arguments", f"{path}/{kind}/{said}", "expected text")


def no_messages(body: Object) -> Iterator[Violation]:
    """There is at least one message (section 6)."""
    if body.get("messages") == []:
        yield Violation("empty", "/messages", "messages needs at least one item")


def many_stops(body: Object) -> Iterator[Violation]:
    """At most 4 texts stop the answer (section 1.5, `stop`)."""
    return too_many(body.get("stop"), MAX_STOP_SEQUENCES, "/stop")


def logprobs_of_nothing(body: Object) -> Iterator[Violation]:
    """Alternatives need probabilities (section 1.5)."""
    if body.get("top_logprobs") and body.get("logprobs") is not True:
        yield Violation("setting", "/top_logprobs", "top_logprobs needs logprobs: true beside it")


def stream_options_alone(body: Object) -> Iterator[Violation]:
    """Options of a stream need a stream (section 1.5)."""
    if body.get("stream_options") is not None and body.get("stream") is not True:
        yield Violation("setting", "/stream_options", "this setting needs stream: true beside it")


def response_format_without_schema(body: Object) -> Iterator[Violation]:
    """A schema format has its schema (section 1.5)."""
    form = object_of(body, "response_format")
    if form.get("type") == "json_schema":
        yield from missing(form, ("json_schema",), "/response_format")


def tool_types(body: Object) -> Iterator[Violation]:
    """Tools are objects with a type; a function has a name (section 1.3)."""
    yield from wrong_item_types(body.get("tools"), "/tools")
    for path, tool in objects(body.get("tools"), "/tools"):
        yield from missing(tool, ("type",), path)
        kind = text_of(tool, "type")
        if kind in _CALL_MEMBERS:
            yield from missing(tool, (kind,), path)
            inner = object_of(tool, kind)
            if inner:
                yield from missing(inner, ("name",), f"{path}/{kind}")
                yield from wrong_types(inner, {"name": TEXT, "parameters": OBJECT}, f"{path}/{kind}")


def calls(body: Object) -> Iterator[tuple[str, Object]]:
    """Yield every tool call in the messages, with its path."""
    for path, message in objects(body.get("messages"), "/messages"):
        yield from objects(message.get("tool_calls"), f"{path}/tool_calls")


def chosen_name(body: Object) -> tuple[str, str] | None:
    """Return the path and name of the tool that the tool choice names."""
    choice = object_of(body, "tool_choice")
    kind = text_of(choice, "type")
    name = word_of(object_of(choice, kind), "name") if kind in _CALL_MEMBERS else None
    return None if name is None else (f"/tool_choice/{kind}/name", name)


def tool_names(body: Object) -> Iterator[tuple[str, str]]:
    """Yield the path and name of every tool."""
    return _names(objects(body.get("tools"), "/tools"))


def call_names(body: Object) -> Iterator[tuple[str, str]]:
    """Yield the path and name of every tool call."""
    return _names(calls(body))


def _names(items: Iterable[tuple[str, Object]]) -> Iterator[tuple[str, str]]:
    for path, item in items:
        kind = text_of(item, "type")
        name = word_of(object_of(item, kind), "name")
        if name is not None:
            yield f"{path}/{kind}/name", name
