"""What Ollama refuses: a body for every rule, and one beside it that breaks none."""

from typing import Any, Final

import pytest

from interlingua.rooms.ollama import check_request
from interlingua.rooms.ollama.rules import RULES
from support.ruling import Row, faults, untried

GOOD: Final[dict[str, Any]] = {"model": "m", "messages": [{"role": "user", "content": "Hello"}]}


def said(**members: Any) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": "Hello", **members}]}


def called(**function: Any) -> dict[str, Any]:
    return {"messages": [{"role": "assistant", "content": "", "tool_calls": [{"function": function}]}]}


ROWS: Final = [
    Row("required_settings", {"model": None}, "required", "/model", {"messages": []}),
    Row("setting_types", {"options": {"stop": "a"}}, "shape", "/options/stop", {"options": {"stop": ["a"]}}),
    Row("setting_types", {"options": {"num_ctx": "1"}}, "shape", "/options/num_ctx", {"options": {"num_ctx": 1}}),
    Row("setting_types", {"stream": 1}, "shape", "/stream", {"stream": False}),
    Row("limits", {"top_logprobs": 21}, "limit", "/top_logprobs", {"top_logprobs": 20}),
    Row("efforts", {"think": "minimal"}, "setting", "/think", {"think": "low"}),
    Row("forms", {"format": "xml"}, "setting", "/format", {"format": "json"}),
    Row(
        "message_types",
        said(content=[{"type": "text", "text": "Hello"}]),
        "shape",
        "/messages/0/content",
        said(content="Hello"),
    ),
    Row(
        "pictures",
        said(images=["data:image/png;base64,AAAA"]),
        "media_type",
        "/messages/0/images/0",
        said(images=["AAAA"]),
    ),
    Row("pictures", said(images=[{"url": "u"}]), "shape", "/messages/0/images/0", said(images=[])),
    Row(
        "arguments",
        called(name="f", arguments="{}"),
        "arguments",
        "/messages/0/tool_calls/0/function/arguments",
        called(name="f", arguments={}),
    ),
    Row("arguments", called(arguments={}), "required", "/messages/0/tool_calls/0/function/name", called(name="f")),
    Row("tool_types", {"tools": [{"type": "function"}]}, "required", "/tools/0/function", {}),
]


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_each_body_violates_one_rule_and_its_corrected_form_none(row: Row) -> None:
    assert faults(row, GOOD, check_request, RULES) == []


def test_every_rule_has_a_body_that_violates_it() -> None:
    assert untried(ROWS, RULES) == set()
