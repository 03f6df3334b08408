"""What users suffered from where input is hostile (docs/pain.md, Security), each entry by its id."""

from __future__ import annotations

import io
import json
import logging
import resource
import subprocess
import sys
import traceback
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest

import interlingua as il
from interlingua.frames import read_frames
from interlingua_types import CURRENT
from support.bodies import DIALECTS

SECRET: Final = "sk-live-4f9a-do-not-show"  # noqa: S105  # of nobody
DEEP: Final = 100_000


def hostile_bodies() -> list[tuple[str, dict[str, Any]]]:
    """Return bodies that no dialect takes, each with the secret where keys are leaked: in texts, URLs and arguments."""
    picture = {"type": "image_url", "image_url": {"url": f"https://host/?key={SECRET}", "detail": [SECRET]}}
    call = {"id": SECRET, "type": "function", "function": {"name": SECRET, "arguments": [SECRET]}}
    return [
        ("openai_chat", {"model": SECRET, "messages": [{"role": "user", "content": [picture, 5]}]}),
        ("openai_chat", {"model": "m", "messages": [{"role": "assistant", "tool_calls": [call]}]}),
        ("openai_responses", {"model": "m", "input": [{"type": "message", "role": "user", "content": {SECRET: 1}}]}),
        ("claude", {"model": SECRET, "max_tokens": 1, "messages": [{"role": [SECRET], "content": SECRET}]}),
        ("claude", {"model": "m", "messages": [{"role": "user", "content": [{"type": "text", "text": [SECRET]}]}]}),
        ("gemini", {"contents": [{"role": "user", "parts": [{"text": {"key": SECRET}}]}]}),
        ("ollama", {"model": "m", "messages": [{"role": "user", "content": [SECRET]}]}),
        ("vllm", {"model": "m", "messages": [SECRET]}),
    ]


