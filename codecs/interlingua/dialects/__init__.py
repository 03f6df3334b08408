"""The older name of `interlingua.rooms`, until 1.0: its modules are those of the rooms, not copies of them."""

from __future__ import annotations

import importlib
import sys
import warnings
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

_OLDER: Final = "interlingua.dialects."
_NAME: Final = "interlingua.rooms."


class _Rooms(MetaPathFinder, Loader):
    """Gives the module of a room where it is asked for by its older name."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return how a module of the older name is found, None for any other."""
        del path, target
        return ModuleSpec(fullname, self, is_package=True) if fullname.startswith(_OLDER) else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Return the module of the room."""
        name = _NAME + spec.name.removeprefix(_OLDER)
        warnings.warn(f"{spec.name} is called {name}, and has no other name from 1.0 on", DeprecationWarning, 2)
        module = importlib.import_module(name)
        spec.loader_state = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Give the module back what says how it was found: it has been run under its own name."""
        spec = module.__spec__
        module.__spec__ = None if spec is None else spec.loader_state


sys.meta_path.append(_Rooms())
