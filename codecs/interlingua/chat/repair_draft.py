"""The working copy of a request under repair: its messages, each with its original position."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

from interlingua.client_tools import with_functions_for_client_tools
from interlingua.json_types import is_list
from interlingua.loss import LossLog
from interlingua.profiles import AUTO, family_of_body
from interlingua.registry import descriptor, known_descriptor, room

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from interlingua.chat.repair_log import RepairLog
    from interlingua.model_shapes import ChatRequest
    from interlingua.spi.demands import Demands

__all__ = [
    "Draft",
    "Entry",
    "Plain",
    "bag_of",
    "object_of",
    "placed_state",
    "signed_places",
    "spelling_of",
    "string_of",
    "with_bag",
    "without_spelling",
]

Plain: TypeAlias = "dict[str, Any]"

_NOTHING: Final[Mapping[str, Any]] = {}


@dataclass(frozen=True, slots=True)
class Entry:
    """A message and its original position.

    `index` is its position in the given request, or -1 if it was inserted. `kept` are the original positions of its
    content parts, if some were removed.
    """

    message: Plain
    index: int
    kept: tuple[int, ...] | None = None

    @property
    def path(self) -> str:
        """The path of the message in the given request."""
        return f"/messages/{self.index}"

    @property
    def role(self) -> str:
        """The role of the message."""
        return cast("str", self.message["role"])

    def part_path(self, member: str, at: int) -> str:
        """Return the path of a part in the given request."""
        place = self.kept[at] if member == "content" and self.kept is not None else at
        return f"{self.path}/{member}/{place}"

    def without_parts(self, left: Sequence[int]) -> Entry:
        """Return the entry with only these content parts; the positions of provider state are updated."""
        content = self.message["content"]
        message = {**self.message, "content": [content[at] for at in left]}
        places = {f"/content/{old}": f"/content/{new}" for new, old in enumerate(left)}
        for dialect, member, placed in placed_state(message):
            moved = [{**one, "at": places.get(one["at"], one["at"])} for one in placed]
            message = with_bag(message, dialect, {**bag_of(message, dialect), member: moved})
        return Entry(message, self.index, tuple(at if self.kept is None else self.kept[at] for at in left))

    def with_message(self, message: Plain) -> Entry:
        """Return the entry with another message in the same position."""
        return Entry(message, self.index, self.kept)


@dataclass(slots=True)
class Draft:
    """A request that is being repaired for a dialect. `request` is plain and never modified, only replaced.

    `entries` are its messages. `home`: it was decoded from this dialect, so it is encoded as it is; abroad the
    encoder itself fixes what it reports as losses. `has_server_history`: the provider's server holds an earlier
    part of the conversation, possibly with calls. `client_tool_calls` maps positions to the function calls and
    results that the encoder writes for items of another provider's client tools.
    """

    request: Plain
    entries: list[Entry]
    dialect: str
    home: bool
    has_server_history: bool
    demands: Demands
    log: RepairLog
    client_tool_calls: Mapping[int, Plain]

    @classmethod
    def of(cls, request: Plain, dialect: str, log: RepairLog) -> Draft:
        """Return the draft of a plain request."""
        client_tool_calls = _client_tool_calls(request, dialect)
        entries = [
            Entry(client_tool_calls.get(index, message), index) for index, message in enumerate(request["messages"])
        ]
        home = request.get("dialect") == dialect
        demands = _demands(request, dialect)
        return cls(request, entries, dialect, home, _is_remembered(request, dialect), demands, log, client_tool_calls)

    def is_visible(self, entry: Entry) -> bool:
        """Tell whether a message is encoded: one that only another dialect understands is not."""
        return entry.role != "opaque" or (
            entry.message["dialect"] == self.dialect and type(entry.message["data"]) is dict
        )

    def last_visible(self) -> Entry | None:
        """Return the last message that is encoded, or None."""
        return next((entry for entry in reversed(self.entries) if self.is_visible(entry)), None)

    def bag(self, value: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the target dialect's `extra` of a value."""
        return bag_of(value, self.dialect)

    def finished(self) -> Plain:
        """Return the request with the repaired messages; the same object if there were no repairs."""
        messages = self.request["messages"]
        repaired = [
            messages[entry.index] if entry.message is self.client_tool_calls.get(entry.index) else entry.message
            for entry in self.entries
        ]
        if len(repaired) == len(messages) and all(one is other for one, other in zip(repaired, messages, strict=True)):
            return self.request
        return {**self.request, "messages": repaired}


