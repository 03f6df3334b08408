"""What a family of models demands of the conversation itself: ids, roles, signatures, reasoning, media, references."""

from __future__ import annotations

import json
from typing import Any, Final

import pytest

import interlingua as il
from interlingua.rooms._shared.schema_inlining import inlined

PIXEL: Final = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}}
LOOK: Final = {"name": "look", "input_schema": {"type": "object", "properties": {}}}


def call(identifier: str, *before: dict[str, Any]) -> dict[str, Any]:
    use = {"type": "tool_use", "id": identifier, "name": "look", "input": {}}
    return {"role": "assistant", "content": [*before, use]}


def result(identifier: str, content: Any) -> dict[str, Any]:
    return {"role": "user", "content": [{"type": "tool_result", "tool_use_id": identifier, "content": content}]}


def asked(*messages: dict[str, Any], **members: Any) -> dict[str, Any]:
    """Return a request of Claude's."""
    return {"model": "claude-opus-4-6", "max_tokens": 9000, "tools": [LOOK], "messages": [*messages], **members}


def to(target: str, model: str, *messages: dict[str, Any], **members: Any) -> il.Encoded:
    encoded = il.translate_request(asked(*messages, **members), "claude", target, model=model)
    assert il.check_request(encoded.body, target, profile=model if target == "gemini" else "auto") == []
    assert len({loss.path for loss in encoded.losses}) == len(encoded.losses)
    return encoded


QUESTION: Final = {"role": "user", "content": "Look."}
TURN: Final = (QUESTION, call("toolu_1"), result("toolu_1", [PIXEL]))


COMPUTER_USE: Final = "gemini-2.5-computer-use-preview-10-2025"


@pytest.mark.parametrize(
    ("model", "is_inside"), [("gemini-3-pro-preview", True), ("gemini-2.5-pro", False), (COMPUTER_USE, True)]
)
def test_images_of_results_are_placed_where_the_gemini_model_accepts_them(model: str, is_inside: bool) -> None:
    encoded = to("gemini", model, *TURN)
    [first], *beside = [content["parts"] for content in encoded.body["contents"][2:]]
    assert ("parts" in first["functionResponse"]) is is_inside
    shown = [part["inlineData"]["mimeType"] for parts in beside for part in parts if "inlineData" in part]
    assert shown == ["image/png"] * (not is_inside)
    assert ("/messages/2/content" in {loss.path for loss in encoded.losses}) is not is_inside
    if is_inside:
        judged = il.check_request(encoded.body, "gemini", profile="gemini-2.5-pro")
        assert [one.path for one in judged] == ["/contents/2/parts/0/functionResponse/parts"]


@pytest.mark.parametrize(("model", "is_signed"), [("gemini-3-pro-preview", True), ("gemini-2.5-flash", False)])
def test_only_gemini_models_that_require_signatures_get_the_placeholder_signature(model: str, is_signed: bool) -> None:
    [part] = to("gemini", model, *TURN).body["contents"][1]["parts"]
    assert ("thoughtSignature" in part) is is_signed


@pytest.mark.parametrize("target", ["openai_chat", "vllm"])
def test_call_ids_for_mistral_have_nine_characters_and_still_pair(target: str) -> None:
    messages = (*TURN, call("abcDEF123"), result("abcDEF123", "a tree"))
    encoded = to(target, "mistral-large-latest", *messages)
    written = encoded.body["messages"]
    calls = [one["id"] for message in written for one in message.get("tool_calls", ())]
    assert calls == [message["tool_call_id"] for message in written if message["role"] == "tool"]
    assert [len(one) for one in calls] == [9, 9]
    assert calls[1] == "abcDEF123"
    assert all(one.isalnum() for one in calls)
    told = {loss.path for loss in encoded.losses if loss.code == "name"}
    assert told == {"/messages/1/tool_calls/0/id", "/messages/2/call_id"}


