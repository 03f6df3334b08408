"""Law 5: what the official SDKs accept, and the rules that their types do not express.

The rules are those of docs/wire/<dialect>.md (4, 6 to 8) that a translation can break: a shape that the types allow and
the provider answers with 400.
"""

from __future__ import annotations

import json
import re
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from pydantic import BaseModel, TypeAdapter, ValidationError

from support.canonical import difference
from support.rules import gemini_rules, responses_rules
from support.sdk import request_adapter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from support.rooms import Row

_NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
_BEDROCK_ID: Final = re.compile(r"[A-Za-z0-9_.:-]{1,64}")
_CLAUDE_ID: Final = re.compile(r"[A-Za-z0-9_-]+")
_CHAT_ID_LENGTH: Final = 40
_UNKNOWN: Final = ": unknown"
# The enums of google-genai accept any value for a text, and fail on others with an AttributeError.
_NO_WORD: Final = "a number where a word stands"
_ADDRESS: Final = re.compile(r"https?:|data:")


@cache
def _requests(kind: Any) -> TypeAdapter[Any]:
    return request_adapter(kind)


@cache
def _response(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def request_refusal(row: Row, body: Any) -> str:
    """Return why the SDK's types refuse a request; empty if one of them accepts it as a whole."""
    reasons = []
    for kind in row.requests:
        try:
            _requests(kind).validate_json(json.dumps(body), strict=True)
        except ValidationError as error:
            reasons.append(_short(error))
        except AttributeError:
            reasons.append(_NO_WORD)
        else:
            return ""
    return min(reasons, key=len)


def response_refusal(row: Row, body: Any) -> str:
    """Return why the SDK's type refuses a response, or its members that the type does not know; empty if none."""
    try:
        parsed = _response(row.response).validate_json(json.dumps(body), strict=row.strict)
    except ValidationError as error:
        return _short(error)
    except AttributeError:
        return _NO_WORD
    unknown = (
        one for one in _leftovers(parsed, "") if re.sub(r"/\d+(?=/)", "/*", one)[: -len(_UNKNOWN)] not in row.beside
    )
    return next(unknown, "") or ("" if row.strict else _respelt(body, parsed))


def leftovers(row: Row, body: Any) -> set[str] | None:
    """Return the members of a response that the SDK's type does not know; None if it refuses the response."""
    refusal = response_refusal(row, body)
    if not refusal.endswith(_UNKNOWN):
        return None if refusal else set()
    parsed = _response(row.response).validate_json(json.dumps(body), strict=row.strict)
    return {re.sub(r"\d+", "*", one) for one in _leftovers(parsed, "")}


def _respelt(body: Any, parsed: BaseModel) -> str:
    """Return where an SDK model parses a value as another JSON type; empty if it returns everything as it was."""
    return difference(_types(body), _types(parsed.model_dump(mode="json", by_alias=True, exclude_unset=True)))


def _types(value: Any) -> Any:
    """Return a JSON value with type names in place of scalars; all numbers have one type."""
    if isinstance(value, dict):
        return {name: _types(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [_types(inner) for inner in value]
    return "number" if type(value) in {int, float} else type(value).__name__


def _short(error: ValidationError) -> str:
    """Return the paths and kinds of the errors, without the values found there."""
    findings = error.errors(include_url=False, include_context=False, include_input=False)
    return "; ".join(f"{'/'.join(str(step) for step in one['loc'])}: {one['type']}" for one in findings[-3:])


def _leftovers(value: Any, path: str) -> Iterator[str]:
    """Yield the members that an SDK model accepted without knowing them."""
    if isinstance(value, BaseModel):
        yield from (f"{path}/{name}{_UNKNOWN}" for name in value.model_extra or ())
        for name in type(value).model_fields:
            yield from _leftovers(getattr(value, name), f"{path}/{name}")
    elif isinstance(value, (list, tuple)):
        for at, inner in enumerate(value):
            yield from _leftovers(inner, f"{path}/{at}")


def broken_rules(dialect: str, body: Any) -> list[str]:
    """Return the rules of a dialect that a request breaks, each with its path."""
    return list(_RULES[dialect](body))


def _chat_rules(body: Any) -> Iterator[str]:
    open_calls: set[str] = set()
    for at, message in enumerate(body["messages"]):
        where = f"/messages/{at}"
        calls = message.get("tool_calls", ())
        if message["role"] == "assistant" and not calls and message.get("content") is None and "audio" not in message:
            yield f"{where}/content: null beside nothing else"
        if message["role"] == "tool":
            open_calls.discard(message["tool_call_id"])
        elif open_calls:
            yield f"{where}: comes before the results of calls"
            open_calls = set()
        for call in calls:
            name = call[call["type"]]["name"]
            open_calls.add(call["id"])
            if not _NAME.fullmatch(name) or not 1 <= len(call["id"]) <= _CHAT_ID_LENGTH:
                yield f"{where}/tool_calls: a name or an id"
        if message.get("content") == []:
            yield f"{where}/content: an empty list"
    for at, tool in enumerate(body.get("tools", ())):
        if tool["type"] == "function" and not _NAME.fullmatch(tool["function"]["name"]):
            yield f"/tools/{at}: a name"
    if "tools" not in body:
        yield from (f"/{name}: without tools" for name in ("tool_choice", "parallel_tool_calls") if name in body)


def _claude_rules(body: Any) -> Iterator[str]:
    open_calls: set[str] = set()
    for at, message in enumerate(body["messages"]):
        where = f"/messages/{at}"
        content = message["content"]
        if content in ("", []):
            yield f"{where}/content: empty"
        blocks: list[Any] = content if isinstance(content, list) else [{"type": "text", "text": content}]
        # A result without a call is refused anywhere.
        results = [block for block in blocks if block["type"] == "tool_result" and block["tool_use_id"] in open_calls]
        if blocks[: len(results)] != results:
            yield f"{where}: results do not come first"
        if open_calls - {block["tool_use_id"] for block in results}:
            yield f"{where}: comes before the results of calls"
        open_calls = {block["id"] for block in blocks if block["type"] == "tool_use"}
        yield from (f"{where}/content: {reason}" for block in blocks for reason in _claude_block_rules(block))
    for at, tool in enumerate(body.get("tools", ())):
        is_own = tool.get("type", "custom") != "custom"  # the provider's own tools have no schema
        if not _NAME.fullmatch(tool["name"]) or not (is_own or tool["input_schema"].get("type") == "object"):
            yield f"/tools/{at}: a name or a schema"
    thinking = body.get("thinking", {})
    if "budget_tokens" in thinking and not 1024 <= thinking["budget_tokens"] < body["max_tokens"]:
        yield "/thinking/budget_tokens"
    if thinking.get("type") == "enabled" and body.get("tool_choice", {}).get("type") in {"any", "tool"}:
        yield "/tool_choice: forced beside thinking"
    yield from (f"/{name}: no such setting" for name in ("temperature", "top_p", "top_k") if name in body)


def _claude_block_rules(block: Mapping[str, Any]) -> Iterator[str]:
    if block["type"] == "text" and not block["text"].strip():
        yield "an empty text"
    elif block["type"] == "tool_use" and not (_CLAUDE_ID.fullmatch(block["id"]) and _NAME.fullmatch(block["name"])):
        yield "a name or an id of a call"
    elif block["type"] == "tool_result":
        if not _CLAUDE_ID.fullmatch(block["tool_use_id"]):
            yield "an id of a result"
        inner = block.get("content", ())
        yield from (
            "an empty text in a result"
            for one in (inner if isinstance(inner, list) else ())
            if one["type"] == "text" and not one["text"]
        )


def _ollama_rules(body: Any) -> Iterator[str]:
    yield from _ollama_message_rules(body)
    for at, tool in enumerate(body.get("tools", ())):
        if tool["function"]["parameters"].get("type") != "object":
            yield f"/tools/{at}: no schema of an object"
    if body.get("think", True) not in (True, False, "low", "medium", "high", "max"):
        yield "/think: no such effort"
    if not 0 <= body.get("top_logprobs", 0) <= 20:
        yield "/top_logprobs"
    if type(body.get("options", {}).get("stop", [])) is not list:
        yield "/options/stop: no list"


def _ollama_message_rules(body: Any) -> Iterator[str]:
    for at, message in enumerate(body["messages"]):
        where = f"/messages/{at}"
        if message["role"] not in {"system", "user", "assistant", "tool"}:
            yield f"{where}/role: no such role"
        if type(message.get("content")) is not str:
            yield f"{where}/content: no text"
        for image in message.get("images", ()):
            if type(image) is not str or _ADDRESS.match(image):
                yield f"{where}/images: not plain data"
        for call in message.get("tool_calls", ()):
            if type(call["function"].get("arguments")) is not dict:
                yield f"{where}/tool_calls: arguments that are no object"


def _vllm_rules(body: Any) -> Iterator[str]:
    for at, message in enumerate(body["messages"]):
        for call in message.get("tool_calls", ()):
            if type(json.loads(call["function"]["arguments"])) is not dict:
                yield f"/messages/{at}/tool_calls: arguments that are no object"
        if message.get("content") == []:
            yield f"/messages/{at}/content: an empty list"
    if body.get("tools") == []:
        yield "/tools: an empty list"
    if "tools" not in body and body.get("tool_choice", "none") != "none":
        yield "/tool_choice: without tools"
    if "response_format" in body and type(body.get("tool_choice")) is dict:
        yield "/tool_choice: a named one beside a response format"
    if body.get("top_logprobs", 0) and not body.get("logprobs"):
        yield "/top_logprobs: without logprobs"


def _bedrock_rules(body: Any) -> Iterator[str]:
    open_calls: set[str] = set()
    for at, message in enumerate(body["messages"]):
        where = f"/messages/{at}"
        blocks = message["content"]
        if not blocks:
            yield f"{where}/content: empty"
        results = {block["toolResult"]["toolUseId"] for block in blocks if "toolResult" in block}
        if open_calls - results:
            yield f"{where}: comes before the results of calls"
        calls = [block["toolUse"] for block in blocks if "toolUse" in block]
        open_calls = {call["toolUseId"] for call in calls}
        yield from (f"{where}: an id" for one in open_calls | results if not _BEDROCK_ID.fullmatch(one))
        yield from (f"{where}: a name" for call in calls if not _NAME.fullmatch(call["name"]))
        yield from (f"{where}: an empty text" for block in blocks if not block.get("text", "x").strip())
    for at, tool in enumerate(body.get("toolConfig", {}).get("tools", ())):
        if "toolSpec" in tool and not _NAME.fullmatch(tool["toolSpec"]["name"]):
            yield f"/toolConfig/tools/{at}: a name"


_RULES: Final[Mapping[str, Callable[[Any], Iterator[str]]]] = {
    "openai_chat": _chat_rules,
    "openai_responses": responses_rules,
    "bedrock_converse": _bedrock_rules,
    "claude": _claude_rules,
    "gemini": gemini_rules,
    "ollama": _ollama_rules,
    "vllm": _vllm_rules,
}
