"""Calls the library of a checkout, under whichever names that checkout has.

Public names come first where they cost nothing; the others are internal functions below them that build no models. A
name that differs between commits gets its second location here.
"""

from __future__ import annotations

import importlib
from functools import cache
from typing import Any


@cache
def _found(*places: str) -> Any:
    """Return the first existing one of `module:name`.

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
    """Return the names of the dialects of the checkout."""
    return tuple(_found("interlingua.registry:dialects", "interlingua:dialects")())


def decode(kind: str, body: Any, dialect: str) -> Any:
    """Return the canonical value of a request or a response, as plain JSON."""
    return _found(f"interlingua.translation:decode_canonical_{kind}")(body, dialect)


def encode(kind: str, canonical: Any, dialect: str) -> Any:
    """Return the encoded form of a plain canonical value, which is known to be valid."""
    if kind == "request":
        return _found("interlingua.translation:encode_canonical_request")(canonical, dialect, False, None, None, None)
    return _found("interlingua.translation:encode_canonical_response")(canonical, dialect, strict=False)


def translate(kind: str, body: Any, source: str, target: str) -> Any:
    """Return the translation of a request or response body to another dialect."""
    return _found(f"interlingua:translate_{kind}")(body, source, target)


def encode_checked(kind: str, value: Any, dialect: str) -> Any:
    """Return the encoded form of a value that may not be canonical."""
    return _found(f"interlingua:encode_{kind}")(value, dialect)


def check(body: Any, dialect: str) -> Any:
    """Return the violations of a request."""
    return _found("interlingua:check_request")(body, dialect)


def repair(canonical: Any, dialect: str) -> Any:
    """Return a plain canonical request repaired for a dialect, and the repairs."""
    return _found("interlingua.chat.repair:repair_plain_request")(canonical, dialect)


def stream_decoder(dialect: str) -> Any:
    """Return a decoder of a stream to plain events."""
    return _found("interlingua.streaming:EventDecoder")(dialect)


def stream_encoder(dialect: str) -> Any:
    """Return an encoder of a stream of plain events."""
    return _found("interlingua.streaming:EventEncoder")(dialect)


def checked_stream_encoder(dialect: str) -> Any:
    """Return an encoder of a stream of events that may not be canonical."""
    return _found("interlingua:StreamEncoder")(dialect)


def translated_stream(frames: Any, source: str, target: str) -> Any:
    """Return the translated frames of a stream, encoded lazily."""
    return _found("interlingua:translate_stream")(frames, source, target)


def collect(events: Any) -> Any:
    """Return the plain canonical response made of plain events."""
    return _found("interlingua.streaming:gather", "interlingua.streaming:collect_plain")(events)


def collect_checked(events: Any) -> Any:
    """Return the plain canonical response made of events that may not be canonical."""
    return _found("interlingua.model_json:plain_json", "interlingua.plain:plain_json")(
        _found("interlingua:collect")(events)
    )
