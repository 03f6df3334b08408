"""Run by every Python that `tools/mutants.py` starts, and by those that a test starts: breaks a place, or notes lines.

INTERLINGUA_MUTANT is `path|number`: this file is loaded with that place broken. INTERLINGUA_LINES names a folder: the
lines of the watched folders (INTERLINGUA_WATCHED) that were run are written there when the program ends.
"""

from __future__ import annotations

import atexit
import importlib.machinery
import os
import sys
import threading
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

if place := os.environ.get("INTERLINGUA_MUTANT"):
    from mutation.operators import broken

    _path, _number = place.rsplit("|", 1)
    _load = importlib.machinery.SourceFileLoader.get_code

    def _get_code(self: Any, fullname: str) -> CodeType | None:
        """Return the code of a module: of the one that is to be broken, broken, whatever was cached."""
        if self.path != _path:
            return _load(self, fullname)
        tree = broken(Path(_path).read_text(encoding="utf-8"), int(_number))
        return compile(tree, _path, "exec", dont_inherit=True)

    importlib.machinery.SourceFileLoader.get_code = _get_code  # type: ignore[method-assign]  # the purpose of the hook

if folder := os.environ.get("INTERLINGUA_LINES"):
    _watched = tuple(os.environ["INTERLINGUA_WATCHED"].split(os.pathsep))
    _seen: set[tuple[str, int]] = set()

    def _line(frame: FrameType, event: str, _argument: Any) -> Any:
        if event == "line":
            _seen.add((frame.f_code.co_filename, frame.f_lineno))
        return _line

    def _call(frame: FrameType, _event: str, _argument: Any) -> Any:
        return _line if frame.f_code.co_filename.startswith(_watched) else None

    def _write() -> None:
        sys.settrace(None)
        rows = sorted(f"{path}|{line}" for path, line in _seen)
        Path(folder or ".", f"{os.getpid()}.txt").write_text("\n".join(rows), encoding="utf-8")

    sys.settrace(_call)
    threading.settrace(_call)
    atexit.register(_write)
