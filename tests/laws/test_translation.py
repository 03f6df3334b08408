"""Law 3: what comes back from another dialect is what went in, outside the losses."""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING, Any, Final

import pytest

import interlingua as il
from interlingua.loss import is_empty_value as counts_nothing
from support import corpus
from support.accounting import unreported_values, unresolved_losses
from support.canonical import difference, edited, leaves, lists, lookup, objects, pointer, resolves
from support.rooms import KINDS, PAIRS, ROWS, Kind, decode, encode
from support.signed_alike import SHARED_SIGNATURES, of_documents, signatures
from support.translation import differences, is_wish

if TYPE_CHECKING:
    from collections.abc import Iterator

    from support.canonical import Tokens

pytestmark = [pytest.mark.laws]

CASES = [
    pytest.param(source, target, folder, kind, id=f"{folder}-to-{target}-{kind}")
    for source, target in PAIRS
    for folder in (ROWS[source].folder, *ROWS[source].compatible)
    for kind in KINDS
]


# What the judge cannot tell from a difference, as the target has it.
UNTOLD: Final = {("claude", "ed5469c70d35bbea"): "a file that became a document of text, beside a text with a mark"}


def readable(dialect: str, folder: str, kind: Kind) -> Iterator[tuple[str, Any]]:
    """Yield id and canonical value of every body of a folder that the dialect reads."""
    for line in corpus.lines(folder, kind):
        if line["id"] not in ROWS[dialect].unreadable:
            yield line["id"], decode(dialect, kind, line["body"])


@pytest.mark.corpus
@pytest.mark.parametrize(("source", "target", "folder", "kind"), CASES)
def test_a_translation_is_equal_except_for_its_losses(source: str, target: str, folder: str, kind: Kind) -> None:
    found = {}
    for identifier, canonical in readable(source, folder, kind):
        body, losses = encode(target, kind, canonical)
        where = differences(canonical, decode(target, kind, body), losses, ROWS[target].roles, target)
        if where and (target, identifier) not in UNTOLD:
            found[identifier] = where
    assert found == {}


OLDER = [
    pytest.param(source, target, version, id=f"{source}-to-{target}-{version}")
    for source, target in PAIRS
    for version in ROWS[target].older
]


@pytest.mark.corpus
@pytest.mark.parametrize(("source", "target", "version"), OLDER)
def test_a_translation_to_an_older_api_version_is_equal_except_for_its_losses(
    source: str, target: str, version: str
) -> None:
    found = {}
    for folder in (ROWS[source].folder, *ROWS[source].compatible):
        for identifier, canonical in readable(source, folder, "request"):
            body, losses = encode(target, "request", canonical, version)
            where = [
                *differences(canonical, decode(target, "request", body), losses, ROWS[target].older[version], target),
                *unreported_values(canonical, body, losses, target),
                *unresolved_losses(canonical, losses),
            ]
            if where and (target, identifier) not in UNTOLD:
                found[identifier] = where
    assert found == {}


@pytest.mark.corpus
@pytest.mark.parametrize(("source", "target"), PAIRS)
@pytest.mark.parametrize("kind", KINDS)
def test_translation_without_models_equals_translation_with_models(source: str, target: str, kind: Kind) -> None:
    for line in corpus.sample(ROWS[source].folder, kind, 8):
        if line["id"] in ROWS[source].unreadable:
            continue
        if kind == "request":
            straight = il.translate_request(line["body"], source, target)
            through = il.encode_request(il.decode_request(line["body"], source), target)
        else:
            straight = il.translate_response(line["body"], source, target)
            through = il.encode_response(il.decode_response(line["body"], source), target)
        assert difference(straight.body, through.body) == "", line["id"]
        assert sorted(map(str, straight.losses)) == sorted(map(str, through.losses)), line["id"]


def _switches(holder: str, *members: str) -> set[str]:
    """Return where a dialect says how much to think, which others say by a word, a number or a switch of their own.

    `test_a_thinking_request_stays_one_in_other_dialects` compares what these mean.
    """
    return {holder, *(f"{holder}/{member}" for member in members)}


