"""Any answer written as a stream of Claude and of Responses (docs/pain.md), read by the official clients."""

from __future__ import annotations

import json
from typing import Any, Final

from hypothesis import given
from hypothesis import strategies as st
from openai import omit
from openai.lib.streaming.responses._responses import ResponseStreamState
from openai.types.responses import ResponseStreamEvent
from pydantic import TypeAdapter

import interlingua as il
from support.accumulators import claude_message
from support.streams import write

Block = tuple[str, Any]
# The room writes a blank line before the text of a further message of one answer; no other text begins with one.
# Claude takes no text of white space alone.
BETWEEN: Final = "\n\n"
CHARACTERS: Final = st.characters(exclude_categories=["Cs"], exclude_characters="\n")
TEXTS: Final = st.text(CHARACTERS, min_size=1, max_size=12).filter(lambda text: not text.isspace())
ARGUMENTS: Final = st.dictionaries(
    TEXTS, st.integers(-99, 99) | TEXTS | st.lists(st.booleans(), max_size=2), max_size=2
)
RESPONSES: Final[TypeAdapter[Any]] = TypeAdapter(ResponseStreamEvent)
BLOCKS: Final = st.lists(
    st.tuples(st.just("reasoning"), TEXTS)
    | st.tuples(st.just("content"), TEXTS)
    | st.tuples(st.just("call"), ARGUMENTS),
    min_size=1,
    max_size=6,
)


def pieces(text: str, size: int) -> list[str]:
    return [text[at : at + size] for at in range(0, len(text), size)]


def told(number: int, block: Block, size: int) -> list[dict[str, Any]]:
    """Return the events of one block, in pieces of a size."""
    kind, value = block
    if kind == "call":
        start = {"type": "tool_call_start", "block": number, "id": f"call_{number}", "name": "f"}
        deltas = [
            {"type": "tool_call_delta", "block": number, "arguments": piece}
            for piece in pieces(json.dumps(value, ensure_ascii=False), size)
        ]
        return [start, *deltas]
    return [{"type": kind, "block": number, "text": piece} for piece in pieces(value, size)]


def events_of(blocks: list[Block], size: int, *, is_chat: bool) -> list[dict[str, Any]]:
    """Return the events of an answer; a source like Chat Completions closes its blocks at the end alone."""
    body: list[dict[str, Any]] = []
    for number, block in enumerate(blocks):
        body += told(number, block, size)
        if not is_chat:
            body.append({"type": "block_end", "block": number})
    if is_chat:
        body += [{"type": "block_end", "block": number} for number in range(len(blocks))]
    reason = "tool_calls" if any(kind == "call" for kind, _ in blocks) else "stop"
    usage: dict[str, Any] = {"type": "usage", "usage": {"input_tokens": 3, "output_tokens": 4}}
    ending: list[dict[str, Any]] = [{"type": "finish", "reason": reason}, usage, {"type": "end", "complete": True}]
    return [{"type": "start", "id": "x", "model": "m"}, *body, *ending]


def said(blocks: list[Block]) -> list[Block]:
    """Return blocks as a reader sees them: adjacent texts of one kind are one, since nothing tells them apart."""
    out: list[Block] = []
    for kind, value in blocks:
        if kind != "call" and out and out[-1][0] == kind:
            out[-1] = (kind, out[-1][1] + value)
        else:
            out.append((kind, value))
    return [(kind, value if kind == "call" else value.removeprefix(BETWEEN)) for kind, value in out]


@given(BLOCKS, st.integers(1, 5), st.booleans())
def test_str_9_any_answer_written_for_claude_is_read_by_its_official_accumulator(
    blocks: list[Block], size: int, is_chat: bool
) -> None:
    frames, losses = write("claude", events_of(blocks, size, is_chat=is_chat))
    message: Any = claude_message(frames)
    read = [
        ("reasoning", block.thinking)
        if block.type == "thinking"
        else ("content", block.text)
        if block.type == "text"
        else ("call", block.input)
        for block in message.content
    ]
    assert said(read) == said(blocks)
    assert {loss.severity for loss in losses} <= {"filled"}
    starts = [frame["index"] for frame in frames if frame["type"] == "content_block_start"]
    stops = [frame["index"] for frame in frames if frame["type"] == "content_block_stop"]
    assert starts == stops == list(range(len(read)))
    assert all(value or kind == "call" for kind, value in read)  # no empty block was added
    assert frames[0]["type"] == "message_start"
    assert frames[-1] == {"type": "message_stop"}


@given(BLOCKS, st.integers(1, 5), st.booleans())
def test_str_10_any_answer_written_for_responses_has_a_complete_lifecycle(
    blocks: list[Block], size: int, is_chat: bool
) -> None:
    frames, losses = write("openai_responses", events_of(blocks, size, is_chat=is_chat))
    assert {loss.severity for loss in losses} <= {"filled"}
    state: Any = ResponseStreamState(text_format=omit, input_tools=omit)
    for frame in frames:
        state.handle_event(RESPONSES.validate_python(frame))
    assert [frame["sequence_number"] for frame in frames] == list(range(len(frames)))
    assert (frames[0]["type"], frames[-1]["type"]) == ("response.created", "response.completed")
    assert_announced(frames)
    final = frames[-1]["response"]["output"]
    done = [frame["item"] for frame in frames if frame["type"] == "response.output_item.done"]
    assert final == done
    assert said([block for item in final for block in blocks_of(item)]) == said(blocks)
    answer = il.collect(il.decode_stream(frames, "openai_responses"))
    assert answer == il.decode_response(frames[-1]["response"], "openai_responses")


def blocks_of(item: dict[str, Any]) -> list[Block]:
    if item["type"] == "function_call":
        return [("call", json.loads(item["arguments"]))]
    if item["type"] == "reasoning":
        return [("reasoning", part["text"]) for part in item["summary"]]
    return [("content", part["text"]) for part in item["content"]]


def assert_announced(frames: list[Any]) -> None:
    """Check the grammar: an item is added, told and done, once, each frame under its own id and number."""
    identifiers: dict[int, str] = {}
    done: set[int] = set()
    for frame in frames:
        kind, at = frame["type"], frame.get("output_index")
        if at is None:
            continue
        if kind == "response.output_item.added":
            assert at == len(identifiers)
            identifiers[at] = frame["item"]["id"]
        assert at in identifiers
        assert at not in done
        assert frame.get("item_id", frame.get("item", {}).get("id")) == identifiers[at]
        if kind == "response.output_item.done":
            done.add(at)
    assert done == set(identifiers)
    assert len(set(identifiers.values())) == len(identifiers)
