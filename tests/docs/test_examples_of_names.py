"""Every public name is found, documented, and shown in an example that runs."""

from __future__ import annotations

import doctest
import inspect
import re
from pathlib import Path
from typing import Any, Final

import pytest

import docs_api
import docs_values
import interlingua as il
import interlingua_types.current as schema

NAMES: Final = {name: value for name, (_, value) in docs_api.public().items()}
# What an example may use without an import: the package, and the classes of the schema by their own names.
KNOWN: Final[dict[str, Any]] = {"il": il} | {name: getattr(il, name) for name in schema.__all__}
ARGUMENT: Final = re.compile(r"^    (\w+): [A-Z].*", re.MULTILINE)
FLAGS: Final = doctest.NORMALIZE_WHITESPACE


def documentation(name: str) -> str:
    """Return what is said of a public name where it is defined."""
    value = NAMES[name]
    return inspect.getdoc(value) or "" if docs_api.has_docstring(value) else docs_values.documentation(name)


def owner(name: str) -> tuple[Any, str]:
    """Return what a public name is looked up in, and its last word."""
    *parts, last = name.split(".")[1:]
    return (getattr(il, parts[0]) if parts else il), last


@pytest.mark.parametrize("name", NAMES)
def test_every_public_name_is_documented_with_an_example_that_runs(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    holder, last = owner(name)
    assert last in dir(holder)
    assert last in holder.__all__
    text = documentation(name)
    said, _, shown = text.partition("Example:")
    assert said.strip(), "it is not said what it is"
    assert "as in `" not in text, "it sends its reader elsewhere"
    monkeypatch.chdir(tmp_path)
    told: list[str] = []
    examples = doctest.DocTestParser().get_doctest(shown, dict(KNOWN), name, None, None)
    assert examples.examples, "nothing shows how it is used"
    assert any(one.want for one in examples.examples) or "Deprecated" in said, "its example shows no result"
    assert doctest.DocTestRunner(verbose=False, optionflags=FLAGS).run(examples, out=told.append).failed == 0, told


@pytest.mark.parametrize("name", [name for name, value in NAMES.items() if inspect.isroutine(value)])
def test_every_argument_of_a_public_function_is_documented(name: str) -> None:
    parameters = [*inspect.signature(NAMES[name]).parameters]
    _, _, listed = documentation(name).partition("\nArgs:\n")
    explained = [match[1] for match in ARGUMENT.finditer(listed.partition("\n\n")[0])]
    assert explained == parameters
