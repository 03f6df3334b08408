"""What every test run does: find the corpus, or leave out with a notice the tests that need it."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers

from support import corpus, figures, time_limit

if TYPE_CHECKING:
    from collections.abc import Generator

# Property tests take the same examples in each run of the suite, and others in each run of the laws. That a machine is
# slow is no finding.
PROFILE: Final[dict[str, Any]] = {"database": None, "deadline": None, "suppress_health_check": list(HealthCheck)}
settings.register_profile("suite", derandomize=True, **PROFILE)
settings.register_profile("laws", derandomize=False, print_blob=True, **PROFILE)
# Hypothesis also draws words of whatever modules a process happens to have loaded, which differ from worker to worker:
# the same examples in each run of the suite means none of those.
providers._get_local_constants = lambda: providers._local_constants  # noqa: SLF001  # there is no setting for it
NO_CORPUS: Final = f"there is no corpus of recorded payloads: {corpus.VARIABLE}, or ../shared/corpus, would give one"
NO_INVENTORY: Final = "there is no reference/wire/INVENTORY.json beside the corpus"
# Where nox wants to read what was left out, to say it again in its last lines.
REPORT_VARIABLE: Final = "INTERLINGUA_LEFT_OUT"
LEFT_OUT: Final = pytest.StashKey[dict[str, int]]()


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
    """Say at the top how much of the corpus the laws read."""
    if corpus.root() is None:
        return [f"corpus: none; {NO_CORPUS}"]
    return ["corpus: the laws read all of it" if corpus.whole() else "corpus: slow laws read a sample"]


def reason_to_leave_out(item: pytest.Item) -> str | None:
    """Return why a test cannot run here, or None where it can."""
    if corpus.root() is None:
        return NO_CORPUS if item.get_closest_marker("corpus") else None
    reads_inventory = getattr(getattr(item, "module", None), "READS_INVENTORY", False)
    return NO_INVENTORY if reads_inventory and corpus.inventory() is None else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the tests that need what is not there, and count them."""
    reasons = [reason_to_leave_out(item) for item in items]
    left_out = [item for item, reason in zip(items, reasons, strict=True) if reason]
    config.stash[LEFT_OUT] = dict(Counter(filter(None, reasons)))
    if isinstance(told := getattr(config, "workeroutput", None), dict):  # a process of pytest-xdist tells its parent
        told["left_out"] = config.stash[LEFT_OUT]
    if left_out:
        items[:] = [item for item, reason in zip(items, reasons, strict=True) if not reason]
        config.hook.pytest_deselected(items=left_out)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup() -> Generator[None]:
    """Let nothing wait for ever."""
    with time_limit.limited():
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Generator[None]:
    """Let nothing wait for ever; a law that reads the whole corpus takes its time."""
    with time_limit.limited(time_limit.SECONDS * (6 if corpus.whole() else 1)):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown() -> Generator[None]:
    """Let nothing wait for ever."""
    with time_limit.limited():
        return (yield)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Take over what a process of pytest-xdist has left out: each of them collects all tests."""
    node.config.stash[LEFT_OUT] = getattr(node, "workeroutput", {}).get("left_out", {})


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Say at the end how many tests were left out, and why. Show the figures of the laws."""
    told = [f"{count} tests were left out: {reason}." for reason, count in config.stash.get(LEFT_OUT, {}).items()]
    for line in told:
        terminalreporter.write_line(line)
    if path := os.environ.get(REPORT_VARIABLE):
        Path(path).write_text("".join(f"{line}\n" for line in told), encoding="utf-8")
    if corpus.whole():
        for line in figures.lines(terminalreporter.stats):
            terminalreporter.write_line(line)