def _demands(request: Plain, dialect: str) -> Demands:
    """Return a dialect's requirements; without signatures for models that do not sign."""
    described = descriptor(dialect)
    if not described.demands.signed:
        return described.demands
    family = family_of_body(room(dialect), AUTO, {described.model_member: request.get("model")})
    accepts = family is not None and family.facts.get("unsigned_thinking") == "accept"
    return described.demands._replace(signed=False) if accepts else described.demands


def _client_tool_calls(request: Plain, dialect: str) -> Mapping[int, Plain]:
    """Return the function calls and results that the encoder writes for items of other dialects."""
    made = with_functions_for_client_tools(cast("ChatRequest", request), dialect, LossLog())
    if made is None:
        return {}
    written: list[Any] = [*made.request["messages"]]
    return {int(at): written[int(at)] for holder, at in made.places if holder == "messages"}


def _is_remembered(request: Plain, dialect: str) -> bool:
    """Tell whether a request continues a conversation held by the provider's server."""
    if "server_state" in bag_of(request, dialect):
        return True
    own = (one["data"] for one in request["messages"] if one["role"] == "opaque" and one["dialect"] == dialect)
    return any(object_of(data).get("type") == "item_reference" for data in own)


def placed_state(message: Mapping[str, Any]) -> Iterator[tuple[str, str, list[Plain]]]:
    """Yield a message's provider state with positions: dialect, member, and the list of `{at, ...}`."""
    for dialect in message.get("extra", _NOTHING):
        described = known_descriptor(dialect)
        member = None if described is None else described.placed_state
        if member is not None:
            placed = bag_of(message, dialect).get(member)
            if is_list(placed) and all("at" in object_of(one) for one in placed):
                yield dialect, member, placed


def signed_places(message: Mapping[str, Any]) -> Iterator[str]:
    """Yield the positions in a message to which provider state belongs."""
    return (str(one["at"]) for _, _, placed in placed_state(message) for one in placed)


def object_of(value: Any) -> Plain:
    """Return a verbatim value if it is an object, else an empty one."""
    return cast("Plain", value) if isinstance(value, dict) else {}


def string_of(value: Any, name: str, absent: str = "") -> str:
    """Return a string member of a verbatim object: `absent` if it is missing, "" if it is not a string."""
    word = object_of(value).get(name, absent)
    return word if isinstance(word, str) else ""


def bag_of(value: Mapping[str, Any], dialect: str) -> Mapping[str, Any]:
    """Return `extra.<dialect>` of a value, or an empty mapping."""
    bag = value.get("extra", _NOTHING).get(dialect)
    return cast("Mapping[str, Any]", bag) if isinstance(bag, dict) else _NOTHING


def spelling_of(value: Mapping[str, Any], dialect: str) -> Mapping[str, Any]:
    """Return a dialect's `spelling` of a value."""
    return cast("Mapping[str, Any]", bag_of(value, dialect).get("spelling", _NOTHING))


def with_bag(value: Plain, dialect: str, bag: Mapping[str, Any]) -> Plain:
    """Return a value with another `extra.<dialect>`; an empty one is left out."""
    extra = {owner: extra_value for owner, extra_value in value.get("extra", _NOTHING).items() if owner != dialect}
    if bag:
        extra[dialect] = dict(bag)
    repaired = {name: member for name, member in value.items() if name != "extra"}
    return {**repaired, "extra": extra} if extra else repaired


def without_spelling(value: Plain, dialect: str, *names: str) -> Plain:
    """Return a value without some spellings, which would restore a fault."""
    bag = bag_of(value, dialect)
    spelling = bag.get("spelling", _NOTHING)
    if not any(name in spelling for name in names):
        return value
    left = {name: note for name, note in spelling.items() if name not in names}
    others = {name: extra_value for name, extra_value in bag.items() if name != "spelling"}
    return with_bag(value, dialect, {**others, "spelling": left} if left else others)
