"""An exchange: a request translated for another provider, and the translation of whatever that provider answers.

Source: docs/exchange.md; docs/laws.md, law 12.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from hashlib import sha256
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, cast

from interlingua.argument_checks import check_each
from interlingua.carried_signatures import log_withdrawn_state, without_carried_state
from interlingua.error_translation import (
    decode_canonical_error,
    encode_canonical_error,
    error_event,
    translate_error,
)
from interlingua.errors import JsonDecodeError, UnsupportedError
from interlingua.loss import enforce
from interlingua.profiles import AUTO
from interlingua.registry import descriptor
from interlingua.response_options import REASONING_CONTENT, with_spelling_word
from interlingua.restoration import OwnTool, Restoration
from interlingua.spi.extra import SAME_CLIENT
from interlingua.streaming import EncodedStream, StreamSteps
from interlingua.translation import completed, decode_canonical_request, encode_canonical_request, translate_response

if TYPE_CHECKING:
    from collections.abc import AsyncIterable, Iterable, Iterator, Mapping
    from datetime import datetime
    from typing import Self

    from interlingua.loss import Encoded, EncodedError, Loss
    from interlingua.loss_types import Strict
    from interlingua.model import ApiError
    from interlingua.model_shapes import ChatRequest
    from interlingua.registry import Dialect
    from interlingua.report import Report
    from interlingua.response_options import ReasoningMember
    from interlingua.streaming import Frame

__all__ = ["Exchange", "ExchangeStream", "exchange"]

_DIGEST: Final = 12  # hexadecimal digits
_FORM: Final = 1  # format version of the JSON; a later one is refused
_MEMBERS: Final[Mapping[str, tuple[type, ...]]] = MappingProxyType({
    "source": (str,), "target": (str,), "model": (str, type(None)), "tells_usage": (bool,), "tools": (dict,)
})  # fmt: skip
# The client's reasoning member as the JSON stores it; absent where it is the habit of the dialect.
_REASONING_MEMBERS: Final = (REASONING_CONTENT, "reasoning", None)
_PLAIN: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,39}")  # tool names that every dialect accepts


def exchange(  # noqa: PLR0913  # the options of `translate_request`, and what answers need
    body: dict[str, Any],
    source: Dialect,
    target: Dialect,
    *,
    strict: Strict = False,
    model: str | None = None,
    defaults: Mapping[str, Any] | None = None,
    api_version: str | None = None,
    profile: str | None = AUTO,
    reasoning_member: ReasoningMember = REASONING_CONTENT,
    carry_state: bool = True,
    fit: bool = False,
    copy: bool = False,
) -> Exchange:
    """Return a client's request translated from `source` to `target`, with what is needed to translate the answer back.

    Options and errors are those of `translate_request`. `reasoning_member` and `carry_state` are those of
    `translate_response` and apply to everything that comes back: a client of Chat Completions, Claude, Gemini or
    Responses receives the provider's signatures and returns them with its next request. Pass the answer to `response`,
    `stream`, `push` or `error`; they translate it to the client's dialect with the client's own tool names and kinds,
    its own model name, and usage in a stream only if the client asked for it.

    Args:
        body: The client's request: a JSON object.
        source: The dialect of the client.
        target: The dialect of the provider.
        strict: What must not be lost: False (no check), True, "all", or a set of concerns.
        model: The model name to write; None keeps the request's.
        defaults: Values for canonical members that the request does not set.
        api_version: The API version to write for; None means verbatim at home and the newest abroad.
        profile: The model family to write for: "auto", a name, or None.
        reasoning_member: The Chat Completions member that shows another dialect's reasoning; None shows none.
        carry_state: Whether to give the client the provider's signatures, where it can keep them and send them back.
        fit: Whether to adapt a request to the model even within one dialect; across dialects this is always done.
        copy: Whether to return a body that shares no objects with the client's body.

    Example:
        >>> body = {"model": "gpt-5.6", "messages": [{"role": "user", "content": "Hi"}]}
        >>> one = il.exchange(body, "openai_chat", "claude", model="claude-opus-5")
        >>> answer = {"type": "message", "role": "assistant", "content": [{"type": "text", "text": "Hello"}]}
        >>> one.response(answer).body["choices"][0]["message"]["content"]
        'Hello'
    """
    kept = without_carried_state(body, source) if source == target else body
    canonical = decode_canonical_request(kept, source)
    carry_state = carry_state and (source == target or _uses_signatures(canonical, source))
    lowered: dict[str, OwnTool] = {}
    asking = _requesting_state(canonical, source, target, defaults) if carry_state and source != target else canonical
    named = model
    if fit and source == target:  # without its dialect it is encoded like a request made by hand, but for its own model
        made = {name: value for name, value in canonical.items() if name != "dialect"}
        asking = cast("ChatRequest", with_spelling_word(made, target, *SAME_CLIENT))
        named = canonical.get("model") if model is None else model
    encoded = encode_canonical_request(
        asking, target, strict, named, defaults, api_version, profile=profile, tools=lowered
    )
    if kept is not body:
        log_withdrawn_state(decode_canonical_request(body, source), encoded.log)
        if strict is not False:
            enforce(encoded.losses, strict=strict)
    encoded = encoded.copied() if copy else encoded
    asked = canonical.get("model")
    if source == target:
        renamed = asked if model is not None and model != asked else None
        tools = _tools_to_restore(canonical, encoded, lowered) if fit else {}
        return Exchange(source, target, renamed, True, tools, reasoning_member, carry_state, encoded)
    tells_usage = not descriptor(source).usage_on_request or canonical.get("stream_usage") is True
    names = _tool_names(canonical)
    tools = {name: OwnTool(name) for name in names if not _PLAIN.fullmatch(name)}
    tools |= _tools_to_restore(canonical, encoded, lowered)
    for name, spelling in _deprecated_tools(canonical, source):
        for sent in [name, *(one for one, own in tools.items() if own.name == name)]:
            tools[sent] = tools.get(sent, OwnTool(name))._replace(spelling=spelling)
    return Exchange(source, target, asked, tells_usage, tools, reasoning_member, carry_state, encoded)


def _tools_to_restore(
    canonical: Mapping[str, Any], encoded: Encoded, lowered: Mapping[str, OwnTool]
) -> dict[str, OwnTool]:
    """Return the tools that were sent under another name, as another kind or with all required, by the names sent."""
    names = _tool_names(canonical)
    tools = {**lowered}
    for name, own in encoded.renamed.items():
        if own in names or own in lowered:
            tools[name] = lowered.get(own, OwnTool(own))
    for name, schema in encoded.log.optional.items():
        for sent in [one for one, own in encoded.renamed.items() if own == name] or [name]:
            tools[sent] = tools.get(sent, OwnTool(name))._replace(schema=schema)
    return tools


def _uses_signatures(canonical: Mapping[str, Any], source: str) -> bool:
    """Tell whether the client can use signatures: if its dialect thinks only when asked, it must ask or have tools."""
    if not descriptor(source).thinks_if_asked or canonical.get("tools"):
        return True
    asked: Mapping[str, Any] = canonical.get("reasoning", {})
    return bool(asked.get("mode", "disabled") != "disabled")


def _requesting_state(
    canonical: ChatRequest, source: str, target: str, defaults: Mapping[str, Any] | None
) -> ChatRequest:
    """Return a request that asks for the state that the client is to send back, if the provider needs to be asked."""
    if not (descriptor(source).carries_state and descriptor(target).state_on_request):
        return canonical
    filled = completed(canonical, target, None, defaults) if defaults else canonical
    return cast("ChatRequest", with_spelling_word(filled, target, "state", "carried"))


def _tool_names(canonical: Mapping[str, Any]) -> dict[str, None]:
    """Return the names of the tools that a request offers or mentions in calls, in order."""
    return dict.fromkeys([*_offered(canonical), *_called(canonical)])


def _deprecated_tools(canonical: Mapping[str, Any], source: str) -> Iterator[tuple[str, str]]:
    """Yield the tools that are declared in a deprecated form, with the client's spelling of their calls."""
    spellings = descriptor(source).call_spellings
    for tool in canonical.get("tools", ()) if spellings else ():
        bag = tool.get("extra", {}).get(source, {})
        spelling = spellings.get(bag.get("spelling", {}).get("tool", ""))
        if spelling is not None:
            yield tool["name"], spelling


