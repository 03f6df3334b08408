"""What a family of models refuses according to its facts, for checking requests and for fitting them.

The facts and their values are listed in docs/families.md. Encoders fit a request to a family, abroad only, before it
is written: canonical in, canonical out, each loss reported once. The rooms' `encode_family.py` decide what to apply.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from interlingua.loss import lost_members
from interlingua.rooms._shared.media import mislabelled_type, with_text
from interlingua.rooms._shared.server_tools import SERVED
from interlingua.rooms._shared.writing import (
    INSTRUCTIONS,
    PLACEHOLDERS,
    TOOLLESS,
    is_lost,
    placeholder_text,
    report_choice,
)
from interlingua.spi.extra import NOTHING, own_extra, with_extras

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

    from interlingua.loss import LossLog
    from interlingua.violation import Violation

# The default of temperature and top_p.
_DEFAULT: Final = 1
# Verdict -> the only accepted value.
_ALONE: Final[Mapping[str, Any]] = {"default_only": _DEFAULT, "medium_only": "medium"}
_DEFAULTS: Final[Mapping[str, Any]] = {
    "temperature": 1, "top_p": 1, "parallel_tool_calls": True, "frequency_penalty": 0, "presence_penalty": 0, "n": 1,
}  # fmt: skip
_LEAST_TOP_P: Final = 0.95
# Settings that have no effect with an empty, false or zero value.
_ASK_FOR_NOTHING: Final = frozenset({
    "frequency_penalty", "presence_penalty", "logprobs", "top_logprobs", "stop", "logit_bias"
})  # fmt: skip
# Settings that share one fact.
_TOGETHER: Final[Mapping[str, str]] = {
    "frequency_penalty": "penalties",
    "presence_penalty": "penalties",
    "logit_bias": "penalties",
    "top_logprobs": "logprobs",
}


class Thinking(NamedTuple):
    """How a request asks for thinking: its effort, whether thinking is on, and whether it has a budget."""

    effort: str | None = None
    is_on: bool = False
    has_budget: bool = False


def is_default(setting: str, value: Any) -> bool:
    """Tell whether a setting has its default value."""
    return setting in _DEFAULTS and bool(value == _DEFAULTS[setting])


def verdict_of(facts: Mapping[str, Any], setting: str) -> str:
    """Return the verdict on a setting, by its canonical name; "accept" unless the facts say otherwise."""
    verdict: str = facts.get(setting) or facts.get(_TOGETHER.get(setting, ""), "accept")
    return verdict


def is_refused(
    facts: Mapping[str, Any], setting: str, settings: Mapping[str, Any], thinking: Thinking, *, by_any: bool = False
) -> bool:
    """Tell whether a setting, by its canonical name, is refused in combination with the others.

    `by_any`: whether any host of the models refuses it.
    """
    verdict, value = verdict_of(facts, setting), settings[setting]
    if verdict == "accept" or value is None:
        return False
    if verdict == "refuse_even_0":
        return True
    if not value and setting in _ASK_FOR_NOTHING:
        return False
    if verdict in _ALONE:
        return bool(value != _ALONE[verdict])
    if verdict == "default_only_if_thinking":
        return thinking.is_on and value != _DEFAULT
    if verdict == "not_with_temperature":
        return settings.get("temperature") is not None or (thinking.is_on and value < _LEAST_TOP_P)
    if verdict == "ge_0.95_if_thinking":
        return thinking.is_on and value < _LEAST_TOP_P
    if verdict == "refuse_if_thinking":
        return thinking.is_on
    if verdict == "refuse_if_effort_high":
        return thinking.effort == "high"
    if verdict == "only_if_effort_none":
        return thinking.effort != "none"
    if verdict == "only_if_effort_none_or_absent":
        return thinking.effort not in {None, "none"}
    return verdict == "refuse" or (by_any and verdict == "refuse_by_some_hosts")


def refused_settings(
    facts: Mapping[str, Any], said: Iterable[tuple[str, str, Any]], thinking: Thinking
) -> Iterator[Violation]:
    """Yield a violation for each setting, given as canonical name, path and value, that the family refuses."""
    from interlingua.violation import Violation  # noqa: PLC0415  # who writes a request judges none

    places = {name: (path, value) for name, path, value in said}
    settings = {name: value for name, (_, value) in places.items()}
    for name, (path, _) in places.items():
        try:
            is_wrong = is_refused(facts, name, settings, thinking)
        except TypeError:  # not a number: the rule on types reports it
            continue
        if is_wrong:
            yield Violation("setting", path, REASONS.get(verdict_of(facts, name), _REFUSED))


_REFUSED: Final = "these models do not accept this setting"
REASONS: Final[Mapping[str, str]] = {
    "default_only": "these models accept only the default, 1",
    "medium_only": "these models accept only medium",
    "default_only_if_thinking": "with thinking on, these models accept only the default, 1",
    "not_with_temperature": "these models accept top_p only without temperature, and with thinking only from 0.95",
    "ge_0.95_if_thinking": "with thinking on, these models accept top_p only from 0.95",
    "refuse_if_thinking": "with thinking on, these models do not accept this setting",
    "refuse_if_effort_high": "with the effort high, these models do not accept this setting",
    "only_if_effort_none": "these models accept it only if the effort is set to none",
    "only_if_effort_none_or_absent": "these models accept it only with the effort none",
    "refuse": _REFUSED,
    "refuse_even_0": _REFUSED,
}


def too_long(facts: Mapping[str, Any], value: Any, path: str) -> Iterator[Violation]:
    """Yield a violation if an output token limit is outside the range that the models accept."""
    from interlingua.violation import Violation  # noqa: PLC0415  # who writes a request judges none

    most = facts.get("max_output_tokens")
    if most is not None and type(value) is int and value > most:
        yield Violation("limit", path, f"these models write at most {most} tokens")
    least = facts.get("least_output_tokens")
    if least is not None and type(value) is int and value < least:
        yield Violation("limit", path, f"these models need a limit of at least {least} tokens")


def unknown_effort(facts: Mapping[str, Any], value: Any, path: str) -> Iterator[Violation]:
    """Yield a violation if the models do not have an effort."""
    from interlingua.violation import Violation  # noqa: PLC0415  # who writes a request judges none

    efforts = facts.get("efforts")
    if efforts is not None and type(value) is str and value not in efforts:
        yield Violation(
            "setting", path, f"these models accept only {', '.join(efforts) or 'requests without an effort'}"
        )


def requires_user_message(body: Mapping[str, Any], *, facts: Mapping[str, Any]) -> Iterator[Violation]:
    """The chat template of these models needs a user message."""
    from interlingua.violation import Violation  # noqa: PLC0415  # who writes a request judges none

    messages: Any = body.get("messages")
    if facts.get("user_query") != "require" or type(messages) is not list or not messages:
        return
    if not any(type(message) is dict and message.get("role") == "user" for message in messages):
        yield Violation("order", "/messages", "these models need a user message")


# Ordered: a setting that is refused beside another is judged once it is known whether the other stays. Then all others.
_SETTINGS: Final = (
    "temperature", "top_p", "top_k", "frequency_penalty", "presence_penalty", "logit_bias", "logprobs", "top_logprobs",
    "stop", "parallel_tool_calls", "max_tokens", "verbosity",
)  # fmt: skip
_ORDERED: Final = frozenset(_SETTINGS)
_VERDICTS: Final = ("refuse", "refuse_even_0", "refuse_by_some_hosts")
_BY_SOME_HOSTS: Final = "some hosts of these models do not accept it"


def leave_out_settings(request: dict[str, Any], facts: Mapping[str, Any], thinking: Thinking, log: LossLog) -> None:
    """Remove the settings that the models refuse in combination with the others."""
    others = [name for name in request.keys() & facts.keys() - _ORDERED if facts[name] in _VERDICTS]
    for name in (*_SETTINGS, *sorted(others)):
        if name in request and is_refused(facts, name, request, thinking, by_any=True):
            reason = REASONS.get(verdict_of(facts, name), _BY_SOME_HOSTS)
            for gone in ("logprobs", "top_logprobs") if name == "logprobs" else (name,):
                if gone in request:
                    if not is_default(gone, request[gone]):
                        log.lost("setting", f"/{gone}", reason)
                    del request[gone]


def limit_settings(request: dict[str, Any], facts: Mapping[str, Any], log: LossLog) -> None:
    """Lower `max_tokens` and the temperature to the models' maxima."""
    most = facts.get("max_output_tokens")
    if most is not None and request.get("max_tokens", 0) > most:
        request["max_tokens"] = most
        log.changed("setting", "/max_tokens", f"these models write at most {most} tokens")
    most = facts.get("max_temperature")
    if most is not None and request.get("temperature", 0) > most:
        request["temperature"] = most
        log.changed("setting", "/temperature", f"these models accept a temperature of at most {most}")


