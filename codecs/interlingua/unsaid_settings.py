"""Leaves out settings without a meaning, which servers refuse."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

if TYPE_CHECKING:
    from collections.abc import Sequence

    from interlingua.loss import LossLog
    from interlingua.model_shapes import ChatRequest

__all__ = ["without_unsaid_settings"]

_KEPT_IF_EMPTY: Final = frozenset({"messages", "cache", "model"})


def without_unsaid_settings(request: ChatRequest, log: LossLog) -> ChatRequest:
    """Return a request without empty settings, a limit of -1, and stop sequences that are empty or repeated.

    A server that accepts only a few stop sequences counts those as well.
    """
    stops = request.get("stop", ())
    if stops and ("" in stops or len({*stops}) < len(stops)):
        request = cast("ChatRequest", {**request, "stop": _distinct_stops(stops, log)})
    unsaid = [
        name for name, value in request.items() if not value and value in ([], {}, "") and name not in _KEPT_IF_EMPTY
    ]
    if request.get("max_tokens", 1) < 1:
        log.lost("setting", "/max_tokens", "a limit below 1 is no limit")
        unsaid.append("max_tokens")
    if not unsaid:
        return request  # nearly always
    return cast("ChatRequest", {name: value for name, value in request.items() if name not in unsaid})


def _distinct_stops(stops: Sequence[str], log: LossLog) -> list[str]:
    kept: dict[str, None] = {}
    gone: list[int] = []
    for at, text in enumerate(stops):
        if not text:
            log.lost("setting", f"/stop/{at}", "an empty stop sequence stops nothing")
        elif text in kept:
            log.changed("setting", f"/stop/{at}", "a repeated stop sequence was left out")
        else:
            kept[text] = None
            continue
        gone.append(at)
    log.left_out("/stop", gone)
    return [*kept]
