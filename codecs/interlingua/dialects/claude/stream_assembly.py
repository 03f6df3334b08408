"""The frames of a stream of Claude's put together to the message that the same answer is without a stream.

Source: reference/wire/claude.md section 3, assembly.
"""

# A wire value is Any; narrowing it to dict or list leaves its members unknown, which is the truth about wire JSON.
# pyright: reportUnknownMemberType=none, reportUnknownArgumentType=none, reportUnknownVariableType=none
from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from interlingua.arguments import arguments_object
from interlingua.dialects.claude.wire import BrokenInput

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from interlingua.dialects._shared.stream import Frame


# The types of pieces and the member that holds what they say.
_MEMBERS: Final[Mapping[str, str]] = MappingProxyType({
    "text_delta": "text",
    "thinking_delta": "thinking",
    "input_json_delta": "partial_json",
    "citations_delta": "citation",
    "signature_delta": "signature",
})  # fmt: skip


class Block:
    """A content block that grows by its pieces; texts are joined once."""

    def __init__(self, start: dict[str, Any]) -> None:
        self._start = start
        self._texts: dict[str, list[str]] = {}
        self._json: list[str] = []
        self._citations: list[Any] = []
        self._set: dict[str, Any] = {}

    def add(self, delta: Mapping[str, Any]) -> None:
        """Take a piece; one of an unknown type or shape says nothing that a block could hold."""
        kind = delta.get("type")
        if kind == "compaction_delta":
            self._set |= {name: value for name, value in delta.items() if name != "type"}
            return
        member = _MEMBERS.get(kind) if type(kind) is str else None
        value = delta.get(member) if member is not None else None
        if kind == "citations_delta" and value is not None:
            self._citations.append(value)
        elif kind == "signature_delta" and value is not None:
            self._set["signature"] = value
        elif type(value) is str:
            (self._json if kind == "input_json_delta" else self._texts.setdefault(str(member), [])).append(value)

    @property
    def grown(self) -> bool:
        """Whether a piece has added to what the block began with."""
        return bool(self._texts or self._json or self._citations or self._set)

    def made(self) -> dict[str, Any]:
        """Return the whole block."""
        out = {**self._start, **self._set}
        for name, pieces in self._texts.items():
            before = self._start.get(name)
            out[name] = "".join([before if type(before) is str else "", *pieces])
        if text := "".join(self._json):
            out["input"] = self._input(text)
        if self._citations:
            before = self._start.get("citations")
            out["citations"] = [*(before if type(before) is list else ()), *self._citations]
        return out

    def _input(self, text: str) -> Any:
        """Return the arguments of a call: what was cut or is no object for another reason stays text."""
        value, faithful = arguments_object(text)
        is_broken = not faithful and value == {"arguments": text}
        return BrokenInput(text) if is_broken and self._start.get("type") == "tool_use" else value


def assemble_stream(frames: Iterable[Frame]) -> dict[str, Any]:
    """Return the message that the frames make; a second start begins anew, and what fits nowhere is passed over."""
    message: dict[str, Any] = {"type": "message", "role": "assistant", "content": []}
    blocks: dict[int, Block] = {}
    for frame in frames:
        if type(frame) is not dict:
            continue
        kind, index = frame.get("type"), frame.get("index")
        if kind == "message_start" and type(frame.get("message")) is dict:
            message, blocks = dict(frame["message"]), {}
        elif kind == "message_delta":
            _update(message, frame)
        elif type(index) is not int:
            continue
        elif kind == "content_block_start" and type(frame.get("content_block")) is dict:
            blocks[index] = Block(frame["content_block"])
        elif kind == "content_block_delta" and index in blocks and type(frame.get("delta")) is dict:
            blocks[index].add(frame["delta"])
    content = message.get("content")
    before = content if type(content) is list else []
    message["content"] = [*before, *(block.made() for block in blocks.values())]
    return message


def _update(message: dict[str, Any], frame: Mapping[str, Any]) -> None:
    """Lay a `message_delta` over the message. Its counts are whole and replace; one that is null or absent does not."""
    delta, usage = frame.get("delta"), frame.get("usage")
    if type(delta) is dict:
        message |= delta
    message |= {name: value for name, value in frame.items() if name not in {"type", "delta", "usage"}}
    if type(usage) is dict:
        counts = {name: value for name, value in usage.items() if value is not None}
        before = message.get("usage")
        message["usage"] = {**before, **counts} if type(before) is dict else counts
