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
from pathlib import Path
from typing import IO, Any

import pytest

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


def test_a_reader_that_stops_early_ends_the_run_quietly(long_file: Path) -> None:
    with started(*QUIET, long_file, stdout=PIPE, stderr=PIPE) as process:
        assert process.stdout
        assert process.stderr
        assert json.loads(process.stdout.readline())
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0


def test_a_full_disk_is_one_line() -> None:
    with (
        Path("/dev/full").open("wb") as full,
        started(*QUIET, "-", stdin=PIPE, stdout=full, stderr=PIPE) as process,
    ):
        _, err = process.communicate(body(), timeout=SECONDS)
    assert (process.returncode, err.count(b"\n")) == (2, 1)


@pytest.mark.parametrize("closed", ["<&-", ">&-"])
def test_a_standard_stream_that_is_closed_is_one_line(closed: str) -> None:
    command = ["/bin/sh", "-c", f'"$@" {closed}', "sh", *COMMAND, *QUIET, "-"]
    done = subprocess.run(command, input=body(), capture_output=True, check=False, env=environment(), timeout=SECONDS)
    assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (2, b"", 1)


def test_each_line_is_answered_before_the_next_one_comes() -> None:
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
def test_an_interrupt_is_quiet_and_leaves_a_whole_file_of_losses(tmp_path: Path, before: tuple[str, ...]) -> None:
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


def test_on_a_terminal_losses_are_drawn_as_a_table(tmp_path: Path) -> None:
    path = tmp_path / "request.json"
    path.write_bytes(body(seed=1))
    code, out, shown = on_terminal(*TO_CLAUDE, path)
    lines = unstyled(shown).splitlines()
    header = next(line for line in lines if "severity" in line)
    assert [cell.strip() for cell in header.split("┃")[1:-1]] == ["body", "severity", "code", "path", "detail"]
    row = next(line for line in lines if "/seed" in line)
    assert [cell.strip() for cell in row.split("│")[1:5]] == ["1", "lost", "setting", "/seed"]
    assert (code, len(out.splitlines())) == (0, 1)


def test_on_a_terminal_names_are_no_markup(tmp_path: Path) -> None:
    path = tmp_path / "request.json"
    path.write_bytes(body(**{"[red]name[/red]\x1b[31m": 1}))
    _, _, shown = on_terminal(*TO_CLAUDE, path)
    assert "[red]name[/red]\\x1b[31m" in "".join(shown.split())


def test_on_a_terminal_a_finding_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "request.json"
    path.write_bytes(b"{}")
    code, _, shown = on_terminal(*TO_CLAUDE, path)
    assert (code, len(shown.splitlines())) == (3, 1)
    assert unstyled(shown).startswith("interlingua: line 1:")


def test_more_losses_than_one_table_holds_are_all_drawn(tmp_path: Path) -> None:
    path = tmp_path / "requests.jsonl"
    path.write_bytes(body() * 1100)
    _, _, shown = on_terminal(*TO_CLAUDE, path)
    assert shown.count("/max_tokens") == 1100
    assert 1 < shown.count("severity") < 1100


def test_long_input_shows_progress_on_a_terminal(long_file: Path) -> None:
    code, out, shown = on_terminal(*QUIET, long_file)
    assert "━" in shown
    assert "MB" in shown
    assert (code, len(out.splitlines())) == (0, 300)


def test_short_input_shows_no_progress(tmp_path: Path) -> None:
    path = tmp_path / "request.json"
    path.write_bytes(body())
    assert on_terminal(*QUIET, path)[2] == ""


def test_no_progress_runs_into_the_output_on_the_same_terminal(long_file: Path) -> None:
    code, _, shown = on_terminal(*QUIET, long_file, whole=True)
    assert "━" not in shown
    assert (code, shown.count("\n")) == (0, 300)


def test_a_failed_run_takes_the_progress_bar_away(long_file: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        code, _, shown = on_terminal(*QUIET, long_file, stdout=full)
    assert code == 2
    # The cursor that the bar hid is shown again.
    assert shown.count("\x1b[?25l") == shown.count("\x1b[?25h") > 0
