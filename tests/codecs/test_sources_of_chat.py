"""Sources of a Chat Completions answer in the forms of other servers, and beside annotations of another kind."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il

NESTED: Final = {"type": "url_citation", "url_citation": {"url": "https://a.example", "title": "A", "content": "Blue."}}
FLAT: Final = {"type": "url_citation", "url": "https://b.example", "title": "B", "summary": "Blue.", "site_name": "b"}
FILE: Final = {"type": "file", "file": {"hash": "h", "name": "a.pdf", "content": [{"type": "text", "text": "Blue."}]}}


def answer(annotations: Any) -> dict[str, Any]:
    message = {"role": "assistant", "content": "Blue.", "annotations": annotations}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    return {"id": "i", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}


def streamed(annotations: Any) -> list[Any]:
    deltas: list[tuple[dict[str, Any], str | None]] = [
        ({"role": "assistant", "content": "Blue."}, None),
        ({"annotations": annotations}, None),
        ({}, "stop"),
    ]
    head = {"id": "i", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    return [
        *({**head, "choices": [{"index": 0, "delta": delta, "finish_reason": reason}]} for delta, reason in deltas),
        "[DONE]",
    ]


@pytest.mark.parametrize("dialect", ["openai_chat", "vllm"])
@pytest.mark.parametrize(
    "annotations",
    [
        [NESTED, FILE],
        [FLAT],
        [FLAT, NESTED, {**FLAT, "start_index": 0, "end_index": 4}],
        [FILE],
        [{"type": "url_citation"}],
        [{"type": "url_citation", "url_citation": None, "url": "https://a.example"}],
        [NESTED, {"kind": "url_citation"}],
        [NESTED, 3],
        [],
    ],
)
def test_annotations_of_any_form_round_trip(dialect: str, annotations: Any) -> None:
    home = il.encode_response(il.decode_response(answer(annotations), dialect), dialect)
    assert (home.body, home.losses) == (answer(annotations), ())
    frames = streamed(annotations)
    assert list(il.encode_stream(il.decode_stream(frames, dialect), dialect)) == frames


@pytest.mark.parametrize(
    ("annotations", "urls"),
    [
        ([NESTED, FILE], ["https://a.example"]),
        ([FLAT], ["https://b.example"]),
        ([FLAT, FILE, NESTED], ["https://b.example", "https://a.example"]),
    ],
)
def test_source_annotations_are_translated_whole_and_streamed(annotations: Any, urls: list[str]) -> None:
    whole = il.translate_response(answer(annotations), "openai_chat", "openai_responses").body["output"]
    assert [one["url"] for one in whole[0]["content"][0]["annotations"]] == urls
    last: Any = list(il.translate_stream(streamed(annotations), "openai_chat", "openai_responses"))[-1]
    assert last["response"]["output"][0]["content"][0]["annotations"] == whole[0]["content"][0]["annotations"]


def test_annotations_that_are_not_sources_are_lost() -> None:
    losses = il.translate_response(answer([NESTED, FILE]), "openai_chat", "openai_responses").losses
    lost = [loss.path for loss in losses if (loss.code, loss.severity) == ("citation", "lost")]
    cited = "/messages/0/content/0/citations"
    assert lost == [f"{cited}/0/cited_text", f"{cited}/1"]  # the words of a source have no place there, either


def test_a_changed_source_is_written_with_its_new_value() -> None:
    decoded = il.decode_response(answer([FLAT]), "openai_chat").model_dump(mode="json")
    decoded["messages"][0]["content"][0]["citations"][0]["url"] = "https://c.example"
    body = il.encode_response(il.ChatResponse.model_validate(decoded), "openai_chat").body
    assert body["choices"][0]["message"]["annotations"] == [{**FLAT, "url": "https://c.example"}]
