"""Restores the client's own tool names and kinds, model name and usage in the answer to a translated request.

Works on canonical responses and events, between decoding and encoding. Source: docs/laws.md, law 12.
"""

from __future__ import annotations

import re
from string import hexdigits
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from interlingua.absent_members import HeldArguments, without_absent
from interlingua.argument_checks import check_count
from interlingua.response_options import with_spelling_word
from interlingua.tool_arguments import arguments_object, arguments_text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from interlingua.model_shapes import ChatResponse

__all__ = ["FREE_TEXT", "SAYS_NOTHING", "EventRestorer", "OwnTool", "Restoration", "restored_response"]

Event = dict[str, Any]

# The only parameter of a custom tool that was lowered to a function.
FREE_TEXT: Final = "input"
_CALLS: Final = "tool_calls"
SAYS_NOTHING: Final[Mapping[str, Any]] = MappingProxyType({"type": "state"})
_WORDS: Final[Mapping[str, str]] = MappingProxyType({"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"})
_SPACE: Final = " \t\r\n"
_HEX: Final = frozenset(hexdigits)
_OPENING: Final = ("{", f'"{FREE_TEXT}"', ":", '"')
_RUN: Final = re.compile(r'[^"\\]+')


class OwnTool(NamedTuple):
    """A tool as the client knows it: its name, whether it takes free text, and the group that it stands in.

    `is_item`: its calls are items of their own type, which is the name. `spelling`: the tool was declared in a
    deprecated form, and its calls are written with this spelling word. `schema`: that of a tool with optional members
    which had to be required, so that null stands for absent where it takes none.
    """

    name: str
    is_free: bool = False
    group: str | None = None
    is_item: bool = False
    spelling: str = ""
    schema: dict[str, Any] | None = None


class Restoration(NamedTuple):
    """What is needed to restore the client's names and kinds in an answer.

    `dialect` is the client's. `tools` maps tool names that were sent to the provider to the client's tools, where the
    two differ. `model` is the client's model name, or None. `tells_usage` says whether a stream reports usage.
    `group_member` is the member of `extra.<dialect>` that holds a call's namespace, `tool_member` the one that names
    the tool of a call with its own item type. `fills_model` says whether an answer without a model gets the client's
    model name. `asked` returns the digest of the request.
    """

    dialect: str
    tools: Mapping[str, OwnTool]
    model: str | None
    tells_usage: bool
    group_member: str | None = None
    tool_member: str | None = None
    fills_model: bool = False
    asked: Callable[[], str] = str

    @property
    def own_names(self) -> frozenset[str]:
        """Return the client's tool names that not every dialect accepts."""
        return frozenset(own.name for own in self.tools.values())

    def call(self, call: dict[str, Any]) -> dict[str, Any]:
        """Return a call, or the start of one, as the client knows it; free text is taken out of the arguments."""
        own = self.tools.get(call["name"])
        if own is None:
            return call
        out = {**call, "name": own.name}
        if own.is_free:
            out["kind"] = "custom"
            if "arguments" in call:
                out["arguments"] = _free_text(call["arguments"])
        elif own.schema is not None and "arguments" in call:
            out["arguments"] = without_absent(call["arguments"], own.schema)
        if own.group is not None and self.group_member is not None:
            out["extra"] = self._noted(call, self.group_member, own.group)
        elif own.is_item and self.tool_member is not None:
            out["extra"] = self._noted(call, self.tool_member, own.name)
        return out

    def error(self, error: Any) -> Any:
        """Return an error, or the event of one, whose message names the tools as the client does."""
        names = {name: own.name for name, own in self.tools.items() if own.name != name}
        if not names or "message" not in error:
            return error
        sent = re.compile(rf"(?<![\w-])({'|'.join(map(re.escape, names))})(?![\w-])")
        return {**error, "message": sent.sub(lambda found: names[found[1]], error["message"])}

    def spelling_of(self, name: str) -> str:
        """Return the spelling word for the calls of an answer whose first call is of this tool, or ""."""
        own = self.tools.get(name)
        return "" if own is None else own.spelling

    def _noted(self, call: dict[str, Any], member: str, value: str) -> dict[str, Any]:
        extra = call.get("extra", {})
        return {**extra, self.dialect: {**extra.get(self.dialect, {}), member: value}}


