"""Makes the tool call ids of a response unique, since a client of another dialect answers calls by id.

Some servers give several calls the same id, or an empty one (TOOL-3); an empty id is removed. In a stream a new id
depends only on the ids before it, because later ones are not known yet.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

if TYPE_CHECKING:
    from interlingua.loss import LossLog
    from interlingua.model_shapes import ChatResponse

__all__ = ["with_unique_call_id", "with_unique_call_ids"]

_RENAMED: Final = "two calls had the same id: one was renamed"


def with_unique_call_ids(response: ChatResponse, log: LossLog) -> ChatResponse:
    """Return a response in which no two calls have the same id; a renamed id is logged as changed."""
    if "alternatives" not in response and not any("tool_calls" in message for message in response["messages"]):
        return response
    answers: list[Any] = [response, *response.get("alternatives", ())]
    if all(_are_unique(_identifiers(answer)) for answer in answers):  # nearly always
        return response
    first, *others = [
        _with_unique_ids(answer, "" if at == 0 else f"/alternatives/{at - 1}", log) for at, answer in enumerate(answers)
    ]
    return cast("ChatResponse", {**first, "alternatives": others} if others else first)


def _identifiers(answer: Any) -> list[str]:
    return [call["id"] for one in answer["messages"] for call in one.get("tool_calls", ()) if "id" in call]


def _are_unique(identifiers: list[str]) -> bool:
    return "" not in identifiers and len({*identifiers}) == len(identifiers)


def _with_unique_ids(answer: Any, base: str, log: LossLog) -> Any:
    taken: dict[str, int] = {}
    messages: list[Any] = []
    for index, message in enumerate(answer["messages"]):
        if "tool_calls" in message:
            calls = [
                with_unique_call_id(call, taken, f"{base}/messages/{index}/tool_calls/{at}/id", log)
                for at, call in enumerate(message["tool_calls"])
            ]
            messages.append({**message, "tool_calls": calls})
        else:
            messages.append(message)
    return {**answer, "messages": messages}


def with_unique_call_id(call: dict[str, Any], taken: dict[str, int], path: str, log: LossLog) -> dict[str, Any]:
    """Return a call, or the start of one, with an id that is not in `taken`, and add the id there.

    `taken` maps each id to the last number that was appended to it to make it unique.
    """
    identifier = call.get("id")
    if identifier is None:
        return call
    if not identifier:
        return {name: value for name, value in call.items() if name != "id"}
    free = identifier
    while free in taken:
        taken[identifier] += 1
        free = f"{identifier}_{taken[identifier]}"
    taken[free] = 1
    if free == identifier:
        return call
    log.changed("name", path, _RENAMED)
    return {**call, "id": free}
