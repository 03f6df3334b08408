"""Asking a part that the application gave: a model, an engine, a fetcher, a reader of files."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, TypeVar

from interlingua.errors import FileAccessError, ImageError, RunningLoopError
from interlingua.resolve.image_failures import image_error

if TYPE_CHECKING:
    from interlingua.resolve.image_failures import ImageFailureCode
    from interlingua.resolve.stepping import Job, Steps

__all__ = ["asked"]

T = TypeVar("T")


def asked(job: Job, kind: type[T], code: ImageFailureCode) -> Steps[T]:
    """Do a job of a part, and return what it gives, which must be of the kind that its protocol says.

    Raises:
        ImageError: the part's own, or one with the code for whatever else it raises: the words of that may hold what
            the part was sent, so only the name of its class is told.
        FileAccessError: the part's own.
    """
    try:
        result = yield job
    except (ImageError, FileAccessError, RunningLoopError):
        raise
    except (Exception, asyncio.CancelledError) as error:  # noqa: BLE001  # a part may be any client, and raise anything
        told = f"({type(error).__name__})"
    else:
        if isinstance(result, kind):
            return result
        told = f"(It returned {type(result).__name__}.)"
    raise image_error(code, told)
