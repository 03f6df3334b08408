"""A schema that contains itself as a Python object is an error at once, and another value is a loss.

Libraries that replace references by what they refer to make such schemas.
"""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il

DIALECTS: Final = ("openai_chat", "openai_responses", "claude", "gemini", "ollama", "vllm", "bedrock_converse")


def circular(branches: int) -> dict[str, Any]:
    tree: dict[str, Any] = {"type": "object", "properties": {}}
    tree["properties"] |= {f"p{at}": tree for at in range(branches)}
    return tree


def request(schema: dict[str, Any]) -> dict[str, Any]:
    tool = {"type": "function", "function": {"name": "look", "parameters": schema}}
    return {"model": "m", "messages": [{"role": "user", "content": "Hi"}], "tools": [tool]}


@pytest.mark.parametrize("branches", [1, 2, 30])
@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_request_with_a_circular_schema_is_judged_and_refused(dialect: Any, branches: int) -> None:
    body = il.translate_request(request({"type": "object", "properties": {}}), "openai_chat", dialect).body
    [holder] = [one for one in holders(body) if one.get("properties") == {}]
    holder.clear()
    holder.update(circular(branches))
    assert {one.code for one in il.check_request(body, dialect)} >= {"json"}


def holders(value: Any) -> list[dict[str, Any]]:
    if isinstance(value, dict):
        return [value, *(one for held in value.values() for one in holders(held))]
    return [one for held in value for one in holders(held)] if isinstance(value, list) else []


@pytest.mark.parametrize("branches", [1, 2, 30])
@pytest.mark.parametrize("model", ["kimi-k2.6", "glm-5.3"])
def test_a_circular_schema_that_is_fitted_to_a_model_is_an_error(model: str, branches: int) -> None:
    with pytest.raises(il.EncodeError, match="250 levels"):
        il.exchange(request(circular(branches)), "openai_chat", "openai_chat", model=model, fit=True)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_an_unknown_member_that_contains_itself_is_reported_as_lost(dialect: Any) -> None:
    tree: dict[str, Any] = {}
    tree |= {"a": tree, "b": [tree]}
    body = {"model": "m", "messages": [{"role": "user", "content": "Hi", "odd": tree}], "odd": tree}
    encoded = il.translate_request(body, "openai_chat", dialect)
    if dialect != "openai_chat":
        told = {loss.path for loss in encoded.losses if loss.code == "extra"}
        assert {"/extra/openai_chat", "/messages/0/extra/openai_chat"} <= told
