"""JSON instances of the types that the official SDKs declare, built from their annotations."""

from __future__ import annotations

import collections.abc
import datetime as dt
import enum
import importlib
import itertools
from dataclasses import dataclass, field
from types import NoneType, UnionType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Final,
    Literal,
    NotRequired,
    Required,
    Union,
    cast,
    get_args,
    get_origin,
)

from pydantic import BaseModel
from typing_extensions import get_type_hints, is_typeddict

from support.canonical import written

if TYPE_CHECKING:
    from collections.abc import Iterator

# Below this depth, only required members are written, and lists stay empty: the types are recursive.
_DEEP: Final = 5
# google-genai declares every member as optional; these are required (docs/wire/gemini.md).
_DEMANDED: Final = {
    "Blob": ("data", "mime_type"),
    "FileData": ("file_uri",),
    "FunctionCall": ("name",),
    "FunctionDeclaration": ("name",),
    "FunctionResponse": ("name", "response"),
    "FunctionResponseBlob": ("data", "mime_type"),
    "FunctionResponseFileData": ("file_uri",),
}
_CHOICES: Final = 6
_WRAPPED: Final = (Annotated, Required, NotRequired)
_LISTS: Final = (list, collections.abc.Iterable, collections.abc.Sequence)
_OBJECTS: Final = (dict, collections.abc.Mapping)


def sdk_type(path: str) -> Any:
    """Return the type that an SDK declares at a dotted path.

    Raises:
        LookupError: there is no such type.
    """
    module, _, name = path.rpartition(".")
    try:
        return getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise LookupError(path) from error


def instances(kind: Any) -> Iterator[Any]:
    """Yield JSON values of a type: the minimum, then everything that it allows, with each union member used once."""
    seen: set[str] = set()
    for full, choice in itertools.chain([(False, 0)], ((True, choice) for choice in range(_CHOICES))):
        made = _Making(full=full, choice=choice).value(kind, 0)
        if written(made) not in seen:
            seen.add(written(made))
            yield made


@dataclass
class _Making:
    """An instance under construction; every text and number in it is different."""

    full: bool
    choice: int
    numbers: Iterator[int] = field(default_factory=lambda: itertools.count(101))

    def value(self, kind: Any, depth: int) -> Any:
        origin, arguments = get_origin(kind), get_args(kind)
        if origin in _WRAPPED:
            return self.value(arguments[0], depth)
        if origin is Literal:
            return arguments[self.choice % len(arguments)]
        if origin in (Union, UnionType):
            options = [option for option in arguments if _is_json(option)]
            return self.value(options[self.choice % len(options)], depth)
        if origin in _LISTS:
            return self._list(arguments[0], depth)
        if origin in _OBJECTS:
            return {f"key{next(self.numbers)}": self.value(arguments[1], depth + 1)}
        if is_typeddict(kind):
            return self._typed_dict(kind, depth)
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            return self._model(kind, depth)
        return self._scalar(kind)

    def _list(self, item: Any, depth: int) -> list[Any]:
        """Return a list with an entry of each allowed type."""
        if depth > _DEEP:
            return []
        bare = get_args(item)[0] if get_origin(item) is Annotated else item
        options = get_args(bare) if get_origin(bare) in (Union, UnionType) else (bare,)
        return [self.value(option, depth + 1) for option in options if _is_json(option)]

    def _typed_dict(self, kind: Any, depth: int) -> dict[str, Any]:
        hints = get_type_hints(kind, include_extras=True)
        return {
            name: self.value(hint, depth + 1) for name, hint in hints.items() if self._wants(kind, name, hint, depth)
        }

    def _wants(self, kind: Any, name: str, hint: Any, depth: int) -> bool:
        if self.full and depth <= _DEEP:
            return True
        # `__required_keys__` is wrong for annotations that are strings.
        origin = get_origin(hint)
        return origin is Required or (origin is not NotRequired and name in kind.__required_keys__)

    def _model(self, kind: type[BaseModel], depth: int) -> dict[str, Any]:
        demanded = _DEMANDED.get(kind.__qualname__, ()) if kind.__module__.startswith("google.") else ()
        return {
            declared.alias or name: self.value(_given(declared.annotation, name in demanded), depth + 1)
            for name, declared in kind.model_fields.items()
            if declared.is_required() or name in demanded or (self.full and depth <= _DEEP)
        }

    def _scalar(self, kind: Any) -> Any:
        number = next(self.numbers)
        if kind is bool:
            return bool(self.choice % 2)
        if kind is int:
            return number
        if kind is float:
            return number + 0.5
        if kind in (None, NoneType):
            return None
        if isinstance(kind, type) and issubclass(kind, enum.Enum):
            words = list(kind)
            return words[self.choice % len(words)].value if words else f"text {number}"
        if kind is dt.datetime:
            return "2026-01-01T00:00:00Z"
        return f"text {number}"


def _given(kind: Any, demanded: bool) -> Any:  # the only required member
    """Return a type without None if a value is required."""
    if not demanded:
        return kind
    rest = tuple(option for option in get_args(kind) if option is not NoneType)
    return cast("Any", Union)[rest] if rest else kind


def _is_json(kind: Any) -> bool:
    """Return whether values of a type can be JSON: open files and paths cannot."""
    return getattr(get_origin(kind) or kind, "__module__", "") not in {"os", "typing.io", "io"} and "IO" not in str(
        kind
    )
