"""Handles generation requests: through an exchange to a provider of another dialect and back, whole or streamed."""

from __future__ import annotations

import time
from functools import cached_property
from typing import TYPE_CHECKING, Any

import interlingua as il
from interlingua.error_translation import error_event, is_error_body
from interlingua.errors import DecodeError, FrameError, InterlinguaError
from interlingua.frames import FrameDecoder, FrameEncoder, wire_of
from interlingua.model import ApiError
from interlingua.serve.counting import estimate
from interlingua.serve.downstream import raw
from interlingua.serve.headers import TOKENS, client_headers, stream_type
from interlingua.serve.own_members import OwnMembers
from interlingua.serve.pings import Pings, only_opens
from interlingua.serve.provider_requests import make_exchange, provider_path, provider_response
from interlingua.serve.upstream import UpstreamError, parsed, text_or_json
from interlingua.streaming import StreamSteps

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable
    from contextlib import AbstractAsyncContextManager

    import httpx

    from interlingua.exchange import Exchange
    from interlingua.frames import Form, Frame
    from interlingua.loss import Encoded, EncodedError, Loss
    from interlingua.serve.call import Call
    from interlingua.serve.headers import RawHeaders

__all__ = ["answer", "generate", "streams"]


async def generate(call: Call) -> None:
    """Handle a generation request. Errors of the provider or the connection are sent to the client.

    Raises:
        RefusedCallError: the body is not a valid request, or cannot be translated.
    """
    body = call.body()
    is_stream = streams(call, body)
    await answer(call, body, make_exchange(call, body, is_stream=is_stream), is_stream=is_stream)


async def answer(call: Call, body: dict[str, Any], exchange: Exchange, *, is_stream: bool) -> None:
    """Handle a generation request with its translation."""
    if is_stream:
        await _Stream(call, body, exchange).answer()
        return
    try:
        async with _asked(call, body, exchange, is_stream=False) as reply:
            data = await call.up.read(reply)
            await _answer(call, body, exchange, reply, data)
    except UpstreamError as error:
        await call.refuse(error.error)


def streams(call: Call, body: dict[str, Any]) -> bool:
    """Tell whether a request asks for a stream, in its body or its URL."""
    client = call.route.client
    if client.model_in_path:
        return call.request.url.path.endswith(":streamGenerateContent")
    return client.is_stream(body)


def _asked(
    call: Call, body: dict[str, Any], exchange: Exchange, *, is_stream: bool
) -> AbstractAsyncContextManager[httpx.Response]:
    """Return the context manager of the provider's response."""
    provider = call.route.provider
    path = provider_path(call, provider.stream if is_stream and provider.stream else provider.generate, body)
    return provider_response(call, path + ("?alt=sse" if is_stream and provider.stream else ""), exchange.body)


async def _answer(
    call: Call, asked_body: dict[str, Any], exchange: Exchange, reply: httpx.Response, data: bytes
) -> None:
    """Send the provider's complete response to the client."""
    if not reply.is_success:
        await call.refuse(_refusal(call, exchange, reply, data))
        return
    body = parsed(data)
    call.recording.note("said", body)
    try:
        encoded = exchange.response(body)
    except InterlinguaError as error:
        if is_error_body(body, call.route.backend):
            await call.refuse(exchange.error(body, headers=reply.headers, now=time.time()))
            return
        raise UpstreamError(_invalid_response(error)) from None
    if _is_empty_response(encoded, body, call):
        raise UpstreamError(ApiError(category="unavailable", message="The provider's answer is empty."))
    call.lose(encoded.losses)
    whole = OwnMembers(call.route.speak, asked_body).whole(encoded.body)
    await call.tell(whole, client_headers(reply.headers, call.route.backend, call.route.speak))


def _is_empty_response(encoded: Encoded, body: dict[str, Any], call: Call) -> bool:
    """Tell whether a response has neither a message nor a finish reason, as servers write when they have no answer.

    A client would take it for the model's answer, and an agent for the end of the work.
    """
    ends = not any(loss.path == "/finish_reason" and loss.severity == "filled" for loss in encoded.losses)
    return not ends and not il.decode_response(body, call.route.backend).messages


def _refusal(call: Call, exchange: Exchange, reply: httpx.Response, data: bytes) -> EncodedError:
    body = text_or_json(data)
    call.recording.note("said", body)
    return exchange.error(body, status=reply.status_code, headers=reply.headers, now=time.time())


def _invalid_response(error: InterlinguaError) -> ApiError:
    """Return the error for a response that is not valid in the provider's dialect; it says where, without content."""
    return ApiError(category="unavailable", message=f"The provider's answer cannot be read: {error}")


async def _frames_of(reply: httpx.Response, decoder: FrameDecoder) -> AsyncIterator[list[Frame]]:
    """Yield the frames of a response as they arrive; a response that is not a stream is one frame at the end."""
    async for chunk in reply.aiter_bytes():
        yield decoder.feed(chunk)
    yield decoder.close()


def _error_in(frame: Frame) -> Any:
    """Return the error in a frame; a failed response holds it in a member."""
    response = frame.get("response") if isinstance(frame, dict) else None
    return frame if response is None else response


