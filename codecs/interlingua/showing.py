"""What the client of an answer looks for: the member that shows reasoning, and what the provider signed.

Source: docs/wire/openai_chat.md, sections 3 and 9. Works on canonical answers and events, before a room writes them.
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
"""The member of an answer of Chat Completions that shows reasoning from elsewhere; None shows none.

Example:
    >>> answer = il.ChatResponse(messages=(il.AssistantChatMessage(reasoning="Hm.", content="Hello"),))
    >>> body = il.encode_response(answer, "openai_chat", reasoning_member="reasoning").body
    >>> body["choices"][0]["message"]["reasoning"]
    'Hm.'
"""
USUAL: Final = "reasoning_content"


class Shown(NamedTuple):
    """What an answer shows: reasoning in a member, and what its provider signed where the client sends it back."""

    member: ReasoningMember = USUAL
    state: bool = False

    def chosen(self, exchange: _Client | None) -> Shown:
        """Return what a caller names, or else what its exchange does."""
        if exchange is None:
            return self
        check_exchange(exchange)
        member = exchange.reasoning_member if self.member == USUAL else self.member
        return Shown(member, self.state or exchange.carries_state)

    def notes(self, dialect: str) -> tuple[str | None, bool]:
        """Return the note on where reasoning stands, empty for nowhere, and whether state is carried.

        None is the habit of the dialect.
        """
        described = None if self == _USUALLY else known_descriptor(dialect)
        if described is None:
            return None, False
        habit = described.reasoning_member
        place = None if not habit or self.member in {USUAL, habit} else self.member or ""
        return place, self.state and described.carries_state and not described.seals_state

    def seals(self, dialect: str) -> bool:
        """Tell whether what its provider signed stands where the client keeps its own provider's signatures."""
        described = known_descriptor(dialect) if self.state else None
        return described is not None and described.seals_state


_USUALLY: Final = Shown()


def shown_response(response: ChatResponse, dialect: str, shown: Shown) -> ChatResponse:
    """Return an answer of another dialect that notes what it shows."""
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
    """Return an answer with what is made of each message, in its alternatives, too."""
    out = {**response, "messages": [made(one) for one in response["messages"]]}
    if "alternatives" in response:
        out["alternatives"] = [
            {**answer, "messages": [made(one) for one in answer["messages"]]} for answer in response["alternatives"]
        ]
    return out


def shown_events(dialect: str, shown: Shown) -> Callable[[dict[str, Any]], dict[str, Any]] | None:
    """Return what notes in an event what it shows, or None where the habits of the dialect hold."""
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
    """Return a message or an event that notes how a dialect is to spell one thing of it."""
    extra = value.get("extra", {})
    own = extra.get(dialect, {})
    return {**value, "extra": {**extra, dialect: {**own, "spelling": {**own.get("spelling", {}), name: word}}}}
