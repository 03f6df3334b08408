"""The messages of a transcript by their types: what each of them holds, and that it is what is stored."""

from __future__ import annotations

from typing import Any, Final

import pytest
from pydantic import TypeAdapter, ValidationError

from interlingua_types import CURRENT, current

READ: Final[TypeAdapter[Any]] = TypeAdapter(current.Message)
MOMENT: Final = "2026-01-01T00:00:00Z"
PICTURE: Final = {"type": "image", "url": "https://example.com/a.png"}


def loaded(kind: str, **data: Any) -> Any:
    """Return the data of a message of a type, which goes through its class and back unchanged, loaded or created."""
    document = {"schema_version": CURRENT, "type": kind, "data": data}
    message = READ.validate_python(document)
    assert message.model_dump(mode="json") == document
    assert message.type == kind
    assert current.MessageType(kind).value == kind
    assert type(message).__name__ == "".join(word.title() for word in kind.split("_")) + "Message"
    assert type(message)(data=message.data) == message
    assert type(message)(data=data).model_dump(mode="json") == document
    return message.data


def refused(kind: str, **data: Any) -> bool:
    try:
        READ.validate_python({"schema_version": CURRENT, "type": kind, "data": data})
    except ValidationError:
        return True
    return False


@pytest.mark.requirement("TYPE-1.1.1", "TYPE-1.1.2", "TYPE-1.1.3", "TYPE-1.1.4", "TYPE-9.1.2", "TYPE-9.1.3")
def test_a_text_message_has_a_role_and_a_text_or_several_parts() -> None:
    for role in ("user", "assistant", "system"):
        data = loaded("text", role=role, content=" Hello\n")
        assert (data.role, data.content) == (role, " Hello\n")
    parts = loaded("text", role="user", content=[{"type": "text", "text": "Look"}, PICTURE]).content
    assert [part.type for part in parts] == ["text", "image"]
    assert refused("text", content="Hello")
    assert refused("text", role="narrator", content="Hello")
    assert refused("text", role="user", content=[{"type": "text", "text": "Look"}, {"type": "text"}])


@pytest.mark.requirement("TYPE-1.2.1", "TYPE-1.2.2", "TYPE-1.2.3", "TYPE-1.2.4", "TYPE-1.2.5")
def test_an_image_message_has_a_source_a_mode_and_optional_results_or_an_error() -> None:
    sources = [
        {"kind": "url", "url": "https://example.com/a.png"},
        {"kind": "base64", "data": "AA==", "format": "image/png"},
        {"kind": "file_path", "path": "a.png"},
    ]
    for source, mode in zip(sources, ("vision", "ocr", "auto"), strict=True):
        data = loaded("image", source=source, mode=mode)
        assert (data.source.kind, data.mode) == (source["kind"], mode)
    read = {"mode_used": "ocr", "recognized_text": "STOP", "confidence": 0.5, "language": "en"}
    assert loaded("image", source=sources[0], mode="ocr", recognition=read).recognition.recognized_text == "STOP"
    seen = {"mode_used": "vision", "vision_analysis": "a sign", "recognized_text": "STOP", "recognized_at": MOMENT}
    assert loaded("image", source=sources[0], mode="auto", recognition=seen).recognition.vision_analysis == "a sign"
    assert loaded("image", source=sources[0], mode="ocr", error={"message": "too dark"}).error.message == "too dark"
    assert refused("image", source=sources[0])
    assert refused("image", source=sources[0], mode="guess")
    assert refused("image", source={"kind": "url"}, mode="auto")


@pytest.mark.requirement("TYPE-1.3.1", "TYPE-1.3.2", "TYPE-1.3.3", "TYPE-1.3.4", "TYPE-1.3.5", "TYPE-9.2.1")
def test_a_file_reference_has_a_path_lines_and_optional_content_or_an_error() -> None:
    data = loaded("file_reference", path="src/A b.py", start_line=2, end_line=9, status="resolved", content="x = 1\n")
    assert (data.path, data.start_line, data.end_line, data.content) == ("src/A b.py", 2, 9, "x = 1\n")
    assert loaded("file_reference", path="a.py", start_line=2).end_line is None
    for status in ("pending", "resolved", "failed"):
        assert loaded("file_reference", path="a.py", status=status).status == status
    assert refused("file_reference", start_line=2)
    assert refused("file_reference", path="")
    assert refused("file_reference", path="a.py", status="lost")


