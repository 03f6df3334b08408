"""Chat Completions to canonical: reasoning in thinking parts of an assistant's content (Mistral, vLLM, Databricks).

In a canonical message the reasoning comes first. So a later thought begins the next message of the answer, as in other
dialects; `absent` notes that no message began there on the wire.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.rooms._chat_completions.tables import CONTINUED
from interlingua.rooms._chat_completions.thinking_parts import THINKING_PARTS, read_thinking_part
from interlingua.spi.extra import own_extra

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.rooms._chat_completions.vendor import Object
    from interlingua.spi.reading import Unmapped

# The member of `extra` with the other members of a thinking part.
_OF_REASONING: Final = "thinking"


def read_leading_thought(content: list[Any], message: Object, left: Unmapped) -> list[Any]:
    """Move a thinking part at the beginning of the content to `reasoning`; return the rest."""
    thought = None if "reasoning" in message else read_thinking_part(content[0])
    if thought is None:
        return content
    message["reasoning"], left.spelling["reasoning"], beside = thought
    if beside:
        left.typed[_OF_REASONING] = beside
    return content[1:]


def split_at_thoughts(message: Object, dialect: str) -> list[Object]:
    """Split an assistant message at its thinking parts, so that each message has its reasoning first.

    The last message gets all members beside the content. Nearly always there is only one message.
    """
    content = message.get("content")
    if type(content) is not list or not any(_thought_of(part) for part in content):
        return [message]
    bag: Object = {**own_extra(message, dialect)}
    spelling: Object = {**bag.get("spelling", {})}
    if "reasoning" in message and spelling.get("reasoning") not in THINKING_PARTS:
        return [message]  # its reasoning stands beside the content
    first: Object = {"role": message["role"]}
    if "reasoning" in message:
        first["reasoning"] = message["reasoning"]
        typed = {_OF_REASONING: bag.pop(_OF_REASONING)} if _OF_REASONING in bag else {}
        first["extra"] = {dialect: {**typed, "spelling": {"reasoning": spelling.pop("reasoning")}}}
    made = [first]
    for part in content:
        thought = _thought_of(part)
        if thought is None:
            made[-1].setdefault("content", []).append(part)
        else:
            made.append(_continued(message["role"], thought, dialect))
    rest = {name: value for name, value in message.items() if name not in {"role", "reasoning", "content", "extra"}}
    made[-1] |= rest
    _merge_extra(made[-1], message, {**bag, "spelling": spelling}, dialect)
    return [ordered(one) for one in made]


def _thought_of(part: Mapping[str, Any]) -> tuple[Any, str, Object] | None:
    return read_thinking_part(part["data"]) if part["type"] == "opaque" else None


def _continued(role: str, thought: tuple[Any, str, Object], dialect: str) -> Object:
    """Return a message that continues the one before."""
    said, word, beside = thought
    bag: Object = {"spelling": {"reasoning": word, "absent": [CONTINUED]}}
    if beside:
        bag[_OF_REASONING] = beside
    return {"role": role, "reasoning": said, "extra": {dialect: bag}}


def _merge_extra(last: Object, message: Object, bag: Object, dialect: str) -> None:
    """Merge the `extra` of the split message into that of the last message."""
    own: Object = last["extra"][dialect]
    spelling = {**bag["spelling"], **own["spelling"]}
    spelling["absent"] = [*own["spelling"]["absent"], *bag["spelling"].get("absent", ())]
    last["extra"] = {**message.get("extra", {}), dialect: {**bag, **own, "spelling": spelling}}


def ordered(message: Object) -> Object:
    """Return an assistant message with its members in canonical order."""
    names = ("role", "reasoning", "content", "refusal", "tool_calls", "name", "extra")
    return {name: message[name] for name in names if name in message}
