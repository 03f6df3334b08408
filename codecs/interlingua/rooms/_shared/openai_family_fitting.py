"""Check and fit requests to a family of models, as far as Chat Completions and Responses do so alike.

Both ask for thinking by an effort alone, which says whether to think and how much.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.rooms._shared.family_fitting import AS_DATA_ALONE, refused_media
from interlingua.rooms._shared.instructions import UNFOLLOWED, ask_for_json_in_words
from interlingua.rooms._shared.openai_schemas import is_not_object
from interlingua.rooms._shared.rule_helpers import object_of, objects, text_of
from interlingua.rooms._shared.thinking import (
    BUDGET,
    BUDGETS,
    DEFAULT_EFFORT,
    EFFORT,
    MODE,
    NEAREST,
    ThinkingRequest,
    effort_of,
    nearest,
    report_effort_of_off,
    report_lost_thinking,
    report_unknown_values,
    thinking_request,
    thinking_settings,
)
from interlingua.spi.extra import NOTHING
from interlingua.violation import Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from interlingua.loss import LossLog
    from interlingua.rooms._shared.rule_helpers import Object

# Part type -> the fact that says whether the models accept it.
_MEDIA: Final[Mapping[str, str]] = {
    "image_url": "image_input",
    "input_image": "image_input",
    "input_audio": "audio_input",
    "file": "pdf_input",
    "input_file": "pdf_input",
}

# Canonical cache settings of a request.
_RETENTION: Final = "prompt_cache_retention"
_CACHE_SETTINGS: Final[tuple[str, ...]] = ("cache", "prompt_cache_key", _RETENTION)
# The same on the wire, and the marks; first those that not all models accept.
_CACHE_MEMBERS: Final[tuple[str, ...]] = ("prompt_cache_options", "prompt_cache_key", _RETENTION)
_CACHE_MARKS: Final[tuple[str, ...]] = ("prompt_cache_breakpoint", "cache_control")
# The shorter of the two lifetimes of a cache.
_SHORT: Final = "in_memory"
_LONG: Final = "24h"
_BRIEF: Final = "these models do not support a cache lifetime of a day"
_LASTING: Final = "these models keep a cache for a day and accept no shorter lifetime"
# Members of messages and items that hold parts.
_CONTENTS: Final = ("content", "output")


def refused_parts(items: Iterable[tuple[str, Object]], facts: Mapping[str, Any]) -> Iterator[Violation]:
    """Yield a violation for each media part that the models cannot read."""
    refused = {kind for kind, fact in _MEDIA.items() if facts.get(fact) is False}
    fetches = facts.get("image_input") != "as_data"
    if fetches and not refused:
        return
    for path, message in items:
        for where, part in objects(message.get("content"), f"{path}/content"):
            if text_of(part, "type") in refused:
                yield Violation("part", where, "these models do not accept media of this kind")
            elif not fetches and _address(part).startswith("http"):
                yield Violation("part", where, AS_DATA_ALONE)


def _address(part: Object) -> str:
    """Return the URL of an image, which Responses has in the part itself; empty for other parts."""
    return text_of(object_of(part, "image_url"), "url") or text_of(part, "image_url")


_EFFORTS: Final = ("none", *BUDGETS)
# Models that never reason, and those for which some hosts only accept `none`.
_FEW_EFFORTS: Final[Mapping[Any, tuple[str, ...]]] = {"none": (), "off_alone": ("none",)}


def effort_settings(reasoning: Mapping[str, Any], facts: Mapping[str, Any], log: LossLog) -> dict[str, Any]:
    """Return reasoning settings reduced to an effort and a display."""
    if facts.get("thinking") == "unsaid":
        for name in reasoning:
            if name != "display":
                log.lost("setting", f"/reasoning/{name}", "these models have no setting for reasoning")
        return {name: value for name, value in reasoning.items() if name == "display"}
    kind: Any = facts.get("thinking")
    efforts: tuple[str, ...] = _FEW_EFFORTS[kind] if kind in _FEW_EFFORTS else facts.get("efforts", _EFFORTS)
    requested = thinking_request(reasoning, log)
    shown = {} if requested.display is None else {"display": requested.display}
    if requested.is_off:
        report_effort_of_off(requested, log)
        return {**_unthinking(reasoning, efforts, log), **shown}
    settings = _by_effort(reasoning, requested, efforts, log) if requested.is_on else {}
    report_unknown_values(reasoning, requested, settings, log)
    return {**settings, **shown}


def _by_effort(
    reasoning: Mapping[str, Any], requested: ThinkingRequest, efforts: tuple[str, ...], log: LossLog
) -> dict[str, Any]:
    asked = requested.effort or (DEFAULT_EFFORT if requested.budget is None else effort_of(requested.budget))
    effort = nearest(asked, efforts)
    if effort is None:
        report_lost_thinking(reasoning, log, "these models do not reason, or have no setting for it")
        return {}
    if requested.effort is None:
        log.filled(EFFORT, "reasoning can only be requested by an effort")
    elif effort != requested.effort:
        log.changed("setting", EFFORT, NEAREST)
    if requested.budget is not None:
        log.changed("setting", BUDGET, "the budget is sent as an effort")
    if requested.mode and "mode" in reasoning:
        log.changed("setting", MODE, "reasoning is only switched on by an effort")
    return {"effort": effort}


def _unthinking(reasoning: Mapping[str, Any], efforts: tuple[str, ...], log: LossLog) -> dict[str, Any]:
    """Return the settings for no reasoning, or the least; empty for models that never reason."""
    said = f"/reasoning/{thinking_settings(reasoning)[0]}"
    effort = nearest("none", efforts)
    if effort == "none":
        return {"effort": effort}
    log.changed(
        "setting",
        said,
        "these models always reason: the lowest effort is sent" if effort else "these models never reason",
    )
    return {} if effort is None else {"effort": effort}


def replace_response_format(request: dict[str, Any], facts: Mapping[str, Any], log: LossLog) -> None:
    """Replace a response format that the models do not support by an instruction, with JSON mode if they have that."""
    form = request.get("response_format", NOTHING)
    kind = form.get("type", "text")
    has_mode = facts.get("json_mode") != "refuse"
    is_taken = has_mode if kind == "json_object" else facts.get("structured_output") is not False
    if kind == "text" or is_taken:
        return
    modeless = "these models have no JSON mode: the instructions ask for it in words"
    written = "json_object" if has_mode else "text"
    ask_for_json_in_words(request, written, UNFOLLOWED if kind == "json_schema" else modeless, log)


def follows_openai_rules(facts: Mapping[str, Any]) -> bool:
    """Tell whether OpenAI's own rules apply: the facts say nothing about settings that only OpenAI has."""
    return "openai_settings" not in facts