def restored_response(
    response: ChatResponse, restoration: Restoration | None, input_tokens: int | None
) -> ChatResponse:
    """Return a canonical response as the client knows it; `input_tokens` fills a missing count."""
    out: Any = {**response}
    if input_tokens is not None and "input_tokens" not in response.get("usage", {}):
        out["usage"] = {"input_tokens": check_count(input_tokens, "input_tokens"), **out.get("usage", {})}
    if restoration is None:
        return cast("ChatResponse", out)
    if restoration.model is not None and ("model" in out or restoration.fills_model):
        out["model"] = restoration.model
    if restoration.tools:
        out = _restored_answer(out, restoration)
        if "alternatives" in response:
            out["alternatives"] = [_restored_answer(one, restoration) for one in response["alternatives"]]
    return cast("ChatResponse", out)


def _restored_answer(answer: Any, restoration: Restoration) -> Any:
    first = next((one["tool_calls"][0]["name"] for one in answer["messages"] if one.get("tool_calls")), "")
    spelling = restoration.spelling_of(first)
    out = {**answer, "messages": [_restored_message(one, restoration, spelling) for one in answer["messages"]]}
    if spelling and answer.get("finish_reason") == _CALLS:
        out["finish_reason_raw"] = spelling
    return out


def _restored_message(message: Any, restoration: Restoration, spelling: str) -> Any:
    calls = message.get("tool_calls")
    if not calls:
        return message
    out = with_spelling_word(message, restoration.dialect, "call", spelling) if spelling else {**message}
    return {**out, "tool_calls": [restoration.call(call) for call in calls]}


def _free_text(arguments: dict[str, Any] | str) -> str:
    """Return the free text in the arguments of a lowered custom tool; without it, all of the arguments as text."""
    told = arguments_object(arguments)[0] if type(arguments) is str else arguments
    if not told:
        return ""
    said = told.get(FREE_TEXT) if type(told) is dict else None
    return said if type(said) is str else arguments_text(arguments)


class EventRestorer:
    """Restores the client's names and kinds in the events of one stream.

    It returns one event for each, so that event numbers in losses stay right, except at the end of free text that was
    not in the expected form.
    """

    __slots__ = ("_input_tokens", "_is_told", "_restoration", "_spelling", "_texts", "asked", "feed", "own_names")

    def __init__(self, restoration: Restoration | None, input_tokens: int | None) -> None:
        self._restoration = restoration
        self.own_names: frozenset[str] = frozenset() if restoration is None else restoration.own_names
        self.asked: Callable[[], str] = str if restoration is None else restoration.asked
        self._input_tokens = None if input_tokens is None else check_count(input_tokens, "input_tokens")
        self._is_told = restoration is None or restoration.tells_usage
        self._texts: dict[int, _FreeText | HeldArguments] = {}  # by open block
        self._spelling: dict[int, str] = {}  # spelling word for the calls of each answer, set by its first call
        self.feed: Callable[[Event], list[Event]] = self._feed

    def _feed(self, event: Event) -> list[Event]:
        """Return the events for an event."""
        kind = event["type"]
        if kind == "start":
            return [self._start(event)]
        if kind == "usage":
            return [event] if self._is_told else [{**SAYS_NOTHING}]
        if kind == "tool_call_start":
            return [self._call(event)]
        if kind == "error" and self._restoration is not None:
            return [self._restoration.error(event)]
        if kind == "finish" and event["reason"] == _CALLS and self._spelling.get(event.get("alternative", 0)):
            return [{**event, "raw": self._spelling[event.get("alternative", 0)]}]
        if self._texts:
            if kind == "tool_call_delta" and event["block"] in self._texts:
                return [{**event, "arguments": self._texts[event["block"]].feed(event["arguments"])}]
            if kind == "block_end" and event["block"] in self._texts:
                return [*self._ended(event["block"], event), event]
            if kind == "end":
                left = [one for block in list(self._texts) for one in self._ended(block, {"block": block})]
                return [*left, event]
        return [event]

    def _start(self, event: Event) -> Event:
        restoration = self._restoration
        out = {**event}
        if restoration is not None and restoration.model is not None and ("model" in event or restoration.fills_model):
            out["model"] = restoration.model
        if not self._is_told:
            out.pop("usage", None)
        elif self._input_tokens is not None and "input_tokens" not in event.get("usage", {}):
            out["usage"] = {"input_tokens": self._input_tokens, **event.get("usage", {})}
        return out

    def _call(self, event: Event) -> Event:
        restoration = self._restoration
        if restoration is None:
            return event
        own = restoration.tools.get(event["name"])
        spelling = self._spelling.setdefault(event.get("alternative", 0), "" if own is None else own.spelling)
        if spelling:
            event = with_spelling_word(event, restoration.dialect, "call", spelling)
        if own is None:
            return event
        if event.get("arguments") or not (own.is_free or own.schema is not None):
            return restoration.call(event)
        self._texts[event["block"]] = _FreeText() if own.schema is None else HeldArguments(own.schema)
        return restoration.call({name: value for name, value in event.items() if name != "arguments"})

    def _ended(self, block: int, where: Event) -> list[Event]:
        """Return the remaining text of a call; if it was cut off, what has come of it."""
        rest = self._texts.pop(block).rest()
        if not rest:
            return []
        piece: Event = {"type": "tool_call_delta", "block": block, "arguments": rest}
        if "alternative" in where:
            piece["alternative"] = where["alternative"]
        return [piece]