@pytest.mark.requirement("TYPE-1.4.1", "TYPE-1.4.3", "TYPE-1.4.4", "TYPE-1.4.5", "TYPE-9.3.4")
def test_a_tool_request_has_calls_each_with_its_own_approval() -> None:
    calls = [
        {"call": {"id": f"call_{at}", "name": "f", "arguments": {"at": at}}, "approval": {"status": status}}
        for at, status in enumerate(("pending", "approved", "denied"))
    ]
    data = loaded("tool_request", calls=calls)
    assert [one.approval.status for one in data.calls] == ["pending", "approved", "denied"]
    assert [(one.call.id, one.call.name, one.call.arguments_object()) for one in data.calls] == [
        (f"call_{at}", "f", {"at": at}) for at in range(3)
    ]
    assert refused("tool_request", calls=[{**calls[0], "approval": {"status": "maybe"}}])
    assert refused("tool_request", calls=[{"approval": {"status": "pending"}}])
    assert refused("tool_request", calls=[{"call": calls[0]["call"]}])
    assert refused("tool_request", calls=[{**calls[0], "call": {"name": "f"}}])
    assert refused("tool_request", calls=[{**calls[0], "call": {"id": "call_0", "arguments": {}}}])


@pytest.mark.requirement("TYPE-1.5.1", "TYPE-1.5.2", "TYPE-1.5.3", "TYPE-1.5.4", "TYPE-1.5.5")
def test_a_tool_result_has_call_id_status_output_and_execution_times() -> None:
    ran = {"started_at": MOMENT, "finished_at": MOMENT, "duration_ms": 12}
    data = loaded("tool_result", call_id="call_1", status="success", output={"rows": [1]}, execution=ran)
    assert (data.call_id, data.status, data.output) == ("call_1", "success", {"rows": [1]})
    assert (data.execution.started_at, data.execution.duration_ms) == (MOMENT, 12)
    for output in ("rows", "", ["rows", 1], 0, False, 2.5):
        kept = loaded("tool_result", call_id="call_1", output=output).output
        assert (type(kept), kept) == (type(output), output)
    failed = loaded("tool_result", call_id="call_1", status="error", error={"message": "it broke"})
    assert (failed.status, failed.error.message) == ("error", "it broke")
    assert refused("tool_result", call_id="call_1", status="perhaps")


@pytest.mark.requirement(
    "TYPE-1.6.1", "TYPE-1.6.2", "TYPE-1.6.3", "TYPE-6.1.1", "TYPE-6.1.2", "TYPE-6.2.1", "TYPE-6.2.2"
)
def test_a_control_message_has_the_old_and_the_new_value() -> None:
    mode = loaded("system_control", control={"kind": "mode_change", "old_mode": "plan", "new_mode": "act"}).control
    assert (type(mode), mode.old_mode, mode.new_mode) == (current.ModeChangeControl, "plan", "act")
    branch = {"kind": "branch_switch", "old_branch": "main", "new_branch": "try"}
    switched = loaded("system_control", control=branch).control
    assert (type(switched), switched.old_branch, switched.new_branch) == (current.BranchSwitchControl, "main", "try")
    own = {"kind": "custom", "name": "checkpoint", "parameters": {"at": [1, None], "by": {"name": "ada"}}}
    custom = loaded("system_control", control=own).control
    assert (type(custom), custom.name, custom.parameters) == (current.CustomControl, "checkpoint", own["parameters"])
    for kind, control in (
        (current.ModeChangeControl, mode),
        (current.BranchSwitchControl, switched),
        (current.CustomControl, custom),
    ):
        members = control.model_dump()
        assert kind(**{name: value for name, value in members.items() if name != "kind"}) == control
        for name in members:
            left = {one: value for one, value in members.items() if one != name}
            assert refused("system_control", control=left) is (name != "parameters"), name
    assert refused("system_control", control={"kind": "custom", "name": "checkpoint", "parameters": "at 1"})
    assert refused("system_control", control={"kind": "branch_switch", "old_mode": "plan", "new_mode": "act"})
    assert refused("system_control", control={"kind": "reboot"})


@pytest.mark.requirement("TYPE-1.7.1", "TYPE-1.7.2", "TYPE-1.7.3", "TYPE-1.7.4", "TYPE-1.7.5", "TYPE-1.7.6")
def test_an_mcp_resource_has_its_source_content_and_fetch_time() -> None:
    needed = {"server_name": "docs", "resource_uri": "docs://api", "content": "# API", "retrieved_at": MOMENT}
    assert loaded("mcp_resource", **needed).mime_type is None
    data = loaded("mcp_resource", **needed, mime_type="text/markdown")
    assert (data.server_name, data.resource_uri, data.content) == ("docs", "docs://api", "# API")
    assert (data.mime_type, data.retrieved_at) == ("text/markdown", MOMENT)
    for name in needed:
        assert refused("mcp_resource", **{member: value for member, value in needed.items() if member != name})
