"""The eighteen traps of conversion (docs/wire/index.md), each by its number: what must not break or get lost."""

from __future__ import annotations

import re
from typing import Any, Final

import pytest

import interlingua as il

Body = dict[str, Any]

ASKED: Final[Body] = {"role": "user", "content": "Hi"}
EVERY: Final = ("openai_chat", "openai_responses", "claude", "gemini", "ollama", "vllm")


def chat(*messages: Body, **members: Any) -> Body:
    return {"model": "m", "messages": [ASKED, *messages], **members}


def claude(*messages: Body, **members: Any) -> Body:
    return {"model": "m", "max_tokens": 99, "messages": [ASKED, *messages], **members}


def chat_call(arguments: str, identifier: str = "call_1", name: str = "f") -> Body:
    return {"id": identifier, "type": "function", "function": {"name": name, "arguments": arguments}}


def chat_answer(message: Body, reason: str = "stop") -> Body:
    choice = {"index": 0, "message": {"role": "assistant", **message}, "finish_reason": reason}
    return {"id": "i", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}


def claude_answer(*content: Body, **members: Any) -> Body:
    told = {"id": "i", "type": "message", "role": "assistant", "model": "m", "content": list(content)}
    return {**told, "stop_reason": "end_turn", "stop_sequence": None, **members}


