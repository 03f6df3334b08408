"""Canonical to Gemini: calls of functions and their results.

Source: reference/wire/gemini.md sections 1.2 and 4.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from interlingua.arguments import arguments_object
from interlingua.dialects._shared.extra import own_bag, report_foreign
from interlingua.dialects._shared.names import accepting, made_acceptable
from interlingua.dialects.gemini.encode_part import Marks, encode_part, finished
from interlingua.dialects.gemini.json_text import read
from interlingua.dialects.gemini.tables import DIALECT, NAME_LIMIT

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.dialects._shared.target import Target
    from interlingua.model_shapes import ToolCall, ToolChatMessage


_NOTHING: Final[Mapping[str, Any]] = {}

_SIGNATURE: Final = "thoughtSignature"

# A result of one of these alone is plain text, or another JSON value.
_PLAIN_FORMS: Final = frozenset({"output", "error"})

# Whether a name is one that the dialect accepts.
is_accepted: Final = accepting(NAME_LIMIT, "[A-Za-z_][A-Za-z0-9_.:-]*")


def function_name(name: str, path: str, to: Target) -> str:
    """Return the name of a function, abroad one that is accepted, and then a `changed` loss."""
    if to.home or is_accepted(name):
        return name
    to.log.changed("name", path, "only letters, digits, _ . : and -, at most 64, not first a digit, are accepted")
    accepted = accepted_name(name)
    to.log.renamed[accepted] = name
    return accepted


def accepted_name(name: str) -> str:
    """Return a name that is accepted: itself, or always the same other one."""
    if is_accepted(name):
        return name
    made = made_acceptable(name, NAME_LIMIT)
    return made if is_accepted(made) else made_acceptable(f"_{name}", NAME_LIMIT)


def encode_call(call: ToolCall, index: int, at: int, to: Target, signature: str | None) -> dict[str, Any]:
    """Return the part of a call."""
    arguments = call["arguments"]
    name = call["name"]
    if (len(call) == 2 or (len(call) == 3 and "id" in call)) and (to.home or is_accepted(name)):
        value, faithful = arguments_object(arguments) if isinstance(arguments, str) else (arguments, True)
        if faithful:
            known = {"id": call["id"], "name": name, "args": value} if "id" in call else {"name": name, "args": value}
            return {"functionCall": known} if signature is None else {"functionCall": known, _SIGNATURE: signature}
    path = to.call(index, at)
    bag = own_bag(call, DIALECT)
    spelling = bag.get("spelling", _NOTHING)
    wire: dict[str, Any] = {"id": call["id"]} if "id" in call else {}
    wire["name"] = function_name(name, f"{path}/name", to)
    _encode_arguments(wire, call, spelling, path, to)
    for wired in spelling.get("null", ()):
        if wired == "id":
            wire.setdefault(wired, None)
    if "call_id" in call:
        to.log.lost("member", f"{path}/call_id", "a call has one id")
    if "cache" in call:
        to.log.lost("cache", f"{path}/cache", "no mark on a call")
    if "extra" in call:
        report_foreign(call, DIALECT, path, to.log)
    return finished({"functionCall": wire}, bag.get("fields", _NOTHING), _of_part(spelling), Marks(signature=signature))


def _of_part(spelling: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the notes on the part around a call or a result, without those on what is inside."""
    if "null" not in spelling:
        return spelling
    return {**spelling, "null": [name for name in spelling["null"] if name not in {"id", "name", "parts"}]}


def _encode_arguments(wire: dict[str, Any], call: ToolCall, spelling: Mapping[str, Any], path: str, to: Target) -> None:
    arguments = call["arguments"]
    if call.get("kind") == "custom":
        wire["args"] = {"input": arguments}
        to.log.changed("arguments", f"{path}/arguments", "free text becomes an object with the member input")
        to.log.changed("arguments", f"{path}/kind", "every call has an object")
        return
    if isinstance(arguments, str):
        arguments, faithful = arguments_object(arguments)
        if not faithful:
            to.log.changed("arguments", f"{path}/arguments", "the text is not faithfully an object")
    if arguments or "args" not in spelling:
        wire["args"] = arguments
    elif spelling["args"] == "null":
        wire["args"] = None


