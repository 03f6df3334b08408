"""Errors as the fourth kind: read from every shape, back at home as they came, abroad as the clients there expect."""

from __future__ import annotations

import ast
import copy
import importlib
import json
import logging
import random
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import pytest

import interlingua as il
from interlingua.rooms._shared.error_categories import HABITUAL
from support.errors import CATEGORIES, DIALECTS, READ_OTHERWISE, vectors

BODIES: Final = vectors("bodies")
WORDING: Final = vectors("wording")
NOISE: Final[tuple[Any, ...]] = (None, "", "x", 0, -1, 1.5, True, [], {}, [{}], [[]], {"message": 1}, "400", 10**400)
QUOTED: Final = "what the user said"


def named(vector: dict[str, Any]) -> str:
    return str(vector["name"])


def _has_a_shape(body: Any) -> bool:
    return isinstance(body, (dict, list)) and "oops" not in body


def told(losses: tuple[il.Loss, ...]) -> list[str]:
    return [f"{loss.severity} {loss.path}" for loss in losses]


def test_the_six_dialects_have_error_codecs() -> None:
    assert {"openai_chat", "openai_responses", "claude", "gemini", "ollama", "vllm"} <= set(DIALECTS)


@pytest.mark.parametrize("vector", BODIES, ids=named)
def test_an_error_of_any_shape_is_read(vector: dict[str, Any]) -> None:
    error = il.decode_error(vector["body"], vector["dialect"], status=vector["status"], headers=vector["headers"])
    said = error.model_dump(mode="json", exclude={"extra"})
    assert said == {"dialect": vector["dialect"], **vector["expect"]}


@pytest.mark.parametrize("vector", BODIES, ids=named)
def test_an_error_round_trips_within_the_dialect(vector: dict[str, Any]) -> None:
    body, before = vector["body"], copy.deepcopy(vector)
    error = il.decode_error(body, vector["dialect"], status=vector["status"], headers=vector["headers"])
    stored = il.ApiError.model_validate_json(error.model_dump_json())
    assert stored == error
    for encoded in (
        il.encode_error(stored, vector["dialect"]),
        il.translate_error(
            body, vector["dialect"], vector["dialect"], status=vector["status"], headers=vector["headers"]
        ),
    ):
        assert encoded.body == body
        assert encoded.status == vector["expect"]["status"]
        assert encoded.losses == ()
        known = {name.lower(): value for name, value in vector["headers"].items()}
        assert dict(encoded.headers) == {
            name: value for name, value in known.items() if name not in {"content-length", "set-cookie"}
        }
    assert vector == before


@pytest.mark.parametrize("vector", BODIES, ids=named)
def test_a_changed_error_changes_its_body(vector: dict[str, Any]) -> None:
    error = il.decode_error(vector["body"], vector["dialect"], status=vector["status"], headers=vector["headers"])
    changed = error.replace(message="Said otherwise.", retry_after=77)
    encoded = il.encode_error(changed, vector["dialect"])
    again = il.decode_error(encoded.body, vector["dialect"], status=encoded.status, headers=encoded.headers)
    assert again.message == "Said otherwise."
    if "RetryInfo" not in json.dumps(vector["body"]):  # it stays, and is read first
        assert again.retry_after == 77


@pytest.mark.parametrize("vector", WORDING, ids=named)
def test_an_error_has_the_codes_that_clients_handle(vector: dict[str, Any]) -> None:
    encoded = il.encode_error(vector["error"], vector["dialect"])
    assert encoded.status == vector["status"]
    assert dict(encoded.headers) == vector["headers"]
    assert encoded.body == vector["body"]
    assert sorted(told(encoded.losses)) == sorted(vector["losses"])


