"""Law 6: what only its maker understands goes back to its maker, verbatim and in place, and to nobody else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import pytest

import interlingua as il
from support import corpus
from support.canonical import edited, leaves, pointer, same, written
from support.rooms import HAS_LOGPROBS, KINDS, PAIRS, ROWS, Kind, decode, encode
from support.signed_alike import SHARED_SIGNATURES, forms, is_signed_alike

if TYPE_CHECKING:
    from collections.abc import Iterator

    from support.canonical import Tokens

pytestmark = [pytest.mark.laws]

# They sign nothing and hide nothing; what else stands in their `extra` are settings and measures.
_WITHOUT_STATE: Final = frozenset({"ollama", "vllm"})
_THINKING: Final = frozenset({"thinking", "redacted_thinking"})
# A shorter text can stand in a body by chance.
_TELLING: Final = 12


def thinking(body: Any, path: Tokens = ()) -> Iterator[tuple[Tokens, Any]]:
    """Yield place and value of every thinking block of a Claude body."""
    for at, message in enumerate(body.get("messages", [body])):
        content = message["content"]
        for where, block in enumerate(content if isinstance(content, list) else ()):
            if block.get("type") in _THINKING:
                yield (*path, at, where), block


@pytest.mark.corpus
@pytest.mark.parametrize("kind", KINDS)
def test_thinking_returns_to_claude_verbatim_and_in_place_after_storage(kind: Kind) -> None:
    seen = dict.fromkeys(_THINKING, 0)
    for folder in (ROWS["claude"].folder, *ROWS["claude"].compatible):
        for line in corpus.lines(folder, kind):
            if line["id"] in ROWS["claude"].unreadable:
                continue
            before = list(thinking(line["body"]))
            if kind == "request":
                request = il.decode_request(line["body"], "claude")
                after = il.encode_request(il.ChatRequest.model_validate_json(request.model_dump_json()), "claude").body
            else:
                answer = il.decode_response(line["body"], "claude")
                after = il.encode_response(il.ChatResponse.model_validate_json(answer.model_dump_json()), "claude").body
            assert same([*before], [*thinking(after)]), line["id"]
            for _, block in before:
                seen[block["type"]] += 1
    assert all(seen.values()), "the corpus has thinking of both kinds"


def state(canonical: Any, dialect: str) -> Iterator[tuple[Tokens, str]]:
    """Yield place and text of everything that only one dialect understands."""
    for path, leaf in leaves(canonical):
        if isinstance(leaf, str) and len(leaf) >= _TELLING and "extra" in path:
            at = path.index("extra")
            if path[at + 1] == dialect and path[at + 2] != "spelling":
                yield path, leaf


@pytest.mark.corpus
@pytest.mark.parametrize(("source", "target"), PAIRS)
@pytest.mark.parametrize("kind", KINDS)
def test_provider_state_never_reaches_another_dialect(source: str, target: str, kind: Kind) -> None:
    seen = 0
    for folder in (ROWS[source].folder, *ROWS[source].compatible):
        for line in corpus.lines(folder, kind):
            if line["id"] in ROWS[source].unreadable:
                continue
            canonical = decode(source, kind, line["body"])
            body, losses = encode(target, kind, canonical)
            text = written(body)
            lost = [loss.path for loss in losses if loss.severity == "lost"]
            for path, leaf in state(canonical, source):
                seen += 1
                is_shared = is_signed_alike(source, target, str(path[path.index("extra") + 2]))
                if target == "openai_responses" and not {"mcp_servers", "mcpServers"}.isdisjoint(path):
                    continue  # it has such servers as tools: tests/codecs/test_mcp_servers.py
                if target in HAS_LOGPROBS and not {"logprobs", "logprobsResult"}.isdisjoint(path):
                    continue  # how probable tokens are is no secret of the source: tests/codecs/test_logprobs.py
                if is_shared and (path[-1] == "type" or any(written(form)[1:-1] in text for form in forms(leaf))):
                    continue
                if {source, target} <= SHARED_SIGNATURES and "citations" in path and path[-1] == "type":
                    continue  # what kind of place it is says the other one, too: tests/codecs/test_claude_documents.py
                said = [other for where, other in leaves(canonical) if where != path and isinstance(other, str)]
                told_anyway = any(leaf in other for other in said)
                if not told_anyway and written(leaf)[1:-1] in text:
                    # The same word can stand in the body for another reason: then another state changes nothing.
                    other, _ = encode(target, kind, edited(canonical, path, leaf + "x"))
                    assert written(other) == text, (line["id"], pointer(path))
                assert any(pointer(path) == one or pointer(path).startswith(one + "/") for one in lost), line["id"]
    assert seen or source in _WITHOUT_STATE


SIGNED: Final[list[dict[str, Any]]] = [
    {"type": "thinking", "thinking": "Let me look.", "signature": "c2lnbmVkLWJ5LWNsYXVkZQ=="},
    {"type": "redacted_thinking", "data": "aGlkZGVuLWJ5LWNsYXVkZQ=="},
    {"type": "thinking", "thinking": "Now the answer.", "signature": "c2lnbmVkLWFnYWlu"},
]


def test_a_mixed_history_keeps_the_signatures_of_claude_for_claude() -> None:
    # One turn was Claude's, the rest of the conversation came from elsewhere.
    turn = {"id": "m", "type": "message", "role": "assistant", "model": "m", "stop_reason": "tool_use"}
    call = {"type": "tool_use", "id": "toolu_1", "name": "look", "input": {}}
    answer = decode("claude", "response", {**turn, "content": [*SIGNED, {"type": "text", "text": "Wait."}, call]})
    request = decode("openai_chat", "request", {"model": "m", "messages": [{"role": "user", "content": "Well?"}]})
    history = [*request["messages"], *answer["messages"], {"role": "tool", "call_id": "toolu_1", "content": "Here."}]
    mixed = {**request, "messages": history}

    body, losses = encode("claude", "request", mixed)
    assert body["messages"][1]["content"] == [*SIGNED, {"type": "text", "text": "Wait."}, call]
    assert [loss for loss in losses if loss.severity == "lost"] == []

    body, losses = encode("openai_chat", "request", mixed)
    assert not any(
        word in written(body) for block in SIGNED for word in (block.get("signature"), block.get("data")) if word
    )
    assert {loss.path for loss in losses} >= {"/messages/1/reasoning", "/messages/1/extra/claude"}
