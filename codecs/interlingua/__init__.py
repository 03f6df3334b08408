"""Interlingua: one message format for conversations with language models.

This is the facade: it only re-exports, and each name is imported when it is first used.
"""

from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    import interlingua_types.current as _version
    from interlingua import chat, context, items, resolve, sessions, spi, tools
    from interlingua.chat import ConversationHistory, Repair, Repaired, repair_request
    from interlingua.codec import decode_request, decode_response, encode_request, encode_response, restore_names
    from interlingua.detection import Detection, detect
    from interlingua.error_codec import decode_error, encode_error, encode_error_stream
    from interlingua.error_translation import translate_error
    from interlingua.errors import (
        ApprovalError,
        ContextBudgetError,
        ConversationOrderError,
        DecodeError,
        DialectError,
        EncodeError,
        FileAccessError,
        FrameError,
        ImageError,
        InterlinguaError,
        JsonDecodeError,
        JsonLinesError,
        LossError,
        MigrationError,
        MissingExtraError,
        ResourceError,
        RunningLoopError,
        SessionConflictError,
        SessionDamagedError,
        SessionExistsError,
        SessionNotFoundError,
        SessionStoreBusyError,
        SessionStoreError,
        SessionStoreFormatError,
        SessionStoreFullError,
        SessionStoreMissingError,
        SessionStoreReadOnlyError,
        SessionStoreVersionError,
        StreamError,
        ToolError,
        ToolOutputError,
        ToolRequestError,
        ToolSetupError,
        TranscriptError,
        UnknownConcernError,
        UnknownDialectError,
        UnknownProfileError,
        UnknownTypeError,
        UnknownVersionError,
        UnresolvedMessageError,
        UnsupportedError,
    )
    from interlingua.exchange import Exchange, ExchangeStream, exchange
    from interlingua.judging import check_request
    from interlingua.loss import Encoded, EncodedError, Loss
    from interlingua.migrate import downgrade, upgrade
    from interlingua.model import *  # noqa: F403  # the classes of the schema; `__getattr__` finds them
    from interlingua.normal import normal_form
    from interlingua.registry import dialects
    from interlingua.resolve import (
        CodecVision,
        FilePolicy,
        FileResolver,
        ImageResolver,
        McpResources,
        OcrEngine,
        RolePolicy,
        SafeFetcher,
        TesseractOcr,
        VisionModel,
        find_mentions,
    )
    from interlingua.sessions import SessionStore
    from interlingua.stream_codec import StreamDecoder, StreamEncoder, collect, decode_stream, encode_stream
    from interlingua.streaming import EncodedStream, translate_stream
    from interlingua.transcript import (
        Change,
        Transcript,
        check_message,
        dump_message,
        dump_message_json,
        from_chat,
        load_message,
        load_messages,
        run_tools,
        run_tools_async,
        run_tools_sync,
        to_chat,
    )
    from interlingua.translation import translate_request, translate_response
    from interlingua.validation import validate
    from interlingua.violation import Violation
    from interlingua_types import CURRENT
    from interlingua_types._base import InvalidArgumentError

__version__: Final = "0.1.0"

# The list of public names: in which module each of them stands. The imports above and `__all__` are made of it, by
# `python tools/facade.py`.
_NAMES: Final[dict[str, tuple[str, ...]]] = {
    "interlingua.chat": ("ConversationHistory", "Repair", "Repaired", "repair_request"),
    "interlingua.codec": ("decode_request", "decode_response", "encode_request", "encode_response", "restore_names"),
    "interlingua.detection": ("Detection", "detect"),
    "interlingua.error_codec": ("decode_error", "encode_error", "encode_error_stream"),
    "interlingua.error_translation": ("translate_error",),
    "interlingua.errors": (
        "ApprovalError",
        "ContextBudgetError",
        "ConversationOrderError",
        "DecodeError",
        "DialectError",
        "EncodeError",
        "FileAccessError",
        "FrameError",
        "ImageError",
        "InterlinguaError",
        "JsonDecodeError",
        "JsonLinesError",
        "LossError",
        "MigrationError",
        "MissingExtraError",
        "ResourceError",
        "RunningLoopError",
        "SessionConflictError",
        "SessionDamagedError",
        "SessionExistsError",
        "SessionNotFoundError",
        "SessionStoreBusyError",
        "SessionStoreError",
        "SessionStoreFormatError",
        "SessionStoreFullError",
        "SessionStoreMissingError",
        "SessionStoreReadOnlyError",
        "SessionStoreVersionError",
        "StreamError",
        "ToolError",
        "ToolOutputError",
        "ToolRequestError",
        "ToolSetupError",
        "TranscriptError",
        "UnknownConcernError",
        "UnknownDialectError",
        "UnknownProfileError",
        "UnknownTypeError",
        "UnknownVersionError",
        "UnresolvedMessageError",
        "UnsupportedError",
    ),
    "interlingua.exchange": ("Exchange", "ExchangeStream", "exchange"),
    "interlingua.judging": ("check_request",),
    "interlingua.loss": ("Encoded", "EncodedError", "Loss"),
    "interlingua.migrate": ("downgrade", "upgrade"),
    "interlingua.normal": ("normal_form",),
    "interlingua.registry": ("dialects",),
    "interlingua.resolve": (
        "CodecVision",
        "FilePolicy",
        "FileResolver",
        "ImageResolver",
        "McpResources",
        "OcrEngine",
        "RolePolicy",
        "SafeFetcher",
        "TesseractOcr",
        "VisionModel",
        "find_mentions",
    ),
    "interlingua.sessions": ("SessionStore",),
    "interlingua.stream_codec": ("StreamDecoder", "StreamEncoder", "collect", "decode_stream", "encode_stream"),
    "interlingua.streaming": ("EncodedStream", "translate_stream"),
    "interlingua.transcript": (
        "Change",
        "Transcript",
        "check_message",
        "dump_message",
        "dump_message_json",
        "from_chat",
        "load_message",
        "load_messages",
        "run_tools",
        "run_tools_async",
        "run_tools_sync",
        "to_chat",
    ),
    "interlingua.translation": ("translate_request", "translate_response"),
    "interlingua.validation": ("validate",),
    "interlingua.violation": ("Violation",),
    "interlingua_types": ("CURRENT",),
    "interlingua_types._base": ("InvalidArgumentError",),
}
_HOMES: Final = {name: home for home, names in _NAMES.items() for name in names}
# Parts of the package that are used by their own name, as in `il.items.text`.
_PARTS: Final = frozenset({"chat", "context", "items", "resolve", "sessions", "spi", "tools"})

