"""The places of wire variants in a body: functions that put one of them, or nothing, into a request or a response."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from support.rooms import Kind

Place: TypeAlias = "tuple[Kind, Callable[[str, Any], dict[str, Any]]]"
# Nothing is put here: the body without the variant.
NOTHING: Final = object()


def member(name: str, value: Any) -> dict[str, Any]:
    return {} if value is NOTHING else {name: value}


def _chat(*messages: dict[str, Any], **members: Any) -> dict[str, Any]:
    said = list(messages) or [{"role": "user", "content": "Hello"}]
    return {"model": "m", "messages": said, **{key: value for key, value in members.items() if value is not NOTHING}}


def _chat_call(_name: str, call: Any) -> dict[str, Any]:
    calls = [] if call is NOTHING else [call]
    return _chat({"role": "assistant", "content": "Well.", **({"tool_calls": calls} if calls else {})})


def _chat_part(name: str, part: Any) -> dict[str, Any]:
    role = "assistant" if name.startswith("assistant:") else "user"
    return _chat({"role": role, "content": [] if part is NOTHING else [part]})


def _answer(**choice: Any) -> dict[str, Any]:
    message = choice.pop("message", {"role": "assistant", "content": "Hello"})
    choices = [{"index": 0, "message": message, **{key: one for key, one in choice.items() if one is not NOTHING}}]
    return {"id": "i", "object": "chat.completion", "created": 1, "model": "m", "choices": choices}


def _answer_part(name: str, part: Any) -> dict[str, Any]:
    known = {"annotations[].url_citation": "annotations"}
    value = [part] if name in known and part is not NOTHING else part
    return _answer(message={"role": "assistant", "content": "Hello", **member(known.get(name, name), value)})


def _answer_usage(name: str, usage: Any) -> dict[str, Any]:
    if name == "usage":
        return {**_answer(), **member("usage", usage)}
    inner = member(name.removeprefix("usage."), usage)
    return {**_answer(), "usage": {"prompt_tokens": 1, "completion_tokens": 2, "total_tokens": 3, **inner}}


def _answer_whole(name: str, made: Any) -> dict[str, Any]:
    if made is NOTHING:
        return _answer()
    whole = made if name == "chat.completion" else {**_answer(), "choices": [{**made, "index": 0}]}
    return {**whole, "choices": [{**choice, "index": at} for at, choice in enumerate(whole["choices"])]}


def _tools(_name: str, tool: Any) -> dict[str, Any]:
    return _chat(tools=[] if tool is NOTHING else [tool])


CHAT_PLACES: Final[Mapping[str, Place]] = {
    "request": ("request", lambda _name, made: _chat() if made is NOTHING else made),
    "input_items": ("request", lambda _name, made: _chat(*([] if made is NOTHING else [made]))),
    "input_content_parts": ("request", _chat_part),
    "input_tool_calls": ("request", _chat_call),
    "tools": ("request", _tools),
    "tool_choice": ("request", lambda _name, made: _chat(tool_choice=made)),
    "custom_tool_format": (
        "request",
        lambda _name, made: (
            _tools("", {"type": "custom", "custom": {"name": "f", "format": made}})
            if made is not NOTHING
            else _tools("", made)
        ),
    ),
    "response_format": ("request", lambda _name, made: _chat(response_format=made)),
    "reasoning_config": ("request", lambda _name, made: _chat(reasoning_effort=made)),
    "output_items": ("response", lambda _name, made: _answer(**member("message", made))),
    "output_content_parts": ("response", _answer_part),
    "output_tool_calls": (
        "response",
        lambda _name, made: _answer(
            message={"role": "assistant", "content": None, **({} if made is NOTHING else {"tool_calls": [made]})}
        ),
    ),
    "response": ("response", _answer_whole),
    "finish_reasons": ("response", lambda _name, made: _answer(finish_reason=made)),
    "usage": ("response", _answer_usage),
}


def _ask(**members: Any) -> dict[str, Any]:
    asked = {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "Hello"}]}
    return {**asked, **{key: value for key, value in members.items() if value is not NOTHING}}


def _said(role: str, block: Any) -> dict[str, Any]:
    return _ask(messages=[{"role": role, "content": [] if block is NOTHING else [block]}])


def _asked_part(name: str, block: Any) -> dict[str, Any]:
    ours = {"text", "image", "document", "search_result", "tool_result", "container_upload"}
    system = {"beta:tool_addition", "beta:tool_removal"}
    return _said("user" if name in ours else "system" if name in system else "assistant", block)


def _around(outer: dict[str, Any], name: str) -> Callable[[str, Any], dict[str, Any]]:
    """Return a function that puts a variant into a member of a block; without it, there is no such block."""

    def put(_name: str, made: Any) -> dict[str, Any]:
        return _said("user", NOTHING if made is NOTHING else {**outer, name: made})

    return put


def _replied(content: Any, **members: Any) -> dict[str, Any]:
    reply = {"id": "i", "type": "message", "role": "assistant", "model": "m", "content": content}
    given = {key: value for key, value in members.items() if value is not NOTHING}
    return {**reply, "stop_reason": None, "stop_sequence": None, **given}


def _cited(name: str, citation: Any) -> dict[str, Any]:
    citations = [] if citation is NOTHING else [citation]
    block = {"type": "text", "text": "Hello", **({"citations": citations} if citations else {})}
    return _replied([block]) if name.startswith("output:") else _said("assistant", block)


def _reasoning(name: str, settings: Any) -> dict[str, Any]:
    return _ask(**member("thinking" if name.startswith("thinking") else "output_config", settings))


def _asked_whole(name: str, made: Any) -> dict[str, Any]:
    return _ask() if made is NOTHING else {**_ask(), **made} if name.startswith("legacy") else made


CLAUDE_PLACES: Final[Mapping[str, Place]] = {
    "request": ("request", _asked_whole),
    "input_items": ("request", lambda _name, made: _ask(messages=[] if made is NOTHING else [made])),
    "input_content_parts": ("request", _asked_part),
    "tool_result_content": (
        "request",
        lambda _name, made: _said(
            "user", {"type": "tool_result", "tool_use_id": "t", "content": [] if made is NOTHING else [made]}
        ),
    ),
    "image_sources": ("request", _around({"type": "image"}, "source")),
    "document_sources": ("request", _around({"type": "document"}, "source")),
    "tools": ("request", lambda _name, made: _ask(tools=[] if made is NOTHING else [made])),
    "tool_choice": ("request", lambda _name, made: _ask(tool_choice=made)),
    "response_format": (
        "request",
        lambda _name, made: _ask(output_config={} if made is NOTHING else {"format": made}),
    ),
    "reasoning_config": ("request", _reasoning),
    "context_management_edits": (
        "request",
        lambda _name, made: _ask(**({} if made is NOTHING else {"context_management": {"edits": [made]}})),
    ),
    "tool_use_callers": (
        "request",
        lambda _name, made: _said(
            "assistant", {"type": "tool_use", "id": "t", "name": "f", "input": {}, **member("caller", made)}
        ),
    ),
    "output_items": ("response", lambda _name, made: _replied([]) if made is NOTHING else made),
    "output_content_parts": ("response", lambda _name, made: _replied([] if made is NOTHING else [made])),
    "server_tool_result_content": (
        "response",
        lambda _name, made: _replied(
            [] if made is NOTHING else [{"type": "web_search_tool_result", "tool_use_id": "t", "content": [made]}]
        ),
    ),
    "citations": ("request", _cited),
    "response": ("response", lambda _name, made: _replied([]) if made is NOTHING else made),
    "finish_reasons": ("response", lambda _name, made: _replied([], stop_reason=made)),
    "usage": ("response", lambda _name, made: _replied([], usage=made)),
}