@pytest.mark.parametrize(
    ("text", "wait"),
    [
        ("Please retry after 26 seconds.", 26),
        ("Try again in 250 milliseconds.", 0.25),
        ("Try again in 5 minutes.", 300),
        ("Try again in 2 hours.", 7200),
        ("Try again in 1 hour, 2 minutes and 3 seconds.", 3723),
        ("Try again in 3 days.", 259200),
        ("Try again in 1d2h.", 93600),
        ("Try again in 1h5m3.5s.", 3903.5),
    ],
)
def test_a_retry_delay_is_read_in_the_unit_of_the_text(text: str, wait: float) -> None:
    error = il.decode_error({"error": {"message": text}}, "openai_chat", status=429)
    assert error.retry_after == wait


def test_a_bedrock_error_type_is_read_from_the_header() -> None:
    headers = {"x-amzn-ErrorType": "ServiceQuotaExceededException:http://amazon.example/"}
    error = il.decode_error({"message": "Too much."}, "bedrock_converse", status=400, headers=headers)
    assert (error.category, error.type) == ("quota", "ServiceQuotaExceededException")
    other = il.encode_error(error.replace(type="ValidationException"), "bedrock_converse")
    assert other.headers["x-amzn-errortype"] == "ValidationException"
    abroad = il.encode_error(error, "claude")
    assert (abroad.status, told(abroad.losses)) == (402, ["changed /status"])


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("category", CATEGORIES)
def test_a_category_round_trips_in_every_dialect(category: str, dialect: str) -> None:
    error: dict[str, Any] = {"category": category, "message": "It failed."}
    if category == "output_overflow":  # some dialects have the source's text alone to say it
        text = "max_tokens: 2000 > 1000, which is the maximum allowed number of output tokens"
        error |= {"message": text, "limit_tokens": 1_000, "requested_tokens": 2_000}
    encoded = il.encode_error(error, dialect)
    again = il.decode_error(encoded.body, dialect, status=encoded.status, headers=encoded.headers)
    expected = READ_OTHERWISE.get((dialect, category), category)
    assert again.category == expected
    assert ("changed /category" in told(encoded.losses)) == (expected != category)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_room_has_a_code_for_every_category_and_none_with_a_narrower_meaning(dialect: str) -> None:
    form = importlib.import_module(f"interlingua.rooms.{dialect}.errors").FORM
    assert form.dialect == dialect
    assert set(form.words) == set(CATEGORIES)
    written = {word for words in form.words.values() for word in (words.type, words.code) if word}
    assert written <= HABITUAL


def test_a_code_equivalent_to_its_category_is_written_by_some_room() -> None:
    forms = [importlib.import_module(f"interlingua.rooms.{dialect}.errors").FORM for dialect in DIALECTS]
    said = [words for form in forms for words in (*form.words.values(), form.conflict) if words is not None]
    written = {word for words in said for word in (words.type, words.code)}
    assert written >= HABITUAL


@pytest.mark.parametrize("source", DIALECTS)
@pytest.mark.parametrize("target", DIALECTS)
def test_an_error_without_provider_members_is_translated_without_losses(source: str, target: str) -> None:
    sent = il.encode_error({"category": "authentication", "message": "No such key."}, source)
    encoded = il.translate_error(sent.body, source, target, status=sent.status, headers=sent.headers)
    expected = il.encode_error({"category": "authentication", "message": "No such key."}, target)
    assert (encoded.status, encoded.headers, encoded.body) == (expected.status, expected.headers, expected.body)
    assert encoded.losses == ()


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("body", [None, 7, True, [], {}, [1], [{}, {}], {"choices": []}, {"error": None}, {"a": "b"}])
def test_a_body_that_is_not_an_error_is_refused(body: Any, dialect: str) -> None:
    for status in (None, 200):
        with pytest.raises(il.DecodeError) as refused:
            il.decode_error(body, dialect, status=status)
        assert (refused.value.dialect, refused.value.path) == (dialect, "")
        assert refused.value.looks_like is None


