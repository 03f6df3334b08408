"""Options for a client's answer: the member that shows reasoning, and whether it receives the provider's signatures.

Source: docs/wire/openai_chat.md, sections 3 and 9. Works on canonical responses and events, before a room encodes them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, Protocol, TypeAlias, cast

from interlingua.argument_checks import check_exchange
from interlingua.registry import known_descriptor, room

if TYPE_CHECKING:
    from collections.abc import Callable

    from interlingua.model_shapes import ChatResponse

    class _Client(Protocol):
        """What an exchange says of its client."""

        @property
        def reasoning_member(self) -> ReasoningMember: ...

        @property
        def carries_state(self) -> bool: ...

        @property
        def sent_model(self) -> str | None: ...


__all__ = [
    "REASONING_CONTENT",
    "ReasoningMember",
    "ResponseOptions",
    "event_options",
    "with_response_options",
    "with_spelling_word",
]

ReasoningMember: TypeAlias = Literal["reasoning_content", "reasoning"] | None
"""The Chat Completions member that shows another dialect's reasoning; None shows none.

Example:
    >>> answer = il.ChatResponse(messages=(il.AssistantChatMessage(reasoning="Hm.", content="Hello"),))
    >>> body = il.encode_response(answer, "openai_chat", reasoning_member="reasoning").body
    >>> body["choices"][0]["message"]["reasoning"]
    'Hm.'
"""
REASONING_CONTENT: Final = "reasoning_content"


class ResponseOptions(NamedTuple):
    """What an answer shows: the reasoning member, and whether it carries the provider's signatures (`state`).

    `model` is the one that the request named.
    """

    member: ReasoningMember = REASONING_CONTENT
    state: bool = False
    model: str | None = None

    def chosen(self, exchange: _Client | None) -> ResponseOptions:
        """Return the caller's options, with those of the exchange as defaults."""
        if exchange is None:
            return self
        check_exchange(exchange)
        member = exchange.reasoning_member if self.member == REASONING_CONTENT else self.member
        return ResponseOptions(member, self.state or exchange.carries_state, exchange.sent_model)

    def notes(self, dialect: str) -> tuple[str | None, bool]:
        """Return the spelling word for the reasoning member, and whether signatures are carried.

        The word is empty to show no reasoning, and None for the habit of the dialect.
        """
        is_default = self.member == REASONING_CONTENT and not self.state
        described = None if is_default else known_descriptor(dialect)
        if described is None:
            return None, False
        habit = described.reasoning_member
        place = None if not habit or self.member in {REASONING_CONTENT, habit} else self.member or ""
        return place, self.state and described.carries_state and not described.seals_state

    def seals(self, dialect: str) -> bool:
        """Tell whether the provider's signatures are sealed into the client's own signature members."""
        described = known_descriptor(dialect) if self.state else None
        return described is not None and described.seals_state


def with_response_options(response: ChatResponse, dialect: str, options: ResponseOptions) -> ChatResponse:
    """Return another dialect's response with the options noted as `spelling`."""
    if response.get("dialect") == dialect:
        return response
    if options.seals(dialect):
        written: Any = room(dialect)
        response = _of_each_message(response, lambda one: written.with_carried_state(one, options.model))
    place, carries = options.notes(dialect)
    if place is None and not carries:
        return response
    out: Any = with_spelling_word(response, dialect, "signatures", "carried") if carries else {**response}
    return cast(
        "ChatResponse", out if place is None else _of_each_message(out, lambda one: _noted(one, dialect, place))
    )


def _of_each_message(response: Any, made: Callable[[Any], Any]) -> Any:
    """Return a response with a function applied to each message, including those of alternatives."""
    out = {**response, "messages": [made(one) for one in response["messages"]]}
    if "alternatives" in response:
        out["alternatives"] = [
            {**answer, "messages": [made(one) for one in answer["messages"]]} for answer in response["alternatives"]
        ]
    return out


def event_options(dialect: str, options: ResponseOptions) -> Callable[[dict[str, Any]], dict[str, Any]] | None:
    """Return a function that notes the options in an event, or None if the habits of the dialect apply."""
    place, carries = options.notes(dialect)
    if place is None and not carries:
        return None

    def noted(event: dict[str, Any]) -> dict[str, Any]:
        if event["type"] == "reasoning" and place is not None:
            return _noted(event, dialect, place)
        if event["type"] == "start" and carries and event.get("dialect") != dialect:
            return with_spelling_word(event, dialect, "signatures", "carried")
        return event

    return noted


def _noted(value: Any, dialect: str, place: str) -> dict[str, Any]:
    if "reasoning" not in value and value.get("type") != "reasoning":
        return cast("dict[str, Any]", value)
    return with_spelling_word(value, dialect, "reasoning", place)


def with_spelling_word(value: Any, dialect: str, name: str, word: str) -> dict[str, Any]:
    """Return a message or an event with a spelling word added for a dialect."""
    extra = value.get("extra", {})
    own = extra.get(dialect, {})
    return {**value, "extra": {**extra, dialect: {**own, "spelling": {**own.get("spelling", {}), name: word}}}}
