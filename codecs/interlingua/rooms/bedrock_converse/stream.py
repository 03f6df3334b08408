"""Encode and decode Bedrock Converse streams. A frame is an object with one member, as boto3 yields it.

Source: docs/wire/bedrock_converse.md, section 3.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Final, cast

from interlingua.loss import LossLog, lost_members
from interlingua.rooms._shared.claude_signatures import FROM_CLAUDE
from interlingua.rooms._shared.names import CALL_WITHOUT_ID, AnswerIds
from interlingua.rooms._shared.refusals import finish_reason_for
from interlingua.rooms._shared.stream_abroad import (
    END_MEMBERS,
    BlockSequence,
    Paragraphs,
    StreamUsage,
    WholeCalls,
    finish_members,
    refusal_as_content,
    report_unplaced_state,
)
from interlingua.rooms._shared.stream_notes import SILENT, call_of, noted, spelled
from interlingua.rooms._shared.stream_reader import FrameReader
from interlingua.rooms._shared.stream_writer import FrameWriter
from interlingua.rooms.bedrock_converse import decode, encode, encode_answer
from interlingua.rooms.bedrock_converse.additional_fields import (
    ADDITIONAL_FIELDS,
    read_stop_sequence,
    read_thinking_tokens,
    write_additional_fields_of_stream,
)
from interlingua.rooms.bedrock_converse.errors import decode_error
from interlingua.rooms.bedrock_converse.tables import DIALECT, STREAM_ERRORS
from interlingua.spi.extra import own_extra
from interlingua.spi.reading import OBJECT, expect, read_input
from interlingua.tool_arguments import arguments_object, arguments_text, is_blank

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from interlingua.model_shapes import ApiError
    from interlingua.rooms._shared.stream_writer import Event, Frame

_PADDING: Final = "p"
_READ: Final = frozenset({"category", "message", "limit_tokens", "used_tokens", "requested_tokens"})  # of exceptions
_INDEXED: Final = dict.fromkeys(("contentBlockIndex", _PADDING))
# Known members by frame; token counts are read with the usage.
_KNOWN: Final[Mapping[str, Any]] = {
    "messageStart": {"role": None, _PADDING: None},
    "contentBlockStart": {**_INDEXED, "start": {"toolUse": dict.fromkeys(("toolUseId", "name", "type"))}},
    "contentBlockDelta": {**_INDEXED, "delta": {
        "text": None, "toolUse": {"input": None}, "citation": None,
        "reasoningContent": dict.fromkeys(("text", "signature", "redactedContent")),
    }},
    "contentBlockStop": _INDEXED,
    "messageStop": {"stopReason": None, _PADDING: None, ADDITIONAL_FIELDS: {
        "stop_sequence": None, "delta": {"stop_sequence": None},
        "usage": {"output_tokens_details": {"thinking_tokens": None}},
    }},
    "metadata": {"usage": dict, _PADDING: None},
    **{name: {"message": None, _PADDING: None} for name in STREAM_ERRORS},
}  # fmt: skip
_OPENING: Final = frozenset({"content", "reasoning", "tool_call_start"})


def _read_exception(name: str, message: str) -> dict[str, Any]:
    """Return the category and message of an exception frame, and its counts of tokens, as in the body of an error."""
    error = decode_error({"message": message}, headers={"x-amzn-errortype": name})
    return {member: value for member, value in error.items() if member in _READ}


class StreamEncoder(FrameWriter):
    """Encodes events as frames of a Converse stream.

    Abroad one block is open at a time, and finish reason and usage come at the end.
    """

    dialect = DIALECT
    SHARED_SIGNATURES = FROM_CLAUDE

    def __init__(self, log: LossLog) -> None:
        super().__init__(log)
        self._sequence = BlockSequence()
        self._calls = WholeCalls(self.unmatched_arguments)
        self._indexes: dict[int, int] = {}  # wire index of each open block
        self._opened = 0
        self._paragraphs = Paragraphs()
        self._is_text = False  # whether the last opened block is text
        self._held: dict[int, list[tuple[int, Event]]] = {}  # events of text blocks that are still empty
        self._finish: tuple[int, Event] | None = None
        self._usage = StreamUsage()
        self._ids = AnswerIds({}, self.log.asked)
        self._declined = False

    def write(self, event: Event) -> list[Frame]:
        """Return the frames that an event makes by habit; abroad the blocks are put in sequence first."""
        kind = event["type"]
        if self.home or kind == "start":
            return self._WRITERS[kind](self, event)
        if event.get("alternative"):
            self.lost_alternative(event)
            return []
        if kind == "end" and not event["complete"]:
            self.lost_broken(self._calls)
        numbered = self._sequence.close(self.number) if kind == "end" else self._sequence.feed(self.number, event)
        frames = self.written_by(lambda one: self._WRITERS[one["type"]](self, one), numbered)
        return [*frames, *self._end(event)] if kind == "end" else frames

    def _start(self, event: Event) -> list[Frame]:
        self.home, self.ended = event.get("dialect") == DIALECT, False
        self._indexes, self._opened, self._paragraphs = {}, 0, Paragraphs()
        for name in ("id", "model", "created"):
            if name in event:
                self.log.lost("member", self.path(name), f"an answer has no {name} there")
        self._usage = StreamUsage(self.number, event.get("usage", {}))
        self._ids = AnswerIds(event, self.log.asked)
        return [{"messageStart": {"role": "assistant"}}]

    def _block_frame(self, event: Event, member: str, said: Any) -> Frame:
        block = event["block"]
        if block not in self._indexes:
            self._indexes[block] = self._opened
            self._opened += 1
            self._is_text = "text" in said
        return {f"contentBlock{member.title()}": {"contentBlockIndex": self._indexes[block], member: said}}

    def _block_event(self, event: Event) -> list[Frame]:
        """Return the frames of an event of a block. Abroad a tool call is written whole."""
        kind, block = event["type"], event["block"]
        if kind == "reasoning" and not (block in self._indexes or self.home or event["text"]):
            return []  # Bedrock refuses empty reasoning in the next request
        if kind in _OPENING and not self.home:
            self._paragraphs.begin(event)
        if kind.startswith("tool_call") and not self.home:
            whole = self._calls.feed(self.number, event)
            return [] if whole is None else self._call(*whole)
        if kind == "tool_call_start":
            return self._call(self.number, event)
        if kind in {"content", "citation"} and not (block in self._indexes or self.home or event.get("text")):
            self._held.setdefault(block, []).append((self.number, event))
            return []
        if kind == "content" and not self.home and block not in self._indexes:
            gap = self._paragraphs.gap(event)
            event = {**event, "text": gap + event["text"]} if self._is_text else event
        frames = [self._block_frame(event, "delta", delta) for delta in self._deltas(event, self.number)]
        held = self._held.pop(block, []) if frames else []
        deltas = [delta for number, one in held if "text" not in one for delta in self._deltas(one, number)]
        return [*frames, *(self._block_frame(event, "delta", delta) for delta in deltas)]

    def _deltas(self, event: Event, number: int) -> list[dict[str, Any]]:
        kind = event["type"]
        if kind == "citation":
            wire = encode.encode_citation(event["citation"], f"/{number}/citation", "assistant", self.target())
            return [] if wire is None else [{"citation": wire}]
        if kind == "tool_call_delta":
            return [{"toolUse": {"input": event["arguments"]}}]
        said = {"text": event["text"]}
        return [said if kind == "content" else {"reasoningContent": said}]

    def _call(self, number: int, event: Event) -> list[Frame]:
        call = {"arguments": {}, **call_of(event, DIALECT)}
        at = self._ids.next_call()
        if "id" not in call:
            call["id"] = self._ids.call(at)
            self.log.filled(f"/{number}/id", CALL_WITHOUT_ID)
        to = self.target_of_call(number, self._calls.told(event, number))
        tool = {**encode.encode_call(call, 0, 0, to)["toolUse"]}
        said, given = tool.pop("input"), call["arguments"]
        is_faithful = type(given) is str and "kind" not in call and arguments_object(given)[1]
        text = given if is_faithful and not is_blank(given) else arguments_text(said) if said else ""
        frames = [self._block_frame(event, "start", {"toolUse": tool})]
        return [*frames, self._block_frame(event, "delta", {"toolUse": {"input": text}})] if text else frames

    def _refusal(self, event: Event) -> list[Frame]:
        if not self.home:
            self._declined = self._declined or bool(event["text"])
            return self._block_event(refusal_as_content(event, self._paragraphs, self.path("text"), self.log))
        if event["text"]:
            self.log.lost("refusal", self.path("text"), "a refusal is a stopReason without a text of its own")
        return []

    def _part(self, event: Event) -> list[Frame]:
        if event["block"] in self._indexes:
            self.replaced_part()
            return []
        for wire in encode.encode_part(event["part"], self.path("part"), "assistant", self.target()):
            if "text" in wire or "citationsContent" in wire:
                said = wire.get("citationsContent", {"content": [wire], "citations": []})
                texts = [{"text": one["text"]} for one in said.get("content", ())]
                deltas = [*texts, *({"citation": one} for one in said["citations"])]
                return [self._block_frame(event, "delta", delta) for delta in deltas]
            return [self._block_frame(event, "start", wire)]
        return []

    def _block_end(self, event: Event) -> list[Frame]:
        block = event["block"]
        for number, held in self._held.pop(block, []):
            if held["type"] != "content":
                lost_members(
                    self.log, held["citation"], f"/{number}/citation", "empty_text", "Bedrock refuses an empty text"
                )
        whole = self._calls.feed(self.number, event)
        frames = [] if whole is None else self._call(*whole)
        index = self._indexes.pop(block, None)
        return [*frames, {"contentBlockStop": {"contentBlockIndex": index}}] if index is not None else frames

    def _state(self, event: Event) -> list[Frame]:
        """Write a signature, or a piece of redacted thinking, which has no text."""
        bag = own_extra(event, DIALECT)
        said = {
            wire: bag[name] for name, wire in (("signature", "signature"), ("data", "redactedContent")) if name in bag
        }
        if "block" not in event:
            report_unplaced_state(bag, self)
            return []
        return [self._block_frame(event, "delta", {"reasoningContent": said})] if said else []

    def _usage_event(self, event: Event) -> list[Frame]:
        if self.home:
            return [{"metadata": {"usage": encode_answer.encode_usage(event["usage"], self.target())}}]
        self._usage.add(self.number, event["usage"])
        return []

    def _finish_event(self, event: Event) -> list[Frame]:
        self._finish = (self.number, event)
        return [self._message_stop()] if self.home else []

    def _message_stop(self) -> Frame:
        number, finish = self._finish or (self.number, {})
        said = finish_members(number, finish, self.log, declined=self._declined)
        unsaid = finish_reason_for(called=self._ids.has_called, declined=self._declined)
        stop = encode_answer.encode_stop_reason(said, self.target_of(number), unsaid=unsaid)
        return {"messageStop": stop | write_additional_fields_of_stream(said) if self.home else stop}

    def _error(self, event: Event) -> list[Frame]:
        return [{event.get("code", "internalServerException"): {"message": event.get("message", "")}}]

    def failure(self, error: ApiError, log: LossLog) -> list[Frame]:
        """Return the exception frame for an error, chosen by its category."""
        self.lost_waiting(self._sequence.given_up())
        self.lost_waiting(self._calls.close())
        self.lost_waiting(one for held in self._held.values() for one in held if one[1]["type"] == "citation")
        self.cut(self._finish, self._usage)
        name = next((one for one, some in STREAM_ERRORS.items() if error["category"] in some), "validationException")
        scratch = LossLog()
        (body,) = super().failure(error, scratch)
        for loss in scratch.losses():
            if loss.path == "/message" and loss.severity == "filled":
                log.filled(loss.path, loss.detail)
            elif loss.path != "/category":  # the exception's name expresses it
                (log.lost if loss.severity == "lost" else log.changed)(loss.code, loss.path, loss.detail)
        if error["category"] != _read_exception(name, cast("dict[str, Any]", body)["message"])["category"]:
            log.changed("member", "/category", "a Bedrock stream has only a few kinds of exceptions")
        return [{name: body}]

    def _end(self, event: Event) -> list[Frame]:
        self.ended = True
        if self.home or not event["complete"]:
            if not self.home:
                self.cut(self._finish, self._usage)
            return []
        usage = encode_answer.encode_usage(self._usage.usage, self.target_of_usage(self._usage))
        metadata: dict[str, Any] = {"usage": usage}
        encode_answer.write_metrics(metadata, self.path(), self.log)
        return [self._message_stop(), {"metadata": metadata}]

    _WRITERS: ClassVar[Mapping[str, Callable[..., list[Frame]]]] = {
        **dict.fromkeys(("content", "reasoning", "citation", "tool_call_start", "tool_call_delta"), _block_event),
        "start": _start,
        "refusal": _refusal,
        "part": _part,
        "block_end": _block_end,
        "state": _state,
        "usage": _usage_event,
        "finish": _finish_event,
        "error": _error,
        "opaque": FrameWriter.opaque_frame,
        "end": _end,
    }


encode_stream: Final = StreamEncoder


class StreamDecoder(FrameReader[StreamEncoder]):
    """Decodes the frames of a Converse stream."""

    dialect = DIALECT
    KNOWN: ClassVar[Mapping[str, Any]] = _KNOWN

    def __init__(self) -> None:
        super().__init__(StreamEncoder)
        self._open: dict[int, tuple[int, str]] = {}  # by wire index: the block's number and kind
        self._opened = 0
        self._last = ""  # the kind of the last block that began
        self._started = False

    def read(self, frame: Any) -> list[Event]:
        """Return the events of a frame; an unknown one is kept as it is. Raises `Malformed` if it is not an object."""
        if type(frame) is str:
            return self.opaque(frame)
        name = next((name for name in expect(frame, OBJECT) if name in _KNOWN), None)
        if name is None:
            return self.opaque(frame)
        begun: list[Event] = []
        if not (self._started or name == "messageStart" or name in STREAM_ERRORS):
            self._started = True  # `messageStart` was lost: nothing is written for it
            begun = self.predicted(spelled({"type": "start", "dialect": DIALECT}, DIALECT, "frame", SILENT))
        said = frame[name]
        event = self._event(name, said) if type(said) is dict else None
        thoughts = (
            read_thinking_tokens(said.get(ADDITIONAL_FIELDS)) if name == "messageStop" and event is not None else {}
        )
        if event is None and self.abroad and type(said) is dict and said.get("start") == {}:
            return begun  # an empty start adds nothing to the deltas
        if thoughts:
            begun += self.predicted(spelled({"type": "usage", "usage": thoughts}, DIALECT, "frame", SILENT))
        return [*begun, *(self.opaque(frame) if event is None else self.compared([event], [frame]))]

    def finish(self) -> list[Event]:
        """Return the event that ends the stream: no frame does."""
        return [{"type": "end", "complete": self.finished}]

    def _event(self, name: str, said: dict[str, Any]) -> Event | None:
        """Return the event of a frame; None if it has an unknown shape."""
        match said:
            case _ if name == "messageStart":
                self._open, self._started, self.finished, self._last = {}, True, False, ""
                return {"type": "start", "dialect": DIALECT}
            case {"stopReason": str(word)} if name == "messageStop":
                self.finished = True
                end = decode.decode_stop_reason(word, in_call=self._last == "call")
                end |= read_stop_sequence(said.get(ADDITIONAL_FIELDS))
                return {"type": "finish"} | {member: end[key] for member, key in END_MEMBERS.items() if key in end}
            case {"usage": dict(usage)} if name == "metadata":
                return {"type": "usage", "usage": decode.decode_usage(usage)}
            case {"message": str(message)} if name in STREAM_ERRORS:
                return {"type": "error", "code": name, **_read_exception(name, message)}
            case _ if not name.startswith("contentBlock"):
                return None
            case _:
                pass
        index, member = said.get("contentBlockIndex"), "start" if name == "contentBlockStart" else "delta"
        if type(index) is not int:
            return None
        if name == "contentBlockStop":
            block, kind = self._open.pop(index, (0, ""))
            return {"type": "block_end", "block": block} if kind else None
        found = _decode_block(member, said.get(member))
        block, kind = self._open.get(index, (self._opened, ""))
        if found is None or (member == "delta" and found[0] != kind and (kind or found[0] == "call")):
            return None
        if not kind or member == "start":
            block = self._opened
            self._open[index] = (block, found[0])
            self._last = found[0]
            self._opened += 1
        return {"block": block, **found[1]}


decode_stream: Final = StreamDecoder


def _decode_block(member: str, said: Any) -> tuple[str, Event] | None:
    """Return the kind of block that a start or delta belongs to, and its event; None if it has an unknown shape."""
    match said:
        case {"toolUse": {"toolUseId": str(identifier), "name": str(name), **rest}} if (
            member == "start" and rest.get("type") != decode.SERVER_TOOL
        ):
            return "call", {"type": "tool_call_start", "id": identifier, "name": name}
        case _ if member == "start":
            return None
        case {"text": str(text)}:
            return "content", {"type": "content", "text": text}
        case {"citation": dict(citation)}:
            citation = decode.decode_citation(citation, decode.home_target(answer=True))
            return "content", {"type": "citation", "citation": citation}
        case {"toolUse": {"input": str(text)}}:
            return "call", {"type": "tool_call_delta", "arguments": text}
        case {"reasoningContent": {"text": str(text)}}:
            return "reasoning", {"type": "reasoning", "text": text}
        case {"reasoningContent": {"signature": str(signature)}}:
            return "reasoning", noted({"type": "state"}, DIALECT, "signature", signature)
        case {"reasoningContent": {"redactedContent": str(data)}}:
            return "reasoning", noted({"type": "state"}, DIALECT, "data", data)
        case _:
            return None


def assemble_stream(frames: Iterable[Frame]) -> dict[str, Any]:
    """Return the answer that the frames make; a second start begins anew, and what fits nowhere is passed over.

    An index that is used again is another block.
    """
    message: dict[str, Any] = {"role": "assistant"}
    body: dict[str, Any] = {}
    blocks: list[tuple[dict[str, Any], list[Any]]] = []
    opened: dict[int, tuple[dict[str, Any], list[Any]]] = {}
    for frame in frames:
        name = next((name for name in frame if name in _KNOWN), "") if type(frame) is dict else ""
        said = frame[name] if name and type(frame) is dict else None
        if type(said) is not dict:
            continue
        index, rest = said.get("contentBlockIndex"), {key: one for key, one in said.items() if key != _PADDING}
        if name == "messageStart":
            message, body, blocks, opened = rest, {}, [], {}
        elif name in {"messageStop", "metadata"}:
            body |= rest
        elif type(index) is int and name == "contentBlockStart" and type(said.get("start")) is dict:
            begun: tuple[dict[str, Any], list[Any]] = ({**said["start"]}, [])
            if opened.get(index) != begun:  # else the start is only repeated
                opened[index] = begun
                blocks.append(begun)
        elif type(index) is int and name == "contentBlockStop":
            opened.pop(index, None)
        elif type(index) is int and name == "contentBlockDelta" and type(said.get("delta")) is dict:
            if index not in opened:
                opened[index] = ({}, [])
                blocks.append(opened[index])
            opened[index][1].append(said["delta"])
    content = [_block(*block) for block in blocks if any(block)]
    return {"output": {"message": {**message, "content": content}}, **body}


def _block(out: dict[str, Any], deltas: list[dict[str, Any]]) -> dict[str, Any]:
    """Return a whole block; texts are joined once."""
    texts: dict[str, list[str]] = {}
    for delta in deltas:
        inner = next((delta[name] for name in ("reasoningContent", "toolUse") if type(delta.get(name)) is dict), delta)
        for name, text in inner.items():
            if type(text) is str:
                texts.setdefault(name if inner is delta else f"inner {name}", []).append(text)
    joined = {name: "".join(pieces) for name, pieces in texts.items()}
    citations = [delta["citation"] for delta in deltas if type(delta.get("citation")) is dict]
    thought = {name: joined[f"inner {name}"] for name in ("text", "signature") if f"inner {name}" in joined}
    if citations:
        said = {"content": [{"text": joined["text"]}]} if joined.get("text") else {}
        out["citationsContent"] = {**said, "citations": citations}
    elif "text" in joined:
        out["text"] = joined["text"]
    if thought:
        out["reasoningContent"] = {"reasoningText": {"text": "", **thought}}
    elif "inner redactedContent" in joined:
        out["reasoningContent"] = {"redactedContent": joined["inner redactedContent"]}
    if type(out.get("toolUse")) is dict:
        out["toolUse"] = {"input": read_input(joined.get("inner input", "")), **out["toolUse"]}
    for delta in deltas:
        if type(delta.get("toolResult")) is list and type(out.get("toolResult")) is dict:
            out["toolResult"] = {
                **out["toolResult"],
                "content": [*out["toolResult"].get("content", ()), *delta["toolResult"]],
            }
    return out
