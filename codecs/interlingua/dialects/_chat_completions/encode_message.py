"""Canonical to Chat Completions: messages, parts, tool calls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, assert_never

from interlingua.dialects._chat_completions.tables import CACHE_TIMES, ID_LIMIT, NAME_LIMIT
from interlingua.arguments import arguments_text
from interlingua.dialects._shared.extra import lay, lay_spelled, own_bag, report_foreign
from interlingua.dialects._shared.media import audio_word, data_url
from interlingua.dialects._shared.names import acceptable_40, acceptable_64, safe_name
from interlingua.loss import lost_members

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.dialects._chat_completions.tables import Vendor
    from interlingua.dialects._shared.target import Target
    from interlingua.model_shapes import (
        AssistantChatMessage,
        ChatMessage,
        DeveloperChatMessage,
        Part,
        SystemChatMessage,
        ToolCall,
        ToolChatMessage,
        UserChatMessage,
    )

_NOTHING: Final[Mapping[str, Any]] = {}
_PLAIN_TEXT: Final = frozenset({"type", "text"})
_SPOKEN_MEMBERS: Final = frozenset({"role", "content", "name", "extra"})


def encode_message(message: ChatMessage, index: int, vendor: Vendor, to: Target) -> dict[str, Any] | None:
    """Return the wire message of a chat message, or None for one that has no place here."""
    if message["role"] == "user" or message["role"] == "system" or message["role"] == "developer":
        if len(message) == 2 and type(message.get("content")) is str:
            return message  # type: ignore[return-value]  # the wire form of a plain message is its canonical form
        return _encode_spoken(message, index, vendor, to)
    if message["role"] == "assistant":
        return encode_assistant(message, index, vendor, to)
    if message["role"] == "tool":
        return _encode_result(message, index, vendor, to)
    if message["role"] == "opaque":
        if message["dialect"] == vendor.dialect and type(message["data"]) is dict:
            if "id" in message or "extra" in message:
                _finish({}, message, to.message(index), vendor, to, _SPOKEN_MEMBERS | {"dialect", "data"})
            return message["data"]
        lost_members(to.log, message, to.message(index), "message", f"only {message['dialect']} understands it")
        return None
    assert_never(message)


def _encode_spoken(
    message: UserChatMessage | SystemChatMessage | DeveloperChatMessage, index: int, vendor: Vendor, to: Target
) -> dict[str, Any]:
    out: dict[str, Any] = {"role": message["role"]}
    spelling = own_bag(message, vendor.dialect).get("spelling", _NOTHING)
    content = message.get("content")
    if content is not None:
        out["content"] = _encode_content(content, index, message["role"], vendor, to, spelling)
    elif "content" in spelling:
        out["content"] = None
    elif not to.home:
        out["content"] = ""
        to.log.filled(f"{to.message(index)}/content", "a message must say something")
    if "name" in message:
        out["name"] = message["name"]
    _finish(out, message, to.message(index), vendor, to, _SPOKEN_MEMBERS)
    return out


def _encode_result(message: ToolChatMessage, index: int, vendor: Vendor, to: Target) -> dict[str, Any]:
    if len(message) == 3 and "call_id" in message and (to.home or acceptable_40(message["call_id"])):
        if type(message.get("content")) is str:
            return {"role": "tool", "tool_call_id": message["call_id"], "content": message["content"]}  # type: ignore[typeddict-item]  # just checked
    bag = own_bag(message, vendor.dialect)
    spelling = bag.get("spelling", _NOTHING)
    older = spelling.get("role") == "function"
    out: dict[str, Any] = {"role": "function" if older else "tool"}
    identifier = message.get("call_id", message.get("id"))
    if identifier is not None:
        out["tool_call_id"] = identifier if to.home else safe_name(identifier, ID_LIMIT, f"{to.message(index)}/call_id", to.log)  # fmt: skip
    content = message.get("content")
    if content is not None:
        out["content"] = _encode_content(content, index, "tool", vendor, to, spelling)
    elif "content" in spelling:
        out["content"] = None
    elif not to.home:
        out["content"] = ""
        to.log.filled(f"{to.message(index)}/content", "a result must say something")
    if "name" in message:
        if to.home or older or "name" in bag.get("fields", _NOTHING):
            out["name"] = message["name"]
        else:
            to.log.lost("member", f"{to.message(index)}/name", "results name their call only by its id")
    if message.get("is_error") is not None:
        to.log.lost("member", f"{to.message(index)}/is_error", "no place for whether a tool failed")
    if "cache" in message:
        _encode_cache_control(out, message["cache"], spelling, f"{to.message(index)}/cache", to)
    known = _SPOKEN_MEMBERS | {"call_id", "is_error", "cache"} | ({"id"} if "call_id" not in message else set())
    _finish(out, message, to.message(index), vendor, to, known)
    return out


def encode_assistant(message: AssistantChatMessage, index: int, vendor: Vendor, to: Target) -> dict[str, Any]:
    """Return the wire message of one assistant message."""
    if len(message) == 2:
        if type(message.get("content")) is str:
            return message  # type: ignore[return-value]  # the wire form of a plain message is its canonical form
        if message.get("tool_calls"):
            calls = [encode_call(call, index, at, vendor, to) for at, call in enumerate(message["tool_calls"])]
            return {"role": "assistant", "content": None, "tool_calls": calls}
    bag = own_bag(message, vendor.dialect)
    spelling = bag.get("spelling", _NOTHING)
    out: dict[str, Any] = {"role": "assistant"}
    content = message.get("content")
    refusal = message.get("refusal")
    if type(content) is str:
        out["content"] = content
    elif content is not None:
        _encode_answer_parts(out, content, index, vendor, to, spelling)
    if refusal is not None:
        _encode_refusal(out, refusal, index, to, spelling)
    if "reasoning" in message:
        _encode_reasoning(out, message["reasoning"], index, to, spelling)
    calls = message.get("tool_calls")
    if calls is not None:
        if spelling.get("call") == "function_call" and len(calls) == 1:
            out["function_call"] = _encode_function_call(calls[0], vendor)
        elif calls:
            out["tool_calls"] = [encode_call(call, index, at, vendor, to) for at, call in enumerate(calls)]
        elif to.home:
            out["tool_calls"] = []
    for placed in bag.get("opaque_calls", ()):
        out["tool_calls"] = [*out.get("tool_calls", ())]
        out["tool_calls"].insert(placed["at"], placed["data"])
    if "name" in message:
        out["name"] = message["name"]
    if "extra" in message or "id" in message:
        _finish(out, message, to.message(index), vendor, to, _SPOKEN_MEMBERS | {"reasoning", "refusal", "tool_calls"})
    if "content" not in out and spelling.get("content") != "absent":
        out["content"] = None
    return out


def _finish(
    out: dict[str, Any], message: Any, path: str, vendor: Vendor, to: Target, known: frozenset[str] | set[str]
) -> None:
    """Lay what the dialect said beyond the canonical value, and report what other dialects said."""
    extra = message.get("extra")
    if extra is not None:
        bag = extra.get(vendor.dialect)
        if bag is not None:
            if "fields" in bag:
                lay(out, bag["fields"])
            if "spelling" in bag:
                lay_spelled(out, bag["spelling"])
                for name in bag["spelling"].get("absent", ()):
                    if name == "role":
                        del out["role"]
                if "role" in bag["spelling"].get("null", ()):
                    out["role"] = None
        if bag is None or len(extra) > 1:
            report_foreign(message, vendor.dialect, path, to.log)
    if "id" in message and "id" not in known:
        to.log.changed("local_id", f"{path}/id", "the wire has no place for the id of a message")


def _encode_content(
    content: Any, index: int, role: str, vendor: Vendor, to: Target, spelling: Mapping[str, Any]
) -> Any:
    """Encode text or parts of any role but assistant."""
    if type(content) is str:
        return content
    if spelling.get("content") == "object" and len(content) == 1 and content[0]["type"] == "opaque":
        return content[0]["data"]
    if not content and not to.home:
        to.log.changed("content", f"{to.message(index)}/content", "a list must hold something")
        return ""
    parts = []
    for at, part in enumerate(content):
        encoded = encode_part(part, index, at, role, vendor, to)
        if encoded is not None:
            parts.extend(encoded)
    return parts if parts or not content else ""


def _encode_answer_parts(
    out: dict[str, Any], content: Any, index: int, vendor: Vendor, to: Target, spelling: Mapping[str, Any]
) -> None:
    """Encode the parts of an assistant: text and refusals in the content, the spoken answer beside it."""
    parts: list[Any] = []
    texts: list[Any] = []
    for at, part in enumerate(content):
        if part["type"] == "audio" and "audio" not in out:
            audio = _encode_spoken_answer(part, index, at, vendor, to)
            if audio is not None:
                out["audio"] = audio
            continue
        encoded = encode_part(part, index, at, "assistant", vendor, to)
        if encoded is not None:
            parts.extend(encoded)
            texts.append((at, part))
    form = spelling.get("content")
    if form == "object" and len(parts) == 1 and texts[0][1]["type"] == "opaque":
        out["content"] = parts[0]
    elif parts and to.answer and not to.home:
        _join_answer(out, texts, index, to)
    elif form == "string" and len(texts) == 1 and texts[0][1]["type"] == "text":
        out["content"] = texts[0][1]["text"]
        _encode_citations(out, texts[0][1], index, texts[0][0], vendor, to)
    elif parts or form == "list" or not content:
        out["content"] = parts
        for at, part in texts:
            if part.get("citations"):
                to.log.lost("citation", f"{to.part(index, 'content', at)}/citations", "a list of parts has no citations")


def _join_answer(out: dict[str, Any], texts: list[tuple[int, Any]], index: int, to: Target) -> None:
    """Write the texts of an answer as the one string that a response holds, with citations at their spans."""
    annotations = []
    joined = ""
    for at, part in texts:
        if part["type"] == "text":
            for which, citation in enumerate(part.get("citations", ())):
                path = f"{to.part(index, 'content', at)}/citations/{which}"
                annotation = _encode_citation(citation, path, to, len(joined), len(joined) + len(part["text"]))
                if annotation is not None:
                    annotations.append(annotation)
            joined += part["text"]
    out["content"] = joined
    if annotations:
        out["annotations"] = annotations
        if len(texts) > 1:
            to.log.changed("content", f"{to.message(index)}/content", "cited texts are joined to one")


def _encode_citations(out: dict[str, Any], part: Any, index: int, at: int, vendor: Vendor, to: Target) -> None:
    annotations = []
    for which, citation in enumerate(part.get("citations", ())):
        path = f"{to.part(index, 'content', at)}/citations/{which}"
        annotation = _encode_citation(citation, path, to, 0, len(part["text"]))
        if annotation is not None:
            annotations.append(annotation)
            bag = own_bag(citation, vendor.dialect)
            lay(annotation, bag.get("fields", _NOTHING))
    if annotations:
        out["annotations"] = annotations


def _encode_citation(citation: Any, path: str, to: Target, start: int, end: int) -> dict[str, Any] | None:
    if citation["kind"] != "url" or "url" not in citation:
        lost_members(to.log, citation, path, "citation", "only addresses can be cited")
        return None
    cited: dict[str, Any] = {}
    for name, default in (("url", ""), ("title", ""), ("start_index", start), ("end_index", end)):
        if name in citation:
            cited[name] = citation[name]
        elif not to.home:
            cited[name] = default
            to.log.filled(f"{path}/{name}", "every citation has an address, a title and a span")
    for name in ("cited_text", "file_id", "name"):
        if name in citation:
            to.log.lost("citation", f"{path}/{name}", "no place in a citation")
    if "extra" in citation:
        report_foreign(citation, to.dialect, path, to.log)
    return {"type": "url_citation", "url_citation": cited}


def _encode_spoken_answer(part: Any, index: int, at: int, vendor: Vendor, to: Target) -> dict[str, Any] | None:
    """Encode `audio`: abroad, a request refers to it by the id that this provider gave."""
    path = to.part(index, "content", at)
    bag = own_bag(part, vendor.dialect)
    audio: dict[str, Any] = {}
    if "id" in bag or "file_id" in part:
        audio["id"] = bag["id"] if "id" in bag else part["file_id"]
    if to.home or to.answer:
        audio.update({name: part[name] for name in ("data", "transcript", "expires_at") if name in part})
        lay(audio, bag.get("fields", _NOTHING))
    elif audio:
        lost_members(to.log, [name for name in part if name not in {"type", "extra", "file_id"}], path, "part", "a request refers to a spoken answer by its id")  # fmt: skip
    if not audio or (to.answer and not to.home and "data" not in part):
        lost_members(to.log, part, path, "part", "only a spoken answer of this provider has a place here")
        return None
    for name in ("format", "name", "url", "cache"):
        if name in part:
            to.log.lost("part", f"{path}/{name}", "no place in a spoken answer")
    if "extra" in part:
        report_foreign(part, vendor.dialect, path, to.log)
    return audio


def _encode_refusal(out: dict[str, Any], refusal: Any, index: int, to: Target, spelling: Mapping[str, Any]) -> None:
    if type(refusal) is not str:
        path = f"{to.message(index)}/refusal"
        for at, part in enumerate(refusal):
            if part["type"] != "text" or part.keys() - _PLAIN_TEXT:
                lost_members(to.log, part.keys() - _PLAIN_TEXT, f"{path}/{at}", "refusal", "a refusal is plain text")
        refusal = "".join(part["text"] for part in refusal if part["type"] == "text")
    if spelling.get("refusal") == "part" and type(out.get("content", [])) is list:
        out["content"] = [*out.get("content", ()), {"type": "refusal", "refusal": refusal}]
    else:
        out["refusal"] = refusal


def _encode_reasoning(out: dict[str, Any], reasoning: Any, index: int, to: Target, spelling: Mapping[str, Any]) -> None:
    name = spelling.get("reasoning")
    path = f"{to.message(index)}/reasoning"
    if name is None:
        to.log.lost("reasoning", path, "the dialect has no reasoning")
    elif type(reasoning) is str:
        out[name] = reasoning
    else:
        out[name] = "".join(part["text"] for part in reasoning if part["type"] == "text")
        to.log.changed("reasoning", path, "reasoning is one text here")


def encode_part(
    part: Part, index: int, at: int, role: str, vendor: Vendor, to: Target
) -> list[dict[str, Any]] | None:
    """Return the wire parts of a part (a document can become several), or None where it has no place."""
    if part["type"] == "text":
        if len(part) == 2:
            return [part]  # type: ignore[list-item]  # the wire form of a plain text is its canonical form
        out: dict[str, Any] = {"type": "text", "text": part["text"]}
        if "citations" in part and role != "assistant":
            to.log.lost("citation", f"{to.part(index, 'content', at)}/citations", "no citations in a question")
        return [_finish_part(out, part, index, at, vendor, to)]
    if part["type"] == "opaque":
        if part["dialect"] == vendor.dialect:
            return [part["data"]]
        lost_members(to.log, part, to.part(index, "content", at), "part", f"only {part['dialect']} understands it")
        return None
    if not to.home and (role not in {"user", "tool"} or (role == "tool" and not vendor.tool_media)):
        if part["type"] == "file" and ("text" in part or "content" in part):
            return _encode_readable(part, index, at, role, vendor, to)
        lost_members(to.log, part, to.part(index, "content", at), "part", f"a {role} message holds text alone")
        return None
    if part["type"] == "image":
        if "file_id" in part:
            lost_members(to.log, part, to.part(index, "content", at), "part", "pictures are given by address or data")
            return None
        return [_finish_part(_encode_image(part, index, at, vendor, to), part, index, at, vendor, to)]
    if part["type"] == "audio":
        word = audio_word(part["format"]) if "format" in part else None
        if "data" not in part or (not to.home and word not in {"wav", "mp3"}):
            lost_members(to.log, part, to.part(index, "content", at), "part", "sounds are given as wav or mp3 data")
            return None
        audio = {"data": part["data"]} | ({} if word is None else {"format": word})
        return [_finish_part({"type": "input_audio", "input_audio": audio}, part, index, at, vendor, to)]
    if part["type"] == "file":
        if "text" in part or "content" in part:
            return _encode_readable(part, index, at, role, vendor, to)
        if "url" in part:
            lost_members(to.log, part, to.part(index, "content", at), "part", "files are given by id or data")
            return None
        return [_finish_part(_encode_file(part, index, at, to), part, index, at, vendor, to)]
    assert_never(part)


def _encode_image(part: Any, index: int, at: int, vendor: Vendor, to: Target) -> dict[str, Any]:
    if "url" in part:
        url = part["url"]
        if "format" in part and not to.home:
            to.log.lost("part", f"{to.part(index, 'content', at)}/format", "an address has no media type")
    else:
        if "format" not in part:
            to.log.filled(f"{to.part(index, 'content', at)}/format", "a data URL has a media type")
        url = data_url(part.get("format", "image/png"), part["data"])
    if "name" in part:
        to.log.lost("part", f"{to.part(index, 'content', at)}/name", "pictures have no name")
    spelling = own_bag(part, vendor.dialect).get("spelling", _NOTHING)
    if spelling.get("image") == "string" and "detail" not in part:
        return {"type": "image_url", "image_url": url}
    image = {"url": url}
    if "detail" in part:
        image["detail"] = part["detail"]
    return {"type": "image_url", "image_url": image}


def _encode_file(part: Any, index: int, at: int, to: Target) -> dict[str, Any]:
    path = to.part(index, "content", at)
    file: dict[str, Any] = {}
    if "file_id" in part:
        file["file_id"] = part["file_id"]
        if "format" in part:
            to.log.lost("part", f"{path}/format", "an id has no media type")
    else:
        file["file_data"] = data_url(part["format"], part["data"]) if "format" in part else part["data"]
    if "name" in part:
        file["filename"] = part["name"]
    elif "data" in part and not to.home:
        file["filename"] = part.get("title", "file")
        if "title" not in part:
            to.log.filled(f"{path}/name", "a file that is given as data has a name")
    for name in ("title", "context"):
        if name in part and file.get("filename") != part[name]:
            to.log.lost("part", f"{path}/{name}", "files have a name alone")
        elif name in part:
            to.log.changed("part", f"{path}/{name}", "the title became the name")
    return {"type": "file", "file": file}


def _encode_readable(
    part: Any, index: int, at: int, role: str, vendor: Vendor, to: Target
) -> list[dict[str, Any]] | None:
    """Write a document that is text, or parts, as what it says."""
    path = to.part(index, "content", at)
    to.log.changed("part", path, "a document of text becomes text")
    lost_members(to.log, part.keys() - {"type", "text", "content", "extra", "cache"}, path, "part", "text has no name")
    if "extra" in part:
        report_foreign(part, vendor.dialect, path, to.log)
    if "cache" in part:
        to.log.lost("cache", f"{path}/cache", "no place for the mark")
    if "text" in part:
        return [{"type": "text", "text": part["text"]}]
    inner = []
    for which, one in enumerate(part["content"]):
        if one["type"] == "text" and len(one) == 2:
            inner.append(one)
        else:
            lost_members(to.log, one, f"{path}/content/{which}", "part", "only plain text inside a document")
    return inner


def _finish_part(out: dict[str, Any], part: Any, index: int, at: int, vendor: Vendor, to: Target) -> dict[str, Any]:
    bag = own_bag(part, vendor.dialect)
    spelling = bag.get("spelling", _NOTHING)
    if "cache" in part:
        path = f"{to.part(index, 'content', at)}/cache"
        if spelling.get("cache") == "cache_control":
            _encode_cache_control(out, part["cache"], spelling, path, to)
        else:
            out["prompt_cache_breakpoint"] = {"mode": "explicit", **encode_time(part["cache"], path, to)}
    if bag:
        lay(out, bag.get("fields", _NOTHING))
        lay_spelled(out, spelling)
    if "extra" in part:
        report_foreign(part, vendor.dialect, to.part(index, "content", at), to.log)
    return out


def _encode_cache_control(out: dict[str, Any], mark: Any, spelling: Mapping[str, Any], path: str, to: Target) -> None:
    if spelling.get("cache") == "cache_control":
        out["cache_control"] = {"type": "ephemeral", **mark}
    else:
        to.log.lost("cache", path, "no place for the mark")


def encode_time(mark: Any, path: str, to: Target) -> dict[str, Any]:
    """Return the time to live of a cache mark, where this dialect has it."""
    if "mode" in mark:
        to.log.lost("cache", f"{path}/mode", "only a request has a mode")
    if "ttl" not in mark:
        return {}
    if to.home or mark["ttl"] in CACHE_TIMES:
        return {"ttl": mark["ttl"]}
    to.log.lost("cache", f"{path}/ttl", "the dialect has other times to live")
    return {}


def encode_call(call: ToolCall, index: int, at: int, vendor: Vendor, to: Target) -> dict[str, Any]:
    """Return the wire form of a tool call."""
    arguments = call["arguments"]
    name = call["name"]
    if len(call) == 3 and "id" in call and (to.home or (acceptable_64(name) and acceptable_40(call["id"]))):
        text = arguments if type(arguments) is str else arguments_text(arguments)
        return {"id": call["id"], "type": "function", "function": {"name": name, "arguments": text}}
    bag = own_bag(call, vendor.dialect)
    spelling = bag.get("spelling", _NOTHING)
    out: dict[str, Any] = {}
    if to.home:
        if "id" in call:
            out["id"] = call["id"]
    else:
        path = to.call(index, at)
        name = safe_name(name, NAME_LIMIT, f"{path}/name", to.log)
        if "id" in call:
            out["id"] = safe_name(call["id"], ID_LIMIT, f"{path}/id", to.log)
        else:
            out["id"] = f"call_{index}_{at}"
            to.log.filled(f"{path}/id", "every call has an id")
    custom = call.get("kind") == "custom"
    if spelling.get("type") != "absent":
        out["type"] = None if "type" in spelling.get("null", ()) else "custom" if custom else "function"
    function: dict[str, Any] = {"name": name}
    form = spelling.get("arguments")
    if form == "object" and type(arguments) is dict:
        function["arguments"] = arguments
    elif form == "null" and arguments == "":
        function["arguments"] = None
    elif form != "absent" or arguments != "":
        function["arguments"] = arguments_text(arguments)
    out["custom" if custom else "function"] = (
        {("input" if key == "arguments" else key): value for key, value in function.items()} if custom else function
    )
    if "call_id" in call:
        to.log.lost("member", f"{to.call(index, at)}/call_id", "a call has one id")
    if "cache" in call:
        _encode_cache_control(out, call["cache"], spelling, f"{to.call(index, at)}/cache", to)
    if bag:
        lay(out, bag.get("fields", _NOTHING))
        lay_spelled(out, spelling)
    if "extra" in call:
        report_foreign(call, vendor.dialect, to.call(index, at), to.log)
    return out


def _encode_function_call(call: Any, vendor: Vendor) -> dict[str, Any]:
    out = {"name": call["name"]}
    bag = own_bag(call, vendor.dialect)
    spelling = bag.get("spelling", _NOTHING).get("arguments")
    if call["arguments"] != "" or spelling is None:
        out["arguments"] = arguments_text(call["arguments"])
    elif spelling == "null":
        out["arguments"] = None
    lay(out, bag.get("fields", _NOTHING))
    return out
