"""Parts that only one dialect has, as the texts that replace them in other dialects."""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING, Any, Final

from interlingua.registry import known_descriptor, room
from interlingua.spi import OpaqueText

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from interlingua import Loss

# The names of such texts in Claude's documentation.
WORDS: Final = {"compaction": "content", "tool_reference": "tool_name"}
_MESSAGE: Final = re.compile(r"/messages/(\d+)")
_UNLINKED: Final = frozenset({"role", "name"})  # of a result that names its tool, and has no call
_OF_UNLINKED: Final = _UNLINKED | {"content", "is_error", "extra", "cache"}
_CITED: Final = re.compile(r"^/messages/\d+/content/\d+/citations/\d+")
_PLACE: Final = re.compile(r"/messages/(\d+)(?:/content/(\d+))?(/data)?")
_SENT: Final = "its text is sent"
_WHOLE: Final = -1  # in the place of the index of a part: the message itself


def as_told(before: Mapping[str, Any], losses: Iterable[Loss]) -> tuple[Mapping[str, Any], list[Loss]]:
    """Return a value with the words of such parts and messages in their place, and the losses without those of these.

    In a response there is a blank line between such a text and another one, and between texts where such a part is
    lost.
    """
    rest: list[Loss] = []
    messages = [*before["messages"]]
    texts = texts_of(messages)
    apart: dict[int, set[int]] = {}  # messages -> their parts that are told or lost
    for loss in losses:
        match = _PLACE.fullmatch(loss.path)
        index, at = (int(match[1]), int(match[2] or _WHOLE)) if match else (_WHOLE, _WHOLE)
        is_sent = match is not None and (match[3] is not None or loss.detail.endswith(_SENT))
        told = texts.get((index, at)) if is_sent else None
        data: Any = _held(messages, index, at).get("data")
        if at != _WHOLE and data is not None and (told or "tool" in str(data).lower()):
            apart.setdefault(index, set()).add(at)
        if told is None or _held(before["messages"], index, at).get("data") is None:
            rest.append(loss)
        elif loss.severity == "changed" and at == _WHOLE:
            messages[index] = {"role": told.role, "content": told.text}
        elif loss.severity == "changed":
            content = [*messages[index]["content"]]
            content[at] = {"type": "text", "text": told.text}
            messages[index] = {**messages[index], "content": content}
    for index, places in apart.items():
        if messages[index]["role"] == "assistant":
            messages[index] = {**messages[index], "content": _set_apart(messages[index]["content"], places)}
    return {**before, "messages": messages}, rest


def texts_of(messages: Sequence[Any]) -> dict[tuple[int, int], OpaqueText]:
    """Return what is told of opaque messages and parts, by their places; `test_opaque_texts` judges what it says."""
    places: dict[str, list[tuple[int, int]]] = {}
    for index, message in enumerate(messages):
        if message["role"] == "opaque":
            places.setdefault(message["dialect"], []).append((index, _WHOLE))
        content = message.get("content")
        for at, part in enumerate(content if isinstance(content, list) else ()):
            if part["type"] == "opaque":
                places.setdefault(part["dialect"], []).append((index, at))
    told: dict[tuple[int, int], OpaqueText] = {}
    for dialect, some in places.items():
        values = [_held(messages, index, at)["data"] for index, at in some]
        known = known_descriptor(dialect)
        speaker: Any = room(dialect) if known is not None and known.tells_opaque else None
        texts = [None] * len(values) if speaker is None else speaker.texts_of_opaque(values)
        for place, data, text in zip(some, values, texts, strict=True):
            named = WORDS.get(str(data.get("type"))) if isinstance(data, dict) and dialect == "claude" else None
            words = data.get(named) if named is not None else None
            if text is not None or words:
                told[place] = text or OpaqueText(str(words))
    return told


