"""The laws for values that nobody sent: whatever the schema allows, made by hand or of any dialect."""

from __future__ import annotations

import json
from importlib import resources
from typing import Any, Final

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

import interlingua as il
from interlingua_types import CURRENT
from support import corpus
from support.acceptance import request_refusal, response_refusal
from support.accounting import losses_with_content, unreported_values, unresolved_losses
from support.canonical import unchanged
from support.rooms import KINDS, ROWS, Kind, decode, encode
from support.strategies import Documents
from support.translation import differences

pytestmark = [pytest.mark.laws]

BUNDLE: Final = json.loads(
    resources.files(f"interlingua_types.v{CURRENT}").joinpath("schema.json").read_text(encoding="utf-8")
)
DOCUMENTS: Final = Documents(BUNDLE)
NAMES: Final[dict[Kind, str]] = {"request": "ChatRequest", "response": "ChatResponse"}
ENOUGH: Final = settings(
    max_examples=600 if corpus.whole() else 20,
    phases=[Phase.explicit, Phase.generate],  # what fails is found again at once; shrinking it takes minutes
)
CASES = [pytest.param(dialect, kind, id=f"{dialect}-{kind}") for dialect in ROWS for kind in KINDS]


def values(kind: Kind) -> st.SearchStrategy[Any]:
    """Draw canonical values without nulls, as every model gives them."""
    model = il.ChatRequest if kind == "request" else il.ChatResponse
    return DOCUMENTS.of(NAMES[kind]).map(lambda value: model.model_validate(value).model_dump(mode="json"))


def foreign(value: Any, dialect: str) -> Any:
    """Return a value without what only this dialect understands: random members of its own would be no body of it."""
    if isinstance(value, dict):
        kept = {key: foreign(inner, dialect) for key, inner in value.items() if key != "extra"}
        held = value.get("extra", {})
        extra = {owner: bag for owner, bag in held.items() if owner != dialect} if isinstance(held, dict) else held
        return {**kept, "extra": extra} if extra else kept
    return [foreign(inner, dialect) for inner in value] if isinstance(value, list) else value


_SERVED: Final = frozenset({"server_call", "server_result"})
_NO_LETTER: Final = (("id", ""), ("call_id", ""))
FORMATS: Final = {"image": "image/png", "audio": "audio/wav", "file": "application/pdf"}


def _uncontradicted(value: dict[str, Any]) -> dict[str, Any]:
    """Return an object without ids of no letter, sums that are none, and the like."""
    if value.get("role", "assistant") != "assistant" and isinstance(value.get("content"), list):
        # What a provider runs by itself, it does in its answers.
        value = {**value, "content": [part for part in value["content"] if part["type"] not in _SERVED]}
    if value.get("role") in {"system", "developer"} and isinstance(value.get("content"), list):
        value = {**value, "content": [part for part in value["content"] if part["type"] == "text"]}
    if value.get("role") == "assistant" and isinstance(value.get("content"), list):
        # What a provider's tool did is told behind pictures, and beside what is lost: hand-picked cases say so.
        kinds = {part["type"] for part in value["content"]}
        apart = {"opaque", "image"} if kinds & _SERVED else set[str]()
        value = {**value, "content": [part for part in value["content"] if part["type"] not in apart]}
    if any("id" not in call for message in value.get("messages", ()) for call in message.get("tool_calls", ())):
        # An id of a result that no call has leads nowhere.
        linked = [one for one in value["messages"] if one["role"] == "tool"]
        bare = [{name: held for name, held in one.items() if name not in {"id", "call_id"}} for one in linked]
        value = {**value, "messages": [bare.pop(0) if one["role"] == "tool" else one for one in value["messages"]]}
    if value.get("type") == "file" and "content" in value:
        # Nothing runs within a document.
        held = [part for part in value["content"] if part["type"] not in _SERVED]
        value = {**value, "content": held or [{"type": "text", "text": "x"}]}
    if "input_tokens" in value or "output_tokens" in value:
        counts = {name: count for name, count in value.items() if name != "total_tokens"}
        value = {name: abs(count) if type(count) is int else count for name, count in counts.items()}
    if value.get("budget_tokens", 1) < 1:
        value = {"mode": "disabled"} if value["budget_tokens"] == 0 else {**value, "budget_tokens": -1}
    return {name: held for name, held in value.items() if (name, held) not in _NO_LETTER}


def tidy(value: Any) -> Any:
    """Return a value of no dialect, without what contradicts itself, names no media type, or is no base64.

    That is a stop word of an answer that did not end at one, an object for a tool that takes free text, a count below
    nothing, a sum that is none, an effort beside thinking that is off, instructions beyond text, and so on.
    """
    if isinstance(value, list):
        return [tidy(inner) for inner in value]
    if not isinstance(value, dict):
        return value
    left_out = {"dialect"} if "messages" in value else set[str]()
    if value.get("finish_reason", "stop") != "stop":
        left_out.add("stop_sequence")
    if isinstance(value.get("arguments"), dict):
        left_out.add("kind")
    if value.get("role") == "assistant" and isinstance(value.get("content"), list):
        # A spoken answer stands alone on the wire of those who have one.
        value = {**value, "content": [part for part in value["content"] if part["type"] != "audio"]}
    left_out |= {name for name in ("citations", "refusal") if value.get(name) == []}
    if isinstance(kind := value.get("type"), str) and kind in FORMATS and "data" in value:
        value = {**value, "data": "AAECAw=="}
    value = _uncontradicted(value)
    kept = {key: inner if key == "extra" else tidy(inner) for key, inner in value.items() if key not in left_out}
    return {**kept, "format": FORMATS[value["type"]]} if "format" in kept and value.get("type") in FORMATS else kept


@pytest.mark.parametrize(("dialect", "kind"), CASES)
def test_any_value_is_encoded_without_an_error_and_without_modification(dialect: str, kind: Kind) -> None:
    @ENOUGH
    @given(values(kind))
    def check(value: Any) -> None:
        before = json.dumps(value)
        body, losses = encode(dialect, kind, value)
        assert unchanged(before, value)
        again, losses_again = encode(dialect, kind, value)
        assert json.dumps(body) == json.dumps(again)
        assert losses == losses_again
        assert losses_with_content(value, losses) == []

    check()


@pytest.mark.parametrize(("dialect", "kind"), CASES)
def test_any_value_without_provider_state_is_equal_except_for_its_losses(dialect: str, kind: Kind) -> None:
    @ENOUGH
    @given(values(kind))
    def check(value: Any) -> None:
        made = foreign(tidy(value), dialect)
        body, losses = encode(dialect, kind, made)
        assert unresolved_losses(made, losses) == []
        assert unreported_values(made, body, losses, dialect) == []
        assert differences(made, decode(dialect, kind, body), losses, ROWS[dialect].roles, dialect) == []

    check()


@pytest.mark.parametrize(("dialect", "kind"), CASES)
def test_any_value_without_provider_state_is_accepted_by_the_official_types(dialect: str, kind: Kind) -> None:
    judge = request_refusal if kind == "request" else response_refusal

    @ENOUGH
    @given(values(kind))
    def check(value: Any) -> None:
        made = foreign(tidy(value), dialect)
        named = {**made, "model": made.get("model") or "m"}  # an empty name is refused
        assert judge(ROWS[dialect], encode(dialect, kind, named)[0]) == ""

    check()
