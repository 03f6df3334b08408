"""Requests to the provider: the exchange, the URL with the model in it, and the headers."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Final, cast
from urllib.parse import quote

import interlingua as il
from interlingua.errors import InterlinguaError
from interlingua.model import ApiError
from interlingua.registry import descriptor
from interlingua.serve.call import RefusedCallError
from interlingua.serve.headers import JSON, provider_headers, version_asked
from interlingua.serve.upstream import UpstreamError
from interlingua.strict_json import compact

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    import httpx

    from interlingua.exchange import Exchange
    from interlingua.serve.call import Call
    from interlingua.spi.descriptor import Descriptor

__all__ = ["make_exchange", "provider_path", "provider_response"]

_NO_MODEL: Final = ApiError(category="invalid_request", message="The request does not name a model.", param="/model")


def make_exchange(call: Call, body: dict[str, Any], *, is_stream: bool) -> Exchange:
    """Return the exchange of a request.

    Raises:
        RefusedCallError: the body is not a request, refers to state of the client's own provider, or would lose what
            the route does not allow to be lost.
    """
    route = call.route
    if route.client.needs_model and not (route.model or call.named or body.get("model")):
        raise RefusedCallError(_NO_MODEL)
    refusal = None if route.is_home else _not_held(body, descriptor(route.speak))
    if refusal is not None:
        raise RefusedCallError(refusal)
    try:
        exchange = il.exchange(
            body,
            route.speak,
            route.backend,
            strict=route.strict,
            model=route.model or call.named,
            defaults={**(route.defaults or {}), "stream": is_stream},
            api_version=route.api_version or version_asked(route, call.request.headers),
            reasoning_member=route.reasoning_member,
            fit=route.fit,
        )
    except InterlinguaError as error:
        raise RefusedCallError(ApiError(category="invalid_request", message=str(error))) from None
    call.lose(exchange.losses)
    return exchange


def _not_held(body: dict[str, Any], client: Descriptor) -> ApiError | None:
    """Return the error for a reference to state that only the client's own provider has.

    A response without that state would look right but be wrong.
    """
    for member, (status, error) in client.held_by_server.items():
        if body.get(member):
            return il.decode_error(dict(error), il.dialect(client.dialect), status=status)
    items: list[Any] = body[client.messages] if type(body.get(client.messages)) is list else []
    for item in items if client.held_items else ():
        said = cast("dict[str, Any]", item) if type(item) is dict else {}
        kind = said.get("type")
        if type(kind) is str and kind in client.held_items:
            unread, status, error = client.held_items[kind]
            if not str(said.get("id")).startswith(unread):
                return il.decode_error(dict(error), il.dialect(client.dialect), status=status)
    return None


def provider_path(call: Call, template: str, body: dict[str, Any]) -> str:
    """Return a path of the provider with the requested model in it.

    Raises:
        RefusedCallError: no model is named.
    """
    if "{model}" not in template:
        return template
    model = call.route.model or call.named or body.get("model")
    if type(model) is not str or not model:
        raise RefusedCallError(_NO_MODEL)
    return template.replace("{model}", quote(model.removeprefix("models/"), safe=""))


@asynccontextmanager
async def provider_response(
    call: Call, path: str, body: dict[str, Any] | None = None
) -> AsyncGenerator[httpx.Response]:
    """Send a request to the provider: POST with a body, else GET. Yields a response or an error response.

    Raises:
        UpstreamError: it cannot be reached, breaks off, or redirects: credentials are not sent elsewhere.
    """
    headers = provider_headers(call.route, call.request.headers, call.request.query_params)
    data = None
    if body is not None:
        call.recording.note("sent", body)
        headers, data = {"content-type": JSON, **headers}, compact(body)
    async with call.up.asked("GET" if data is None else "POST", call.route.at(path), headers, data) as reply:
        if not (reply.is_success or reply.is_error):
            message = f"The provider answered with a redirect (status {reply.status_code}), which is not followed."
            raise UpstreamError(ApiError(category="unavailable", message=message))
        yield reply
