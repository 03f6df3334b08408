"""Values made by hand: every kind of transcript message, words in the place of enumerations, refusals that say why."""

from __future__ import annotations

import io
import subprocess
import sys
from copy import deepcopy
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

import pytest

import interlingua as il
from interlingua import messages

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

CALL: Final = il.ToolCall.create("weather", {"city": "Rome"}, "call_1")
MOMENT: Final = "2026-01-01T00:00:00Z"
MADE: Final[dict[str, Callable[[], Any]]] = {
    "assistant": lambda: messages.assistant("Hi", name="a"),
    "branch_switch": lambda: messages.branch_switch("main", "other"),
    "compaction": lambda: messages.compaction("In short.", "m1", "m2", source={"format": "codex"}),
    "control": lambda: messages.control("budget", {"tokens": 1}),
    "developer": lambda: messages.developer("Hi"),
    "file": lambda: messages.file("a.py", 1, 2),
    "image": lambda: messages.image(il.FilePathImageSource(path="a.png"), mode="ocr", caption="c"),
    "mode_change": lambda: messages.mode_change("plan", "act"),
    "opaque": lambda: messages.opaque("openai_responses", {"type": "compaction"}),
    "reasoning": lambda: messages.reasoning("Hm.", id="m1"),
    "resource": lambda: messages.resource("s", "s://a", "text", retrieved_at=MOMENT, mime_type="text/plain"),
    "system": lambda: messages.system([il.TextPart(text="Hi")]),
    "tool_request": lambda: messages.tool_request(CALL, {"name": "a", "arguments": {}}, status="approved"),
    "tool_result": lambda: messages.tool_result("call_1", error="It broke."),
    "user": lambda: messages.user("Hi", metadata={"a": 1}),
}


def refused(make: Callable[[], object]) -> str:
    """Return why a value is refused."""
    with pytest.raises(ValueError) as caught:  # noqa: PT011  # what is said is looked at
        make()
    return str(caught.value)


def test_there_is_a_function_for_every_kind_of_transcript_message() -> None:
    assert set(MADE) == set(messages.__all__)
    kinds = {make().type for make in MADE.values()}
    assert kinds == {kind.value for kind in il.MessageType}


@pytest.mark.parametrize("name", MADE)
def test_created_messages_are_stored_and_loaded_unchanged(name: str) -> None:
    made = MADE[name]()
    assert list(il.load_message(il.dump_message(made))) == [made]


@pytest.mark.requirement("TYPE-6.1.2", "TYPE-6.2.2")
def test_each_function_sets_the_members_of_its_arguments() -> None:
    call = {"id": "call_1", "name": "weather", "arguments": {"city": "Rome"}}
    error = {"code": "tool", "message": "It broke.", "recoverable": True}
    picture = {"source": {"kind": "file_path", "path": "a.png"}, "mode": "ocr", "caption": "c"}
    resource = {"server_name": "s", "resource_uri": "s://a", "content": "text", "mime_type": "text/plain"}
    assert {name: il.dump_message(make())["data"] for name, make in MADE.items()} == {
        "assistant": {"role": "assistant", "content": "Hi", "name": "a"},
        "branch_switch": {"control": {"kind": "branch_switch", "old_branch": "main", "new_branch": "other"}},
        "compaction": {"summary": "In short.", "first_id": "m1", "last_id": "m2"},
        "control": {"control": {"kind": "custom", "name": "budget", "parameters": {"tokens": 1}}},
        "developer": {"role": "developer", "content": "Hi"},
        "file": {"path": "a.py", "start_line": 1, "end_line": 2, "status": "pending"},
        "image": picture,
        "mode_change": {"control": {"kind": "mode_change", "old_mode": "plan", "new_mode": "act"}},
        "opaque": {"dialect": "openai_responses", "data": {"type": "compaction"}},
        "reasoning": {"content": "Hm."},
        "resource": {**resource, "retrieved_at": MOMENT},
        "system": {"role": "system", "content": [{"type": "text", "text": "Hi"}]},
        "tool_request": {
            "calls": [
                {"call": call, "approval": {"status": "approved"}},
                {"call": {"name": "a", "arguments": {}}, "approval": {"status": "approved"}},
            ]
        },
        "tool_result": {"call_id": "call_1", "status": "error", "error": error},
        "user": {"role": "user", "content": "Hi"},
    }


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: il.chat.create_user(5), "content must be text or a list of parts, not int"),  # type: ignore[arg-type]
        (lambda: il.chat.create_user(b"a"), "not bytes"),  # type: ignore[arg-type]
        (lambda: messages.user(["a"]), "content.0 must be a part, such as TextPart"),  # type: ignore[list-item]
        (messages.tool_request, "at least one call"),
        (lambda: messages.image("SECRET.png"), "use FilePathImageSource(path=...)"),
        (lambda: messages.image("C:/SECRET.png"), "use FilePathImageSource(path=...)"),
        (lambda: messages.user("a", idd="3"), "idd"),
        (lambda: il.ContentEvent(block=-1, text="a"), "at least 0"),
        (lambda: il.FileReferenceData(path="a", start_line=0), "at least 1"),
        (lambda: messages.user([{"type": "text", "text": "SECRET", "cache": 3}]), "content"),
    ],
)
def test_an_invalid_argument_raises_an_error_that_says_what_is_expected(make: Callable[[], object], words: str) -> None:
    told = refused(make)
    assert words in told
    assert "SECRET" not in told


