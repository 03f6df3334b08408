"""Build what is published: the wheel, the sdist, the bundles laid out by their addresses, packages of other languages.

Nothing is generated and nothing is sent anywhere. These packages are plain text, so Python alone can make them.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

ROOT: Final = Path(__file__).resolve().parents[1]
TYPES: Final = ROOT / "generated" / "typescript"
TEMPLATES: Final = ROOT / "tools" / "languages"


def bundles() -> dict[str, Path]:
    """Return the bundle of each version, oldest first, by the name of its folder."""
    found = (ROOT / "generated" / "interlingua_types").glob("v*/schema.json")
    return {path.parent.name: path for path in sorted(found, key=lambda path: int(path.parent.name[1:]))}


def build_wheel(out: Path) -> list[Path]:
    """Build the wheel alone, from the checkout."""
    return _build(out, "--wheel")


def build_distributions(out: Path) -> list[Path]:
    """Build the sdist, and the wheel from that sdist, which shows that the sdist is whole."""
    return _build(out)


def write_bundles(out: Path) -> list[Path]:
    """Copy each bundle to the path of its `$id`, so that the folder can be served as it is."""
    shutil.rmtree(out / "schema", ignore_errors=True)
    written: list[Path] = []
    for path in bundles().values():
        address: str = json.loads(path.read_text(encoding="utf-8"))["$id"]
        target = out / urlsplit(address).path.lstrip("/")
        target.parent.mkdir(parents=True, exist_ok=True)
        written.append(Path(shutil.copyfile(path, target)))
    return written


def write_npm_package(out: Path) -> list[Path]:
    """Write the npm package: `package.json`, the types as declarations, and the bundles as JSON."""
    folder = out / "npm"
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "schema").mkdir(parents=True)
    versions = bundles()
    for key, path in versions.items():
        shutil.copyfile(path, folder / "schema" / f"{key}.json")
        shutil.copyfile(TYPES / f"{key}.ts", folder / f"{key}.d.ts")
        _write(folder / f"{key}.js", "export {};\n")
    shutil.copyfile(ROOT / "LICENSE", folder / "LICENSE")
    shutil.copyfile(ROOT / "tools" / "npm_readme.md", folder / "README.md")
    _write(folder / "package.json", json.dumps(npm_manifest(versions), indent=2) + "\n")
    numbers = ", ".join(key[1:] for key in versions)
    settings = json.loads((ROOT / "schema" / "settings.json").read_text(encoding="utf-8"))
    current = settings.get("current", len(versions))
    modules = "".join(f'export * as {key} from "./{key}.js";\n' for key in versions)
    _write(
        folder / "index.js",
        f"{modules}export const VERSIONS = Object.freeze([{numbers}]);\nexport const CURRENT = {current};\n",
    )
    _write(
        folder / "index.d.ts",
        f"{modules}export declare const VERSIONS: readonly [{numbers}];\nexport declare const CURRENT: {current};\n",
    )
    return sorted(path for path in folder.rglob("*") if path.is_file())


def write_crate(out: Path) -> list[Path]:
    """Write the Rust crate: the sources, the bundles, and its manifest."""
    return _write_language(out / "crate", ROOT / "generated" / "rust", "Cargo.toml", "rust.md")


def write_go_module(out: Path) -> list[Path]:
    """Write the Go module: a package for each version."""
    return _write_language(out / "go", ROOT / "generated" / "go", "go.mod", "go.md")


def write_maven_project(out: Path) -> list[Path]:
    """Write the Maven project: a Java package for each version."""
    return _write_language(out / "maven", ROOT / "generated" / "java", "pom.xml", "java.md", "src/main/java")


def _write_language(folder: Path, sources: Path, manifest: str, readme: str, inner: str = ".") -> list[Path]:
    """Copy the sources of a language, the bundles and the licence; fill in the manifest."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(sources, folder / inner)
    (folder / "schema").mkdir()
    for key, path in bundles().items():
        shutil.copyfile(path, folder / "schema" / f"{key}.json")
    shutil.copyfile(ROOT / "LICENSE", folder / "LICENSE")
    shutil.copyfile(TEMPLATES / readme, folder / "README.md")
    text = (TEMPLATES / manifest).read_text(encoding="utf-8")
    for mark, value in _marks().items():
        text = text.replace(mark, value)
    _write(folder / manifest, text)
    return sorted(path for path in folder.rglob("*") if path.is_file())


def _marks() -> dict[str, str]:
    """Return what the manifests leave open: the version, and names under the host of everything that is published."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    settings: dict[str, str] = json.loads((ROOT / "schema" / "settings.json").read_text(encoding="utf-8"))
    host = str(urlsplit(settings["base"]).hostname)
    group = ".".join(reversed(host.split(".")))
    return {"@VERSION@": project["version"], "@GO_MODULE@": f"{host}/types", "@JAVA_GROUP@": group}


def npm_manifest(versions: Mapping[str, Path]) -> dict[str, Any]:
    """Return `package.json`: the template, this version, and one entry point for each schema version."""
    template: dict[str, Any] = json.loads((ROOT / "tools" / "npm_package.json").read_text(encoding="utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    entries = {".": {"types": "./index.d.ts", "default": "./index.js"}}
    entries |= {f"./{key}": {"types": f"./{key}.d.ts", "default": f"./{key}.js"} for key in versions}
    exports: dict[str, Any] = {**entries, "./schema/*": "./schema/*", "./package.json": "./package.json"}
    return {"name": template["name"], "version": project["version"], **template, "exports": exports}


PARTS: Final[Mapping[str, Callable[[Path], list[Path]]]] = {
    "wheel": build_wheel,
    "python": build_distributions,
    "bundles": write_bundles,
    "npm": write_npm_package,
    "crate": write_crate,
    "go": write_go_module,
    "maven": write_maven_project,
}
DEFAULT_PARTS: Final = ("python", "bundles", "npm", "crate", "go", "maven")


def main(arguments: list[str]) -> None:
    """Build the parts that were asked for and print what was written."""
    parser = argparse.ArgumentParser(description="Build what is published.")
    parser.add_argument("--out", type=Path, default=ROOT / "dist", help="where to write; default: dist")
    parser.add_argument("--only", choices=tuple(PARTS), help="build one part alone")
    options = parser.parse_args(arguments)
    out: Path = options.out.resolve()
    for part in [options.only] if options.only else DEFAULT_PARTS:
        for path in PARTS[part](out):
            print(path.relative_to(out).as_posix())


def _build(out: Path, *options: str) -> list[Path]:
    patterns = ("interlingua-*.whl", "interlingua-*.tar.gz")
    for pattern in patterns:
        for old in out.glob(pattern):
            old.unlink()
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(out), *options, str(ROOT)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return sorted(path for pattern in patterns for path in out.glob(pattern))


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
