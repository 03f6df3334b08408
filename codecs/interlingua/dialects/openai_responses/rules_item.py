"""What OpenAI Responses refuses of input items, and how calls, results and reasoning follow each other.

Source: reference/wire/openai_responses.md sections 1.1, 1.2 and 4.
"""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from interlingua.dialects._shared.media import split_data_url
from interlingua.dialects._shared.ruling import (
    LIST,
    TEXT,
    TEXT_OR_LIST,
    members_named,
    misshapen,
    misshapen_list,
    missing,
    objects,
    refused_names,
    repeated,
    text_of,
    word_of,
)
from interlingua.dialects.openai_responses.tables import NO_FILES
from interlingua.violation import Violation

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from interlingua.dialects._shared.ruling import Object, Shapes

_MESSAGE: Final = "message"
_ROLES: Final = frozenset({"user", "assistant", "system", "developer"})
# Calls that must be answered, and what answers them.
_CALLS: Final = frozenset({"function_call", "custom_tool_call", "computer_call", "shell_call", "apply_patch_call"})
_OUTPUTS: Final = frozenset(f"{call}_output" for call in _CALLS)
_REQUIRED: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType({
    _MESSAGE: ("role", "content"),
    "function_call": ("call_id", "name", "arguments"),
    "function_call_output": ("call_id", "output"),
    "custom_tool_call": ("call_id", "name", "input"),
    "custom_tool_call_output": ("call_id", "output"),
    "reasoning": ("summary",),
    "item_reference": ("id",),
})  # fmt: skip
_SHAPES: Final[Mapping[str, Shapes]] = MappingProxyType({
    _MESSAGE: {"role": TEXT, "content": TEXT_OR_LIST},
    "function_call": {"call_id": TEXT, "name": TEXT},
    "function_call_output": {"call_id": TEXT, "output": TEXT_OR_LIST},
    "custom_tool_call": {"call_id": TEXT, "name": TEXT, "input": TEXT},
    "custom_tool_call_output": {"call_id": TEXT, "output": TEXT_OR_LIST},
    "reasoning": {"summary": LIST, "encrypted_content": TEXT, "content": LIST},
})  # fmt: skip
_PREFIXES: Final[Mapping[str, str]] = MappingProxyType({
    _MESSAGE: "msg", "function_call": "fc", "custom_tool_call": "ctc", "reasoning": "rs"
})  # fmt: skip
_SAID: Final = frozenset({"output_text", "refusal"})
_HEARD: Final = frozenset({"input_text", "input_image", "input_file"})
# Member of a part or item -> how many characters the provider takes.
_LONGEST: Final[Mapping[str, int]] = MappingProxyType({
    "output": 10_485_760, "image_url": 20_971_520, "file_data": 73_400_320
})  # fmt: skip
_TRIGGER: Final = "compaction_trigger"
_acceptable_id: Final = re.compile(r".{1,64}", re.DOTALL).fullmatch


def misshapen_items(body: Object) -> Iterator[Violation]:
    """Items have what section 1.1 marks as required, of the JSON types that it names ("`reasoning.summary` key")."""
    yield from misshapen_list(body.get("input"), "/input")
    for path, kind, item in _items(body):
        yield from missing(item, _REQUIRED.get(kind, ()), path)
        yield from misshapen(item, _SHAPES.get(kind, {}), path)
        for name in ("content", "output"):
            yield from misshapen_list(item.get(name), f"{path}/{name}")


def roles(body: Object) -> Iterator[Violation]:
    """A message is of a role that is known (section 1.1)."""
    for path, kind, item in _items(body):
        role = word_of(item, "role")
        if kind == _MESSAGE and role is not None and role not in _ROLES:
            yield Violation("role", f"{path}/role", "user, assistant, system or developer")


def misplaced_parts(body: Object) -> Iterator[Violation]:
    """The assistant says `output_*`, all others `input_*` ("Content part types depend on role")."""
    for path, kind, item in _items(body):
        if kind == _MESSAGE:
            known = _SAID if item.get("role") == "assistant" else _HEARD
            for where, part in objects(item.get("content"), f"{path}/content"):
                word = word_of(part, "type")
                if word is not None and word in _SAID | _HEARD and word not in known:
                    yield Violation("part", where, "its role has no such part")


