"""Downgrades version 3 to version 2: folds transcript messages into chat messages, and reports what has no place.

A message with `joins: true` folds into the one before it if version 2 can hold both in one message: an assistant's
reasoning, content and calls in this order, or more content of the same sender. Control and opaque messages have no
place. A resolved file or resource becomes its text or a file part; an image becomes an image part.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

from interlingua.json_types import is_list, is_object, is_text
from interlingua.migrate.between_1_2 import json_text
from interlingua.migrate.draft import Draft
from interlingua.migrate.extras import OWN
from interlingua.migrate.pairing import answered_calls
from interlingua.migrate.parts import as_parts, downgrade_content, downgrade_inner_extra
from interlingua.migrate.upgrade_2_3 import VERSION, known_members
from interlingua.pointers import pointer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from interlingua.loss import LossLog
    from interlingua.migrate.origin import Origin

Json: TypeAlias = dict[str, Any]

_UNNAMED: Final = "unnamed"
_NO_PLACE: Final = "version 2 has no place for it"
_WITHOUT_PLACE: Final = frozenset({"system_control", "opaque"})
_FREE_ROLES: Final = frozenset({"assistant", "tool"})


def fold_messages(messages: list[Json], places: list[str], log: LossLog) -> list[tuple[Json, Origin]]:
    """Return the version 2 messages that transcript messages fold into, each with its origin.

    `places` are the JSON Pointers of the messages in the list that the caller gave.
    """
    answered = answered_calls(messages, VERSION)
    folded: list[Draft] = []
    for index, (message, place) in enumerate(zip(messages, places, strict=True)):
        writer = _WRITERS.get(message["type"]) if message.get("schema_version") == VERSION else None
        if writer is None:
            _report_whole(message, place, log)
            continue
        data = message["data"]
        draft = Draft(message, place, data.get("role", _ROLES[message["type"]]), log)
        writer(draft, data, f"{place}/data", log)
        for order, requested in enumerate(data.get("calls", ())):
            status = "approved" if (index, order) in answered else "pending"
            _report_approval(requested["approval"], status, f"{place}/data/calls/{order}/approval", log)
            _report(_others(requested, "call", "approval"), f"{place}/data/calls/{order}", log)
        if not message.get("joins"):
            folded.append(draft)
        elif folded and folded[-1].takes(draft):
            folded[-1].fold(draft)
        else:
            log.changed("message", f"{place}/joins", "version 2 cannot hold it in the message before")
            folded.append(draft)
    return [(draft.finished(), draft.origin) for draft in folded]


def _write_text(draft: Draft, data: Json, path: str, log: LossLog) -> None:
    role = data["role"]
    if "content" in data:
        _put_content(draft, "content", data["content"], "content", log)
    elif role not in _FREE_ROLES:
        draft.put("content", "", "/data/content")
        log.filled(f"{path}/content", "version 2 requires content here")
    if "refusal" in data and role == "assistant":
        _put_content(draft, "refusal", data["refusal"], "refusal", log)
    elif "refusal" in data:
        log.lost("refusal", f"{path}/refusal", "in version 2 only assistant messages have refusals")
    if "name" in data:
        draft.put("name", data["name"], "/data/name")
    if role == "tool":
        log.changed("message", f"{draft.origin.base}/type", "it became a tool result")
    _report(_others(data, "role", "content", "refusal", "name"), path, log)


def _write_reasoning(draft: Draft, data: Json, path: str, log: LossLog) -> None:
    if "content" in data:
        _put_content(draft, "reasoning", data["content"], "content", log)
    _report(_others(data, "content"), path, log)


def _write_tool_request(draft: Draft, data: Json, path: str, log: LossLog) -> None:
    calls = [
        _downgrade_call(requested["call"], f"{path}/calls/{order}/call", log)
        for order, requested in enumerate(data["calls"])
    ]
    draft.put("tool_calls", calls, "/data/calls", [f"{path}/calls/{order}/call" for order in range(len(calls))])
    _report(_others(data, "calls"), path, log)


def _write_tool_result(draft: Draft, data: Json, path: str, log: LossLog) -> None:
    for name in ("call_id", "name"):
        if name in data:
            draft.put(name, data[name], f"/data/{name}")
    error: Json = data.get("error", {})
    parts = as_parts(data.get("output")) if data.get("output_form") == "parts" else None
    if "output" not in data and error:
        draft.put("content", error["message"], "/data/error/message")
        log.changed("content", f"{path}/error/message", "it became the content")
        error = {name: value for name, value in error.items() if name != "message"}
    elif parts is not None:
        _put_content(draft, "content", parts, "output", log)
    elif is_text(data.get("output")):
        draft.put("content", data["output"], "/data/output")
    elif "output" in data:
        draft.put("content", json_text(data["output"]), "/data/output")
        log.changed("content", f"{path}/output", "it was written as JSON text")
    if data.get("output_form") == "parts" and parts is None:
        log.lost("migration", f"{path}/output_form", "the output is not a list of parts")
    _report(error, f"{path}/error", log)
    _report(_others(data, "call_id", "name", "output", "output_form", "error"), path, log)


def _write_compaction(draft: Draft, data: Json, path: str, log: LossLog) -> None:
    """Write the summary; version 2 keeps the summarised messages beside it, and cannot mark them as summarised."""
    if "summary" in data:
        _put_content(draft, "content", data["summary"], "summary", log)
    else:
        draft.put("content", "", "/data/summary")
        log.filled(f"{path}/summary", "version 2 requires content here")
    log.changed("message", f"{draft.origin.base}/type", "it became an ordinary message")
    _report(_others(data, "summary", "role"), path, log)


def _write_image(draft: Draft, data: Json, path: str, log: LossLog) -> None:
    source = data["source"]
    part: Json = {"type": "image"}
    if source["kind"] == "file_path":
        part |= {"name": source["path"]} | {name: source[name] for name in ("format", "data") if name in source}
        log.changed("part", f"{path}/source/path", "the path became the name")
        _report(_others(source, "kind", "path", "format", "data"), f"{path}/source", log)
    elif source["kind"] == "url":
        # A part holds one of the two; the URL is kept because it says where the image came from.
        part["url"] = source["url"]
        _report(_others(source, "kind", "url"), f"{path}/source", log)
    else:
        part |= {name: value for name, value in source.items() if name != "kind"}
    parts, places = [part], [f"{path}/source"]
    if "caption" in data:
        parts.insert(0, {"type": "text", "text": data["caption"]})
        places.insert(0, f"{path}/caption")
    draft.put("content", parts, "/data/source", places)
    _report(_others(data, "source", "role", "caption"), path, log)


def _write_file_reference(draft: Draft, data: Json, path: str, log: LossLog) -> None:
    if "content" in data:
        draft.put("content", data["content"], "/data/content")
        _report(["path"], path, log)
    else:
        draft.put("content", [{"type": "file", "name": data["path"]}], "/data/path", [f"{path}/path"])
        log.changed("part", f"{path}/path", "the path became the name")
    _report(_others(data, "path", "content", "role"), path, log)


def _write_mcp_resource(draft: Draft, data: Json, path: str, log: LossLog) -> None:
    handled = {"content", "encoding"}
    if data.get("encoding") == "base64":
        part = {"type": "file", "format": data.get("mime_type"), "name": data.get("name"), "data": data["content"]}
        parts = [{name: value for name, value in part.items() if value is not None}]
        draft.put("content", parts, "/data/content", [path])  # the part holds several members of `data`
        handled |= {"mime_type", "name"}
    else:
        draft.put("content", data["content"], "/data/content")
    _report(_others(data, *handled), path, log)


def _downgrade_call(call: Json, path: str, log: LossLog) -> Json:
    known = known_members()["call"]
    downgraded = {name: value for name, value in call.items() if name in known}
    if not call["name"]:
        downgraded["name"] = _UNNAMED
        log.changed("name", f"{path}/name", "version 2 requires a name")
    if not is_text(call["arguments"]):
        downgraded["arguments"] = json_text(call["arguments"])
    if call.get("kind") == "custom":
        log.lost("migration", f"{path}/kind", _NO_PLACE)
    if "cache" in call:
        log.lost("cache", f"{path}/cache", _NO_PLACE)
    extra: Json = call.get("extra", {})
    downgrade_inner_extra(downgraded, extra, known, path, log)
    if OWN in extra:
        log.lost("extra", f"{path}/extra/{OWN}", "version 2 never writes this")
    return downgraded


def _put_content(draft: Draft, member: str, content: Any, source: str, log: LossLog) -> None:
    downgraded, places = downgrade_content(content, f"{draft.origin.base}/data/{source}", log)
    draft.put(member, downgraded, f"/data/{source}", places if is_list(downgraded) else None)


def _report_approval(approval: Json, status: str, path: str, log: LossLog) -> None:
    """Report what version 2 cannot express of an approval, beyond whether the call was answered."""
    _report({name: value for name, value in approval.items() if (name, value) != ("status", status)}, path, log)


def _report_whole(message: Json, place: str, log: LossLog) -> None:
    """Report a message that has no place, one loss for each member."""
    is_known = message.get("schema_version") == VERSION and message["type"] in _WITHOUT_PLACE
    handled = {"schema_version", "type"} if is_known else frozenset[str]()
    for name, value in message.items():
        if name == "data" and is_object(value):
            for member in value:
                log.lost("message", f"{place}/data{pointer(member)}", _NO_PLACE)
        elif name not in handled:
            log.lost("message", place + pointer(name), _NO_PLACE)


def _report(members: Iterable[str], path: str, log: LossLog) -> None:
    for name in members:
        log.lost("cache" if name == "cache" else "migration", path + pointer(name), _NO_PLACE)


def _others(data: Json, *handled: str) -> list[str]:
    """Return the members of a value that are not handled elsewhere, so that new members are never lost silently."""
    return [name for name in data if name not in handled]


_WRITERS: Final[Mapping[str, Callable[[Draft, Json, str, LossLog], None]]] = {
    "text": _write_text,
    "reasoning": _write_reasoning,
    "tool_request": _write_tool_request,
    "tool_result": _write_tool_result,
    "compaction": _write_compaction,
    "image": _write_image,
    "file_reference": _write_file_reference,
    "mcp_resource": _write_mcp_resource,
}
_ROLES: Final[Mapping[str, str]] = {
    "text": "user",
    "reasoning": "assistant",
    "tool_request": "assistant",
    "tool_result": "tool",
    "compaction": "user",
    "image": "user",
    "file_reference": "user",
    "mcp_resource": "user",
}
