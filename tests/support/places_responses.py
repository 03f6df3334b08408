"""The place of each variant of openai_responses in a body."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from support.places import NOTHING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from support.places import Place


def _members(**members: Any) -> dict[str, Any]:
    return {name: value for name, value in members.items() if value is not NOTHING}


def _listed(value: Any) -> list[Any]:
    return [] if value is NOTHING else [value]


def _ask(*items: dict[str, Any], **members: Any) -> dict[str, Any]:
    said = list(items) or [{"role": "user", "content": "Hello"}]
    return {"model": "m", "input": said, **_members(**members)}


def _answer(**members: Any) -> dict[str, Any]:
    answer = {"id": "resp_1", "object": "response", "created_at": 1, "model": "m", "status": "completed"}
    return {**answer, "error": None, "incomplete_details": None, "output": [], **_members(**members)}


def _asked_part(name: str, part: Any) -> dict[str, Any]:
    if name.startswith("assistant:"):
        return _ask({**_message(part), "content": _listed(part)})
    return _ask({"role": "user", "content": _listed(part)})


def _message(part: Any) -> dict[str, Any]:
    told = {"type": "message", "id": "msg_1", "status": "completed", "role": "assistant"}
    return {**told, "content": _listed(part)}


def _answered_part(name: str, part: Any) -> dict[str, Any]:
    if not name.startswith("reasoning."):
        return _answer(output=[_message(part)])
    thoughts: dict[str, Any] = {"type": "reasoning", "id": "rs_1", "summary": []}
    member = "summary" if "summary" in name else "content"
    return _answer(output=[{**thoughts, member: _listed(part)}])


def _cited(_name: str, citation: Any) -> dict[str, Any]:
    return _answered_part("", {"type": "output_text", "text": "Hello", "annotations": _listed(citation)})


def _ended(name: str, word: Any) -> dict[str, Any]:
    if word is NOTHING:
        return _answer(status="in_progress")
    if name.startswith("status="):
        return _answer(status=word)
    return _answer(status="incomplete", incomplete_details={"reason": word})


def _used(name: str, usage: Any) -> dict[str, Any]:
    if name == "usage":
        return _answer(usage=usage)
    inner = _members(**{name.removeprefix("usage."): usage})
    return _answer(usage={"input_tokens": 1, "output_tokens": 2, "total_tokens": 3, **inner})


def _result(_name: str, part: Any) -> dict[str, Any]:
    return _ask({"type": "function_call_output", "call_id": "call_1", "output": _listed(part)})


RESPONSES_PLACES: Final[Mapping[str, Place]] = {
    "request": ("request", lambda _name, made: _ask() if made is NOTHING else made),
    "input_items": ("request", lambda _name, made: {"model": "m", "input": _listed(made)}),
    "input_content_parts": ("request", _asked_part),
    "tool_result_content": ("request", _result),
    "output_items": ("response", lambda _name, made: _answer(output=_listed(made))),
    "output_content_parts": ("response", _answered_part),
    "citations": ("response", _cited),
    "tools": ("request", lambda _name, made: _ask(tools=_listed(made))),
    "tool_choice": ("request", lambda _name, made: _ask(tool_choice=made)),
    "response_format": ("request", lambda _name, made: _ask(text=_members(format=made))),
    "reasoning_config": ("request", lambda _name, made: _ask(reasoning=made)),
    "response": ("response", lambda _name, made: _answer() if made is NOTHING else made),
    "finish_reasons": ("response", _ended),
    "usage": ("response", _used),
}
# Instances of types that the SDK leaves open.
RESPONSES_MADE: Final[Mapping[str, tuple[Any, ...]]] = {
    "tool_choice/allowed_tools": (
        {"type": "allowed_tools", "mode": "auto", "tools": [{"type": "function", "name": "f"}]},
        {"type": "allowed_tools", "mode": "required", "tools": [{"type": "mcp", "server_label": "s"}]},
    ),
}
# Categories that are not bodies of requests or responses: messages of a web socket.
RESPONSES_ELSEWHERE: Final = frozenset({"websocket_server_only_events", "websocket_client_events"})
