"""Type guards for JSON values, for run time and for the type checker."""

from __future__ import annotations

from typing import Any, TypeGuard


def is_object(value: Any) -> TypeGuard[dict[str, Any]]:
    """Tell whether a JSON value is an object."""
    return type(value) is dict


def is_list(value: Any) -> TypeGuard[list[Any]]:
    """Tell whether a JSON value is a list."""
    return type(value) is list


def is_text(value: Any) -> TypeGuard[str]:
    """Tell whether a JSON value is a string."""
    return type(value) is str