@pytest.mark.parametrize(
    ("target", "model"),
    [
        ("vllm", "moonshotai/Kimi-K2-Instruct-0905"),
        ("vllm", "moonshotai/Kimi-K2-Thinking"),
        ("vllm", "moonshotai/Kimi-K2.6"),
        ("openai_chat", "moonshotai/kimi-k2-instruct-0905"),
        ("openai_chat", "moonshotai/kimi-k2-thinking"),
        ("openai_chat", "accounts/fireworks/models/kimi-k2p5"),
    ],
)
def test_calls_for_hosted_kimi_have_ids_that_name_their_function(target: str, model: str) -> None:
    both = call("toolu_2", call("toolu_1")["content"][0])
    results = {"role": "user", "content": [result(one, one)["content"][0] for one in ("toolu_1", "toolu_2")]}
    again = (call("toolu_1"), result("toolu_1", "a bird"))
    encoded = to(target, model, QUESTION, both, results, *again)
    written = encoded.body["messages"]
    calls = [one for message in written for one in message.get("tool_calls", ())]
    names = {one["function"]["name"] for one in calls}
    assert len(names) == 1
    [name] = names
    assert [one["id"] for one in calls] == [f"functions.{name}:{at}" for at in range(3)]
    answered = {message["tool_call_id"]: message["content"] for message in written if message["role"] == "tool"}
    assert [*answered] == [one["id"] for one in calls]
    assert [*answered.values()][2] == "a bird"
    told = {loss.path for loss in encoded.losses if loss.code == "name"}
    assert {"/messages/1/tool_calls/0/id", "/messages/1/tool_calls/1/id", "/messages/2/call_id"} <= told


@pytest.mark.parametrize(
    ("target", "model"), [("openai_chat", "kimi-k2.6"), ("vllm", "moonshotai/Kimi-K3"), ("openai_chat", "gpt-5.6")]
)
def test_calls_for_moonshot_itself_and_for_other_models_keep_their_ids(target: str, model: str) -> None:
    encoded = to(target, model, *TURN)
    [one] = [one for message in encoded.body["messages"] for one in message.get("tool_calls", ())]
    assert one["id"] == "toolu_1"


def test_calls_that_kimi_made_keep_their_ids() -> None:
    """Ollama's clients keep any id; so the ids come back as Kimi wrote them, counted from elsewhere."""
    function = {"name": "look", "arguments": {}}
    body = {
        "model": "m",
        "messages": [
            QUESTION,
            {"role": "assistant", "content": "", "tool_calls": [{"id": "functions.look:7", "function": function}]},
            {"role": "tool", "tool_name": "look", "tool_call_id": "functions.look:7", "content": "a tree"},
        ],
    }
    encoded = il.translate_request(body, "ollama", "vllm", model="moonshotai/Kimi-K2.5")
    assert encoded.body["messages"][1]["tool_calls"][0]["id"] == "functions.look:7"
    assert encoded.body["messages"][2]["tool_call_id"] == "functions.look:7"
    assert not [loss for loss in encoded.losses if loss.code == "name"]


def test_a_prefilled_answer_for_mistral_is_marked_as_prefix() -> None:
    begun = {"role": "assistant", "content": "Well"}
    encoded = to("openai_chat", "mistral-large-latest", QUESTION, begun)
    assert encoded.body["messages"][-1] == {"role": "assistant", "content": "Well", "prefix": True}
    assert {loss.path: loss.severity for loss in encoded.losses}["/messages/1/prefix"] == "filled"
    elsewhere = to("openai_chat", "mistralai/mistral-large-2512", QUESTION, begun)
    assert elsewhere.body["messages"][-1] == begun


def test_mistral_on_vllm_continues_a_final_message_and_gets_an_answer_between_results_and_user() -> None:
    reminder = {
        "role": "user",
        "content": [result("toolu_1", "a")["content"][0], {"type": "text", "text": "Be brief."}],
    }
    encoded = to(
        "vllm", "mistralai/Devstral-Small-2507", QUESTION, call("toolu_1"), reminder, {**QUESTION, "role": "assistant"}
    )
    roles = [message["role"] for message in encoded.body["messages"]]
    assert roles == ["user", "assistant", "tool", "assistant", "user", "assistant", "user"]
    assert encoded.body["messages"][-1]["content"] == "Continue."
    told = {(loss.path, loss.severity) for loss in encoded.losses}
    assert {("/messages", "changed"), ("/messages/5", "filled")} <= told


