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
def test_a_valid_message_has_no_violations_as_document_and_as_model(kind: str) -> None:
    assert il.check_message(document(kind)) == []
    assert il.check_message(modelled(document(kind))) == []


def test_every_schema_example_is_valid() -> None:
    for path in sorted((ROOT / "schema" / f"v{CURRENT}" / "message").glob("*.json")):
        for example in json.loads(path.read_text(encoding="utf-8"))["examples"]:
            assert il.check_message(example) == [], path.name


def test_the_input_is_unchanged_and_integers_may_be_floats() -> None:
    message = document("file_reference", start_line=2.0, end_line=9.0)
    before = copy.deepcopy(message)
    assert il.check_message(message) == []
    assert message == before
    assert type(message["data"]["start_line"]) is float


def test_a_null_member_counts_as_absent() -> None:
    message = document("file_reference")
    message["data"]["start_line"] = None
    assert il.check_message(message) == []


# --- text -------------------------------------------------------------------------------------------------------------


@pytest.mark.requirement("TYPE-9.1.1")
@pytest.mark.parametrize("content", [None, "", [], [{"type": "text", "text": ""}], [{"type": "text", "text": ""}] * 2])
def test_an_empty_text_is_reported_unless_allowed(content: Any) -> None:
    for message in (document("text", content=content), modelled(document("text", content=content))):
        assert found(message) == {("empty_text", "/data/content")}
        assert found(message, allow_empty=True) == set()


def test_a_refusal_counts_as_content_and_whitespace_as_text() -> None:
    assert found(document("text", role="assistant", content=None, refusal="No.")) == set()
    assert found(document("text", content=" ")) == set()


@pytest.mark.requirement("TYPE-9.1.2")
@pytest.mark.parametrize("role", [None, "", "User", "human", "function", "opaque", 1, ["user"], {"role": "user"}])
def test_an_unknown_role_is_reported(role: Any) -> None:
    assert found(document("text", role=role)) == {("role", "/data/role")}
    assert all(found(document("text", role=good.value)) == set() for good in il.MessageRole)


@pytest.mark.requirement("TYPE-9.1.3")
def test_each_part_is_checked() -> None:
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


def test_deeply_nested_parts_are_checked() -> None:
    part: dict[str, Any] = {"type": "text", "text": ""}
    for _ in range(3000):
        part = {"type": "file", "content": [part]}
    codes = {code for code, _ in found(document("text", content=[{"type": "text", "text": "x"}, part]))}
    assert {"empty_part", "json"} <= codes


@pytest.mark.parametrize("data", ["aGk=", "aGk", "aGkx", "_-8=", "a" * 4000])
def test_both_base64_alphabets_are_accepted(data: str) -> None:
    assert found(document("text", content=[{"type": "image", "data": data}])) == set()


@pytest.mark.parametrize("data", ["", "=", "a", "aGk===", "aG k=", "aGk=\n", "\u0430Gk=", "data:image/png;base64,aGk="])
def test_invalid_base64_is_reported(data: str) -> None:
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
def test_a_path_of_plain_names_is_valid(path: str) -> None:
    assert found(document("file_reference", path=path)) == set()


@pytest.mark.requirement("TYPE-9.2.2")
def test_a_reversed_line_range_is_reported() -> None:
    assert found(document("file_reference", start_line=3, end_line=2)) == {("line_range", "/data/end_line")}
    assert found(modelled(document("file_reference", start_line=3, end_line=2))) == {("line_range", "/data/end_line")}
    for start, end in ((3, 3), (1, 2), (3, None), (None, 3)):
        assert found(document("file_reference", start_line=start, end_line=end)) == set()


@pytest.mark.parametrize("line", [0, -1, 1.5, "1", True, [1]])
def test_a_line_number_that_is_not_a_positive_integer_is_reported(line: Any) -> None:
    assert found(document("file_reference", start_line=line)) == {("line_number", "/data/start_line")}


def test_a_contradictory_status_is_reported() -> None:
    assert found(document("file_reference", status="resolved")) == {("resolved_without_content", "/data/content")}
    assert found(document("file_reference", status="resolved", content="")) == set()
    assert found(document("file_reference", status="failed")) == {("failed_without_error", "/data/error")}
    assert found(document("file_reference", status="failed", error={"message": "x"})) == set()
    assert found(document("file_reference", status="lost")) == {("resolution_status", "/data/status")}
    assert found(document("file_reference", role="human")) == {("role", "/data/role")}


# --- tools ------------------------------------------------------------------------------------------------------------


@pytest.mark.requirement("TYPE-9.3.1")
def test_call_ids_must_be_unique() -> None:
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
def test_call_names_must_be_valid_tool_names() -> None:
    for name in ("", "read file", "read\n", "l\u00e4sa", "a/b", "a" * 129, "a;b", None):
        assert found(called({"name": name})) == {("tool_name", "/data/calls/0/call/name")}
    for name in ("read_file", "mcp.read-file:v2", "A9", "a" * 128):
        assert found(called({"name": name})) == set()


@pytest.mark.requirement("TYPE-9.3.3")
@pytest.mark.parametrize("arguments", ["", "{", "[]", "null", '"a"', '{"a": NaN}', "{'a': 1}", '{"a": 1} x'])
def test_arguments_must_be_a_json_object(arguments: Any) -> None:
    message = called({"arguments": arguments})
    assert found(message) == found(modelled(message)) == {("arguments", "/data/calls/0/call/arguments")}


