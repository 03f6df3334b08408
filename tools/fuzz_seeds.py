"""The seed inputs of a fuzzing session: the vectors of the schema, written in every dialect, and earlier findings."""

# JSON of any shape: narrowing leaves the member types unknown.
# pyright: reportUnknownMemberType=none, reportUnknownArgumentType=none, reportUnknownVariableType=none
from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from fuzz_judge import DIALECTS
from interlingua.loss import LossLog
from interlingua.registry import room
from interlingua_types import CURRENT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fuzz_judge import Kind

ROOT: Final = Path(__file__).resolve().parents[1]
FOUND: Final = ROOT / "tests" / "vectors" / "fuzz"
BUNDLE: Final = ROOT / "generated" / "interlingua_types" / f"v{CURRENT}" / "schema.json"


def examples(name: str) -> list[Any]:
    """Return the examples in a definition of the schema."""
    definitions = json.loads(BUNDLE.read_text(encoding="utf-8"))["$defs"]
    found: list[Any] = definitions[name].get("examples", [])
    return found


def conversation() -> dict[str, Any]:
    """Return a request with every example of every kind of message, part and tool."""
    definitions = json.loads(BUNDLE.read_text(encoding="utf-8"))["$defs"]
    messages = [example for name in sorted(definitions) if name.endswith("ChatMessage") for example in examples(name)]
    parts = [example for name in sorted(definitions) if name.endswith("Part") for example in examples(name)]
    tools = [*examples("ToolDefinition"), *examples("OpaqueTool")]
    return {"messages": [*messages, {"role": "user", "content": parts}], "tools": tools}


def seeds() -> Iterator[tuple[str, Kind, Any]]:
    """Yield dialect, kind and wire value of each seed."""
    events: list[Any] = [
        {"type": "start"},
        *(event for name in _event_names() for event in examples(name) if name != "StartEvent"),
    ]
    requests = [*examples("ChatRequest"), conversation()]
    for dialect in DIALECTS:
        speaker: Any = room(dialect)
        for request in requests:
            body = speaker.encode_request(request, LossLog())
            yield dialect, "request", body
            yield dialect, "check", body
        for response in examples("ChatResponse"):
            yield dialect, "response", speaker.encode_response(response, LossLog())
        writer = speaker.encode_stream(LossLog())
        yield dialect, "stream", [frame for event in events for frame in writer.feed(event)] + writer.close()
    for path in sorted(FOUND.glob("*.json")):
        found = json.loads(path.read_text(encoding="utf-8"))
        yield found["dialect"], found["kind"], found["value"]


def _event_names() -> list[str]:
    names = json.loads(BUNDLE.read_text(encoding="utf-8"))["$defs"]
    order = ("Content", "Reasoning", "ToolCallStart", "ToolCallDelta", "BlockEnd", "Usage", "Finish", "End")
    return [f"{one}Event" for one in order if f"{one}Event" in names]
