"""The checks of a fuzzing session: each input must give a value that round-trips, or one documented error."""

# JSON of any shape: narrowing leaves the member types unknown.
# pyright: reportUnknownMemberType=none, reportUnknownArgumentType=none, reportUnknownVariableType=none
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal, get_args

from interlingua.errors import DecodeError
from interlingua.loss import LossLog
from interlingua.registry import dialects, room

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Kind = Literal["request", "response", "stream", "check"]
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
DIALECTS: Final = dialects()


class BrokenLawError(Exception):
    """An input was accepted but does not round-trip, or was refused without a path."""


def judge(dialect: str, kind: Kind, value: Any) -> bool:
    """Decode a value; return whether it was accepted. Raises everything that is not a documented error."""
    try:
        _JUDGES[kind](dialect, value)
    except DecodeError as error:
        if error.dialect != dialect or (error.path and not error.path.startswith("/")) or not error.reason:
            message = "an error without its facts"
            raise BrokenLawError(message) from error
        return False
    return True


def _judge_request(dialect: str, body: Any) -> None:
    speaker = room(dialect)
    log = LossLog()
    _compare(body, speaker.encode_request(speaker.decode_request(body), log))


def _judge_response(dialect: str, body: Any) -> None:
    speaker = room(dialect)
    log = LossLog()
    _compare(body, speaker.encode_response(speaker.decode_response(body), log))


def _judge_stream(dialect: str, frames: Any) -> None:
    speaker = room(dialect)
    reader, writer = speaker.decode_stream(), speaker.encode_stream(LossLog())
    if type(frames) is not list:
        frames = [frames]
    events = [event for frame in frames for event in reader.feed(frame)]
    events.extend(reader.close())
    _compare(frames, [frame for event in events for frame in writer.feed(event)])


def _judge_check(dialect: str, body: Any) -> None:
    room(dialect).check_request(body)


_JUDGES: Final[Mapping[Kind, Callable[[str, Any], None]]] = {
    "request": _judge_request,
    "response": _judge_response,
    "stream": _judge_stream,
    "check": _judge_check,
}


def _compare(came: Any, goes: Any) -> None:
    if came != goes:
        message = "it does not come back as it was"
        raise BrokenLawError(message)
