"""What every exception of the package does, whatever it is about."""

from __future__ import annotations

import copy
import importlib
import inspect
import pickle
import pkgutil
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from types import MappingProxyType
from typing import Any, Final

import pytest

import interlingua
import interlingua as il
import interlingua_types
from interlingua import absent_members, errors
from interlingua.chat.flat_calls import BadMessageError
from interlingua.cli.files import FileError
from interlingua.errors.sessions import _SessionError
from interlingua.errors.wire import _UnknownNameError
from interlingua.loss import Loss
from interlingua.resolve.exchange import ExchangeError
from interlingua.rooms.gemini.openapi import _OtherStyleError
from interlingua.serve.call import RefusedCallError
from interlingua.serve.upstream import UpstreamError
from interlingua.sessions.media import DamagedRowError
from interlingua.spi.reading import Malformed
from interlingua.strict_json import RefusedError
from interlingua.tool_arguments import UnwritableError, _RepeatedError
from interlingua.tools import schema_checks
from interlingua.transcript.model_views import Unresolved
from interlingua_types._base import InvalidArgumentError

ANSWER: Final = il.ChatResponse(messages=[il.AssistantChatMessage(content="Well.")], finish_reason="stop")
LOSSES: Final = (Loss("part", "/messages/0", "no place", "lost"), Loss("required", "/max_tokens", "demanded", "filled"))

OVERLOADED: Final = il.decode_error({"type": "error", "error": {"type": "overloaded_error", "message": "x"}}, "claude")

BUILDERS: Final[MappingProxyType[type[BaseException], Callable[[], BaseException]]] = MappingProxyType({
    DamagedRowError: lambda: DamagedRowError("no JSON"),
    ExchangeError: lambda: ExchangeError("timeout"),
    FileError: lambda: FileError("no such file"),
    InvalidArgumentError: lambda: InvalidArgumentError("an id wants a text"),
    Malformed: lambda: Malformed("/role", "a text was expected"),
    RefusedError: lambda: RefusedError("no JSON", 3, 4),
    Unresolved: Unresolved,
    BadMessageError: lambda: BadMessageError("no role"),
    UnwritableError: lambda: UnwritableError("no number"),
    RefusedCallError: lambda: RefusedCallError(OVERLOADED),
    UpstreamError: lambda: UpstreamError(OVERLOADED),
    _OtherStyleError: _OtherStyleError,
    _RepeatedError: _RepeatedError,
    _SessionError: lambda: _SessionError("s", None, "why"),
    _UnknownNameError: lambda: _UnknownNameError("x", ["a", 1]),
    schema_checks._TooManyReferencesError: schema_checks._TooManyReferencesError,  # noqa: SLF001  # every class of the package
    absent_members._TooManyStepsError: absent_members._TooManyStepsError,  # noqa: SLF001  # as above
    errors.ApprovalError: lambda: errors.ApprovalError("decided", "c1"),
    errors.ClockError: errors.ClockError,
    errors.ContextBudgetError: lambda: errors.ContextBudgetError(9, 8),
    errors.ConversationOrderError: lambda: errors.ConversationOrderError("first", 0, "tool", "a user begins"),
    errors.DecodeError: lambda: errors.DecodeError("claude", "/content/1", "a list was expected", ANSWER),
    errors.DialectError: lambda: errors.DialectError("parley", "decode_request"),
    errors.EncodeError: lambda: errors.EncodeError("gemini", "", "not canonical"),
    errors.FileAccessError: lambda: errors.FileAccessError("not_found", "a.txt", "it is not there", retryable=True),
    errors.FrameError: lambda: errors.FrameError(7, "no JSON"),
    errors.ImageError: lambda: errors.ImageError("timeout", "it took too long", retryable=True),
    errors.InterlinguaError: lambda: errors.InterlinguaError("why"),
    errors.JsonDecodeError: lambda: errors.JsonDecodeError("a name was expected", 3, 4),
    errors.JsonLinesError: lambda: errors.JsonLinesError(2, 10, 20, "no JSON"),
    errors.LossError: lambda: errors.LossError(LOSSES),
    errors.MigrationError: lambda: errors.MigrationError(2, "/role", "a role was expected"),
    errors.MissingExtraError: lambda: errors.MissingExtraError("cli", "typer"),
    errors.ResourceError: lambda: errors.ResourceError("timeout", "files", retryable=True),
    errors.RunningLoopError: lambda: errors.RunningLoopError("resolve"),
    errors.SessionConflictError: lambda: errors.SessionConflictError("s", "main", "another was first"),
    errors.SessionDamagedError: lambda: errors.SessionDamagedError("s", "main", 3, "no JSON"),
    errors.SessionExistsError: lambda: errors.SessionExistsError("s", None, "there is one"),
    errors.SessionNotFoundError: lambda: errors.SessionNotFoundError("s", "b", "there is none"),
    errors.SessionStoreBusyError: lambda: errors.SessionStoreBusyError("busy"),
    errors.SessionStoreError: lambda: errors.SessionStoreError("why"),
    errors.SessionStoreFormatError: lambda: errors.SessionStoreFormatError("no store"),
    errors.SessionStoreFullError: lambda: errors.SessionStoreFullError("full"),
    errors.SessionStoreMissingError: lambda: errors.SessionStoreMissingError("missing"),
    errors.SessionStoreReadOnlyError: lambda: errors.SessionStoreReadOnlyError("read only"),
    errors.SessionStoreVersionError: lambda: errors.SessionStoreVersionError(9, 2),
    errors.StreamError: lambda: errors.StreamError("overloaded", "busy", ANSWER),
    errors.ToolError: lambda: errors.ToolError("no such city", recoverable=False),
    errors.ToolOutputError: lambda: errors.ToolOutputError("too_large", limit=3, size=4),
    errors.ToolRequestError: lambda: errors.ToolRequestError("missing_id", 2),
    errors.ToolSetupError: lambda: errors.ToolSetupError("two tools of a name"),
    errors.TranscriptError: lambda: errors.TranscriptError("unknown_branch", "b"),
    errors.UnknownProfileError: lambda: errors.UnknownProfileError("x", ["claude-opus-5"]),
    errors.UnknownConcernError: lambda: errors.UnknownConcernError("x", ["content", "contract"]),
    errors.UnknownDialectError: lambda: errors.UnknownDialectError("x", ["claude", "gemini"]),
    errors.UnknownTypeError: lambda: errors.UnknownTypeError("x", ["message"]),
    errors.UnknownVersionError: lambda: errors.UnknownVersionError(9, (1, 2, 3)),
    errors.UnresolvedMessageError: lambda: errors.UnresolvedMessageError(1, None, "image"),
    errors.UnsupportedError: lambda: errors.UnsupportedError("parley", "decode_stream"),
})  # fmt: skip


