"""Images: the modes of reading, what is recorded, what fails and how it is told and tried again."""

from __future__ import annotations

import asyncio
import logging
import math
import threading
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import pytest

import interlingua as il
from interlingua.errors import ImageError, RunningLoopError
from interlingua.model import FilePathImageSource, ImageData, ImageMessage, UrlImageSource
from interlingua.resolve import (
    IMAGE_FAILURES,
    FileResolver,
    ImageNotice,
    ImageResolver,
    OcrResult,
    Picture,
    VisionResult,
)
from interlingua_types._base import InvalidArgumentError
from support.pictures import MOMENT, drawn, message, saved

PNG: Final = saved(drawn("STOP"))
SECRET: Final = "sk-live-4f9a-do-not-show"  # noqa: S105  # looks like one, so that it is noticed where it shows
SEEN: Final = VisionResult("A sign.", "STOP")
READ: Final = OcrResult("STOP", 0.93, "en")


class Reader:
    """A model and an engine in one: it answers what it was made with, and counts."""

    def __init__(self, answer: Any) -> None:
        self._answer = answer
        self.given: list[Picture] = []

    def _answered(self, picture: Picture) -> Any:
        self.given.append(picture)
        if isinstance(self._answer, BaseException):
            raise self._answer
        return self._answer

    describe = read = _answered


class AsyncReader(Reader):
    async def describe(self, picture: Picture) -> Any:
        await asyncio.sleep(0)
        return self._answered(picture)

    read = describe


def clock() -> datetime:
    return datetime(2026, 5, 4, 22, 45, 15, tzinfo=UTC)


def resolver(vision: Any = None, ocr: Any = None, **options: Any) -> ImageResolver:
    return ImageResolver(vision, ocr, now=clock, **options)


def error_of(found: ImageMessage) -> il.Failure:
    assert found.data.status == "failed"
    assert found.data.error is not None
    assert found.data.recognition is None
    return found.data.error


def recognised(found: ImageMessage) -> dict[str, Any]:
    assert found.data.status == "resolved"
    assert found.data.error is None
    assert found.data.recognition is not None
    return found.data.recognition.model_dump(mode="json")


# --- vision -----------------------------------------------------------------------------------------------------------


@pytest.mark.requirement("TYPE-7.1.1", "TYPE-7.1.2", "TYPE-7.1.3")
def test_vision_sends_the_image_to_the_model_and_stores_description_and_text() -> None:
    model, engine = Reader(SEEN), Reader(READ)
    found = resolver(model, engine).resolve(message(PNG, "vision", caption="What is this?", detail="low"))
    assert recognised(found) == {
        "mode_used": "vision",
        "vision_analysis": "A sign.",
        "recognized_text": "STOP",
        "recognized_at": MOMENT,
    }
    (picture,) = model.given
    assert (picture.data, picture.media_type) == (PNG, "image/png")
    assert (picture.caption, picture.detail) == ("What is this?", "low")
    assert not engine.given


@pytest.mark.requirement("TYPE-7.1.4")
def test_recognition_results_are_stored_in_the_message() -> None:
    transcript = il.Transcript(now=clock)
    kept = transcript.append(resolver(Reader(SEEN)).resolve(message(PNG, "vision")))
    transcript.append(il.TextMessage(data=il.TextData(role=il.MessageRole.USER, content="And what did it say?")))
    loaded = il.Transcript.from_document(transcript.to_document())
    first = loaded.messages[0]
    assert isinstance(first, ImageMessage)
    assert first == kept
    assert first.data.recognition is not None
    assert (first.data.recognition.vision_analysis, first.data.recognition.recognized_text) == ("A sign.", "STOP")


def test_vision_without_a_model_fails_and_does_not_fall_back() -> None:
    engine = Reader(READ)
    assert error_of(resolver(None, engine).resolve(message(PNG, "vision"))).code == "vision_unavailable"
    assert not engine.given


# --- text recognition -------------------------------------------------------------------------------------------------


@pytest.mark.requirement("TYPE-7.2.1", "TYPE-7.2.2", "TYPE-7.2.3", "TYPE-7.2.4")
def test_ocr_is_tesseract_by_default_and_keeps_text_confidence_and_language() -> None:
    words = "Please leave the building by the northern stairs."
    model = Reader(SEEN)
    found = recognised(resolver(model).resolve(message(saved(drawn(words)), "ocr")))
    assert found["mode_used"] == "ocr"
    assert found["recognized_text"] == words
    assert 0.8 < found["confidence"] <= 1
    assert found["language"] == "en"
    assert "vision_analysis" not in found
    assert not model.given


