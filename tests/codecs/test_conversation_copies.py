"""Histories and transcripts that are copied, pickled and sent to other processes."""

from __future__ import annotations

import copy
import pickle
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

import pytest

import interlingua as il
from interlingua.errors import ConversationOrderError
from interlingua.model import ToolCall
from interlingua.tools import DecideBy, Tool, ToolExecutor, request
from support.transcripts import said, user

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def pickled(protocol: int) -> Callable[[Any], Any]:
    return lambda value: pickle.loads(pickle.dumps(value, protocol))  # noqa: S301  # what was pickled here


WAYS: Final[Mapping[str, Callable[[Any], Any]]] = MappingProxyType(
    {
        "copy": copy.copy,
        "deepcopy": copy.deepcopy,
        **{f"pickle {protocol}": pickled(protocol) for protocol in range(pickle.HIGHEST_PROTOCOL + 1)},
    }
)


class Named(il.ConversationHistory):
    """A history with more than ours has."""

    name = "none"


def history() -> Named:
    made = Named(id="h", metadata={"tags": ["a"]})
    made.name = "mine"
    made.add(il.chat.create_system("Be brief."))
    made.add(il.chat.create_user("What?"))
    call = il.ToolCall.create("look", {"at": ["it"]}, id="c1")
    made.add_turn([il.chat.create_assistant("I look."), il.chat.create_assistant(None, [call])])
    return made


@pytest.mark.parametrize("way", WAYS)
def test_a_copied_history_is_equal_and_independent(way: str) -> None:
    made = history()
    twin = WAYS[way](made)
    assert (type(twin), twin.name, twin.id, twin.rules) == (Named, "mine", "h", made.rules)
    assert twin.to_json() == made.to_json()
    assert twin.get_messages() == made.get_messages()
    assert twin.open_calls == ("c1",)
    with pytest.raises(ConversationOrderError):
        twin.add(il.chat.create_user("And?"))
    twin.add(il.chat.create_tool_result("c1", "It is there."))
    assert (twin.open_calls, made.open_calls) == ((), ("c1",))
    assert (len(twin), len(made)) == (5, 4)
    made.add(il.chat.create_tool_result("c1", "It is gone."))
    assert twin[4] != made[4]
    assert twin.validate() == made.validate() == []


def transcript() -> il.Transcript:
    made = il.Transcript([user("What?")], id="t", metadata={"tags": ["a"]})
    made.append(il.TextMessage.model_validate(said("assistant", "Wait.").model_dump()))
    made.mark_saved(1)
    made.append(request([ToolCall(id="c1", name="look", arguments={})]))
    made.fork("other")
    made.switch("other")
    made.append(il.load_message({"schema_version": 9, "type": "new", "data": {"a": None}})[0])
    return made


def look() -> str:
    """Look."""
    return "there"


@pytest.mark.parametrize("way", WAYS)
def test_a_copied_transcript_is_equal_and_independent(way: str) -> None:
    made = transcript()
    document, changes = made.to_document(), made.changes
    twin = WAYS[way](made)
    assert type(twin) is il.Transcript
    assert (twin.to_document(), twin.changes, twin.branch) == (document, changes, "other")
    assert twin.messages == made.messages
    assert twin.is_dirty
    results = il.run_tools(twin, ToolExecutor([Tool.from_function(look)]), policy=DecideBy(lambda _: True))
    assert [result.data.output for result in results] == ["there"]
    result = twin.result_of("c1")
    assert result is not None
    assert result.data == results[0].data
    twin.switch("main")
    assert (made.to_document(), made.changes, made.result_of("c1")) == (document, changes, None)
    made.append(user("Well?"))
    assert len(twin.messages_of("other")) == len(made.messages_of("other"))
    assert twin.messages_of("other") != made.messages_of("other")


@pytest.mark.parametrize("way", [way for way in WAYS if way != "copy"])
@pytest.mark.parametrize("made", [history(), transcript()], ids=["history", "transcript"])
def test_a_deep_copy_shares_no_metadata(made: Any, way: str) -> None:
    WAYS[way](made).metadata["tags"].append("b")
    assert made.metadata == {"tags": ["a"]}
