"""Members by which servers of Chat Completions control thinking: one table, a row for each.

OpenAI only has `reasoning_effort`. Each of these members is read as a canonical setting, and a null is kept in its
place, so that it is written back there. Source: docs/wire/openai_chat.md, section 9.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, cast

from interlingua.pointers import value_at, without_nulls_at
from interlingua.rooms._shared.thinking import OFF
from interlingua.rooms.openai_chat.tables import DIALECT
from interlingua.spi.extra import NOTHING, own_extra, own_spelling

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.rooms._chat_completions.vendor import Object, Reader, Vendor
    from interlingua.rooms._shared.writing import Target
    from interlingua.spi.reading import Unmapped

Kind = Literal["word", "tokens", "switch", "shown", "hidden"]

_ON: Final = "enabled"
_SHOWN, _OMITTED = "summarized", "omitted"
_TYPES: Final[Mapping[Kind, type]] = MappingProxyType(
    {"word": str, "tokens": int, "switch": bool, "shown": bool, "hidden": bool}
)


class ThinkingMember(NamedTuple):
    """A member that controls thinking: its path, the canonical setting, and the meaning of its value."""

    path: tuple[str, ...]
    setting: str
    kind: Kind

    def read(self, value: Any) -> Any:
        """Return the canonical value, or None for one of another type."""
        if type(value) is not _TYPES[self.kind]:
            return None
        if self.kind == "switch":
            return _ON if value else OFF
        if self.kind in {"shown", "hidden"}:
            return _SHOWN if value is (self.kind == "shown") else _OMITTED
        return value

    def write(self, value: Any) -> Any:
        """Return the value on the wire."""
        if self.kind == "switch":
            return value != OFF
        if self.kind in {"shown", "hidden"}:
            return (value != _OMITTED) is (self.kind == "shown")
        return value


_GOOGLE: Final = ("extra_body", "google", "thinking_config")
# If two have the same setting, the first is read; `reasoning_effort` takes precedence over all.
THINKING_MEMBERS: Final = (
    ThinkingMember(("thinking", "type"), "mode", "word"),
    ThinkingMember(("thinking", "budget_tokens"), "budget_tokens", "tokens"),
    ThinkingMember(("thinking", "display"), "display", "word"),
    ThinkingMember(("reasoning", "effort"), "effort", "word"),
    ThinkingMember(("reasoning", "max_tokens"), "budget_tokens", "tokens"),
    ThinkingMember(("reasoning", "enabled"), "mode", "switch"),
    ThinkingMember(("reasoning", "exclude"), "display", "hidden"),
    ThinkingMember(("enable_thinking",), "mode", "switch"),
    ThinkingMember(("thinking_budget",), "budget_tokens", "tokens"),
    ThinkingMember(("chat_template_kwargs", "enable_thinking"), "mode", "switch"),
    ThinkingMember(("chat_template_kwargs", "thinking"), "mode", "switch"),
    ThinkingMember((*_GOOGLE, "thinking_level"), "effort", "word"),
    ThinkingMember((*_GOOGLE, "thinking_budget"), "budget_tokens", "tokens"),
    ThinkingMember((*_GOOGLE, "include_thoughts"), "display", "shown"),
    ThinkingMember(("include_reasoning",), "display", "shown"),
)
_ABSENT: Final = object()


def _with(value: Any, path: tuple[str, ...], said: Any) -> Any:
    """Return a copy of nested objects with a member set; absent objects are created."""
    if not path:
        return said
    holder = cast("dict[str, Any]", value) if type(value) is dict else {}
    return {**holder, path[0]: _with(holder.get(path[0]), path[1:], said)}


def _has_earlier_value(place: ThinkingMember, body: Mapping[str, Any]) -> bool:
    if place.setting == "effort" and type(body.get("reasoning_effort")) is str:
        return True
    before = THINKING_MEMBERS[: THINKING_MEMBERS.index(place)]
    return any(
        one.setting == place.setting and one.read(value_at(body, one.path, _ABSENT)) is not None for one in before
    )


def _read(key: str, request: Object, value: Any, body: Object, left: Unmapped) -> None:
    """Read the settings in one member of the request; the rest of it stays a leftover."""
    for place in THINKING_MEMBERS:
        said = value_at(value, place.path[1:], _ABSENT) if place.path[0] == key else _ABSENT
        if said is None:
            left.null(".".join(place.path))
        meant = place.read(said)
        if meant is not None and not _has_earlier_value(place, body):
            request.setdefault("reasoning", {})[place.setting] = meant
            value = _with(value, place.path[1:], None)
    left.fields[key] = value


def _reader(key: str) -> Reader:
    def read(request: Object, value: Any, body: Object, _vendor: Vendor, left: Unmapped) -> None:
        _read(key, request, value, body, left)

    return read


READERS: Final[Mapping[str, Reader]] = MappingProxyType(
    {place.path[0]: _reader(place.path[0]) for place in THINKING_MEMBERS}
)


def _places_of(request: Mapping[str, Any]) -> list[ThinkingMember]:
    """Return the places that the settings of a request came from."""
    fields = own_extra(request, DIALECT).get("fields", NOTHING)
    if not fields:  # nearly always
        return []
    nulls = own_spelling(request, DIALECT).get("null", ())
    return [
        one
        for one in THINKING_MEMBERS
        if value_at(fields, one.path, _ABSENT) is None and ".".join(one.path) not in nulls
    ]


def write_at_home(out: dict[str, Any], value: Any, request: Any, vendor: Vendor, to: Target) -> None:
    """Write settings to the places that they came from; others in OpenAI's form."""
    from interlingua.rooms._chat_completions.encode import write_reasoning  # noqa: PLC0415  # decoding does not need it

    told: set[str] = set()
    for place in _places_of(request):
        if place.setting in value and place.setting not in told:
            told.add(place.setting)
            out |= _with(out, place.path, place.write(value[place.setting]))
    write_reasoning(out, {name: said for name, said in value.items() if name not in told}, request, vendor, to)


def without_removed_members(out: dict[str, Any], request: Mapping[str, Any]) -> dict[str, Any]:
    """Return the body without the nulls that mark places of settings which are gone."""
    return without_nulls_at(out, [place.path for place in _places_of(request)])


WRITERS: Final = MappingProxyType({"reasoning": write_at_home})
