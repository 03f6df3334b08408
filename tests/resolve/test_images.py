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
def test_vision_shows_the_picture_to_the_model_and_keeps_description_and_text() -> None:
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
def test_what_was_recognised_is_stored_and_there_for_later_messages() -> None:
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


def test_an_engine_of_ones_own_is_asked_instead() -> None:
    engine = Reader(OcrResult("HALT", 0.5))
    found = recognised(resolver(ocr=engine).resolve(message(PNG, "ocr")))
    assert found == {"mode_used": "ocr", "recognized_text": "HALT", "confidence": 0.5, "recognized_at": MOMENT}


# --- auto -------------------------------------------------------------------------------------------------------------


@pytest.mark.requirement("TYPE-7.2.2")
@pytest.mark.parametrize("text", ["STOP\nhere  now\n", "Stop. \u00c4nderung", ""])
def test_text_that_was_read_is_kept_as_it_was_read(text: str) -> None:
    found = recognised(resolver(ocr=Reader(OcrResult(text, 0.5))).resolve(message(PNG, "ocr")))
    assert (found["recognized_text"], found["confidence"]) == (text, 0.5)


@pytest.mark.requirement("TYPE-7.3.1", "TYPE-7.3.2", "TYPE-7.3.4")
def test_auto_asks_the_model_first_and_leaves_text_recognition_out_when_it_succeeds() -> None:
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
def test_auto_falls_back_to_text_recognition_when_the_model_fails(raised: Exception, code: str) -> None:
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
def test_auto_without_a_model_recognises_text_and_reports_that_vision_is_unavailable() -> None:
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
def test_auto_tells_both_reasons_when_nothing_works(is_retryable: bool) -> None:
    model = Reader(ImageError("vision_failed", "The provider answered 503.", retryable=is_retryable))
    engine = Reader(ImageError("ocr_timeout", "Too long."))
    error = error_of(resolver(model, engine).resolve(message(PNG)))
    assert error.code == "recognition_failed"
    assert error.retryable is is_retryable
    assert "503" in error.message
    assert "Too long." in error.message


def test_a_bad_picture_is_not_sent_to_anybody() -> None:
    model, engine = Reader(SEEN), Reader(READ)
    assert error_of(resolver(model, engine).resolve(message(b"<html>no</html>"))).code == "not_a_picture"
    assert not model.given
    assert not engine.given


# --- failures and retries ---------------------------------------------------------------------------------------------


@pytest.mark.requirement("TYPE-1.2.5", "TYPE-7.5.1", "TYPE-7.5.2", "TYPE-7.5.3")
@pytest.mark.parametrize("mode", ["vision", "ocr"])
def test_a_failure_is_kept_with_a_clear_message_that_repeats_nothing(
    mode: str, caplog: pytest.LogCaptureFixture
) -> None:
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
def test_a_failure_says_whether_a_retry_may_help() -> None:
    assert error_of(resolver(ocr=Reader(READ)).resolve(message("no base64!", "ocr"))).retryable is False
    assert error_of(resolver(Reader(TimeoutError())).resolve(message(PNG, "vision"))).retryable is True


def test_a_message_that_was_read_is_left_alone() -> None:
    model = Reader(SEEN)
    found = resolver(model).resolve(message(PNG, "vision"))
    assert resolver(model).resolve(found) is found
    assert resolver(model).retry(found) is found
    assert len(model.given) == 1


def test_the_given_message_is_not_changed_and_keeps_what_else_it_holds() -> None:
    given = message(PNG, "vision", role="assistant").replace(metadata={"a": None}, joins=True)
    before = given.model_dump_json()
    found = resolver(Reader(SEEN)).resolve(given)
    assert given.model_dump_json() == before
    assert (found.id, found.metadata, found.joins, found.data.role) == ("m1", {"a": None}, True, "assistant")


NOT_TEXT: Final[Any] = 5


@pytest.mark.parametrize("answer", ["text", None, VisionResult(NOT_TEXT), OcrResult("x", 1.5)])
def test_a_part_that_breaks_its_protocol_is_a_failure_of_that_part(answer: Any) -> None:
    part = Reader(answer)
    assert error_of(resolver(part).resolve(message(PNG, "vision"))).code in {"vision_failed", "vision_unreadable"}
    assert error_of(resolver(None, part).resolve(message(PNG, "ocr"))).code == "ocr_failed"


# --- blocking and async -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [Reader, AsyncReader])
def test_the_async_form_takes_blocking_and_async_parts_and_does_the_same(kind: type[Reader]) -> None:
    model, engine = kind(RuntimeError("no")), kind(READ)
    one = resolver(model, engine)
    found = asyncio.run(one.resolve_async(message(PNG)))
    assert found == resolver(Reader(RuntimeError("no")), Reader(READ)).resolve(message(PNG))
    assert asyncio.run(one.resolve_async(found)) is found
    again = asyncio.run(resolver(kind(SEEN)).retry_async(found.replace(data=found.data.replace(status="failed"))))
    assert recognised(again)["mode_used"] == "vision"


