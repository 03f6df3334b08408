"""Rules of openai_responses and gemini that the types of their SDKs do not express.

Source: docs/wire/<dialect>.md, sections 4 and 6 to 8, those that a translation can break.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_RESPONSES_NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,128}")
_RESPONSES_ID_LENGTH: Final = 64
_FORMAT_NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
_LEAST_OUTPUT: Final = 16
_ANSWERED: Final = frozenset({"output_text", "refusal"})
_CALLS: Final = frozenset({"function_call", "custom_tool_call"})
_OUTPUTS: Final = frozenset({"function_call_output", "custom_tool_call_output"})

_GEMINI_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_.:-]{0,63}")
_PART_DATA: Final = (
    "text", "inlineData", "fileData", "functionCall", "functionResponse", "executableCode", "codeExecutionResult",
)  # fmt: skip
_MOST_STOPS: Final = 5
_MOST_LOGPROBS: Final = 20


def responses_rules(body: Any) -> Iterator[str]:
    """Yield the rules that a Responses request breaks, each with its path."""
    items = body.get("input", ())
    for at, item in enumerate(() if isinstance(items, str) else items):
        yield from (f"/input/{at}: {reason}" for reason in _item_rules(item))
    for at, tool in enumerate(body.get("tools", ())):
        if tool["type"] in {"function", "custom"} and not _RESPONSES_NAME.fullmatch(tool["name"]):
            yield f"/tools/{at}: a name"
    form = body.get("text", {}).get("format", {})
    if form.get("type") == "json_schema" and not _FORMAT_NAME.fullmatch(form["name"]):
        yield "/text/format: a name"
    if body.get("max_output_tokens", _LEAST_OUTPUT) < _LEAST_OUTPUT:
        yield "/max_output_tokens: too few"
    if not body.get("tools") and body.get("tool_choice", "auto") not in ("auto", "none"):
        yield "/tool_choice: without tools"


def _item_rules(item: Mapping[str, Any]) -> Iterator[str]:
    kind = item.get("type", "message")
    if kind in _CALLS and not _RESPONSES_NAME.fullmatch(item["name"]):
        yield "a name"
    if kind in _CALLS | _OUTPUTS and not 1 <= len(item["call_id"]) <= _RESPONSES_ID_LENGTH:
        yield "an id"
    if kind == "reasoning" and "summary" not in item:
        yield "no summary"
    if kind == "message":
        content = item["content"]
        parts = content if isinstance(content, list) else []
        if content == []:
            yield "empty"
        if item["role"] == "assistant" and any(part["type"] not in _ANSWERED for part in parts):
            yield "a part of a question in an answer"
        if item["role"] != "assistant" and any(not part["type"].startswith("input_") for part in parts):
            yield "a part of an answer in a question"


def gemini_rules(body: Any) -> Iterator[str]:
    """Yield the rules that a Gemini request breaks, each with its path."""
    for at, content in enumerate(body["contents"]):
        yield from (f"/contents/{at}: {reason}" for reason in _content_rules(content))
    before: Mapping[str, Any] = {}
    for at, content in enumerate(body["contents"]):
        calls = _held(before, "functionCall")
        results = _held(content, "functionResponse")
        if calls and results and [one["name"] for one in calls] != [one["name"] for one in results][: len(calls)]:
            yield f"/contents/{at}: results in another order than their calls, or under other names"
        if calls and content.get("role") == "model":
            yield f"/contents/{at}: an answer after calls without results"
        before = content
    for tool in body.get("tools", ()):
        for function in tool.get("functionDeclarations", ()):
            if not _GEMINI_NAME.fullmatch(function["name"]):
                yield "/tools: a name"
            if "parameters" in function and "parametersJsonSchema" in function:
                yield "/tools: two schemas"
    calling = body.get("toolConfig", {}).get("functionCallingConfig", {})
    if "allowedFunctionNames" in calling and calling.get("mode") not in {"ANY", "VALIDATED"}:
        yield "/toolConfig: names without a mode that takes them"
    yield from _setting_rules(body.get("generationConfig", {}))


def _content_rules(content: Mapping[str, Any]) -> Iterator[str]:
    if content.get("role") not in {"user", "model"}:
        yield "no such role"
    if not content.get("parts"):
        yield "no parts"
    signed = False
    for part in content.get("parts", ()):
        if sum(name in part for name in _PART_DATA) != 1:
            yield "a part that holds nothing, or two things"
        if part.get("text") == "" and "thoughtSignature" not in part:
            yield "an empty text"
        if "functionCall" in part and not signed:
            signed = True
            if "thoughtSignature" not in part:
                yield "a first call without a signature"
        for name in ("functionCall", "functionResponse"):
            if name in part and not _GEMINI_NAME.fullmatch(part[name].get("name", "")):
                yield "a name"


def _held(content: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    return [part[name] for part in content.get("parts", ()) if name in part]


def _setting_rules(settings: Mapping[str, Any]) -> Iterator[str]:
    schema = "responseSchema" in settings or "responseJsonSchema" in settings
    if schema and settings.get("responseMimeType") not in {"application/json", "text/x.enum"}:
        yield "/generationConfig: a schema without its media type"
    if len(settings.get("stopSequences", ())) > _MOST_STOPS:
        yield "/generationConfig/stopSequences: too many"
    if not 0 <= settings.get("logprobs", 0) <= _MOST_LOGPROBS:
        yield "/generationConfig/logprobs"
