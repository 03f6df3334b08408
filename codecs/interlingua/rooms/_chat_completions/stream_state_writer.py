"""Write signed state of a stream from abroad into deltas, for clients that send it back.

A detail is written once it is complete, with its text and `index`: clients join pieces by the index, some of them
every text in them. Source: docs/wire/openai_chat.md, section 9.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from interlingua.loss import is_empty_value
from interlingua.rooms._chat_completions.reasoning_details import (
    CLAUDE,
    GEMINI,
    RESPONSES,
    carrier,
    claude_details,
    formatted,
    responses_details,
)
from interlingua.rooms._chat_completions.vendor_extensions import DETAILS
from interlingua.rooms._shared.claude_signatures import FROM_BEDROCK
from interlingua.rooms._shared.stream_notes import spelling
from interlingua.spi.extra import NOTHING, own_extra

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.loss import LossLog
    from interlingua.rooms._shared.stream_writer import Event

Delta: TypeAlias = dict[str, Any]

# Maker -> members of an event's `extra` that are carried.
_CARRIED: Final[Mapping[str, frozenset[str]]] = MappingProxyType({
    FROM_BEDROCK.other: frozenset({"signature", "data"}),
    CLAUDE: frozenset({"signature", "data"}),
    GEMINI: frozenset({"signature"}),
    RESPONSES: frozenset({"item"}),
})  # fmt: skip
_ITEM: Final = frozenset({"type", "id", "encrypted_content"})
_TEXTS: Final = frozenset({"content", "part"})


class _Item:
    """A reasoning item of Responses: the number of its first event, its members, and the blocks of its texts."""

    def __init__(self, number: int, state: Mapping[str, Any]) -> None:
        self.number = number
        self.state = dict(state)
        self.blocks: list[int] = []


class SignedStateWriter:
    """The signed state of one answer."""

    def __init__(self, log: LossLog) -> None:
        self._log = log
        self._pieces: dict[int, list[str]] = {}  # texts of thoughts, by block
        self._signatures: dict[int, str] = {}
        self._kinds: dict[int, str] = {}
        self._custom: set[int] = set()  # blocks of custom calls
        self._item: _Item | None = None
        self._count = 0
        self._is_signed = False  # whether the text is signed; a message has only one signature

    def pieces(self, block: int) -> list[str]:
        """Return the collected pieces of a thought."""
        return self._pieces.setdefault(block, [])

    def take(self, event: Event, number: int, calls: Mapping[int, int]) -> list[Delta]:
        """Return the deltas for the state of an event; `calls` maps the block of each call to its index."""
        kind, block = event["type"], event.get("block", -1)
        if kind == "block_end":
            return self._end(event, number)
        ended: list[Delta] = []
        if kind != "state":
            self._kinds.setdefault(block, kind)
        if event.get("kind") == "custom":
            self._custom.add(block)
        if kind == "reasoning" and event["text"]:
            self.pieces(block).append(event["text"])
        if "extra" not in event:
            return ended
        item = own_extra(event, RESPONSES).get("item")
        if kind in {"reasoning", "state"} and (item is not None or spelling(event, RESPONSES).get("item") == "same"):
            ended = self._begin_item(item, block, number, is_reasoning=kind == "reasoning")
        claude = own_extra(event, CLAUDE)
        if "signature" in claude:
            self.pieces(block)
            self._signatures[block] = claude["signature"]
        if "data" in claude:
            ended += self._details(claude_details([{"type": "redacted_thinking", "data": claude["data"]}], []), CLAUDE)
        signature = own_extra(event, GEMINI).get("signature")
        return ended if signature is None else [*ended, *self._signed(signature, block, number, calls)]

    def left(self, kind: str, extra: Mapping[str, Any]) -> dict[str, Any]:
        """Return the `extra` of an event without what is carried."""
        out: dict[str, Any] = {}
        for owner, bag in extra.items():
            carried = _CARRIED.get(owner, frozenset[str]())
            if owner == RESPONSES and kind not in {"reasoning", "state", "block_end"}:
                carried = frozenset()
            out[owner] = {name: held for name, held in bag.items() if name not in carried} if carried else bag
        return out

    def close(self) -> list[Delta]:
        """Return the remaining deltas when the answer ends or is cut: signed thoughts are complete."""
        signed = list(self._signatures)
        return [delta for block in signed for delta in self._end({"block": block}, -1)] + self._end_item()

    def _signed(self, signature: str, block: int, number: int, calls: Mapping[int, int]) -> list[Delta]:
        if block in calls:
            said = {} if block in self._custom else {"function": {"arguments": ""}}  # clients read it unconditionally
            return [{"tool_calls": [{"index": calls[block], **said, **carrier(signature)}]}]
        if self._kinds.get(block, "content") in _TEXTS and not self._is_signed:
            self._is_signed = True
            return [carrier(signature)]
        self._log.lost(
            "provider_state", f"/{number}/extra/{GEMINI}/signature", "a message can only carry one signature"
        )
        return []

    def _end(self, event: Event, number: int) -> list[Delta]:
        block = event["block"]
        signature = self._signatures.pop(block, None)
        if signature is not None:
            thought = [{"type": "thinking", "signature": signature}]
            return self._details(claude_details(thought, ["".join(self.pieces(block))]), CLAUDE)
        state = own_extra(event, RESPONSES).get("item")
        if state is not None and self._item is not None and block in self._item.blocks:
            self._item.state |= state
            return self._end_item()
        if state is not None:
            self._log.lost(
                "provider_state", f"/{number}/extra/{RESPONSES}/item", "the item that it belongs to has already ended"
            )
        return []

    def _begin_item(
        self, state: Mapping[str, Any] | None, block: int, number: int, *, is_reasoning: bool
    ) -> list[Delta]:
        """Register a block that begins or continues a reasoning item."""
        if state is None:
            if self._item is not None:
                self._item.blocks.append(block)
            return []
        ended = self._end_item()
        if is_reasoning or state.get("type") == "reasoning":
            self._item = _Item(number, state)
            self._item.blocks.append(block)
        elif not is_empty_value(state):
            self._log.lost(
                "provider_state", f"/{number}/extra/{RESPONSES}/item", "reasoning_details can only carry reasoning"
            )
        return ended

    def _end_item(self) -> list[Delta]:
        """Return the delta of a complete reasoning item; one without encrypted content is lost."""
        item, self._item = self._item, None
        if item is None:
            return []
        texts = [text for text in ("".join(self.pieces(block)) for block in item.blocks) if text]
        made = responses_details(item.state, texts)
        others = {name: held for name, held in item.state.items() if name not in _ITEM and not is_empty_value(held)}
        if others or not made:
            detail = "reasoning_details can only carry the state of one provider"
            self._log.lost("provider_state", f"/{item.number}/extra/{RESPONSES}/item", detail)
        return self._details(made, RESPONSES)

    def _details(self, details: list[Delta], maker: str) -> list[Delta]:
        if not details:
            return []
        made = formatted(details, maker, self._count)
        self._count += len(made)
        return [{DETAILS: made}]


def with_signature(frame: dict[str, Any], delta: Delta) -> bool:
    """Merge the signature of a call into the chunk that begins the call; return whether it belongs to that call."""
    fragments: Any = frame["choices"][0]["delta"].get("tool_calls", NOTHING)
    signed = delta.get("tool_calls")
    if not fragments or not signed or fragments[0].get("index") != signed[0]["index"]:
        return False
    fragments[0] |= {name: said for name, said in signed[0].items() if name != "function"}
    return True
