"""`interlingua translate --from auto`: whose the bodies are is told by their shape."""

from __future__ import annotations

import json
from typing import Any, Final

import interlingua as il
from interlingua.frames import read_frames, write_frames
from support.program import run

AUTO: Final = ("translate", "--from", "auto", "--to", "openai_chat", "--quiet")
HELLO: Final = {"role": "user", "content": "Hello"}


def told(*bodies: Any) -> bytes:
    return b"".join(json.dumps(body).encode() + b"\n" for body in bodies)


def test_each_body_is_read_in_its_detected_dialect() -> None:
    claude = {"model": "m", "max_tokens": 9, "system": "Be brief.", "messages": [HELLO]}
    gemini = {"contents": [{"role": "user", "parts": [{"text": "Hello"}]}]}
    done = run(*AUTO, "-", stdin=told(claude, gemini))
    assert done.code == 0
    expected = [
        il.translate_request(body, source, "openai_chat").body
        for body, source in ((claude, "claude"), (gemini, "gemini"))
    ]
    assert [json.loads(line) for line in done.out.splitlines()] == expected


def test_a_body_of_another_kind_is_reported() -> None:
    done = run(*AUTO, "-", stdin=told({"type": "message", "role": "assistant", "content": [], "stop_reason": None}))
    assert done.code != 0
    assert "it looks like a Claude response" in done.err
    assert run(*AUTO, "-", stdin=told({"a": 1})).code != 0


def test_a_stream_is_read_in_the_dialect_detected_from_its_first_frames() -> None:
    frames: list[Any] = [
        {"candidates": [{"content": {"role": "model", "parts": [{"text": "Hi"}]}}]},
        *({"candidates": [{"content": {"role": "model", "parts": [{"text": " there"}]}}]} for _ in range(20)),
        {"candidates": [{"content": {"role": "model", "parts": [{"text": "."}]}, "finishReason": "STOP"}]},
    ]
    done = run(*AUTO, "--kind", "stream", "-", stdin=b"".join(write_frames(frames, "gemini")))
    assert done.code == 0
    assert list(read_frames([done.out])) == list(il.translate_stream(frames, "gemini", "openai_chat"))


def test_a_stream_of_an_unknown_dialect_is_reported() -> None:
    done = run(*AUTO, "--kind", "stream", "-", stdin=b'data: {"a": 1}\n\n')
    assert done.code != 0
    assert "not look like a stream of a known dialect" in done.err