@pytest.mark.parametrize("address", ["https://example.com/a.png", "HTTP://a", "data:image/png;base64,aGk=", "gs://b/a"])
def test_the_text_of_an_image_is_its_url(address: str) -> None:
    assert messages.image(address).data.source == il.UrlImageSource(url=address)


def test_strings_are_accepted_for_enumeration_members() -> None:
    assert il.TextData(role="user", content="Hi") == il.TextData(role=il.MessageRole.USER, content="Hi")
    assert il.TextData(role="user").role is il.MessageRole.USER


@pytest.mark.one_python
def test_a_type_checker_accepts_strings_and_lists_and_refuses_others(tmp_path: Path) -> None:
    module = tmp_path / "words.py"
    module.write_text(
        "import interlingua as il\n\n"
        'number: int = il.TextData(role="user", content="Hi").role.number\n'
        'il.TextData(role="usr")  # type: ignore[arg-type]\n'
        "il.TextData()  # type: ignore[call-arg]\n"
        'image = il.ImagePart(url="https://example.com/a.png")\n'
        'messages = [il.UserChatMessage(content=[il.TextPart(text="Hi"), image])]\n'
        'il.ChatRequest(messages=messages, stop=["a"], tools=[il.ToolDefinition.create("f", "", {})])\n'
        'il.ChatResponse(messages=[il.chat.create_assistant("Hi")])\n'
        'il.ChatRequest(messages=["Hi"])  # type: ignore[list-item]\n'
        'il.ChatRequest(messages="Hi")  # type: ignore[arg-type]\n'
        'il.ChatRequest(messages=[], stop="a")  # type: ignore[arg-type]\n',
        encoding="utf-8",
    )
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file=", "--cache-dir", str(tmp_path / "cache")]
    done = subprocess.run([*command, str(module)], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stdout


def shown(value: Any) -> str:
    file = io.StringIO()
    il.show(value, file=file)
    return file.getvalue()


def test_content_is_shown_only_by_explicit_functions_and_never_by_repr() -> None:
    message = messages.user("SECRET")
    encoded = il.encode_request({"messages": [{"role": "user", "content": "SECRET"}], "top_k": 3}, "openai_chat")
    story = il.Transcript([message])
    for value in (message, encoded, story, [message], {"a": message}, il.Loss("setting", "/SECRET", "", "lost")):
        assert "SECRET" in shown(value)
    assert "SECRET" not in repr(message) + repr(encoded) + str(story)
    assert '"path": "/top_k"' in shown(encoded)


def test_displayed_text_contains_no_terminal_control_codes() -> None:
    told = shown(messages.user("\x1b[31m\u202e\x9b\ud800\u00e9"))
    assert told.isprintable() is False  # its lines end
    assert all(sign not in told for sign in "\x1b\u202e\x9b\ud800")
    assert "\u00e9" in told


def test_notebooks_show_no_content_unless_enabled() -> None:
    part = il.TextPart(text="<b>SECRET</b>")
    assert not hasattr(part, "_repr_html_")
    il.show_in_notebooks()
    try:
        assert "&lt;b&gt;SECRET" in part._repr_html_()  # type: ignore[attr-defined]  # IPython's name
    finally:
        il.show_in_notebooks(False)
    assert not hasattr(part, "_repr_html_")


@pytest.mark.parametrize("copy", [False, True])
def test_input_values_may_be_shared_unless_a_copy_is_requested(copy: bool) -> None:
    schema: dict[str, Any] = {"type": "object", "properties": {}}
    tool = {"type": "function", "function": {"name": "f", "parameters": schema}}
    body = {"model": "m", "messages": [{"role": "user", "content": "Hi"}], "tools": [tool]}
    refused = {"error": {"message": "No.", "type": "invalid_request_error", "param": None, "code": None}}
    canonical = il.decode_request(body, "openai_chat").model_dump(mode="json")
    given = canonical["tools"][0]["parameters"]
    one = il.exchange(body, "openai_chat", "claude", copy=copy)
    answer = {
        "type": "message",
        "role": "assistant",
        "content": [{"type": "tool_use", "id": "t", "name": "f", "input": {}}],
    }
    mine = il.exchange({"model": "m", "messages": [], "max_tokens": 1}, "claude", "claude")
    error = il.ApiError(category="invalid_request", message="No.")
    pairs = [
        (schema, one.body["tools"][0]["input_schema"]),
        (given, il.encode_request(canonical, "claude", copy=copy).body["tools"][0]["input_schema"]),
        (refused, il.translate_error(refused, "openai_chat", "openai_chat", status=400, copy=copy).body),
        (answer["content"][0]["input"], mine.response(answer, copy=copy).body["content"][0]["input"]),
        (refused, il.exchange(body, "openai_chat", "openai_chat").error(refused, status=400, copy=copy).body),
    ]
    assert all(ours == theirs for ours, theirs in pairs)
    if copy:
        assert [ours is theirs for ours, theirs in pairs] == [False] * len(pairs)
    assert any(ours is theirs for ours, theirs in pairs) is not copy
    assert il.encode_error(error, "claude", copy=copy).body == il.encode_error(error, "claude").body


@pytest.mark.parametrize("target", il.dialects())
def test_frames_are_never_modified_and_shared_within_one_dialect(target: il.Dialect) -> None:
    told: dict[str, Any] = {"id": "m", "type": "message", "role": "assistant", "model": "c", "content": []}
    call: dict[str, Any] = {"type": "tool_use", "id": "t", "name": "f", "input": {}}
    given: list[dict[str, Any]] = [
        {"type": "message_start", "message": {**told, "usage": {"input_tokens": 1, "output_tokens": 1}}},
        {"type": "content_block_start", "index": 0, "content_block": call},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "input_json_delta", "partial_json": "{}"}},
        {"type": "content_block_stop", "index": 0},
        {
            "type": "message_delta",
            "delta": {"stop_reason": "tool_use"},
            "usage": {"output_tokens": 3},
            "new": {"a": [1]},
        },
        {"type": "message_stop"},
    ]
    before = deepcopy(given)
    frames = list(il.translate_stream(given, "claude", target))
    assert given == before
    if target == "claude":
        assert [one is other for one, other in zip(frames, given, strict=True)] == [True] * len(given)
    for frame in frames:
        if isinstance(frame, dict):
            frame.clear()
    assert given == before or target == "claude"


