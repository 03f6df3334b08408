"""Upgrade, downgrade and detection by hand: what the vectors and the laws do not say."""

from __future__ import annotations

import json
from typing import Any

import pytest

from interlingua.errors import InterlinguaError, MigrationError, UnknownVersionError
from interlingua.migrate import detect_version, downgrade, upgrade
from interlingua.migrate.steps import upgrade_to
from interlingua.migrate.table import step_plan
from interlingua_types import CURRENT, VERSIONS
from interlingua_types.migrations import CHANGES

USER = {"role": "user", "content": "Hello"}
TEXT = {"schema_version": CURRENT, "type": "text", "data": {"role": "user", "content": "Hello"}}
CALL = {"id": "call_1", "name": "f", "arguments": {"a": 1}}

PRINTED = {
    "MAN-4.1": """{
  "role": "user",
  "content": "Write a hello world program"
}""",
    "MAN-4.2": """{
  "role": "assistant",
  "content": null,
  "tool_calls": [
    {
      "id": "call_001",
      "name": "write_file",
      "arguments": {
        "path": "hello.cs",
        "content": "Console.WriteLine(\\"Hello, World!\\");"
      }
    }
  ]
}""",
    "MAN-4.3": """{
  "role": "tool",
  "tool_call_id": "call_001",
  "content": "File written successfully"
}""",
}


@pytest.mark.parametrize(
    "printed",
    [pytest.param(text, id=name, marks=pytest.mark.requirement(name)) for name, text in PRINTED.items()],
)
def test_the_examples_of_004_load_and_print_as_shown(printed: str) -> None:
    upgraded = upgrade([json.loads(printed)]).documents
    downgraded = downgrade(upgraded, to=1)
    assert [json.dumps(document, indent=2) for document in downgraded.documents] == [printed]
    assert downgraded.losses == ()


@pytest.mark.parametrize(
    ("document", "version"),
    [
        (USER, 1),
        ({"role": "tool", "tool_call_id": "c", "content": ""}, 1),
        ({"role": "tool", "tool_call_id": "c", "reasoning": "odd"}, 1),
        ({"role": "assistant", "tool_calls": [CALL]}, 1),
        ({"role": "assistant", "tool_calls": []}, 1),
        ({"role": "developer", "content": ""}, 2),
        ({"role": "user", "content": []}, 2),
        ({"role": "tool", "call_id": "c"}, 2),
        ({"role": "assistant", "reasoning": "Hm."}, 2),
        ({"role": "assistant", "refusal": "No."}, 2),
        ({"role": "user", "content": "", "extra": {}}, 2),
        ({"role": "assistant", "tool_calls": [{"name": "f", "arguments": "{}"}]}, 2),
        ({"schema_version": 2, "role": "user", "content": ""}, 2),
        ({"schema_version": 1.0, "role": "developer", "content": ""}, 1),
        ({"schema_version": "2", "role": "user", "content": ""}, 1),
        ({"schema_version": True, "role": "user", "content": ""}, 1),
        ({"schema_version": 0, "role": "user", "content": ""}, 1),
        (TEXT, CURRENT),
        ({"type": "hologram"}, CURRENT),
        ({"role": "user", "content": "", "type": "hologram"}, 1),
        ({"schema_version": 9}, 9),
    ],
)
def test_a_version_is_stated_or_detected(document: dict[str, Any], version: int) -> None:
    assert detect_version(document) == version


@pytest.mark.parametrize("document", [None, 5, "{}", [], {}, {"role": 5}, {"content": "x"}])
def test_a_value_that_is_not_a_message_has_no_version(document: Any) -> None:
    with pytest.raises(MigrationError):
        detect_version(document)


def test_a_document_without_version_marks_has_the_version_of_its_neighbours() -> None:
    named = {"role": "user", "content": "Hello", "name": "ada"}
    marked = {"role": "assistant", "content": "Hi", "reasoning": "Hm."}
    old = {"role": "tool", "tool_call_id": "c", "content": ""}
    assert upgrade([named, marked]).documents[0]["data"]["name"] == "ada"
    assert upgrade([marked, named]).documents[-1]["data"]["name"] == "ada"
    assert upgrade([old, named]).documents[-1]["extra"] == {"unknown": {"name": "ada"}}
    assert upgrade([named]).documents[0]["extra"] == {"unknown": {"name": "ada"}}