def foreign_media(body: Object) -> Iterator[Violation]:
    """A file is no sound and no film ("unsupported MIME type"; "No audio input part")."""
    for path, part in _parts(body):
        found = split_data_url(text_of(part, "file_data"))
        if found is not None and found[0].startswith(NO_FILES):
            yield Violation("media_type", f"{path}/file_data", "the provider does not take this type")
        picture = split_data_url(text_of(part, "image_url"))
        if picture is not None and not picture[0].startswith("image/"):
            yield Violation("media_type", f"{path}/image_url", "a picture")


def large_values(body: Object) -> Iterator[Violation]:
    """Results, pictures and files are not too large ("tool result `output` ≤10 485 760 chars")."""
    items = ((path, item) for path, _, item in _items(body))
    for path, value in [*items, *_parts(body)]:
        for name, most in _LONGEST.items():
            if len(text_of(value, name)) > most:
                yield Violation("limit", f"{path}/{name}", f"at most {most} characters")


def arguments(body: Object) -> Iterator[Violation]:
    """Arguments are text (section 1.1)."""
    for path, kind, item in _items(body):
        said = item.get("arguments", "")
        if kind == "function_call" and said is not None and type(said) is not str:
            yield Violation("arguments", f"{path}/arguments", "expected text")


def calls_and_results(body: Object) -> Iterator[Violation]:
    """Every call has its output and every output its call before it ("No tool output found for function call").

    Calls that are answered later (`async`), and conversations that the server remembers, are not judged.
    """
    remembered = body.get("previous_response_id") is not None or body.get("conversation") is not None
    references = any(kind == "item_reference" for _, kind, _ in _items(body))
    known: set[str] = set()
    asked: dict[str, str] = {}
    for path, kind, item in _items(body):
        identifier = word_of(item, "call_id")
        if identifier is None:
            continue
        if kind not in _OUTPUTS:
            known.add(identifier)
            if kind in _CALLS and item.get("async") is not True:
                asked[identifier] = path
        elif identifier in known:
            asked.pop(identifier, None)
        elif not remembered and not references:
            yield Violation("orphan_result", path, "no call before has its id")
    for path in asked.values():
        yield Violation("dangling_call", path, "no result follows")


def lone_reasoning(body: Object) -> Iterator[Violation]:
    """Reasoning with an id is followed by what came of it ("without its required following item"; REA-8).

    An answer without an id is not known to have come of it.
    """
    waiting = ""
    for path, kind, item in _items(body):
        if kind == "reasoning":
            waiting = (waiting or path) if word_of(item, "id") is not None else waiting
            continue
        if waiting and (kind in _OUTPUTS or (kind == _MESSAGE and word_of(item, "id") is None)):
            yield Violation("reasoning", waiting, "what came of it follows")
        waiting = ""
    if waiting:
        yield Violation("reasoning", waiting, "what came of it follows")


def ids(body: Object) -> Iterator[Violation]:
    """Ids of calls have 1 to 64 characters ("1..64 chars")."""
    named = members_named(((path, item) for path, _, item in _items(body)), "call_id")
    return refused_names(named, _acceptable_id, "1 to 64 characters", "id")


def item_ids(body: Object) -> Iterator[Violation]:
    """Ids of items are those that the provider gave ("send `id` only if it came from this API"; TOOL-2)."""
    for path, kind, item in _items(body):
        identifier = word_of(item, "id")
        if identifier is not None and kind in _PREFIXES and not identifier.startswith(_PREFIXES[kind]):
            yield Violation("id", f"{path}/id", f"it begins with {_PREFIXES[kind]}")


def repeated_ids(body: Object) -> Iterator[Violation]:
    """No two items have the same id (TOOL-2, "duplicate msg id")."""
    return repeated(members_named(((path, item) for path, _, item in _items(body)), "id"), "another item has its id")


def late_triggers(body: Object) -> Iterator[Violation]:
    """A compaction is asked for at the end ("must be the final input item")."""
    items = list(_items(body))
    for path, kind, _ in items[:-1]:
        if kind == _TRIGGER:
            yield Violation("order", path, "the last item")


def _items(body: Object) -> Iterator[tuple[str, str, Object]]:
    """Yield path, type and value of the input's items; an item without a type is a message."""
    for path, item in objects(body.get("input"), "/input"):
        kind = item.get("type")
        yield path, _MESSAGE if kind is None else text_of(item, "type"), item


def _parts(body: Object) -> Iterator[tuple[str, Object]]:
    for path, _, item in _items(body):
        for name in ("content", "output"):
            yield from objects(item.get(name), f"{path}/{name}")
