"""Joins an answer that a server has split over two choices.

GitHub Copilot returns the text of Claude models in the first choice and the tool calls in another one, both with finish
reason `tool_calls`. These are not alternatives: the first would stop for calls that it does not have.
Source: https://github.com/SWE-agent/mini-swe-agent/issues/804; docs/dialects/openai_chat.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from interlingua.loss import FOREIGN
from interlingua.pointers import pointer
from interlingua.spi.extra import NOTHING, report_foreign

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from interlingua.loss import LossLog
    from interlingua.model_shapes import ChatResponse

__all__ = ["with_calls_of_other_choice"]

_JOINED: Final = "its tool calls belong to the first answer: the two were joined"


def with_calls_of_other_choice(response: ChatResponse, dialect: str, log: LossLog) -> ChatResponse:
    """Return a response joined with the only alternative that has the calls for which it stopped.

    Returns the same response if it has its own calls, if several alternatives have some, or if the two conflict.
    """
    if "alternatives" not in response or response.get("finish_reason") != "tool_calls" or _has_calls(response):
        return response
    alternatives: list[Any] = response["alternatives"]
    with_calls = [at for at, one in enumerate(alternatives) if _has_calls(one)]
    if len(with_calls) != 1:
        return response
    at = with_calls[0]
    other = alternatives[at]
    messages = _joined(response["messages"], other["messages"])
    if other.get("finish_reason") != "tool_calls" or messages is None:
        return response
    path = f"/alternatives/{at}"
    log.changed("message", path, _JOINED)
    _log_rest_of_choice(response["messages"], other, dialect, path, log)
    log.left_out("/alternatives", [at])
    left = [one for one in alternatives if one is not other]
    out: dict[str, Any] = {name: held for name, held in response.items() if name != "alternatives"}
    return cast("ChatResponse", {**out, **({"alternatives": left} if left else {}), "messages": messages})


def _has_calls(answer: Any) -> bool:
    return any(message.get("tool_calls") for message in answer["messages"])


def _joined(first: Any, other: Any) -> list[Any] | None:
    """Return the messages of both answers joined; None if they do not fit into one message without conflict."""
    if not first:
        return list(other)
    if len(first) != 1 or len(other) != 1 or not first[0]["role"] == other[0]["role"] == "assistant":
        return None
    said, called = first[0], {name: held for name, held in other[0].items() if held or name == "tool_calls"}
    if any(said.get(name) and said[name] != held for name, held in called.items() if name not in {"role", "extra"}):
        return None
    extra = _joined_extra(said.get("extra", NOTHING), called.get("extra", NOTHING))
    message = {**said, **called}
    return [{**message, "extra": extra} if extra else message]


def _joined_extra(said: Mapping[str, Any], called: Mapping[str, Any]) -> dict[str, Any]:
    """Return the joined `extra` of both messages; of a member that both have, the first one wins."""
    out: dict[str, Any] = {**called, **said}
    for owner in said.keys() & called.keys():
        fields = {**_object(called[owner], "fields"), **_object(said[owner], "fields")}
        out[owner] = {**_object(called, owner), **_object(said, owner), **({"fields": fields} if fields else {})}
    return out


def _object(holder: Any, name: str) -> Mapping[str, Any]:
    """Return the object in a member; empty if it is not an object."""
    held: Any = cast("dict[str, Any]", holder).get(name) if isinstance(holder, dict) else None
    return cast("dict[str, Any]", held) if isinstance(held, dict) else NOTHING


def _conflicting_fields(first: Any, other: Any) -> Iterator[tuple[str, str]]:
    """Yield the dialect and name of each `fields` member that both messages have with different values."""
    said, called = _object(first[0] if first else None, "extra"), _object(other[0], "extra")
    for owner, bag in called.items():
        fields = _object(said.get(owner), "fields")
        yield from ((owner, name) for name, held in _object(bag, "fields").items() if fields.get(name, held) != held)


def _log_rest_of_choice(first: Any, other: Any, dialect: str, path: str, log: LossLog) -> None:
    """Log what the joined choice held beside its message, except its index."""
    for owner, name in _conflicting_fields(first, other["messages"]):
        log.lost("extra", f"{path}/messages/0/extra{pointer(owner, 'fields', name)}", FOREIGN)
    extra: dict[str, Any] = {}
    for owner, bag in _object(other, "extra").items():
        choice = _object(bag, "choice")
        unsaid = {name: held for name, held in choice.items() if name != "index"}
        extra[owner] = {**bag, "choice": unsaid} if choice else bag
    if extra:
        report_foreign({"extra": extra}, dialect, path, log)