def test_a_misspelt_default_suggests_the_right_name() -> None:
    with pytest.raises(il.EncodeError) as caught:
        il.translate_request({"messages": []}, "openai_chat", "claude", defaults={"max_token": 5})
    assert (caught.value.path, "'max_tokens'" in caught.value.reason) == ("/max_token", True)


def test_a_copy_can_be_changed_without_affecting_the_original() -> None:
    schema = {"type": "object", "properties": {"city": {"type": "string"}}}
    body = {
        "model": "m",
        "messages": [],
        "tools": [{"type": "function", "function": {"name": "f", "parameters": schema}}],
    }
    encoded = il.translate_request(body, "openai_chat", "openai_chat", copy=True)
    encoded.body["tools"][0]["function"]["parameters"]["properties"].clear()
    assert schema["properties"] == {"city": {"type": "string"}}
    answer = {"choices": [{"index": 0, "message": {"role": "assistant", "content": "Hi"}, "finish_reason": "stop"}]}
    copied = il.translate_response(answer, "openai_chat", "openai_chat", copy=True)
    assert copied.body == answer
    assert copied.body["choices"][0]["message"] is not answer["choices"][0]["message"]


@dataclass
class Weather:
    degrees: Decimal
    at: date


def test_a_tool_output_is_converted_to_plain_json_immediately() -> None:
    made = messages.tool_result("call_1", {"rome": Weather(Decimal("31.5"), date(2026, 1, 1)), "years": {2026: {1}}})
    assert made.data.output == {"rome": {"degrees": "31.5", "at": "2026-01-01"}, "years": {"2026": [1]}}
    assert il.load_message(il.dump_message_json(made)) == (made,)
    assert il.to_chat([messages.tool_result("call_1", [il.TextPart(text="31")])])[0].content == (
        il.TextPart(text="31"),
    )


@pytest.mark.parametrize(
    ("value", "place"),
    [
        ({"a": float("nan")}, "/a"),
        ([object()], "/0"),
        ({"a": {1: "x", "1": "y"}}, "/a"),
        ({"a": b"\xff"}, "/a"),
        ({"a": 10**400}, "/a"),
    ],
)
def test_a_value_without_a_json_form_is_refused_immediately(value: Any, place: str) -> None:
    for what, make in {
        "output": lambda: messages.tool_result("call_1", value),
        "parameters": lambda: messages.control("budget", value),
        "data": lambda: messages.opaque("claude", value),
        "metadata": lambda: messages.user("Hi", metadata=value),
    }.items():
        with pytest.raises(il.InvalidArgumentError, match=f"^{what}{place}: "):
            make()


def test_a_text_with_a_lone_surrogate_is_kept() -> None:
    assert messages.tool_result("call_1", {"out": "\ud83d"}).data.output == {"out": "\ud83d"}
