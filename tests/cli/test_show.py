"""`interlingua show`: conversations that people can read."""

import json
from pathlib import Path
from typing import Any

import interlingua as il
from support.program import body, run

CLAUDE: dict[str, Any] = {
    "model": "m",
    "max_tokens": 9,
    "system": "Be brief.",
    "messages": [
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "What is it?\nSay."},
                {"type": "image", "source": {"type": "url", "url": "https://example.org/a.png"}},
            ],
        },
        {
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": "Look.", "signature": "s"},
                {"type": "tool_use", "id": "a", "name": "look", "input": {"x": 1}},
            ],
        },
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a", "content": "a cat"}]},
    ],
    "tools": [{"name": "look", "input_schema": {"type": "object"}}],
}
CHUNK: dict[str, Any] = {"id": "x", "object": "chat.completion.chunk", "model": "m"}
FRAMES: list[dict[str, Any]] = [
    {**CHUNK, "choices": [{"index": 0, "delta": {"role": "assistant", "content": "Hel"}}]},
    {**CHUNK, "choices": [{"index": 0, "delta": {"content": "lo"}}]},
    {**CHUNK, "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]},
]
ANSWER = ["assistant", "  Hello", "ended: stop"]


def shown(path: Path, content: bytes) -> list[str]:
    path.write_bytes(content)
    done = run("show", path)
    assert (done.code, done.err) == (0, "")
    return done.out.decode().splitlines()


def test_a_request_is_shown_message_by_message(tmp_path: Path) -> None:
    path = tmp_path / "request.json"
    assert shown(path, json.dumps(CLAUDE).encode()) == [
        f"{path}:1: claude request, m",
        "tool offered: look",
        "system",
        "  Be brief.",
        "user",
        "  What is it?",
        "  Say.",
        "  [image url=https://example.org/a.png]",
        "assistant",
        "  (thinks) Look.",
        '  calls look {"x": 1} (as a)',
        "tool (answers a)",
        "  a cat",
    ]


def test_a_stream_in_any_format_is_shown_as_its_response(tmp_path: Path) -> None:
    events = b"".join(b"data: " + json.dumps(one).encode() + b"\n\n" for one in FRAMES) + b"data: [DONE]\n\n"
    lines = b"".join(json.dumps(one).encode() + b"\n" for one in FRAMES)
    for content in (events, lines, json.dumps(FRAMES).encode(), b"\xef\xbb\xbf" + events):
        path = tmp_path / "stream"
        assert shown(path, content) == [f"{path}:1: openai_chat stream, m", *ANSWER]


def test_the_last_frame_of_a_json_lines_stream_is_included(tmp_path: Path) -> None:
    frame = {"model": "m", "created_at": "2026-01-01T00:00:00Z", "done": False}
    last = {**frame, "done": True, "done_reason": "stop", "total_duration": 5, "eval_count": 2, "prompt_eval_count": 3}
    texts = [{**one, "message": {"role": "assistant", "content": text}} for one, text in ((frame, "Hello"), (last, ""))]
    path = tmp_path / "stream.ndjson"
    out = shown(path, "\n".join(map(json.dumps, texts)).encode())
    assert out == [f"{path}:1: ollama stream, m", *ANSWER, "tokens: 3 in, 2 out"]


def test_stored_messages_are_shown_as_one_conversation(tmp_path: Path) -> None:
    messages = [
        il.messages.user("Hello"),
        il.messages.tool_request({"id": "a", "name": "look", "arguments": {"x": 1}}),
        il.messages.tool_result("a", "a cat"),
    ]
    lines = [one.model_dump_json(exclude_none=True) for one in messages] + ['{"role": "assistant", "content": "Old."}']
    path = tmp_path / "store.jsonl"
    out = shown(path, "\n".join(lines).encode())
    assert out[:6] == [
        f"{path}: stored messages",
        "user",
        "  Hello",
        "assistant",
        '  calls look {"x": 1} (as a)',
        "tool_result",
    ]
    assert out[-2:] == ["assistant", "  Old."]


def test_content_cannot_send_control_codes_to_the_terminal(tmp_path: Path) -> None:
    out = shown(tmp_path / "a.json", body("\x1b[31mred\u202eder\r\nnext\x07"))
    assert out[-2:] == ["  \\x1b[31mred\\u202eder", "  next\\x07"]


def test_json_output_has_the_kind_and_the_canonical_value(tmp_path: Path) -> None:
    path = tmp_path / "all.jsonl"
    error = {"error": {"message": "Slow down.", "type": "rate_limit_error"}}
    path.write_text("\n".join(map(json.dumps, [CLAUDE, error])), encoding="utf-8")
    first, second = map(json.loads, run("show", "--json", path).out.splitlines())
    assert (first["kind"], first["dialect"], first["body"]) == ("request", "claude", 1)
    assert [one["role"] for one in first["value"]["messages"]] == ["system", "user", "assistant", "tool"]
    assert (second["kind"], second["value"]["category"], second["body"]) == ("error", "rate_limit", 2)


def test_input_that_cannot_be_shown_is_reported_and_the_others_are_shown() -> None:
    done = run("show", "-", stdin=b'{"a": 1}\n' + body("one") + b"\n[1]\n{")
    assert (done.code, len(done.findings)) == (3, 3)
    assert done.out.decode().splitlines()[-1] == "  one"
