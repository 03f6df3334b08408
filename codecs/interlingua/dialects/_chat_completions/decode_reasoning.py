"""Chat Completions to canonical: the reasoning of an assistant, in the accent of its vendor."""

# A wire value is Any; narrowing it to dict or list leaves its members unknown, which is the truth about wire JSON.
# pyright: reportUnknownMemberType=none, reportUnknownArgumentType=none, reportUnknownVariableType=none
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.dialects._chat_completions.accents import DETAIL_TEXTS, DETAILS

if TYPE_CHECKING:
    from interlingua.dialects._chat_completions.vendor import Vendor
    from interlingua.dialects._shared.extra import Leftovers

_PART_MEMBERS: Final = frozenset({"type", "thinking"})


def decode_reasoning(message: dict[str, Any], key: str, value: Any, vendor: Vendor, left: Leftovers) -> None:
    """Read a member that holds reasoning as text.

    One that says the same again is noted as a repeat; what says something else, or is no text, stays a leftover.
    """
    if type(value) is not str:
        left.fields[key] = value
    elif "reasoning" not in message:
        message["reasoning"] = value
        if key != vendor.reasoning:
            left.spelling["reasoning"] = key
    elif message["reasoning"] == value and left.spelling.get("reasoning", vendor.reasoning) != "part":
        left.spelling.setdefault("repeats", []).append(key)
    else:
        left.fields[key] = value


def decode_details(message: dict[str, Any], details: Any, left: Leftovers) -> None:
    """Read `reasoning_details` once all other members have been read: the texts are the reasoning.

    What else the items hold, such as signatures, stays with their vendor. Details that say other texts than the
    reasoning that stands beside them stay a leftover.
    """
    items = _items(details)
    texts = [] if items is None else [text for _, text in items if text is not None]
    if items is None or not texts or ("reasoning" in message and [message["reasoning"]] != texts):
        left.fields[DETAILS] = details
        return
    if "reasoning" in message:
        left.spelling.setdefault("repeats", []).append(DETAILS)
    else:
        message["reasoning"] = texts[0] if len(texts) == 1 else [{"type": "text", "text": text} for text in texts]
        left.spelling["reasoning"] = DETAILS
    left.typed[DETAILS] = [item for item, _ in items]


def _items(details: Any) -> list[tuple[dict[str, Any], str | None]] | None:
    """Return each item without its text, and the text; None for anything but a list of objects."""
    if type(details) is not list or any(type(detail) is not dict for detail in details):
        return None
    return [_item(detail) for detail in details]


def _item(detail: dict[str, Any]) -> tuple[dict[str, Any], str | None]:
    for name in DETAIL_TEXTS:
        if type(detail.get(name)) is str and detail[name]:
            return {"said": name, "fields": {key: value for key, value in detail.items() if key != name}}, detail[name]
    return {"fields": detail}, None


def without_thinking(content: list[Any], message: dict[str, Any], left: Leftovers) -> list[Any]:
    """Move a thinking part that leads an assistant's content to its `reasoning`; return the rest."""
    first = content[0]
    if type(first) is not dict or first.get("type") != "thinking" or "reasoning" in message:
        return content
    said: Any = first.get("thinking")
    if type(said) is str:
        message["reasoning"] = said
        left.spelling["reasoning"] = "part"
    elif _is_plain(said):
        message["reasoning"] = said[0]["text"] if len(said) == 1 else said
        left.spelling["reasoning"] = "parts"
    else:
        return content
    if len(first) > len(_PART_MEMBERS):
        left.typed["thinking"] = {key: value for key, value in first.items() if key not in _PART_MEMBERS}
    return content[1:]


def _is_plain(said: Any) -> bool:
    """Tell whether thinking is a list of plain texts."""
    return (
        type(said) is list
        and bool(said)
        and all(
            type(one) is dict and len(one) == 2 and one.get("type") == "text" and type(one.get("text")) is str
            for one in said
        )
    )