def modules() -> Iterator[str]:
    """Yield the name of every module of both packages."""
    for package in (interlingua, interlingua_types):
        yield package.__name__
        yield from (found.name for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."))


def exceptions() -> list[type[BaseException]]:
    """Return every exception class that a module of ours defines."""
    found = {
        value
        for name in modules()
        if not name.endswith("__main__")
        for value in vars(importlib.import_module(name)).values()
        if inspect.isclass(value) and issubclass(value, BaseException) and value.__module__ == name
    }
    return sorted(found, key=lambda kind: (kind.__module__, kind.__qualname__))


EXCEPTIONS: Final = exceptions()
WAYS: Final[MappingProxyType[str, Callable[[Any], Any]]] = MappingProxyType({
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    **{
        f"pickle_{protocol}": lambda error, protocol=protocol: pickle.loads(pickle.dumps(error, protocol))  # noqa: S301  # our own
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1)
    },
})  # fmt: skip


def facts(error: BaseException) -> dict[str, Any]:
    """Return what an error says: its class, its text and every field, those that Python's own classes keep included."""
    own = {
        name: getattr(error, name)
        for kind in type(error).__mro__
        for name, member in vars(kind).items()
        if inspect.ismemberdescriptor(member) or inspect.isgetsetdescriptor(member)
        if not name.startswith("__")
    }
    return {"class": type(error), "args": error.args, "text": str(error), "repr": repr(error), **own, **vars(error)}


def test_every_exception_class_is_covered_by_this_test() -> None:
    missing = [f"{kind.__module__}.{kind.__qualname__}" for kind in EXCEPTIONS if kind not in BUILDERS]
    assert missing == [], "give each of them a row in BUILDERS"
    assert set(BUILDERS) == set(EXCEPTIONS)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", EXCEPTIONS, ids=lambda kind: kind.__qualname__)
def test_a_pickled_or_copied_error_is_equal(kind: type[BaseException], way: str) -> None:
    error = BUILDERS[kind]()
    error.add_note("a note of the caller")
    error.__cause__ = ValueError("the cause is no part of what an error says")
    again = WAYS[way](error)
    assert again is not error
    assert facts(again) == facts(error)


def test_an_error_with_changed_fields_keeps_them() -> None:
    error = errors.DecodeError("claude", "", "broken")
    error.partial = ANSWER
    again = pickle.loads(pickle.dumps(error))  # noqa: S301  # our own
    assert again.partial == ANSWER
    assert type(again.partial) is il.ChatResponse


def test_errors_with_different_fields_are_not_equal() -> None:
    # A test of the test: what is compared is every field, not the text alone.
    first, second = errors.ImageError("timeout", "late"), errors.ImageError("timeout", "late", retryable=True)
    assert str(first) == str(second)
    assert facts(first) != facts(second)
    assert facts(errors.MissingExtraError("cli", "typer"))["name"] == "typer"


def test_a_process_pool_passes_a_decode_error_on_and_continues() -> None:
    good = {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "Hello"}]}
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        with pytest.raises(il.DecodeError) as caught:
            pool.submit(il.decode_request, {"messages": 7}, "claude").result()
        assert (caught.value.dialect, caught.value.path) == ("claude", "/messages")
        assert pool.submit(il.decode_request, good, "claude").result() == il.decode_request(good, "claude")
