"""Read and check the source: settings, versions and their files.

A folder `v3` is a version, a folder in it is a union, a file in that is a variant; `shared` holds the rest. The files
say neither their own address nor the list of their neighbours: both follow from where they are.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final, TypeAlias, TypeGuard, cast

from jsonschema import Draft202012Validator, ValidationError

from problems import SchemaProblem, collect_results, refuse

Json: TypeAlias = Any
Document: TypeAlias = dict[str, Any]

SHARED: Final = "shared"
WORDS: Final = "x-words-of"
VERSION_FILE: Final = "version.json"
CHANGES_FILE: Final = "changes.json"
SETTINGS_FILE: Final = "schema/settings.json"
# Rules whose messages say what is wrong, and not what is expected.
_UNEXPLAINED: Final = frozenset({"minLength", "pattern"})


@dataclass(frozen=True)
class SourceFile:
    """One file of a version: a variant of a union, or a shared type."""

    path: str
    folder: str
    stem: str
    name: str
    uri: str
    document: Document


@dataclass(frozen=True)
class Version:
    """One version folder, read and in order."""

    number: int
    path: str
    base: str
    title: str
    description: str
    root: str | None
    unions: Mapping[str, str]
    fallback: Mapping[str, str]
    is_open: bool
    files: tuple[SourceFile, ...]

    @property
    def key(self) -> str:
        """The folder's name, which is also the name of the generated package: `v3`."""
        return f"v{self.number}"

    @property
    def address(self) -> str:
        """The URL at which the version is published."""
        return f"{self.base}{self.key}/"

    @cached_property
    def names(self) -> Mapping[str, str]:
        """The class name of every URL: of files, unions, and unions with their fallback."""
        names = {file.uri: file.name for file in self.files}
        names |= {self.address + union: camel_case(union) for union in self.unions}
        return names | {self.address + f"any_{union}": f"Any{camel_case(union)}" for union in self.fallback}

    def variants(self, union: str) -> tuple[SourceFile, ...]:
        """Return the variants of a union, by stem."""
        return tuple(file for file in self.files if file.folder == union)


def is_json_object(node: Json) -> TypeGuard[Document]:
    """Tell whether a JSON value is an object."""
    return isinstance(node, dict)


def is_json_array(node: Json) -> TypeGuard[list[Json]]:
    """Tell whether a JSON value is an array."""
    return isinstance(node, list)


def camel_case(stem: str) -> str:
    """Return the class name of a stem: tool_call -> ToolCall."""
    return "".join(word[:1].upper() + word[1:] for word in stem.split("_"))


def canonical_text(document: Json) -> str:
    """Return the formatted text of a source file: two spaces, keys in a fixed order, a newline at the end."""
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def rewrite(root: Path) -> list[str]:
    """Format every source file, and return what was done.

    Raises:
        SchemaProblem: a file is no JSON.
    """
    done: list[str] = []
    for path in _source_files(root):
        file = path.relative_to(root).as_posix()
        text, document = _parse(path, file)
        if text != canonical_text(document):
            path.write_text(canonical_text(document), encoding="utf-8", newline="\n")
            done.append(f"formatted {file}")
    return done


def check_form(root: Path) -> None:
    """Check the formatting of every source file, and not its content.

    Raises:
        SchemaProblem: files are no JSON, or not written in the canonical way; all of them are told.
    """
    collect_results(lambda path: _check_form(path, path.relative_to(root).as_posix()), _source_files(root))


def _check_form(path: Path, file: str) -> None:
    text, document = _parse(path, file)
    if text != canonical_text(document):
        raise SchemaProblem(file, "format", "not in canonical form; run `nox -s generate -- --format`")


def _source_files(root: Path) -> list[Path]:
    """Return the JSON files below `schema/`, without the vectors."""
    return [
        path
        for path in sorted((root / "schema").glob("**/*.json"))
        if not path.relative_to(root).as_posix().startswith("schema/vectors/")
    ]


def read_json(root: Path, path: Path) -> Json:
    """Return the content of a file below `root`, however it is formatted (see `check_form`).

    Raises:
        SchemaProblem: the file is no UTF-8, no JSON, or has a key twice.
    """
    return _parse(path, path.relative_to(root).as_posix())[1]


def check_against(meta_schema: Path, document: Json, file: str) -> None:
    """Check a document against one of the compiler's schemas.

    Raises:
        SchemaProblem: it breaks rules; of several at one place, or around it, only the deepest are told.
    """
    rules = json.loads(meta_schema.read_text(encoding="utf-8"))
    errors = sorted(schema_errors(Draft202012Validator(rules), document), key=lambda error: -len(error.path))
    problems: list[SchemaProblem] = []
    reported_paths: set[tuple[Any, ...]] = set()
    for error in errors:
        path = tuple(error.path)
        if any(deeper[: len(path)] == path and deeper != path for deeper in reported_paths):
            continue
        reported_paths.add(path)
        place = "/" + "/".join(str(step) for step in path)
        problems.append(SchemaProblem(file, str(error.validator), f"{place}: {error.message}{_hint(error)}", place))
    refuse(problems)


def _hint(error: ValidationError) -> str:
    """Return the expected value from the schema's description, if the message only says what is wrong."""
    expected = error.schema.get("description") if isinstance(error.schema, dict) else None
    return f"; what it is to be: {expected}" if expected and error.validator in _UNEXPLAINED else ""


def schema_errors(validator: Draft202012Validator, document: Json) -> list[ValidationError]:
    """Return all errors of a document, by place."""
    errors: list[ValidationError] = list(cast("Any", validator).iter_errors(document))
    return sorted(errors, key=lambda error: [str(step) for step in error.path])


