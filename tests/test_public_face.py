"""What every public name has: a docstring, types, a class that was generated ahead, and little weight."""

from __future__ import annotations

import importlib
import inspect
import json
import re
import subprocess
import sys
import tracemalloc
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from enum import Enum
from importlib.resources import files
from pathlib import Path
from typing import Any, ClassVar, Final

import pytest
from pydantic import BaseModel

import interlingua as il
from interlingua import errors, model
from interlingua.events import accumulate
from interlingua_types import CURRENT, current

MODELS: Final = [getattr(model, name) for name in current.__all__ if inspect.isclass(getattr(model, name))]
MESSAGES: Final = 1_000
WEIGHT: Final = 1_024
"""Bytes that a message may weigh beyond its content (NFR-004a-04)."""


def members(owner: Any, name: str) -> Iterator[tuple[str, Any]]:
    """Yield a public thing, and the public methods and properties that a class of ours defines."""
    yield name, owner
    if not inspect.isclass(owner):
        return
    for base in owner.__mro__:
        if not base.__module__.startswith("interlingua"):
            continue
        for member, value in list(vars(base).items()):
            inner = getattr(value, "__func__", getattr(value, "fget", value))
            if not member.startswith("_") and inspect.isfunction(inner):
                yield f"{name}.{member}", inner


def public() -> list[tuple[str, Any]]:
    """Return every public class, function, method and property, by its name."""
    named = {name: getattr(il, name) for name in il.__all__} | {one.__name__: one for one in MODELS}
    for part, value in list(named.items()):
        if inspect.ismodule(value):
            named |= {f"{part}.{name}": getattr(value, name) for name in getattr(value, "__all__", ())}
    things = [(name, value) for name, value in named.items() if inspect.isclass(value) or inspect.isfunction(value)]
    return sorted((pair for name, value in things for pair in members(value, name)), key=lambda pair: pair[0])


PUBLIC: Final = public()


FREE_FORM: Final = re.compile(r"\b(?:Any|Json|bytes|object)\b")
"""The annotations of values that a program or a conversation may fill with anything."""


@pytest.mark.requirement("NFR-004a-20")
def test_no_public_record_prints_what_may_be_content() -> None:
    records: list[tuple[str, Any]] = [(name, one) for name, one in PUBLIC if inspect.isclass(one) and is_dataclass(one)]
    assert len(records) > 20
    told = {
        f"{name}.{member.name}"
        for name, record in records
        if record.__dataclass_params__.repr
        for member in fields(record)
        if member.repr and FREE_FORM.search(str(member.type))
    }
    assert told == {"tools.Tool.argument_type"}  # a type


@pytest.mark.requirement("NFR-004a-20")
def test_results_of_calls_print_no_content(tmp_path: Path) -> None:
    hidden = "correct horse"
    row = {"role": "user", "content": hidden}
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps(row) + "\n", encoding="utf-8")
    with il.SessionStore(tmp_path / "sessions.db") as store:
        session = store.create(metadata={"title": hidden})
        appended = store.append(session, il.messages.user(hidden, metadata={"title": hidden}))
        info, loaded, page = store.info(session), store.load(session), store.load_tail(session, 1)
    results: list[Any] = [
        *(appended, info, loaded, page, loaded.transcript, loaded.transcript.replay()),
        *(il.upgrade([row]), il.downgrade(il.upgrade([row]).documents), il.load_messages([row])),
        *(il.chat.flatten([row]), *il.sessions.records(path)),
        *(il.exchange({"model": "m", "messages": [row]}, "openai_chat", "claude"), il.detect({"messages": [row]})),
    ]
    assert [type(one).__name__ for one in results if hidden in f"{one!r} {one!s}"] == []


@pytest.mark.requirement("NFR-004a-34")
def test_every_public_name_has_a_docstring() -> None:
    assert len(PUBLIC) > len(il.__all__)
    assert [name for name, thing in PUBLIC if not (inspect.getdoc(thing) or "").strip()] == []


@pytest.mark.requirement("NFR-004a-35")
def test_every_public_function_is_annotated() -> None:
    functions = [(name, inspect.signature(thing)) for name, thing in PUBLIC if inspect.isfunction(thing)]
    silent = [
        (name, parameter.name)
        for name, signature in functions
        for parameter in signature.parameters.values()
        if parameter.annotation is parameter.empty and parameter.name not in {"self", "cls"}
    ]
    assert silent == []
    assert [name for name, signature in functions if signature.return_annotation is signature.empty] == []


