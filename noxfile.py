"""Task runner: `nox -l` lists the sessions, plain `nox` runs those of CI, which only need Python."""

from __future__ import annotations

import atexit
import os
import shutil
import sys
from pathlib import Path

import nox

PROJECT = nox.project.load_toml("pyproject.toml")
# The extras for the test suite: all except `bulk`, whose dependency is heavy.
EXTRAS = "cli,mcp,ocr,serve,tokens"
# Enables the wheel's build hook, which compiles the modules that handle every message.
COMPILED = {"HATCH_BUILD_HOOK_ENABLE_CUSTOM": "1"}
OWN_PYTHON = f"{sys.version_info.major}.{sys.version_info.minor}"
# The supported versions installed on this machine (others are skipped with a notice), and the one that runs nox.
PYTHONS = list(dict.fromkeys(["3.11", "3.12", "3.13", "3.14", "3.15", OWN_PYTHON]))
# Versions between others; if nox itself runs on one, it may be the only one, and runs everything.
MIDDLE = {"3.12", "3.14"} - {OWN_PYTHON}

# Without cached bytecode, every process started by a test would compile the package again.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

nox.options.sessions = ["fresh", "compat", "lint", "typing", "layers", "tests", "wheel", "docs"]
# uv installs in seconds what takes pip a minute per session; without uv, pip is used.
nox.options.default_venv_backend = "uv|virtualenv"
nox.options.download_python = "never"
nox.options.error_on_missing_interpreters = False
nox.options.reuse_venv = "yes"


def install(session: nox.Session, *groups: str, extras: str = "") -> None:
    """Install dependency groups of pyproject.toml and, if extras are given, the package with them, editable."""
    requirements = nox.project.dependency_groups(PROJECT, *groups) if groups else ()
    session.install(*requirements, *(["--editable", f".[{extras}]"] if extras else []))


@nox.session
def generate(session: nox.Session) -> None:
    """Recompile generated/ and the generated pages of docs/ from schema/.

    Edit the schema, run this, commit both. `-- --watch` does it at each change until it is interrupted, `-- --format`
    formats the schema files.
    """
    install(session, "codegen", *(["watch"] if "--watch" in session.posargs else []))
    session.run("python", "tools/generate.py", *session.posargs)


@nox.session
def vectors(session: nox.Session) -> None:
    """Regenerate the vectors of translation, after a change of what a room maps; commit the result."""
    install(session, extras="cli")
    session.run("python", "tools/vectors.py", *session.posargs)


@nox.session
def fresh(session: nox.Session) -> None:
    """Fail with a diff if generated/ or a generated page differs from the output for schema/."""
    install(session, "codegen")
    session.run("python", "schema/compiler", "check")
    session.run("python", "tools/pages.py", "--check")
    session.run("python", "tools/facade.py", "--check")


@nox.session
def compat(session: nox.Session) -> None:
    """Verify the seals, and fail on an undeclared breaking change of a sealed version."""
    install(session, "codegen")
    session.run("python", "schema/compiler", "compat")


@nox.session
def seal(session: nox.Session) -> None:
    """Seal a version, as in `nox -s seal -- v3`: it can never change again."""
    install(session, "codegen")
    session.run("python", "schema/compiler", "seal", *session.posargs)


@nox.session(name="open")
def open_next(session: nox.Session) -> None:
    """Open the next version, as in `nox -s open -- v4`: a copy of the newest version, which must be sealed."""
    install(session, "codegen")
    session.run("python", "schema/compiler", "open", *session.posargs)
    session.run("python", "tools/pages.py")


@nox.session
def move(session: nox.Session) -> None:
    """Make a version the one that the codecs use and write, as in `nox -s move -- v4`."""
    install(session, "codegen")
    session.run("python", "schema/compiler", "move", *session.posargs)
    session.run("python", "tools/pages.py")
    session.run("python", "tools/facade.py")


@nox.session(python=PYTHONS)
def tests(session: nox.Session) -> None:
    """Run the suite on each installed Python; tests that do not depend on the version only on the oldest.

    Those are the laws, the tests of the compiler, the tools and the pages, and tests marked `one_python`. On middle
    versions only tests that depend on the interpreter run (files, processes, threads, event loops), and not the rooms.
    """
    install(session, "test", extras=EXTRAS)
    elsewhere = ("docs", "schema", "tools", *(("codecs", "pain") if session.python in MIDDLE else ()))
    once = ("-m", "not laws and not one_python", *(f"--ignore=tests/{part}" for part in elsewhere))
    report = Path(session.create_tmp(), "left_out.txt").resolve()
    report.unlink(missing_ok=True)
    whole = session.python == PYTHONS[0]
    if whole:
        # After everything else, so that it is not overlooked between two sessions.
        atexit.register(lambda: sys.stdout.write(report.read_text(encoding="utf-8") if report.is_file() else ""))
    session.run(
        "pytest",
        "--numprocesses=auto",
        *(() if whole else once),
        *session.posargs,
        env={"INTERLINGUA_LEFT_OUT": str(report)},
    )


