"""The chunks of a stream of Gemini's put together to the one answer of `generateContent` without a stream.

Parts stand in their order; texts of one kind that follow each other are one part, but what is signed stays a part of
its own, and an empty text without a signature is none. All else is as last said, and the counts cumulate.
Source: reference/wire/gemini.md section 3.
"""

# A wire value is Any; narrowing it to dict or list leaves its members unknown, which is the truth about wire JSON.
# pyright: reportUnknownMemberType=none, reportUnknownArgumentType=none, reportUnknownVariableType=none
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.dialects._shared.extra import Leftovers
from interlingua.dialects.gemini.snake import CANDIDATE, PART, RESPONSE, USAGE, camel
from interlingua.dialects.gemini.stream_partial import PartialArguments, in_pieces

if TYPE_CHECKING:
    from collections.abc import Iterable

    from interlingua.dialects._shared.stream import Frame

# What the first chunk says holds for all.
_FIRST: Final = ("responseId", "modelVersion", "createTime")
_TEXT_MEMBERS: Final = frozenset({"text", "thought"})
_CONTENT_MEMBERS: Final = frozenset({"role", "parts"})
_LOGPROBS: Final = "logprobsResult"


def assemble_stream(frames: Iterable[Frame]) -> dict[str, Any]:
    """Return the answer that the chunks make. What is no chunk of an answer is passed over."""
    body: dict[str, Any] = {}
    usage: dict[str, Any] = {}
    answers: dict[int, _Answer] = {}
    for frame in frames:
        if type(frame) is not dict or ("error" in frame and "candidates" not in frame):
            continue
        chunk = camel(frame, RESPONSE, Leftovers())
        for name, value in chunk.items():
            if name == "usageMetadata" and type(value) is dict:
                usage |= camel(value, USAGE, Leftovers())
            elif name != "candidates" and (name not in body or (name not in _FIRST and value is not None)):
                body[name] = value
        _add(answers, chunk.get("candidates"))
    if usage:
        body["usageMetadata"] = usage
    if answers:
        body["candidates"] = [answer.candidate() for _, answer in sorted(answers.items())]
    elif "promptFeedback" not in body:
        body["candidates"] = []
    return body


def which(candidate: dict[str, Any], position: int) -> int:
    """Return which answer a candidate of a chunk belongs to: its index, else its position."""
    index = candidate.get("index")
    return index if type(index) is int and index >= 0 else position


def _add(answers: dict[int, _Answer], candidates: Any) -> None:
    for position, wire in enumerate(candidates if type(candidates) is list else ()):
        if type(wire) is dict:
            candidate = camel(wire, CANDIDATE, Leftovers())
            at = which(candidate, position)
            if at not in answers:
                answers[at] = _Answer()
            answers[at].add(candidate)


class _Answer:
    """One answer that grows; texts are joined once, so that long ones cost no more for each piece."""

    def __init__(self) -> None:
        self._members: dict[str, Any] = {}
        self._content: dict[str, Any] = {}
        self._parts: list[dict[str, Any]] = []
        self._texts: list[str] = []  # the pieces of the last part, where it is a text that may go on
        self._partial: PartialArguments | None = None

    def add(self, candidate: dict[str, Any]) -> None:
        """Take what a chunk says of the answer."""
        for name, value in candidate.items():
            if name == _LOGPROBS and type(value) is dict:
                if type(self._members.get(name)) is not dict:
                    self._members[name] = {}
                _lengthen(self._members[name], value)
            elif name != "content" and (value is not None or name not in self._members):
                self._members[name] = value
        content = candidate.get("content")
        if type(content) is not dict:
            return
        self._content |= content
        parts = content.get("parts")
        for part in parts if type(parts) is list else [parts]:
            if type(part) is dict:
                self._take(camel(part, PART, Leftovers()))

    def candidate(self) -> dict[str, Any]:
        """Return the candidate of the whole answer."""
        self._close()
        if not self._parts and self._content.keys() <= _CONTENT_MEMBERS:  # it says nothing but who is speaking
            return self._members
        return {"content": {**self._content, "parts": self._parts}, **self._members}

    def _take(self, part: dict[str, Any]) -> None:
        text, call = part.get("text"), part.get("functionCall")
        if type(text) is str and part.keys() <= _TEXT_MEMBERS:
            if not text:
                return
            if not self._texts or (self._parts[-1].get("thought") is True) != (part.get("thought") is True):
                self._close()
                self._parts.append(part)
            self._texts.append(text)
        elif type(call) is dict and (self._goes_on(call) or in_pieces(call)):
            self._take_piece(part, call)
        else:
            self._close()
            self._parts.append(part)

    def _goes_on(self, call: dict[str, Any]) -> bool:
        return self._partial is not None and call.get("name") in (None, self._parts[-1]["functionCall"].get("name"))

    def _take_piece(self, part: dict[str, Any], call: dict[str, Any]) -> None:
        """Take a piece of a call: the whole call stands where the first one stood, with what the others add."""
        call = camel(call, PART.inside["functionCall"], Leftovers())
        if self._partial is None or not self._goes_on(call):
            self._close()
            self._parts.append({})
            self._partial = PartialArguments()
        self._partial.add(call)
        whole = self._parts[-1]
        said = {name: value for name, value in call.items() if name not in {"args", "partialArgs", "willContinue"}}
        self._parts[-1] = {**whole, **part, "functionCall": {**whole.get("functionCall", {}), **said}}
        if call.get("willContinue") is not True:
            self._close()

    def _close(self) -> None:
        """Close the last part, if it could go on."""
        if self._texts:
            self._parts[-1] = {**self._parts[-1], "text": "".join(self._texts)}
            self._texts = []
        elif self._partial is not None:
            self._parts[-1]["functionCall"]["args"] = self._partial.value()
            self._partial = None


def _lengthen(own: dict[str, Any], value: dict[str, Any]) -> None:
    """Add the log probabilities of the next chunk to those before, whose lists are our own."""
    for name, member in value.items():
        if type(member) is list and type(own.get(name)) is list:
            own[name].extend(member)
        else:
            own[name] = [*member] if type(member) is list else member
