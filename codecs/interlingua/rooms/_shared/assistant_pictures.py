"""Move pictures of the assistant to a message of the user, for dialects whose assistant messages hold none.

Gemini's image models answer with pictures, as OpenAI's image generation does; a user who goes on asks about them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

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


def has_assistant_pictures(request: ChatRequest) -> bool:
    """Tell whether an assistant message of a request holds a picture."""
    return any(map(_picture_places, request["messages"]))


def with_pictures_of_user(request: ChatRequest, facts: Mapping[str, Any], log: LossLog) -> ChatRequest:
    """Return a request with the pictures of each assistant turn in a user message behind it and its tool results.

    They stay where the models, whose facts are given, read no pictures, and where nothing follows the turn: the models
    would be asked about a picture that nobody has asked about.
    """
    from interlingua.rooms._shared.family_fitting import refused_media  # noqa: PLC0415  # few requests get here

    if "image" in refused_media(facts):
        return request
    messages: list[Any] = request["messages"]
    ends = _turn_ends(messages)
    out: list[Any] = []
    sources: list[str] = []  # the original path of each new message
    pictures: list[tuple[Any, str]] = []  # those of the turn, each with its path
    taken: list[tuple[str, list[int]]] = []  # the new path of a content, and which of its parts were moved
    beside: list[tuple[str, list[str]]] = []  # the new path of a user message's content, and where its parts stood
    end: int | None = None
    for index, message in enumerate(messages):
        if pictures and index == end:
            _append_pictures(out, sources, beside, pictures)
        places = _picture_places(message)
        if places and ends[index] is not None:
            end = ends[index]
            content = message["content"]
            path = f"/messages/{len(out)}/content"
            for at in places:
                log.changed("content", f"/messages/{index}/content/{at}", PICTURE_BESIDE)
                pictures.append((content[at], f"{path}/{at}"))
            taken.append((path, places))
            kept = [part for at, part in enumerate(content) if at not in places]
            out.append({**message, "content": kept if kept or "tool_calls" in message else ATTACHED})
        else:
            out.append(message)
        sources.append(f"/messages/{index}")
    if pictures:
        _append_pictures(out, sources, beside, pictures)
    if not taken:
        return request
    log.moved("/messages", [*sources, f"/messages/{len(messages)}"])  # an encoder may append a message
    for path, stood in beside:
        log.moved(path, stood)
    for path, places in taken:
        log.left_out(path, places)
    return cast("ChatRequest", {**request, "messages": out})


def _append_pictures(
    out: list[Any], sources: list[str], beside: list[tuple[str, list[str]]], pictures: list[tuple[Any, str]]
) -> None:
    """Append a user message with the pictures, of which none are left."""
    stood = [path for _, path in pictures]
    beside.append((f"/messages/{len(out)}/content", [stood[0], *stood]))
    sources.append(sources[-1])
    out.append({"role": "user", "content": [{"type": "text", "text": ATTACHMENT}, *(part for part, _ in pictures)]})
    pictures.clear()


def _picture_places(message: Any) -> list[int]:
    """Return which parts of an assistant message are pictures that others may read."""
    content: Any = message.get("content") if message["role"] == "assistant" else None
    if type(content) is not list:
        return []
    return [at for at, part in enumerate(content) if part["type"] == "image" and ("data" in part or "url" in part)]


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
