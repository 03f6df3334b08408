"""Items: what a stream has told, item by item, once it has ended; and items that were stored.

An item's content is always a list. Source: spec/003.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from pydantic import TypeAdapter, ValidationError

from interlingua.arguments import arguments_text
from interlingua.errors import MigrationError
from interlingua.migrate.kinds import is_object
from interlingua.model import ResponseItem as AnyItem
from interlingua.stream_codec import collect
from interlingua.transcript.load import read_json
from interlingua.validation import validate
from interlingua_types import CURRENT

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from interlingua.model import Event, ResponseItem

__all__ = ["from_events", "load", "text"]

Json: TypeAlias = dict[str, Any]

_ITEMS: Final[TypeAdapter[Any]] = TypeAdapter(AnyItem)
_DIALECT: Final = "openai_responses"
# What a bare text in the place of a list is, for each type of item; in a message it depends on who speaks.
_BARE: Final[Mapping[str, str]] = MappingProxyType(
    {"message": "input_text", "reasoning": "reasoning_text", "function_call_result": "input_text"}
)
_SAID: Final = "output_text"


def from_events(events: Iterable[Event | Mapping[str, Any]]) -> list[ResponseItem]:
    """Return the finished items of a stream, in the order in which it told them.

    A message holds one `output_text`, reasoning an empty `summary` and one `reasoning_text`; what has no text makes no
    item, except reasoning that only its provider can read. A call without an id is `call_<its place among the items>`.
    Only the first answer is told; a refusal, and parts that are no text, have no place in an item.

    Raises:
        EncodeError: something is no event.
        StreamError: the stream told of an error; `partial` is the response so far.
    """
    items: list[Json] = []
    for message in collect(events).model_dump(mode="json")["messages"]:
        own: Json = message.get("extra", {}).get(_DIALECT, {})
        if thought := _reasoning(message, own.get("reasoning", {})):
            items.append(thought)
        if said := _joined(message.get("content", "")):
            items.append(
                {"type": "message", "role": message["role"], "content": [{"type": _SAID, "text": said}]} | _id(own)
            )
        for call in message.get("tool_calls", ()):
            items.append(_call(call, len(items)))
    return [_ITEMS.validate_python(item) for item in items]


def load(document: Json | str | bytes) -> ResponseItem:
    """Return a stored item; content that is a bare text, as older writers stored it, is read as a list of that text.

    Raises:
        JsonDecodeError: text or bytes are not JSON.
        MigrationError: the document is no item.
    """
    plain = _listed(read_json(document))
    try:
        item: ResponseItem = _ITEMS.validate_python(plain)
    except ValidationError:
        found = validate(plain, union="response_item")
        path, reason = (found[0].path, found[0].detail) if found else ("", "no item of this version")
        error = MigrationError(CURRENT, path, reason)
    else:
        return item
    # Outside the handler: the cause would hold the document.
    raise error


def text(item: ResponseItem) -> str:
    """Return the text of an item: its texts joined, without anything between; empty where it has none."""
    if item.type == "function_call":
        return ""
    return "".join(content.text for content in item.content or () if content.type != "input_image")


def _reasoning(message: Json, sealed: Json) -> Json | None:
    """Return the reasoning item of a message, or None where it did not think."""
    item: Json = {"type": "reasoning", **_id(sealed)}
    item["summary"] = []
    if thought := _joined(message.get("reasoning", "")):
        item["content"] = [{"type": "reasoning_text", "text": thought}]
    if "encrypted_content" in sealed:
        item["encrypted_content"] = sealed["encrypted_content"]
    return item if "content" in item or "encrypted_content" in item else None


def _call(call: Json, place: int) -> Json:
    given = {
        "type": "function_call",
        "call_id": call.get("id", f"call_{place}"),
        "name": call["name"],
        "arguments": arguments_text(call.get("arguments", "")),
    }
    return given | _id(call.get("extra", {}).get(_DIALECT, {}))


def _id(own: Json) -> Json:
    """Return the id that the provider gave an item, as a member of it."""
    return {"id": own["id"]} if "id" in own else {}


def _joined(content: str | list[Json]) -> str:
    """Return what a content says: a text, or its text parts."""
    return content if isinstance(content, str) else "".join(part["text"] for part in content if part["type"] == "text")


def _listed(document: Any) -> Any:
    """Return a document with a list in the place of a bare text."""
    if not is_object(document):
        return document
    kind, content = document.get("type"), document.get("content")
    if not isinstance(kind, str) or kind not in _BARE or not isinstance(content, str):
        return document
    tag = _SAID if document.get("role") == "assistant" else _BARE[kind]
    return {**document, "content": [{"type": tag, "text": content}]}