def _offered(canonical: Mapping[str, Any]) -> Iterator[str]:
    for tool in canonical.get("tools", ()):
        if "name" in tool:
            yield tool["name"]
        yield from _offered(tool)


def _called(canonical: Mapping[str, Any]) -> Iterator[str]:
    for message in canonical["messages"]:
        for call in message.get("tool_calls", ()):
            yield call["name"]


def _digest_of(body: dict[str, Any]) -> str:
    """Return the digest of a body; empty if the body cannot be written as JSON."""
    try:
        text = json.dumps(body)
    except (TypeError, ValueError, RecursionError):
        return ""
    return sha256(text.encode("ascii")).hexdigest()[:_DIGEST]


def _is_exchange(found: object) -> bool:
    """Tell whether a value is the JSON form of an exchange."""
    if not isinstance(found, dict):
        return False
    members = cast("dict[str, Any]", found)
    if members.get("form") != _FORM or not members.keys() >= _MEMBERS.keys():
        return False
    if any(type(members[name]) not in kinds for name, kinds in _MEMBERS.items()):
        return False
    if members.get("reasoning_member", REASONING_CONTENT) not in _REASONING_MEMBERS:
        return False
    if type(members.get("carries_state", True)) is not bool or type(members.get("asked", "")) is not str:
        return False
    if type(members.get("sent_model", "")) is not str:
        return False
    return all(map(_is_own_tool, members["tools"].values()))


