"""Law 4: whom a loss touches, what `strict` refuses, one loss a thing, and the report."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il
from interlingua.concerns import CONCERNS, RULES, ConcernRule, concern_of
from interlingua.loss import CODES, FOREIGN, Loss, LossLog, enforce

USER: Final[dict[str, Any]] = {"role": "user", "content": "Hello"}
FUNCTION: Final[dict[str, Any]] = {"type": "function", "name": "look", "parameters": {"type": "object"}}


def asked(**members: Any) -> dict[str, Any]:
    """Return a canonical request."""
    return {"model": "m", "max_tokens": 9, "messages": [USER], **members}


def kept(**fields: Any) -> dict[str, Any]:
    """Return the bag of a dialect that nobody writes here."""
    return {"the_one": {"fields": fields}}


def said(**members: Any) -> dict[str, Any]:
    """Return a canonical request whose user says something that is there in no other dialect."""
    return asked(messages=[USER, {"role": "user", "content": "Hello", **members}])


OPAQUE: Final[dict[str, Any]] = {"type": "opaque", "dialect": "the_one", "data": {"a": 1}}
CITED: Final[dict[str, Any]] = {
    "type": "text", "text": "Blue.", "citations": [{"kind": "url", "url": "https://a.example", "title": "A"}],
}  # fmt: skip
RESULT: Final[tuple[dict[str, Any], ...]] = (
    {"role": "assistant", "tool_calls": [{"id": "c", "name": "look", "arguments": "{}"}]},
    {"role": "tool", "call_id": "c", "content": "No.", "is_error": True},
)
# For each row of content and contract by which something is lost: a value, and a target that has no place for it.
CUT: Final[dict[tuple[str, str], tuple[str, dict[str, Any]]]] = {
    ("server_state", ""): ("claude", asked(extra={"openai_responses": {"server_state": {"conversation": "c"}}})),
    ("extra", "/extra/*/fields/prompt|conversation|previous_response_id|cachedContent|cached_content"): (
        "claude", asked(extra=kept(cachedContent="c")),
    ),
    ("extra", "/extra/*/fields/documents/**"): ("claude", asked(extra=kept(documents=[{"title": "A", "text": "B"}]))),
    ("extra", "/extra/*/fields/store"): ("claude", asked(extra=kept(store=False))),
    ("extra", "/extra/*/fields/generationConfig"): (
        "claude", asked(extra={"gemini": {"fields": {"generationConfig": {"responseMimeType": "text/x.enum"}}}}),
    ),
    ("extra", "/extra/*/fields/inference_geo"): ("gemini", asked(extra=kept(inference_geo="eu"))),
    ("extra", "/tools/*/extra/**"): ("claude", asked(tools=[{**FUNCTION, "extra": kept(returns={"a": 1})}])),
    ("extra", "/messages|alternatives/**/extra/*/fields/**"): ("claude", said(extra=kept(song="la"))),
    ("provider_state", "/extra|alternatives/**/candidate"): (
        "claude", asked(extra={"gemini": {"candidate": {"groundingMetadata": {"groundingSupports": [{"a": 1}]}}}}),
    ),
    ("citation", ""): ("ollama", asked(messages=[USER, {"role": "assistant", "content": [CITED]}])),
    ("empty_text", ""): ("claude", asked(messages=[USER, {"role": "assistant", "content": [
        {"type": "text", "text": " "}, {"type": "text", "text": "a"},
    ]}])),
    ("message", ""): ("claude", asked(messages=[USER, {"role": "opaque", "dialect": "the_one", "data": {"a": 1}}])),
    ("part", ""): ("claude", said(content=[{"type": "text", "text": "a"}, OPAQUE])),
    ("reasoning", ""): ("openai_responses", asked(messages=[USER, {"role": "assistant", "reasoning": "Hm.",
                                                                 "content": "Yes."}])),
    ("tool", ""): ("claude", asked(tools=[FUNCTION, OPAQUE])),
    ("setting", "/tool_choice"): ("ollama", asked(tools=[FUNCTION], tool_choice={"mode": "required"})),
    ("member", "/response_format/**"): ("ollama", asked(response_format={"type": "json_schema", "name": "n",
        "schema": {"type": "object"}, "description": "d"})),
    ("member", "/messages|alternatives/**/is_error|format"): ("openai_chat", asked(messages=[USER, *RESULT])),
}  # fmt: skip
# Rows by which only streams, which have no `strict`, older versions of the schema, and answers without a place for a
# refusal lose something.
ELSEWHERE: Final = frozenset({"arguments", "refusal", "migration"})


def rows() -> list[ConcernRule]:
    """Return the rows of content and contract by which something may be lost."""
    return [
        row
        for row in RULES
        if row.concern in {"content", "contract"} and row.only in {"", "lost"} and row.code not in ELSEWHERE
    ]


@pytest.mark.parametrize("row", rows(), ids=lambda row: f"{row.code} {row.path[:40]}")
def test_strict_refuses_to_lose_content_and_contract(row: ConcernRule) -> None:
    target, request = next(case for (code, path), case in CUT.items() if code == row.code and row.path.startswith(path))
    encoded = il.encode_request(request, target)
    assert row.concern in {loss.concern for loss in encoded.losses if loss.severity == "lost" and loss.code == row.code}
    for strict in (True, "all", {row.concern}):
        with pytest.raises(il.LossError) as error:
            il.encode_request(request, target, strict=strict)
        assert row.code in {loss.code for loss in error.value.offending}
        assert error.value.losses == encoded.losses


@pytest.mark.parametrize("code", sorted(ELSEWHERE))
def test_members_that_only_answers_lose_are_content_too(code: Any) -> None:
    with pytest.raises(il.LossError):
        enforce([Loss(code, "/messages/0/content", "it is gone", "lost")], strict=True)


def test_every_row_has_a_reason_and_every_code_has_a_row() -> None:
    assert all(row.reason and row.concern in CONCERNS for row in RULES)
    assert {row.code for row in RULES} == CODES


def test_unlisted_members_have_the_concern_content() -> None:
    assert concern_of("unheard_of", "/a", "lost") == "content"


@pytest.mark.parametrize("strict", ["yes", 3, ["content", "nothing"], b"all", {"strict": 1}])
def test_an_invalid_strict_value_raises_a_typed_error(strict: Any) -> None:
    with pytest.raises(il.UnknownConcernError):
        il.encode_request(asked(), "claude", strict=strict)


def test_strict_accepts_concerns_in_any_collection_and_false_refuses_nothing() -> None:
    request = asked(seed=7)
    assert il.encode_request(request, "claude", strict=False).losses != ()
    assert il.encode_request(request, "claude", strict=()).losses != ()
    assert il.encode_request(request, "claude", strict={"content", "contract"}).losses != ()
    some: Any
    for some in ({"tuning"}, ["tuning"], ("state", "tuning"), frozenset({"tuning"})):
        with pytest.raises(il.LossError, match="/seed"):
            il.encode_request(request, "claude", strict=some)


def test_foreign_extra_is_one_loss_with_its_most_severe_concern() -> None:
    log = LossLog()
    for name in ("stream_options", "store", "service_tier"):
        log.lost("extra", f"/extra/the_one/fields/{name}", FOREIGN)
    log.lost("server_state", "/extra/the_one/server_state", FOREIGN)
    assert [(loss.path, loss.concern) for loss in log.losses()] == [
        ("/extra/the_one", "contract"),
        ("/extra/the_one/server_state", "content"),
    ]
    assert log.losses()[0].detail == f"{FOREIGN}: store, service_tier, stream_options"


@pytest.mark.parametrize("said", [{"prefix": False}, {"prefix": True}, {"partial": True}])
def test_the_prefix_mark_of_a_prefilled_answer_is_bookkeeping(said: dict[str, Any]) -> None:
    messages = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Well", **said}]
    body = {"model": "m", "messages": messages}
    [loss] = il.translate_request(body, "openai_chat", "vllm", strict=True, profile=None).losses
    assert (loss.path, loss.concern) == ("/messages/1/extra/openai_chat", "bookkeeping")


def test_an_unknown_setting_is_a_contract_loss_in_a_request_but_not_in_an_answer() -> None:
    for is_answer, concern in ((False, "tuning"), (True, "bookkeeping")):
        log = LossLog(is_answer=is_answer)
        log.lost("extra", "/extra/the_one/fields/mirostat", FOREIGN)
        assert [loss.concern for loss in log.losses()] == [concern]


def test_no_path_is_reported_twice_and_a_loss_covers_its_children() -> None:
    log = LossLog()
    log.changed("part", "/messages/0/content/1/name", "respelt")
    log.filled("/messages/0/content/1/format", "demanded")
    log.lost("part", "/messages/0/content/1", "no place")
    log.changed("part", "/messages/0/content/1", "respelt")
    log.lost("part", "/messages/0/content/10", "no place")
    assert [(loss.path, loss.severity) for loss in log.losses()] == [
        ("/messages/0/content/1", "lost"),
        ("/messages/0/content/10", "lost"),
    ]


def test_usage_details_are_one_loss() -> None:
    usage = {"input_tokens": 3, "output_tokens": 2, "total_tokens": 5, "cache_write_tokens": 0, "input_audio_tokens": 1}
    response = {"id": "a", "model": "m", "created": 1, "messages": [], "finish_reason": "stop", "usage": usage}
    (loss,) = [one for one in il.encode_response(response, "openai_responses").losses if "usage" in one.path]
    assert (loss.path, loss.severity, loss.concern) == ("/usage", "lost", "bookkeeping")
    assert loss.detail.endswith(": input_audio_tokens")


def test_a_report_is_grouped_by_kind_with_the_most_severe_first() -> None:
    pictures = [{"type": "image", "url": f"https://a.example/{at}.png"} for at in range(3)]
    request = asked(
        messages=[{"role": "user", "content": [{"type": "text", "text": "See"}, *pictures]}], seed=7, user="u"
    )
    encoded = il.encode_request(request, "ollama")
    report = encoded.report()
    assert sum(row.count for row in report) == len(encoded.losses)
    first = report.rows[0]
    assert (first.concern, first.path, first.count) == ("content", "/messages/*/content/*", 3)
    order = [CONCERNS.index(row.concern) for row in report]
    assert order == sorted(order)
    assert str(report).splitlines()[0].startswith("content: lost part at /messages/*/content/* (3 times): ")
    assert len(str(report).splitlines()) == len(report)
    assert str(il.encode_request({**asked(), "dialect": "claude"}, "claude").report()) == "nothing is lost"


def test_streams_and_errors_have_reports_too() -> None:
    events = [{"type": "start", "id": "i", "model": "m", "created": 1}, {"type": "end", "complete": True}]
    stream = il.encode_stream(events, "claude")
    assert list(stream)
    assert sum(row.count for row in stream.report()) == len(stream.losses)
    error = il.translate_error({"error": {"message": "m", "type": "odd", "code": "strange"}}, "openai_chat", "claude")
    assert sum(row.count for row in error.report()) == len(error.losses)


@pytest.mark.parametrize(
    "settings",
    [
        {"structured_outputs": {"regex": "[a-z]+"}},
        {"guided_json": {"type": "object"}, "guided_regex": "[a-z]+"},
        {"guided_grammar": "root ::= [a-z]+"},
    ],
)
def test_a_response_format_of_vllm_only_is_a_contract_loss(settings: dict[str, Any]) -> None:
    body = {"model": "m", "messages": [{"role": "user", "content": "Well?"}], **settings}
    losses = il.translate_request(body, "vllm", "claude", profile=None).losses
    assert ("/extra/vllm", "lost", "contract") in [(loss.path, loss.severity, loss.concern) for loss in losses]
    with pytest.raises(il.LossError):
        il.translate_request(body, "vllm", "claude", profile=None, strict=True)


@pytest.mark.parametrize(
    ("member", "value", "concern"),
    [
        ("documents", [{"title": "A", "text": "B"}], "content"),
        ("stop_token_ids", [7], "contract"),
        ("min_tokens", 5, "contract"),
        ("truncate_prompt_tokens", 99, "contract"),
        ("length_penalty", 1.1, "tuning"),
    ],
)
def test_losses_of_vllm_only_settings_have_the_concern_of_their_purpose(member: str, value: Any, concern: str) -> None:
    body = {"model": "m", "messages": [USER], member: value}
    (loss,) = [loss for loss in il.translate_request(body, "vllm", "claude").losses if loss.path == "/extra/vllm"]
    assert loss.concern == concern


def test_the_project_of_a_bedrock_request_is_bookkeeping_so_that_strict_accepts_its_loss() -> None:
    turn = {"role": "user", "content": [{"text": "Well?"}]}
    body = {"modelId": "amazon.nova-2-lite-v1:0", "messages": [turn], "projectIdentifier": "default"}
    assert il.translate_request(body, "bedrock_converse", "bedrock_converse").body == body
    encoded = il.translate_request(body, "bedrock_converse", "openai_chat", model="gpt-4.1", strict=True)
    assert [(loss.path, loss.concern) for loss in encoded.losses] == [("/extra/bedrock_converse", "bookkeeping")]
