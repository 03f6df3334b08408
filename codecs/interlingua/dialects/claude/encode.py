"""Canonical to Claude: requests and responses.

Source: reference/wire/claude.md sections 0, 1, 2 and 4. Consecutive messages of one wire role are one turn (MAP-6.6),
results of tools stand in the user's turn (MAP-6.3), leading instructions in `system` (MAP-6.1).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, assert_never

from interlingua.dialects._shared.extra import lay, lay_spelled, own_bag, report_foreign, report_members
from interlingua.dialects._shared.names import acceptable_64, acceptable_128, made_acceptable, safe_name
from interlingua.dialects._shared.target import Target
from interlingua.dialects.claude.encode_message import (
    encode_answer,
    encode_cache,
    encode_parts,
    encode_result,
    encode_texts,
)
from interlingua.dialects.claude.tables import (
    DIALECT,
    DISPLAYS,
    EFFORTS,
    FILLS,
    FINISH_REASONS,
    FINISH_WORDS,
    HOTTEST,
    ID_LIMIT,
    LEAST_BUDGET,
    NAME_LIMIT,
    NEAREST_DISPLAYS,
    NEAREST_EFFORTS,
    NEWEST,
    OUTPUT_DETAILS,
    SAMPLING,
    SETTING_NAMES,
    STOP_SEQUENCE,
    THINKING_MODES,
    THINKING_TOKENS,
    TOOL_CHOICE_WORDS,
    USAGE,
)
from interlingua.loss import lost_members

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.loss import LossLog
    from interlingua.model_shapes import ChatMessage, ChatRequest, ChatResponse, Tool, ToolChoice, Usage

_NOTHING: Final[Mapping[str, Any]] = {}
_ELSEWHERE: Final = frozenset({"dialect", "extra", "messages"})
_INSTRUCTIONS: Final = frozenset({"system", "developer"})
_TOTAL_PARTS: Final = ("input_tokens", "output_tokens")


def encode_request(request: ChatRequest, log: LossLog, api_version: str | None = None) -> dict[str, Any]:
    """Return the body of `POST /v1/messages`; what does not come along is noted in the log.

    `api_version` None means verbatim at home and the newest abroad.
    """
    home = request.get("dialect") == DIALECT
    to = Target(DIALECT, home, answer=False, log=log, version=api_version or ("" if home else NEWEST))
    spelling = own_bag(request, DIALECT).get("spelling", _NOTHING)
    out: dict[str, Any] = {}
    for name, value in request.items():
        if name in SETTING_NAMES:
            if name in SAMPLING and to.version and not _takes_sampling(name, value, to):
                continue
            out[SETTING_NAMES[name]] = value
        elif name == "stop":
            out["stop_sequences"] = value
        elif name == "user":
            out["metadata"] = {"user_id": value}
        elif name == "cache":
            out["cache_control"] = encode_cache(value, "/cache", to)
        elif name == "tools":
            _encode_tools(out, request, to)
        elif name == "tool_choice":
            _encode_tool_choice(out, request["tool_choice"], request, to)
        elif name == "reasoning":
            _encode_reasoning_settings(out, request, to)
        elif name == "response_format":
            _encode_response_format(out, value, spelling, to)
        elif name == "parallel_tool_calls":
            _encode_parallel(out, request, to)
        elif name == "schema_version":
            log.changed("member", "/schema_version", "the version of the schema stays at home")
        elif name not in _ELSEWHERE:
            log.lost("setting", f"/{name}", f"the dialect has no {name}")
    _encode_conversation(out, request["messages"], to)
    _finish(out, request, to)
    if not home:
        for name in ("model", "max_tokens"):
            if name not in out:
                out[name] = FILLS[name]
                log.filled(f"/{name}", "a request says it")
    return out


def _finish(out: dict[str, Any], value: Any, to: Target) -> None:
    """Lay what the dialect said beyond the canonical value, and report what other dialects said."""
    extra = value.get("extra")
    if extra is None:
        return
    bag = extra.get(DIALECT)
    if bag is not None:
        lay(out, bag.get("fields", _NOTHING))
        lay_spelled(out, bag.get("spelling", _NOTHING))
    if bag is None or len(extra) > 1:
        report_foreign(value, DIALECT, to.base, to.log)


def _takes_sampling(name: str, value: float, to: Target) -> bool:
    if to.version == NEWEST:
        to.log.lost("setting", f"/{name}", f"API version {NEWEST} has no sampling settings")
        return False
    if name == "temperature" and value > HOTTEST:
        to.log.lost("setting", f"/{name}", "the dialect's temperature ends at 1")
        return False
    return True


def _encode_conversation(out: dict[str, Any], messages: list[ChatMessage], to: Target) -> None:
    """Write leading instructions into `system`, and all other messages as turns."""
    first = 0
    for message in messages:
        if message["role"] not in _INSTRUCTIONS:
            break
        if own_bag(message, DIALECT).get("spelling", _NOTHING).get("system") == "inline":
            break
        first += 1
    if first:
        _encode_system(out, messages[:first], to)
    out["messages"] = _encode_turns(messages, first, to)


def _encode_system(out: dict[str, Any], messages: list[ChatMessage], to: Target) -> None:
    """Join instructions to the one `system` text, or to blocks where any carries more than text."""
    contents = []
    for index, message in enumerate(messages):
        content = encode_texts(message.get("content", ""), f"{to.message(index)}/content", to)
        _finish_instruction(message, index, to)
        if content or to.home:
            contents.append(content)
    if len(contents) == 1:
        out["system"] = contents[0]
        return
    if all(type(content) is str or all(len(block) == 2 for block in content) for content in contents):
        texts = [
            content if type(content) is str else "".join(block["text"] for block in content) for content in contents
        ]
        out["system"] = "\n\n".join(texts)
    else:
        out["system"] = [
            block
            for content in contents
            for block in ([{"type": "text", "text": content}] if type(content) is str else content)
        ]
    if not out["system"]:
        del out["system"]


def _finish_instruction(message: Any, index: int, to: Target) -> None:
    """Report what an instruction says beyond its text."""
    if message["role"] == "developer":
        to.log.changed("role", f"{to.message(index)}/role", "the dialect has one kind of instruction")
    _finish_message(message, index, to)


def _finish_message(message: Any, index: int, to: Target) -> None:
    """Report the name, our own id and what other dialects said."""
    if "name" in message:
        to.log.lost("member", f"{to.message(index)}/name", "messages have no names")
    if "id" in message:
        to.log.changed("local_id", f"{to.message(index)}/id", "the wire has no place for the id of a message")
    if "extra" in message:
        report_foreign(message, DIALECT, to.message(index), to.log)


def _encode_turns(messages: list[ChatMessage], first: int, to: Target) -> list[dict[str, Any]]:
    turns: list[dict[str, Any]] = []
    last = ""
    for index in range(first, len(messages)):
        message = messages[index]
        role: str = message["role"]
        content: Any = message.get("content")
        bag: Mapping[str, Any] = _NOTHING
        if role == "user" and len(message) == 2 and type(content) is str and content and (to.home or not content.isspace()):
            if last != "user":
                turns.append(message)  # type: ignore[arg-type]  # the wire form of a plain message is its canonical form
                last = "user"
                continue
        elif message["role"] == "opaque":
            last = _encode_opaque(turns, message, index, last, to)
            continue
        else:
            role, content = _encode_message(message, index, messages, to)
            if "extra" in message:
                bag = own_bag(message, DIALECT)
            if not content and not to.home:
                continue
        if role == last and role != "system" and bag.get("spelling", _NOTHING).get("turn") != "new":
            turn = turns[-1] = {**turns[-1], "content": _joined(turns[-1]["content"], content, role)}
        else:
            turn = {"role": role, "content": content}
            turns.append(turn)
            last = role
        if bag:
            lay(turn, bag.get("message" if message["role"] == "tool" else "fields", _NOTHING))
    return turns


def _encode_opaque(turns: list[dict[str, Any]], message: Any, index: int, last: str, to: Target) -> str:
    """Write a message of Claude's verbatim; return the role that the next message may run on from."""
    if message["dialect"] == DIALECT and type(message["data"]) is dict:
        turns.append(message["data"])
        return ""
    lost_members(to.log, message, to.message(index), "message", f"only {message['dialect']} understands it")
    return last


