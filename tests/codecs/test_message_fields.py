"""The members of 002: each is read as a chat message, and goes through the stored form of today and back."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il

Json = dict[str, Any]

ROLES: Final = ("system", "developer", "user", "assistant", "tool")
TEXT: Final = {"type": "text", "text": "Look."}
SOURCES: Final = ({"url": "https://example.com/a"}, {"data": "AAAA"}, {"file_id": "file-1"})
FORMATS: Final = {"image": "image/png", "audio": "audio/wav", "file": "application/pdf"}
FILES: Final[list[Json]] = [
    {"type": kind, **more, **source}
    for kind, format_ in FORMATS.items()
    for source in SOURCES
    for more in ({}, {"format": format_, "name": "a"})
]
CALL: Final[Json] = {"name": "f", "arguments": '{ "a" : 1.0 }'}
OTHERS: Final[Json] = {
    "acme": {"kept": [1, None, {"as": "it is"}]},
    "claude": {"thinking_blocks": [{"type": "thinking", "signature": "c2ln"}]},
}


def says(role: str, content: Any = "x", **members: Any) -> Json:
    return {"role": role, "content": content, **members}


SAID: Final[dict[str, list[Json]]] = {
    "MAP-1.1": [says(role) for role in ROLES],
    "MAP-1.2": [says(role, content) for role in ROLES for content in ("", "Hi", [TEXT], [TEXT, TEXT])],
    "MAP-1.3": [says("assistant", reasoning=thought) for thought in ("Hm.", [TEXT, TEXT])],
    "MAP-1.4": [says("assistant", refusal=refusal) for refusal in ("No.", [TEXT, TEXT])],
    "MAP-1.5": [says("assistant", tool_calls=[{**CALL, "id": f"call_{index}"} for index in range(3)])],
    "MAP-1.6": [says(role, id="m1") for role in ROLES if role != "tool"] + [says("tool", call_id="call_1", id="m1")],
    "MAP-1.7": [says("tool", call_id="call_1"), says("tool", call_id="call_1", id="m1")],
    "MAP-1.8": [says(role, name="ada") for role in ROLES],
    "MAP-1.9": [says(role, extra={name: value}) for role in ROLES for name, value in OTHERS.items()],
    "MAP-2.1": [says("user", [TEXT, *({"type": kind, "data": "AAAA"} for kind in FORMATS)])],
    "MAP-2.2": [says("user", [part]) for part in FILES],
    "MAP-3.1": [
        says("assistant", tool_calls=[{**CALL, **ids}])
        for ids in ({}, {"id": "call_1"}, {"call_id": "c"}, {"id": "call_1", "call_id": "c"})
    ],
}


@pytest.mark.parametrize(
    "document",
    [
        pytest.param(document, id=f"{name}-{index}", marks=pytest.mark.requirement(name))
        for name, documents in SAID.items()
        for index, document in enumerate(documents)
    ],
)
def test_every_member_of_002_round_trips(document: Json) -> None:
    assert il.chat.load(document).model_dump(mode="json") == document
    stored = il.upgrade([document], version=2).documents
    (message,) = il.to_chat(il.load_messages(stored).messages)
    told = {name: value for name, value in document.items() if name != "id"}  # the id is the stored message's own
    assert message.model_dump(mode="json") == told
    assert stored[0].get("id") == document.get("id")
    lowered = il.downgrade(stored, to=2)
    assert lowered.documents == [document]
    assert lowered.losses == ()