_CHAT: Final = frozenset(
    {
        "/stream_options",
        "/stream_options/include_usage",
        "/choices/*/index",
        "/choices/*/logprobs",
        "/choices/*/message/annotations/*/url_citation/end_index",
        "/choices/*/message/annotations/*/url_citation/start_index",
        "/choices/*/message/content",
        "/choices/*/message/images/*/index",
        "/choices/*/message/refusal",
        "/choices/*/message/role",
        "/choices/*/message/tool_calls/*/id",
        "/choices/*/message/tool_calls/*/type",
        "/created",
        "/id",
        "/messages/*/content",
        "/messages/*/tool_call_id",
        "/messages/*/tool_calls/*/type",
        "/object",
        "/reasoning_effort",
        "/response_format/json_schema/name",
        "/response_format/json_schema/strict",
        "/tool_choice/type",
        "/tools/*/type",
        "/usage",
        "/usage/completion_tokens",
        "/usage/prompt_tokens",
        "/usage/total_tokens",
        *(f"/choices/*/message/audio/{member}" for member in ("expires_at", "id", "transcript")),
    }
)
# What a changed body can hide from the comparison, a dialect at a time: words that say only what shape they stand in,
# and what the target demands and the source did not say. All else must be noticed.
UNNOTICED: Final = {
    "claude": {
        "/content/*/citations/*/cited_text",
        "/content/*/citations/*/encrypted_index",
        "/content/*/id",
        "/content/*/signature",
        "/id",
        "/max_tokens",
        "/messages/*/content/*/source/media_type",
        *_switches("/thinking", "type", "budget_tokens"),
        "/output_config/format/schema/*/additionalProperties",  # closed at any depth
        "/role",
        "/stop_sequence",
        "/type",
        "/usage",
        "/usage/input_tokens",
        "/usage/output_tokens",
    },
    "openai_responses": {
        "/created_at",
        "/error",
        "/id",
        "/incomplete_details",
        "/input/*/call_id",
        "/input/*/content",
        "/input/*/content/*/detail",
        "/input/*/content/*/filename",
        "/input/*/output/*/filename",
        "/input/*/type",
        "/object",
        *(f"/output/*/{member}" for member in ("call_id", "content", "id", "role", "status", "summary", "type")),
        *(f"/output/*/content/*/{member}" for member in ("annotations", "logprobs")),
        *(f"/output/*/content/*/annotations/*/{member}" for member in ("end_index", "start_index")),
        *("/parallel_tool_calls", "/status", "/tool_choice", "/tools"),
        *("/prompt_cache_options", "/prompt_cache_options/mode"),
        *_switches("/reasoning", "effort"),
        "/text/format/name",
        "/text/format/strict",
        "/store",
        "/tools/*/strict",
        "/usage",
        *(f"/usage/{member}_tokens" for member in ("input", "output", "total")),
        *(f"/usage/input_tokens_details{member}" for member in ("", "/cache_write_tokens", "/cached_tokens")),
        *(f"/usage/output_tokens_details{member}" for member in ("", "/reasoning_tokens")),
    },
    "gemini": {
        # of a silent answer
        *(f"/candidates/*/content{member}" for member in ("", "/parts", "/parts/*", "/parts/*/text", "/role")),
        "/candidates/*/index",
        "/contents/*/parts/*/fileData/mimeType",
        "/contents/*/parts/*/functionResponse/name",
        "/contents/*/parts/*/thoughtSignature",
        "/contents/*/role",
        "/generationConfig/responseMimeType",
        *_switches("/generationConfig/thinkingConfig"),
        "/generationConfig/thinkingConfig/includeThoughts",
        "/usageMetadata/candidatesTokenCount",
    },
    "openai_chat": _CHAT
    | {
        "/logprobs",
        "/messages/*/content/*/file/filename",
        "/prompt_cache_options",
        "/prompt_cache_options/mode",
    },
    "ollama": {
        "/created_at",
        "/done",
        "/message/content",
        "/message/role",
        "/message/tool_calls/*/function/index",
        "/messages/*/content",
        "/messages/*/tool_name",
        "/stream",
        "/think",
        # The description says it as well.
        "/tools/*/function/parameters/properties/*/properties/*/format",
        "/tools/*/type",
    },
    "vllm": _CHAT | {"/logprobs", *_switches("/chat_template_kwargs", "enable_thinking")},
    "bedrock_converse": {
        "/messages/*/content",
        "/messages/*/content/*/document/format",
        "/messages/*/content/*/document/name",
        "/output/message/content/*/toolUse/toolUseId",
        "/output/message/role",
        "/outputConfig/textFormat/type",
        "/metrics",
        "/metrics/latencyMs",
        "/usage",
        "/usage/inputTokens",
        "/usage/outputTokens",
        "/usage/totalTokens",
    },
}
# What no answer of a dialect says, so that all targets fill it in; and the line that names what is attached.
UNSAID: Final = {
    "bedrock_converse": {"/model", "/content/*/citations/*/document_index", "/messages/*/content/*"},
}


# What is the same as nothing: arguments of a call without any, and a message that lost all its content.
SAYS_NOTHING: Final = ("{}", {}, *({"role": role, "content": ""} for role in ("system", "user")))


