"""A copy of the project in which the next schema version is rehearsed: seal, open, edit, move, then query.

The copy has no git, and queries run in a separate process, with the copy's code.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from support.tree import ROOT, Tree

_COPIED: Final = ("schema", "codecs", "generated")
_IGNORED: Final = shutil.ignore_patterns("__pycache__", ".*_cache", "*.so", "*.pyd", "*.c")

PROGRAM: Final = """
import json, logging, sys
import interlingua as il
from interlingua.errors import InterlinguaError
from interlingua_types import CURRENT

logging.disable(logging.CRITICAL)


def answer(way, value, options):
    if way == "load":
        return [il.dump_message(message) for message in il.load_message(value, **options)]
    if way == "load_messages":
        loaded = il.load_messages(value, **options)
        return {"messages": [il.dump_message(one) for one in loaded.messages], "skipped": len(loaded.skipped)}
    if way == "upgrade":
        return il.upgrade(value, **options).documents
    if way == "downgrade":
        found = il.downgrade(value, **options)
        return {
            "documents": found.documents,
            "losses": [[loss.path, loss.severity, loss.detail] for loss in found.losses],
        }
    if way == "validate":
        return [[error.path, error.rule] for error in il.validate(value, **options)]
    if way == "transcript":
        return il.Transcript.from_document(value).to_document()
    if way == "history":
        return json.loads(il.ConversationHistory.from_json(json.dumps(value)).to_json())
    if way == "told":
        told = il.to_chat(il.load_message(value, **options))
        again = il.to_chat(il.from_chat(told))
        return [[one.model_dump(mode="json") for one in messages] for messages in (told, again)]
    if way == "check":
        return [violation.code for violation in il.check_message(value)]
    if way == "lost":
        encode = {"request": il.encode_request, "response": il.encode_response}[options["kind"]]
        return [loss.path for loss in encode(value, options["dialect"]).losses if loss.path.endswith("vibe")]
    if way == "lost_of_stream":
        stream = il.encode_stream(value, options["dialect"])
        list(stream)
        return [loss.path for loss in stream.losses if loss.path.endswith("vibe")]
    if way == "stores":
        found = {}
        with il.SessionStore(value) as store:
            found["problems"] = len(store.check())
            for info in store.sessions():
                found[info.id] = store.load(info.id).transcript.to_document()
                store.append(info.id, [il.TextMessage(data={"role": "user", "content": "More"})])
                assert len(store.load(info.id).transcript.to_document()["messages"]) > 0
        return found
    raise ValueError(way)


def tried(way, value, options):
    try:
        return answer(way, value, options)
    except InterlinguaError as error:
        return {"error": f"{type(error).__name__}: {error}"}


questions = json.load(sys.stdin)
json.dump({"current": CURRENT, "answers": [tried(*question) for question in questions]}, sys.stdout)
"""


@dataclass(frozen=True, slots=True)
class Question:
    """A query to the code of a copy: one of the functions of `PROGRAM`, a value, and named arguments."""

    way: str
    value: Any
    options: dict[str, Any]


def asked(way: str, value: Any, **options: Any) -> Question:
    """Return a query."""
    return Question(way, value, options)


class Rehearsal(Tree):
    """A copy of the project."""

    def __init__(self, root: Path) -> None:
        self.root = root
        if not root.is_dir():
            for name in _COPIED:
                shutil.copytree(ROOT / name, root / name, ignore=_IGNORED)

    def copied(self, root: Path) -> Rehearsal:
        """Return a copy of this copy."""
        shutil.copytree(self.root, root, ignore=_IGNORED)
        return Rehearsal(root)

    def done(self, *arguments: str) -> str:
        """Run the compiler of the copy and return its output; raise if it fails."""
        found = self.tried(*arguments)
        assert (found.returncode, found.stderr) == (0, ""), (arguments, found.stderr)
        return found.stdout

    def tried(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run the compiler of the copy."""
        return self.ran([sys.executable, str(self.path("schema/compiler")), *arguments])

    def answers(self, questions: list[Question]) -> list[Any]:
        """Return the answers of the copy's code to queries."""
        plain = [[question.way, question.value, question.options] for question in questions]
        found = self.ran([sys.executable, "-c", PROGRAM], json.dumps(plain))
        assert found.returncode == 0, found.stderr
        answered: list[Any] = json.loads(found.stdout)["answers"]
        return answered

    def ran(self, command: list[str], text: str = "") -> subprocess.CompletedProcess[str]:
        """Run a command in the copy, with its code."""
        packages = os.pathsep.join([str(self.path("generated")), str(self.path("codecs"))])
        return subprocess.run(
            command,
            cwd=self.root,
            env={**os.environ, "PYTHONPATH": packages, "PYTHONSAFEPATH": "1", "PYTHONDONTWRITEBYTECODE": "1"},
            input=text,
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )


def vectors(version: int, kind: str = "message") -> list[tuple[str, Any]]:
    """Return the valid vectors of a version, by name: of a union, or of a shared object such as `shared/transcript`."""
    folder = ROOT / "schema" / "vectors" / f"v{version}" / kind
    return [
        (path.relative_to(folder).as_posix(), json.loads(path.read_text(encoding="utf-8")))
        for path in sorted(folder.rglob("valid/*.json"))
    ]


def change(name: str, op: str, where: str, **members: Any) -> dict[str, Any]:
    """Return a declared change."""
    said = {"description": f"{name} is rehearsed here.", "op": op, "where": where}
    rest = {"upgrade": None, "downgrade": None, **members}
    return {
        "change": name,
        **said,
        **{key: rest[key] for key in ("to", "members", "value") if key in rest},
        **{key: rest[key] for key in ("upgrade", "downgrade")},
    }