@pytest.mark.parametrize("source", DIALECTS)
@pytest.mark.parametrize(
    ("body", "message"),
    [
        *[(body, "") for body in (None, 7, True, [], [{}, {}], [[]], [1, {"message": "No."}])],
        (["No."], "No."),
        ([{"message": "No."}, {"message": "Never."}], "No."),
    ],
)
def test_a_body_that_is_not_an_object_is_an_error_by_its_status(source: str, body: Any, message: str) -> None:
    error = il.decode_error(body, source, status=502)
    assert (error.status, error.message) == (502, message)
    stored = il.ApiError.model_validate_json(error.model_dump_json(exclude_none=True))
    assert il.encode_error(stored, source).body == body
    for target in DIALECTS:
        if target != source:
            encoded = il.translate_error(body, source, target, status=502)
            said = il.decode_error(encoded.body, target, status=encoded.status).message
            assert said == (message or "The provider gave no message with its status 502.")


@pytest.mark.parametrize("vector", [one for one in BODIES if _has_a_shape(one["body"])], ids=named)
def test_an_error_given_as_json_text_is_parsed_and_round_trips(vector: dict[str, Any]) -> None:
    dialect, status, headers = vector["dialect"], vector["status"], vector["headers"]
    text = json.dumps(vector["body"], indent=1)
    error = il.decode_error(text, dialect, status=status, headers=headers)
    read = il.decode_error(vector["body"], dialect, status=status, headers=headers)
    assert error.model_dump(exclude={"extra"}) == read.model_dump(exclude={"extra"})
    assert il.encode_error(error, dialect).body == text
    for target in DIALECTS:
        if target != dialect:
            mine, theirs = il.encode_error(error, target), il.encode_error(read, target)
            assert (mine.status, mine.headers, mine.body) == (theirs.status, theirs.headers, theirs.body)
            assert set(told(mine.losses)) <= set(told(theirs.losses))


@pytest.mark.parametrize("text", ["{broken", '{"a": 1}', "[]", "[1, 2]", '"No."', '{"a": "\\ud83d"}', "{" * 5000])
def test_a_text_that_is_not_json_is_the_message(text: str) -> None:
    error = il.decode_error(text, "claude", status=500)
    assert error.message == text
    assert il.encode_error(error, "claude").body == text


@pytest.mark.parametrize("vector", [one for one in BODIES if _has_a_shape(one["body"])], ids=named)
def test_an_error_body_given_as_a_response_raises_with_a_hint_at_the_error_decoder(vector: dict[str, Any]) -> None:
    for read in (il.decode_response, lambda body, dialect: il.translate_response(body, dialect, "claude")):
        with pytest.raises(il.DecodeError) as refused:
            read(vector["body"], vector["dialect"])
        assert refused.value.looks_like == "error"
        assert "decode_error" in str(refused.value)
        message = vector["expect"]["message"]
        assert message not in str(refused.value)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_body_that_is_neither_response_nor_error_raises_without_a_hint(dialect: str) -> None:
    with pytest.raises(il.DecodeError) as refused:
        il.decode_response([], dialect)
    assert refused.value.looks_like is None
    assert "decode_error" not in str(refused.value)


@pytest.mark.parametrize("vector", BODIES, ids=named)
def test_a_damaged_error_is_read_or_refused_and_round_trips(vector: dict[str, Any]) -> None:
    chance = random.Random(vector["name"])
    for _ in range(40):
        body = _damaged(copy.deepcopy(vector["body"]), chance)
        status = chance.choice([vector["status"], None, 200, 400, 503])
        try:
            error = il.decode_error(body, vector["dialect"], status=status, headers=vector["headers"])
        except il.DecodeError:
            continue
        assert il.encode_error(error, vector["dialect"]).body == body
        for target in DIALECTS:
            encoded = il.encode_error(error, target)
            assert il.decode_error(encoded.body, target, status=encoded.status).message or not error.message


