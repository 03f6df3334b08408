"""What the encoders of all rooms share: where they write, results and their calls, arguments, texts, lost settings.

A setting without a place that asks for what the dialect does anyway is no loss.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from interlingua.arguments import arguments_object
from interlingua.loss import beyond, lost_members
from interlingua.spi.extra import own_spelling

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from interlingua.loss import LossCode, LossLog
    from interlingua.model_shapes import ChatMessage, ToolCall, ToolChatMessage
    from interlingua.rooms._shared.names import AnswerIds
    from interlingua.rooms._shared.server_calls import Runs


@dataclass(slots=True, repr=False, eq=False)
class Target:
    """One encoding: `home` when the value was decoded from the very dialect it is written in.

    `answer` tells a response from a request. `base` is the JSON Pointer of what holds `messages`,
    `version` the API version that is written, empty for verbatim. `ids` makes ids that an answer abroad has not,
    `runs` knows the calls of tools of the provider so far. `carries`: whether the client of an answer from elsewhere
    sends back what its provider signed, where the dialect has a place for it. `taken` counts the names of documents
    that are written so far, where no two may be alike. `marks` are the cache marks that are written so far, each with
    its path, where they are counted.
    """

    dialect: str
    home: bool
    answer: bool
    log: LossLog
    base: str = ""
    version: str = ""
    ids: AnswerIds | None = None
    runs: Runs | None = None
    carries: bool = False
    taken: dict[str, int] | None = None
    marks: list[tuple[dict[str, Any], str]] | None = None

    def message(self, index: int) -> str:
        """Return the path of a message."""
        return f"{self.base}/messages/{index}"

    def part(self, index: int, member: str, part: int) -> str:
        """Return the path of a part of a message."""
        return f"{self.base}/messages/{index}/{member}/{part}"

    def call(self, index: int, call: int) -> str:
        """Return the path of a tool call."""
        return f"{self.base}/messages/{index}/tool_calls/{call}"

    def made_call_id(self, index: int, call: int) -> str:
        """Return an id for a call that has none: by its answer, or by its place in a request."""
        return f"call_{index}_{call}" if self.ids is None else self.ids.call(self.ids.next_call())


class RequestedCall(NamedTuple):
    """A call that a result answers: its id, its own or the one that its place gives it, and the name of its tool."""

    id: str
    name: str


class Pairing:
    """Follows a conversation from its beginning, message by message, in time linear in its length.

    Calls are told apart by their number: several may have one id, of which a result answers the first that is open.
    """

    def __init__(self) -> None:
        self._count = 0
        self._all: dict[str, RequestedCall] = {}
        # Ordered: the first one still open is found at once, however many before it have been answered.
        self._open: OrderedDict[int, RequestedCall] = OrderedDict()
        self._named: dict[str, OrderedDict[int, RequestedCall]] = {}
        self._alike: dict[str, OrderedDict[int, RequestedCall]] = {}  # by their ids
        self._turn_is_over = False  # somebody else has spoken since the last calls

    def follow(self, message: ChatMessage, index: int) -> RequestedCall | None:
        """Take the next message; return the call that it answers, if it is a result and there is one."""
        if message["role"] == "tool":
            self._turn_is_over = True
            return self._answered(message)
        if message["role"] == "opaque":  # nobody here knows what it does
            return None
        if message["role"] != "assistant":  # a result may still follow what was said in between
            self._turn_is_over = True
        elif "tool_calls" in message:
            if self._turn_is_over:
                self._open.clear()
                self._named.clear()
                self._alike.clear()
                self._turn_is_over = False
            for at, call in enumerate(message["tool_calls"]):
                self._ask(RequestedCall(call.get("id", f"call_{index}_{at}"), call["name"]))
        return None

    def _ask(self, asked: RequestedCall) -> None:
        self._all[asked.id] = self._open[self._count] = asked
        self._named.setdefault(asked.name, OrderedDict())[self._count] = asked
        self._alike.setdefault(asked.id, OrderedDict())[self._count] = asked
        self._count += 1

    def _answered(self, message: ToolChatMessage) -> RequestedCall | None:
        identifier = message.get("call_id", message.get("id"))
        if identifier is not None:
            return self._closed(self._alike.get(identifier)) or self._all.get(identifier)
        # Where all of that name are answered, it is the first of any other.
        return self._closed(self._named.get(message.get("name", ""))) or self._closed(self._open)

    def _closed(self, some: OrderedDict[int, RequestedCall] | None) -> RequestedCall | None:
        """Return the first of some open calls, which is answered now; None where there is none."""
        if not some:
            return None
        number, asked = next(iter(some.items()))
        for held in (self._open, self._named[asked.name], self._alike[asked.id]):
            del held[number]
        return asked


class ResultMatching:
    """Which calls the results of a conversation answer that do not say so; worked out when the first of them asks."""

    __slots__ = ("_asked", "_messages")

    def __init__(self, messages: Sequence[ChatMessage]) -> None:
        self._messages = messages
        self._asked: list[RequestedCall | None] | None = None

    def by(self, index: int) -> RequestedCall | None:
        """Return the call that the result at `index` answers, or None where none is open."""
        if self._asked is None:
            pairing = Pairing()
            self._asked = [pairing.follow(message, place) for place, message in enumerate(self._messages)]
        return self._asked[index]


INSTRUCTIONS: Final = frozenset({"system", "developer"})
"""The roles that give instructions."""


UNSHOWN: Final = "(What the user sent here cannot be passed on.)"
"""The text of a message of the user's of which no part can be said: the model shall neither miss a turn nor guess."""


