"""Calls components that the application supplies: vision models, OCR engines, fetchers, file readers."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, TypeVar

from interlingua.errors import FileAccessError, ImageError, RunningLoopError
from interlingua.resolve.image_failures import image_error

if TYPE_CHECKING:
    from interlingua.resolve.image_failures import ImageFailureCode
    from interlingua.resolve.stepping import Job, Steps

__all__ = ["call_component"]

T = TypeVar("T")


def call_component(job: Job, kind: type[T], code: ImageFailureCode) -> Steps[T]:
    """Run a job of a component, and return its result, which must be of type `kind`.

    Raises:
        ImageError: raised by the component, or made with `code` from any other exception, of which only the class name
            is kept, since its message may hold what the component was sent.
        FileAccessError: raised by the component.
    """
    try:
        result = yield job
    except (ImageError, FileAccessError, RunningLoopError):
        raise
    except (Exception, asyncio.CancelledError) as error:  # noqa: BLE001  # a component may raise anything
        note = f"({type(error).__name__})"
    else:
        if isinstance(result, kind):
            return result
        note = f"(It returned {type(result).__name__}.)"
    raise image_error(code, note)