@nox.session
def floors(session: nox.Session) -> None:
    """Run the suite with the lowest versions of the dependencies that pyproject.toml allows."""
    install(session, "test", extras=EXTRAS)
    extras = PROJECT["project"]["optional-dependencies"]
    declared = [*PROJECT["project"]["dependencies"], *(each for extra in EXTRAS.split(",") for each in extras[extra])]
    session.install(*(requirement.replace(">=", "==") for requirement in declared))
    session.run("pytest", "--numprocesses=auto", *session.posargs)


@nox.session
def wheel(session: nox.Session) -> None:
    """Run tests against the built wheel that users install, not against the checkout.

    It has the same modules as the checkout, so those tests are enough that read its data and start its programs, and
    identity.
    """
    install(session, "build")
    folder = Path(session.create_tmp(), "wheel")
    session.run("python", "tools/publish.py", "--only", "wheel", "--out", str(folder))
    session.install("--force-reinstall", *(f"{path}[{EXTRAS}]" for path in folder.glob("*.whl")))
    session.run("python", "-P", "tools/smoke.py")
    install(session, "test")
    suite = {"INTERLINGUA_SUITE": "wheel"}
    parts = (
        "tests/cli",
        "tests/generated/test_vectors.py",
        "tests/test_layout.py",
        "tests/test_public_face.py",
    )
    session.run("pytest", "--numprocesses=auto", *parts, *session.posargs, env=suite)
    identity = ("tests/laws/test_identity.py", "tests/laws/test_stream_identity.py")
    session.run("pytest", "--numprocesses=auto", *identity, env=suite)


@nox.session
def compiled(session: nox.Session) -> None:
    """Run the laws and the tests of compiled modules against the compiled wheel; needs a C compiler, and minutes."""
    install(session, "test")
    session.install("--force-reinstall", f".[{EXTRAS}]", env=COMPILED)
    session.run("python", "-P", "tools/smoke.py")
    parts = ("tests/codecs", "tests/laws", "tests/pain", "tests/test_layout.py", "tests/test_public_face.py")
    suite = {"INTERLINGUA_SUITE": "compiled"}
    session.run("pytest", "--numprocesses=auto", "-m", "not one_python", *parts, *session.posargs, env=suite)


@nox.session
def typing(session: nox.Session) -> None:
    """Check types, also of documented examples and public names, with mypy and pyright (which brings Node.js)."""
    install(session, "typing", extras=EXTRAS)
    session.run("mypy")
    session.run("pyright")
    session.run("python", "tools/check_snippets.py")
    session.run("python", "tools/check_names.py")


@nox.session
def lint(session: nox.Session) -> None:
    """Check style and formatting."""
    install(session, "lint")
    session.run("ruff", "check")
    session.run("ruff", "format", "--check")


@nox.session
def layers(session: nox.Session) -> None:
    """Check the direction of the imports."""
    install(session, "layers", extras="cli")
    session.run("lint-imports")


@nox.session
def laws(session: nox.Session) -> None:
    """Run the laws over the whole corpus; the default run uses a sample."""
    install(session, "test", extras=EXTRAS)
    session.run("pytest", "--numprocesses=auto", "-m", "laws", *session.posargs)


@nox.session
def bench(session: nox.Session) -> None:
    """Measure translation against the limit, parsing and serialising the same bytes; `-- --pure`: plain Python.

    The compiled wheel is measured, if there is a C compiler; building it takes minutes the first time.
    """
    arguments = [argument for argument in session.posargs if argument != "--pure"]
    if arguments == session.posargs and (shutil.which("cc") or shutil.which("cl")):
        session.install(".[cli]", env=COMPILED)
    else:
        install(session, extras="cli")
    session.run("python", "tools/bench.py", *arguments)


@nox.session(python="3.11")
def fuzz(session: nox.Session) -> None:
    """Run the decoders with 1,000,000 inputs, guided by code coverage; `-- --runs N` for another number."""
    install(session, "fuzz", extras="cli")
    session.run("python", "tools/fuzz.py", *session.posargs)


@nox.session
def docs(session: nox.Session) -> None:
    """Build the documentation into site/, and check that every requirement has a test. `tests` runs the snippets."""
    install(session, "docs", "test", extras=EXTRAS)
    session.run("python", "tools/requirements.py")
    session.run("sphinx-build", "--fail-on-warning", "--keep-going", "--quiet", "docs", "site")


