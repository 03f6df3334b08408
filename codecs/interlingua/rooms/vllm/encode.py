"""Canonical to vLLM: requests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interlingua.rooms._chat_completions.encode import encode_request as family_encode_request
from interlingua.rooms._chat_completions.encode_template import fit_messages
from interlingua.rooms.vllm.encode_extensions import without_removed_members
from interlingua.rooms.vllm.encode_family import fitted_request
from interlingua.rooms.vllm.encode_template import with_texts_joined, without_refused
from interlingua.rooms.vllm.tables import ARGUMENTS, DIALECT, SWITCH
from interlingua.rooms.vllm.vendor import VENDOR

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.loss import LossLog
    from interlingua.model_shapes import ChatRequest
    from interlingua.rooms._chat_completions.vendor import Vendor
    from interlingua.spi.families import Family


def encode_request(
    request: ChatRequest, log: LossLog, api_version: str | None = None, family: Family | None = None
) -> dict[str, Any]:
    """Return the wire body of a canonical request; losses go to the log."""
    del api_version  # the dialect has one version
    if request.get("dialect") == DIALECT:
        return _encoded(request, VENDOR, log)
    fitted = fitted_request(request, family, log)
    return _encoded(fitted, VENDOR, log) if family is None else _for_family(fitted, family.facts, log)


def _encoded(request: ChatRequest, vendor: Vendor, log: LossLog) -> dict[str, Any]:
    return without_removed_members(family_encode_request(request, vendor, log), request)


def _for_family(request: ChatRequest, facts: Mapping[str, Any], log: LossLog) -> dict[str, Any]:
    """Return the body fitted to the chat template of a family."""
    vendor = VENDOR._replace(tool_media=False) if facts.get("media_in_results") is False else VENDOR
    vendor = vendor._replace(word_names=True) if facts.get("tool_names") == "word_characters" else vendor
    out = without_refused(_encoded(request, vendor, log), request, facts, log)
    if "thinking_argument" in facts and ARGUMENTS in out:
        renamed = {SWITCH: facts["thinking_argument"]}
        out[ARGUMENTS] = {renamed.get(name, name): value for name, value in out[ARGUMENTS].items()}
    return with_texts_joined(fit_messages(out, request, facts, log))
