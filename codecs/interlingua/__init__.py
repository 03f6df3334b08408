"""Interlingua: one message format for conversations with language models.

This is the facade: it only re-exports, and each name is imported when it is first used.
"""

from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from interlingua import items
    from interlingua.chat import Repair, Repaired, repair_request
    from interlingua.codec import (
        decode_request,
        decode_response,
        encode_request,
        encode_response,
        restore_names,
    )
    from interlingua.errors import (
        DecodeError,
        EncodeError,
        FrameError,
        InterlinguaError,
        JsonDecodeError,
        LossError,
        MigrationError,
        StreamError,
        UnknownDialectError,
        UnknownTypeError,
        UnknownVersionError,
    )
    from interlingua.judging import check_request
    from interlingua.loss import Encoded, Loss
    from interlingua.migrate import downgrade, upgrade
    from interlingua.model import *  # noqa: F403  # the classes of the schema; `__getattr__` finds them
    from interlingua.normal import normal_form
    from interlingua.registry import dialects
    from interlingua.stream_codec import StreamDecoder, StreamEncoder, collect, decode_stream, encode_stream
    from interlingua.streaming import EncodedStream, translate_stream
    from interlingua.transcript import dump_message, dump_message_json, load_message, load_messages
    from interlingua.translation import translate_request, translate_response
    from interlingua.validation import validate
    from interlingua.violation import Violation
    from interlingua_types import CURRENT

__version__: Final = "0.1.0"

_HOMES: Final[dict[str, str]] = {
    "CURRENT": "interlingua_types",
    "DecodeError": "interlingua.errors",
    "EncodeError": "interlingua.errors",
    "Encoded": "interlingua.loss",
    "EncodedStream": "interlingua.streaming",
    "FrameError": "interlingua.errors",
    "InterlinguaError": "interlingua.errors",
    "JsonDecodeError": "interlingua.errors",
    "Loss": "interlingua.loss",
    "LossError": "interlingua.errors",
    "MigrationError": "interlingua.errors",
    "Repair": "interlingua.chat",
    "Repaired": "interlingua.chat",
    "StreamDecoder": "interlingua.stream_codec",
    "StreamEncoder": "interlingua.stream_codec",
    "StreamError": "interlingua.errors",
    "UnknownDialectError": "interlingua.errors",
    "UnknownTypeError": "interlingua.errors",
    "UnknownVersionError": "interlingua.errors",
    "Violation": "interlingua.violation",
    "check_request": "interlingua.judging",
    "collect": "interlingua.stream_codec",
    "decode_request": "interlingua.codec",
    "decode_response": "interlingua.codec",
    "decode_stream": "interlingua.stream_codec",
    "dialects": "interlingua.registry",
    "downgrade": "interlingua.migrate",
    "dump_message": "interlingua.transcript",
    "dump_message_json": "interlingua.transcript",
    "encode_request": "interlingua.codec",
    "encode_response": "interlingua.codec",
    "encode_stream": "interlingua.stream_codec",
    "load_message": "interlingua.transcript",
    "load_messages": "interlingua.transcript",
    "normal_form": "interlingua.normal",
    "repair_request": "interlingua.chat",
    "restore_names": "interlingua.codec",
    "translate_request": "interlingua.translation",
    "translate_response": "interlingua.translation",
    "translate_stream": "interlingua.streaming",
    "upgrade": "interlingua.migrate",
    "validate": "interlingua.validation",
}
# Parts of the package that are used by their own name, as in `il.items.text`.
_PARTS: Final = frozenset({"items"})

__all__ = [
    "CURRENT",
    "DecodeError",
    "EncodeError",
    "Encoded",
    "EncodedStream",
    "FrameError",
    "InterlinguaError",
    "JsonDecodeError",
    "Loss",
    "LossError",
    "MigrationError",
    "Repair",
    "Repaired",
    "StreamDecoder",
    "StreamEncoder",
    "StreamError",
    "UnknownDialectError",
    "UnknownTypeError",
    "UnknownVersionError",
    "Violation",
    "check_request",
    "collect",
    "decode_request",
    "decode_response",
    "decode_stream",
    "dialects",
    "downgrade",
    "dump_message",
    "dump_message_json",
    "encode_request",
    "encode_response",
    "encode_stream",
    "items",
    "load_message",
    "load_messages",
    "normal_form",
    "repair_request",
    "restore_names",
    "translate_request",
    "translate_response",
    "translate_stream",
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
    if name in _PARTS:
        return importlib.import_module(f"interlingua.{name}")
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
