"""Canonical to Responses: the response that stands in the first and the last frames of a stream."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.dialects.openai_responses.encode_answer import encode_finish
from interlingua.dialects.openai_responses.finish import said_reason

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.dialects._shared.stream import Event
    from interlingua.dialects._shared.target import Target

_MEMBERS: Final = (("id", "id"), ("model", "model"), ("created", "created_at"))


def begun_response(event: Event, echo: Mapping[str, Any]) -> dict[str, Any]:
    """Return the response as it is when the stream begins; `echo` is what repeats the request."""
    out: dict[str, Any] = {"object": "response", "status": "in_progress", "error": None, "incomplete_details": None}
    for name, wire in _MEMBERS:
        if name in event:
            out[wire] = event[name]
    return {**echo, **out, "output": [], "usage": None}


def ended_response(
    begun: Mapping[str, Any], output: list[dict[str, Any]], finish: Event | None, usage: Any, to: Target
) -> dict[str, Any]:
    """Return the response as it is when the stream ends; `usage` is as it is written."""
    out: dict[str, Any] = {**begun, "output": output, "error": None, "incomplete_details": None}
    if usage is not None:
        out["usage"] = usage
    said: dict[str, Any] = {}
    if finish is not None:
        said["finish_reason"] = finish["reason"]
        if "raw" in finish:
            said["finish_reason_raw"] = finish["raw"]
        if "stop_sequence" in finish:
            to.log.lost("finish_reason", "/stop_sequence", "the stop word is not told")
    encode_finish(out, said, said_reason(output), {}, to)  # type: ignore[arg-type]  # the members of a response that say why it ended
    return out
