"""Seals: a sealed version must not change. SEALS.json has the digest of each sealed folder.

Sealing, opening the next version and moving the codecs to it are three steps, so that a release can seal what it writes
without opening anything, and people can work at a next version that no codec speaks yet.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, cast

from problems import SchemaProblem, refuse
from sources import (
    CHANGES_FILE,
    SETTINGS_FILE,
    VERSION_FILE,
    canonical_text,
    is_json_array,
    is_json_object,
    read_json,
    version_folders,
)

SEALS_FILE: Final = "schema/SEALS.json"


def digest(folder: Path) -> str:
    """Return a digest of the JSON files of a folder, including their names."""
    sha = hashlib.sha256()
    for path in sorted(folder.rglob("*.json"), key=lambda path: path.relative_to(folder).as_posix()):
        name, content = path.relative_to(folder).as_posix().encode("utf-8"), path.read_bytes()
        # Lengths first, so that no two different folders give the same bytes.
        sha.update(f"{len(name)} {len(content)}\n".encode() + name + content)
    return sha.hexdigest()


def read_seals(root: Path) -> dict[str, str]:
    """Return the digest of every sealed version, by folder name."""
    path = root / SEALS_FILE
    return cast("dict[str, str]", read_json(root, path)) if path.is_file() else {}


def verify(root: Path) -> dict[str, str]:
    """Check every seal, byte for byte, and return them.

    Raises:
        SchemaProblem: a sealed version was changed, is missing, or one that is not the newest has no seal.
    """
    seals = read_seals(root)
    folders = {folder.name: folder for folder in version_folders(root)}
    problems = _problems(folders, seals)
    for key in list(folders)[:-1]:
        if key not in seals:
            detail = f"{key} has no seal, and only the newest version may be open; run `nox -s seal -- {key}`"
            problems.append(SchemaProblem(f"schema/{key}", "seal", detail))
    refuse(problems)
    return seals


def refuse_changes(root: Path) -> None:
    """Raise an error if a sealed version was changed.

    Raises:
        SchemaProblem: a sealed version was changed or is missing.
    """
    refuse(_problems({folder.name: folder for folder in version_folders(root)}, read_seals(root)))


def _problems(folders: Mapping[str, Path], seals: Mapping[str, str]) -> list[SchemaProblem]:
    """Return a problem, with advice, for each sealed version that was changed."""
    problems: list[SchemaProblem] = []
    newest = list(folders)[-1] if folders else ""
    following = f"v{len(folders) + 1}"
    place = f"{following}, which `nox -s open -- {following}` opens" if newest in seals else f"{newest}, which is open"
    for key, expected in seals.items():
        if key not in folders:
            problems.append(
                SchemaProblem(f"schema/{key}", "seal", f"{key} is sealed, but its folder is gone; bring it back")
            )
        elif digest(folders[key]) != expected:
            detail = f"{key} is sealed and was changed; take the change back, and make it in {place}"
            problems.append(SchemaProblem(f"schema/{key}", "seal", detail))
    return problems


def seal(root: Path, key: str) -> list[str]:
    """Seal a version. Return what was done.

    Raises:
        SchemaProblem: there is no such version, or it is sealed already.
    """
    folders = {folder.name: folder for folder in version_folders(root)}
    seals = read_seals(root)
    if key not in folders or key in seals:
        reason = "is sealed already" if key in seals else "does not exist"
        raise SchemaProblem(SEALS_FILE, "seal", f"{key} {reason}; the versions are {', '.join(folders)}")
    seals[key] = digest(folders[key])
    ordered = {name: seals[name] for name in folders if name in seals}
    (root / SEALS_FILE).write_text(canonical_text(ordered), encoding="utf-8", newline="\n")
    return [f"sealed {key}; `nox -s open -- v{len(folders) + 1}` opens the next"]


def open_next(root: Path, key: str | None) -> list[str]:
    """Copy the newest version, which must be sealed, with its vectors under the next number. Return what was done.

    Raises:
        SchemaProblem: the newest version is open itself, or `key` is not the number that follows.
    """
    newest = version_folders(root)[-1]
    following = f"v{int(newest.name[1:]) + 1}"
    if key not in {None, following}:
        raise SchemaProblem(f"schema/{key}", "open", f"the next version is {following}, not {key}")
    if newest.name not in read_seals(root):
        detail = f"{newest.name} is open; seal it first, with `nox -s seal -- {newest.name}`, or go on with it"
        raise SchemaProblem(f"schema/{newest.name}", "open", detail)
    _copy_as_next(newest, int(newest.name[1:]))
    done = [f"copied {newest.name} to {following}, which is open"]
    vectors = newest.parent / "vectors" / newest.name
    if vectors.is_dir():
        _copy_with_next_number(vectors, vectors.with_name(following), int(newest.name[1:]))
        done.append(f"copied the vectors of {newest.name} to schema/vectors/{following}")
    return [*done, f"the codecs go on with what they speak; `nox -s move -- {following}` moves them"]


def move(root: Path, key: str | None) -> list[str]:
    """Make a version the one that the codecs use and write. Return what was done.

    Raises:
        SchemaProblem: there is no such version, or it is older than the one that they speak.
    """
    folders = [folder.name for folder in version_folders(root)]
    key = key or folders[-1]
    if key not in folders:
        raise SchemaProblem(SETTINGS_FILE, "current", f"there is no {key}; the versions are {', '.join(folders)}")
    settings = read_json(root, root / SETTINGS_FILE)
    current, requested = settings.get("current", len(folders)), int(key[1:])
    if requested < current:
        detail = (
            f"the codecs speak v{current} and do not go back to {key}: what they wrote would be newer than they are"
        )
        raise SchemaProblem(SETTINGS_FILE, "current", detail)
    text = canonical_text({**settings, "current": requested})
    (root / SETTINGS_FILE).write_text(text, encoding="utf-8", newline="\n")
    return [f"the codecs speak {key}; `nox -s generate` makes the rest follow"]


def _copy_as_next(folder: Path, number: int) -> None:
    """Copy a version to the next number, with an empty list of declared changes."""
    target = folder.with_name(f"v{number + 1}")
    _copy_with_next_number(folder, target, number)
    (target / CHANGES_FILE).write_text(canonical_text([]), encoding="utf-8", newline="\n")


def _copy_with_next_number(folder: Path, target: Path, number: int) -> None:
    """Copy the JSON files of a folder, with every version number increased by one."""
    shutil.copytree(folder, target)
    for path in target.rglob("*.json"):
        document = json.loads(path.read_bytes())
        if path.parent == target and path.name == VERSION_FILE:
            document |= {"version": number + 1, "title": _next_title(document["title"], number)}
        else:
            document = _with_next_number(document, number)
        path.write_text(canonical_text(document), encoding="utf-8", newline="\n")


def _next_title(title: str, number: int) -> str:
    """Return the title of the next version, if the title ends in the number."""
    return f"{title.removesuffix(str(number))}{number + 1}" if title.endswith(str(number)) else title


def _with_next_number(node: Any, number: int, name: str = "") -> Any:
    """Return a file's content with every `schema_version` of this or a newer version increased by one."""
    if is_json_array(node):
        return [_with_next_number(item, number) for item in node]
    if is_json_object(node):
        if name == "schema_version" and ("const" in node or "enum" in node):
            return _next_constant(node, number)
        return {key: _with_next_number(value, number, key) for key, value in node.items()}
    is_version = name == "schema_version" and isinstance(node, int | float) and node >= number
    return node + 1 if is_version else node


def _next_constant(schema: Mapping[str, Any], number: int) -> dict[str, Any]:
    """Return the schema of the member `schema_version` with its constant increased by one."""
    raised = dict(schema)
    if raised.get("const") == number:
        raised["const"] = number + 1
    if raised.get("enum") == [number]:
        raised["enum"] = [number + 1]
    return raised
