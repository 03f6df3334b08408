"""Builds what is published: the wheel, the sdist, the bundles by their URLs, and the packages of other languages.

Nothing is uploaded. Everything except the jar is plain text, so Python alone can build it. Two runs give equal bytes:
times are those of `SOURCE_DATE_EPOCH`, or of the last commit if it is not set.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from publishing import archives, manifest

ROOT: Final = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "schema" / "compiler"))

# Only modules without dependencies: the wheel is built where nothing else is installed.
from public import go_module, java_package, public_bundle, public_roots  # noqa: E402  # found through the line above

TYPES: Final = ROOT / "generated" / "typescript"
TEMPLATES: Final = ROOT / "tools" / "languages"


def bundles() -> dict[str, Path]:
    """Return the bundle of each version, oldest first, by the name of its folder."""
    found = (ROOT / "generated" / "interlingua_types").glob("v*/schema.json")
    return {path.parent.name: path for path in sorted(found, key=lambda path: int(path.parent.name[1:]))}


def build_wheel(out: Path) -> list[Path]:
    """Build only the wheel, from the checkout."""
    return _build(out, "--wheel")


def build_distributions(out: Path) -> list[Path]:
    """Build the sdist, and the wheel from that sdist, which shows that the sdist is complete."""
    return _build(out)


def write_bundles(out: Path) -> list[Path]:
    """Write each bundle, and each public object, to the path of its `$id`, so that the folder can be served."""
    shutil.rmtree(out / "schema", ignore_errors=True)
    written: list[Path] = []
    for path in bundles().values():
        bundled = json.loads(path.read_text(encoding="utf-8"))
        for document in (public_bundle(bundled), *public_roots(bundled).values()):
            address: str = document["$id"]
            target = out / urlsplit(address).path.lstrip("/")
            target.parent.mkdir(parents=True, exist_ok=True)
            _write(target, _json(document))
            written.append(target)
    return written


def write_vectors(out: Path) -> list[Path]:
    """Write the vectors, of documents and of translation, into one archive."""
    target = out / f"interlingua-vectors-{_version()}.zip"
    archives.write_zip(target, ROOT / "schema" / "vectors", target.stem, _epoch())
    return [target]


def write_npm_package(out: Path) -> list[Path]:
    """Write the npm package: `package.json`, the types as declarations, and the bundles as JSON."""
    folder = out / "npm"
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "schema").mkdir(parents=True)
    versions = bundles()
    for key, path in versions.items():
        _write_public(path, folder / "schema" / f"{key}.json")
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
        _write_public(path, folder / "schema" / f"{key}.json")
    shutil.copyfile(ROOT / "LICENSE", folder / "LICENSE")
    shutil.copyfile(TEMPLATES / readme, folder / "README.md")
    text = (TEMPLATES / manifest).read_text(encoding="utf-8")
    for mark, value in _marks().items():
        text = text.replace(mark, value)
    _write(folder / manifest, text)
    archives.settle(folder)
    return sorted(path for path in folder.rglob("*") if path.is_file())


def _marks() -> dict[str, str]:
    """Return the placeholders of the manifests: the version, and the names of the generated types."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    settings: dict[str, str] = json.loads((ROOT / "schema" / "settings.json").read_text(encoding="utf-8"))
    base = settings["base"]
    group = java_package(base).removesuffix(".types")
    return {"@VERSION@": project["version"], "@GO_MODULE@": go_module(base), "@JAVA_GROUP@": group}


