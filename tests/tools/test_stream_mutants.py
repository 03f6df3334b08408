"""The session that takes reports of losses out of the stream modules: what it calls them, and what it takes out."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import stream_mutants

SOURCE = '''
class Writer:
    def write(self, event):
        """Write an event."""
        if "created" in event:
            self.log.lost("member", self.path("created"), "no place in a response")
        path = f"/{self.number}/arguments"
        self._outer.log.changed("arguments", path, "free text becomes an object")
        self._outer.log.changed("arguments", path, "arguments must be a JSON object: the text is not exactly one")
        self.log.filled(self.path("extra", DIALECT, "id"), "every output item needs an id: one was made up")
        self.stray(event)
        self.frames.lost("a", "b", "no log")
        return self.lost(event)
'''
NAMES = [
    "claude changed arguments /*/arguments",
    "claude changed arguments /*/arguments #2",
    "claude filled required /extra/*/id",
    "claude lost member /created",
    "claude stray event",
]


def named(source: str) -> dict[str, stream_mutants.Report]:
    """Return the reports of a module of the room of Claude by their names."""
    return {report.name: report for report in stream_mutants.reports(Path("claude", "stream.py"), source)}


def test_a_report_is_identified_by_dialect_severity_code_and_place() -> None:
    assert sorted(named(SOURCE)) == NAMES


def test_the_identity_of_a_report_does_not_depend_on_other_lines() -> None:
    assert sorted(named(SOURCE.replace("        if", "\n        # why\n        if"))) == NAMES


def test_exactly_one_report_is_removed() -> None:
    silenced = ast.unparse(stream_mutants.without(named(SOURCE)["claude lost member /created"], SOURCE))
    assert sorted(named(silenced)) == [name for name in NAMES if "created" not in name]
    assert all(
        len(named(ast.unparse(stream_mutants.without(report, SOURCE)))) == len(NAMES) - 1
        for report in named(SOURCE).values()
    )


def test_every_report_of_the_stream_modules_is_found() -> None:
    for path in stream_mutants.modules():
        source = path.read_text(encoding="utf-8")
        written = re.findall(r"^ +\S*\blog\.(?:lost|changed|filled)\(", source, re.MULTILINE)
        found = [report.name for report in stream_mutants.reports(path, source)]
        direct = [name for name in found if name.split()[1] in stream_mutants.SEVERITIES]
        assert len(direct) == len(written), path.name
        assert len(found) == len(set(found)), path.name


def test_reports_collected_for_an_event_go_to_an_unused_log() -> None:
    source = "def write(self, said, number):\n    return encode(said, self.target_of(number))\n"
    (report,) = named(source).values()
    silenced = ast.unparse(stream_mutants.without(report, source))
    assert report.name == "claude target_of number"
    assert "encode(said, __import__('dataclasses').replace(self.target_of(number), log=" in silenced
