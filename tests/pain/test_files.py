"""What users suffered from with files that messages refer to (docs/pain.md, Security), each entry by its id.

The whole table of attacks runs in tests/resolve/test_file_attacks.py; here stands what people reported.
"""

from __future__ import annotations

import logging
import traceback
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

import interlingua as il
from interlingua_types import CURRENT
from support.attacks import SECRET, Ground

HUGE: Final = 10 * 1024**3


@pytest.fixture
def ground(tmp_path: Path) -> Iterator[Ground]:
    made = Ground(tmp_path)
    yield made
    made.close()


@pytest.mark.parametrize("path", ["AGENTS.md", "docs/AGENTS.md"])
def test_sec_4_an_instruction_file_that_is_a_link_is_not_followed(path: str, ground: Ground) -> None:
    (ground.workspace / path).parent.mkdir(exist_ok=True)
    (ground.workspace / path).symlink_to(ground.secret)
    found = il.FileResolver(ground.workspace).resolve(il.FileReferenceMessage.create(path), agent_role="planner")
    assert found.data.error is not None
    assert (found.data.status, found.data.error.code, found.data.content) == ("failed", "symlink", None)


@pytest.mark.parametrize("path", ["../secret.txt", "{outside}/secret.txt", "/proc/self/environ", "/dev/zero", "leak"])
def test_sec_4_a_stored_reference_or_mention_only_reads_inside_the_workspace(path: str, ground: Ground) -> None:
    (ground.workspace / "leak").symlink_to(ground.outside)
    path = ground.filled(path) + "/secret.txt" * (path == "leak")
    resolver = il.FileResolver(ground.workspace)
    (stored,) = il.load_message({"schema_version": CURRENT, "type": "file_reference", "data": {"path": path}})
    assert isinstance(stored, il.FileReferenceMessage)
    for message in (stored, *il.find_mentions(f'Read @"{path}".')):
        found = resolver.resolve(message, agent_role="planner")
        assert (found.data.status, found.data.content) == ("failed", None)
        assert SECRET not in found.model_dump_json()


def test_sec_1_no_refusal_contains_file_content_or_the_workspace_path(
    ground: Ground, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    (ground.workspace / "secret.bin").write_bytes(SECRET.encode() + b"\xff")
    (ground.workspace / "leak").symlink_to(ground.secret)
    resolver = il.FileResolver(ground.workspace, max_bytes=40)
    for path in ("secret.bin", "leak", "missing", "src", "notes.txt/x", "../secret.txt", str(ground.secret)):
        with pytest.raises(il.FileAccessError) as caught:
            resolver.read(path, agent_role="planner")
        shown = "".join(traceback.format_exception(caught.value, chain=True)) + caplog.text
        assert SECRET not in shown
        assert str(ground.workspace) not in f"{caught.value!r} {caught.value}"
        assert (caught.value.__cause__, caught.value.__context__) == (None, None)


@pytest.mark.parametrize(
    ("size", "start", "end"),
    [(HUGE, None, None), (HUGE, 1, 1), (512 * 1024**2, 5, None)],  # what comes before the fifth line is read through
)
def test_sec_7_a_huge_file_is_refused_in_bounded_memory(
    ground: Ground, size: int, start: int | None, end: int | None
) -> None:
    with (ground.workspace / "huge.log").open("wb") as file:
        file.truncate(size)
    resolver = il.FileResolver(ground.workspace)
    data = il.FileReferenceData(path="huge.log", start_line=start, end_line=end)
    tracemalloc.start()
    try:
        found = resolver.resolve(il.FileReferenceMessage(data=data), agent_role="planner")
        assert tracemalloc.get_traced_memory()[1] < 10_000_000
    finally:
        tracemalloc.stop()
    assert found.data.error is not None
    assert found.data.error.code == "too_large"
    assert (ground.workspace / "huge.log").stat().st_size == size