def claude_result(content: Any, **members: Any) -> Body:
    called = {"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "f", "input": {"a": 1}}]}
    result = {"type": "tool_result", "tool_use_id": "t1", "content": content, **members}
    return claude(called, {"role": "user", "content": [result]})


def sent(body: Body, source: str, target: str) -> tuple[Body, set[str]]:
    """Return a request as another dialect has it, and what did not come along as it was."""
    encoded = il.translate_request(body, source, target)
    return encoded.body, {loss.path for loss in encoded.losses if loss.severity != "filled"}


def answered(body: Body, source: str, target: str) -> tuple[Body, set[str]]:
    """Return a response as another dialect has it, and what did not come along as it was."""
    encoded = il.translate_response(body, source, target)
    return encoded.body, {loss.path for loss in encoded.losses if loss.severity != "filled"}


def all_objects(value: Any) -> list[Body]:
    """Return every object inside a body."""
    if isinstance(value, dict):
        return [value, *(found for inner in value.values() for found in all_objects(inner))]
    return [found for inner in value for found in all_objects(inner)] if isinstance(value, list) else []


def members(body: Any, name: str) -> list[Any]:
    """Return what a member holds wherever it stands in a body."""
    return [found[name] for found in all_objects(body) if name in found]


@pytest.mark.parametrize(("dialect", "member"), [("claude", "input"), ("gemini", "args"), ("ollama", "arguments")])
def test_trap_1_arguments_are_text_or_an_object_and_invalid_text_is_reported(dialect: str, member: str) -> None:
    def called(arguments: str) -> Body:
        return chat({"role": "assistant", "content": None, "tool_calls": [chat_call(arguments)]})

    faithful, lost = sent(called('{"a": 1.0, "b": [2]}'), "openai_chat", dialect)
    assert members(faithful, member) == [{"a": 1.0, "b": [2]}]
    assert not {path for path in lost if "arguments" in path}
    wrapped, lost = sent(called("no object"), "openai_chat", dialect)
    assert members(wrapped, member)[0] == {"arguments": "no object"}
    assert "/messages/1/tool_calls/0/arguments" in lost
    for target in ("openai_chat", "openai_responses"):
        assert members(sent(called('{"a": 1.0}'), "openai_chat", target)[0], "arguments") == ['{"a": 1.0}']


def test_trap_2_results_are_placed_as_each_dialect_requires_with_id_or_name() -> None:
    calls = [chat_call("{}", "call_1", "look"), chat_call("{}", "call_2", "read")]
    results = [{"role": "tool", "tool_call_id": f"call_{at}", "content": text} for at, text in ((1, "one"), (2, "two"))]
    body = chat({"role": "assistant", "content": None, "tool_calls": calls}, *results)
    assert sent(body, "openai_chat", "openai_responses")[0]["input"][-2:] == [
        {"type": "function_call_output", "call_id": "call_1", "output": "one"},
        {"type": "function_call_output", "call_id": "call_2", "output": "two"},
    ]
    assert sent(body, "openai_chat", "claude")[0]["messages"][-1] == {
        "role": "user",
        "content": [
            {"type": "tool_result", "tool_use_id": "call_1", "content": "one"},
            {"type": "tool_result", "tool_use_id": "call_2", "content": "two"},
        ],
    }
    answers = sent(body, "openai_chat", "gemini")[0]["contents"][-1]["parts"]
    assert [part["functionResponse"]["name"] for part in answers] == ["look", "read"]
    assert [part["functionResponse"]["response"] for part in answers] == [{"output": "one"}, {"output": "two"}]
    told = sent(body, "openai_chat", "ollama")[0]["messages"][-2:]
    assert [(one["role"], one["tool_name"], one["content"]) for one in told] == [
        ("tool", "look", "one"),
        ("tool", "read", "two"),
    ]
    # And back from where one message holds all of them.
    assert sent(sent(body, "openai_chat", "claude")[0], "claude", "openai_chat")[0]["messages"][-2:] == results


def test_trap_3_an_error_flag_is_written_where_it_exists_and_reported_elsewhere() -> None:
    body = claude_result("it broke", is_error=True)
    gemini, lost = sent(body, "claude", "gemini")
    assert members(gemini, "functionResponse")[0]["response"] == {"error": "it broke"}
    assert "/messages/2/is_error" not in lost
    assert members(sent(gemini, "gemini", "claude")[0], "is_error") == [True]
    for target in ("openai_chat", "openai_responses", "ollama", "vllm"):
        written, lost = sent(body, "claude", target)
        assert "/messages/2/is_error" in lost
        assert "it broke" in str(written)


def test_trap_4_an_image_in_a_result_follows_it_where_results_have_only_text() -> None:
    data = "iVBORw0KGgo="
    picture = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": data}}
    body = claude_result([{"type": "text", "text": "see"}, picture])
    written, lost = sent(body, "claude", "openai_chat")
    assert data not in str([one for one in written["messages"] if one["role"] == "tool"])
    assert written["messages"][-1]["content"][-1]["image_url"]["url"] == f"data:image/png;base64,{data}"
    assert "/messages/2/content" in lost
    output = sent(body, "claude", "openai_responses")[0]["input"][-1]["output"]
    assert output[1] == {"type": "input_image", "image_url": f"data:image/png;base64,{data}"}
    parts = members(sent(body, "claude", "gemini")[0], "functionResponse")[0]["parts"]
    assert parts == [{"inlineData": {"mimeType": "image/png", "data": data}}]
    for target in ("openai_responses", "gemini"):
        assert not [path for path in sent(body, "claude", target)[1] if path.startswith("/messages/2/content")]


def test_trap_5_encrypted_reasoning_is_sent_only_to_its_maker() -> None:
    thinking = {"type": "thinking", "thinking": "Hm.", "signature": "sealed-1"}
    redacted = {"type": "redacted_thinking", "data": "sealed-2"}
    body = claude({"role": "assistant", "content": [thinking, redacted, {"type": "text", "text": "Yes."}]}, ASKED)
    assert sent(body, "claude", "claude") == (body, set())
    for target in EVERY:
        if target == "claude":
            continue
        written, lost = sent(body, "claude", target)
        assert "sealed" not in str(written)
        assert "/messages/1/extra/claude" in lost
        is_plain = target in ("ollama", "vllm")
        assert ("Hm." in str(written), "/messages/1/reasoning" in lost) == (is_plain, not is_plain)
    item = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "sealed-3"}
    responses = {"model": "m", "input": [ASKED, item, {"role": "assistant", "content": "Yes."}]}
    assert sent(responses, "openai_responses", "openai_responses") == (responses, set())
    assert "sealed" not in str(sent(responses, "openai_responses", "claude")[0])


