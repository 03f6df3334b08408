"""Bodies in which one known member has an unexpected shape, at every kind of place in the recordings.

`NEEDED` lists members that are necessary for reading: the content, and what identifies it. A body with another shape
there may be refused. Everywhere else a body is read as if the member were missing, and keeps it.
"""

from __future__ import annotations

import random
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from support import corpus
from support.canonical import Tokens, edited

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from support.rooms import Kind, Row

# Each type of JSON, empty and not.
SHAPES: Final[tuple[Any, ...]] = (None, True, 7, 1.5, "odd", [], ["odd"], {}, {"odd": 1})
# Values without meaning, which need no loss.
SILENT: Final[tuple[Any, ...]] = (None, [], {})
_FEW: Final = 3
_LARGEST: Final = 20_000  # characters of a body: larger ones have no other kinds of places
_MOST_FRAMES: Final = 40
_DEEPEST: Final = 9  # the depth in steps: below it are schemas and arguments, which are kept verbatim

_LISTS: Final = "the list that holds all that is said"
_ENTRY: Final = "one of what is said, which nothing else tells the kind of"
_ROLE: Final = "who says it"
_SAID: Final = "what is said"
_CALL: Final = "which tool is called, and with what"
_RESULT: Final = "what a tool gave, and for which call"
_TOOL: Final = "which tool there is"
_MEDIA: Final = "the data of what is shown"

_CHAT_MESSAGE: Final[Mapping[str, str]] = MappingProxyType({
    "content": _SAID,
    "content/*": _ENTRY,
    "content/*/text": _SAID,
    "tool_calls/*/function": _CALL,
    "tool_calls/*/function/name": _CALL,
    "tool_calls/*/function/arguments": _CALL,
    "tool_calls/*/custom": _CALL,
    "tool_calls/*/custom/name": _CALL,
    "tool_calls/*/custom/input": _CALL,
})  # fmt: skip
_CHAT_REQUEST: Final[Mapping[str, str]] = MappingProxyType({
    "messages": _LISTS,
    "messages/*": _ENTRY,
    "messages/*/role": _ROLE,
    "messages/*/tool_call_id": _RESULT,
    "messages/*/content/*/input_audio": _MEDIA,
    "messages/*/content/*/input_audio/data": _MEDIA,
    "tools/*": _TOOL,
    "tools/*/function/name": _TOOL,
    **{f"messages/*/{name}": why for name, why in _CHAT_MESSAGE.items()},
})  # fmt: skip
_CHAT_RESPONSE: Final[Mapping[str, str]] = MappingProxyType({
    "choices": _LISTS,
    "choices/*": _ENTRY,
    **{f"choices/*/message/{name}": why for name, why in _CHAT_MESSAGE.items()},
})  # fmt: skip
_ITEMS: Final[Mapping[str, str]] = MappingProxyType({
    "": _LISTS,
    "/*": _ENTRY,
    "/*/type": _ENTRY,
    "/*/role": _ROLE,
    "/*/name": _CALL,
    "/*/arguments": _CALL,
    "/*/input": _CALL,
    "/*/call_id": _RESULT,
    "/*/output": _RESULT,
    "/*/output/*": _ENTRY,
    "/*/output/*/text": _SAID,
    "/*/content": _SAID,
    "/*/content/*": _ENTRY,
    "/*/content/*/text": _SAID,
    "/*/content/*/refusal": _SAID,
    "/*/summary/*": _ENTRY,
    "/*/summary/*/text": _SAID,
})  # fmt: skip
_PARTS: Final[Mapping[str, str]] = MappingProxyType({
    "": _SAID,
    "/*": _ENTRY,
    "/*/text": _SAID,
    "/*/inlineData": _MEDIA,
    "/*/inlineData/data": _MEDIA,
    "/*/fileData": _MEDIA,
    "/*/fileData/fileUri": _MEDIA,
    "/*/functionCall": _CALL,
    "/*/functionCall/name": _CALL,
    "/*/functionCall/args": _CALL,
    "/*/functionResponse": _RESULT,
    "/*/functionResponse/response": _RESULT,
    "/*/functionResponse/parts/*": _ENTRY,
    "/*/functionResponse/parts/*/inlineData": _MEDIA,
    "/*/functionResponse/parts/*/inlineData/data": _MEDIA,
    "/*/functionResponse/parts/*/fileData": _MEDIA,
    "/*/functionResponse/parts/*/fileData/fileUri": _MEDIA,
})  # fmt: skip
_OLLAMA_MESSAGE: Final[Mapping[str, str]] = MappingProxyType({
    "content": _SAID,
    "images": _MEDIA,
    "tool_calls/*/function": _CALL,
    "tool_calls/*/function/name": _CALL,
    "tool_calls/*/function/arguments": _CALL,
})  # fmt: skip

