"""Results and calls that one client of two gives ids: each result answers its call, with the same id or none."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il

# Gemini CLI: calls of Gemini 2.5 have no ids, results have ids of the client's own, in any order.
CLIENT_IDS: Final[dict[str, Any]] = {
    "contents": [
        {"role": "user", "parts": [{"text": "q"}]},
        {
            "role": "model",
            "parts": [{"functionCall": {"name": "f", "args": {"a": "1"}}}, {"functionCall": {"name": "g", "args": {}}}],
        },
        {
            "role": "user",
            "parts": [
                {"functionResponse": {"id": "g-1", "name": "g", "response": {"output": "G"}}},
                {"functionResponse": {"id": "f-1", "name": "f", "response": {"output": "F"}}},
            ],
        },
    ]
}
TARGETS: Final = [
    ("openai_chat", "gpt-5.2"),
    ("openai_responses", "gpt-5.2"),
    ("claude", "claude-sonnet-4-5"),
    ("bedrock_converse", "us.anthropic.claude-sonnet-4-5-20250929-v1:0"),
]


def answered(target: str, body: dict[str, Any]) -> dict[str, str]:
    """Return what each function gave, by the ids that calls and results share."""
    request = il.decode_request(body, il.dialect(target)).model_dump(mode="json", exclude_none=True)
    names = {call["id"]: call["name"] for one in request["messages"] for call in one.get("tool_calls", ())}
    results = [one for one in request["messages"] if one["role"] == "tool"]
    said = {}
    for one in results:
        content = one["content"]
        said[names[one.get("call_id") or one["id"]]] = content if isinstance(content, str) else content[0]["text"]
    return said


@pytest.mark.parametrize(("target", "model"), TARGETS)
def test_a_result_with_an_unknown_id_is_matched_by_name(target: il.Dialect, model: str) -> None:
    encoded = il.translate_request(CLIENT_IDS, "gemini", target, model=model)
    assert answered(target, encoded.body) == {"f": "F", "g": "G"}
    assert il.check_request(encoded.body, target) == []
    told = {loss.path: loss.severity for loss in encoded.losses}
    assert (told["/messages/2/call_id"], told["/messages/3/call_id"]) == ("changed", "changed")


def test_within_gemini_result_ids_are_unchanged() -> None:
    assert il.translate_request(CLIENT_IDS, "gemini", "gemini").body == CLIENT_IDS


def test_an_unmatched_result_keeps_its_id_if_all_calls_have_ids() -> None:
    call = {"id": "a", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    messages = [
        {"role": "user", "content": "q"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "b", "content": "x"},
    ]
    encoded = il.translate_request({"model": "m", "messages": messages}, "openai_chat", "claude")
    assert encoded.body["messages"][2]["content"][0]["tool_use_id"] == "b"


@pytest.mark.parametrize(("target", "model"), TARGETS)
@pytest.mark.parametrize("of_calls", ["", "given"])
@pytest.mark.parametrize("of_results", ["", None])
def test_an_empty_id_is_none(of_calls: str, of_results: str | None, target: il.Dialect, model: str) -> None:
    # Ollama reads no ids, and some clients of it always write the member.
    calls = [{"id": of_calls and f"call_{name}", "function": {"name": name, "arguments": {}}} for name in ("f", "g")]
    linked = {} if of_results is None else {"tool_call_id": of_results}
    results = [{"role": "tool", "tool_name": name, "content": name.upper(), **linked} for name in ("g", "f")]
    asked = {"role": "assistant", "content": "", "tool_calls": calls}
    body = {"model": "m", "messages": [{"role": "user", "content": "q"}, asked, *results]}
    encoded = il.translate_request(body, "ollama", target, model=model)
    assert answered(target, encoded.body) == {"f": "F", "g": "G"}
    assert il.check_request(encoded.body, target) == []
    assert il.translate_request(body, "ollama", "ollama").body == body


def test_an_empty_name_of_a_result_is_none() -> None:
    call = {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    asked = {"role": "assistant", "content": None, "tool_calls": [call]}
    result = {"role": "tool", "tool_call_id": "c", "name": "", "content": "F"}
    body = {"model": "m", "messages": [{"role": "user", "content": "q"}, asked, result]}
    encoded = il.translate_request(body, "openai_chat", "gemini", model="gemini-2.5-flash")
    assert encoded.body["contents"][2]["parts"][0]["functionResponse"]["name"] == "f"


@pytest.mark.parametrize("with_ids", [True, False])
def test_either_all_results_for_gemini_have_the_ids_of_their_calls_or_none(with_ids: bool) -> None:
    # Clients of Ollama answer by the name of the tool, or in the order of the calls.
    ids = [{"id": "call_a"}, {"id": "call_b"}] if with_ids else [{}, {}]
    calls = [{**one, "function": {"name": "w", "arguments": {}}} for one in ids]
    body = {
        "model": "m",
        "messages": [
            {"role": "user", "content": "x"},
            {"role": "assistant", "content": "", "tool_calls": calls},
            {"role": "tool", "content": "1", "tool_name": "w"},
            {"role": "tool", "content": "2", "tool_name": "w"},
        ],
    }
    encoded = il.translate_request(body, "ollama", "gemini", model="gemini-3.7-flash")
    [_, asked, said] = encoded.body["contents"]
    sent = [part["functionCall"].get("id") for part in asked["parts"]]
    assert sent == [part["functionResponse"].get("id") for part in said["parts"]] == [one.get("id") for one in ids]
    assert [part["functionResponse"]["response"] for part in said["parts"]] == [{"output": "1"}, {"output": "2"}]
    told = {loss.path: loss.severity for loss in encoded.losses}
    assert [told.get(f"/messages/{at}/call_id") for at in (2, 3)] == (["filled"] * 2 if with_ids else [None] * 2)


def test_result_ids_without_call_ids_are_not_written_for_gemini() -> None:
    body = {
        "model": "m",
        "messages": [
            {"role": "user", "content": "x"},
            {"role": "assistant", "content": "", "tool_calls": [{"function": {"name": "w", "arguments": {}}}]},
            {"role": "tool", "content": "1", "tool_call_id": "made_up"},
        ],
    }
    encoded = il.translate_request(body, "ollama", "gemini", model="gemini-3.7-flash")
    [_, asked, said] = encoded.body["contents"]
    assert "id" not in asked["parts"][0]["functionCall"]
    assert said["parts"][0]["functionResponse"] == {"name": "w", "response": {"output": "1"}}


@pytest.mark.parametrize(
    ("address", "is_sent"),
    [("s3://bucket/a.png", False), ("https://example.org/a.png", True), ("gs://bucket/a.png", True)],
)
def test_gemini_gets_urls_that_it_fetches(address: str, is_sent: bool) -> None:
    url = {"type": "image_url", "image_url": {"url": address}}
    body = {"model": "m", "messages": [{"role": "user", "content": [url, {"type": "text", "text": "x"}]}]}
    encoded = il.translate_request(body, "openai_chat", "gemini", model="gemini-3-pro-preview")
    assert ("fileData" in str(encoded.body)) is is_sent
    assert {loss.path: loss.severity for loss in encoded.losses}.get("/messages/0/content/0") == (
        None if is_sent else "lost"
    )
