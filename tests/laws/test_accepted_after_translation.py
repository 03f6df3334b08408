"""Law 12, the requests: what its own provider takes is taken after translation, or it lacks what the target demands."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

import pytest

import interlingua as il
from interlingua.registry import room
from support import corpus
from support.rooms import PAIRS, ROWS, decode, encode

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

pytestmark = [pytest.mark.laws, pytest.mark.corpus]

_REMEMBERED: Final = "all that is asked, or the call that is answered, is held by the server"
_ONE_ADDRESS: Final = "the model that it names answers to Responses alone"
# Bodies that lack what some target demands, by id, each with the reason: (the targets that say so, the reason).
LACKING: Final[dict[str, tuple[frozenset[str], str]]] = {
    **dict.fromkeys(
        [
            "83b93122c4eb337f",
            "82194e58f37934f8",
            "a72bf6fb16290fa4",
            "02fd20ba34d0681f",
            "4b018d53f97583c7",
            "3abc7731b4810bba",
            "825c359f9b289161",
            "6539fa06a7522f54",
            "90eba583513ce3db",
            "25ad329473960c05",
            "c9d14e131629851f",
            "0e0b6650e0d4795b",
            "71cc8fb4015f5be2",
        ],
        (frozenset({"openai_chat", "claude", "gemini", "bedrock_converse"}), _REMEMBERED),
    ),
    "876915b5f25ef072": (
        frozenset({"openai_chat", "claude", "gemini", "bedrock_converse"}),
        "a call of the tool search, answered as if it were a function's",
    ),
    **dict.fromkeys(
        [
            "b577101d390b41a5",
            "c8636de9081a4a71",
            "299aa4b703a1d255",
            "9cfb7367d5996d82",
            "40bb3230729ee384",
            "d8f2a0b9fc9916d4",
            "0c4197996aab1bca",
            "aff0c68b39c11783",
            "d144699ae9a333f2",
            "6a66949e56185e07",
            "a5b70a4ebe4bd67b",
            "3febf24457b1328f",
        ],
        (frozenset({"openai_chat"}), _ONE_ADDRESS),
    ),
}


def said(body: Any) -> str:
    return json.dumps(body, sort_keys=True)


def taken(source: str) -> Iterator[tuple[str, Any]]:
    """Yield id and body of the requests that their own provider took, and of which it has no rule that they break."""
    for folder in (ROWS[source].folder, *ROWS[source].compatible):
        refused = {said(line.get("request")) for line in corpus.lines(folder, "error")}
        for line in corpus.sample(folder, "request"):
            if line["id"] in ROWS[source].unreadable or line.get("response_status", 200) >= 400:
                continue
            if said(line["body"]) not in refused and not il.check_request(line["body"], source):
                yield line["id"], line["body"]


def broken(body: Any, source: str, target: str) -> list[str]:
    """Return the rules of a target that the translation of a body breaks, with their places."""
    newest = next(iter(room(target).DESCRIPTOR.api_versions), None)
    translated = il.translate_request(body, source, target).body
    return [f"{one.code} {one.path}" for one in il.check_request(translated, target, api_version=newest)]


@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_a_request_that_its_provider_accepts_is_accepted_after_translation(source: str, target: str) -> None:
    found = {identifier: broken(body, source, target) for identifier, body in taken(source)}
    refused = {identifier: rules for identifier, rules in found.items() if rules}
    assert {one: rules for one, rules in refused.items() if one not in LACKING or target not in LACKING[one][0]} == {}


def test_exempt_requests_are_really_refused() -> None:
    refused: dict[str, set[str]] = {}
    for source, row in ROWS.items():
        for folder in (row.folder, *row.compatible):
            for line in corpus.lines(folder, "request"):
                if line["id"] in LACKING:
                    targets = LACKING[line["id"]][0] - {source}
                    refused[line["id"]] = {target for target in targets if broken(line["body"], source, target)}
    assert refused == {identifier: set(targets) for identifier, (targets, _) in LACKING.items()}


# What a provider that reads results by their ids takes, made of recorded conversations with results.

BETWEEN: Final[dict[str, Any]] = {"role": "user", "content": "Meanwhile."}
PICTURE: Final = {
    "type": "image",
    "format": "image/png",
    "data": "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
}


def _spoken_between(messages: list[Any], at: int) -> list[Any]:
    return [*messages[:at], BETWEEN, *messages[at:]]


def _late(messages: list[Any], at: int) -> list[Any]:
    return [*messages[:at], *messages[at + 1 :], BETWEEN, messages[at]]


def _twice(messages: list[Any], at: int) -> list[Any]:
    return [*messages[: at + 1], {**messages[at], "content": "Again."}, *messages[at + 1 :]]


def _pictured(messages: list[Any], at: int) -> list[Any]:
    return [*messages[:at], {**messages[at], "content": [PICTURE]}, *messages[at + 1 :]]


def _of_one_id(messages: list[Any], at: int) -> list[Any]:  # noqa: ARG001  # as all that change a conversation
    calls = [
        [{**call, "id": "call"} for call in message["tool_calls"]] if message.get("tool_calls") else None
        for message in messages
    ]
    return [
        {**message, "call_id": "call"}
        if message["role"] == "tool"
        else message if called is None else {**message, "tool_calls": called}
        for message, called in zip(messages, calls, strict=True)
    ]  # fmt: skip


CHANGES: Final[tuple[Callable[[list[Any], int], list[Any]], ...]] = (
    _spoken_between,
    _late,
    _twice,
    _pictured,
    _of_one_id,
)


@pytest.mark.parametrize("target", ["openai_chat", "claude", "gemini"])
@pytest.mark.parametrize("change", CHANGES, ids=[change.__name__.strip("_") for change in CHANGES])
@pytest.mark.parametrize("source", ROWS)
def test_results_matched_by_id_are_valid_for_targets_that_match_by_position(
    source: str, change: Callable[[list[Any], int], list[Any]], target: str
) -> None:
    found = {}
    for identifier, body in taken(source):
        canonical = decode(source, "request", body)
        messages = canonical["messages"]
        results = [at for at, message in enumerate(messages) if message["role"] == "tool"]
        if not results or identifier in LACKING or "previous_response_id" in body:
            continue
        changed = {**canonical, "messages": change(messages, results[0])}
        written = encode("openai_responses", "request", {**changed, "dialect": "openai_responses"})[0]
        if il.check_request(written, "openai_responses"):
            continue
        rules = [rule for rule in broken(written, "openai_responses", target) if rule.split()[0] in _ABOUT_ORDER]
        if rules:
            found[identifier] = rules
    assert found == {}


_ABOUT_ORDER: Final = frozenset({"order", "dangling_call", "orphan_result", "duplicate_id", "empty"})
