"""How the members of frames join to those of the whole answer."""

from __future__ import annotations

from typing import Any

from interlingua.rooms._shared.joining import First, FirstSaid, Items, Last, LastSaid, LeftOut, Members, Numbered, Text
from interlingua.streaming import gather
from support.streams import read


def joined(members: Members, *frames: Any) -> dict[str, Any]:
    for frame in frames:
        members.take(frame)
    return members.made()


def test_texts_are_concatenated_lists_extended_and_other_values_replaced() -> None:
    said = joined(
        Members({"text": Text, "rows": Items}), {"text": "a", "rows": [1], "n": 1}, {"text": "b", "rows": [2], "n": 2}
    )
    assert said == {"text": "ab", "rows": [1, 2], "n": 2}


def test_the_first_non_empty_label_and_the_last_word_are_kept() -> None:
    table = {"id": FirstSaid, "word": LastSaid}
    said = joined(Members(table), {"id": "", "word": "a"}, {"id": "x", "word": ""}, {"id": "y", "word": None})
    assert said == {"id": "x", "word": "a"}
    assert joined(Members(table), {"id": "", "word": ""}) == {"id": "", "word": None}


def test_the_first_and_the_last_value_may_be_null() -> None:
    frames = ({"at": None, "n": 1}, {"at": 2, "n": None})
    assert joined(Members({"at": First}, Last), *frames) == {"at": None, "n": None}


def test_a_null_replaces_nothing_and_is_kept_only_without_another_value() -> None:
    frames = ({"a": 1, "b": None}, {"a": None, "text": None}, {"text": "x"}, {"text": None})
    assert joined(Members({"text": Text}), *frames) == {"a": 1, "b": None, "text": "x"}
    assert joined(Members({"text": Text}, nulls=False), *frames) == {"a": 1, "text": "x"}


def test_a_value_of_another_type_is_replaced_by_one_that_can_be_extended() -> None:
    assert joined(Members({"text": Text}), {"text": 5}) == {"text": 5}
    assert joined(Members({"text": Text}), {"text": "a"}, {"text": 5}, {"text": "b"}) == {"text": "ab"}


def test_omitted_members_are_in_no_whole_answer() -> None:
    assert joined(Members({"again": LeftOut}), {"again": None}, {"again": "x", "n": 1}) == {"n": 1}


def test_objects_of_a_list_are_merged_by_index() -> None:
    rows = Numbered(lambda: Members({"text": Text}), lambda row, position: row.get("index", position))
    rows.take([{"index": 1, "text": "b"}, "no object"])
    rows.take([{"text": "a"}, {"text": "c"}])
    assert rows.made() == [{"index": 1, "text": "bc"}, {"text": "a"}]


def test_a_collected_stream_has_its_members_in_the_order_of_arrival() -> None:
    logprobs = {"refusal": None, "content": [{"token": "Hi", "logprob": 0.0}]}
    choice = {"index": 0, "delta": {"content": "Hi"}, "logprobs": logprobs, "grade": 1, "finish_reason": "stop"}
    whole = gather(read("openai_chat", [{"id": "c", "object": "chat.completion.chunk", "choices": [choice]}, "[DONE]"]))
    kept = whole["extra"]["openai_chat"]["choice"]
    assert list(kept) == ["logprobs", "grade"]
    assert list(kept["logprobs"]) == ["refusal", "content"]


def test_collecting_modifies_no_frame() -> None:
    rows: list[Any] = [1]
    frame = {"rows": rows}
    members = Members({"rows": Items})
    assert joined(members, frame, {"rows": [2]}) == {"rows": [1, 2]}
    assert frame == {"rows": [1]}