class _FreeText:
    """Extracts the text from the pieces of a JSON object with the single member `input`, incrementally.

    If another member comes first, or the JSON is invalid, everything is kept until the end and parsed at once.
    """

    __slots__ = ("_escape", "_high", "_matched", "_pieces", "_state", "_token")

    def __init__(self) -> None:
        self._state = "opening"  # then "text" and "closed", or "odd"
        self._pieces: list[str] = []  # kept while none of them has been returned
        self._token = self._matched = 0  # how much of the opening has been matched
        self._escape = ""  # an incomplete escape sequence
        self._high = ""  # a high surrogate that awaits its low one

    def feed(self, piece: str) -> str:
        """Return the text that a piece of JSON adds."""
        if self._state == "text":
            return self._text(piece, 0)
        if self._state == "closed":
            return ""
        self._pieces.append(piece)
        return self._text(piece, self._open(piece)) if self._state == "opening" else ""

    def rest(self) -> str:
        """Return the text that has not been returned yet."""
        return self._high if self._state in {"text", "closed"} else _free_text("".join(self._pieces))

    def _open(self, piece: str) -> int:
        """Return where the text begins in a piece, or the end of the piece if it does not begin there."""
        for at, character in enumerate(piece):
            token = _OPENING[self._token]
            if character == token[self._matched]:
                self._matched += 1
                if self._matched == len(token):
                    self._token, self._matched = self._token + 1, 0
                    if self._token == len(_OPENING):
                        self._state = "text"
                        self._pieces = []
                        return at + 1
            elif self._matched or character not in _SPACE:
                self._state = "odd"
                break
        return len(piece)

    def _text(self, piece: str, at: int) -> str:
        """Return the text in a piece of a JSON string, from a position up to the end of the string or the piece."""
        out: list[str] = []
        while at < len(piece) and self._state == "text":
            if self._escape:
                self._escape += piece[at]
                at += 1
                said = _unescaped(self._escape)
                if said is not None:
                    self._escape = ""
                    out.append(self._paired(said))
                continue
            run = _RUN.match(piece, at)
            if run is not None:
                out.append(self._paired(run.group()))
                at = run.end()
                continue
            if piece[at] == "\\":
                self._escape = "\\"
            else:
                self._state = "closed"
            at += 1
        return "".join(out)

    def _paired(self, said: str) -> str:
        """Return text with a pending high surrogate put before it; a trailing high surrogate becomes pending."""
        before, self._high = self._high, ""
        if before and "\udc00" <= said <= "\udfff":
            return (before + said).encode("utf-16", "surrogatepass").decode("utf-16")
        if len(said) == 1 and "\ud800" <= said <= "\udbff":
            self._high = said
            return before
        return before + said


def _unescaped(escape: str) -> str | None:
    """Return the character for an escape sequence, or None if it is incomplete."""
    kind = escape[1]
    if kind != "u":
        return _WORDS.get(kind, kind)
    if len(escape) < len("\\uXXXX"):
        return None
    digits = escape.removeprefix("\\u")
    # An invalid escape is returned as it is.
    return chr(int(digits, base=16)) if _HEX.issuperset(digits) else escape
