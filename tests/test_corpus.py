"""The access to the corpus: what is missing is told, and nothing passes on an empty folder by mistake."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support import corpus


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a corpus of one folder with 100 requests."""
    folder = tmp_path / "dev" / "some_dialect"
    folder.mkdir(parents=True)
    lines = [json.dumps({"id": str(number), "body": {"text": "a\u2028b"}}, ensure_ascii=False) for number in range(100)]
    (folder / "request.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    monkeypatch.setenv(corpus.VARIABLE, str(tmp_path))
    monkeypatch.delenv(corpus.LAWS_VARIABLE, raising=False)
    return tmp_path


@pytest.mark.usefixtures("small")
def test_lines_are_complete_and_in_order() -> None:
    found = list(corpus.lines("some_dialect", "request"))
    assert [line["id"] for line in found] == [str(number) for number in range(100)]
    assert found[0]["body"] == {"text": "a\u2028b"}


@pytest.mark.usefixtures("small")
def test_a_line_modified_by_a_test_is_unmodified_for_the_next() -> None:
    next(corpus.lines("some_dialect", "request")).clear()
    assert next(corpus.lines("some_dialect", "request"))["id"] == "0"


@pytest.mark.usefixtures("small")
def test_a_sample_is_deterministic_and_complete_for_the_laws(monkeypatch: pytest.MonkeyPatch) -> None:
    first = [line["id"] for line in corpus.sample("some_dialect", "request", 10)]
    assert first == [line["id"] for line in corpus.sample("some_dialect", "request", 10)]
    assert len(set(first)) == 10
    monkeypatch.setenv(corpus.LAWS_VARIABLE, "all")
    assert len(list(corpus.sample("some_dialect", "request", 10))) == 100


@pytest.mark.usefixtures("small")
def test_an_unknown_folder_or_kind_is_an_error_and_an_absent_kind_is_empty() -> None:
    assert corpus.folders() == ["some_dialect"]
    assert corpus.kinds("some_dialect") == ["request"]
    assert list(corpus.lines("some_dialect", "stream")) == []
    with pytest.raises(FileNotFoundError):
        corpus.lines("some_dialekt", "request")
    with pytest.raises(ValueError, match="no kind"):
        corpus.lines("some_dialect", "requests")


def test_a_configured_but_missing_corpus_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(corpus.VARIABLE, str(tmp_path / "nowhere"))
    with pytest.raises(corpus.CorpusNotFoundError):
        corpus.root()
