"""Where an answer shows its reasoning, as its client looks for it: in one member of Chat Completions or another.

Source: docs/wire/openai_chat.md, section 3. Works on canonical answers and events, before a room writes them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal, Protocol, TypeAlias, cast

from interlingua.registry import known_descriptor

if TYPE_CHECKING:
    from collections.abc import Callable

    from interlingua.model_shapes import ChatResponse

__all__ = ["USUAL", "ReasoningMember", "chosen_member", "shown_events", "shown_response"]

ReasoningMember: TypeAlias = Literal["reasoning_content", "reasoning"] | None
USUAL: Final = "reasoning_content"


class _Client(Protocol):
    """What an exchange says of its client."""

    @property
    def reasoning_member(self) -> ReasoningMember: ...


def chosen_member(member: ReasoningMember, exchange: _Client | None) -> ReasoningMember:
    """Return the member that a caller names, or else the one that its exchange does."""
    return member if exchange is None or member != USUAL else exchange.reasoning_member


def _place(dialect: str, member: ReasoningMember) -> str | None:
    """Return the note on where reasoning stands, empty for nowhere; None where the habit of the dialect holds."""
    described = known_descriptor(dialect)
    habit = "" if described is None else described.reasoning_member
    return None if not habit or member in {USUAL, habit} else member or ""


def shown_response(response: ChatResponse, dialect: str, member: ReasoningMember) -> ChatResponse:
    """Return an answer of another dialect whose reasoning stands where it is looked for."""
    place = _place(dialect, member)
    if place is None or response.get("dialect") == dialect:
        return response
    out: Any = {**response, "messages": [_noted(one, dialect, place) for one in response["messages"]]}
    if "alternatives" in response:
        out["alternatives"] = [
            {**answer, "messages": [_noted(one, dialect, place) for one in answer["messages"]]}
            for answer in response["alternatives"]
        ]
    return cast("ChatResponse", out)


def shown_events(dialect: str, member: ReasoningMember) -> Callable[[dict[str, Any]], dict[str, Any]] | None:
    """Return what notes in an event where its reasoning stands, or None where the habit of the dialect holds."""
    place = _place(dialect, member)
    if place is None:
        return None
    return lambda event: _noted(event, dialect, place) if event["type"] == "reasoning" else event


def _noted(value: Any, dialect: str, place: str) -> Any:
    if "reasoning" not in value and value.get("type") != "reasoning":
        return value
    extra = value.get("extra", {})
    own = extra.get(dialect, {})
    spelling = {**own.get("spelling", {}), "reasoning": place}
    return {**value, "extra": {**extra, dialect: {**own, "spelling": spelling}}}