def _encode_message(
    message: ChatMessage, index: int, messages: list[ChatMessage], to: Target
) -> tuple[str, Any]:
    """Return the wire role and content of a message."""
    if message["role"] == "tool":
        identifier = message.get("call_id")
        if identifier is None or not (to.home or acceptable_128(identifier)):
            identifier = _result_identifier(message, index, messages, to)
        return "user", [encode_result(message, index, identifier, to)]
    if message["role"] == "assistant":
        content: Any = encode_answer(message, index, to)
        _finish_message(message, index, to)
        return "assistant", content
    if message["role"] == "user":
        content = encode_parts(message.get("content", []), f"{to.message(index)}/content", "user", to)
        if type(content) is str and not to.home and not content.strip():
            note = to.log.lost if content else to.log.changed
            note("empty_text", f"{to.message(index)}/content", "a text that says nothing is refused")
            content = ""
        _finish_message(message, index, to)
        return "user", content
    if message["role"] == "system" or message["role"] == "developer":
        _finish_instruction(message, index, to)
        content = encode_texts(message.get("content", ""), f"{to.message(index)}/content", to)
        if to.version in {"", NEWEST}:
            return "system", content
        to.log.changed("role", f"{to.message(index)}/role", "this API version has instructions only at the top")
        return "user", content
    if message["role"] == "opaque":
        return "", None  # written by the caller
    assert_never(message)