def test_deepseek_gets_the_reasoning_of_earlier_calls() -> None:
    thought = {"type": "thinking", "thinking": "I look.", "signature": "s"}
    messages = (QUESTION, call("toolu_1", thought), result("toolu_1", "a"), call("toolu_2"), result("toolu_2", "b"))
    encoded = to("openai_chat", "deepseek-v4-flash", *messages, thinking={"type": "adaptive"})
    said = [message["reasoning_content"] for message in encoded.body["messages"] if "tool_calls" in message]
    assert said == ["I look.", ""]
    assert encoded.body["thinking"] == {"type": "enabled"}
    assert {loss.path: loss.severity for loss in encoded.losses}["/messages/3/reasoning"] == "filled"
    bare = {"model": "deepseek-v4-flash", "thinking": {"type": "enabled"}, "messages": encoded.body["messages"]}
    del bare["messages"][-2]["reasoning_content"]
    assert [one.code for one in il.check_request(bare, "openai_chat")] == ["required"]


@pytest.mark.parametrize(
    ("model", "said"), [("kimi-k2.6", ["I look.", " "]), ("kimi-k3", ["I look.", " "]), ("moonshotai/kimi-k2.6", None)]
)
def test_kimi_gets_reasoning_for_earlier_calls_at_its_own_provider(model: str, said: list[str] | None) -> None:
    thought = {"type": "thinking", "thinking": "I look.", "signature": "s"}
    messages = (QUESTION, call("toolu_1", thought), result("toolu_1", "a"), call("toolu_2"), result("toolu_2", "b"))
    encoded = to("openai_chat", model, *messages)
    calls = [message for message in encoded.body["messages"] if "tool_calls" in message]
    if said is None:
        assert "reasoning_content" not in calls[1]
        return
    assert [message["reasoning_content"] for message in calls] == said
    assert {loss.path: loss.severity for loss in encoded.losses}["/messages/3/reasoning"] == "filled"
    calls[1]["reasoning_content"] = ""
    thinking = {**encoded.body, "thinking": {"type": "enabled"}}
    assert [one.code for one in il.check_request(thinking, "openai_chat")] == ["required"]


def test_empty_reasoning_replaced_by_a_space_for_kimi_is_reported() -> None:
    calling = {"role": "assistant", "reasoning": "", "tool_calls": [{"id": "a", "name": "look", "arguments": {}}]}
    answered = {"role": "tool", "call_id": "a", "content": "31"}
    request = {"model": "kimi-k2.6", "messages": [QUESTION, calling, answered]}
    encoded = il.encode_request(request, "openai_chat")
    assert encoded.body["messages"][1]["reasoning_content"] == " "
    assert {loss.path: loss.severity for loss in encoded.losses}["/messages/1/reasoning"] == "changed"


@pytest.mark.parametrize("thinking", [None, {"type": "enabled", "budget_tokens": 2000}, {"type": "disabled"}])
def test_thinking_is_disabled_for_deepseek_models_that_think_by_default_if_a_tool_is_forced(
    thinking: dict[str, Any] | None,
) -> None:
    members = {} if thinking is None else {"thinking": thinking}
    encoded = to("openai_chat", "deepseek-v4-flash", QUESTION, tool_choice={"type": "any"}, **members)
    assert encoded.body["tool_choice"] == "required"
    assert encoded.body["thinking"] == {"type": "disabled"}
    told = {loss.path: loss.severity for loss in encoded.losses if loss.path.startswith("/reasoning")}
    if thinking is None:
        assert told == {"/reasoning/mode": "filled"}
    elif thinking["type"] == "enabled":
        assert told == {"/reasoning/mode": "changed", "/reasoning/budget_tokens": "lost"}
    else:
        assert told == {}
    unasked = {name: value for name, value in encoded.body.items() if name != "thinking"}
    assert [one.path for one in il.check_request(unasked, "openai_chat")] == ["/tool_choice"]
    free = to("openai_chat", "deepseek-v4-flash", QUESTION)
    assert "thinking" not in free.body


