"""A dialect's requirements for the messages of a conversation, used by `repair_request` and by history rules."""

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
    """Which names are accepted: at most `length` letters, digits, `_`, `-` and characters of `also` (None: no maximum).

    `leads`: the first character must be a letter or `_`. `any_character`: only the length matters.

    Example:
        >>> il.spi.Limit(64, also=".:").length
        64
    """

    length: int | None
    also: str = ""
    leads: bool = False
    any_character: bool = False


class Demands(NamedTuple):
    """What a dialect requires of the messages of a conversation.

    `results`: where tool results must be: directly after the turn of their calls, directly after the message at home
    (abroad the encoder makes one message of a turn), or anywhere later; `unpaired`: calls and results need not match.
    `several_results`: whether a call may have several results, and several calls with one id may share a result.
    `tied_by_id`: whether a result refers to its call by id, so that both must have one.
    `named_results`: whether a result may, or must, name its tool.
    `distinct_ids`: where call ids must be unique: within a turn, within the conversation, or nowhere.
    `one_wire_message`: whether the results of a turn must be in one wire message.
    `texts`: which texts are accepted: any, non-empty ones, or those with more than white space.
    `blocks_on_top`: whether this applies to text blocks of the system prompt, too.
    `unbegun_answer`: whether an empty assistant message may be the last message.
    `lists`: whether an empty list of parts is refused.
    `failed_results`: whether the result of a failed call must have content.
    `user_first`: whether the first message must be the user's.
    `user_before_calls`: whether an assistant message with tool calls must directly follow the user's turn.
    `placed_instructions`: whether instructions in mid-conversation must be between the user and an assistant message,
    or last.
    `trimmed_end`: whether a final assistant message must not end in white space.
    `signed`: whether reasoning must be signed, and, if reasoning is on, an open turn with tool calls must begin with
    it.
    `followed_reasoning`: whether reasoning must be followed by the item it led to.
    `item_ids`: the prefixes of the provider's item ids, for "message", "reasoning", "call" and "custom"; no id may
    repeat. Empty if items have no ids of their own.
    `answered_items`: types of opaque items that the client answers, and the types of the answers.
    `paired_server_results`: whether results of the provider's own tools need their calls in the same turn.
    `ids`, `names`, `speakers`: which ids, tool names and participant names are accepted; None accepts any.

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
    failed_results: bool = False
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
