"""Token counts of requests: the provider's count, else an estimate that is marked as one."""

from __future__ import annotations

import time
from functools import cache
from typing import TYPE_CHECKING, Any, Final, cast

import interlingua as il
from interlingua.context import HeuristicCounter, MessageCounter, TiktokenCounter
from interlingua.errors import InterlinguaError, MissingExtraError
from interlingua.model import ApiError
from interlingua.serve.headers import TOKENS
from interlingua.serve.provider_requests import make_exchange, provider_path, provider_response
from interlingua.serve.upstream import UpstreamError, parsed, text_or_json

if TYPE_CHECKING:
    from interlingua.context import TokenCounter
    from interlingua.exchange import Exchange
    from interlingua.registry import Dialect
    from interlingua.serve.call import Call

__all__ = ["count_tokens", "estimate"]

# The status codes of a provider of the dialect that does not count tokens.
_NOT_COUNTED: Final = frozenset({404, 405, 501})


def estimate(body: dict[str, Any], dialect: Dialect, counter: TokenCounter | None = None) -> int | None:
    """Return an estimate of the tokens of a request; None if it cannot be decoded."""
    try:
        request = il.decode_request(body, dialect)
    except InterlinguaError:
        return None
    return MessageCounter(counter or HeuristicCounter()).count_request(request)


@cache
def _best_counter() -> TokenCounter:
    """Return the counter of the extra `tokens`, or the heuristic one."""
    try:
        return TiktokenCounter()
    except MissingExtraError:
        return HeuristicCounter()


async def count_tokens(call: Call) -> None:
    """Respond with the token count of a request. Raises `RefusedCallError` if the body is not a valid request."""
    body = _request_to_count(call.body(), call.route.speak)
    exchange = make_exchange(call, body, is_stream=False)
    if call.route.provider.counts and await _relay_count(call, body, exchange):
        return
    tokens = estimate(body, call.route.speak, _best_counter())
    await call.tell(_count_body(tokens or 0, call.route.speak), {TOKENS: "estimate"})


async def _relay_count(call: Call, body: dict[str, Any], exchange: Exchange) -> bool:
    """Respond with the provider's count or error; return whether the provider counts tokens at all."""
    path = provider_path(call, call.route.provider.counts, body)
    try:
        async with provider_response(call, path, _countable(call, body, exchange.body)) as reply:
            data = await call.up.read(reply)
            if reply.status_code in _NOT_COUNTED:
                return False
            if reply.is_success:
                await call.tell(_count_body(_count_of(parsed(data)), call.route.speak))
            else:
                status, said = reply.status_code, text_or_json(data)
                await call.refuse(exchange.error(said, status=status, headers=reply.headers, now=time.time()))
    except UpstreamError as error:
        await call.refuse(error.error)
    return True


def _request_to_count(body: dict[str, Any], dialect: str) -> dict[str, Any]:
    """Return the request to count; Gemini's clients may wrap it."""
    inner = body.get("generateContentRequest")
    return cast("dict[str, Any]", inner) if dialect == "gemini" and type(inner) is dict else body


def _countable(call: Call, body: dict[str, Any], translated: dict[str, Any]) -> dict[str, Any]:
    """Return the part of a request that the provider accepts for counting."""
    provider = call.route.provider
    if provider.model_in_path:
        model = provider_path(call, "models/{model}", body)
        return {"generateContentRequest": {"model": model, **translated}}
    return {name: value for name, value in translated.items() if name in provider.counted}


def _count_of(found: Any) -> int:
    """Return the count in a provider's response. Raises `UpstreamError` if there is none."""
    members = cast("dict[str, Any]", found) if type(found) is dict else {}
    tokens = members.get("input_tokens", members.get("totalTokens"))
    if type(tokens) is not int:
        raise UpstreamError(ApiError(category="unavailable", message="The provider returned no token count."))
    return tokens


def _count_body(tokens: int, dialect: str) -> dict[str, Any]:
    match dialect:
        case "gemini":
            return {"totalTokens": tokens}
        case "openai_responses":
            return {"object": "response.input_tokens", "input_tokens": tokens}
        case _:
            return {"input_tokens": tokens}
