"""`llm-comply`, a judge by somebody else, as a client of every dialect that it knows, in front of every provider."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import llm_comply
import pytest
from llm_comply import runner
from llm_comply.config import ComplianceConfig
from llm_comply.http import close_client
from llm_comply.schema import SpecLoader
from llm_comply.tests import get_tests

import interlingua as il
from interlingua.serve import Route
from support.scripted import calls, scripted, text, thinking
from support.serving import serving_routes

if TYPE_CHECKING:
    from collections.abc import Iterator

# The judge reads its specifications as an older jsonschema did.
pytestmark = pytest.mark.filterwarnings("ignore:jsonschema.RefResolver:DeprecationWarning")


class Judge(NamedTuple):
    """What the judge calls a dialect: its suite, its specification, the model that leaves nothing out, the path."""

    suite: str
    specification: str | None
    model: str
    base: str = "/v1"


JUDGES: Final = {
    "openai_chat": Judge("openai-chat", "openai_chat.json", "gpt-5"),
    "openai_responses": Judge("open-responses", "openresponses.json", "gpt-5"),
    "claude": Judge("anthropic", "anthropic.json", "claude-sonnet-4-5"),
    "gemini": Judge("google-genai", None, "gemini-2.5-flash", ""),
}
PROVIDERS: Final = ("openai_chat", "openai_responses", "claude", "gemini", "ollama", "vllm")
# Where both sides speak the same dialect the provider's own bytes pass: there is nothing of ours to judge.
PAIRS: Final = [(client, provider) for client in JUDGES for provider in PROVIDERS if client != provider]


def sensible(request: Any) -> dict[str, Any]:
    """Answer as a model would: call the tool that is offered, think where that is asked for, else say something."""
    if request.tools:
        return calls(("call_1", request.tools[0].name, {"location": "San Francisco"}))
    if request.reasoning is not None:
        return thinking("555", "15 * 37 is 15 * 30 and 15 * 7.")
    return text("Hello to you.")


@pytest.fixture(name="url", scope="module")
def _url() -> Iterator[str]:
    with ExitStack() as stack:
        there = {one: stack.enter_context(scripted(one, sensible)).url for one in PROVIDERS}
        routes = [
            Route(speak=il.dialect(client), backend=il.dialect(one), url=there[one], prefix=f"/{client}/{one}")
            for client, one in PAIRS
        ]
        yield stack.enter_context(serving_routes(*routes))
        close_client()


@pytest.mark.parametrize(("client", "provider"), PAIRS)
def test_the_conformance_tool_reports_no_failures(client: str, provider: str, url: str) -> None:
    judge = JUDGES[client]
    folder = Path(llm_comply.__file__).parent / "specs"
    specification = None if judge.specification is None else str(folder / judge.specification)
    config = ComplianceConfig(f"{url}/{client}/{provider}{judge.base}", "none", model=judge.model, timeout=20)
    results = runner.TestRunner(config, get_tests(judge.suite), SpecLoader(specification)).run_all().results
    assert len(results) >= 8
    assert [f"{one.id}: {one.status.value}: {one.errors}" for one in results if one.status.value != "passed"] == []
