"""Write refusals as text for dialects that have no member for them, so that the answer is not empty."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.rooms._shared.writing import content_with_text, texts_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from interlingua.rooms._shared.writing import Target

SAID: Final = "a refusal is sent as text"


def without_empty_refusal(message: Any, to: Target) -> Any:
    """Return an assistant message, abroad, without an empty refusal, which says nothing; unchanged if it has none."""
    if to.home or message.get("refusal") != "":
        return message
    return {name: value for name, value in message.items() if name != "refusal"}


def with_refusal_as_text(message: Any, path: str, to: Target) -> Any:
    """Return an assistant message with its refusal appended to the content, behind a blank line."""
    refusal = message["refusal"]
    said = texts_of(refusal, f"{path}/refusal", "refusal", "a refusal can only be one plain text", to.log)
    text = "".join(one for _, one in said)
    members = {name: value for name, value in message.items() if name != "refusal"}
    if not text.strip():
        if text:
            to.log.changed("empty_text", f"{path}/refusal", "a refusal of only white space was left out")
        return members
    to.log.changed("refusal", f"{path}/refusal", SAID)
    return {**members, "content": content_with_text(message.get("content"), text)}


def implied_finish_reason(messages: Iterable[Any]) -> str:
    """Return the finish reason of an answer that has none: clients only run its calls with the right one."""
    answers = list(messages)
    called = any(message.get("tool_calls") for message in answers)
    return finish_reason_for(called=called, declined=any(map(_has_refusal, answers)))


def _has_refusal(message: Any) -> bool:
    """Tell whether a message has a refusal that is not blank."""
    refusal = message.get("refusal", "")
    if type(refusal) is str:
        return bool(refusal.strip())
    return any(part["type"] == "text" and part["text"].strip() for part in refusal)


def finish_reason_for(*, called: bool, declined: bool) -> str:
    """Return the finish reason that fits the content of an answer."""
    return "tool_calls" if called else "refusal" if declined else "stop"


def with_refusal_reason(answer: Any, to: Target) -> Any:
    """Return an answer with the finish reason `refusal` if it has a refusal and its reason is `stop`."""
    if to.home or answer.get("finish_reason") != "stop":
        return answer
    if not any(map(_has_refusal, answer["messages"])):
        return answer
    to.log.changed(
        "finish_reason", f"{to.base}/finish_reason", "an answer with a refusal has the finish reason refusal"
    )
    return {**answer, "finish_reason": "refusal"}
