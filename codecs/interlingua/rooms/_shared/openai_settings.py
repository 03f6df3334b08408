"""Settings that are alike in OpenAI's two dialects: cache options, and those with a limited range of values.

Source: docs/wire/openai_chat.md, section 1.5.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from interlingua.rooms._shared.cache_marks import lifetime
from interlingua.rooms._shared.rule_helpers import object_of
from interlingua.rooms._shared.writing import nearest_tier

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.loss import LossLog
    from interlingua.rooms._shared.writing import Target

# In model names of gateways, it separates provider and model.
GATEWAY: Final = "/"
# Accepted lifetimes of a cache mark.
CACHE_TIMES: Final = frozenset({"30m", "12h"})
CACHE_MODES: Final = frozenset({"implicit", "explicit"})


def write_cache_options(out: dict[str, Any], value: Any, to: Target) -> None:
    """Write the cache options of a request."""
    if not to.home and value.get("mode", "implicit") not in CACHE_MODES:
        to.log.lost("cache", "/cache", "the target has other cache modes")
        return
    options = {"mode": value["mode"]} if "mode" in value else {}
    if not options and not to.home:
        options = {"mode": "implicit"}
        to.log.filled("/cache/mode", "cache settings need a mode")
    lasting = {"ttl": value["ttl"]} if "ttl" in value else {}
    out["prompt_cache_options"] = {**options, **encode_time(lasting, "/cache", to)}


def encode_time(mark: Any, path: str, to: Target) -> dict[str, Any]:
    """Return the time to live of a cache mark, if OpenAI has it."""
    if "mode" in mark:
        to.log.lost("cache", f"{path}/mode", "a cache mode can only be set for a whole request")
    return lifetime(mark, path, CACHE_TIMES, to)


BREAKPOINT: Final = "prompt_cache_breakpoint"
MARKED_AT_END: Final = "a result has its cache mark on its last part"


def cache_breakpoint(mark: Any, path: str, to: Target) -> dict[str, Any]:
    """Return the cache mark of a part."""
    return {"mode": "explicit", **encode_time(mark, path, to)}


def can_be_marked(content: Any) -> bool:
    """Tell whether a written result has a last part that says something, which a cache mark may stand on."""
    return bool(content) and (type(content) is str or content[-1].get("text") != "")


def with_mark_at_end(parts: list[Any], mark: Any, path: str, to: Target) -> list[Any]:
    """Return the parts of a written result with its cache mark on the last one; one that stands there stays."""
    *others, last = parts
    to.log.changed("cache", path, MARKED_AT_END)
    return parts if BREAKPOINT in last else [*others, {**last, BREAKPOINT: cache_breakpoint(mark, path, to)}]


# Ranges of numeric settings.
LIMITS: Final[Mapping[str, tuple[float, float]]] = MappingProxyType({
    "temperature": (0, 2),
    "top_p": (0, 1),
    "frequency_penalty": (-2, 2),
    "presence_penalty": (-2, 2),
    "n": (1, 128),
    "top_logprobs": (0, 20),
})  # fmt: skip
# Values of `prompt_cache_retention`.
_RETENTIONS: Final = frozenset({"in_memory", "24h"})


def drop_beyond_limits(out: dict[str, Any], log: LossLog) -> None:
    """Drop numbers that are outside OpenAI's ranges."""
    for name in [name for name in out if name in LIMITS]:
        least, most = LIMITS[name]
        value: Any = out[name]  # a member kept in `extra` may be anything
        if (type(value) is int or type(value) is float) and not least <= value <= most:
            del out[name]
            log.lost("setting", f"/{name}", f"the target accepts {least} to {most}")


def drop_refused_settings(out: dict[str, Any], log: LossLog) -> None:
    """Drop values that OpenAI refuses of settings that both of its dialects have."""
    retention: Any = out.get("prompt_cache_retention", "24h")
    if type(retention) is not str or retention not in _RETENTIONS:
        del out["prompt_cache_retention"]
        log.lost("setting", "/prompt_cache_retention", "the target does not have this value")
    if "moderation" in out and type(object_of(out, "moderation").get("model")) is not str:
        del out["moderation"]
        log.lost("setting", "/moderation", "moderation needs a model")


def write_service_tier(out: dict[str, Any], words: Mapping[str, str], nearest: Mapping[str, str], log: LossLog) -> None:
    """Replace the service tier by the dialect's word for it, or by the nearest one; drop it if there is none."""
    if "service_tier" not in out:
        return
    word = nearest_tier(out["service_tier"], words, nearest, log)
    if word is None:
        del out["service_tier"]
    else:
        out["service_tier"] = word
