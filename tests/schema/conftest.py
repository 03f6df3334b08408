"""The compiler's tests work on small trees of their own."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import output
import packages
from support.tree import Tree


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    """Return a fresh source tree with two versions."""
    return Tree(tmp_path / "tree")


@pytest.fixture(scope="session")
def compiled_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a tree that was compiled, for copying only."""
    tree = Tree(tmp_path_factory.mktemp("compiled"))
    output.write(tree.root, packages.generated_files(tree.root))
    return tree.root


@pytest.fixture
def compiled(compiled_once: Path, tmp_path: Path) -> Tree:
    """Return a source tree with what is compiled from it."""
    shutil.copytree(compiled_once, tmp_path / "tree")
    return Tree(tmp_path / "tree")