def _is_own_tool(found: object) -> bool:
    if not isinstance(found, dict) or not found.keys() <= set(OwnTool._fields):
        return False
    own = cast("dict[str, object]", found)
    flags = (type(own.get("is_free", False)), type(own.get("is_item", False)))
    texts = (type(own.get("name")), type(own.get("group", "")), type(own.get("spelling", "")))
    return flags == (bool, bool) and texts == (str, str, str) and type(own.get("schema", {})) is dict


@dataclass(frozen=True, slots=True, repr=False)
class Exchange:
    """A translated request, and the means to translate every answer to it. `exchange` creates one.

    `source` is the client's dialect, `target` the provider's. `model` is the model name that the client used, if
    answers are to show it. `tells_usage` says whether a stream reports usage. `tools` maps tool names that were sent to
    the provider to the client's tools, where the two differ. `reasoning_member` is the member in which the client
    expects reasoning; `carries_state` says whether the client receives the provider's signatures, to send them back.
    Only `body` holds content.

    Example:
        >>> body = {"model": "gpt-5.6", "messages": [{"role": "user", "content": "Hi"}]}
        >>> one = il.exchange(body, "openai_chat", "claude", model="claude-opus-5")
        >>> one.body["model"], one.model
        ('claude-opus-5', 'gpt-5.6')
        >>> one.error({"type": "error", "error": {"type": "overloaded_error", "message": "Later."}}, status=529).status
        503
    """

    source: Dialect
    target: Dialect
    model: str | None
    tells_usage: bool
    tools: Mapping[str, OwnTool]
    reasoning_member: ReasoningMember = REASONING_CONTENT
    carries_state: bool = True
    _encoded: Encoded | None = field(default=None, compare=False)
    _asked: str = field(default="", compare=False)
    _sent_model: str | None = field(default=None, compare=False)

    __hash__ = None  # type: ignore[assignment]  # its tools are a mapping

    @property
    def body(self) -> dict[str, Any]:
        """Return the request body for the provider. Raises `UnsupportedError` after `from_json`."""
        return self._request().body

    @property
    def losses(self) -> tuple[Loss, ...]:
        """Return the losses of the request. Raises `UnsupportedError` after `from_json`."""
        return self._request().losses

    def report(self) -> Report:
        """Return the losses grouped by kind, the most serious first, with counts. Raises the errors of `losses`."""
        return self._request().report()

    @property
    def restoration(self) -> Restoration:
        """Return what is needed to restore the client's names and kinds in an answer, as a plain value."""
        known = descriptor(self.source)
        fills_model = self.source != self.target and known.names_model
        group = tool = None
        if any(own.group is not None or own.is_item for own in self.tools.values()):
            group, tool = known.call_group, known.call_tool
        return Restoration(
            self.source, self.tools, self.model, self.tells_usage, group, tool, fills_model, self._digest
        )

    @property
    def sent_model(self) -> str | None:
        """The model that the request names; None if its body has none, as for Gemini."""
        if self._encoded is None:
            return self._sent_model
        named = self._encoded.body.get("model")
        return named if isinstance(named, str) else None

    def response(self, body: dict[str, Any], *, strict: Strict = False, copy: bool = False) -> Encoded:
        """Return the provider's response in the client's dialect. Options and errors: see `translate_response`."""
        return translate_response(body, self.target, self.source, strict=strict, exchange=self, copy=copy)

    def stream(self, frames: Iterable[Frame] | AsyncIterable[Frame]) -> EncodedStream:
        """Return the provider's stream in the client's dialect. Errors are those of `translate_stream`."""
        return EncodedStream(self._steps(), check_each(frames, "frames"))

    def push(self) -> ExchangeStream:
        """Return a translator for one stream: `feed` it each frame, then call `close`."""
        return ExchangeStream(self._steps(), self.source)

    def error(
        self,
        body: Any,
        *,
        status: int | None = None,
        headers: Mapping[str, Any] | None = None,
        now: datetime | float | None = None,
        copy: bool = False,
    ) -> EncodedError:
        """Return the provider's error as the client's own provider would send it. Errors: see `translate_error`."""
        if self.source == self.target or not self.tools:
            return translate_error(body, self.target, self.source, status=status, headers=headers, now=now, copy=copy)
        canonical = decode_canonical_error(body, self.target, status, headers, now)
        encoded = encode_canonical_error(self.restoration.error(canonical), self.source)
        return encoded.copied() if copy else encoded

    def to_json(self) -> str:
        """Return what is needed to translate answers, as JSON text: names, schemas of strict tools, and no content."""
        tools = {
            name: {key: value for key, value in own._asdict().items() if value} for name, own in self.tools.items()
        }
        members = {"source": self.source, "target": self.target, "model": self.model, "tells_usage": self.tells_usage}
        shown: dict[str, Any] = {}
        if self.reasoning_member != REASONING_CONTENT:
            shown["reasoning_member"] = self.reasoning_member
        if not self.carries_state:
            shown["carries_state"] = False
        if self.sent_model is not None:
            shown["sent_model"] = self.sent_model
        return json.dumps({"form": _FORM, **members, **shown, "tools": tools, "asked": self._digest()})

    @classmethod
    def from_json(cls, text: str | bytes) -> Self:
        """Return the exchange stored by `to_json`, without the request, which has been sent.

        Raises:
            JsonDecodeError: the text is not a stored exchange, or is from a later version of this library.
        """
        try:
            found: Any = json.loads(text)
        except (TypeError, ValueError, RecursionError):
            found = None
        if not _is_exchange(found):
            raise JsonDecodeError("not an exchange as `to_json` writes it")
        tools = {str(name): OwnTool(**own) for name, own in found["tools"].items()}
        shown = found.get("reasoning_member", REASONING_CONTENT)
        carries = found.get("carries_state", True)
        members = (found["source"], found["target"], found["model"], found["tells_usage"])
        return cls(*members, tools, shown, carries, None, found.get("asked", ""), found.get("sent_model"))

    def __repr__(self) -> str:
        """Return the two dialects only: a body is content."""
        return f"Exchange({self.source!r}, {self.target!r}, tools={len(self.tools)})"

    def _digest(self) -> str:
        """Return the digest of the request, which distinguishes answers that have no ids."""
        return self._asked if self._encoded is None else _digest_of(self._encoded.body)

    def _steps(self) -> StreamSteps:
        return StreamSteps(self.target, self.source, exchange=self)

    def _request(self) -> Encoded:
        if self._encoded is None:
            raise UnsupportedError(self.target, "the request of an exchange that was read from JSON")
        return self._encoded


