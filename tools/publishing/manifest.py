"""The manifest of a release: the checksums of its files, and the bill of materials (CycloneDX)."""

from __future__ import annotations

import hashlib
import re
import time
import tomllib
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

__all__ = ["bill", "checksums", "moment"]

_REQUIREMENT: Final = re.compile(r"(?P<name>[A-Za-z0-9._-]+)(?:\[[^\]]*\])?(?P<version>.*)")
_POM: Final = "{http://maven.apache.org/POM/4.0.0}"


def checksums(folder: Path, own: str) -> str:
    """Return the text of `SHA256SUMS`, as read by `sha256sum --check`: all files of a folder except itself."""
    found = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    lines = (
        f"{hashlib.sha256(found[name].read_bytes()).hexdigest()}  {name}\n" for name in sorted(found) if name != own
    )
    return "".join(lines)


def moment(epoch: int) -> str:
    """Return a time in seconds since 1970 as a date and time."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(epoch))


def bill(project: Mapping[str, Any], manifests: Path, epoch: int) -> dict[str, Any]:
    """Return the bill of materials: our packages, and what each of them depends on.

    Args:
        project: The table of `pyproject.toml`.
        manifests: The folder with those of Rust and of Java. TypeScript and Go depend on nothing.
        epoch: When it was made.

    Returns:
        A CycloneDX document. Versions are those that we ask for; what is installed is a matter of who installs.
    """
    version = project["version"]
    needed = {
        f"pkg:pypi/{project['name']}@{version}": list(_python(project)),
        f"pkg:cargo/interlingua-types@{version}": list(_rust(manifests / "Cargo.toml")),
        f"pkg:maven/interlingua-types@{version}": list(_java(manifests / "pom.xml")),
        f"pkg:npm/interlingua-types@{version}": [],
        f"pkg:golang/interlingua-types@{version}": [],
    }
    others = {one["bom-ref"]: one for several in needed.values() for one in several}
    ours = [_component(reference, "Apache-2.0") for reference in needed]
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "timestamp": moment(epoch),
            "component": {"type": "library", "name": project["name"], "version": version},
        },
        "components": [*ours, *(others[name] for name in sorted(others))],
        "dependencies": [
            {"ref": reference, "dependsOn": sorted(one["bom-ref"] for one in several)}
            for reference, several in needed.items()
        ],
    }


def _component(reference: str, licence: str | None = None) -> dict[str, Any]:
    """Return a component by its package URL, which is also its reference in the bill."""
    name, _, version = reference.partition(":")[2].partition("/")[2].partition("@")
    said = {"licenses": [{"license": {"id": licence}}]} if licence else {}
    wanted = {"version": version} if version else {}
    return {"type": "library", "bom-ref": reference, "name": name, **wanted, **said, "purl": reference}


def _python(project: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    extras: Mapping[str, list[str]] = project["optional-dependencies"]
    for line in [*project["dependencies"], *(one for extra in extras.values() for one in extra)]:
        found = _REQUIREMENT.match(line)
        if found is not None:
            yield _component(f"pkg:pypi/{found['name'].lower()}@{found['version'].removeprefix('>=')}")


def _rust(path: Path) -> Iterator[dict[str, Any]]:
    table = tomllib.loads(path.read_text(encoding="utf-8"))["dependencies"]
    for name, wanted in table.items():
        yield _component(f"pkg:cargo/{name}@{wanted if isinstance(wanted, str) else wanted['version']}")


def _java(path: Path) -> Iterator[dict[str, Any]]:
    for one in ET.parse(path).getroot().iter(f"{_POM}dependency"):  # noqa: S314  # a file of this repository
        group, name, version = (one.findtext(f"{_POM}{tag}") for tag in ("groupId", "artifactId", "version"))
        yield _component(f"pkg:maven/{group}/{name}@{version}")
