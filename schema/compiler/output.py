"""Write generated files, or compare them with the existing ones."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from pathlib import Path
from typing import Final

GENERATED: Final = "generated"
# Caches of Python and package tools; and the two handwritten files in generated/.
_IGNORED_FOLDERS: Final = frozenset({"__pycache__", "node_modules", ".mypy_cache", ".pytest_cache", ".ruff_cache"})
_HANDWRITTEN: Final = frozenset({"generated/README.md"})


def write(root: Path, files: Mapping[str, str]) -> list[str]:
    """Write every file that differs, remove orphaned files, and return what was done."""
    done: list[str] = []
    for name, text in sorted(files.items()):
        path = root / name
        if not path.is_file() or path.read_bytes() != text.encode("utf-8"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode("utf-8"))
            done.append(f"wrote {name}")
    for name in orphans(root, files):
        (root / name).unlink()
        _remove_empty_folders(root, (root / name).parent)
        done.append(f"removed {name}")
    return done


def differences(root: Path, files: Mapping[str, str]) -> list[str]:
    """Return how the files on disk differ from the generated ones, as lines of unified diffs."""
    lines: list[str] = []
    for name, text in sorted(files.items()):
        path = root / name
        if not path.is_file():
            lines.append(f"missing: {name}\n")
        elif path.read_bytes() != text.encode("utf-8"):
            lines += _diff(name, path.read_bytes().decode("utf-8", "replace"), text)
    return lines + [f"orphan: {name} (nothing generates it)\n" for name in orphans(root, files)]


def orphans(root: Path, files: Mapping[str, str]) -> list[str]:
    """Return the files in generated/ that are no longer generated."""
    present = (path for path in (root / GENERATED).rglob("*") if path.is_file())
    names = (path.relative_to(root) for path in present if not _IGNORED_FOLDERS & {*path.relative_to(root).parts})
    return sorted(name.as_posix() for name in names if name.as_posix() not in {*files, *_HANDWRITTEN})


def _diff(name: str, old: str, new: str) -> list[str]:
    """Return a unified diff that is never empty: a difference only in line ends or encoding is described in words."""
    texts = old.splitlines(keepends=True), new.splitlines(keepends=True)
    diff = difflib.unified_diff(*texts, name, "regenerated")
    lines = [line if line.endswith("\n") else line + "\n" for line in diff]
    return lines or [f"different bytes: {name}\n"]


def _remove_empty_folders(root: Path, folder: Path) -> None:
    """Remove a folder that became empty, and those above it, up to generated/."""
    while folder != root / GENERATED and not any(folder.iterdir()):
        folder.rmdir()
        folder = folder.parent
