"""`interlingua dialects`: list the names for `--from` and `--to`."""

from __future__ import annotations

from typing import Any

from interlingua.cli.options import AsJson  # noqa: TC001  # Typer reads it
from interlingua.cli.writing import say
from interlingua.registry import descriptor
from interlingua.registry import dialects as names
from interlingua.strict_json import compact

__all__ = ["dialects"]


def dialects(*, as_json: AsJson = False) -> None:
    """List the dialects, one per line: the name and a description."""
    width = max(map(len, names()))
    for name in names():
        found = _described(name)
        say(compact({"name": name, **found}).decode() if as_json else f"{name:<{width}}  {_details(found)}")


def _described(name: str) -> dict[str, Any]:
    try:
        described = descriptor(name)
    except Exception as error:  # noqa: BLE001  # a third party's dialect that is broken must not hide the others
        return {"error": type(error.__cause__ or error).__name__}
    return {"title": described.title, "api_versions": list(described.api_versions)}


def _details(found: dict[str, Any]) -> str:
    if "error" in found:
        return f"cannot be loaded: {found['error']}"
    versions = ", ".join(found["api_versions"])
    return f"{found['title']}; API versions: {versions}" if versions else str(found["title"])
