"""The program among others: pipes that end early, input that comes bit by bit, interrupts, terminals."""

import json
import os
import pty
import re
import select
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import StringIO
from pathlib import Path
from typing import IO, Any

import pytest

import interlingua as il
from interlingua.cli.terminal import TerminalReporter
from interlingua.loss import Loss
from support.program import COMMAND, IN_BACKGROUND, SECONDS, TO_CLAUDE, body, ended, environment

PIPE = subprocess.PIPE
QUIET = (*TO_CLAUDE, "--quiet")


@contextmanager
def started(*arguments: str | Path, before: tuple[str, ...] = (), **streams: Any) -> Iterator[subprocess.Popen[bytes]]:
    """Run the command line, which is killed where it does not end; `before` stands before the command."""
    terminal = {"TERM": "xterm-256color", "COLUMNS": "160", "NO_COLOR": "1"}
    with ended([*COMMAND, *map(str, arguments)], before=before, env=environment(terminal), **streams) as process:
        yield process


def line_of(stream: IO[bytes]) -> bytes:
    """Return the next line, which must come without another one being given."""
    ready, _, _ = select.select([stream], [], [], 60)
    assert ready
    return stream.readline()


def unstyled(shown: str) -> str:
    """Return what a terminal got without what makes text bold or coloured."""
    return re.sub(r"\x1b\[[0-9;]*m", "", shown)


def on_terminal(*arguments: str | Path, stdout: IO[bytes] | None = None, whole: bool = False) -> tuple[int, bytes, str]:
    """Run with a terminal as standard error; return the code, the output and what the terminal got.

    The output goes to a file, to `stdout` where it is given, or with `whole` to the terminal, too.
    """
    ours, theirs = pty.openpty()
    shown = b""
    with tempfile.TemporaryFile() as out:
        with started(*arguments, stdout=theirs if whole else stdout or out, stderr=theirs) as process:
            os.close(theirs)
            with suppress(OSError):  # how Linux says that the other end is closed
                while piece := os.read(ours, 65536):
                    shown += piece
        out.seek(0)
        written = out.read()
    os.close(ours)
    return process.returncode, written, shown.decode()


@pytest.fixture
def long_file(tmp_path: Path) -> Path:
    path = tmp_path / "long.jsonl"
    path.write_bytes(body("x" * 10_000) * 300)
    return path


def test_a_closed_output_pipe_ends_the_run_without_an_error(long_file: Path) -> None:
    with started(*QUIET, long_file, stdout=PIPE, stderr=PIPE) as process:
        assert process.stdout
        assert process.stderr
        assert json.loads(process.stdout.readline())
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0


def test_a_full_disk_is_one_error_line() -> None:
    with (
        Path("/dev/full").open("wb") as full,
        started(*QUIET, "-", stdin=PIPE, stdout=full, stderr=PIPE) as process,
    ):
        _, err = process.communicate(body(), timeout=SECONDS)
    assert (process.returncode, err.count(b"\n")) == (2, 1)


@pytest.mark.parametrize("words", [["-h"], ["--version"], ["dialects"], ["explain", "lost"], ["translate", "-h"]])
def test_commands_without_input_end_without_an_error_when_the_output_pipe_is_closed(words: list[str]) -> None:
    with Path("/dev/full").open("wb") as full, started(*words, stdout=full, stderr=PIPE) as process:
        _, err = process.communicate(timeout=SECONDS)
    assert (process.returncode, err.count(b"\n"), b"cannot write" in err) == (2, 1, True)
    with started(*words, stdout=PIPE, stderr=PIPE) as process:
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0


@pytest.mark.parametrize("words", [["--version"], ["dialects"], ["explain", "lost"]])
def test_commands_without_input_fail_when_standard_output_is_closed(words: list[str]) -> None:
    command = ["/bin/sh", "-c", '"$@" >&-', "sh", *COMMAND, *words]
    done = subprocess.run(command, capture_output=True, check=False, env=environment(), timeout=SECONDS)
    assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (2, b"", 1)


def test_a_loss_file_on_a_full_disk_is_named_in_the_error() -> None:
    with started(*QUIET, "--losses", "/dev/full", "-", stdin=PIPE, stdout=PIPE, stderr=PIPE) as process:
        out, err = process.communicate(body(), timeout=SECONDS)
    assert (process.returncode, len(out.splitlines()), err.count(b"\n")) == (2, 1, 1)
    assert b"/dev/full" in err


@pytest.mark.parametrize("closed", ["<&-", ">&-"])
def test_a_closed_standard_stream_is_one_error_line(closed: str) -> None:
    command = ["/bin/sh", "-c", f'"$@" {closed}', "sh", *COMMAND, *QUIET, "-"]
    done = subprocess.run(command, input=body(), capture_output=True, check=False, env=environment(), timeout=SECONDS)
    assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (2, b"", 1)


def test_each_line_is_answered_before_the_next_line_arrives() -> None:
    with started(*QUIET, "-", stdin=PIPE, stdout=PIPE) as process:
        assert process.stdin
        assert process.stdout
        for text in ("one", "two", "three"):
            process.stdin.write(body(text))
            process.stdin.flush()
            assert json.loads(line_of(process.stdout))["messages"][0]["content"] == text
        process.stdin.close()
    assert process.returncode == 0