def temperature_too_high(facts: Mapping[str, Any], value: Any) -> Iterator[Violation]:
    """Yield a violation if a temperature is above the models' maximum."""
    from interlingua.violation import Violation  # noqa: PLC0415  # who writes a request judges none

    most = facts.get("max_temperature")
    if most is not None and type(value) in {int, float} and value > most:
        yield Violation("limit", "/temperature", f"these models accept a temperature of at most {most}")


def raise_answer_limit(request: dict[str, Any], facts: Mapping[str, Any], log: LossLog) -> None:
    """Raise `max_tokens` to the models' minimum."""
    least = facts.get("least_output_tokens")
    if least is not None and request.get("max_tokens", least) < least:
        request["max_tokens"] = least
        log.changed("setting", "/max_tokens", f"these models need a limit of at least {least} tokens")


def drop_blank_stops(request: dict[str, Any], log: LossLog) -> None:
    """Remove stop sequences that are only white space."""
    said: list[str] = request["stop"]
    blank = [at for at, text in enumerate(said) if text and not text.strip()]
    for at in blank:
        log.lost("setting", f"/stop/{at}", "these models do not accept stop sequences of only white space")
    if not blank:
        return
    log.left_out("/stop", blank)
    request["stop"] = [text for at, text in enumerate(said) if at not in blank]
    if not request["stop"]:
        del request["stop"]


