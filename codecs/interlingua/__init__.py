"""Interlingua: one message format for conversations with language models.

This is the facade: it only re-exports, and each name is imported when it is first used.
"""

from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from interlingua.codec import (
        decode_request,
        decode_response,
        encode_request,
        encode_response,
    )
    from interlingua.errors import (
        DecodeError,
        EncodeError,
        InterlinguaError,
        JsonDecodeError,
        LossError,
        MigrationError,
        UnknownDialectError,
        UnknownTypeError,
        UnknownVersionError,
    )
    from interlingua.loss import Encoded, Loss
    from interlingua.migrate import downgrade, upgrade
    from interlingua.normal import normal_form
    from interlingua.registry import dialects
    from interlingua.transcript import dump_message, dump_message_json, load_message, load_messages
    from interlingua.translation import translate_request, translate_response
    from interlingua.validation import validate
    from interlingua_types import CURRENT

__version__: Final = "0.1.0"

_HOMES: Final[dict[str, str]] = {
    "CURRENT": "interlingua_types",
    "DecodeError": "interlingua.errors",
    "EncodeError": "interlingua.errors",
    "Encoded": "interlingua.loss",
    "InterlinguaError": "interlingua.errors",
    "JsonDecodeError": "interlingua.errors",
    "Loss": "interlingua.loss",
    "LossError": "interlingua.errors",
    "MigrationError": "interlingua.errors",
    "UnknownDialectError": "interlingua.errors",
    "UnknownTypeError": "interlingua.errors",
    "UnknownVersionError": "interlingua.errors",
    "decode_request": "interlingua.codec",
    "decode_response": "interlingua.codec",
    "dialects": "interlingua.registry",
    "downgrade": "interlingua.migrate",
    "dump_message": "interlingua.transcript",
    "dump_message_json": "interlingua.transcript",
    "encode_request": "interlingua.codec",
    "encode_response": "interlingua.codec",
    "load_message": "interlingua.transcript",
    "load_messages": "interlingua.transcript",
    "normal_form": "interlingua.normal",
    "translate_request": "interlingua.translation",
    "translate_response": "interlingua.translation",
    "upgrade": "interlingua.migrate",
    "validate": "interlingua.validation",
}

__all__ = [
    "CURRENT",
    "DecodeError",
    "EncodeError",
    "Encoded",
    "InterlinguaError",
    "JsonDecodeError",
    "Loss",
    "LossError",
    "MigrationError",
    "UnknownDialectError",
    "UnknownTypeError",
    "UnknownVersionError",
    "decode_request",
    "decode_response",
    "dialects",
    "downgrade",
    "dump_message",
    "dump_message_json",
    "encode_request",
    "encode_response",
    "load_message",
    "load_messages",
    "normal_form",
    "translate_request",
    "translate_response",
    "upgrade",
    "validate",
]


class _Facade(ModuleType):
    """Keeps a public name from being hidden by a part of the package of the same name when that part is imported."""

    def __setattr__(self, name: str, value: object) -> None:
        if name not in _HOMES or not isinstance(value, ModuleType):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Facade


def __getattr__(name: str) -> Any:
    """Import a public name, or a class of the current schema version, on first use."""
    home = _HOMES.get(name)
    if home is None:
        model = importlib.import_module("interlingua.model")
        if name.startswith("_") or not hasattr(model, name):
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = getattr(model, name)
    else:
        value = getattr(importlib.import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """Return the public names."""
    return [*__all__, "__version__"]