def encode_result(
    message: ToolChatMessage, index: int, name: str | None, to: Target, signature: str | None
) -> dict[str, Any]:
    """Return the part of a result; `name` is that of the function that was called."""
    content = message.get("content")
    identifier = message.get("call_id")
    if len(message) == (4 if "name" in message else 3) and isinstance(content, str) and None not in (identifier, name):
        plain = {"id": identifier, "name": name, "response": {"output": content}}
        return {"functionResponse": plain} if signature is None else {"functionResponse": plain, _SIGNATURE: signature}
    identifier = message.get("call_id", message.get("id"))
    wire: dict[str, Any] = {} if identifier is None else {"id": identifier}
    if name is not None:
        wire["name"] = name
    known = 2 + ("call_id" in message) + ("name" in message)
    if len(message) == known and isinstance(content, str):
        wire["response"] = {"output": content}
        return {"functionResponse": wire} if signature is None else {"functionResponse": wire, _SIGNATURE: signature}
    path = to.message(index)
    bag = own_bag(message, DIALECT)
    spelling = bag.get("spelling", _NOTHING)
    text, media = _separate(content, f"{path}/content", to)
    _encode_response(wire, text, message, spelling, path, to)
    if media:
        wire["parts"] = media
        if text == "" and message.get("is_error"):
            _report_silent(content, f"{path}/content", to)
    for wired in spelling.get("null", ()):
        if wired in {"id", "name", "parts"}:
            wire.setdefault(wired, None)
    if "parts" in spelling.get("empty", ()):
        wire.setdefault("parts", [])
    if "cache" in message:
        to.log.lost("cache", f"{path}/cache", "no mark on a result")
    if "id" in message and "call_id" in message:
        to.log.changed("local_id", f"{path}/id", "the wire has no place for the id of a message")
    if "extra" in message:
        report_foreign(message, DIALECT, path, to.log)
    fields = bag.get("fields", _NOTHING)
    return finished({"functionResponse": wire}, fields, _of_part(spelling), Marks(signature=signature))


def _separate(content: Any, path: str, to: Target) -> tuple[str | None, list[dict[str, Any]]]:
    """Return the text of a result, and its pictures and files."""
    if content is None or isinstance(content, str):
        return content, []
    texts: list[str] = []
    media: list[dict[str, Any]] = []
    mixed = False
    for at, part in enumerate(content):
        if part["type"] == "text" and len(part) == 2:
            texts.append(part["text"])
            mixed = mixed or bool(media)
            continue
        for wire in encode_part(part, f"{path}/{at}", "tool", to, Marks()):
            if "text" in wire and part["type"] != "opaque":
                texts.append(wire["text"])
                mixed = mixed or bool(media)
            else:
                media.append(wire)
    if mixed:
        to.log.changed("content", path, "the text of a result stands before its pictures and files")
    return "".join(texts) if texts else None, media


def _report_silent(content: Any, path: str, to: Target) -> None:
    """Report the empty texts of an error beside pictures: it always has a text there, which says nothing if empty."""
    for at, part in enumerate(content):
        if part["type"] == "text":
            to.log.changed("empty_text", f"{path}/{at}", "an empty text says nothing")


def _encode_response(
    wire: dict[str, Any], text: str | None, message: Any, spelling: Mapping[str, Any], path: str, to: Target
) -> None:
    form = spelling.get("response")
    failed = message.get("is_error")
    if failed is False:
        to.log.changed("member", f"{path}/is_error", "a result is no error unless it says so")
    key = "error" if failed else "output"
    if text is None and not failed:
        if form == "null":
            wire["response"] = None
        elif form != "absent":
            wire["response"] = {}
        return
    if text is None:
        if "content" not in message:
            to.log.filled(f"{path}/content", "an error says something")
        elif not message["content"]:
            to.log.changed("content", f"{path}/content", "an error says something")
        text = ""
    value = _reread(text, form, failed=bool(failed))
    wire["response"] = {key: text} if value is None else value if form == "object" else {key: value[0]}


def _reread(text: str, form: str | None, *, failed: bool) -> Any:
    """Return the object that the text of a result came as, or its value in a list; None where the note fits no more."""
    if form not in {"json", "object"}:
        return None
    try:
        value: Any = read(text)
    except ValueError:
        return None
    if form == "json":
        return None if isinstance(value, str) else [value]
    if failed or type(value) is not dict or not value:
        return None
    members = cast("dict[str, Any]", value)
    return None if len(members) == 1 and members.keys() <= _PLAIN_FORMS else members