INSTRUCTIONS_AS_USER: Final[Mapping[str, str]] = {"system": "user", "developer": "user"}


def map_roles(
    request: dict[str, Any], roles: Mapping[str, str], dialect: str, log: LossLog, detail: str, *, leading: bool
) -> None:
    """Give messages of a role another one, those among the instructions at the top only where `leading`.

    An instruction of which the dialect can say no part stays one: it is left out, and nobody says that it is missing.
    """
    messages: list[Any] = request["messages"]
    is_top = True
    said: list[Any] | None = None
    for index, message in enumerate(messages):
        role = message["role"]
        is_top = is_top and role in INSTRUCTIONS
        if role in roles and (leading or not is_top) and not (role in INSTRUCTIONS and _is_unsaid(message, dialect)):
            said = [*messages] if said is None else said
            said[index] = {**message, "role": roles[role]}
            log.changed("role", f"/messages/{index}/role", detail)
    if said is not None:
        request["messages"] = said


def _is_unsaid(message: Any, dialect: str) -> bool:
    """Tell whether a message has parts, all of them of another dialect alone."""
    content = message.get("content")
    return type(content) is list and bool(content) and all(is_lost(part, dialect) for part in content)


def drop_media(request: dict[str, Any], kinds: Collection[str], log: LossLog) -> None:
    """Remove media that the models cannot read; users and tools whose message loses all its parts get a placeholder."""
    if not kinds:
        return
    messages: list[Any] = request["messages"]
    for index, message in enumerate(messages):
        content = message.get("content")
        if type(content) is not list:
            continue
        kept = _without_media(content, kinds, f"/messages/{index}/content", log)
        if kept is not content:
            request["messages"] = messages = [*messages]
            is_emptied = not kept and message["role"] in PLACEHOLDERS
            text = placeholder_text(message["role"], f"/messages/{index}", log) if is_emptied else ""
            messages[index] = {**message, "content": kept or text}


