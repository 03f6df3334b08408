"""What a target may say in another way, or not at all, without a difference for anybody who reads it.

Each rule is about one place and one reason, so that nothing else passes by it.
"""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING, Any, Final

from interlingua.rooms._shared.assistant_pictures import PICTURE_BESIDE
from interlingua.rooms._shared.message_order import REPEATED
from interlingua.rooms._shared.refusals import SAID
from support.canonical import edited, lookup, resolves, tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from interlingua.loss import Loss

_STOP: Final = re.compile(r"/stop/(\d+)")
_STOP_REPEATED: Final = "a repeated stop sequence was left out"
_RESULT: Final = re.compile(r"/messages/(\d+)")
_PART: Final = re.compile(r"/messages/(\d+)/content/(\d+)")
_DESCRIBED: Final = "a reference that cannot be resolved was moved to the description"
_LINKS: Final = ("call_id", "id")


def without_empty_words(request: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a request without an effort, or names of the tools of results, that have no letter: they are none."""
    reasoning = request.get("reasoning", {})
    if reasoning.get("effort") == "":
        rest = {name: said for name, said in reasoning.items() if name != "effort"}
        request = {name: said for name, said in request.items() if name != "reasoning"}
        request = {**request, "reasoning": rest} if rest else request
    return {**request, "messages": [_without_empty_name(message) for message in request["messages"]]}


def _without_empty_name(message: Mapping[str, Any]) -> Mapping[str, Any]:
    if message["role"] != "tool" or message.get("name") != "":
        return message
    return {name: said for name, said in message.items() if name != "name"}


def with_repeats_lost(before: Mapping[str, Any], losses: Iterable[Loss]) -> list[Loss]:
    """Return losses in which a stop sequence, or a result of a call, that repeats another one may be gone."""
    return [dataclasses.replace(loss, severity="lost") if _is_repeat(loss, before) else loss for loss in losses]


def _is_repeat(loss: Loss, before: Mapping[str, Any]) -> bool:
    if loss.severity != "changed":
        return False
    if loss.detail == _STOP_REPEATED and (stop := _STOP.fullmatch(loss.path)):
        return before["stop"][int(stop[1])] in before["stop"][: int(stop[1])]
    if loss.detail == REPEATED and (place := _RESULT.fullmatch(loss.path)):
        message = before["messages"][int(place[1])]
        return any(_is_same_result(message, one) for one in before["messages"][: int(place[1])])
    return False


def _is_same_result(message: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    links = [next((one[name] for name in _LINKS if name in one), None) for one in (message, other)]
    return (
        message["role"] == other["role"] == "tool"
        and links[0] == links[1]
        and message.get("content") == other.get("content")
    )


def without_new_raw(before: Mapping[str, Any], after: Mapping[str, Any], losses: Iterable[Loss]) -> Mapping[str, Any]:
    """Return an answer without the word `stop` of Chat Completions if it ended with calls for another reason.

    The loss of its finish reason says so.
    """
    changed = {loss.path for loss in losses if (loss.code, loss.severity) == ("finish_reason", "changed")}
    answers = [
        _without_stop(one) if f"/alternatives/{at}/finish_reason" in changed else one
        for at, one in enumerate(after.get("alternatives", ()))
    ]
    if "alternatives" in before and answers:
        after = {**after, "alternatives": answers}
    return _without_stop(after) if "/finish_reason" in changed else after


def _without_stop(answer: Mapping[str, Any]) -> Mapping[str, Any]:
    if (answer.get("finish_reason"), answer.get("finish_reason_raw")) != ("tool_calls", "stop"):
        return answer
    return {name: said for name, said in answer.items() if name != "finish_reason_raw"}


def with_tools_gathered(tools: Sequence[Any], dialect: str) -> Sequence[Any]:
    """Return tools in the order in which a dialect reads them back, which says nothing.

    A search stands beside the other tools of Chat Completions, and is read first or last; Gemini's functions stand
    together.
    """
    gathered = {"openai_chat": "web_search", "gemini": "function"}.get(dialect)
    some = [tool for tool in tools if isinstance(tool, dict) and tool.get("type") == gathered]
    if not some or len(some) == len(tools):
        return tools
    others = [tool for tool in tools if not any(tool is one for one in some)]
    if gathered == "web_search":
        return tools if tools[0] is some[0] else [*others, *some]
    first = next(at for at, tool in enumerate(tools) if tool is some[0])
    return [*others[:first], *some, *others[first:]]


def with_pictures_last(before: Mapping[str, Any], losses: Sequence[Loss]) -> tuple[Mapping[str, Any], list[Loss]]:
    """Return a request in which pictures that a user message holds stand last in their answer, and the other losses.

    A refusal that is sent as text stands before them.
    """
    beside = [loss for loss in losses if loss.detail == PICTURE_BESIDE]
    if not beside:
        return before, [*losses]
    messages = [*before["messages"]]
    moved: dict[str, str] = {}
    done = {loss.path for loss in beside}
    for index in {int(found[1]) for loss in beside if (found := _PART.fullmatch(loss.path))}:
        path = f"/messages/{index}"
        parts = {f"{path}/content/{at}": part for at, part in enumerate(messages[index]["content"])}
        others = [one for one in parts if one not in done]
        pictures = [one for one in parts if one in done]
        said: list[Any] = [parts[one] for one in others]
        if any((loss.path, loss.detail) == (f"{path}/refusal", SAID) for loss in losses):
            messages[index], text = _without_refusal(messages[index])
            said.append({"type": "text", "text": f"\n\n{text}" if said else text})
            done.add(f"{path}/refusal")
        moved |= {one: f"{path}/content/{at}" for at, one in enumerate(others)}
        moved |= {one: f"{path}/content/{at}" for at, one in enumerate(pictures, len(said))}
        messages[index] = {**messages[index], "content": [*said, *(parts[one] for one in pictures)]}
    told = [
        dataclasses.replace(loss, path=_PART.sub(lambda found: moved.get(found[0], found[0]), loss.path, count=1))
        for loss in losses
        if loss.path not in done or loss.severity != "changed"
    ]
    return {**before, "messages": messages}, told


def _without_refusal(message: Mapping[str, Any]) -> tuple[Mapping[str, Any], str]:
    refusal = message["refusal"]
    texts = [refusal] if isinstance(refusal, str) else [part["text"] for part in refusal if part["type"] == "text"]
    return {name: said for name, said in message.items() if name != "refusal"}, "".join(texts)


def with_references_described(
    before: Mapping[str, Any], losses: Iterable[Loss]
) -> tuple[Mapping[str, Any], list[Loss]]:
    """Return a request whose references that lead nowhere are descriptions, and the other losses."""
    rest: list[Loss] = []
    for loss in losses:
        *where, word = tokens(loss.path)
        if loss.detail != _DESCRIBED or word != "$ref" or not resolves(before, [*where, word]):
            rest.append(loss)
            continue
        schema = lookup(before, where)
        told, said = f"As in: {schema['$ref']}", schema.get("description")
        described = {name: value for name, value in schema.items() if name != "$ref"}
        described["description"] = f"{said}\n\n{told}" if isinstance(said, str) and said else told
        before = edited(before, where, described)
    return before, rest