def test_a_custom_ocr_engine_is_used() -> None:
    engine = Reader(OcrResult("HALT", 0.5))
    found = recognised(resolver(ocr=engine).resolve(message(PNG, "ocr")))
    assert found == {"mode_used": "ocr", "recognized_text": "HALT", "confidence": 0.5, "recognized_at": MOMENT}


# --- auto -------------------------------------------------------------------------------------------------------------


@pytest.mark.requirement("TYPE-7.2.2")
@pytest.mark.parametrize("text", ["STOP\nhere  now\n", "Stop. \u00c4nderung", ""])
def test_recognised_text_is_stored_unchanged(text: str) -> None:
    found = recognised(resolver(ocr=Reader(OcrResult(text, 0.5))).resolve(message(PNG, "ocr")))
    assert (found["recognized_text"], found["confidence"]) == (text, 0.5)


@pytest.mark.requirement("TYPE-7.3.1", "TYPE-7.3.2", "TYPE-7.3.4")
def test_auto_tries_vision_first_and_skips_ocr_if_it_succeeds() -> None:
    model, engine = Reader(SEEN), Reader(READ)
    found = recognised(resolver(model, engine).resolve(message(PNG)))
    assert len(model.given) == 1
    assert not engine.given
    assert found["mode_used"] == "vision"
    assert "fallback_reason" not in found


@pytest.mark.requirement("TYPE-7.3.3", "TYPE-7.3.4")
@pytest.mark.parametrize(
    ("raised", "code"),
    [
        (ImageError("vision_timeout", "Too long.", retryable=True), "vision_timeout"),
        (RuntimeError(SECRET), "vision_failed"),
        (TimeoutError(), "vision_failed"),
    ],
)
def test_auto_falls_back_to_ocr_if_vision_fails(raised: Exception, code: str) -> None:
    model, engine = Reader(raised), Reader(READ)
    notices: list[ImageNotice] = []
    found = recognised(resolver(model, engine, on_notice=notices.append).resolve(message(PNG)))
    assert len(model.given) == len(engine.given) == 1
    assert found["mode_used"] == "ocr"
    assert found["recognized_text"] == "STOP"
    assert found["fallback_reason"].startswith(f"{code}: ")
    assert SECRET not in found["fallback_reason"]
    assert [(notice.code, notice.is_failure) for notice in notices] == [(code, False)]


@pytest.mark.requirement("TYPE-7.4.1", "TYPE-7.4.2", "TYPE-7.4.3")
def test_auto_without_a_vision_model_uses_ocr_and_reports_it() -> None:
    engine = Reader(READ)
    notices: list[ImageNotice] = []
    found = recognised(resolver(None, engine, on_notice=notices.append).resolve(message(PNG)))
    assert len(engine.given) == 1
    assert found["mode_used"] == "ocr"
    assert found["fallback_reason"] == f"vision_unavailable: {IMAGE_FAILURES['vision_unavailable']}"
    (notice,) = notices
    assert (notice.code, notice.message_id, notice.is_failure) == ("vision_unavailable", "m1", False)
    assert "Vision is not available" in notice.text


