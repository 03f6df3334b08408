"""The measured bodies: the examples of the documentation, bodies derived from them, and the corpus if it is available.

The corpus is outside the repository, in the folder in `INTERLINGUA_CORPUS` or in `../shared/corpus` beside the
checkout, as for the tests.
"""

from __future__ import annotations

import itertools
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import orjson

ROOT: Final = Path(__file__).resolve().parents[2]
EXAMPLES: Final = ROOT / "docs" / "examples"
SAMPLE: Final = 40
# The maximum number of frames of a short stream: most of its cost is what happens once per stream.
SHORT: Final = 20
_WORDS: Final = ("The ", "totals ", "are ", "floats", ", so ", "a cent ", "is lost ", "now and ", "then. ")


def example(name: str) -> bytes:
    """Return an example as bytes."""
    return orjson.dumps(orjson.loads((EXAMPLES / f"{name}.json").read_bytes()))


def conversation(count: int) -> bytes:
    """Return the agent's request with that many messages: its turns repeated, each time with new ids."""
    body = orjson.loads(example("agent_request"))
    system, *turns = body["messages"]
    text = orjson.dumps(turns).decode()
    messages: list[Any] = [system]
    for again in itertools.count():
        messages += orjson.loads(text.replace('"call_', f'"call_{again}_'))
        if len(messages) >= count:
            break
    return orjson.dumps({**body, "messages": messages[:count]})


def stored(count: int) -> list[dict[str, Any]]:
    """Return that many stored messages of version 1: the agent's conversation in the oldest format."""
    documents: list[dict[str, Any]] = []
    for message in orjson.loads(conversation(count))["messages"]:
        document: dict[str, Any] = {"role": message["role"], "content": message.get("content")}
        if "tool_calls" in message:
            document["tool_calls"] = [_flat(call) for call in message["tool_calls"]]
        if "tool_call_id" in message:
            document["tool_call_id"] = message["tool_call_id"]
        documents.append(document)
    return documents


def _flat(call: dict[str, Any]) -> dict[str, Any]:
    function = call["function"]
    return {"id": call["id"], "name": function["name"], "arguments": orjson.loads(function["arguments"])}


def claude_stream(deltas: int) -> list[dict[str, Any]]:
    """Return the frames of a Claude answer: a text of that many deltas, then a call."""
    usage = {"input_tokens": 100, "output_tokens": 1}
    answer: dict[str, Any] = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude-sonnet-4-5",
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": usage,
    }
    call: dict[str, Any] = {"type": "tool_use", "id": "toolu_1", "name": "read_file", "input": {}}
    words = itertools.islice(itertools.cycle(_WORDS), deltas)
    return [
        {"type": "message_start", "message": answer},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        *({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": word}} for word in words),
        {"type": "content_block_stop", "index": 0},
        {"type": "content_block_start", "index": 1, "content_block": call},
        *(
            {"type": "content_block_delta", "index": 1, "delta": {"type": "input_json_delta", "partial_json": piece}}
            for piece in ('{"path": ', '"src/invoice/tax.py"', "}")
        ),
        {"type": "content_block_stop", "index": 1},
        {
            "type": "message_delta",
            "delta": {"stop_reason": "tool_use", "stop_sequence": None},
            "usage": {"output_tokens": 50},
        },
        {"type": "message_stop"},
    ]


def large_conversation(size: int) -> bytes:
    """Return the agent's request with about sixty messages whose results are files, with that many bytes in all."""
    body = orjson.loads(conversation(60))
    results = [message for message in body["messages"] if message["role"] == "tool"]
    for message in results:
        text = str(message["content"])
        message["content"] = text * max(1, size // len(results) // len(text))
    return orjson.dumps(body)


def small_answer() -> bytes:
    """Return an answer of Claude of about 500 bytes, with two calls."""
    body = orjson.loads(example("claude_weather_response"))
    call = {"type": "tool_use", "id": "toolu_2", "name": "get_time", "input": {"zone": "Europe/Paris"}}
    return orjson.dumps({**body, "content": [*body["content"], call]})


def corpus(folder: str, kind: str) -> list[bytes]:
    """Return bodies of the corpus, evenly selected from all of a kind; nothing without a corpus."""
    found = [json.dumps(line["body"]).encode() for line in _recorded(folder, kind)]
    return found[:: max(1, len(found) // SAMPLE)][:SAMPLE]


def short_streams(folder: str) -> list[list[bytes]]:
    """Return the frames of all short streams in a folder of the corpus; nothing without a corpus."""
    found = [[orjson.dumps(event["data"]) for event in line["events"]] for line in _recorded(folder, "stream")]
    return [frames for frames in found if len(frames) <= SHORT]


def _recorded(folder: str, kind: str) -> Iterator[dict[str, Any]]:
    named = os.environ.get("INTERLINGUA_CORPUS")
    path = (Path(named) if named else ROOT.parent / "shared" / "corpus") / "dev" / folder / f"{kind}.jsonl"
    for line in path.read_text(encoding="utf-8").split("\n")[:-1] if path.is_file() else ():
        recorded = json.loads(line)
        if recorded.get("response_status", 200) < 400:
            yield recorded
