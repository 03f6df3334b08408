"""Law 6 for clients of other dialects: what a provider signed comes back to it with the client's next request.

The client is one that sends back the message that it got, or that the official client made of the chunks.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

import pytest
from openai.lib.streaming._deltas import accumulate_delta

import interlingua as il
from interlingua.carried_signatures import MARKS
from interlingua.registry import room
from interlingua.streaming import gather
from support import corpus
from support.rooms import ROWS, decode
from support.streams import frames, read

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = [pytest.mark.corpus, pytest.mark.laws]

ASKED: Final[dict[str, Any]] = {"model": "m", "messages": [{"role": "user", "content": "Go."}]}
MAKERS: Final = ("claude", "gemini", "openai_responses")
# Clients that keep what other providers signed where their own provider's signatures stand, and those providers.
SEALING: Final = (
    ("claude", "gemini"),
    ("claude", "openai_responses"),
    ("gemini", "bedrock_converse"),
    ("gemini", "claude"),
    ("gemini", "openai_responses"),
    ("openai_responses", "bedrock_converse"),
    ("openai_responses", "claude"),
    ("openai_responses", "gemini"),
)
OPENING: Final[dict[str, dict[str, Any]]] = {
    "claude": {**ASKED, "max_tokens": 90, "tools": [{"name": "look_up", "input_schema": {"type": "object"}}]},
    "gemini": {"contents": [{"role": "user", "parts": [{"text": "Go."}]}]},
    "openai_responses": {"model": "m", "input": ASKED["messages"]},
}
BLOCKS: Final = frozenset({"claude", "bedrock_converse"})


def state(messages: Any, maker: str) -> list[Any]:
    """Return what a maker signed or encrypted in the messages of an answer, with what it signed."""
    found: list[Any] = []
    for message in messages:
        bag = message.get("extra", {}).get(maker, {})
        texts = message.get("reasoning", [])
        said = [texts] if isinstance(texts, str) else [part["text"] for part in texts if part["type"] == "text"]
        if maker in BLOCKS:
            thoughts = iter(said)
            for block in bag.get("thinking_blocks", ()):
                text = next(thoughts) if block["type"] == "thinking" else ""
                found.append((text, block.get("signature"), block.get("data")))
        elif maker == "gemini":
            found += [("tool_calls" in one["at"], one["signature"]) for one in bag.get("thought_signatures", ())]
        elif bag.get("reasoning", {}).get("encrypted_content"):
            held = bag["reasoning"]
            found.append((held.get("id"), held["encrypted_content"], said, held.get("content", 0)))
    return found


def is_carried(signed: list[Any], maker: str) -> bool:
    """Tell whether a message of Chat Completions can carry it: it has one text, and one reasoning item of Responses."""
    if maker in BLOCKS:
        return all(signature or data for _, signature, data in signed)  # a server that signs nothing
    if maker == "gemini":
        return sum(not is_call for is_call, _ in signed) <= 1
    return len(signed) == 1


def recorded(maker: str, kind: str) -> Iterator[tuple[str, Any]]:
    row = ROWS[maker]
    for folder in (row.folder, *row.compatible):
        for line in corpus.lines(folder, kind):
            if line["id"] not in row.unreadable and line["id"] not in row.unstreamable:
                yield line["id"], line


def sent_back(message: dict[str, Any], maker: str) -> list[Any]:
    """Return what of it reaches the maker with the next request of the client."""
    kept = {name: value for name, value in message.items() if value is not None}
    for call in kept.get("tool_calls", ()):
        call.pop("index", None)
    results = [{"role": "tool", "tool_call_id": call["id"], "content": "done"} for call in kept.get("tool_calls", ())]
    history = [*ASKED["messages"], kept, *results, {"role": "user", "content": "And?"}]
    request = {**ASKED, "messages": history}
    home = il.encode_request(il.decode_request(request, "openai_chat"), "openai_chat")
    assert (home.body, home.losses) == (request, ())
    body = il.exchange(request, "openai_chat", maker).body  # type: ignore[arg-type]  # a name of the table
    return state(decode(maker, "request", body)["messages"], maker)


@pytest.mark.parametrize("maker", MAKERS)
def test_signatures_of_an_answer_come_back_with_the_next_request(maker: Any) -> None:
    seen = 0
    for identifier, line in recorded(maker, "response"):
        signed = state(decode(maker, "response", line["body"])["messages"], maker)
        if not signed or not is_carried(signed, maker):
            continue
        told = il.exchange(ASKED, "openai_chat", maker).response(line["body"])
        assert sent_back(told.body["choices"][0]["message"], maker) == signed, identifier
        seen += 1
    assert seen > 10


@pytest.mark.parametrize("maker", MAKERS)
def test_signatures_of_a_stream_come_back_with_the_next_request(maker: Any) -> None:
    seen = 0
    for identifier, line in recorded(maker, "stream"):
        came = frames(line)
        events = read(maker, came)
        if not events[-1]["complete"] or sum(event["type"] == "start" for event in events) > 1:
            continue
        signed = state(gather(events, refused=False)["messages"], maker)
        if not signed or not is_carried(signed, maker):
            continue
        message: Any = {}
        for chunk in il.exchange(ASKED, "openai_chat", maker).stream(came):
            for choice in chunk["choices"] if isinstance(chunk, dict) else ():
                if choice["index"] == 0:
                    message = accumulate_delta(message, json.loads(json.dumps(choice["delta"])))
        assert _of_its_item(sent_back(message, maker), came, maker) == _of_its_item(signed, came, maker), identifier
        seen += 1
    assert seen > 10


def _of_its_item(signed: list[Any], came: list[Any], maker: str) -> list[Any]:
    """Return what was signed; the last frame of Responses encrypts anew what its item said before: both are good."""
    if maker != "openai_responses":
        return signed
    ended = "response.output_item.done"
    items: list[Any] = [frame["item"] for frame in came if frame != "[DONE]" and frame.get("type") == ended]
    last: list[Any] = room(maker).assemble_stream(came)["output"]
    known: set[str] = {item["encrypted_content"] for item in (*items, *last) if item.get("encrypted_content")}
    return [(identifier, encrypted in known, *others) for identifier, encrypted, *others in signed]


def sealed_and_sent_back(content: list[Any], client: str, maker: str) -> list[Any]:
    """Return what of an answer reaches the maker with the next request of a client that seals it."""
    opening = OPENING[client]
    history: list[Any]
    if client == "claude":
        calls = [block["id"] for block in content if block["type"] == "tool_use"]
        results = [{"type": "tool_result", "tool_use_id": call, "content": "done"} for call in calls]
        said = [*results, {"type": "text", "text": "And?"}]
        history = [{"role": "assistant", "content": content}] if content else []
        request = {**opening, "messages": [*opening["messages"], *history, {"role": "user", "content": said}]}
    elif client == "gemini":
        names = [part["functionCall"]["name"] for part in content if "functionCall" in part]
        results = [{"functionResponse": {"name": name, "response": {"output": "done"}}} for name in names]
        kept = [part for part in content if not part.get("thought")]  # Gemini CLI sends no thoughts back
        said = [{"role": "model", "parts": kept}, {"role": "user", "parts": results}]
        request = {**opening, "contents": [*opening["contents"], *said]}
    else:
        calls = [item["call_id"] for item in content if item["type"] == "function_call"]
        results = [{"type": "function_call_output", "call_id": call, "output": "done"} for call in calls]
        request = {**opening, "input": [*opening["input"], *content, *results, {"role": "user", "content": "And?"}]}
    home = il.encode_request(il.decode_request(request, client), client)  # type: ignore[arg-type]  # a name of the table
    assert (home.body, home.losses) == (request, ())
    at_home = il.exchange(request, client, client).body  # type: ignore[arg-type]  # as above
    assert any(mark in json.dumps(request) for mark in MARKS)
    assert not any(mark in json.dumps(at_home) for mark in MARKS)
    body = il.exchange(request, client, maker).body  # type: ignore[arg-type]  # as above
    return state(decode(maker, "request", body)["messages"], maker)


def reaching(signed: list[Any], maker: str) -> list[Any]:
    """Return what of it can reach the maker, where the client sees no searches and no pictures of Gemini's or OpenAI's.

    Of Gemini that is what it signed of calls.
    """
    return [one for one in signed if one[0]] if maker == "gemini" else signed


def without_words(signed: list[Any], client: str, maker: str) -> list[Any]:
    """Return reasoning items as clients of Gemini send them back: encrypted alone, since they keep no thoughts."""
    if (client, maker) != ("gemini", "openai_responses"):
        return signed
    return [(identifier, encrypted) for identifier, encrypted, *_ in signed]


def carried_by(client: str, messages: list[Any]) -> list[Any]:
    """Return the messages whose state a client carries: those of Gemini carry it with calls."""
    return [message for message in messages if client != "gemini" or message.get("tool_calls")]


def content_of(body: dict[str, Any], client: str) -> list[Any]:
    place: Any = body["candidates"][0]["content"] if client == "gemini" else body
    return place[{"claude": "content", "gemini": "parts"}.get(client, "output")]  # type: ignore[no-any-return]  # JSON


@pytest.mark.parametrize(("client", "maker"), SEALING)
def test_signatures_of_an_answer_come_back_from_clients_that_keep_signatures(client: Any, maker: Any) -> None:
    seen = 0
    for identifier, line in recorded(maker, "response"):
        messages = carried_by(client, decode(maker, "response", line["body"])["messages"])
        signed = reaching(state(messages, maker), maker)
        if not signed or (maker in BLOCKS and not is_carried(signed, maker)):
            continue
        content = content_of(il.exchange(OPENING[client], client, maker).response(line["body"]).body, client)
        if maker == "openai_responses" and content[-1].get("type") in {"thinking", "redacted_thinking"}:
            continue  # OpenAI refuses reasoning of which nothing came, and what did, Claude's clients do not see
        back = sealed_and_sent_back(content, client, maker)
        assert without_words(reaching(back, maker), client, maker) == without_words(signed, client, maker), identifier
        seen += 1
    assert seen > (0 if client == "gemini" else 10)  # few recorded answers of Claude have calls


@pytest.mark.parametrize(("client", "maker"), SEALING)
def test_signatures_of_a_stream_come_back_from_clients_that_keep_signatures(client: Any, maker: Any) -> None:
    seen = 0
    for identifier, line in recorded(maker, "stream"):
        came = frames(line)
        events = read(maker, came)
        if not events[-1]["complete"] or sum(event["type"] == "start" for event in events) > 1:
            continue
        signed = state(carried_by(client, gather(events, refused=False)["messages"]), maker)
        signed = reaching(signed, maker)
        if not signed or (maker in BLOCKS and not is_carried(signed, maker)):
            continue
        told = list(il.exchange(OPENING[client], client, maker).stream(came))
        back = sealed_and_sent_back(content_of(room(client).assemble_stream(told), client), client, maker)
        back, signed = (without_words(one, client, maker) for one in (reaching(back, maker), signed))
        assert _of_its_item(back, came, maker) == _of_its_item(signed, came, maker), identifier
        seen += 1
    assert seen > (1 if client == "gemini" else 5)