# What may be refused: the place that the error names, and why nothing can be read without it.
NEEDED: Final[Mapping[tuple[str, Kind], Mapping[str, str]]] = MappingProxyType({
    ("openai_chat", "request"): _CHAT_REQUEST,
    ("openai_chat", "response"): _CHAT_RESPONSE,
    ("vllm", "request"): _CHAT_REQUEST,
    ("vllm", "response"): _CHAT_RESPONSE,
    ("openai_responses", "request"): {
        "instructions": _SAID,
        "tools/*": _TOOL,
        "tools/*/name": _TOOL,
        **{f"input{name}": why for name, why in _ITEMS.items()},
    },
    ("openai_responses", "response"): {f"output{name}": why for name, why in _ITEMS.items()},
    ("claude", "request"): {
        "system": _SAID,
        "system/*": _ENTRY,
        "system/*/text": _SAID,
        "messages": _LISTS,
        "messages/*": _ENTRY,
        "messages/*/role": _ROLE,
        "messages/*/content": _SAID,
        "messages/*/content/*": _ENTRY,
        "messages/*/content/*/text": _SAID,
        "messages/*/content/*/thinking": _SAID,
        "messages/*/content/*/id": _CALL,
        "messages/*/content/*/name": _CALL,
        "messages/*/content/*/input": _CALL,
        "messages/*/content/*/tool_use_id": _RESULT,
        "messages/*/content/*/content": _RESULT,
        "messages/*/content/*/content/*": _ENTRY,
        "messages/*/content/*/content/*/text": _SAID,
        "tools/*": _TOOL,
        "tools/*/name": _TOOL,
    },
    ("claude", "response"): {
        "content": _LISTS,
        "content/*": _ENTRY,
        "content/*/text": _SAID,
        "content/*/thinking": _SAID,
        "content/*/id": _CALL,
        "content/*/name": _CALL,
        "content/*/input": _CALL,
    },
    ("gemini", "request"): {
        "contents": _LISTS,
        "contents/*": _ENTRY,
        "contents/*/role": _ROLE,
        "systemInstruction": _SAID,
        "tools/*": _TOOL,
        "tools/*/functionDeclarations/*": _TOOL,
        "tools/*/functionDeclarations/*/name": _TOOL,
        **{f"contents/*/parts{name}": why for name, why in _PARTS.items()},
        **{f"systemInstruction/parts{name}": why for name, why in _PARTS.items()},
    },
    ("gemini", "response"): {
        "candidates": _LISTS,
        "candidates/*": _ENTRY,
        **{f"candidates/*/content/parts{name}": why for name, why in _PARTS.items()},
    },
    ("bedrock_converse", "request"): {
        "system": _SAID,
        "messages": _LISTS,
        "messages/*": _ENTRY,
        "messages/*/role": _ROLE,
        "messages/*/content": _SAID,
        "toolConfig/tools": _TOOL,
    },
    ("bedrock_converse", "response"): {
        "output": _LISTS,
        "output/message": _LISTS,
        "output/message/content": _SAID,
    },
    ("ollama", "request"): {
        "messages": _LISTS,
        "messages/*": _ENTRY,
        "messages/*/role": _ROLE,
        "tools/*": _TOOL,
        "tools/*/function/name": _TOOL,
        **{f"messages/*/{name}": why for name, why in _OLLAMA_MESSAGE.items()},
    },
    ("ollama", "response"): {
        "message": _LISTS,
        **{f"message/{name}": why for name, why in _OLLAMA_MESSAGE.items()},
    },
})  # fmt: skip

