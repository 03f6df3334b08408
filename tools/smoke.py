"""Imports every module of both packages as installed from the wheel, and fails with a report of errors.

It runs before any development tool is installed, so that an import that only works in the test environment is found.
"""

from __future__ import annotations

import importlib
import pkgutil
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
PACKAGES: Final = ("interlingua_types", "interlingua")
LIGHT: Final = ("interlingua.rooms.", "interlingua.cli", "interlingua_types.v", "typer", "rich", "jsonschema")


def modules(package: str) -> list[str]:
    """Return the names of a package and all its modules, after importing each.

    Raises:
        ImportError: one of them cannot be imported.
        SystemExit: the package was imported from the checkout instead of the installation.
    """
    top = importlib.import_module(package)
    place = Path(str(top.__file__))
    if {ROOT / "codecs", ROOT / "generated"} & set(place.parents):
        sys.exit(f"{package} comes from the checkout, not from the wheel")
    found = [module.name for module in pkgutil.walk_packages(top.__path__, f"{package}.")]
    for name in found:
        importlib.import_module(name)
    return [package, *found]


def heavy() -> list[str]:
    """Return modules that a bare `import interlingua` should not load, but does."""
    code = "import sys, interlingua; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-P", "-c", code], check=True, capture_output=True, text=True)
    return [name for name in loaded.stdout.split() if name.startswith(LIGHT)]


def main() -> None:
    """Import everything, and print how many modules there are."""
    counts = {package: len(modules(package)) for package in PACKAGES}
    if loaded := heavy():
        sys.exit(f"`import interlingua` is not light: it loads {', '.join(loaded)}")
    command = [str(Path(sys.executable).with_name("interlingua")), "dialects"]
    subprocess.run(command, check=True)
    print(
        f"interlingua {version('interlingua')}:",
        ", ".join(f"{count} modules of {name}" for name, count in counts.items()),
    )


if __name__ == "__main__":
    main()
