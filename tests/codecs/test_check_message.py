"""What is wrong with a message: each rule has a code of its own, and finds what it is about and no more (TYPE-9)."""

from __future__ import annotations

import copy
import inspect
import json
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

import interlingua as il
from interlingua import violation
from interlingua.violation import MESSAGE_CODES
from interlingua_types import CURRENT

ROOT: Final = Path(__file__).parents[2]
MOMENT: Final = "2026-01-01T00:00:00Z"
HIDDEN: Final = "correct-horse-battery"
CALL: Final = {"id": "c1", "name": "read_file", "arguments": {"path": "a.txt"}}
GOOD: Final[dict[str, dict[str, Any]]] = {
    "text": {"role": "user", "content": [{"type": "text", "text": "Hi."}, {"type": "image", "data": "aGk="}]},
    "reasoning": {"content": "I need the file."},
    "file_reference": {"path": "src/main.py", "start_line": 2, "end_line": 9, "status": "pending"},
    "tool_request": {"calls": [{"call": CALL, "approval": {"status": "pending"}}]},
    "tool_result": {
        "call_id": "c1",
        "status": "success",
        "output": {"a": 1},
        "execution": {"started_at": MOMENT, "finished_at": "2026-01-01T00:00:01.5+00:00", "duration_ms": 1500},
    },
    "image": {"source": {"kind": "url", "url": "https://example.com/a.png"}, "mode": "auto"},
    "mcp_resource": {"server_name": "s", "resource_uri": "docs://a", "content": "", "retrieved_at": MOMENT},
    "system_control": {"control": {"kind": "mode_change", "old_mode": "plan", "new_mode": "act"}},
    "opaque": {"dialect": "openai_responses", "data": {"type": "compaction", "text": ""}},
}


def document(kind: str, **changes: Any) -> dict[str, Any]:
    """Return a good message of a type with other data; a change to None takes the member away."""
    data = {name: value for name, value in {**copy.deepcopy(GOOD[kind]), **changes}.items() if value is not None}
    return {"schema_version": CURRENT, "type": kind, "data": data}


def called(*calls: Any, **approval: Any) -> dict[str, Any]:
    """Return a tool request of calls that differ so from a good one."""
    made = [
        {"call": {**CALL, "id": f"c{number}", **call}, "approval": {"status": "pending", **approval}}
        for number, call in enumerate(calls)
    ]
    return document(
        "tool_request", calls=[{**one, "call": {k: v for k, v in one["call"].items() if v is not None}} for one in made]
    )


def found(message: Any, **options: Any) -> set[tuple[str, str]]:
    violations = il.check_message(message, **options)
    assert {violation.code for violation in violations} <= MESSAGE_CODES
    assert HIDDEN not in str(violations)
    return {(violation.code, violation.path) for violation in violations}


def modelled(message: dict[str, Any]) -> Any:
    """Return the model of a document that the schema takes."""
    (loaded,) = il.load_message(message)
    return loaded


# --- what is sound ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", GOOD)
def test_a_sound_message_has_no_violation_as_document_and_as_model(kind: str) -> None:
    assert il.check_message(document(kind)) == []
    assert il.check_message(modelled(document(kind))) == []


def test_every_example_of_the_schema_is_sound() -> None:
    for path in sorted((ROOT / "schema" / f"v{CURRENT}" / "message").glob("*.json")):
        for example in json.loads(path.read_text(encoding="utf-8"))["examples"]:
            assert il.check_message(example) == [], path.name


def test_nothing_is_changed_and_whole_numbers_may_be_written_as_floats() -> None:
    message = document("file_reference", start_line=2.0, end_line=9.0)
    before = copy.deepcopy(message)
    assert il.check_message(message) == []
    assert message == before
    assert type(message["data"]["start_line"]) is float


def test_a_member_that_is_null_is_absent_as_everywhere() -> None:
    message = document("file_reference")
    message["data"]["start_line"] = None
    assert il.check_message(message) == []


# --- text -------------------------------------------------------------------------------------------------------------


@pytest.mark.requirement("TYPE-9.1.1")
@pytest.mark.parametrize("content", [None, "", [], [{"type": "text", "text": ""}], [{"type": "text", "text": ""}] * 2])
def test_an_empty_text_is_reported_unless_it_is_allowed(content: Any) -> None:
    for message in (document("text", content=content), modelled(document("text", content=content))):
        assert found(message) == {("empty_text", "/data/content")}
        assert found(message, allow_empty=True) == set()