class _Stream:
    """One streamed response.

    The opening frames are held back until there is content, so that an earlier failure can still be reported with a
    status code, because clients retry by status codes but not by errors in a stream.
    """

    def __init__(self, call: Call, body: dict[str, Any], exchange: Exchange) -> None:
        self._call = call
        self._body = body
        self._exchange = exchange
        self._form: Form = wire_of(call.route.speak).form
        if call.route.client.model_in_path and call.request.query_params.get("alt") != "sse":
            self._form = "json_array"
        self._encoder = FrameEncoder(call.route.speak, self._form)
        self._pings = Pings(call.route.speak, self._encoder, str(call.named or body.get("model")))
        self._own = OwnMembers(call.route.speak, body)
        self._passed_on: dict[str, str] = {}
        self._held: list[Frame] = []

    @cached_property
    def _steps(self) -> StreamSteps:
        """The translator of the frames; the prompt is counted only if the first frame reports its length."""
        route = self._call.route
        tokens = estimate(self._body, route.speak) if route.client.counts_first else None
        return StreamSteps(route.backend, route.speak, exchange=self._exchange, input_tokens=tokens, keeps=False)

    async def answer(self) -> None:
        """Stream the response."""
        call = self._call
        async with call.down.stream(self._headers, self._ping, call.limits.ping):
            try:
                async with _asked(call, self._body, self._exchange, is_stream=True) as reply:
                    if reply.is_success:
                        self._passed_on = client_headers(reply.headers, call.route.backend, call.route.speak)
                        await self._pass_on(reply)
                    else:
                        await self._refuse(reply, await call.up.read(reply))
            except UpstreamError as error:
                await self._break_off(error.error)
            except (DecodeError, FrameError) as error:
                await self._break_off(_invalid_response(error))
            finally:
                call.lose(self._losses())

    def _losses(self) -> Iterable[Loss]:
        """Return the losses of the response; none if it has not begun."""
        return self._steps.losses if "_steps" in self.__dict__ else ()

    def _headers(self) -> RawHeaders:
        """Return the headers of the stream."""
        call = self._call
        tokens = {TOKENS: "estimate"} if call.route.client.counts_first else {}
        # Otherwise nginx buffers the stream, including pings.
        headers = {"content-type": stream_type(self._form), "cache-control": "no-cache", "x-accel-buffering": "no"}
        return raw({**headers, **self._passed_on, **tokens, **call.loss_header()})

    async def _pass_on(self, reply: httpx.Response) -> None:
        """Translate the frames of a response as they arrive."""
        decoder = FrameDecoder(max_bytes=self._call.limits.body)
        async for frames in _frames_of(reply, decoder):
            refusal = await self._translate(frames)
            if refusal is not None:
                await self._call.refuse(self._exchange.error(refusal, headers=reply.headers, now=time.time()))
                return
        if decoder.cut or not self._steps.is_whole():
            raise UpstreamError(
                ApiError(category="unavailable", message="Connection error: the provider broke off its answer.")
            )
        await self._write(self._steps.close())
        await self._call.down.end(self._encoder.close)

    async def _translate(self, frames: list[Frame]) -> Any:
        """Translate and write frames, including those before one that cannot be read.

        Return the error body if a status code can still report it, else None.
        """
        made: list[Frame] = []
        try:
            for frame in frames:
                self._call.recording.note("said", frame)
                if self._call.down.status is None and self._only_opens(made):
                    body = _error_in(frame)
                    if is_error_body(body, self._call.route.backend):
                        made.clear()
                        return body
                made += self._steps.feed(frame)
        finally:
            await self._write(made)
        return None

    async def _write(self, made: list[Frame]) -> None:
        self._held += [self._own.frame(one) for one in made]
        if self._held and (self._call.down.status is not None or not self._only_opens(self._held)):
            await self._call.down.write(self._released)

    def _only_opens(self, frames: list[Frame]) -> bool:
        return all(only_opens(frame, self._call.route.speak) for frame in frames)

    def _released(self) -> bytes:
        """Return and release the bytes of the held frames."""
        frames, self._held = self._held, []
        for frame in frames:
            self._call.recording.note("answer", frame)
            self._pings.saw(frame)
        return b"".join(map(self._encoder.feed, frames))

    def _ping(self) -> bytes:
        return self._released() + self._pings.ping()

    async def _refuse(self, reply: httpx.Response, data: bytes) -> None:
        """Send the provider's error response: with its status, or as an event if a ping has begun the stream."""
        call = self._call
        if call.down.status is None:
            await call.refuse(_refusal(call, self._exchange, reply, data))
            return
        body = text_or_json(data)
        backend, status, headers = call.route.backend, reply.status_code, reply.headers
        await self._break_off(il.decode_error(body, backend, status=status, headers=headers, now=time.time()))

    async def _break_off(self, error: ApiError) -> None:
        """Send an error of the connection or the server: with a status, or as an event if the stream has begun."""
        if self._call.down.status is None:
            await self._call.refuse(error)
            return
        await self._write(self._steps.break_off(error_event(error, self._call.route.speak)))
        await self._call.down.end(self._encoder.close)
