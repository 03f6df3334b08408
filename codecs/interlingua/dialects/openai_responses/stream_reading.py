"""What a frame of Responses says, checked: events of what stands by itself, and the shapes of items and parts.

Every function raises `Malformed` with its path from the frame.
"""

# A wire value is Any; narrowing it to dict or list leaves its members unknown, which is the truth about wire JSON.
# pyright: reportUnknownMemberType=none, reportUnknownArgumentType=none, reportUnknownVariableType=none
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.dialects._shared.extra import Leftovers
from interlingua.dialects._shared.reading import OBJECT, TEXT, Malformed, expect
from interlingua.dialects._shared.stream import noted, spelled, spelling
from interlingua.dialects.openai_responses.decode_answer import decode_status, decode_usage
from interlingua.dialects.openai_responses.decode_message import decode_items
from interlingua.dialects.openai_responses.decode_part import decode_part
from interlingua.dialects.openai_responses.finish import said_reason
from interlingua.dialects.openai_responses.stream_tables import PARTS
from interlingua.dialects.openai_responses.tables import DIALECT
from interlingua.events import RANKS

if TYPE_CHECKING:
    from collections.abc import Callable

    from interlingua.dialects._shared.stream import Event
    from interlingua.dialects.openai_responses.stream_assembly import Part
    from interlingua.dialects.openai_responses.stream_tables import Voice

# Items of which each is a message of its own, and what says a message.
_ITEMS: Final = frozenset({"message", "reasoning"})
_SPOKEN: Final = frozenset({"content", "refusal", "part"})
# Members of a response that an event or the habit says; all others repeat the request.
_TOLD: Final = frozenset(
    {"id", "model", "created_at", "object", "status", "output", "error", "incomplete_details", "usage"}
)


class Items:
    """Follows the items of a stream: two of a kind in a row are two messages, which their blocks alone do not say."""

    def __init__(self) -> None:
        self._placed = -1
        self._told = ""  # what the last item said

    def place(self, event: Event) -> None:
        """Say of a block that it begins a message where an item of its kind came just before."""
        kind, block = event["type"], event.get("block", -1)
        if kind == "start":
            self._told = ""
        if kind not in RANKS or block <= self._placed:
            return
        self._placed = block
        told = "message" if kind in _SPOKEN else kind
        if told == self._told and told in _ITEMS and spelling(event, DIALECT).get("item") != "same":
            event["new_message"] = True
        self._told = told


def start_event(response: dict[str, Any]) -> Event:
    """Return the event that begins a stream."""
    event: Event = {"type": "start", "dialect": DIALECT}
    for name in ("id", "model"):
        if type(response.get(name)) is str:
            event[name] = response[name]
    created = response.get("created_at")
    if type(created) is int or (type(created) is float and created.is_integer()):
        event["created"] = int(created)
    if type(created) is float and "created" in event:
        spelled(event, DIALECT, "created", "float")
    if type(response.get("usage")) is dict:
        event["usage"] = decode_usage(response["usage"])
    return noted(event, DIALECT, "response", {name: value for name, value in response.items() if name not in _TOLD})


def final_event(response: dict[str, Any], output: Any) -> Event:
    """Return the event that says why an answer ended, or a `state` that says nothing where it does not say so."""
    said: dict[str, Any] = {}
    reason = said_reason(output if type(output) is list else ())
    under(("response",), decode_status, said, response, reason, Leftovers())
    if "finish_reason" not in said:
        return {"type": "state"}
    raw = {"raw": said["finish_reason_raw"]} if "finish_reason_raw" in said else {}
    return {"type": "finish", "reason": said["finish_reason"], **raw}


def error_event(wire: dict[str, Any]) -> Event:
    """Return the event of an error."""
    return {"type": "error", **{name: wire[name] for name in ("code", "message") if type(wire.get(name)) is str}}


def is_piece_of(part: Part, frame: dict[str, Any], voice: Voice) -> bool:
    """Tell whether a piece belongs to a part that is still open."""
    item, place, index = part.item, frame.get("output_index"), frame.get(voice.counter)
    return (
        part.voice is voice
        and place == item.index
        and type(place) is int
        and not part.closed
        and not item.done
        and (voice.place == "" or (index == part.index and type(index) is int))
    )


def fits(kind: str, place: str, wire: dict[str, Any]) -> bool:
    """Tell whether a part has a canonical place in an item of a type."""
    if kind == "message":
        return place == "content"
    return kind == "reasoning" and type(wire.get("type")) is str and (kind, place, wire["type"]) in PARTS


def check_part(kind: str, place: str, wire: dict[str, Any]) -> None:
    """Raise `Malformed` where a part of a known type is not what it should be."""
    named = type(wire.get("type")) is str
    voice = PARTS.get((kind, place, wire["type"])) if named else None
    if voice is not None:
        expect(wire.get(voice.member), TEXT, "part", voice.member)
    elif kind == "message":
        try:
            decode_part(wire, "assistant", whole=True)
        except Malformed as malformed:
            raise malformed.under("part") from None


def checked_item(frame: dict[str, Any]) -> dict[str, Any]:
    """Return the item of a frame, if it is well formed. Raises `Malformed`."""
    wire: dict[str, Any] = expect(frame.get("item"), OBJECT, "item")
    try:
        decode_items([wire], [])
    except Malformed as malformed:
        raise Malformed("/item" + malformed.path.removeprefix("/0"), malformed.reason) from None
    return wire


def under(steps: tuple[str, ...], decode: Callable[..., Any], *values: Any) -> Any:
    """Decode what stands below members; what is malformed there is reported from above."""
    try:
        return decode(*values)
    except Malformed as malformed:
        raise malformed.under(*steps) from None
