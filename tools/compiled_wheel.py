"""Build hook of hatchling: the wheel with its hot modules compiled by Cython, from the very same source.

Off unless `HATCH_BUILD_HOOK_ENABLE_CUSTOM` is set, since it needs a C compiler and takes minutes. The `.py` files stay
in the wheel: tracebacks show them, and Python falls back on them wherever a compiled module does not fit.
Why, and why not mypyc: docs/decisions/0006-compiled-wheels.md.
"""

from __future__ import annotations

import importlib
import os
import sysconfig
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

# As the source is read by Python: an annotation promises nothing that is checked, names keep their meaning.
DIRECTIVES: Final = {"annotation_typing": False, "binding": True, "language_level": 3}
# No debug symbols; -O1 is within a twentieth of -O2 here, and is built in two thirds of the time.
COMPILER_ARGUMENTS: Final = ("-O1", "-g0")


class CompiledWheel(BuildHookInterface[Any]):
    """Adds extension modules to the wheel, one beside each module that `pyproject.toml` names."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, unless the `version` of the wheel is the editable one, which runs its sources."""
        if version == "editable":
            return
        root = Path(self.root)
        for name, path in compile_modules(root, chosen(root, self.config)).items():
            build_data["force_include"][str(path)] = name
        build_data["pure_python"] = False
        build_data["infer_tag"] = True


def chosen(root: Path, config: dict[str, Any]) -> list[Path]:
    """Return the modules that the configuration of the hook names by `modules` and does not take back by `except`."""
    source = root / config["source"]
    taken = {path for pattern in config["modules"] for path in source.glob(pattern)}
    return sorted(taken - {path for pattern in config["except"] for path in source.glob(pattern)})


def compile_modules(root: Path, modules: list[Path]) -> dict[str, Path]:
    """Return the extension module of each module, by its place in the wheel. What is up to date is not built again."""
    # Only a build that compiles has these; the other ones import this module, too.
    cython: Any = importlib.import_module("Cython.Build")
    setuptools: Any = importlib.import_module("setuptools")
    suffix = str(sysconfig.get_config_var("EXT_SUFFIX"))
    work = root / "build" / f"compiled-{version('cython')}{Path(suffix).stem}"
    extensions: list[Any] = []
    for path in modules:
        name = ".".join(path.relative_to(root).with_suffix("").parts[1:])  # codecs/ is no part of the name
        arguments = list(COMPILER_ARGUMENTS)
        extensions.append(setuptools.Extension(name, [str(path)], extra_compile_args=arguments))
    made = cython.cythonize(extensions, build_dir=str(work / "c"), compiler_directives=DIRECTIVES, quiet=True)
    builder = setuptools.Distribution({"name": "interlingua", "ext_modules": made}).get_command_obj("build_ext")
    builder.build_lib, builder.build_temp = str(work / "lib"), str(work / "objects")
    builder.parallel = os.cpu_count()
    builder.ensure_finalized()
    builder.run()
    places = [extension.name.replace(".", "/") + suffix for extension in extensions]
    return {place: work / "lib" / place for place in places}
