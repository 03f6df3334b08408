"""Run by every Python that `tools/mutants.py` starts, and by those that a test starts: loads one file as it was edited.

INTERLINGUA_MUTANT is the path of the file, and INTERLINGUA_MUTANT_CODE that of its edited code, marshalled.
"""

from __future__ import annotations

import importlib.machinery
import marshal
import os
from pathlib import Path
from types import CodeType
from typing import Any

if broken := os.environ.get("INTERLINGUA_MUTANT"):
    _broken = broken
    _code: CodeType = marshal.loads(Path(os.environ["INTERLINGUA_MUTANT_CODE"]).read_bytes())  # noqa: S302  # our own
    _load = importlib.machinery.SourceFileLoader.get_code

    def _get_code(self: Any, fullname: str) -> CodeType | None:
        """Return the code of a module: of the edited one its edited code, whatever was cached."""
        return _code if self.path == _broken else _load(self, fullname)

    importlib.machinery.SourceFileLoader.get_code = _get_code  # type: ignore[method-assign]  # the purpose of the hook