class ExchangeStream:
    """Translates one stream of an exchange whose frames are pushed: `feed` each, then `close`.

    Example:
        >>> one = il.exchange({"messages": [{"role": "user", "content": "Hi"}]}, "openai_chat", "ollama", model="llama")
        >>> stream = one.push()
        >>> said = {"role": "assistant", "content": "Hello"}
        >>> frames = stream.feed({"model": "llama", "message": said, "done": False})
        >>> frames[-1]["choices"][0]["delta"]["content"]
        'Hello'
    """

    def __init__(self, steps: StreamSteps, dialect: Dialect) -> None:
        self._steps = steps
        self._dialect: Dialect = dialect

    @property
    def losses(self) -> tuple[Loss, ...]:
        """The losses so far; each path leads into the list of events."""
        return self._steps.losses

    def feed(self, frame: Frame) -> list[Frame]:
        """Return the client's frames for a frame of the provider. Raises `DecodeError`."""
        return self._steps.feed(frame)

    def close(self) -> list[Frame]:
        """Return the frames that end the stream, if it has not ended."""
        return self._steps.close()

    def is_whole(self) -> bool:
        """Tell, after the provider's last frame, whether its answer is complete rather than cut off."""
        return self._steps.is_whole()

    def break_off(self, error: ApiError | Mapping[str, Any]) -> list[Frame]:
        """Return the frames that end the stream with an error, instead of `close`; none if it has already reported one.

        Raises `EncodeError` for an error that is not canonical.
        """
        return self._steps.break_off(error_event(error, self._dialect))
