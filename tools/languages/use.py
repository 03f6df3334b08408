"""Uses the packages in `dist/` as users do: installs and runs each in an empty project of its language.

    python tools/languages/use.py [--dist FOLDER] [python] [typescript] [rust] [go] [java]

Nothing of the checkout is on a path. A missing toolchain is an error that names it.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import xml.etree.ElementTree as ET
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
HELLO: Final = '{"type":"text","text":"Hello"}'


class Project:
    """An empty project: its folder, and the folder of the published files."""

    def __init__(self, folder: Path, dist: Path) -> None:
        self.folder = folder
        self.dist = dist
        settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
        self.version = str(settings["project"]["version"])

    def write(self, name: str, text: str) -> None:
        """Write a file of the project."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def run(self, *command: str, environment: Mapping[str, str] | None = None) -> str:
        """Run a command in the project, and return its output.

        Raises:
            SystemExit: the command is missing, or fails.
        """
        if shutil.which(command[0]) is None:
            sys.exit(f"error: {command[0]} is not there")
        kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        done = subprocess.run(
            command, cwd=self.folder, env={**kept, **(environment or {})}, check=False, capture_output=True, text=True
        )
        if done.returncode:
            sys.exit(f"error: {' '.join(command)}\n{done.stdout}{done.stderr}")
        return done.stdout.strip()


def use_python(project: Project) -> str:
    """Install the wheel, translate a request, and read a vector from the wheel."""
    project.run(sys.executable, "-m", "venv", "environment")
    python = str(project.folder / "environment" / "bin" / "python")
    wheel = project.dist / f"interlingua-{project.version}-py3-none-any.whl"
    project.run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", str(wheel))
    program = (
        "import interlingua as il\n"
        "from interlingua.vectors import read_vectors\n"
        f"print(il.TextPart.model_validate_json('{HELLO}').text, len(read_vectors('claude', 'gemini')) > 40)"
    )
    return project.run(python, "-c", program)


def use_typescript(project: Project) -> str:
    """Install the npm package, and import it."""
    project.write("package.json", '{"private": true, "type": "module"}\n')
    archive = project.dist / f"interlingua-types-{project.version}.tgz"
    project.run("npm", "install", "--no-audit", "--no-fund", "--silent", str(archive))
    program = "import { CURRENT, v3 } from 'interlingua-types'; console.log('Hello', CURRENT >= 3 && typeof v3);"
    return project.run("node", "--input-type=module", "--eval", program)


def use_rust(project: Project) -> str:
    """Unpack the crate, depend on it, and read a part."""
    with tarfile.open(project.dist / f"interlingua-types-{project.version}.crate") as archive:
        archive.extractall(project.folder, filter="data")
    lock = (ROOT / "tests" / "rust" / "Cargo.lock").read_text(encoding="utf-8")
    project.write("Cargo.lock", lock.replace("interlingua-types-tests", "user"))
    project.write(
        "Cargo.toml",
        '[package]\nname = "user"\nversion = "0.0.0"\nedition = "2021"\n[dependencies]\nserde_json = "1"\n'
        f'interlingua-types = {{ path = "interlingua-types-{project.version}" }}\n',
    )
    project.write(
        "src/main.rs",
        "use interlingua_types::v3::{Part, TextPart};\nfn main() {\n"
        f'    let part: Part = serde_json::from_str(r#"{HELLO}"#).unwrap();\n'
        '    let Part::Text(TextPart { text, .. }) = &part else { panic!("another variant") };\n'
        '    println!("{text} {}", serde_json::to_string(&part).unwrap());\n}\n',
    )
    return project.run("cargo", "run", "--quiet")


