"""The programs that generate parts of the output, each at the version whose output is committed."""

from __future__ import annotations

import subprocess
import sys
import warnings
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from typing import Final

from problems import SchemaProblem
from sources import Document, canonical_text

# Output changes between releases: another version would generate different files from the same source.
PINS: Final[Mapping[str, str]] = {"datamodel-code-generator": "0.89.0", "ruff": "0.17.6"}
LINE_LENGTH: Final = 120


def check_pin(package: str) -> None:
    """Check that a tool is installed in exactly the pinned version.

    Raises:
        SchemaProblem: it is missing, or another version.
    """
    try:
        found = version(package)
    except PackageNotFoundError:
        found = "none"
    if found != PINS[package]:
        raise SchemaProblem("schema/compiler/toolchain.py", "pin", f"{package} must be {PINS[package]}, not {found}")


def generate_models(schema: Document, bases: Mapping[str, list[str]]) -> str:
    """Return the output of datamodel-code-generator for a flat schema. A warning is an error: it may mean wrong output.

    Raises:
        SchemaProblem: the generator is not the pinned one, or refuses the schema.
    """
    check_pin("datamodel-code-generator")
    # Imported here because checking and sealing need no generator, and the import is slow.
    from datamodel_code_generator import InputFileType, LiteralType, generate  # noqa: PLC0415
    from datamodel_code_generator.enums import (  # noqa: PLC0415
        DataModelType,
        StrictTypes,
        TargetPydanticVersion,
        UnionMode,
    )
    from datamodel_code_generator.format import PythonVersion  # noqa: PLC0415

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        text = generate(
            canonical_text(schema),
            input_filename="schema.json",
            input_file_type=InputFileType.JsonSchema,
            schema_version="2020-12",
            output_model_type=DataModelType.PydanticV2BaseModel,
            target_python_version=PythonVersion.PY_311,
            target_pydantic_version=TargetPydanticVersion.V2_11,
            base_class="interlingua_types._base.InterlinguaModel",
            base_class_map=dict(bases),
            strict_types=[StrictTypes.str, StrictTypes.bool],
            enum_field_as_literal=LiteralType.All,
            use_one_literal_as_default=True,
            union_mode=UnionMode.left_to_right,
            use_annotated=True,
            field_constraints=True,
            use_union_operator=True,
            use_standard_collections=True,
            use_exact_imports=True,
            use_type_alias=True,
            skip_root_model=True,
            strict_nullable=True,
            strict_refs=True,
            allow_remote_refs=False,
            use_schema_description=True,
            use_field_description=True,
            use_single_line_docstring=True,
            use_double_quotes=True,
            disable_timestamp=True,
            # Formatting is one step for all files, at the end.
            formatters=[],
        )
    if not isinstance(text, str):
        raise SchemaProblem("schema/compiler/toolchain.py", "generator", "made several modules of one flat schema")
    return text


def format_python(text: str) -> str:
    """Return formatted Python text.

    Raises:
        SchemaProblem: the formatter is not the pinned one, or the text is no Python.
    """
    check_pin("ruff")
    # Isolated from any settings file, without a cache beside the output.
    command = [sys.executable, "-m", "ruff", "format", "--isolated", "--no-cache", "--line-length", str(LINE_LENGTH)]
    command += ["--target-version", "py311", "--stdin-filename", "module.py", "-"]
    done = subprocess.run(command, input=text.encode("utf-8"), capture_output=True, check=False)  # noqa: S603
    if done.returncode != 0:
        raise SchemaProblem("schema/compiler/toolchain.py", "ruff", done.stderr.decode("utf-8", "replace").strip())
    return done.stdout.decode("utf-8")
