"""Errors of wire bodies, frames and stored documents, and of unknown names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal

from interlingua.errors.base import InterlinguaError
from interlingua.suggestions import nearest, question

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = [
    "DecodeError",
    "DialectError",
    "EncodeError",
    "FrameError",
    "JsonDecodeError",
    "LossError",
    "MigrationError",
    "StreamError",
    "UnknownConcernError",
    "UnknownDialectError",
    "UnknownProfileError",
    "UnknownTypeError",
    "UnknownVersionError",
    "UnsupportedError",
]


_LONGEST: Final = 100


class DecodeError(InterlinguaError, ValueError):
    """A wire body is not valid in its dialect.

    `path` is a JSON Pointer into the wire body, `reason` says what was expected there. `partial` is the response so far
    if the error came in mid-response, else None. `looks_like` says what kind of body it seems to be instead, if known,
    and `looks_like_dialect` of which dialect; "error" means an error body, which `decode_error` reads.

    Example:
        >>> try:
        ...     il.decode_request({"messages": "Hi"}, "openai_chat")
        ... except il.DecodeError as error:
        ...     print(error.dialect, error.path, error.reason)
        openai_chat /messages expected a list
    """

    looks_like: Literal["request", "response", "stream", "error"] | None = None
    looks_like_dialect: str | None = None

    def __init__(
        self,
        dialect: str,
        path: str,
        reason: str,
        partial: Any = None,
        looks_like: Literal["request", "response", "stream", "error"] | None = None,
        looks_like_dialect: str | None = None,
    ) -> None:
        self.dialect = dialect
        self.path = path
        self.reason = reason
        self.partial = partial
        if looks_like is not None:
            self.looks_like = looks_like
        if looks_like_dialect is not None:
            self.looks_like_dialect = looks_like_dialect
        super().__init__(f"{dialect}: at {path or 'the top'}: {reason}")


class EncodeError(InterlinguaError, ValueError):
    """A canonical value cannot be encoded in a dialect.

    `dialect` is "" if no dialect is involved; `path` is a JSON Pointer into the canonical value, `reason` says what was
    expected there.

    Example:
        >>> try:
        ...     il.encode_request({"messages": [{"content": "Hi"}]}, "claude")
        ... except il.EncodeError as error:
        ...     print(error.dialect, error.path, error.reason)
        claude /messages/0 expected the member 'role', which says what it is
    """

    def __init__(self, dialect: str, path: str, reason: str) -> None:
        self.dialect = dialect
        self.path = path
        self.reason = reason
        super().__init__(f"{dialect}: at {path or 'the top'}: {reason}".removeprefix(": "))  # without a dialect


class StreamError(InterlinguaError):
    """A provider ended a stream with an error.

    `code` and `message` are the provider's, if it sent any; `category` is that of an `ApiError`; `partial` is the
    response so far.

    Example:
        >>> frames = [{"error": {"message": "Overloaded.", "code": "server_error"}}]
        >>> try:
        ...     il.collect(il.decode_stream(frames, "openai_chat"))
        ... except il.StreamError as error:
        ...     print(error.code, error.category, error.message)
        server_error overloaded Overloaded.
    """

    def __init__(self, code: str | None, message: str | None, partial: Any, category: str | None = None) -> None:
        self.code = code
        self.category = category
        self.message = message
        self.partial = partial
        super().__init__(f"the stream broke off with the error {code or 'of no name'}")


class LossError(InterlinguaError, ValueError):
    """Something would be lost that `strict` does not allow to be lost.

    `losses` are all losses of the call, including those of lesser severity; `offending` are those that `strict`
    forbids, by default every `lost` one.

    Example:
        >>> body = {"messages": [{"role": "user", "content": "Hi"}], "seed": 7}
        >>> try:
        ...     il.translate_request(body, "openai_chat", "claude", strict=True)
        ... except il.LossError as error:
        ...     print([loss.path for loss in error.offending])
        ['/seed']
    """

    def __init__(self, losses: Iterable[Any], offending: Iterable[Any] | None = None) -> None:
        self.losses = tuple(losses)
        chosen = (loss for loss in self.losses if loss.severity == "lost") if offending is None else offending
        self.offending = tuple(chosen)
        lost = [f"{loss.path or 'the top'} ({loss.concern})" for loss in self.offending]
        shown = ", ".join(lost[:3]) + (", ..." if len(lost) > 3 else "")
        others = len(self.losses) - len(lost)
        beside = f"; {others} other loss(es)" if others else ""
        super().__init__(f"{len(lost)} value(s) would be lost: {shown}{beside}")


class JsonDecodeError(InterlinguaError, ValueError):
    """Text or bytes are not valid JSON: `line` and `column` count from 1, `reason` says what is wrong there.

    Example:
        >>> try:
        ...     il.load_message('{"role": user}')
        ... except il.JsonDecodeError as error:
        ...     print(error.line, error.column)
        1 10
    """

    def __init__(self, reason: str, line: int = 1, column: int = 1) -> None:
        self.reason = reason
        self.line = line
        self.column = column
        super().__init__(f"not JSON: line {line}, column {column}: {reason}")


class FrameError(InterlinguaError, ValueError):
    r"""A byte stream holds an invalid frame: `frame` counts from 1, `reason` says what is wrong.

    Example:
        >>> from interlingua.frames import read_frames
        >>> try:
        ...     list(read_frames([b"data: \xff\n\n"], "sse"))
        ... except il.FrameError as error:
        ...     print(error.frame, error.reason)
        1 not JSON: the bytes are not UTF-8
    """

    def __init__(self, frame: int, reason: str) -> None:
        self.frame = frame
        self.reason = reason
        super().__init__(f"frame {frame}: {reason}")


class MigrationError(InterlinguaError, ValueError):
    """A stored document is not valid in its schema version: `version` is that version, `path` a JSON Pointer into it.

    Example:
        >>> try:
        ...     il.load_message({"type": "text", "schema_version": il.CURRENT, "data": {"role": "nobody"}})
        ... except il.MigrationError as error:
        ...     print(error.path)
        /data/role
    """

    def __init__(self, version: int, path: str, reason: str) -> None:
        self.version = version
        self.path = path
        self.reason = reason
        super().__init__(f"version {version}: at {path or 'the top'}: {reason}")


class _UnknownNameError(InterlinguaError, ValueError):
    """A name that is not in a list of known names."""

    kind = "name"
    listed_as = "known are"

    def __init__(self, name: object, known: Sequence[object], meant: Sequence[str] = ()) -> None:
        # Anything but a string is not a name, and may be a body: it is neither kept nor shown.
        is_name = name is None or isinstance(name, (int, float)) or (isinstance(name, str) and len(name) <= _LONGEST)
        self.name = name if is_name else f"of type {type(name).__name__}"
        self.known = tuple(known)
        self.suggestions = tuple(meant) or nearest(name, self.known)
        listed = ", ".join(str(one) for one in self.known)
        said = repr(name) if is_name else self.name
        super().__init__(f"unknown {self.kind} {said}{question(self.suggestions) or ';'} {self.listed_as}: {listed}")


class UnknownDialectError(_UnknownNameError):
    """There is no such dialect: `name` was given, `known` exist, `suggestions` are similar.

    Example:
        >>> try:
        ...     il.decode_request({}, "clade")
        ... except il.UnknownDialectError as error:
        ...     print(error.name, error.suggestions)
        clade ('claude',)
    """

    kind = "dialect"


class UnknownProfileError(_UnknownNameError):
    """The dialect has no such model family: `name` was given, `known` exist, besides "auto" and None.

    `suggestions` are similar names.

    Example:
        >>> try:
        ...     il.translate_request({"messages": []}, "openai_chat", "claude", profile="nothing")
        ... except il.UnknownProfileError as error:
        ...     print(error.name)
        nothing
    """

    kind = "profile"


class UnknownVersionError(_UnknownNameError):
    """There is no such schema version: `name` was given, `known` exist; `suggestions` is empty.

    Example:
        >>> try:
        ...     il.downgrade([], 99)
        ... except il.UnknownVersionError as error:
        ...     print(error.name, error.known[:2])
        99 (1, 2)
    """

    kind = "schema version"
    listed_as = "known are the numbers"


class UnknownConcernError(_UnknownNameError):
    """Not a valid value of `strict`: `name` was given, `known` exist, `suggestions` are similar.

    Example:
        >>> try:
        ...     il.translate_request({"messages": []}, "openai_chat", "claude", strict={"contents"})
        ... except il.UnknownConcernError as error:
        ...     print(error.name, error.suggestions)
        contents ('content',)
    """

    kind = "concern"


class UnknownTypeError(_UnknownNameError):
    """No union or shared object has this name: `name` was given, `known` exist.

    `suggestions` are similar names.

    Example:
        >>> try:
        ...     il.validate({}, union="parts")
        ... except il.UnknownTypeError as error:
        ...     print(error.name, error.suggestions)
        parts ('Part',)
    """

    kind = "type"


class DialectError(InterlinguaError):
    """The room of a dialect failed with an error that is not ours: a mistake in it, which no body is to blame for.

    `dialect` names the room, `operation` what it was asked for (`import` where it could not be loaded). The error
    itself is the `__cause__`; its text may hold content, this one does not.

    Example:
        >>> try:
        ...     raise il.DialectError("parley", "decode_request")
        ... except il.InterlinguaError as error:
        ...     print(error)
        parley: decode_request raised an error of its own
    """

    def __init__(self, dialect: str, operation: str) -> None:
        self.dialect = dialect
        self.operation = operation
        super().__init__(f"{dialect}: {operation} raised an error of its own")


class UnsupportedError(InterlinguaError):
    """A dialect does not have what it was asked for: `dialect` names it, `operation` what its room lacks.

    Example:
        >>> print(il.UnsupportedError("parley", "check_request"))
        parley does not support check_request
    """

    def __init__(self, dialect: str, operation: str) -> None:
        self.dialect = dialect
        self.operation = operation
        super().__init__(f"{dialect} does not support {operation}")
