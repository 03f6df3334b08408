"""What other dialects said is a loss of its own abroad, whatever it is."""

from __future__ import annotations

from typing import Any

import pytest

import interlingua as il
from interlingua.loss import FOREIGN
from interlingua.translation import encode_canonical_request
from support.bodies import DIALECTS


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize(
    ("bag", "names"),
    [
        ({"fields": {"a/b": 1, "c": None, "d": 0}}, "a/b, d"),
        ({"fields": True}, "fields"),
        ({"fields": [1]}, "fields"),
        ({"spelling": {"a": "b"}}, None),
        ({"spelling": {}, "signature": "s"}, "signature"),
        ({"fields": {"a": {"b": [], "c": ""}}}, None),
        ({}, None),
        ("text", ""),
        (None, None),
    ],
)
def test_a_foreign_extra_member_is_one_loss_that_names_its_members(dialect: str, bag: Any, names: str | None) -> None:
    message = {"role": "user", "content": "Hi.", "extra": {"the/one": bag}}
    request: Any = {"model": "m", "max_tokens": 9, "messages": [message]}
    encoded = encode_canonical_request(request, dialect, strict=False, model=None, defaults=None, api_version=None)
    told = [(loss.path, loss.detail) for loss in encoded.losses if "/extra/" in loss.path]
    detail = FOREIGN if not names else f"{FOREIGN}: {names}"
    assert told == ([] if names is None else [("/messages/0/extra/the~1one", detail)])


def test_lost_settings_of_a_group_are_named_and_the_weightiest_come_first() -> None:
    fields = {
        "options": {"num_ctx": 8192, "mirostat": 1},
        "keep_alive": "5m",
        "structured_outputs": {"choice": ["a"]},
        "generationConfig": {"speechConfig": {"voice": "x"}},
    }
    hello = {"role": "user", "content": "Hi."}
    request: Any = {"model": "m", "max_tokens": 9, "messages": [hello], "extra": {"the/one": {"fields": fields}}}
    encoded = encode_canonical_request(request, "claude", strict=False, model=None, defaults=None, api_version=None)
    [lost] = [loss for loss in encoded.losses if "/extra/" in loss.path]
    names = "structured_outputs, generationConfig.speechConfig, options.mirostat, options.num_ctx, keep_alive"
    assert (lost.concern, lost.detail) == ("contract", f"{FOREIGN}: {names}")


def test_names_without_room_are_counted() -> None:
    names = [f"a_setting_with_a_name_{letter}" for letter in "abcdefgh"]
    hello = {"role": "user", "content": "Hi."}
    for count, end in ((8, "name_e and 3 more"), (6, "name_e and 1 more"), (5, "name_e")):
        some = dict.fromkeys(names[:count], 1)
        request: Any = {"model": "m", "max_tokens": 9, "messages": [hello], "extra": {"the/one": {"fields": some}}}
        encoded = encode_canonical_request(request, "claude", strict=False, model=None, defaults=None, api_version=None)
        [lost] = [loss for loss in encoded.losses if "/extra/" in loss.path]
        assert lost.detail.endswith(end)


CALLS = [{"id": "call_1", "name": "look", "arguments": "{}"}]
CONVERSATION: tuple[dict[str, Any], ...] = (
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": "Hi."},
    {"role": "assistant", "content": "I look.", "tool_calls": CALLS},
    {"role": "tool", "call_id": "call_1", "content": "Nothing."},
    {"role": "assistant", "content": "Nothing."},
    {"role": "opaque", "dialect": "the/one", "data": {"role": "narrator"}},
    {"role": "user", "content": "Why?", "name": "ann"},
)


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize(
    "notes", [{}, {"the/one": {"spelling": {"null": ["refusal"]}}}, {"a": {"spelling": 1}, "b": {"spelling": {}}}]
)
def test_foreign_spelling_notes_change_nothing(dialect: str, notes: dict[str, Any]) -> None:
    def written(messages: Any) -> tuple[Any, Any]:
        request: Any = {"dialect": "the/one", "model": "m", "max_tokens": 9, "messages": [*messages]}
        encoded = encode_canonical_request(request, dialect, strict=False, model=None, defaults=None, api_version=None)
        return encoded.body, [loss for loss in encoded.losses if loss.path != "/messages/5/extra"]

    assert written({**message, "extra": notes} for message in CONVERSATION) == written(CONVERSATION)


@pytest.mark.parametrize("dialect", ["openai_chat", "vllm", "ollama"])
@pytest.mark.parametrize(("at", "place"), [(0, 0), (1, 1), (2**31, 2), (2**70, 2)])
def test_an_opaque_call_returns_to_a_position_of_any_number(dialect: str, at: int, place: int) -> None:
    calls = [{"id": f"call_{each}", "name": "look", "arguments": {}} for each in range(2)]
    bag = {"opaque_calls": [{"at": at, "data": {"type": "new"}}, {"at": at, "data": {"type": "newer"}}]}
    message = {"role": "assistant", "tool_calls": calls, "extra": {dialect: bag}}
    request: Any = {"dialect": dialect, "model": "m", "messages": [message]}
    encoded = encode_canonical_request(request, dialect, strict=False, model=None, defaults=None, api_version=None)
    written = encoded.body["messages"][0]["tool_calls"]
    assert [call.get("type") for call in written].index("new") >= place
    assert {"new", "newer"} <= {call.get("type") for call in written}
    assert len(written) == 4


def test_what_a_dialect_without_a_name_said_of_a_refusal_is_a_loss() -> None:
    part = {"type": "text", "text": "No.", "extra": {"": {"mood": "firm"}}}
    response: Any = {"messages": [{"role": "assistant", "refusal": [part]}], "finish_reason": "refusal"}
    losses = il.encode_response(response, "openai_chat").losses
    assert [loss.path for loss in losses if loss.severity == "lost"] == ["/messages/0/refusal/0/extra//mood"]
