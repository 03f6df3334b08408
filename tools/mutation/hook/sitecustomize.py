"""Run by every Python that `tools/mutants.py` starts, and by those that a test starts: loads one file as it was edited.

INTERLINGUA_MUTANT is the path of the file, and INTERLINGUA_MUTANT_SOURCE that of the edited text which is run instead.
"""

from __future__ import annotations

import importlib.machinery
import os
from pathlib import Path
from types import CodeType
from typing import Any

if broken := os.environ.get("INTERLINGUA_MUTANT"):
    _source = Path(os.environ["INTERLINGUA_MUTANT_SOURCE"])
    _load = importlib.machinery.SourceFileLoader.get_code

    def _get_code(self: Any, fullname: str) -> CodeType | None:
        """Return the code of a module: of the edited one its edited text, whatever was cached."""
        if self.path != broken:
            return _load(self, fullname)
        return compile(_source.read_text(encoding="utf-8"), self.path, "exec", dont_inherit=True)

    importlib.machinery.SourceFileLoader.get_code = _get_code  # type: ignore[method-assign]  # the purpose of the hook