def test_trap_6_gemini_signatures_stay_on_their_parts() -> None:
    parts = [
        {"text": "Well.", "thoughtSignature": "s1"},
        {"functionCall": {"name": "f", "args": {}}, "thoughtSignature": "s2"},
        {"functionCall": {"name": "g", "args": {}}},
    ]
    body = {"contents": [{"role": "user", "parts": [{"text": "Hi"}]}, {"role": "model", "parts": parts}]}
    message = il.decode_request(body, "gemini").messages[1].model_dump(mode="json")
    assert message["extra"]["gemini"]["thought_signatures"] == [
        {"at": "/content", "signature": "s1"},
        {"at": "/tool_calls/0", "signature": "s2"},
    ]
    assert sent(body, "gemini", "gemini") == (body, set())
    written, lost = sent(body, "gemini", "openai_chat")
    assert "s1" not in str(written)
    assert "/messages/1/extra/gemini" in lost


def test_trap_7_instructions_in_the_middle_are_kept_or_reported() -> None:
    first, later = {"role": "system", "content": "Be kind."}, {"role": "system", "content": "Be brief."}
    said = {"role": "assistant", "content": "Yes."}
    body = {"model": "m", "messages": [first, ASKED, said, later, ASKED]}
    for target in ("ollama", "vllm"):
        written, lost = sent(body, "openai_chat", target)
        assert later in written["messages"]
        assert lost == set()
    written, lost = sent(body, "openai_chat", "claude")
    assert written["messages"][-1]["content"][0] == {"type": "text", "text": "Be brief."}
    assert lost == {"/messages/3/role"}, "Claude takes instructions only between the user and an answer, or last"
    last = {**body, "messages": [first, ASKED, said, ASKED, later]}
    assert sent(last, "openai_chat", "claude")[0]["messages"][-1] == later
    assert sent(body, "openai_chat", "openai_responses")[0]["input"][2] == later
    assert sent(body, "openai_chat", "claude")[0]["system"] == "Be kind."
    written, lost = sent(body, "openai_chat", "gemini")
    assert written["systemInstruction"] == {"parts": [{"text": "Be kind."}]}
    assert written["contents"][-1] == {"role": "user", "parts": [{"text": "Be brief."}, {"text": "Hi"}]}
    assert "/messages/3/role" in lost


def test_trap_8_claude_gets_required_members_and_none_that_it_refuses() -> None:
    called = {"role": "assistant", "content": "", "tool_calls": [chat_call("{}", "call.1:x")]}
    result = {"role": "tool", "tool_call_id": "call.1:x", "content": "ok"}
    body = chat(called, result, temperature=0.5, top_p=0.9)
    written, lost = sent(body, "openai_chat", "claude")
    assert written["max_tokens"] == 4096
    assert not {"temperature", "top_p"} & written.keys()
    assert {"/temperature", "/top_p"} <= lost
    call = written["messages"][1]["content"][0]
    assert call["id"].replace("_", "").isalnum()
    assert written["messages"][2]["content"][0]["tool_use_id"] == call["id"]
    assert il.check_request(written, "claude") == []
    unmended = {
        **written,
        "temperature": 0.5,
        "messages": [{"role": "user", "content": [{"type": "text", "text": ""}]}],
    }
    assert "empty_text" in {violation.code for violation in il.check_request(unmended, "claude")}


