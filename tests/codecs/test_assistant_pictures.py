"""Pictures that the assistant made, in conversations for models whose answers hold none."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il
from support.cost import steps

PNG: Final = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
PICTURE: Final = {"inlineData": {"mimeType": "image/png", "data": PNG}}
LEFT: Final = "The answer is attached to the next message of the user."
BESIDE: Final = "Attached to the last message of the assistant:"
MODELS: Final = {
    "openai_chat": "gpt-5.4",
    "openai_responses": "gpt-5.4",
    "claude": "claude-sonnet-5",
    "vllm": "Qwen/Qwen2.5-VL-7B-Instruct",
    "bedrock_converse": "anthropic.claude-sonnet-4-5-20250929-v1:0",
}
Said = list[tuple[str, list[str]]]


def gemini(*turns: tuple[str, list[dict[str, Any]]]) -> dict[str, Any]:
    return {"contents": [{"role": role, "parts": parts} for role, parts in turns]}


def said(body: dict[str, Any], dialect: str) -> Said:
    """Return the roles and parts of a request: texts, and a word for what is none."""
    out: Said = []
    for message in il.decode_request(body, dialect).messages:
        content = message.content or ()
        parts = [content] if isinstance(content, str) else [getattr(part, "text", part.type) for part in content]
        calls = [call.name for call in getattr(message, "tool_calls", None) or ()]
        same = out and out[-1][0] == message.role
        out[len(out) - 1 if same else len(out) :] = [(message.role, [*(out[-1][1] if same else ()), *parts, *calls])]
    return out


DRAWN: Final = gemini(
    ("user", [{"text": "Draw."}]), ("model", [PICTURE]), ("user", [{"text": "Now in red."}])
)  # fmt: skip


@pytest.mark.parametrize("target", MODELS)
def test_an_assistant_image_moves_to_the_next_user_message(target: str) -> None:
    encoded = il.translate_request(DRAWN, "gemini", target, model=MODELS[target])
    assert said(encoded.body, target) == [
        ("user", ["Draw."]),
        ("assistant", [LEFT]),
        ("user", [BESIDE, "image", "Now in red."]),
    ]
    assert PNG in str(encoded.body)
    assert il.check_request(encoded.body, target) == []
    told = [(one.severity, one.path) for one in encoded.losses if one.code in {"content", "part"}]
    assert told == [("changed", "/messages/1/content/0")]


@pytest.mark.parametrize("target", ["openai_chat", "claude"])
def test_an_image_generated_by_openai_moves_to_the_next_user_message(target: str) -> None:
    made = {"type": "image_generation_call", "id": "ig_1", "status": "completed", "result": PNG}
    asked, again = ({"role": "user", "content": text} for text in ("Draw.", "Now in red."))
    body = {"model": "m", "input": [asked, made, again]}
    encoded = il.translate_request(body, "openai_responses", target, model=MODELS[target])
    assert said(encoded.body, target)[-1] == ("user", [BESIDE, "image", "Now in red."])


def test_texts_stay_and_images_move_after_the_results_of_the_turn() -> None:
    call = {"functionCall": {"name": "frame", "args": {}}}
    result = {"functionResponse": {"name": "frame", "response": {"output": "ok"}}}
    body = gemini(
        ("user", [{"text": "Draw."}]),
        ("model", [{"text": "One:"}, PICTURE, {"text": "Two:"}, PICTURE, call]),
        ("user", [result]),
        ("model", [{"text": "Framed."}]),
        ("user", [{"text": "Thanks."}]),
    )
    body["tools"] = [{"functionDeclarations": [{"name": "frame"}]}]
    for target in ("openai_chat", "claude", "openai_responses"):
        encoded = il.translate_request(body, "gemini", target, model=MODELS[target])
        assert [parts for _, parts in said(encoded.body, target)] == [
            ["Draw."], [*(["One:Two:"] if target == "openai_responses" else ["One:", "Two:"]), "frame"],
            ["ok"], [BESIDE, "image", "image"], ["Framed."], ["Thanks."],
        ]  # fmt: skip
        assert il.check_request(encoded.body, target) == []
        changed = [one.path for one in encoded.losses if one.severity == "changed" and one.code == "content"]
        assert changed == ["/messages/1/content/1", "/messages/1/content/3"]


def test_losses_have_the_original_paths_of_the_messages_and_parts() -> None:
    named = {"inlineData": {**PICTURE["inlineData"], "displayName": "a.png"}}
    code = {"executableCode": {"code": "1", "language": "PYTHON"}}
    body = gemini(
        ("user", [{"text": "Draw."}]),
        ("model", [{"text": "Here."}, named, {"text": "And:"}, code]),
        ("user", [{"text": "Look."}, named]),
    )
    losses = il.translate_request(body, "gemini", "claude", model="claude-sonnet-5").losses
    assert [(one.severity, one.path) for one in losses if one.path.startswith("/messages")] == [
        ("changed", "/messages/1/content/1"),
        ("changed", "/messages/1/content/3"),
        ("lost", "/messages/1/content/1/name"),
        ("lost", "/messages/2/content/1/name"),
    ]


@pytest.mark.parametrize(("target", "model"), [("openai_chat", "deepseek-chat"), ("vllm", "Qwen/Qwen3-8B")])
def test_models_without_image_input_get_no_images(target: str, model: str) -> None:
    encoded = il.translate_request(DRAWN, "gemini", target, model=model)
    assert PNG not in str(encoded.body)
    assert LEFT not in str(encoded.body)
    assert ("lost", "/messages/1/content/0") in [(one.severity, one.path) for one in encoded.losses]


def test_no_user_message_is_added_for_an_image_at_the_end_of_the_conversation() -> None:
    encoded = il.translate_request({"contents": DRAWN["contents"][:2]}, "gemini", "claude", model="claude-sonnet-5")
    assert PNG not in str(encoded.body)
    assert ("lost", "/messages/1/content/0") in [(one.severity, one.path) for one in encoded.losses]


@pytest.mark.parametrize("target", ["gemini", "ollama"])
def test_assistant_images_stay_where_the_target_accepts_them(target: str) -> None:
    model = {"gemini": "gemini-3-pro-image-preview", "ollama": "gemma3"}[target]
    image = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PNG}"}}
    body = {
        "model": "m",
        "messages": [
            {"role": "user", "content": "Draw."},
            {"role": "assistant", "content": "Here.", "images": [image]},
            {"role": "user", "content": "Now in red."},
        ],
    }
    encoded = il.translate_request(body, "openai_chat", target, model=model)
    assert said(encoded.body, target)[1] == ("assistant", ["Here.", "image"])


@pytest.mark.parametrize("target", ["claude", "bedrock_converse"])
def test_loss_paths_are_valid_if_an_image_stays_and_a_message_is_appended(target: str) -> None:
    run = [{"codeExecutionResult": {"outcome": "OUTCOME_OK", "output": "1"}}]
    body = gemini(("user", [{"text": "Draw."}]), ("model", [PICTURE]), ("model", run))
    model = {"claude": "claude-opus-4-6", "bedrock_converse": "anthropic.claude-opus-4-6-v1"}[target]
    encoded = il.translate_request(body, "gemini", target, model=model)
    assert ("filled", "/messages/3") in [(one.severity, one.path) for one in encoded.losses]


def test_a_message_appended_for_moved_images_has_the_path_of_the_next_message() -> None:
    turns = [("user", [{"text": "Draw."}]), ("model", [PICTURE]), ("user", [{"text": "In red."}]), ("model", [PICTURE])]
    encoded = il.translate_request(
        gemini(*turns, ("model", [{"text": "Here."}])), "gemini", "claude", model="claude-opus-4-6"
    )
    assert ("filled", "/messages/5") in [(one.severity, one.path) for one in encoded.losses]


def test_computing_loss_paths_takes_time_linear_in_the_images() -> None:
    def cost(count: int) -> int:
        turn = [("user", [{"text": "Draw."}]), ("model", [{"text": "H", "thought": True}, PICTURE])]
        body = gemini(*turn * count, ("user", [{"text": "Go on."}]))
        encoded = il.translate_request(body, "gemini", "claude", model="claude-sonnet-5")
        return steps(lambda: encoded.losses)

    assert cost(80) < 10 * cost(10)


def test_an_answer_with_an_empty_list_of_calls_says_that_its_picture_is_attached() -> None:
    picture = {"type": "image", "format": "image/png", "data": PNG}
    answer: Any = {"role": "assistant", "content": [picture], "tool_calls": []}
    messages = [{"role": "user", "content": "Draw."}, answer, {"role": "user", "content": "Now in red."}]
    for dialect, model in MODELS.items():
        request = {"model": model, "max_tokens": 9, "messages": messages}
        sent = said(il.encode_request(request, dialect).body, dialect)
        assert ("assistant", [LEFT]) in sent, dialect


def test_an_image_that_openai_generated_goes_back_to_it_as_its_item() -> None:
    made = {"type": "image_generation_call", "id": "ig_1", "status": "completed", "result": PNG}
    asked, again = ({"role": "user", "content": text} for text in ("Draw.", "Now in red."))
    body = {"model": "gpt-5.1", "input": [asked, made, again]}
    assert il.exchange(body, "openai_responses", "openai_responses", fit=True).body == body
    answer = il.decode_response({"model": "gpt-5.1", "status": "completed", "output": [made]}, "openai_responses")
    story = [il.UserChatMessage(content="Draw."), *answer.messages, il.UserChatMessage(content="Now in red.")]
    encoded = il.encode_request(il.ChatRequest(model="gpt-5.1", messages=story), "openai_responses")
    assert (encoded.body, encoded.losses) == (body, ())
