"""The official clients raise for our errors what they raise for those of their own provider, with the message."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final

import anthropic
import ollama
import openai
import pytest
from google.genai import errors as gemini_errors

import interlingua as il
from support.clients import CLIENTS
from support.errors import CATEGORIES, DIALECTS
from support.provider import Provider, provider

MESSAGE: Final = "It failed."
_OPENAI: Final = {
    400: openai.BadRequestError,
    401: openai.AuthenticationError,
    403: openai.PermissionDeniedError,
    404: openai.NotFoundError,
    413: openai.APIStatusError,
    429: openai.RateLimitError,
    499: openai.APIStatusError,
}
_CLAUDE: Final[Mapping[int, str]] = MappingProxyType({
    400: "BadRequestError",
    401: "AuthenticationError",
    402: "PaymentRequiredError",
    403: "PermissionDeniedError",
    404: "NotFoundError",
    429: "RateLimitError",
    500: "InternalServerError",
    502: "InternalServerError",
    529: "OverloadedError",
})  # fmt: skip


@pytest.fixture(name="here", scope="module")
def _here() -> Iterator[Provider]:
    with provider() as one:
        yield one


def raised(here: Provider, dialect: str, encoded: il.EncodedError) -> Any:
    """Return what the client of a dialect raises for an error."""
    here.fail(encoded.status, encoded.headers, encoded.body)
    try:
        CLIENTS[dialect](here, stream=False)
    except (openai.APIError, anthropic.APIError, gemini_errors.APIError, ollama.ResponseError) as error:
        return error
    raise AssertionError("the client raised nothing")


def message_of(error: Any) -> str:
    """Return the message as the program that uses a client reads it."""
    match error:
        case openai.APIStatusError():
            return str(error.body["message"]) if isinstance(error.body, dict) else ""
        case anthropic.APIStatusError():
            return str(error.body["error"]["message"]) if isinstance(error.body, dict) else ""
        case ollama.ResponseError():
            return str(error.error)
        case _:
            return str(error.message)


def status_of(error: Any) -> int:
    return int(error.code if isinstance(error, gemini_errors.APIError) else error.status_code)


def class_fits(dialect: str, error: Any, status: int) -> bool:
    match dialect:
        case "openai_chat" | "openai_responses" | "vllm":
            return type(error) is _OPENAI.get(status, openai.InternalServerError)
        case "claude":
            return type(error).__name__ == _CLAUDE.get(status, type(error).__name__)
        case "gemini":
            return type(error) is (gemini_errors.ServerError if status >= 500 else gemini_errors.ClientError)
        case _:
            return type(error) is ollama.ResponseError


@pytest.mark.parametrize("dialect", [name for name in DIALECTS if name in CLIENTS])
@pytest.mark.parametrize("category", CATEGORIES)
def test_the_client_raises_the_exception_class_of_the_status_with_the_message(
    category: str, dialect: str, here: Provider
) -> None:
    encoded = il.encode_error({"category": category, "message": MESSAGE, "request_id": "req_1"}, dialect)
    error = raised(here, dialect, encoded)
    assert status_of(error) == encoded.status
    assert class_fits(dialect, error, encoded.status), type(error)
    overflow = {"openai_responses": "exceeds the context window", "gemini": MESSAGE}
    assert (overflow.get(dialect, MESSAGE) if category == "context_overflow" else MESSAGE) in message_of(error)
    if dialect in {"openai_chat", "openai_responses", "claude"}:
        assert error.request_id == "req_1"


def test_a_client_of_another_provider_gets_the_error_code_that_it_handles(here: Provider) -> None:
    body = {"type": "error", "error": {"type": "invalid_request_error", "message": "prompt is too long: 2 tokens > 1"}}
    encoded = il.translate_error(body, "claude", "openai_chat", status=400)
    error = raised(here, "openai_chat", encoded)
    assert (error.code, error.type, error.param) == ("context_length_exceeded", "invalid_request_error", "messages")
