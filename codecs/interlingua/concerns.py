"""Assigns a concern to each loss, by a table of codes and paths, and interprets `strict`.

Each row has a reason; the first row that matches a loss decides. Source: docs/laws.md, law 4.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast, get_args

from interlingua.errors import UnknownConcernError
from interlingua.loss_types import Concern

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["CONCERNS", "RULES", "STRICT_CONCERNS", "ConcernRule", "concern_of", "concerns_of"]

CONCERNS: Final[tuple[Concern, ...]] = get_args(Concern)
"""All concerns, the most serious first."""
STRICT_CONCERNS: Final[frozenset[Concern]] = frozenset({"content", "contract", "tuning"})
"""The concerns in which `strict=True` allows no loss."""

CONTENT: Final = "content"
CONTRACT: Final = "contract"
TUNING: Final = "tuning"
STATE: Final = "state"
BOOKKEEPING: Final = "bookkeeping"


class ConcernRule(NamedTuple):
    """A row of the table.

    `path` is a JSON Pointer pattern: `*` matches any one step, `**` at the end any number of them, `a|b` either name;
    an empty path matches everything. `only` restricts the row to a severity ("lost", "changed", "filled") or, as
    "answer", to responses.
    """

    code: str
    path: str
    concern: Concern
    reason: str
    only: str = ""


RULES: Final[tuple[ConcernRule, ...]] = (
    # Codes that determine the concern alone.
    ConcernRule("server_state", "", CONTENT, "what the provider holds is part of the conversation"),
    ConcernRule("echo", "", BOOKKEEPING, "the request has said it"),
    ConcernRule("in_url", "", BOOKKEEPING, "it travels beside the body"),
    ConcernRule("local_id", "", BOOKKEEPING, "an id of ours"),
    ConcernRule("cache", "", STATE, "a mark for the provider's cache; it changes the price and not the answer"),
    # Values kept for one dialect: members known by name, then by what they belong to.
    ConcernRule("extra", "/extra/*/fields/**", BOOKKEEPING, "details beside an answer; what it says stands in messages",
        "answer"),
    ConcernRule("extra", "/extra/*/fields/prompt|conversation|previous_response_id|cachedContent|cached_content|thread",
        CONTENT, "what the provider holds is part of the conversation"),
    ConcernRule("extra", "/extra/*/fields/documents/**", CONTENT, "what the model is to read before it answers"),
    ConcernRule("extra", "/extra/*/fields/stream_options|service_tier|safety_identifier|client_metadata|"
        "anthropic_version|keep_alive|cache_prompt|usage|schema_version|user|trace|session_id|agent_id/**",
        BOOKKEEPING, "it changes neither what is said nor how"),
    ConcernRule("extra", "/extra/*/fields/prompt_cache_key|prompt_cache_retention|cache_control/**", STATE,
        "it is about the provider's cache"),
    ConcernRule("extra", "/extra/*/fields/include", BOOKKEEPING, "which details the answer tells beside its content"),
    ConcernRule("extra", "/extra/*/fields/store|modalities|audio|web_search_options|mcp_servers|container|"
        "context_management|background|truncation|moderation|max_tool_calls|safetySettings|toolConfig|"
        "modelArmorConfig|plugins|functions|function_call|tool_choice|tools|response_format|logprobs|prediction|"
        "structured_outputs|guided_json|guided_regex|guided_choice|guided_grammar|stop_token_ids|min_tokens|"
        "truncate_prompt_tokens/**",
        CONTRACT, "the caller demanded it of the answer, or of the provider"),
    ConcernRule("extra", "/extra/*/fields/generationConfig|output_config|text/responseMimeType|responseSchema|"
        "responseJsonSchema|responseFormat|responseModalities|responseLogprobs|stopSequences|format/**", CONTRACT,
        "the form of the answer that the caller demanded"),
    ConcernRule("extra", "/extra/*/fields/inference_geo|compaction/**", CONTRACT,
        "where the model runs, and what it is shown of the conversation"),
    ConcernRule("extra", "/extra/*/fields/metadata|labels|user_profile_id|workspace_id|projectIdentifier|"
        "billing_policy|fallback_credit_token|diagnostics/**", BOOKKEEPING, "labels, and what is counted and billed"),
    ConcernRule("extra", "/extra/*/fields/**", TUNING, "a setting that only its own dialect has"),
    ConcernRule("extra", "/tools/*/extra/*/fields/defer_loading|cache_control|eager_input_streaming|type/**", TUNING,
        "how a tool is offered, and not what it does"),
    ConcernRule("extra", "/tools/*/extra/**", CONTRACT, "part of what a tool was declared to be"),
    ConcernRule("extra", "/messages|alternatives/**/citations/*/extra/**", STATE,
        "how a provider finds its source again"),
    ConcernRule("extra", "/*/citation/extra/**", STATE, "how a provider finds the source again that a stream told"),
    ConcernRule("extra", "/messages|alternatives/**/tool_calls/*/extra/**", BOOKKEEPING,
        "the number and the caller of a call; what it asks stands beside them"),
    ConcernRule("extra", "/messages|alternatives/**/content|reasoning|refusal/*/extra/*/fields/logprobs|obfuscation|"
        "revised_prompt|size|quality|background|action|output_format|svg_usage|"
        "index|encrypted_index|caller|partMetadata|mediaResolution|status|id|type/**", BOOKKEEPING,
        "details of a part; what it says stands beside them"),
    ConcernRule("extra", "/messages|alternatives/**/extra/*/fields/reasoning_details|reasoning_opaque|extra_content|"
        "thought_signature|signature|encrypted_content|cache_control/**", STATE, "only its provider understands it"),
    ConcernRule("extra", "/*/extra/*/fields/reasoning_opaque", STATE, "only its provider understands it"),
    ConcernRule("extra", "/messages|alternatives/**/extra/*/fields/provider_metadata|provider_specific_fields|padding|"
        "reasoning_encrypted|parsed|index|tool_call_id|weight|status|id|name|logprobs|content_filter_results|"
        "internal_chat_message_metadata_passthrough/**",
        BOOKKEEPING, "details of a message; what it says stands beside them"),
    ConcernRule("extra", "/messages|alternatives/**/extra/*/fields/prefix|partial", BOOKKEEPING,
        "that an answer is begun is told by its place, too"),
    ConcernRule("extra", "/messages|alternatives/**/extra/*/fields/**", CONTENT,
        "nobody here knows what it says: it may be part of what was said"),
    ConcernRule("extra", "", BOOKKEEPING, "details that only one dialect understands"),
    ConcernRule("provider_state", "/extra|alternatives/**/candidate/groundingMetadata/groundingSupports", CONTENT,
        "what the text refers to, and could not be read as citations"),
    ConcernRule("provider_state", "/extra/*/choice/**", BOOKKEEPING, "details of how an answer was chosen"),
    ConcernRule("provider_state", "/extra|alternatives/**", BOOKKEEPING, "times and numbers of an answer"),
    ConcernRule("provider_state", "/messages|alternatives/**/extra/*/id|status|phase|created_at", BOOKKEEPING,
        "an id, or how far an item had come"),
    ConcernRule("provider_state", "/*/extra/*/created_at|create_time/**", BOOKKEEPING, "times of a streamed answer"),
    ConcernRule("provider_state", "/*/extra/*/item/id|status|phase|created_at", BOOKKEEPING,
        "an id, or how far an item of a stream had come"),
    ConcernRule("provider_state", "", STATE, "only the provider that made it understands it"),
    # Content of the conversation.
    ConcernRule("arguments", "", CONTENT, "what a call asks for"),
    ConcernRule("citation", "/**/cited_text", BOOKKEEPING, "the source says it, whose address or name stands beside"),
    ConcernRule("citation", "", CONTENT, "what a text refers to"),
    ConcernRule("content", "", CONTENT, "what was said", "changed"),
    ConcernRule("empty_text", "", CONTENT, "what was said beside a text of no words"),
    ConcernRule("message", "", CONTENT, "what was said"),
    ConcernRule("part", "/**/detail", TUNING, "how closely a picture is looked at"),
    ConcernRule("part", "/**/format", BOOKKEEPING, "what is shown says it, or the address"),
    ConcernRule("part", "/**/expires_at", BOOKKEEPING, "how long a sound is kept"),
    ConcernRule("part", "", CONTENT, "what was said or shown"),
    ConcernRule("reasoning", "", CONTENT, "what was thought aloud"),
    ConcernRule("refusal", "", CONTENT, "that and why an answer was refused"),
    ConcernRule("role", "", CONTENT, "who speaks", "changed"),
    ConcernRule("finish_reason", "/**/finish_reason|reason", CONTENT, "whether the answer is whole", "changed"),
    ConcernRule("finish_reason", "", BOOKKEEPING, "how an answer ended; what it says is there"),
    # What the caller required, and sampling.
    ConcernRule("name", "/**/call_id|id", BOOKKEEPING, "ids pair calls and results"),
    ConcernRule("name", "", CONTRACT, "by its name a tool or a form is asked for", "changed"),
    ConcernRule("tool", "", CONTRACT, "a tool that the caller offers"),
    ConcernRule("setting", "/tool_choice|parallel_tool_calls|response_format|stop|max_tokens|n|logprobs|top_logprobs|"
        "store|stream|modalities|moderation/**", CONTRACT, "the caller demanded it of the answer"),
    ConcernRule("setting", "/cache|cache_key|prompt_cache_key|prompt_cache_retention/**", STATE,
        "it is about the provider's cache"),
    ConcernRule("setting", "/metadata|user|service_tier|safety_identifier|stream_usage|stream_options/**", BOOKKEEPING,
        "labels, and what is counted and billed"),
    ConcernRule("setting", "", TUNING, "how the answer is made"),
    # Members of answers, requests, events and errors.
    ConcernRule("member", "/usage/**", BOOKKEEPING, "details of usage"),
    ConcernRule("member", "/*/usage/**", BOOKKEEPING, "details of usage"),
    ConcernRule("member", "/response_format/name", BOOKKEEPING, "what a schema is called"),
    ConcernRule("member", "/response_format/**", CONTRACT, "the form of the answer that the caller demanded"),
    ConcernRule("member", "/messages|alternatives/**/is_error|format", CONTENT, "whether a call failed, what it shows"),
    ConcernRule("member", "", BOOKKEEPING, "names, ids, times and numbers"),
    ConcernRule("migration", "/**/id|created_at|schema_version|metadata/**", BOOKKEEPING, "the envelope of a message"),
    ConcernRule("migration", "", CONTENT, "an older version has no place for what was said or done"),
    # Members that the target requires.
    ConcernRule("required", "/tools|tool_choice|response_format|max_tokens|logprobs/**", CONTRACT,
        "nobody demanded it of the answer", "filled"),
    ConcernRule("required", "/cache/**", STATE, "a mark for the provider's cache", "filled"),
    ConcernRule("required", "/**/extra/*/thinking_blocks|thought_signatures|signature", STATE,
        "the place of a signature", "filled"),
    ConcernRule("required", "/messages/*/content/**", CONTENT, "a place for what was not said", "filled"),
    ConcernRule("required", "/*/citation|part/**", CONTENT, "a place for what no event said", "filled"),
    ConcernRule("required", "/message", CONTENT, "clients show it", "filled"),
    ConcernRule("required", "", BOOKKEEPING, "ids, times and numbers that the target has everywhere", "filled"),
)  # fmt: skip


_UNDECIDED: Final = ConcernRule("", "", CONTENT, "nobody has decided: what may have been said is not given away")


def concern_of(code: str, path: str, severity: str, *, is_answer: bool = False) -> Concern:
    """Return the concern of a loss. `is_answer`: it is a loss of a response, not of a request."""
    return _rule(code, path, severity, is_answer).concern


@lru_cache(maxsize=1024)  # the same few paths are lost in body after body
def _rule(code: str, path: str, severity: str, is_answer: bool) -> ConcernRule:  # what it is kept by
    kinds = {"", severity, "answer" if is_answer else ""}
    for pattern, rule in _patterns().get(code, ()):
        if rule.only in kinds and pattern.fullmatch(path):
            return rule
    return _UNDECIDED


@lru_cache(maxsize=1)
def _patterns() -> Mapping[str, list[tuple[re.Pattern[str], ConcernRule]]]:
    """Return the rules of each code, in order, each with the compiled pattern of its path."""
    patterns: dict[str, list[tuple[re.Pattern[str], ConcernRule]]] = {}
    for rule in RULES:
        patterns.setdefault(rule.code, []).append((_pattern(rule.path), rule))
    return patterns


_STEPS: Final = MappingProxyType({"*": "/[^/]*", "**": "(?:/[^/]*)*"})


def _pattern(path: str) -> re.Pattern[str]:
    steps = path.split("/")[1:] if path else ["**"]
    return re.compile("".join(_STEPS.get(step) or f"/(?:{step})" for step in steps))


def concerns_of(strict: Any) -> frozenset[Concern] | None:
    """Return the concerns in which a value of `strict` allows no loss; None means all of them.

    Raises `UnknownConcernError` for an invalid value.
    """
    if strict is False:
        return frozenset()
    if strict is True:
        return STRICT_CONCERNS
    if strict == "all":
        return None
    if isinstance(strict, str) and strict in CONCERNS:
        sets = {one: f"{{{one!r}}}" for one in CONCERNS}
        raise UnknownConcernError(strict, (True, False, "all", *sets.values()), [sets[strict]])
    if isinstance(strict, (str, bytes)) or not isinstance(strict, Iterable):
        raise UnknownConcernError(strict, (True, False, "all", *CONCERNS))
    chosen: list[Any] = list(cast("Any", strict))
    for one in chosen:
        if one not in CONCERNS:
            raise UnknownConcernError(one, CONCERNS)
    return frozenset(chosen)