def test_a_refusal_is_no_silence_and_a_blank_is_a_character() -> None:
    assert found(document("text", role="assistant", content=None, refusal="No.")) == set()
    assert found(document("text", content=" ")) == set()


@pytest.mark.requirement("TYPE-9.1.2")
@pytest.mark.parametrize("role", [None, "", "User", "human", "function", "opaque", 1, ["user"], {"role": "user"}])
def test_an_unknown_role_is_reported(role: Any) -> None:
    assert found(document("text", role=role)) == {("role", "/data/role")}
    assert all(found(document("text", role=good.value)) == set() for good in il.MessageRole)


@pytest.mark.requirement("TYPE-9.1.3")
def test_each_part_is_judged_for_itself() -> None:
    parts: list[Any] = [
        {"type": "text", "text": "good"},
        {"type": "text", "text": ""},
        {"type": "image"},
        {"type": "image", "url": "https://example.com/a.png", "data": "aGk="},
        {"type": "audio", "data": "not base64!"},
        {"type": "file", "data": "", "format": "pdf"},
        {"type": "image", "url": "example.com/a.png"},
        {"type": "hologram"},
        {"text": "no type"},
        "text",
        {"type": "file", "content": [{"type": "text", "text": "good"}, {"type": "text", "text": ""}]},
        {"type": "opaque", "dialect": "claude", "data": {"type": "text", "text": ""}},
    ]
    assert found(document("text", content=parts)) == {
        ("empty_part", "/data/content/1/text"),
        ("part_source", "/data/content/2"),
        ("part_source", "/data/content/3"),
        ("base64", "/data/content/4/data"),
        ("base64", "/data/content/5/data"),
        ("media_type", "/data/content/5/format"),
        ("url", "/data/content/6/url"),
        ("unknown_part", "/data/content/7/type"),
        ("unknown_part", "/data/content/8/type"),
        ("unknown_part", "/data/content/9"),
        ("empty_part", "/data/content/10/content/1/text"),
    }


def test_parts_nested_beyond_all_bounds_are_judged_all_the_same() -> None:
    part: dict[str, Any] = {"type": "text", "text": ""}
    for _ in range(3000):
        part = {"type": "file", "content": [part]}
    codes = {code for code, _ in found(document("text", content=[{"type": "text", "text": "x"}, part]))}
    assert {"empty_part", "json"} <= codes


@pytest.mark.parametrize("data", ["aGk=", "aGk", "aGkx", "_-8=", "a" * 4000])
def test_base64_of_both_alphabets_is_base64(data: str) -> None:
    assert found(document("text", content=[{"type": "image", "data": data}])) == set()


@pytest.mark.parametrize("data", ["", "=", "a", "aGk===", "aG k=", "aGk=\n", "\u0430Gk=", "data:image/png;base64,aGk="])
def test_what_is_no_base64_is_told(data: str) -> None:
    assert found(document("text", content=[{"type": "image", "data": data}])) == {("base64", "/data/content/0/data")}


# --- file references --------------------------------------------------------------------------------------------------


@pytest.mark.requirement("TYPE-9.2.1", "TYPE-9.2.3", "TYPE-9.2.4")
@pytest.mark.parametrize(
    ("path", "code"),
    [
        (None, "empty_path"),
        ("", "empty_path"),
        (" ", "empty_path"),
        ("../a.txt", "traversal"),
        ("a/../b.txt", "traversal"),
        ("/a/../b.txt", "traversal"),
        ("a/..", "traversal"),
        ("a\\..\\b", "traversal"),
        ("./a.txt", "not_normalized"),
        ("a//b.txt", "not_normalized"),
        ("a/./b.txt", "not_normalized"),
        ("a/", "not_normalized"),
        ("a\0b", "nul"),
        ("a\x1b[2Jb", "control_character"),
        ("a\u202eb", "control_character"),
        ("C:/a.txt", "not_portable"),
        ("a\\b", "not_portable"),
        ("nul", "not_portable"),
        ("a" * 5000, "path_too_long"),
    ],
)
def test_an_invalid_or_unnormalised_path_is_reported(path: str | None, code: str) -> None:
    assert found(document("file_reference", path=path)) == {(code, "/data/path")}
    source = {"kind": "file_path", "path": path} if path is not None else {"kind": "file_path"}
    assert found(document("image", source=source)) == {(code, "/data/source/path")}
    if path:
        assert found(modelled(document("file_reference", path=path))) == {(code, "/data/path")}


