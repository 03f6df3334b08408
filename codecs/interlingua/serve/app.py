"""The ASGI application: routes the paths of each dialect to handlers, with size and time limits."""

from __future__ import annotations

import asyncio
import traceback
from contextlib import asynccontextmanager
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route as Path

import interlingua as il
from interlingua.model import ApiError
from interlingua.serve.call import LOG, Call, RefusedCallError, too_large
from interlingua.serve.counting import count_tokens
from interlingua.serve.downstream import Downstream, while_client_stays
from interlingua.serve.generating import generate
from interlingua.serve.headers import JSON
from interlingua.serve.limits import Limits
from interlingua.serve.model_lists import list_models, show_model, show_version
from interlingua.serve.origins import FOREIGN_PAGE, checked_origins, is_foreign_page
from interlingua.serve.recording import Recorder
from interlingua.serve.relaying import relay, relay_fitted, relay_model
from interlingua.serve.upstream import Upstream
from interlingua.strict_json import compact

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Iterable, Iterator, Sequence
    from pathlib import Path as FilePath

    import httpx
    from starlette.types import Receive, Scope, Send

    from interlingua.serve.route import Route

__all__ = ["create_app"]

Act: TypeAlias = "Callable[[Call], Awaitable[None]]"

_EVERY_METHOD = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")


class Served(NamedTuple):
    """A path and its handler `act`, for the clients of `route`. `is_shared`: several dialects have the path."""

    path: str
    methods: tuple[str, ...]
    route: Route
    act: Act
    is_shared: bool = False


class _Shared(NamedTuple):
    """What all requests share."""

    up: Upstream
    limits: Limits
    recorder: Recorder
    origins: tuple[str, ...]


def create_app(
    routes: Iterable[Route],
    *,
    limits: Limits | None = None,
    record: str | FilePath | None = None,
    origins: Collection[str] = (),
    transport: httpx.AsyncBaseTransport | None = None,
) -> Starlette:
    """Return an ASGI application that serves routes.

    `limits` are size and time limits. `record` is a file to which all traffic is appended, without headers and URLs; it
    holds content. `origins` are the allowed CORS origins, `*` for any; translated requests from pages of other sites
    are refused. `transport` is the HTTP transport for requests to providers, for example through a company proxy. The
    application can be mounted anywhere: it does not require a lifespan, but closes its connections in one if there is
    one.

    Raises:
        ValueError: there is no route, two of them serve one dialect at the same paths, or an origin is not one that
            browsers send.

    Example:
        >>> from interlingua.serve import Route, create_app
        >>> app = create_app([Route(speak="openai_responses", backend="claude", url="https://api.anthropic.com")])
    """
    ways = tuple(routes)
    if not ways:
        raise ValueError("there is no route")
    allowed = checked_origins(origins)
    limits = limits or Limits()
    house = _Shared(Upstream(limits, transport), limits, Recorder(record), allowed)
    served = [one for route in ways for one in _served(route)]
    relays = [_relayed(route) for route in ways if route.is_home]
    greet = partial(_greet, ways)
    paths = [Path("/", _Answer(house, [Served("/", (), ways[0], greet)]), methods=["GET", "HEAD"])]
    groups = (*_grouped(served), *_grouped(relays))
    paths += [Path(group[0].path, _Answer(house, group), methods=group[0].methods) for group in groups]

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncGenerator[None]:
        try:
            yield
        finally:
            await house.up.aclose()
            house.recorder.close()

    app = Starlette(routes=paths, lifespan=lifespan, exception_handlers={HTTPException: partial(_refuse_path, ways)})
    app.router.redirect_slashes = False  # no dialect uses redirects
    if allowed:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=allowed,
            allow_methods=["*"],
            allow_headers=["*"],
            expose_headers=["*"],
            allow_private_network=True,
        )
    return app


def _served(route: Route) -> Iterator[Served]:
    """Yield the served paths of a route under its prefix, in each spelling."""
    for one in _of_dialect(route):
        for path in route.client.spelt(one.path):
            at = route.prefix + path.replace("{model}", "{model:path}")
            yield one._replace(path=at)
            if not at.endswith("}"):
                yield one._replace(path=f"{at}/")


def _of_dialect(route: Route) -> Iterator[Served]:
    """Yield the served paths of a dialect."""
    client = route.client
    for path in filter(None, (client.generate, client.stream, *(() if route.is_home else client.azure))):
        yield Served(path, ("POST",), route, _act_of(route))
    if client.counts:
        yield Served(client.counts, ("POST",), route, relay_model if route.is_home else count_tokens)
    if not route.is_home:
        yield Served(client.models, ("GET",), route, list_models, is_shared=True)
        yield Served(
            client.model, ("GET",) if "{model}" in client.model else ("POST",), route, show_model, is_shared=True
        )
        if client.version:
            yield Served(client.version, ("GET",), route, show_version)


def _act_of(route: Route) -> Callable[[Call], Awaitable[None]]:
    """Return the handler for a generation request."""
    if not route.is_home:
        return generate
    return relay_fitted if route.fit else relay_model


