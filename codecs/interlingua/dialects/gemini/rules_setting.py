"""What Gemini refuses of settings and tools.

Source: reference/wire/gemini.md sections 1.3, 1.4 and 4.
"""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from interlingua.dialects._shared.ruling import (
    FLAG,
    INTEGER,
    LIST,
    NUMBER,
    OBJECT,
    TEXT,
    beyond,
    misshapen,
    misshapen_texts,
    number_of,
    refused_names,
    repeated,
    text_of,
    too_many,
    word_of,
)
from interlingua.dialects._shared.schemas import schemas_in
from interlingua.dialects.gemini.rules_spelling import each, parts_of, spelt, within
from interlingua.dialects.gemini.tables import HOTTEST, MOST_LOGPROBS, MOST_STOPS, TEXT_TYPE, VALIDATED
from interlingua.violation import Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from interlingua.dialects._shared.ruling import Limits, Object, Shapes

_SHAPES: Final[Shapes] = MappingProxyType({
    "contents": (list, dict),
    "systemInstruction": (dict, str),
    "system_instruction": (dict, str),
    "tools": (list, dict),
    "toolConfig": OBJECT,
    "tool_config": OBJECT,
    "generationConfig": OBJECT,
    "generation_config": OBJECT,
    "safetySettings": (list, dict),
    "safety_settings": (list, dict),
})  # fmt: skip
_CONFIG_SHAPES: Final[Shapes] = MappingProxyType({
    "temperature": NUMBER,
    "topP": NUMBER,
    "topK": NUMBER,
    "candidateCount": INTEGER,
    "maxOutputTokens": INTEGER,
    "stopSequences": LIST,
    "seed": INTEGER,
    "presencePenalty": NUMBER,
    "frequencyPenalty": NUMBER,
    "responseLogprobs": FLAG,
    "logprobs": INTEGER,
    "responseMimeType": TEXT,
    "thinkingConfig": OBJECT,
})  # fmt: skip
_LIMITS: Final[Limits] = MappingProxyType({"temperature": (0, HOTTEST), "logprobs": (0, MOST_LOGPROBS)})
_NAMING_MODES: Final = frozenset({"ANY", VALIDATED})
# What the schema of `parameters` may say.
_KEYWORDS: Final = frozenset({
    "type", "format", "title", "description", "nullable", "enum", "items", "minItems", "maxItems", "properties",
    "required", "minProperties", "maxProperties", "propertyOrdering", "minimum", "maximum", "minLength", "maxLength",
    "pattern", "example", "anyOf", "default", "additionalProperties", "defs", "ref",
})  # fmt: skip
_CAPITAL: Final = re.compile(r"[A-Z]")
_SPELT_KEYWORDS: Final = _KEYWORDS | {
    _CAPITAL.sub(lambda capital: f"_{capital.group().lower()}", one) for one in _KEYWORDS
}
_acceptable: Final = re.compile(r"[a-zA-Z0-9_.:-]{1,64}").fullmatch
_NAME_DETAIL: Final = "1 to 64 letters, digits, _ . : and -"


def misshapen_settings(body: Object) -> Iterator[Violation]:
    """Settings are of the JSON types that section 1 names."""
    yield from misshapen(body, _SHAPES, "")
    path, config = within(body, "", "generationConfig")
    for name, kinds in _CONFIG_SHAPES.items():
        spelling, _ = spelt(config, name)
        yield from misshapen({spelling: config.get(spelling)}, {spelling: kinds}, path)
    stops, said = spelt(config, "stopSequences")
    yield from misshapen_texts(said, f"{path}/{stops}")
    path, thinking = within(config, path, "thinkingConfig")
    budget, said = spelt(thinking, "thinkingBudget")
    yield from misshapen({budget: said}, {budget: INTEGER}, path)


def limits(body: Object) -> Iterator[Violation]:
    """Numbers are within their limits ("temperature 0..2, stopSequences ≤5, logprobs 0..20")."""
    path, config = within(body, "", "generationConfig")
    yield from beyond(config, _LIMITS, path)
    spelling, most = spelt(config, "maxOutputTokens")
    if number_of({spelling: most}, spelling) == 0:
        yield Violation("limit", f"{path}/{spelling}", "at least 1")


def many_stops(body: Object) -> Iterator[Violation]:
    """At most 5 texts stop the answer ("stopSequences ≤5")."""
    path, config = within(body, "", "generationConfig")
    spelling, stops = spelt(config, "stopSequences")
    return too_many(stops, MOST_STOPS, f"{path}/{spelling}")


def schemas_of_text(body: Object) -> Iterator[Violation]:
    """A schema of the answer needs JSON ("`responseMimeType:"application/json"` required with responseSchema")."""
    path, config = within(body, "", "generationConfig")
    if spelt(config, "responseMimeType")[1] in (None, "", TEXT_TYPE):
        for name in ("responseSchema", "responseJsonSchema"):
            spelling, schema = spelt(config, name)
            if schema is not None:
                yield Violation("setting", f"{path}/{spelling}", "only with responseMimeType application/json")


def declarations(body: Object) -> Iterator[Violation]:
    """A declaration has a name, and no two the same (section 1.3)."""
    named: list[tuple[str, str]] = []
    for path, one in _declared(body):
        name = word_of(one, "name")
        if name is None:
            yield Violation("required", f"{path}/name", "a function has a name")
        else:
            named.append((f"{path}/name", name))
    yield from repeated(named, "another function has its name", "name")


def names(body: Object) -> Iterator[Violation]:
    """Functions, calls and results have names that are accepted ("function name")."""
    named = [(f"{path}/name", text_of(one, "name")) for path, one in _declared(body) if "name" in one]
    for path, part in parts_of(body):
        for kind in ("functionCall", "functionResponse"):
            where, data = within(part, path, kind)
            if word_of(data, "name"):
                named.append((f"{where}/name", text_of(data, "name")))
    return refused_names(named, _acceptable, _NAME_DETAIL)


def two_parameters(body: Object) -> Iterator[Violation]:
    """A function has parameters in one style ("`parameters` XOR `parametersJsonSchema`")."""
    for path, one in _declared(body):
        spelling, schema = spelt(one, "parametersJsonSchema")
        if schema is not None and one.get("parameters") is not None:
            yield Violation("setting", f"{path}/{spelling}", "parameters are there already")


def foreign_keywords(body: Object) -> Iterator[Violation]:
    """`parameters` and `responseSchema` have the keywords of OpenAPI, and no `$ref` ("inline `$ref`"; TOOL-10)."""
    path, config = within(body, "", "generationConfig", "responseSchema")
    for where, schema in [
        (path, config),
        *((f"{at}/parameters", one.get("parameters")) for at, one in _declared(body)),
    ]:
        for inside, inner in schemas_in(schema, where):
            if not inner.keys() <= _SPELT_KEYWORDS:
                yield Violation("schema", inside, "a keyword that the service does not know")


def allowed_names(body: Object) -> Iterator[Violation]:
    """Some functions are allowed where one must be called ("only with mode ANY or VALIDATED")."""
    path, calling = within(body, "", "toolConfig", "functionCallingConfig")
    spelling, allowed = spelt(calling, "allowedFunctionNames")
    if allowed and text_of(calling, "mode").upper() not in _NAMING_MODES:
        yield Violation("setting", f"{path}/{spelling}", "only with mode ANY or VALIDATED")


def _declared(body: Object) -> Iterator[tuple[str, Object]]:
    for path, tool in each(body, "", "tools"):
        yield from each(tool, path, "functionDeclarations")
