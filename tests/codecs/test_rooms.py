"""Every room has the same files and the same face, so that what is where in one is there in all."""

from __future__ import annotations

import ast
import importlib
import inspect
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Final, get_args

import pytest

import interlingua as il
from interlingua.loss import CODES, LossCode
from interlingua.registry import room
from interlingua.spi.descriptor import Descriptor
from interlingua.spi.room import Room
from interlingua.violation import VIOLATION_CODES, ViolationCode
from support.rooms import ROWS

FOLDER: Final = Path(str(il.__file__)).parent / "rooms"
ROOMS: Final = sorted(path.name for path in FOLDER.iterdir() if path.is_dir() and not path.name.startswith("_"))
FILES: Final = frozenset(
    {"__init__.py", "decode.py", "encode.py", "members.py", "rules.py", "detection.py", "tables.py"}
)
FACE: Final = frozenset(
    {
        "DESCRIPTOR",
        "MEMBERS",
        "SIGNS",
        "check_request",
        "decode_request",
        "decode_response",
        "encode_request",
        "encode_response",
    }
)
CODECS: Final = ("check_request", "decode_request", "decode_response", "encode_request", "encode_response")


def load(name: str) -> ModuleType:
    return importlib.import_module(f"interlingua.rooms.{name}")


def test_the_dialects_function_is_not_hidden_by_the_package_of_that_name() -> None:
    # Importing interlingua.rooms.claude puts a module `dialects` on the package; the public function must stay.
    load("claude")
    assert callable(il.dialects)
    assert "claude" in il.dialects()


def test_every_registered_dialect_has_a_room_and_a_row_in_the_table_of_the_laws() -> None:
    assert set(il.dialects()) <= set(ROOMS)
    assert set(il.dialects()) == set(ROWS)
    assert [room(name).DESCRIPTOR.dialect for name in il.dialects()] == list(il.dialects())


@pytest.mark.parametrize("name", ROOMS)
def test_a_room_has_the_files_that_every_room_has(name: str) -> None:
    files = {path.name for path in (FOLDER / name).glob("*.py")}
    assert files >= FILES
    # What else there is, is one of these in several files, or a thing of its own with a name of its own.
    assert not {file for file in files if file.startswith(("_", "utils", "helpers", "common"))} - {"__init__.py"}


@pytest.mark.parametrize("name", ROOMS)
def test_a_room_has_the_interface_that_every_room_has(name: str) -> None:
    module = load(name)
    assert set(module.__all__) >= FACE
    assert module.__all__ == sorted(module.__all__, key=lambda one: (not one.isupper(), one))
    described = module.DESCRIPTOR
    assert isinstance(described, Descriptor)
    assert described.dialect == name
    assert described.title
    dated = [version for version in described.api_versions if version[0].isdigit()]
    assert dated == sorted(dated, reverse=True)
    assert module.__doc__


@pytest.mark.parametrize("name", ROOMS)
@pytest.mark.parametrize("function", CODECS)
def test_a_function_of_a_room_has_the_types_of_the_protocol(name: str, function: str) -> None:
    expected = inspect.signature(getattr(Room, function))
    found = inspect.signature(getattr(load(name), function))
    named = [parameter for parameter in expected.parameters.values() if parameter.name != "self"]
    assert [(one.name, one.default, one.kind) for one in found.parameters.values()] == [
        (one.name, one.default, one.kind) for one in named
    ]
    assert found.return_annotation == expected.return_annotation


@pytest.mark.parametrize("name", ROOMS)
@pytest.mark.parametrize("kind", ["request", "response"])
def test_a_room_refuses_non_objects_with_its_name_and_a_path(name: str, kind: str) -> None:
    decode = getattr(load(name), f"decode_{kind}")
    for body in (None, 1, "text", [], True, 1.5):
        with pytest.raises(il.DecodeError) as refused:
            decode(body)
        assert refused.value.dialect == name
        assert refused.value.path == ""


@pytest.mark.parametrize("name", ROOMS)
def test_a_room_reports_losses_with_codes_of_the_closed_list(name: str) -> None:
    said = set()
    for path in (FOLDER / name).glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr in {"lost", "changed"}
            ):
                code = node.args[0]
                options = [code.body, code.orelse] if isinstance(code, ast.IfExp) else [code]
                said.update(option.value for option in options if isinstance(option, ast.Constant))
    assert said <= CODES


def test_every_violation_code_is_used_by_a_rule_and_every_rule_has_a_name_and_a_reason() -> None:
    source = "".join(path.read_text(encoding="utf-8") for path in FOLDER.glob("*/*.py"))
    assert {code for code in VIOLATION_CODES if f'"{code}"' not in source} == set()
    for name in ROOMS:
        for rule in importlib.import_module(f"interlingua.rooms.{name}.rules").RULES:
            assert rule.__doc__


def test_the_list_of_codes_equals_the_type_of_codes() -> None:
    assert frozenset(get_args(LossCode)) == CODES
    assert frozenset(get_args(ViolationCode)) == VIOLATION_CODES


def test_the_deprecated_package_name_gives_the_rooms_with_a_warning() -> None:
    code = (
        "import interlingua as il, warnings; before = il.dialects(); warnings.simplefilter('error');"
        "import interlingua.rooms.claude as claude; import interlingua.dialects;"
        "assert il.dialects() == before == interlingua.dialects();"
        "warnings.simplefilter('ignore');"
        "import interlingua.dialects.claude as older; from interlingua.dialects.gemini import encode;"
        "import interlingua.rooms.gemini.encode as newer;"
        "assert older is claude and encode is newer;"
        "assert claude.__spec__.name == claude.__name__ == 'interlingua.rooms.claude';"
        "warnings.simplefilter('error');"
        "import interlingua.dialects.ollama"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert done.returncode == 1
    assert b"DeprecationWarning: interlingua.dialects.ollama is called interlingua.rooms.ollama" in done.stderr