@pytest.mark.parametrize(
    ("model", "off", "on"),
    [
        ("deepseek-v4-flash", {"thinking": {"type": "disabled"}}, {"reasoning_effort": "medium"}),
        ("glm-4.6", {"thinking": {"type": "disabled"}}, {"thinking": {"type": "enabled"}}),
        ("qwen3.8-max", {"enable_thinking": False}, {"reasoning_effort": "medium"}),
        ("qwen3.7-max", {"enable_thinking": False}, {"enable_thinking": True}),
        ("qwen/qwen3-235b", {"reasoning_effort": "none"}, {"reasoning_effort": "medium"}),
        ("qwen/qwen3-32b", {"reasoning_effort": "none"}, {}),
        ("z-ai/glm-4.6", {"reasoning_effort": "none"}, {"reasoning_effort": "medium"}),
    ],
)
def test_thinking_is_enabled_with_the_member_that_the_model_supports(
    model: str, off: dict[str, Any], on: dict[str, Any]
) -> None:
    for thinking, expected in (({"type": "disabled"}, off), ({"type": "enabled", "budget_tokens": 2000}, on)):
        body = to("openai_chat", model, QUESTION, thinking=thinking).body
        names = {"thinking", "enable_thinking", "reasoning_effort"} & body.keys()
        assert {name: body[name] for name in names} == expected


def test_vllm_models_with_alternating_roles_get_one_instruction_and_joined_user_messages() -> None:
    messages = ({"role": "user", "content": "b"}, {"role": "user", "content": "c"})
    mistral = to("vllm", "mistralai/Mistral-7B-Instruct-v0.3", *messages, system="a").body["messages"]
    assert mistral == [{"role": "system", "content": "a"}, {"role": "user", "content": "b\n\nc"}]
    gemma = to("vllm", "google/gemma-3-27b-it", *messages, system="a").body["messages"]
    assert gemma == [{"role": "user", "content": "a\n\nb\n\nc"}]


def test_later_instructions_become_user_messages_where_only_one_leading_is_accepted() -> None:
    body = {
        "model": "gpt-5",
        "messages": [
            {"role": "system", "content": "a"},
            {"role": "developer", "content": "b"},
            {"role": "user", "content": "c"},
            {"role": "assistant", "content": "d"},
            {"role": "developer", "content": "e"},
            {"role": "user", "content": [{"type": "text", "text": "f"}]},
        ],
    }
    encoded = il.translate_request(body, "openai_chat", "vllm", model="mistralai/Mistral-7B-Instruct-v0.3")
    assert encoded.body["messages"] == [
        {"role": "system", "content": "a\n\nb"},
        {"role": "user", "content": "c"},
        {"role": "assistant", "content": "d"},
        {"role": "user", "content": "e\n\nf"},
    ]
    assert {"/messages", "/messages/4/role"} <= {loss.path for loss in encoded.losses if loss.severity == "changed"}


REFERRING: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {"a": {"$ref": "#/$defs/A", "description": "an A"}, "list": {"items": {"$ref": "#/$defs/B"}}},
    "$defs": {"A": {"type": "object", "properties": {"b": {"$ref": "#/$defs/B"}}}, "B": {"type": "string"}},
}


@pytest.mark.parametrize("model", ["glm-5.3", "google/gemini-3.5-flash", "gemini-2.5-flash"])
def test_schema_references_are_inlined_for_models_that_do_not_resolve_them(model: str) -> None:
    tool = {"name": "look", "input_schema": REFERRING}
    encoded = to("openai_chat", model, QUESTION, tools=[tool])
    assert encoded.body["tools"][0]["function"]["parameters"] == {
        "type": "object",
        "properties": {
            "a": {"type": "object", "properties": {"b": {"type": "string"}}, "description": "an A"},
            "list": {"items": {"type": "string"}},
        },
    }
    assert {loss.path: loss.severity for loss in encoded.losses} == {"/tools/0/parameters": "changed"}
    assert to("openai_chat", "moonshotai/kimi-k2.6", QUESTION, tools=[tool]).losses == ()


def test_a_recursive_schema_is_inlined_once_and_then_replaced_by_its_name() -> None:
    node = {"type": "object", "properties": {"next": {"$ref": "#/$defs/Node"}}}
    again = {"type": "object", "description": "as above: Node"}
    assert inlined({"$ref": "#/$defs/Node", "$defs": {"Node": node}}) == {**node, "properties": {"next": again}}
    tree = {"type": "object", "properties": {"kids": {"type": "array", "items": {"$ref": "#"}}}}
    whole = {"type": "object", "description": "as above: the whole"}
    assert inlined(tree) == {"type": "object", "properties": {"kids": {"type": "array", "items": whole}}}


