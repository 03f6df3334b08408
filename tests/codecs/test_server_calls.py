"""Code that a provider ran, and what came of it: at home as it came, elsewhere as code or as text."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il

PYTHON: Final[dict[str, Any]] = {
    "type": "server_tool_use", "id": "srvtoolu_1", "name": "code_execution", "input": {"code": "print(6 * 7)"}
}  # fmt: skip
PYTHON_RESULT: Final[dict[str, Any]] = {
    "type": "code_execution_tool_result",
    "tool_use_id": "srvtoolu_1",
    "content": {
        "type": "code_execution_result", "stdout": "42\n", "stderr": "", "return_code": 0,
        "content": [{"type": "code_execution_output", "file_id": "file_1"}],
    },
}  # fmt: skip
BASH: Final[dict[str, Any]] = {
    "type": "server_tool_use", "id": "srvtoolu_2", "name": "bash_code_execution", "input": {"command": "ls"}
}  # fmt: skip
BASH_RESULT: Final[dict[str, Any]] = {
    "type": "bash_code_execution_tool_result",
    "tool_use_id": "srvtoolu_2",
    "content": {
        "type": "bash_code_execution_result", "stdout": "", "stderr": "no such file\n", "return_code": 2, "content": []
    },
}  # fmt: skip
REFUSED: Final[dict[str, Any]] = {
    "type": "code_execution_tool_result",
    "tool_use_id": "srvtoolu_1",
    "content": {"type": "code_execution_tool_result_error", "error_code": "execution_time_exceeded"},
}
RAN: Final[dict[str, Any]] = {"executableCode": {"language": "PYTHON", "code": "print(6 * 7)"}}
WROTE: Final[dict[str, Any]] = {"codeExecutionResult": {"outcome": "OUTCOME_OK", "output": "42\n"}}
FAILED: Final[dict[str, Any]] = {"codeExecutionResult": {"outcome": "OUTCOME_FAILED", "output": "NameError\n"}}
LATE: Final[dict[str, Any]] = {"codeExecutionResult": {"outcome": "OUTCOME_DEADLINE_EXCEEDED"}}

TOLD: Final = "I count.\n\n```python\nprint(6 * 7)\n```\n\n```output\n42\n```\n\nIt is 42."


def claude(*blocks: Any) -> dict[str, Any]:
    return {
        "id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": [*blocks],
        "stop_reason": "end_turn", "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1},
    }  # fmt: skip


def gemini(*parts: Any) -> dict[str, Any]:
    content = {"role": "model", "parts": [*parts]}
    return {"candidates": [{"content": content, "finishReason": "STOP", "index": 0}]}


def said(body: Any, dialect: Any) -> Any:
    """Return the content of the one message of an answer, without what only its dialect understands."""
    [message] = il.normal_form(il.decode_response(body, dialect))["messages"]
    return message["content"]


def text(body: Any, source: Any) -> Any:
    return il.translate_response(body, source, "openai_chat").body["choices"][0]["message"]["content"]


def test_claude_code_execution_is_a_call_and_a_result() -> None:
    body = claude(PYTHON, PYTHON_RESULT, BASH, BASH_RESULT, REFUSED)
    assert said(body, "claude") == [
        {"type": "server_call", "id": "srvtoolu_1", "language": "python", "code": "print(6 * 7)"},
        {
            "type": "server_result", "call_id": "srvtoolu_1",
            "content": [{"type": "text", "text": "42\n"}, {"type": "file", "file_id": "file_1"}],
        },
        {"type": "server_call", "id": "srvtoolu_2", "language": "bash", "code": "ls"},
        {
            "type": "server_result", "call_id": "srvtoolu_2", "exit_code": 2,
            "error_output": "no such file\n",
        },
        {"type": "server_result", "call_id": "srvtoolu_1", "error_code": "execution_time_exceeded"},
    ]  # fmt: skip
    encoded = il.encode_response(il.decode_response(body, "claude"), "claude")
    assert (encoded.body, encoded.losses) == (body, ())


def test_gemini_code_execution_is_a_call_and_a_result() -> None:
    body = gemini(RAN, WROTE, FAILED, LATE)
    assert said(body, "gemini") == [
        {"type": "server_call", "language": "python", "code": "print(6 * 7)"},
        {"type": "server_result", "content": "42\n"},
        {"type": "server_result", "error_output": "NameError\n", "is_error": True},
        {"type": "server_result", "error_code": "execution_time_exceeded"},
    ]
    encoded = il.encode_response(il.decode_response(body, "gemini"), "gemini")
    assert (encoded.body, encoded.losses) == (body, ())


ODD: Final[tuple[tuple[Any, Any], ...]] = (
    ("claude", claude({**PYTHON, "input": {"code": 1}})),
    ("claude", claude({**PYTHON, "name": "text_editor_code_execution"})),
    ("claude", claude({**PYTHON, "caller": {"type": "direct"}, "cache_control": None})),
    ("claude", claude({**PYTHON_RESULT, "content": {**PYTHON_RESULT["content"], "abort_reason": None}})),
    ("claude", claude({**PYTHON_RESULT, "content": {**PYTHON_RESULT["content"], "stdout": None}})),
    ("claude", claude({**PYTHON_RESULT, "content": {**PYTHON_RESULT["content"], "content": ["x"]}})),
    ("claude", claude({**PYTHON_RESULT, "content": []})),
    ("gemini", gemini({"executableCode": {"language": "COBOL", "code": "1"}})),
    ("gemini", gemini({"executableCode": {"language": "PYTHON", "code": "1", "more": None}})),
    ("gemini", gemini({**RAN, "thoughtSignature": "c2ln", "thought": True})),
    ("gemini", gemini({"codeExecutionResult": {"outcome": "OUTCOME_UNSPECIFIED"}})),
    ("gemini", gemini({"codeExecutionResult": {"outcome": 1, "output": None}})),
    ("gemini", gemini({"code_execution_result": {"outcome": "OUTCOME_OK", "output": ""}})),
)


@pytest.mark.parametrize(("dialect", "body"), ODD, ids=range(len(ODD)))
def test_code_execution_of_any_shape_round_trips(dialect: Any, body: Any) -> None:
    encoded = il.encode_response(il.decode_response(body, dialect), dialect)
    assert (encoded.body, encoded.losses) == (body, ())


def test_code_execution_becomes_text_where_it_has_no_place() -> None:
    first, last = {"type": "text", "text": "I count."}, {"type": "text", "text": "It is 42."}
    assert text(claude(first, PYTHON, PYTHON_RESULT, last), "claude") == TOLD
    assert text(gemini({"text": "I count."}, RAN, WROTE, {"text": "It is 42."}), "gemini") == TOLD
    assert text(claude(BASH, BASH_RESULT), "claude") == "```bash\nls\n```\n\n```output\nno such file\n```"
    assert text(claude(REFUSED), "claude") == "```output\nexecution_time_exceeded\n```"


def test_a_code_fence_is_longer_than_those_in_the_code() -> None:
    body = gemini({"executableCode": {"language": "PYTHON", "code": 'print("```")'}})
    assert text(body, "gemini") == '````python\nprint("```")\n````'


def test_each_part_written_as_text_is_one_changed_loss() -> None:
    encoded = il.translate_response(gemini(RAN, WROTE), "gemini", "openai_chat")
    told = [(loss.severity, loss.code, loss.path) for loss in encoded.losses if loss.concern == "content"]
    assert told == [("changed", "part", f"/messages/0/content/{at}") for at in (0, 1)]


def test_gemini_gets_python_as_code_and_shell_commands_as_text() -> None:
    body = il.translate_response(claude(PYTHON, PYTHON_RESULT, BASH, BASH_RESULT), "claude", "gemini").body
    parts = body["candidates"][0]["content"]["parts"]
    assert parts[:2] == [
        {"executableCode": {"id": "srvtoolu_1", "language": "PYTHON", "code": "print(6 * 7)"}},
        {"codeExecutionResult": {"id": "srvtoolu_1", "outcome": "OUTCOME_OK", "output": "42\n"}},
    ]
    assert [part["text"].strip() for part in parts[2:]] == ["```bash\nls\n```", "```output\nno such file\n```"]


def test_claude_gets_its_own_code_execution_back_from_a_handwritten_history() -> None:
    answer = il.decode_response(claude(PYTHON, PYTHON_RESULT, BASH, BASH_RESULT), "claude")
    asked: Any = {"role": "user", "content": "Go on."}
    request = il.model.ChatRequest(model="m", max_tokens=9, messages=(asked, *answer.messages, asked))
    body = il.encode_request(request, "claude").body
    assert body["messages"][1]["content"] == [PYTHON, PYTHON_RESULT, BASH, BASH_RESULT]
    assert il.check_request(body, "claude") == []


def test_a_gemini_code_execution_history_becomes_text_for_claude() -> None:
    turns = [
        {"role": "user", "parts": [{"text": "6 * 7?"}]},
        {"role": "model", "parts": [RAN, WROTE, {"text": "It is 42."}]},
        {"role": "user", "parts": [{"text": "Thanks."}]},
    ]
    encoded = il.translate_request({"contents": turns}, "gemini", "claude", model="m")
    content = encoded.body["messages"][1]["content"]
    assert "".join(block["text"] for block in content) == TOLD.removeprefix("I count.\n\n")
    assert il.check_request(encoded.body, "claude") == []


FRAMES: Final[list[Any]] = [
    {"type": "message_start", "message": {**claude(), "stop_reason": None}},
    {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
    {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "I count."}},
    {"type": "content_block_stop", "index": 0},
    {"type": "content_block_start", "index": 1, "content_block": {**PYTHON, "input": {}}},
    {"type": "content_block_delta", "index": 1, "delta": {"type": "input_json_delta", "partial_json": '{"code": "pri'}},
    {"type": "content_block_delta", "index": 1, "delta": {"type": "input_json_delta", "partial_json": 'nt(6 * 7)"}'}},
    {"type": "content_block_stop", "index": 1},
    {"type": "content_block_start", "index": 2, "content_block": PYTHON_RESULT},
    {"type": "content_block_stop", "index": 2},
    {"type": "content_block_start", "index": 3, "content_block": {"type": "text", "text": ""}},
    {"type": "content_block_delta", "index": 3, "delta": {"type": "text_delta", "text": "It is 42."}},
    {"type": "content_block_stop", "index": 3},
    {
        "type": "message_delta",
        "delta": {"stop_reason": "end_turn", "stop_sequence": None},
        "usage": {"output_tokens": 1},
    },
    {"type": "message_stop"},
]


@pytest.mark.parametrize("target", ["openai_chat", "openai_responses", "gemini", "ollama", "vllm", "bedrock_converse"])
def test_a_streamed_code_execution_equals_the_whole_answer(target: Any) -> None:
    first, last = {"type": "text", "text": "I count."}, {"type": "text", "text": "It is 42."}
    body = il.translate_response(claude(first, PYTHON, PYTHON_RESULT, last), "claude", target).body
    stream = [*il.translate_stream(FRAMES, "claude", target)]
    whole, streamed = il.decode_response(body, target), il.collect(il.decode_stream(stream, target))
    assert il.normal_form(streamed)["messages"] == il.normal_form(whole)["messages"]


ABROAD: Final = ("openai_chat", "openai_responses", "gemini", "ollama", "vllm", "bedrock_converse")
SEARCH: Final[list[dict[str, Any]]] = [
    {"type": "server_tool_use", "id": "srvtoolu_3", "name": "web_search", "input": {"query": "Oslo"}},
    {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_3", "content": []},
]
PARTED: Final = [
    {"type": "text", "text": "I search."},
    *SEARCH,
    {"type": "text", "text": "It rains"},
    {"type": "text", "text": " in Oslo."},
    SEARCH[0],
    BASH,
    BASH_RESULT,
    SEARCH[1],
    {"type": "text", "text": "It is 42."},
]
SEARCHED: Final = 'Called web_search: {"query":"Oslo"}'
PARTED_TEXT: Final = "I search.\n\nIt rains in Oslo.\n\n```bash\nls\n```\n\n```output\nno such file\n```\n\nIt is 42."


def framed(blocks: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the frames of an answer of blocks, whose texts come in pieces."""
    frames = [FRAMES[0]]
    for index, block in enumerate(blocks):
        pieces = [block["text"][:3], block["text"][3:5], block["text"][5:]] if block["type"] == "text" else []
        start = {**block, "text": ""} if pieces else block
        frames += [
            {"type": "content_block_start", "index": index, "content_block": start},
            *(
                {"type": "content_block_delta", "index": index, "delta": {"type": "text_delta", "text": piece}}
                for piece in pieces
            ),
            {"type": "content_block_stop", "index": index},
        ]
    return [*frames, *FRAMES[-2:]]