def npm_manifest(versions: Mapping[str, Path]) -> dict[str, Any]:
    """Return `package.json`: the template, this version, and one entry point for each schema version."""
    template: dict[str, Any] = json.loads((ROOT / "tools" / "npm_package.json").read_text(encoding="utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    entries = {".": {"types": "./index.d.ts", "default": "./index.js"}}
    entries |= {f"./{key}": {"types": f"./{key}.d.ts", "default": f"./{key}.js"} for key in versions}
    exports: dict[str, Any] = {**entries, "./schema/*": "./schema/*", "./package.json": "./package.json"}
    return {"name": template["name"], "version": project["version"], **template, "exports": exports}


def write_archives(out: Path) -> list[Path]:
    """Write the archive of each language's package from its folder, in the form of its registry or tools."""
    version, epoch = _version(), _epoch()
    module = _marks()["@GO_MODULE@"]
    npm, crate = out / f"interlingua-types-{version}.tgz", out / f"interlingua-types-{version}.crate"
    proxy = out / "go-proxy" / module / "@v"
    shutil.rmtree(out / "go-proxy", ignore_errors=True)
    proxy.mkdir(parents=True)
    archives.write_tar(npm, out / "npm", "package", epoch)
    archives.write_tar(crate, out / "crate", f"interlingua-types-{version}", epoch)
    archives.write_zip(proxy / f"v{version}.zip", out / "go", f"{module}@v{version}", epoch)
    shutil.copyfile(out / "go" / "go.mod", proxy / f"v{version}.mod")
    _write(proxy / f"v{version}.info", json.dumps({"Version": f"v{version}", "Time": manifest.moment(epoch)}) + "\n")
    _write(proxy / "list", f"v{version}\n")
    return [npm, crate, *sorted(proxy.iterdir())]


def write_jar(out: Path) -> list[Path]:
    """Build the Maven artefact into a separate repository.

    Needs Maven and a JDK with reproducible output.

    Raises:
        SystemExit: Maven is not installed.
    """
    if shutil.which("mvn") is None:
        sys.exit("error: mvn is not there; it builds the jar")
    repository = out / "maven-repository"
    shutil.rmtree(repository, ignore_errors=True)
    command = ["mvn", "--batch-mode", "--quiet", "--strict-checksums", "--file", str(out / "maven" / "pom.xml")]
    place = f"local::{repository.as_uri()}"
    # The jar has the file modes of compiled files, which depend on the umask.
    subprocess.run([*command, "clean", "deploy", f"-DaltDeploymentRepository={place}"], check=True, umask=0o022)
    shutil.rmtree(out / "maven" / "target")
    for listing in repository.rglob("maven-metadata.xml*"):  # they contain the build time
        listing.unlink()
    return sorted(path for path in repository.rglob("*") if path.is_file())


def write_manifest(out: Path) -> list[Path]:
    """Write the manifest of the folder: the SBOM and the checksums of all files."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    sbom, sums = out / "sbom.cdx.json", out / "SHA256SUMS"
    _write(sbom, _json(manifest.bill(project, ROOT / "tools" / "languages", _epoch())))
    _write(sums, manifest.checksums(out, sums.name))
    return [sbom, sums]


PARTS: Final[Mapping[str, Callable[[Path], list[Path]]]] = {
    "wheel": build_wheel,
    "python": build_distributions,
    "bundles": write_bundles,
    "npm": write_npm_package,
    "crate": write_crate,
    "go": write_go_module,
    "maven": write_maven_project,
    "vectors": write_vectors,
    "archives": write_archives,
    "jar": write_jar,
    "manifest": write_manifest,
}
DEFAULT_PARTS: Final = ("python", "bundles", "npm", "crate", "go", "maven", "vectors", "archives", "manifest")


def main(arguments: list[str]) -> None:
    """Build the requested parts and print the files written."""
    parser = argparse.ArgumentParser(description="Build what is published.")
    parser.add_argument("--out", type=Path, default=ROOT / "dist", help="where to write; default: dist")
    parser.add_argument("--only", choices=tuple(PARTS), help="build one part alone")
    parser.add_argument("--with-jar", action="store_true", help="build the jar, too, which needs Maven")
    options = parser.parse_args(arguments)
    out: Path = options.out.resolve()
    parts: list[str] = [options.only] if options.only else list(DEFAULT_PARTS)
    if options.with_jar:
        parts.insert(parts.index("manifest"), "jar")
    for part in parts:
        for path in PARTS[part](out):
            print(path.relative_to(out).as_posix())


def _build(out: Path, *options: str) -> list[Path]:
    patterns = ("interlingua-*.whl", "interlingua-*.tar.gz")
    for pattern in patterns:
        for old in out.glob(pattern):
            old.unlink()
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(out), *options, str(ROOT)]
    environment = {**os.environ, "SOURCE_DATE_EPOCH": str(_epoch())}
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment)
    return sorted(path for pattern in patterns for path in out.glob(pattern))


def _version() -> str:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return str(project["version"])


def _epoch() -> int:
    """Return the time stamp of all files of a build, in seconds since 1970."""
    if said := os.environ.get("SOURCE_DATE_EPOCH"):
        return int(said)
    command = ["git", "-C", str(ROOT), "log", "-1", "--format=%ct"]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    return int(done.stdout) if done.returncode == 0 else archives.EARLIEST


def _write_public(source: Path, target: Path) -> None:
    """Write a bundle in its published form."""
    _write(target, _json(public_bundle(json.loads(source.read_text(encoding="utf-8")))))


def _json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