@pytest.mark.parametrize(
    "path", ["a", "/a/b.txt", ".", "/", ".env", "a..b/...c", "caf\u00e9 au lait.txt", "a/~b/$c/%2e%2e"]
)
def test_a_path_of_plain_names_is_sound(path: str) -> None:
    assert found(document("file_reference", path=path)) == set()


@pytest.mark.requirement("TYPE-9.2.2")
def test_a_range_that_ends_before_it_begins_is_reported() -> None:
    assert found(document("file_reference", start_line=3, end_line=2)) == {("line_range", "/data/end_line")}
    assert found(modelled(document("file_reference", start_line=3, end_line=2))) == {("line_range", "/data/end_line")}
    for start, end in ((3, 3), (1, 2), (3, None), (None, 3)):
        assert found(document("file_reference", start_line=start, end_line=end)) == set()


@pytest.mark.parametrize("line", [0, -1, 1.5, "1", True, [1]])
def test_a_line_that_is_no_whole_number_from_one_is_told(line: Any) -> None:
    assert found(document("file_reference", start_line=line)) == {("line_number", "/data/start_line")}


def test_a_status_that_the_rest_contradicts_is_told() -> None:
    assert found(document("file_reference", status="resolved")) == {("resolved_without_content", "/data/content")}
    assert found(document("file_reference", status="resolved", content="")) == set()
    assert found(document("file_reference", status="failed")) == {("failed_without_error", "/data/error")}
    assert found(document("file_reference", status="failed", error={"message": "x"})) == set()
    assert found(document("file_reference", status="lost")) == {("resolution_status", "/data/status")}
    assert found(document("file_reference", role="human")) == {("role", "/data/role")}


# --- tools ------------------------------------------------------------------------------------------------------------


@pytest.mark.requirement("TYPE-9.3.1")
def test_every_call_has_a_unique_id() -> None:
    assert found(called({})) == set()
    assert found(called({"id": None, "call_id": "x"})) == set()
    for without in ({"id": ""}, {"id": None}, {"id": None, "call_id": ""}, {"id": "", "call_id": ""}):
        wrong = called({}, without)
        assert found(wrong) == {("empty_call_id", "/data/calls/1/call/id")}
        assert found(modelled(wrong)) == {("empty_call_id", "/data/calls/1/call/id")}
    assert found(called({"id": "x"}, {"id": "y"}, {"id": "x"})) == {("duplicate_call_id", "/data/calls/2/call/id")}
    assert found(document("tool_request", calls=[])) == {("no_calls", "/data/calls")}
    assert found(document("tool_request", calls=None)) == {("no_calls", "/data/calls")}


@pytest.mark.requirement("TYPE-9.3.2")
def test_every_call_names_a_tool_that_there_can_be() -> None:
    for name in ("", "read file", "read\n", "l\u00e4sa", "a/b", "a" * 129, "a;b", None):
        assert found(called({"name": name})) == {("tool_name", "/data/calls/0/call/name")}
    for name in ("read_file", "mcp.read-file:v2", "A9", "a" * 128):
        assert found(called({"name": name})) == set()


@pytest.mark.requirement("TYPE-9.3.3")
@pytest.mark.parametrize("arguments", ["", "{", "[]", "null", '"a"', '{"a": NaN}', "{'a': 1}", '{"a": 1} x'])
def test_arguments_are_a_json_object(arguments: Any) -> None:
    message = called({"arguments": arguments})
    assert found(message) == found(modelled(message)) == {("arguments", "/data/calls/0/call/arguments")}


def test_arguments_may_be_text_and_those_of_a_custom_tool_any_text() -> None:
    for arguments in ("{}", ' {"a": [1, null]} ', {}, {"a": None}):
        assert found(called({"arguments": arguments})) == set()
    assert found(called({"arguments": "print(1)", "kind": "custom"})) == set()
    assert found(called({"arguments": None})) == {("arguments", "/data/calls/0/call/arguments")}
    assert found(called({"arguments": [1]})) == {("arguments", "/data/calls/0/call/arguments")}