def test_a_pointer_into_the_schema_is_inlined_and_an_unresolvable_one_is_replaced_by_its_name() -> None:
    within = {"properties": {"a": {"enum": ["x"]}, "b": {"$ref": "#/properties/a", "description": "as a"}}}
    assert inlined(within)["properties"]["b"] == {"enum": ["x"], "description": "as a"}
    for reference in ("#/$defs/Gone", "https://example.com/x.json"):
        alone = {"description": f"as in: {reference}"}
        assert inlined({"properties": {"a": {"$ref": reference}}}) == {"properties": {"a": alone}}


def test_a_schema_that_would_grow_too_large_is_inlined_only_in_part() -> None:
    levels = {f"L{n}": {"properties": {x: {"$ref": f"#/$defs/L{n + 1}"} for x in "ab"}} for n in range(40)}
    written = json.dumps(inlined({"$ref": "#/$defs/L0", "$defs": {**levels, "L40": {"type": "string"}}}))
    assert "$ref" not in written
    assert len(written) < 100_000


def test_instructions_are_one_leading_message_for_templates_with_one_system_message() -> None:
    body = {
        "model": "gpt-5",
        "messages": [
            {"role": "system", "content": "a"},
            {"role": "developer", "content": [{"type": "text", "text": "b"}]},
            {"role": "user", "content": "c"},
            {"role": "developer", "content": "d"},
        ],
    }
    unknown = il.translate_request(body, "openai_chat", "vllm", model="my-model")
    texts = [("system", "a"), ("developer", "b"), ("user", "c"), ("developer", "d")]
    assert [(one["role"], one["content"]) for one in unknown.body["messages"]] == texts
    assert unknown.losses == ()
    encoded = il.translate_request(body, "openai_chat", "vllm", model="Qwen/Qwen3-8B")
    assert encoded.body["messages"] == [
        {"role": "system", "content": "a\n\nb"},
        {"role": "user", "content": "c"},
        {"role": "system", "content": "d"},
    ]
    assert {loss.path: loss.severity for loss in encoded.losses} == {
        "/messages/0/content": "changed",
        "/messages/1/role": "changed",
        "/messages/3/role": "changed",
    }


@pytest.mark.parametrize(
    ("model", "member"),
    [
        ("gpt-5.2", "max_completion_tokens"),
        ("my-deployment", "max_completion_tokens"),
        ("mistral-large-latest", "max_tokens"),
        ("deepseek-v4-flash", "max_tokens"),
        ("qwen/qwen3-235b", "max_tokens"),
        ("llama-3.3-70b", "max_tokens"),
    ],
)
def test_the_output_limit_is_in_the_member_that_the_host_supports(model: str, member: str) -> None:
    body = to("openai_chat", model, QUESTION).body
    assert [name for name in body if name.startswith("max_")] == [member]
    assert body[member] == 9000


def test_mistral_gets_no_members_that_it_refuses() -> None:
    asked = {
        "messages": [{"role": "user", "name": "ann", "content": "Look."}],
        "store": False,
        "user": "u",
        "seed": 5,
        "temperature": 0.5,
        "verbosity": "low",
        "stream": True,
        "stream_options": {"include_usage": True},
    }
    written = il.decode_request({"model": "gpt-5", **asked}, "openai_chat").replace(dialect=None)
    encoded = il.encode_request(written, "openai_chat", model="mistral-large-2512")
    assert encoded.body == {
        "model": "mistral-large-2512",
        "messages": [{"role": "user", "content": "Look."}],
        "temperature": 0.5,
        "stream": True,
        "random_seed": 5,
    }
    assert {loss.path for loss in encoded.losses} == {"/messages/0/name", "/user", "/verbosity"}
    elsewhere = il.encode_request(written, "openai_chat", model="mistralai/mistral-large-2512").body
    assert {"user", "seed", "stream_options"} <= elsewhere.keys()


@pytest.mark.parametrize(("model", "asks"), [("mistral-large-latest", False), ("mistral:7b", True), ("gpt-5.2", True)])
def test_usage_is_not_requested_from_mistral_which_always_sends_it(model: str, *, asks: bool) -> None:
    encoded = to("openai_chat", model, QUESTION, stream=True)
    assert ("stream_options" in encoded.body) is asks
    assert ("/stream_usage" in {loss.path for loss in encoded.losses}) is asks