@pytest.mark.parametrize("target", ABROAD)
def test_texts_around_a_lost_search_are_separated(target: Any) -> None:
    encoded = il.translate_response(claude(*PARTED), "claude", target)
    assert il.decode_response(encoded.body, target).text == PARTED_TEXT
    lost = {loss.path for loss in encoded.losses if (loss.code, loss.severity) == ("part", "lost")}
    assert lost == {f"/messages/0/content/{at}" for at in (1, 2, 5, 8)}
    stream = [*il.translate_stream(framed(PARTED), "claude", target)]
    collected = il.normal_form(il.collect(il.decode_stream(stream, target)))
    assert collected["messages"] == il.normal_form(il.decode_response(encoded.body, target))["messages"]


@pytest.mark.parametrize("target", ABROAD)
def test_in_a_history_the_search_is_described_between_the_texts(target: Any) -> None:
    turns = [
        {"role": "user", "content": "Go."},
        {"role": "assistant", "content": PARTED},
        {"role": "user", "content": "?"},
    ]
    body = {"model": "m", "max_tokens": 9, "messages": turns}
    told = il.decode_request(il.translate_request(body, "claude", target, model="m").body, target)
    assert (told.messages[1].text or "").split("\n\n") == [
        "I search.", SEARCHED, "```output\n```", "It rains in Oslo.",
        SEARCHED, "```bash\nls\n```", "```output\nno such file\n```", "```output\n```", "It is 42.",
    ]  # fmt: skip
    assert il.translate_request(body, "claude", "claude").body == body


