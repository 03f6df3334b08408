"""Packages and rooms that import a part of theirs when somebody first asks for it.

Type checkers see the same names imported under `TYPE_CHECKING`. Source: PEP 562.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["on_first_use"]


def on_first_use(package: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """Return the `__getattr__` of a package, which raises `AttributeError` for a name that has no home.

    `homes` has the module of the package in which each public name stands.
    """

    def __getattr__(name: str) -> Any:  # noqa: N807  # it becomes the module's own
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}", name=name, obj=sys.modules[package])
        value = getattr(import_module(f"{package}.{homes[name]}"), name)
        setattr(sys.modules[package], name, value)
        return value

    return __getattr__
