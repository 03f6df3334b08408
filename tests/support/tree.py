"""A small source tree with two versions, in a temporary folder: what the compiler's tests compile and damage."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).parents[2]
DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
_META: Final = ("house.schema.json", "version.schema.json", "settings.schema.json", "changes.schema.json")
_MIGRATE: Final = "def nest_data():\n    pass\n\n\ndef flatten_data():\n    pass\n"


def object_file(title: str, properties: dict[str, Any], required: list[str], *, example: Any, **more: Any) -> Any:
    """Return a schema file of an object; members without a description get one."""
    described = {name: {"description": f"The {name}.", **member} for name, member in properties.items()}
    head = {"$schema": DIALECT, "title": title, "description": f"{title} of the fixture.", "type": "object"}
    rest = {"properties": described, "required": required, "additionalProperties": False}
    return {**head, **rest, **more, "examples": [example]}


def scalar_file(title: str, example: Any, **rest: Any) -> Any:
    """Return a schema file of a type that is not an object."""
    head = {"$schema": DIALECT, "title": title, "description": f"{title} of the fixture."}
    return {**head, **rest, "examples": [example]}


def editable_version(root: Path) -> int:
    """Let the codecs of a copy use a version that can be edited, the next one after a sealed one; return its number."""
    schema = root / "schema"
    seals = json.loads((schema / "SEALS.json").read_text(encoding="utf-8"))
    spoken: int = json.loads((schema / "settings.json").read_text(encoding="utf-8"))["current"]
    if f"v{spoken}" not in seals:
        return spoken
    following = f"v{spoken + 1}"
    for command in ("move",) if (schema / following).is_dir() else ("open", "move"):
        arguments = [sys.executable, str(schema / "compiler"), command, following]
        subprocess.run(arguments, check=True, capture_output=True)
    return spoken + 1


class Tree:
    """A project folder that contains only a source and what is compiled from it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        for name in _META:
            (root / "schema").mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / "schema" / name, root / "schema" / name)
        self.write("schema/settings.json", {"base": "https://fixture.example/"})
        self._write_version_1()
        self._write_version_2()
        self.write_text("codecs/interlingua/migrate.py", _MIGRATE)

    def path(self, name: str) -> Path:
        """Return the path of a file of the tree."""
        return self.root / name

    def read(self, name: str) -> Any:
        """Return the content of a JSON file."""
        return json.loads(self.path(name).read_text(encoding="utf-8"))

    def write(self, name: str, document: Any) -> None:
        """Write a JSON file in the canonical form."""
        self.write_text(name, json.dumps(document, indent=2, ensure_ascii=False) + "\n")

    def write_text(self, name: str, text: str) -> None:
        """Write a text file unchanged."""
        self.path(name).parent.mkdir(parents=True, exist_ok=True)
        self.path(name).write_bytes(text.encode("utf-8"))

    def edit(self, name: str, **members: Any) -> None:
        """Set members of a JSON file; None removes one."""
        document = {**self.read(name), **members}
        self.write(name, {key: value for key, value in document.items() if value is not None})

    def edit_member(self, name: str, member: str, **keywords: Any) -> None:
        """Set keywords of one member of an object; None removes one."""
        document = self.read(name)
        changed = {**document["properties"].get(member, {}), **keywords}
        document["properties"][member] = {key: value for key, value in changed.items() if value is not None}
        self.write(name, document)

    def run(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """Run the compiler on the tree, as users do."""
        command = [sys.executable, str(ROOT / "schema" / "compiler"), "--root", str(self.root), *arguments]
        return subprocess.run(
            command, capture_output=True, text=True, encoding="utf-8", check=False, env=environment or None
        )

    def _write_version_1(self) -> None:
        self.write(
            "schema/v1/version.json",
            {
                "version": 1,
                "title": "Fixture 1",
                "description": "The flat form.",
                "root": "Message",
                "unions": {"message": "role"},
                "names": {},
                "open": True,
            },
        )
        for role in ("tool", "user"):
            document = object_file(
                f"{role.title()}Message",
                {"role": {"const": role}, "content": {"type": "string"}, "note": {"type": ["string", "null"]}},
                ["role", "content"],
                example={"role": role, "content": "Hello"},
                additionalProperties=True,
            )
            self.write(f"schema/v1/message/{role}.json", document)

    def _write_version_2(self) -> None:
        self.write(
            "schema/v2/version.json",
            {
                "version": 2,
                "title": "Fixture 2",
                "description": "The nested form.",
                "root": "Message",
                "unions": {"message": "type", "part": "type"},
                "names": {"part/image": "Picture"},
                "fallback": {"message": "unknown_message"},
                "open": False,
            },
        )
        self.write(
            "schema/v2/changes.json",
            [
                {
                    "change": "NestMessageData",
                    "description": "What a message holds stands under `data`.",
                    "op": "restructure",
                    "where": "Message",
                    "upgrade": "nest_data",
                    "downgrade": "flatten_data",
                }
            ],
        )
        for name, document in _version_2_files().items():
            self.write(f"schema/v2/{name}.json", document)


def _version_2_files() -> dict[str, Any]:
    """Return the files of the second version: every kind of shape that the compiler supports."""
    text = {"type": "text", "text": "Hello"}
    data = {"speaker": "user", "content": [text], "count": 1}
    message = {"schema_version": 2, "type": "text", "data": {"speaker": "user"}}
    version, string = {"const": 2}, {"type": "string"}
    return {
        "message/text": object_file(
            "TextMessage",
            {"schema_version": version, "type": {"const": "text"}, "data": {"$ref": "../shared/text_data.json"}},
            ["schema_version", "type", "data"],
            example=message,
        ),
        "message/notice": object_file(
            "NoticeMessage",
            {"schema_version": version, "type": {"const": "notice"}, "schema": {"type": "object"}},
            ["schema_version", "type"],
            example={"schema_version": 2, "type": "notice", "schema": {"a": None}},
        ),
        "part/text": object_file(
            "TextPart",
            {"type": {"const": "text"}, "text": {"type": "string", "minLength": 1}},
            ["type", "text"],
            example=text,
        ),
        "part/image": object_file(
            "Picture",
            {"type": {"const": "image"}, "url": string, "data": string, "parts": {"$ref": "../shared/parts.json"}},
            ["type"],
            example={"type": "image", "url": "https://example.com/a.png"},
            oneOf=[{"required": ["url"]}, {"required": ["data"]}],
        ),
        "shared/text_data": object_file(
            "TextData",
            {
                "speaker": {"$ref": "./speaker.json"},
                "content": {"anyOf": [{"type": "string"}, {"type": "array", "items": {"$ref": "../part"}}]},
                "count": {"type": "integer", "minimum": 0},
                "weight": {"type": ["integer", "number"], "minimum": 0, "maximum": 1},
                "mood": {"$ref": "./mood.json"},
                "any": {},
            },
            ["speaker"],
            example=data,
        ),
        "shared/parts": scalar_file("Parts", [text], type="array", items={"$ref": "../part"}),
        "shared/mood": scalar_file("Mood", "calm", type="string", enum=["calm", "loud"]),
        "shared/speaker": scalar_file("Speaker", "user", **{"x-enum": True}, type="string", enum=["user", "model"]),
        "shared/unknown_message": object_file(
            "UnknownMessage",
            {"schema_version": {"type": "integer"}, "type": string},
            [],
            example={"schema_version": 3, "type": "later"},
            **{"x-mixin": "UnknownMessageMixin"},
            additionalProperties=True,
        ),
        "shared/box": object_file(
            "Box",
            {"schema_version": version, "messages": {"type": "array", "items": {"$ref": "../any_message"}}},
            ["schema_version", "messages"],
            example={"schema_version": 2, "messages": [message]},
        ),
    }
