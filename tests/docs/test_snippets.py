"""Every piece of Python in the README and the documentation runs, page by page from top to bottom."""

from __future__ import annotations

import code
import doctest
from pathlib import Path
from typing import Any, Final

import pytest

from support.pages import ROOT, pages, snippets

LANGUAGES: Final = {"python", "pycon", "console", "json", "text", "toml", "typescript", "rust", "go", "java"}


def run_page(text: str, name: str) -> int:
    """Run the Python of a page in one namespace, and return how many blocks that were.

    Raises:
        AssertionError: an interactive example does not give what it shows.
        Exception: whatever a block raises, with the page's own line numbers.
    """
    namespace: dict[str, Any] = {"__name__": "__main__"}
    count = 0
    for snippet in snippets(text):
        if snippet.language == "python":
            compiled = compile("\n" * (snippet.line - 1) + snippet.code, name, "exec")
            exec(compiled, namespace)  # noqa: S102  # the pages are ours, and running them is the test
        elif snippet.language == "pycon":
            test = doctest.DocTestParser().get_doctest(snippet.code, namespace, name, name, snippet.line - 1)
            runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
            report: list[str] = []
            runner.run(test, out=report.append, clear_globs=False)
            assert runner.summarize(verbose=False).failed == 0, "".join(report)
            namespace.update(test.globs)
        else:
            continue
        count += 1
    return count


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.relative_to(ROOT).as_posix())
def test_the_snippets_of_a_page_run(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    run_page(page.read_text(encoding="utf-8"), page.relative_to(ROOT).as_posix())


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_snippet_names_its_language(page: Path) -> None:
    found = {snippet.language for snippet in snippets(page.read_text(encoding="utf-8"))}
    assert found <= LANGUAGES


def test_the_readme_shows_code() -> None:
    found = snippets((ROOT / "README.md").read_text(encoding="utf-8"))
    assert any(snippet.language in {"python", "pycon"} for snippet in found)


def typed_at_a_prompt(text: str) -> list[str]:
    """Type the Python of a page at a prompt, line by line as a paste does, and return what the prompt complains of."""
    prompt = code.InteractiveConsole()
    said: list[str] = []
    prompt.write = said.append  # type: ignore[method-assign]  # as its documentation says
    for snippet in snippets(text):
        if snippet.language == "python":
            for line in [*snippet.code.splitlines(), ""]:
                prompt.push(line)
        elif snippet.language == "pycon":
            for example in doctest.DocTestParser().get_examples(snippet.code):
                for line in [*example.source.splitlines(), ""]:
                    prompt.push(line)
    return said


# At the prompt of Python 3.11 and 3.12 an indented block ends at a blank line, and nowhere else.
@pytest.mark.parametrize(
    "page", [ROOT / "README.md", *sorted((ROOT / "docs" / "start").glob("*.md"))], ids=lambda page: page.name
)
def test_first_examples_can_be_typed_at_a_prompt(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    assert typed_at_a_prompt(page.read_text(encoding="utf-8")) == []
    assert typed_at_a_prompt("```python\nfor one in ():\n    pass\nassert True\n```\n") != []


def test_a_broken_snippet_is_detected() -> None:
    with pytest.raises(ZeroDivisionError):
        run_page("```python\n1 / 0\n```\n", "page")
    with pytest.raises(AssertionError):
        run_page("```pycon\n>>> 1 + 1\n3\n```\n", "page")


def test_the_snippets_of_a_page_share_a_namespace() -> None:
    assert (
        run_page("```python\nx = 1\n```\ntext\n```pycon\n>>> x\n1\n```\n```python\nassert x == 1\n```\n", "page") == 3
    )


PROVED_BY: Final = {
    "rust": "tests/rust/tests/page.rs",
    "go": "tests/go/page_test.go",
    "java": "tests/java/src/test/java/example/interlingua/types/PageTest.java",
}


def test_code_in_other_languages_equals_that_of_a_test() -> None:
    # `nox -s languages` runs those tests.
    seen = set[str]()
    for page in pages():
        for snippet in snippets(page.read_text(encoding="utf-8")):
            if snippet.language in PROVED_BY:
                test = (ROOT / PROVED_BY[snippet.language]).read_text(encoding="utf-8")
                assert [line for line in snippet.code.splitlines() if line.strip() not in test] == []
                seen.add(snippet.language)
    assert seen == {*PROVED_BY}


def test_pages_define_tools_in_one_way() -> None:
    code = {page: "".join(snippet.code for snippet in snippets(page.read_text(encoding="utf-8"))) for page in pages()}
    assert any("Tool.from_function(" in text for text in code.values())
    assert [page.name for page, text in code.items() if "define(" in text] == []
