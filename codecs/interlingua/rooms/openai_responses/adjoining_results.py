"""Put calls side by side and their results directly behind them, for hosts that pair them by their places.

DeepSeek makes one assistant message of adjacent items, and refuses a call whose result does not follow that message
("No tool output found for tool call"). Source: docs/families.md, `call_results adjoin`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

_CALLS: Final = frozenset({"function_call", "custom_tool_call"})
_RESULTS: Final = frozenset({"function_call_output", "custom_tool_call_output"})


def with_adjoining_results(items: Sequence[Any]) -> list[Any]:
    """Return the items of an input with the results of adjoining calls directly behind these.

    Reasoning and answers among them go before the calls, and everything else behind the results. Calls without a result
    stay where they are.
    """
    last = {_id_of(item): at for at, item in enumerate(items) if _kind_of(item) in _RESULTS}
    out: list[Any] = []
    at = 0
    while at < len(items):
        if _kind_of(items[at]) in _CALLS and last.get(_id_of(items[at]), -1) > at:
            at = _take_batch(items, at, last, out)
        else:
            out.append(items[at])
            at += 1
    return out


def _take_batch(items: Sequence[Any], first: int, last: dict[str, int], out: list[Any]) -> int:
    """Append the calls from `first` on that are open together, with their results; return the index behind them."""
    answers: list[Any] = []
    calls: list[Any] = []
    results: list[Any] = []
    others: list[Any] = []
    open_ids: set[str] = set()
    at = first
    while at == first or open_ids:
        item, kind = items[at], _kind_of(items[at])
        if kind in _CALLS and last.get(_id_of(item), -1) > at:
            calls.append(item)
            open_ids.add(_id_of(item))
        elif kind in _RESULTS and _id_of(item) in open_ids:
            results.append(item)
            if last[_id_of(item)] == at:
                open_ids.remove(_id_of(item))
        elif kind == "reasoning" or (type(item) is dict and item.get("role") == "assistant"):
            answers.append(item)
        else:
            others.append(item)
        at += 1
    out += [*answers, *calls, *results, *others]
    return at


def _kind_of(item: Any) -> Any:
    return item.get("type") if type(item) is dict else None


def _id_of(item: Any) -> str:
    identifier = item.get("call_id")
    return identifier if type(identifier) is str else ""
