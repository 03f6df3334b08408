"""The room of Claude: what each thing on the wire means, and what is written for each meaning."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il

QUESTION: Final = {"role": "user", "content": "Why is the sky blue?"}
THINKING: Final = {"type": "thinking", "thinking": "The air scatters.", "signature": "c2lnbmVk"}
REDACTED: Final = {"type": "redacted_thinking", "data": "aGlkZGVu"}
USE: Final = {"type": "tool_use", "id": "toolu_1", "name": "look", "input": {"at": "sky"}}
RESULT: Final = {"type": "tool_result", "tool_use_id": "toolu_1", "content": "blue"}
CALL: Final = {"id": "toolu_1", "name": "look", "arguments": {"at": "sky"}}


def request(*messages: dict[str, Any], **members: Any) -> dict[str, Any]:
    return {"model": "m", "max_tokens": 9, "messages": list(messages) or [QUESTION], **members}


def response(*blocks: dict[str, Any], **members: Any) -> dict[str, Any]:
    reply = {"id": "i", "type": "message", "role": "assistant", "model": "m", "content": list(blocks)}
    return {**reply, "stop_reason": "end_turn", "stop_sequence": None, **members}


def decoded(*messages: dict[str, Any], **members: Any) -> dict[str, Any]:
    return il.decode_request(request(*messages, **members), "claude").model_dump(mode="json")


def at_home(body: dict[str, Any]) -> dict[str, Any]:
    encoded = il.encode_request(il.decode_request(body, "claude"), "claude")
    assert encoded.losses == ()
    return encoded.body


def written(*messages: dict[str, Any], api_version: str | None = None, **members: Any) -> il.Encoded:
    """Return the body of a request that was made by hand."""
    made = {"model": "m", "max_tokens": 9, "messages": list(messages), **members}
    return il.encode_request(made, "claude", api_version=api_version, profile=None)


def losses(encoded: il.Encoded) -> list[tuple[str, str, str]]:
    return [(loss.severity, loss.code, loss.path) for loss in encoded.losses]


@pytest.mark.requirement("MAP-6.1")
def test_leading_instructions_are_joined_into_the_system_text() -> None:
    encoded = written(
        {"role": "system", "content": "Be brief."}, {"role": "developer", "content": "Be kind."}, QUESTION
    )
    assert encoded.body["system"] == "Be brief.\n\nBe kind."
    assert encoded.body["messages"] == [QUESTION]
    assert losses(encoded) == [("changed", "role", "/messages/1/role")]


@pytest.mark.requirement("MAP-6.1")
def test_instructions_are_kept_as_blocks_if_one_has_more_than_text() -> None:
    marked = [{"type": "text", "text": "Be kind.", "cache": {"ttl": "5m"}}]
    encoded = written({"role": "system", "content": "Be brief."}, {"role": "system", "content": marked}, QUESTION)
    assert encoded.body["system"] == [
        {"type": "text", "text": "Be brief."},
        {"type": "text", "text": "Be kind.", "cache_control": {"type": "ephemeral", "ttl": "5m"}},
    ]


@pytest.mark.requirement("MAP-6.1")
def test_the_system_text_becomes_a_leading_system_message() -> None:
    assert decoded(system="Be brief.")["messages"] == [{"role": "system", "content": "Be brief."}, QUESTION]
    assert at_home(request(system="Be brief.")) == request(system="Be brief.")


@pytest.mark.parametrize("system", ["", "Be brief.", [], [{"type": "text", "text": "Be brief."}]])
def test_a_system_text_round_trips(system: Any) -> None:
    assert at_home(request(system=system)) == request(system=system)


ANSWER: Final = {"role": "assistant", "content": "Well."}
MIDDLE: Final = {"role": "system", "content": "Answer in Czech."}


@pytest.mark.parametrize(
    ("messages", "roles"),
    [
        ([QUESTION, MIDDLE, ANSWER, QUESTION], "user system assistant user"),
        ([QUESTION, ANSWER, QUESTION, MIDDLE], "user assistant user system"),
        ([QUESTION, ANSWER, QUESTION, MIDDLE, MIDDLE], "user assistant user system system"),
        ([QUESTION, ANSWER, MIDDLE, QUESTION], "user assistant user"),
        ([QUESTION, ANSWER, MIDDLE], "user assistant user"),
        ([QUESTION, MIDDLE, QUESTION], "user"),
        ([ANSWER, MIDDLE, MIDDLE, QUESTION, ANSWER, QUESTION], "assistant user assistant user"),
    ],
)
def test_instructions_become_user_messages_where_claude_refuses_them(messages: list[Any], roles: str) -> None:
    """It takes them behind the user, and before an answer or last."""
    assert at_home(request(*messages)) == request(*messages)
    encoded = written(*messages)
    assert [turn["role"] for turn in encoded.body["messages"]] == roles.split()
    said = [text for turn in encoded.body["messages"] for text in texts_of(turn)]
    assert said == [message["content"] for message in messages]
    assert any(where.endswith("/role") for _, _, where in losses(encoded)) == ("system" not in roles)


def texts_of(turn: dict[str, Any]) -> list[str]:
    content: Any = turn["content"]
    return [content] if type(content) is str else [block["text"] for block in content]


def test_the_older_api_version_accepts_instructions_only_at_the_top() -> None:
    encoded = written(QUESTION, {"role": "system", "content": "Answer in Czech."}, api_version="2023-06-01")
    assert [message["role"] for message in encoded.body["messages"]] == ["user"]
    assert ("changed", "role", "/messages/1/role") in losses(encoded)


def test_a_system_message_that_only_sets_the_effort_has_empty_content() -> None:
    body = request(QUESTION, {"role": "system", "output_config": {"effort": "low"}}, QUESTION)
    assert at_home(body) == body


@pytest.mark.requirement("MAP-6.2")
@pytest.mark.parametrize("role", ["user", "assistant"])
@pytest.mark.parametrize("content", ["Hello", [{"type": "text", "text": "Hello"}]])
def test_user_and_assistant_roles_are_unchanged(role: str, content: Any) -> None:
    message = {"role": role, "content": content}
    assert decoded(message)["messages"] == [message]
    assert written(message).body["messages"] == [message]


@pytest.mark.requirement("MAP-6.3")
def test_a_tool_message_becomes_a_result_block_in_a_user_turn() -> None:
    called = {"role": "assistant", "tool_calls": [CALL]}
    encoded = written(QUESTION, called, {"role": "tool", "call_id": "toolu_1", "content": "blue"})
    assert encoded.body["messages"][2] == {"role": "user", "content": [RESULT]}
    body = request(QUESTION, {"role": "assistant", "content": [USE]}, {"role": "user", "content": [RESULT]})
    assert decoded(*body["messages"])["messages"][2] == {"role": "tool", "call_id": "toolu_1", "content": "blue"}
    assert at_home(body) == body


@pytest.mark.requirement("MAP-6.3", "MAP-6.6")
def test_results_and_the_following_user_message_are_one_turn() -> None:
    calls = [{"id": identifier, "name": "look", "arguments": {}} for identifier in ("a", "b", "c")]
    encoded = written(
        QUESTION,
        {"role": "assistant", "tool_calls": calls},
        {"role": "tool", "call_id": "a", "content": "blue"},
        {"role": "tool", "call_id": "c", "content": "red"},
        {"role": "tool", "call_id": "b", "content": "grey", "is_error": True},
        {"role": "user", "content": "And now?"},
    )
    assert encoded.body["messages"][2:] == [
        {
            "role": "user",
            "content": [
                {"type": "tool_result", "tool_use_id": "a", "content": "blue"},
                {"type": "tool_result", "tool_use_id": "c", "content": "red"},
                {"type": "tool_result", "tool_use_id": "b", "content": "grey", "is_error": True},
                {"type": "text", "text": "And now?"},
            ],
        }
    ]
    assert encoded.losses == ()


@pytest.mark.requirement("MAP-6.4")
def test_thinking_blocks_are_reasoning() -> None:
    answer = il.decode_response(response(THINKING, {"type": "text", "text": "Air."}), "claude")
    assert answer.messages[0].reasoning == "The air scatters."
    assert answer.messages[0].content[0].text == "Air."
    assert il.encode_response(answer, "claude").body == response(THINKING, {"type": "text", "text": "Air."})


@pytest.mark.requirement("MAP-6.4")
def test_foreign_reasoning_is_thinking_in_a_response_and_a_loss_in_a_request() -> None:
    said = {"role": "assistant", "reasoning": "The air scatters.", "content": "Air."}
    answer = il.encode_response({"messages": [said]}, "claude")
    assert answer.body["content"] == [
        {"type": "thinking", "thinking": "The air scatters.", "signature": ""},
        {"type": "text", "text": "Air."},
    ]
    asked = written(QUESTION, said)
    assert asked.body["messages"][1]["content"] == [{"type": "text", "text": "Air."}]
    assert losses(asked) == [("lost", "reasoning", "/messages/1/reasoning")]


@pytest.mark.requirement("MAP-6.4", "MAP-6.5", "MAP-7.2")
def test_signed_and_redacted_thinking_round_trips_through_extra() -> None:
    turn = {"role": "assistant", "content": [THINKING, REDACTED, {**THINKING, "thinking": "So."}, USE]}
    asked = il.decode_request(request(QUESTION, turn), "claude")
    message = asked.messages[1]
    assert isinstance(message.extra.claude, il.ClaudeExtra)
    assert {type(block) for block in message.extra.claude.thinking_blocks} == {il.ThinkingBlock}
    assert message.extra.claude.model_dump(mode="json")["thinking_blocks"] == [
        {"type": "thinking", "signature": "c2lnbmVk"},
        {"type": "redacted_thinking", "data": "aGlkZGVu"},
        {"type": "thinking", "signature": "c2lnbmVk"},
    ]
    assert [part.text for part in message.reasoning] == ["The air scatters.", "So."]
    stored = il.ChatRequest.model_validate_json(asked.model_dump_json())
    assert il.encode_request(stored, "claude").body == request(QUESTION, turn)


def test_a_turn_with_thinking_between_calls_keeps_its_order() -> None:
    blocks = [
        THINKING,
        {"type": "text", "text": "One."},
        USE,
        {**THINKING, "thinking": "More."},
        {**USE, "id": "toolu_2"},
    ]
    body = request(QUESTION, {"role": "assistant", "content": blocks})
    assert [message["role"] for message in decoded(*body["messages"])["messages"]] == ["user", "assistant", "assistant"]
    assert at_home(body) == body


@pytest.mark.requirement("MAP-6.6")
def test_consecutive_messages_of_one_role_are_one_turn() -> None:
    encoded = written(
        {"role": "user", "content": "One."},
        {"role": "user", "content": [{"type": "text", "text": "Two."}]},
        {"role": "assistant", "content": "Three."},
        {"role": "assistant", "content": "Four.", "tool_calls": [CALL]},
    )
    assert encoded.body["messages"] == [
        {"role": "user", "content": [{"type": "text", "text": "One."}, {"type": "text", "text": "Two."}]},
        {"role": "assistant", "content": [{"type": "text", "text": "Three.\n\nFour."}, USE]},
    ]


@pytest.mark.requirement("MAP-6.6")
def test_a_boundary_between_turns_of_one_role_round_trips() -> None:
    body = request({"role": "user", "content": "One."}, {"role": "user", "content": "Two."}, QUESTION)
    assert decoded(*body["messages"])["messages"][1]["extra"] == {"claude": {"spelling": {"turn": "new"}}}
    assert at_home(body) == body


def test_an_empty_text_is_omitted_without_a_loss() -> None:
    encoded = written(
        QUESTION,
        {"role": "assistant", "content": "", "tool_calls": [CALL]},
        {
            "role": "tool",
            "call_id": "toolu_1",
            "content": [{"type": "text", "text": ""}, {"type": "text", "text": "blue"}],
        },
    )
    assert encoded.body["messages"][1]["content"] == [USE]
    assert encoded.body["messages"][2]["content"][0]["content"] == [{"type": "text", "text": "blue"}]
    assert losses(encoded) == []


def test_argument_text_that_is_not_an_object_is_wrapped_and_reported() -> None:
    for text, expected in (
        ("[1]", {"arguments": "[1]"}),
        ('{"a":1,"a":2}', {"a": 2}),
        ("not json", {"arguments": "not json"}),
    ):
        encoded = written(QUESTION, {"role": "assistant", "tool_calls": [{**CALL, "arguments": text}]})
        assert encoded.body["messages"][1]["content"][0]["input"] == expected
        assert losses(encoded) == [("changed", "arguments", "/messages/1/tool_calls/0/arguments")]


def test_argument_text_that_is_an_object_is_parsed_without_a_loss() -> None:
    for text, expected in (('{ "a" : [1, 2.0] }', {"a": [1, 2.0]}), ("", {}), (" ", {})):
        encoded = written(QUESTION, {"role": "assistant", "tool_calls": [{**CALL, "arguments": text}]})
        assert encoded.body["messages"][1]["content"][0]["input"] == expected
        assert encoded.losses == ()


def test_foreign_ids_are_mapped_consistently_and_uniquely() -> None:
    calls = [{"id": identifier, "name": "look", "arguments": {}} for identifier in ("f.look:0", "f:look.0")]
    results = [{"role": "tool", "call_id": call["id"], "content": "."} for call in calls]
    encoded = written(QUESTION, {"role": "assistant", "tool_calls": calls}, *results)
    ids = [block["id"] for block in encoded.body["messages"][1]["content"]]
    assert [block["tool_use_id"] for block in encoded.body["messages"][2]["content"]] == ids
    assert len(set(ids)) == 2
    assert {loss.code for loss in encoded.losses} == {"name"}


def test_a_result_without_an_id_answers_by_name_then_by_order() -> None:
    calls = [{"id": identifier, "name": name, "arguments": {}} for identifier, name in (("a", "look"), ("b", "hear"))]
    encoded = written(
        QUESTION,
        {"role": "assistant", "tool_calls": calls},
        {"role": "tool", "name": "hear", "content": "silence"},
        {"role": "tool", "content": "blue"},
    )
    assert [block["tool_use_id"] for block in encoded.body["messages"][2]["content"]] == ["b", "a"]


def test_a_server_tool_call_is_kept_unchanged_in_its_place() -> None:
    search = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "sky"}}
    found = {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": [{"encrypted_content": "e"}]}
    body = response({"type": "text", "text": "I search."}, search, found, {"type": "text", "text": "Air."})
    answer = il.decode_response(body, "claude")
    assert [part.type for part in answer.messages[0].content] == ["text", "opaque", "opaque", "text"]
    assert il.encode_response(answer, "claude").body == body


def test_citations_belong_to_their_text() -> None:
    cited = {
        "type": "char_location",
        "cited_text": "air",
        "document_index": 0,
        "document_title": "Sky",
        "file_id": None,
    }
    block = {"type": "text", "text": "Air.", "citations": [{**cited, "start_char_index": 1, "end_char_index": 4}]}
    citation = il.decode_response(response(block), "claude").messages[0].content[0].citations[0]
    assert (citation.kind, citation.title, citation.cited_text) == ("document", "Sky", "air")
    assert (citation.start_index, citation.end_index) == (1, 4)
    assert il.encode_response(il.decode_response(response(block), "claude"), "claude").body == response(block)


def test_decoded_input_tokens_include_cached_tokens() -> None:
    usage = {
        "input_tokens": 100,
        "cache_read_input_tokens": 30,
        "cache_creation_input_tokens": 5,
        "output_tokens": 20,
        "output_tokens_details": {"thinking_tokens": 8},
    }
    answer = il.decode_response(response({"type": "text", "text": "Hi"}, usage=usage), "claude")
    assert answer.usage is not None
    assert answer.usage.model_dump() == {
        "input_tokens": 135,
        "output_tokens": 20,
        "cache_read_tokens": 30,
        "cache_write_tokens": 5,
        "reasoning_tokens": 8,
    }
    assert il.encode_response(answer, "claude").body["usage"] == usage


def test_encoded_input_tokens_exclude_cached_tokens() -> None:
    usage = {"input_tokens": 130, "output_tokens": 20, "total_tokens": 150, "cache_read_tokens": 30}
    encoded = il.encode_response({"messages": [{"role": "assistant", "content": "Hi"}], "usage": usage}, "claude")
    assert encoded.body["usage"] == {"input_tokens": 100, "cache_read_input_tokens": 30, "output_tokens": 20}
    assert not [path for _, _, path in losses(encoded) if path.startswith("/usage")]  # the sum is told by the others


@pytest.mark.parametrize(
    ("word", "reason", "raw"),
    [
        ("end_turn", "stop", None),
        ("max_tokens", "length", None),
        ("tool_use", "tool_calls", None),
        ("pause_turn", "pause", None),
        ("refusal", "refusal", None),
        ("model_context_window_exceeded", "length", "model_context_window_exceeded"),
        ("compaction", "other", "compaction"),
    ],
)
def test_a_stop_reason_is_normalised_and_its_raw_value_kept(word: str, reason: str, raw: str | None) -> None:
    body = response({"type": "text", "text": "Hi"}, stop_reason=word)
    answer = il.decode_response(body, "claude")
    assert (answer.finish_reason, answer.finish_reason_raw) == (reason, raw)
    assert il.encode_response(answer, "claude").body == body


def test_a_stop_sequence_is_kept() -> None:
    body = response({"type": "text", "text": "Hi"}, stop_reason="stop_sequence", stop_sequence="END")
    answer = il.decode_response(body, "claude")
    assert (answer.finish_reason, answer.finish_reason_raw, answer.stop_sequence) == ("stop", None, "END")
    assert il.encode_response(answer, "claude").body == body


def test_sampling_settings_are_lost_in_the_newest_version_and_kept_in_the_older() -> None:
    newest = written(QUESTION, temperature=0.5, top_p=1, top_k=3)
    assert not {"temperature", "top_p", "top_k"} & newest.body.keys()
    assert losses(newest) == [
        ("lost", "setting", "/temperature"),
        ("lost", "setting", "/top_k"),
    ]
    older = written(QUESTION, temperature=0.5, top_p=1, top_k=3, api_version="2023-06-01")
    assert (older.body["temperature"], older.body["top_p"], older.body["top_k"]) == (0.5, 1, 3)
    assert older.losses == ()


def test_within_the_dialect_sampling_settings_are_unchanged() -> None:
    assert at_home(request(temperature=0.5)) == request(temperature=0.5)


@pytest.mark.parametrize("first", ["output_config", "output_format"])
def test_both_members_for_the_form_of_the_answer_round_trip(first: str) -> None:
    forms = {
        name: {"type": "json_schema", "schema": {"type": "object", "properties": {name: {"type": "string"}}}}
        for name in ("output_format", "output_config")
    }
    said: dict[str, Any] = {
        "output_format": forms["output_format"],
        "output_config": {"format": forms["output_config"]},
    }
    ordered = {first: said[first], **said}
    assert at_home(request(**ordered)) == request(**ordered)
    assert decoded(**ordered)["response_format"] == forms[first]


def test_an_unknown_api_version_is_an_error() -> None:
    with pytest.raises(il.EncodeError):
        written(QUESTION, api_version="2024-01-01")


@pytest.mark.parametrize(
    ("settings", "thinking", "effort"),
    [
        ({"effort": "low"}, {"type": "adaptive"}, "low"),
        ({"effort": "none"}, {"type": "disabled"}, None),
        ({"mode": "adaptive", "display": "omitted"}, {"type": "adaptive", "display": "omitted"}, None),
        ({"mode": "enabled", "budget_tokens": 2000}, {"type": "enabled", "budget_tokens": 2000}, None),
    ],
)
def test_reasoning_settings_are_translated(settings: Any, thinking: Any, effort: str | None) -> None:
    body = il.encode_request({"messages": [QUESTION], "max_tokens": 4000, "reasoning": settings}, "claude").body
    assert body.get("thinking") == thinking
    assert body.get("output_config", {}).get("effort") == effort


@pytest.mark.parametrize("parallel", [True, False, None])
@pytest.mark.parametrize(
    ("choice", "kind"),
    [({"mode": "auto"}, "auto"), ({"mode": "required"}, "any"), ({"mode": "none"}, "none"), (None, None)],
)
def test_parallel_tool_calls_never_changes_the_tool_choice(parallel: bool | None, choice: Any, kind: Any) -> None:
    members: dict[str, Any] = {"tools": [{"type": "function", "name": "look", "parameters": {"type": "object"}}]}
    members |= {} if choice is None else {"tool_choice": choice}
    members |= {} if parallel is None else {"parallel_tool_calls": parallel}
    found = written(QUESTION, **members).body.get("tool_choice", {})
    assert found.get("type") == (kind or ("auto" if parallel is False else None))
    assert found.get("disable_parallel_tool_use") in (None if parallel is None else not parallel, None)


def test_max_tokens_is_filled_if_absent() -> None:
    encoded = il.encode_request({"model": "m", "messages": [QUESTION]}, "claude")
    assert encoded.body["max_tokens"] == 4096
    assert losses(encoded) == [("filled", "required", "/max_tokens")]
    given = il.encode_request({"model": "m", "messages": [QUESTION]}, "claude", defaults={"max_tokens": 7})
    assert given.body["max_tokens"] == 7
    assert given.losses == ()


@pytest.mark.parametrize(
    ("body", "path"),
    [
        (request("Hello"), "/messages/0"),  # type: ignore[arg-type]  # malformed on purpose
        (request({"role": "user", "content": [{"type": "text"}]}), "/messages/0/content/0/text"),
        (
            request({"role": "assistant", "content": [{"type": "tool_use", "name": "f", "input": {}}]}),
            "/messages/0/content/0/id",
        ),
        (request({"role": "assistant", "content": [{**USE, "input": 7}]}), "/messages/0/content/0/input"),
        (request({"role": "user", "content": [{"type": "tool_result"}]}), "/messages/0/content/0/tool_use_id"),
        (request(system=7), "/system"),
        (request(tools=[{"input_schema": {}}]), "/tools/0/name"),
        ({"model": "m", "max_tokens": 9}, "/messages"),
    ],
)
def test_a_malformed_known_member_raises_an_error_with_its_path(body: dict[str, Any], path: str) -> None:
    with pytest.raises(il.DecodeError) as refused:
        il.decode_request(body, "claude")
    assert (refused.value.dialect, refused.value.path) == ("claude", path)


def test_image_and_document_sources_are_translated() -> None:
    blocks = [
        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AA=="}},
        {"type": "image", "source": {"type": "url", "url": "https://example.com/a.png"}},
        {"type": "image", "source": {"type": "file", "file_id": "file_1"}},
        {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "Air."}, "title": "Sky"},
        {"type": "document", "source": {"type": "content", "content": [{"type": "text", "text": "Air."}]}},
    ]
    message = {"role": "user", "content": blocks}
    assert decoded(message)["messages"][0]["content"] == [
        {"type": "image", "format": "image/png", "data": "AA=="},
        {"type": "image", "url": "https://example.com/a.png"},
        {"type": "image", "file_id": "file_1"},
        {"type": "file", "text": "Air.", "title": "Sky"},
        {"type": "file", "content": [{"type": "text", "text": "Air."}]},
    ]
    assert at_home(request(message)) == request(message)


def test_parallel_tool_calls_without_tools_fills_no_tool_choice() -> None:
    tools = ({"type": "opaque", "dialect": "elsewhere", "data": {}},)
    request = {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "Hi"}], "tools": [*tools]}
    encoded = il.encode_request({**request, "parallel_tool_calls": False}, "claude")
    assert "tool_choice" not in encoded.body
    assert [loss.path for loss in encoded.losses if loss.severity == "filled"] == []


@pytest.mark.parametrize("dialect", ["claude", "bedrock_converse"])
@pytest.mark.parametrize("behind", [False, True])
def test_opaque_messages_require_no_user_message_beside_instructions(dialect: str, behind: bool) -> None:
    item = {"role": "opaque", "dialect": "another", "data": {}}
    told = {"role": "developer", "content": "Be brief."}
    messages = [told, item] if behind else [item, told]
    body = il.encode_request({"model": "m", "max_tokens": 9, "messages": messages}, dialect).body
    assert [message["role"] for message in body["messages"]] == ["user"]
    assert il.check_request(body, dialect) == []


def test_instructions_after_opaque_messages_are_still_leading() -> None:
    item = {"role": "opaque", "dialect": "another", "data": {}}
    encoded = written(item, {"role": "developer", "content": "Be brief."}, QUESTION)
    assert (encoded.body["system"], encoded.body["messages"]) == ("Be brief.", [QUESTION])
    assert "/messages/0" in {loss.path for loss in encoded.losses if loss.severity == "lost"}


def test_instructions_that_become_first_move_to_the_system_member() -> None:
    late = {"role": "system", "content": "Be brief."}
    body = request(QUESTION, late, {"role": "assistant", "content": "Because."}, QUESTION)
    decoded = il.decode_request(body, "claude")
    left = decoded.model_copy(update={"messages": decoded.messages[1:2] + decoded.messages[3:]})
    out = il.encode_request(left, "claude").body
    assert (out["system"], out["messages"]) == ("Be brief.", [QUESTION])
    assert il.check_request(out, "claude") == []


@pytest.mark.parametrize(
    "messages",
    [
        [{"role": "system", "content": "a"}],
        [{"role": "system", "content": "a"}, {"role": "system", "content": "b"}],
        [{"role": "system", "output_config": {"effort": "low"}}, {"role": "system", "content": "b", "odd": 1}],
    ],
)
def test_leading_system_messages_inside_messages_stay_there(messages: list[Any]) -> None:
    body = request(*messages, QUESTION)
    assert at_home(body) == body
    assert at_home({**body, "system": "top"}) == {**body, "system": "top"}