def _damaged(body: Any, chance: random.Random) -> Any:
    """Return a body with one value replaced or taken out, somewhere in it."""
    holder: Any = None
    place: Any = None
    node = body
    while isinstance(node, (dict, list)) and node and (holder is None or chance.random() < 0.7):
        holder, place = node, chance.choice(list(node) if isinstance(node, dict) else range(len(node)))
        node = node[place]
    if holder is None:
        return chance.choice(NOISE)
    if chance.random() < 0.2:
        del holder[place]
    else:
        holder[place] = chance.choice(NOISE)
    return body


def test_a_deeply_nested_body_is_kept_without_walking_it() -> None:
    deep: Any = 1
    for _ in range(100_000):
        deep = {"x": deep}
    body = {"error": {"message": "No.", "type": "server_error", "deep": deep}}
    encoded = il.translate_error(body, "openai_chat", "claude", status=500)
    assert told(encoded.losses) == ["lost /extra/openai_chat"]
    home = il.translate_error(body, "openai_chat", "openai_chat", status=500)
    assert home.body is body
    del body, deep, encoded, home


def test_long_numbers_and_texts_cost_no_more_than_their_length() -> None:
    body = {"error": {"message": "prompt is too long: " + "9" * 100_000 + " tokens > 1 maximum", "code": None}}
    error = il.decode_error(body, "openai_chat", status=400)
    assert (error.category, error.used_tokens) == ("context_overflow", None)


def test_a_date_in_a_header_is_read_only_if_now_is_given() -> None:
    body = {"type": "error", "error": {"type": "rate_limit_error", "message": "Slow down."}}
    now = datetime(2026, 1, 1, tzinfo=UTC)
    for headers, wait in (
        ({"Retry-After": "Thu, 01 Jan 2026 00:00:30 GMT"}, 30),
        (
            {
                "anthropic-ratelimit-tokens-remaining": "0",
                "anthropic-ratelimit-tokens-reset": "2026-01-01T00:01:00Z",
                "anthropic-ratelimit-requests-remaining": "9",
                "anthropic-ratelimit-requests-reset": "2026-01-01T00:09:00Z",
            },
            60,
        ),
    ):
        without = il.decode_error(body, "claude", status=429, headers=headers)
        assert without.retry_after is None
        assert told(il.encode_error(without, "ollama").losses) == ["lost /extra/claude"]
        for moment in (now, now.replace(tzinfo=None), now.timestamp()):
            error = il.decode_error(body, "claude", status=429, headers=headers, now=moment)
            assert error.retry_after == wait
            home = il.encode_error(error, "claude").headers
            assert home == {name.lower(): value for name, value in headers.items()}
        encoded = il.encode_error(error, "openai_chat")
        assert encoded.headers["retry-after"] == str(wait)
        assert il.translate_error(body, "claude", "openai_chat", status=429, headers=headers, now=now) == encoded
        one = il.exchange({"model": "m", "messages": [{"role": "user", "content": "Hi"}]}, "openai_chat", "claude")
        assert one.error(body, status=429, headers=headers, now=now) == encoded


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("wait", [-5, 10**30, 1e300])
def test_a_retry_delay_is_never_negative_or_infinite(wait: float, dialect: str) -> None:
    encoded = il.encode_error({"category": "rate_limit", "message": "Slow down.", "retry_after": wait}, dialect)
    assert "retry-after" not in encoded.headers
    assert "retryDelay" not in json.dumps(encoded.body)
    assert told(encoded.losses) == ["lost /retry_after"]


CLAUDE_LIMITS: Final = {
    "anthropic-ratelimit-requests-limit": "50",
    "anthropic-ratelimit-requests-remaining": "0",
    "anthropic-ratelimit-tokens-remaining": "1200",
}
OPENAI_LIMITS: Final = {
    "x-ratelimit-limit-requests": "50",
    "x-ratelimit-remaining-requests": "0",
    "x-ratelimit-remaining-tokens": "1200",
}


