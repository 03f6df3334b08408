"""Gemini to canonical: `generationConfig`.

Source: reference/wire/gemini.md section 1.4.
"""

# A wire value is Any; narrowing it to dict or list leaves its members unknown, which is the truth about wire JSON.
# pyright: reportUnknownMemberType=none, reportUnknownArgumentType=none, reportUnknownVariableType=none
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.dialects._shared.reading import OBJECT, Malformed, expect, is_integer
from interlingua.dialects.gemini.openapi import to_json_schema
from interlingua.dialects.gemini.snake import CONFIG, THINKING, camel
from interlingua.dialects.gemini.tables import ANY_BUDGET, DISPLAYS, JSON_TYPE, NO_BUDGET, SETTINGS, TEXT_TYPE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.dialects._shared.extra import Leftovers


_CONFIG: Final = "generationConfig"

# The members that hold a schema, the first of which counts.
_SCHEMAS: Final = ("responseJsonSchema", "responseSchema", "responseFormat")

# The members that together say which form the answer must have.
_FORM: Final = frozenset({"responseMimeType", *_SCHEMAS})

_SHOWN: Final[Mapping[bool, str]] = {shown: display for display, shown in DISPLAYS.items()}


def read_config(request: dict[str, Any], value: Any, left: Leftovers) -> None:
    """Read the settings of the model."""
    config = camel(expect(value, OBJECT, _CONFIG), CONFIG, left)
    others: dict[str, Any] = {}
    try:
        for key, setting in config.items():
            if setting is None and (key in SETTINGS or key in _FORM or key == "thinkingConfig"):
                left.null(f"{_CONFIG}.{key}")
            elif key in SETTINGS:
                name, kinds = SETTINGS[key]
                if _fits(setting, kinds):
                    request[name] = whole(setting, key, left) if kinds == (int,) else setting
                else:
                    others[key] = setting
            elif key == "thinkingConfig" and type(setting) is dict:
                _read_thinking(request, setting, others, left)
            elif key not in _FORM:
                others[key] = setting
        if not _FORM.isdisjoint(config):
            _read_form(request, config, others, left)
    except Malformed as malformed:
        raise malformed.under(_CONFIG) from None
    if others or not config:
        left.fields[_CONFIG] = others


def _fits(value: Any, kinds: tuple[type, ...]) -> bool:
    """Tell whether a setting is of one of the kinds; a list is one of texts."""
    if type(value) is list and list in kinds:
        return all(type(one) is str for one in value)
    return type(value) in kinds or (kinds == (int,) and is_integer(value))


def whole(value: Any, key: str, left: Leftovers) -> int:
    """Return a whole number as one; note where it was written with a fraction of zero."""
    if type(value) is int:
        return value
    if type(value) is float and value.is_integer():
        left.spelling.setdefault("float", []).append(key)
        return int(value)
    raise Malformed(f"/{key}", "expected a whole number")


def _read_thinking(request: dict[str, Any], value: Any, others: dict[str, Any], left: Leftovers) -> None:
    thinking = camel(value, THINKING, left)
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
        elif key == "thinkingBudget" and is_integer(setting) and (budgeted := _budgeted(whole(setting, key, left))):
            settings |= budgeted
        else:
            rest[key] = setting
    if settings:
        request["reasoning"] = settings
    if rest or not thinking:
        others["thinkingConfig"] = rest


def _budgeted(budget: int) -> dict[str, Any]:
    """Return what a budget says, or nothing for one that means nothing."""
    if budget == NO_BUDGET:
        return {"mode": "disabled"}
    if budget == ANY_BUDGET:
        return {"mode": "adaptive"}
    return {"mode": "enabled", "budget_tokens": budget} if budget > NO_BUDGET else {}


def _read_form(request: dict[str, Any], config: dict[str, Any], others: dict[str, Any], left: Leftovers) -> None:
    """Read the form of the answer; what does not go together stays a leftover."""
    media_type = config.get("responseMimeType")
    schemas = {key: config[key] for key in _SCHEMAS if config.get(key) is not None}
    if media_type not in (None, JSON_TYPE, TEXT_TYPE) or (schemas and media_type == TEXT_TYPE):
        others |= {"responseMimeType": media_type, **schemas}
        return
    if not schemas:
        if media_type is not None:
            request["response_format"] = {"type": "json_object" if media_type == JSON_TYPE else "text"}
        return
    key, schema = next(iter(schemas.items()))
    if key == "responseFormat":
        schema = _formatted(schema)
    if type(schema) is not dict or (key == "responseFormat" and media_type is not None):
        others |= schemas if media_type is None else {"responseMimeType": media_type, **schemas}
        return
    if key == "responseSchema":
        converted = to_json_schema(schema)
        left.spelling["schema"] = "as_is" if converted is None else "openapi"
        schema = schema if converted is None else converted
    elif key == "responseFormat":
        left.spelling["schema"] = "format"
    request["response_format"] = {"type": "json_schema", "schema": schema}
    if media_type is None and key != "responseFormat":
        left.absent("responseMimeType")
    others |= {name: value for name, value in schemas.items() if name != key}


def _formatted(value: Any) -> dict[str, Any] | None:
    """Return the schema of the newer `responseFormat`, where it says nothing else."""
    match value:
        case [{"text": {"mimeType": "application/json", "schema": dict(schema), **inner}, **outer}] if (
            not inner and not outer
        ):
            return schema
        case _:
            return None
