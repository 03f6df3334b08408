"""No encoder forgets a member: each is in the body, in a loss that names it, or exempt here with a reason."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import pytest

import interlingua as il
from interlingua_types import current as models
from support.canonical import without_member
from support.members import PLACES, cases, forgotten, reachable
from support.rooms import encode

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from interlingua.loss import Loss
    from support.rooms import Kind

# Dialect -> kind, object and member that may go without a word -> why. One that is not needed fails.
EXEMPT: Final[Mapping[str, Mapping[str, str]]] = {
    dialect: {
        name: "what the provider's tool did is sent as text, and the one change at the part says so"
        for kind in ("request", "response")
        for name in (
            *(f"{kind} ServerResultPart.{member}" for member in ("call_id", "error_code", "exit_code", "is_error")),
            *(() if dialect == "gemini" else (f"{kind} ServerCallPart.id",)),
        )
    }
    for dialect in il.dialects()
}


@pytest.mark.parametrize("dialect", il.dialects())
def test_every_member_is_written_reported_or_exempt(dialect: str) -> None:
    assert forgotten(dialect, encode) == set(EXEMPT.get(dialect, ()))


def test_every_object_of_requests_and_answers_is_covered() -> None:
    assert set(PLACES) == reachable()


def test_what_is_encoded_is_canonical() -> None:
    checked = 0
    for case in cases("claude"):
        model = models.ChatRequest if case.place.kind == "request" else models.ChatResponse
        assert model.model_validate(case.document).model_dump(mode="json") == case.document, case.name
        checked += 1
    assert checked > len(PLACES)


@pytest.mark.parametrize("dialect", il.dialects())
@pytest.mark.parametrize(
    ("member", "names"),
    [
        ("temperature", {"request ChatRequest.temperature"}),
        ("description", {"request ToolDefinition.description", "request ResponseFormat.description"}),
        ("is_error", {"request ToolChatMessage.is_error"}),
        ("reasoning_tokens", {"response Usage.reasoning_tokens"}),
        ("refusal", {"request AssistantChatMessage.refusal", "response AssistantChatMessage.refusal"}),
    ],
)
def test_a_member_that_an_encoder_drops_is_detected(dialect: str, member: str, names: set[str]) -> None:
    def forgetful(dialect: str, kind: Kind, value: Any) -> tuple[dict[str, Any], Sequence[Loss]]:
        return encode(dialect, kind, without_member(value, member, ()))

    assert names <= forgotten(dialect, forgetful)
