"""What a checkout's library is called by, under whichever name that checkout has it.

Public names come first where they cost nothing; the others are those that build no models, which the public ones rest
on. A name that moves from one commit to another gets its second place here.
"""

from __future__ import annotations

import importlib
from functools import cache
from typing import Any


@cache
def _found(*places: str) -> Any:
    """Return the first of `module:name` that is there.

    Raises:
        LookupError: the checkout has none of them.
    """
    for place in places:
        module, _, name = place.partition(":")
        try:
            return getattr(importlib.import_module(module), name)
        except (ImportError, AttributeError):
            continue
    raise LookupError(f"the library has none of: {', '.join(places)}")


def dialects() -> tuple[str, ...]:
    """Return the names of the dialects that the checkout speaks."""
    return tuple(_found("interlingua.registry:dialects", "interlingua:dialects")())


def decode(kind: str, body: Any, dialect: str) -> Any:
    """Return the canonical value of a request or a response, as plain JSON."""
    return _found(f"interlingua.translation:decode_canonical_{kind}")(body, dialect)


def encode(kind: str, canonical: Any, dialect: str) -> Any:
    """Return what a plain canonical value, which is known to be one, is in a dialect."""
    if kind == "request":
        return _found("interlingua.translation:encode_canonical_request")(canonical, dialect, False, None, None, None)
    return _found("interlingua.translation:encode_canonical_response")(canonical, dialect, strict=False)


def translate(kind: str, body: Any, source: str, target: str) -> Any:
    """Return what the body of a request or a response is in another dialect."""
    return _found(f"interlingua:translate_{kind}")(body, source, target)


def encode_checked(kind: str, value: Any, dialect: str) -> Any:
    """Return what a value that may not be canonical is in a dialect."""
    return _found(f"interlingua:encode_{kind}")(value, dialect)


def check(body: Any, dialect: str) -> Any:
    """Return what a dialect would refuse of a request."""
    return _found("interlingua:check_request")(body, dialect)


def repair(canonical: Any, dialect: str) -> Any:
    """Return a plain canonical request mended for a dialect, and the repairs."""
    return _found("interlingua.chat.repair:repair_plain_request")(canonical, dialect)


def stream_decoder(dialect: str) -> Any:
    """Return what reads a stream as plain events."""
    return _found("interlingua.streaming:EventDecoder")(dialect)


def stream_encoder(dialect: str) -> Any:
    """Return what writes a stream of plain events."""
    return _found("interlingua.streaming:EventEncoder")(dialect)


def checked_stream_encoder(dialect: str) -> Any:
    """Return what writes a stream of events that may not be canonical."""
    return _found("interlingua:StreamEncoder")(dialect)


def translated_stream(frames: Any, source: str, target: str) -> Any:
    """Return the frames of a stream in another dialect, written as they are asked for."""
    return _found("interlingua:translate_stream")(frames, source, target)


def collect(events: Any) -> Any:
    """Return the plain canonical response that plain events make."""
    return _found("interlingua.streaming:gather", "interlingua.streaming:collect_plain")(events)


def collect_checked(events: Any) -> Any:
    """Return the plain canonical response of events that may not be canonical."""
    return _found("interlingua.model_json:plain_json", "interlingua.plain:plain_json")(
        _found("interlingua:collect")(events)
    )
