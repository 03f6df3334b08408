"""Move pictures of the assistant to a message of the user, for dialects whose assistant messages hold none.

Gemini's image models answer with pictures, as OpenAI's image generation does; a user who goes on asks about them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from interlingua.spi.extra import NOTHING, own_extra

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from interlingua.loss import LossLog
    from interlingua.model_shapes import ChatRequest

# The text of an answer that held only pictures, and the text before these in the user message.
ATTACHED: Final = "The answer is attached to the next message of the user."
ATTACHMENT: Final = "Attached to the last message of the assistant:"
# Loss detail for such a picture.
PICTURE_BESIDE: Final = "pictures of an answer are sent in a user message"
_TURN: Final = ("assistant", "opaque")


def with_pictures_of_user(request: ChatRequest, dialect: str, facts: Mapping[str, Any], log: LossLog) -> ChatRequest:
    """Return a request with the pictures of each assistant turn in a user message after it and its tool results.

    They stay in place if the models, described by `facts`, accept no images, if they are items of the dialect itself,
    and if nothing follows the turn: a user message with a picture would then be a question that nobody has asked.
    """
    from interlingua.rooms._shared.family_fitting import refused_media  # noqa: PLC0415  # few requests get here

    messages: list[Any] = request["messages"]
    if not any(_picture_places(message, dialect) for message in messages) or "image" in refused_media(facts):
        return request
    ends = _turn_ends(messages)
    out: list[Any] = []
    sources: list[int] = []  # the original index of each new message
    parts: dict[int, list[str]] = {}  # index of a new message -> the original paths of its parts
    pictures: list[tuple[Any, str]] = []  # those of the turn, each with its path
    end: int | None = None
    for index, message in enumerate(messages):
        if pictures and index == end:
            _append_pictures(out, sources, parts, pictures)
        places = _picture_places(message, dialect)
        if places and ends[index] is not None:
            end = ends[index]
            content = message["content"]
            paths = [f"/messages/{index}/content/{at}" for at in range(len(content))]
            for at in places:
                log.changed("content", paths[at], PICTURE_BESIDE)
                pictures.append((content[at], paths[at]))
            kept = [at for at in range(len(content)) if at not in places]
            parts[len(out)] = [paths[at] for at in kept]
            is_needed = bool(kept or message.get("tool_calls"))
            out.append({**message, "content": [content[at] for at in kept] if is_needed else ATTACHED})
        else:
            out.append(message)
        sources.append(index)
    if pictures:
        _append_pictures(out, sources, parts, pictures)
    if not parts:
        return request
    sources.append(len(messages))  # an encoder may append a message
    log.remade("/messages", lambda rest: _place_of(rest, sources, parts))
    return cast("ChatRequest", {**request, "messages": out})


def _append_pictures(
    out: list[Any], sources: list[int], parts: dict[int, list[str]], pictures: list[tuple[Any, str]]
) -> None:
    """Append a user message with the pictures, of which none are left."""
    paths = [path for _, path in pictures]
    parts[len(out)] = [paths[0], *paths]
    sources.append(sources[-1])
    out.append({"role": "user", "content": [{"type": "text", "text": ATTACHMENT}, *(part for part, _ in pictures)]})
    pictures.clear()


def _place_of(rest: str, sources: Sequence[int], parts: Mapping[int, Sequence[str]]) -> str:
    """Return the original path of a value below the messages."""
    index, slash, inner = rest.partition("/")
    member, _, item = inner.partition("/")
    if member == "content" and item and int(index) in parts:
        at, after, more = item.partition("/")
        return f"{parts[int(index)][int(at)]}{after}{more}"
    return f"/messages/{sources[int(index)]}{slash}{inner}"


def _picture_places(message: Any, dialect: str) -> list[int]:
    """Return which parts of an assistant message are pictures that others may read."""
    content: Any = message.get("content") if message["role"] == "assistant" else None
    if type(content) is not list:
        return []
    return [
        at
        for at, part in enumerate(content)
        if part["type"] == "image"
        and ("data" in part or "url" in part)
        and "id" not in own_extra(part, dialect).get("fields", NOTHING)  # an item of this dialect
    ]


def _turn_ends(messages: Sequence[Any]) -> list[int | None]:
    """Return for each message where the messages of the assistant and the results that it belongs to end.

    None where an answer ends the conversation.
    """
    ends: list[int | None] = [len(messages) if message["role"] == "tool" else None for message in messages]
    for index in range(len(messages) - 2, -1, -1):
        role, following = messages[index]["role"], messages[index + 1]["role"]
        if following == "tool" or (role in _TURN and following in _TURN):
            ends[index] = ends[index + 1]
        else:
            ends[index] = index + 1
    return ends
