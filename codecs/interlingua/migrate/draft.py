"""A version 2 message under construction, assembled from one or more transcript messages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

from interlingua.json_types import is_text
from interlingua.migrate.extras import OWN, UNKNOWN, Notes, downgrade_extra
from interlingua.migrate.origin import Origin
from interlingua.migrate.unknown_members import set_aside
from interlingua.migrate.upgrade_2_3 import known_members
from interlingua.migrate.versions import stated_version
from interlingua.pointers import pointer

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.loss import LossLog

Json: TypeAlias = dict[str, Any]

VERSION: Final = 2
_RANKS: Final[Mapping[str, int]] = {"reasoning": 0, "content": 1, "refusal": 2, "tool_calls": 3}
_NOTED: Final[Mapping[str, type]] = {"id": str, "extra": dict}
_PLACED: Final = frozenset({"schema_version", "type", "id", "joins", "data", "extra"})
"""The members of a transcript message that have a place in version 2, or are handled elsewhere."""

_ORDER: Final[tuple[str, ...]] = ("role", "call_id", "reasoning", "content", "refusal", "tool_calls", "name")


class Draft:
    """The content of one version 2 message.

    `body` has the members that a model sees, by their version 2 names; `role` is among them from the start.
    """

    __slots__ = ("_extra", "_has_extra", "_id", "_log", "_notes", "_unknown", "body", "origin")

    def __init__(self, message: Json, place: str, role: str, log: LossLog) -> None:
        extra = message.get("extra", {})
        self.body: Final[Json] = {"role": role}
        self.origin: Final = Origin(place)
        self.origin.members.update({name: f"{place}/data/{name}" for name in ("role", "call_id")})
        self._log = log
        self._notes = Notes.of(extra, _NOTED)
        self._unknown: Json = dict(extra.get(UNKNOWN, {}))
        self._extra: Json = {name: value for name, value in extra.items() if name not in {OWN, UNKNOWN}}
        self._has_extra = "extra" in self._notes.fields or bool(self._extra) or message.get("extra") == {}
        self._id: str | None = message.get("id")
        if self._id is None and "id" in self._notes.fields:
            self._id = self._notes.fields["id"]
            self.origin.members["id"] = f"{place}/extra/{OWN}/fields/id"
        for name in self._unknown:
            self.origin.members[name] = f"{place}/extra/{UNKNOWN}{pointer(name)}"
        for name in self._notes.fields.get("extra", {}):
            if name not in self._extra:
                self.origin.members["extra" + pointer(name)] = f"{place}/extra/{OWN}/fields/extra{pointer(name)}"
        for name in message:
            if name not in _PLACED:
                log.lost("migration", f"{place}/{name}", "version 2 has no place for it")
        for where in Notes.strange(extra, _NOTED):
            log.lost("extra", f"{place}/extra{where}", "version 2 never writes this")
        if "id" in message and "id" in self._notes.fields:
            log.lost("extra", f"{place}/extra/{OWN}/fields/id", "the message has another id now")

    def put(self, member: str, value: Any, source: str, places: list[str] | None = None) -> None:
        """Write a member that came from `source` in the message; `places` are those of its items."""
        self.body[member] = value
        self.origin.members[member] = self.origin.base + source
        if places is not None:
            self.origin.items[member] = places

    def takes(self, other: Draft) -> bool:
        """Tell whether version 2 can hold both in one message."""
        if self.body["role"] != other.body["role"] or self.body["role"] == "tool":
            return False
        if "name" in other.body and self.body.get("name", other.body["name"]) != other.body["name"]:
            return False
        here, there = _ranks(self.body), _ranks(other.body)
        return not here or not there or here[-1] < there[0] or here[-1] == there[0] == _RANKS["content"]

    def fold(self, other: Draft) -> None:
        """Merge another draft; of members that both have, this one's is kept and the other's is lost."""
        for member, value in other.body.items():
            if member == "content" and "content" in self.body:
                self._add_content(value, other.origin)
            elif member not in self.body:
                self.body[member] = value
                self.origin.adopt(other.origin, member)
            elif member == "name" or (member == "role" and value == "developer"):
                self.origin.repeat(member, other.origin.of(member))
        if other._id is not None and self._id is None:
            self._id = other._id
            self.origin.adopt(other.origin, "id")
        elif other._id is not None and other._id == self._id:
            self.origin.repeat("id", other.origin.of("id"))
        elif other._id is not None:
            self._log.lost("local_id", other.origin.of("id"), "a message has only one id")
        self._adopt_members(self._extra, other._extra, f"{other.origin.base}/extra", "extra")
        self._adopt_members(self._unknown, other._unknown, f"{other.origin.base}/extra/{UNKNOWN}", "")
        self._has_extra |= other._has_extra
        if "extra" in other._notes.fields:
            self._log.lost(
                "extra", f"{other.origin.base}/extra/{OWN}/fields/extra", "the message before it has its own"
            )

    def finished(self) -> Json:
        """Return the message of version 2."""
        document: Json = {name: self.body[name] for name in _ORDER if name in self.body}
        if self._id is not None and document["role"] == "tool" and "call_id" not in document:
            self._log.lost("local_id", self.origin.of("id"), "in version 2 it would name the call")
        elif self._id is not None:
            document["id"] = self._id
            if document.get("call_id") == self._id and self._notes.spelling.get("call_id") != "stated":
                del document["call_id"]
        known = known_members()[document["role"]]
        if self._notes.spelling.get("schema_version") == "stated":
            document["schema_version"] = VERSION
        elif stated_version(self._unknown) is not None:
            self._log.lost(
                "migration", f"{self.origin.base}/extra/{UNKNOWN}/schema_version", "version 2 would read it as its own"
            )
            del self._unknown["schema_version"]
        if self._has_extra:
            calls = len(document.get("tool_calls", ()))
            document["extra"] = downgrade_extra(self._extra, self._notes, calls, document.get("content"))
        return {**document, **set_aside(self._unknown, known)}

    def _add_content(self, content: Any, origin: Origin) -> None:
        """Append content to the existing one, as parts."""
        parts: list[Json] = []
        places: list[str] = []
        for source, value in ((self.origin, self.body["content"]), (origin, content)):
            listed = [{"type": "text", "text": value}] if is_text(value) else value
            parts += listed
            places += [
                source.of("content") if is_text(value) else source.item("content", index)
                for index in range(len(listed))
            ]
        self.body["content"] = parts
        self.origin.items["content"] = places

    def _adopt_members(self, own: Json, others: Json, path: str, member: str) -> None:
        for name, value in others.items():
            if name not in own:
                own[name] = value
                self.origin.members[member + pointer(name) if member else name] = path + pointer(name)
            elif own[name] == value:
                self.origin.repeat(member + pointer(name), path + pointer(name))
            else:
                self._log.lost("extra", path + pointer(name), "the message before it has its own")


def _ranks(body: Json) -> list[int]:
    return sorted(_RANKS[member] for member in body if member in _RANKS)