@pytest.mark.requirement("NFR-004a-35")
@pytest.mark.parametrize("package", ["interlingua", "interlingua_types"])
def test_both_packages_are_marked_as_typed(package: str) -> None:
    assert files(package).joinpath("py.typed").is_file()


@pytest.mark.requirement("NFR-004a-33")
def test_the_types_package_does_not_import_the_library() -> None:
    check = (
        "import sys, interlingua_types.current as types; [getattr(types, name) for name in types.__all__];"
        "print([name for name in ('interlingua', 'orjson', 'jsonschema', 'mcp', 'sqlite3') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    "call",
    [
        "il.translate_request(request, 'openai_chat', 'claude').losses",
        "list(il.translate_stream(['[DONE]'], 'openai_chat', 'claude'))",
        "il.translate_error({'error': {'message': 'Wait.'}}, 'openai_chat', 'claude', status=429).losses",
        "il.exchange(request, 'openai_chat', 'claude').error({'error': {'message': 'Wait.'}}, status=429)",
        "il.detect(request)",
        "il.check_request(request, 'openai_chat')",
    ],
)
def test_wire_to_wire_translation_imports_no_models(call: str) -> None:
    code = (
        "import sys, interlingua as il; request = {'model': 'm', 'messages': [{'role': 'user', 'content': 'Hi'}]};"
        f"{call}; print([name for name in ('pydantic.main', 'interlingua_types._base') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.requirement("NFR-004a-10")
def test_every_class_is_defined_in_a_file_and_complete_on_import() -> None:
    source = inspect.getsource(importlib.import_module(f"interlingua_types.v{CURRENT}.models"))
    for one in MODELS:
        if one.__module__ == f"interlingua_types.v{CURRENT}.models":
            assert f"\nclass {one.__name__}(" in source
        if issubclass(one, BaseModel):
            assert one.__pydantic_complete__


def test_the_json_schema_of_a_class_has_no_python_descriptions() -> None:
    schema = il.TextPart.model_json_schema()
    assert schema["description"] == "A run of text."
    assert ">>>" in (il.TextPart.__doc__ or "")
    assert ">>>" not in str(schema)


@pytest.mark.requirement("NFR-004a-05")
@pytest.mark.parametrize("enumeration", [one for one in MODELS if issubclass(one, Enum)], ids=lambda one: one.__name__)
def test_an_enumeration_member_is_always_the_same_object(enumeration: type[Enum]) -> None:
    for member in enumeration:
        assert enumeration(member.value) is member
    if hasattr(enumeration, "parse"):
        assert all(enumeration.parse(member.value.upper()) is member for member in enumeration)


@pytest.mark.requirement("NFR-004a-04")
def test_a_message_takes_less_than_a_kilobyte_beyond_its_content() -> None:
    contents = [f"What is {number}?" for number in range(MESSAGES)]
    il.UserChatMessage(role="user", content=contents[0])
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        kept = [il.UserChatMessage(role="user", content=content) for content in contents]
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(kept) == MESSAGES
    assert (after - before) / MESSAGES < WEIGHT


class Piece(str):
    """A piece of text that counts how often it is added to another."""

    __slots__ = ()
    added: ClassVar[int] = 0

    def __add__(self, other: str) -> Piece:
        type(self).added += 1
        return Piece(str.__add__(self, other))

    def __radd__(self, other: str) -> Piece:
        type(self).added += 1
        return Piece(str.__add__(other, self))


@pytest.mark.requirement("NFR-004a-11")
@pytest.mark.parametrize("kind", ["content", "reasoning", "refusal", "tool_call_delta"])
def test_the_text_of_a_stream_is_joined_once_regardless_of_the_number_of_fragments(kind: str) -> None:
    pieces = 1_000
    member = "arguments" if kind == "tool_call_delta" else "text"
    opening: list[Any] = [{"type": "start"}]
    if kind == "tool_call_delta":
        opening.append({"type": "tool_call_start", "block": 0, "name": "read"})
    body = [{"type": kind, "block": 0, member: Piece("x")} for _ in range(pieces)]
    before = Piece.added
    response = accumulate([*opening, *body, {"type": "block_end", "block": 0}, {"type": "end", "complete": True}])
    assert "x" * pieces in str(response)
    assert Piece.added - before <= 2


def test_public_names_are_defined_in_one_list() -> None:
    assert len(il.__all__) == len(set(il.__all__))
    assert set(dir(il)) == {*il.__all__, "__version__"}
    assert set(current.__all__) <= set(il.__all__)
    assert set(errors.__all__) <= set(il.__all__)
    assert all(getattr(il, name) is getattr(model, name) for name in current.__all__)
