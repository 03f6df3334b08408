"""Canonical to Chat Completions: requests and responses.

Source: reference/wire/openai_chat.md sections 1, 2 and 4. At home a body goes out as it came; abroad the consecutive
assistant messages of one turn become one message, or the results that follow would be refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, assert_never

from interlingua.dialects._chat_completions.encode_message import encode_message, encode_time
from interlingua.dialects._chat_completions.tables import (
    EFFORTS,
    FILLS,
    FINISH_REASONS,
    FINISH_WORDS,
    NAME_LIMIT,
    SETTING_NAMES,
    USAGE,
    USAGE_DETAILS,
)
from interlingua.dialects._shared.extra import lay, lay_spelled, own_bag, report_foreign, report_members
from interlingua.dialects._shared.names import safe_name
from interlingua.dialects._shared.target import Target
from interlingua.loss import LossLog, lost_members

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.dialects._chat_completions.tables import Vendor
    from interlingua.model_shapes import Alternative, ChatMessage, ChatRequest, ChatResponse, Tool, ToolChoice, Usage

_NOTHING: Final[Mapping[str, Any]] = {}
_TOOL_MEMBERS: Final = ("name", "description", "parameters", "strict")


def encode_request(request: ChatRequest, vendor: Vendor, log: LossLog) -> dict[str, Any]:
    """Return the body of `POST /v1/chat/completions`; what does not come along is noted in the log."""
    to = Target(vendor.dialect, request.get("dialect") == vendor.dialect, answer=False, log=log)
    spelling = own_bag(request, vendor.dialect).get("spelling", _NOTHING)
    out: dict[str, Any] = {}
    for name, value in request.items():
        if name in SETTING_NAMES:
            wire = SETTING_NAMES[name]
            out["max_tokens" if name == "max_tokens" and "max_tokens" in spelling else wire] = value
        elif name == "messages":
            out["messages"] = _encode_messages(request["messages"], vendor, to)
        elif name == "tools":
            _encode_tools(out, request["tools"], vendor, to)
        elif name == "tool_choice":
            _encode_tool_choice(out, request["tool_choice"], spelling, to)
        elif name == "stop":
            stop = request["stop"]
            out["stop"] = stop[0] if len(stop) == 1 and "stop" in spelling else stop
        elif name == "user":
            out["user" if "user" in spelling else "safety_identifier"] = value
        elif name == "reasoning":
            _encode_reasoning_settings(out, request["reasoning"], to)
        elif name == "response_format":
            out["response_format"] = _encode_response_format(request["response_format"], to)
        elif name == "cache":
            mark = request["cache"]
            mode = {"mode": mark["mode"]} if "mode" in mark else {} if to.home else {"mode": "implicit"}
            lasting = {"ttl": mark["ttl"]} if "ttl" in mark else {}
            out["prompt_cache_options"] = {**mode, **encode_time(lasting, "/cache", to)}
        elif name == "top_k":
            log.lost("setting", "/top_k", "the dialect has no top_k")
        elif name == "schema_version":
            log.changed("member", "/schema_version", "the version of the schema stays at home")
    _finish(out, request, vendor, to)
    if not to.home and "model" not in out:
        out["model"] = FILLS["model"]
        log.filled("/model", "a request names its model")
    return out


def _finish(out: dict[str, Any], value: Any, vendor: Vendor, to: Target) -> None:
    """Lay what the dialect said beyond the canonical value, and report what other dialects said."""
    extra = value.get("extra")
    if extra is None:
        return
    bag = extra.get(vendor.dialect)
    if bag is not None:
        lay(out, bag.get("fields", _NOTHING))
        lay_spelled(out, bag.get("spelling", _NOTHING))
    if bag is None or len(extra) > 1:
        report_foreign(value, vendor.dialect, to.base, to.log)


def _encode_messages(messages: list[ChatMessage], vendor: Vendor, to: Target) -> list[dict[str, Any]]:
    encoded = [encode_message(message, index, vendor, to) for index, message in enumerate(messages)]
    if to.home:
        return [message for message in encoded if message is not None]
    joined: list[dict[str, Any]] = []
    for index, message in enumerate(encoded):
        if message is None:
            continue
        if joined and message["role"] == "assistant" and joined[-1]["role"] == "assistant":
            joined[-1] = _join_turn(joined[-1], message, index, to)
        else:
            joined.append(message)
    return joined


def _join_turn(first: dict[str, Any], second: dict[str, Any], index: int, to: Target) -> dict[str, Any]:
    """Return two assistant messages of one turn as one: texts with a blank line between, all calls behind."""
    joined = {**second, **first}
    for name in ("content", "refusal"):
        if first.get(name) is not None and second.get(name) is not None:
            joined[name] = _join_texts(first[name], second[name], f"{to.message(index)}/{name}", to)
        elif name in joined:
            joined[name] = first.get(name) if first.get(name) is not None else second.get(name)
    if "tool_calls" in first and "tool_calls" in second:
        joined["tool_calls"] = [*first["tool_calls"], *second["tool_calls"]]
    for name in ("name", "audio"):
        if name in first and name in second and first[name] != second[name]:
            to.log.lost("member", f"{to.message(index)}/{name}", "messages of one turn are joined")
    return joined


def _join_texts(first: Any, second: Any, path: str, to: Target) -> Any:
    """Join two contents; text stays text where nothing hangs on its parts."""
    texts = [_plain(first), _plain(second)]
    if None not in texts:
        return "\n\n".join(text for text in texts if text)
    to.log.changed("content", path, "messages of one turn are joined")
    return [*_parts(first), *_parts(second)]


def _plain(content: Any) -> str | None:
    """Return content as text where it is plain, else None."""
    if type(content) is str:
        return content
    if all(part.keys() == {"type", "text"} for part in content):
        return "".join(part["text"] for part in content)
    return None


def _parts(content: Any) -> list[Any]:
    return [{"type": "text", "text": content}] if type(content) is str else content


def _encode_tools(out: dict[str, Any], tools: list[Tool], vendor: Vendor, to: Target) -> None:
    encoded = []
    functions = []
    for index, tool in enumerate(tools):
        if tool["type"] == "function":
            bag = own_bag(tool, vendor.dialect)
            spelling = bag.get("spelling", _NOTHING)
            wire = _encode_function(tool, index, spelling, bag, vendor, to)
            (functions if "tool" in spelling else encoded).append(wire)
        elif tool["type"] == "opaque":
            if tool["dialect"] == vendor.dialect:
                encoded.append(tool["data"])
            else:
                lost_members(to.log, tool, f"/tools/{index}", "tool", f"only {tool['dialect']} understands it")
        else:
            assert_never(tool)
    if encoded or not (functions or tools):
        out["tools"] = encoded
    if functions:
        out["functions"] = functions


def _encode_function(
    tool: Any, index: int, spelling: Mapping[str, Any], bag: Mapping[str, Any], vendor: Vendor, to: Target
) -> dict[str, Any]:
    function = {name: tool[name] for name in _TOOL_MEMBERS if name in tool}
    if not to.home:
        function["name"] = safe_name(tool["name"], NAME_LIMIT, f"/tools/{index}/name", to.log)
    for name in spelling.get("null", ()):
        if name in _TOOL_MEMBERS:
            function.setdefault(name, None)
    out: dict[str, Any]
    if "tool" in spelling:
        out = function
    else:
        out = {"function": function} if "type" in spelling else {"type": "function", "function": function}
        if "type" in spelling.get("null", ()):
            out["type"] = None
    if "cache" in tool:
        if "cache" in spelling:
            out["cache_control"] = {"type": "ephemeral", **tool["cache"]}
        else:
            to.log.lost("cache", f"/tools/{index}/cache", "tools have no cache mark")
    if bag:
        lay(out, bag.get("fields", _NOTHING))
    if "extra" in tool:
        report_foreign(tool, vendor.dialect, f"/tools/{index}", to.log)
    return out


def _encode_tool_choice(out: dict[str, Any], choice: ToolChoice, spelling: Mapping[str, Any], to: Target) -> None:
    older = "tool_choice" in spelling
    if choice["mode"] == "auto" or choice["mode"] == "none" or choice["mode"] == "required":
        wire: Any = choice["mode"]
    elif choice["mode"] == "named":
        kind = choice.get("kind", "function")
        name = choice["name"] if to.home else safe_name(choice["name"], NAME_LIMIT, "/tool_choice/name", to.log)
        wire = {"name": name} if older else {"type": kind, kind: {"name": name}}
    elif choice["mode"] == "subset":
        names = [
            name if to.home else safe_name(name, NAME_LIMIT, f"/tool_choice/names/{at}", to.log)
            for at, name in enumerate(choice["names"])
        ]
        tools = [{"type": "function", "function": {"name": name}} for name in names]
        mode = "required" if choice.get("required") else "auto"
        wire = {"type": "allowed_tools", "allowed_tools": {"mode": mode, "tools": tools}}
    else:
        assert_never(choice)
    out["function_call" if older else "tool_choice"] = wire


def _encode_reasoning_settings(out: dict[str, Any], settings: Any, to: Target) -> None:
    effort = settings.get("effort")
    if effort is None and settings.get("mode") == "disabled":
        effort = "none"
    elif "mode" in settings and not (settings["mode"] == "disabled" and effort == "none"):
        to.log.lost("setting", "/reasoning/mode", "reasoning is asked for by effort alone")
    if effort is not None:
        if to.home or effort in EFFORTS:
            out["reasoning_effort"] = effort
        else:
            to.log.lost("setting", "/reasoning/effort", "the dialect has other efforts")
    for name in ("budget_tokens", "display"):
        if name in settings:
            to.log.lost("setting", f"/reasoning/{name}", "reasoning is asked for by effort alone")


def _encode_response_format(wanted: Any, to: Target) -> dict[str, Any]:
    inner = {name: wanted[name] for name in ("name", "description", "schema", "strict") if name in wanted}
    if wanted["type"] != "json_schema":
        report_members(inner, "/response_format", to.log, "only a schema has this")
        return {"type": wanted["type"]}
    if "name" not in inner and not to.home:
        inner["name"] = FILLS["format_name"]
        to.log.filled("/response_format/name", "a schema has a name")
    return {"type": "json_schema", "json_schema": inner}


def encode_response(response: ChatResponse, vendor: Vendor, log: LossLog) -> dict[str, Any]:
    """Return a `chat.completion`; what does not come along is noted in the log."""
    to = Target(vendor.dialect, response.get("dialect") == vendor.dialect, answer=True, log=log)
    bag = own_bag(response, vendor.dialect)
    absent = bag.get("spelling", _NOTHING).get("absent", ())
    out: dict[str, Any] = {}
    for name in ("id", "created", "model"):
        if name in response:
            out[name] = response[name]  # type: ignore[literal-required]  # the three names above
    if response["messages"] or not to.home:
        out["choices"] = [_encode_choice(response, response, 0, vendor, to)]
    else:
        out["choices"] = []
    for index, answer in enumerate(response.get("alternatives", ())):
        inner = Target(vendor.dialect, to.home, answer=True, log=log, base=f"/alternatives/{index}")
        out["choices"].append(_encode_choice(answer, answer, index + 1, vendor, inner))
        if "extra" in answer:
            report_foreign(answer, vendor.dialect, inner.base, log)
    if "usage" in response:
        out["usage"] = _encode_usage(response["usage"], vendor, to)
    if "schema_version" in response:
        log.changed("member", "/schema_version", "the version of the schema stays at home")
    _finish(out, response, vendor, to)
    if "object" not in out and "object" not in absent:
        out["object"] = "chat.completion"
    if not to.home:
        _fill_response(out, log)
    return out


def _fill_response(out: dict[str, Any], log: LossLog) -> None:
    for name, value in (("id", "chatcmpl-0"), ("created", FILLS["created"]), ("model", FILLS["model"])):
        if name not in out:
            out[name] = value
            log.filled(f"/{name}", "a response has it")


def _encode_choice(
    answer: ChatResponse | Alternative, holder: Any, position: int, vendor: Vendor, to: Target
) -> dict[str, Any]:
    """Encode one answer. Its leftovers stand in `choice`, its notes on spelling with the response's."""
    bag = own_bag(holder, vendor.dialect)
    spelling = bag.get("spelling", _NOTHING)
    absent = spelling.get("absent", ())
    messages = _encode_messages(answer["messages"], vendor, to)
    if len(messages) > 1:
        for index in range(1, len(answer["messages"])):
            lost_members(to.log, answer["messages"][index], to.message(index), "message", "an answer is one message")
    message = messages[0] if messages else {"role": "assistant", "content": None}
    out: dict[str, Any] = {"message": message}
    if not to.home:
        message.setdefault("content", None)
        message.setdefault("refusal", None)
    reason = answer.get("finish_reason")
    raw = answer.get("finish_reason_raw")
    if reason is not None:
        out["finish_reason"] = _finish_word(reason, raw, to)
    elif not to.home:
        out["finish_reason"] = "stop"
        to.log.filled(f"{to.base}/finish_reason", "a whole answer has a reason")
    if "stop_sequence" in answer:
        to.log.lost("finish_reason", f"{to.base}/stop_sequence", "the stop word is not told")
    if "choice" in bag:
        lay(out, bag["choice"])
    if "choice.logprobs" in spelling.get("null", ()):
        out.setdefault("logprobs", None)
    if "index" not in out and "index" not in absent:
        out["index"] = position
    if "finish_reason" not in out and "finish_reason" not in absent:
        out["finish_reason"] = None
    if not to.home:
        out.setdefault("logprobs", None)
    return out


