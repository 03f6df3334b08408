"""The published bundles and their classes, by version number."""

from __future__ import annotations

import importlib
import json
from functools import cache
from importlib.resources import files
from typing import Any

from support.strategies import Documents


@cache
def bundle(number: int) -> dict[str, Any]:
    """Return the bundle of a version, as it is installed."""
    text = files("interlingua_types").joinpath(f"v{number}", "schema.json").read_text("utf-8")
    content: dict[str, Any] = json.loads(text)
    return content


@cache
def documents(number: int) -> Documents:
    """Return the strategies of a version."""
    return Documents(bundle(number))


def classes(number: int) -> list[Any]:
    """Return every model and alias of a version."""
    package = importlib.import_module(f"interlingua_types.v{number}")
    return [getattr(package, name) for name in bundle(number)["$defs"]]