@pytest.mark.requirement("TYPE-9.3.4")
@pytest.mark.parametrize("status", ["", "Approved", "maybe", 1, ["approved"]])
def test_an_approval_is_pending_approved_or_denied(status: Any) -> None:
    assert found(called({}, status=status)) == {("approval_status", "/data/calls/0/approval/status")}
    assert all(found(called({}, status=good)) == set() for good in ("pending", "approved", "denied"))


def test_a_call_without_an_approval_is_told() -> None:
    assert ("approval_status", "/data/calls/0/approval/status") in found(
        document("tool_request", calls=[{"call": CALL}])
    )


def test_a_result_says_what_it_answers_and_its_status_agrees() -> None:
    assert found(document("tool_result", call_id=None)) == {("unlinked_result", "/data/call_id")}
    assert found(document("tool_result", call_id="")) == {("unlinked_result", "/data/call_id")}
    assert found(document("tool_result", call_id=None, name="read_file")) == set()
    assert found(document("tool_result", status="ok")) == {("execution_status", "/data/status")}
    assert found(document("tool_result", status="error", output=None)) == {("failed_without_error", "/data/error")}
    assert found(document("tool_result", status="error", output="It broke.")) == set()
    assert found(document("tool_result", error={"message": "x"})) == {("success_with_error", "/data/error")}
    backwards = {"started_at": MOMENT, "finished_at": "2025-12-31T23:59:59Z"}
    assert found(document("tool_result", execution=backwards)) == {("execution_time", "/data/execution/finished_at")}


def test_an_output_of_parts_is_judged_part_by_part() -> None:
    assert found(document("tool_result", output_form="parts", output="text")) == {("output_parts", "/data/output")}
    parts = [{"type": "text", "text": ""}, {"type": "image"}]
    assert found(document("tool_result", output_form="parts", output=parts)) == {("part_source", "/data/output/1")}
    assert found(document("tool_result", output=parts)) == set()


# --- the others -------------------------------------------------------------------------------------------------------


def test_a_picture_comes_from_somewhere_and_is_read_somehow() -> None:
    assert found(document("image", mode="magic")) == {("recognition_mode", "/data/mode")}
    assert found(document("image", source={"kind": "dream"})) == {("image_source", "/data/source/kind")}
    assert found(document("image", source={"kind": "url", "url": "a.png"})) == {("url", "/data/source/url")}
    assert found(document("image", source={"kind": "base64", "data": "?"})) == {("base64", "/data/source/data")}
    assert found(document("image", status="failed")) == {("failed_without_error", "/data/error")}


def test_a_resource_has_a_server_an_address_and_readable_content() -> None:
    assert found(document("mcp_resource", server_name="")) == {("empty_server_name", "/data/server_name")}
    assert found(document("mcp_resource", resource_uri="api")) == {("resource_uri", "/data/resource_uri")}
    assert found(document("mcp_resource", resource_uri=None)) == {("resource_uri", "/data/resource_uri")}
    assert found(document("mcp_resource", mime_type="text")) == {("media_type", "/data/mime_type")}
    assert found(document("mcp_resource", mime_type="text/plain; charset=utf-8")) == set()
    assert found(document("mcp_resource", encoding="base64", content="?")) == {("base64", "/data/content")}


def test_a_control_message_says_what_changes() -> None:
    def control(**members: Any) -> set[tuple[str, str]]:
        return found(document("system_control", control=members))

    assert control(kind="mode_change", old_mode="", new_mode="") == {("empty_mode", "/data/control/new_mode")}
    assert control(kind="branch_switch", old_branch="a", new_branch="") == {
        ("empty_branch", "/data/control/new_branch")
    }
    assert control(kind="branch_switch", new_branch="b") == {("empty_branch", "/data/control/old_branch")}
    assert control(kind="custom", name="") == {("empty_control_name", "/data/control/name")}
    assert control(kind="reboot") == {("control_kind", "/data/control/kind")}


@pytest.mark.parametrize(
    "moment",
    [
        "",
        "today",
        "2026-01-01",
        "2026-01-01T00:00:00",
        "2026-13-01T00:00:00Z",
        "2026-01-01T25:00:00Z",
        "2026-01-01T00:00:00Z\n",
    ],
)
def test_a_moment_is_one_and_says_its_time_zone(moment: str) -> None:
    assert found({**document("text"), "created_at": moment}) == {("timestamp", "/created_at")}
    assert found(called({}, decided_at=moment)) == {("timestamp", "/data/calls/0/approval/decided_at")}
    assert found(document("mcp_resource", retrieved_at=moment)) == {("timestamp", "/data/retrieved_at")}