@nox.session
def site(session: nox.Session) -> None:
    """Check the built site in Chromium: accessibility, and search results; needs Node.js and Chromium."""
    install(session, "docs", extras="cli")
    session.run("sphinx-build", "--fail-on-warning", "--keep-going", "--quiet", "docs", "site")
    names = Path(session.create_tmp(), "names.json").resolve()
    where = {"INTERLINGUA_SITE": str(Path("site").resolve()), "INTERLINGUA_SITE_NAMES": str(names)}
    names.write_text(session.run("python", "tools/docs_api.py", silent=True) or "", encoding="utf-8")
    with session.chdir("tests/site"):
        session.run("npm", "ci", "--no-audit", "--no-fund", external=True)
        session.run("npm", "test", env=where, external=True)


@nox.session
def requirements(session: nox.Session) -> None:
    """Fail if a requirement has no test, or docs/requirements.md is out of date; `-- --write` writes the page."""
    install(session, "test", extras=EXTRAS)
    session.run("python", "tools/requirements.py", *session.posargs)


@nox.session
def mutants(session: nox.Session) -> None:
    """Make the committed edit of every requirement mark, and fail if the marked tests still pass.

    Then remove every report of a loss in the stream modules, and fail if no test notices.
    """
    install(session, "test", extras=EXTRAS)
    session.run("python", "tools/mutants.py", *session.posargs)
    if not session.posargs:
        session.run("python", "tools/stream_mutants.py")


@nox.session
def differential(session: nox.Session) -> None:
    """Compare the output of the code with that of another commit: `-- main`, `-- HEAD~3 --mutants 2`."""
    install(session, extras="cli")
    session.run("python", "tools/differential.py", *session.posargs)


@nox.session
def attack(session: nox.Session) -> None:
    """Kill writers, mutate bodies and damage stores, `-- --seed N`, and fail on an undocumented error or a loss."""
    install(session, "test", extras=EXTRAS)
    session.run("python", "tools/attack.py", *session.posargs)


@nox.session
def demo(session: nox.Session) -> None:
    """Install the demo, run the compiler, and translate a real request, showing the result and the losses."""
    install(session, "codegen", extras="cli")
    session.run("python", "schema/compiler", "generate")
    session.run("python", "tools/demo.py")


@nox.session
def publish(session: nox.Session) -> None:
    """Build dist/: wheel, sdist, bundles by their `$id`s, vectors, packages of other languages, checksums, SBOM.

    `-- --with-jar` also builds the Maven artefact, which needs Maven. Two runs of one commit give equal bytes.
    """
    install(session, "build")
    session.run("python", "tools/publish.py", *session.posargs)


@nox.session
def wheels(session: nox.Session) -> None:
    """Build the compiled wheel of this machine into dist/compiled, and let auditwheel report where it runs; Linux."""
    install(session, "wheels")
    built = Path(session.create_tmp(), "built")
    shutil.rmtree(built, ignore_errors=True)
    session.run("python", "-m", "pip", "wheel", "--no-deps", "--wheel-dir", str(built), ".", env=COMPILED)
    for path in built.glob("*.whl"):
        session.run("auditwheel", "repair", "--wheel-dir", "dist/compiled", str(path))
    for path in Path("dist", "compiled").glob("*.whl"):
        session.run("auditwheel", "show", str(path))


@nox.session(python=False)
def typescript(session: nox.Session) -> None:
    """Check the TypeScript types, and every example and vector in JavaScript; needs Node.js."""
    for part in ("npm", "bundles"):
        session.run(sys.executable, "tools/publish.py", "--only", part, "--out", "tests/typescript/dist", external=True)
    with session.chdir("tests/typescript"):
        session.run("npm", "ci", "--no-audit", "--no-fund", external=True)
        session.run("npm", "test", external=True)


@nox.session
def clients(session: nox.Session) -> None:
    """Run agents of frameworks, and of the Vercel AI SDK, with the server and every provider; needs Node.js."""
    install(session, "clients", extras=EXTRAS)
    session.run("pytest", "--numprocesses=auto", "tests/serve/frameworks.py", *session.posargs)
    with session.chdir("tests/serve/vercel"):
        session.run("npm", "ci", "--no-audit", "--no-fund", external=True)
    session.run("python", "tests/serve/vercel/run.py")


@nox.session
def languages(session: nox.Session) -> None:
    """Check the types of Rust, Go and Java with every vector, and the output of generators for the bundles.

    Then use the published packages in an empty project of each language. Needs cargo, go, mvn, node; `-- rust` checks
    one.
    """
    wanted = session.posargs or ["rust", "go", "java", "generators"]
    for language in wanted:
        session.run(sys.executable, "tools/languages/check.py", language, external=True)
    if not session.posargs:
        install(session, "build")
        session.run("python", "tools/publish.py", "--with-jar")
        session.run("python", "tools/languages/use.py")