def replace_non_object_schema(request: dict[str, Any], log: LossLog) -> None:
    """Replace a response schema that is not an object, as OpenAI demands, by an instruction."""
    form = request.get("response_format", NOTHING)
    if form.get("type") == "json_schema" and is_not_object(form.get("schema")):
        detail = "the schema of an answer must be that of an object: the instructions ask for it in words"
        ask_for_json_in_words(request, "text", detail, log)


def unread_media(facts: Mapping[str, Any]) -> frozenset[str]:
    """Return the kinds of parts that a family cannot read; without PDF input that includes files."""
    refused = refused_media(facts)
    return refused | {"file"} if "pdf" in refused else refused


def drop_cache(request: dict[str, Any], facts: Mapping[str, Any], log: LossLog) -> None:
    """Remove the cache settings and marks that models or servers do not accept."""
    if facts.get("short_cache") == "refuse" and request.get(_RETENTION) == _SHORT:
        log.lost("cache", f"/{_RETENTION}", _LASTING)
        del request[_RETENTION]
    elif facts.get("long_cache") == "refuse" and request.get(_RETENTION) == _LONG:
        log.lost("cache", f"/{_RETENTION}", _BRIEF)
        del request[_RETENTION]
    if facts.get("cache_marks") == "refuse":
        who, names = "servers", _CACHE_SETTINGS
    elif facts.get("cache_breakpoints", "accept") not in {"accept", "of_claude"}:
        who, names = "models", _CACHE_SETTINGS[:1]
    else:
        return
    for name in names:
        if name in request:
            log.lost("cache", f"/{name}", f"these {who} do not accept cache settings")
            del request[name]
    told = f"these {who} do not accept cache marks"
    for group in ("messages", "tools"):
        if group in request:
            request[group] = [
                _without_mark(one, f"/{group}/{index}", told, log)
                if "cache" in one or type(one.get("content")) is list
                else one
                for index, one in enumerate(request[group])
            ]


def _without_mark(one: Mapping[str, Any], path: str, told: str, log: LossLog) -> Mapping[str, Any]:
    content = one.get("content")
    is_marked = type(content) is list and any("cache" in part for part in content)
    if "cache" not in one and not is_marked:
        return one
    kept: dict[str, Any] = {name: value for name, value in one.items() if name != "cache"}
    if "cache" in one:
        log.lost("cache", f"{path}/cache", told)
    if type(content) is list:
        kept["content"] = [_without_mark(part, f"{path}/content/{at}", told, log) for at, part in enumerate(content)]
    return kept


def refused_cache(body: Object, said: Iterable[tuple[str, Object]], facts: Mapping[str, Any]) -> Iterator[Violation]:
    """Yield violations for cache settings and marks that are not accepted; `said` are messages or items."""
    if facts.get("short_cache") == "refuse" and body.get(_RETENTION) == _SHORT:
        yield Violation("cache", f"/{_RETENTION}", _LASTING)
    elif facts.get("long_cache") == "refuse" and body.get(_RETENTION) == _LONG:
        yield Violation("cache", f"/{_RETENTION}", _BRIEF)
    if facts.get("cache_marks") == "refuse":
        who, settings, marks = "servers", _CACHE_MEMBERS, _CACHE_MARKS
    elif facts.get("cache_breakpoints") == "refuse":
        who, settings, marks = "models", _CACHE_MEMBERS[:1], _CACHE_MARKS[:1]
    else:
        return
    for name in settings:
        if body.get(name) is not None:
            yield Violation("cache", f"/{name}", f"these {who} do not accept cache settings")
    for path, one in said:
        inner = [(f"/{name}{where}", part) for name in _CONTENTS for where, part in objects(one.get(name), "")]
        for where, part in (("", one), *inner):
            for name in marks:
                if part.get(name) is not None:
                    yield Violation("cache", f"{path}{where}/{name}", f"these {who} do not accept cache marks")
