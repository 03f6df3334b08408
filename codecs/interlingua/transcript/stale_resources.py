"""Finds stale resources in a transcript: those with a newer one of the same URI."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from interlingua.model import McpResourceMessage

if TYPE_CHECKING:
    from collections.abc import Iterable

    from interlingua.model import AnyMessage, ChatMessage

Address: TypeAlias = tuple[str, str]


def stale_resources(messages: Iterable[AnyMessage | ChatMessage]) -> frozenset[int]:
    """Return the indexes of the stale resources.

    A resource that joins another of the same URI is a further content of the same response, and is as old as that one.
    Tool results are never stale, whatever they hold.
    """
    newest: dict[Address, int] = {}
    places: list[tuple[int, Address]] = []
    before: Address | None = None
    for index, message in enumerate(messages):
        if not isinstance(message, McpResourceMessage):
            before = None
            continue
        address = message.data.server_name, message.data.resource_uri
        places.append((index, address))
        if not (message.joins and address == before):
            newest[address] = index
        before = address
    return frozenset(index for index, address in places if index < newest[address])
