"""What a dialect demands of a conversation: read by the passes of `repair_request`, and by the rules of a history."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Demands", "Distinct", "Limit", "Named", "Results", "Texts"]

_NOTHING: Final[Mapping[Any, Any]] = MappingProxyType({})

Results = Literal["unpaired", "anywhere", "after_turn", "after_message"]
Distinct = Literal["nowhere", "turn", "conversation"]
Named = Literal["unwelcome", "welcome", "demanded"]
Texts = Literal["any", "filled", "spoken"]


class Limit(NamedTuple):
    """Which names are taken: so many characters (None: any number) of letters, digits, `_` and `-`, and of `also`.

    `leads` tells that the first one is a letter or `_`. `any_character` tells that only the length matters.

    Example:
        >>> il.spi.Limit(64, also=".:").length
        64
    """

    length: int | None
    also: str = ""
    leads: bool = False
    any_character: bool = False


class Demands(NamedTuple):
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
    `user_first`: whether the user must begin.
    `user_before_calls`: whether an answer with calls must directly follow the user's turn.
    `placed_instructions`: whether instructions within the conversation stand between the user and an answer, or last.
    `trimmed_end`: whether a last answer may not end in white space.
    `signed`: whether reasoning must be signed, and an open turn with calls begins with it where it is asked for.
    `followed_reasoning`: whether reasoning must be followed by what it led to.
    `item_ids`: how the ids begin that the provider gives its items: "message", "reasoning", "call" and "custom"; no id
        may repeat. Empty where items have no ids of their own.
    `answered_items`: types of opaque items that the client answers, and the types of the answers.
    `paired_server_results`: whether results of the provider's own tools need their calls in the same turn.
    `ids`, `names`, `speakers`: which ids, tool names and names of participants are taken; None takes any.

    Example:
        >>> il.spi.Demands(results="anywhere", trimmed_end=True).trimmed_end
        True
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
    user_first: bool = False
    user_before_calls: bool = False
    placed_instructions: bool = False
    trimmed_end: bool = False
    signed: bool = False
    followed_reasoning: bool = False
    item_ids: Mapping[str, str] = _NOTHING
    answered_items: Mapping[str, str] = _NOTHING
    paired_server_results: bool = False
    ids: Limit | None = None
    names: Limit | None = None
    speakers: int | None = None
