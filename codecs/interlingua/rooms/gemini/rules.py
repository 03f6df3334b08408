"""The rules of what Gemini refuses in a request: settings and tools, then contents, function calls and responses.

Source: docs/wire/gemini.md, sections 1, 4 and 6 to 8.
"""

from __future__ import annotations

import re
from collections import deque
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, cast

from interlingua.rooms._shared.rule_helpers import (
    INTEGER,
    NUMBER,
    OBJECT,
    TEXT,
    family_rules,
    judged,
    number_of,
    objects,
    out_of_range,
    refused_names,
    repeated,
    text_of,
    too_many,
    word_of,
    wrong_item_types,
    wrong_types,
)
from interlingua.rooms._shared.schema_recursion import CONTAINS_ITSELF, NOT_FROM_ROOT, endless_steps, is_followed
from interlingua.rooms._shared.schema_traversal import schemas_in
from interlingua.rooms._shared.sealed_state import is_sealed
from interlingua.rooms.gemini.rules_family import FAMILY_RULES
from interlingua.rooms.gemini.snake_case import find_member, find_object, snake_case
from interlingua.rooms.gemini.tables import (
    DATA,
    DIALECT,
    MAX_LOGPROBS,
    MAX_STOPS,
    MAX_TEMPERATURE,
    MODEL,
    ROLES_READ,
    SETTINGS,
    TEXT_TYPE,
    TOOL,
    UNREAD_TYPES,
    VALIDATED,
    VERTEX,
)
from interlingua.violation import Violation

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from interlingua.rooms._shared.rule_helpers import Limits, Object, Rule, Shapes
    from interlingua.spi.families import Family

_SHAPES: Final[Shapes] = MappingProxyType({
    **dict.fromkeys(("contents", "tools", "safetySettings", "safety_settings"), (list, dict)),
    **dict.fromkeys(("systemInstruction", "system_instruction"), (dict, str)),
    **dict.fromkeys(("toolConfig", "tool_config", "generationConfig", "generation_config"), OBJECT),
})  # fmt: skip
_CONFIG_SHAPES: Final[Shapes] = MappingProxyType({
    **{wire: kinds for wire, (_, kinds) in SETTINGS.items()},
    "topK": NUMBER,
    "responseMimeType": TEXT,
    "thinkingConfig": OBJECT,
})  # fmt: skip
_LIMITS: Final[Limits] = MappingProxyType({"temperature": (0, MAX_TEMPERATURE), "logprobs": (0, MAX_LOGPROBS)})
_NAMING_MODES: Final = frozenset({"ANY", VALIDATED})
# The keywords that a schema in `parameters` may have.
_KEYWORDS: Final = frozenset({
    "type", "format", "title", "description", "nullable", "enum", "items", "minItems", "maxItems", "properties",
    "required", "minProperties", "maxProperties", "propertyOrdering", "minimum", "maximum", "minLength", "maxLength",
    "pattern", "example", "anyOf", "default", "additionalProperties", "defs", "ref",
})  # fmt: skip
_SPELT_KEYWORDS: Final = _KEYWORDS | {snake_case(one) for one in _KEYWORDS}
_acceptable: Final = re.compile(r"[a-zA-Z0-9_.:-]{1,64}").fullmatch
_NAME_DETAIL: Final = "a name must have 1 to 64 letters, digits, _ . : and -"
_CALL, _RESULT, _SIGNATURE = "functionCall", "functionResponse", "thoughtSignature"
# Data member of a part -> its JSON type and required members.
_PARTS: Final[Mapping[str, tuple[tuple[type, ...], tuple[str, ...]]]] = MappingProxyType({
    "text": (TEXT, ()),
    "inlineData": (OBJECT, ("mimeType", "data")),
    "fileData": (OBJECT, ("fileUri",)),
    _CALL: (OBJECT, ("name",)),
    _RESULT: (OBJECT, ("name",)),
})  # fmt: skip
_OUTPUT: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType({
    _CALL: ("partialArgs", "willContinue"), "audioTranscription": ()
})  # fmt: skip