def _without_media(content: list[Any], kinds: Collection[str], path: str, log: LossLog) -> list[Any]:
    """Return parts without unreadable media, also inside documents; the given list if nothing is removed.

    Where files are refused, those of text become documents of text.
    """
    if "file" in kinds and any("data" in part for part in content):
        content = [with_text(part) if part["type"] == "file" else part for part in content]
    refused = [at for at, part in enumerate(content) if _is_refused(part, kinds)]
    for at in refused:
        is_fetched = _is_fetched(content[at], kinds)
        detail = AS_DATA_ALONE if is_fetched else "these models do not accept media of this kind"
        log.lost("part", f"{path}/{at}", detail)
    held = [
        (at, _without_media(part["content"], kinds, f"{path}/{at}/content", log))
        for at, part in enumerate(content)
        if part["type"] == "file" and "content" in part
    ]
    changed = {at: kept for at, kept in held if kept is not content[at]["content"]}
    if refused:
        log.left_out(path, refused)
    elif not changed:
        return content
    return [
        {**part, "content": changed[at]} if at in changed else part
        for at, part in enumerate(content)
        if at not in refused
    ]


def _is_refused(part: Mapping[str, Any], kinds: Collection[str]) -> bool:
    return _kind(part) in kinds or _is_named_in(part, kinds) or _is_fetched(part, kinds)


# A kind of media beside the types, for servers that fetch none.
_IMAGE_BY_URL: Final = "image_by_url"
AS_DATA_ALONE: Final = "the server fetches no images: they must be given as data"


def _is_fetched(part: Mapping[str, Any], kinds: Collection[str]) -> bool:
    """Tell whether a part is an image that the server would have to fetch, and cannot."""
    return _IMAGE_BY_URL in kinds and part["type"] == "image" and "url" in part


def _kind(part: Mapping[str, Any]) -> str:
    kind: str = part["type"]
    media_type = mislabelled_type(part) if kind == "image" else part.get("format", _PDF) if kind == "file" else ""
    if not media_type:
        return kind
    if "content" in part or "text" in part:
        return "text"
    group = media_type.partition("/")[0]
    return "pdf" if media_type == _PDF else group if group in {"image", "audio", "video"} else "file"


_PDF: Final = "application/pdf"


def _is_named_in(part: Mapping[str, Any], kinds: Collection[str]) -> bool:
    """Tell whether an opaque part is named after one of the kinds, as a Converse block in an unknown format is."""
    data = part.get("data") if part["type"] == "opaque" else None
    return type(data) is dict and len(data) == 1 and not data.keys().isdisjoint(kinds)


def holds_media(content: Any) -> bool:
    """Tell whether a content has images, audio or files."""
    return type(content) is list and any(part["type"] in _MEDIA for part in content)


_MEDIA: Final = frozenset({"image", "audio", "file"})


def refused_media(facts: Mapping[str, Any]) -> frozenset[str]:
    """Return the kinds of media that a family cannot read, on some hosts at least."""
    kinds = frozenset(kind for kind in ("image", "audio", "video", "pdf") if facts.get(f"{kind}_input") in _UNREAD)
    return kinds | {_IMAGE_BY_URL} if facts.get("image_input") == "as_data" else kinds


_UNREAD: Final = (False, "refuse_by_some_hosts")


def drop_strict(tools: Iterable[Any], log: LossLog) -> list[Any]:
    """Return the tools without `strict`."""
    kept: list[Any] = []
    for index, tool in enumerate(tools):
        if tool.get("strict") is None:
            kept.append(tool)
            continue
        if tool["strict"]:
            log.lost("tool", f"/tools/{index}/strict", "these models have no strict tools")
        else:
            log.changed("tool", f"/tools/{index}/strict", "these models have no strict tools")
        kept.append({name: value for name, value in tool.items() if name != "strict"})
    return kept


def drop_tools(
    request: dict[str, Any], log: LossLog, detail: str, refuses: Callable[[Any], bool] | None = None
) -> None:
    """Remove the tools for which `refuses` is true, or all of them.

    If no client-side tool is left, the tool choice and `parallel_tool_calls` are removed as well.
    """
    tools = request.pop("tools", ())
    refused = [index for index, tool in enumerate(tools) if refuses is None or refuses(tool)]
    for index in refused:
        lost_members(log, tools[index], f"/tools/{index}", "tool", detail)
    log.left_out("/tools", refused)
    kept = [tool for tool in tools if refuses is not None and not refuses(tool)]
    if kept:
        request["tools"] = kept
    if any(tool["type"] in OF_CLIENT for tool in request.get("tools", ())):
        return
    report_choice(request.pop("tool_choice", None), log, detail)
    if request.pop("parallel_tool_calls", None) is False:
        log.lost("setting", "/parallel_tool_calls", detail)


