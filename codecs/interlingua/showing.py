"""Options for a client's answer: the member that shows reasoning, and whether it receives the provider's signatures.

Source: docs/wire/openai_chat.md, sections 3 and 9. Works on canonical responses and events, before a room encodes them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, Protocol, TypeAlias, cast

from interlingua.given import check_exchange
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


__all__ = ["USUAL", "ReasoningMember", "Shown", "shown_events", "shown_response", "spelled"]

ReasoningMember: TypeAlias = Literal["reasoning_content", "reasoning"] | None
"""The Chat Completions member that shows another dialect's reasoning; None shows none.

Example:
    >>> answer = il.ChatResponse(messages=(il.AssistantChatMessage(reasoning="Hm.", content="Hello"),))
    >>> body = il.encode_response(answer, "openai_chat", reasoning_member="reasoning").body
    >>> body["choices"][0]["message"]["reasoning"]
    'Hm.'
"""
USUAL: Final = "reasoning_content"


class Shown(NamedTuple):
    """What an answer shows: the reasoning member, and whether it carries the provider's signatures (`state`)."""

    member: ReasoningMember = USUAL
    state: bool = False

    def chosen(self, exchange: _Client | None) -> Shown:
        """Return the caller's options, with those of the exchange as defaults."""
        if exchange is None:
            return self
        check_exchange(exchange)
        member = exchange.reasoning_member if self.member == USUAL else self.member
        return Shown(member, self.state or exchange.carries_state)

    def notes(self, dialect: str) -> tuple[str | None, bool]:
        """Return the spelling word for the reasoning member, and whether signatures are carried.

        The word is empty to show no reasoning, and None for the habit of the dialect.
        """
        described = None if self == _USUALLY else known_descriptor(dialect)
        if described is None:
            return None, False
        habit = described.reasoning_member
        place = None if not habit or self.member in {USUAL, habit} else self.member or ""
        return place, self.state and described.carries_state and not described.seals_state

    def seals(self, dialect: str) -> bool:
        """Tell whether the provider's signatures are sealed into the client's own signature members."""
        described = known_descriptor(dialect) if self.state else None
        return described is not None and described.seals_state


_USUALLY: Final = Shown()


def shown_response(response: ChatResponse, dialect: str, shown: Shown) -> ChatResponse:
    """Return another dialect's response with the options noted as `spelling`."""
    if response.get("dialect") == dialect:
        return response
    if shown.seals(dialect):
        written: Any = room(dialect)
        response = _of_each_message(response, written.with_carried_state)
    place, carries = shown.notes(dialect)
    if place is None and not carries:
        return response
    out: Any = spelled(response, dialect, "signatures", "carried") if carries else {**response}
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


def shown_events(dialect: str, shown: Shown) -> Callable[[dict[str, Any]], dict[str, Any]] | None:
    """Return a function that notes the options in an event, or None if the habits of the dialect apply."""
    place, carries = shown.notes(dialect)
    if place is None and not carries:
        return None

    def noted(event: dict[str, Any]) -> dict[str, Any]:
        if event["type"] == "reasoning" and place is not None:
            return _noted(event, dialect, place)
        if event["type"] == "start" and carries and event.get("dialect") != dialect:
            return spelled(event, dialect, "signatures", "carried")
        return event

    return noted


def _noted(value: Any, dialect: str, place: str) -> dict[str, Any]:
    if "reasoning" not in value and value.get("type") != "reasoning":
        return cast("dict[str, Any]", value)
    return spelled(value, dialect, "reasoning", place)


def spelled(value: Any, dialect: str, name: str, word: str) -> dict[str, Any]:
    """Return a message or an event with a spelling word added for a dialect."""
    extra = value.get("extra", {})
    own = extra.get(dialect, {})
    return {**value, "extra": {**extra, dialect: {**own, "spelling": {**own.get("spelling", {}), name: word}}}}