def setting_types(body: Object) -> Iterator[Violation]:
    """Settings are of the JSON types that section 1 names."""
    yield from wrong_types(body, _SHAPES, "")
    path, config = find_object(body, "", "generationConfig")
    for name, kinds in _CONFIG_SHAPES.items():
        spelling, _ = find_member(config, name)
        yield from wrong_types({spelling: config.get(spelling)}, {spelling: kinds}, path)
    stops, said = find_member(config, "stopSequences")
    yield from wrong_item_types(said, f"{path}/{stops}", str)
    path, thinking = find_object(config, path, "thinkingConfig")
    budget, said = find_member(thinking, "thinkingBudget")
    yield from wrong_types({budget: said}, {budget: INTEGER}, path)


def limits(body: Object) -> Iterator[Violation]:
    """Numbers are within their limits (section 1.5)."""
    path, config = find_object(body, "", "generationConfig")
    yield from out_of_range(config, _LIMITS, path)
    spelling, most = find_member(config, "maxOutputTokens")
    if number_of({spelling: most}, spelling) == 0:
        yield Violation("limit", f"{path}/{spelling}", "it must be at least 1")


def many_stops(body: Object) -> Iterator[Violation]:
    """At most 5 stop sequences (section 1.5)."""
    path, config = find_object(body, "", "generationConfig")
    spelling, stops = find_member(config, "stopSequences")
    return too_many(stops, MAX_STOPS, f"{path}/{spelling}")


def schemas_of_text(body: Object) -> Iterator[Violation]:
    """A response schema needs the JSON media type (section 1.5)."""
    path, config = find_object(body, "", "generationConfig")
    if find_member(config, "responseMimeType")[1] in (None, "", TEXT_TYPE):
        for name in ("responseSchema", "responseJsonSchema"):
            spelling, schema = find_member(config, name)
            if schema is not None:
                yield Violation(
                    "setting", f"{path}/{spelling}", "a response schema needs responseMimeType application/json"
                )


def declarations(body: Object) -> Iterator[Violation]:
    """Each function has a name, and names are unique (section 1.3)."""
    named: list[tuple[str, str]] = []
    for path, one in _declared(body):
        name = word_of(one, "name")
        if name is None:
            yield Violation("required", f"{path}/name", "each function needs a name")
        else:
            named.append((f"{path}/name", name))
    yield from repeated(named, "each function needs a name of its own", "name")


def names(body: Object) -> Iterator[Violation]:
    """Names of functions, calls and results have only accepted characters (section 6)."""
    named = [(f"{path}/name", text_of(one, "name")) for path, one in _declared(body) if "name" in one]
    for path, part in parts_of(body):
        for kind in ("functionCall", "functionResponse"):
            where, data = find_object(part, path, kind)
            if word_of(data, "name"):
                named.append((f"{where}/name", text_of(data, "name")))
    return refused_names(named, _acceptable, _NAME_DETAIL)


def two_parameter_styles(body: Object) -> Iterator[Violation]:
    """A function has its parameters in one style (section 4)."""
    for path, one in _declared(body):
        spelling, schema = find_member(one, "parametersJsonSchema")
        if schema is not None and one.get("parameters") is not None:
            yield Violation("setting", f"{path}/{spelling}", "give parameters or parametersJsonSchema, not both")


def foreign_keywords(body: Object) -> Iterator[Violation]:
    """`parameters` and `responseSchema` have only OpenAPI keywords, and no `$ref` (section 4; TOOL-10)."""
    path, config = find_object(body, "", "generationConfig", "responseSchema")
    for where, schema in [
        (path, config),
        *((f"{at}/parameters", one.get("parameters")) for at, one in _declared(body)),
    ]:
        for inside, inner in schemas_in(schema, where):
            if not inner.keys() <= _SPELT_KEYWORDS:
                yield Violation("schema", inside, "Gemini does not know this keyword")


def references(body: Object) -> Iterator[Violation]:
    """References lead to `$defs` at the root of an answer's schema, and no schema contains itself without end."""
    path, form = find_object(body, "", "generationConfig", "responseJsonSchema")
    for where, one in schemas_in(form, path):
        if not is_followed(one.get("$ref")):
            yield Violation("schema", f"{where}/$ref", NOT_FROM_ROOT)
    schemas = [(path, form), *(find_object(one, at, "parametersJsonSchema") for at, one in _declared(body))]
    for where, schema in schemas:
        for step in endless_steps(schema):
            yield Violation("schema", f"{where}{step.where}/$ref", CONTAINS_ITSELF)


