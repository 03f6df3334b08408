"""The public names of a package stand in one list; the two others are made of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import facade

if TYPE_CHECKING:
    from pathlib import Path

PACKAGE = '''"""A package."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import json
    from interlingua.model import Old
    from interlingua.old import Gone

_NAMES = {
    "interlingua.normal": ("normal_form",),
    "part": ("LIMIT", "Thing", "act"),
}
_PARTS = frozenset({"tools", "chat"})
_SCHEMA = "interlingua.model"

__all__ = ["Gone"]
'''
WRITTEN = '''"""A package."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import json
    from interlingua.made import chat, tools
    from interlingua.made.part import LIMIT, Thing, act
    from interlingua.model import Message
    from interlingua.normal import normal_form

_NAMES = {
    "interlingua.normal": ("normal_form",),
    "part": ("LIMIT", "Thing", "act"),
}
_PARTS = frozenset({"tools", "chat"})
_SCHEMA = "interlingua.model"

__all__ = [
    "LIMIT",
    "Message",
    "Thing",
    "act",
    "chat",
    "normal_form",
    "tools",
]
'''


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the file of a package that keeps such a list, in a folder of its own."""
    path = tmp_path / "interlingua" / "made" / "__init__.py"
    path.parent.mkdir(parents=True)
    path.write_text(PACKAGE, encoding="utf-8")
    classes = tmp_path / facade.CLASSES
    classes.parent.mkdir(parents=True)
    classes.write_text('__all__ = ["Message"]\n', encoding="utf-8")
    for name, value in (("ROOT", tmp_path), ("CODECS", tmp_path), ("PACKAGE", tmp_path / "interlingua")):
        monkeypatch.setattr(facade, name, value)
    return path


def test_the_lists_of_public_names_are_up_to_date() -> None:
    assert facade.PACKAGE / "__init__.py" in facade.files()
    assert facade.main(["--check"]) == 0


def test_imports_and_public_list_are_generated_from_one_list(made: Path) -> None:
    assert facade.main(["--check"]) == 1
    assert made.read_text(encoding="utf-8") == PACKAGE
    assert facade.main([]) == 0
    assert made.read_text(encoding="utf-8") == WRITTEN
    assert facade.main(["--check"]) == 0


def test_a_package_without_such_a_list_is_unchanged(made: Path) -> None:
    made.write_text('"""A package."""\n', encoding="utf-8")
    assert facade.files() == []
    with pytest.raises(ValueError, match="no _NAMES"):
        facade.written(made)