@pytest.mark.parametrize(
    ("source", "given", "target", "expected"),
    [
        ("claude", CLAUDE_LIMITS, "openai_chat", OPENAI_LIMITS),
        ("claude", CLAUDE_LIMITS, "openai_responses", OPENAI_LIMITS),
        ("openai_chat", OPENAI_LIMITS, "claude", CLAUDE_LIMITS),
        ("openai_responses", OPENAI_LIMITS, "openai_chat", OPENAI_LIMITS),
    ],
)
def test_remaining_rate_limits_have_the_header_names_of_the_target(
    source: str, given: dict[str, str], target: str, expected: dict[str, str]
) -> None:
    body = il.encode_error(il.ApiError(category="rate_limit", message="Slow down."), source).body
    encoded = il.translate_error(body, source, target, status=429, headers={"retry-after": "7", **given})
    assert encoded.headers == {"retry-after": "7", **expected}
    assert [loss for loss in encoded.losses if loss.path.startswith("/extra")] == []


def test_rate_limit_reset_times_are_kept_within_the_dialect_and_lost_in_others() -> None:
    body = {"type": "error", "error": {"type": "rate_limit_error", "message": "Slow down."}}
    headers = {
        "anthropic-ratelimit-requests-reset": "2026-11-23T20:00:00Z",
        "anthropic-ratelimit-input-tokens-limit": "9",
    }
    encoded = il.translate_error(body, "claude", "openai_chat", status=429, headers=headers)
    assert encoded.headers == {}
    assert "lost /extra/claude" in told(encoded.losses)


def test_should_retry_headers_are_written_for_clients_that_read_them() -> None:
    headers = {"x-should-retry": "false"}
    for source, target in (("claude", "openai_chat"), ("openai_responses", "claude"), ("openai_chat", "vllm")):
        body = il.encode_error(il.ApiError(category="server_error", message="No."), source).body
        encoded = il.translate_error(body, source, target, status=500, headers=headers)
        assert encoded.headers == headers
        assert [loss for loss in encoded.losses if loss.path.startswith("/extra")] == []
        assert il.translate_error(body, source, "gemini", status=500, headers=headers).headers == {}
        assert il.translate_error(body, source, target, status=500, headers={"x-should-retry": "later"}).headers == {}


@pytest.mark.parametrize("value", ["", "many", "1e3", "-1", "9" * 40])
def test_an_invalid_count_is_not_translated(value: str) -> None:
    body = {"type": "error", "error": {"type": "rate_limit_error", "message": "Slow down."}}
    headers = {"anthropic-ratelimit-requests-limit": value}
    assert il.translate_error(body, "claude", "openai_chat", status=429, headers=headers).headers == {}


def test_a_header_that_is_not_text_is_ignored() -> None:
    headers: Any = {"request-id": None, "retry-after": 17, b"x-should-retry": b"true"}
    error = il.decode_error({"error": {"message": "No."}}, "claude", status=429, headers=headers)
    assert (error.request_id, error.retry_after) == (None, 17)
    assert il.encode_error(error, "claude").headers == {"retry-after": "17"}


def test_an_answer_with_a_damaged_message_is_not_taken_for_an_error() -> None:
    with pytest.raises(il.DecodeError) as refused:
        il.decode_response({"model": "m", "message": "Well.", "done": True}, "ollama")
    assert refused.value.looks_like is None


