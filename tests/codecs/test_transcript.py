"""`il.Transcript`: messages, branches, what is not saved yet, and its document."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import interlingua as il
from interlingua_types import CURRENT
from support.transcripts import call, clock, mode, names, request, result, said, texts, transcript, user

UNKNOWN: dict[str, Any] = {"schema_version": CURRENT + 1, "type": "hologram", "id": "h", "rays": [None]}


def unknown() -> Any:
    return il.load_message(UNKNOWN)[0]


def test_an_added_message_gets_an_id_and_a_timestamp() -> None:
    story = transcript()
    message = user()
    added = story.append(message)
    assert (added.id, added.created_at) == ("id1", "2026-01-01T00:00:00Z")
    assert (message.id, message.created_at) == (None, None)
    assert story.messages == (added,)
    assert story.append(user(id="mine", created_at="2020-01-01T00:00:00Z")).model_dump(exclude={"data"}) == {
        "schema_version": CURRENT,
        "type": "text",
        "id": "mine",
        "created_at": "2020-01-01T00:00:00Z",
    }


def test_an_unknown_message_is_added_unchanged_and_never_rewritten() -> None:
    story = transcript([unknown()])
    assert il.dump_message(story[0]) == UNKNOWN
    assert story.get("h") is story[0]
    with pytest.raises(il.TranscriptError) as refused:
        story.replace("h", user())
    assert (refused.value.code, refused.value.name) == ("unknown_message", "h")


@pytest.mark.requirement("TYPE-1.4.2")
def test_each_call_of_a_request_gets_a_unique_id() -> None:
    story = transcript()
    added: Any = story.append(
        request(call(None), call("a"), call(""), call("a"), il.ToolCall(call_id="b", name="f", arguments={}))
    )
    ids = [one.call.id or one.call.call_id for one in added.data.calls]
    assert len(set(ids)) == 5
    assert (ids[1], ids[4]) == ("a", "b")
    # An id that is still open would make two calls one; an answered one is free again.
    again: Any = story.append(request(call("a")))
    assert again.data.calls[0].call.id not in ids
    story.append(result("a"))
    later: Any = story.append(request(call("a")))
    assert later.data.calls[0].call.id == "a"


@pytest.mark.requirement("FR-004a-59")
def test_a_result_without_a_call_id_gets_that_of_the_call_it_answers() -> None:
    story = transcript([request(call(None, "f"), call(None, "g"), call("mine", "f"))])
    first: Any = story[0]
    ids = [one.call.id for one in first.data.calls]
    added: list[Any] = [story.append(result(None, name="g")), story.append(result(None, name="f"))]
    added.append(story.append(result(None)))
    assert [one.data.call_id for one in added] == [ids[1], ids[0], "mine"]
    orphan: Any = story.append(result(None))
    assert orphan.data.call_id is None


def test_all_messages_are_added_or_none() -> None:
    story = transcript([user("a", id="a")])
    before, changes = story.messages, story.changes
    with pytest.raises(il.TranscriptError) as refused:
        story.extend([user("b"), request(call("c")), user("d", id="a")])
    assert (refused.value.code, refused.value.name) == ("duplicate_id", "a")
    assert (story.messages, story.changes) == (before, changes)
    story.extend([user("b", id="b"), result(None)])
    assert texts(story) == ["a", "b", "tool_result"]
    assert story[2].model_dump()["data"].get("call_id") is None  # the request above was taken back


def test_only_messages_of_the_current_version_are_added() -> None:
    story = transcript([user(id="a")])
    for wrong in ({"type": "text"}, il.UserChatMessage(content="x"), None):
        with pytest.raises(TypeError):
            story.append(wrong)
        with pytest.raises(TypeError):
            story.replace("a", wrong)
    assert len(story) == 1


def test_a_snapshot_never_changes_and_is_built_only_once() -> None:
    story = transcript([user("a")])
    before = story.messages
    assert story.messages is before
    story.append(user("b"))
    assert texts(before) == ["a"]
    assert texts(story) == ["a", "b"] == texts(story.messages)
    assert (len(story), story[1], story[-1:]) == (2, story.messages[1], story.messages[1:])


def test_a_replaced_message_keeps_id_and_timestamp_and_changes_on_every_branch() -> None:
    story = transcript([user("a", id="a"), user("b")])
    created = story.get("a").model_dump()["created_at"]
    story.fork("try")
    story.switch("try")
    replaced = story.replace("a", user("new", id="another"))
    assert (replaced.id, replaced.created_at) == ("a", created)
    assert texts(story.messages_of("main")) == ["new", "b"]
    assert texts(story.messages_of("try"))[:2] == ["new", "b"]
    assert story.get("a") is replaced
    with pytest.raises(il.TranscriptError) as refused:
        story.replace("nobody", user())
    assert (refused.value.code, refused.value.name) == ("unknown_id", "nobody")


def test_a_failed_update_changes_nothing() -> None:
    story = transcript([user("a", id="a")])
    changes = story.changes

    def fail(_message: Any) -> Any:
        raise KeyError("no")

    with pytest.raises(KeyError):
        story.update("a", fail)
    assert story.update("a", lambda message: message) is story[0]
    assert (texts(story), story.changes) == (["a"], changes)


@pytest.mark.parametrize(
    ("before", "after"),
    [(True, 1), (1, True), (1, 1.0), (0, False), (0.0, -0.0), ([1], [True]), ({"a": 1, "b": 2}, {"b": 2, "a": 1})],
)
def test_a_replacement_equal_in_python_but_different_in_json_is_kept(before: Any, after: Any) -> None:
    def giving(output: Any) -> il.ToolResultMessage:
        return il.ToolResultMessage(id="a", data=il.ToolResultData(call_id="call_1", status="success", output=output))

    story = transcript([giving(before)])
    story.mark_saved(len(story.changes))
    story.replace("a", giving(after))
    assert json.dumps(il.dump_message(story[0])["data"]["output"]) == json.dumps(after)
    assert [change.kind for change in story.changes] == ["replace"]
    story.mark_saved(1)
    story.replace("a", giving(after))
    assert not story.is_dirty


def test_a_fork_has_the_messages_up_to_the_named_one_and_is_independent() -> None:
    story = transcript([user("a", id="a"), user("b", id="b"), user("c", id="c")])
    story.fork("early", after="a")
    story.fork("late")
    assert (story.branch, story.branches) == ("main", ("main", "early", "late"))
    assert texts(story.messages_of("early")) == ["a"]
    story.switch("early")
    story.append(user("d"))
    assert texts(story) == ["a", "system_control", "d"]
    assert texts(story.messages_of("main")) == texts(story.messages_of("late")) == ["a", "b", "c"]
    assert story.messages_of("early")[0] is story.messages_of("main")[0]
    story.append(user("e"), branch="late")
    assert texts(story.messages_of("late")) == ["a", "b", "c", "e"]
    assert (story.position_of("c"), story.position_of("c", branch="main")) == (None, 2)


@pytest.mark.parametrize(
    ("action", "code", "name"),
    [
        (lambda story: story.fork("main"), "duplicate_branch", "main"),
        (lambda story: story.fork(""), "empty_name", ""),
        (lambda story: story.fork("x", after="nobody"), "unknown_id", "nobody"),
        (lambda story: story.fork("x", after="elsewhere"), "unknown_id", "elsewhere"),
        (lambda story: story.switch("nowhere"), "unknown_branch", "nowhere"),
        (lambda story: story.messages_of("nowhere"), "unknown_branch", "nowhere"),
        (lambda story: story.append(user(), branch="nowhere"), "unknown_branch", "nowhere"),
        (lambda story: story.get("nobody"), "unknown_id", "nobody"),
        (lambda story: story.mark_saved(99), "bad_count", "99"),
        (lambda story: story.mark_saved(-1), "bad_count", "-1"),
        (lambda _story: il.Transcript(branch=""), "empty_name", ""),
        (lambda _story: il.Transcript([user()], id="t", new_id=lambda: ""), "empty_name", ""),
    ],
)
def test_invalid_operations_are_refused_and_change_nothing(action: Any, code: str, name: str) -> None:
    story = transcript([user("a", id="a")])
    story.fork("other")
    story.append(user(id="elsewhere"), branch="other")
    before = story.to_document(), story.changes
    with pytest.raises(il.TranscriptError) as refused:
        action(story)
    assert (refused.value.code, refused.value.name) == (code, name)
    assert (story.to_document(), story.changes) == before


def test_a_clock_without_a_time_zone_is_refused() -> None:
    story = transcript(now=lambda: datetime(2026, 1, 1))  # noqa: DTZ001  # what is refused
    with pytest.raises(il.InterlinguaError):
        story.append(user())
    assert len(story) == 0


@pytest.mark.requirement("TYPE-6.1.3")
def test_a_mode_change_is_a_message_of_the_history() -> None:
    story = transcript([user("a"), mode("act"), user("b")])
    assert texts(story) == ["a", "system_control", "b"]
    assert story.controls[0].data.control.model_dump() == {"kind": "mode_change", "old_mode": "plan", "new_mode": "act"}


@pytest.mark.requirement("TYPE-6.2.2", "TYPE-6.2.3", "TYPE-6.2.1")
def test_a_branch_switch_is_recorded_in_the_history() -> None:
    story = transcript([user("a")])
    story.fork("try")
    control: Any = story.switch("try")
    story.append(user("b"))
    assert texts(story) == ["a", "system_control", "b"]
    assert story[1] is control
    assert (control.data.control.old_branch, control.data.control.new_branch) == ("main", "try")
    assert texts(story.messages_of("main")) == ["a"]
    again: Any = story.switch("try")
    assert again is None
    assert len(story) == 3


@pytest.mark.requirement("TYPE-6.2.4")
def test_the_control_messages_of_all_branches_are_an_audit_trail() -> None:
    story = transcript([user("a"), mode("act")])
    story.fork("try")
    story.switch("try")
    story.append(user("b"))
    story.switch("main")
    again = il.Transcript.from_document(story.to_document())
    for one in (story, again):
        trail = [control.data.control for control in one.controls]
        assert [control.kind for control in trail] == ["mode_change", "branch_switch", "branch_switch"]
        assert [getattr(control, "new_branch", None) for control in trail] == [None, "try", "main"]
        moments = [control.created_at for control in one.controls]
        assert None not in moments
        assert moments == sorted(moments, key=str)


def test_every_change_is_listed_until_it_is_saved() -> None:
    story = transcript([user("a", id="a")])
    story.fork("try")
    story.switch("try")
    story.replace("a", user("b"))
    told = [(one.kind, one.branch, one.position, one.source) for one in story.changes]
    assert told == [
        ("append", "main", 0, None),
        ("fork", "try", 1, "main"),
        ("switch", "try", 0, "main"),
        ("append", "try", 1, None),
        ("replace", "try", 0, None),
    ]
    assert [texts([one.message]) for one in story.changes if one.message is not None] == [
        ["a"],
        ["system_control"],
        ["b"],
    ]
    story.mark_saved(4)
    assert [one.kind for one in story.changes] == ["replace"]
    assert story.is_dirty
    story.mark_saved(1)
    assert not story.is_dirty
    story.append(user())
    assert story.is_dirty


def test_a_result_is_found_on_any_branch_beginning_with_the_active_one() -> None:
    story = transcript([request(call("a"), call("b"))])
    story.fork("try")
    story.append(result("a", "main"))
    story.append(result("a", "newer"))
    story.switch("try")
    assert story.result_of("a").data.output == "newer"
    story.append(result("a", "try"))
    assert story.result_of("a").data.output == "try"
    assert story.result_of("b") is None
    assert story.answers("main") == {(0, 0): 1}
    assert story.answers() == {(0, 0): 2}


def test_repr_shows_no_content() -> None:
    story = transcript([user("secret")], metadata={"key": "secret"})
    story.fork("try")
    assert repr(story) == "Transcript(id='t', branch='main', messages=1, branches=2, changes=2)"
    with pytest.raises(il.TranscriptError) as refused:
        story.append(user("secret", id="id1"))
    assert "secret" not in f"{refused.value}{story.changes}"


def branched() -> Any:
    """Return a transcript with forks of forks, made in another order than they are used."""
    story = transcript([user("a", id="a"), user("b", id="b")], metadata={"k": [1]})
    story.fork("x", after="a")
    story.fork("y")
    story.switch("y")
    story.append(user("c"))
    story.fork("z", after="b")
    story.switch("x")
    story.append(unknown())
    story.append(user("d"), branch="z")
    story.switch("main")
    story.append(user("e"))
    story.fork("w")
    return story


def branches_of(story: il.Transcript) -> dict[str, tuple[Any, ...]]:
    return {branch: story.messages_of(branch) for branch in story.branches}


def test_a_transcript_round_trips_through_its_document() -> None:
    story = branched()
    document = story.to_document()
    assert il.validate(document, union="transcript") == []
    assert il.validate(document, union="TranscriptDocument") == []
    for form in (document, json.dumps(document), json.dumps(document).encode()):
        again = il.Transcript.from_document(form)
        assert again.to_document() == document
        assert branches_of(again) == branches_of(story)
        assert (again.id, again.branch, again.metadata) == ("t", "main", {"k": [1]})
        assert il.dump_message(again.get("h")) == UNKNOWN


def test_a_document_with_one_branch_has_no_branch_list() -> None:
    story = transcript([user("a")], branch="only")
    document = story.to_document()
    assert "branches" not in document
    again = il.Transcript.from_document(document)
    assert (again.branches, again.messages) == (("only",), story.messages)
    bare: Any = il.Transcript.from_document(
        {
            "schema_version": CURRENT,
            "messages": [{"schema_version": CURRENT, "type": "text", "data": {"role": "user"}}],
        },
        new_id=names(),
        now=clock(),
    )
    assert (bare.branch, bare.id, bare[0].id) == ("main", "id2", "id1")


def replayed(changes: tuple[il.Change, ...], branch: str) -> tuple[str, dict[str, list[Any]]]:
    """Carry changes out as a store does, and return the active branch and the messages of each."""
    branches: dict[str, list[Any]] = {branch: []}
    entries: list[Any] = []
    active = branch
    for change in changes:
        if change.kind == "append":
            assert change.position == len(branches[change.branch])
            branches[change.branch].append(len(entries))
            entries.append(change.message)
        elif change.kind == "replace":
            entries[branches[change.branch][change.position]] = change.message
        elif change.kind == "fork":
            assert change.source is not None
            assert len(branches[change.source]) >= change.position
            branches[change.branch] = branches[change.source][: change.position]
        else:
            assert change.source == active
            active = change.branch
    return active, {name: [entries[place] for place in places] for name, places in branches.items()}


def test_replaying_the_changes_gives_an_equal_transcript() -> None:
    story = branched()
    story.replace("a", user("A"))
    again = il.Transcript.from_document(story.to_document())
    for one in (story, again):
        active, branches = replayed(one.changes, "main")
        assert active == "main"
        assert list(branches.items()) == [(name, list(found)) for name, found in branches_of(story).items()]


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"messages": 1}, ""),
        ({"schema_version": CURRENT + 1}, "/schema_version"),
        ({"strange": 1}, ""),
        ({"messages": [1]}, "/messages/0"),
        ({"messages": [{"schema_version": CURRENT, "type": "text", "data": {}}]}, "/messages/0/data"),
        ({"branches": []}, "/branches"),
        ({"branches": [{"name": "main", "source": "gone", "shared": 1, "own": [0]}]}, "/branches/0"),
        ({"branches": [{"name": "main", "own": [0]}, {"name": "main", "own": []}]}, "/branches/1"),
        ({"branches": [{"name": "main", "own": [0]}, {"name": "x", "source": "main", "shared": 9, "own": []}]},
         "/branches/1"),
    ],
)  # fmt: skip
def test_a_document_that_is_not_a_transcript_is_refused_with_its_path(change: Any, path: str) -> None:
    document = transcript([user("a")]).to_document() | change
    with pytest.raises(il.MigrationError) as refused:
        il.Transcript.from_document(document)
    assert refused.value.path == path


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"branch": "gone", "branches": [{"name": "main", "own": [0, 1]}]}, "unknown_branch"),
        ({"branches": [{"name": "main", "own": [1, 0]}]}, "bad_branch"),
        ({"branches": [{"name": "main", "own": [0]}]}, "bad_branch"),
        ({"branches": [{"name": "main", "own": [0, 1, 2]}]}, "bad_branch"),
        ({"branches": [{"name": "main", "own": [0, 1]}, {"name": "x", "own": [1]}]}, "bad_branch"),
    ],
)
def test_inconsistent_branches_are_refused(change: Any, code: str) -> None:
    document = transcript([user("a"), user("b")]).to_document() | change
    with pytest.raises(il.TranscriptError) as refused:
        il.Transcript.from_document(document)
    assert refused.value.code == code


def test_a_document_with_a_duplicate_id_is_refused() -> None:
    document = transcript([user("a", id="a"), user("b", id="b")]).to_document()
    document["messages"][1]["id"] = "a"
    with pytest.raises(il.TranscriptError) as refused:
        il.Transcript.from_document(document)
    assert (refused.value.code, refused.value.name) == ("duplicate_id", "a")


def test_text_that_is_not_json_is_refused() -> None:
    with pytest.raises(il.JsonDecodeError):
        il.Transcript.from_document("{")


def test_a_loaded_transcript_has_no_unsaved_changes() -> None:
    entries = [user("a", id="a"), user("b", id="b"), user("c")]
    story: Any = il.Transcript.restore(
        entries, {"main": [0, 1], "try": [0, 2]}, branch="try", id="t", metadata={"k": 1}, new_id=names(), now=clock()
    )
    assert (story.is_dirty, story.changes) == (False, ())
    assert (texts(story), texts(story.messages_of("main")), story.metadata) == (["a", "c"], ["a", "b"], {"k": 1})
    assert story[1].id == "id1"
    story.append(user("d"))
    story.replace("id1", said("assistant", "C"))
    assert [(one.kind, one.branch, one.position) for one in story.changes] == [
        ("append", "try", 2),
        ("replace", "try", 1),
    ]


def test_a_store_with_a_duplicate_id_is_still_read() -> None:
    story: Any = il.Transcript.restore([user("a", id="a"), user("b", id="a")], {"main": [0, 1]}, branch="main")
    assert texts([story.get("a")]) == ["a"]
    assert len(story) == 2


STEPS = st.lists(
    st.tuples(st.sampled_from(["appended", "forked", "switched", "replaced"]), st.integers(0, 5)), max_size=25
)


@given(STEPS)
@settings(max_examples=100)
def test_any_sequence_of_operations_is_reflected_in_changes_and_document(steps: list[tuple[str, int]]) -> None:
    story = transcript()
    for kind, number in steps:
        branch = story.branches[number % len(story.branches)]
        if kind == "appended":
            story.append(user(str(number)), branch=branch)
        elif kind == "forked":
            after = story[number % len(story)].id if len(story) and number else None
            story.fork(f"b{len(story.branches)}", after=after)
        elif kind == "switched":
            story.switch(branch)
        elif len(story):
            story.replace(story[number % len(story)].id or "", user("new"))
    active, branches = replayed(story.changes, "main")
    assert (active, branches) == (story.branch, {name: list(found) for name, found in branches_of(story).items()})
    again = il.Transcript.from_document(story.to_document())
    assert branches_of(again) == branches_of(story)
    assert replayed(again.changes, "main") == (active, branches)
    assert again.to_document() == story.to_document()
