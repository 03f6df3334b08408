"""`interlingua translate --kind stream`: one stream in, one stream out, frame by frame."""

import json
import select
import subprocess
from pathlib import Path
from typing import IO, Any

import pytest

import interlingua as il
from interlingua.cli.loss_counts import order_of
from interlingua.frames import DONE, Frame, read_frames, write_frames
from support.program import COMMAND, environment, run

STREAM = ("translate", "--kind", "stream")
AT_HOME = (*STREAM, "--from", "claude", "--to", "claude")
ABROAD = (*STREAM, "--from", "claude", "--to", "openai_chat")
USAGE: dict[str, Any] = {"input_tokens": 3, "output_tokens": 2}
CONTENT = "tell nobody"


def block(index: int, kind: dict[str, Any], *deltas: dict[str, Any]) -> list[Frame]:
    return [
        {"type": "content_block_start", "index": index, "content_block": kind},
        *({"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas),
        {"type": "content_block_stop", "index": index},
    ]


FRAMES: list[Frame] = [
    {
        "type": "message_start",
        "message": {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": "claude-opus-5",
            "content": [],
            "stop_reason": None,
            "stop_sequence": None,
            "usage": USAGE,
        },
    },
    *block(
        0,
        {"type": "thinking", "thinking": "", "signature": ""},
        {"type": "thinking_delta", "thinking": "Hm."},
        {"type": "signature_delta", "signature": "c2lnbmVk"},
    ),
    *block(
        1, {"type": "text", "text": ""}, {"type": "text_delta", "text": "Hi "}, {"type": "text_delta", "text": "😀"}
    ),
    {"type": "message_delta", "delta": {"stop_reason": "end_turn", "stop_sequence": None}, "usage": USAGE},
    {"type": "message_stop"},
]


def written(frames: list[Frame] = FRAMES, dialect: str = "claude", **options: Any) -> bytes:
    return b"".join(write_frames(frames, dialect, **options))


def abroad() -> tuple[list[Frame], list[list[str]]]:
    """What the library itself makes of the stream: its frames, and the rows of its losses."""
    stream = il.translate_stream(FRAMES, "claude", "openai_chat")
    frames = list(stream)
    losses = sorted(stream.losses, key=order_of)
    return frames, [["1", one.severity, one.code, one.path, one.detail] for one in losses]


def test_within_a_dialect_a_stream_is_unchanged_and_has_no_losses() -> None:
    done = run(*AT_HOME, "-", stdin=written())
    assert (done.code, done.err) == (0, "")
    assert list(read_frames(done.out)) == FRAMES
    assert done.out.startswith(b"event: message_start\ndata: {")


@pytest.mark.parametrize("form", ["sse", "ndjson", "json_array"])
def test_the_stream_format_is_detected_by_content(form: Any) -> None:
    done = run(*AT_HOME, "-", stdin=b"\xef\xbb\xbf" + written(form=form).replace(b"\n", b"\r\n"))
    assert (done.code, list(read_frames(done.out, "sse"))) == (0, FRAMES)


@pytest.mark.parametrize("form", ["sse", "ndjson", "json_array"])
def test_the_output_format_can_be_selected(form: Any) -> None:
    done = run(*AT_HOME, "--form", form, "-", stdin=written())
    assert (done.code, list(read_frames(done.out, form))) == (0, FRAMES)


def test_a_file_is_read_like_standard_input(tmp_path: Path) -> None:
    path = tmp_path / "stream.sse"
    path.write_bytes(written())
    assert run(*AT_HOME, path).out == run(*AT_HOME, "-", stdin=written()).out


def test_in_another_dialect_a_stream_equals_the_library_output_and_losses_are_reported_at_the_end(
    tmp_path: Path,
) -> None:
    frames, rows = abroad()
    done = run(*ABROAD, "--losses", tmp_path / "losses.json", "-", stdin=written())
    assert (done.code, done.rows) == (0, rows)
    assert list(read_frames(done.out)) == frames
    assert frames[-1] == DONE
    stored = json.loads((tmp_path / "losses.json").read_bytes())
    kept = [[str(one["body"]), *(one[name] for name in ("severity", "code", "path", "detail"))] for one in stored]
    assert sorted(kept) == sorted(rows)
    assert any(row[1:3] == ["lost", "provider_state"] for row in rows)


def test_a_stream_is_written_in_the_usual_format_of_the_target_dialect() -> None:
    done = run(*STREAM, "--from", "claude", "--to", "ollama", "--quiet", "-", stdin=written())
    assert (done.code, done.err) == (0, "")
    assert done.bodies == list(il.translate_stream(FRAMES, "claude", "ollama"))


def test_strict_refuses_a_stream_with_losses() -> None:
    found = {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": []}
    frames = [*FRAMES[:-2], *block(9, found), *FRAMES[-2:]]
    done = run(*ABROAD, "--strict", "-", stdin=written(frames))
    assert (done.code, done.out) == (1, b"")
    assert [row[1:3] for row in done.rows if row[2] == "part"] == [["lost", "part"]]
    assert done.findings[0].startswith("interlingua: <stdin>:1: ")


def test_strict_accepts_a_stream_that_only_loses_provider_state() -> None:
    done = run(*ABROAD, "--strict", "-", stdin=written())
    assert (done.code, list(read_frames(done.out)), done.rows) == (0, *abroad())


def test_strict_writes_a_stream_without_losses_completely() -> None:
    done = run(*AT_HOME, "--strict", "-", stdin=written())
    assert (done.code, list(read_frames(done.out))) == (0, FRAMES)


def test_each_frame_is_written_before_the_next_one_arrives() -> None:
    def line_of(stream: IO[bytes]) -> bytes:
        ready, _, _ = select.select([stream], [], [], 60)
        assert ready
        return stream.readline()

    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "bufsize": 0}
    command = [*COMMAND, *AT_HOME, "--form", "ndjson", "-"]
    with subprocess.Popen(command, env=environment(), **pipes) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for frame in FRAMES[:4]:
            process.stdin.write(written([frame]))
            assert json.loads(line_of(process.stdout)) == frame
        process.stdin.close()
        assert process.wait(60) == 0


@pytest.mark.parametrize(
    ("tail", "reason"),
    [
        (b"data: tell nobody\n\n", "frame 4: not JSON: "),
        (b'data: ["tell nobody"]\n\n', "frame 4: a frame must be a JSON object"),
        (b'data: {"type":"tell nobody', "frame 4: the stream ends within this frame, after 20 bytes"),
        (b'data: {"type":"content_block_delta","index":"tell nobody"}\n\n', "frame 4: claude: at "),
    ],
)
def test_a_broken_frame_ends_the_output_after_the_frames_before_it(tail: bytes, reason: str) -> None:
    done = run(*AT_HOME, "-", stdin=written(FRAMES[:3]) + tail)
    assert (done.code, list(read_frames(done.out))) == (3, FRAMES[:3])
    assert done.findings[0].startswith(f"interlingua: <stdin>:1: {reason}")
    assert len(done.findings) == 1
    assert CONTENT not in done.err
    strict = run(*AT_HOME, "--strict", "-", stdin=written(FRAMES[:3]) + tail)
    assert (strict.code, strict.out) == (3, b"")


def test_a_stream_without_an_end_frame_is_not_a_failure() -> None:
    done = run(*AT_HOME, "-", stdin=written(FRAMES[:5]))
    assert (done.code, done.err, list(read_frames(done.out))) == (0, "", FRAMES[:5])


@pytest.mark.parametrize("content", [b"", b"\n\n", b": comment\n\n", b"<html>tell nobody</html>"])
def test_input_without_a_frame_is_refused(content: bytes) -> None:
    done = run(*AT_HOME, "-", stdin=content)
    assert (done.code, done.out) == (3, b"")
    assert len(done.findings) == 1
    assert done.findings[0].startswith("interlingua: <stdin>:1: frame 1: the input holds no frame; ")


def test_a_frame_beyond_the_limit_is_refused() -> None:
    done = run(*AT_HOME, "--max-bytes", "1000", "-", stdin=written(FRAMES[:1]) + b"data: " + b" " * 2000)
    assert (done.code, list(read_frames(done.out))) == (3, FRAMES[:1])
    assert done.findings == [
        "interlingua: <stdin>:1: frame 2: longer than the limit of 1000 bytes; raise the limit with --max-bytes N"
    ]


@pytest.mark.parametrize(
    "options",
    [("--model", "m"), ("--default", "seed=1"), ("--api-version", "2023-06-01"), ("--form", "xml")],
)
def test_request_options_are_refused_for_streams(options: tuple[str, str]) -> None:
    done = run(*AT_HOME, *options, "-", stdin=written())
    assert (done.code, done.out) == (2, b"")


def test_the_stream_format_option_is_refused_for_bodies() -> None:
    done = run("translate", "--from", "claude", "--to", "claude", "--form", "sse", "-", stdin=b"{}")
    assert (done.code, done.out) == (2, b"")
    assert "--form is for streams" in done.err
