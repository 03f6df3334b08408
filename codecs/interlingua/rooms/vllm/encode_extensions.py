"""Canonical to vLLM: request members and content parts that this room writes differently from its family."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from interlingua.loss import beyond, lost_members
from interlingua.rooms._chat_completions.encode import write_response_format
from interlingua.rooms._chat_completions.encode_part import report_media_type
from interlingua.rooms._shared.instructions import choices_of
from interlingua.rooms._shared.media import data_url, out_of_reach, with_standard_data
from interlingua.rooms.vllm.tables import (
    ARGUMENTS,
    AUDIO_INPUT_TYPES,
    DIALECT,
    DISPLAY_OMITTED,
    OLDER_FORMAT,
    OTHER_SWITCH,
    SWITCH,
    TEXT_TYPES,
    THINKING,
    address_form,
)
from interlingua.spi.extra import NOTHING, merge_own_extra, own_extra, own_spelling

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.rooms._chat_completions.vendor import Vendor, Writer
    from interlingua.rooms._shared.writing import Target


_THINK_FLAGS: Final[Mapping[str, bool]] = MappingProxyType({mode: switch for switch, mode in THINKING.items()})


def has_other_switch(request: Mapping[str, Any]) -> bool:
    """Tell whether a request used the other name of the template's thinking switch."""
    arguments = own_extra(request, DIALECT).get("fields", NOTHING).get(ARGUMENTS, NOTHING)
    nulls = own_spelling(request, DIALECT).get("null", ())
    is_null = type(arguments) is dict and arguments.get(OTHER_SWITCH, ...) is None
    return is_null and f"{ARGUMENTS}.{OTHER_SWITCH}" not in nulls


def without_removed_members(out: dict[str, Any], request: Mapping[str, Any]) -> dict[str, Any]:
    """Return the body without the null that marks a switch which is gone."""
    if not has_other_switch(request) or out[ARGUMENTS][OTHER_SWITCH] is not None:
        return out
    left = {name: value for name, value in out[ARGUMENTS].items() if name != OTHER_SWITCH}
    others = {name: value for name, value in out.items() if name != ARGUMENTS}
    return {**others, ARGUMENTS: left} if left else others


def _write_reasoning(out: dict[str, Any], value: Any, request: Any, _vendor: Vendor, to: Target) -> None:
    mode, effort, display = value.get("mode"), value.get("effort"), value.get("display")
    if mode is not None:
        switch = OTHER_SWITCH if to.home and has_other_switch(request) else SWITCH
        out[ARGUMENTS] = {switch: _THINK_FLAGS.get(mode, True)}
        if mode not in _THINK_FLAGS:
            to.log.changed("setting", "/reasoning/mode", "the model chooses how much it thinks")
    if effort is not None:
        out["reasoning_effort"] = effort
    if "budget_tokens" in value:
        out["thinking_token_budget"] = value["budget_tokens"]
    if display == DISPLAY_OMITTED:
        out["include_reasoning"] = False
    elif display is not None:
        detail = "vLLM returns reasoning in full, or not at all with include_reasoning: false"
        to.log.changed("setting", "/reasoning/display", detail)


def _write_response_format(out: dict[str, Any], value: Any, request: Any, vendor: Vendor, to: Target) -> None:
    spelling = own_spelling(request, DIALECT)
    texts = choices_of(value)
    if texts is None and "response_format" not in spelling:
        write_response_format(out, value, request, vendor, to)
        return
    known = {"type"}
    is_older = OLDER_FORMAT in spelling.get("absent", ())
    if texts is not None:
        out |= {"guided_choice": texts} if is_older else {"structured_outputs": {"choice": texts}}
        known.add("schema")
        unsaid = beyond(value["schema"], {"type", "enum"})
        lost_members(to.log, unsaid, "/response_format/schema", "member", "a choice takes only the texts")
    elif value["type"] == "json_schema" and "schema" in value:
        schema = value["schema"]
        out |= {"guided_json": schema} if is_older else {"structured_outputs": {"json": schema}}
        known.add("schema")
    elif value["type"] != "text":
        out["structured_outputs"] = {"json_object": True}
    lost_members(to.log, beyond(value, known), "/response_format", "member", "structured output takes only the schema")


WRITERS: Final[Mapping[str, Writer]] = MappingProxyType({
    "reasoning": _write_reasoning,
    "response_format": _write_response_format,
})  # fmt: skip


_MEDIA_ROLES: Final = frozenset({"user", "tool"})
_MEMBERS: Final[Mapping[str, str]] = {"image": "image_url", "audio": "audio_url", "file": "video_url"}
# Members that the wire parts do not have, with their loss codes.
_LOSSES: Final[tuple[tuple[str, Any], ...]] = (
    ("citations", "citation"),
    ("name", "part"),
    ("title", "part"),
    ("context", "part"),
    ("transcript", "part"),
    ("expires_at", "part"),
    ("cache", "cache"),
)


def encode_part(part: Any, role: str, path: str, to: Target) -> list[Any] | None:
    """Return the wire parts of a part, or None to leave it to the family."""
    form = own_spelling(part, DIALECT).get("part")
    if part["type"] == "text":
        return None if form is None else _encode_text(part, form, path, to)
    if not to.home and role not in _MEDIA_ROLES:
        return None
    if part["type"] not in _MEMBERS or ("url" not in part and "data" not in part):
        return None
    if part["type"] == "audio" and to.home and own_spelling(part, DIALECT).get("image") == "string":
        return None  # the family writes it as a text
    form = form or address_form(part)
    if form is None and part["type"] == "audio" and not to.home and part.get("format") not in AUDIO_INPUT_TYPES:
        form = "audio_url"
    if form is None or form == "file":
        return None
    if not to.home and (reason := out_of_reach(part, is_local=True)):
        lost_members(to.log, part, path, "part", reason)
        return []
    return [_encode_address(part, form, path, to)]


def _encode_text(part: Any, form: str, path: str, to: Target) -> list[Any] | None:
    if form == "string":
        _report(part, path, to)
        return [part["text"]]
    if form not in TEXT_TYPES:
        return None
    out = {"type": form, "text": part["text"]}
    _report(part, path, to)
    merge_own_extra(out, part, DIALECT, path, to.log)
    return [out]


def _encode_address(part: Any, form: str, path: str, to: Target) -> dict[str, Any]:
    """Encode an image, audio or video as a URL, which may be a data URL."""
    member = _MEMBERS[part["type"]]
    part = with_standard_data(part, path, to)
    if "url" in part:
        url = part["url"]
        report_media_type(part, path, to)
    else:
        if "format" not in part:
            to.log.filled(f"{path}/format", "a data URL needs a media type")
        url = data_url(part.get("format", "application/octet-stream"), part["data"])
    out: dict[str, Any] = {}
    if form != "untyped":
        out["type"] = form
    out[member] = {"url": url} if form == member else url
    if "detail" in part:
        if form == "input_image":
            out["detail"] = part["detail"]
        elif part["detail"] != "auto":
            to.log.lost("part", f"{path}/detail", "this part has no detail")
    _report(part, path, to)
    merge_own_extra(out, part, DIALECT, path, to.log)
    return out


def _report(part: Any, path: str, to: Target) -> None:
    for name, code in _LOSSES:
        if name in part:
            to.log.lost(code, f"{path}/{name}", f"this part has no {name}")
