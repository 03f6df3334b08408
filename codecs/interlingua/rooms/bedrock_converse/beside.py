"""What Claude's models say beside an answer of Converse, where the request asks for it.

Converse itself counts no thoughts, and does not say which stop text ended an answer. The models do: what they say of it
comes back in `additionalModelResponseFields`. Source: docs/wire/bedrock_converse.md, sections 1.5 and 2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.pointers import value_at
from interlingua.rooms._shared.claude_thinking import ON
from interlingua.rooms.bedrock_converse.tables import DIALECT
from interlingua.rooms.bedrock_converse.thinking import FIELDS
from interlingua.spi.extra import NOTHING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.loss import LossLog

PATHS: Final = "additionalModelResponseFieldPaths"
BESIDE: Final = "additionalModelResponseFields"
# Where the models say the count of their thoughts, and the stop text in whole answers and in streams.
_THOUGHTS: Final = ("usage", "output_tokens_details", "thinking_tokens")
_STOPS: Final = (("stop_sequence",), ("delta", "stop_sequence"))
_THINKING: Final = ON | {"between_tools"}


def ask_beside(out: dict[str, Any], facts: Mapping[str, Any], log: LossLog) -> None:
    """Ask a model of Claude's for the count of its thoughts, and for the stop text that ends its answer."""
    mode = out.get(FIELDS, NOTHING).get("thinking", NOTHING).get("type")
    paths = []
    if mode in _THINKING or (mode is None and facts.get("thinks_unasked")):
        paths.append("/" + "/".join(_THOUGHTS[:-1]))
    if out.get("inferenceConfig", NOTHING).get("stopSequences"):
        paths += ["/" + "/".join(way) for way in _STOPS]
    if paths:
        out[PATHS] = paths
        log.filled(f"/extra/{DIALECT}/fields/{PATHS}", "Converse returns it only on request")


def read_stop(said: Any) -> dict[str, str]:
    """Return the stop text that a model says beside its answer, if any."""
    texts = [text for way in _STOPS if type(text := value_at(said, way)) is str]
    return {"stop_sequence": texts[0]} if texts else {}


def read_thoughts(said: Any) -> dict[str, int]:
    """Return the count of thoughts that a model says beside its answer, if any."""
    count = value_at(said, _THOUGHTS)
    return {"reasoning_tokens": count} if type(count) is int else {}


def write_beside(response: Mapping[str, Any]) -> dict[str, Any]:
    """Return the member of a whole answer at home that says a stop text and a count of thoughts; nothing for none."""
    said = {name: response[name] for name in ("stop_sequence",) if name in response}
    usage = response.get("usage", NOTHING)
    if "reasoning_tokens" in usage:
        said["usage"] = {"output_tokens_details": {"thinking_tokens": usage["reasoning_tokens"]}}
    return {BESIDE: said} if said else {}


def write_beside_stream(end: Mapping[str, Any]) -> dict[str, Any]:
    """Return the member of the end of a stream at home that says a stop text; nothing for none."""
    return {BESIDE: {"delta": {"stop_sequence": end["stop_sequence"]}}} if "stop_sequence" in end else {}