def test_a_wrongly_detected_version_is_replaced_by_one_that_accepts_the_document() -> None:
    looks_newer = {"role": "user", "content": "Hello", "extra": 5}
    looks_older = {"role": "tool", "id": "call_1", "content": "done"}
    assert upgrade([looks_newer]).documents[0]["extra"] == {"unknown": {"extra": 5}}
    assert upgrade([looks_older]).documents[0]["data"]["call_id"] == "call_1"


@pytest.mark.parametrize(
    ("documents", "version", "path"),
    [
        ([USER, {"role": "robot", "content": ""}], None, "/1/role"),
        ([{"role": "assistant", "tool_calls": {}}], 1, "/0/tool_calls"),
        ([{"role": "assistant", "tool_calls": ["f"]}], 1, "/0/tool_calls/0"),
        ([{"role": "assistant", "tool_calls": [{**CALL, "arguments": [1]}]}], 1, "/0/tool_calls/0/arguments"),
        ([{"role": "user", "content": [{"type": "text"}]}], 2, "/0/content/0"),
        ([{**USER, "schema_version": 2}], 1, "/0/schema_version"),
        ([{**TEXT, "data": {"role": "user", "content": 5}}], None, "/0/data/content"),
        ([{"type": "text", "data": {"role": "user"}}], None, "/0"),
        ([USER, 5], None, "/1"),
        ([{"role": "assistant", "tool_calls": [{**CALL, "arguments": {"a": float("nan")}}]}], 1, None),
    ],
)
def test_an_error_has_a_path_and_no_content(documents: list[Any], version: int | None, path: str) -> None:
    with pytest.raises(MigrationError) as caught:
        upgrade(documents, version=version)
    assert caught.value.path == (path or "/0/tool_calls/0/arguments")
    assert isinstance(caught.value, ValueError)
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__ or caught.value.__context__ is None


def test_no_error_contains_document_content() -> None:
    with pytest.raises(InterlinguaError) as caught:
        upgrade([{"role": "assistant", "content": {"secret": "hunter2"}}], version=1)
    assert "hunter2" not in str(caught.value)
    assert "secret" not in str(caught.value)


def test_per_8_a_single_document_is_not_a_list() -> None:
    for wrong in (USER, "[]", b"[]"):
        with pytest.raises(MigrationError):
            upgrade(wrong)
        with pytest.raises(MigrationError):
            downgrade(wrong)


@pytest.mark.parametrize("version", [0, max(VERSIONS) + 1, "1", True, 1.0])
def test_an_unknown_version_is_refused_with_a_list_of_known_ones(version: Any) -> None:
    with pytest.raises(UnknownVersionError) as caught:
        upgrade([USER], version=version)
    assert caught.value.known == tuple(VERSIONS)
    with pytest.raises(UnknownVersionError):
        downgrade([TEXT], to=version)


def test_current_newer_and_unknown_documents_are_returned_unchanged() -> None:
    documents = [TEXT, {"schema_version": CURRENT + 1, "type": "text", "x": None}, {"type": "hologram", "data": None}]
    upgraded = upgrade(documents).documents
    assert all(mine is theirs for mine, theirs in zip(documents, upgraded, strict=True))


def test_per_4_an_upgraded_document_states_its_version_and_is_valid() -> None:
    for document in ({**USER, "schema_version": 1}, {**USER, "schema_version": 2}, USER):
        (raised,) = upgrade([document]).documents
        assert raised["schema_version"] == CURRENT
        assert upgrade([raised]).documents == [raised]


def test_per_11_every_pair_of_versions_has_a_migration_path() -> None:
    steps = {1: USER, 2: {**USER, "extra": {}}, CURRENT: TEXT}
    for source, document in steps.items():
        for target in steps:
            (found,) = downgrade([document], to=target).documents
            assert detect_version(found) in {target, 1}
            assert source == target or found is not document