def is_empty_value(value: Any) -> bool:
    """Tell whether a value of a body says nothing: one of those above, a message or item of empty texts, or a wish.

    The wish for JSON, or for a call, is what the target does for a setting that it does not have.
    """
    if isinstance(value, dict) and value.get("type") == "message":
        return all(is_empty_value(part) for part in value["content"])
    if isinstance(value, dict) and value.get("type") == "output_text":
        return not value["text"]
    if isinstance(value, dict) and (is_wish(value.get("text")) or is_wish(value.get("content"))):
        return True
    if isinstance(value, list):
        return all(is_empty_value(one) for one in value)
    if isinstance(value, dict) and value.get("type") == "reasoning":
        return is_empty_value(value["summary"])
    if isinstance(value, dict) and value.get("type") == "summary_text":
        return not value["text"]
    if isinstance(value, dict) and value.get("role") == "assistant":
        return all(said in (None, "") for name, said in value.items() if name != "role")
    return value in SAYS_NOTHING


# What a provider assumes where nothing is said.
DEFAULTS: Final = (
    "auto", "AUTO", {"type": "auto"}, {"auto": {}}, {"mode": "AUTO"}, {"functionCallingConfig": {"mode": "AUTO"}},
)  # fmt: skip


# Settings of a body whose usual value is as good as none.
DONE_ANYWAY: Final = frozenset({"parallel_tool_calls", "temperature", "top_p", "topP"})


def is_count(path: Tokens) -> bool:
    """Tell whether what stands at a place of an answer is usage, or of it."""
    return str(path[0]).startswith("usage") or str(path[-1]).endswith("eval_count")


def dropped_default(path: Tokens, body: Any, wrong: Any) -> bool:
    """Tell whether a default, a count of 0, or the total that the others tell has been dropped."""
    value = lookup(body, path)
    if value in DEFAULTS:
        return True
    if "Details" in pointer(path):  # the count of a modality
        listed = next(at for at, name in enumerate(path) if str(name).endswith("Details"))
        return all(not one.get("tokenCount") for one in lookup(body, path[: listed + 1]))
    if resolves(wrong, path):
        return False
    if is_count(path):  # a count of 0 says as much as its absence, whatever it is called
        return counts_nothing(value, is_count=True) or path[-1] in {"total_tokens", "totalTokenCount"}
    return value is False or (str(path[-1]) in DONE_ANYWAY and value in (1, True))


def place(path: Tokens) -> str:
    """Return where a value stands, without numbers, names of properties, and the depth of a schema."""
    where = re.sub(r"/properties/[^/]+", "/properties/*", re.sub(r"\d+", "*", pointer(path)))
    return re.sub(r"(/format/schema)(/.*)?(/additionalProperties)$", r"\1/*\3", where)


@pytest.mark.corpus
@pytest.mark.parametrize(("source", "target"), PAIRS)
@pytest.mark.parametrize("kind", KINDS)
def test_a_changed_body_is_detected(source: str, target: str, kind: Kind) -> None:
    # A test of the test: an encoder that drops or alters anything without a loss must turn the law red.
    unnoticed: dict[str, str] = {}
    tried = 0
    for line in corpus.few(ROWS[source].folder, kind, 12):
        if line["id"] in ROWS[source].unreadable:
            continue
        canonical = decode(source, kind, line["body"])
        if kind == "request":
            canonical.setdefault("model", "m")  # a body can name its model in its address
        body, losses = encode(target, kind, canonical)
        attempts = list(tampered(body))
        for path, wrong in random.Random(line["id"]).sample(attempts, min(20, len(attempts))):
            tried += 1
            try:
                after = decode(target, kind, wrong)
            except il.DecodeError:
                continue
            if differences(canonical, after, losses, ROWS[target].roles, target):
                continue
            if {source, target} <= SHARED_SIGNATURES and any(
                held(canonical["messages"]) != held(after["messages"]) for held in (signatures, of_documents)
            ):
                continue
            if any(loss.path == "/usage" and loss.detail.endswith(" more") for loss in losses) and is_count(path):
                continue  # more counts are lost than a hint has room to name
            if not is_empty_value(lookup(body, path)) and not dropped_default(path, body, wrong):
                unnoticed.setdefault(place(path), line["id"])
    assert tried > 100
    assert unnoticed.keys() <= UNNOTICED[target] | UNSAID.get(source, set()), unnoticed


def tampered(body: Any) -> Iterator[tuple[Tokens, Any]]:
    """Yield a body with one value altered, or one entry or member dropped, and where."""
    for path, leaf in leaves(body):
        if isinstance(leaf, str):
            yield path, edited(body, path, leaf + "x")
        elif isinstance(leaf, bool):
            yield path, edited(body, path, not leaf)
        elif isinstance(leaf, (int, float)):
            yield path, edited(body, path, leaf + 1)
    for path, entries in lists(body):
        for at in range(len(entries)):
            yield (*path, at), edited(body, path, [*entries[:at], *entries[at + 1 :]])
    for path, members in objects(body):
        for name in members:
            yield (*path, name), edited(body, path, {key: members[key] for key in members if key != name})