def is_emptied(message: ChatMessage, written: Any, index: int, to: Target) -> bool:
    """Tell whether no part of an instruction can be said, and note it: an empty one tells the model nothing.

    A message of the user's is not left out: it is the user's turn, and a text says so in it.
    """
    if not _says_nothing(written.get("content")) or "images" in written or not _has_more_than_text(message):
        return False
    if message["role"] == "user":
        written["content"] = text_for_unsaid(message, index, to)
    elif message["role"] in INSTRUCTIONS:
        to.log.lost("message", to.message(index), "no part of the message can be sent there")
        return True
    return False


def text_for_unsaid(message: ChatMessage, index: int, to: Target) -> str:
    """Return the text for a message of which no part can be said, empty where it shall be left out; and note it."""
    content: Any = message.get("content")
    if message["role"] == "assistant" or type(content) is str or not content:
        return ""
    has_more = _has_more_than_text(message)
    if has_more and message["role"] == "user":
        return say_unshown(to.message(index), to.log)
    if has_more or message["role"] == "user":
        to.log.lost("message", to.message(index), "no part of the message can be sent there")
    return ""


def _says_nothing(content: Any) -> bool:
    """Tell whether a content is an empty text, or parts that are all of them."""
    return content == "" or (type(content) is list and all(part.get("text") == "" for part in content))


def say_unshown(path: str, log: LossLog) -> str:
    """Return the text for a message of the user's of which no part can be said, and note that it stands there."""
    log.changed("message", path, "no part of the message can be sent there: a text that says so was put in its place")
    return UNSHOWN


def _has_more_than_text(message: ChatMessage) -> bool:
    content: Any = message.get("content")
    return type(content) is list and any(part["type"] != "text" for part in content)


def object_arguments(call: ToolCall, index: int, at: int, to: Target) -> dict[str, Any]:
    """Return the arguments of the call `at` of the message `index`; free text stands in the member `input`."""
    arguments = call["arguments"]
    if "kind" in call and call["kind"] == "custom":
        path = to.call(index, at)
        to.log.changed("arguments", f"{path}/arguments", "the text is sent as the argument input of a function")
        to.log.changed("arguments", f"{path}/kind", "the arguments of a call must be a JSON object")
        return {"input": arguments}
    if type(arguments) is not str:
        return arguments  # type: ignore[return-value]  # text or an object
    value, faithful = arguments_object(arguments)
    if not faithful:
        to.log.changed(
            "arguments",
            f"{to.call(index, at)}/arguments",
            "the arguments must be a JSON object, and this text is not exactly one",
        )
    return value


