"""The places of openai_responses events in a stream: after the item, the part and the text that they refer to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from support.places_streams import Around

if TYPE_CHECKING:
    from collections.abc import Mapping

    from support.places_streams import StreamPlace

_BODY: Final[dict[str, Any]] = {
    "id": "resp_1",
    "object": "response",
    "created_at": 1,
    "status": "in_progress",
    "error": None,
    "incomplete_details": None,
    "model": "m",
    "output": [],
    "usage": None,
}
_CREATED: Final[dict[str, Any]] = {"type": "response.created", "response": _BODY}
_PART: Final[dict[str, Any]] = {"type": "output_text", "text": "", "annotations": [], "logprobs": []}
_REFUSAL: Final[dict[str, Any]] = {"type": "refusal", "refusal": ""}
_THOUGHT: Final[dict[str, Any]] = {"type": "reasoning_text", "text": ""}
_SUMMARY: Final[dict[str, Any]] = {"type": "summary_text", "text": ""}
_MESSAGE: Final[dict[str, Any]] = {
    "id": "i", "type": "message", "status": "in_progress", "role": "assistant", "content": [],
}  # fmt: skip
_REASONING: Final[dict[str, Any]] = {"id": "i", "type": "reasoning", "summary": []}
_CALL: Final[dict[str, Any]] = {
    "id": "i", "type": "function_call", "status": "in_progress", "call_id": "c", "name": "f", "arguments": "",
}  # fmt: skip
_CUSTOM: Final[dict[str, Any]] = {
    "id": "i", "type": "custom_tool_call", "status": "in_progress", "call_id": "c", "name": "f", "input": "",
}  # fmt: skip
# Events that repeat the content of deltas: the member that repeats it, and the delta.
_REPEATED: Final[Mapping[str, str]] = {
    "output_text.done": "text",
    "refusal.done": "refusal",
    "reasoning_text.done": "text",
    "reasoning_summary_text.done": "text",
    "function_call_arguments.done": "arguments",
    "custom_tool_call_input.done": "input",
}


def _about(name: str, **members: Any) -> dict[str, Any]:
    return {"type": f"response.{name}", "item_id": "i", "output_index": 0, **members}


def _added(item: dict[str, Any]) -> dict[str, Any]:
    return {"type": "response.output_item.added", "output_index": 0, "item": item}


def _part_added(part: dict[str, Any]) -> list[Any]:
    return [_about("content_part.added", content_index=0, part=part)]


def _summary_added() -> list[Any]:
    return [_about("reasoning_summary_part.added", summary_index=0, part=_SUMMARY)]


# What an event refers to: the item, and the frames that open its part.
_ABOUT: Final[tuple[tuple[str, dict[str, Any], list[Any]], ...]] = (
    ("output_text", _MESSAGE, _part_added(_PART)),
    ("refusal", _MESSAGE, _part_added(_REFUSAL)),
    ("reasoning_text", _REASONING, _part_added(_THOUGHT)),
    ("reasoning_summary_part.added", _REASONING, []),
    ("reasoning_summary", _REASONING, _summary_added()),
    ("function_call", _CALL, []),
    ("custom_tool_call", _CUSTOM, []),
)
# The item that a part belongs to, the part as it is added, and the member that holds its text.
_PARTS: Final[Mapping[str, tuple[dict[str, Any], dict[str, Any], str]]] = {
    "output_text": (_MESSAGE, _PART, "text"),
    "refusal": (_MESSAGE, _REFUSAL, "refusal"),
    "reasoning_text": (_REASONING, _THOUGHT, "text"),
}
# The members that an item has when it is done, but not when it is added.
_FILLED: Final[Mapping[str, Any]] = {"content": [], "summary": [], "arguments": "", "input": ""}
_SERVER_TOOLS: Final = (
    "code_interpreter_call", "compaction", "file_search_call", "shell_call", "web_search_call",
    "image_generation_call", "mcp_call", "mcp_list_tools",
)  # fmt: skip


def _before(name: str, made: dict[str, Any]) -> list[Any]:
    """Return the frames that open what an event refers to."""
    if name.startswith("content_part"):
        item, part, text = _PARTS[made["part"]["type"]]
        said = _about(f"{made['part']['type']}.delta", content_index=0, delta=made["part"][text])
        return [_CREATED, _added(item), *([*_part_added(part), said] if name.endswith("done") else [])]
    if name == "output_item.done":
        return [_CREATED, _added(_begun(made["item"]))]
    for begin, item, opening in _ABOUT:
        if name.startswith(begin):
            repeats = _REPEATED.get(name)
            return [_CREATED, _added(item), *opening, *([] if repeats is None else [_said(name, made[repeats])])]
    for tool in _SERVER_TOOLS:
        if name.startswith(tool):
            return [_CREATED, _added({"id": "i", "type": tool, "status": "in_progress"})]
    return [_CREATED]


def _begun(item: dict[str, Any]) -> dict[str, Any]:
    """Return a finished item as it was when it was added."""
    begun = {**item, **{name: value for name, value in _FILLED.items() if type(item.get(name)) is type(value)}}
    return {**begun, "status": "in_progress"} if "status" in item else begun


def _said(name: str, text: str) -> dict[str, Any]:
    """Return one delta with all content that the closing event repeats."""
    delta = _about(f"{name.removesuffix('.done')}.delta", delta=text)
    where = "summary_index" if "summary" in name else "content_index"
    return {**delta, **({} if "call" in name else {where: 0})}


def _event(name: str, made: Any) -> Around:
    short = name.removeprefix("response.")
    where = {"item_id": "i", "output_index": 0, "content_index": 0, "summary_index": 0, "annotation_index": 0}
    own = {**made, **{member: at for member, at in where.items() if member in made}}
    if short == "output_item.added":
        own["item"] = _begun(own["item"])
    before = [] if short == "created" else _before(short, own)
    return _numbered(before, own)


def _numbered(before: list[Any], own: Any) -> Around:
    numbered = [{**frame, "sequence_number": number} for number, frame in enumerate(before)]
    return Around(numbered, {**own, "sequence_number": len(numbered)}, [])


RESPONSES_STREAMS: Final[Mapping[str, StreamPlace]] = {"stream_events": _event}