@pytest.mark.requirement("TYPE-7.4.3", "TYPE-7.5.3")
def test_without_a_callback_fallbacks_and_failures_are_logged(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    resolver(None, Reader(READ)).resolve(message(PNG))
    resolver(None, Reader(READ)).resolve(message(b"%PDF-1.4", "ocr"))
    assert "'m1': vision_unavailable" in caplog.text
    assert "'m1': unsupported_format" in caplog.text


@pytest.mark.parametrize("is_retryable", [True, False])
def test_auto_reports_both_reasons_if_both_fail(is_retryable: bool) -> None:
    model = Reader(ImageError("vision_failed", "The provider answered 503.", retryable=is_retryable))
    engine = Reader(ImageError("ocr_timeout", "Too long."))
    error = error_of(resolver(model, engine).resolve(message(PNG)))
    assert error.code == "recognition_failed"
    assert error.retryable is is_retryable
    assert "503" in error.message
    assert "Too long." in error.message


def test_an_invalid_image_is_not_sent_anywhere() -> None:
    model, engine = Reader(SEEN), Reader(READ)
    assert error_of(resolver(model, engine).resolve(message(b"<html>no</html>"))).code == "not_a_picture"
    assert not model.given
    assert not engine.given


# --- failures and retries ---------------------------------------------------------------------------------------------


@pytest.mark.requirement("TYPE-1.2.5", "TYPE-7.5.1", "TYPE-7.5.2", "TYPE-7.5.3")
@pytest.mark.parametrize("mode", ["vision", "ocr"])
def test_a_failure_is_stored_with_a_clear_message_without_content(mode: str, caplog: pytest.LogCaptureFixture) -> None:
    notices: list[ImageNotice] = []
    broken = Reader(RuntimeError(SECRET))
    found = resolver(broken, broken, on_notice=notices.append).resolve(message(PNG, mode))
    error = error_of(found)
    assert error.code == ("vision_failed" if mode == "vision" else "ocr_failed")
    assert error.message.startswith(IMAGE_FAILURES[error.code])
    assert "RuntimeError" in error.message
    assert [(notice.code, notice.text, notice.is_failure) for notice in notices] == [(error.code, error.message, True)]
    assert SECRET not in found.model_dump_json() + repr(notices) + caplog.text


@pytest.mark.requirement("TYPE-7.5.4")
def test_a_failed_message_is_retried_on_request_and_counts_its_attempts() -> None:
    down = resolver(Reader(ImageError("vision_failed", "Down.", retryable=True)))
    first = down.resolve(message(PNG, "vision"))
    assert (error_of(first).retryable, first.data.attempts) == (True, 1)
    assert down.resolve(first) is first
    second = down.retry(first)
    assert (error_of(second).retryable, second.data.attempts) == (True, 2)
    third = resolver(Reader(SEEN)).retry(second)
    assert recognised(third)["vision_analysis"] == "A sign."
    assert third.data.attempts == 3


@pytest.mark.requirement("TYPE-7.5.4")
def test_a_failure_states_whether_a_retry_may_help() -> None:
    assert error_of(resolver(ocr=Reader(READ)).resolve(message("no base64!", "ocr"))).retryable is False
    assert error_of(resolver(Reader(TimeoutError())).resolve(message(PNG, "vision"))).retryable is True


def test_a_resolved_message_is_unchanged() -> None:
    model = Reader(SEEN)
    found = resolver(model).resolve(message(PNG, "vision"))
    assert resolver(model).resolve(found) is found
    assert resolver(model).retry(found) is found
    assert len(model.given) == 1


def test_the_given_message_is_not_modified_and_its_other_members_are_kept() -> None:
    given = message(PNG, "vision", role="assistant").replace(metadata={"a": None}, joins=True)
    before = given.model_dump_json()
    found = resolver(Reader(SEEN)).resolve(given)
    assert given.model_dump_json() == before
    assert (found.id, found.metadata, found.joins, found.data.role) == ("m1", {"a": None}, True, "assistant")


NOT_TEXT: Final[Any] = 5


@pytest.mark.parametrize("answer", ["text", None, VisionResult(NOT_TEXT), OcrResult("x", 1.5)])
def test_a_component_that_violates_its_protocol_is_a_failure_of_that_component(answer: Any) -> None:
    part = Reader(answer)
    assert error_of(resolver(part).resolve(message(PNG, "vision"))).code in {"vision_failed", "vision_unreadable"}
    assert error_of(resolver(None, part).resolve(message(PNG, "ocr"))).code == "ocr_failed"


# --- blocking and async -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [Reader, AsyncReader])
def test_the_async_method_accepts_blocking_and_async_components(kind: type[Reader]) -> None:
    model, engine = kind(RuntimeError("no")), kind(READ)
    one = resolver(model, engine)
    found = asyncio.run(one.resolve_async(message(PNG)))
    assert found == resolver(Reader(RuntimeError("no")), Reader(READ)).resolve(message(PNG))
    assert asyncio.run(one.resolve_async(found)) is found
    again = asyncio.run(resolver(kind(SEEN)).retry_async(found.replace(data=found.data.replace(status="failed"))))
    assert recognised(again)["mode_used"] == "vision"


@pytest.mark.parametrize("kind", [Reader, AsyncReader])
@pytest.mark.parametrize("error", [StopIteration(SECRET), asyncio.CancelledError(SECRET)])
def test_a_component_that_raises_an_unusual_exception_fails_without_waiting(
    kind: type[Reader], error: BaseException
) -> None:
    # A future never holds a StopIteration, and a cancellation that nobody asked for is none of the caller's.
    one = resolver(ocr=kind(error))
    found = asyncio.run(asyncio.wait_for(one.resolve_async(message(PNG, "ocr")), 60))
    for failed in (found, one.resolve(message(PNG, "ocr"))):
        assert error_of(failed).code == "ocr_failed"
        assert SECRET not in error_of(failed).message


def test_the_engine_runs_in_a_thread_and_one_that_cannot_start_is_a_failure(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    threads: list[int] = []

    def refused(**_members: Any) -> None:
        threads.append(threading.get_ident())
        raise InvalidArgumentError("there is no language data for eng")

    monkeypatch.setattr("interlingua.resolve.tesseract.TesseractOcr", refused)
    assert error_of(asyncio.run(resolver().resolve_async(message(PNG, "ocr")))).code == "ocr_failed"
    assert threads
    assert threading.get_ident() not in threads


@pytest.mark.parametrize("seconds", [0.0, -1.0, math.nan])
@pytest.mark.parametrize("make", [il.resolve.SafeFetcher, il.resolve.ResourceLimits, il.resolve.TesseractOcr])
def test_an_invalid_timeout_is_refused(make: Any, seconds: float) -> None:
    with pytest.raises(InvalidArgumentError, match="timeout_seconds"):
        make(timeout_seconds=seconds)


def test_the_blocking_method_runs_async_components_without_a_running_loop() -> None:
    found = resolver(AsyncReader(SEEN)).resolve(message(PNG, "vision"))
    assert recognised(found)["vision_analysis"] == "A sign."


def test_the_blocking_method_refuses_async_components_inside_a_running_loop() -> None:
    async def inside() -> None:
        resolver(AsyncReader(SEEN)).resolve(message(PNG, "vision"))

    with pytest.raises(RunningLoopError, match="retry_async"):
        asyncio.run(inside())


def test_an_async_resolution_can_be_cancelled() -> None:
    entered = asyncio.Event()

    class Slow:
        async def describe(self, _picture: Picture) -> VisionResult:
            entered.set()
            await asyncio.Event().wait()
            raise AssertionError

    async def cancelled() -> None:
        task = asyncio.create_task(resolver(Slow()).resolve_async(message(PNG, "vision")))
        await entered.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(asyncio.wait_for(cancelled(), 10))


# --- sources ----------------------------------------------------------------------------------------------------------


def of_file(path: str, mode: Any = "vision") -> ImageMessage:
    return ImageMessage(id="m1", data=ImageData(source=FilePathImageSource(path=path), mode=mode))


def of_url(url: str, mode: Any = "vision") -> ImageMessage:
    return ImageMessage(id="m1", data=ImageData(source=UrlImageSource(url=url), mode=mode))


def test_an_image_file_is_read_through_the_file_resolver_and_stored_for_the_model(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(PNG)
    model = Reader(SEEN)
    found = resolver(model, files=FileResolver(tmp_path)).resolve(of_file("a.png"), agent_role="planner")
    recognised(found)
    assert model.given[0].data == PNG
    source = found.data.source
    assert isinstance(source, FilePathImageSource)
    assert (source.path, source.format, source.data) == ("a.png", "image/png", model.given[0].base64())


def test_the_data_of_an_image_with_recognised_text_is_not_stored(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(PNG)
    given = of_file("a.png", "ocr")
    found = resolver(ocr=Reader(READ), files=FileResolver(tmp_path)).resolve(given, agent_role="planner")
    assert recognised(found)["recognized_text"] == "STOP"
    assert found.data.source == given.data.source


@pytest.mark.parametrize(
    ("path", "role", "code"),
    [
        ("a.png", "nobody", "permission_denied"),
        ("a.png", "", "permission_denied"),
        ("../a.png", "planner", "traversal"),
        ("b.png", "planner", "not_found"),
        ("/etc/hostname", "planner", "outside_workspace"),
    ],
)
def test_an_unreadable_file_fails_with_the_code_of_the_file_resolver(
    tmp_path: Path, path: str, role: str, code: str
) -> None:
    (tmp_path / "a.png").write_bytes(PNG)
    one = resolver(Reader(SEEN), files=FileResolver(tmp_path))
    error = error_of(one.resolve(of_file(path), agent_role=role))
    assert error.code == code
    assert error.message.endswith(".")


def test_an_image_file_up_to_the_limit_is_read(tmp_path: Path) -> None:
    large = PNG + b"\0" * 1_500_000
    (tmp_path / "a.png").write_bytes(large)
    files = FileResolver(tmp_path)
    recognised(resolver(Reader(SEEN), files=files).resolve(of_file("a.png"), agent_role="planner"))
    limits = il.resolve.ImageLimits(max_bytes=1_000_000)
    small = resolver(Reader(SEEN), files=files, limits=limits)
    assert error_of(small.resolve(of_file("a.png"), agent_role="planner")).code == "too_large"


def test_without_a_file_resolver_no_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(PNG)
    assert error_of(resolver(Reader(SEEN)).resolve(of_file(str(tmp_path / "a.png")))).code == "files_unavailable"


def test_a_url_is_passed_to_the_vision_model_and_ocr_reports_that_nothing_is_fetched() -> None:
    model, engine = Reader(SEEN), Reader(READ)
    given = of_url("https://example.com/a.png", "auto")
    found = resolver(model, engine).resolve(given)
    assert recognised(found)["mode_used"] == "vision"
    assert (model.given[0].url, model.given[0].data) == ("https://example.com/a.png", None)
    assert found.data.source == given.data.source
    assert error_of(resolver(None, engine).resolve(given)).code == "url_not_fetched"
    assert not engine.given


def test_a_custom_fetcher_is_used_and_its_result_checked_and_stored() -> None:
    class Fetcher:
        def __init__(self, content: bytes) -> None:
            self.content = content

        async def fetch(self, url: str, *, max_bytes: int) -> bytes:
            assert url == "https://example.com/a.png"
            assert max_bytes == il.resolve.ImageLimits().max_bytes
            return self.content

    found = resolver(Reader(SEEN), fetcher=Fetcher(PNG)).resolve(of_url("https://example.com/a.png"))
    source = found.data.source
    assert isinstance(source, UrlImageSource)
    assert (source.url, source.format) == ("https://example.com/a.png", "image/png")
    assert source.data is not None
    page = resolver(Reader(SEEN), fetcher=Fetcher(b"<!DOCTYPE html>")).resolve(of_url("https://example.com/a.png"))
    assert error_of(page).code == "not_a_picture"


def test_a_data_url_is_decoded_and_stored() -> None:
    text = message(PNG).data.source.data
    model = Reader(SEEN)
    found = resolver(model).resolve(of_url(f"DATA:image/png;base64,{text}"))
    recognised(found)
    assert model.given[0].data == PNG
    assert (found.data.source.kind, found.data.source.data) == ("base64", text)
    for declared in ("image/gif", "text/plain"):
        assert error_of(resolver(model).resolve(of_url(f"data:{declared};base64,{text}"))).code == "mislabelled"


@pytest.mark.parametrize("head", ["", ";charset=utf-8"])
def test_the_media_type_that_a_data_url_of_an_image_lacks_is_filled_in(head: str) -> None:
    text = message(PNG).data.source.data
    found = resolver(Reader(SEEN)).resolve(of_url(f"data:{head};base64,{text}"))
    assert (found.data.source.data, found.data.source.format) == (text, "image/png")


# --- what is shown ----------------------------------------------------------------------------------------------------


def test_no_repr_shows_image_data() -> None:
    picture = Picture(SECRET.encode(), None, "image/png", 1, 2, SECRET)
    shown = f"{picture!r} {VisionResult(SECRET, SECRET)} {OcrResult(SECRET, 0.5, 'en')}"
    assert SECRET not in shown
    assert "image/png" in shown


def test_resolvers_are_available_from_the_package_and_every_failure_has_a_text() -> None:
    assert il.ImageResolver is ImageResolver
    assert il.resolve.ImageResolver is ImageResolver
    assert all(text.endswith(".") for text in IMAGE_FAILURES.values())