def allowed_names(body: Object) -> Iterator[Violation]:
    """Allowed names need the mode ANY or VALIDATED (section 1.4), and these modes need functions (section 8)."""
    path, calling = find_object(body, "", "toolConfig", "functionCallingConfig")
    spelling, allowed = find_member(calling, "allowedFunctionNames")
    if allowed and text_of(calling, "mode").upper() not in _NAMING_MODES:
        yield Violation("setting", f"{path}/{spelling}", "allowedFunctionNames needs the mode ANY or VALIDATED")
    if text_of(calling, "mode").upper() in _NAMING_MODES and not any(True for _ in _declared(body)):
        yield Violation("setting", f"{path}/mode", "functionCallingConfig needs functions in tools")


def _declared(body: Object) -> Iterator[tuple[str, Object]]:
    for path, tool in each(body, "", "tools"):
        yield from each(tool, path, "functionDeclarations")


def each(value: Object, path: str, name: str) -> Iterator[tuple[str, Object]]:
    """Yield the objects of a list with their paths; like the service, accept a single object as well."""
    spelling, member = find_member(value, name)
    if type(member) is dict:
        yield f"{path}/{spelling}", cast("Object", member)
    else:
        yield from objects(member, f"{path}/{spelling}")


def parts_of(body: Object) -> Iterator[tuple[str, Object]]:
    """Yield the parts of all contents with their paths."""
    for path, content in each(body, "", "contents"):
        yield from each(content, path, "parts")


def contents_and_roles(body: Object) -> Iterator[Violation]:
    """There are contents, each with a known role (section 1.1; "Please use a valid role: user, model")."""
    contents = body.get("contents")
    if contents is None or contents == []:
        yield Violation("required" if contents is None else "empty", "/contents", "contents needs at least one item")
    yield from wrong_item_types(contents, "/contents")
    for path, content in each(body, "", "contents"):
        role = word_of(content, "role")
        if role and role not in ROLES_READ and role != TOOL:
            yield Violation("role", f"{path}/role", "the role must be user or model")


def part_types(body: Object) -> Iterator[Violation]:
    """Data members are of the JSON types that section 1.2 names, and have the members that it requires."""
    for path, part in parts_of(body):
        for name, (kinds, required) in _PARTS.items():
            spelling, value = find_member(part, name)
            if value is not None and type(value) not in kinds:
                yield Violation("shape", f"{path}/{spelling}", "expected text or an object")
            elif value is not None:
                where, data = find_object(part, path, name)
                for member in required:
                    if not find_member(data, member)[1]:
                        yield Violation("required", f"{where}/{member}", "the provider requires this member: add it")
        for name, member in ((_CALL, "args"), (_RESULT, "response")):
            where, data = find_object(part, path, name)
            if type(data.get(member, {})) is not dict:
                yield Violation("arguments" if name == _CALL else "shape", f"{where}/{member}", "expected an object")


def unread_media(body: Object) -> Iterator[Violation]:
    """Data is neither an office document nor an SVG image ("Unsupported MIME type"; section 7)."""
    for path, part in parts_of(body):
        for name in ("inlineData", "fileData"):
            where, data = find_object(part, path, name)
            spelling, said = find_member(data, "mimeType")
            if str(said).startswith(UNREAD_TYPES):
                yield Violation("media_type", f"{where}/{spelling}", "the provider does not accept this media type")


def empty_parts(body: Object) -> Iterator[Violation]:
    """Each content has parts, and each part has data (section 8)."""
    for path, content in each(body, "", "contents"):
        if not content.get("parts"):
            yield Violation("empty", f"{path}/parts", "parts needs at least one item")
    for path, part in parts_of(body):
        if all(value is None for value in part.values()):
            yield Violation("empty", path, "each part needs text, inlineData, functionCall or the like")


def parts_with_two_data_members(body: Object) -> Iterator[Violation]:
    """A part has only one data member (section 1.2)."""
    for path, part in parts_of(body):
        if sum(find_member(part, name)[1] is not None for name in DATA) > 1:
            yield Violation("part", path, "each part may hold only one of text, inlineData, functionCall and the like")


