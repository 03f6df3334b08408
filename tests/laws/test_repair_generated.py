"""What `repair_request` holds over conversations that nobody had: calls, results and texts thrown together."""

from __future__ import annotations

import json
from typing import Any, Final

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

import interlingua as il
from interlingua.chat import repair_plain_request
from support import corpus
from support.rooms import ROWS, encode

pytestmark = [pytest.mark.laws]

# What follows from who said what when; few ids and names, so that they meet.
CONVERSATION: Final = frozenset({
    "dangling_call", "duplicate_id", "empty_text", "id", "name", "order", "orphan_result", "reasoning", "signature",
    "trailing_space",
})  # fmt: skip
TEXTS: Final = st.sampled_from(["", " \n", "So: ", "Hello."])
CONTENTS: Final = TEXTS | st.lists(TEXTS.map(lambda text: {"type": "text", "text": text}), max_size=2)
IDS: Final = st.sampled_from(["a", "b", "functions.Bash:0"])
NAMES: Final = st.sampled_from(["look_up", "look up"])
CALLS: Final = st.fixed_dictionaries({"name": NAMES, "arguments": st.just({})}, optional={"id": IDS})
MESSAGES: Final = st.one_of(
    st.fixed_dictionaries({"role": st.sampled_from(["user", "system"])}, optional={"content": CONTENTS}),
    st.fixed_dictionaries(
        {"role": st.just("assistant")},
        optional={"reasoning": TEXTS, "content": CONTENTS, "tool_calls": st.lists(CALLS, min_size=1, max_size=2)},
    ),
    st.fixed_dictionaries({"role": st.just("tool")}, optional={"call_id": IDS, "name": NAMES, "content": CONTENTS}),
)
ENOUGH: Final = settings(
    max_examples=2000 if corpus.whole() else 100, phases=[Phase.explicit, Phase.generate, Phase.shrink]
)


@pytest.mark.parametrize("is_home", [True, False], ids=["home", "abroad"])
@pytest.mark.parametrize("dialect", ROWS)
def test_any_conversation_is_repaired_completely_in_one_call(dialect: str, is_home: bool) -> None:
    @ENOUGH
    @given(st.lists(MESSAGES, max_size=8))
    def mended_once(messages: list[dict[str, Any]]) -> None:
        home = {"dialect": dialect} if is_home else {}
        request = {**home, "model": "m", "max_tokens": 100, "messages": messages}
        before = json.dumps(request)
        mended, repairs = repair_plain_request(request, dialect)
        il.ChatRequest.model_validate(mended)
        assert json.dumps(request) == before
        assert (mended is request) == (not repairs)
        assert repair_plain_request(mended, dialect) == (mended, ())
        body, _ = encode(dialect, "request", mended)
        assert [one for one in il.check_request(body, dialect) if one.code in CONVERSATION] == []
        if il.check_request(encode(dialect, "request", request)[0], dialect, profile=None) == []:
            assert mended is request

    mended_once()
