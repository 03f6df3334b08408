"""Settings that a dialect has no member for: one that asks for what it does anyway is kept, and no loss."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.loss import LossLog

# What a dialect does where a request does not say it: a setting -> its values that need not be said.
Unsaid: TypeAlias = "Mapping[str, tuple[Any, ...]]"


# Settings that say something by being there, however empty.
_MARKS: Final = frozenset({"cache", "user", "safety_identifier"})
_NOTHING: Final[tuple[Any, ...]] = ("", [], {})


def report_setting(name: str, value: Any, unsaid: Unsaid, log: LossLog, detail: str = "") -> None:
    """Note a setting of a request that has no place as lost, unless the dialect does so anyway."""
    if not (value in unsaid.get(name, ()) or (name not in _MARKS and value in _NOTHING)):
        log.lost("setting", f"/{name}", detail or f"the target has no {name}")


def may_call(request: Mapping[str, Any]) -> bool:
    """Tell whether any tool may be called: without, nothing is said by how many at once."""
    choice: Mapping[str, Any] | None = request.get("tool_choice")
    return bool(request.get("tools")) and (choice is None or choice["mode"] != "none")


def report_choice(choice: Mapping[str, Any] | None, log: LossLog) -> None:
    """Note a choice among tools where none is offered; without any, none is called, as `auto` and `none` have it."""
    if choice is not None and choice["mode"] not in {"auto", "none"}:
        log.lost("setting", "/tool_choice", "tool_choice needs tools")


# What the setting of how long to keep a cached prefix may say.
_RETENTIONS: Final = frozenset({"in_memory", "24h"})


def drop_refused_settings(out: dict[str, Any], log: LossLog) -> None:
    """Drop what OpenAI refuses of the settings that both of its dialects have under one name."""
    if out.get("prompt_cache_retention", "24h") not in _RETENTIONS:
        del out["prompt_cache_retention"]
        log.lost("setting", "/prompt_cache_retention", "the target has other words")
    if "moderation" in out and type(out["moderation"].get("model")) is not str:
        del out["moderation"]
        log.lost("setting", "/moderation", "moderation names a model, and nothing else can be said")


def nearest_word(
    name: str, word: str, words: Mapping[str, str], nearest: Mapping[str, str], log: LossLog
) -> str | None:
    """Return how a dialect writes a word, or the nearest that it has; None, and a loss, for no word."""
    if word in words:
        return words[word]
    if word in nearest:
        log.changed("setting", f"/{name}", "the target has other values: the nearest is sent")
        return words[nearest[word]]
    log.lost("setting", f"/{name}", "the target has other words")
    return None
