"""Sources that a server lists beside the choices of an answer are citations of its text, everywhere else."""

from __future__ import annotations

import json
from typing import Any, Final

import pytest

import interlingua as il

URLS: Final = ["https://a.example/1", "https://b.example/2"]
RESULTS: Final[list[dict[str, Any]]] = [
    {"title": "Paris", "url": URLS[0], "date": "2026-01-01", "last_updated": None, "snippet": "The capital of France."},
    {"title": "France", "url": URLS[1], "date": None, "snippet": ""},
]
OF_ZAI: Final = [
    {"title": "Paris", "link": URLS[0], "content": "The capital of France.", "media": "A", "refer": "ref_1"},
    {"title": "France", "link": URLS[1], "content": "", "media": "", "refer": "ref_2"},
]
OF_VENICE: Final = [{"title": "Paris", "url": URLS[0], "content": "The capital of France.", "date": None}]
PERPLEXITY: Final[dict[str, Any]] = {"citations": URLS, "search_results": RESULTS}
# What servers write beside the choices, and the URLs and the titles that it says.
BESIDE: Final[list[tuple[dict[str, Any], list[tuple[str, str | None]]]]] = [
    (PERPLEXITY, [(URLS[0], "Paris"), (URLS[1], "France")]),
    ({"search_results": RESULTS}, [(URLS[0], "Paris"), (URLS[1], "France")]),
    ({"search_results": RESULTS, "citations": URLS[:1]}, [(URLS[0], "Paris"), (URLS[1], "France")]),
    ({"search_results": RESULTS, "citations": None}, [(URLS[0], "Paris"), (URLS[1], "France")]),
    ({"citations": URLS}, [(URLS[0], None), (URLS[1], None)]),
    ({"citations": URLS, "search_results": []}, [(URLS[0], None), (URLS[1], None)]),
    ({"citations": URLS, "search_results": None}, [(URLS[0], None), (URLS[1], None)]),
    ({"citations": [URLS[0], URLS[0]]}, [(URLS[0], None), (URLS[0], None)]),
    ({"web_search": OF_ZAI}, [(URLS[0], "Paris"), (URLS[1], "France")]),
    ({"search_info": {"search_results": RESULTS}}, [(URLS[0], "Paris"), (URLS[1], "France")]),
    ({"search_info": {"mindmap": "m", "search_results": RESULTS}}, [(URLS[0], "Paris"), (URLS[1], "France")]),
    ({"venice_parameters": {"enable_web_search": "on", "web_search_citations": OF_VENICE}}, [(URLS[0], "Paris")]),
]
LABELS: Final[dict[str, Any]] = {"id": "c", "created": 1, "model": "sonar"}
SAID: Final = "It is Paris [1][2]."
CALL: Final = {"index": 0, "id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}
ABROAD: Final = [one for one in il.dialects() if one != "openai_chat"]


def answer(*messages: Any, **beside: Any) -> dict[str, Any]:
    given = messages or ({"role": "assistant", "content": SAID},)
    choices = [{"index": at, "message": one, "finish_reason": "stop"} for at, one in enumerate(given)]
    return {**LABELS, "object": "chat.completion", "choices": choices, **beside}


def stream(first: dict[str, Any], last: dict[str, Any], *deltas: dict[str, Any]) -> list[Any]:
    chunk = {**LABELS, "object": "chat.completion.chunk"}
    said = deltas or ({"role": "assistant", "content": "It is "}, {"content": "Paris "}, {"content": "[1][2]."})
    chunks = [{**chunk, "choices": [{"index": 0, "delta": delta, "finish_reason": None}], **first} for delta in said]
    end = {**chunk, "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}
    return [*chunks, {**end, **last}, "[DONE]"]


def told(response: Any) -> list[tuple[str, str | None]]:
    """Return the sources of the texts of a response."""
    contents = [message.content for message in response.messages]
    parts = [part for content in contents if not isinstance(content, str) for part in content or ()]
    return [(one.url, one.title) for part in parts for one in getattr(part, "citations", None) or ()]


def home(response: Any) -> il.Encoded:
    return il.encode_response(response, "openai_chat")


def edited(body: dict[str, Any], *path: str | int, value: Any = None) -> dict[str, Any]:
    """Return a body whose decoded citations have another value; without one, what is at the path is removed."""
    response = il.decode_response(body, "openai_chat").model_dump(mode="json")
    holder: Any = response["messages"][0]["content"][0]["citations"]
    for token in path[:-1]:
        holder = holder[token]
    if value is None:
        del holder[path[-1]]
    else:
        holder[path[-1]] = value
    return home(il.ChatResponse.model_validate(response)).body


@pytest.mark.parametrize("dialect", ["openai_chat", "vllm"])
@pytest.mark.parametrize(("beside", "sources"), BESIDE)
def test_sources_beside_the_choices_are_citations_of_the_text(dialect: str, beside: Any, sources: Any) -> None:
    body = answer(**beside)
    decoded = il.decode_response(body, dialect)
    encoded = il.encode_response(decoded, dialect)
    assert (encoded.body, encoded.losses) == (body, ())
    assert told(decoded) == sources
    assert il.encode_response(il.ChatResponse.model_validate_json(decoded.model_dump_json()), dialect).body == body


@pytest.mark.parametrize("target", ABROAD)
@pytest.mark.parametrize(("beside", "sources"), BESIDE)
def test_other_dialects_get_them_in_their_order(target: str, beside: Any, sources: Any) -> None:
    encoded = il.translate_response(answer(**beside), "openai_chat", target)
    urls = [url for url, _ in told(il.decode_response(encoded.body, target))]
    assert urls == ([] if target == "ollama" else [url for url, _ in sources])
    lost = [loss.path for loss in encoded.losses if (loss.code, loss.severity) == ("citation", "lost")]
    if target == "ollama":
        assert lost == [f"/messages/0/content/0/citations/{at}" for at in range(len(sources))]


def test_the_canonical_response_has_each_url_once() -> None:
    for beside in (PERPLEXITY, {"citations": URLS}):
        text = json.dumps(il.decode_response(answer(**beside), "openai_chat").model_dump(mode="json"))
        assert [text.count(url) for url in URLS] == [1, 1]


def test_a_changed_source_is_changed_in_each_list() -> None:
    body = answer(**PERPLEXITY)
    changed = edited(body, 0, "url", value="https://c.example")
    assert changed["citations"] == ["https://c.example", URLS[1]]
    assert changed["search_results"] == [{**RESULTS[0], "url": "https://c.example"}, RESULTS[1]]
    assert edited(body, 1, "title", value="Gaul")["search_results"][1] == {**RESULTS[1], "title": "Gaul"}
    assert edited(body, 1, "cited_text", value="A land.")["search_results"][1] == {**RESULTS[1], "snippet": "A land."}
    assert edited(answer(web_search=OF_ZAI), 0, "title", value="Lutetia")["web_search"][0]["title"] == "Lutetia"


def test_a_source_that_is_removed_or_added_is_so_in_each_list() -> None:
    body = answer(**PERPLEXITY)
    assert edited(body, 0) == answer(citations=URLS[1:], search_results=RESULTS[1:])
    response = il.decode_response(body, "openai_chat").model_dump(mode="json")
    part = response["messages"][0]["content"][0]
    part["citations"].append({"kind": "url", "url": "https://c.example"})
    added = home(il.ChatResponse.model_validate(response)).body
    assert added == answer(
        citations=[*URLS, "https://c.example"], search_results=[*RESULTS, {"url": "https://c.example"}]
    )
    del part["citations"]
    assert home(il.ChatResponse.model_validate(response)).body == answer(citations=[], search_results=[])


def test_what_the_lists_cannot_say_of_a_new_citation_is_reported() -> None:
    response = il.decode_response(answer(citations=URLS), "openai_chat").model_dump(mode="json")
    citations = response["messages"][0]["content"][0]["citations"]
    citations += [{"kind": "document", "name": "a.pdf"}, {"kind": "url", "url": "https://c.example", "title": "C"}]
    encoded = home(il.ChatResponse.model_validate(response))
    assert encoded.body == answer(citations=[*URLS, "https://c.example"])
    path = "/messages/0/content/0/citations"
    assert [(loss.code, loss.path) for loss in encoded.losses] == [
        ("citation", f"{path}/2"),
        ("citation", f"{path}/3/title"),
    ]


def test_a_snippet_is_what_a_citation_quotes() -> None:
    found = il.translate_response(answer(**PERPLEXITY), "openai_chat", "claude").body
    assert [one["cited_text"] for one in found["content"][0]["citations"]] == ["The capital of France.", SAID]


@pytest.mark.parametrize(
    "body",
    [
        answer({"role": "assistant", "content": None}, **PERPLEXITY),
        answer({"role": "assistant", "content": ""}, **PERPLEXITY),
        answer(search_results=[{"title": "No address"}], citations=URLS),
        answer(search_results=[*RESULTS, {"title": "T", "url": "a.pdf"}]),
        answer(search_results=[3]),
        answer(search_results=RESULTS, search_info={"search_results": None}),
        answer(search_info=[]),
        answer(citations=[1]),
        answer(citations=["doc1"]),
        answer(citations=URLS[0]),
        answer(citations=[]),
        answer(citations=None),
    ],
)
def test_sources_that_cannot_be_placed_or_read_stay_beside_the_choices(body: dict[str, Any]) -> None:
    assert home(il.decode_response(body, "openai_chat")).body == body
    encoded = il.translate_response(body, "openai_chat", "claude")
    assert not any("citations" in block for block in encoded.body["content"])
    lost = [loss.detail for loss in encoded.losses if loss.path == "/extra/openai_chat"]
    said = sorted(
        name for name in body if name not in answer() and body[name] and body[name] != {"search_results": None}
    )
    assert lost == ([f"only its own dialect has this member: {', '.join(said)}"] if said else [])


def test_they_belong_to_the_last_text_of_the_first_answer() -> None:
    two = answer({"role": "assistant", "content": SAID}, {"role": "assistant", "content": "Lyon."}, **PERPLEXITY)
    assert home(il.decode_response(two, "openai_chat")).body == two
    found = il.translate_response(two, "openai_chat", "vllm").body["choices"]
    assert [len(choice["message"].get("annotations", ())) for choice in found] == [2, 0]
    texts = [{"type": "text", "text": one} for one in ("It is ", SAID)]
    parts = answer({"role": "assistant", "content": texts, "reasoning_content": "Paris?"}, **PERPLEXITY)
    decoded = il.decode_response(parts, "openai_chat")
    assert (home(decoded).body, home(decoded).losses) == (parts, ())
    content: Any = decoded.messages[0].content
    assert [len(part.citations or ()) for part in content] == [0, 2]


def test_annotations_say_more_than_sources_beside_the_choices() -> None:
    cited = {"url": "https://c.example", "title": "C", "start_index": 0, "end_index": 5}
    notes = [{"type": "url_citation", "url_citation": cited}]
    body = answer({"role": "assistant", "content": SAID, "annotations": notes}, **PERPLEXITY)
    assert home(il.decode_response(body, "openai_chat")).body == body
    assert told(il.decode_response(body, "openai_chat")) == [("https://c.example", "C")]
    frames = stream(PERPLEXITY, PERPLEXITY, {"role": "assistant", "content": SAID}, {"annotations": notes})
    assert list(il.encode_stream(il.decode_stream(frames, "openai_chat"), "openai_chat")) == frames
    translated = il.translate_stream(frames, "openai_chat", "claude")
    assert told(il.collect(il.decode_stream(list(translated), "claude"))) == [("https://c.example", "C")]
    assert any("search_results" in loss.detail for loss in translated.losses)


def test_a_request_repeats_no_sources_of_an_earlier_answer() -> None:
    spoken = il.decode_response(answer(**PERPLEXITY), "openai_chat").messages
    messages = [il.UserChatMessage(content="Where?"), *spoken, il.UserChatMessage(content="And?")]
    encoded = il.encode_request(il.ChatRequest(model="sonar", messages=messages), "openai_chat", strict=True)
    assert encoded.body["messages"][1] == {"role": "assistant", "content": SAID}
    assert [(loss.path, loss.severity, loss.concern) for loss in encoded.losses] == [
        ("/messages/1/content/0/citations", "lost", "bookkeeping")
    ]


@pytest.mark.parametrize(("beside", "sources"), BESIDE)
@pytest.mark.parametrize("where", ["first", "last", "each"])
@pytest.mark.parametrize("target", ABROAD)
def test_a_stream_has_each_source_once(target: str, where: str, beside: Any, sources: Any) -> None:
    frames = stream({} if where == "last" else beside, {} if where == "first" else beside)
    events = list(il.decode_stream(frames, "openai_chat"))
    encoded = il.encode_stream(events, "openai_chat")
    assert (list(encoded), encoded.losses) == (frames, ())
    assert told(il.collect(events)) == sources
    streamed = il.collect(il.decode_stream(list(il.translate_stream(frames, "openai_chat", target)), target))
    whole = il.decode_response(il.translate_response(answer(**beside), "openai_chat", target).body, target)
    assert told(streamed) == told(whole)


@pytest.mark.parametrize("usage", [{}, {"usage": {"prompt_tokens": 1, "completion_tokens": 2, "total_tokens": 3}}])
@pytest.mark.parametrize("target", ["openai_responses", "claude", "gemini", "vllm"])
def test_a_chunk_behind_the_finish_may_list_them(target: str, usage: dict[str, Any]) -> None:
    last = {**LABELS, "object": "chat.completion.chunk", "choices": [], "citations": URLS, **usage}
    frames = [*stream({}, {})[:-1], last, "[DONE]"]
    assert list(il.encode_stream(il.decode_stream(frames, "openai_chat"), "openai_chat")) == frames
    found = il.collect(il.decode_stream(list(il.translate_stream(frames, "openai_chat", target)), target))
    assert [url for url, _ in told(found)] == URLS


@pytest.mark.parametrize("target", [one for one in ABROAD if one != "ollama"])
def test_a_text_before_a_call_has_them_in_a_stream(target: str) -> None:
    frames = stream(PERPLEXITY, {}, {"role": "assistant", "content": SAID}, {"tool_calls": [CALL]})
    assert list(il.encode_stream(il.decode_stream(frames, "openai_chat"), "openai_chat")) == frames
    found = il.collect(il.decode_stream(list(il.translate_stream(frames, "openai_chat", target)), target))
    assert [url for url, _ in told(found)] == URLS


def test_a_cut_stream_has_them() -> None:
    frames = stream(PERPLEXITY, {})[:-2]
    assert list(il.encode_stream(il.decode_stream(frames, "openai_chat"), "openai_chat")) == frames
    events = il.decode_stream(frames, "openai_chat")
    assert [event.type for event in events][-3:] == ["citation", "citation", "end"]


def test_a_stream_without_a_text_reports_them() -> None:
    frames = stream(PERPLEXITY, {}, {"role": "assistant", "tool_calls": [CALL]})
    assert list(il.encode_stream(il.decode_stream(frames, "openai_chat"), "openai_chat")) == frames
    encoded = il.translate_stream(frames, "openai_chat", "claude")
    assert not any("citation" in json.dumps(frame) for frame in encoded)
    lost = [loss.detail for loss in encoded.losses if loss.severity == "lost" and "openai_chat" in loss.path]
    assert lost == ["only its own dialect has this member: citations, search_results"]


BROKEN: Final = {"error": {"message": "Out of service.", "code": 500}}
CITING: Final = {"url": "https://c.example", "title": "C", "start_index": 0, "end_index": 2}
ANNOTATED: Final = {"annotations": [{"type": "url_citation", "url_citation": CITING}]}


@pytest.mark.parametrize("ends", [[], ["[DONE]"], [BROKEN]])
@pytest.mark.parametrize(
    "deltas",
    [
        [{"role": "assistant"}],
        [{"role": "assistant", "content": ""}],
        [{"reasoning_content": "Hm."}],
        [{"role": "assistant"}, {"tool_calls": [CALL]}],
        [{"content": SAID, **ANNOTATED}],
    ],
)
@pytest.mark.parametrize("target", ABROAD)
def test_a_stream_that_ends_without_a_text_that_cites_them_reports_them(target: str, deltas: Any, ends: Any) -> None:
    frames = [*stream(PERPLEXITY, {}, *deltas)[:-2], *ends]
    assert list(il.encode_stream(il.decode_stream(frames, "openai_chat"), "openai_chat")) == frames
    encoded = il.translate_stream(frames, "openai_chat", target)
    assert not any(URLS[0] in json.dumps(frame) for frame in encoded)
    lost = [loss.detail for loss in encoded.losses if loss.severity == "lost" and "search_results" in loss.detail]
    assert lost == ["only its own dialect has this member: citations, search_results"]


@pytest.mark.parametrize("target", ABROAD)
def test_a_stream_that_fails_behind_a_cited_text_delivers_or_reports_them(target: str) -> None:
    deltas = [{"content": SAID}, {"reasoning_content": "Hm."}, {"tool_calls": [CALL]}]
    encoded = il.translate_stream([*stream(PERPLEXITY, {}, *deltas)[:-2], BROKEN], "openai_chat", target)
    is_delivered = any(URLS[0] in json.dumps(frame) for frame in encoded)
    assert is_delivered or [loss for loss in encoded.losses if loss.code == "citation" and loss.severity == "lost"]


def test_a_text_behind_a_call_has_them_and_they_are_not_reported() -> None:
    frames = stream(PERPLEXITY, {}, {"role": "assistant", "tool_calls": [CALL]}, {"content": SAID})
    encoded = il.translate_stream(frames, "openai_chat", "claude")
    assert sum("citations_delta" in json.dumps(frame) for frame in encoded) == len(URLS)
    assert not any("search_results" in loss.detail for loss in encoded.losses)


@pytest.mark.parametrize("target", ABROAD)
def test_a_chunk_behind_the_finish_of_a_call_delivers_or_reports_them(target: str) -> None:
    frames = stream({}, {}, {"role": "assistant", "content": SAID}, {"tool_calls": [CALL]})
    frames[-1:] = [{**LABELS, "object": "chat.completion.chunk", "choices": [], **PERPLEXITY}, "[DONE]"]
    encoded = il.translate_stream(frames, "openai_chat", target)
    is_delivered = any(URLS[0] in json.dumps(frame) for frame in encoded)
    lost = [loss.path for loss in encoded.losses if loss.path.endswith("/citation") and loss.severity == "lost"]
    assert len(lost) == (0 if is_delivered else len(URLS))


def test_a_stream_that_cites_them_does_not_report_their_lists() -> None:
    encoded = il.translate_stream(stream(PERPLEXITY, PERPLEXITY), "openai_chat", "claude")
    assert sum("citations_delta" in json.dumps(frame) for frame in encoded) == len(URLS)
    assert not any("search_results" in loss.detail or loss.code == "citation" for loss in encoded.losses)


@pytest.mark.parametrize("client", ["claude", "gemini", "openai_responses", "bedrock_converse"])
def test_clients_of_an_exchange_get_them(client: str) -> None:
    request = il.encode_request({"model": "sonar", "messages": [{"role": "user", "content": "Where?"}]}, client).body
    one = il.exchange(request, client, "openai_chat", model="sonar")
    whole = one.response(answer(**PERPLEXITY)).body
    assert [url for url, _ in told(il.decode_response(whole, client))] == URLS
    frames = list(one.stream(stream(PERPLEXITY, PERPLEXITY)))
    assert [url for url, _ in told(il.collect(il.decode_stream(frames, client)))] == URLS


@pytest.mark.parametrize("target", ["claude", "gemini", "openai_responses", "vllm"])
def test_a_search_answer_passes_strict_where_a_quotation_has_no_place(target: Any) -> None:
    encoded = il.translate_response(answer(**PERPLEXITY), "openai_chat", target, strict=True)
    assert URLS[0] in str(encoded.body)