def test_text_arguments_must_be_json_unless_the_tool_is_custom() -> None:
    for arguments in ("{}", ' {"a": [1, null]} ', {}, {"a": None}):
        assert found(called({"arguments": arguments})) == set()
    assert found(called({"arguments": "print(1)", "kind": "custom"})) == set()
    assert found(called({"arguments": None})) == {("arguments", "/data/calls/0/call/arguments")}
    assert found(called({"arguments": [1]})) == {("arguments", "/data/calls/0/call/arguments")}


@pytest.mark.requirement("TYPE-9.3.4")
@pytest.mark.parametrize("status", ["", "Approved", "maybe", 1, ["approved"]])
def test_an_approval_must_be_pending_approved_or_denied(status: Any) -> None:
    assert found(called({}, status=status)) == {("approval_status", "/data/calls/0/approval/status")}
    assert all(found(called({}, status=good)) == set() for good in ("pending", "approved", "denied"))


def test_a_call_without_an_approval_is_reported() -> None:
    assert ("approval_status", "/data/calls/0/approval/status") in found(
        document("tool_request", calls=[{"call": CALL}])
    )


def test_a_result_must_have_a_call_id_and_a_consistent_status() -> None:
    assert found(document("tool_result", call_id=None)) == {("unlinked_result", "/data/call_id")}
    assert found(document("tool_result", call_id="")) == {("unlinked_result", "/data/call_id")}
    assert found(document("tool_result", call_id=None, name="read_file")) == set()
    assert found(document("tool_result", status="ok")) == {("execution_status", "/data/status")}
    assert found(document("tool_result", status="error", output=None)) == {("failed_without_error", "/data/error")}
    assert found(document("tool_result", status="error", output="It broke.")) == set()
    assert found(document("tool_result", error={"message": "x"})) == {("success_with_error", "/data/error")}
    backwards = {"started_at": MOMENT, "finished_at": "2025-12-31T23:59:59Z"}
    assert found(document("tool_result", execution=backwards)) == {("execution_time", "/data/execution/finished_at")}


def test_each_part_of_an_output_is_checked() -> None:
    assert found(document("tool_result", output_form="parts", output="text")) == {("output_parts", "/data/output")}
    parts = [{"type": "text", "text": ""}, {"type": "image"}]
    assert found(document("tool_result", output_form="parts", output=parts)) == {("part_source", "/data/output/1")}
    assert found(document("tool_result", output=parts)) == set()


# --- the others -------------------------------------------------------------------------------------------------------


def test_an_image_must_have_a_source_and_a_reading_mode() -> None:
    assert found(document("image", mode="magic")) == {("recognition_mode", "/data/mode")}
    assert found(document("image", source={"kind": "dream"})) == {("image_source", "/data/source/kind")}
    assert found(document("image", source={"kind": "url", "url": "a.png"})) == {("url", "/data/source/url")}
    assert found(document("image", source={"kind": "base64", "data": "?"})) == {("base64", "/data/source/data")}
    assert found(document("image", status="failed")) == {("failed_without_error", "/data/error")}


def test_a_resource_must_have_a_server_a_uri_and_readable_content() -> None:
    assert found(document("mcp_resource", server_name="")) == {("empty_server_name", "/data/server_name")}
    assert found(document("mcp_resource", resource_uri="api")) == {("resource_uri", "/data/resource_uri")}
    assert found(document("mcp_resource", resource_uri=None)) == {("resource_uri", "/data/resource_uri")}
    assert found(document("mcp_resource", mime_type="text")) == {("media_type", "/data/mime_type")}
    assert found(document("mcp_resource", mime_type="text/plain; charset=utf-8")) == set()
    assert found(document("mcp_resource", encoding="base64", content="?")) == {("base64", "/data/content")}


def test_a_control_message_must_state_a_change() -> None:
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
def test_a_timestamp_must_be_valid_and_have_a_time_zone(moment: str) -> None:
    assert found({**document("text"), "created_at": moment}) == {("timestamp", "/created_at")}
    assert found(called({}, decided_at=moment)) == {("timestamp", "/data/calls/0/approval/decided_at")}
    assert found(document("mcp_resource", retrieved_at=moment)) == {("timestamp", "/data/retrieved_at")}


# --- what is no message -----------------------------------------------------------------------------------------------


@pytest.mark.requirement("NFR-004a-24")
@pytest.mark.parametrize(
    "message", [None, [], "text", b"{}", 5, {}, {"type": None}, {"type": "text"}, {"type": "text", "data": None}]
)
def test_a_value_that_is_not_a_message_has_violations_and_raises_nothing(message: Any) -> None:
    assert {code for code, _ in found(message)} == {"shape"}


def test_a_schema_error_is_reported_once_with_its_path() -> None:
    message = {**document("text", role="human"), "surprise": HIDDEN}
    assert found(message) == {("role", "/data/role"), ("shape", "")}
    assert found(document("text", surprise=HIDDEN)) == {("shape", "/data")}
    assert found({**document("text"), "schema_version": 2}) == {("shape", "/schema_version")}
    assert found(document("text", content=5)) == {("shape", "/data/content")}


def test_a_message_of_an_unknown_type_is_not_reported_as_valid() -> None:
    hologram = {"schema_version": CURRENT, "type": "hologram", "data": {}}
    newer = {**document("text"), "schema_version": CURRENT + 1}
    for message, path in ((hologram, "/type"), (newer, "/schema_version")):
        assert found(message) == {("unknown_message", path)}
        assert found(il.UnknownMessage.model_validate(message)) == {("unknown_message", path)}


def test_a_value_that_json_cannot_represent_is_reported() -> None:
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


def test_violation_codes_are_unique_and_each_occurs_in_a_test() -> None:
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
def test_any_value_at_any_place_of_a_message_is_checked_without_an_error(kind: str, data: st.DataObject) -> None:
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