CALLED: Final[dict[str, Body]] = {
    "openai_chat": chat_answer({"content": None, "tool_calls": [chat_call("{}")]}, "tool_calls"),
    "vllm": chat_answer({"content": None, "tool_calls": [chat_call("{}")]}),
    "claude": claude_answer({"type": "tool_use", "id": "t", "name": "f", "input": {}}, stop_reason="tool_use"),
    "gemini": {
        "candidates": [
            {
                "content": {"role": "model", "parts": [{"functionCall": {"name": "f", "args": {}}}]},
                "finishReason": "STOP",
            }
        ]
    },
    "ollama": {
        "model": "m",
        "created_at": "2026-01-01T00:00:00Z",
        "message": {"role": "assistant", "content": "", "tool_calls": [{"function": {"name": "f", "arguments": {}}}]},
        "done": True,
        "done_reason": "stop",
    },
    "openai_responses": {
        "id": "r",
        "object": "response",
        "created_at": 1,
        "model": "m",
        "status": "completed",
        "output": [{"type": "function_call", "id": "fc", "call_id": "c", "name": "f", "arguments": "{}"}],
    },
}


@pytest.mark.parametrize("source", EVERY)
def test_trap_9_an_answer_with_calls_has_the_finish_reason_for_calls(source: str) -> None:
    body = CALLED[source]
    assert il.decode_response(body, source).finish_reason == "tool_calls"
    assert answered(body, source, source) == (body, set())
    if source != "openai_chat":
        assert answered(body, source, "openai_chat")[0]["choices"][0]["finish_reason"] == "tool_calls"
    if source != "claude":
        assert answered(body, source, "claude")[0]["stop_reason"] == "tool_use"
    if source != "gemini":
        assert answered(body, source, "gemini")[0]["candidates"][0]["finishReason"] == "STOP"


def test_trap_10_input_includes_cached_and_output_includes_reasoning_tokens() -> None:
    counts = {"input_tokens": 10, "cache_read_input_tokens": 5, "cache_creation_input_tokens": 2, "output_tokens": 4}
    told = claude_answer({"type": "text", "text": "Hello"}, usage=counts)
    written = answered(told, "claude", "openai_chat")[0]["usage"]
    assert (written["prompt_tokens"], written["completion_tokens"], written["total_tokens"]) == (17, 4, 21)
    back = answered({**chat_answer({"content": "Hello"}), "usage": written}, "openai_chat", "claude")[0]["usage"]
    assert back == counts
    metadata = {"promptTokenCount": 7, "candidatesTokenCount": 4, "thoughtsTokenCount": 6, "totalTokenCount": 17}
    content = {"role": "model", "parts": [{"text": "Hello"}]}
    gemini = {"candidates": [{"content": content, "finishReason": "STOP"}], "usageMetadata": metadata}
    written = answered(gemini, "gemini", "openai_chat")[0]["usage"]
    assert (written["prompt_tokens"], written["completion_tokens"], written["total_tokens"]) == (7, 10, 17)
    back = answered({**chat_answer({"content": "Hello"}), "usage": written}, "openai_chat", "gemini")[0]
    assert back["usageMetadata"] == metadata


def test_trap_11_strictness_of_tools_is_translated() -> None:
    function = {"name": "f", "parameters": {"type": "object", "properties": {}}}
    written, _ = sent(chat(tools=[{"type": "function", "function": function}]), "openai_chat", "openai_responses")
    assert written["tools"][0]["strict"] is False
    strict = chat(tools=[{"type": "function", "function": {**function, "strict": True}}])
    assert sent(strict, "openai_chat", "openai_responses")[0]["tools"][0]["strict"] is True
    # "Try strict" is neither: nothing is claimed where the default is another one.
    for tool in ({"strict": None}, {}):
        body = {"model": "m", "input": [ASKED], "tools": [{"type": "function", **function, **tool}]}
        assert sent(body, "openai_responses", "openai_responses") == (body, set())
        assert members(sent(body, "openai_responses", "openai_chat")[0], "strict") == []


