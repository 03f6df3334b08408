"""Canonical to Chat Completions: the reasoning of an assistant, in the accent of its vendor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.dialects._chat_completions.accents import DETAILS
from interlingua.dialects._shared.extra import own_bag
from interlingua.loss import beyond, lost_members

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.dialects._chat_completions.vendor import Vendor
    from interlingua.dialects._shared.target import Target

_NOTHING: Final[Mapping[str, Any]] = {}

_PLAIN_TEXT: Final = frozenset({"type", "text"})


def encode_reasoning(out: dict[str, Any], message: Any, index: int, vendor: Vendor, to: Target) -> None:
    """Write the reasoning where the dialect has a place, as a member or as a part that leads the content."""
    path = f"{to.message(index)}/reasoning"
    bag = own_bag(message, vendor.dialect)
    spelling = bag.get("spelling", _NOTHING)
    name = spelling.get("reasoning", vendor.reasoning)
    if not name:
        to.log.lost("reasoning", path, "the dialect has no reasoning")
        return
    reasoning = message["reasoning"]
    texts = [reasoning] if type(reasoning) is str else _texts(reasoning, path, to)
    text = "\n\n".join(texts)
    if not text and not to.home:
        if text == reasoning:
            to.log.changed("empty_text", path, "empty reasoning says nothing")
        return
    if name in ("part", "parts"):
        _lead(out, texts, text, name, bag.get("thinking", _NOTHING))
        return
    for place in (name, *spelling.get("repeats", ())):
        out[place] = _details(bag.get(DETAILS, ()), texts) if place == DETAILS else text
    if len(texts) > 1 and name != DETAILS:
        to.log.changed("reasoning", path, "reasoning is one text here")


def _texts(parts: Any, path: str, to: Target) -> list[str]:
    """Return the texts of reasoning that came in parts."""
    texts: list[str] = []
    for at, part in enumerate(parts):
        known = _PLAIN_TEXT if part["type"] == "text" else frozenset[str]()
        lost_members(to.log, beyond(part, known), f"{path}/{at}", "reasoning", "reasoning is plain text")
        if known and part["text"]:
            texts.append(part["text"])
        elif known and not to.home:
            to.log.changed("empty_text", f"{path}/{at}/text", "empty reasoning says nothing")
    return texts


def _lead(out: dict[str, Any], texts: list[str], text: str, name: str, beside: Mapping[str, Any]) -> None:
    """Put the reasoning in front of the content, which is a list then."""
    content: Any = out.get("content") or ()
    rest = [{"type": "text", "text": content}] if type(content) is str else content
    said: Any = text if name == "part" else [{"type": "text", "text": one} for one in texts]
    out["content"] = [{"type": "thinking", "thinking": said, **beside}, *rest]


def _details(items: Any, texts: list[str]) -> list[dict[str, Any]]:
    """Return details with their texts back in place; texts beyond the places stand in the last one."""
    places = sum("said" in item for item in items)
    if not places:
        return [{"type": "reasoning.text", "text": "\n\n".join(texts)}, *(item["fields"] for item in items)]
    said = [*texts[: places - 1], "\n\n".join(texts[places - 1 :])]
    details: list[dict[str, Any]] = []
    for item in items:
        if "said" in item and said:
            details.append({**item["fields"], item["said"]: said.pop(0)})
        else:
            details.append(item["fields"])
    return details
