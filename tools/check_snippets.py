"""Check the types of all Python in the README, the documentation and its examples, strictly, with mypy and pyright.

They see the package as its users do: installed, with its `py.typed`. Line numbers are those of the pages.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from check_names import PYRIGHT  # noqa: E402  # as below
from support.pages import EXAMPLES, write_modules  # noqa: E402  # found through the line above


def main() -> int:
    """Run both checkers, and return how many of them failed."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_modules(folder)
        for example in EXAMPLES.glob("*.py"):
            shutil.copy(example, folder)
        (folder / "pyrightconfig.json").write_text(json.dumps(PYRIGHT), encoding="utf-8")
        commands = (
            ["mypy", "--strict", "--config-file=", name],
            ["pyright", "--project", name, "--pythonpath", sys.executable],
        )
        ended = [subprocess.run([sys.executable, "-m", *command], check=False).returncode for command in commands]
    return sum(code != 0 for code in ended)


if __name__ == "__main__":
    sys.exit(main())
