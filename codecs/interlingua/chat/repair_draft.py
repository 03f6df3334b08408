"""A conversation on the bench: its messages, each with the place that it had in the request that was given."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

from interlingua.client_tools import with_functions_for_client_tools
from interlingua.json_kinds import is_list
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
    "with_bag",
    "without_spelling",
    "word_of",
]

Plain: TypeAlias = "dict[str, Any]"

_NOTHING: Final[Mapping[str, Any]] = {}


@dataclass(frozen=True, slots=True)
class Entry:
    """A message and its place. `kept` are the places that its parts of content had, where some are gone.

    `index` is the place of the message in the given request, -1 for one that was put in.
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
        """Return the path that a part had in the given request."""
        place = self.kept[at] if member == "content" and self.kept is not None else at
        return f"{self.path}/{member}/{place}"

    def without_parts(self, left: Sequence[int]) -> Entry:
        """Return the entry with only these parts of its content; state of a provider leads to its new places."""
        content = self.message["content"]
        message = {**self.message, "content": [content[at] for at in left]}
        places = {f"/content/{old}": f"/content/{new}" for new, old in enumerate(left)}
        for dialect, member, placed in placed_state(message):
            moved = [{**one, "at": places.get(one["at"], one["at"])} for one in placed]
            message = with_bag(message, dialect, {**bag_of(message, dialect), member: moved})
        return Entry(message, self.index, tuple(at if self.kept is None else self.kept[at] for at in left))

    def with_message(self, message: Plain) -> Entry:
        """Return the entry with another message in the same place."""
        return Entry(message, self.index, self.kept)


@dataclass(slots=True)
class Draft:
    """A request that is being mended for a dialect. `request` is plain and never changed, only replaced.

    `entries` are its messages. `home` tells that the request was decoded from the very dialect, so that it goes out
    as it is; abroad the encoder mends by itself what it reports as losses. `has_server_history` tells that the
    provider's server holds an earlier part of the conversation, so that calls may be there. `standing_in` are the calls
    and results of functions, by their places, that stand for items of another provider's tools that the client runs.
    """

    request: Plain
    entries: list[Entry]
    dialect: str
    home: bool
    has_server_history: bool
    demands: Demands
    log: RepairLog
    standing_in: Mapping[int, Plain]

    @classmethod
    def of(cls, request: Plain, dialect: str, log: RepairLog) -> Draft:
        """Return the draft of a plain request."""
        standing_in = _standing_in(request, dialect)
        entries = [Entry(standing_in.get(index, message), index) for index, message in enumerate(request["messages"])]
        home = request.get("dialect") == dialect
        demands = _demands(request, dialect)
        return cls(request, entries, dialect, home, _is_remembered(request, dialect), demands, log, standing_in)

    def is_visible(self, entry: Entry) -> bool:
        """Tell whether anything of a message gets onto the wire: what only another dialect understands does not."""
        return entry.role != "opaque" or (
            entry.message["dialect"] == self.dialect and type(entry.message["data"]) is dict
        )

    def last_visible(self) -> Entry | None:
        """Return the last message of which anything gets onto the wire, or None."""
        return next((entry for entry in reversed(self.entries) if self.is_visible(entry)), None)

    def bag(self, value: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return what the target dialect alone understands of a value."""
        return bag_of(value, self.dialect)

    def finished(self) -> Plain:
        """Return the request with the mended messages; itself where none was mended."""
        messages = self.request["messages"]
        mended = [
            messages[entry.index] if entry.message is self.standing_in.get(entry.index) else entry.message
            for entry in self.entries
        ]
        if len(mended) == len(messages) and all(one is other for one, other in zip(mended, messages, strict=True)):
            return self.request
        return {**self.request, "messages": mended}


def _demands(request: Plain, dialect: str) -> Demands:
    """Return what a dialect demands; of models that sign nothing, no signature."""
    described = descriptor(dialect)
    if not described.demands.signed:
        return described.demands
    family = family_of_body(room(dialect), AUTO, {described.model_member: request.get("model")})
    accepts = family is not None and family.facts.get("unsigned_thinking") == "accept"
    return described.demands._replace(signed=False) if accepts else described.demands


def _standing_in(request: Plain, dialect: str) -> Mapping[int, Plain]:
    """Return the calls and results of functions that the encoder writes for items of other dialects."""
    made = with_functions_for_client_tools(cast("ChatRequest", request), dialect, LossLog())
    if made is None:
        return {}
    written: list[Any] = [*made.request["messages"]]
    return {int(at): written[int(at)] for holder, at in made.places if holder == "messages"}


def _is_remembered(request: Plain, dialect: str) -> bool:
    """Tell whether a request goes on from what the provider's server holds."""
    if "server_state" in bag_of(request, dialect):
        return True
    own = (one["data"] for one in request["messages"] if one["role"] == "opaque" and one["dialect"] == dialect)
    return any(object_of(data).get("type") == "item_reference" for data in own)


def placed_state(message: Mapping[str, Any]) -> Iterator[tuple[str, str, list[Plain]]]:
    """Yield the state of providers that has a place in a message: dialect, member, and the list of `{at, ...}`."""
    for dialect in message.get("extra", _NOTHING):
        described = known_descriptor(dialect)
        member = None if described is None else described.placed_state
        if member is not None:
            placed = bag_of(message, dialect).get(member)
            if is_list(placed) and all("at" in object_of(one) for one in placed):
                yield dialect, member, placed


def signed_places(message: Mapping[str, Any]) -> Iterator[str]:
    """Yield the places of a message that state of a provider belongs to."""
    return (str(one["at"]) for _, _, placed in placed_state(message) for one in placed)


def object_of(value: Any) -> Plain:
    """Return what is verbatim if it is an object, else an empty one."""
    return cast("Plain", value) if isinstance(value, dict) else {}


def word_of(value: Any, name: str, absent: str = "") -> str:
    """Return a member of what is verbatim: `absent` where there is none, nothing where it is no text."""
    word = object_of(value).get(name, absent)
    return word if isinstance(word, str) else ""


def bag_of(value: Mapping[str, Any], dialect: str) -> Mapping[str, Any]:
    """Return `extra.<dialect>` of a value, or an empty mapping."""
    bag = value.get("extra", _NOTHING).get(dialect)
    return cast("Mapping[str, Any]", bag) if isinstance(bag, dict) else _NOTHING


def spelling_of(value: Mapping[str, Any], dialect: str) -> Mapping[str, Any]:
    """Return the notes on how a dialect spelt a value."""
    return cast("Mapping[str, Any]", bag_of(value, dialect).get("spelling", _NOTHING))


def with_bag(value: Plain, dialect: str, bag: Mapping[str, Any]) -> Plain:
    """Return a value with another `extra.<dialect>`; an empty one is left out."""
    extra = {owner: held for owner, held in value.get("extra", _NOTHING).items() if owner != dialect}
    if bag:
        extra[dialect] = dict(bag)
    mended = {name: member for name, member in value.items() if name != "extra"}
    return {**mended, "extra": extra} if extra else mended


def without_spelling(value: Plain, dialect: str, *names: str) -> Plain:
    """Return a value without some notes on its spelling, which would bring a fault back."""
    bag = bag_of(value, dialect)
    spelling = bag.get("spelling", _NOTHING)
    if not any(name in spelling for name in names):
        return value
    left = {name: note for name, note in spelling.items() if name not in names}
    others = {name: held for name, held in bag.items() if name != "spelling"}
    return with_bag(value, dialect, {**others, "spelling": left} if left else others)
