"""Lazy imports for packages: a module `__getattr__` that imports a public name on first use.

Type checkers see the same names imported under `TYPE_CHECKING`. Source: PEP 562.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

from interlingua.suggestions import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

__all__ = ["lazy_getattr", "no_attribute"]


def no_attribute(package: str, name: str, public: Iterable[str]) -> AttributeError:
    """Return the error for a name that a package does not have, with similar public names as suggestions."""
    # Without `obj`: Python would add a second suggestion.
    text = f"module {package!r} has no attribute {name!r}{'' if name.startswith('_') else did_you_mean(name, public)}"
    return AttributeError(text, name=name)


def lazy_getattr(package: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """Return a `__getattr__` for a package; it raises `AttributeError` for a name that is not in `homes`.

    `homes` maps each public name to the module of the package that defines it.
    """

    def __getattr__(name: str) -> Any:  # noqa: N807  # it becomes the module's `__getattr__`
        if name not in homes:
            raise no_attribute(package, name, homes)
        value = getattr(import_module(f"{package}.{homes[name]}"), name)
        setattr(sys.modules[package], name, value)
        return value

    return __getattr__
