"""A vision model behind any endpoint that speaks one of the dialects."""

from __future__ import annotations

import inspect
import re
from typing import TYPE_CHECKING, Any, Final

from interlingua.argument_checks import check_count, check_function, check_kind_of, check_mapping, check_time_limit
from interlingua.codec import decode_response, encode_request
from interlingua.errors import DecodeError, ImageError
from interlingua.registry import room
from interlingua.resolve.addresses import read_url
from interlingua.resolve.exchange import Deadline, ExchangeError, exchange, resolve_host
from interlingua.resolve.image_failures import image_error, status_is_retryable
from interlingua.resolve.picture import Picture
from interlingua.resolve.vision_answer import PROMPT, answer_text, read_answer
from interlingua.strict_json import RefusedError, compact, parse
from interlingua_types._base import InvalidArgumentError
from interlingua_types._checks import check_text

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from interlingua.registry import Dialect
    from interlingua.resolve.image_failures import ImageFailureCode
    from interlingua.resolve.picture import VisionResult

__all__ = ["CodecVision"]

# The media types that every dialect with images accepts.
_SEEN: Final = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})
_HEADER_NAME: Final = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_HEADER_VALUE: Final = re.compile(r"[\t\x20-\x7e]*")
_MAX_ANSWER_BYTES: Final = 4 * 1024 * 1024


class CodecVision:
    """A `VisionModel` that asks a model, through one of the dialects, what is in an image.

    `endpoint` is the full URL of the provider's API, such as `https://api.example.com/v1/chat/completions`, and
    `headers` are its headers, including credentials; neither appears in any message or log of this library.
    `timeout_seconds` limits the whole exchange. Redirects are not followed, and proxies are not used.

    `send` can be given instead of an endpoint: it takes the request body, returns the response body, and may be
    `async`. It allows the use of your own HTTP client, with proxies, retries and authentication, or of a provider's
    SDK. `prompt` is the text before the image, `max_tokens` the limit for the answer.

    Raises:
        UnknownDialectError: no such dialect.
        InvalidArgumentError: not exactly one of `endpoint` and `send` is given, the endpoint is not a URL, a header is
            invalid, or `timeout_seconds` is not more than 0.

    Example:
        >>> seen = '{"description": "A red sign.", "text": "STOP"}'
        >>> answer = {"type": "message", "role": "assistant", "content": [{"type": "text", "text": seen}]}
        >>> images = il.ImageResolver(il.CodecVision("claude", "claude-opus-5", send=lambda body: answer))
        >>> images.resolve(il.messages.image("https://example.com/sign.png")).data.recognition.recognized_text
        'STOP'
    """

    def __init__(
        self,
        dialect: Dialect,
        model: str,
        *,
        endpoint: str | None = None,
        headers: Mapping[str, str] | None = None,
        send: Callable[[dict[str, Any]], Any] | None = None,
        prompt: str = PROMPT,
        max_tokens: int = 2000,
        timeout_seconds: float = 60.0,
    ) -> None:
        room(dialect)
        if (endpoint is None) == (send is None):
            raise InvalidArgumentError("exactly one of endpoint and send must be given")
        self._dialect: Dialect = dialect
        self._model = model
        if send is not None:
            check_function(send, "send")
        check_text(model, "model", may_be_empty=True)
        check_text(prompt, "prompt", may_be_empty=True)
        self._headers = _checked_headers({} if headers is None else headers)
        self._address = None if endpoint is None else _checked_endpoint(endpoint)
        self._send = self._post if send is None else send
        self._prompt = prompt
        self._max_tokens = check_count(max_tokens, "max_tokens")
        self._timeout_seconds = check_time_limit(timeout_seconds, "timeout_seconds")

    def __repr__(self) -> str:
        """Show dialect, model and host only, since URLs and headers hold credentials."""
        host = "send" if self._address is None else self._address.host
        return f"CodecVision({self._dialect!r}, {self._model!r}, {host})"

    def describe(self, picture: Picture, /) -> VisionResult | Awaitable[VisionResult]:
        """Return the model's description of an image; an awaitable if `send` is async.

        Raises:
            ImageError: `vision_unsupported` (the dialect cannot carry the image), `vision_failed`, `vision_timeout` or
                `vision_unreadable`.
        """
        check_kind_of(picture, Picture)
        answer = self._send(self._body(picture))
        return self._awaited(answer) if inspect.isawaitable(answer) else self._read(answer)

    async def _awaited(self, answer: Awaitable[Any]) -> VisionResult:
        return self._read(await answer)

    def _body(self, picture: Picture) -> dict[str, Any]:
        """Return the request body with the prompt and the image.

        Raises:
            ImageError: `vision_unsupported`.
        """
        if picture.data is None:
            part: dict[str, Any] = {"type": "image", "url": picture.url}
        elif picture.media_type in _SEEN:
            part = {"type": "image", "format": picture.media_type, "data": picture.base64()}
        else:
            raise image_error("vision_unsupported", f"It is {picture.media_type}.")
        if picture.detail is not None:
            part["detail"] = picture.detail
        words = self._prompt if picture.caption is None else f"{self._prompt}\nThe sender's words: {picture.caption}"
        content = [{"type": "text", "text": words}, part]
        request = {
            "model": self._model,
            "max_tokens": self._max_tokens,
            "messages": [{"role": "user", "content": content}],
        }
        encoded = encode_request(request, self._dialect)
        # Without the image, the model would make up a description.
        if any(loss.severity == "lost" and not loss.path.endswith("/detail") for loss in encoded.losses):
            raise image_error("vision_unsupported")
        body: dict[str, Any] = encoded.body
        return body

    def _post(self, body: dict[str, Any]) -> Any:
        """Return the endpoint's response body.

        Raises:
            ImageError: `vision_failed`, `vision_timeout` or `vision_unreadable`.
        """
        if self._address is None:
            raise image_error("vision_unavailable")
        sent = compact(body)
        deadline = Deadline(self._timeout_seconds)
        try:
            numbers = resolve_host(self._address.host, self._address.port)
            answer = exchange(
                self._address,
                numbers,
                deadline,
                headers={"Content-Type": "application/json", **self._headers},
                max_bytes=_MAX_ANSWER_BYTES,
                body=sent,
            )
        except ExchangeError as error:
            refused = image_error(*_FAILURES[error.kind])
        except OSError:
            refused = image_error("vision_failed", "Its host name cannot be resolved.")
        else:
            if not 200 <= answer.status < 300:
                retryable = status_is_retryable(answer.status)
                raise image_error("vision_failed", f"The provider answered {answer.status}.", retryable=retryable)
            return _json(answer.body)
        raise refused

    def _read(self, answer: Any) -> VisionResult:
        """Return the description in a response body.

        Raises:
            ImageError: `vision_unreadable`.
        """
        try:
            response = decode_response(answer, self._dialect)
        except DecodeError:
            response = None
        if response is None:
            raise image_error("vision_unreadable", "The answer is not one of this dialect.")
        return read_answer(answer_text(response.messages))