__all__ = [
    "CURRENT",
    "ApprovalError",
    "Change",
    "CodecVision",
    "ContextBudgetError",
    "ConversationHistory",
    "ConversationOrderError",
    "DecodeError",
    "Detection",
    "DialectError",
    "EncodeError",
    "Encoded",
    "EncodedError",
    "EncodedStream",
    "Exchange",
    "ExchangeStream",
    "FileAccessError",
    "FilePolicy",
    "FileResolver",
    "FrameError",
    "ImageError",
    "ImageResolver",
    "InterlinguaError",
    "InvalidArgumentError",
    "JsonDecodeError",
    "JsonLinesError",
    "Loss",
    "LossError",
    "McpResources",
    "MigrationError",
    "MissingExtraError",
    "OcrEngine",
    "Repair",
    "Repaired",
    "ResourceError",
    "RolePolicy",
    "RunningLoopError",
    "SafeFetcher",
    "SessionConflictError",
    "SessionDamagedError",
    "SessionExistsError",
    "SessionNotFoundError",
    "SessionStore",
    "SessionStoreBusyError",
    "SessionStoreError",
    "SessionStoreFormatError",
    "SessionStoreFullError",
    "SessionStoreMissingError",
    "SessionStoreReadOnlyError",
    "SessionStoreVersionError",
    "StreamDecoder",
    "StreamEncoder",
    "StreamError",
    "TesseractOcr",
    "ToolError",
    "ToolOutputError",
    "ToolRequestError",
    "ToolSetupError",
    "Transcript",
    "TranscriptError",
    "UnknownConcernError",
    "UnknownDialectError",
    "UnknownProfileError",
    "UnknownTypeError",
    "UnknownVersionError",
    "UnresolvedMessageError",
    "UnsupportedError",
    "Violation",
    "VisionModel",
    "chat",
    "check_message",
    "check_request",
    "collect",
    "context",
    "decode_error",
    "decode_request",
    "decode_response",
    "decode_stream",
    "detect",
    "dialects",
    "downgrade",
    "dump_message",
    "dump_message_json",
    "encode_error",
    "encode_error_stream",
    "encode_request",
    "encode_response",
    "encode_stream",
    "exchange",
    "find_mentions",
    "from_chat",
    "items",
    "load_message",
    "load_messages",
    "normal_form",
    "repair_request",
    "resolve",
    "restore_names",
    "run_tools",
    "run_tools_async",
    "run_tools_sync",
    "sessions",
    "spi",
    "to_chat",
    "tools",
    "translate_error",
    "translate_request",
    "translate_response",
    "translate_stream",
    "upgrade",
    "validate",
]
if TYPE_CHECKING:
    # The classes of the schema are public too. Without this, pyright calls them private; it follows one step only, so
    # that the version is named here again: the one of interlingua.model.
    __all__ += _version.__all__


class _Dialects(ModuleType):
    """The older name of the package of the rooms, which answers as `il.dialects()` does: both have one name."""

    def __call__(self) -> tuple[str, ...]:
        """Return the names of the dialects."""
        from interlingua.registry import dialects  # the facade imports on first use

        return dialects()


class _Facade(ModuleType):
    """Keeps a public name from being hidden by a part of the package of the same name when that part is imported."""

    def __setattr__(self, name: str, value: object) -> None:
        if name == "dialects" and isinstance(value, ModuleType):
            value.__class__ = _Dialects
        elif name in _HOMES and isinstance(value, ModuleType):
            return
        super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Facade


if not TYPE_CHECKING:
    # Hidden from type checkers, which would take it as leave to ask for any name.

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
