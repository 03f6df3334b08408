"""Fails if mypy or pyright, both strict, cannot infer the type of a public name, or only infers `Any`.

    python tools/check_names.py

One file reveals the type of every public name and method to both, which see the package as users do, with `py.typed`.
An argument or a member that may be any JSON is declared so, and is not a failure.
"""

from __future__ import annotations

import inspect
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

import docs_api

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

PYRIGHT: Final = {"typeCheckingMode": "strict", "pythonVersion": "3.11"}
"""Without the project's own settings, since users do not have them."""
_MYPY: Final = re.compile(r':(\d+): note: Revealed type is "(.*)"$')
_PYRIGHT: Final = re.compile(r' is "(.*)"$', re.DOTALL)
_UNSAID: Final = re.compile(r"^(type\[)?Any\]?$|\bUnknown\b")
# a generic class itself; its users give its type arguments
_GENERIC: Final = re.compile(r"^type\[\w+\[Unknown\]\]$")
_FIRST: Final = 3
"""The line of the first name in the file, after an import and an empty line."""


def main() -> int:
    """Run both checkers, print the names without a known type, and return the exit code."""
    names = [*asked()]
    module = "import interlingua\n\n" + "".join(f"reveal_type({name})\n" for name in names)
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "public_names.py").write_text(module, encoding="utf-8")
        Path(folder, "pyrightconfig.json").write_text(json.dumps(PYRIGHT), encoding="utf-8")
        revealed = {"mypy": _mypy(folder), "pyright": _pyright(folder)}
    problems = [f"{checker}: {one}" for checker, types in revealed.items() for one in unknown(types, names)]
    print("\n".join(problems or [f"mypy and pyright know the types of {len(names)} names."]))
    return 1 if problems else 0


def asked() -> Iterator[str]:
    """Yield every public name, and the public methods of our classes."""
    for name, (_, value) in docs_api.public().items():
        yield name
        if inspect.isclass(value):
            for base in value.__mro__:
                if base.__module__.startswith("interlingua"):
                    yield from (f"{name}.{one}" for one, member in vars(base).items() if _is_method(one, member))


def _is_method(name: str, value: object) -> bool:
    return not name.startswith("_") and inspect.isfunction(getattr(value, "__func__", value))


def unknown(types: Mapping[int, str], names: Sequence[str]) -> Iterator[str]:
    """Yield the names whose type a checker does not know, by the types that it revealed for each line."""
    for line, name in enumerate(names, _FIRST):
        known = types.get(line, "no type")
        if known == "no type" or (_UNSAID.search(known) and not _GENERIC.match(known)):
            yield f"{name}: {known}"


def _mypy(folder: str) -> dict[int, str]:
    """Return the types that mypy reveals, by line."""
    command = ["mypy", "--strict", "--config-file=", "--cache-dir", str(Path(folder, "cache"))]
    output = _run([*command, "--no-pretty", str(Path(folder, "public_names.py"))])
    return {int(match[1]): match[2] for line in output.splitlines() if (match := _MYPY.search(line))}


def _pyright(folder: str) -> dict[int, str]:
    """Return the types that pyright reveals, by line; an error on a line replaces its type."""
    output = _run(["pyright", "--project", folder, "--pythonpath", sys.executable, "--outputjson"])
    found: dict[int, str] = {}
    for one in json.loads(output)["generalDiagnostics"]:
        match = _PYRIGHT.search(one["message"])
        if one["severity"] == "information" and match:
            found.setdefault(one["range"]["start"]["line"] + 1, match[1])
        elif one["severity"] == "error":
            found[one["range"]["start"]["line"] + 1] = "Unknown"
    return found


def _run(command: list[str]) -> str:
    """Return the output of a checker; a non-zero exit code only means that it found something."""
    return subprocess.run([sys.executable, "-m", *command], check=False, capture_output=True, text=True).stdout


if __name__ == "__main__":
    sys.exit(main())
