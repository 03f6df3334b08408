"""Member names in camelCase, the habit, and in snake_case, which the service accepts as well.

The room works with camelCase only: decoding renames members that came in snake_case and notes them in `spelling.snake`,
encoding renames them back. The names of each object are known, so nothing else is touched.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, cast

from interlingua.rooms.gemini import tables
from interlingua.rooms.gemini.tables import SETTINGS

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from interlingua.spi.reading import Unmapped

_CAPITAL: Final = re.compile(r"[A-Z]")


@dataclass(frozen=True, slots=True)
class Names:
    """The names of one wire object that have two spellings, and its inner objects that have such names, too."""

    snake: Mapping[str, str]
    camel: Mapping[str, str]
    inside: Mapping[str, Names]
    snakes: frozenset[str]  # the names in snake_case


@cache
def snake_case(name: str) -> str:
    """Return a name in snake_case."""
    return _CAPITAL.sub(lambda capital: f"_{capital.group().lower()}", name)


def _names(*camel: str, **inside: Names) -> Names:
    snake = {name: snake_case(name) for name in (*camel, *inside) if not name.islower()}
    return Names(
        MappingProxyType(snake),
        MappingProxyType({other: name for name, other in snake.items()}),
        MappingProxyType(inside),
        frozenset(snake.values()),
    )


BLOB: Final = _names("mimeType", "displayName")
FILE: Final = _names("fileUri", "mimeType", "displayName")
PIECE: Final = _names("jsonPath", "stringValue", "numberValue", "boolValue", "nullValue", "willContinue")
CALL: Final = _names("partialArgs", "willContinue")
RESULT: Final = _names("willContinue")
PART: Final = _names(
    "thoughtSignature",
    "mediaResolution",
    "audioTranscription",
    inlineData=BLOB,
    fileData=FILE,
    functionCall=CALL,
    functionResponse=RESULT,
)
THINKING: Final = _names("includeThoughts", "thinkingBudget", "thinkingLevel")
CONFIG: Final = _names(
    *SETTINGS,
    "responseMimeType",
    "responseSchema",
    "responseJsonSchema",
    "responseFormat",
    "responseModalities",
    thinkingConfig=THINKING,
)
FUNCTION_CALLING_CONFIG: Final = _names("allowedFunctionNames")
TOOL_CONFIG: Final = _names(functionCallingConfig=FUNCTION_CALLING_CONFIG)
REQUEST: Final = _names(
    "systemInstruction",
    "safetySettings",
    "cachedContent",
    "serviceTier",
    generationConfig=CONFIG,
    toolConfig=TOOL_CONFIG,
)
DECLARATION: Final = _names("parametersJsonSchema")
SEARCH: Final = _names("excludeDomains", "timeRangeFilter", "searchTypes", "blockingConfidence")
TOOL: Final = _names(
    "functionDeclarations",
    "codeExecution",
    "computerUse",
    "fileSearch",
    "googleMaps",
    "googleSearchRetrieval",
    "mcpServers",
    "urlContext",
    googleSearch=SEARCH,
)

CANDIDATE: Final = _names("finishReason")
RESPONSE: Final = _names("usageMetadata", "modelVersion", "responseId", "createTime", "promptFeedback")
USAGE: Final = _names(*tables.USAGE, tables.TOOL_USE, *tables.USAGE_DETAILS)


def with_camel_case(wire: dict[str, Any], names: Names, left: Unmapped) -> dict[str, Any]:
    """Return a wire object with its known names in camelCase, and note those that came in snake_case.

    A name that came in both spellings keeps its snake_case member as it is, like any unknown member.
    """
    if names.snakes.isdisjoint(wire):
        return wire
    with_snake_case: dict[str, Any] = {}
    for key, value in wire.items():
        name = names.camel.get(key, key)
        if name in wire:
            with_snake_case[key] = value
        else:
            left.spelling.setdefault("snake", []).append(name)
            with_snake_case[name] = value
    return with_snake_case


def with_snake_case(wire: dict[str, Any], noted: Collection[str], names: Names) -> dict[str, Any]:
    """Return a wire object with the noted names in snake_case, also in its known inner objects."""
    out: dict[str, Any] = {}
    for key, value in wire.items():
        inside = names.inside.get(key)
        if inside is not None and type(value) is dict:
            written: Any = with_snake_case(cast("dict[str, Any]", value), noted, inside)
        else:
            written = value
        out[names.snake[key] if key in noted and key in names.snake else key] = written
    return out


def find_member(value: dict[str, Any], name: str) -> tuple[str, Any]:
    """Return the name of a member as it is spelled in the body, and its value, or None if it is absent."""
    if name in value:
        return name, value[name]
    other = snake_case(name)
    return (other, value[other]) if other in value else (name, None)


def find_object(value: dict[str, Any], path: str, *names: str) -> tuple[str, dict[str, Any]]:
    """Return the path and the object that the names lead to, as they are spelled; an empty object if there is none."""
    for name in names:
        spelling, member = find_member(value, name)
        path = f"{path}/{spelling}"
        value = cast("dict[str, Any]", member) if type(member) is dict else {}
    return path, value