def test_citations_of_such_texts_keep_their_offsets() -> None:
    call = {"toolCall": {"id": "a", "toolType": "FILE_SEARCH"}}
    body = gemini({"text": "I look."}, call, {"text": "It rains."})
    chunks = [{"web": {"uri": "https://a.example/", "title": "A"}}]
    segment = {"partIndex": 2, "startIndex": 0, "endIndex": 9, "text": "It rains."}
    body["candidates"][0]["groundingMetadata"] = {
        "groundingChunks": chunks, "groundingSupports": [{"segment": segment, "groundingChunkIndices": [0]}]
    }  # fmt: skip
    message = il.translate_response(body, "gemini", "openai_chat").body["choices"][0]["message"]
    cited = message["annotations"][0]["url_citation"]
    assert message["content"][cited["start_index"] : cited["end_index"]] == "It rains."
    assert message["content"] == "I look.\n\nIt rains."


def test_a_lost_search_at_the_beginning_leaves_no_gap() -> None:
    assert text(claude(*SEARCH, {"type": "text", "text": "It rains."}), "claude") == "It rains."
    assert text(claude({"type": "text", "text": "I search."}, *SEARCH), "claude") == "I search."


def test_a_stream_with_code_execution_round_trips_frame_by_frame() -> None:
    assert [*il.encode_stream(il.decode_stream(FRAMES, "claude"), "claude")] == FRAMES