_FAILURES: Final[dict[str, tuple[ImageFailureCode, str]]] = {
    "unreachable": ("vision_failed", "Nobody answered."),
    "timeout": ("vision_timeout", ""),
    "too_large": ("vision_unreadable", "The answer is too large."),
    "broken": ("vision_failed", "The answer ended too early."),
}


def _json(body: bytes) -> Any:
    """Return the JSON value of a response body.

    Raises:
        ImageError: `vision_unreadable`.
    """
    try:
        return parse(body)
    except RefusedError:
        pass
    raise image_error("vision_unreadable", "The answer is not JSON.")


def _checked_endpoint(endpoint: str) -> Any:
    """Return the parts of a URL.

    Raises:
        InvalidArgumentError: it is not a URL.
    """
    try:
        return read_url(endpoint)
    except ImageError:
        pass
    raise InvalidArgumentError("endpoint must be an http or https URL without a user name or password")


def _checked_headers(headers: Mapping[str, str]) -> dict[str, str]:
    """Return headers after checking that they are valid.

    Raises:
        InvalidArgumentError: a name or value is invalid; the message repeats neither.
    """
    check_mapping(headers, "headers")
    given: Mapping[Any, Any] = headers  # callers may not be typed
    for name, value in given.items():
        if not isinstance(name, str) or not isinstance(value, str):
            raise InvalidArgumentError("header names and values must be text")
        if _HEADER_NAME.fullmatch(name) is None or _HEADER_VALUE.fullmatch(value) is None:
            raise InvalidArgumentError("a header has a name or a value that is not valid in HTTP")
    return dict(headers)
