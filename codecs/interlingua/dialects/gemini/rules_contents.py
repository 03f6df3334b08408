"""What Gemini refuses of contents and parts, and how calls and results follow each other.

Source: reference/wire/gemini.md sections 1.1, 1.2 and 4.
"""

from __future__ import annotations

from collections import deque
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from interlingua.dialects._shared.ruling import OBJECT, TEXT, items_of, text_of, word_of
from interlingua.dialects.gemini.rules_spelling import each, parts_of, spelt, within
from interlingua.dialects.gemini.tables import DATA, MODEL, SPEAKERS
from interlingua.violation import Violation

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from interlingua.dialects._shared.ruling import Object

_CALL, _RESULT, _SIGNATURE = "functionCall", "functionResponse", "thoughtSignature"
# Data of a part -> the JSON type of it, and what it must have.
_SHAPES: Final[Mapping[str, tuple[type, ...]]] = MappingProxyType({
    "text": TEXT,
    "inlineData": OBJECT,
    "fileData": OBJECT,
    _CALL: OBJECT,
    _RESULT: OBJECT,
})  # fmt: skip
_REQUIRED: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType({
    "inlineData": ("mimeType", "data"),
    "fileData": ("fileUri",),
    _CALL: ("name",),
    _RESULT: ("name",),
})  # fmt: skip
_OUTPUT: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType({
    _CALL: ("partialArgs", "willContinue"), "audioTranscription": ()
})  # fmt: skip


def contents_and_roles(body: Object) -> Iterator[Violation]:
    """There are contents, each of a known role (section 1.1; "Please use a valid role: user, model")."""
    contents = body.get("contents")
    if contents is None or contents == []:
        yield Violation("required" if contents is None else "empty", "/contents", "at least one content")
    for index, one in enumerate(items_of(contents)):
        if type(one) is not dict:
            yield Violation("shape", f"/contents/{index}", "expected an object")
    for path, content in each(body, "", "contents"):
        role = word_of(content, "role")
        if role and role not in SPEAKERS:
            yield Violation("role", f"{path}/role", "user or model")


def misshapen_parts(body: Object) -> Iterator[Violation]:
    """Data are of the JSON types that section 1.2 names, and have what it marks as required."""
    for path, part in parts_of(body):
        for name, kinds in _SHAPES.items():
            spelling, value = spelt(part, name)
            if value is not None and type(value) not in kinds:
                yield Violation("shape", f"{path}/{spelling}", "expected text or an object")
            elif value is not None:
                where, data = within(part, path, name)
                for member in _REQUIRED.get(name, ()):
                    if not spelt(data, member)[1]:
                        yield Violation("required", f"{where}/{member}", "the provider demands it")
        for name, member in ((_CALL, "args"), (_RESULT, "response")):
            where, data = within(part, path, name)
            if type(data.get(member, {})) is not dict:
                yield Violation("arguments" if name == _CALL else "shape", f"{where}/{member}", "expected an object")


def empty_parts(body: Object) -> Iterator[Violation]:
    """No content is without parts, no part without data ("empty Part (`{}`) invalid; empty `parts` invalid")."""
    for path, content in each(body, "", "contents"):
        if not content.get("parts"):
            yield Violation("empty", f"{path}/parts", "at least one part")
    for path, part in parts_of(body):
        if all(value is None for value in part.values()):
            yield Violation("empty", path, "a part without data")


def crowded_parts(body: Object) -> Iterator[Violation]:
    """A part holds one thing ("a Part with two data fields is invalid")."""
    for path, part in parts_of(body):
        if sum(spelt(part, name)[1] is not None for name in DATA) > 1:
            yield Violation("part", path, "a part holds one thing")


def empty_texts(body: Object) -> Iterator[Violation]:
    """An empty text has a signature ("empty `text:""` part is accepted only when it carries a thoughtSignature")."""
    for path, part in parts_of(body):
        if part.get("text") == "" and not spelt(part, _SIGNATURE)[1]:
            yield Violation("empty_text", path, "an empty text without a signature")


def output_members(body: Object) -> Iterator[Violation]:
    """What only the service says is not sent back ("output-only")."""
    for path, part in parts_of(body):
        for name, members in _OUTPUT.items():
            spelling, value = spelt(part, name)
            if value is not None and not members:
                yield Violation("member", f"{path}/{spelling}", "only the service says it")
            where, data = within(part, path, name)
            for member in members:
                inner, said = spelt(data, member)
                if said is not None:
                    yield Violation("member", f"{where}/{inner}", "only the service says it")