def _finish_word(reason: str, raw: str | int | None, to: Target) -> str | int:
    word, faithful = FINISH_WORDS[reason]
    if raw is not None:
        decoded = FINISH_REASONS.get(raw, "other") if type(raw) is str else "other"
        if decoded == reason and (to.home or raw in FINISH_REASONS):
            return raw
        to.log.lost("finish_reason", f"{to.base}/finish_reason_raw", "another dialect's word")
    if not faithful:
        to.log.changed("finish_reason", f"{to.base}/finish_reason", "the dialect has no word for it")
    return word


def _encode_usage(usage: Usage, vendor: Vendor, to: Target) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for wire, name in USAGE.items():
        if name in usage:
            out[wire] = usage[name]  # type: ignore[literal-required]  # names of the table
    for wire, names in USAGE_DETAILS:
        details = {inner: usage[name] for inner, name in names.items() if name in usage}  # type: ignore[literal-required]  # names of the table
        if details:
            out[wire] = details
    bag = own_bag(usage, vendor.dialect)
    if bag:
        lay(out, bag.get("fields", _NOTHING))
        for name in bag.get("spelling", _NOTHING).get("null", ()):
            outer, dot, inner = name.partition(".")
            if not dot:
                out.setdefault(name, None)
            elif type(out.setdefault(outer, {})) is dict:
                out[outer] = {inner: None, **out[outer]}
    if "extra" in usage:
        report_foreign(usage, vendor.dialect, "/usage", to.log)
    if not to.home:
        for wire, name in USAGE.items():
            if wire not in out:
                total = out.get("prompt_tokens", 0) + out.get("completion_tokens", 0)
                out[wire] = total if wire == "total_tokens" else 0
                to.log.filled(f"/usage/{name}", "usage is whole")
    return out
