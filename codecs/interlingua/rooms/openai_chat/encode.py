"""Canonical to OpenAI Chat Completions."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from interlingua.rooms._chat_completions.encode import encode_request as family_encode_request
from interlingua.rooms._chat_completions.encode_answer import encode_response as family_encode_response
from interlingua.rooms.openai_chat.encode_family import fitted_request
from interlingua.rooms.openai_chat.tables import DIALECT, NO_SEARCH, VENDOR

if TYPE_CHECKING:
    from interlingua.loss import LossLog
    from interlingua.model_shapes import ChatRequest, ChatResponse
    from interlingua.spi.families import Family

# The limit of an answer, as servers name it that know OpenAI of long ago.
_OLDER_NAMES: Final = MappingProxyType({"max_completion_tokens": "max_tokens"})


def encode_request(
    request: ChatRequest, log: LossLog, api_version: str | None = None, family: Family | None = None
) -> dict[str, Any]:
    """Return the wire body of a canonical request; what does not come along is noted in the log."""
    del api_version  # the dialect has one version
    if request.get("dialect") == DIALECT:
        return family_encode_request(request, VENDOR, log)
    is_searching = family is None or family.facts.get("web_search_options") != "refuse"
    out = family_encode_request(fitted_request(request, family, log), VENDOR if is_searching else NO_SEARCH, log)
    if family is not None and family.facts.get("max_completion_tokens_member") == "refuse":
        return {_OLDER_NAMES.get(name, name): value for name, value in out.items()}
    return out


def encode_response(response: ChatResponse, log: LossLog) -> dict[str, Any]:
    """Return the wire body of a canonical response; what does not come along is noted in the log."""
    return family_encode_response(response, VENDOR, log)
