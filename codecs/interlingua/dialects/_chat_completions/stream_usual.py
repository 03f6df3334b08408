"""The chunks that come once in nearly every stream: the one that opens an answer, and the first piece of its text.

Short streams have little else. What the general way finds out in many steps, these tell at a glance.
"""

# A wire value is Any; narrowing it to dict or list leaves its members unknown, which is the truth about wire JSON.
# pyright: reportUnknownMemberType=none, reportUnknownArgumentType=none, reportUnknownVariableType=none
from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.dialects._shared.stream import Event

CHUNK: Final = "chat.completion.chunk"
_HEAD: Final = frozenset({"id", "created", "model", "object", "choices"})
_CHOICE_HEAD: Final = frozenset({"finish_reason", "index", "delta"})
_NOTHING: Final[Mapping[str, Any]] = MappingProxyType({})


def usually_begins(frame: dict[str, Any]) -> bool:
    """Tell whether a chunk that begins a stream has the usual labels, and neither counts nor an error."""
    if frame.get("object") != CHUNK or type(frame.get("created")) is not int:
        return False
    if type(frame.get("id")) is not str or type(frame.get("model")) is not str:
        return False
    return frame.get("usage") is None and frame.get("error") is None


def beside_labels(frame: dict[str, Any]) -> dict[str, Any]:
    """Return the members of the first chunk that are not expected."""
    return {name: value for name, value in frame.items() if name not in _HEAD}


def silent_patch(choice: dict[str, Any]) -> dict[str, Any] | None:
    """Return what a choice that opens the first answer, and says nothing, has beyond what is expected of it.

    None is for all other choices.
    """
    delta = choice.get("delta")
    if type(delta) is not dict or delta.get("role") != "assistant" or choice.get("finish_reason", "") is not None:
        return None
    if type(choice.get("index")) is not int or choice["index"] != 0 or type(choice.get("logprobs")) is dict:
        return None
    beside: dict[str, Any] = {}
    for name, value in delta.items():
        if value is None:
            beside[name] = None
        elif name != "role" and (name != "content" or value != ""):
            return None
    inside: dict[str, Any] = {"put": beside} if beside else {}
    if "content" not in delta:
        inside["absent"] = ["content"]
    of_choice = {name: value for name, value in choice.items() if name not in _CHOICE_HEAD}
    within: dict[str, Any] = {"put": of_choice} if of_choice else {}
    if inside:
        within["in"] = {"delta": inside}
    return within


def only_choice(frame: dict[str, Any]) -> dict[str, Any] | None:
    """Return the choice of a chunk that has one, or None for another chunk."""
    choices = frame.get("choices")
    choice = choices[0] if type(choices) is list and len(choices) == 1 else None
    return choice if type(choice) is dict else None


def says_text(delta: dict[str, Any]) -> bool:
    """Tell whether a delta says a piece of content, and nothing else: beside it stand only nulls, and the role."""
    text = delta.get("content")
    if type(text) is not str or not text:
        return False
    if len(delta) > 1:
        for name, value in delta.items():
            if value is not None and name != "content" and (name != "role" or type(value) is not str):
                return False
    return True


def says_nothing(delta: dict[str, Any]) -> bool:
    """Tell whether a delta says nothing: it has nulls alone, and the role."""
    for name, value in delta.items():  # noqa: SIM110  # a generator would cost more than what it goes through
        if value is not None and (name != "role" or type(value) is not str):
            return False
    return True


def only_patch(event: Event, dialect: str) -> Mapping[str, Any] | None:
    """Return the patch of an event that holds nothing beside it, empty where it has none; None for another event."""
    extra = event.get("extra")
    if extra is None:
        return _NOTHING
    bag = extra.get(dialect) if len(extra) == 1 else None
    patch = bag.get("frame") if type(bag) is dict and len(bag) == 1 else None
    return patch if type(patch) is dict else None