def test_trap_12_schemas_are_adapted_to_each_dialect_and_the_rest_reported() -> None:
    plain = {"type": "object", "properties": {"n": {"type": "integer", "minimum": 1}}}
    body = chat(tools=[{"type": "function", "function": {"name": "f", "parameters": plain}}])
    assert members(sent(body, "openai_chat", "gemini")[0], "parametersJsonSchema") == [plain]
    assert "/tools/0/parameters/properties/n" in sent(body, "openai_chat", "ollama")[1]
    declared = {"type": "OBJECT", "properties": {"n": {"type": "INTEGER", "minimum": 1}}}
    gemini = {
        "contents": [{"role": "user", "parts": [{"text": "Hi"}]}],
        "tools": [{"functionDeclarations": [{"name": "f", "parameters": declared}]}],
    }
    assert sent(gemini, "gemini", "gemini") == (gemini, set())
    assert members(sent(gemini, "gemini", "claude")[0], "input_schema") == [plain]
    # A strict one that is open is refused by OpenAI; abroad it is closed, and never in silence.
    strict = chat(tools=[{"type": "function", "function": {"name": "f", "strict": True, "parameters": plain}}])
    assert {violation.code for violation in il.check_request(strict, "openai_chat")} == {"schema"}
    written, told = sent(strict, "openai_chat", "openai_responses")
    nullable = {"n": {"type": ["integer", "null"], "minimum": 1}}
    closed = {"type": "object", "properties": nullable, "additionalProperties": False, "required": ["n"]}
    assert members(written, "parameters") == [closed]
    assert "/tools/0/parameters/properties/n" in told
    assert il.check_request(written, "openai_responses") == []


def test_trap_13_nested_chat_members_are_flat_in_responses() -> None:
    address = {"url": "https://example.com/a.png", "detail": "low"}
    content = [{"type": "text", "text": "Look"}, {"type": "image_url", "image_url": address}]
    schema = {"name": "n", "schema": {"type": "object", "additionalProperties": False}, "strict": True}
    grammar = {"syntax": "lark", "definition": "start: x"}
    custom = {"type": "custom", "custom": {"name": "g", "format": {"type": "grammar", "grammar": grammar}}}
    body = {
        "model": "m",
        "messages": [{"role": "user", "content": content}],
        "response_format": {"type": "json_schema", "json_schema": schema},
        "tools": [custom],
    }
    written, lost = sent(body, "openai_chat", "openai_responses")
    assert written["input"][0]["content"][1] == {"type": "input_image", "image_url": address["url"], "detail": "low"}
    assert written["text"]["format"] == {"type": "json_schema", **schema}
    assert written["tools"] == [{"type": "custom", "name": "g", "format": {"type": "grammar", **grammar}}]
    assert not [path for path in lost if path.startswith("/tools")]
    assert sent(body, "openai_chat", "openai_chat") == (body, set())
    back = sent(written, "openai_responses", "openai_chat")[0]
    assert {name: back[name] for name in ("messages", "response_format", "tools")} == {
        name: body[name] for name in ("messages", "response_format", "tools")
    }
    source = {"url": "https://example.com", "title": "E", "start_index": 0, "end_index": 5}
    told = chat_answer({"content": "Hello", "annotations": [{"type": "url_citation", "url_citation": source}]})
    output = answered(told, "openai_chat", "openai_responses")[0]["output"][0]["content"][0]
    assert output["annotations"] == [{"type": "url_citation", **source}]