@pytest.mark.parametrize(("model", "name"), [("mistral-small-latest", "random_seed"), ("gpt-4.1", "seed")])
def test_the_seed_has_the_name_that_the_provider_supports(model: str, name: str) -> None:
    body = {"contents": [{"role": "user", "parts": [{"text": "Hi"}]}], "generationConfig": {"seed": 5}}
    written = il.translate_request(body, "gemini", "openai_chat", model=model).body
    assert [member for member in written if "seed" in member] == [name]
    assert il.decode_request(written, "openai_chat").seed == 5
    assert il.translate_request(written, "openai_chat", "gemini").body["generationConfig"] == {"seed": 5}


@pytest.mark.parametrize(
    "said", [{"random_seed": 5}, {"random_seed": 5, "seed": 6}, {"random_seed": None}, {"seed": 5}]
)
def test_seed_names_round_trip(said: dict[str, Any]) -> None:
    body = {"model": "mistral-large-latest", "messages": [QUESTION], **said}
    assert il.encode_request(il.decode_request(body, "openai_chat"), "openai_chat").body == body


@pytest.mark.parametrize(
    ("model", "left", "lost"),
    [
        ("grok-4", set[str](), {"/frequency_penalty", "/stop"}),
        ("grok-4.6", set[str](), {"/frequency_penalty", "/stop"}),
        ("grok-3", {"stop"}, {"/frequency_penalty"}),
        ("grok-4-fast-non-reasoning", {"stop"}, {"/frequency_penalty"}),
        ("gpt-4.1", {"frequency_penalty", "presence_penalty", "stop"}, set[str]()),
    ],
)
def test_xai_gets_no_penalties_and_its_reasoning_models_no_stop_sequences(
    model: str, left: set[str], lost: set[str]
) -> None:
    settings = {"frequencyPenalty": 0.5, "presencePenalty": 0, "stopSequences": ["END"]}
    body = {"contents": [{"role": "user", "parts": [{"text": "Hi"}]}], "generationConfig": settings}
    encoded = il.translate_request(body, "gemini", "openai_chat", model=model)
    assert encoded.body.keys() - {"model", "messages"} == left
    assert {loss.path for loss in encoded.losses} == lost
    refused = {"model": model, "messages": [QUESTION], "presence_penalty": 0, "stop": ["END"]}
    paths = {one.path for one in il.check_request(refused, "openai_chat")}
    assert paths == {f"/{name}" for name in ("presence_penalty", "stop") if name not in left}


def test_names_of_messages_that_may_be_joined_are_lost() -> None:
    messages = [{"role": "user", "name": "ann", "content": "a"}, {"role": "user", "name": "bob", "content": "b"}]
    encoded = il.translate_request({"model": "gpt-5", "messages": messages}, "openai_chat", "vllm", model="mistral-7b")
    assert encoded.body["messages"] == [{"role": "user", "content": "a\n\nb"}]
    assert {loss.path: loss.severity for loss in encoded.losses} == {
        "/messages": "changed",
        "/messages/0/name": "lost",
        "/messages/1/name": "lost",
    }


@pytest.mark.parametrize("data", [{"role": "user"}, {"role": "user", "parts": [1, {"functionResponse": None}]}])
def test_the_content_of_opaque_gemini_messages_is_not_examined(data: dict[str, Any]) -> None:
    opaque = {"role": "opaque", "dialect": "gemini", "data": data}
    request = {"messages": [{"role": "user", "content": "a"}, opaque]}
    assert il.encode_request(request, "gemini", model="gemini-2.5-pro").body["contents"][1] == data


