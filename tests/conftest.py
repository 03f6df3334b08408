"""What every test run does: find the corpus, or leave out with a notice the tests that need it."""

from __future__ import annotations

import os
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, settings

from support import corpus, figures

# Property tests take the same examples in each run of the suite, and others in each run of the laws. That a machine is
# slow is no finding.
PROFILE: Final[dict[str, Any]] = {"database": None, "deadline": None, "suppress_health_check": list(HealthCheck)}
settings.register_profile("suite", derandomize=True, **PROFILE)
settings.register_profile("laws", derandomize=False, print_blob=True, **PROFILE)
NOTICE = f"No corpus: the tests marked `corpus` are left out. {corpus.VARIABLE}, or ../shared/corpus, would give one."


def pytest_configure(config: pytest.Config) -> None:
    """Refuse a corpus that is named but not there; let the laws run whole where they alone were asked for."""
    try:
        corpus.root()
    except corpus.CorpusNotFoundError as error:
        raise pytest.UsageError(str(error)) from error
    laws = config.getoption("markexpr") == "laws"
    settings.load_profile("laws" if laws else "suite")
    if laws:
        os.environ[corpus.LAWS_VARIABLE] = "all"


def pytest_report_header() -> list[str]:
    """Say at the top what is left out, and how much of the corpus the laws read."""
    if corpus.root() is None:
        return [NOTICE]
    return ["corpus: the laws read all of it" if corpus.whole() else "corpus: slow laws read a sample"]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the tests that need a corpus where there is none."""
    if corpus.root() is not None:
        return
    left_out = [item for item in items if item.get_closest_marker("corpus")]
    if left_out:
        items[:] = [item for item in items if not item.get_closest_marker("corpus")]
        config.hook.pytest_deselected(items=left_out)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say at the end, too, that tests were left out: a header scrolls away. Show the figures of the laws."""
    if corpus.root() is None:
        terminalreporter.write_line(NOTICE)
    if corpus.whole():
        for line in figures.lines(terminalreporter.stats):
            terminalreporter.write_line(line)
