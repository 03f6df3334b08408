"""Relays requests between two sides of the same dialect: bytes and headers pass unchanged.

Nothing is parsed, unless requests are adapted to their model. If the route names another model, only that member of the
request text is replaced, and a response header says so. A request with other providers' signatures, which it got from
an earlier response of this server, is rewritten without them, since the provider would refuse it.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final, cast
from urllib.parse import quote

from interlingua.carried_signatures import MARKS, without_carried_state
from interlingua.serve.generating import answer, streams
from interlingua.serve.headers import MODEL, forwarded
from interlingua.serve.provider_requests import make_exchange
from interlingua.serve.upstream import UpstreamError
from interlingua.strict_json import RefusedError, compact, parse

if TYPE_CHECKING:
    from collections.abc import Iterator

    from interlingua.serve.call import Call
    from interlingua.serve.recording import Kind

__all__ = ["relay", "relay_fitted", "relay_model", "with_model", "without_foreign_signatures"]

_BLANKS: Final = " \t\r\n"
_DECODER: Final = json.JSONDecoder()
_OWN_LENGTH: Final = b"content-length"


async def relay(call: Call) -> None:
    """Relay a request to the provider, and its response to the client."""
    await _relay(call, _path(call), call.data, {})


async def relay_model(call: Call) -> None:
    """Relay a request with the model of the route, which replaces the client's in the body or the URL.

    Raises:
        RefusedCallError: the body holds the model and cannot be decompressed.
    """
    await _relay_model(
        call, without_foreign_signatures(call.decompressed() if call.route.model else call.data, call.route.speak)
    )


async def relay_fitted(call: Call) -> None:
    """Relay a request adapted to its model; if tools are renamed for that, the response is rewritten, too.

    Raises:
        RefusedCallError: the body is not a valid request, or has losses that the route does not allow.
    """
    body = call.body()
    is_stream = streams(call, body)
    exchange = make_exchange(call, body, is_stream=is_stream)
    if exchange.tools:
        await answer(call, body, exchange, is_stream=is_stream)
    else:
        await _relay_model(call, compact(exchange.body), "sent", is_renamed=exchange.model is not None)


async def _relay_model(call: Call, own: bytes, kind: Kind = "asked", *, is_renamed: bool = False) -> None:
    model = call.route.model
    path = _path(call)
    data = own
    if model is None:
        await _relay(call, path, data, {}, kind)
        return
    if call.route.client.model_in_path:
        before, _, operation = path.rpartition(":")
        path = f"{before[: before.index('/models/')]}/models/{quote(model, safe='')}:{operation}"
    else:
        data = with_model(data, model)
    is_same = (path, data) == (_path(call), own) and not is_renamed
    await _relay(call, path, data, {} if is_same else {MODEL: quote(model)}, kind)


async def _relay(call: Call, path: str, data: bytes, told: dict[str, str], kind: Kind = "asked") -> None:
    request = call.request
    query = request.scope["query_string"].decode("latin-1")
    left = {_OWN_LENGTH} if data == call.data else {_OWN_LENGTH, b"content-encoding"}
    headers = [one for one in forwarded(request.headers.raw) if one[0].lower() not in left]
    content = data if data or _OWN_LENGTH in dict(request.headers.raw) else None
    call.recording.note(kind, data)
    url = call.route.at(path) + (f"?{query}" if query else "")
    try:
        async with call.up.asked(request.method, url, headers, content) as reply:
            changed = [(name.encode(), value.encode()) for name, value in (told | call.loss_header()).items()]
            await call.down.begin(reply.status_code, [*forwarded(reply.headers.raw), *changed])
            async for chunk in reply.aiter_raw():
                call.recording.note("said", chunk)
                await call.down.write(lambda chunk=chunk: chunk)  # type: ignore[misc]
            await call.down.end()
    except UpstreamError as error:
        if call.down.status is None:
            await call.refuse(error.error)
        # Otherwise the response stays unfinished, as it came, and the server closes the connection.


def _path(call: Call) -> str:
    """Return the client's path, as it was spelled, without the prefix of the route."""
    scope = call.request.scope
    raw: bytes = scope.get("raw_path") or quote(scope["path"]).encode()
    path = raw.partition(b"?")[0].decode("latin-1")
    path = path.removeprefix(scope.get("root_path", "")).removeprefix(call.route.prefix)
    return call.route.client.in_full(path)


def without_foreign_signatures(data: bytes, dialect: str) -> bytes:
    """Return a request's bytes without other providers' signatures; the same bytes if there are none."""
    if not any(mark.encode() in data for mark in MARKS):
        return data
    try:
        body: Any = parse(data)
    except (RefusedError, RecursionError):
        return data  # the provider will refuse it
    if type(body) is not dict:
        return data
    asked = cast("dict[str, Any]", body)
    kept = without_carried_state(asked, dialect)
    return data if kept is asked else compact(kept)


def with_model(data: bytes, model: str) -> bytes:
    """Return the text of a JSON object with another model. Anything else is left for the provider to refuse."""
    try:
        text = data.decode()
        spans = [span for name, span in _members(text) if name == "model"]
    except (ValueError, RecursionError):
        return data
    if not spans:
        start = text.index("{") + 1
        comma = "" if text[start:].lstrip(_BLANKS).startswith("}") else ","
        return f'{text[:start]}"model":{json.dumps(model)}{comma}{text[start:]}'.encode()
    for start, end in reversed(spans):
        text = text[:start] + json.dumps(model) + text[end:]
    return text.encode()


def _members(text: str) -> Iterator[tuple[Any, tuple[int, int]]]:
    """Yield the members of a JSON object: each name, and the span of its value. Raises `ValueError`."""
    at = _after(text, 0, "{")
    if _blank(text, at).startswith("}"):
        return
    while True:
        at = _skip(text, at)
        name, at = _DECODER.raw_decode(text, at)
        start = _skip(text, _after(text, at, ":"))
        _, at = _DECODER.raw_decode(text, start)
        yield name, (start, at)
        at = _skip(text, at)
        if text[at : at + 1] != ",":
            _after(text, at, "}")
            return
        at += 1


def _blank(text: str, at: int) -> str:
    return text[_skip(text, at) :][:1]


def _skip(text: str, at: int) -> int:
    while text[at : at + 1] and text[at] in _BLANKS:
        at += 1
    return at


def _after(text: str, at: int, sign: str) -> int:
    at = _skip(text, at)
    if text[at : at + 1] != sign:
        raise ValueError(sign)
    return at + 1
