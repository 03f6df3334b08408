"""Response items: made from the events of a finished stream, or loaded from storage.

An item's content is always a list. Source: 003.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, TypeAlias, get_args

from pydantic import TypeAdapter, ValidationError

from interlingua.argument_checks import check_method
from interlingua.errors import LossError, MigrationError
from interlingua.json_types import is_object
from interlingua.loss import LossLog
from interlingua.model import ResponseItem
from interlingua.model_json import plain_json
from interlingua.stream_codec import collect
from interlingua.tool_arguments import arguments_text
from interlingua.transcript.load import read_json
from interlingua.validation import validate
from interlingua_types import CURRENT

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from interlingua.loss import Loss
    from interlingua.model import Event

__all__ = ["from_events", "load", "text"]

Json: TypeAlias = dict[str, Any]

_ITEMS: Final[TypeAdapter[Any]] = TypeAdapter(ResponseItem)
_KINDS: Final[tuple[type[Any], ...]] = get_args(get_args(ResponseItem)[0])
_DIALECT: Final = "openai_responses"
# The content type of a bare string that stands for a list, for each type of item; in a message it depends on the role.
_BARE: Final[Mapping[str, str]] = MappingProxyType(
    {"message": "input_text", "reasoning": "reasoning_text", "function_call_result": "input_text"}
)
_OUTPUT_TEXT: Final = "output_text"
_NOTHING: Final[tuple[Any, ...]] = (None, "", [], {})
# Members of `extra` that an item keeps, or that hold no content.
_HELD: Final = frozenset({"id", "reasoning", "spelling", "status"})
# Complete calls that only their provider understands.
_OPAQUE_CALLS: Final = "opaque_calls"


def from_events(events: Iterable[Event | Mapping[str, Any]], *, losses: list[Loss] | None = None) -> list[ResponseItem]:
    """Return the finished items of a stream, in stream order.

    A message holds one `output_text`; reasoning holds an empty `summary` and one `reasoning_text`. What has no text
    makes no item, except reasoning that only its provider can read. A call without an id gets `call_<index among the
    items>`.

    Items hold the texts, reasoning and tool calls of the first answer. Other content (refusals, citations, parts that
    are not text, calls that only their provider understands, other answers) is added to `losses`, together with
    provider state and filled ids; paths lead into the response that `collect` makes of the events. Members of the
    response itself (model, usage, finish reason) are not content and are not reported: use `collect` for them.

    Args:
        events: The events of one stream, in order: models or plain JSON.
        losses: A list to which losses are appended; without it, lost content is an error.

    Raises:
        LossError: some content has no place in an item, and `losses` is None.
        EncodeError: an item of `events` is not an event.
        StreamError: the stream reported an error; `partial` is the response so far.

    Example:
        >>> frames = [{"choices": [{"index": 0, "delta": {"content": "Hello"}, "finish_reason": "stop"}]}, "[DONE]"]
        >>> [il.items.text(item) for item in il.items.from_events(il.decode_stream(frames, "openai_chat"))]
        ['Hello']
    """
    if losses is not None:
        check_method(losses, "losses", "extend")
    log = LossLog()
    items: list[Json] = []
    response = plain_json(collect(events))
    for index, message in enumerate(response["messages"]):
        _add_message(items, message, log, f"/messages/{index}")
    for index, other in enumerate(response.get("alternatives", ())):
        if other["messages"]:
            log.lost("message", f"/alternatives/{index}", "only the first of several answers becomes items")
    found = log.losses()
    if losses is not None:
        losses.extend(found)
    elif any(loss.severity == "lost" and loss.code != "provider_state" for loss in found):
        raise LossError(found)
    return [_ITEMS.validate_python(item) for item in items]


def load(document: Json | str | bytes) -> ResponseItem:
    """Return a stored item; content that is a bare string, as older writers stored it, is read as a list of that text.

    Args:
        document: The stored item: plain JSON, or JSON text or bytes.

    Raises:
        JsonDecodeError: text or bytes are not JSON.
        MigrationError: the document is not an item.

    Example:
        >>> il.items.load({"type": "message", "role": "assistant", "content": "Hello"}).type
        'message'
    """
    plain = _listed(read_json(document))
    try:
        item: ResponseItem = _ITEMS.validate_python(plain)
    except ValidationError:
        found = validate(plain, union="response_item")
        path, reason = (found[0].path, found[0].detail) if found else ("", "not an item of this version")
        error = MigrationError(CURRENT, path, reason)
    else:
        return item
    # Raised outside the handler: the cause would hold the document.
    raise error


def text(item: ResponseItem) -> str:
    """Return the text of an item: its texts joined without a separator; empty if it has none.

    Args:
        item: The item.

    Example:
        >>> il.items.text(il.items.load({"type": "message", "role": "assistant", "content": "Hello"}))
        'Hello'
    """
    if not isinstance(item, _KINDS):
        raise TypeError(f"expected an item of a response, not {type(item).__name__}")
    if item.type == "function_call":
        return ""
    return "".join(content.text for content in item.content or () if content.type != "input_image")


def _add_message(items: list[Json], message: Json, log: LossLog, path: str) -> None:
    """Add the items of one message of an answer, and log what has no place in them."""
    if message["role"] != "assistant":
        log.lost("message", path, f"no item can hold a message of the role {message['role']}")
        return
    extra: Json = message.get("extra", {})
    own: Json = extra.get(_DIALECT, {})
    if thought := _reasoning(message, own.get("reasoning", {}), log, path):
        items.append(thought)
    if said := _joined(message.get("content", ""), log, f"{path}/content"):
        content = [{"type": _OUTPUT_TEXT, "text": said}]
        items.append({"type": "message", "role": message["role"], "content": content} | _id(own))
    if message.get("refusal"):
        log.lost("refusal", f"{path}/refusal", "no item can hold a refusal")
    for index, call in enumerate(message.get("tool_calls", ())):
        items.append(_call(call, len(items), log, f"{path}/tool_calls/{index}"))
    _note_extras(extra, log, path)


def _reasoning(message: Json, sealed: Json, log: LossLog, path: str) -> Json | None:
    """Return the reasoning item of a message, or None if it has no reasoning."""
    item: Json = {"type": "reasoning", **_id(sealed)}
    item["summary"] = []
    if thought := _joined(message.get("reasoning", ""), log, f"{path}/reasoning"):
        item["content"] = [{"type": "reasoning_text", "text": thought}]
    if "encrypted_content" in sealed:
        item["encrypted_content"] = sealed["encrypted_content"]
    return item if "content" in item or "encrypted_content" in item else None


def _call(call: Json, place: int, log: LossLog, path: str) -> Json:
    if "id" not in call:
        log.filled(f"{path}/id", "each item of a call needs an id: one was generated")
    if "kind" in call:
        log.changed("member", f"{path}/kind", "the call of a custom tool is sent as that of a function")
    given = {
        "type": "function_call",
        "call_id": call.get("id", f"call_{place}"),
        "name": call["name"],
        "arguments": arguments_text(call.get("arguments", "")),
    }
    extra: Json = call.get("extra", {})
    _note_extras(extra, log, path)
    return given | _id(extra.get(_DIALECT, {}))


def _note_extras(extra: Json, log: LossLog, path: str) -> None:
    """Log each dialect's `extra` that holds more than an item keeps: calls, signatures, unknown members."""
    for dialect, bag in extra.items():
        if _OPAQUE_CALLS in bag:
            log.lost(
                "extra", f"{path}/extra/{dialect}", "no item can hold a call that only its own provider understands"
            )
        elif any(value not in _NOTHING for name, value in bag.items() if name not in _HELD):
            log.lost("provider_state", f"{path}/extra/{dialect}", "no item can hold what only one dialect understands")


def _id(own: Json) -> Json:
    """Return the id that the provider gave an item, as an `id` member."""
    return {"id": own["id"]} if "id" in own else {}


def _joined(content: str | list[Json], log: LossLog, path: str) -> str:
    """Return the joined text of a content, and log its other parts and its citations."""
    if isinstance(content, str):
        return content
    for index, part in enumerate(content):
        if part["type"] != "text":
            log.lost("part", f"{path}/{index}", f"no item can hold a part of the type {part['type']}")
            continue
        if part.get("citations"):
            log.lost("citation", f"{path}/{index}/citations", "no item can hold sources")
        _note_extras(part.get("extra", {}), log, f"{path}/{index}")
    return "".join(part["text"] for part in content if part["type"] == "text")


def _listed(document: Any) -> Any:
    """Return a document with a bare string content replaced by a list."""
    if not is_object(document):
        return document
    kind, content = document.get("type"), document.get("content")
    if not isinstance(kind, str) or kind not in _BARE or not isinstance(content, str):
        return document
    tag = _OUTPUT_TEXT if document.get("role") == "assistant" else _BARE[kind]
    return {**document, "content": [{"type": tag, "text": content}]}