def test_a_truncated_code_execution_keeps_its_fragments() -> None:
    chunks: list[Any] = [*il.translate_stream(FRAMES[:6], "claude", "openai_chat")]
    told = "".join(chunk["choices"][0]["delta"].get("content") or "" for chunk in chunks if chunk != "[DONE]")
    assert told.startswith("I count.\n\n```python\n")


def test_a_message_with_code_execution_round_trips_through_the_transcript() -> None:
    messages = [*il.decode_response(claude(PYTHON, PYTHON_RESULT), "claude").messages]
    assert il.to_chat(il.from_chat(messages)) == messages


def test_an_older_schema_version_has_no_place_for_code_execution() -> None:
    messages = il.from_chat([*il.decode_response(gemini(RAN, WROTE, {"text": "42"}), "gemini").messages])
    downgraded = il.downgrade([il.dump_message(message) for message in messages], to=2)
    assert {loss.code for loss in downgraded.losses} >= {"part"}


# --- Responses: one item is the call and its result ------------------------------------------------------------------

LOGS: Final[dict[str, Any]] = {"type": "logs", "logs": "42\n"}
INTERPRETED: Final[dict[str, Any]] = {
    "id": "ci_1", "type": "code_interpreter_call", "status": "completed", "code": "print(6 * 7)",
    "container_id": "cntr_1", "outputs": [LOGS],
}  # fmt: skip
THOUGHT: Final[dict[str, Any]] = {"id": "rs_1", "type": "reasoning", "summary": [], "encrypted_content": "gAAA"}