OF_CLIENT: Final = frozenset({"function", "custom", "namespace"})


def forces_a_tool(request: Mapping[str, Any]) -> bool:
    """Tell whether the tool choice of a request forces a call."""
    choice: Mapping[str, Any] = request.get("tool_choice") or {}
    return choice.get("mode") in {"required", "named"} or bool(choice.get("required"))


_ANY: Final = "Answer with a call of one of the tools."
_UNNAMED: Final = "these models can only be forced to call any tool: the instructions name this one"
UNFORCED: Final = "these models do not accept a forced tool_choice: the instructions ask for a call in words"


def fit_tool_choice(
    request: dict[str, Any], facts: Mapping[str, Any], log: LossLog, *, has_served: bool = False
) -> None:
    """Relax the tool choice for models that cannot be forced to call a tool, or a particular one.

    `tool_choice_instruction` returns the instruction in its place. `has_served`: whether the target has tools that the
    provider runs, which can be called as well.
    """
    if "forced_tool_choice" not in facts or "tool_choice" not in request:
        return
    choice, verdict = request["tool_choice"], facts["forced_tool_choice"]
    detail = UNFORCED if offers_tools(request, served=has_served) else TOOLLESS
    if verdict in _VERDICTS and choice["mode"] in {"required", "named"}:
        log.lost("setting", "/tool_choice", detail)
        request["tool_choice"] = {"mode": "auto"}
    elif verdict in _VERDICTS and choice.get("required"):
        log.lost("setting", "/tool_choice/required", detail)
        request["tool_choice"] = {**choice, "required": False}
    elif verdict == "any" and choice["mode"] == "named":
        request["tool_choice"] = {"mode": "required"}
        log.changed("setting", "/tool_choice", _UNNAMED)


def offers_tools(request: Mapping[str, Any], *, served: bool = False) -> bool:
    """Tell whether a request has tools that the client runs, or else the provider if `served`: only they are called."""
    tools: Iterable[Any] = request.get("tools", ())
    return any(tool["type"] != "opaque" and (served or not _is_served(tool)) for tool in tools)


def tool_choice_instruction(request: Any, fitted: Any, tools: Any) -> str | None:
    """Return an instruction to call a tool, if a request forces a call and its fitted form does not; else None.

    `tools` are the encoded tools: without any, there is nothing to call.
    """
    if not tools or not forces_a_tool(request):
        return None
    asked, left = request["tool_choice"], fitted.get("tool_choice", NOTHING)
    if asked["mode"] == "named":
        return None if left.get("mode") == "named" else f"Answer with a call of the tool {asked['name']}."
    return None if forces_a_tool(fitted) else _ANY


def drop_disallowed_server_tools(request: dict[str, Any], log: LossLog) -> None:
    """Remove server tools if the tool choice is none: some targets apply that to functions only."""
    choice = request.get("tool_choice")
    if choice is not None and choice["mode"] == "none" and any(map(_is_served, request.get("tools", ()))):
        drop_tools(request, log, "no tool may be called, and the target would use the tools that are sent", _is_served)


def _is_served(tool: Mapping[str, Any]) -> bool:
    """Tell whether a tool is run by the provider."""
    return tool["type"] in SERVED


def is_search(tool: Mapping[str, Any]) -> bool:
    """Tell whether a tool is the provider's own web search."""
    return bool(tool["type"] == "web_search")


def is_not_search(tool: Mapping[str, Any]) -> bool:
    """Tell whether a tool is any other than the provider's own web search."""
    return not is_search(tool)


def drop_own_member(request: dict[str, Any], dialect: str, place: tuple[str, str], log: LossLog) -> None:
    """Drop a member without a canonical name that the models refuse; `place`: its object in the body, and its name."""
    holder, name = place
    bag = own_extra(request, dialect)
    fields = bag.get("fields", NOTHING)
    held: Any = fields.get(holder)
    if type(held) is not dict or name not in held:
        return
    left = {**fields, holder: {other: value for other, value in held.items() if other != name}}
    kept = {other: value for other, value in left.items() if value or other != holder}
    request["extra"] = with_extras(request, {dialect: {**bag, "fields": kept}})["extra"]
    log.lost("extra", f"/extra/{dialect}/fields/{holder}/{name}", "these models do not accept it")
