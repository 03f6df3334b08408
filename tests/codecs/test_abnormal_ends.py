"""Answers that do not just stop: what a client of each dialect sees of each provider's end, whole and streamed."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il
from support.conversations import DIALECTS

CALL_FAILED: Final = "MALFORMED_FUNCTION_CALL"
BROKEN: Final = {"code": "server_error", "message": "The model broke."}


def chat(word: str, **beside: Any) -> tuple[dict[str, Any], list[dict[str, Any] | str]]:
    head = {"id": "a", "created": 1, "model": "m"}
    choice = {"index": 0, "message": {"role": "assistant", "content": "Hi"}, "finish_reason": word, **beside}
    deltas = [{"role": "assistant", "content": "Hi"}, {}]
    choices: list[dict[str, Any]] = [{"index": 0, "delta": delta, "finish_reason": None} for delta in deltas]
    choices[-1] |= {"finish_reason": word, **beside}
    chunks = [{**head, "object": "chat.completion.chunk", "choices": [one]} for one in choices]
    return {**head, "object": "chat.completion", "choices": [choice]}, [*chunks, "[DONE]"]


def claude(word: str, stopped_by: str | None = None) -> tuple[dict[str, Any], list[dict[str, Any] | str]]:
    end = {"stop_reason": word, "stop_sequence": stopped_by}
    usage = {"input_tokens": 1, "output_tokens": 1}
    head = {"id": "a", "type": "message", "role": "assistant", "model": "m", "usage": usage}
    block = {"type": "text", "text": ""}
    frames: list[dict[str, Any] | str] = [
        {"type": "message_start", "message": {**head, "content": [], "stop_reason": None, "stop_sequence": None}},
        {"type": "content_block_start", "index": 0, "content_block": block},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Hi"}},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": end, "usage": {"output_tokens": 1}},
        {"type": "message_stop"},
    ]
    return {**head, "content": [{**block, "text": "Hi"}], **end}, frames


def responses(kind: str, **beside: Any) -> tuple[dict[str, Any], list[dict[str, Any] | str]]:
    part = {"type": "output_text", "text": "Hi", "annotations": []}
    item = {"type": "message", "id": "i", "status": "completed", "role": "assistant", "content": [part]}
    head: dict[str, Any] = {"id": "a", "object": "response", "created_at": 1, "model": "m"}
    body = {**head, "error": None, "incomplete_details": None, "status": kind, "output": [item], **beside}
    at = {"output_index": 0, "item_id": "i", "content_index": 0}
    added = {"type": "response.output_item.added", "output_index": 0, "item": {**item, "content": []}}
    frames: list[dict[str, Any]] = [
        {"type": "response.created", "response": {**body, "status": "in_progress", "output": [], "error": None}},
        added,
        {"type": "response.content_part.added", **at, "part": {**part, "text": ""}},
        {"type": "response.output_text.delta", **at, "delta": "Hi"},
        {"type": "response.output_text.done", **at, "text": "Hi"},
        {"type": "response.content_part.done", **at, "part": part},
        {**added, "type": "response.output_item.done", "item": item},
        {"type": f"response.{kind}", "response": body},
    ]
    return body, [{**frame, "sequence_number": number} for number, frame in enumerate(frames)]


def gemini(word: str | None, **beside: Any) -> tuple[dict[str, Any], list[dict[str, Any] | str]]:
    body: dict[str, Any] = {"modelVersion": "m", "responseId": "a", **beside}
    if word is not None:
        body["candidates"] = [
            {"index": 0, "finishReason": word, "content": {"role": "model", "parts": [{"text": "Hi"}]}}
        ]
    return body, [body]


def ollama(word: str) -> tuple[dict[str, Any], list[dict[str, Any] | str]]:
    line: dict[str, Any] = {"model": "m", "created_at": "2026-01-01T00:00:00Z", "done": True, "done_reason": word}
    line["message"] = {"role": "assistant", "content": "Hi"}
    return line, [line]


def bedrock(word: str) -> tuple[dict[str, Any], list[dict[str, Any] | str]]:
    usage = {"inputTokens": 1, "outputTokens": 1, "totalTokens": 2}
    message = {"role": "assistant", "content": [{"text": "Hi"}]}
    frames: list[dict[str, Any] | str] = [
        {"messageStart": {"role": "assistant"}},
        {"contentBlockDelta": {"contentBlockIndex": 0, "delta": {"text": "Hi"}}},
        {"contentBlockStop": {"contentBlockIndex": 0}},
        {"messageStop": {"stopReason": word}},
        {"metadata": {"usage": usage, "metrics": {"latencyMs": 1}}},
    ]
    whole = {"output": {"message": message}, "stopReason": word, "usage": usage, "metrics": {"latencyMs": 1}}
    return whole, frames


# Each end: its dialect, the answer whole and streamed, and what it means.
ENDS: Final[dict[str, tuple[str, tuple[dict[str, Any], list[dict[str, Any] | str]], str]]] = {
    "chat length": ("openai_chat", chat("length"), "length"),
    "chat content_filter": ("openai_chat", chat("content_filter"), "content_filter"),
    "chat error": ("openai_chat", chat("error"), "error"),
    "DeepSeek insufficient_system_resource": ("openai_chat", chat("insufficient_system_resource"), "error"),
    "vLLM abort": ("vllm", chat("abort"), "cancelled"),
    "vLLM error": ("vllm", chat("error"), "error"),
    "vLLM a stop text": ("vllm", chat("stop", stop_reason="END"), "stop"),
    "Claude max_tokens": ("claude", claude("max_tokens"), "length"),
    "Claude model_context_window_exceeded": ("claude", claude("model_context_window_exceeded"), "length"),
    "Claude refusal": ("claude", claude("refusal"), "refusal"),
    "Claude pause_turn": ("claude", claude("pause_turn"), "pause"),
    "Claude a stop text": ("claude", claude("stop_sequence", "END"), "stop"),
    "Claude a new word": ("claude", claude("new_word"), "other"),
    "Responses max_output_tokens": (
        "openai_responses", responses("incomplete", incomplete_details={"reason": "max_output_tokens"}), "length"
    ),
    "Responses content_filter": (
        "openai_responses", responses("incomplete", incomplete_details={"reason": "content_filter"}), "content_filter"
    ),
    "Responses incomplete": ("openai_responses", responses("incomplete"), "length"),
    "Responses failed without an error": ("openai_responses", responses("failed"), "error"),
    "Gemini MAX_TOKENS": ("gemini", gemini("MAX_TOKENS"), "length"),
    "Gemini SAFETY": ("gemini", gemini("SAFETY"), "content_filter"),
    "Gemini RECITATION": ("gemini", gemini("RECITATION"), "content_filter"),
    "Gemini MALFORMED_FUNCTION_CALL": ("gemini", gemini(CALL_FAILED), "error"),
    "Gemini OTHER": ("gemini", gemini("OTHER"), "other"),
    "Gemini a blocked prompt": (
        "gemini", gemini(None, promptFeedback={"blockReason": "PROHIBITED_CONTENT"}), "content_filter"
    ),
    "Ollama length": ("ollama", ollama("length"), "length"),
    "Ollama unload": ("ollama", ollama("unload"), "other"),
    "Bedrock guardrail_intervened": ("bedrock_converse", bedrock("guardrail_intervened"), "content_filter"),
    "Bedrock malformed_tool_use": ("bedrock_converse", bedrock("malformed_tool_use"), "error"),
}  # fmt: skip

# How each dialect says each of them; with "!" where its client would take it for another reason.
SAID: Final[dict[str, dict[str, str]]] = {
    "openai_chat": {
        "length": "length", "content_filter": "content_filter", "refusal": "content_filter!", "pause": "stop!",
        "error": "stop!", "cancelled": "stop!", "other": "stop!", "stop": "stop",
    },
    "openai_responses": {
        "length": "incomplete max_output_tokens", "content_filter": "incomplete content_filter",
        "refusal": "incomplete content_filter!", "pause": "completed!", "error": "failed", "cancelled": "cancelled",
        "other": "completed!", "stop": "completed",
    },
    "claude": {
        "length": "max_tokens", "content_filter": "refusal!", "refusal": "refusal", "pause": "pause_turn",
        "error": "end_turn!", "cancelled": "end_turn!", "other": "end_turn!", "stop": "end_turn",
    },
    "gemini": {
        "length": "MAX_TOKENS", "content_filter": "SAFETY", "refusal": "SAFETY!", "pause": "OTHER!",
        "error": "MALFORMED_RESPONSE", "cancelled": "OTHER!", "other": "OTHER", "stop": "STOP",
    },
    "ollama": {
        "length": "length", "content_filter": "stop!", "refusal": "stop!", "pause": "stop!", "error": "stop!",
        "cancelled": "stop!", "other": "stop!", "stop": "stop",
    },
    "vllm": {
        "length": "length", "content_filter": "stop!", "refusal": "stop!", "pause": "stop!", "error": "error",
        "cancelled": "abort", "other": "stop!", "stop": "stop",
    },
    "bedrock_converse": {
        "length": "max_tokens", "content_filter": "content_filtered", "refusal": "content_filtered!",
        "pause": "end_turn!", "error": "malformed_model_output", "cancelled": "end_turn!", "other": "end_turn!",
        "stop": "end_turn",
    },
}  # fmt: skip
# A word of a provider that another one has, too.
SHARED: Final = {("Claude model_context_window_exceeded", "bedrock_converse"): "model_context_window_exceeded"}
# The dialects that say which text ended the answer.
STOP_TEXTS: Final = {"claude", "vllm"}


def ending(body: Any) -> str:
    """Return the words for why a whole answer ended."""
    match body:
        case {"candidates": [{"finishReason": word}]} | {"choices": [{"finish_reason": word}]}:
            return str(word)
        case {"stop_reason": word} | {"stopReason": word} | {"done_reason": word}:
            return str(word)
        case {"status": word, "incomplete_details": details}:
            return f"{word} {details['reason']}" if details else str(word)
        case _:
            return "none"


def ending_of_frames(frames: list[Any]) -> str:
    """Return the words for why a stream ended."""
    for frame in reversed(frames):
        match frame:
            case {"response": response}:
                return ending(response)
            case {"type": "message_delta", "delta": said} | {"messageStop": said}:
                return ending(said)
            case _ if frame != "[DONE]" and ending(frame) not in {"none", "None"}:
                return ending(frame)
    return "none"


def expected(end: str, target: str) -> tuple[str, bool]:
    """Return the words of an end in a dialect, and whether its client takes them for another reason."""
    _, _, reason = ENDS[end]
    if reason == "stop" and target == "claude":
        return "stop_sequence", False
    said = SHARED.get((end, target), SAID[target][reason])
    return said.rstrip("!"), said.endswith("!")


@pytest.mark.parametrize("target", DIALECTS)
@pytest.mark.parametrize("end", ENDS)
def test_each_finish_reason_exists_in_each_dialect_or_is_reported_as_changed(end: str, target: str) -> None:
    source, (body, frames), _ = ENDS[end]
    if source == target:
        return
    word, is_another = expected(end, target)
    whole = il.translate_response(body, source, target)
    stream = il.translate_stream(frames, source, target)
    written = list(stream)
    assert (ending(whole.body), ending_of_frames(written)) == (word, word)
    told = [loss for loss in whole.losses if (loss.code, loss.path) == ("finish_reason", "/finish_reason")]
    assert [(loss.severity, loss.concern) for loss in told] == ([("changed", "content")] if is_another else [])
    kinds = [
        {loss.severity for loss in found if loss.code == "finish_reason"} for found in (whole.losses, stream.losses)
    ]
    assert kinds[0] == kinds[1]


@pytest.mark.parametrize("target", DIALECTS)
@pytest.mark.parametrize("end", ["Claude a stop text", "vLLM a stop text"])
def test_the_matched_stop_text_is_written_or_reported_as_lost(end: str, target: str) -> None:
    source, (body, frames), _ = ENDS[end]
    stream = il.translate_stream(frames, source, target)
    written = list(stream)
    whole = il.translate_response(body, source, target)
    assert ("END" in str(whole.body), "END" in str(written)) == (target in STOP_TEXTS, target in STOP_TEXTS)
    for losses in (whole.losses, stream.losses):
        assert any(loss.path.endswith("/stop_sequence") for loss in losses) is (target not in STOP_TEXTS)


@pytest.mark.parametrize("end", [end for end, (_, _, reason) in ENDS.items() if reason == "error"])
def test_a_failed_response_has_its_reason_in_whole_and_streamed_form(end: str) -> None:
    source, (body, frames), _ = ENDS[end]
    if source == "openai_responses":
        return
    whole = il.translate_response(body, source, "openai_responses")
    stream = il.translate_stream(frames, source, "openai_responses")
    last = list(stream)[-1]
    assert isinstance(last, dict)
    assert last["type"] == "response.failed"
    assert last["response"]["error"] == whole.body["error"]
    assert whole.body["error"]["code"] == "server_error"
    assert whole.body["error"]["message"].startswith("The answer failed.")
    assert (CALL_FAILED in whole.body["error"]["message"]) is (CALL_FAILED in end)
    for losses in (whole.losses, stream.losses):
        filled = [loss for loss in losses if loss.path.endswith("/extra/openai_responses") and "error" in loss.detail]
        assert [(loss.severity, loss.concern) for loss in filled] == [("filled", "bookkeeping")]


FAILED: Final = {
    "Responses": ("openai_responses", responses("failed", error=BROKEN)),
    "Responses, nothing said": ("openai_responses", responses("failed", error=BROKEN, output=[])),
    "OpenRouter": ("openai_chat", chat("error", error={"code": 502, "message": BROKEN["message"]})),
}


@pytest.mark.parametrize("target", DIALECTS)
@pytest.mark.parametrize("case", FAILED)
def test_an_error_inside_an_answer_is_an_error_in_every_other_dialect(case: str, target: str) -> None:
    source, (body, frames) = FAILED[case]
    if source == target:
        assert il.encode_response(il.decode_response(body, source), source).body == body
        assert list(il.encode_stream(il.decode_stream(frames, source), source)) == frames
        return
    request = {"messages": [{"role": "user", "content": "Hi"}], "model": "m"}
    asked = il.exchange(
        il.translate_request(request, "openai_chat", target, defaults={"max_tokens": 9}).body, target, source
    )
    with pytest.raises(il.DecodeError) as refused:
        asked.response(body)
    assert (refused.value.looks_like, refused.value.looks_like_dialect) == ("error", source)
    assert refused.value.partial == il.decode_response(body, source).model_dump(mode="json", exclude_none=True)
    told = asked.error(body)
    assert told.status >= 500
    assert il.decode_error(told.body, target, status=told.status).message == BROKEN["message"]
    with pytest.raises(il.StreamError) as broken:
        il.collect(il.decode_stream(list(asked.stream(frames)), target))
    assert broken.value.message == BROKEN["message"]


def test_the_detail_of_a_declined_answer_shows_no_content() -> None:
    with pytest.raises(il.DecodeError) as refused:
        il.translate_response(FAILED["Responses"][1][0], "openai_responses", "claude")
    assert BROKEN["message"] not in str(refused.value)


@pytest.mark.parametrize("reason", ["stop", "other", "cancelled"])
@pytest.mark.parametrize(
    ("client", "word"),
    [("openai_chat", "tool_calls"), ("vllm", "tool_calls"), ("claude", "tool_use"), ("bedrock_converse", "tool_use")],
)
def test_an_answer_with_calls_never_has_the_finish_reason_stop(client: str, word: str, reason: str) -> None:
    if (client, reason) == ("vllm", "cancelled"):
        word = "abort"  # it has a word of its own for that
    call = {"id": "c", "name": "f", "arguments": {"a": 1}}
    whole = {"messages": [{"role": "assistant", "tool_calls": [call]}], "finish_reason": reason}
    encoded = il.encode_response(whole, client)
    assert ending(encoded.body) == word
    told = {("finish_reason", "/finish_reason", "changed")} if word != "abort" else set()
    assert {(one.code, one.path, one.severity) for one in encoded.losses if one.code == "finish_reason"} == told
    events: list[dict[str, Any]] = [
        {"type": "start"},
        {"type": "tool_call_start", "block": 0, **call},
        {"type": "block_end", "block": 0},
        {"type": "finish", "reason": reason},
        {"type": "end", "complete": True},
    ]
    frames = list(il.encode_stream(events, client))
    assert ending(il.encode_response(il.collect(il.decode_stream(frames, client)), client).body) == word


WHY: Final = "It may be about malware."
BEGUN: Final = {"type": "message_start", "message": claude("refusal")[0] | {"content": [], "stop_reason": None}}
REFUSED: Final = {"stop_reason": "refusal", "stop_details": {"type": "refusal", "explanation": WHY}}
BLOCKED: Final = {"promptFeedback": {"blockReason": "SAFETY", "blockReasonMessage": WHY}}
STOPPED: Final = {"candidates": [{**gemini("PROHIBITED_CONTENT")[0]["candidates"][0], "finishMessage": WHY}]}
EXPLAINED: Final[dict[str, tuple[str, dict[str, Any], list[Any]]]] = {
    "Claude refuses": (
        "claude",
        {**claude("refusal")[0], "content": [], **REFUSED},
        [BEGUN, {"type": "message_delta", "delta": REFUSED, "usage": {"output_tokens": 1}}, {"type": "message_stop"}],
    ),
    "Gemini blocks the question": ("gemini", BLOCKED, [BLOCKED]),
    "Gemini stops the answer": ("gemini", STOPPED, [STOPPED]),
}


@pytest.mark.parametrize("case", EXPLAINED)
@pytest.mark.parametrize("target", DIALECTS)
def test_the_reason_for_a_declined_answer_is_written_in_every_dialect(case: str, target: il.Dialect) -> None:
    source, whole, frames = EXPLAINED[case]
    assert il.encode_response(il.decode_response(whole, source), source).body == whole
    assert list(il.encode_stream(il.decode_stream(frames, source), source)) == frames
    if target == source:
        return
    answer = il.decode_response(il.translate_response(whole, source, target).body, target)
    heard = il.collect(il.decode_stream([*il.translate_stream(frames, source, target)], target))
    for one in (answer, heard):
        [message] = one.messages
        said = message.refusal or one.text
        assert (said or "").endswith(WHY)
        assert one.finish_reason in {"refusal", "content_filter", "stop"}
    assert il.normal_form(heard)["messages"] == il.normal_form(answer)["messages"]


@pytest.mark.parametrize("reason", ["refusal", "content_filter"])
@pytest.mark.parametrize("client", ["openai_chat", "vllm", "claude", "bedrock_converse"])
def test_the_calls_of_a_declined_answer_are_not_to_be_run(client: str, reason: str) -> None:
    call = {"id": "c", "name": "f", "arguments": {"a": 1}}
    message = {"role": "assistant", "refusal": WHY, "tool_calls": [call]}
    whole = {"messages": [message], "finish_reason": reason}
    events: list[dict[str, Any]] = [
        {"type": "start"},
        {"type": "refusal", "block": 0, "text": WHY},
        {"type": "block_end", "block": 0},
        {"type": "tool_call_start", "block": 1, **call},
        {"type": "block_end", "block": 1},
        {"type": "finish", "reason": reason},
        {"type": "end", "complete": True},
    ]
    said = (ending(il.encode_response(whole, client).body), ending_of_frames(list(il.encode_stream(events, client))))
    assert said[0] == said[1]
    assert said[0] not in {"tool_calls", "tool_use"}


# The dialects that have no word for an answer that failed.
SILENT: Final = {"openai_chat", "claude", "ollama"}


def failed(text: str) -> dict[str, Any]:
    """Return a candidate of Gemini whose last call nobody could read; without text, where it says nothing."""
    words = {"finishReason": CALL_FAILED, "finishMessage": "Malformed call: print(1)"}
    return {"index": 0, "content": {"role": "model", "parts": [{"text": text}] if text else []}, **words}


@pytest.mark.parametrize("target", [one for one in DIALECTS if one != "gemini"])
@pytest.mark.parametrize("text", ["Let me look.", ""])
def test_a_failed_answer_contains_a_text_where_its_finish_reason_would_look_like_stop(
    text: str, target: il.Dialect
) -> None:
    whole = {"candidates": [failed(text)], "modelVersion": "m", "responseId": "a"}
    answer = il.decode_response(il.translate_response(whole, "gemini", target).body, target)
    if target == "openai_responses":  # it says it in an error, with which a stream breaks off: see the next test
        assert (answer.text or "") == text
        return
    heard = il.collect(il.decode_stream([*il.translate_stream([whole], "gemini", target)], target))
    told = f"The answer failed. Its provider ended it with {CALL_FAILED}.\nMalformed call: print(1)"
    said = f"{text}\n\n{told}" if text else told
    for one in (answer, heard):
        assert (one.text or "") == (said if target in SILENT else text)
        assert all(message.refusal is None for message in one.messages)
        assert one.finish_reason == ("stop" if target in SILENT else "error")
    assert il.normal_form(heard)["messages"] == il.normal_form(answer)["messages"]


@pytest.mark.parametrize("text", ["Let me look.", ""])
def test_a_failed_answer_for_responses_has_the_providers_reason_in_its_error(text: str) -> None:
    whole = {"candidates": [failed(text)], "modelVersion": "m", "responseId": "a"}
    told = f"The answer failed. Its provider ended it with {CALL_FAILED}.\nMalformed call: print(1)"
    stream = il.translate_stream([whole], "gemini", "openai_responses")
    last: Any = list(stream)[-1]
    answer = il.translate_response(whole, "gemini", "openai_responses")
    for error in (last["response"]["error"], answer.body["error"]):
        assert error == {"code": "server_error", "message": told}
    assert "print(1)" not in f"{stream.losses}{answer.losses}"


def test_each_failed_choice_states_its_failure() -> None:
    whole = {"candidates": [failed("One."), {**failed("Two."), "index": 1}], "modelVersion": "m", "responseId": "a"}
    answer = il.decode_response(il.translate_response(whole, "gemini", "openai_chat").body, "openai_chat")
    heard = il.collect(il.decode_stream([*il.translate_stream([whole], "gemini", "openai_chat")], "openai_chat"))
    for one in (answer, heard):
        [other] = one.alternatives or ()
        assert all(CALL_FAILED in (said.messages[-1].text or "") for said in (one, other))
    assert il.normal_form(heard)["alternatives"] == il.normal_form(answer)["alternatives"]


@pytest.mark.parametrize("end", ["Bedrock malformed_tool_use", "DeepSeek insufficient_system_resource"])
def test_a_failed_answer_without_a_text_names_the_providers_reason(end: str) -> None:
    source, (body, frames), _ = ENDS[end]
    word = end.rpartition(" ")[2]
    told = f"Hi\n\nThe answer failed. Its provider ended it with {word}."
    assert il.decode_response(il.translate_response(body, source, "claude").body, "claude").text == told
    assert il.collect(il.decode_stream([*il.translate_stream(frames, source, "claude")], "claude")).text == told


def test_text_beside_another_finish_reason_is_not_a_refusal() -> None:
    whole = {"candidates": [{**gemini("STOP")[0]["candidates"][0], "finishMessage": "Model stopped."}]}
    body = il.translate_response(whole, "gemini", "openai_chat").body
    assert body["choices"][0]["message"]["refusal"] is None
    assert "Model stopped" not in f"{body}{list(il.translate_stream([whole], 'gemini', 'openai_chat'))}"


@pytest.mark.parametrize("target", sorted(SILENT))
@pytest.mark.parametrize("text", ["Let me look.", ""])
def test_the_text_of_a_failed_answer_precedes_its_calls_because_claude_refuses_calls_before_text(
    text: str, target: il.Dialect
) -> None:
    candidate = failed(text)
    candidate["content"]["parts"].append({"functionCall": {"id": "c", "name": "look", "args": {"at": 1}}})
    whole = {"candidates": [candidate], "modelVersion": "m", "responseId": "a"}
    body = il.translate_response(whole, "gemini", target).body
    answer = il.decode_response(body, target)
    heard = il.collect(il.decode_stream([*il.translate_stream([whole], "gemini", target)], target))
    told = f"The answer failed. Its provider ended it with {CALL_FAILED}.\nMalformed call: print(1)"
    for one in (answer, heard):
        assert len(one.messages) == 1
        assert (one.text, [call.name for call in one.tool_calls]) == (f"{text}\n\n{told}" if text else told, ["look"])
    assert il.normal_form(heard)["messages"] == il.normal_form(answer)["messages"]
    if target == "claude":
        assert [block["type"] for block in body["content"]][-1] == "tool_use"


def test_the_text_of_a_failed_stream_follows_calls_already_written_and_precedes_the_delayed_calls_of_gemini() -> None:
    call = {"content": {"role": "model", "parts": [{"functionCall": {"name": "look", "args": {}}}]}, "index": 0}
    chunks = [{"candidates": [one], "modelVersion": "m", "responseId": "a"} for one in (call, failed(""))]
    told: list[dict[str, Any]] = [
        {"messageStart": {"role": "assistant"}},
        {"contentBlockStart": {"contentBlockIndex": 0, "start": {"toolUse": {"toolUseId": "c", "name": "look"}}}},
        {"contentBlockDelta": {"contentBlockIndex": 0, "delta": {"toolUse": {"input": "{}"}}}},
        {"contentBlockStop": {"contentBlockIndex": 0}},
        {"messageStop": {"stopReason": "malformed_tool_use"}},
    ]
    for source, came, expected in (
        ("bedrock_converse", told, ["tool_use", "text"]),
        ("gemini", chunks, ["text", "tool_use"]),
    ):
        frames: list[Any] = [*il.translate_stream(came, source, "claude")]
        begun = [frame["content_block"]["type"] for frame in frames if frame["type"] == "content_block_start"]
        assert begun == expected


@pytest.mark.parametrize("target", ["claude", "ollama", "vllm", "gemini"])
def test_content_that_the_provider_never_sent_is_not_reported_as_lost_after_its_error(target: Any) -> None:
    head = {"id": "a", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    end = {"index": 0, "delta": {"content": ""}, "finish_reason": "error"}
    frames = [
        {**head, "choices": [{"index": 0, "delta": {"content": "Hi"}, "finish_reason": None}]},
        {**head, "choices": [end], "error": {"code": 502, "message": "gone"}},
    ]
    stream = il.translate_stream(frames, "openai_chat", target)
    assert "The answer failed." not in str(list(stream))
    assert [loss for loss in stream.losses if loss.code == "message"] == []


def test_a_refusal_that_cannot_be_read_in_chat_completions_is_not_just_a_stop() -> None:
    picture = {"type": "image", "format": "image/png", "data": "AAECAw=="}
    answer: Any = {"messages": [{"role": "assistant", "refusal": [picture]}], "finish_reason": "refusal"}
    choice = il.encode_response(answer, "openai_chat").body["choices"][0]
    assert (choice["message"].get("refusal"), choice["finish_reason"]) == (None, "content_filter")
