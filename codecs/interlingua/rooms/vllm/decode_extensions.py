"""vLLM to canonical: request members and content parts that only this room has."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from interlingua.rooms._shared.instructions import choice_form
from interlingua.rooms._shared.media import ANY_FILM, split_data_url, video_type
from interlingua.rooms.vllm.tables import (
    ARGUMENTS,
    DIALECT,
    DISPLAY_OMITTED,
    MEDIA,
    OLDER_FORMAT,
    OTHER_SWITCH,
    SWITCH,
    TEXT_TYPES,
    THINKING,
    address_form,
)
from interlingua.spi.reading import OBJECT, Unmapped, expect, expect_integer, rest

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.rooms._chat_completions.vendor import Object, Reader, Vendor


# An answer has only one of these.
_CONSTRAINTS: Final = (
    "response_format", "structured_outputs", "guided_json", "guided_choice", "guided_regex", "guided_grammar",
    "guided_json_object",
)  # fmt: skip


def _read_template_arguments(request: Object, value: Any, _body: Object, _vendor: Vendor, left: Unmapped) -> None:
    """Read whether to think; other template arguments stay leftovers.

    Some templates call the switch `thinking`: a null in its place marks that.
    """
    others = {**expect(value, OBJECT, ARGUMENTS)}
    if OTHER_SWITCH in others and others[OTHER_SWITCH] is None:
        left.null(f"{ARGUMENTS}.{OTHER_SWITCH}")
    switch = next((name for name in (SWITCH, OTHER_SWITCH) if type(others.get(name)) is bool), None)
    if switch is not None:
        request.setdefault("reasoning", {})["mode"] = THINKING[others.pop(switch)]
    if switch == OTHER_SWITCH:
        others[switch] = None
    if others or switch is None:
        left.fields[ARGUMENTS] = others


def _read_budget(request: Object, value: Any, _body: Object, _vendor: Vendor, _left: Unmapped) -> None:
    budget = expect_integer(value, "thinking_token_budget")
    request.setdefault("reasoning", {})["budget_tokens"] = budget


def _read_include_reasoning(request: Object, value: Any, _body: Object, _vendor: Vendor, left: Unmapped) -> None:
    if value is False:
        request.setdefault("reasoning", {})["display"] = DISPLAY_OMITTED
    else:
        left.fields["include_reasoning"] = value


def _read_structured_outputs(request: Object, value: Any, body: Object, _vendor: Vendor, left: Unmapped) -> None:
    """Read the schema of the answer; beside `response_format`, or with another constraint, it stays a leftover."""
    match expect(value, OBJECT, "structured_outputs"):
        case {"json": dict(schema), **others} if body.get("response_format") is None:
            request["response_format"] = {"type": "json_schema", "schema": schema}
        case {"json_object": True, **others} if body.get("response_format") is None:
            request["response_format"] = {"type": "json_object"}
        case {"choice": list(texts), **others} if body.get("response_format") is None and (form := _choice(texts)):
            request["response_format"] = form
        case outputs:
            left.fields["structured_outputs"] = outputs
            return
    left.spelling["response_format"] = "structured_outputs"
    left.keep_nested("structured_outputs", others)


def _choice(texts: list[Any]) -> dict[str, Any] | None:
    return choice_form({"type": "string", "enum": texts})


def _read_guided_json(request: Object, value: Any, body: Object, _vendor: Vendor, left: Unmapped) -> None:
    form = {"type": "json_schema", "schema": value} if type(value) is dict else None
    _read_older_form(request, "guided_json", form, body, left)


def _read_guided_choice(request: Object, value: Any, body: Object, _vendor: Vendor, left: Unmapped) -> None:
    form = _choice(value)
    _read_older_form(request, "guided_choice", form, body, left)


def _read_older_form(request: Object, name: str, form: Object | None, body: Object, left: Unmapped) -> None:
    """Read an older name of a constraint; beside another one, or of another type, it stays a leftover."""
    if form is None or any(body.get(other) is not None for other in _CONSTRAINTS if other != name):
        left.fields[name] = body[name]
        return
    request["response_format"] = form
    left.spelling["response_format"] = "structured_outputs"
    left.absent(OLDER_FORMAT)


READERS: Final[Mapping[str, Reader]] = MappingProxyType({
    ARGUMENTS: _read_template_arguments,
    "thinking_token_budget": _read_budget,
    "include_reasoning": _read_include_reasoning,
    "structured_outputs": _read_structured_outputs,
    "guided_json": _read_guided_json,
    "guided_choice": _read_guided_choice,
})  # fmt: skip


def decode_part(wire: Any, role: str) -> dict[str, Any] | None:
    """Decode one content part, or return None to leave it to the family."""
    if type(wire) is str:
        return {"type": "text", "text": wire, "extra": {DIALECT: {"spelling": {"part": "string"}}}}
    if type(wire) is not dict:
        return None
    kind = wire.get("type")
    if type(kind) is str and kind in TEXT_TYPES and type(wire.get("text")) is str:
        left = Unmapped()
        left.spelling["part"] = kind
        left.fields = rest(wire, frozenset({"type", "text"}))
        part = {"type": "text", "text": wire["text"]}
        left.attach(part, DIALECT)
        return part
    return None if role == "assistant" else _decode_media(wire, kind)


def _decode_media(wire: dict[str, Any], kind: Any) -> dict[str, Any] | None:
    """Decode an image, audio or video that is given by URL."""
    if "type" not in wire:
        member = next((name for name in MEDIA if type(wire.get(name)) is str), None)
        return None if member is None else _decode_address(wire, member, wire[member], "untyped", {})
    if kind == "input_image" and type(wire.get("image_url")) is str:
        return _decode_address(wire, "image_url", wire["image_url"], "input_image", {})
    if kind in ("audio_url", "video_url"):
        holder = wire.get(kind)
        if type(holder) is dict and type(holder.get("url")) is str:
            return _decode_address(wire, kind, holder["url"], kind, rest(holder, frozenset({"url"})))
    return None


def _decode_address(wire: dict[str, Any], member: str, url: str, form: str, nested: dict[str, Any]) -> dict[str, Any]:
    part: dict[str, Any] = {"type": MEDIA[member]}
    left = Unmapped()
    split = split_data_url(url)
    if split is not None:
        part["format"], part["data"] = split
    else:
        if member == "video_url":
            part["format"] = video_type(url) or ANY_FILM
        part["url"] = url
    known = {"type", member}
    if form == "input_image" and type(wire.get("detail")) is str:
        part["detail"] = wire["detail"]
        known.add("detail")
    if form != address_form(part):
        left.spelling["part"] = form
    left.keep_nested(member, nested)
    left.fields |= rest(wire, frozenset(known))
    left.attach(part, DIALECT)
    return part
