"""The scalars of JSON Schema that differ from those of Python."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, TypeAlias

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import CoreSchema, core_schema


class Integral:
    """An integer of JSON Schema: 5 and 5.0, which becomes 5; never "5", 5.5 or True."""

    def __init__(
        self, *, ge: int | None = None, le: int | None = None, gt: int | None = None, lt: int | None = None
    ) -> None:
        self._limits = {"ge": ge, "le": le, "gt": gt, "lt": lt}

    def __get_pydantic_core_schema__(self, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Try the strict integer first, so that the function is only called for other values."""
        limits: Any = {key: value for key, value in self._limits.items() if value is not None}
        exact = core_schema.int_schema(strict=True, **limits)
        written_as_float = core_schema.no_info_after_validator_function(_whole, core_schema.float_schema(strict=True))
        return core_schema.union_schema(
            [exact, core_schema.chain_schema([written_as_float, exact])],
            mode="left_to_right",
            **_error_options(self._limits, "integer", "int_type"),
            serialization=core_schema.simple_ser_schema("int"),
        )

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        """Return the source schema, and not how the value is checked."""
        return {"type": "integer", **_json_limits(self._limits)}


class Numeric:
    """A number of JSON Schema in its original form: 1 stays 1 and 1.0 stays 1.0; never "1", NaN or True."""

    def __init__(
        self, *, ge: float | None = None, le: float | None = None, gt: float | None = None, lt: float | None = None
    ) -> None:
        self._limits = {"ge": ge, "le": le, "gt": gt, "lt": lt}

    def __get_pydantic_core_schema__(self, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Refuse integers in the second branch, which would turn them into floats and lose digits."""
        limits: Any = {key: value for key, value in self._limits.items() if value is not None}
        return core_schema.union_schema(
            [
                core_schema.int_schema(strict=True, **limits),
                core_schema.float_schema(strict=True, allow_inf_nan=False, **limits),
            ],
            mode="left_to_right",
            **_error_options(self._limits, "number", "float_type"),
        )

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        """Return the source schema, and not how the value is checked."""
        return {"type": "number", **_json_limits(self._limits)}


Integer: TypeAlias = Annotated[int, Integral()]
Number: TypeAlias = Annotated[int | float, Numeric()]


def _error_options(limits: Mapping[str, float | None], what: str, plain: str) -> dict[str, Any]:
    """Return the error of a scalar, which names its limits."""
    phrases = {"ge": "at least", "gt": "more than", "le": "at most", "lt": "less than"}
    range_ = " and ".join(f"{phrase} {limits[key]}" for key, phrase in phrases.items() if limits.get(key) is not None)
    if not range_:
        return {"custom_error_type": plain}
    message = f"Input should be a valid {what}, {range_}"
    return {"custom_error_type": f"{what}_range", "custom_error_message": message}


def _whole(value: float) -> int:
    """Return the integer with the value of a float.

    Raises:
        ValueError: the float has a fraction, or is infinite or NaN.
    """
    if not value.is_integer():
        message = "not a whole number"
        raise ValueError(message)
    return int(value)


def _json_limits(limits: Mapping[str, float | None]) -> dict[str, float]:
    """Return the limits under the names of JSON Schema."""
    names = {"ge": "minimum", "le": "maximum", "gt": "exclusiveMinimum", "lt": "exclusiveMaximum"}
    return {names[key]: value for key, value in limits.items() if value is not None}
