"""Run by every Python that `tools/mutants.py` starts, and by those that a test starts: loads one file as it is edited.

INTERLINGUA_MUTANT is the path of the file, and INTERLINGUA_MUTANT_EDIT the edit of it, as JSON.
"""

from __future__ import annotations

import importlib.machinery
import json
import os
from pathlib import Path
from types import CodeType
from typing import Any

if broken := os.environ.get("INTERLINGUA_MUTANT"):
    from mutation.edits import Edit, edited

    _edit = Edit(*json.loads(os.environ["INTERLINGUA_MUTANT_EDIT"]))
    _load = importlib.machinery.SourceFileLoader.get_code

    def _get_code(self: Any, fullname: str) -> CodeType | None:
        """Return the code of a module: of the edited one its edited code, whatever was cached."""
        if self.path != broken:
            return _load(self, fullname)
        return compile(edited(_edit, Path(broken).read_text(encoding="utf-8")), broken, "exec", dont_inherit=True)

    importlib.machinery.SourceFileLoader.get_code = _get_code  # type: ignore[method-assign]  # the purpose of the hook
