"""What Claude refuses of content blocks: shapes, places, empty texts, media, and cache marks.

Source: reference/wire/claude.md sections 0, 1.2 and 4.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from interlingua.dialects._shared.ruling import (
    LIST,
    OBJECT,
    TEXT,
    TEXT_OR_LIST,
    misshapen,
    misshapen_list,
    missing,
    object_of,
    objects,
    text_of,
    word_of,
)
from interlingua.dialects.claude.tables import IMAGE_TYPES, PDF, PLAIN
from interlingua.violation import Violation

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from interlingua.dialects._shared.ruling import Object, Shapes

_MOST_CACHE_MARKS: Final = 4
_SHORT, _LONG = "5m", "1h"

# Block type -> what it must have, and the JSON types of what the provider reads.
_REQUIRED: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType({
    "text": ("text",),
    "image": ("source",),
    "document": ("source",),
    "thinking": ("thinking",),
    "redacted_thinking": ("data",),
    "tool_use": ("id", "name", "input"),
    "tool_result": ("tool_use_id",),
})  # fmt: skip
_SHAPES: Final[Mapping[str, Shapes]] = MappingProxyType({
    "text": {"text": TEXT, "citations": (list, dict)},
    "image": {"source": OBJECT},
    "document": {"source": OBJECT, "title": TEXT, "context": TEXT},
    "thinking": {"thinking": TEXT, "signature": TEXT},
    "redacted_thinking": {"data": TEXT},
    "tool_use": {"id": TEXT, "name": TEXT},
    "tool_result": {"tool_use_id": TEXT, "content": TEXT_OR_LIST, "is_error": (bool,)},
    "search_result": {"source": TEXT, "title": TEXT, "content": LIST},
})  # fmt: skip
# Block type -> the roles whose messages do not take it.
_MISPLACED: Final[Mapping[str, frozenset[str]]] = MappingProxyType({
    "tool_use": frozenset({"user", "system"}),
    "thinking": frozenset({"user", "system"}),
    "redacted_thinking": frozenset({"user", "system"}),
    "tool_result": frozenset({"assistant", "system"}),
    "image": frozenset({"assistant", "system"}),
    "document": frozenset({"system"}),
})  # fmt: skip
# Media of a source, by the type of its block and its own.
_MEDIA: Final[Mapping[tuple[str, str], frozenset[str]]] = MappingProxyType({
    ("image", "base64"): IMAGE_TYPES,
    ("document", "base64"): frozenset({PDF}),
    ("document", "text"): frozenset({PLAIN}),
})  # fmt: skip
_UNMARKED: Final = frozenset({"thinking", "redacted_thinking"})


def misshapen_blocks(body: Object) -> Iterator[Violation]:
    """Blocks have the members that section 1.2 marks as required, of the JSON types that it names."""
    yield from misshapen_list(body.get("system"), "/system")
    for path, message in objects(body.get("messages"), "/messages"):
        yield from misshapen_list(message.get("content"), f"{path}/content")
    for path, _, block in _all_blocks(body):
        kind = word_of(block, "type")
        if kind is None:
            yield Violation("required", f"{path}/type", "a block says its type")
            continue
        yield from missing(block, _REQUIRED.get(kind, ()), path)
        yield from misshapen(block, _SHAPES.get(kind, {}), path)
        if kind == "tool_use" and type(block.get("input", {})) is not dict:
            yield Violation("arguments", f"{path}/input", "expected an object")


def misplaced_blocks(body: Object) -> Iterator[Violation]:
    """A block stands in a message of its role ("the types allow every block in both roles, the server does not")."""
    for path, role, block in _blocks(body):
        if role in _MISPLACED.get(text_of(block, "type"), ()):
            yield Violation("part", path, "its role has no such block")


def empty_texts(body: Object) -> Iterator[Violation]:
    """No text is empty or white space, no list is empty ("text content blocks must be non-empty")."""
    messages = list(objects(body.get("messages"), "/messages"))
    for index, (path, message) in enumerate(messages):
        content = message.get("content")
        is_last_answer = index + 1 == len(messages) and message.get("role") == "assistant"
        if content == [] and not is_last_answer:
            yield Violation("empty", f"{path}/content", "at least one block")
        elif type(content) is str and not content.strip() and not (is_last_answer and not content):
            yield Violation("empty_text", f"{path}/content", "a text of nothing but white space")
    for path, lone, block in _texts(body):
        text = block.get("text")
        if type(text) is str and not (text.strip() if lone else text):
            yield Violation("empty_text", path, "a text of nothing but white space")


def unsigned_thinking(body: Object) -> Iterator[Violation]:
    """Thinking carries its signature ("`signature` is mandatory")."""
    for path, _, block in _blocks(body):
        if block.get("type") == "thinking" and not block.get("signature"):
            yield Violation("signature", path, "thinking without the signature that came with it")


def foreign_media(body: Object) -> Iterator[Violation]:
    """Pictures are jpeg, png, gif or webp; documents in base64 are PDF, in text plain ("image media types ...")."""
    for path, _, block in _all_blocks(body):
        source = object_of(block, "source")
        accepted = _MEDIA.get((text_of(block, "type"), text_of(source, "type")))
        if accepted is not None and text_of(source, "media_type") not in accepted:
            yield Violation("media_type", f"{path}/source/media_type", "the provider does not take this type")


def many_cache_marks(body: Object) -> Iterator[Violation]:
    """At most 4 cache marks ("≤4 `cache_control` breakpoints per request")."""
    for index, (path, _) in enumerate(_marks(body)):
        if index >= _MOST_CACHE_MARKS:
            yield Violation("cache", path, "at most 4 cache marks")


def cache_places(body: Object) -> Iterator[Violation]:
    """No cache mark on thinking, nor on a tool that is loaded later ("`cache_control` not on thinking"; ENC-24)."""
    for path, _, block in _blocks(body):
        if text_of(block, "type") in _UNMARKED and block.get("cache_control") is not None:
            yield Violation("cache", f"{path}/cache_control", "thinking takes no cache mark")
    for path, tool in objects(body.get("tools"), "/tools"):
        if tool.get("defer_loading") is True and tool.get("cache_control") is not None:
            yield Violation("cache", f"{path}/cache_control", "a tool that is loaded later takes no cache mark")


def cache_times(body: Object) -> Iterator[Violation]:
    """The longer time comes first ("ttl 5m (default) or 1h, longer ttl first")."""
    has_short = False
    for path, mark in _marks(body):
        time = mark.get("ttl", _SHORT)
        if time == _SHORT:
            has_short = True
        elif time != _LONG:
            yield Violation("cache", f"{path}/ttl", "5m or 1h")
        elif has_short:
            yield Violation("cache", f"{path}/ttl", "the longer time comes first")


def assistant_documents(body: Object) -> Iterator[Violation]:
    """Since 2026-10-21 the assistant sends no documents (section 0)."""
    for path, role, block in _blocks(body):
        if role == "assistant" and block.get("type") == "document":
            yield Violation("part", path, "the assistant sends no documents")


def user_citations(body: Object) -> Iterator[Violation]:
    """Since 2026-10-21 the user's texts have no citations (section 0)."""
    for path, role, block in _blocks(body):
        if role == "user" and block.get("type") == "text" and block.get("citations"):
            yield Violation("member", f"{path}/citations", "the user's texts have no citations")