def _result_identifier(message: Any, index: int, messages: list[ChatMessage], to: Target) -> str | None:
    """Return the id of the call that a result answers; one without id pairs by name, then by order."""
    identifier: str | None = message.get("call_id", message.get("id"))
    if to.home:
        return identifier
    path = f"{to.message(index)}/call_id"
    if identifier is None:
        to.log.filled(path, "a result names its call")
        return _paired(message, index, messages)
    return safe_name(identifier, ID_LIMIT, path, to.log)


def _paired(message: Any, index: int, messages: list[ChatMessage]) -> str:
    """Return the id of the open call of this turn with the result's name, or of the first open one."""
    start = index
    while start and messages[start - 1]["role"] in {"assistant", "tool"}:
        start -= 1
    waiting: list[tuple[str, str]] = []
    for place in range(start, index + 1):
        one: Any = messages[place]
        if one["role"] == "assistant":
            for at, call in enumerate(one.get("tool_calls", ())):
                waiting.append((call.get("id", f"call_{place}_{at}"), call["name"]))
            continue
        known = [call for call in waiting if call[0] == one.get("call_id", one.get("id"))]
        named = [call for call in waiting if call[1] == one.get("name")]
        answered = (known or named or waiting or [(f"call_{index}", "")])[0]
        if place == index:
            return made_acceptable(answered[0], ID_LIMIT) if not acceptable_128(answered[0]) else answered[0]
        if answered in waiting:
            waiting.remove(answered)
    return f"call_{index}"


def _joined(first: Any, second: Any, role: str) -> Any:
    """Join the contents of two messages of one turn; adjacent texts of an answer have a blank line between them."""
    blocks = _blocks(first)
    more = _blocks(second)
    if role == "assistant" and blocks and more and _plain(blocks[-1]) and _plain(more[0]):
        text = blocks[-1]["text"] + "\n\n" + more[0]["text"]
        return [*blocks[:-1], {"type": "text", "text": text}, *more[1:]]
    return [*blocks, *more]


def _plain(block: Any) -> bool:
    return len(block) == 2 and block.get("type") == "text"


