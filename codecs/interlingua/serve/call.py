"""One client request: its route, its body, its losses so far, and how it is refused."""

from __future__ import annotations

import logging
from collections import Counter
from typing import TYPE_CHECKING, Any, Final, cast

import interlingua as il
from interlingua.concerns import CONCERNS
from interlingua.loss import report_of
from interlingua.model import ApiError
from interlingua.serve.content_codings import CODINGS, decompressed
from interlingua.serve.downstream import raw
from interlingua.serve.headers import JSON, LOSSES
from interlingua.strict_json import RefusedError, compact, parse

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from starlette.requests import Request

    from interlingua.loss import EncodedError, Loss
    from interlingua.serve.downstream import Downstream
    from interlingua.serve.limits import Limits
    from interlingua.serve.recording import Recording
    from interlingua.serve.route import Route
    from interlingua.serve.upstream import Upstream

__all__ = ["LOG", "Call", "RefusedCallError", "too_large"]

LOG: Final = logging.getLogger("interlingua.serve")


class RefusedCallError(Exception):
    """A request is refused without asking the provider: `error` is the error for the client."""

    def __init__(self, error: ApiError) -> None:
        super().__init__(error)
        self.error = error

    def __str__(self) -> str:
        return self.error.category


def too_large(most: int) -> ApiError:
    """Return the error for a request that exceeds the size limit."""
    return ApiError(category="request_too_large", message=f"A request may have at most {most} bytes.")


class Call:
    """A client request being handled.

    `data` is its body, once it has been read; `up` sends requests to the provider, `down` responds to the client.
    """

    def __init__(
        self, route: Route, request: Request, *, up: Upstream, down: Downstream, limits: Limits, recording: Recording
    ) -> None:
        self.route = route
        self.request = request
        self.data = b""
        self.up = up
        self.down = down
        self.limits = limits
        self.recording = recording
        self.losses: list[Loss] = []

    @property
    def named(self) -> str | None:
        """The model in the URL, or None."""
        found: str | None = self.request.path_params.get("model")
        return found

    def decompressed(self) -> bytes:
        """Return the body, decompressed.

        Raises:
            RefusedCallError: its content coding is unknown, it is damaged, or too large.
        """
        coding = self.request.headers.get("content-encoding", "identity").strip().lower()
        if coding == "identity":
            return self.data
        if coding not in CODINGS:
            message = f"Send the body uncompressed, or with one of these encodings: {', '.join(CODINGS)}."
            raise RefusedCallError(ApiError(category="invalid_request", status=415, message=message))
        try:
            data = decompressed(self.data, coding, self.limits.body)
        except ValueError:
            message = f"The body is not valid {coding}."
            raise RefusedCallError(ApiError(category="invalid_request", message=message)) from None
        if len(data) > self.limits.body:
            raise RefusedCallError(too_large(self.limits.body))
        return data

    def body(self) -> dict[str, Any]:
        """Return the body as JSON.

        Raises:
            RefusedCallError: it is not JSON, or cannot be decompressed.
        """
        try:
            body = parse(self.decompressed())
        except RefusedError as error:
            message = f"The body is {error.reason} (line {error.line}, column {error.column})."
            raise RefusedCallError(ApiError(category="invalid_request", message=message)) from None
        if type(body) is not dict:
            raise RefusedCallError(ApiError(category="invalid_request", message="The body is not a JSON object."))
        self.recording.note("asked", body)
        return cast("dict[str, Any]", body)

    def lose(self, losses: Iterable[Loss]) -> None:
        """Record losses, except of values that are in the URL instead of the body."""
        self.losses += (loss for loss in losses if loss.code != "in_url")

    def loss_header(self) -> dict[str, str]:
        """Return the header that counts the losses so far by concern, the most serious first; empty without losses."""
        counts = Counter(loss.concern for loss in self.losses)
        told = ", ".join(f"{concern}={counts[concern]}" for concern in CONCERNS if counts[concern])
        return {LOSSES: told} if told else {}

    def log(self, seconds: float) -> None:
        """Log the result: no content, no URL, no credentials."""
        way = f"{self.route.speak} -> {self.route.backend}"
        counted = self.loss_header().get(LOSSES, "nothing")
        LOG.info("%s: %s in %.3f s; losses: %s", way, self.down.status or "client left", seconds, counted)
        for row in report_of(self.losses):
            LOG.info("%s: %s", way, row)

    async def tell(self, body: Any, headers: Mapping[str, str] | None = None, status: int = 200) -> None:
        """Respond with a JSON body."""
        self.recording.note("answer", body)
        told = {"content-type": JSON, **self.loss_header(), **(headers or {})}
        await self.down.whole(status, raw(told), compact(body))

    async def refuse(self, error: ApiError | EncodedError) -> None:
        """Respond with an error, as the client's own provider would send it."""
        encoded = il.encode_error(error, self.route.speak) if isinstance(error, ApiError) else error
        self.lose(encoded.losses)
        await self.tell(encoded.body, encoded.headers, encoded.status)
