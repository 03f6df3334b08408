"""Interlingua: one message format for conversations with language models.

This is the facade: it only re-exports names, and imports each one on first use.
"""

from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from interlingua import chat, context, items, messages, resolve, sessions, spi, tools
    from interlingua.chat import ConversationHistory, Repair, Repaired, repair_request
    from interlingua.codec import decode_request, decode_response, encode_request, encode_response, restore_names
    from interlingua.detection import Detection, detect
    from interlingua.display import show, show_in_notebooks
    from interlingua.error_codec import decode_error, encode_error, encode_error_stream
    from interlingua.error_translation import translate_error
    from interlingua.errors import (
        ApprovalError,
        ClockError,
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
    from interlingua.loss import Encoded, EncodedError, Loss
    from interlingua.loss_types import Concern, LossCode, Severity, Strict
    from interlingua.migrate import Downgraded, Upgraded, downgrade, upgrade
    from interlingua.model import (
        Alternative,
        Answer,
        AnyMessage,
        ApiError,
        Approval,
        ApprovalStatus,
        AssistantChatMessage,
        AudioPart,
        AutoToolChoice,
        Base64ImageSource,
        BedrockConverseExtra,
        BedrockConverseSpelling,
        BlockEndEvent,
        Branch,
        BranchSwitchControl,
        CacheMark,
        CallKind,
        ChatMessage,
        ChatRequest,
        ChatResponse,
        Citation,
        CitationEvent,
        ClaudeExtra,
        ClaudeSpelling,
        CodeExecutionTool,
        CompactionData,
        CompactionMessage,
        Content,
        ContentEvent,
        ContentItem,
        Control,
        Conversation,
        CustomControl,
        CustomTool,
        DeveloperChatMessage,
        DialectName,
        EndEvent,
        ErrorCategory,
        ErrorEvent,
        ErrorPlaces,
        Event,
        Execution,
        ExecutionStatus,
        Extra,
        Failure,
        FilePart,
        FilePathImageSource,
        FileReferenceData,
        FileReferenceMessage,
        FinishEvent,
        FinishReason,
        FunctionCallResponseItem,
        FunctionCallResultContent,
        FunctionCallResultResponseItem,
        GeminiExtra,
        GeminiSpelling,
        Grammar,
        ImageData,
        ImageMessage,
        ImagePart,
        ImageSource,
        InputImageContentItem,
        InputImageFunctionCallResultContent,
        InputTextContentItem,
        InputTextFunctionCallResultContent,
        McpResourceData,
        McpResourceMessage,
        Message,
        MessageResponseItem,
        MessageRole,
        MessageType,
        ModeChangeControl,
        NamedToolChoice,
        NamespaceTool,
        NoneToolChoice,
        OllamaExtra,
        OllamaSpelling,
        OpaqueChatMessage,
        OpaqueData,
        OpaqueEvent,
        OpaqueMessage,
        OpaquePart,
        OpaqueTool,
        OpenaiChatExtra,
        OpenaiChatSpelling,
        OpenaiResponsesExtra,
        OpenaiResponsesReasoning,
        OpenaiResponsesSpelling,
        OutputTextContentItem,
        Part,
        PartEvent,
        PlacedOpaque,
        ReasoningContent,
        ReasoningData,
        ReasoningDetail,
        ReasoningEvent,
        ReasoningMessage,
        ReasoningResponseItem,
        ReasoningSettings,
        ReasoningSummary,
        ReasoningTextReasoningContent,
        Recognition,
        RecognitionMode,
        RecordSource,
        RefusalEvent,
        RequestedCall,
        RequiredToolChoice,
        ResolutionStatus,
        ResponseFormat,
        ResponseItem,
        ServerCallPart,
        ServerResultPart,
        StartEvent,
        StateEvent,
        SubsetToolChoice,
        SummaryTextReasoningSummary,
        SystemChatMessage,
        SystemControlData,
        SystemControlMessage,
        TextData,
        TextMessage,
        TextPart,
        TextReasoningContent,
        ThinkingBlock,
        ThoughtSignature,
        Tool,
        ToolCall,
        ToolCallDelta,
        ToolCallDeltaEvent,
        ToolCallStartEvent,
        ToolChatMessage,
        ToolChoice,
        ToolDefinition,
        ToolFailure,
        ToolRequestData,
        ToolRequestMessage,
        ToolResult,
        ToolResultData,
        ToolResultMessage,
        TranscriptDocument,
        TranscriptLink,
        UnknownMessage,
        UrlImageSource,
        Usage,
        UsageEvent,
        UserChatMessage,
        UserLocation,
        VllmExtra,
        VllmSpelling,
        WebSearchTool,
    )
    from interlingua.normal import normal_form
    from interlingua.registry import Dialect, dialect, dialects
    from interlingua.report import Report, ReportRow
    from interlingua.request_checks import check_request, find_misspelt
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
    from interlingua.response_options import ReasoningMember
    from interlingua.sessions import SessionStore
    from interlingua.stream_codec import StreamDecoder, StreamEncoder, collect, decode_stream, encode_stream
    from interlingua.streaming import EncodedStream, translate_stream
    from interlingua.transcript import (
        Change,
        ChangeKind,
        Loaded,
        Skipped,
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
    from interlingua.validation import SchemaError, validate
    from interlingua.violation import Misspelt, Violation, ViolationCode
    from interlingua_types import CURRENT
    from interlingua_types._base import InvalidArgumentError

__version__: Final = "0.2.0"

# The public names and the modules that define them. `python tools/facade.py` generates the imports above and `__all__`
# from this table and from the classes of the schema.
_NAMES: Final[dict[str, tuple[str, ...]]] = {
    "interlingua.chat": ("ConversationHistory", "Repair", "Repaired", "repair_request"),
    "interlingua.codec": ("decode_request", "decode_response", "encode_request", "encode_response", "restore_names"),
    "interlingua.detection": ("Detection", "detect"),
    "interlingua.display": ("show", "show_in_notebooks"),
    "interlingua.error_codec": ("decode_error", "encode_error", "encode_error_stream"),
    "interlingua.error_translation": ("translate_error",),
    "interlingua.errors": (
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
    ),
    "interlingua.exchange": ("Exchange", "ExchangeStream", "exchange"),
    "interlingua.request_checks": ("check_request", "find_misspelt"),
    "interlingua.loss": ("Encoded", "EncodedError", "Loss"),
    "interlingua.loss_types": ("Concern", "LossCode", "Severity", "Strict"),
    "interlingua.migrate": ("Downgraded", "Upgraded", "downgrade", "upgrade"),
    "interlingua.normal": ("normal_form",),
    "interlingua.registry": ("Dialect", "dialect", "dialects"),
    "interlingua.report": ("Report", "ReportRow"),
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
    "interlingua.response_options": ("ReasoningMember",),
    "interlingua.stream_codec": ("StreamDecoder", "StreamEncoder", "collect", "decode_stream", "encode_stream"),
    "interlingua.streaming": ("EncodedStream", "translate_stream"),
    "interlingua.transcript": (
        "Change",
        "ChangeKind",
        "Loaded",
        "Skipped",
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
    "interlingua.validation": ("SchemaError", "validate"),
    "interlingua.violation": ("Misspelt", "Violation", "ViolationCode"),
    "interlingua_types": ("CURRENT",),
    "interlingua_types._base": ("InvalidArgumentError",),
}
_SCHEMA: Final = "interlingua.model"
_HOMES: Final = {name: home for home, names in _NAMES.items() for name in names}
# Subpackages and modules that are public under their own name, as in `il.items.text`.
_PARTS: Final = frozenset({"chat", "context", "items", "messages", "resolve", "sessions", "spi", "tools"})

# fmt: off
__all__ = [
    "CURRENT", "Alternative", "Answer", "AnyMessage", "ApiError", "Approval", "ApprovalError", "ApprovalStatus",
    "AssistantChatMessage", "AudioPart", "AutoToolChoice", "Base64ImageSource", "BedrockConverseExtra",
    "BedrockConverseSpelling", "BlockEndEvent", "Branch", "BranchSwitchControl", "CacheMark", "CallKind", "Change",
    "ChangeKind", "ChatMessage", "ChatRequest", "ChatResponse", "Citation", "CitationEvent", "ClaudeExtra",
    "ClaudeSpelling", "ClockError", "CodeExecutionTool", "CodecVision", "CompactionData", "CompactionMessage",
    "Concern", "Content", "ContentEvent", "ContentItem", "ContextBudgetError", "Control", "Conversation",
    "ConversationHistory", "ConversationOrderError", "CustomControl", "CustomTool", "DecodeError", "Detection",
    "DeveloperChatMessage", "Dialect", "DialectError", "DialectName", "Downgraded", "EncodeError", "Encoded",
    "EncodedError", "EncodedStream", "EndEvent", "ErrorCategory", "ErrorEvent", "ErrorPlaces", "Event", "Exchange",
    "ExchangeStream", "Execution", "ExecutionStatus", "Extra", "Failure", "FileAccessError", "FilePart",
    "FilePathImageSource", "FilePolicy", "FileReferenceData", "FileReferenceMessage", "FileResolver", "FinishEvent",
    "FinishReason", "FrameError", "FunctionCallResponseItem", "FunctionCallResultContent",
    "FunctionCallResultResponseItem", "GeminiExtra", "GeminiSpelling", "Grammar", "ImageData", "ImageError",
    "ImageMessage", "ImagePart", "ImageResolver", "ImageSource", "InputImageContentItem",
    "InputImageFunctionCallResultContent", "InputTextContentItem", "InputTextFunctionCallResultContent",
    "InterlinguaError", "InvalidArgumentError", "JsonDecodeError", "JsonLinesError", "Loaded", "Loss", "LossCode",
    "LossError", "McpResourceData", "McpResourceMessage", "McpResources", "Message", "MessageResponseItem",
    "MessageRole", "MessageType", "MigrationError", "MissingExtraError", "Misspelt", "ModeChangeControl",
    "NamedToolChoice", "NamespaceTool", "NoneToolChoice", "OcrEngine", "OllamaExtra", "OllamaSpelling",
    "OpaqueChatMessage", "OpaqueData", "OpaqueEvent", "OpaqueMessage", "OpaquePart", "OpaqueTool", "OpenaiChatExtra",
    "OpenaiChatSpelling", "OpenaiResponsesExtra", "OpenaiResponsesReasoning", "OpenaiResponsesSpelling",
    "OutputTextContentItem", "Part", "PartEvent", "PlacedOpaque", "ReasoningContent", "ReasoningData",
    "ReasoningDetail", "ReasoningEvent", "ReasoningMember", "ReasoningMessage", "ReasoningResponseItem",
    "ReasoningSettings", "ReasoningSummary", "ReasoningTextReasoningContent", "Recognition", "RecognitionMode",
    "RecordSource", "RefusalEvent", "Repair", "Repaired", "Report", "ReportRow", "RequestedCall", "RequiredToolChoice",
    "ResolutionStatus", "ResourceError", "ResponseFormat", "ResponseItem", "RolePolicy", "RunningLoopError",
    "SafeFetcher", "SchemaError", "ServerCallPart", "ServerResultPart", "SessionConflictError", "SessionDamagedError",
    "SessionExistsError", "SessionNotFoundError", "SessionStore", "SessionStoreBusyError", "SessionStoreError",
    "SessionStoreFormatError", "SessionStoreFullError", "SessionStoreMissingError", "SessionStoreReadOnlyError",
    "SessionStoreVersionError", "Severity", "Skipped", "StartEvent", "StateEvent", "StreamDecoder", "StreamEncoder",
    "StreamError", "Strict", "SubsetToolChoice", "SummaryTextReasoningSummary", "SystemChatMessage",
    "SystemControlData", "SystemControlMessage", "TesseractOcr", "TextData", "TextMessage", "TextPart",
    "TextReasoningContent", "ThinkingBlock", "ThoughtSignature", "Tool", "ToolCall", "ToolCallDelta",
    "ToolCallDeltaEvent", "ToolCallStartEvent", "ToolChatMessage", "ToolChoice", "ToolDefinition", "ToolError",
    "ToolFailure", "ToolOutputError", "ToolRequestData", "ToolRequestError", "ToolRequestMessage", "ToolResult",
    "ToolResultData", "ToolResultMessage", "ToolSetupError", "Transcript", "TranscriptDocument", "TranscriptError",
    "TranscriptLink", "UnknownConcernError", "UnknownDialectError", "UnknownMessage", "UnknownProfileError",
    "UnknownTypeError", "UnknownVersionError", "UnresolvedMessageError", "UnsupportedError", "Upgraded",
    "UrlImageSource", "Usage", "UsageEvent", "UserChatMessage", "UserLocation", "Violation", "ViolationCode",
    "VisionModel", "VllmExtra", "VllmSpelling", "WebSearchTool", "chat", "check_message", "check_request", "collect",
    "context", "decode_error", "decode_request", "decode_response", "decode_stream", "detect", "dialect", "dialects",
    "downgrade", "dump_message", "dump_message_json", "encode_error", "encode_error_stream", "encode_request",
    "encode_response", "encode_stream", "exchange", "find_mentions", "find_misspelt", "from_chat", "items",
    "load_message", "load_messages", "messages", "normal_form", "repair_request", "resolve", "restore_names",
    "run_tools", "run_tools_async", "run_tools_sync", "sessions", "show", "show_in_notebooks", "spi", "to_chat",
    "tools", "translate_error", "translate_request", "translate_response", "translate_stream", "upgrade", "validate",
]
# fmt: on
_PUBLIC: Final = frozenset(__all__)


class _Dialects(ModuleType):
    """The former package `interlingua.dialects`, made callable because `il.dialects()` has the same name."""

    def __call__(self) -> tuple[str, ...]:
        """Return the names of the dialects."""
        from interlingua.registry import dialects  # the facade imports on first use

        return dialects()


class _Facade(ModuleType):
    """Keeps a public name from being shadowed by a submodule of the same name when that submodule is imported."""

    def __setattr__(self, name: str, value: object) -> None:
        if name == "dialects" and isinstance(value, ModuleType):
            value.__class__ = _Dialects
        elif name in _HOMES and isinstance(value, ModuleType):
            return
        super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Facade


if not TYPE_CHECKING:
    # Hidden from type checkers: with a module `__getattr__` they would accept any name.

    def __getattr__(name: str) -> Any:
        """Import a public name on first use; those without a home are classes of the schema.

        Raises:
            AttributeError: the name is not public; the text says which one may have been meant.
        """
        if name in _PARTS:
            return importlib.import_module(f"interlingua.{name}")
        if name not in _PUBLIC:
            raise _unknown(name)
        value = getattr(importlib.import_module(_HOMES.get(name, _SCHEMA)), name)
        globals()[name] = value
        return value


def _unknown(name: str) -> AttributeError:
    """Return the error for a name that is not public; if a subpackage has the name, the message says which."""
    from interlingua.lazy_imports import no_attribute  # the facade imports on first use

    if name.startswith("_"):
        return no_attribute(__name__, name, ())
    for part in sorted(_PARTS):
        if name in importlib.import_module(f"{__name__}.{part}").__all__:
            return AttributeError(f"module {__name__!r} has no attribute {name!r}; it is `il.{part}.{name}`", name=name)
    return no_attribute(__name__, name, __all__)


def __dir__() -> list[str]:
    """Return the public names."""
    return [*__all__, "__version__"]
