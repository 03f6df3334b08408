"""All exceptions of Interlingua.

Facts are fields; the message is for people and never holds message content, file content or credentials. Every error
caused by bad input is also a `ValueError`, so that it can be caught without importing this library.
"""

from interlingua.errors.base import InterlinguaError
from interlingua.errors.conversation import (
    ClockError,
    ContextBudgetError,
    ConversationOrderError,
    TranscriptError,
    UnresolvedMessageError,
)
from interlingua.errors.resources import FileAccessError, ImageError, MissingExtraError, ResourceError
from interlingua.errors.sessions import (
    JsonLinesError,
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
)
from interlingua.errors.tools import (
    ApprovalError,
    RunningLoopError,
    ToolError,
    ToolOutputError,
    ToolRequestError,
    ToolSetupError,
)
from interlingua.errors.wire import (
    DecodeError,
    DialectError,
    EncodeError,
    FrameError,
    JsonDecodeError,
    LossError,
    MigrationError,
    StreamError,
    UnknownConcernError,
    UnknownDialectError,
    UnknownProfileError,
    UnknownTypeError,
    UnknownVersionError,
    UnsupportedError,
)

__all__ = [
    "ApprovalError",
    "ClockError",
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
]
