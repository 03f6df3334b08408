"""An exchange: a request in another dialect, and what comes back for it as the client's own provider would say it.

Source: docs/exchange.md; docs/laws.md, law 12.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from hashlib import sha256
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, cast

from interlingua.carrying import tell_withdrawn, without_carried_state
from interlingua.error_translation import error_event, translate_error
from interlingua.errors import JsonDecodeError, UnsupportedError
from interlingua.given import check_each
from interlingua.json_kinds import is_list
from interlingua.loss import enforce
from interlingua.profiles import AUTO
from interlingua.registry import descriptor
from interlingua.restoring import OwnTool, Restoration
from interlingua.showing import USUAL, spelled
from interlingua.streaming import EncodedStream, StreamSteps
from interlingua.translation import completed, decode_canonical_request, encode_canonical_request, translate_response

if TYPE_CHECKING:
    from collections.abc import AsyncIterable, Iterable, Iterator, Mapping
    from datetime import datetime
    from typing import Self

    from interlingua.loss import Encoded, EncodedError, Loss
    from interlingua.loss_words import Strict
    from interlingua.model import ApiError
    from interlingua.model_shapes import ChatRequest
    from interlingua.registry import Dialect
    from interlingua.report import Report
    from interlingua.showing import ReasoningMember
    from interlingua.streaming import Frame

__all__ = ["Exchange", "ExchangeStream", "exchange"]

_DIGEST: Final = 12  # hexadecimal digits
_FORM: Final = 1  # of the JSON; a later one is refused
_MEMBERS: Final[Mapping[str, tuple[type, ...]]] = MappingProxyType({
    "source": (str,), "target": (str,), "model": (str, type(None)), "tells_usage": (bool,), "tools": (dict,)
})  # fmt: skip
# Where a client looks for reasoning, as the JSON says it; it says nothing where that is the habit of the dialect.
_REASONING_MEMBERS: Final = (USUAL, "reasoning", None)
_PLAIN: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,39}")  # what every dialect takes as the name of a tool


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
    reasoning_member: ReasoningMember = USUAL,
    carry_state: bool = True,
    fit: bool = False,
    copy: bool = False,
) -> Exchange:
    """Return the request of a client of `source` as a provider of `target` takes it, and what its answer needs.

    Options and errors are those of `translate_request`; `reasoning_member` and `carry_state` are those of
    `translate_response`, and hold for all that comes back: what the provider signed is given to a client of Chat
    Completions, Claude or Responses, which sends it back with the next request, and so back to the provider. Hand what
    the provider answers to the exchange: `response`, `stream`, `push` and `error` say it in the client's dialect, as
    the client would have had it: its own names and kinds of tools, its own name for the model, and usage in a stream if
    and only if it asked for it.

    Args:
        body: The request of the client: plain JSON, an object.
        source: The dialect of the client.
        target: The dialect of the provider.
        strict: What may not be lost: False nothing in particular, True, "all", or a set of concerns.
        model: The name of the model to write; None keeps that of the request.
        defaults: Canonical members, by name, to fill in where the request has none.
        api_version: The version of the API to write for; None means verbatim at home and the newest abroad.
        profile: The family of models to write for: "auto", a name, or None.
        reasoning_member: Where Chat Completions shows reasoning from elsewhere: the name of the member, or None.
        carry_state: Whether a client is given what the provider signed, where it can keep it, to send it back.
        fit: Whether a request within one dialect is fitted to the model as well: one of another dialect always is.
        copy: Whether the body for the provider may share nothing with that of the client.

    Example:
        >>> body = {"model": "gpt-5.6", "messages": [{"role": "user", "content": "Hi"}]}
        >>> one = il.exchange(body, "openai_chat", "claude", model="claude-opus-5")
        >>> answer = {"type": "message", "role": "assistant", "content": [{"type": "text", "text": "Hello"}]}
        >>> one.response(answer).body["choices"][0]["message"]["content"]
        'Hello'
    """
    kept = without_carried_state(body, source) if source == target else body
    canonical = decode_canonical_request(kept, source)
    carry_state = carry_state and (source == target or _goes_on(canonical, source))
    lowered: dict[str, OwnTool] = {}
    asking = _asking_for_state(canonical, source, target, defaults) if carry_state and source != target else canonical
    if fit and source == target:  # who wrote it is not said: it is written like one made by hand
        asking = cast("ChatRequest", {name: value for name, value in canonical.items() if name != "dialect"})
    encoded = encode_canonical_request(
        asking, target, strict, model, defaults, api_version, profile=profile, tools=lowered
    )
    if kept is not body:
        tell_withdrawn(decode_canonical_request(body, source), encoded.log)
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
    for name, spelling in _older_tools(canonical, source):
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
    for name, places in encoded.log.optional.items():
        for sent in [one for one, own in encoded.renamed.items() if own == name] or [name]:
            tools[sent] = tools.get(sent, OwnTool(name))._replace(optional=places)
    return tools


def _goes_on(canonical: Mapping[str, Any], source: str) -> bool:
    """Tell whether a client has a use for what is signed: one that asks for no thoughts only where it calls tools."""
    if not descriptor(source).thinks_if_asked or canonical.get("tools"):
        return True
    asked: Mapping[str, Any] = canonical.get("reasoning", {})
    return bool(asked.get("mode", "disabled") != "disabled")


def _asking_for_state(
    canonical: ChatRequest, source: str, target: str, defaults: Mapping[str, Any] | None
) -> ChatRequest:
    """Return a request that asks for what its client is to send back, where the provider gives it only then."""
    if not (descriptor(source).carries_state and descriptor(target).state_on_request):
        return canonical
    filled = completed(canonical, target, None, defaults) if defaults else canonical
    return cast("ChatRequest", spelled(filled, target, "state", "carried"))


def _tool_names(canonical: Mapping[str, Any]) -> dict[str, None]:
    """Return the names of the tools that a request offers, and of those that it tells of, in their order."""
    return dict.fromkeys([*_offered(canonical), *_called(canonical)])


def _older_tools(canonical: Mapping[str, Any], source: str) -> Iterator[tuple[str, str]]:
    """Yield the tools that are declared in an older way, and how the client spells their calls."""
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
    """Return the digest of a body; an empty text for one that no JSON text holds."""
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
    if members.get("form") != _FORM or any(type(members.get(name)) not in kinds for name, kinds in _MEMBERS.items()):
        return False
    if members.get("reasoning_member", USUAL) not in _REASONING_MEMBERS:
        return False
    if type(members.get("carries_state", True)) is not bool or type(members.get("asked", "")) is not str:
        return False
    return all(map(_is_own_tool, members["tools"].values()))


def _is_own_tool(found: object) -> bool:
    if not isinstance(found, dict) or not found.keys() <= set(OwnTool._fields):
        return False
    own = cast("dict[str, object]", found)
    flags = (type(own.get("is_free", False)), type(own.get("is_item", False)))
    texts = (type(own.get("name")), type(own.get("group", "")), type(own.get("spelling", "")))
    places = own.get("optional", [])
    are_texts = is_list(places) and all(type(place) is str for place in places)
    return flags == (bool, bool) and texts == (str, str, str) and are_texts


@dataclass(frozen=True, slots=True, repr=False)
class Exchange:
    """A request, and everything that comes back for it. `exchange` makes one.

    `source` is the client's dialect, `target` the provider's. `model` is the model's name as the client wrote it, where
    answers are to say it. `tells_usage` is whether a stream says what it cost. `tools` has the name of each tool as the
    provider was told it, where the client knows the tool otherwise. `reasoning_member` is where the client looks for
    reasoning; `carries_state` whether it is given what the provider signed, to send it back. Nothing of it is content
    but `body`.

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
    reasoning_member: ReasoningMember = USUAL
    carries_state: bool = True
    _encoded: Encoded | None = field(default=None, compare=False)
    _asked: str = field(default="", compare=False)

    __hash__ = None  # type: ignore[assignment]  # its tools are a mapping

    @property
    def body(self) -> dict[str, Any]:
        """Return the body of the request for the provider. Raises `UnsupportedError` after `from_json`."""
        return self._request().body

    @property
    def losses(self) -> tuple[Loss, ...]:
        """Return what of the request did not come along. Raises `UnsupportedError` after `from_json`."""
        return self._request().losses

    def report(self) -> Report:
        """Return the losses by kind, the weightiest first, with a count. Raises as `losses` does."""
        return self._request().report()

    @property
    def restoration(self) -> Restoration:
        """Return what answers need to be the client's own, as a plain value."""
        known = descriptor(self.source)
        fills_model = self.source != self.target and known.names_model
        group = tool = None
        if any(own.group is not None or own.is_item for own in self.tools.values()):
            group, tool = known.call_group, known.call_tool
        return Restoration(
            self.source, self.tools, self.model, self.tells_usage, group, tool, fills_model, self._digest
        )

    def response(self, body: dict[str, Any], *, strict: Strict = False, copy: bool = False) -> Encoded:
        """Return the provider's answer in the client's dialect. Options and errors as in `translate_response`."""
        return translate_response(body, self.target, self.source, strict=strict, exchange=self, copy=copy)

    def stream(self, frames: Iterable[Frame] | AsyncIterable[Frame]) -> EncodedStream:
        """Return the provider's stream in the client's dialect. Errors are those of `translate_stream`."""
        return EncodedStream(self._steps(), check_each(frames, "frames"))

    def push(self) -> ExchangeStream:
        """Return what takes the frames of one stream as they are pushed: `feed` each, then `close`."""
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
        """Return the provider's error as the client's own would send it. Errors are those of `translate_error`."""
        return translate_error(body, self.target, self.source, status=status, headers=headers, now=now, copy=copy)

    def to_json(self) -> str:
        """Return all that answers need as JSON text: names of tools and of the model, and no content."""
        tools = {
            name: {key: value for key, value in own._asdict().items() if value} for name, own in self.tools.items()
        }
        members = {"source": self.source, "target": self.target, "model": self.model, "tells_usage": self.tells_usage}
        shown: dict[str, Any] = {}
        if self.reasoning_member != USUAL:
            shown["reasoning_member"] = self.reasoning_member
        if not self.carries_state:
            shown["carries_state"] = False
        return json.dumps({"form": _FORM, **members, **shown, "tools": tools, "asked": self._digest()})

    @classmethod
    def from_json(cls, text: str | bytes) -> Self:
        """Return the exchange that `to_json` wrote down: all of it but the request, which has been sent.

        Raises:
            JsonDecodeError: it is not such a text, or one of a later version of this library.
        """
        try:
            found: Any = json.loads(text)
        except (TypeError, ValueError, RecursionError):
            found = None
        if not _is_exchange(found):
            raise JsonDecodeError("not an exchange as `to_json` writes it")
        tools = {
            str(name): OwnTool(**own)._replace(optional=tuple(own.get("optional", ())))
            for name, own in found["tools"].items()
        }
        shown = found.get("reasoning_member", USUAL)
        carries = found.get("carries_state", True)
        members = (found["source"], found["target"], found["model"], found["tells_usage"])
        return cls(*members, tools, shown, carries, None, found.get("asked", ""))

    def __repr__(self) -> str:
        """Return which dialects speak: a body is content."""
        return f"Exchange({self.source!r}, {self.target!r}, tools={len(self.tools)})"

    def _digest(self) -> str:
        """Return the digest of the request: of two answers that have no ids it tells which is which."""
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
        """What has not come along so far; a path leads into the list of events."""
        return self._steps.losses

    def feed(self, frame: Frame) -> list[Frame]:
        """Return the frames for the client that a frame of the provider makes. Raises `DecodeError`."""
        return self._steps.feed(frame)

    def close(self) -> list[Frame]:
        """Return the frames that end the stream, where it has not ended."""
        return self._steps.close()

    def is_whole(self) -> bool:
        """Tell, once the provider's last frame was fed, whether its answer has ended, instead of being cut."""
        return self._steps.is_whole()

    def break_off(self, error: ApiError | Mapping[str, Any]) -> list[Frame]:
        """Return the frames that end the stream with an error instead of `close`; none where it has told one.

        Raises `EncodeError` for an error that is not canonical.
        """
        return self._steps.break_off(error_event(error, self._dialect))
