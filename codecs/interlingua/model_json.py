"""Converts models to plain canonical JSON, including values that JSON text cannot hold.

Pydantic refuses lone surrogates in member names and nesting beyond its own limit, with errors that show the value. Here
whatever was decoded can be encoded again; `check_request` reports what cannot be sent.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interlingua_types._base import InterlinguaModel

if TYPE_CHECKING:
    from pydantic import BaseModel

__all__ = ["plain_json"]


def plain_json(model: BaseModel) -> dict[str, Any]:
    """Return a model as plain canonical JSON: arrays are lists, and absent members are left out."""
    try:
        plain: dict[str, Any] = model.__pydantic_serializer__.to_python(model, mode="json", by_alias=True)
    except (ValueError, RecursionError):
        plain = _walked(model)
    return plain


def _walked(value: Any) -> Any:
    """Return a value as plain JSON, sharing free-form JSON with the model; models are never nested deeply."""
    if isinstance(value, InterlinguaModel):
        members = value.__dict__
        plain = {
            field.alias or name: _walked(members[name])
            for name, field in type(value).__pydantic_fields__.items()
            if members[name] is not None or field.is_required()  # a required free-form member may be null
        }
        return plain | (value.__pydantic_extra__ or {})
    if isinstance(value, tuple):
        items: tuple[Any, ...] = value  # pyright: ignore[reportUnknownVariableType]  # of anything
        return [_walked(one) for one in items]
    return value