def is_text_kept(call: Any, dialect: str, member: str) -> bool:
    """Tell whether the arguments of a call came as text where the dialect has an object, which was left out."""
    if type(call["arguments"]) is not str or "extra" not in call:
        return False
    return member in own_spelling(call, dialect).get("absent", ())


PARAGRAPH_BREAK: Final = "\n\n"
PLAIN_TEXT: Final = frozenset({"type", "text"})


def is_lost(part: Any, dialect: str) -> bool:
    """Tell whether only another dialect than the given one has a part."""
    return bool(part["type"] == "opaque" and part["dialect"] != dialect)


def texts_of(said: Any, path: str, code: LossCode, detail: str, log: LossLog) -> list[tuple[str, str]]:
    """Return each text of what is one text or a list of parts, with its path; note what else the parts hold."""
    if type(said) is str:
        return [(path, said)]
    texts: list[tuple[str, str]] = []
    for at, part in enumerate(said):
        if part["type"] == "text":
            texts.append((f"{path}/{at}", part["text"]))
            lost_members(log, beyond(part, PLAIN_TEXT), f"{path}/{at}", code, detail)
        else:
            lost_members(log, part, f"{path}/{at}", code, detail)
    return texts


# What a dialect does where a request does not say it: a setting -> its values that need not be said.
Unsaid: TypeAlias = "Mapping[str, tuple[Any, ...]]"
# Settings that say something by being there, however empty.
_MARKS: Final = frozenset({"cache", "user", "safety_identifier"})
_NOTHING: Final[tuple[Any, ...]] = ("", [], {})


def report_setting(name: str, value: Any, unsaid: Unsaid, log: LossLog, detail: str = "") -> None:
    """Note a setting of a request that has no place as lost, unless the dialect does so anyway."""
    if name == "schema_version":
        log.changed("member", "/schema_version", "schema_version belongs to the canonical form and is not sent")
    elif not (value in unsaid.get(name, ()) or (name not in _MARKS and value in _NOTHING)):
        log.lost("setting", f"/{name}", detail or f"the target has no {name}")


def may_call(request: Mapping[str, Any]) -> bool:
    """Tell whether any tool may be called: without, nothing is said by how many at once."""
    choice: Mapping[str, Any] | None = request.get("tool_choice")
    return bool(request.get("tools")) and (choice is None or choice["mode"] != "none")


def is_offered_again(tool: Mapping[str, Any], index: int, offered: set[str], to: Target) -> bool:
    """Tell whether a function has the name of one that is offered already, where each needs a name of its own.

    The first one counts; the other is lost.
    """
    if to.home or tool["type"] != "function":
        return False
    if tool["name"] in offered:
        lost_members(to.log, tool, f"/tools/{index}", "tool", "a tool of this name is offered already")
        return True
    offered.add(tool["name"])
    return False


def report_choice(choice: Mapping[str, Any] | None, log: LossLog, detail: str = "tool_choice needs tools") -> None:
    """Note a choice among tools where none is offered; without any, none is called, as `auto` and `none` have it."""
    if choice is not None and choice["mode"] not in {"auto", "none"}:
        log.lost("setting", "/tool_choice", detail)


def nearest_word(
    name: str, word: str, words: Mapping[str, str], nearest: Mapping[str, str], log: LossLog
) -> str | None:
    """Return how a dialect writes a word, or the nearest that it has; None, and a loss, for no word."""
    if word in words:
        return words[word]
    if word in nearest:
        log.changed("setting", f"/{name}", "the target does not have this value: the nearest one is sent")
        return words[nearest[word]]
    log.lost("setting", f"/{name}", "the target does not have this value")
    return None