@pytest.mark.parametrize(("dialect", "body"), hostile_bodies())
def test_sec_1_no_error_log_or_violation_contains_a_secret(
    dialect: str, body: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    with pytest.raises(il.InterlinguaError) as caught:
        il.decode_request(body, dialect)
    shown = "".join(traceback.format_exception(caught.value))
    assert SECRET not in shown + str(vars(caught.value))
    assert SECRET not in repr(il.check_request(body, dialect))
    assert SECRET not in caplog.text


def test_sec_1_a_setting_of_an_unexpected_type_is_kept_and_reported_without_its_value() -> None:
    body = {"model": "m", "max_tokens": SECRET, "messages": [{"role": "user", "content": "x"}]}
    request = il.decode_request(body, "claude")
    assert SECRET not in repr(request)
    violations = il.check_request(body, "claude")
    assert violations != []
    assert SECRET not in repr(violations)
    assert SECRET not in repr([loss.detail for loss in il.encode_request(request, "openai_chat").losses])


def test_sec_1_losses_and_repr_contain_no_secret() -> None:
    message = il.UserChatMessage(role="user", content=SECRET, name=SECRET)
    request = il.ChatRequest(model=SECRET, messages=(message,), user=SECRET, metadata={SECRET: SECRET})
    for dialect in DIALECTS:
        encoded = il.encode_request(request, dialect)
        details = [one.detail for one in encoded.losses]
        assert SECRET not in repr(encoded) + repr(request) + repr(details)


def nested(text: str) -> Any:
    """Return a list in a list in a list, and so on, around a text."""
    value: Any = text
    for _ in range(DEEP):
        value = [value]
    return value


@pytest.mark.parametrize("dialect", DIALECTS)
def test_sec_5_deeply_nested_arguments_raise_a_typed_error_or_are_passed_on(dialect: str) -> None:
    text = "[" * DEEP + "]" * DEEP
    call = {"id": "call_1", "type": "function", "function": {"name": "read", "arguments": f'{{"a": {text}}}'}}
    body = {"model": "m", "messages": [{"role": "user", "content": "x"}, {"role": "assistant", "tool_calls": [call]}]}
    encoded = il.translate_request(body, "openai_chat", dialect)
    assert json.dumps(encoded.body)
    request = il.decode_request(body, "openai_chat")
    asked = request.messages[1]
    assert isinstance(asked, il.AssistantChatMessage)
    assert asked.tool_calls is not None
    with pytest.raises(ValueError, match="arguments must be a JSON object"):
        asked.tool_calls[0].arguments_object()


def test_sec_5_a_deeply_nested_value_is_reported_and_does_not_crash_the_process() -> None:
    body = {"model": "m", "messages": [{"role": "user", "content": "x"}], "unknown": nested("x")}
    assert "json" in {one.code for one in il.check_request(body, "openai_chat")}
    assert il.decode_request(body, "openai_chat").messages[0].role == "user"
    deep = json.loads('{"role": "user"}') | {"content": nested("x")}
    with pytest.raises(il.DecodeError):
        il.decode_request({"model": "m", "messages": [deep]}, "openai_chat")
    with pytest.raises(il.JsonDecodeError):
        il.load_message("[" * DEEP)
    with pytest.raises(il.JsonDecodeError):
        il.load_message('{"a":' * DEEP + "1" + "}" * DEEP)


def test_sec_6_a_stored_document_that_names_code_imports_nothing(tmp_path: Path) -> None:
    trap = tmp_path / "trap_module.py"
    trap.write_text("raise SystemExit('imported')", encoding="utf-8")
    named = {"__class__": "trap_module.Trap", "py/object": "trap_module.Trap", "lc": 1, "id": ["trap_module", "Trap"]}
    documents = [
        {"schema_version": CURRENT, "type": "text", "data": {"role": "user", "content": "x"}, "metadata": named},
        {"schema_version": CURRENT, "type": "trap_module.Trap", "data": named},
        {"role": "user", "content": "x", **named, "type": "constructor", "kwargs": {"a": 1}},
        {"schema_version": CURRENT, "type": "system_control", "data": {"control": {"kind": "custom", **named}}},
    ]
    sys.path.insert(0, str(tmp_path))
    try:
        loaded = il.load_messages(documents)
    finally:
        sys.path.remove(str(tmp_path))
    assert "trap_module" not in sys.modules
    assert [type(message).__module__ for message in loaded.messages] == [f"interlingua_types.v{CURRENT}.models"] * len(
        loaded.messages
    )
    assert il.dump_message(loaded.messages[0])["metadata"] == named


def bomb(size: int) -> bytes:
    """Return a small file that unpacks to so many bytes of an endless text."""
    return zlib.compress(b'{"model":"' + b"a" * size, 9)


def unpacked(data: bytes) -> Iterator[bytes]:
    """Yield what a compressed file holds, piece by piece, as an HTTP client does."""
    unpacker = zlib.decompressobj()
    source = io.BytesIO(data)
    while piece := source.read(1024):
        yield unpacker.decompress(piece)


@pytest.mark.parametrize("line", ["data: ", ""])
def test_sec_7_an_endless_frame_is_refused_at_the_limit(line: str) -> None:
    sent = 0

    def pieces() -> Iterator[bytes]:
        nonlocal sent
        yield line.encode() + b'{"a":"'
        while True:
            sent += 1 << 20
            yield b"a" * (1 << 20)

    with pytest.raises(il.FrameError):
        list(read_frames(pieces()))
    assert sent <= 64 << 20


def test_sec_7_a_decompression_bomb_is_refused_while_decompressing() -> None:
    with pytest.raises(il.FrameError):
        list(read_frames(unpacked(bomb(200 << 20))))


def test_sec_7_a_huge_file_on_the_command_line_is_refused_in_bounded_memory(tmp_path: Path) -> None:
    body = tmp_path / "body.json"
    with body.open("wb") as file:
        file.write(b'{"messages": [' + b" " * 1_000_000)
        file.truncate(2 << 30)  # a sparse file of 2 GB
    command = [sys.executable, "-m", "interlingua.cli", "translate", "--from", "claude", "--to", "gemini", str(body)]
    limited: Callable[[], None] = lambda: resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))  # noqa: E731
    done = subprocess.run(command, capture_output=True, check=False, preexec_fn=limited, timeout=60)
    assert done.returncode not in (0, -9)
    assert b"Traceback" not in done.stderr
    assert b"max-bytes" in done.stderr
