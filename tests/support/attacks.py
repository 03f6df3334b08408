"""The paths of tests/vectors/files/path_attacks.json, and the workspace that they attack."""

from __future__ import annotations

import json
import os
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

VECTORS: Final = Path(__file__).parents[1] / "vectors" / "files" / "path_attacks.json"
SECRET: Final = "correct horse battery staple"  # noqa: S105  # what must not be read
INSIDE: Final = "written in the workspace\n"


@dataclass(frozen=True)
class Attack:
    """A path, what is built for it, and the expected result: a code, or `inside` for a plain name."""

    name: str
    path: str
    expect: str
    tree: tuple[dict[str, Any], ...] = ()


def attacks() -> list[Attack]:
    """Return the table."""
    rows = json.loads(VECTORS.read_text(encoding="utf-8"))["attacks"]
    return [Attack(row["name"], row["path"], row["expect"], tuple(row.get("tree", ()))) for row in rows]


class Ground:
    """A workspace with a few files, and a secret next to it for which this process has an open descriptor."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(exist_ok=True)
        self.outside = folder.resolve()
        self.workspace = self.outside / "workspace"
        (self.workspace / "src").mkdir(parents=True)
        (self.workspace / "notes.txt").write_text(INSIDE, encoding="utf-8")
        (self.workspace / "src" / "main.py").write_text(INSIDE, encoding="utf-8")
        self.secret = self.outside / "secret.txt"
        self.secret.write_text(SECRET, encoding="utf-8")
        self.descriptor = os.open(self.secret, os.O_RDONLY)

    def close(self) -> None:
        """Close the descriptor of the secret."""
        os.close(self.descriptor)

    def filled(self, text: str) -> str:
        """Return a text of the table with the folders of this workspace filled in."""
        places = {
            "workspace": str(self.workspace),
            "WORKSPACE": str(self.workspace).upper(),
            "outside": str(self.outside),
            "secret_fd": str(self.descriptor),
            "pid": str(os.getpid()),
            "long_name": "a" * 256,
            "wide_name": "\u6f22" * 86,
            "long_path": "a/" * 2048 + "b.txt",
            "deep_path": "a/" * 2000 + "b.txt",
        }
        for name, place in places.items():
            text = text.replace(f"{{{name}}}", place)
        return text

    def build(self, attack: Attack) -> str:
        """Build the files of an attack, and return its path."""
        for row in attack.tree:
            self._build(row)
        return self.filled(attack.path)

    def _build(self, row: dict[str, Any]) -> None:
        kind, name = next(iter(row.items()))
        path = self.workspace / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if kind == "file":
            path.write_text(SECRET if row.get("secret") else INSIDE, encoding="utf-8")
        elif kind == "dir":
            path.mkdir(parents=True)
        elif kind == "link":
            path.symlink_to(self.filled(row["to"]))
        elif kind == "hard":
            path.hardlink_to(self.filled(row["to"]))
        elif kind == "sparse":
            with path.open("wb") as file:
                file.truncate(row["size"])
        else:
            os.mknod(path, {"fifo": stat.S_IFIFO, "socket": stat.S_IFSOCK}[kind] | 0o600)