def test_results_approve_calls_across_versions() -> None:
    old = {"role": "assistant", "tool_calls": [CALL]}
    new = {"schema_version": CURRENT, "type": "tool_result", "data": {"call_id": "call_1", "output": "1"}}
    (request, _) = upgrade([old, new]).documents
    assert request["data"]["calls"][0]["approval"] == {"status": "approved"}


def test_a_result_before_its_call_answers_nothing() -> None:
    result = {"role": "tool", "tool_call_id": "call_1", "content": "1"}
    (_, request) = upgrade([result, {"role": "assistant", "tool_calls": [CALL]}]).documents
    assert request["data"]["calls"][0]["approval"] == {"status": "pending"}


def test_a_decided_approval_is_never_changed() -> None:
    request = {
        "schema_version": CURRENT,
        "type": "tool_request",
        "data": {"calls": [{"call": CALL, "approval": {"status": "pending"}}]},
    }
    result = {"role": "tool", "tool_call_id": "call_1", "content": "1"}
    assert upgrade([request, result]).documents[0] is request


def test_an_unknown_message_of_a_known_type_is_not_examined() -> None:
    newer = {"schema_version": CURRENT + 1, "type": "tool_request", "data": "elsewhere"}
    assert upgrade([newer, USER]).documents[0] is newer


def test_arguments_keep_digits_number_format_and_order() -> None:
    arguments = {"z": 123456789012345678901234567890, "a": 1.0, "deep": {"n": None}}
    document = {"role": "assistant", "content": None, "tool_calls": [{**CALL, "arguments": arguments}]}
    (request,) = upgrade([document]).documents
    assert downgrade([request]).documents == [document]


def test_notes_on_a_version_2_part_are_dropped_if_the_part_was_edited() -> None:
    part = {"type": "audio", "format": "wav", "data": "UklGRg=="}
    (document,) = upgrade([{"role": "user", "content": [part]}]).documents
    edited = json.loads(json.dumps(document).replace("audio/wav", "audio/flac"))
    assert downgrade([edited], to=2).documents[0]["content"] == [{**part, "format": "audio/flac"}]


def test_signatures_are_reassigned_if_the_message_was_edited() -> None:
    signatures = {"gemini": {"thought_signatures": ["czE="]}}
    (document,) = upgrade([{"role": "assistant", "content": "Paris.", "extra": signatures}]).documents
    document["data"]["content"] = [{"type": "text", "text": "Paris."}]
    assert downgrade([document], to=2).documents[0]["extra"] == {
        "gemini": {"thought_signatures": [{"at": "/content", "signature": "czE="}]}
    }


def test_notes_that_version_2_cannot_contain_are_lost_and_reported() -> None:
    notes = {"fields": {"id": 5, "mine": 1}, "mine": 2}
    document = {**TEXT, "extra": {"interlingua_v2": notes}}
    downgraded = downgrade([document], to=2)
    assert downgraded.documents == [USER]
    assert [loss.path for loss in downgraded.losses] == [
        "/0/extra/interlingua_v2/fields/id",
        "/0/extra/interlingua_v2/fields/mine",
        "/0/extra/interlingua_v2/mine",
    ]


def test_output_with_the_parts_form_but_other_content_is_written_as_text() -> None:
    data = {"call_id": "c", "output": [{"type": "text"}], "output_form": "parts"}
    downgraded = downgrade([{"schema_version": CURRENT, "type": "tool_result", "data": data}], to=2)
    assert downgraded.documents[0]["content"] == '[{"type":"text"}]'
    assert {loss.path for loss in downgraded.losses} == {"/0/data/output", "/0/data/output_form"}


@pytest.mark.parametrize(("version", "named"), [(1, {"tool_call_id": "call_1"}), (2, {})])
def test_a_result_without_a_call_id_does_not_use_the_id_of_its_message(version: int, named: dict[str, Any]) -> None:
    requested = {"call": {"id": "call_1", "name": "clock", "arguments": {}}, "approval": {"status": "approved"}}
    asked = {"schema_version": 3, "type": "tool_request", "id": "m1", "data": {"calls": [requested]}}
    answer = {"schema_version": 3, "type": "tool_result", "id": "m2", "data": {"output": "12:00"}}
    older = downgrade([asked, answer], to=version)
    assert older.documents[-1] == {"role": "tool", "content": "12:00", **named}
    assert ("local_id", "/1/id", "lost") in [(loss.code, loss.path, loss.severity) for loss in older.losses]