def use_go(project: Project) -> str:
    """Get the module from its files as from a proxy, and read a part."""
    module = next(path for path in (project.dist / "go-proxy").rglob("@v")).parent
    name = module.relative_to(project.dist / "go-proxy").as_posix()
    cache = {
        "GOPROXY": (project.dist / "go-proxy").as_uri(),
        "GONOSUMDB": "*",
        "GONOSUMCHECK": "1",
        "GOFLAGS": "-mod=mod",
    }
    cache |= {"GOMODCACHE": str(project.folder / "cache"), "GOFLAGS": "-mod=mod -modcacherw", "GONOSUMDB": name}
    project.write("go.mod", f"module user\n\ngo 1.24\n\nrequire {name} v{project.version}\n")
    project.write(
        "main.go",
        f'package main\n\nimport (\n\t"fmt"\n\n\tv3 "{name}/v3"\n)\n\nfunc main() {{\n'
        f"\tpart, err := v3.UnmarshalPart([]byte(`{HELLO}`))\n\tif err != nil {{\n\t\tpanic(err)\n\t}}\n"
        "\ttext, ok := part.(v3.TextPart)\n\tfmt.Println(text.Text, ok)\n}\n",
    )
    return project.run("go", "run", ".", environment=cache)


def use_java(project: Project) -> str:
    """Get the artefact from its repository, and read a part."""
    pom = next((project.dist / "maven-repository").rglob("*.pom"), None)
    if pom is None:
        sys.exit("error: there is no jar in the folder; build it with `tools/publish.py --with-jar`")
    group = ET.parse(pom).getroot().findtext("{http://maven.apache.org/POM/4.0.0}groupId")  # noqa: S314  # our own
    repository = (project.dist / "maven-repository").as_uri()
    project.write(
        "pom.xml",
        '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion><groupId>user</groupId>'
        "<artifactId>user</artifactId><version>0</version><properties>"
        "<maven.compiler.release>17</maven.compiler.release></properties>"
        f"<repositories><repository><id>dist</id><url>{repository}</url></repository></repositories>"
        f"<dependencies><dependency><groupId>{group}</groupId><artifactId>interlingua-types</artifactId>"
        f"<version>{project.version}</version></dependency></dependencies><build><plugins><plugin>"
        "<artifactId>maven-compiler-plugin</artifactId><version>3.14.0</version></plugin></plugins></build></project>\n",
    )
    project.write(
        "src/main/java/User.java",
        f"import {group}.types.v3.*;\nimport {group}.types.Json;\n\npublic class User {{\n"
        "  public static void main(String[] arguments) throws Exception {\n"
        f'    Part part = Json.mapper().readValue("{HELLO.replace(chr(34), chr(92) + chr(34))}", Part.class);\n'
        '    System.out.println(((TextPart) part).text() + " " + (part instanceof TextPart));\n  }\n}\n',
    )
    local = f"-Dmaven.repo.local={project.folder / 'local'}" if os.environ.get("INTERLINGUA_EMPTY_MAVEN") else "-B"
    plugin = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:build-classpath"
    project.run("mvn", "--batch-mode", "--quiet", local, "compile", plugin, "-Dmdep.outputFile=classpath")
    classes = (project.folder / "classpath").read_text(encoding="utf-8").strip()
    return project.run("java", "-cp", f"target/classes{os.pathsep}{classes}", "User")


LANGUAGES: Final[Mapping[str, Callable[[Project], str]]] = {
    "python": use_python,
    "typescript": use_typescript,
    "rust": use_rust,
    "go": use_go,
    "java": use_java,
}


def main(arguments: list[str]) -> int:
    """Use the packages of the given languages, or of all."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--dist", type=Path, default=ROOT / "dist", help="what `nox -s publish` built; default: dist")
    parser.add_argument("languages", nargs="*", choices=[[], *LANGUAGES], help="default: all")
    options = parser.parse_args(arguments)
    for language in options.languages or LANGUAGES:
        with tempfile.TemporaryDirectory(prefix=f"interlingua-{language}-") as folder:
            said = LANGUAGES[language](Project(Path(folder), options.dist.resolve()))
        print(f"{language}: {said}", flush=True)
        if not said.startswith("Hello"):
            print(f"error: the package of {language} reads something else", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