@pytest.mark.parametrize("model", ["mistral-large-2512", "llama-3.3-70b", "deepseek-v4-flash"])
def test_an_allowed_tools_choice_becomes_the_tool_list_for_models_of_other_hosts(model: str) -> None:
    tools = [{"type": "function", "name": name, "parameters": {"type": "object", "properties": {}}} for name in "ab"]
    choice = {"type": "allowed_tools", "mode": "required", "tools": [{"type": "function", "name": "a"}]}
    body = {"model": "gpt-5.2", "input": "Hi", "tools": tools, "tool_choice": choice}
    encoded = il.translate_request(body, "openai_responses", "openai_chat", model=model)
    assert encoded.body["tool_choice"] == "required"
    assert [tool["function"]["name"] for tool in encoded.body["tools"]] == ["a"]
    assert {"/tools/1", "/tool_choice"} <= {loss.path for loss in encoded.losses}
    kept = il.translate_request(body, "openai_responses", "openai_chat", model="gpt-5.2").body
    assert kept["tool_choice"]["type"] == "allowed_tools"


@pytest.mark.parametrize(
    "model", ["mistral-large-latest", "devstral-latest", "codestral-latest", "mistralai/mistral-small-4-119b-2603"]
)
def test_an_assistant_message_stands_between_results_and_the_user_for_mistral(model: str) -> None:
    result = {"type": "tool_result", "tool_use_id": "toolu_1", "content": "ok"}
    messages = [
        {"role": "user", "content": "Look."},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "toolu_1", "name": "look", "input": {}}]},
        {"role": "user", "content": [result, {"type": "text", "text": "And?"}]},
    ]
    body = {"model": "m", "max_tokens": 9, "messages": messages}
    encoded = il.translate_request(body, "claude", "openai_chat", model=model)
    assert [message["role"] for message in encoded.body["messages"]] == [
        "user",
        "assistant",
        "tool",
        "assistant",
        "user",
    ]
    assert "/messages" in [loss.path for loss in encoded.losses if loss.severity == "changed"]
    assert il.check_request(encoded.body, "openai_chat") == []
    del encoded.body["messages"][3]
    found = il.check_request(encoded.body, "openai_chat")
    assert [(one.code, one.path) for one in found] == [("order", "/messages/3")]


def test_mistral_small_accepts_a_user_message_behind_a_result() -> None:
    messages = [
        {"role": "user", "content": "Look."},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": "abcdefghi", "type": "function", "function": {"name": "look", "arguments": "{}"}}],
        },
        {"role": "tool", "tool_call_id": "abcdefghi", "content": "ok"},
        {"role": "user", "content": "And?"},
    ]
    body = {"model": "m", "messages": messages}
    sent = il.exchange(body, "openai_chat", "openai_chat", model="mistral-small-latest", fit=True).body
    assert [message["role"] for message in sent["messages"]] == ["user", "assistant", "tool", "user"]
    assert il.check_request(sent, "openai_chat") == []


def test_mistral_gets_later_instructions_as_user_messages_and_earlier_ones_joined() -> None:
    turns = (("system", "a"), ("system", "b"), ("user", "c"), ("assistant", "d"), ("system", "e"), ("user", "f"))
    asked = {"model": "gpt-5.2", "messages": [{"role": role, "content": text} for role, text in turns]}
    written = il.decode_request(asked, "openai_chat").replace(dialect=None)
    encoded = il.encode_request(written, "openai_chat", model="mistral-large-2512")
    assert [one["role"] for one in encoded.body["messages"]] == ["system", "user", "assistant", "user", "user"]
    assert encoded.body["messages"][0]["content"] == "a\n\nb"
    assert ("changed", "/messages/4/role") in {(loss.severity, loss.path) for loss in encoded.losses}


@pytest.mark.parametrize("thinking", [None, {"type": "adaptive"}])
def test_tools_that_chat_completions_does_not_have_keep_no_model_from_reasoning(thinking: Any) -> None:
    served: list[Any] = [
        {"type": "web_search_20250305", "name": "web_search"},
        {"type": "tool_search_tool_bm25_20251119"},
    ]
    function = {"name": "look", "input_schema": {"type": "object", "properties": {}}}
    body = {"model": "m", "max_tokens": 9000, "messages": [{"role": "user", "content": "Hello"}]}
    if thinking is not None:
        body["thinking"] = thinking
    for tools, effort in ((served, thinking and "medium"), ([*served, function], "none")):
        encoded = il.translate_request({**body, "tools": tools}, "claude", "openai_chat", model="gpt-5.6")
        assert encoded.body.get("reasoning_effort") == effort
        assert il.check_request(encoded.body, "openai_chat") == []