def read_settings(root: Path) -> str:
    """Return the base URL of all schemas.

    Raises:
        SchemaProblem: a setting is missing, misspelt or unknown.
    """
    return cast("str", _settings(root)["base"])


def read_current(root: Path) -> int:
    """Return the version that the codecs use and write; by default the newest.

    Raises:
        SchemaProblem: a setting is missing, misspelt or unknown, or there is no such version.
    """
    newest = len(version_folders(root))
    current = cast("int", _settings(root).get("current", newest))
    if current > newest:
        raise SchemaProblem(SETTINGS_FILE, "current", f"there is no v{current}; the newest version is v{newest}")
    return current


def _settings(root: Path) -> Document:
    settings: Document = read_json(root, root / SETTINGS_FILE)
    check_against(root / "schema" / "settings.schema.json", settings, SETTINGS_FILE)
    return settings


def version_folders(root: Path) -> list[Path]:
    """Return the version folders, oldest first.

    Raises:
        SchemaProblem: there is none, or a number is missing between two.
    """
    folders = [path for path in (root / "schema").glob("v*") if path.is_dir() and path.name[1:].isdigit()]
    folders.sort(key=lambda path: int(path.name[1:]))
    numbers = [int(path.name[1:]) for path in folders]
    if not numbers or numbers != list(range(1, len(numbers) + 1)):
        raise SchemaProblem("schema", "versions", f"the versions must be v1, v2, ... without a gap, not {numbers}")
    return folders


def read_version(root: Path, folder: Path, base: str) -> Version:
    """Return one version with all its files, checked against the meta-schema (see `rules.py` for further rules).

    Raises:
        SchemaProblem: a file is missing, stray, or breaks a rule.
    """
    file = (folder / VERSION_FILE).relative_to(root).as_posix()
    facts = read_json(root, folder / VERSION_FILE)
    check_against(root / "schema" / "version.schema.json", facts, file)
    if folder.name != f"v{facts['version']}":
        raise SchemaProblem(file, "version", f"the folder is {folder.name}, the file says {facts['version']}")
    files = tuple(_read_files(root, folder, f"{base}{folder.name}/", facts))
    return Version(
        number=facts["version"],
        path=folder.relative_to(root).as_posix(),
        base=base,
        title=facts["title"],
        description=facts["description"],
        root=facts.get("root"),
        unions=facts["unions"],
        fallback=facts.get("fallback", {}),
        is_open=facts["open"],
        files=files,
    )


def _read_files(root: Path, folder: Path, address: str, facts: Document) -> list[SourceFile]:
    """Read the files of a version in the order of their paths.

    Raises:
        SchemaProblem: files are stray, or break rules; all of them are told.
    """
    paths = sorted(folder.rglob("*"), key=lambda path: path.relative_to(folder).as_posix())
    own = {folder / VERSION_FILE, folder / CHANGES_FILE}
    files = [path for path in paths if not path.is_dir() and path not in own]
    return collect_results(lambda path: _read_file(root, folder, path, address, facts), files)


def _read_file(root: Path, folder: Path, path: Path, address: str, facts: Document) -> SourceFile:
    """Read one file of a version."""
    folders = {*facts["unions"], SHARED}
    place, file = path.relative_to(folder), path.relative_to(root).as_posix()
    if len(place.parts) != 2 or place.parts[0] not in folders or path.suffix != ".json":
        known = ", ".join(sorted(folders))
        detail = "only <union>/<variant>.json and shared/<name>.json stand in a version"
        raise SchemaProblem(file, "layout", f"{detail}; the folders are {known}, and {VERSION_FILE} names the unions")
    key = f"{place.parts[0]}/{path.stem}"
    union = "" if place.parts[0] == SHARED else camel_case(place.parts[0])
    document = read_json(root, path)
    check_against(root / "schema" / "house.schema.json", document, file)
    return SourceFile(
        path=file,
        folder=place.parts[0],
        stem=path.stem,
        name=facts["names"].get(key, camel_case(path.stem) + union),
        uri=f"{address}{place.as_posix()}",
        document=_with_words(document, folder, file, facts),
    )


def _with_words(document: Document, folder: Path, file: str, facts: Document) -> Document:
    """Return a file's content with the words of `x-words-of`: the tags of the variants of a union.

    Raises:
        SchemaProblem: there is no such union.
    """
    union = document.get(WORDS)
    if union is None:
        return document
    if union not in facts["unions"]:
        known = ", ".join(facts["unions"])
        raise SchemaProblem(file, WORDS, f"there is no union {union}; the unions are {known}", f"/{WORDS}")
    words = sorted(path.stem for path in (folder / union).glob("*.json"))
    return {("enum" if key == WORDS else key): (words if key == WORDS else value) for key, value in document.items()}


def _parse(path: Path, file: str) -> tuple[str, Json]:
    """Return a file's text and content.

    Raises:
        SchemaProblem: it is missing, no UTF-8, no JSON, or has a key twice in one object.
    """
    try:
        text = path.read_bytes().decode("utf-8")
        return text, json.loads(text, object_pairs_hook=_unique_members)
    except (ValueError, OSError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise SchemaProblem(file, "json", str(reason)) from error


def _unique_members(members: list[tuple[str, Json]]) -> Document:
    """Return an object, and raise an error for a duplicate key."""
    document = dict(members)
    if len(document) != len(members):
        message = "a key stands twice in one object"
        raise ValueError(message)
    return document