def output_message(number: int, text: str) -> dict[str, Any]:
    part = {"type": "output_text", "text": text, "annotations": [], "logprobs": []}
    return {"id": f"msg_{number}", "type": "message", "role": "assistant", "status": "completed", "content": [part]}


def responses(*items: Any) -> dict[str, Any]:
    return {
        "id": "resp_1", "object": "response", "created_at": 1, "status": "completed", "model": "m", "error": None,
        "incomplete_details": None, "output": [*items],
    }  # fmt: skip


def frames_of(*items: Any) -> list[dict[str, Any]]:
    """Make a stream of items that are announced, and told when they are done."""
    begun = {**responses(), "status": "in_progress"}
    frames: list[dict[str, Any]] = [{"type": "response.created", "response": begun}]
    for at, item in enumerate(items):
        announced = {**item, "status": "in_progress"} if "status" in item else item
        if item["type"] == "code_interpreter_call":
            announced |= {"code": "", "outputs": None}
        elif item["type"] == "message":
            announced |= {"content": []}
        frames.append({"type": "response.output_item.added", "output_index": at, "item": announced})
        if item["type"] == "code_interpreter_call":
            about = {"output_index": at, "item_id": item["id"]}
            frames.append({"type": "response.code_interpreter_call_code.delta", **about, "delta": item["code"]})
            frames.append({"type": "response.code_interpreter_call.completed", **about})
        for index, part in enumerate(item.get("content", ())):
            about = {"output_index": at, "item_id": item["id"], "content_index": index}
            frames.append({"type": "response.content_part.added", **about, "part": {**part, "text": ""}})
            frames.append({"type": "response.output_text.delta", **about, "delta": part["text"], "logprobs": []})
        frames.append({"type": "response.output_item.done", "output_index": at, "item": item})
    frames.append({"type": "response.completed", "response": responses(*items)})
    return [{**frame, "sequence_number": number} for number, frame in enumerate(frames)]


BODIES: Final = (
    (INTERPRETED,),
    (THOUGHT, INTERPRETED, {**INTERPRETED, "id": "ci_2"}, output_message(1, "It is 42.")),
    (output_message(1, "I count."), INTERPRETED, THOUGHT, {**INTERPRETED, "id": "ci_2"}),
    ({**INTERPRETED, "outputs": None}, {**INTERPRETED, "id": "ci_2", "outputs": []}),
    ({**INTERPRETED, "code": None, "status": "failed"},),
    ({**INTERPRETED, "outputs": [LOGS, {"type": "image", "url": "https://e.test/a.png", "file_id": "f"}, LOGS]},),
    ({**INTERPRETED, "outputs": [{**LOGS, "more": 1}], "more": [1]},),
    ({"id": "ci_1", "type": "code_interpreter_call", "status": "completed", "code": "1", "outputs": []},),
    ({"id": "ci_1", "type": "code_interpreter_call"},),
    ({**INTERPRETED, "id": None},),
    ({**INTERPRETED, "outputs": [{"type": "other"}]}, {**INTERPRETED, "code": 7}),
)


@pytest.mark.parametrize("items", BODIES)
def test_a_code_interpreter_item_round_trips(items: Any) -> None:
    body = responses(*items)
    assert il.translate_response(body, "openai_responses", "openai_responses").body == body
    assert il.encode_response(il.decode_response(body, "openai_responses"), "openai_responses").body == body
    asked = {"model": "m", "input": [{"role": "user", "content": "Count."}, *items]}
    assert il.encode_request(il.decode_request(asked, "openai_responses"), "openai_responses").body == asked


def runs_and_text(message: Any) -> tuple[Any, str]:
    parts = message.content if isinstance(message.content, tuple) else ()
    return [part for part in parts if part.type in {"server_call", "server_result"}], message.text