def test_trap_14_vllm_has_its_own_reasoning_member_and_gets_no_unsupported_members() -> None:
    told = chat_answer({"content": "Yes", "reasoning": "Hm."})
    assert il.decode_response(told, "vllm").messages[0].model_dump(mode="json")["reasoning"] == "Hm."
    assert answered(told, "vllm", "vllm") == (told, set())
    older = chat({"role": "assistant", "content": "Yes", "reasoning_content": "Hm."})
    assert il.decode_request(older, "vllm").messages[1].model_dump(mode="json")["reasoning"] == "Hm."
    assert sent(older, "vllm", "vllm") == (older, set())
    file = {"type": "file", "file": {"filename": "a.pdf", "file_data": "data:application/pdf;base64,AA=="}}
    content = [{"type": "text", "text": "Read"}, file]
    body = {
        "model": "m",
        "messages": [{"role": "user", "content": content}],
        "tools": [],
        "guided_json": {"type": "object"},
    }
    written, lost = sent(body, "openai_chat", "vllm")
    assert "tools" not in written
    assert {"file", "guided_json"} & {*members(written, "type"), *written} == set()
    assert {"/messages/0/content/1", "/extra/openai_chat"} <= lost
    assert {violation.code for violation in il.check_request(body, "vllm")} == {"empty", "part"}
    assert il.check_request(written, "vllm") == []


def test_trap_15_ollama_streams_by_default_has_no_tool_choice_and_whole_calls() -> None:
    assert sent(chat(), "openai_chat", "ollama")[0]["stream"] is False
    assert sent(chat(), "ollama", "openai_chat")[0]["stream"] is True
    assert sent(chat(), "ollama", "ollama") == (chat(), set())
    tool = {"type": "function", "function": {"name": "f", "parameters": {"type": "object", "properties": {}}}}
    written, lost = sent(chat(tools=[tool], tool_choice="none"), "openai_chat", "ollama")
    assert not {"tools", "tool_choice"} & written.keys()
    assert "/tools/0" in lost
    assert "/tool_choice" not in lost
    written, lost = sent(chat(tools=[tool], tool_choice="required"), "openai_chat", "ollama")
    assert (written["tools"], "tool_choice" in written) == ([tool], False)
    assert "/tool_choice" in lost
    begun = {"index": 0, "id": "c", "type": "function", "function": {"name": "f", "arguments": '{"a":'}}
    rest = {"index": 0, "function": {"arguments": " 1}"}}
    chunks = [
        {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}
        for choice in (
            {"index": 0, "delta": {"role": "assistant", "tool_calls": [begun]}, "finish_reason": None},
            {"index": 0, "delta": {"tool_calls": [rest]}, "finish_reason": None},
            {"index": 0, "delta": {}, "finish_reason": "tool_calls"},
        )
    ]
    lines = list(il.translate_stream(chunks, "openai_chat", "ollama"))
    assert [call["function"]["arguments"] for calls in members(lines, "tool_calls") for call in calls] == [{"a": 1}]
    assert [line["done"] for line in all_objects(lines) if "done" in line][-1] is True
    back = list(il.translate_stream(lines, "ollama", "openai_chat"))
    assert "".join(members(back, "arguments")) == '{"a":1}'
    assert back[-1] == "[DONE]"


def test_trap_16_citations_are_anchored_as_each_dialect_does_or_reported() -> None:
    source = {"url": "https://example.com", "title": "E", "start_index": 6, "end_index": 11}
    text = "Hello there"
    told = chat_answer({"content": text, "annotations": [{"type": "url_citation", "url_citation": source}]})
    written, lost = answered(told, "openai_chat", "claude")
    citation = written["content"][0]["citations"][0]
    assert (citation["type"], citation["url"], citation["cited_text"]) == (
        "web_search_result_location", "https://example.com", "there",
    )  # fmt: skip
    assert "/messages/0/content/0/citations/0/start_index" in lost
    whole = {
        "type": "web_search_result_location", "url": "https://example.com", "title": "E", "cited_text": "x",
        "encrypted_index": "z",
    }  # fmt: skip
    annotated = answered(claude_answer({"type": "text", "text": text, "citations": [whole]}), "claude", "openai_chat")[
        0
    ]
    anchor = annotated["choices"][0]["message"]["annotations"][0]["url_citation"]
    assert (anchor["start_index"], anchor["end_index"]) == (0, len(text))
    # Bytes are never taken for characters.
    support = {"segment": {"startIndex": 0, "endIndex": 8, "text": "Grüße."}, "groundingChunkIndices": [0]}
    grounding = {"groundingChunks": [{"web": {"uri": "https://example.com"}}], "groundingSupports": [support]}
    content = {"role": "model", "parts": [{"text": "Grüße."}]}
    gemini = {"candidates": [{"content": content, "finishReason": "STOP", "groundingMetadata": grounding}]}
    assert answered(gemini, "gemini", "gemini") == (gemini, set())
    written, lost = answered(gemini, "gemini", "openai_chat")
    [[annotation]] = members(written, "annotations")
    anchor = annotation["url_citation"]
    assert (anchor["url"], anchor["start_index"], anchor["end_index"]) == ("https://example.com", 0, 6)
    assert "/extra/gemini" in lost


