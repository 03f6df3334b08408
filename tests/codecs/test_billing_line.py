"""What Claude Code writes for its provider's books at the top of the instructions stays with that provider."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il

TARGETS: Final = ("openai_chat", "openai_responses", "gemini", "ollama", "vllm", "bedrock_converse")
LINE: Final = "x-anthropic-billing-header: cc_version=1.2.3; cc_entrypoint=cli; cch=0a1b2;"
BOOKS: Final = {"type": "text", "text": LINE}
RULES: Final = {"type": "text", "text": "Be brief.", "cache_control": {"type": "ephemeral"}}
PICTURE: Final = {"type": "image", "source": {"type": "file", "file_id": "file_1"}}


def asked(system: Any, *parts: Any) -> dict[str, Any]:
    content = [*parts, {"type": "text", "text": "Hi."}]
    return {
        "model": "claude-sonnet-4-5",
        "max_tokens": 99,
        "system": system,
        "messages": [{"role": "user", "content": content}],
    }


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    "system", [LINE, [BOOKS], [BOOKS, RULES], f"{LINE}\n\nBe brief.", [{**BOOKS, "text": f"{LINE}\nBe brief."}]]
)
def test_the_billing_line_is_not_sent_to_other_providers(target: str, system: Any) -> None:
    encoded = il.translate_request(asked(system), "claude", target, model="m")
    assert "billing" not in str(encoded.body)
    assert ("Be brief." in str(encoded.body)) == ("brief" in str(system))
    told = [loss for loss in encoded.losses if "billing line" in loss.detail]
    assert [loss.concern for loss in told] == ["bookkeeping"]
    assert told[0].path.startswith("/messages/0")


@pytest.mark.parametrize("system", [LINE, [BOOKS], [BOOKS, RULES]])
def test_within_the_dialect_the_billing_line_is_unchanged(system: Any) -> None:
    body = asked(system)
    assert il.translate_request(body, "claude", "claude").body == body


@pytest.mark.parametrize(
    ("system", "place"), [([BOOKS], "/messages/1/content/0"), ([BOOKS, RULES], "/messages/1/content/0")]
)
def test_losses_after_the_billing_line_have_their_own_path(system: Any, place: str) -> None:
    encoded = il.translate_request(asked(system, PICTURE), "claude", "openai_chat", model="gpt-4o")
    lost = {loss.path for loss in encoded.losses if loss.severity == "lost"}
    assert place in lost
    assert ("/messages/0/content/1/cache" in lost) == (RULES in system)


@pytest.mark.parametrize("system", ["The x-anthropic-billing-header: is a header.", [RULES, BOOKS]])
def test_a_text_that_mentions_the_billing_line_is_kept(system: Any) -> None:
    assert "billing" in str(il.translate_request(asked(system), "claude", "openai_chat").body)
