"""A room of a third party fails with our errors alone, says what it lacks, and is described by one value."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import pytest

import interlingua as il
from interlingua.loss import LossLog
from interlingua.registry import descriptor, descriptors, room
from interlingua.spi.guard import GuardedRoom

HOUSE: Final = Path(str(il.__file__)).parent
# Modules that may name a dialect, and why: all others read descriptors.
NAMED: Final[dict[str, str]] = {
    "endpoints.py": "paths are HTTP, of which rooms know nothing: they read and write bodies",
    "events.py": "the signature of a thought of Claude's, which a stream says apart from it",
    "items.py": "response items are those of OpenAI Responses",
    "migrate/extras.py": "the shapes that sealed version 2 has of what Claude and Gemini keep",
    "registry.py": "the list of our own rooms",
    **dict.fromkeys(
        (f"serve/{name}.py" for name in ("app", "counting", "headers", "model_lists", "own_members", "pings")),
        "paths, headers and keep-alives are HTTP, of which rooms know nothing: they read and write bodies",
    ),
    "vectors/addresses.py": "the headers with which a proxy is asked",
    "vectors/grading.py": "a path tells the clients of one dialect whether a stream is meant",
    "vectors/making.py": "the dialects whose streams name their models in the address",
}
WORDS: Final = "tell nobody"


def fail(*_given: object) -> Any:
    raise KeyError(WORDS)


def misread(*_given: object) -> Any:
    raise il.spi.Malformed("/talk", "expected a list")


def refuse(*_given: object) -> Any:
    raise il.EncodeError("parley", "/tools", "no tools")


def recurse(*_given: object) -> Any:
    return descend(0)


def descend(depth: int) -> Any:
    return descend(depth + 1)  # some Pythons (3.13.0, 3.15.2) do not stop endless calls with other forms of arguments


def guarded(**functions: Callable[..., Any]) -> GuardedRoom:
    return GuardedRoom(SimpleNamespace(**functions), "parley")


OPERATIONS: Final[dict[str, Callable[[GuardedRoom], Any]]] = {
    "assemble_stream": lambda room: room.assemble_stream([]),
    "check_request": lambda room: room.check_request({}),
    "decode_error": lambda room: room.decode_error({}),
    "decode_request": lambda room: room.decode_request({}),
    "decode_response": lambda room: room.decode_response({}),
    "decode_stream": lambda room: room.decode_stream(),
    "encode_error": lambda room: room.encode_error({"category": "unknown", "message": ""}, LossLog()),
    "encode_request": lambda room: room.encode_request({"messages": []}, LossLog()),
    "encode_response": lambda room: room.encode_response({"messages": []}, LossLog()),
    "encode_stream": lambda room: room.encode_stream(LossLog()),
    "texts_of_opaque": lambda room: room.texts_of_opaque([{}]),
}


@pytest.mark.parametrize("operation", OPERATIONS)
def test_a_missing_function_of_a_room_is_an_error_that_names_it(operation: str) -> None:
    with pytest.raises(il.UnsupportedError) as caught:
        OPERATIONS[operation](guarded())
    assert (caught.value.dialect, caught.value.operation) == ("parley", operation)


@pytest.mark.parametrize("operation", OPERATIONS)
def test_an_exception_of_a_room_becomes_an_error_with_its_cause_and_without_its_text(operation: str) -> None:
    with pytest.raises(il.DialectError) as caught:
        OPERATIONS[operation](guarded(**{operation: fail}))
    assert (caught.value.dialect, caught.value.operation) == ("parley", operation)
    assert isinstance(caught.value.__cause__, KeyError)
    assert WORDS not in str(caught.value) + repr(caught.value)


@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize("value", [None, "text", 7, [1, 2], (1,), object(), [{"role": "user"}]])
def test_a_return_value_of_the_wrong_type_is_an_error_of_the_room(operation: str, value: object) -> None:
    with pytest.raises(il.DialectError) as caught:
        OPERATIONS[operation](guarded(**{operation: lambda *_given: value}))
    assert (caught.value.dialect, caught.value.operation) == ("parley", operation)
    assert caught.value.__cause__ is not None


@pytest.mark.parametrize("value", [None, "text", 7, {"type": "start"}, [None], [{"type": "nothing"}], [{}]])
def test_events_and_frames_of_the_wrong_type_are_an_error_of_the_room(value: object) -> None:
    halves = SimpleNamespace(feed=lambda _one: value, close=lambda: value)
    reader = guarded(decode_stream=lambda: halves).decode_stream()
    writer = guarded(encode_stream=lambda _log: halves).encode_stream(LossLog())
    for step in (lambda: reader.feed({}), reader.close):
        with pytest.raises(il.DialectError):
            step()
    if type(value) is list:
        assert writer.feed({}) == writer.close() == value  # frames are of any shape
    else:
        for step in (lambda: writer.feed({}), writer.close):
            with pytest.raises(il.DialectError):
                step()


@pytest.mark.parametrize("operation", OPERATIONS)
def test_an_error_of_the_library_is_raised_unchanged(operation: str) -> None:
    with pytest.raises(il.EncodeError) as caught:
        OPERATIONS[operation](guarded(**{operation: refuse}))
    assert (caught.value.dialect, caught.value.path, caught.value.reason) == ("parley", "/tools", "no tools")


@pytest.mark.parametrize("operation", OPERATIONS)
def test_a_malformed_shape_raises_the_error_of_the_direction(operation: str) -> None:
    expected = il.EncodeError if operation.startswith("encode") else il.DecodeError
    with pytest.raises(expected) as caught:
        OPERATIONS[operation](guarded(**{operation: misread}))
    assert isinstance(caught.value, il.DecodeError | il.EncodeError)
    assert (caught.value.dialect, caught.value.path, caught.value.reason) == ("parley", "/talk", "expected a list")


@pytest.mark.parametrize("operation", OPERATIONS)
def test_infinite_recursion_in_a_room_is_an_error_of_the_room(operation: str) -> None:
    with pytest.raises(il.DialectError):
        OPERATIONS[operation](guarded(**{operation: recurse}))


def test_a_value_nested_too_deeply_is_an_error_of_the_value() -> None:
    deep: list[Any] = []
    for _ in range(1_000):
        deep = [deep]
    with pytest.raises(il.DecodeError) as read:
        guarded(decode_request=recurse).decode_request({"talk": deep})
    assert read.value.path.startswith("/talk")
    request: Any = {"messages": [], "metadata": {"deep": deep}}
    with pytest.raises(il.EncodeError) as written:
        guarded(encode_request=recurse).encode_request(request, LossLog())
    assert written.value.path.startswith("/metadata/deep")


def test_a_room_returns_a_text_or_none_for_each_opaque_value() -> None:
    texts = [il.spi.OpaqueText("Called f: {}"), None]
    assert guarded(texts_of_opaque=lambda _values: texts).texts_of_opaque([{}, {}]) == texts
    with pytest.raises(il.DialectError):
        guarded(texts_of_opaque=lambda _values: texts).texts_of_opaque([{}])


def test_an_exception_inside_a_stream_becomes_an_error_of_the_library() -> None:
    halves = SimpleNamespace(feed=fail, close=fail)
    reader = guarded(decode_stream=lambda: halves).decode_stream()
    writer = guarded(encode_stream=lambda _log: halves).encode_stream(LossLog())
    for step in (lambda: reader.feed({}), reader.close, lambda: writer.feed({}), writer.close):
        with pytest.raises(il.DialectError):
            step()


def test_a_descriptor_of_another_dialect_is_refused() -> None:
    with pytest.raises(il.DialectError) as caught:
        GuardedRoom(SimpleNamespace(DESCRIPTOR=il.spi.Descriptor(dialect="other", title="Other")), "parley")
    assert caught.value.operation == "import"


def test_only_built_in_rooms_keep_foreign_signed_state() -> None:
    told = il.spi.Descriptor(dialect="parley", title="Parley", carries_state=True, seals_state=True)
    found = GuardedRoom(SimpleNamespace(DESCRIPTOR=told), "parley").DESCRIPTOR
    assert found == told._replace(seals_state=False)


def test_a_room_without_a_descriptor_gets_a_default_one() -> None:
    found = GuardedRoom(SimpleNamespace(API_VERSIONS=("2", "1"), MESSAGES="talk"), "parley").DESCRIPTOR
    assert (found.dialect, found.api_versions, found.messages) == ("parley", ("2", "1"), "talk")


def test_built_in_dialects_have_descriptors_and_no_guard() -> None:
    assert [one.dialect for one in descriptors()] == list(il.dialects())
    for one in descriptors():
        assert room(one.dialect).DESCRIPTOR is descriptor(one.dialect) is one
    with pytest.raises(il.UnknownDialectError):
        descriptor("parley")


def test_every_name_of_the_interface_exists() -> None:
    assert {name for name in il.spi.__all__ if not hasattr(il.spi, name)} == set()
    with pytest.raises(AttributeError):
        il.spi.nothing_of_that_name  # noqa: B018  # asking is the test


def test_reading_a_descriptor_imports_no_codec() -> None:
    code = (
        "import sys; from interlingua.registry import descriptors; descriptors();"
        "parts = [name.rpartition('.')[2] for name in sys.modules if name.startswith('interlingua.rooms.')];"
        "print([part for part in parts if part.startswith(('decode', 'encode', 'rules', 'stream'))])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("source", "target", "others"),
    [
        ("ollama", "gemini", {"ollama.encode", "gemini.decode"}),
        ("openai_chat", "claude", {"openai_chat.encode", "_chat_completions.encode", "claude.decode"}),
    ],
)
def test_a_translation_imports_only_the_needed_direction_of_each_dialect(
    source: str, target: str, others: set[str]
) -> None:
    code = (
        "import sys; from interlingua.translation import translate_request as translate;"
        f"translate({{'model': 'm', 'messages': []}}, {source!r}, {target!r});"
        f"print([name for name in {sorted(others)!r} if f'interlingua.rooms.{{name}}' in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_translating_an_answer_imports_no_request_modules() -> None:
    code = (
        "import sys; from interlingua.translation import translate_response as translate;"
        "translate({'candidates': []}, 'gemini', 'openai_chat');"
        "others = ('interlingua.rooms.gemini.decode', 'interlingua.rooms.openai_chat.encode');"
        "print([name for name in others if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def dialects_named(path: Path) -> set[str]:
    """Return the dialects that the code of a module names as a whole text."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and node.value in il.dialects()}


def test_no_module_outside_the_rooms_has_a_table_by_dialect_name() -> None:
    paths = [path for path in HOUSE.rglob("*.py") if path.relative_to(HOUSE).parts[0] not in {"rooms", "dialects"}]
    found = {path.relative_to(HOUSE).as_posix() for path in paths if dialects_named(path)}
    assert found - set(NAMED) == set()


def test_a_dialect_name_outside_the_rooms_is_detected(tmp_path: Path) -> None:
    path = tmp_path / "table.py"
    path.write_text('"""Of claude."""\nTABLE = {"claude": 1, "gemini-1": 2}\n', encoding="utf-8")
    assert dialects_named(path) == {"claude"}


@pytest.mark.parametrize(
    ("dialect", "member"),
    [(one.dialect, member) for one in descriptors() for member in one.held_by_server],
)
def test_ids_of_objects_on_a_providers_server_are_content_losses_in_other_dialects(dialect: str, member: str) -> None:
    request: Any = {"messages": [], "extra": {dialect: {"fields": {member: "x"}}}}
    (loss,) = (loss for loss in il.encode_request(request, "ollama").losses if loss.path.startswith("/extra"))
    assert loss.concern == "content"
