"""What building a value does to the machine: nothing. Python's own audit events say so, in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import pytest

from interlingua_types import CURRENT
from support.program import environment

VECTORS: Final = Path(__file__).parents[2] / "schema" / "vectors"
SCHEMA: Final = Path(__file__).parents[2] / "schema"
# Builds every valid vector of the current version with its class, from JSON and by keywords, and the containers.
# Everything is imported, and every class used once, before the hook listens: what is built on first use is no matter of
# a constructor.
BUILDER: Final = """
import json, sys
from typing import Any
from pydantic import TypeAdapter
import interlingua as il
import interlingua.model as model

given = json.load(sys.stdin)
adapters = {name: TypeAdapter(getattr(model, name)) for name in given["documents"]}
heard: list[str] = []
listening = False


def hear(event: str, arguments: tuple[Any, ...]) -> None:
    if listening and event.startswith(tuple(given["events"])):
        heard.append(event)


def build_all() -> None:
    for name, documents in given["documents"].items():
        for document in documents:
            value = adapters[name].validate_python(document)
            type(value)(**{member: getattr(value, member) for member in type(value).model_fields})
    history = il.ConversationHistory()
    history.add(il.chat.create_system("s"))
    history.add(il.chat.create_user("u"))
    call = il.ToolCall.create("f", {"a": 1})
    answer = history.add(il.chat.create_assistant("a", [call]))
    history.add(il.chat.create_tool_result(answer.tool_calls[0].id, "r"))
    transcript = il.Transcript()
    transcript.extend(il.from_chat(history.get_messages()))
    il.ToolDefinition.create("f", "d", {"type": "object"})
    il.ToolResult.success("c", "r")
    il.FileReferenceMessage.create("a/b.txt", 1, 2)


more: dict[str, Any] = {}
exec("def run(): " + given["more"], more)
build_all()
sys.addaudithook(hear)
listening = True
build_all()
more["run"]()
listening = False
json.dump(heard, sys.stdout)
"""
CODE: Final = ("exec", "compile", "import")
FILES: Final = ("open", "os.", "shutil.", "tempfile.", "glob.", "pathlib.", "sqlite3.", "mmap.")
NETWORK: Final = ("socket.", "urllib.", "http.", "ssl.", "smtplib.", "ftplib.")
PROCESSES: Final = ("subprocess.", "ctypes.")
EVENTS: Final = (*CODE, *FILES, *NETWORK, *PROCESSES)


def documents() -> dict[str, list[Any]]:
    """Return the valid vectors of the current version, by the class that each is of."""
    found: dict[str, list[Any]] = {}
    for path in sorted((VECTORS / f"v{CURRENT}").glob("*/*/valid/*.json")):
        union, variant = path.relative_to(VECTORS / f"v{CURRENT}").parts[:2]
        name = json.loads((SCHEMA / f"v{CURRENT}" / union / f"{variant}.json").read_text(encoding="utf-8"))["title"]
        found.setdefault(name, []).append(json.loads(path.read_text(encoding="utf-8")))
    return found


def heard(given: Mapping[str, list[Any]], more: str = "pass") -> set[str]:
    """Return which audit events building these documents raises, and running more code behind it."""
    done = subprocess.run(
        [sys.executable, "-c", BUILDER],
        input=json.dumps({"documents": given, "events": EVENTS, "more": more}),
        capture_output=True,
        text=True,
        check=True,
        env=environment({"PYTHONPATH": os.environ.get("PYTHONPATH", "")}),
        timeout=120,
    )
    return set(json.loads(done.stdout))


@pytest.mark.requirement("NFR-004a-15", "NFR-004a-16", "NFR-004a-17")
def test_constructing_a_value_runs_no_code_and_accesses_no_files_and_no_network() -> None:
    assert heard(documents()) == set()


@pytest.mark.parametrize(
    ("more", "event"),
    [
        ("eval('1')", "exec"),
        ("import colorsys", "import"),
        ("open('/dev/null').close()", "open"),
        ("import os; os.listdir('.')", "os.listdir"),
        ("import socket; socket.socket().close()", "socket.__new__"),
        ("import subprocess, sys; subprocess.run([sys.executable, '-c', ''])", "subprocess.Popen"),
    ],
)
def test_a_constructor_with_side_effects_is_detected(more: str, event: str) -> None:
    few = dict(list(documents().items())[:1])
    assert event in heard(few, more)
