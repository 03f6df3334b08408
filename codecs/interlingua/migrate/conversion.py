"""Converts a document between two adjacent closed versions, by their bundles and the declared changes.

No type, tag or member is known by name here, except those of the envelope: the two bundles are walked side by side. An
upgrade keeps everything: what has no place any more moves to `extra.unknown` of the innermost enclosing value with an
`extra`. A downgrade reports what has no place as lost, and restores what the older version knows from `extra.unknown`.
A variant that the other version does not know is kept whole as an opaque part or message of dialect
`interlingua_v<number>`, and restored from it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

from interlingua.errors import MigrationError
from interlingua.json_types import is_list, is_object, is_text
from interlingua.loss import CODES, LossLog
from interlingua.migrate.bundles import Definitions, Node, are_same_schemas, definitions
from interlingua.migrate.table import TypePlan, step_plan
from interlingua.migrate.unknown_members import ASIDE, add_unknown
from interlingua.pointers import pointer

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from interlingua.loss import Loss, LossCode
    from interlingua.migrate.table import Handled

Json: TypeAlias = dict[str, Any]

_UNFIT: Final = object()
"""The result for a value that the other version cannot represent, which its parent must then omit."""

_VERSION: Final = "schema_version"
_EXTRA: Final = "extra"
_OPAQUE: Final = "opaque"
_DIALECT: Final = "interlingua_v"
_UNCHANGED: Final = TypePlan()


@dataclass(frozen=True, slots=True)
class Place:
    """The position of a value: in the source, in the target, and relative to the enclosing `extra`."""

    source: str
    target: str
    base: str = ""
    """The JSON Pointer in the older version from the value that owns `unknown`."""
    unknown: Json | None = None
    """The content of `extra.unknown` of the enclosing value that has one."""

    def member(self, name: str, target: str, older: str) -> Place:
        """Return the position of a member, by its names in the source, in the target, and in the older version."""
        return Place(
            self.source + pointer(name), self.target + pointer(target), self.base + pointer(older), self.unknown
        )

    def key(self, older: str) -> str:
        """Return the name for a member of this value in `extra.unknown`."""
        return self.base + pointer(older) if self.base else older


@dataclass(frozen=True, slots=True)
class Scope:
    """The context of a handwritten downgrade function: the origin of the value, and the log for losses."""

    log: LossLog
    base: str

    def at(self, member: str) -> str:
        """Return the JSON Pointer of the source of a member."""
        return self.base + pointer(member)


@dataclass(slots=True)
class ConversionReport:
    """The report of a conversion: the losses, and the values that have moved."""

    losses: list[Loss] = field(default_factory=list["Loss"])
    moved: dict[str, str] = field(default_factory=dict[str, str])
    """Maps JSON Pointers into the target to those of their source."""

    def noted(self, report: Callable[[LossLog], object]) -> None:
        """Note losses through a log."""
        log = LossLog()
        report(log)
        self.losses += log.losses()

    def back(self, path: str) -> str:
        """Return the source path of a target path."""
        head, tail = path, ""
        while head:
            if head in self.moved:
                return self.moved[head] + tail
            head, _, last = head.rpartition("/")
            tail = f"/{last}{tail}"
        return path


@cache
def conversion(source: int, target: int) -> Conversion:
    """Return the conversion from a version to an adjacent one."""
    return Conversion(source, target)


class Conversion:
    """The conversion from one version to an adjacent one, up or down."""

    __slots__ = ("_is_up", "_plan", "_plans", "_same", "_source", "_target")

    def __init__(self, source: int, target: int) -> None:
        self._source: Final[Definitions] = definitions(source)
        self._target: Final[Definitions] = definitions(target)
        self._is_up: Final = target > source
        self._plan: Final = step_plan(min(source, target), max(source, target))
        self._plans: Final[dict[tuple[str, str], TypePlan]] = {}
        self._same: Final[dict[tuple[str, str], bool]] = {}

    def message(self, document: Json, place: str, trail: ConversionReport) -> Json:
        """Return a message of any type in the other version.

        A message of a type that its own version does not know is kept as it is, if the other one allows it.

        Raises:
            MigrationError: it has no form in the other version, not even an opaque one.
        """
        root = self._source.named("Message")
        is_known = document.get(_VERSION) == self._source.version and document.get(root.tag) in root.variants
        if is_known:
            return self.document(document, "Message", place, trail)
        if not self._is_up:
            return document
        other = self._target.named("Message")
        if document.get(_VERSION) != self._source.version or document.get(other.tag) not in other.variants:
            return document
        with_new_version = {**document, _VERSION: self._target.version}
        return with_new_version if self._target.fits(with_new_version, other) else self._wrapped(document, other)

    def document(self, document: Json, shape: str, place: str, trail: ConversionReport) -> Json:
        """Return a document of a class in the other version.

        Raises:
            MigrationError: it has no form there.
        """
        names = self._plan.renamed_types
        other = names.get(shape, shape) if self._is_up else next((old for old in names if names[old] == shape), shape)
        source, target = {"$ref": f"#/$defs/{shape}"}, {"$ref": f"#/$defs/{other}"}
        made = self._value(document, source, target, Place(place, place), trail)
        if not is_object(made):
            raise MigrationError(self._target.version, place, "the version cannot represent it")
        return made

    def _value(self, value: Any, source: Json, target: Json, place: Place, trail: ConversionReport) -> Any:
        """Return a value converted from one schema to another one of the other version, or `_UNFIT`."""
        old, new = self._source.of_value(source, value), self._target.of_value(target, value)
        if old is None or new is None:
            return _UNFIT
        if self._is_same(old, new):
            return value
        if old.tag and new.tag:
            return self._variant(value, old, new, place, trail)
        if old.members and new.members:
            return self._object(value, old, new, place, trail)
        if is_list(value) and "items" in old.schema and "items" in new.schema:
            return self._list(value, old, new, place, trail)
        return value if self._target.fits(value, new) else _UNFIT

    def _list(self, value: list[Any], old: Node, new: Node, place: Place, trail: ConversionReport) -> Any:
        made: list[Any] = []
        for index, item in enumerate(value):
            name = str(index)
            found = self._value(item, old.schema["items"], new.schema["items"], place.member(name, name, name), trail)
            if found is _UNFIT:
                return _UNFIT
            made.append(found)
        is_short = len(made) < new.schema.get("minItems", 0)
        return _UNFIT if is_short or len(made) > new.schema.get("maxItems", len(made)) else made

    def _variant(self, value: Json, old: Node, new: Node, place: Place, trail: ConversionReport) -> Any:
        """Return a variant of a union converted: the variant of its tag, its opaque form, or `_UNFIT`."""
        tag = value[old.tag]
        if tag == _OPAQUE:
            restored = self._restored(value, old, new)
            if restored is not None:
                return restored
        other = self._tag(old.name, tag)
        if other in new.variants:
            state = _State.of(trail, place)
            made = self._object(value, self._source.variant(old, tag), self._target.variant(new, other), place, trail)
            if made is not _UNFIT:
                return made
            state.restore(trail, place)
        written = self._by_hand(value, old, new, place, trail)
        if written is not None:
            return written
        if _OPAQUE not in new.variants:
            return _UNFIT
        if not self._is_up:
            detail = f"version {self._target.version} does not know it: it is kept whole, as opaque"
            trail.noted(lambda log: log.changed(_code_of(new.name), place.source, detail))
        return self._wrapped(value, new)

    def _by_hand(self, value: Json, old: Node, new: Node, place: Place, trail: ConversionReport) -> Any:
        """Return the result of a handwritten function for a variant that the other version does not know, or None."""
        key = old.name, value[old.tag]
        made = dict(value)
        if self._is_up and key in self._plan.newer_variants:
            self._plan.newer_variants[key](made)
        elif not self._is_up and key in self._plan.older_variants:
            trail.noted(lambda log: self._plan.older_variants[key](made, Scope(log, place.source)))
        else:
            return None
        if made.get(_VERSION) == self._source.version:
            made[_VERSION] = self._target.version
        return made if self._target.fits(made, new) else None

    def _tag(self, union: str, tag: str) -> str:
        """Return the tag of a variant in the other version."""
        if self._is_up:
            return self._plan.renamed_variants.get((union, tag), tag)
        older = ((old, new) for (of, old), new in self._plan.renamed_variants.items() if of == union)
        return next((old for old, new in older if new == tag), tag)

    def _wrapped(self, value: Json, union: Node) -> Json:
        """Return a value as the opaque variant of a union, with its envelope members."""
        opaque = self._target.variant(union, _OPAQUE)
        opaque_data: Json = {"dialect": f"{_DIALECT}{self._source.version}", "data": value}
        if "dialect" in opaque.members:
            return {union.tag: _OPAQUE, **opaque_data}
        made: Json = {name: value[name] for name in opaque.members if name in value and name not in {"data", _EXTRA}}
        return {
            _VERSION: self._target.version,
            union.tag: _OPAQUE,
            **_without(made, _VERSION, union.tag),
            "data": opaque_data,
        }

    def _restored(self, value: Json, old: Node, new: Node) -> Json | None:
        """Return the variant kept in an opaque value, if this version knows it and the other one did not."""
        opaque_data = value if "dialect" in value else value.get("data")
        if (
            not is_object(opaque_data)
            or not is_text(opaque_data.get("dialect"))
            or not is_object(opaque_data.get("data"))
        ):
            return None
        kept: Json = opaque_data["data"]
        tag = kept.get(new.tag)
        numbers = {f"{_DIALECT}{version.version}" for version in (self._source, self._target)}
        is_from_this_library = opaque_data["dialect"] in numbers and is_text(tag) and tag in new.variants
        if not is_from_this_library or (
            tag in old.variants and opaque_data["dialect"] != f"{_DIALECT}{self._target.version}"
        ):
            return None
        return kept if self._target.fits(kept, new) else None

    def _object(self, value: Json, old: Node, new: Node, place: Place, trail: ConversionReport) -> Any:
        """Return an object, member by member, or `_UNFIT`."""
        plan = self._plan_of(old, new)
        owns = new.is_closed and _EXTRA in new.members
        if owns:
            place = Place(place.source, place.target, "", self._unknown_of(value))
        made = dict(value)
        restored = {} if self._is_up else self._restored_members(value, old, new, place)
        done = self._run(made, plan, restored, place, trail)
        written: Json = {}
        for name, member in made.items():
            if name in done:
                written[name] = member
            elif not self._write(written, name, member, (old, new, plan), place, trail):
                return _UNFIT
        for name, member in plan.defaults.items() if self._is_up else ():
            written.setdefault(name, member)
        written |= {name: member for name, member in restored.items() if name not in written}
        if owns:
            self._put_unknown(written, value, place)
        return written if self._is_whole(written, new, done) else _UNFIT

    def _write(
        self,
        written: Json,
        name: str,
        member: Any,
        shapes: tuple[Node, Node, TypePlan],
        place: Place,
        trail: ConversionReport,
    ) -> bool:
        """Write a member of an object in the other version; return whether the object remains valid."""
        old, new, plan = shapes
        other = self._name(plan, name)
        older = name if self._is_up else other
        if name == _EXTRA and place.unknown is not None and is_object(member):
            member = {each: value for each, value in member.items() if each != ASIDE}
        if name not in old.members and other not in new.members and not new.is_closed:
            written[name] = member
            return True
        if other not in new.members:
            return self._report_left_out(name, member, plan, place, trail)
        target, inner = new.members[other], place.member(name, other, older)
        if "const" in target and "const" in old.members.get(name, ()):
            written[other] = target["const"]  # the tag of a variant, or the version number
            return True
        if other == _VERSION and member == self._source.version:
            written[other] = self._target.version
            return True
        if member is None and self._target.of_value(target, None) is None:
            return other not in new.required  # null meant absent
        state = _State.of(trail, place)
        if name in old.members:
            found = self._value(member, old.members[name], target, inner, trail)
        else:
            found = member if self._target.fits(member, self._target.resolved(target)) else _UNFIT
        if found is _UNFIT:
            state.restore(trail, place)
            return other not in new.required and self._report_left_out(name, member, plan, place, trail)
        written[other] = found
        if inner.source != inner.target:
            trail.moved[inner.target] = inner.source
        return True

    def _report_left_out(self, name: str, member: Any, plan: TypePlan, place: Place, trail: ConversionReport) -> bool:
        """Omit a member: an upgrade sets it aside, a downgrade loses it. Return whether that is possible."""
        if self._is_up:
            if place.unknown is None:
                return False
            key = place.key(name)
            while key in place.unknown:
                key = f"/{key}"
            place.unknown[key] = member
        elif member is not None and plan.defaults.get(name, _UNFIT) != member:
            detail = f"version {self._target.version} has no place for it"
            trail.noted(lambda log: log.lost(_code(name), place.source + pointer(name), detail))
        return True

    def _run(self, made: Json, plan: TypePlan, restored: Json, place: Place, trail: ConversionReport) -> set[str]:
        """Apply a type's handwritten functions to a value; return the members that they have completed."""
        done: set[str] = set()
        for change in plan.handled:
            function = change.upgrade if self._is_up else change.downgrade
            wanted = change.new if self._is_up else change.old
            if function is None or (wanted and all(name in restored for name in wanted)):
                continue
            if not _is_called_for(change, made, is_up=self._is_up):
                continue
            if self._is_up and change.upgrade is not None:
                change.upgrade(made)
            elif change.downgrade is not None:
                self._run_down(change, made, place, trail)
            done |= {name for name in wanted if name in made}
        return done

    def _run_down(self, change: Handled, made: Json, place: Place, trail: ConversionReport) -> None:
        function = change.downgrade
        if function is not None:
            trail.noted(lambda log: function(made, Scope(log, place.source)))

    def _name(self, plan: TypePlan, name: str) -> str:
        """Return the name of a member in the other version."""
        if self._is_up:
            return plan.renamed.get(name, name)
        return next((old for old, new in plan.renamed.items() if new == name), name)

    def _unknown_of(self, value: Json) -> Json:
        """Return a copy of a value's `extra.unknown`."""
        extra = value.get(_EXTRA)
        unknown = extra.get(ASIDE) if is_object(extra) else None
        return dict(unknown) if is_object(unknown) else {}

    def _restored_members(self, value: Json, old: Node, new: Node, place: Place) -> Json:
        """Return members that an upgrade set aside and that this version knows."""
        found: Json = {}
        for name, schema in new.members.items():
            key = place.key(name)
            if name == _EXTRA or name in value or place.unknown is None or key not in place.unknown:
                continue
            member = place.unknown[key]
            is_newer = name in old.members and self._source.fits(member, self._source.resolved(old.members[name]))
            if not is_newer and self._target.fits(member, self._target.resolved(schema)):
                found[name] = place.unknown.pop(key)
        return found

    def _put_unknown(self, written: Json, value: Json, place: Place) -> None:
        """Write the new `extra.unknown`."""
        if place.unknown:
            add_unknown(written, place.unknown)
        extra, before = written.get(_EXTRA), value.get(_EXTRA)
        if extra == {} and before:
            del written[_EXTRA]

    def _is_whole(self, written: Json, new: Node, done: set[str]) -> bool:
        """Tell whether an object has its required members, and no function made one invalid."""
        if not new.required <= written.keys():
            return False
        if new.alternatives and sum(name in written for name in new.alternatives) != 1:
            return False
        return all(
            self._target.fits(written[name], self._target.resolved(new.members[name]))
            for name in done
            if name in new.members
        )

    def _is_same(self, old: Node, new: Node) -> bool:
        """Tell whether a value needs no change: both schemas and all below are the same, and no change is declared."""
        if not old.name or not new.name:
            return not self._plan.types and not self._plan.renamed_variants and self._are_same(old, new)
        key = old.name, new.name
        if key not in self._same:
            self._same[key] = self._are_same(old, new) and self._is_undeclared(old)
        return self._same[key]

    def _are_same(self, old: Node, new: Node) -> bool:
        older, newer = (old, new) if self._is_up else (new, old)
        versions = sorted((self._source.version, self._target.version))
        return are_same_schemas(versions[0], versions[1], older.schema, newer.schema)

    def _is_undeclared(self, old: Node) -> bool:
        """Tell whether no change beyond the schemas is declared for a class or any class it refers to."""
        handled = {name for name, plan in self._plan.types.items() if plan.handled or plan.renamed}
        if not self._is_up:
            handled |= {self._plan.renamed_types[name] for name in handled & self._plan.renamed_types.keys()}
        return not handled or handled.isdisjoint(self._source.reachable(old))

    def _plan_of(self, old: Node, new: Node) -> TypePlan:
        """Return the changes declared for a class: additions under its newer name, all others under its older one."""
        older, newer = (old.name, new.name) if self._is_up else (new.name, old.name)
        if (older, newer) not in self._plans:
            found = [self._plan.types[name] for name in dict.fromkeys((older, newer)) if name in self._plan.types]
            self._plans[older, newer] = found[0].joined(found[1]) if len(found) > 1 else (found or [_UNCHANGED])[0]
        return self._plans[older, newer]