_CHAT_CHUNK: Final[Mapping[str, str]] = MappingProxyType({
    "choices": _LISTS,
    "choices/*": _ENTRY,
    "choices/*/index": _ROLE,
    "choices/*/delta/content": _SAID,
    "choices/*/delta/content/*": _ENTRY,
    "choices/*/delta/content/*/text": _SAID,
    "choices/*/delta/tool_calls/*": _ENTRY,
    **{f"choices/*/delta/tool_calls/*/{name}": _CALL for name in ("index", "function", "custom")},
    **{f"choices/*/delta/tool_calls/*/function/{name}": _CALL for name in ("name", "arguments")},
    **{f"choices/*/delta/tool_calls/*/custom/{name}": _CALL for name in ("name", "input")},
})  # fmt: skip
# What may be refused in a frame of a stream: the type of the frame and the block it refers to are needed, too.
NEEDED_IN_FRAMES: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType({
    "openai_chat": _CHAT_CHUNK,
    "vllm": _CHAT_CHUNK,
    "openai_responses": {
        "type": _ENTRY,
        **dict.fromkeys(("delta", "text", "refusal", "part", "part/text", "part/refusal"), _SAID),
        **dict.fromkeys(("arguments", "input"), _CALL),
        **dict.fromkeys(("output_index", "content_index", "summary_index"), _ROLE),
        "response": _LISTS,
        **{f"response/output{name}": why for name, why in _ITEMS.items()},
        **{f"item{name.removeprefix('/*')}": why for name, why in _ITEMS.items()},
    },
    "claude": {
        "type": _ENTRY,
        "index": _ROLE,
        "message": _LISTS,
        "delta": _SAID,
        "delta/type": _ENTRY,
        **{f"delta/{name}": _SAID for name in ("text", "thinking", "partial_json")},
        "content_block": _ENTRY,
        "content_block/type": _ENTRY,
        **{f"content_block/{name}": _SAID for name in ("text", "thinking")},
        **{f"content_block/{name}": _CALL for name in ("id", "name", "input")},
    },
    "gemini": NEEDED["gemini", "response"],
    "bedrock_converse": {},
    "ollama": NEEDED["ollama", "response"],
})  # fmt: skip


class Place(NamedTuple):
    """A kind of place: the names on its path, `*` for each index, the type of the object, and one such place."""

    kind: str
    tag: str
    body: Any
    path: Tokens


def kind_of(path: Tokens | tuple[str, ...]) -> str:
    """Return the kind of a place: its path with `*` for each index."""
    return "/".join("*" if str(token).isdecimal() else str(token) for token in path)


def places(row: Row, kind: Kind) -> Iterator[Place]:
    """Yield one place of each kind in the recordings of a dialect, in their order."""
    seen: set[tuple[str, str]] = set()
    for folder in (row.folder, *row.compatible):
        for line in corpus.lines(folder, kind):
            if line["id"] in row.unreadable or len(str(line["body"])) > _LARGEST:
                continue
            for path, tag in members(line["body"]):
                named = kind_of(path)
                if (named, tag) not in seen:
                    seen.add((named, tag))
                    yield Place(named, tag, line["body"], path)


def frame_places(row: Row) -> Iterator[tuple[str, Place]]:
    """Yield one place of each kind in the frames of recorded streams, with the type of the frame.

    The body of a place is the whole stream, its path begins with the index of the frame.
    """
    seen: set[tuple[str, str, str]] = set()
    for folder in (row.folder, *row.compatible):
        for line in corpus.lines(folder, "stream"):
            came = [event["data"] for event in line["events"]]
            if line["id"] in row.unstreamable or len(came) > _MOST_FRAMES or len(str(came)) > _LARGEST:
                continue
            for at, frame in enumerate(came):
                kind = str(frame.get("type", "")) if isinstance(frame, dict) else ""
                for path, tag in members(frame):
                    named = (kind, kind_of(path), tag)
                    if named not in seen:
                        seen.add(named)
                        yield kind, Place(kind_of(path), tag, came, (at, *path))


def members(value: Any, path: Tokens = ()) -> Iterator[tuple[Tokens, str]]:
    """Yield the path of each member of each object, and the kind of the object, the outer ones first."""
    if len(path) >= _DEEPEST:
        return
    if isinstance(value, dict):
        tag = str(value.get("type", value.get("role", "")))
        for name, inner in value.items():
            yield (*path, name), tag
            yield from members(inner, (*path, name))
    elif isinstance(value, list):
        for at, inner in enumerate(value):
            yield from members(inner, (*path, at))


def reshaped(place: Place) -> Iterator[tuple[Any, Any]]:
    """Yield each shape, and the body with it at the place; only a few of them unless the laws run completely."""
    shapes = SHAPES if corpus.whole() else random.Random(f"{place.kind} {place.tag}").sample(SHAPES, _FEW)
    for shape in shapes:
        yield shape, edited(place.body, place.path, shape)


def without(body: Any, path: Tokens) -> Any:
    """Return a copy of a body without the member at a path."""
    outer, name = path[:-1], path[-1]
    holder = body
    for token in outer:
        holder = holder[token]
    return edited(body, outer, {member: value for member, value in holder.items() if member != name})