def _blocks(body: Object) -> Iterator[tuple[str, str, Object]]:
    """Yield path, role and value of the blocks of all messages."""
    for path, message in objects(body.get("messages"), "/messages"):
        role = text_of(message, "role")
        for where, block in objects(message.get("content"), f"{path}/content"):
            yield where, role, block


def _all_blocks(body: Object) -> Iterator[tuple[str, str, Object]]:
    """Yield the blocks of the system text, of all messages, and of their results, whose role is `result`."""
    for path, block in objects(body.get("system"), "/system"):
        yield path, "system", block
    for path, role, block in _blocks(body):
        yield path, role, block
        if block.get("type") == "tool_result":
            for where, inner in objects(block.get("content"), f"{path}/content"):
                yield where, "result", inner


def _texts(body: Object) -> Iterator[tuple[str, bool, Object]]:
    """Yield all texts, each with its path and whether white space alone is refused in it.

    It is taken in results, and in answers that a server tool's citations cut into many texts.
    """
    for path, block in objects(body.get("system"), "/system"):
        if block.get("type") == "text":
            yield path, True, block
    for path, message in objects(body.get("messages"), "/messages"):
        blocks = list(objects(message.get("content"), f"{path}/content"))
        lone = not any(block.get("type") == "server_tool_use" for _, block in blocks)
        for where, block in blocks:
            if block.get("type") == "text":
                yield where, lone, block
            elif block.get("type") == "tool_result":
                for inside, inner in objects(block.get("content"), f"{where}/content"):
                    if inner.get("type") == "text":
                        yield inside, False, inner


def _marks(body: Object) -> Iterator[tuple[str, Object]]:
    """Yield the cache marks in the order in which the server reads them, each with its path."""
    marked = [*objects(body.get("tools"), "/tools"), *((path, block) for path, _, block in _all_blocks(body))]
    for path, value in [*marked, ("", body)]:
        if type(value.get("cache_control")) is dict:
            yield f"{path}/cache_control", value["cache_control"]