@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_text_of_an_error_is_only_in_the_body(dialect: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    for category in CATEGORIES:
        error = il.ApiError(category=category, message=QUOTED, param="/n", request_id="r", status=418)  # type: ignore[arg-type]
        encoded = il.encode_error(error, dialect)
        shown = [repr(error), str(error), repr(encoded), str(encoded.losses), caplog.text]
        assert not [one for one in shown if QUOTED in one]
    assert "category=" in repr(error)
    with pytest.raises(il.EncodeError) as refused:
        il.encode_error({"category": QUOTED, "message": QUOTED}, dialect)
    assert QUOTED not in str(refused.value)


def test_the_codes_of_an_error_are_shown_but_not_its_text() -> None:
    body = {"error": {"message": QUOTED, "type": "rate_limit_error", "param": None, "code": "slow_down"}}
    shown = repr(il.decode_error(body, "openai_chat", status=429))
    for word in ("rate_limit", "429", "slow_down", "rate_limit_error"):
        assert word in shown
    assert QUOTED not in shown


def test_shared_modules_contain_no_wire_values_of_a_dialect() -> None:
    source = (Path(str(il.__file__)).parent / "rooms" / "_shared" / "api_errors.py").read_text("utf-8")
    texts = {node.value for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant)}
    assert not texts & set(DIALECTS)


@pytest.mark.parametrize(
    ("target", "status", "word"),
    [
        ("openai_chat", 409, "invalid_request_error"),
        ("openai_responses", 409, "invalid_request_error"),
        ("claude", 409, "conflict_error"),
        ("vllm", 409, "BadRequestError"),
        ("gemini", 400, "INVALID_ARGUMENT"),
    ],
)
def test_a_conflict_keeps_its_status_for_clients_that_retry_it(target: Any, status: int, word: str) -> None:
    source: Any = "claude" if target == "openai_responses" else "openai_responses"
    body = {"error": {"message": "Another process is at work.", "type": "invalid_request_error"}}
    encoded = il.translate_error(body, source, target, status=409)
    assert encoded.status == status
    assert word in encoded.body["error"].values()
    assert il.decode_error(encoded.body, target, status=encoded.status).category == "invalid_request"


@pytest.mark.parametrize("target", ["openai_chat", "openai_responses", "claude", "vllm"])
def test_a_translated_retry_delay_is_no_loss_but_members_beside_it_are(target: str) -> None:
    wait = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "34.4s"}
    error: dict[str, Any] = {"code": 429, "message": "slow", "status": "RESOURCE_EXHAUSTED", "details": [wait]}
    encoded = il.translate_error({"error": error}, "gemini", target, status=429)
    assert (encoded.headers["retry-after-ms"], encoded.losses) == ("34400", ())
    error["details"].append({"@type": "type.googleapis.com/google.rpc.Help", "links": [{"url": "https://a.example"}]})
    (loss,) = il.translate_error({"error": error}, "gemini", target, status=429).losses
    assert loss.path == "/extra/gemini"


def test_a_message_that_openai_clients_recognise_already_is_not_reworded() -> None:
    said = "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens."
    body = {"error": {"message": said, "type": "BadRequestError", "param": None, "code": 400}}
    told = il.translate_error(body, "vllm", "openai_chat", status=400)
    assert (told.body["error"]["message"], told.body["error"]["code"]) == (said, "context_length_exceeded")
    assert [loss.path for loss in told.losses if loss.path == "/message"] == []


def test_a_request_member_that_an_error_names_is_the_providers_own() -> None:
    body = {"type": "error", "error": {"type": "invalid_request_error", "message": "messages.1: bad"}}
    (loss,) = il.translate_error(body, "claude", "openai_chat", status=400).losses
    assert (loss.path, "the provider got" in loss.detail) == ("/param", True)


@pytest.mark.parametrize("target", ["openai_chat", "openai_responses"])
def test_an_unknown_path_keeps_its_code_in_the_formats_of_openai(target: il.Dialect) -> None:
    said = {"message": "Unknown request URL: POST /x.", "type": "invalid_request_error", "param": None}
    body = {"error": {**said, "code": "unknown_url"}}
    source: il.Dialect = "openai_responses" if target == "openai_chat" else "openai_chat"
    encoded = il.translate_error(body, source, target, status=404)
    assert (encoded.status, encoded.body, encoded.losses) == (404, body, ())
    assert il.decode_error(body, target, status=404).category == "not_found"
