"""One fact of a family, `<setting>: refuse`, is enough for translations into the dialect and for its rules."""

from __future__ import annotations

from typing import Any, Final

import pytest

from interlingua import spi
from interlingua.registry import room
from interlingua.spi.families import Family

TOOL: Final = {"type": "function", "name": "look", "description": "Looks.", "parameters": {"type": "object"}}
VALUES: Final[dict[str, Any]] = {
    "temperature": 0.5, "top_p": 0.5, "top_k": 7, "max_tokens": 50, "stop": ["END"], "seed": 3, "n": 2,
    "frequency_penalty": 0.5, "presence_penalty": 0.5, "top_logprobs": 2, "logit_bias": {"5": 1},
    "service_tier": "flex", "store": True, "prompt_cache_key": "key", "verbosity": "low", "parallel_tool_calls": False,
}  # fmt: skip
KNOWN: Final = {
    "openai_chat": tuple(name for name in VALUES if name != "top_k"),
    "openai_responses": (
        "temperature", "top_p", "max_tokens", "top_logprobs", "service_tier", "store", "prompt_cache_key",
        "verbosity", "parallel_tool_calls",
    ),
    "claude": ("temperature", "top_p", "top_k", "stop"),
    "gemini": (
        "temperature", "top_p", "top_k", "max_tokens", "stop", "seed", "n", "frequency_penalty", "presence_penalty",
    ),
    "bedrock_converse": ("temperature", "top_p", "max_tokens", "stop"),
}  # fmt: skip


# Claude's newest version has no sampling settings at all.
VERSIONS: Final = {"claude": "2023-06-01"}


@pytest.mark.parametrize(
    ("dialect", "setting"), [(dialect, name) for dialect, names in KNOWN.items() for name in names]
)
def test_a_setting_that_a_family_refuses_is_left_out_and_reported_and_is_a_violation(
    dialect: str, setting: str
) -> None:
    speaker: Any = room(dialect)
    version = VERSIONS.get(dialect)
    refusing = Family("parrot", "parrot", "parrot-1", {setting: "refuse"})
    request = {
        "model": "parrot-1",
        "messages": [{"role": "user", "content": "Hi"}],
        "tools": [TOOL],
        setting: VALUES[setting],
        **({"logprobs": True} if setting == "top_logprobs" else {}),
    }
    accepted = speaker.encode_request(request, spi.LossLog(), version, None)
    assert speaker.check_request(accepted, version, None) == []
    (violation,) = speaker.check_request(accepted, version, refusing)
    assert violation.code == "setting"
    log = spi.LossLog()
    fitted = speaker.encode_request(request, log, version, refusing)
    assert f"/{setting}" in {loss.path for loss in log.losses()}
    assert all(one.path != violation.path for one in speaker.check_request(fitted, version, refusing))
