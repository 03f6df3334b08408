"""The dialect of the page is one like any other as soon as its package is installed."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any, Final

import pytest

from support.parley import ENTRY_POINTS, SOURCE
from support.program import environment, run

REQUEST: Final[dict[str, Any]] = {
    "bird": "grey",
    "heat": 0.5,
    "lines": [{"who": "host", "says": "Be brief."}, {"who": "guest", "says": "Hello", "mood": "fine"}],
}
# What a program does with the dialect; each line of its output is one value.
PROGRAM: Final = """
import json, sys
import interlingua as il

def show(value):
    print(json.dumps(value))

request = json.loads(sys.argv[1])
show(il.dialects()[-1])
chat = il.translate_request(request, "parley", "openai_chat")
show([chat.body, [loss.path for loss in chat.losses]])
show(il.encode_request(il.decode_request(request, "parley"), "parley").body == request)
abroad = il.translate_request({"messages": [{"role": "user", "content": "Hi"}], "seed": 7}, "openai_chat", "parley")
show([abroad.body, [loss.path for loss in abroad.losses]])
frames = [{"bird": "grey"}, {"says": "Hel"}, {"says": "lo"}, {"end": "done"}]
answer = il.collect(il.decode_stream(frames, "parley"))
show([answer.messages[0].content, answer.finish_reason, answer.model])
show(list(il.translate_stream(frames, "parley", "ollama"))[-1]["done"])
show(il.chat.rules_of("parley").results)
try:
    il.check_request(request, "parley")
except il.UnsupportedError as error:
    show([error.dialect, error.operation])
try:
    il.decode_request({"lines": [{"who": "guest"}]}, "parley")
except il.DecodeError as error:
    show([error.dialect, error.path])
"""


@pytest.fixture
def installed(tmp_path: Path) -> str:
    """Install the package of the page, with the entry point that stands there; return where it is."""
    (tmp_path / "parley.py").write_text(SOURCE, encoding="utf-8")
    (points,) = tomllib.loads(ENTRY_POINTS)["project"]["entry-points"].items()
    group, named = points
    lines = [f"[{group}]", *(f"{name} = {target}" for name, target in named.items())]
    information = tmp_path / "parley-1.0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: parley\nVersion: 1.0\n", encoding="utf-8")
    (information / "entry_points.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(tmp_path)


def test_the_example_dialect_of_the_page_works_like_a_built_in_one(installed: str) -> None:
    path = [installed, *sys.path]
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path[:] = {path!r}\n{PROGRAM}", json.dumps(REQUEST)],
        capture_output=True,
        check=True,
        env=environment(),
    )
    assert [json.loads(line) for line in done.stdout.splitlines()] == [
        "parley",
        [
            {
                "model": "grey",
                "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hello"}],
                "temperature": 0.5,
            },
            ["/messages/1/extra/parley"],
        ],
        True,
        [{"lines": [{"who": "guest", "says": "Hi"}]}, ["/seed"]],
        ["Hello", "stop", "grey"],
        True,
        "anywhere",
        ["parley", "check_request"],
        ["parley", "/lines/0/says"],
    ]


def test_the_command_line_supports_the_example_dialect(installed: str) -> None:
    done = run("dialects", PYTHONPATH=installed)
    assert dict(line.split(maxsplit=1) for line in done.out.decode().splitlines())["parley"] == "Parley"
    content = (json.dumps(REQUEST) + "\n").encode()
    done = run("translate", "--from", "parley", "--to", "parley", "-", stdin=content, PYTHONPATH=installed)
    assert (done.code, done.bodies) == (0, [REQUEST])
