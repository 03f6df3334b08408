"""Signatures of Gemini's that a message of Chat Completions carries, in its calls or beside what it says.

They stand in the canonical message where Gemini's own do, so that they reach Gemini in place, and go back to where they
came from at home. Source: https://ai.google.dev/gemini-api/docs/thought-signatures, "OpenAI compatibility".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from interlingua.rooms._shared.extra import NOTHING, merge_extra, own_extra, own_spelling

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.rooms._shared.writing import Target

CARRIER: Final = "extra_content"
SIGNATURES: Final = "signatures"  # the note on spelling
_PROVIDER: Final = "google"
_SIGNATURE: Final = "thought_signature"
_MAKER: Final = "gemini"
_STATE: Final = "thought_signatures"
_CONTENT: Final = "/content"


def read_signatures(message: dict[str, Any], dialect: str) -> None:
    """Move the signatures that an assistant message and its calls carry to where Gemini's stand.

    The message has just been made. A signature beside a content that is no text has no place and stays where it is.
    """
    signed: list[dict[str, str]] = []
    if "extra" in message and "content" in message:
        _take(message, dialect, _CONTENT, signed)
    older = own_spelling(message, dialect).get("call") == "function_call"  # it carries none
    for at, call in enumerate(() if older else message.get("tool_calls", ())):
        if "extra" in call:
            _take(call, dialect, f"/tool_calls/{at}", signed)
    if signed:
        extra = message.setdefault("extra", {})
        extra.setdefault(dialect, {}).setdefault("spelling", {})[SIGNATURES] = CARRIER
        extra[_MAKER] = {_STATE: signed}


def _take(value: dict[str, Any], dialect: str, place: str, signed: list[dict[str, str]]) -> None:
    """Take the signature out of what a value keeps; nothing is left of an object that held it alone."""
    bag = value["extra"].get(dialect, NOTHING)
    fields = bag.get("fields", NOTHING)
    signature = _carried(fields)
    if not signature:
        return
    signed.append({"at": place, "signature": signature})
    carrier = fields[CARRIER]
    provider = {name: held for name, held in carrier[_PROVIDER].items() if name != _SIGNATURE}
    carrier = {name: provider if name == _PROVIDER else held for name, held in carrier.items()}
    if not provider:
        del carrier[_PROVIDER]
    if carrier:
        fields[CARRIER] = carrier
        return
    del fields[CARRIER]
    if not fields:
        del bag["fields"]
    if not bag:
        del value["extra"][dialect]
    if not value["extra"]:
        del value["extra"]


def _carried(wire: Mapping[str, Any]) -> str:
    """Return the signature that a wire object carries, empty where there is none."""
    held: Any = wire.get(CARRIER)
    for name in (_PROVIDER, _SIGNATURE):
        held = cast("dict[str, Any]", held).get(name) if type(held) is dict else None
    return held if type(held) is str else ""


def write_signatures(out: dict[str, Any], message: Mapping[str, Any], path: str, to: Target) -> dict[str, Any]:
    """Write Gemini's signatures to where they came from; return the message without them.

    Those of places that are gone are lost.
    """
    bag = own_extra(message, _MAKER)
    holders = _holders(out)
    for number, one in enumerate(bag.get(_STATE, ())):
        holder = holders.get(one["at"])
        if holder is not None:
            merge_extra(holder, {CARRIER: {_PROVIDER: {_SIGNATURE: one["signature"]}}})
        if holder is None or _carried(holder) != one["signature"]:
            to.log.lost("provider_state", f"{path}/extra/{_MAKER}/{_STATE}/{number}", "what it belongs to is gone")
    others = {name: held for name, held in bag.items() if name != _STATE}
    return {**message, "extra": {**message["extra"], _MAKER: others}}


def _holders(out: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the wire objects that may carry a signature by their places: the message, and each of its calls."""
    calls: list[dict[str, Any]] = out.get("tool_calls", [])
    holders = {f"/tool_calls/{at}": call for at, call in enumerate(calls)}
    return {_CONTENT: out, **holders} if "content" in out else holders
