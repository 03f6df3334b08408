"""Media resolution for the whole request, as Gemini models before 3 take it: one value for all images.

Source: docs/wire/gemini.md, section 1.2; the fact `media_resolution` of families.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from interlingua.rooms.gemini.tables import DIALECT, RESOLUTION_WORDS
from interlingua.spi.extra import NOTHING, own_extra

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from interlingua.loss import LossLog
    from interlingua.model_shapes import ChatRequest
    from interlingua.spi.families import Family

_MEMBER: Final = "mediaResolution"
# In ascending order; `auto` is the default, and `high` is the most that a request can ask for.
_ORDER: Final = ("low", "auto", "medium", "high")
_MOST: Final = frozenset({"ultra_high", "original"})
_FOR_ALL: Final = "these models use one resolution for all images: the highest detail is sent for all"
_UNASKED: Final = "these models use one resolution for all images: that of the request, or the default"


def with_one_resolution(
    request: ChatRequest, family: Family | None, log: LossLog
) -> tuple[ChatRequest, dict[str, Any]]:
    """Return the request without the details of its images, and the `generationConfig` member that replaces them."""
    if family is None or family.facts.get("media_resolution") != "of_the_request":
        return request, {}
    pictures = [*_pictures(request["messages"])]
    said = [(path, part["detail"]) for path, part in pictures if part.get("detail", "auto") != "auto"]
    if not said:
        return request, {}
    highest = max((_nearest(part.get("detail", "auto")) for _, part in pictures), key=_ORDER.index)
    own: Any = own_extra(request, DIALECT).get("fields", NOTHING).get("generationConfig")
    is_sent = highest != "auto" and not (type(own) is dict and _MEMBER in own)
    for path, detail in said:
        if is_sent and _nearest(detail) == highest:
            log.changed("setting", f"{path}/detail", _FOR_ALL)
        else:
            log.lost("setting", f"{path}/detail", _FOR_ALL if is_sent else _UNASKED)
    kept = {**request, "messages": [_without_details(message) for message in request["messages"]]}
    return cast("ChatRequest", kept), {_MEMBER: RESOLUTION_WORDS[highest]} if is_sent else {}


def _pictures(messages: list[Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for index, message in enumerate(messages):
        yield from _of_content(message.get("content"), f"/messages/{index}/content")


def _of_content(content: Any, path: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for at, part in enumerate(content if type(content) is list else ()):
        if part["type"] == "image":
            yield f"{path}/{at}", part
        elif part["type"] == "file":
            yield from _of_content(part.get("content"), f"{path}/{at}/content")


def _nearest(detail: str) -> str:
    return detail if detail in _ORDER else "high" if detail in _MOST else "auto"


def _without_details(holder: Any) -> Any:
    """Return a message or part without the details of the images in it."""
    if holder.get("type") == "image":
        return {name: value for name, value in holder.items() if name != "detail"}
    if type(holder.get("content")) is not list:
        return holder
    return {**holder, "content": [_without_details(part) for part in holder["content"]]}
