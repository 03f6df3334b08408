"""The fast lane of streams: which frames are as the one before but for their text, and what is unknown of a frame."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Final

import pytest

import interlingua as il
from interlingua.rooms._shared.patch import unknown
from interlingua.rooms._shared.stream_template import Piece, Template, fresh, template


def learnt(frame: dict[str, Any], text: str, free: str = "", counted: str = "") -> Template:
    """Return the template of a frame in which a text stands, as an object of its own."""
    found = template(frame, text, Piece({"type": "content", "block": 0, "text": text}), free, counted, fresh=True)
    assert found is not None
    return found


def chunk(text: str, **more: Any) -> dict[str, Any]:
    return {"id": "a", "created": 1, "choices": [{"index": 0, "delta": {"content": text}, "logprobs": None}], **more}


def test_a_frame_that_differs_only_in_its_text_is_read_and_written_by_the_template() -> None:
    text = fresh("Hello")
    like = learnt(chunk(text), text)
    assert like.read(chunk("there")) == "there"
    made = like.made("again")
    assert made == chunk("again")
    assert list(made) == list(chunk(""))
    assert like.made("once more") == chunk("once more")
    assert made == chunk("again")  # what has been made is not changed by what is made next


@pytest.mark.parametrize(
    "frame",
    [
        chunk(""),
        chunk("there", more=1),
        {**chunk("there"), "created": 2},
        {**chunk("there"), "created": 1.0},
        {**chunk("there"), "created": True},
        {"id": "a", "created": 1, "choices": [{"index": False, "delta": {"content": "x"}, "logprobs": None}]},
        {"id": "a", "created": 1, "choices": [{"index": 0, "delta": {"content": ["x"]}, "logprobs": None}]},
        {"id": "a", "created": 1, "choices": []},
        {"id": "a", "created": 1, "choices": None},
        {},
    ],
    ids=str,
)
def test_a_frame_that_differs_in_more_than_its_text_is_not_read_by_the_template(frame: dict[str, Any]) -> None:
    text = fresh("Hello")
    assert learnt(chunk(text), text).read(frame) is None


def test_a_text_that_occurs_several_times_must_match_everywhere() -> None:
    text = fresh("Hello")
    like = learnt({"a": text, "b": [{"c": text, "d": "e"}]}, text)
    assert like.read({"a": "x", "b": [{"c": "x", "d": "e"}]}) == "x"
    assert like.read({"a": "x", "b": [{"c": "y", "d": "e"}]}) is None
    assert like.made("z") == {"a": "z", "b": [{"c": "z", "d": "e"}]}


def test_padding_may_be_any_text_but_nothing_else() -> None:
    text = fresh("Hello")
    like = learnt(chunk(text, padding="abc"), text, "padding")
    assert like.read(chunk("x", padding="d")) == "x"
    assert like.read(chunk("x", padding=1)) is None
    assert like.read(chunk("x")) is None


def test_a_frame_counter_increases_by_one() -> None:
    text = fresh("Hello")
    like = learnt(chunk(text, number=4), text, counted="number")
    assert like.read(chunk("x", number=5)) == "x"
    assert like.read(chunk("x", number=6)) == "x"
    assert like.read(chunk("x", number=8)) is None
    assert like.read(chunk("x", number=6)) is None
    assert like.read(chunk("x", number=7.0)) is None
    assert like.read(chunk("x")) is None
    assert learnt(chunk(text, number=4), text, counted="number").made("y") == chunk("y", number=5)


def test_numbers_without_a_check_prevent_a_template() -> None:
    text = fresh("Hello")
    piece = Piece({"type": "content", "block": 0, "text": text})
    assert template({"a": text, "usage": {"count": [1]}}, text, piece, "", fresh=True) is None
    assert template({"usage": {"count": [1]}, "a": text, "b": [text, 1]}, text, piece, "", fresh=True) is None
    assert template({"a": "another text"}, text, piece, "", fresh=True) is None
    assert template("no object", text, piece, "", fresh=True) is None


def test_only_a_fresh_text_is_told_from_others_that_are_equal() -> None:
    text, piece = fresh("Hello"), Piece({"type": "content", "block": 0, "text": "Hello"})
    frame = {"a": text, "b": "Hello"}
    for is_fresh, same in ((True, "Hello"), (False, "there")):
        like = template(frame, text, piece, "", fresh=is_fresh)
        assert like is not None
        assert like.read({"a": "there", "b": same}) == "there"


KNOWN: Final[dict[str, Any]] = {
    "": (
        "type",
        {
            "a": {"type": None, "x": None, "in": {"known": None}},
            "b": {"type": None, "list": {"known": None}, "s": str},
            "c": {"type": str, "e": (str, {"known": int}), "f": (int, str)},
        },
    )
}


@pytest.mark.parametrize(
    ("frame", "paths"),
    [
        ({"type": "a", "x": {"anything": 1}, "in": {"known": 1}}, []),
        ({"type": "a", "y": 1, "in": {"known": 1, "z/": [1]}}, ["/y", "/in/z~1"]),
        ({"type": "a", "y": None, "in": 5}, ["/in"]),
        ({"type": "b", "list": [{"known": 1}, {"new": 1}, 7, {"new": 2}]}, ["/list/new", "/list", "/list/new"]),
        ({"type": "b", "list": [], "s": "x"}, []),
        ({"type": "b", "s": 1}, ["/s"]),
        ({"type": "c", "e": "x"}, []),
        ({"type": "c", "e": 1}, ["/e"]),
        ({"type": "c", "e": [{"known": True}]}, ["/e/known"]),
        ({"type": "c", "f": 1}, []),
        ({"type": "c", "f": "x"}, []),
        ({"type": "c", "f": 1.0}, ["/f"]),
        ({"type": "unheard", "y": 1}, []),
        ({"y": 1}, []),
    ],
    ids=str,
)
def test_unmapped_members_are_reported_with_their_path(frame: dict[str, Any], paths: list[str]) -> None:
    assert list(unknown(frame, KNOWN)) == paths


def claude_stream(**more: Any) -> list[dict[str, Any]]:
    """Return a stream of Claude's of four pieces, each of which holds more than it must."""
    block = {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}
    pieces = [
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text}, **more}
        for text in ("Good", "morning", "to", "you")
    ]
    message = {"id": "m", "type": "message", "role": "assistant", "model": "x", "content": [], "usage": {}}
    delta = {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 4}}
    begun = {"type": "message_start", "message": {**message, "stop_reason": None, "stop_sequence": None}}
    ended = [{"type": "content_block_stop", "index": 0}, delta, {"type": "message_stop"}]
    return [begun, block, *pieces, *ended]


