"""What a body says by saying nothing: values that are the default of a dialect, or stand outside the body."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

# Codes of what the body does not say since nobody needs it there, or the address of the request says it.
SAID_ELSEWHERE: Final = frozenset({"in_url", "local_id"})


def _count(usage: Mapping[str, Any], name: str) -> int:
    count = usage.get(name)
    return count if isinstance(count, int) else 0


# What the target says by saying nothing: the member, and what it must have been, given the object around it.
SAID_BY_SILENCE: Final[Mapping[str, Callable[[Any, Mapping[str, Any]], bool]]] = {
    "budget_tokens": lambda _tokens, _around: True,  # an effort or a switch says as much as the target can
    "detail": lambda word, _around: word == "auto",
    "display": lambda word, _around: word == "omitted",
    "is_error": lambda failed, _around: failed is False,
    "kind": lambda word, _around: word == "custom",
    "logprobs": lambda wanted, _around: wanted is False,
    "modalities": lambda made_of, _around: made_of == ["text"],
    "mode": lambda word, around: word in {"auto", "implicit", "enabled", "adaptive"} or "effort" in around,
    "parallel_tool_calls": lambda parallel, _around: parallel is True,
    "service_tier": lambda word, _around: word in {"auto", "default"},
    "store": lambda stored, _around: stored is False,
    "stream_usage": lambda wanted, _around: wanted is True,
    "strict": lambda strict, _around: strict is False,
    "temperature": lambda degree, _around: degree == 1,
    "top_p": lambda share, _around: share == 1,
    "total_tokens": lambda total, around: total == _count(around, "input_tokens") + _count(around, "output_tokens"),
    "type": lambda word, _around: word == "text",
}

# Dialects that show what was thought unless they are told otherwise.
SHOWS_THINKING: Final = frozenset({"ollama", "vllm"})
