"""tests/vectors/migrate: the folder says which way, the files are the list, and each file is used.

A file has `description`, the `version` of the documents under `from`, and what they become under `to`. Files of `down`
have `target`, and the `losses`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import pytest

from interlingua.migrate import downgrade, upgrade
from interlingua.migrate.steps import upgrade_to
from interlingua.validation import validate
from support.versions import as_current

VECTORS: Final = Path(__file__).parents[1] / "vectors" / "migrate"
FILES: Final = sorted(VECTORS.glob("*/*.json"))
STEPS: Final = {"v1_v2": (1, 2), "v2_v3": (2, 3), "v1_v3": (1, 3)}


def vector(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return {name: as_current(value) if name in {"from", "to"} else value for name, value in found.items()}


def in_folders(*folders: str) -> list[Any]:
    return [pytest.param(path, id=f"{path.parent.name}/{path.stem}") for path in FILES if path.parent.name in folders]


def test_every_vector_folder_is_run_and_has_only_vectors() -> None:
    assert {path.name for path in VECTORS.iterdir()} == {*STEPS, "down"}
    found = {path for path in VECTORS.rglob("*") if path.is_file()}
    assert found
    assert set(FILES) == found


@pytest.mark.parametrize("path", in_folders("v1_v2"))
def test_one_upgrade_step_gives_the_result_of_the_vector(path: Path) -> None:
    case = vector(path)
    assert [made for document in case["from"] for made in upgrade_to(document, 1, 2)] == case["to"]


@pytest.mark.parametrize("path", in_folders("v1_v2"))
def test_one_downgrade_step_reverses_the_upgrade_step(path: Path) -> None:
    case = vector(path)
    for raised, document in zip(case["to"], case["from"], strict=True):
        upgraded = upgrade([raised], version=2).documents
        assert downgrade(upgraded, to=1).documents == [document]


@pytest.mark.parametrize("path", in_folders("v2_v3", "v1_v3"))
def test_an_upgrade_gives_the_result_of_the_vector_without_losses(path: Path) -> None:
    case = vector(path)
    upgraded = upgrade(case["from"], version=case["version"])
    assert upgraded.documents == case["to"]
    assert upgraded.losses == ()
    assert [validate(document) for document in upgraded.documents] == [[]] * len(case["to"])


@pytest.mark.parametrize("path", in_folders("v2_v3", "v1_v3"))
def test_a_downgrade_reverses_the_upgrade_without_losses(path: Path) -> None:
    case = vector(path)
    downgraded = downgrade(case["to"], to=case["version"])
    assert downgraded.documents == case["from"]
    assert downgraded.losses == ()


@pytest.mark.parametrize("path", in_folders("down"))
def test_a_downgrade_gives_the_result_and_losses_of_the_vector(path: Path) -> None:
    case = vector(path)
    downgraded = downgrade(case["from"], to=case["target"])
    assert downgraded.documents == case["to"]
    found = [{"path": loss.path, "code": loss.code, "severity": loss.severity} for loss in downgraded.losses]
    assert found == case["losses"]
    assert [validate(document, case["target"]) for document in downgraded.documents] == [[]] * len(case["to"])