@pytest.mark.parametrize("items", BODIES[:8])
def test_a_code_interpreter_stream_round_trips_and_equals_the_whole_answer(items: Any) -> None:
    frames = frames_of(*items)
    assert list(il.translate_stream(frames, "openai_responses", "openai_responses")) == frames
    told = il.collect(il.decode_stream(frames, "openai_responses"))
    assert told == il.decode_response(responses(*items), "openai_responses")
    shortened = [frames[0], frames[-1]]
    assert list(il.translate_stream(shortened, "openai_responses", "openai_responses")) == shortened
    for target in ("openai_chat", "gemini", "claude"):
        whole = il.translate_response(responses(*items), "openai_responses", target).body
        for some in (frames, shortened):
            written = il.collect(il.decode_stream(il.translate_stream(some, "openai_responses", target), target))
            expected = il.decode_response(whole, target)
            assert [runs_and_text(one) for one in written.messages] == [runs_and_text(one) for one in expected.messages]


def test_an_item_of_the_code_interpreter_is_a_call_and_its_result() -> None:
    body = responses(INTERPRETED, {**INTERPRETED, "id": "ci_2", "outputs": None}, output_message(1, "It is 42."))
    [whole] = il.normal_form(il.decode_response(body, "openai_responses"))["messages"]
    call = {"type": "server_call", "id": "ci_1", "language": "python", "code": "print(6 * 7)"}
    result = {"type": "server_result", "call_id": "ci_1", "content": "42\n"}
    assert whole["content"] == [call, result, {**call, "id": "ci_2"}, {"type": "text", "text": "It is 42."}]


def test_responses_code_execution_is_text_in_other_dialects_and_code_for_gemini() -> None:
    body = responses(output_message(1, "I count."), INTERPRETED, output_message(2, "It is 42."))
    chat = il.translate_response(body, "openai_responses", "openai_chat")
    assert chat.body["choices"][0]["message"]["content"] == TOLD
    assert [loss.path for loss in chat.losses if loss.concern == "content"] == [
        "/messages/1/content/0", "/messages/1/content/1"
    ]  # fmt: skip
    assert {loss.severity for loss in chat.losses if loss.concern == "content"} == {"changed"}
    gemini_parts = il.translate_response(body, "openai_responses", "gemini").body["candidates"][0]["content"]["parts"]
    ran = {"executableCode": {**RAN["executableCode"], "id": "ci_1"}}
    wrote = {"codeExecutionResult": {**WROTE["codeExecutionResult"], "id": "ci_1"}}
    assert gemini_parts == [{"text": "I count."}, ran, wrote, {"text": "It is 42."}]


def test_only_code_interpreter_items_are_sent_back_to_responses() -> None:
    asked = {"model": "m", "input": [{"role": "user", "content": "Count."}, INTERPRETED, output_message(1, "42.")]}
    request = il.decode_request(asked, "openai_responses").replace(dialect=None)
    assert INTERPRETED in il.encode_request(request, "openai_responses").body["input"]
    other = {"type": "server_call", "id": "ci_1", "language": "bash", "code": "ls"}
    shell = {"dialect": "openai_responses", "messages": [{"role": "assistant", "content": [other]}]}
    told = il.encode_request(shell, "openai_responses").body["input"][0]["content"]
    assert [part["text"] for part in told] == ["```bash\nls\n```"]
    claudes = {"role": "assistant", "content": [PYTHON, PYTHON_RESULT]}
    history = [{"role": "user", "content": "Count."}, claudes, {"role": "user", "content": "And?"}]
    body = {"model": "m", "max_tokens": 99, "messages": history}
    told = il.translate_request(body, "claude", "openai_responses").body["input"][1]
    assert told["type"] == "message"
    assert told["content"] == "```python\nprint(6 * 7)\n```\n\n```output\n42\n```"


def test_a_failed_run_is_described_as_failed() -> None:
    item = {**INTERPRETED, "status": "failed", "outputs": [{"type": "logs", "logs": "NameError\n"}]}
    decoded = il.normal_form(il.decode_response(responses(item), "openai_responses"))
    assert decoded["messages"][0]["content"][1]["is_error"] is True
    parts = il.translate_response(responses(item), "openai_responses", "gemini").body["candidates"][0]["content"][
        "parts"
    ]
    assert parts[1]["codeExecutionResult"]["outcome"] == "OUTCOME_FAILED"