def empty_texts(body: Object) -> Iterator[Violation]:
    """An empty text needs a signature (section 8)."""
    for path, part in parts_of(body):
        if part.get("text") == "" and not find_member(part, _SIGNATURE)[1]:
            yield Violation("empty_text", path, "an empty text needs a thoughtSignature")


def output_members(body: Object) -> Iterator[Violation]:
    """Members that only responses have are not sent back (section 8)."""
    for path, part in parts_of(body):
        for name, members in _OUTPUT.items():
            spelling, value = find_member(part, name)
            if value is not None and not members:
                yield Violation(
                    "member", f"{path}/{spelling}", "only responses have this member: take it out of the request"
                )
            where, data = find_object(part, path, name)
            for member in members:
                inner, said = find_member(data, member)
                if said is not None:
                    yield Violation(
                        "member", f"{where}/{inner}", "only responses have this member: take it out of the request"
                    )


def calls_and_results(body: Object) -> Iterator[Violation]:
    """Calls have as many results in the next content ("the number of function response parts is equal ..."; HIS-5).

    Results in a later content come too late, and where two hold them, the first holds too few ("function-response turn
    must directly follow the function-call turn"). Calls that the service itself makes on an MCP server are answered in
    their own content.
    """
    asked: list[tuple[str, Object]] = []
    for role, parts in _contents(body):
        results = [one for one in parts if find_member(one[1], _RESULT)[1] is not None]
        calls = [one for one in parts if find_member(one[1], _CALL)[1] is not None]
        if role == MODEL and results:
            calls, results = calls[len(results) :], []
        open_calls, orphans = _matched(asked, results)
        if len(asked) > len(results):
            for path in open_calls:
                yield Violation("dangling_call", path, "the next content has no functionResponse of this call")
        if len(results) > len(asked):
            for path in orphans:
                yield Violation("orphan_result", path, "the previous content has no functionCall at this position")
        asked = calls if role == MODEL else []
    for path, _ in asked:
        yield Violation("dangling_call", path, "no result of this call follows")


def echoed_ids(body: Object) -> Iterator[Violation]:
    """If calls have ids and as many results, the results have the ids of the calls (section 6)."""
    asked: list[str] = []
    for role, parts in _contents(body):
        results = _ids(parts, _RESULT)
        if role != MODEL and len(results) == len(asked) and "" not in asked:
            known = set(asked)
            for path, identifier in results:
                if identifier and identifier not in known:
                    yield Violation("orphan_result", path, "no functionCall of the previous content has this id")
        asked = [identifier for _, identifier in _ids(parts, _CALL)] if role == MODEL else []


def members_of_the_gemini_api(body: Object) -> Iterator[Violation]:
    """Vertex AI takes no ids of calls and results, no includeServerSideToolInvocations and no store (section 8)."""
    if body.get("store") is not None:
        yield Violation("setting", "/store", "Vertex AI does not accept it")
    for path, part in parts_of(body):
        for kind in (_CALL, _RESULT):
            where, data = find_object(part, path, kind)
            if "id" in data:
                yield Violation("member", f"{where}/id", "Vertex AI does not accept ids of calls and results")
    path, config = find_object(body, "", "toolConfig")
    name, value = find_member(config, "includeServerSideToolInvocations")
    if value is not None:
        yield Violation("member", f"{path}/{name}", "Vertex AI does not accept it")


def _ids(parts: list[tuple[str, Object]], name: str) -> list[tuple[str, str]]:
    """Return the paths and ids of a content's calls or results; a missing id is empty."""
    return [(path, _key(part, name)[0]) for path, part in parts if find_member(part, name)[1] is not None]


def results_first(body: Object) -> Iterator[Violation]:
    """In their content, results come before all other parts (section 8)."""
    for role, parts in _contents(body):
        others = False
        for path, part in parts if role != MODEL else ():
            is_result = find_member(part, _RESULT)[1] is not None
            if is_result and others:
                yield Violation("order", path, "functionResponse parts must come first in their content")
            others = others or not is_result


def call_turns(body: Object) -> Iterator[Violation]:
    """A content with calls directly follows a user content (section 8)."""
    before: str | None = MODEL
    for path, content in each(body, "", "contents"):
        role = MODEL if content.get("role") == MODEL else "user"
        if role == MODEL and before == MODEL:
            parts = each(content, path, "parts")
            if any(find_member(part, _CALL)[1] is not None for _, part in parts):
                yield Violation("order", path, "calls must directly follow a user turn or tool results")
        before = role