def calls_and_results(body: Object) -> Iterator[Violation]:
    """As many results as calls, in the content after ("the number of function response parts is equal ..."; HIS-5).

    Results in a later content come too late, and where two hold them, the first holds too few ("function-response turn
    must directly follow the function-call turn"). Calls that the service itself makes on an MCP server are answered in
    their own content.
    """
    asked: list[tuple[str, Object]] = []
    for role, parts in _contents(body):
        results = [one for one in parts if spelt(one[1], _RESULT)[1] is not None]
        calls = [one for one in parts if spelt(one[1], _CALL)[1] is not None]
        if role == MODEL and results:
            calls, results = calls[len(results) :], []
        open_calls, orphans = _matched(asked, results)
        if len(asked) > len(results):
            for path in open_calls:
                yield Violation("dangling_call", path, "no result follows in the next content")
        if len(results) > len(asked):
            for path in orphans:
                yield Violation("orphan_result", path, "no call of the content before has its place")
        asked = calls if role == MODEL else []
    for path, _ in asked:
        yield Violation("dangling_call", path, "no result follows")


def echoed_ids(body: Object) -> Iterator[Violation]:
    """As many results as calls, with ids: they are those of the calls ("only echoed if the call had one")."""
    asked: list[str] = []
    for role, parts in _contents(body):
        results = _ids(parts, _RESULT)
        if role != MODEL and len(results) == len(asked) and "" not in asked:
            known = set(asked)
            for path, identifier in results:
                if identifier and identifier not in known:
                    yield Violation("orphan_result", path, "no call of the content before has its id")
        asked = [identifier for _, identifier in _ids(parts, _CALL)] if role == MODEL else []


def _ids(parts: list[tuple[str, Object]], name: str) -> list[tuple[str, str]]:
    """Return paths and ids of the calls, or the results, of a content; an absent id is empty."""
    return [(path, _key(part, name)[0]) for path, part in parts if spelt(part, name)[1] is not None]


def results_first(body: Object) -> Iterator[Violation]:
    """In their content, results come first, other parts after ("must directly follow the function-call turn")."""
    for role, parts in _contents(body):
        others = False
        for path, part in parts if role != MODEL else ():
            is_result = spelt(part, _RESULT)[1] is not None
            if is_result and others:
                yield Violation("order", path, "results stand before all else")
            others = others or not is_result


def call_turns(body: Object) -> Iterator[Violation]:
    """A turn of calls comes right after a turn of the user ("right after a user or function-response turn")."""
    before: str | None = MODEL
    for path, content in each(body, "", "contents"):
        role = MODEL if content.get("role") == MODEL else "user"
        if role == MODEL and before == MODEL:
            parts = each(content, path, "parts")
            if any(spelt(part, _CALL)[1] is not None for _, part in parts):
                yield Violation("order", path, "calls come right after a turn of the user")
        before = role


def unsigned_calls(body: Object) -> Iterator[Violation]:
    """Where one step of the open turn is signed, all are ("missing a thought_signature"; REA-7).

    The first call of each step carries the signature. A turn without any is that of a model that signs nothing.
    """
    firsts: list[tuple[str, bool]] = []
    for role, turn in _turns(body):
        calls = [one for one in turn if spelt(one[1], _CALL)[1] is not None]
        if role == MODEL and calls:
            path, part = calls[0]
            firsts.append((path, bool(spelt(part, _SIGNATURE)[1])))
        elif role != MODEL and not any(spelt(part, _RESULT)[1] is not None for _, part in turn):
            firsts = []
    if any(signed for _, signed in firsts):
        for path, signed in firsts:
            if not signed:
                yield Violation("signature", path, "the first call of a step carries its signature")


def _contents(body: Object) -> Iterator[tuple[str, list[tuple[str, Object]]]]:
    """Yield role and parts of each content."""
    for path, content in each(body, "", "contents"):
        yield MODEL if content.get("role") == MODEL else "user", list(each(content, path, "parts"))


def _turns(body: Object) -> Iterator[tuple[str, list[tuple[str, Object]]]]:
    """Yield role and parts of each turn: contents of one role that follow each other are one."""
    last, turn = "", list[tuple[str, Any]]()
    for role, parts in _contents(body):
        if role != last and turn:
            yield last, turn
            turn = []
        last = role
        turn += parts
    if turn:
        yield last, turn


def _matched(calls: list[tuple[str, Object]], results: list[tuple[str, Object]]) -> tuple[list[str], list[str]]:
    """Return the paths of calls and results that find no partner: by id, else by name."""
    waiting: dict[tuple[str, str], deque[str]] = {}
    for path, part in calls:
        waiting.setdefault(_key(part, _CALL), deque()).append(path)
    orphans: list[str] = []
    for path, part in results:
        found = waiting.get(_key(part, _RESULT))
        if found:
            found.popleft()
        else:
            orphans.append(path)
    return [path for paths in waiting.values() for path in paths], orphans


def _key(part: Object, name: str) -> tuple[str, str]:
    _, data = within(part, "", name)
    return text_of(data, "id"), text_of(data, "name")
