"""Hypothesis strategies for conversations that every dialect accepts: turns with steps, calls and results."""

from __future__ import annotations

from typing import Any, Final

from hypothesis import strategies as st

from interlingua.registry import dialects

Body = dict[str, Any]

DIALECTS: Final = dialects()
WORDS: Final = st.text("abcdefgh ", min_size=1, max_size=40).map(lambda text: f"w{text.strip()}")


@st.composite
def chats(draw: st.DrawFn, *, with_reasoning: bool = True, with_prompts_inside: bool = False) -> list[Body]:
    """Return the canonical messages of a valid conversation; every call has its result, every id is new."""
    messages: list[Body] = [{"role": "system", "content": words} for words in draw(st.lists(WORDS, max_size=2))]
    for turn in range(draw(st.integers(1, 5))):
        messages.extend({"role": "user", "content": words} for words in draw(st.lists(WORDS, min_size=1, max_size=2)))
        signed = with_reasoning and draw(st.booleans())
        for step in range(draw(st.integers(0, 4))):
            if with_prompts_inside and draw(st.integers(0, 5)) == 0:
                messages.append({"role": "system", "content": draw(WORDS)})
            thinks = signed and (step == 0 or draw(st.booleans()))
            messages.extend(_step(draw, f"{turn}_{step}", thinks=thinks))
        if draw(st.booleans()):
            messages.append({"role": "assistant", "content": draw(WORDS)})
    return messages


def _step(draw: st.DrawFn, place: str, *, thinks: bool) -> list[Body]:
    """Return one response with calls, and their results."""
    names = draw(st.lists(st.sampled_from(["look_up", "bash"]), min_size=1, max_size=3))
    calls = [{"id": f"call_{place}_{at}", "name": name, "arguments": {"a": at}} for at, name in enumerate(names)]
    answer: Body = {"role": "assistant", "tool_calls": calls}
    if thinks:
        block = {"type": "thinking", "signature": "c2lnbmF0dXJl"}
        signed = {"claude": {"thinking_blocks": [block]}}
        answer = {"role": "assistant", "reasoning": draw(WORDS), "tool_calls": calls, "extra": signed}
    if draw(st.booleans()):
        answer["content"] = draw(WORDS)
    results = [{"role": "tool", "call_id": call["id"], "name": call["name"], "content": draw(WORDS)} for call in calls]
    return [answer, *results]