def _blocks(content: Any) -> list[Any]:
    if type(content) is str:
        return [{"type": "text", "text": content}] if content else []
    return content  # type: ignore[no-any-return]  # text or a list


def _encode_tools(out: dict[str, Any], request: ChatRequest, to: Target) -> None:
    choice = request.get("tool_choice", {"mode": "auto"})
    allowed = frozenset(choice["names"]) if choice["mode"] == "subset" else None
    tools = []
    for index, tool in enumerate(request["tools"]):
        if allowed is not None and tool["type"] == "function" and tool["name"] not in allowed:
            lost_members(to.log, tool, f"/tools/{index}", "tool", "only allowed tools are offered")
            continue
        encoded = encode_tool(tool, index, to)
        if encoded is not None:
            tools.append(encoded)
    if tools or not request["tools"]:
        out["tools"] = tools


def encode_tool(tool: Tool, index: int, to: Target) -> dict[str, Any] | None:
    """Return the wire form of a tool, or None where it has no place."""
    path = f"/tools/{index}"
    if tool["type"] == "function":
        schema = tool.get("parameters")
        if len(tool) == 4 and schema is not None and "description" in tool and (to.home or (acceptable_64(tool["name"]) and schema.get("type") == "object")):
            return {"name": tool["name"], "description": tool["description"], "input_schema": schema}
        bag = own_bag(tool, DIALECT)
        spelling = bag.get("spelling", _NOTHING)
        out: dict[str, Any] = {"type": "custom"} if "type" in spelling else {}
        out["name"] = tool["name"] if to.home else safe_name(tool["name"], NAME_LIMIT, f"{path}/name", to.log)
        if "description" in tool:
            out["description"] = tool["description"]
        if "parameters" in tool:
            out["input_schema"] = tool["parameters"]
        if not to.home:
            _complete_schema(out, path, to)
        if "strict" in tool:
            out["strict"] = tool["strict"]
        if "cache" in tool:
            out["cache_control"] = encode_cache(tool["cache"], f"{path}/cache", to)
        if "extra" in tool:
            lay(out, bag.get("fields", _NOTHING))
            lay_spelled(out, spelling)
            report_foreign(tool, DIALECT, path, to.log)
        return out
    if tool["type"] == "opaque":
        if tool["dialect"] == DIALECT:
            return tool["data"]  # type: ignore[no-any-return]  # verbatim
        lost_members(to.log, tool, path, "tool", f"only {tool['dialect']} understands it")
        return None
    assert_never(tool)


def _complete_schema(out: dict[str, Any], path: str, to: Target) -> None:
    """Claude demands an object schema of every tool."""
    schema = out.get("input_schema")
    if schema is None:
        out["input_schema"] = {"type": "object", "properties": {}}
        to.log.filled(f"{path}/parameters", "a tool has a schema")
    elif schema.get("type") != "object":
        out["input_schema"] = {**schema, "type": "object"}
        to.log.changed("tool", f"{path}/parameters", "the arguments are an object")


def _encode_tool_choice(out: dict[str, Any], choice: ToolChoice, request: ChatRequest, to: Target) -> None:
    if choice["mode"] == "auto" or choice["mode"] == "none" or choice["mode"] == "required":
        wire: dict[str, Any] = {"type": TOOL_CHOICE_WORDS[choice["mode"]]}
    elif choice["mode"] == "named":
        name = choice["name"] if to.home else safe_name(choice["name"], NAME_LIMIT, "/tool_choice/name", to.log)
        wire = {"type": "tool", "name": name}
        if choice.get("kind") == "custom":
            to.log.lost("setting", "/tool_choice/kind", "every tool takes an object")
    elif choice["mode"] == "subset":
        wire = {"type": "any" if choice.get("required") else "auto"}
        to.log.changed("setting", "/tool_choice", "only allowed tools are offered instead")
    else:
        assert_never(choice)
    parallel = request.get("parallel_tool_calls")
    if parallel is not None and (wire["type"] != "none" or to.home):
        wire["disable_parallel_tool_use"] = not parallel
    out["tool_choice"] = wire


