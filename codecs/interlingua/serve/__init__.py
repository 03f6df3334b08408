"""A small server in front of a provider: it serves clients of one dialect from a provider of another.

It needs the extra `interlingua[serve]`, and must be imported explicitly. It is not a gateway: it has no provider
selection, budgets or accounts. `interlingua serve` runs it; `create_app` is for embedding it (docs/serve.md).

Raises `MissingExtraError` if the extra is not installed.
"""

from __future__ import annotations

from interlingua.errors import MissingExtraError

try:
    from interlingua.serve.app import create_app
    from interlingua.serve.limits import Limits
    from interlingua.serve.route import Route
    from interlingua.serve.running import bound, run, server
except ModuleNotFoundError as error:
    raise MissingExtraError("serve", error.name or "a package") from None

__all__ = ["Limits", "Route", "bound", "create_app", "run", "server"]
