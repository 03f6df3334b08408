"""The public conversions: wire bodies to models, and models to wire bodies.

Rooms work on plain canonical JSON; `decode_*` and `encode_*` convert it to and from models, which
`interlingua.translation` never does. Both use the same code path (docs/design.md, section 2).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from pydantic import ValidationError

from interlingua.canonical_input import plain_request, plain_response, undecodable
from interlingua.model import ChatRequest, ChatResponse
from interlingua.profiles import AUTO
from interlingua.response_options import REASONING_CONTENT, ResponseOptions
from interlingua.translation import (
    decode_canonical_request,
    decode_canonical_response,
    encode_canonical_request,
    encode_canonical_response,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua import model_shapes
    from interlingua.exchange import Exchange
    from interlingua.loss import Encoded
    from interlingua.loss_types import Strict
    from interlingua.registry import Dialect
    from interlingua.response_options import ReasoningMember

__all__ = ["decode_request", "decode_response", "encode_request", "encode_response", "restore_names"]


def decode_request(body: dict[str, Any], dialect: Dialect) -> ChatRequest:
    """Return the request in a wire body. Values that JSON text cannot hold are carried unchanged (docs/errors.md).

    Raises `DecodeError` if the body is not valid in its dialect, `UnknownDialectError` for an unknown dialect.

    Args:
        body: The wire body: a JSON object as `json.loads` returns it.
        dialect: The wire format: one of `il.dialects()`.

    Example:
        >>> body = {"model": "gpt-5.6", "messages": [{"role": "user", "content": "Hi"}]}
        >>> il.decode_request(body, "openai_chat").messages[0].text
        'Hi'
    """
    canonical = decode_canonical_request(body, dialect)
    try:
        return ChatRequest.model_validate(canonical)
    except ValidationError as error:
        raise undecodable(error, dialect) from None


def decode_response(body: dict[str, Any], dialect: Dialect) -> ChatResponse:
    """Return the response in a wire body. Values that JSON text cannot hold are carried unchanged (docs/errors.md).

    Raises `DecodeError` if the body is not valid in its dialect, `UnknownDialectError` for an unknown dialect.

    Args:
        body: The wire body: a JSON object as `json.loads` returns it.
        dialect: The wire format: one of `il.dialects()`.

    Example:
        >>> message = {"role": "assistant", "content": "Hello"}
        >>> answer = {"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}
        >>> il.decode_response(answer, "openai_chat").text
        'Hello'
    """
    canonical = decode_canonical_response(body, dialect)
    try:
        return ChatResponse.model_validate(canonical)
    except ValidationError as error:
        raise undecodable(error, dialect) from None


def encode_request(
    request: ChatRequest | Mapping[str, Any],
    dialect: Dialect,
    *,
    strict: Strict = False,
    model: str | None = None,
    defaults: Mapping[str, Any] | None = None,
    api_version: str | None = None,
    profile: str | None = AUTO,
    copy: bool = False,
) -> Encoded:
    """Return the wire body of a request, together with its losses.

    `model` replaces the request's model. `defaults` fills canonical members that are absent, such as
    `{"max_tokens": 1000}`. `api_version` None means verbatim at home and the newest abroad. `profile` "auto" writes
    abroad what the model's family accepts (docs/families.md); the name of a family or a model selects one, None applies
    the dialect's rules alone.

    `strict` says what must not be lost: True means nothing that was said or asked for (the concerns content, contract
    and tuning), "all" nothing at all, and a set of concerns nothing that they cover. Raises `LossError` if such a value
    would be lost, `UnknownConcernError` for any other `strict`, `EncodeError` for a request that is not canonical, an
    unknown version, or a value that the dialect writes as JSON text and that has no such text, `UnknownProfileError`
    for an unknown family.

    Args:
        request: The canonical request, a model or plain JSON.
        dialect: The wire format: one of `il.dialects()`.
        strict: What must not be lost: False (no check), True, "all", or a set of concerns.
        model: The model name to write; None keeps the request's.
        defaults: Values for canonical members that the request does not set.
        api_version: The API version to write for; None means verbatim at home and the newest abroad.
        profile: The model family to write for: "auto", a name, or None.
        copy: Whether to return a body that shares no objects with the input.

    Example:
        >>> request = il.ChatRequest(model="gpt-5.6", messages=(il.chat.create_user("Hi"),))
        >>> il.encode_request(request, "openai_chat").body
        {'model': 'gpt-5.6', 'messages': [{'role': 'user', 'content': 'Hi'}]}
    """
    canonical = cast("model_shapes.ChatRequest", plain_request(request, dialect))
    encoded = encode_canonical_request(canonical, dialect, strict, model, defaults, api_version, profile=profile)
    return encoded.copied() if copy else encoded


def restore_names(response: ChatResponse | Mapping[str, Any], renamed: Mapping[str, str]) -> ChatResponse:
    """Return a response whose tool calls have the original tool names again, where encoding the request renamed them.

    `renamed` is that of the `Encoded` request: `restore_names(decode_response(answer, dialect), encoded.renamed)`.
    Raises `EncodeError` for a response that is not canonical.

    Args:
        response: The response, a model or plain JSON.
        renamed: Maps each name that was sent to the provider to the tool's own name.

    Example:
        >>> response = il.ChatResponse(messages=(il.chat.create_assistant(None, [il.ToolCall.create("a_b", {})]),))
        >>> il.restore_names(response, {"a_b": "a.b"}).tool_calls[0].name
        'a.b'
    """
    plain = plain_response(response, "")
    if renamed:
        for answer in (plain, *plain.get("alternatives", ())):
            for message in answer["messages"]:
                for call in message.get("tool_calls", ()):
                    call["name"] = renamed.get(call["name"], call["name"])
    return ChatResponse.model_validate(plain)


def encode_response(
    response: ChatResponse | Mapping[str, Any],
    dialect: Dialect,
    *,
    strict: Strict = False,
    exchange: Exchange | None = None,
    input_tokens: int | None = None,
    reasoning_member: ReasoningMember = REASONING_CONTENT,
    carry_state: bool = False,
    copy: bool = False,
) -> Encoded:
    """Return the wire body of a response, together with its losses.

    `exchange` restores what the client used: its own tool names and kinds, and its model name. `input_tokens` is the
    prompt's token count, used where the response has none. `reasoning_member` names the Chat Completions member for the
    reasoning of another dialect, since Chat Completions has no official one; None shows none. `carry_state` writes the
    provider's signatures where clients of Chat Completions, Claude, Gemini and Responses keep such state: they come
    back with the next request.

    `strict` says what must not be lost: True means nothing that was said or asked for, "all" nothing at all, and a set
    of concerns nothing that they cover. Raises `LossError` if such a value would be lost, `EncodeError` for a response
    that is not canonical, or a value that the dialect writes as JSON text and that has no such text.

    Args:
        response: The canonical response, a model or plain JSON.
        dialect: The wire format: one of `il.dialects()`.
        strict: What must not be lost: False (no check), True, "all", or a set of concerns.
        exchange: The exchange that this is the answer to; it restores the client's own tool and model names.
        input_tokens: The prompt's token count, used where the answer does not report it.
        reasoning_member: The Chat Completions member that shows another dialect's reasoning; None shows none.
        carry_state: Whether to give the client the provider's signatures, where it can keep them and send them back.
        copy: Whether to return a body that shares no objects with the input.

    Example:
        >>> response = il.ChatResponse(messages=(il.chat.create_assistant("Hello"),), finish_reason="stop")
        >>> il.encode_response(response, "claude", input_tokens=3).body["content"]
        [{'type': 'text', 'text': 'Hello'}]
    """
    canonical = cast("model_shapes.ChatResponse", plain_response(response, dialect))
    encoded = encode_canonical_response(
        canonical,
        dialect,
        strict=strict,
        exchange=exchange,
        input_tokens=input_tokens,
        options=ResponseOptions(reasoning_member, carry_state),
    )
    return encoded.copied() if copy else encoded