def _encode_parallel(out: dict[str, Any], request: ChatRequest, to: Target) -> None:
    """Write the parallel switch where no choice does; it needs one to stand in."""
    mode = request["tool_choice"]["mode"] if "tool_choice" in request else None
    if mode is None and not request["parallel_tool_calls"]:
        out["tool_choice"] = {"type": "auto", "disable_parallel_tool_use": True}
        to.log.filled("/tool_choice", "the switch stands in a tool choice")
    elif mode is None:
        to.log.changed("setting", "/parallel_tool_calls", "calls in parallel are the default")
    elif mode == "none" and not to.home:
        to.log.lost("setting", "/parallel_tool_calls", "no tool may be called")


def _encode_reasoning_settings(out: dict[str, Any], request: ChatRequest, to: Target) -> None:
    settings = request["reasoning"]
    mode = settings.get("mode")
    effort = settings.get("effort")
    budget = settings.get("budget_tokens")
    display = settings.get("display")
    if not to.home:
        if effort == "none":
            mode, effort = "disabled", None
        elif effort is not None and effort not in EFFORTS:
            effort = _nearest(effort, NEAREST_EFFORTS, "/reasoning/effort", to)
        if mode is not None and mode not in THINKING_MODES:
            to.log.lost("setting", "/reasoning/mode", "the dialect has other modes")
            mode = None
        if budget is not None:
            most = request.get("max_tokens", FILLS["max_tokens"])
            if not LEAST_BUDGET <= budget < most or mode not in {None, "enabled"}:
                to.log.lost("setting", "/reasoning/budget_tokens", "a budget is at least 1024 and below max_tokens")
                budget = None
            elif mode is None:
                mode = "enabled"
                to.log.filled("/reasoning/mode", "a budget stands in enabled thinking")
        if mode == "enabled" and budget is None:
            mode = "adaptive"
            to.log.changed("setting", "/reasoning/mode", "enabled thinking has a budget")
        if display is not None and display not in DISPLAYS:
            display = _nearest(display, NEAREST_DISPLAYS, "/reasoning/display", to)
        if display is not None and mode not in {"enabled", "adaptive"}:
            to.log.lost("setting", "/reasoning/display", "only thinking that is switched on is shown")
            display = None
    thinking = {"type": mode, "budget_tokens": budget, "display": display}
    thinking = {name: value for name, value in thinking.items() if value is not None}
    if thinking:
        out["thinking"] = thinking
    if effort is not None:
        out["output_config"] = {**out.get("output_config", _NOTHING), "effort": effort}


def _nearest(word: str, nearest: Mapping[str, str], path: str, to: Target) -> str | None:
    if word in nearest:
        to.log.changed("setting", path, "the nearest word is taken")
        return nearest[word]
    to.log.lost("setting", path, "the dialect has no such word")
    return None


def _encode_response_format(out: dict[str, Any], wanted: Any, spelling: Mapping[str, Any], to: Target) -> None:
    if wanted["type"] == "json_schema" and "schema" in wanted:
        form = {"type": "json_schema", "schema": wanted["schema"]}
        if "response_format" in spelling:
            out["output_format"] = form
        else:
            out["output_config"] = {**out.get("output_config", _NOTHING), "format": form}
        known = {"type", "schema"}
    elif wanted["type"] == "text":
        to.log.changed("setting", "/response_format/type", "text is the default")
        known = {"type"}
    else:
        to.log.lost("setting", "/response_format/type", "the dialect has JSON only after a schema")
        known = {"type"}
    report_members([name for name in wanted if name not in known], "/response_format", to.log, "a format is a schema alone")