@pytest.mark.requirement("NORM-3.1.1", "NORM-3.1.2", "NORM-3.1.3", "NORM-3.1.4")
def test_the_flat_export_writes_objects_with_text_contents() -> None:
    documents = [
        {"role": "developer", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]},
        {"role": "user", "content": [{"type": "image", "url": "https://example.com/a.png"}]},
        {
            "role": "assistant",
            "content": "c",
            "tool_calls": [{"id": name, "name": "f", "arguments": '{"a":1}'} for name in ("call_1", "call_2")],
        },
        {"role": "tool", "call_id": "call_1", "content": [{"type": "text", "text": "d"}]},
        {"role": "tool", "call_id": "nobody's", "content": None},
    ]
    structured = {"call_id": "call_2", "output": {"rows": [1]}}
    result = {"schema_version": CURRENT, "type": "tool_result", "data": structured}
    exported = downgrade([*upgrade(documents).documents, result], to=1).documents
    assert exported == [
        {"role": "system", "content": "ab"},
        {"role": "user", "content": ""},
        {"role": "assistant", "content": "c", "tool_calls": [CALL, {**CALL, "id": "call_2"}]},
        {"role": "tool", "tool_call_id": "call_1", "content": "d"},
        {"role": "tool", "tool_call_id": "nobody's"},
        {"role": "tool", "tool_call_id": "call_2", "content": '{"rows":[1]}'},
    ]


def test_every_member_of_002_has_a_canonical_place() -> None:
    sources = {"format": "image/png", "name": "a.png"}
    parts = [
        {"type": "text", "text": "Look."},
        {"type": "image", "url": "https://example.com/a.png", **sources},
        {"type": "audio", "data": "UklGRg=="},
        {"type": "file", "file_id": "file-1"},
    ]
    call = {"name": "f", "arguments": '{"a": 1}', "id": "call_1", "call_id": "second"}
    assistant = {
        "role": "assistant",
        "content": parts,
        "reasoning": "Hm.",
        "refusal": [{"type": "text", "text": "No."}],
        "tool_calls": [call],
        "id": "m1",
        "name": "bot",
        "extra": {"acme": 1},
    }
    (thought, said, called, result) = upgrade([assistant, {"role": "tool", "call_id": "call_1"}]).documents
    assert (thought["id"], thought["extra"], thought["data"]) == ("m1", {"acme": 1}, {"content": "Hm."})
    refusal = assistant["refusal"]
    assert said["data"] == {"role": "assistant", "content": parts, "refusal": refusal, "name": "bot"}
    assert called["data"]["calls"][0]["call"] == call
    assert result["data"] == {"call_id": "call_1"}


def test_the_migration_steps_match_the_table() -> None:
    for (older, newer), changes in CHANGES.items():
        plan = step_plan(older, newer)
        for change in changes:
            name, _, member = change.where.partition(".")
            if change.op == "add_member":
                assert member in plan.types[name].added
            if change.op == "rename_member":
                assert plan.types[name].renamed[member] == change.to
            if change.op == "restructure":
                assert (plan.split, plan.fold) != (None, None)


def test_a_migration_step_does_not_change_its_input() -> None:
    document = {"role": "assistant", "tool_calls": [{**CALL, "call_id": 1}], "name": "bot"}
    before = json.dumps(document)
    upgrade_to(document, 1, CURRENT)
    assert json.dumps(document) == before


@pytest.mark.parametrize("to", [1, 2])
def test_a_name_that_is_half_a_character_is_refused_with_its_document(to: int) -> None:
    with pytest.raises(MigrationError) as caught:
        downgrade([TEXT, {**TEXT, "metadata": {"\ud800": 1}}], to=to)
    assert (caught.value.version, caught.value.path) == (CURRENT, "/1")


def test_a_text_of_a_class_of_its_own_is_text() -> None:
    class Text(str):
        __slots__ = ()

    assert upgrade([{**USER, "content": Text("Hello")}]).documents == upgrade([USER]).documents
