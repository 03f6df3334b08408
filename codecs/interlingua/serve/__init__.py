"""A small server in front of a provider: clients of one dialect, a provider of another, an exchange a request.

It needs the extra `interlingua[serve]`, and is imported by its own name: `interlingua` knows nothing of it. It is no
gateway: no choice of providers, no budgets, no accounts. `interlingua serve` runs it; `create_app` is for those who
embed it (docs/serve.md).

Raises `MissingExtraError` where the extra is not installed.
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
