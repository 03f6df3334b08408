"""Settings that a dialect has no member for: what it does anyway is no more than another way to say it."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.loss import LossLog

# What a dialect that does not have the setting does in any case: it stores nothing, answers in text, ...
_ASSUMED: Final[Mapping[str, tuple[Any, ...]]] = MappingProxyType({
    "store": (False,),
    "modalities": (["text"],),
    "service_tier": ("auto", "default"),
    "stream_usage": (True,),
})  # fmt: skip


def report_setting(name: str, value: Any, log: LossLog, detail: str = "") -> None:
    """Note a setting of a request that has no place, as lost unless the dialect does so anyway."""
    if value in _ASSUMED.get(name, ()):
        log.changed("setting", f"/{name}", "the dialect does so anyway")
    else:
        log.lost("setting", f"/{name}", detail or f"the dialect has no {name}")


# What the setting of how long to keep a cached prefix may say.
_RETENTIONS: Final = frozenset({"in_memory", "24h"})


def drop_refused_settings(out: dict[str, Any], log: LossLog) -> None:
    """Drop what OpenAI refuses of the settings that both of its dialects have under one name."""
    if out.get("prompt_cache_retention", "24h") not in _RETENTIONS:
        del out["prompt_cache_retention"]
        log.lost("setting", "/prompt_cache_retention", "the dialect has other words")
    if "moderation" in out and type(out["moderation"].get("model")) is not str:
        del out["moderation"]
        log.lost("setting", "/moderation", "what moderates is a model")


def nearest_word(
    name: str, word: str, words: Mapping[str, str], nearest: Mapping[str, str], log: LossLog
) -> str | None:
    """Return how a dialect writes a word, or the nearest that it has; None, and a loss, for no word."""
    if word in words:
        return words[word]
    if word in nearest:
        log.changed("setting", f"/{name}", "the nearest word is taken")
        return words[nearest[word]]
    log.lost("setting", f"/{name}", "the dialect has other words")
    return None
