"""The code at another commit, as a temporary git worktree."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Generator


class CommitNotFoundError(Exception):
    """There is no such commit."""


def git(top: Path, *arguments: str) -> str:
    """Return the output of git.

    Raises:
        subprocess.CalledProcessError: git failed; its message is in `stderr`.
    """
    command = ["git", "-C", str(top), *arguments]  # git is found by its usual path
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def commit_of(top: Path, ref: str) -> str:
    """Return the full hash of a commit.

    Raises:
        CommitNotFoundError: the repository has no such commit.
    """
    try:
        return git(top, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}")
    except subprocess.CalledProcessError:
        raise CommitNotFoundError(f"{ref!r} names no commit of {top.name}") from None


@contextmanager
def checked_out(top: Path, commit: str) -> Generator[Path]:
    """Provide a folder with the code of a commit, which is removed afterwards in any case."""
    folder = Path(tempfile.mkdtemp(prefix="differential-")).resolve()
    place = folder / "base"
    try:
        git(top, "worktree", "add", "--quiet", "--detach", "--no-checkout", str(place), commit)
        git(place, "checkout", "--quiet", commit, "--", "generated", "codecs")
        yield place
    finally:
        try:
            if place.exists():
                git(top, "worktree", "remove", "--force", str(place))
        finally:
            shutil.rmtree(folder, ignore_errors=True)