def encode_response(response: ChatResponse, log: LossLog) -> dict[str, Any]:
    """Return a message of the model; what does not come along is noted in the log."""
    home = response.get("dialect") == DIALECT
    to = Target(DIALECT, home, answer=True, log=log, version="")
    absent = own_bag(response, DIALECT).get("spelling", _NOTHING).get("absent", ())
    out: dict[str, Any] = {}
    for name in ("id", "model"):
        if name in response:
            out[name] = response[name]  # type: ignore[literal-required]  # the two names above
        elif not home:
            out[name] = FILLS[name]
            log.filled(f"/{name}", "a response has it")
    out["content"] = _encode_blocks(response["messages"], to)
    _encode_stop_reason(out, response, to)
    if "usage" in response or not home:
        out["usage"] = _encode_usage(response.get("usage", {}), to)
    for name in ("created", "schema_version"):
        if name in response:
            log.lost("member", f"/{name}", "no place in a response")
    for index, answer in enumerate(response.get("alternatives", ())):
        lost_members(log, answer, f"/alternatives/{index}", "message", "the dialect gives one answer")
    _finish(out, response, to)
    for name, value in (("type", "message"), ("role", "assistant"), ("stop_reason", None), ("stop_sequence", None)):
        if name not in out and name not in absent:
            out[name] = value
    return out


def _encode_blocks(messages: list[ChatMessage], to: Target) -> list[Any]:
    content: list[Any] = []
    for index, message in enumerate(messages):
        if message["role"] != "assistant":
            lost_members(to.log, message, to.message(index), "message", "an answer is the assistant's")
            continue
        content = _joined(content, encode_answer(message, index, to), "assistant")
        _finish_message(message, index, to)
    return content


def _encode_stop_reason(out: dict[str, Any], response: Any, to: Target) -> None:
    reason = response.get("finish_reason")
    raw = response.get("finish_reason_raw")
    sequence = response.get("stop_sequence")
    if sequence is not None:
        out["stop_sequence"] = sequence
    if reason is None:
        if not to.home:
            out["stop_reason"] = FINISH_WORDS["stop"][0]
            to.log.filled("/finish_reason", "a whole answer has a reason")
        return
    word, faithful = FINISH_WORDS[reason]
    if reason == "stop" and sequence is not None:
        word = STOP_SEQUENCE
    out["stop_reason"] = word
    if raw is not None:
        if FINISH_REASONS.get(raw, "other") == reason and (to.home or raw in FINISH_REASONS):
            out["stop_reason"] = raw
            return
        to.log.lost("finish_reason", "/finish_reason_raw", "another dialect's word")
    if not faithful:
        to.log.changed("finish_reason", "/finish_reason", "the dialect has no word for it")


def _encode_usage(usage: Usage, to: Target) -> dict[str, Any]:
    """Encode `usage`. Claude's `input_tokens` leaves cached tokens out; the canonical ones are inclusive."""
    out: dict[str, Any] = {}
    known = {"input_tokens", "reasoning_tokens", "extra"}
    if "input_tokens" in usage:
        cached = usage.get("cache_read_tokens", 0) + usage.get("cache_write_tokens", 0)
        out["input_tokens"] = usage["input_tokens"] - cached
    for wire, name in USAGE.items():
        known.add(name)
        if name in usage:
            out[wire] = usage[name]  # type: ignore[literal-required]  # names of the table
    if "reasoning_tokens" in usage:
        out[OUTPUT_DETAILS] = {THINKING_TOKENS: usage["reasoning_tokens"]}
    for name in usage:
        if name not in known:
            if name == "total_tokens" and usage["total_tokens"] == sum(usage.get(part, 0) for part in _TOTAL_PARTS):  # type: ignore[misc]  # numbers by the schema
                to.log.changed("member", "/usage/total_tokens", "the sum is not told")
            else:
                to.log.lost("member", f"/usage/{name}", "no place in the usage")
    if "extra" in usage:
        bag = own_bag(usage, DIALECT)
        lay(out, bag.get("fields", _NOTHING))
        lay_spelled(out, bag.get("spelling", _NOTHING))
        report_foreign(usage, DIALECT, "/usage", to.log)
    if not to.home:
        for name in _TOTAL_PARTS:
            if name not in out:
                out[name] = 0
                to.log.filled(f"/usage/{name}", "usage is whole")
    return out