@dataclass(frozen=True, slots=True)
class _State:
    """The report before an attempt that may fail."""

    losses: int
    unknown: Json | None

    @classmethod
    def of(cls, trail: ConversionReport, place: Place) -> _State:
        return cls(len(trail.losses), None if place.unknown is None else dict(place.unknown))

    def restore(self, trail: ConversionReport, place: Place) -> None:
        """Discard what the attempt reported."""
        del trail.losses[self.losses :]
        if place.unknown is not None and self.unknown is not None:
            place.unknown.clear()
            place.unknown.update(self.unknown)


def _is_called_for(change: Handled, made: Json, *, is_up: bool) -> bool:
    """Tell whether a change applies to a value; an added or removed member may have to be made from others."""
    if change.op in {"add_member", "remove_member"}:
        return True
    names: Sequence[str] = change.old if is_up else change.new
    return not names or any(name in made for name in names)


def _without(value: Json, *names: str) -> Json:
    """Return a copy of an object without some members."""
    return {name: member for name, member in value.items() if name not in names}


def _code_of(union: str) -> LossCode:
    """Return the loss code for a variant that has no place: the union's name, if there is such a code."""
    word = union.lower()
    return cast("LossCode", word) if word in CODES else "migration"


def _code(name: str) -> LossCode:
    """Return the loss code for a member that has no place."""
    return "local_id" if name in {"id", "call_id"} else "cache" if name == "cache" else "migration"