# --- what is no message -----------------------------------------------------------------------------------------------


@pytest.mark.requirement("NFR-004a-24")
@pytest.mark.parametrize(
    "message", [None, [], "text", b"{}", 5, {}, {"type": None}, {"type": "text"}, {"type": "text", "data": None}]
)
def test_what_is_no_message_has_violations_and_raises_nothing(message: Any) -> None:
    assert {code for code, _ in found(message)} == {"shape"}


def test_what_the_schema_refuses_is_told_once_and_by_its_place() -> None:
    message = {**document("text", role="human"), "surprise": HIDDEN}
    assert found(message) == {("role", "/data/role"), ("shape", "")}
    assert found(document("text", surprise=HIDDEN)) == {("shape", "/data")}
    assert found({**document("text"), "schema_version": 2}) == {("shape", "/schema_version")}
    assert found(document("text", content=5)) == {("shape", "/data/content")}


def test_a_message_that_nobody_knows_here_is_not_taken_for_a_sound_one() -> None:
    hologram = {"schema_version": CURRENT, "type": "hologram", "data": {}}
    newer = {**document("text"), "schema_version": CURRENT + 1}
    for message, path in ((hologram, "/type"), (newer, "/schema_version")):
        assert found(message) == {("unknown_message", path)}
        assert found(il.UnknownMessage.model_validate(message)) == {("unknown_message", path)}


def test_a_value_that_no_json_can_hold_is_told() -> None:
    assert found(document("text", content="\ud83d")) >= {("json", "/data/content")}
    assert found({**document("text"), "metadata": {"a": float("inf")}}) == {("json", "/metadata/a")}
    strange = {"a": [object()], "b": b"\xff", "c": {object()}, "d": 2, "e": "x"}
    output = il.ToolResultData(call_id="call_1", status="success", output=strange)
    assert found(il.ToolResultMessage(data=output)) == {
        ("json", f"/data/output/{place}") for place in ("a/0", "b", "c")
    }
    assert found({**document("text"), "metadata": {"a": object()}}) == {("json", "/metadata/a")}
    # What has a form in JSON is stored in it.
    assert found({**document("text"), "metadata": {"a": datetime(2026, 1, 1, tzinfo=UTC), "b": {1}}}) == set()
    message = called({"arguments": {"a": [float("nan")]}})
    assert found(message) == found(modelled(message)) == {("json", "/data/calls/0/call/arguments/a/0")}


def test_no_rule_shares_its_code_with_another_and_each_code_is_found_by_a_test() -> None:
    source = Path(__file__).read_text(encoding="utf-8")
    assert {code for code in MESSAGE_CODES if f'"{code}"' not in source} == set()
    rules = "".join(
        path.read_text(encoding="utf-8") for path in (ROOT / "codecs/interlingua/transcript").glob("rules*.py")
    )
    paths = (ROOT / "schema/compiler/runtime/paths.py").read_text(encoding="utf-8")
    assert {code for code in MESSAGE_CODES if f'"{code}"' not in rules + paths} == set()


def test_the_page_lists_every_code_with_its_meaning() -> None:
    source = inspect.getsource(violation).partition("MessageCode = ")[2]
    rows = {
        f"| `{code}` | {meaning} |" for code, meaning in re.findall(r'^    "(\w+)",  # (.+)$', source, re.MULTILINE)
    }
    page = (ROOT / "docs" / "validation.md").read_text(encoding="utf-8")
    assert len(rows) == len(MESSAGE_CODES)
    assert {line for line in page.splitlines() if line.startswith("| `")} == rows


VALUES: Final = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(st.sampled_from(sorted(GOOD)), st.data())
def test_any_value_in_any_place_of_a_message_is_judged(kind: str, data: st.DataObject) -> None:
    message = document(kind)
    holder: Any = message
    while True:
        keys = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
        key = data.draw(st.sampled_from(keys)) if keys else None
        inner = holder[key] if keys else None
        if key is None:
            break
        if not isinstance(inner, (dict, list)) or data.draw(st.booleans()):
            holder[key] = data.draw(VALUES)
            break
        holder = inner
    found(message)
