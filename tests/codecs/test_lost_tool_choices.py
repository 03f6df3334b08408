"""Tools that only their own provider understands stay behind: nothing that is left points at one of them."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il

OTHERS: Final = ("openai_chat", "openai_responses", "gemini", "ollama", "vllm", "bedrock_converse")
# The client does not run it, and nothing says what its calls take.
ADVISOR: Final = {"type": "advisor_20260301", "name": "advisor"}
READ: Final = {"name": "read", "input_schema": {"type": "object"}}
CALL: Final = {"type": "tool_use", "id": "toolu_1", "name": "advisor", "input": {"command": "ls"}}
RESULT: Final = {"type": "tool_result", "tool_use_id": "toolu_1", "content": "a.txt"}


def asked(*tools: dict[str, Any], **members: Any) -> dict[str, Any]:
    said = [
        {"role": "user", "content": "Go."},
        {"role": "assistant", "content": [CALL]},
        {"role": "user", "content": [RESULT]},
    ]
    return {"model": "m", "max_tokens": 9, "messages": said, "tools": [*tools], **members}


@pytest.mark.parametrize("target", OTHERS)
def test_a_choice_of_a_lost_tool_is_a_contract_loss(target: Any) -> None:
    body = asked(ADVISOR, READ, tool_choice={"type": "tool", "name": "advisor"})
    encoded = il.translate_request(body, "claude", target)
    assert il.check_request(encoded.body, target) == []
    lost = {loss.path for loss in encoded.losses if (loss.severity, loss.concern) == ("lost", "contract")}
    assert lost == {"/tools/0", "/tool_choice"}
    again = il.encode_request(il.decode_request(body, "claude"), "claude")
    assert (again.body, again.losses) == (body, ())


SERVED: Final = (
    {"type": "web_search_20250305", "name": "web_search"},
    {"type": "code_execution_20250825", "name": "code_execution"},
)


@pytest.mark.parametrize("target", [target for target in OTHERS if target != "openai_responses"])
@pytest.mark.parametrize("served", SERVED)
def test_a_server_tool_is_not_chosen_as_a_function(target: Any, served: dict[str, Any]) -> None:
    body = asked(served, READ, tool_choice={"type": "tool", "name": served["name"]})
    body["messages"] = body["messages"][:1]
    encoded = il.translate_request(body, "claude", target)
    assert il.check_request(encoded.body, target) == []
    assert f"'{served['name']}'" not in str([encoded.body.get(name) for name in ("tool_choice", "toolConfig")])
    assert ("/tool_choice", "lost", "contract") in {(one.path, one.severity, one.concern) for one in encoded.losses}
    again = il.encode_request(il.decode_request(body, "claude"), "claude")
    assert (again.body, again.losses) == (body, ())


CHOSEN: Final = (
    ({"type": "web_search"}, {"type": "web_search_preview"}, SERVED[0]),
    ({"type": "web_search"}, {"type": "web_search"}, SERVED[0]),
    ({"type": "web_search_preview"}, {"type": "web_search_preview"}, SERVED[0]),
    ({"type": "web_search_preview"}, {"type": "web_search_preview_2025_03_11"}, SERVED[0]),
    ({"type": "code_interpreter", "container": {"type": "auto"}}, {"type": "code_interpreter"}, SERVED[1]),
)


@pytest.mark.parametrize(("tool", "choice", "served"), CHOSEN)
def test_a_server_tool_that_both_providers_have_is_chosen_by_the_targets_name(
    tool: dict[str, Any], choice: dict[str, Any], served: dict[str, Any]
) -> None:
    body = {"model": "gpt-5.1", "input": "Go.", "tools": [tool], "tool_choice": choice}
    home = il.encode_request(il.decode_request(body, "openai_responses"), "openai_responses")
    assert (home.body, home.losses) == (body, ())
    there = il.translate_request(body, "openai_responses", "claude", model="claude-sonnet-4-5")
    assert there.body["tool_choice"] == {"type": "tool", "name": served["name"]}
    assert [loss for loss in there.losses if loss.path.startswith("/tool_choice")] == []
    back = il.translate_request(there.body, "claude", "openai_responses", model="gpt-5.1")
    word = "code_interpreter" if served is SERVED[1] else "web_search_preview"
    assert back.body["tool_choice"] == {"type": word}
    for target in ("openai_chat", "gemini", "ollama", "vllm", "bedrock_converse"):
        encoded = il.translate_request(body, "openai_responses", target, model="m")
        assert ("/tool_choice", "lost", "contract") in {(one.path, one.severity, one.concern) for one in encoded.losses}
        assert il.check_request(encoded.body, target) == []


@pytest.mark.parametrize("word", ["shell", "apply_patch", "local_shell", "computer"])
def test_a_client_tool_is_chosen_as_the_function_that_it_becomes(word: str) -> None:
    body = {"model": "gpt-5.1", "input": "Go.", "tools": [{"type": word}], "tool_choice": {"type": word}}
    home = il.encode_request(il.decode_request(body, "openai_responses"), "openai_responses")
    assert (home.body, home.losses) == (body, ())
    there = il.translate_request(body, "openai_responses", "claude", model="claude-sonnet-4-5")
    assert there.body["tool_choice"] == {"type": "tool", "name": word}


@pytest.mark.parametrize(
    ("tools", "choice"),
    [
        ([{"type": "web_search"}, {"type": "function", "name": "web_search", "parameters": {}, "strict": False}],
         {"type": "web_search_preview"}),
        ([{"type": "web_search_preview"}], {"type": "web_search"}),
        ([{"type": "shell", "environment": {"type": "container_auto"}}], {"type": "shell"}),
        ([{"type": "file_search", "vector_store_ids": ["vs_1"]}], {"type": "file_search"}),
        ([], {"type": "code_interpreter"}),
    ],
)  # fmt: skip
def test_a_choice_that_names_no_single_tool_is_a_contract_loss(tools: list[Any], choice: dict[str, Any]) -> None:
    body = {"model": "gpt-5.1", "input": "Go.", "tools": tools, "tool_choice": choice}
    home = il.encode_request(il.decode_request(body, "openai_responses"), "openai_responses")
    assert (home.body, home.losses) == (body, ())
    there = il.translate_request(body, "openai_responses", "claude", model="claude-sonnet-4-5")
    assert "tool_choice" not in there.body
    assert ("lost", "contract") in {
        (one.severity, one.concern) for one in there.losses if one.path == "/extra/openai_responses"
    }


@pytest.mark.parametrize("target", OTHERS)
def test_calls_and_results_of_a_lost_tool_become_text_with_the_same_name(target: Any) -> None:
    encoded = il.translate_request(asked(ADVISOR, READ), "claude", target)
    assert il.check_request(encoded.body, target) == []
    decoded = il.decode_request(encoded.body, target).model_dump(mode="json")
    [call] = [call for message in decoded["messages"] for call in message.get("tool_calls", ())]
    [result] = [message for message in decoded["messages"] if message["role"] == "tool"]
    assert (call["name"], "ls" in str(call["arguments"]), "a.txt" in str(result["content"])) == ("advisor", True, True)


def test_an_allowed_tools_choice_loses_the_lost_tools() -> None:
    tools = [{"type": "opaque", "dialect": "claude", "data": ADVISOR}, {"type": "function", "name": "read"}]
    request = {"model": "m", "messages": [{"role": "user", "content": "Go."}], "tools": tools}
    among = {"mode": "subset", "names": ["advisor", "read"], "required": True}
    encoded = il.encode_request({**request, "tool_choice": among}, "openai_responses")
    [chosen] = encoded.body["tool_choice"]["tools"]
    assert chosen["name"] == "read"
    assert [loss.path for loss in encoded.losses if loss.code == "setting"] == ["/tool_choice/names/0"]


@pytest.mark.parametrize("choice", [{"mode": "named", "name": "read"}, {"mode": "auto"}, {"mode": "required"}])
def test_other_choices_are_unchanged(choice: dict[str, Any]) -> None:
    tools = [{"type": "opaque", "dialect": "claude", "data": ADVISOR}, {"type": "function", "name": "read"}]
    request = {"model": "m", "messages": [{"role": "user", "content": "Go."}], "tools": tools, "tool_choice": choice}
    encoded = il.encode_request(request, "openai_chat")
    assert "/tool_choice" not in {loss.path for loss in encoded.losses}
    assert il.check_request(encoded.body, "openai_chat") == []


@pytest.mark.parametrize(
    ("model", "others", "word"),
    [
        ("grok-4.5", [], "required"),
        ("grok-4.6", [{"name": "read", "input_schema": {"type": "object"}}], "required"),
        ("gpt-5.5", [], {"type": "web_search_preview"}),
    ],
)
def test_xai_gets_a_forced_web_search_as_the_choice_required(model: str, others: list[Any], word: Any) -> None:
    """Claude Code's search of the web asks so; xAI refuses a choice that names a tool which it runs itself."""
    tools = [{"type": "web_search_20250305", "name": "web_search", "max_uses": 8}, *others]
    choice = {"type": "tool", "name": "web_search"}
    body = {"model": "m", "max_tokens": 900, "messages": [{"role": "user", "content": "Go."}], "tools": tools}
    encoded = il.translate_request({**body, "tool_choice": choice}, "claude", "openai_responses", model=model)
    assert encoded.body["tool_choice"] == word
    assert ("/tool_choice" in {loss.path for loss in encoded.losses}) == bool(others)
