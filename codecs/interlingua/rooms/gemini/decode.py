"""Decode Gemini requests to the canonical form: settings and tools.

Source: docs/wire/gemini.md, sections 1, 1.3 to 1.5. Every function is pure and shares unchanged sub-objects. The model
stands in the URL, so most bodies do not name it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from interlingua.rooms._shared.instructions import choice_form
from interlingua.rooms.gemini.decode_message import decode_contents, decode_instruction
from interlingua.rooms.gemini.mapping import as_integer
from interlingua.rooms.gemini.openapi import to_json_schema
from interlingua.rooms.gemini.server_tools import decode_server_tool
from interlingua.rooms.gemini.snake_case import (
    CONFIG,
    DECLARATION,
    FUNCTION_CALLING_CONFIG,
    REQUEST,
    THINKING,
    TOOL,
    TOOL_CONFIG,
    with_camel_case,
)
from interlingua.rooms.gemini.tables import (
    ANY_BUDGET,
    CHOICE_TYPE,
    DIALECT,
    DISPLAYS,
    FUNCTION_CALLING_MODES,
    JSON_TYPE,
    MODALITIES,
    NO_BUDGET,
    SERVICE_TIERS,
    SETTINGS,
    TEXT_TYPE,
    VALIDATED,
)
from interlingua.spi.reading import FLAG, OBJECT, TEXT, Malformed, Unmapped, body_decoder, expect, is_integer, rest

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.model_shapes import ChatMessage, ChatRequest

_CONFIG: Final = "generationConfig"

_MODALITIES: Final = "responseModalities"

# The members that may hold a response schema; the first one present is used.
_SCHEMAS: Final = ("responseJsonSchema", "responseSchema", "responseFormat")

# The members that together make up the response format.
_FORM: Final = frozenset({"responseMimeType", *_SCHEMAS})

_SHOWN: Final[Mapping[bool, str]] = {shown: display for display, shown in DISPLAYS.items()}

_DECLARATIONS: Final = "functionDeclarations"

_DECLARATION_MEMBERS: Final = frozenset({"name", "description", "parameters", "parametersJsonSchema"})

_CONFIG_MEMBERS: Final = frozenset({"functionCallingConfig"})

# Which members of `functionCallingConfig` a tool choice has used.
_NONE: Final = frozenset[str]()
_MODE: Final = frozenset({"mode"})
_MODE_AND_NAMES: Final = frozenset({"mode", "allowedFunctionNames"})


@body_decoder(DIALECT)
def decode_request(body: Any) -> ChatRequest:
    """Return the canonical request for a body of `generateContent`. Raises `DecodeError`."""
    left = Unmapped()
    body = with_camel_case(body, REQUEST, left)
    messages: list[ChatMessage] = []
    request: dict[str, Any] = {"dialect": DIALECT, "messages": messages}
    instruction = body.get("systemInstruction")
    if instruction is not None:
        messages.append(decode_instruction(instruction))
    decode_contents(body.get("contents"), messages, left)
    for key, value in body.items():
        if value is None and key in _KNOWN:
            left.null(key)
        elif key not in _READ:
            left.fields[key] = value
    for key, reader in _READERS.items():
        value = body.get(key)
        if value is not None:
            try:
                reader(request, value, left)
            except Malformed as malformed:
                left.keep(key, value, malformed)
    left.attach(request, DIALECT)
    return cast("ChatRequest", request)


def _read_model(request: dict[str, Any], value: Any, left: Unmapped) -> None:
    """Read the model, which only older libraries put into the body."""
    request["model"] = expect(value, TEXT, "model")
    left.spelling["model"] = "body"


def _read_labels(request: dict[str, Any], value: Any, _left: Unmapped) -> None:
    request["metadata"] = expect(value, OBJECT, "labels")


def _read_store(request: dict[str, Any], value: Any, _left: Unmapped) -> None:
    request["store"] = expect(value, FLAG, "store")


def _read_service_tier(request: dict[str, Any], value: Any, left: Unmapped) -> None:
    if type(value) is str and value in SERVICE_TIERS:
        request["service_tier"] = SERVICE_TIERS[value]
    else:
        left.fields["serviceTier"] = value


def _read_config(request: dict[str, Any], value: Any, left: Unmapped) -> None:
    """Read `generationConfig`."""
    config = with_camel_case(expect(value, OBJECT, _CONFIG), CONFIG, left)
    others: dict[str, Any] = {}
    for key, setting in config.items():
        if setting is None and (key in SETTINGS or key in _FORM or key in {"thinkingConfig", _MODALITIES}):
            left.null(f"{_CONFIG}.{key}")
        elif key in SETTINGS:
            name, kinds = SETTINGS[key]
            if _has_type(setting, kinds):
                request[name] = as_integer(setting, key, left) if kinds == (int,) else setting
            else:
                others[key] = setting
        elif key == _MODALITIES and type(setting) is list and MODALITIES.keys() >= {*map(str, setting)}:
            request["modalities"] = [MODALITIES[word] for word in setting]
        elif key == "thinkingConfig" and type(setting) is dict:
            _read_thinking(request, setting, others, left)
        elif key not in _FORM:
            others[key] = setting
    if not _FORM.isdisjoint(config):
        _read_response_format(request, config, others, left)
    if others or not config:
        left.fields[_CONFIG] = others


def _has_type(value: Any, kinds: tuple[type, ...]) -> bool:
    """Return whether a setting has one of the JSON types; a list must be one of texts."""
    if type(value) is list and list in kinds:
        return all(type(one) is str for one in value)
    return type(value) in kinds or (kinds == (int,) and is_integer(value))


def _read_thinking(request: dict[str, Any], value: Any, others: dict[str, Any], left: Unmapped) -> None:
    thinking = with_camel_case(value, THINKING, left)
    settings: dict[str, Any] = {}
    rest: dict[str, Any] = {}
    for key, setting in thinking.items():
        if setting is None and key in THINKING.snake:
            left.null(f"{_CONFIG}.thinkingConfig.{key}")
        elif key == "includeThoughts" and type(setting) is bool:
            settings["display"] = _SHOWN[setting]
        elif key == "thinkingLevel" and type(setting) is str and setting.lower().upper() == setting:
            settings["effort"] = setting.lower()
        elif key == "thinkingLevel" and type(setting) is str and setting.lower() == setting:
            settings["effort"] = setting
            left.spelling["effort"] = "lower"
        elif (
            key == "thinkingBudget"
            and is_integer(setting)
            and (budgeted := _reasoning_of_budget(as_integer(setting, key, left)))
        ):
            settings |= budgeted
        else:
            rest[key] = setting
    if settings:
        request["reasoning"] = settings
    if rest or not thinking:
        others["thinkingConfig"] = rest


def _reasoning_of_budget(budget: int) -> dict[str, Any]:
    """Return the reasoning settings that a budget stands for; empty for a meaningless one."""
    if budget == NO_BUDGET:
        return {"mode": "disabled"}
    if budget == ANY_BUDGET:
        return {"mode": "adaptive"}
    return {"mode": "enabled", "budget_tokens": budget} if budget > NO_BUDGET else {}


def _read_response_format(
    request: dict[str, Any], config: dict[str, Any], others: dict[str, Any], left: Unmapped
) -> None:
    """Read the response format; members that contradict each other are kept in `fields`."""
    media_type = config.get("responseMimeType")
    schemas = {key: config[key] for key in _SCHEMAS if config.get(key) is not None}
    if media_type == CHOICE_TYPE and _read_choice(request, schemas, left):
        return
    if media_type not in (None, JSON_TYPE, TEXT_TYPE) or (schemas and media_type == TEXT_TYPE):
        others |= {"responseMimeType": media_type, **schemas}
        return
    if not schemas:
        if media_type is not None:
            request["response_format"] = {"type": "json_object" if media_type == JSON_TYPE else "text"}
        return
    key, schema = next(iter(schemas.items()))
    if key == "responseFormat":
        schema = _schema_of_response_format(schema)
    if type(schema) is not dict or (key == "responseFormat" and media_type is not None):
        others |= schemas if media_type is None else {"responseMimeType": media_type, **schemas}
        return
    if key == "responseSchema":
        schema = _read_openapi(schema, left)
    elif key == "responseFormat":
        left.spelling["schema"] = "format"
    request["response_format"] = {"type": "json_schema", "schema": schema}
    if media_type is None and key != "responseFormat":
        left.absent("responseMimeType")
    others |= {name: value for name, value in schemas.items() if name != key}


def _read_choice(request: dict[str, Any], schemas: dict[str, Any], left: Unmapped) -> bool:
    """Read an answer that is one of several texts; return whether the schema lists them."""
    match schemas:
        case {"responseSchema": dict(schema), **others} if not others:
            form = choice_form(to_json_schema(schema) or schema)
            if form is not None:
                _read_openapi(schema, left)
        case {"responseJsonSchema": dict(schema), **others} if not others:
            form = choice_form(schema)
        case _:
            form = None
    if form is not None:
        request["response_format"] = form
    return form is not None


def _read_openapi(schema: dict[str, Any], left: Unmapped) -> dict[str, Any]:
    """Return an OpenAPI-style schema as JSON Schema, and note its style."""
    converted = to_json_schema(schema)
    left.spelling["schema"] = "as_is" if converted is None else "openapi"
    return schema if converted is None else converted


def _schema_of_response_format(value: Any) -> dict[str, Any] | None:
    """Return the schema in the newer `responseFormat`, or None if it holds anything else."""
    match value:
        case [{"text": {"mimeType": "application/json", "schema": dict(schema), **inner}, **outer}] if (
            not inner and not outer
        ):
            return schema
        case _:
            return None


def _read_tools(request: dict[str, Any], value: Any, left: Unmapped) -> None:
    """Read the tools: a Tool object with function declarations as that many functions, any other as one tool."""
    if type(value) is dict:
        left.spelling["tools"] = "object"
        value = [value]
    if not expect(value, (list,), "tools"):
        left.empty("tools")
        return
    tools: list[dict[str, Any]] = request.setdefault("tools", [])
    grouped = False
    index = 0
    try:
        for index, wire in enumerate(value):  # noqa: B007  # the index is read when a tool is malformed
            group = _decode_group(expect(wire, OBJECT), grouped=grouped)
            tools.extend(group or [decode_server_tool(wire) or {"type": "opaque", "dialect": DIALECT, "data": wire}])
            grouped = bool(group)
    except Malformed as malformed:
        raise malformed.under("tools", index) from None


def _decode_group(wire: dict[str, Any], *, grouped: bool) -> list[dict[str, Any]]:
    """Decode a Tool object with function declarations; return an empty list for any other, which is opaque.

    Members beside the declarations are kept with the first function. `grouped`: the Tool object right before this one
    has declarations, too.
    """
    left = Unmapped()
    group = with_camel_case(wire, TOOL, left)
    declarations = group.get(_DECLARATIONS)
    if type(declarations) is not list:
        return []
    tools: list[dict[str, Any]] = []
    for at, declaration in enumerate(declarations):
        try:
            tool = _decode_declaration(expect(declaration, OBJECT), left)
        except Malformed as malformed:
            raise malformed.under(_DECLARATIONS, at) from None
        if not tools:
            _keep_siblings(group, left)
            if grouped:
                left.spelling["group"] = "new"
        left.attach(tool, DIALECT)
        tools.append(tool)
        left = Unmapped()
    return tools


def _keep_siblings(group: dict[str, Any], left: Unmapped) -> None:
    siblings: dict[str, Any] = {}
    for name, value in group.items():
        if value is None and name in TOOL.snake:
            left.null(name)
        elif name != _DECLARATIONS:
            siblings[name] = value
    if siblings:
        left.typed["group"] = siblings


def _decode_declaration(wire: dict[str, Any], left: Unmapped) -> dict[str, Any]:
    wire = with_camel_case(wire, DECLARATION, left)
    tool: dict[str, Any] = {"type": "function", "name": expect(wire.get("name"), TEXT, "name")}
    others: dict[str, Any] = {}
    description, schema = wire.get("description"), wire.get("parametersJsonSchema")
    if type(description) is str:
        tool["description"] = description
    else:
        others["description"] = description
    if type(schema) is dict:
        tool["parameters"] = schema
    else:
        others["parametersJsonSchema"] = schema  # true and false are schemas, too
    parameters = wire.get("parameters")
    if type(parameters) is dict and schema is None:  # `parametersJsonSchema` takes precedence
        converted = to_json_schema(parameters)
        left.spelling["parameters"] = "as_is" if converted is None else "openapi"
        tool["parameters"] = parameters if converted is None else converted
    else:
        others["parameters"] = parameters
    left.fields |= {name: value for name, value in others.items() if value is not None}
    if len(wire) != len(tool) - 1:  # everything has been read
        for name, value in wire.items():
            if value is None and name in _DECLARATION_MEMBERS:
                left.null(name)
        left.fields |= rest(wire, _DECLARATION_MEMBERS)
    return tool


def _read_tool_config(request: dict[str, Any], value: Any, left: Unmapped) -> None:
    """Read `toolConfig`; the tools must have been read before."""
    config = with_camel_case(expect(value, OBJECT, "toolConfig"), TOOL_CONFIG, left)
    others = rest(config, _CONFIG_MEMBERS)
    calling = config.get("functionCallingConfig")
    if type(calling) is dict:
        calling = with_camel_case(calling, FUNCTION_CALLING_CONFIG, left)
        known = _decode_function_calling_config(request, calling, left)
        inner = rest(calling, known)
        if inner or not known:
            others = {"functionCallingConfig": inner, **others}
    elif "functionCallingConfig" in config:
        others["functionCallingConfig"] = calling
    if others or not config:
        left.fields["toolConfig"] = others


def _decode_function_calling_config(request: dict[str, Any], calling: dict[str, Any], left: Unmapped) -> frozenset[str]:
    """Decode the tool choice; return the names of the members that it accounts for."""
    word, names = calling.get("mode"), calling.get("allowedFunctionNames")
    if type(word) is not str or word not in {word.upper(), word.lower()}:
        return _NONE
    mode = word.upper()
    known = _MODE
    if mode in {"ANY", VALIDATED} and type(names) is list and names and all(type(name) is str for name in names):
        known = _MODE_AND_NAMES
        if mode == "ANY" and len(names) == 1:
            request["tool_choice"] = {"mode": "named", "name": names[0]}
        else:
            request["tool_choice"] = {"mode": "subset", "names": names, "required": mode == "ANY"}
    elif mode in FUNCTION_CALLING_MODES:
        request["tool_choice"] = {"mode": FUNCTION_CALLING_MODES[mode]}
    elif mode == VALIDATED and "allowedFunctionNames" not in calling and _make_functions_strict(request):
        request["tool_choice"] = {"mode": "auto"}
    else:
        return _NONE
    if mode != word:
        left.spelling["tool_choice"] = "lower"
    return known


def _make_functions_strict(request: dict[str, Any]) -> bool:
    """Make all functions strict, as VALIDATED does; return whether there are any."""
    functions = [tool for tool in request.get("tools", ()) if tool["type"] == "function"]
    for tool in functions:
        tool["strict"] = True
    return bool(functions)


# The order matters: `toolConfig` may make the tools strict.
_READERS: Final = {
    "model": _read_model,
    "tools": _read_tools,
    "toolConfig": _read_tool_config,
    "generationConfig": _read_config,
    "labels": _read_labels,
    "store": _read_store,
    "serviceTier": _read_service_tier,
}

_READ: Final = frozenset({"systemInstruction", "contents", *_READERS})

# Members for which null means absent; those without a reader are kept verbatim.
_KNOWN: Final = _READ | {"safetySettings", "cachedContent"}