def with_results_told(before: Mapping[str, Any], losses: Iterable[Loss]) -> tuple[Mapping[str, Any], list[Loss]]:
    """Return a value in which results of named tools without a call are texts of the user, and the other losses."""
    rest: list[Loss] = []
    messages = [*before["messages"]]
    headed: set[str] = set()  # contents that begin with a text that names the tool of the result
    for loss in losses:
        match = _MESSAGE.fullmatch(loss.path) if (loss.code, loss.severity) == ("message", "changed") else None
        message = messages[int(match[1])] if match else {}
        if match is None or not _UNLINKED <= message.keys() <= _OF_UNLINKED:
            rest.append(loss)
            continue
        head = f"{'Error' if message.get('is_error') else 'Result'} of {message['name'] or 'the call'}:\n"
        content = message.get("content", "")
        said = head + content if isinstance(content, str) else [{"type": "text", "text": head}, *content]
        extra = {"extra": message["extra"]} if "extra" in message else {}
        messages[int(match[1])] = {"role": "user", "content": said, **extra}
        headed.add(f"{loss.path}/content")
    return {**before, "messages": messages}, [_behind_head(loss, headed) for loss in rest]


def _behind_head(loss: Loss, headed: set[str]) -> Loss:
    """Return the loss of a part at its position after the first text of a result."""
    match = _PLACE.match(loss.path)
    if match is None or match[2] is None or loss.path[: match.start(2) - 1] not in headed:
        return loss
    place = f"{loss.path[: match.start(2)]}{int(match[2]) + 1}{loss.path[match.end(2) :]}"
    return dataclasses.replace(loss, path=place)


def with_sources_beside(before: Mapping[str, Any], losses: Iterable[Loss]) -> tuple[Mapping[str, Any], list[Loss]]:
    """Return a value in which the sources of an empty text belong to the text before it, and its losses there."""
    messages = [*before["messages"]]
    moved: dict[str, str] = {}  # the old path of a source -> the new one
    for index, message in enumerate(messages):
        content = message.get("content")
        if message["role"] != "assistant" or not isinstance(content, list):
            continue
        parts: list[Any] = []
        said = -1
        for at, part in enumerate(content):
            if said >= 0 and part["type"] == "text" and not part["text"] and part.get("citations"):
                beside = [*parts[said].get("citations", ()), *part["citations"]]
                first = len(beside) - len(part["citations"])
                for number in range(len(part["citations"])):
                    place = f"/messages/{index}/content/{said}/citations/{first + number}"
                    moved[f"/messages/{index}/content/{at}/citations/{number}"] = place
                parts[said] = {**parts[said], "citations": beside}
                parts.append({name: held for name, held in part.items() if name != "citations"})
                continue
            if part["type"] != "text" or part["text"]:
                said = at if part["type"] == "text" else -1
            parts.append(part)
        messages[index] = {**message, "content": parts}
    told = [
        dataclasses.replace(loss, path=_CITED.sub(lambda place: moved.get(place[0], place[0]), loss.path))
        for loss in losses
    ]
    return {**before, "messages": messages}, told


def _set_apart(content: list[Any], places: set[int]) -> list[Any]:
    """Return parts with a blank line before each text that follows another text and one of these places."""
    out: list[Any] = []
    is_behind_text = is_apart = False
    for at, part in enumerate(content):
        one, is_apart = part, is_apart or at in places
        if part["type"] == "text" and part["text"]:
            if is_behind_text and is_apart:
                one = {**part, "text": f"\n\n{part['text']}"}
            is_behind_text, is_apart = True, at in places
        elif part["type"] not in {"text", "opaque"}:
            is_behind_text = False
        out.append(one)
    return out


def _held(messages: Sequence[Any], index: int, at: int) -> Any:
    """Return the message or the part at a place; nothing where none stands there."""
    message = messages[index] if 0 <= index < len(messages) else {}
    if at == _WHOLE:
        return message
    content = message.get("content")
    return content[at] if isinstance(content, list) and at < len(content) else {}