@pytest.mark.parametrize("kind", [Reader, AsyncReader])
@pytest.mark.parametrize("error", [StopIteration(SECRET), asyncio.CancelledError(SECRET)])
def test_a_part_that_ends_itself_in_an_odd_way_has_failed_and_nobody_waits_for_it(
    kind: type[Reader], error: BaseException
) -> None:
    # A future never holds a StopIteration, and a cancellation that nobody asked for is none of the caller's.
    one = resolver(ocr=kind(error))
    found = asyncio.run(asyncio.wait_for(one.resolve_async(message(PNG, "ocr")), 60))
    for failed in (found, one.resolve(message(PNG, "ocr"))):
        assert error_of(failed).code == "ocr_failed"
        assert SECRET not in error_of(failed).message


def test_the_engine_is_started_beside_the_event_loop_and_one_that_cannot_be_has_failed(
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
def test_a_time_limit_that_is_none_is_refused(make: Any, seconds: float) -> None:
    with pytest.raises(InvalidArgumentError, match="timeout_seconds"):
        make(timeout_seconds=seconds)


def test_the_blocking_form_waits_for_async_parts_where_no_loop_runs() -> None:
    found = resolver(AsyncReader(SEEN)).resolve(message(PNG, "vision"))
    assert recognised(found)["vision_analysis"] == "A sign."


def test_the_blocking_form_refuses_async_parts_inside_a_running_loop() -> None:
    async def inside() -> None:
        resolver(AsyncReader(SEEN)).resolve(message(PNG, "vision"))

    with pytest.raises(RunningLoopError, match="retry_async"):
        asyncio.run(inside())


def test_an_async_reading_can_be_cancelled() -> None:
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


def test_a_picture_in_a_file_is_read_through_the_file_resolver_and_kept_for_the_model(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(PNG)
    model = Reader(SEEN)
    found = resolver(model, files=FileResolver(tmp_path)).resolve(of_file("a.png"), agent_role="planner")
    recognised(found)
    assert model.given[0].data == PNG
    source = found.data.source
    assert isinstance(source, FilePathImageSource)
    assert (source.path, source.format, source.data) == ("a.png", "image/png", model.given[0].base64())


def test_of_a_picture_whose_text_was_read_the_data_is_not_copied_into_the_message(tmp_path: Path) -> None:
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
def test_a_file_that_may_not_be_read_fails_with_the_code_of_files(
    tmp_path: Path, path: str, role: str, code: str
) -> None:
    (tmp_path / "a.png").write_bytes(PNG)
    one = resolver(Reader(SEEN), files=FileResolver(tmp_path))
    error = error_of(one.resolve(of_file(path), agent_role=role))
    assert error.code == code
    assert error.message.endswith(".")


def test_a_large_picture_in_a_file_is_read_and_one_beyond_the_limit_is_not(tmp_path: Path) -> None:
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


def test_an_address_goes_to_the_model_as_it_is_and_text_recognition_says_that_nothing_is_fetched() -> None:
    model, engine = Reader(SEEN), Reader(READ)
    given = of_url("https://example.com/a.png", "auto")
    found = resolver(model, engine).resolve(given)
    assert recognised(found)["mode_used"] == "vision"
    assert (model.given[0].url, model.given[0].data) == ("https://example.com/a.png", None)
    assert found.data.source == given.data.source
    assert error_of(resolver(None, engine).resolve(given)).code == "url_not_fetched"
    assert not engine.given


def test_a_fetcher_of_ones_own_is_asked_and_what_it_gives_is_looked_at_and_kept() -> None:
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


def test_a_data_url_is_the_picture_itself_and_is_stored_as_that() -> None:
    text = message(PNG).data.source.data
    model = Reader(SEEN)
    found = resolver(model).resolve(of_url(f"DATA:image/png;base64,{text}"))
    recognised(found)
    assert model.given[0].data == PNG
    assert (found.data.source.kind, found.data.source.data) == ("base64", text)
    assert error_of(resolver(model).resolve(of_url(f"data:image/gif;base64,{text}"))).code == "mislabelled"


# --- what is shown ----------------------------------------------------------------------------------------------------


def test_no_value_shows_what_is_in_the_picture() -> None:
    picture = Picture(SECRET.encode(), None, "image/png", 1, 2, SECRET)
    shown = f"{picture!r} {VisionResult(SECRET, SECRET)} {OcrResult(SECRET, 0.5, 'en')}"
    assert SECRET not in shown
    assert "image/png" in shown


def test_a_resolver_can_be_reached_by_the_facade_and_every_failure_has_words() -> None:
    assert il.ImageResolver is ImageResolver
    assert il.resolve.ImageResolver is ImageResolver
    assert all(text.endswith(".") for text in IMAGE_FAILURES.values())
