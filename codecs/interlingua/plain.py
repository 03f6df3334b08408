"""Models as plain canonical JSON: what nobody may read, because no JSON text holds it, comes along as it is.

Pydantic refuses half a surrogate pair in a name and nesting beyond its own limit, by errors that show the value. What
was decoded can be encoded: `check_request` is who says that it cannot be sent.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interlingua_types._base import InterlinguaModel

if TYPE_CHECKING:
    from pydantic import BaseModel

__all__ = ["plain_json"]


def plain_json(model: BaseModel) -> dict[str, Any]:
    """Return a model as plain canonical JSON: arrays are lists, and members that were not said are left out."""
    try:
        plain: dict[str, Any] = model.__pydantic_serializer__.to_python(model, mode="json", by_alias=True)
    except (ValueError, RecursionError):
        plain = _walked(model)
    return plain


def _walked(value: Any) -> Any:
    """Return what `plain_json` returns, with free-form JSON shared; models are never nested deeply."""
    if isinstance(value, InterlinguaModel):
        members = value.__dict__
        plain = {
            field.alias or name: _walked(members[name])
            for name, field in type(value).__pydantic_fields__.items()
            if members[name] is not None or field.is_required()  # what is verbatim may be null
        }
        return plain | (value.__pydantic_extra__ or {})
    if isinstance(value, tuple):
        items: tuple[Any, ...] = value  # pyright: ignore[reportUnknownVariableType]  # of anything
        return [_walked(one) for one in items]
    return value
