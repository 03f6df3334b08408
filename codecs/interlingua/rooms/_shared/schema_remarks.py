"""What is told of a schema that was adapted, gathered until it is known that the adapted one is written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from interlingua.loss import pointer

if TYPE_CHECKING:
    from interlingua.loss import LossCode, LossLog

_ABSENT: Final = object()


class Remarks:
    """Changes of one schema, each with its place below the root; told once the schema is written."""

    __slots__ = ("_noted",)

    def __init__(self) -> None:
        self._noted: list[tuple[str, str, bool]] = []

    def __bool__(self) -> bool:
        return bool(self._noted)

    def changed(self, place: str, detail: str) -> None:
        """Note that what stands at a place is written otherwise."""
        self._noted.append((place, detail, False))

    def filled(self, place: str, detail: str) -> None:
        """Note that a keyword is written that nobody gave."""
        self._noted.append((place, detail, True))

    def tell(self, schema: dict[str, Any], path: str, log: LossLog, code: LossCode) -> None:
        """Report all of them; a place that the given schema does not have is that of the nearest one around it."""
        for place, detail, is_new in self._noted:
            found, missing = _found(schema, place)
            if is_new and missing == 1:
                log.filled(path + place, detail)
            else:
                log.changed(code, path + found, detail)


def _found(schema: Any, place: str) -> tuple[str, int]:
    """Return how much of a place a schema has, and how many of its tokens it has not."""
    tokens = [token.replace("~1", "/").replace("~0", "~") for token in place.split("/")[1:]]
    one: Any = schema
    for at, token in enumerate(tokens):
        one = _inside(one, token)
        if one is _ABSENT:
            return pointer(*tokens[:at]), len(tokens) - at
    return place, 0


def _inside(value: Any, token: str) -> Any:
    if type(value) is dict:
        return cast("dict[str, Any]", value).get(token, _ABSENT)
    if type(value) is list and token.isdigit() and int(token) < len(value):
        return value[int(token)]
    return _ABSENT