@pytest.mark.parametrize("before", [(), IN_BACKGROUND], ids=["here", "in the background of a script"])
def test_an_interrupt_ends_without_a_traceback_and_with_a_complete_loss_file(
    tmp_path: Path, before: tuple[str, ...]
) -> None:
    losses = tmp_path / "losses.json"
    pipes: dict[str, Any] = {"stdin": PIPE, "stdout": PIPE, "stderr": PIPE}
    with started(*QUIET, "--losses", losses, "-", before=before, **pipes) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdin.write(body())
        process.stdin.flush()
        line_of(process.stdout)
        process.send_signal(signal.SIGINT)
        assert process.stderr.read() == b""
    assert process.returncode == 130
    assert [one["path"] for one in json.loads(losses.read_text(encoding="utf-8"))] == ["/max_tokens"]


def test_on_a_terminal_losses_are_grouped_by_concern_and_kind(tmp_path: Path) -> None:
    path = tmp_path / "request.json"
    path.write_bytes(body(seed=1))
    code, out, shown = on_terminal(*TO_CLAUDE, path)
    lines = [line.rstrip() for line in unstyled(shown).splitlines()]
    at = lines.index("  lost setting at /seed")
    assert "tuning" in lines[:at]
    assert lines[at + 1].startswith("    ")
    assert lines[-1].startswith("2 in 1 body; ")
    assert (code, len(out.splitlines())) == (0, 1)


def test_on_a_terminal_names_are_not_interpreted_as_markup(tmp_path: Path) -> None:
    path = tmp_path / "request.json"
    path.write_bytes(body(**{"[red]name[/red]\x1b[31m": 1}))
    _, _, shown = on_terminal(*TO_CLAUDE, path)
    assert "[red]name[/red]\\x1b[31m" in "".join(shown.split())


def test_on_a_terminal_a_finding_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "request.json"
    path.write_bytes(b"{}")
    code, _, shown = on_terminal(*TO_CLAUDE, path)
    assert (code, len(shown.splitlines())) == (3, 1)
    assert unstyled(shown).startswith(f"interlingua: {path}:1: ")


def test_terminal_output_does_not_grow_with_the_number_of_bodies(tmp_path: Path) -> None:
    path = tmp_path / "requests.jsonl"
    path.write_bytes(body() * 1100)
    _, out, shown = on_terminal(*TO_CLAUDE, path)
    assert len(out.splitlines()) == 1100
    assert shown.count("/max_tokens") == 1
    assert f"1100 times, first at {path}:1" in unstyled(shown)


class _Terminal(StringIO):
    """A terminal that counts how often it is written to."""

    def __init__(self) -> None:
        super().__init__()
        self.writes = 0

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        self.writes += 1
        return super().write(text)


def test_20_000_lossy_bodies_are_written_to_a_terminal_in_a_few_writes() -> None:
    losses = il.translate_request(json.loads(body(seed=1)), "openai_chat", "claude").losses
    terminal = _Terminal()
    report = TerminalReporter(terminal, has_progress=False)
    for line in range(20_000):
        report.losses("requests.jsonl", line + 1, losses)
    report.close()
    assert "20000 times" in terminal.getvalue()
    assert terminal.writes < 50


def test_a_terminal_shows_the_same_summary_for_many_bodies_as_for_a_few(tmp_path: Path) -> None:
    told: list[str] = []
    for count in (10, 2_000):
        path = tmp_path / "requests.jsonl"
        path.write_bytes(body(seed=1) * count)
        code, out, shown = on_terminal(*TO_CLAUDE, path)
        assert (code, len(out.splitlines()), f"{count} times" in shown) == (0, count, True)
        told.append(re.sub(r"\d{2,}", "N", shown))
    assert told[0] == told[1]


def test_different_names_in_each_body_do_not_grow_the_terminal_output() -> None:
    terminal = _Terminal()
    report = TerminalReporter(terminal, has_progress=False)
    for line in range(5_000):
        report.losses("requests.jsonl", line + 1, [Loss("member", f"/name_{line}", "no place", "lost")])
    report.close()
    assert terminal.writes < 500
    assert "of other kinds" in terminal.getvalue()


def test_long_input_shows_progress_on_a_terminal(long_file: Path) -> None:
    code, out, shown = on_terminal(*QUIET, long_file)
    assert "━" in shown
    assert "MB" in shown
    assert (code, len(out.splitlines())) == (0, 300)


def test_short_input_shows_no_progress(tmp_path: Path) -> None:
    path = tmp_path / "request.json"
    path.write_bytes(body())
    assert on_terminal(*QUIET, path)[2] == ""


def test_progress_does_not_interfere_with_output_on_the_same_terminal(long_file: Path) -> None:
    code, _, shown = on_terminal(*QUIET, long_file, whole=True)
    assert "━" not in shown
    assert (code, shown.count("\n")) == (0, 300)


def test_the_progress_bar_is_removed_after_a_failure(long_file: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        code, _, shown = on_terminal(*QUIET, long_file, stdout=full)
    assert code == 2
    # The cursor that the bar hid is shown again.
    assert shown.count("\x1b[?25l") == shown.count("\x1b[?25h") > 0
