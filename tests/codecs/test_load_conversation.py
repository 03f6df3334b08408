"""`il.load_messages`: one stored conversation, whose bad rows are reported and never stop the good ones."""

from __future__ import annotations

import json
from typing import Any

import pytest

import interlingua as il
from interlingua.errors import JsonDecodeError, MigrationError, UnknownVersionError
from interlingua.transcript import Skipped, dump_message, dump_message_json, load_messages
from interlingua_types import CURRENT, VERSIONS

USER = {"role": "user", "content": "Hello"}
TEXT: dict[str, Any] = {"schema_version": CURRENT, "type": "text", "data": {"role": "user", "content": "Hello"}}
BROKEN = b'{"role": "assistant", "tool_calls": [{"id": "c1", "na'


def calling(*identifiers: str) -> dict[str, Any]:
    return {"role": "assistant", "tool_calls": [{"id": one, "name": "f", "arguments": {}} for one in identifiers]}


def result(identifier: str) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": identifier, "content": "1"}


def types(messages: Any) -> list[str]:
    return [message.type for message in messages]


def test_a_conversation_of_mixed_versions_and_formats_is_loaded_in_order() -> None:
    documents = [USER, json.dumps(calling("c1")), json.dumps(result("c1")).encode(), TEXT, {"type": "hologram"}]
    loaded = load_messages(iter(documents))
    assert types(loaded.messages) == ["text", "tool_request", "tool_result", "text", "hologram"]
    assert loaded.skipped == ()


def test_a_call_is_approved_if_its_result_exists_and_pending_otherwise() -> None:
    (request, _) = load_messages([calling("c1", "c2"), result("c2")]).messages
    assert [one.approval.status for one in request.data.calls] == ["pending", "approved"]


@pytest.mark.requirement("NORM-3.2.3")
def test_per_5_a_bad_row_is_skipped_and_reported_and_the_others_load() -> None:
    documents = [USER, b"{torn", {"role": "robot"}, 5, None, {**TEXT, "data": 5}, "\x00\x00", TEXT, b""]
    loaded = load_messages(documents)
    assert types(loaded.messages) == ["text", "text"]
    assert [one.index for one in loaded.skipped] == [1, 2, 3, 4, 5, 6, 8]


def test_a_reason_contains_no_content() -> None:
    loaded = load_messages([USER, {"role": "hunter2"}, b'{"hunter2', {**TEXT, "data": {"hunter2": "hunter2"}}])
    assert "hunter2" not in repr(loaded.skipped)
    assert len(loaded.skipped) == 3


@pytest.mark.parametrize("bad", [{"role": "assistant", "content": [{"type": "text"}]}, {"role": "robot"}])
def test_a_skipped_row_lists_its_orphaned_results(bad: dict[str, Any]) -> None:
    broken = {**calling("c1", "c2"), **bad}
    loaded = load_messages([USER, broken, result("c1"), calling("c3"), result("c3"), result("c2")])
    assert [(one.index, one.orphans) for one in loaded.skipped] == [(1, (2, 5))]
    assert types(loaded.messages) == ["text", "tool_result", "tool_request", "tool_result", "tool_result"]


def test_an_unreadable_row_orphans_results_that_match_no_call() -> None:
    loaded = load_messages([USER, BROKEN, result("c1"), calling("c2"), result("c2")])
    assert [(one.index, one.orphans) for one in loaded.skipped] == [(1, (2,))]


def test_a_broken_version_3_request_orphans_its_results() -> None:
    call = {"id": "c1", "name": "f", "arguments": 5}
    broken = {"schema_version": CURRENT, "type": "tool_request", "data": {"calls": [{"call": call, "approval": {}}]}}
    loaded = load_messages([TEXT, broken, result("c1")])
    assert [(one.index, one.orphans) for one in loaded.skipped] == [(1, (2,))]


def test_a_result_without_a_call_in_a_complete_conversation_is_no_orphan() -> None:
    loaded = load_messages([USER, result("c9"), {"role": "robot"}])
    assert loaded.skipped == (Skipped(2, loaded.skipped[0].reason),)


@pytest.mark.parametrize(("first", "error"), [({"role": "robot"}, MigrationError), (b"{", JsonDecodeError)])
def test_the_first_message_is_never_skipped(first: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        load_messages([first, USER])
    assert load_messages([]).messages == ()


def test_a_wrong_version_is_an_error_of_the_argument_and_of_each_row() -> None:
    with pytest.raises(UnknownVersionError):
        load_messages([USER], version=max(VERSIONS) + 1)
    loaded = load_messages([USER, TEXT], version=1)
    assert [one.index for one in loaded.skipped] == [1]


@pytest.mark.parametrize("wrong", [USER, json.dumps([USER]), b"[]"])
def test_per_8_a_single_document_is_not_a_conversation(wrong: Any) -> None:
    with pytest.raises(MigrationError):
        load_messages(wrong)


def test_per_1_a_file_of_every_version_loads_and_is_stored_as_the_current_one() -> None:
    old = [USER, calling("c1"), result("c1")]
    newer = [{**USER, "name": "ada"}, {"role": "assistant", "reasoning": "Hm.", "content": "Hi"}]
    for documents in (old, newer, [TEXT]):
        messages = load_messages(documents).messages
        assert load_messages(map(dump_message_json, messages)).messages == messages


def test_loading_does_not_change_the_documents() -> None:
    documents = [USER, calling("c1"), result("c1"), {**TEXT, "more": 1}]
    before = json.dumps(documents)
    load_messages(documents)
    assert json.dumps(documents) == before


def test_the_cost_of_results_without_ids_is_linear() -> None:
    names = [f"f{number}" for number in range(3000)]
    calls = [{"name": name, "arguments": "{}"} for name in names]
    results = [{"role": "tool", "name": name, "content": "1"} for name in reversed(names)]
    (request, *_) = load_messages([{"role": "assistant", "tool_calls": calls}, *results], version=2).messages
    statuses = {one.approval.status for one in request.data.calls}
    assert statuses == {"approved"}


@pytest.mark.parametrize("strange", [{}, {"data": None}, {"data": "x"}, {"data": []}])
def test_a_message_of_an_unknown_type_without_an_object_of_data_is_kept_among_the_others(
    strange: dict[str, Any],
) -> None:
    call = {"id": "c1", "name": "f", "arguments": {}}
    request = {"call": call, "approval": {"status": "approved"}}
    documents = [
        {"schema_version": CURRENT, "type": "hologram", **strange},
        {"schema_version": CURRENT, "type": "tool_request", "data": {"calls": [request]}},
        {"schema_version": CURRENT, "type": "tool_result", "data": {"call_id": "c1", "status": "success"}},
        {"role": "robot"},
    ]
    loaded = load_messages(documents)
    assert [dump_message(message) for message in loaded.messages] == documents[:3]
    assert [one.index for one in loaded.skipped] == [3]
    assert il.upgrade(documents[:3]).documents == documents[:3]
    downgraded = il.downgrade(documents[:3])
    assert [one["role"] for one in downgraded.documents] == ["assistant", "tool"]
    assert "/0/type" in {loss.path for loss in downgraded.losses}
