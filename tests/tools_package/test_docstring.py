"""Docstrings of the three usual styles are read for what a model must know."""

from __future__ import annotations

import inspect
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interlingua.tools.docstring import read_docstring
from support.cost import seconds

GOOGLE: Final = """Read a file.

    The file is text: nothing else.

    Args:
        path (str): Where it is,
            from the root: always.
        limit (Callable[[int], str], optional): How many lines.

            At least one.
        *rest: More of them.
        silent:

    Returns:
        text: Not a parameter.
    """
NUMPY: Final = """Read a file.

    The file is text: nothing else.

    Parameters
    ----------
    path : str
        Where it is,
        from the root: always.
    limit : Callable[[int], str], optional
        How many lines.

        At least one.
    *rest
        More of them.
    silent
    Returns
    -------
    text : str
        Not a parameter.
    """
SPHINX: Final = """Read a file.

    The file is text: nothing else.

    :param str path: Where it is,
        from the root: always.
    :param limit: How many lines. At least one.
    :type limit: int
    :keyword rest: More of them.
    :param silent:
    :returns text: Not a parameter.
    """
TOLD: Final = {
    "path": "Where it is, from the root: always.",
    "limit": "How many lines. At least one.",
    "rest": "More of them.",
}


@pytest.mark.parametrize("text", [GOOGLE, NUMPY, SPHINX], ids=["google", "numpy", "sphinx"])
def test_each_docstring_style_gives_description_and_parameters(text: str) -> None:
    said = read_docstring(text)
    assert said.description == "Read a file.\n\nThe file is text: nothing else."
    assert said.parameters == TOLD


@pytest.mark.parametrize("heading", ["Args", "Arguments", "Parameters", "Params", "Keyword Args", "Other Parameters"])
def test_a_parameter_section_may_have_any_of_its_headings(heading: str) -> None:
    assert read_docstring(f"Read.\n\n{heading}:\n    a: One.\n").parameters == {"a": "One."}


def test_numpy_style_may_describe_several_parameters_together() -> None:
    said = read_docstring("Add.\n\nParameters\n----------\na, b : int\n    Numbers.\n")
    assert said.parameters == {"a": "Numbers.", "b": "Numbers."}


def test_a_section_ends_where_the_next_text_begins() -> None:
    said = read_docstring("Read.\n\nArgs:\n    a: One.\nb: Not a parameter.\n")
    assert said.parameters == {"a": "One."}


@pytest.mark.parametrize(
    ("text", "description"),
    [
        (None, ""),
        ("", ""),
        ("Read.", "Read."),
        ("Say: this.\n\nArgs", "Say: this.\n\nArgs"),
        ("Read a :class:`File`.\n\n:class:`Path` is one.", "Read a :class:`File`.\n\n:class:`Path` is one."),
        ("Args:\n    a: One.", ""),
        ("Read.\n\nReturns:\n    a: None.", "Read."),
        ("Read.\n\nRaises\n------\nValueError", "Read."),
        ("Read.\n\n:raises ValueError: no.", "Read."),
        ("- a: one\n- b: two", "- a: one\n- b: two"),
    ],
)
def test_other_text_belongs_to_the_description(text: str | None, description: str) -> None:
    assert read_docstring(text).description == description


@given(st.text(alphabet=":()*- \n\taApram`s", max_size=200))
def test_any_docstring_is_read(text: str) -> None:
    said = read_docstring(text)
    assert inspect.cleandoc(text).strip().startswith(said.description)
    assert all(name.isidentifier() and words for name, words in said.parameters.items())


@pytest.mark.parametrize(
    "text",
    [
        ":" + "a " * 50_000,
        ":param " * 20_000,
        "Args:\n x (" + "(" * 50_000,
        "Args:\n x (" + ") " * 20_000,
        "Args:\n x " + " " * 50_000 + "y",
        "Parameters\n---\n" + "a," * 50_000 + "!",
        "a\n" * 50_000,
    ],
    ids=range(7),
)
def test_docstrings_are_read_in_linear_time(text: str) -> None:
    assert seconds(lambda: read_docstring(text)) < 2


def test_only_documented_parameters_are_returned() -> None:
    texts: dict[str, Any] = dict(read_docstring("Do.\n\n:param a: One.\n:param a: Two.\n").parameters)
    assert texts == {"a": "One."}
