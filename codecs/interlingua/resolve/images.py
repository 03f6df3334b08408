"""Resolves image messages: by a vision model, by text recognition (OCR), or by whichever is available.

External failures are stored in the message, as `status` failed and an `error` with a code, and not raised. Nothing is
fetched unless a fetcher is given. Source: 001, Image Message Processing.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from pydantic import ValidationError

from interlingua.argument_checks import check_kind_of
from interlingua.clock import timestamp_text, utc_now
from interlingua.errors import FileAccessError, ImageError, MissingExtraError
from interlingua.model import Failure, ImageMessage, Recognition
from interlingua.resolve.components import call_component
from interlingua.resolve.image_failures import image_error
from interlingua.resolve.image_limits import ImageLimits
from interlingua.resolve.image_source import obtain, source_with_data
from interlingua.resolve.picture import OcrResult, VisionResult
from interlingua.resolve.stepping import run_steps, run_steps_async

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from interlingua.resolve.image_failures import ImageFailureCode
    from interlingua.resolve.picture import FileBytes, OcrEngine, Picture, UrlFetcher, VisionModel
    from interlingua.resolve.stepping import Steps

__all__ = ["ImageNotice", "ImageResolver"]

_LOGGER: Final = logging.getLogger("interlingua.resolve")


@dataclass(frozen=True, slots=True)
class ImageNotice:
    """A notice for the user: an image could not be read, or was read in another way than requested.

    `code` is that of the failure or of the reason, `text` is for people and without content, `is_failure` says whether
    it failed, `can_retry` whether trying again may help, `message_id` which message it is about.

    Example:
        >>> notices = []
        >>> images = il.ImageResolver(on_notice=notices.append)
        >>> failed = images.resolve(il.messages.image("https://example.com/sign.png", mode="vision"))
        >>> notices[0].code, notices[0].is_failure, notices[0].can_retry
        ('vision_unavailable', True, False)
    """

    code: str
    text: str
    is_failure: bool
    can_retry: bool
    message_id: str | None


def _log(notice: ImageNotice) -> None:
    """Log a notice that has no other receiver."""
    _LOGGER.warning("image message %r: %s: %s", notice.message_id, notice.code, notice.text)


class ImageResolver:
    """Resolves image messages.

    `vision` is the vision model, or None. `ocr` is the OCR engine; None means Tesseract, from the extra
    `interlingua[ocr]`, which is started on first use. `files` reads image files, such as a `FileResolver`; without it,
    images in files fail. `fetcher` fetches images from URLs, such as a `SafeFetcher`; without it nothing is fetched: a
    model gets the URL as it is, and OCR fails with `url_not_fetched`. `on_notice` receives notices for the user; by
    default they are logged. `now` is the clock.

    Example:
        >>> images = il.ImageResolver(on_notice=lambda notice: None)
        >>> failed = images.resolve(il.messages.image("https://example.com/sign.png", mode="vision"))
        >>> failed.data.status, failed.data.error.code
        ('failed', 'vision_unavailable')
    """

    def __init__(
        self,
        vision: VisionModel | None = None,
        ocr: OcrEngine | None = None,
        *,
        files: FileBytes | None = None,
        fetcher: UrlFetcher | None = None,
        limits: ImageLimits | None = None,
        on_notice: Callable[[ImageNotice], None] = _log,
        now: Callable[[], datetime] = utc_now,
    ) -> None:
        self._vision = vision
        self._ocr = ocr
        self._files = files
        self._fetcher = fetcher
        self._limits = ImageLimits() if limits is None else limits
        self._on_notice = on_notice
        self._now = now

    def resolve(self, message: ImageMessage, *, agent_role: str = "") -> ImageMessage:
        """Return the message with the result of reading its image, or with the reason why it could not be read.

        A message that is already resolved or failed is returned as it is; `retry` tries again. `agent_role` is used to
        read files.

        Raises:
            RunningLoopError: the model or the engine is async, and an event loop is running here.
            TypeError: the message is not an image message.
        """
        return message if _is_settled(message) else self.retry(message, agent_role=agent_role)

    async def resolve_async(self, message: ImageMessage, *, agent_role: str = "") -> ImageMessage:
        """Return what `resolve` returns. What blocks runs in a thread."""
        return message if _is_settled(message) else await self.retry_async(message, agent_role=agent_role)

    def retry(self, message: ImageMessage, *, agent_role: str = "") -> ImageMessage:
        """Return the message after another attempt, unless it is already resolved.

        `error.retryable` says whether this may help with the same components. `attempts` counts the attempts.

        Raises:
            RunningLoopError: the model or the engine is async, and an event loop is running here.
            TypeError: the message is not an image message.
        """
        check_kind_of(message, ImageMessage)
        if message.data.status == "resolved":
            return message
        return run_steps(self._steps(message, agent_role), "retry_async")

    async def retry_async(self, message: ImageMessage, *, agent_role: str = "") -> ImageMessage:
        """Return what `retry` returns. What blocks runs in a thread."""
        check_kind_of(message, ImageMessage)
        if message.data.status == "resolved":
            return message
        return await run_steps_async(self._steps(message, agent_role))

    def _steps(self, message: ImageMessage, agent_role: str) -> Steps[ImageMessage]:
        """Obtain the image, read it, and store the result in the message."""
        data = message.data
        attempts = (data.attempts or 0) + 1
        try:
            picture = yield from obtain(
                data, limits=self._limits, files=self._files, fetcher=self._fetcher, agent_role=agent_role
            )
            recognition = yield from self._recognise(message, picture)
        except (ImageError, FileAccessError) as error:
            failure = Failure(code=error.code, message=_message_of(error), retryable=error.retryable)
            self._notify(message, error, is_failure=True)
            return message.replace(
                data=data.replace(status="failed", attempts=attempts, recognition=None, error=failure)
            )
        # A vision model needs the image in every request; after OCR only the text is sent.
        source = source_with_data(data.source, picture) if recognition.mode_used == "vision" else data.source
        return message.replace(
            data=data.replace(status="resolved", attempts=attempts, recognition=recognition, error=None, source=source)
        )

    def _recognise(self, message: ImageMessage, picture: Picture) -> Steps[Recognition]:
        """Read an image in the mode that the message asks for.

        Raises:
            ImageError: it could not be read.
        """
        mode = message.data.mode
        if mode == "vision":
            return (yield from self._see(picture))
        if mode == "ocr":
            return (yield from self._read(picture))
        try:
            return (yield from self._see(picture))
        except ImageError as error:
            reason = error
        self._notify(message, reason, is_failure=False)
        try:
            read = yield from self._read(picture)
        except ImageError as error:
            if self._vision is None:
                raise
            ocr_failure = error
        else:
            return read.replace(fallback_reason=f"{reason.code}: {reason.message}")
        detail = f"{reason.message} {ocr_failure.message}"
        raise image_error("recognition_failed", detail, retryable=reason.retryable or ocr_failure.retryable)

    def _see(self, picture: Picture) -> Steps[Recognition]:
        """Read an image with the vision model.

        Raises:
            ImageError: there is no model, or it failed.
        """
        vision = self._vision
        if vision is None:
            raise image_error("vision_unavailable")
        result = yield from call_component(lambda: vision.describe(picture), VisionResult, "vision_failed")
        moment = timestamp_text(self._now)
        return _recognition(
            "vision_unreadable",
            mode_used="vision",
            vision_analysis=result.description,
            recognized_text=result.text,
            recognized_at=moment,
        )

    def _read(self, picture: Picture) -> Steps[Recognition]:
        """Read an image with the OCR engine.

        Raises:
            ImageError: there is no engine, or it failed.
        """
        if picture.data is None:
            raise image_error("url_not_fetched")
        # Starting the engine is slow, so it is part of the job, which runs in a thread if there is an event loop.
        result = yield from call_component(lambda: self._engine().read(picture), OcrResult, "ocr_failed")
        moment = timestamp_text(self._now)
        return _recognition(
            "ocr_failed",
            mode_used="ocr",
            recognized_text=result.text,
            confidence=result.confidence,
            language=result.language,
            recognized_at=moment,
        )

    def _engine(self) -> OcrEngine:
        """Return the given engine, or Tesseract, which is imported now.

        Raises:
            ImageError: `ocr_unavailable`; the extra is not installed.
        """
        if self._ocr is None:
            from interlingua.resolve.tesseract import TesseractOcr  # noqa: PLC0415  # an extra, imported when needed

            try:
                self._ocr = TesseractOcr(limits=self._limits)
            except MissingExtraError:
                raise image_error("ocr_unavailable") from None
        return self._ocr

    def _notify(self, message: ImageMessage, error: ImageError | FileAccessError, *, is_failure: bool) -> None:
        self._on_notice(ImageNotice(error.code, _message_of(error), is_failure, error.retryable, message.id))


def _recognition(code: ImageFailureCode, **members: Any) -> Recognition:
    """Return a recognition made of a reader's result.

    Raises:
        ImageError: the result is invalid, such as a confidence beyond 1 or a text that is not a string.
    """
    try:
        return Recognition(**members)
    except ValidationError:
        pass
    raise image_error(code, "It did not return what its protocol requires.")


def _is_settled(message: ImageMessage) -> bool:
    """Tell whether a message is already resolved or failed."""
    check_kind_of(message, ImageMessage)
    return message.data.status in {"resolved", "failed"}


def _message_of(error: ImageError | FileAccessError) -> str:
    """Return the message of an error: a sentence without content."""
    return error.message if isinstance(error, ImageError) else f"{error.reason[:1].upper()}{error.reason[1:]}."