def unsigned_calls(body: Object) -> Iterator[Violation]:
    """If one step of the unfinished turn is signed, all are, since Gemini 3 ("missing a thought_signature"; REA-7).

    The first call of each step carries the signature. A turn without any comes from a model that does not sign.
    """
    firsts: list[tuple[str, bool]] = []
    for role, turn in _turns(body):
        calls = [one for one in turn if find_member(one[1], _CALL)[1] is not None]
        if role == MODEL and calls:
            path, part = calls[0]
            firsts.append((path, bool(find_member(part, _SIGNATURE)[1])))
        elif role != MODEL and not any(find_member(part, _RESULT)[1] is not None for _, part in turn):
            firsts = []
    if any(signed for _, signed in firsts):
        for path, signed in firsts:
            if not signed:
                yield Violation("signature", path, "the first functionCall of each step needs its thoughtSignature")


def foreign_signatures(body: Object) -> Iterator[Violation]:
    """No signature carries another provider's state, as an exchange writes it (section 8)."""
    for _, parts in _contents(body):
        for path, part in parts:
            if is_sealed(find_member(part, _SIGNATURE)[1]):
                detail = "this signature is another provider's, put in by an exchange: Gemini refuses it"
                yield Violation("signature", path, detail)


def _contents(body: Object) -> Iterator[tuple[str, list[tuple[str, Object]]]]:
    """Yield role and parts of each content."""
    for path, content in each(body, "", "contents"):
        yield MODEL if content.get("role") == MODEL else "user", list(each(content, path, "parts"))


def _turns(body: Object) -> Iterator[tuple[str, list[tuple[str, Object]]]]:
    """Yield role and parts of each turn: consecutive contents of one role."""
    last, turn = "", list[tuple[str, Any]]()
    for role, parts in _contents(body):
        if role != last and turn:
            yield last, turn
            turn = []
        last = role
        turn += parts
    if turn:
        yield last, turn


def _matched(calls: list[tuple[str, Object]], results: list[tuple[str, Object]]) -> tuple[list[str], list[str]]:
    """Return the paths of calls and results without a partner; they are matched by id, else by name."""
    waiting: dict[tuple[str, str], deque[str]] = {}
    for path, part in calls:
        waiting.setdefault(_key(part, _CALL), deque()).append(path)
    orphans: list[str] = []
    for path, part in results:
        found = waiting.get(_key(part, _RESULT))
        if found:
            found.popleft()
        else:
            orphans.append(path)
    return [path for paths in waiting.values() for path in paths], orphans


def _key(part: Object, name: str) -> tuple[str, str]:
    _, data = find_object(part, "", name)
    return text_of(data, "id"), text_of(data, "name")


RULES: Final[tuple[Rule, ...]] = (
    setting_types, limits, many_stops, schemas_of_text, contents_and_roles, part_types, unread_media, empty_parts,
    parts_with_two_data_members, empty_texts, output_members, calls_and_results, echoed_ids, results_first, call_turns,
    unsigned_calls, foreign_signatures, declarations, names, two_parameter_styles, foreign_keywords, references,
    allowed_names,
)  # fmt: skip
# Models before Gemini 3 sign calls, but do not require signatures.
_UNSIGNED: Final = tuple(rule for rule in RULES if rule is not unsigned_calls)
VERSION_RULES: Final[Mapping[str, tuple[Rule, ...]]] = MappingProxyType({VERTEX: (members_of_the_gemini_api,)})
"""Rules that apply to one `api_version` alone."""


def check_request(body: Any, api_version: str | None = None, family: Family | None = None) -> list[Violation]:
    """Return what Gemini would refuse in a body of `generateContent`. Raises `DecodeError` if it is not an object.

    `api_version` "vertex" checks for Vertex AI.
    """
    rules = RULES if family is None or family.facts.get("signed_calls") else _UNSIGNED
    return judged(
        body, DIALECT, (*rules, *VERSION_RULES.get(api_version or "", ()), *family_rules(family, FAMILY_RULES))
    )
