"""`additionalModelResponseFields`: thinking tokens and stop sequence of Claude models, where a request asks for them.

Converse itself neither counts thinking tokens nor says which stop sequence ended an answer. Claude models do, and their
own response members come back there. Source: docs/wire/bedrock_converse.md, sections 1.5 and 2.
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
ADDITIONAL_FIELDS: Final = "additionalModelResponseFields"
# Where Claude reports its thinking tokens, and the stop sequence in whole responses and in streams.
_THOUGHTS: Final = ("usage", "output_tokens_details", "thinking_tokens")
_STOPS: Final = (("stop_sequence",), ("delta", "stop_sequence"))
_THINKING: Final = ON | {"between_tools"}


def ask_for_additional_fields(out: dict[str, Any], facts: Mapping[str, Any], log: LossLog) -> None:
    """Ask a Claude model for its thinking tokens, and for the stop sequence that ends its answer."""
    mode = out.get(FIELDS, NOTHING).get("thinking", NOTHING).get("type")
    paths = []
    if mode in _THINKING or (mode is None and facts.get("thinks_unasked")):
        paths.append("/" + "/".join(_THOUGHTS[:-1]))
    if out.get("inferenceConfig", NOTHING).get("stopSequences"):
        paths += ["/" + "/".join(way) for way in _STOPS]
    if paths:
        out[PATHS] = paths
        log.filled(f"/extra/{DIALECT}/fields/{PATHS}", "Converse returns it only on request")


def read_stop_sequence(said: Any) -> dict[str, str]:
    """Return the stop sequence in the additional response fields, if any."""
    texts = [text for way in _STOPS if type(text := value_at(said, way)) is str]
    return {"stop_sequence": texts[0]} if texts else {}


def read_thinking_tokens(said: Any) -> dict[str, int]:
    """Return the thinking tokens in the additional response fields, if any."""
    count = value_at(said, _THOUGHTS)
    return {"reasoning_tokens": count} if type(count) is int else {}


def write_additional_fields(response: Mapping[str, Any]) -> dict[str, Any]:
    """Return the additional response fields of a whole response at home; empty if there are none."""
    said = {name: response[name] for name in ("stop_sequence",) if name in response}
    usage = response.get("usage", NOTHING)
    if "reasoning_tokens" in usage:
        said["usage"] = {"output_tokens_details": {"thinking_tokens": usage["reasoning_tokens"]}}
    return {ADDITIONAL_FIELDS: said} if said else {}


def write_additional_fields_of_stream(end: Mapping[str, Any]) -> dict[str, Any]:
    """Return the additional response fields at the end of a stream at home; empty if there are none."""
    return {ADDITIONAL_FIELDS: {"delta": {"stop_sequence": end["stop_sequence"]}}} if "stop_sequence" in end else {}
