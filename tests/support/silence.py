"""Values that a body need not contain: they are the default of a dialect, or are outside the body."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

# Codes of values that the body does not contain since nobody needs them there, or the URL of the request has them.
SAID_ELSEWHERE: Final = frozenset({"in_url", "local_id"})


def _count(usage: Mapping[str, Any], name: str) -> int:
    count = usage.get(name)
    return count if isinstance(count, int) else 0


# Defaults of the target: the member, and the value it must have had, given the object around it.
SAID_BY_SILENCE: Final[Mapping[str, Callable[[Any, Mapping[str, Any]], bool]]] = {
    "budget_tokens": lambda _tokens, _around: True,  # an effort or a switch is as exact as the target allows
    "detail": lambda word, _around: word == "auto",
    "display": lambda word, _around: word == "omitted",
    "is_error": lambda failed, _around: failed is False,
    "kind": lambda word, _around: word == "custom",
    "mode": lambda word, around: word in {"auto", "implicit", "enabled", "adaptive"} or "effort" in around,
    "strict": lambda strict, _around: strict is False,
    "total_tokens": lambda total, around: total == _count(around, "input_tokens") + _count(around, "output_tokens"),
    "type": lambda word, _around: word == "text",
}

# What dialects without such a setting always do.
_ONE_ANSWER: Final[dict[str, Any]] = {"n": 1}
_USUAL_SAMPLING: Final[dict[str, Any]] = {"temperature": 1, "top_p": 1}
_TEXT: Final[dict[str, Any]] = {"modalities": ["text"]}
_PLAIN: Final[dict[str, Any]] = {"response_format": {"type": "text"}}
_STATELESS: Final[dict[str, Any]] = {"store": False}
_PARALLEL: Final[dict[str, Any]] = {"parallel_tool_calls": True}
_COUNTING: Final[dict[str, Any]] = {"stream_usage": True}
_UNVEILED: Final[dict[str, Any]] = {"stream_obfuscation": False}
_NO_LOGPROBS: Final[dict[str, Any]] = {"logprobs": False, "top_logprobs": 0}
_USUAL_LENGTH: Final[dict[str, Any]] = {"verbosity": "medium"}
# Settings without effect, in dialects with and without them.
_WITHOUT_EFFECT: Final[Mapping[str, tuple[float, ...]]] = {
    "frequency_penalty": (0,),
    "presence_penalty": (0,),
    "repetition_penalty": (1,),
    "min_p": (0,),
    "top_k": (0, -1),
}
DONE_ANYWAY: Final[Mapping[str, Mapping[str, Any]]] = {
    "openai_chat": _USUAL_SAMPLING | _NO_LOGPROBS | _PARALLEL | _TEXT,  # some models refuse the setting
    "openai_responses": _USUAL_SAMPLING | _NO_LOGPROBS | _PARALLEL | _ONE_ANSWER | _TEXT | _COUNTING,
    "claude": _USUAL_SAMPLING | _NO_LOGPROBS | _PARALLEL | _ONE_ANSWER | _TEXT | _COUNTING | _STATELESS | _UNVEILED
    | _PLAIN | _USUAL_LENGTH,
    "gemini": _USUAL_SAMPLING | _NO_LOGPROBS | _PARALLEL | _COUNTING | _UNVEILED | _USUAL_LENGTH,
    "ollama": _PARALLEL | _ONE_ANSWER | _TEXT | _COUNTING | _STATELESS | _UNVEILED | _PLAIN | _USUAL_LENGTH,
    "vllm": _USUAL_SAMPLING | _TEXT | _STATELESS | _UNVEILED | _USUAL_LENGTH | {"top_logprobs": 0},
    "bedrock_converse": _NO_LOGPROBS | _PARALLEL | _ONE_ANSWER | _TEXT | _COUNTING | _STATELESS | _UNVEILED | _PLAIN
    | _USUAL_LENGTH,
}  # fmt: skip
# Dialects without tiers: there is only one tier.
_TIERLESS: Final = frozenset({"ollama", "vllm", "bedrock_converse"})


# Dialects that always follow the response schema, and those that show no thinking unless asked to.
ALWAYS_STRICT: Final = frozenset({"claude", "gemini", "ollama", "bedrock_converse"})
_SHOWS_NOTHING: Final = frozenset({"openai_chat", "openai_responses"})


# Texts that count even if they are empty; other empty settings are not sent.
_KEPT_IF_EMPTY: Final = frozenset({"id", "model"})


def is_done_anyway(name: str, value: Any, dialect: str) -> bool:
    """Return whether a setting asks for the default behaviour of a dialect."""
    known = DONE_ANYWAY[dialect]
    if name in _WITHOUT_EFFECT:
        return value in _WITHOUT_EFFECT[name] and not isinstance(value, bool)
    if name == "service_tier":
        return dialect in _TIERLESS and value in ("auto", "default", "on_demand")
    return name in known and (type(value) is not str or name == "verbosity") and bool(value == known[name])


def is_unsaid(path: Sequence[str | int], request: Mapping[str, Any], dialect: str) -> bool:
    """Return whether the value at a path need not be in a dialect's body."""
    if tuple(path) == ("reasoning", "display"):
        return dialect in _SHOWS_NOTHING and request["reasoning"]["display"] == "omitted"
    return is_done_anyway(str(path[0]), request[str(path[0])], dialect)


def is_idle(path: Sequence[str | int], request: Mapping[str, Any], dialect: str) -> bool:
    """Return whether a value has no effect: for example, because no tool may be called."""
    if path[:1] == ("parallel_tool_calls",):
        return not request.get("tools") or request.get("tool_choice", {}).get("mode") == "none"
    if path[:1] == ("logprobs",):
        return request["logprobs"] is True and bool(request.get("top_logprobs"))  # who wants the likeliest wants them
    if path[:1] == ("top_k",):
        return request["top_k"] in (0, -1)  # no limit, as elsewhere without the setting
    if path[:1] == ("tool_choice",):
        return not request.get("tools") and request["tool_choice"]["mode"] in {"auto", "none"}
    return path == ("response_format", "strict") and "schema" in request["response_format"] and dialect in ALWAYS_STRICT


def without_done_anyway(request: Mapping[str, Any], dialect: str, *, has_tools: bool) -> dict[str, Any]:
    """Return a request without the settings that ask for the default behaviour of a dialect.

    `has_tools`: whether the body declares tools: without any, no tool is called, neither in sequence nor in parallel.
    """
    left_out = {name for name, value in request.items() if value == "" and name not in _KEPT_IF_EMPTY}
    left_out |= {name for name, value in request.items() if is_done_anyway(name, value, dialect)}
    choice = request.get("tool_choice", {})
    mode = choice.get("mode") if isinstance(choice, dict) else None
    if not has_tools:
        left_out |= {"parallel_tool_calls"} | ({"tool_choice"} if mode in {"auto", "none"} else set())
    elif mode == "none":
        left_out.add("parallel_tool_calls")
    kept = {name: value for name, value in request.items() if name not in left_out}
    if dialect in ALWAYS_STRICT and "schema" in kept.get("response_format", {}):
        kept["response_format"] = {key: said for key, said in kept["response_format"].items() if key != "strict"}
    if dialect in _SHOWS_NOTHING and kept.get("reasoning", {}).get("display") == "omitted":
        kept["reasoning"] = {key: said for key, said in kept["reasoning"].items() if key != "display"}
    return {name: value for name, value in kept.items() if name != "reasoning" or value}


# Dialects that show their thinking by default.
SHOWS_THINKING: Final = frozenset({"ollama", "vllm"})