def test_unknown_members_of_stream_frames_are_reported_once_in_other_dialects() -> None:
    encoded = il.translate_stream(claude_stream(surprise=1), "claude", "openai_chat")
    said = [
        frame["choices"][0]["delta"].get("content") for frame in encoded if type(frame) is dict and frame["choices"]
    ]
    assert [text for text in said if text] == ["Good", "morning", "to", "you"]
    assert [(loss.severity, loss.path) for loss in encoded.losses if "surprise" in loss.detail] == [
        ("lost", "/2/extra/claude")
    ]
    plain = il.translate_stream(claude_stream(), "claude", "openai_chat")
    assert list(plain) == list(il.translate_stream(claude_stream(surprise=1), "claude", "openai_chat"))
    assert not [loss for loss in plain.losses if loss.severity == "lost"]


def test_within_one_dialect_frames_are_passed_unchanged_and_still_checked_for_errors() -> None:
    frames = claude_stream(surprise=1)
    passed = il.translate_stream(frames, "claude", "claude")
    assert all(one is other for one, other in zip(passed, frames, strict=True))
    assert passed.losses == ()
    with pytest.raises(il.DecodeError):
        list(il.translate_stream([*frames[:2], {"type": "content_block_delta", "index": 0}], "claude", "claude"))


@pytest.mark.parametrize("kind", [10**5000, 1.5, None, ["a"], {"b": 1}], ids=["huge", "real", "null", "list", "object"])
def test_a_frame_with_a_non_string_type_is_lost_like_other_unknown_frames(kind: Any) -> None:
    encoded = il.encode_stream([{"type": "opaque", "dialect": "openai_chat", "data": {"type": kind}}], "gemini")
    list(encoded)
    assert [(loss.code, loss.path) for loss in encoded.losses] == [("extra", "/0/data")]


def deep(levels: int) -> Any:
    value: Any = "x"
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize("target", ["claude", "openai_chat", "gemini"])
def test_deeply_nested_frames_are_translated_or_refused(target: str) -> None:
    frames = claude_stream(surprise=deep(5_000))
    with suppress(il.DecodeError):
        assert list(il.translate_stream(frames, "claude", target))


def test_a_responses_call_without_arguments_but_with_other_members_is_read() -> None:
    call = {"type": "function_call", "call_id": "c", "name": "f", "surprise": 1}
    response = il.decode_response(
        {"id": "r", "model": "m", "status": "completed", "output": [call]}, "openai_responses"
    )
    assert response.tool_calls[0].arguments == ""
