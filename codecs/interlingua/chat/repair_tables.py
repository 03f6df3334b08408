"""What each dialect demands of a conversation: one row a dialect, read by the passes of `repair_request`.

Source: reference/wire/<dialect>.md section 4. docs/repair.md shows the same table.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "DEMANDS",
    "OPENING",
    "UNANSWERED",
    "Demands",
    "Distinct",
    "Limit",
    "Named",
    "Results",
    "Texts",
    "demands_of",
]

UNANSWERED: Final = "No result: the call was not answered."
"""The text of the result that a call without one gets. It says nothing about the world, only that nothing is there."""

OPENING: Final = "(The conversation begins with the answer that follows.)"
"""The text of the user's message that stands before calls where the dialect lets none come first."""

Results = Literal["unpaired", "anywhere", "after_turn", "after_message"]
Distinct = Literal["nowhere", "turn", "conversation"]
Named = Literal["unwelcome", "welcome", "demanded"]
Texts = Literal["any", "filled", "spoken"]


@dataclass(frozen=True, slots=True)
class Limit:
    """Which names are taken: so many characters (None: any number) of letters, digits, `_` and `-`, and of `also`.

    `leads` tells that the first one is a letter or `_`. `any_character` tells that only the length matters.
    """

    length: int | None
    also: str = ""
    leads: bool = False
    any_character: bool = False


@dataclass(frozen=True, slots=True)
class Demands:
    """What a dialect demands of a conversation.

    `results`: where results stand: directly after the turn of their calls, directly after the message at home (abroad
    the encoder makes one message of a turn), or anywhere after; `unpaired`: calls may lack results, and results calls.
    `several_results`: whether a call may have more than one result, and calls of one id the same.
    `tied_by_id`: whether a result names its call by an id, so that both must have it.
    `named_results`: whether a result may name its tool, or must.
    `distinct_ids`: where no two calls may have the same id: in one turn, in the whole conversation, or nowhere.
    `one_wire_message`: whether the results of a turn stand in one wire message.
    `texts`: which texts are taken: any, those that are not empty, or those that are more than white space.
    `blocks_on_top`: whether that holds for blocks of the instructions at the top, too.
    `unbegun_answer`: whether an answer of nothing may stand at the end.
    `lists`: whether an empty list of parts is refused.
    `user_before_calls`: whether an answer with calls must directly follow the user's turn.
    `trimmed_end`: whether a last answer may not end in white space.
    `signed`: whether reasoning must be signed, and an open turn with calls begins with it where it is asked for.
    `followed_reasoning`: whether reasoning must be followed by what it led to.
    `ids`, `names`, `speakers`: which ids, tool names and names of participants are taken; None takes any.
    """

    results: Results = "after_turn"
    several_results: bool = False
    tied_by_id: bool = True
    named_results: Named = "unwelcome"
    distinct_ids: Distinct = "turn"
    one_wire_message: bool = False
    texts: Texts = "any"
    blocks_on_top: bool = False
    unbegun_answer: bool = False
    lists: bool = False
    user_before_calls: bool = False
    trimmed_end: bool = False
    signed: bool = False
    followed_reasoning: bool = False
    ids: Limit | None = None
    names: Limit | None = None
    speakers: int | None = None


DEMANDS: Final[Mapping[str, Demands]] = MappingProxyType({
    "openai_chat": Demands(
        results="after_message",
        lists=True,
        ids=Limit(40, any_character=True),
        names=Limit(64),
        speakers=64,
    ),
    "openai_responses": Demands(
        results="anywhere",
        several_results=True,
        distinct_ids="nowhere",
        followed_reasoning=True,
        ids=Limit(64, any_character=True),
        names=Limit(128),
    ),
    "claude": Demands(
        distinct_ids="conversation",
        texts="spoken",
        blocks_on_top=True,
        unbegun_answer=True,
        lists=True,
        trimmed_end=True,
        signed=True,
        ids=Limit(None),
        names=Limit(128),
    ),
    "gemini": Demands(
        tied_by_id=False,
        distinct_ids="nowhere",
        named_results="demanded",
        one_wire_message=True,
        user_before_calls=True,
        texts="filled",
        lists=True,
        names=Limit(64, also=".:", leads=True),
    ),
    "ollama": Demands(results="unpaired", tied_by_id=False, distinct_ids="nowhere", named_results="welcome"),
    "vllm": Demands(results="unpaired", tied_by_id=False, distinct_ids="nowhere"),
})  # fmt: skip
_OF_OTHERS: Final = Demands()


def demands_of(dialect: str) -> Demands:
    """Return what a dialect demands; of a third party's, that calls and results are paired, turn by turn."""
    return DEMANDS.get(dialect, _OF_OTHERS)
