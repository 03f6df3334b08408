"""Build hook of hatchling: compiles the hot modules of the wheel with Cython, from the same source.

It is off unless `HATCH_BUILD_HOOK_ENABLE_CUSTOM` is set, since it needs a C compiler and takes minutes. The `.py` files
stay in the wheel: tracebacks show them, and Python uses them wherever a compiled module does not fit. The reasons, and
why not mypyc: docs/decisions/0006-compiled-wheels.md.
"""

from __future__ import annotations

import importlib
import os
import sysconfig
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

# As Python reads the source: annotations are not enforced, and names keep their meaning.
DIRECTIVES: Final = {"annotation_typing": False, "binding": True, "language_level": 3}
# No debug symbols; -O1 is within five percent of -O2 here, and compiles in two thirds of the time.
COMPILER_ARGUMENTS: Final = ("-O1", "-g0")


class CompiledWheel(BuildHookInterface[Any]):
    """Adds extension modules to the wheel, one for each module that `pyproject.toml` lists."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, unless the `version` of the wheel is the editable one, which runs from source."""
        if version == "editable":
            return
        root = Path(self.root)
        for name, path in compile_modules(root, chosen(root, self.config)).items():
            build_data["force_include"][str(path)] = name
        build_data["pure_python"] = False
        build_data["infer_tag"] = True


def chosen(root: Path, config: dict[str, Any]) -> list[Path]:
    """Return the modules that the hook's configuration lists in `modules`, without those in `except`."""
    source = root / config["source"]
    taken = {path for pattern in config["modules"] for path in source.glob(pattern)}
    return sorted(taken - {path for pattern in config["except"] for path in source.glob(pattern)})


def compile_modules(root: Path, modules: list[Path]) -> dict[str, Path]:
    """Return the extension module of each module, by its path in the wheel. Up-to-date ones are not rebuilt."""
    # Only installed for builds that compile; other builds import this module, too.
    cython: Any = importlib.import_module("Cython.Build")
    setuptools: Any = importlib.import_module("setuptools")
    suffix = str(sysconfig.get_config_var("EXT_SUFFIX"))
    work = root / "build" / f"compiled-{version('cython')}{Path(suffix).stem}"
    extensions: list[Any] = []
    for path in modules:
        name = ".".join(path.relative_to(root).with_suffix("").parts[1:])  # codecs/ is not part of the name
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
