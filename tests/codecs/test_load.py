"""`il.load_message`, `il.dump_message`, `il.dump_message_json`: one stored message of any version."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import interlingua as il
from interlingua.errors import EncodeError, JsonDecodeError, MigrationError, UnknownVersionError
from interlingua.model import OpaquePart, ReasoningMessage, TextMessage, ToolRequestMessage, UnknownMessage
from interlingua.transcript import dump_message, dump_message_json, load_message
from interlingua_types import CURRENT, VERSIONS

if TYPE_CHECKING:
    from collections.abc import Callable

TEXT: dict[str, Any] = {"schema_version": CURRENT, "type": "text", "data": {"role": "user", "content": "Hello"}}
OLD: dict[str, Any] = {"role": "user", "content": "Hello"}
NEWER: dict[str, Any] = {"x": None, "schema_version": CURRENT + 1, "type": "text", "data": {"n": None}}
STRANGE: dict[str, Any] = {"schema_version": CURRENT, "type": "hologram", "rays": [None, 1]}
MESSAGE_FILES = sorted((Path(__file__).parents[2] / "schema" / f"v{CURRENT}" / "message").glob("*.json"))


def as_text(document: dict[str, Any]) -> str:
    return json.dumps(document, ensure_ascii=False)


def as_bytes(document: dict[str, Any]) -> bytes:
    return as_text(document).encode()


def as_it_is(document: dict[str, Any]) -> dict[str, Any]:
    return document


FORMS = pytest.mark.parametrize("form", [as_it_is, as_text, as_bytes])


@FORMS
def test_a_message_is_loaded_from_a_dict_text_or_bytes(form: Callable[[Any], Any]) -> None:
    assert load_message(form(TEXT)) == (TextMessage(data={"role": "user", "content": "Hello"}),)


@FORMS
@pytest.mark.parametrize(
    ("stated", "arguments"),
    [({}, {"a": 1}), ({}, '{"a": 1}'), ({"schema_version": 1}, {"a": 1}), ({"schema_version": 2}, '{"a": 1}')],
)
@pytest.mark.requirement("TYPE-2.3.1", "TYPE-2.3.2", "TYPE-2.3.4")
def test_an_old_message_is_upgraded(form: Callable[[Any], Any], stated: dict[str, Any], arguments: Any) -> None:
    calls = [{"id": "call_1", "name": "f", "arguments": arguments}]
    (said, called) = load_message(form({"role": "assistant", "content": "Let me see.", "tool_calls": calls, **stated}))
    assert isinstance(said, TextMessage)
    assert isinstance(called, ToolRequestMessage)
    assert called.joins
    assert called.data.calls[0].call.arguments_object() == {"a": 1}
    assert called.data.calls[0].approval.status == "pending"


def test_an_assistant_of_version_2_becomes_several_messages() -> None:
    document = {"role": "assistant", "reasoning": "Hm.", "content": "Hi", "extra": {"acme": 1}, "id": "m1"}
    (thought, said) = load_message(document)
    assert isinstance(thought, ReasoningMessage)
    assert (thought.id, said.id) == ("m1", None)
    assert [dump_message(one).get("extra") for one in (thought, said)] == [{"acme": 1}, None]


@pytest.mark.requirement("TYPE-2.3.3")
def test_members_unknown_to_an_old_version_are_kept_in_extra() -> None:
    (message,) = load_message({"role": "user", "content": "Hello", "legacy_flag": True}, version=1)
    assert dump_message(message)["extra"] == {"unknown": {"legacy_flag": True}}


@FORMS
@pytest.mark.parametrize("document", [NEWER, STRANGE, {"type": "hologram"}])
@pytest.mark.requirement("TYPE-2.2.1", "TYPE-2.2.2", "TYPE-2.2.3", "TYPE-2.2.4")
def test_per_3_an_unknown_message_is_kept_unchanged_and_a_warning_is_logged(
    form: Callable[[Any], Any], document: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING, logger="interlingua"):
        (message,) = load_message(form(document))
    assert isinstance(message, UnknownMessage)
    assert dump_message(message) == document
    assert json.dumps(json.loads(dump_message_json(message))) == json.dumps(document)
    assert [record.levelname for record in caplog.records] == ["WARNING"]


def test_a_warning_contains_no_content(caplog: pytest.LogCaptureFixture) -> None:
    load_message({"schema_version": CURRENT + 1, "type": "my password is hunter2", "data": "hunter2"})
    load_message({"type": "hologram", "data": "hunter2"})
    assert "hunter2" not in caplog.text
    assert "hologram" in caplog.text


def test_per_3_undeclared_members_of_version_3_are_kept_in_the_nearest_extra() -> None:
    call = {"name": "f", "arguments": {}, "index": 0}
    request = {"call": call, "approval": {"status": "pending", "by/whom": [None]}}
    document = {
        "schema_version": CURRENT,
        "type": "tool_request",
        "priority": None,
        "data": {"calls": [request], "mood": "good"},
        "extra": {"unknown": {"old": 1}},
    }
    (message,) = load_message(document)
    dumped = dump_message(message)
    assert dumped["extra"] == {
        "unknown": {
            "priority": None,
            "/data/calls/0/approval/by~1whom": [None],
            "/data/mood": "good",
            "old": 1,
        }
    }
    assert dumped["data"]["calls"][0]["call"]["extra"] == {"unknown": {"index": 0}}
    assert load_message(dumped) == (message,)


@pytest.mark.parametrize("version", [2, CURRENT])
def test_per_2_a_part_of_an_unknown_type_becomes_opaque_and_the_rest_is_read(version: int) -> None:
    parts = [{"type": "hologram", "rays": [1]}, {"type": "text", "text": "Hi"}]
    old = {"role": "user", "content": parts}
    document = old if version == 2 else {"schema_version": CURRENT, "type": "text", "data": old}
    (message,) = load_message(document)
    assert isinstance(message, TextMessage)
    opaque, words = message.data.content or ()
    assert opaque == OpaquePart(dialect=f"interlingua_v{version}", data=parts[0])
    assert words.text == "Hi"
    assert load_message(dump_message_json(message)) == (message,)


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("", 1, 1),
        ("{", 1, 2),
        ('{"a": NaN}', 1, 7),
        ('{"a": -Infinity}', 1, None),
        ('{"a": 1e400}', 1, None),
        ('{"a":\n  hunter2}', 2, 3),
        ("{} hunter2", 1, 4),
        ('"\\ud83d"', 1, None),
        ("\ud83d", 1, None),
        ('\ufeff{"role": "user", "content": ""}', 1, None),
        ("[" * 5000, 1, None),
        ('{"schema_version":3,"type":"text","data":{"role":"user"},"metadata":{"a":NaN}}', 1, None),
        ('{"schema_version":3,"type":"text","data":{"role":"user"},"metadata":{"a":1e999}}', 1, None),
    ],
)
@pytest.mark.requirement("MAN-2.1")
def test_invalid_json_text_raises_a_typed_error_with_its_position(text: str, line: int, column: int | None) -> None:
    with pytest.raises(JsonDecodeError) as caught:
        load_message(text)
    assert isinstance(caught.value, ValueError)
    assert caught.value.line == line
    assert caught.value.column >= 1
    assert column is None or caught.value.column == column
    assert "hunter2" not in str(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None


def test_bytes_that_are_not_utf_8_raise_a_typed_error() -> None:
    with pytest.raises(JsonDecodeError) as caught:
        load_message(b'{"role": "user",\n"content": "\xff"}')
    assert str(caught.value) == "not JSON: line 2, column 13: the bytes are not UTF-8"


@pytest.mark.parametrize(
    "document", [b'{"a": NaN}', b"\xef\xbb\xbf{}", b'{"a": \xff}', b'{"a": 1', "\ufeff{}"], ids=repr
)
def test_every_reader_gives_the_same_reason_for_invalid_json(document: str | bytes) -> None:
    told: set[str] = set()
    for read in (load_message, il.chat.load, il.ConversationHistory.from_json):
        with pytest.raises(JsonDecodeError) as caught:
            read(document)
        told.add(str(caught.value))
    assert len(told) == 1
    assert told.pop().count("not JSON") == 1


@pytest.mark.parametrize("word", ["USER", "User", "uSeR"])
@pytest.mark.parametrize(
    "document",
    [
        {"role": "user", "content": "Hello"},
        {"role": "user", "content": [{"type": "text", "text": "Hello"}]},
        {"schema_version": 2, "role": "user", "content": "Hello"},
        TEXT,
        {**TEXT, "new": 1},
    ],
)
@FORMS
def test_role_names_are_read_case_insensitively(form: Callable[[Any], Any], document: Any, word: str) -> None:
    written = json.loads(json.dumps(document).replace('"user"', json.dumps(word)))
    assert written != document
    assert load_message(form(written)) == load_message(document)
    assert il.load_messages([form(written), form(written)]).messages == load_message(document) * 2
    assert il.upgrade([written]).documents == il.upgrade([document]).documents
    assert il.downgrade([written]).documents == il.downgrade([document]).documents


def test_a_result_is_recognised_in_any_case_of_its_role() -> None:
    call = {"role": "Assistant", "tool_calls": [{"id": "c1", "name": "f", "arguments": {}}]}
    loaded = il.load_messages([call, {"role": "TOOL", "tool_call_id": "c1", "content": "31"}])
    assert il.Transcript(loaded.messages).answers() == {(0, 0): 1}


@pytest.mark.parametrize(
    ("document", "path"),
    [
        pytest.param({"role": "robot", "content": ""}, "/role", marks=pytest.mark.requirement("MAN-2.2")),
        pytest.param({"role": "Users", "content": ""}, "/role", marks=pytest.mark.requirement("MAN-2.2")),
        pytest.param(
            {"role": "assistant", "tool_calls": {"0": {}}}, "/tool_calls", marks=pytest.mark.requirement("MAN-2.3")
        ),
        pytest.param(
            {"role": "assistant", "tool_calls": [1]}, "/tool_calls/0", marks=pytest.mark.requirement("MAN-2.3")
        ),
        pytest.param(
            {"role": "assistant", "tool_calls": [{"id": "c", "name": "f", "arguments": [1]}]},
            "/tool_calls/0/arguments",
            marks=pytest.mark.requirement("MAN-2.4"),
        ),
    ],
)
@FORMS
def test_a_message_that_violates_a_rule_of_004_raises_a_typed_error(
    form: Callable[[Any], Any], document: dict[str, Any], path: str
) -> None:
    with pytest.raises(MigrationError) as caught:
        load_message(form(document))
    assert caught.value.path == path


@pytest.mark.parametrize(
    "document",
    [None, 5, [], [TEXT], "[]", {"message": TEXT}, {"user": {"content": "x"}}, {"type": "text", "text": "x"}],
)
def test_per_8_a_value_of_another_shape_raises_a_typed_error(document: Any) -> None:
    with pytest.raises(MigrationError):
        load_message(document)


@pytest.mark.parametrize(
    "wrong",
    [
        {**TEXT, "data": {"role": "user", "content": 5}},
        {**TEXT, "data": {"role": "user", "content": [{"type": "text", "text": "hunter2", "cache": 5}]}},
        {**TEXT, "data": {"role": "user"}, "id": 5, "unknown_too": "hunter2"},
        {**TEXT, "extra": 5, "unknown_too": 1},
    ],
)
def test_an_invalid_current_message_is_never_taken_for_an_unknown_one(wrong: dict[str, Any]) -> None:
    with pytest.raises(MigrationError) as caught:
        load_message(wrong)
    assert caught.value.version == CURRENT
    assert "hunter2" not in str(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None


@pytest.mark.parametrize(
    ("document", "version"), [(TEXT, 1), (NEWER, CURRENT), ({"role": "user", "schema_version": 2}, 1)]
)
def test_a_version_that_contradicts_the_document_raises_a_typed_error(document: dict[str, Any], version: int) -> None:
    with pytest.raises(MigrationError) as caught:
        load_message(document, version=version)
    assert caught.value.path == "/schema_version"


@pytest.mark.parametrize("version", [0, max(VERSIONS) + 1, "3", True])
def test_an_unknown_version_raises_a_typed_error(version: Any) -> None:
    with pytest.raises(UnknownVersionError):
        load_message(TEXT, version=version)


@pytest.mark.requirement("NORM-3.2.1", "NORM-3.2.2")
@pytest.mark.parametrize(
    ("content", "text"),
    [({"a": [1, None]}, '{"a":[1,null]}'), ([1, "b"], '[1,"b"]'), (5, "5"), (1.5, "1.5"), (True, "true"), ("x", "x")],
)
def test_old_content_that_is_neither_text_nor_parts_becomes_json_text(content: Any, text: str) -> None:
    (message,) = load_message({"role": "user", "content": content})
    assert dump_message(message)["data"]["content"] == text


def test_invalid_parts_are_not_taken_for_text() -> None:
    parts = [{"type": "image", "url": 5}]
    with pytest.raises(MigrationError):
        load_message({"role": "user", "content": parts})
    (message,) = load_message({"role": "user", "content": parts}, version=1)
    assert dump_message(message)["data"]["content"] == '[{"type":"image","url":5}]'


@FORMS
def test_integers_keep_every_digit(form: Callable[[Any], Any]) -> None:
    document = {**TEXT, "metadata": {"n": 123456789012345678901234567890}}
    (message,) = load_message(form(document))
    assert dump_message(message) == document
    assert json.loads(dump_message_json(message)) == document


def test_val_5_of_duplicate_members_the_last_one_counts() -> None:
    (message,) = load_message(
        f'{{"schema_version":{CURRENT},"type":"text","data":{{"role":"user"}},"id":"a","id":"b"}}'
    )
    assert message.id == "b"


@pytest.mark.parametrize("text", ["\x00", "\u2028\u2029", "\uffff", "\x1b[31m", "e\u0301", "\U0001f600"])
def test_per_13_characters_that_databases_refuse_round_trip(text: str) -> None:
    (message,) = load_message({"role": "user", "content": text})
    stored = dump_message_json(message)
    assert b"\n" not in stored
    assert json.loads(stored)["data"]["content"] == text
    assert load_message(stored) == (message,)


@pytest.mark.parametrize("path", MESSAGE_FILES, ids=lambda path: path.stem)
@pytest.mark.requirement("TYPE-2.1.1", "TYPE-2.1.2")
def test_a_dumped_message_of_any_type_has_its_type_and_nested_data(path: Path) -> None:
    schema = json.loads(path.read_text(encoding="utf-8"))
    for example in schema["examples"]:
        (message,) = load_message({"metadata": {"nothing": None}, **example})
        dumped = dump_message(message)
        assert dumped == {"metadata": {"nothing": None}, **example}
        assert dumped["type"] == path.stem
        envelope = {
            "schema_version",
            "type",
            "id",
            "created_at",
            "joins",
            "data",
            "answer",
            "source",
            "metadata",
            "extra",
        }
        assert dumped.keys() <= envelope
        assert dump_message_json(message).decode() == json.dumps(dumped, separators=(",", ":"), ensure_ascii=False)


@pytest.mark.requirement("TYPE-2.1.3")
def test_dumped_json_is_readable_by_people() -> None:
    words = "Gr\u00fc\u00dfe, \u4f60\u597d"
    message = TextMessage(data={"role": "user", "content": words})
    assert dump_message(message) == {**TEXT, "data": {"role": "user", "content": words}}
    assert dump_message_json(message).decode() == (
        f'{{"schema_version":{CURRENT},"type":"text","data":{{"role":"user","content":"{words}"}}}}'
    )


def test_vals_values_that_json_cannot_represent_raise_a_typed_error_without_content() -> None:
    deep: Any = {}
    for _ in range(2000):
        deep = {"a": deep}
    for value in ("hunter2\ud83d", deep):
        message = TextMessage(data={"role": "user"}, metadata={"a": value})
        with pytest.raises(EncodeError) as caught:
            dump_message_json(message)
        assert "hunter2" not in str(caught.value)
        assert caught.value.__context__ is None


def test_an_undeclared_member_never_replaces_a_known_one() -> None:
    (message,) = load_message({**TEXT, "old": 2, "/old": 3, "extra": {"unknown": {"old": 1}}})
    assert dump_message(message)["extra"] == {"unknown": {"old": 1, "/old": 2, "//old": 3}}


def nested(depth: int) -> str:
    return "[" * depth + "]" * depth


def test_text_nested_too_deeply_to_be_stored_again_is_refused() -> None:
    current, old = (json.dumps(document) for document in ({**TEXT, "metadata": {"a": 0}}, {**OLD, "more": 0}))
    (message,) = load_message(current.replace("0", nested(150)))
    assert load_message(dump_message_json(message)) == (message,)
    for depth in (300, 3000):
        for text in (current, old):
            with pytest.raises(JsonDecodeError):
                load_message(text.replace("0", nested(depth)))


def test_old_content_that_is_not_json_is_refused() -> None:
    with pytest.raises(MigrationError):
        load_message({"role": "user", "content": {"a": float("nan")}})


def test_a_message_with_python_values_is_refused_or_written_as_json() -> None:
    message = TextMessage(data={"role": "user"}, metadata={"a": object()})
    with pytest.raises(EncodeError):
        dump_message(message)