def test_trap_17_settings_without_a_place_in_responses_are_reported() -> None:
    settings = {"stop": ["x"], "seed": 1, "n": 2, "frequency_penalty": 0.1, "presence_penalty": 0.2}
    written, lost = sent(chat(**settings), "openai_chat", "openai_responses")
    assert not settings.keys() & written.keys()
    assert {f"/{name}" for name in settings} == lost
    stopped = claude_answer({"type": "text", "text": "Hello"}, stop_reason="stop_sequence", stop_sequence="END")
    assert answered(stopped, "claude", "claude") == (stopped, set())
    assert answered(stopped, "claude", "vllm")[0]["choices"][0]["stop_reason"] == "END"
    for target in ("openai_chat", "openai_responses", "gemini", "ollama"):
        written, lost = answered(stopped, "claude", target)
        assert "END" not in str(written)
        assert "/stop_sequence" in lost


SEARCHED: Final[dict[str, Body]] = {
    "claude": claude(
        {
            "role": "assistant",
            "content": [
                {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "x"}},
                {
                    "type": "web_search_tool_result",
                    "tool_use_id": "srvtoolu_1",
                    "content": [
                        {
                            "type": "web_search_result",
                            "url": "https://example.com",
                            "title": "E",
                            "encrypted_content": "sealed",
                        }
                    ],
                },
                {"type": "text", "text": "Found."},
            ],
        },
        ASKED,
    ),
    "openai_responses": {
        "model": "m",
        "input": [
            ASKED,
            {"type": "program", "id": "p", "call_id": "c", "code": "x", "fingerprint": "sealed"},
            {"type": "program_output", "id": "o", "call_id": "c", "output": "1", "status": "completed"},
            {"role": "assistant", "content": "Found."},
        ],
    },
    "gemini": {
        "contents": [
            {"role": "user", "parts": [{"text": "Hi"}]},
            {
                "role": "model",
                "parts": [
                    {
                        "toolCall": {"id": "t", "toolType": "GOOGLE_SEARCH_WEB", "args": {"q": "x"}},
                        "thoughtSignature": "sealed",
                    },
                    {"toolResponse": {"id": "t", "toolType": "GOOGLE_SEARCH_WEB", "response": {"r": 1}}},
                    {"text": "Found."},
                ],
            },
        ]
    },
}


@pytest.mark.parametrize("source", SEARCHED)
def test_trap_18_server_tool_activity_round_trips_and_is_text_elsewhere(source: str) -> None:
    body = SEARCHED[source]
    assert sent(body, source, source) == (body, set())
    for target in EVERY:
        if target == source:
            continue
        written, lost = sent(body, source, target)
        assert "Found." in str(written)
        assert {"claude": "E: https://example.com", "gemini": '{"r":1}'}.get(source, "javascript") in str(written)
        assert "sealed" not in str(written)
        assert [path for path in lost if re.fullmatch(r"/messages/\d+(/content/\d+)?", path)] != []
        kinds = {*members(written, "type")} & {"tool_use", "function_call"}
        assert (kinds, members(written, "tool_calls"), members(written, "functionCall")) == (set(), [], [])
