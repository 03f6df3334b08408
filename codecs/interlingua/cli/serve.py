"""`interlingua serve`: a server in front of a provider."""

from __future__ import annotations

import importlib
import logging
from typing import TYPE_CHECKING, Annotated

import typer

import interlingua as il
from interlingua.cli.exit_codes import ExitCode
from interlingua.cli.options import LARGEST, Defaults, MaxBytes, StrictWord, defaults_of, dialect_option, strict_of
from interlingua.cli.speakers import speaker_of
from interlingua.strict_json import compact

if TYPE_CHECKING:
    from types import ModuleType

__all__ = ["serve"]


def serve(  # noqa: PLR0913  # one parameter an option
    *,
    speak: Annotated[list[str], dialect_option("The dialect of the clients; may be repeated.", "--speak")],
    backend: Annotated[str, dialect_option("The dialect of the provider.", "--backend")],
    url: Annotated[
        str, typer.Option("--url", metavar="URL", help="The provider's base URL, as its official client takes it.")
    ],
    model: Annotated[
        str | None, typer.Option("--model", metavar="M", help="Use this model instead of the one that clients name.")
    ] = None,
    api_version: Annotated[
        str | None, typer.Option("--api-version", metavar="V", help="The provider's API version.")
    ] = None,
    default: Defaults = None,
    fit: Annotated[
        bool, typer.Option("--fit", help="Also fit requests to their model where both sides use the same dialect.")
    ] = False,
    strict: StrictWord = "none",
    host: Annotated[
        str,
        typer.Option(
            "--host", metavar="HOST", help="The address to listen on; the default is only reachable from this machine."
        ),
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option("--port", metavar="N", min=0, max=65535, help="The port; 0 picks a free one.")
    ] = 8080,
    origin: Annotated[
        list[str] | None,
        typer.Option("--origin", metavar="ORIGIN", help="Allow web pages of this origin (CORS); * allows any."),
    ] = None,
    record: Annotated[
        str | None,
        typer.Option(
            "--record", metavar="FILE", help="Append all requests and responses to this file, without credentials."
        ),
    ] = None,
    ping: Annotated[
        float,
        typer.Option("--ping", metavar="S", min=0.01, help="Seconds of silence after which a stream gets a ping."),
    ] = 10.0,
    max_bytes: MaxBytes = LARGEST,
    quiet: Annotated[bool, typer.Option("--quiet", help="Log only failures, and no losses.")] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Log in JSON: the address first, then the level and message of each entry.")
    ] = False,
) -> None:
    """Serve clients of one dialect, or of several, from a provider of another one.

    Credentials of clients are passed on to the provider in its own form, and nowhere else. If both sides use the same
    dialect, bytes and headers are passed on unchanged, unless `--fit` is given. Needs the extra `serve`.
    """
    for name in speak:
        speaker_of(name, "--speak")
    speaker_of(backend, "--backend")
    server = _server()
    try:
        routes = [
            server.Route(
                speak=il.dialect(name),
                backend=il.dialect(backend),
                url=url,
                model=model,
                api_version=api_version,
                strict=strict_of(strict),
                defaults=defaults_of(default or [], backend),
                fit=fit,
            )
            for name in speak
        ]
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None
    handler = logging.StreamHandler()
    handler.setFormatter(_Line() if as_json else logging.Formatter("%(message)s"))
    logging.basicConfig(handlers=[handler], level=logging.ERROR if quiet else logging.WARNING)
    logging.getLogger("interlingua.serve").setLevel(logging.ERROR if quiet else logging.INFO)
    try:
        limits = server.Limits(body=max_bytes, ping=ping)
        app = server.create_app(routes, limits=limits, record=record, origins=origin or ())
        at = server.bound(host, port)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint=["--speak", "--origin"]) from None
    except OSError as error:
        where = error.filename or f"{host}:{port}"
        advice = "check the path" if error.filename else "choose another place with --host and --port"
        typer.echo(f"interlingua: {where}: {error.strerror}; {advice}", err=True)
        raise typer.Exit(ExitCode.USAGE) from None
    where, number = at.getsockname()[:2]
    address = f"http://{f'[{where}]' if ':' in where else where}:{number}"
    names = ", ".join(speak)
    said = {"speak": names, "backend": backend, "url": address}
    typer.echo(compact(said).decode() if as_json else f"interlingua: {names} -> {backend} at {address}", err=True)
    server.run(app, at)


class _Line(logging.Formatter):
    """Formats a log record as a line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line for a log record."""
        return compact({"level": record.levelname.lower(), "message": record.getMessage()}).decode()


def _server() -> ModuleType:
    """Return the server package. Exits with an explanation if its extra is not installed."""
    try:
        return importlib.import_module("interlingua.serve")
    except il.MissingExtraError as error:
        typer.echo(f"interlingua: {error}", err=True)
        raise typer.Exit(ExitCode.USAGE) from None
