"""Laws 4 and 9 over generated documents: old ones load for ever and come back, and no value is lost without a word."""

from __future__ import annotations

import copy
import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from interlingua.loss import CODES
from interlingua.migrate import downgrade, upgrade
from interlingua.pointers import pointer
from interlingua.transcript import dump_message, load_message, load_messages
from interlingua.validation import bundle, validate
from support import corpus
from support.stored import v1_messages, v2_messages
from support.strategies import Documents

if TYPE_CHECKING:
    from collections.abc import Iterator

Json = dict[str, Any]

LAW = settings(max_examples=400 if corpus.whole() else 60)
OLD = {1: v1_messages() | Documents(bundle(1)).of("Message"), 2: v2_messages() | Documents(bundle(2)).of("Message")}
CURRENT_MESSAGES = Documents(bundle(3)).of("AnyMessage")


def says_no_version(document: Json) -> bool:
    """Tell whether a document leaves its version open: one that says another one is of that one."""
    stated = document.get("schema_version")
    return isinstance(stated, bool) or not isinstance(stated, (int, float)) or stated != int(stated) or stated < 1


def conversations(version: int) -> st.SearchStrategy[list[Json]]:
    return st.lists(OLD[version].filter(says_no_version), max_size=4)


def without_nulls(document: Json, version: int) -> Json:
    """Return a document as it comes back: null says as much as absent, but in version 1 beside tool calls."""
    nullable = ("content", "reasoning", "refusal", "tool_calls") if document["role"] == "assistant" else ("content",)
    written = {name: value for name, value in document.items() if value is not None or name not in nullable}
    if document["role"] == "assistant" and "tool_calls" in written:
        if version == 1:
            written.setdefault("content", None)
        else:
            written["tool_calls"] = [
                {name: value for name, value in call.items() if value is not None or name not in {"id", "call_id"}}
                for call in written["tool_calls"]
            ]
    return written


@pytest.mark.requirement("TYPE-2.3.1", "TYPE-2.3.3")
@pytest.mark.parametrize("version", [1, 2])
@LAW
@given(st.data())
def test_law_9_every_old_document_loads_and_round_trips(version: int, data: st.DataObject) -> None:
    documents = data.draw(conversations(version))
    before = copy.deepcopy(documents)
    upgraded = upgrade(documents, version=version)
    assert documents == before
    assert all(validate(document) == [] for document in upgraded.documents)
    assert upgrade(upgraded.documents).documents == upgraded.documents  # PER-4: a second migration does nothing
    downgraded = downgrade(upgraded.documents, to=version)
    assert downgraded.documents == [without_nulls(document, version) for document in documents]
    assert downgraded.losses == ()


@pytest.mark.parametrize("version", [1, 2])
@LAW
@given(st.data())
def test_law_9_holds_without_a_given_version(version: int, data: st.DataObject) -> None:
    for document in data.draw(conversations(version)):
        assert load_message(document) != ()


@pytest.mark.parametrize("version", [1, 2])
@LAW
@given(st.data())
def test_law_2_a_loaded_message_round_trips_through_dump(version: int, data: st.DataObject) -> None:
    documents = data.draw(conversations(version))
    loaded = load_messages(documents, version=version)
    assert loaded.skipped == ()
    dumped = [dump_message(message) for message in loaded.messages]
    assert dumped == upgrade(documents, version=version).documents
    assert load_messages(dumped).messages == loaded.messages


@LAW
@given(st.lists(CURRENT_MESSAGES, max_size=3))
def test_law_2_per_9_a_current_message_round_trips_through_dump(documents: list[Json]) -> None:
    messages = load_messages(documents).messages
    assert load_messages([dump_message(message) for message in messages]).messages == messages


TOLD = frozenset(
    {"text", "parts", "json", "base64", "url", "file_path", "function", "approved", "pending", "tool_result", "opaque"}
    | {"file_reference", "image", "mcp_resource", "reasoning", "system_control", "tool_request"}
)
"""Words that the form of the older document tells by itself."""


def texts(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Yield every text inside a value that is long enough to be recognised, with its place."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from texts(inner, path + pointer(name))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from texts(inner, f"{path}/{index}")
    elif isinstance(value, str) and len(value) > 3 and value not in TOLD:
        yield path, value


def at(value: Any, path: str) -> Any:
    """Return what stands at a JSON Pointer."""
    for token in path.split("/")[1:]:
        name = token.replace("~1", "/").replace("~0", "~")
        value = value[int(name)] if isinstance(value, list) else value[name]
    return value


@pytest.mark.parametrize("target", [1, 2])
@LAW
@given(documents=st.lists(CURRENT_MESSAGES, max_size=3))
def test_law_4_per_11_everything_a_downgrade_leaves_out_is_covered_by_a_loss(
    target: int, documents: list[Json]
) -> None:
    given_ = [dump_message(message) for message in load_messages(documents).messages]
    downgraded = downgrade(given_, to=target)
    assert all(validate(document, target) == [] for document in downgraded.documents)
    for loss in downgraded.losses:
        assert loss.code in CODES
        if loss.severity != "filled":
            at(given_, loss.path)
    said = json.dumps(downgraded.documents)
    quoted = json.dumps(said)
    covered = {loss.path for loss in downgraded.losses}
    for path, text in texts(given_):
        spelled = json.dumps(text)[1:-1]
        inside = json.dumps(json.dumps(text, ensure_ascii=False)[1:-1])[1:-1]
        steps = path.split("/")
        is_covered = any("/".join(steps[:length]) in covered for length in range(2, len(steps) + 1))
        assert is_covered or spelled in said or spelled in quoted or inside in said or "/spelling/" in path, path
