"""The conversions that people call: wire to models, models to wire.

Rooms speak plain canonical JSON, people hold models: `decode_*` and `encode_*` cross that border once;
`interlingua.translation` never does. One code path serves both (docs/design.md, section 2).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from pydantic import ValidationError

from interlingua.checking import plain_request, plain_response, undecodable
from interlingua.model import ChatRequest, ChatResponse
from interlingua.profiles import AUTO
from interlingua.showing import USUAL, Shown
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
    from interlingua.loss_words import Strict
    from interlingua.registry import Dialect
    from interlingua.showing import ReasoningMember

__all__ = [
    "decode_request",
    "decode_response",
    "encode_request",
    "encode_response",
    "restore_names",
]


def decode_request(body: dict[str, Any], dialect: Dialect) -> ChatRequest:
    """Return the request that a wire body says. What no JSON text holds is carried as it came (docs/errors.md).

    Raises `DecodeError` where the body is not what its dialect says, `UnknownDialectError` for an unknown dialect.

    Args:
        body: The wire body: plain JSON as `json.loads` gives it, an object.
        dialect: Whose format it is, or shall be: one of `il.dialects()`.

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
    """Return the response that a wire body says. What no JSON text holds is carried as it came (docs/errors.md).

    Raises `DecodeError` where the body is not what its dialect says, `UnknownDialectError` for an unknown dialect.

    Args:
        body: The wire body: plain JSON as `json.loads` gives it, an object.
        dialect: Whose format it is, or shall be: one of `il.dialects()`.

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
    """Return the wire body of a request, and what did not come along.

    `model` replaces the request's model. `defaults` fills canonical members that are absent, such as
    `{"max_tokens": 1000}`. `api_version` None means verbatim at home and the newest abroad. `profile` "auto" writes
    abroad what the family of the model takes (docs/families.md); the name of a family or of a model chooses one, None
    goes by the dialect alone.

    `strict` says what may not be lost: True, nothing that was said or asked for (the concerns content, contract and
    tuning); "all", nothing at all; a set of concerns, nothing that touches these. Raises `LossError` where such a thing
    would be lost, `UnknownConcernError` for a `strict` that is none of these, `EncodeError` for a request that is not
    canonical, an unknown version, or a value that the dialect has as text and that no JSON text holds,
    `UnknownProfileError` for an unknown family.

    Args:
        request: The canonical request, a model or plain JSON.
        dialect: Whose format it is, or shall be: one of `il.dialects()`.
        strict: What may not be lost: False nothing in particular, True, "all", or a set of concerns.
        model: The name of the model to write; None keeps that of the request.
        defaults: Canonical members, by name, to fill in where the request has none.
        api_version: The version of the API to write for; None means verbatim at home and the newest abroad.
        profile: The family of models to write for: "auto", a name, or None.
        copy: Whether the body may share nothing with what was given.

    Example:
        >>> request = il.ChatRequest(model="gpt-5.6", messages=(il.chat.create_user("Hi"),))
        >>> il.encode_request(request, "openai_chat").body
        {'model': 'gpt-5.6', 'messages': [{'role': 'user', 'content': 'Hi'}]}
    """
    canonical = cast("model_shapes.ChatRequest", plain_request(request, dialect))
    encoded = encode_canonical_request(canonical, dialect, strict, model, defaults, api_version, profile=profile)
    return encoded.copied() if copy else encoded


def restore_names(response: ChatResponse | Mapping[str, Any], renamed: Mapping[str, str]) -> ChatResponse:
    """Return a response whose calls name the tools as its request did, before its dialect refused their names.

    `renamed` is that of the `Encoded` request: `restore_names(decode_response(answer, dialect), encoded.renamed)`.
    Raises `EncodeError` for a response that is not canonical.

    Args:
        response: The response, a model or plain JSON.
        renamed: The names that the provider was told, each with the name of its tool.

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
    reasoning_member: ReasoningMember = USUAL,
    carry_state: bool = False,
    copy: bool = False,
) -> Encoded:
    """Return the wire body of a response, and what did not come along.

    `exchange` says what its client is to find: its own names and kinds of tools, its name for the model. `input_tokens`
    is the count of the prompt, where the response has none. `reasoning_member` names where an answer from elsewhere
    shows its reasoning in Chat Completions, which has no place of its own for it; None shows none. `carry_state` writes
    what the provider signed where clients of Chat Completions, Claude and Responses keep such things, so that it comes
    back with the next request.

    `strict` says what may not be lost: True, nothing that was said or asked for; "all", nothing at all; a set of
    concerns, nothing that touches these. Raises `LossError` where such a thing would be lost, `EncodeError` for a
    response that is not canonical, or a value that the dialect has as text and that no JSON text holds.

    Args:
        response: The canonical response, a model or plain JSON.
        dialect: Whose format it is, or shall be: one of `il.dialects()`.
        strict: What may not be lost: False nothing in particular, True, "all", or a set of concerns.
        exchange: The exchange that the answer is for, which knows the names that the client is to find.
        input_tokens: How many tokens the prompt has, where the answer does not say.
        reasoning_member: Where Chat Completions shows reasoning from elsewhere: the name of the member, or None.
        carry_state: Whether a client is given what the provider signed, where it can keep it, to send it back.
        copy: Whether the body may share nothing with what was given.

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
        shown=Shown(reasoning_member, carry_state),
    )
    return encoded.copied() if copy else encoded
