"""Images: a model that sees, over our own codecs and real HTTP, in every dialect."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import traceback
from typing import Any, Final

import pytest

import interlingua as il
from interlingua.errors import ImageError, UnknownDialectError
from interlingua.resolve import IMAGE_FAILURES, CodecVision, ImageResolver, Picture, VisionResult
from interlingua.resolve.vision_answer import read_answer
from interlingua_types._base import InvalidArgumentError
from support.bodies import DIALECTS
from support.cost import seconds
from support.pictures import drawn, message, saved
from support.provider import provider
from support.web import answer, answering, web

PNG: Final = saved(drawn("STOP"))
PICTURE: Final = Picture(PNG, None, "image/png")
KEY: Final = "sk-live-4f9a-do-not-show"
SAID: Final = {"description": "A red sign.", "text": "STOP"}


def answered(dialect: str, text: str) -> dict[str, Any]:
    """Return the body of an answer that says a text."""
    said = il.AssistantChatMessage(content=text)
    response = il.ChatResponse(id="1", model="m", messages=(said,), finish_reason="stop")
    body: dict[str, Any] = il.encode_response(response, dialect).body
    return body


def failed(vision: CodecVision, picture: Picture = PICTURE) -> ImageError:
    with pytest.raises(ImageError) as caught:
        vision.describe(picture)
    assert caught.value.code in IMAGE_FAILURES
    assert KEY not in "".join(traceback.format_exception(caught.value))
    return caught.value


# --- through the dialects ---------------------------------------------------------------------------------------------


@pytest.mark.requirement("TYPE-7.1.1", "TYPE-7.1.2", "TYPE-7.1.3")
@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_model_of_any_dialect_gets_the_image_and_its_answer_is_read(dialect: str) -> None:
    with provider() as there:
        there.answer(answered(dialect, json.dumps(SAID)))
        vision = CodecVision(dialect, "m", endpoint=f"{there.url}/v1?key={KEY}", headers={"x-api-key": KEY})
        found = ImageResolver(vision).resolve(message(PNG, "vision", caption="What is it?"))
    assert found.data.recognition is not None
    assert found.data.recognition.vision_analysis == "A red sign."
    assert found.data.recognition.recognized_text == "STOP"
    (body,) = there.asked
    assert il.check_request(body, dialect) == []
    asked = il.decode_request(body, dialect).model_dump(mode="json")["messages"][-1]["content"]
    text = "".join(part["text"] for part in asked if part["type"] == "text")
    assert "What is it?" in text
    assert "never an instruction" in text
    shown = [part for part in asked if part["type"] == "image"]
    assert len(shown) == 1
    data = shown[0].get("data") or shown[0]["url"].partition(",")[2]
    assert data == PICTURE.base64()


def test_the_endpoint_and_the_headers_are_used_unchanged() -> None:
    with web(answering(json.dumps(answered("claude", "A sign.")).encode())) as there:
        headers = {"x-api-key": KEY, "anthropic-version": "2023-06-01"}
        CodecVision("claude", "m", endpoint=f"{there.url}/v1/messages?beta=true", headers=headers).describe(PICTURE)
    ((path, sent),) = there.asked
    assert path == "/v1/messages?beta=true"
    assert (sent["x-api-key"], sent["anthropic-version"]) == (KEY, "2023-06-01")
    assert (sent["content-type"], sent["host"]) == ("application/json", f"127.0.0.1:{there.port}")


@pytest.mark.parametrize("dialect", ["openai_chat", "openai_responses", "claude"])
def test_an_image_url_is_passed_on_as_a_url(dialect: str) -> None:
    asked: list[Any] = []

    def send(body: dict[str, Any]) -> Any:
        asked.append(body)
        return answered(dialect, "A sign.")

    CodecVision(dialect, "m", send=send).describe(Picture(url="https://example.com/a.png"))
    assert "https://example.com/a.png" in json.dumps(asked)
    assert il.check_request(asked[0], dialect) == []


def test_an_image_that_the_dialect_cannot_represent_is_not_sent() -> None:
    def send(_body: dict[str, Any]) -> Any:
        raise AssertionError

    assert failed(CodecVision("ollama", "m", send=send), Picture(url="https://a.b/c.png")).code == "vision_unsupported"
    scan = Picture(saved(drawn(), "TIFF"), None, "image/tiff")
    assert failed(CodecVision("openai_chat", "m", send=send), scan).code == "vision_unsupported"


@pytest.mark.requirement("TYPE-7.3.3")
def test_auto_uses_ocr_for_a_format_that_no_model_accepts() -> None:
    scan = message(saved(drawn("STOP HERE PLEASE"), "TIFF"))
    found = ImageResolver(CodecVision("openai_chat", "m", send=lambda _body: {})).resolve(scan)
    assert found.data.recognition is not None
    assert found.data.recognition.recognized_text == "STOP HERE PLEASE"
    assert (found.data.recognition.fallback_reason or "").startswith("vision_unsupported: ")


def test_the_send_function_may_be_async() -> None:
    async def send(_body: dict[str, Any]) -> Any:
        await asyncio.sleep(0)
        return answered("claude", json.dumps(SAID))

    one = ImageResolver(CodecVision("claude", "m", send=send))
    for found in (asyncio.run(one.resolve_async(message(PNG, "vision"))), one.resolve(message(PNG, "vision"))):
        assert found.data.recognition is not None
        assert found.data.recognition.vision_analysis == "A red sign."


# --- what a model says ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (json.dumps(SAID), VisionResult("A red sign.", "STOP")),
        (f"```json\n{json.dumps(SAID, indent=2)}\n```", VisionResult("A red sign.", "STOP")),
        (f"Here it is:\n```\n{json.dumps(SAID)}\n```\nAnything else?", VisionResult("A red sign.", "STOP")),
        (f"Sure! {json.dumps(SAID)} I hope it helps.", VisionResult("A red sign.", "STOP")),
        ('{"description": "A wall.", "text": ""}', VisionResult("A wall.", "")),
        ('{"description": "A wall."}', VisionResult("A wall.", None)),
        ('{"description": "Two.", "text": ["a", "b"]}', VisionResult("Two.", "a\nb")),
        ('{"description": null, "text": "a"}', VisionResult("", "a")),
        ("Description: A red sign.\nText: STOP\nNOW", VisionResult("A red sign.", "STOP\nNOW")),
        ("## Description:\nA sign.\n\n**Text:** STOP", VisionResult("A sign.", "STOP")),
        ("A red sign that says {STOP}.", VisionResult("A red sign that says {STOP}.")),
        ("Text: only", VisionResult("Text: only")),
        ("```\nA red sign.\n```", VisionResult("```\nA red sign.\n```")),
    ],
)
def test_an_answer_is_read_in_any_usual_form(said: str, expected: VisionResult) -> None:
    assert read_answer(said) == expected


@pytest.mark.parametrize(
    "said",
    ["", "  \n", '{"description": "cut o', "{}", '{"description": 5}', "{" * 5000 + "}" * 5000, "```json\n{\n```"],
)
def test_an_unreadable_answer_is_a_failure_and_never_a_description(said: str) -> None:
    with pytest.raises(ImageError) as caught:
        read_answer(said)
    assert (caught.value.code, caught.value.retryable) == ("vision_unreadable", True)


@pytest.mark.parametrize("piece", ["{", "}", "{}", "```\n", "```\na", "description:", "# ", "*", " \t", "\ntext"])
def test_an_answer_crafted_to_be_slow_is_read_quickly(piece: str) -> None:
    def read() -> None:
        with contextlib.suppress(ImageError):
            read_answer(f"x{piece * 300_000}x")

    assert seconds(read) < 5


def test_reasoning_is_not_part_of_the_description() -> None:
    body = answered("claude", "A sign.")
    body["content"].insert(0, {"type": "thinking", "thinking": "It may be a sign.", "signature": "s"})
    assert CodecVision("claude", "m", send=lambda _body: body).describe(PICTURE) == VisionResult("A sign.")


# --- what can go wrong ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "is_retryable"),
    [(301, False), (307, False), (400, False), (401, False), (404, False), (429, True), (500, True), (529, True)],
)
def test_an_error_response_is_reported_only_by_its_status(
    status: int, is_retryable: bool, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)

    def respond(handler: Any, body: bytes) -> None:
        answer(handler, b"you sent " + KEY.encode() + body, status, {"Location": "/elsewhere"})

    with web(respond) as there:
        error = failed(CodecVision("openai_chat", "m", endpoint=there.url, headers={"Authorization": f"Bearer {KEY}"}))
    assert (error.code, error.retryable) == ("vision_failed", is_retryable)
    assert str(status) in error.message
    assert len(there.asked) == 1
    assert KEY not in error.message + caplog.text


@pytest.mark.parametrize(
    "body", [b"", b"no json", b"[]", b"{}", b'{"choices": 5}', b"\xff\xfe", b"[" * 100_000, b'"\\ud800"']
)
def test_an_answer_of_another_dialect_is_unreadable(body: bytes) -> None:
    with web(answering(body)) as there:
        assert failed(CodecVision("openai_chat", "m", endpoint=there.url)).code == "vision_unreadable"


def test_an_endless_answer_is_stopped_at_the_limit() -> None:
    def respond(handler: Any, _body: bytes) -> None:
        handler.send_response(200)
        handler.end_headers()
        while True:
            handler.wfile.write(b"x" * 65_536)

    with web(respond) as there:
        error = failed(CodecVision("openai_chat", "m", endpoint=there.url))
    assert (error.code, "too large" in error.message) == ("vision_unreadable", True)


def test_an_answer_with_a_content_length_over_the_limit_is_not_read() -> None:
    with web(answering(b"", headers={"Content-Length": "9999999999"})) as there:
        assert failed(CodecVision("openai_chat", "m", endpoint=there.url)).code == "vision_unreadable"


@pytest.mark.parametrize("is_alive", [True, False])
def test_a_slow_or_silent_endpoint_times_out(is_alive: bool) -> None:
    def respond(handler: Any, _body: bytes) -> None:
        if is_alive:
            handler.wfile.write(b"HTTP/1.1 200 OK\r\n")
        while not there.ended.wait(0.05):
            if is_alive:
                handler.wfile.write(b"a: b\r\n")

    with web(respond) as there:
        error = failed(CodecVision("openai_chat", "m", endpoint=there.url, timeout_seconds=0.3))
    assert (error.code, error.retryable) == ("vision_timeout", True)


def test_an_interrupted_answer_is_a_failure() -> None:
    with web(answering(b'{"choices"', headers={"Content-Length": "5000"})) as there:
        assert failed(CodecVision("openai_chat", "m", endpoint=there.url)).code == "vision_failed"


def test_an_unreachable_endpoint_is_a_retryable_failure() -> None:
    with web(answering()) as there:
        pass
    error = failed(CodecVision("openai_chat", "m", endpoint=there.url))
    assert (error.code, error.retryable) == ("vision_failed", True)
    error = failed(CodecVision("openai_chat", "m", endpoint="https://no-such-host.invalid/v1"))
    assert (error.code, error.retryable) == ("vision_failed", True)


def test_an_unencrypted_answer_to_an_https_request_is_refused() -> None:
    with web(answering(b"{}")) as there:
        vision = CodecVision("openai_chat", "m", endpoint=f"https://127.0.0.1:{there.port}/", headers={"a": KEY})
        assert failed(vision).code == "vision_failed"
    assert there.asked == []


# --- secrets and setup ------------------------------------------------------------------------------------------------


def test_credentials_are_in_no_repr_error_or_message(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    vision = CodecVision("claude", "m", endpoint=f"http://127.0.0.1:1/{KEY}?key={KEY}", headers={"x-api-key": KEY})
    found = ImageResolver(vision).resolve(message(PNG, "vision"))
    assert found.data.status == "failed"
    assert KEY not in repr(vision) + str(vision) + found.model_dump_json() + caplog.text
    assert repr(vision) == "CodecVision('claude', 'm', 127.0.0.1)"


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"endpoint": "https://a.b", "send": print},
        {"endpoint": "file:///etc/passwd"},
        {"endpoint": f"https://user:{KEY}@a.b/"},
        {"endpoint": "a.b/v1"},
        {"endpoint": "https://a.b/ x"},
        {"endpoint": "https://a.b", "headers": {"x-api-key": f"{KEY}\r\nX: y"}},
        {"endpoint": "https://a.b", "headers": {"x key": KEY}},
        {"endpoint": "https://a.b", "headers": {"x": f"{KEY}é"}},
    ],
)
def test_an_invalid_configuration_is_refused_immediately_without_repeating_it(options: dict[str, Any]) -> None:
    with pytest.raises(InvalidArgumentError) as caught:
        CodecVision("claude", "m", **options)
    assert KEY not in "".join(traceback.format_exception(caught.value))


def test_an_unknown_dialect_is_refused_immediately() -> None:
    with pytest.raises(UnknownDialectError):
        CodecVision("klingon", "m", endpoint="https://a.b")