def _relayed(route: Route) -> Served:
    """Return the handler of all other paths of a route between two sides of the same dialect."""
    return Served(f"{route.prefix}/{{rest:path}}", _EVERY_METHOD, route, relay, is_shared=True)


def _grouped(served: Iterable[Served]) -> list[list[Served]]:
    """Return the served paths grouped by path, in order.

    Raises:
        ValueError: two routes have the same path, and requests for it cannot be told apart.
    """
    groups: dict[str, list[Served]] = {}
    for one in served:
        group = groups.setdefault(one.path, [])
        if group and not one.is_shared:
            raise ValueError(f"two routes serve {one.path}; give one of them a prefix")
        group.append(one)
    return list(groups.values())


async def _greet(ways: Sequence[Route], call: Call) -> None:
    """Answer a request for the root path, which clients use to check that the server is up."""
    speaks = ", ".join(dict.fromkeys(way.speak for way in ways))
    await call.tell({"name": "interlingua", "version": il.__version__, "speaks": speaks})


async def _refuse_path(ways: Sequence[Route], request: Request, error: Exception) -> Response:
    """Return an error for an unknown path or method, in the dialect of the nearest route."""
    status = error.status_code if isinstance(error, HTTPException) else 500
    path = request.scope["path"].removeprefix(request.scope.get("root_path", ""))
    speak = _nearest(ways, path).speak
    allowed = dict(error.headers or {}) if isinstance(error, HTTPException) else {}
    message = f"This path does not accept {request.method}." if allowed else "There is no such path."
    if allowed:
        refusal = ApiError(category="invalid_request", status=status, message=message)
    else:  # the code is OpenAI's, which has another one for an unknown model
        refusal = ApiError(category="not_found", code="unknown_url", status=status, message=message)
    encoded = il.encode_error(refusal, speak)
    return Response(compact(encoded.body), encoded.status, {**encoded.headers, **allowed}, JSON)


def _nearest(ways: Sequence[Route], path: str) -> Route:
    """Return the route whose paths share the longest prefix with an unknown path."""

    def nearness(way: Route) -> tuple[int, bool]:
        if not path.startswith(f"{way.prefix}/"):
            return -1, False
        return len(way.prefix), path.removeprefix(way.prefix).split("/")[1] == way.client.generate.split("/")[1]

    return max(ways, key=nearness)  # ties: the first


class _Answer:
    """The ASGI handler of a path: reads the request, and cancels the work if the client disconnects."""

    def __init__(self, house: _Shared, served: Sequence[Served]) -> None:
        self._house = house
        self._served = served

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        one = self._meant(request)
        call = Call(
            one.route, request, up=self._house.up, down=Downstream(send), recording=self._house.recorder.call(),
            limits=self._house.limits,
        )  # fmt: skip
        began = monotonic()
        try:
            self._check_origin(call)
            call.data = await self._read(request)
            await while_client_stays(receive, _guarded(one.act, call))
        except ClientDisconnect:
            pass
        except RefusedCallError as refused:
            await call.refuse(refused.error)
        finally:
            call.log(monotonic() - began)

    def _meant(self, request: Request) -> Served:
        """Return the served path for a request: Claude clients share paths with others, but send their own header."""
        is_claude = "anthropic-version" in request.headers
        fitting = (one for one in self._served if (one.route.speak == "claude") is is_claude)
        return next(fitting, self._served[0])

    def _check_origin(self, call: Call) -> None:
        """Check the origin of a request. Between two sides of one dialect the provider gets it and judges it.

        Raises:
            RefusedCallError: a browser sent it for a page of another site.
        """
        if not call.route.is_home and is_foreign_page(call.request.headers, self._house.origins):
            raise RefusedCallError(FOREIGN_PAGE)

    async def _read(self, request: Request) -> bytes:
        """Return the body of a request.

        Raises:
            RefusedCallError: it is too large, or takes too long to arrive.
            ClientDisconnect: the client has disconnected.
        """
        limits = self._house.limits
        pieces: list[bytes] = []
        size = 0
        try:
            async with asyncio.timeout(limits.request):
                async for piece in request.stream():
                    size += len(piece)
                    if size > limits.body:
                        raise RefusedCallError(too_large(limits.body))
                    pieces.append(piece)
        except TimeoutError:
            message = "The request did not come in time."
            raise RefusedCallError(ApiError(category="timeout", status=408, message=message)) from None
        return b"".join(pieces)


async def _guarded(act: Act, call: Call) -> None:
    """Run a handler. Unexpected errors are logged and answered as server errors, without content.

    A response that has begun is left incomplete, so that the server closes the connection.
    """
    try:
        await act(call)
    except RefusedCallError as refused:
        await call.refuse(refused.error)
    except Exception as error:  # noqa: BLE001  # any error is answered in the client's dialect
        place = traceback.extract_tb(error.__traceback__)[-1]
        LOG.error("a request failed: %s at %s:%s", type(error).__name__, place.filename, place.lineno)
        if call.down.status is None:
            await call.refuse(ApiError(category="server_error", message="The server failed."))
